"""A reading changed by choosing labels: searched for, put in order, tied, taken out; or written as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np
import streamlit as st

from core.analysis.cases.arrange import (
    in_order,
    is_tied_above,
    moved,
    replaced,
    tied,
    untied,
    with_label,
    without_label,
)
from core.analysis.cases.braces import Blocks
from core.analysis.cases.case import risk_letter
from core.analysis.cases.what_if import Reading, format_reading, parse_reading
from core.metrics.risk import HIGH
from core.study.model import Task
from dashboard.components.text import unmarked
from dashboard.shell import state, widgets
from dashboard.views import parts

Take = Callable[[Reading], None]
"""Takes over what a reading shall say."""
_FAULT = "loupe-what-if-fault"
"""Where the session keeps what could not be read: the field's key, its text and why."""
_PICKED = "loupe-what-if-picked"
"""Where the session keeps which label is to be moved: the reading's key, and the label."""
_SEARCH = "Type to search"
_ONE_AT_LEAST = (
    "A reading names one label at least, so all stay. Choose the new one, then take the others out; or leave "
    "the reading out."
)
_TIE_WIDTH = 190
"""Pixels, whatever the button says: a second press does not hit what stood beside it."""
_AS_TEXT = "what-if-as-text"


@dataclass(frozen=True, eq=False)
class Editor:
    """What changes one reading.

    Attributes
    ----------
    task : Task
        For its kind and labels.
    key : str
        Begins the keys of all widgets.
    now : callable
        Gives the reading as it stands at the moment; None while there is none yet.
    take : callable
        Takes over each change at once.
    first : tuple of int
        Labels that are offered before the others: those of the case.
    asks_confidence : bool
        Ask for a confidence although no reading of the study states one.
    """

    task: Task
    key: str
    now: Callable[[], Reading | None]
    take: Take
    first: tuple[int, ...]
    asks_confidence: bool = False

    def draw(self) -> None:
        """Draw the labels in their order, what moves them, and the list of all labels to add one."""
        with st.container(border=True, gap="small", key=f"editor-{self.key}"):
            is_score = self.task.kind == "score"
            as_text = is_score or widgets.own(_AS_TEXT, (False, True))
            if as_text:
                self._text()
            elif self.task.kind == "choice":
                self._choice()
            else:
                self._ranking()
            has_confidence = self.asks_confidence or not np.isnan(self.task.readings.confidence).all()
            if self.now() is not None and has_confidence:
                self._confidence()
            if not is_score:
                st.toggle("As text", **widgets.bind(_AS_TEXT, as_text))

    def _choice(self) -> None:
        """Offer all labels, of which the reading names one."""
        now = self.now()

        def take(label: int | None) -> None:
            if label is not None:
                self._take_blocks(((label,),))

        st.selectbox(
            "Label",
            placeholder=_SEARCH,
            filter_mode="contains",
            **widgets.choice(
                f"{self.key}-label",
                None if now is None else now.blocks[0][0],
                self._labels,
                words=self._name,
                take=take,
            ),
        )

    def _ranking(self) -> None:
        """Offer all labels, and list those of the differential, with buttons for the one that is marked."""
        blocks = self._blocks()
        # What is added comes last here as there: the field stays as it is, and the next can be typed at once.
        st.multiselect(
            "Labels",
            placeholder=_SEARCH,
            filter_mode="contains",
            select_all=False,
            **widgets.choices(
                f"{self.key}-labels",
                tuple(label for _, label in in_order(blocks)),
                self._labels,
                words=self._name,
                take=self._take_labels,
            ),
        )
        at, _, fault = _fault()
        if at == f"{self.key}-labels":
            parts.warning(fault)
        if blocks:
            self._list(blocks)

    def _list(self, blocks: Blocks) -> None:
        """Show places and labels, of which one is marked, and what can be done with that."""
        listed = in_order(blocks)
        words = {
            label: f"{unmarked(f'{place}. {self._name(label)}')}"
            + (" *tied with the one above*" if is_tied_above(blocks, label) else "")
            for place, label in listed
        }
        labels, picked = list(words), self._picked(blocks)
        st.radio(
            "Their order: first choice first",
            **widgets.choice(f"{self.key}-list", picked, labels, words=words.__getitem__, take=self._pick),
        )
        is_first, can_part = labels[0] == picked, untied(blocks, picked) != blocks
        with st.container(horizontal=True, gap="small"):
            for name, shown, change in (
                ("up", "Move up", lambda blocks, label: moved(blocks, label, -1)),
                ("down", "Move down", lambda blocks, label: moved(blocks, label, 1)),
            ):
                self._button(name, shown, change, disabled=change(blocks, picked) == blocks)
            if is_tied_above(blocks, picked) or (is_first and can_part):
                self._button("tie", "Untie", untied, width=_TIE_WIDTH)
            else:
                self._button("tie", "Tie with the one above", tied, disabled=is_first, width=_TIE_WIDTH)
            self._button("out", "Take out", without_label, disabled=len(labels) == 1)
        self._replace(picked, labels)

    def _replace(self, picked: int, named: Sequence[int]) -> None:
        """Offer the labels that can stand in the place of the one that is marked."""
        st.selectbox(
            "Replace the marked label by",
            placeholder=_SEARCH,
            filter_mode="contains",
            **widgets.choice(
                f"{self.key}-replace-{picked}",
                None,
                [label for label in self._labels if label not in named],
                words=self._name,
                take=self._take_instead,
            ),
        )

    def _take_instead(self, label: int | None) -> None:
        """Put a label in the place of the one that is marked, and mark it."""
        blocks = self._blocks()
        if label is None or not blocks:
            return
        self._take_blocks(replaced(blocks, self._picked(blocks), label))
        self._pick(label)

    def _button(
        self,
        name: str,
        words: str,
        change: Callable[[Blocks, int], Blocks],
        *,
        disabled: bool = False,
        width: int | Literal["content"] = "content",
    ) -> None:
        """One thing that can be done with the label that is marked."""
        st.button(
            words,
            key=f"{self.key}-{name}",
            on_click=self._act,
            args=(change,),
            disabled=disabled,
            width=width,
        )

    def _act(self, change: Callable[[Blocks, int], Blocks]) -> None:
        """Change the blocks as they stand now, by the label that is marked now; one label stays."""
        blocks = self._blocks()
        if not blocks:
            return
        picked = self._picked(blocks)
        changed = change(blocks, picked)
        if not changed or changed == blocks:
            return
        labels = [label for _, label in in_order(blocks)]
        if picked not in [label for _, label in in_order(changed)]:
            # What stood below moves into its place.
            place = labels.index(picked)
            self._pick((labels[place + 1 :] or labels[place - 1 :])[0])
        self._take_blocks(changed)

    def _text(self) -> None:
        """Field that holds the reading; one that could not be read stays as it was written."""
        key, now = f"{self.key}-text", self.now()
        at, text, fault = _fault()
        value = text if at == key else "" if now is None else format_reading(self.task, now)
        is_ranking = self.task.kind == "ranking"
        st.text_input(
            "{A} {B, C} is A first, then B and C tied" if is_ranking else "What the reading says",
            placeholder=_example(self.task),
            **widgets.bind(key, value, take=partial(self._take_text, key)),
        )
        if at == key:
            parts.warning(f"Not understood, so nothing is changed: {fault}")

    def _confidence(self) -> None:
        """Field for the confidence that the reading states."""
        now = self.now()
        stated = None if now is None or now.confidence is None else round(100 * now.confidence)

        def take(said: int | None) -> None:
            reading = self.now()
            if reading is not None:
                self.take(replace(reading, confidence=None if said is None else said / 100))

        st.number_input(
            "Confidence in %",
            0,
            100,
            step=1,
            placeholder="not stated",
            width=150,
            **widgets.bind(f"{self.key}-confidence", stated, take=take),
        )

    def _take_text(self, key: str, text: str) -> None:
        """Take over what was written, or keep why it cannot be read."""
        now = self.now()
        if not text.strip() and now is None:
            forget_fault()
            return
        try:
            reading = parse_reading(self.task, text, confidence=None if now is None else now.confidence)
        except ValueError as wrong:
            st.session_state[_FAULT] = (key, text, str(wrong))
        else:
            self.take(reading)

    def _take_labels(self, labels: tuple[int, ...]) -> None:
        """Take out what is chosen no more, and put what is new below; a reading names one label at least."""
        blocks = self._blocks()
        for _, label in in_order(blocks):
            if label not in labels:
                blocks = without_label(blocks, label)
        for label in labels:
            blocks = with_label(blocks, label)
        if blocks:
            self._take_blocks(blocks)
            self._pick(labels[-1])
        else:
            st.session_state[_FAULT] = (f"{self.key}-labels", "", _ONE_AT_LEAST)

    def _take_blocks(self, blocks: Blocks) -> None:
        forget_fault()
        now = self.now()
        self.take(Reading(blocks) if now is None else replace(now, blocks=blocks))

    def _blocks(self) -> Blocks:
        """Blocks as they stand at the moment."""
        now = self.now()
        return () if now is None else now.blocks

    @cached_property
    def _labels(self) -> list[int]:
        """Labels that are offered: those of the case first, then the others, those of high risk before.

        A part of a name and Enter take the first that has it: rather the danger than what sounds like it.
        """
        others = sorted(range(len(self.task.labels)), key=lambda code: self.task.risk[code] != HIGH)
        return list(dict.fromkeys((*self.first, *others)))

    def _name(self, label: int) -> str:
        """A label with the letter of its risk."""
        letter = risk_letter(self.task, label)
        return self.task.labels[label] + (f" ({letter})" if letter else "")

    def _picked(self, blocks: Blocks) -> int:
        """The label that is marked: the one that was chosen last, else the first."""
        label: int | None = st.session_state.get(_PICKED)
        labels = [label for _, label in in_order(blocks)]
        return label if label in labels else labels[0]

    def _pick(self, label: int) -> None:
        st.session_state[_PICKED] = label
        state.redraw_if_elsewhere()


def forget_fault() -> None:
    """Forget what could not be read."""
    st.session_state.pop(_FAULT, None)


def _fault() -> tuple[str, str, str]:
    """Key of the field that could not be read, what stands in it, and why it could not; or nothing."""
    fault: tuple[str, str, str] = st.session_state.get(_FAULT, ("", "", ""))
    return fault


def _example(task: Task) -> str:
    """A reading as it may be written, of the task's own labels."""
    if task.kind == "score":
        return "A number, as in 4.5"
    short = sorted(range(len(task.labels)), key=lambda code: (len(task.labels[code]), code))[:3]
    blocks = ((short[0],), tuple(short[1:])) if task.kind == "ranking" and len(short) > 1 else ((short[0],),)
    return format_reading(task, Reading(blocks))
