"""What if: readings of the opened case switched off, edited or added; the study stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.cases.what_if import (
    MOST_ADDED,
    Reading,
    WhatIf,
    changes_table,
    check,
    format_reading,
    parse_reading,
    said_in,
)
from core.analysis.cases.what_if_text import from_text, to_text
from core.study.model import Study, Task
from dashboard.components.text import count
from dashboard.shell import widgets
from dashboard.views import parts

MOST_ROWS = 12
"""Readings shown at once; the others are folded."""
RATER_WIDTH, SWITCH_WIDTH = 110, 32
_FAULT = "loupe-what-if-fault"
"""Where the session keeps what could not be read: the field's key, its text and why."""
_NOW = "loupe-what-if-now"
"""Where the session keeps the changes: two fields that are left at once must not undo each other."""

Adopt = Callable[[str], None]
"""Takes the text that stands in the address bar; empty where nothing is changed."""


@dataclass(frozen=True)
class AddressChange:
    """What the address bar asks for; no change, and why not, where its text could not be read."""

    change: WhatIf
    fault: str = ""


def read(study: Study, task: Task, index: int, text: str) -> AddressChange:
    """Read the changes of a case from the text that stands in the address bar."""
    try:
        return AddressChange(from_text(study, task, index, text))
    except ValueError as wrong:
        return AddressChange(WhatIf(), str(wrong))


def banner(address: AddressChange, effect: str, *, adopt: Adopt) -> None:
    """Say above the pictures that they show changed readings, and what the changes do."""
    if address.fault:
        words = (
            f"The address asks for changed readings that this case cannot have: {address.fault.rstrip('.')}"
        )
        parts.warning(f"{words}. They are ignored; these are the study's readings.")
    elif address.change:
        parts.warning(f"What if: not the study's readings. {effect}")
    else:
        return
    words = "Forget the change" if address.fault else "Back to the study's readings"
    st.button(words, key="what-if-reset", on_click=_settle, args=(adopt, ""))


@parts.folded("What if it had been read otherwise?", key="what-if")
def show(study: Study, task: Task, index: int, address: AddressChange, *, adopt: Adopt) -> None:
    """Draw the panel: a row for each reading to switch off or edit, and a field to add one."""
    _Panel(study, task, index, address.change, adopt).draw()


@dataclass(frozen=True, eq=False)
class _Panel:
    """The opened panel of one case."""

    study: Study
    task: Task
    index: int
    change: WhatIf
    adopt: Adopt

    def draw(self) -> None:
        """Draw explanation, rows and the field to add a reading."""
        st.session_state[_NOW] = self.change
        table = changes_table(self.study, self.task, self.index, self.change)
        how = " {A} {B, C} is A first, then B and C tied." if self.task.kind == "ranking" else ""
        parts.note(
            f"Switch a reading off, write another in its place, or add one.{how} All pictures of the case "
            "follow, and the address can be shared; nothing is written to the study."
        )
        most = len(table) if self._shows_all(len(table)) else MOST_ROWS
        own = table["state"] != "added"
        # Added readings are always shown: who has just added one looks for it.
        with st.container(gap="xsmall"):
            for row in table[own].head(most).to_dict("records"):
                self._row(int(row["place"]), row["rater"], row["reading"], row["state"], row["was"])
            for row in table[~own].to_dict("records"):
                self._added_row(int(row["place"]), row["reading"])
        self._field_to_add()

    def _shows_all(self, n: int) -> bool:
        """Offer to unfold many readings."""
        if n <= MOST_ROWS:
            return True
        return st.toggle(f"Show all {count(n, 'reading')}", key=self._key("all"))

    def _row(self, place: int, rater: str, reading: str, state: str, was: str) -> None:
        """One reading of the study: on or off, who, what."""
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            st.checkbox(
                f"Count reading {place + 1}",
                label_visibility="collapsed",
                width="content",
                **widgets.bind(self._key(f"on-{place}"), state != "off", take=partial(self._switch, place)),
            )
            self._who(rater)
            self._field(place, f"edit-{place}", reading, self._edit, disabled=state == "off")
            if was:
                st.button(
                    "Take back",
                    key=self._key(f"back-{place}"),
                    on_click=lambda: self._save(_now().with_edit(place, None)),
                )
        self._tell_fault(f"edit-{place}")
        if was:
            parts.note(f"In the study: {was}")

    def _added_row(self, place: int, reading: str) -> None:
        """One reading that was added."""
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            self._who(f"added {place + 1}", width=RATER_WIDTH + SWITCH_WIDTH)
            self._field(place, f"added-{place}", reading, self._edit_added)
            st.button(
                "Remove",
                key=self._key(f"remove-{place}"),
                on_click=lambda: self._save(_now().without_added(place)),
            )
        self._tell_fault(f"added-{place}")

    def _who(self, rater: str, *, width: int = RATER_WIDTH) -> None:
        """Name who read."""
        with st.container(width=width):
            parts.note(rater)

    def _field(
        self, place: int, name: str, reading: str, take: Callable[[int, str], None], *, disabled: bool = False
    ) -> None:
        """Field that holds a reading; one that could not be read stays as it was written."""
        key = self._key(name)
        at, text, _ = _fault()
        st.text_input(
            f"Added reading {place + 1}" if name.startswith("added") else f"Reading {place + 1}",
            label_visibility="collapsed",
            disabled=disabled,
            **widgets.bind(key, text if at == key else reading, take=partial(take, place)),
        )

    def _field_to_add(self) -> None:
        """Field for a further reading."""
        if len(self.change.added) >= MOST_ADDED:
            parts.note(f"No more than {MOST_ADDED} readings can be added.")
            return
        has_confidence = not np.isnan(self.task.readings.confidence).all()
        with (
            st.form(self._key("form"), border=False),
            st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
        ):
            st.text_input("Add a reading", key=self._key("add"), placeholder=_example(self.task))
            if has_confidence:
                st.number_input(
                    "Confidence in %", 0, 100, None, key=self._key("confidence"), width=RATER_WIDTH + 20
                )
            st.form_submit_button("Add", on_click=self._add)
        # What was not understood and has been written over since is not spoken of.
        if _fault()[1] == st.session_state.get(self._key("add")):
            self._tell_fault("add")

    def _tell_fault(self, name: str) -> None:
        """Say under a field why it could not be read."""
        at, _, fault = _fault()
        if at == self._key(name):
            parts.warning(f"Not understood, so nothing is changed: {fault}")

    def _switch(self, place: int, on: bool) -> None:
        if on == (place in _now().off):
            self._save(_now().toggled(place))

    def _edit(self, place: int, text: str) -> None:
        """Take over what was written in place of a reading; what the study says is no edit."""
        said = said_in(self.task.readings, self.index)[place]
        reading = self._written(f"edit-{place}", text, said.confidence)
        if reading is not None:
            self._save(_now().with_edit(place, None if reading == said else reading))

    def _edit_added(self, place: int, text: str) -> None:
        """Take over what was written in place of an added reading."""
        added = _now().added
        reading = self._written(f"added-{place}", text, added[place].confidence)
        if reading is not None:
            self._save(replace(_now(), added=(*added[:place], reading, *added[place + 1 :])))

    def _add(self) -> None:
        """Add what was written, and empty the field."""
        confidence = st.session_state.get(self._key("confidence"))
        text = st.session_state.get(self._key("add"), "")
        reading = self._written("add", text, None if confidence is None else confidence / 100)
        if reading is not None:
            st.session_state[self._key("add")] = ""
            self._save(_now().with_added(reading))

    def _written(self, name: str, text: str, confidence: float | None) -> Reading | None:
        """What a field says; None, with the reason kept, where it cannot be read."""
        try:
            return parse_reading(self.task, text, confidence=confidence)
        except ValueError as wrong:
            st.session_state[_FAULT] = (self._key(name), text, str(wrong))
            return None

    def _save(self, change: WhatIf) -> None:
        """Hand on the changes as text."""
        check(self.task, int(self.task.readings.per_case[self.index]), change)
        st.session_state[_NOW] = change
        _settle(self.adopt, to_text(self.study, self.task, self.index, change))

    def _key(self, name: str) -> str:
        """Key of a widget: no case takes over what was written at another."""
        return f"what-if-{self.study.fingerprint[:12]}-{self.task.name}-{self.index}-{name}"


def _settle(adopt: Adopt, text: str) -> None:
    """Hand on a text, with what could not be read before forgotten."""
    st.session_state.pop(_FAULT, None)
    adopt(text)


def _now() -> WhatIf:
    """The changes as they stand, those of this very run included."""
    change: WhatIf = st.session_state[_NOW]
    return change


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
