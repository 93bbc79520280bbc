"""Reviews of the study that is open: followed, written to, and where they cannot be had, said so once.

The store and what was read of it belong to the server; what a person saw before belongs to the visit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

import streamlit as st

from core.reviews.applied import with_rounds
from core.reviews.event import Event, StoreError
from core.reviews.journal import Journal
from core.reviews.state import CaseReview
from core.study.model import Study
from core.study.own_folder import own_folder
from dashboard.shell.author import stay
from dashboard.shell.cache import identity

if TYPE_CHECKING:
    from core.reviews.store import ReviewStore

_SEEN, _FILE = "loupe-seen", "seen.json"
_MOST_STUDIES = 500
"""Of which it is remembered how much was seen; the longest unvisited one is forgotten first."""
MOST_APPLIED = 8
"""Studies with rounds that are kept."""
_stores: dict[str, ReviewStore] = {}
_journals: dict[tuple[str, str], Journal] = {}
_applied: dict[tuple[int, int, tuple[str, ...], tuple[str, ...]], Study] = {}
_opening = Lock()


def journal(study: Study) -> Journal:
    """Reviews of a study, all that anybody has written until now.

    Raises
    ------
    StoreError
        If they cannot be read; then everything but reviewing goes on.
    """
    found = _journal(study.name)
    last = found.follow()
    seen: dict[str, int] = st.session_state.setdefault(_SEEN, {})
    if study.name not in seen:
        seen[study.name] = _recall().get(study.name, last)
    return found


def listing(study: Study) -> tuple[Mapping[str, CaseReview], int]:
    """Reviews by case id, and the number of the last event; none where they cannot be read."""
    try:
        found = journal(study)
        last = found.follow()
        return found.reviews, last
    except (StoreError, RuntimeError):
        return {}, 0


def seen_before(study: Study) -> int:
    """Number of the last event that the visit before this one could see."""
    before: int = st.session_state.get(_SEEN, {}).get(study.name, 0)
    return before


def write(study: Study, *events: Event, own: bool = True) -> None:
    """Keep events; they are on the disk when this returns.

    Parameters
    ----------
    study : Study
    *events : Event
    own : bool
        Whether their author is the person at the keyboard, and not a reader whose sheet is brought in.

    Raises
    ------
    StoreError
        If they cannot be written.
    """
    _journal(study.name).store.append(*events)
    if events and own:
        stay(events[0].author)


def remember_visit(study: Study) -> None:
    """Keep how much there was to see at this visit, for the next; nothing happens where it cannot be kept."""
    with suppress(OSError, RuntimeError, StoreError):
        last, kept = _journal(study.name).follow(), _recall()
        if kept.get(study.name) == last:
            return
        kept.pop(study.name, None)
        kept = dict([*kept.items(), (study.name, last)][-_MOST_STUDIES:])
        file = own_folder("state") / _FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(kept), encoding="utf-8")
        part.replace(file)


def is_anything_kept() -> bool:
    """Whether there is a database at all, found without the modules that open one.

    They take a tenth of a second, which a page on which nothing was ever reviewed need not wait for.
    """
    try:
        return bool(os.environ.get("LOUPE_DATABASE")) or (own_folder("data") / "reviews.sqlite").exists()
    except (OSError, RuntimeError):
        return False


def applied(study: Study, counted: tuple[str, ...], adjudicated: tuple[str, ...]) -> Study:
    """The study with the readings and outcomes of rounds; the same object while nothing is written.

    Raises
    ------
    ValueError
        As `core.reviews.applied.with_rounds`; and where the reviews cannot be read.
    """
    if not counted and not adjudicated:
        return study
    found = journal(study)
    # By the study itself: another of the same observations may have another name, and lie in another folder.
    key = (identity(study), found.follow(), counted, adjudicated)
    with _opening:
        if key not in _applied:
            _applied[key] = with_rounds(study, found.events, readings=counted, outcomes=adjudicated)
            for old in list(_applied)[:-MOST_APPLIED]:
                del _applied[old]
        return _applied[key]


def _journal(study_name: str) -> Journal:
    """The journal of a study, opened now if need be; one for all visits."""
    from core.reviews.store import ReviewStore, default_address

    with _opening:
        address = default_address()
        key = (address, study_name)
        if key not in _journals:
            if address not in _stores:
                _stores[address] = ReviewStore(address)
            _journals[key] = Journal(_stores[address], study_name)
        return _journals[key]


def _recall() -> dict[str, int]:
    """How much was seen of each study."""
    try:
        kept = json.loads((own_folder("state") / _FILE).read_text(encoding="utf-8"))
    except (OSError, RuntimeError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {str(name): number for name, number in kept.items() if isinstance(number, int)}
