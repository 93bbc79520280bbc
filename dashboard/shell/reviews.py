"""Reviews of the study that is open: followed, written to, and where they cannot be had, said so once.

The store and what was read of it belong to the server; what a person saw before belongs to the visit.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import streamlit as st

from core.reviews.applied import with_rounds
from core.reviews.event import Event, StoreError
from core.reviews.journal import Journal
from core.reviews.state import CaseReview
from core.study.model import Study
from core.study.own_folder import own_folder
from core.study.whole_files import replace_files
from dashboard.shell.author import stay
from dashboard.shell.cache import identity

if TYPE_CHECKING:
    from core.reviews.store import ReviewStore

_SEEN, _FILE = "loupe-seen", "seen.json"
_MOST_STUDIES = 500
"""Of which it is remembered how much was seen; the longest unvisited one is forgotten first."""
MOST_APPLIED = 8
"""Studies with rounds that are kept."""
MOST_JOURNALS = 8
"""Studies whose journals are kept."""
_stores: dict[str, ReviewStore] = {}
_journals: dict[tuple[str, str, str], Journal] = {}
_applied: dict[tuple[int, int, tuple[str, ...], tuple[str, ...]], Study] = {}
_opening, _applying = Lock(), Lock()
_silent: dict[str, tuple[float, str]] = {}
"""Until when a database that did not answer is not asked again, and what was said of it."""
_LONG, _PAUSE = 1.0, 20.0
"""Seconds after which a database is one that does not answer, and for which it is then left alone."""


def journal(study: Study) -> Journal:
    """Reviews of a study, all that anybody has written until now.

    Raises
    ------
    StoreError
        If they cannot be read; then everything but reviewing goes on.
    """
    found = _journal(study)
    last = found.follow()
    seen: dict[str, int] = st.session_state.setdefault(_SEEN, {})
    place = _place(study)
    if place not in seen:
        seen[place] = _recall().get(place, last)
    return found


@dataclass(frozen=True)
class Listing:
    """What was written about the cases of a task, as far as it was read.

    Attributes
    ----------
    reviews : mapping of str to CaseReview
        By case id.
    last : int
        Number of the last event of the study.
    key : tuple of int and str
        Two of the same key say the same.
    """

    reviews: Mapping[str, CaseReview]
    last: int
    key: tuple[int, int, str]


def listing(study: Study, task: str) -> Listing:
    """Reviews of a task; none where they cannot be read."""
    try:
        found = journal(study)
    except (StoreError, RuntimeError):
        return Listing({}, 0, (-1, 0, task))
    written, last = found.listing(task)
    return Listing(written, last, (identity(found), last, task))


def seen_before(study: Study) -> int:
    """Number of the last event that the visit before this one could see."""
    seen: dict[str, int] = st.session_state.get(_SEEN, {})
    try:
        return seen.get(_place(study), 0)
    except (StoreError, RuntimeError):
        return 0


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
    _journal(study).store.append(*events)
    if events and own:
        stay(events[0].author)


def remember_visit(study: Study) -> None:
    """Keep how much there was to see at this visit, for the next; nothing happens where it cannot be kept."""
    with suppress(OSError, RuntimeError, StoreError):
        last, kept = _journal(study).follow(), _recall()
        place = _place(study)
        if kept.get(place) == last:
            return
        kept.pop(place, None)
        kept = dict([*kept.items(), (place, last)][-_MOST_STUDIES:])
        folder = own_folder("state")
        folder.mkdir(parents=True, exist_ok=True)
        replace_files(folder, [(_FILE, json.dumps(kept))])


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
    key = (identity(study), found.last, counted, adjudicated)
    with _applying:
        if key not in _applied:
            _applied[key] = with_rounds(study, found.events, readings=counted, outcomes=adjudicated)
            for old in list(_applied)[:-MOST_APPLIED]:
                del _applied[old]
        return _applied[key]


def _journal(study: Study) -> Journal:
    """The journal of a study as it was published, opened now if need be; one for all visits."""
    from core.reviews.store import default_address

    address = default_address()
    whole = study.whole or study
    published = whole.published or whole
    key = (address, published.name, published.fingerprint)
    found = _journals.get(key)
    if found is not None:
        return found
    store = _store(address)
    with _opening:
        if key not in _journals:
            _journals[key] = Journal(store, published)
            for old in list(_journals)[:-MOST_JOURNALS]:
                del _journals[old]
        return _journals[key]


def _store(address: str) -> ReviewStore:
    """The database at an address, opened now if need be.

    Nobody waits for another's opening; of a server that kept silent it is not asked again at once.
    """
    from core.reviews.store import ReviewStore

    if address in _stores:
        return _stores[address]
    until, refusal = _silent.get(address, (0.0, ""))
    if time.monotonic() < until:
        raise StoreError(refusal)
    begun = time.monotonic()
    try:
        made = ReviewStore(address)
    except StoreError as error:
        if time.monotonic() - begun > _LONG:
            _silent[address] = (time.monotonic() + _PAUSE, str(error))
        raise
    with _opening:
        kept = _stores.setdefault(address, made)
    if kept is not made:
        made.close()
    return kept


def _place(study: Study) -> str:
    """Under what it is remembered how much was seen: a study in a database."""
    return f"{study.name} in {_journal(study).store.place}"


def _recall() -> dict[str, int]:
    """How much was seen of each study."""
    try:
        kept = json.loads((own_folder("state") / _FILE).read_text(encoding="utf-8"))
    except (OSError, RuntimeError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {str(name): number for name, number in kept.items() if isinstance(number, int)}
