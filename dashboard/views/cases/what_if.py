"""What if: readings of the opened case left out, changed or added; the study stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape

import streamlit as st

from core.analysis.cases.effect import Effect
from core.analysis.cases.what_if import (
    MOST_ADDED,
    Reading,
    WhatIf,
    changes_table,
    check,
    reading_words,
    said_in,
)
from core.analysis.cases.what_if_text import from_text, to_text
from core.study.model import Study, Task
from dashboard.components.text import count
from dashboard.shell import state, widgets
from dashboard.views import parts
from dashboard.views.cases.effect_bars import effect_bars
from dashboard.views.cases.reading_editor import Editor, Take, forget_fault

MOST_ROWS = 12
"""Readings shown at once; the others are folded."""
_OPENED = "loupe-what-if-opened"
"""Where the session keeps which reading is open to be changed: one at most, which may not be there yet."""
_NOW = "loupe-what-if-now"
"""Where the session keeps the changes: two fields that are left at once must not undo each other."""

_LONGER = (
    " Each place of a list counts as a choice among the labels below it, named or not: a longer list weighs "
    "more than one label."
)
"""Said where differentials are counted place by place."""

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


def banner(address: AddressChange, effect: Effect | None, *, adopt: Adopt) -> None:
    """Say above the pictures that they show changed readings, and what the changes do."""
    if not address.fault and not address.change:
        return
    # It stays in sight however far the page is scrolled, with the way back (`dashboard.shell.theme`).
    with st.container(key="what-if-banner", horizontal=True, vertical_alignment="center", gap="small"):
        if address.fault:
            parts.warning(
                "The address asks for changed readings that this case cannot have: "
                f"{address.fault.rstrip('.')}. They are ignored; these are the study's readings."
            )
        else:
            said = effect.sentence if effect is not None else ""
            parts.warning(f"What if: not the study's readings. {said}")
        words = "Forget the change" if address.fault else "Back to the study's readings"
        st.button(words, key="what-if-reset", on_click=_take_back, args=(adopt,))


def show(
    study: Study,
    task: Task,
    index: int,
    address: AddressChange,
    effect: Effect | None,
    *,
    adopt: Adopt,
) -> None:
    """Draw the panel: a way to add a reading, a row for each to leave out or change, and what it does."""
    with st.container(key="what-if"):
        _Panel(study, task, index, address.change, effect, adopt).draw()


@dataclass(frozen=True, eq=False)
class _Panel:
    """The opened panel of one case."""

    study: Study
    task: Task
    index: int
    change: WhatIf
    effect: Effect | None
    adopt: Adopt

    def draw(self) -> None:
        """Draw the way to add a reading, explanation and rows."""
        st.session_state[_NOW] = self.change
        table = changes_table(self.study, self.task, self.index, self.change)
        new = len(self.change.added)
        with st.container(
            key="what-if-head", horizontal=True, vertical_alignment="center", wrap=False, gap="small"
        ):
            parts.head("What if it had been read differently?")
            self._way_to_add(new)
        longer = _LONGER * (self.task.kind == "ranking" and state.view().model == "plackett-luce")
        parts.note(f"Leave a reading out, change it, or add one. Nothing is written to the study.{longer}")
        most = len(table) if self._shows_all(len(table)) else MOST_ROWS
        own = table["state"] != "added"
        # Added readings come first, and are always shown: who has just added one looks for it, and the field
        # for its labels opens in sight, however many readings the case has.
        with st.container(gap="xsmall"):
            with st.container(gap="xsmall"):
                for place in range(new + self._is_open(f"added-{new}")):
                    self._added_row(place)
            for row in table[own].head(most).to_dict("records"):
                self._row(int(row["place"]), row["rater"], row["state"])
        with st.container():
            if not st.session_state.get(_OPENED, "").startswith(self._key("")):
                self._answer()

    def _answer(self) -> None:
        """Draw what the changes do where they are made; in words it stands in the banner, always in sight."""
        if self.change and self.effect is not None:
            effect_bars(self.effect.table)

    def _shows_all(self, n: int) -> bool:
        """Offer to unfold many readings."""
        if n <= MOST_ROWS:
            return True
        return st.toggle(f"Show all {count(n, 'reading')}", key=self._key("all"))

    @cached_property
    def _said(self) -> list[Reading]:
        """What the study's readings of the case say."""
        return said_in(self.task.readings, self.index)

    def _row(self, place: int, rater: str, state: str) -> None:
        """One reading of the study: on or off, who, what, and what it was."""
        said = self._said[place]
        now = dict(self.change.edited).get(place, said)
        name, is_edited = f"edit-{place}", now is not said
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            st.checkbox(
                f"Count reading {place + 1}",
                label_visibility="collapsed",
                width="content",
                **widgets.bind(self._key(f"on-{place}"), state != "off", take=partial(self._switch, place)),
            )
            was = f"in the study: {reading_words(self.task, said)}" if is_edited else ""
            _say(rater, reading_words(self.task, now), was, is_off=state == "off")
            if is_edited:
                st.button(
                    "Take back",
                    key=self._key(f"back-{place}"),
                    on_click=lambda: self._save(_now().with_edit(place, None)),
                )
            self._way_to_change(name, is_off=state == "off")
        if self._is_open(name) and state != "off":
            self._editor(name, lambda: dict(_now().edited).get(place, said), partial(self._edit, place))

    def _added_row(self, place: int) -> None:
        """One reading that was added, or is about to be: it stands where it will stand."""
        name, reading = f"added-{place}", _added(place)
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            _say(
                f"added {place + 1}",
                "nothing yet" if reading is None else reading_words(self.task, reading),
            )
            st.button("Remove", key=self._key(f"remove-{place}"), on_click=self._remove, args=(place,))
            self._way_to_change(name)
        if self._is_open(name):
            self._editor(name, partial(_added, place), partial(self._edit_added, place))

    def _way_to_change(self, name: str, *, is_off: bool = False) -> None:
        """Button that opens a reading to be changed, and closes it; one at a time is open."""
        is_open = self._is_open(name) and not is_off
        st.button(
            "Done" if is_open else "Change",
            key=self._key(f"open-{name}"),
            on_click=self._open,
            args=("" if is_open else name,),
            disabled=is_off,
        )

    def _way_to_add(self, place: int) -> None:
        """Button that opens a further reading, which exists once it says something."""
        is_most = place >= MOST_ADDED
        st.button(
            "Add a reading",
            key=self._key("add"),
            on_click=self._open,
            args=(f"added-{place}",),
            disabled=is_most or self._is_open(f"added-{place}"),
            help=f"No more than {MOST_ADDED} readings can be added." if is_most else None,
        )

    def _editor(self, name: str, now: Callable[[], Reading | None], take: Take) -> None:
        """Draw what changes a reading."""
        mentioned = dict.fromkeys(
            label for reading in self._said for block in reading.blocks for label in block
        )
        Editor(self.task, self._key(name), now, take, tuple(mentioned)).draw()
        self._answer()

    def _is_open(self, name: str) -> bool:
        return bool(st.session_state.get(_OPENED) == self._key(name))

    def _open(self, name: str) -> None:
        """Open a reading to be changed, or none."""
        st.session_state[_OPENED] = self._key(name) if name else ""
        forget_fault()
        state.redraw_if_elsewhere()

    def _switch(self, place: int, on: bool) -> None:
        if on == (place in _now().off):
            self._save(_now().toggled(place))

    def _edit(self, place: int, reading: Reading) -> None:
        """Take over what a reading shall say; what the study says is no edit."""
        self._save(_now().with_edit(place, None if reading == self._said[place] else reading))

    def _edit_added(self, place: int, reading: Reading) -> None:
        """Take over what an added reading shall say, or add it; a score says nothing further."""
        added = _now().added
        if place >= len(added) and self.task.kind == "score":
            st.session_state[_OPENED] = ""
        self._save(replace(_now(), added=(*added[:place], reading, *added[place + 1 :])))

    def _remove(self, place: int) -> None:
        st.session_state[_OPENED] = ""
        self._save(_now().without_added(place))

    def _save(self, change: WhatIf) -> None:
        """Hand on the changes as text."""
        check(self.task, int(self.task.readings.per_case[self.index]), change)
        st.session_state[_NOW] = change
        _settle(self.adopt, to_text(self.study, self.task, self.index, change))

    def _key(self, name: str) -> str:
        """Key of a widget: no case takes over what was written at another."""
        return f"what-if-{self.study.fingerprint[:12]}-{self.task.name}-{self.index}-{name}"


def _say(rater: str, reading: str, was: str = "", *, is_off: bool = False) -> None:
    """Say who read what, and what the study has in its place."""
    words = f'<span class="loupe-note">{escape(rater)}</span>&ensp;{escape(reading)}'
    if is_off:
        words = f"<s>{words}</s>"
    if was:
        words += f'<br><span class="loupe-note">{escape(was)}</span>'
    st.html(f'<p class="loupe-text">{words}</p>')


def _take_back(adopt: Adopt) -> None:
    """Forget all changes; a reading that was open for them is closed."""
    st.session_state[_OPENED] = ""
    _settle(adopt, "")


def _settle(adopt: Adopt, text: str) -> None:
    """Hand on a text, with what could not be read before forgotten."""
    forget_fault()
    adopt(text)


def _now() -> WhatIf:
    """The changes as they stand, those of this very run included."""
    change: WhatIf = st.session_state[_NOW]
    return change


def _added(place: int) -> Reading | None:
    """An added reading as it stands now; None where it has been taken out in this very run."""
    added = _now().added
    return added[place] if place < len(added) else None
