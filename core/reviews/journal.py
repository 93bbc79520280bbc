"""What was written about the cases of a study, followed as it grows."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING

from core.reviews.event import Event
from core.reviews.rounds import Round, rounds_of
from core.reviews.state import CaseReview, review_of, reviews_of

if TYPE_CHECKING:
    from core.reviews.store import ReviewStore


class Journal:
    """The reviews of one study, of which only what is new is ever read.

    Parameters
    ----------
    store : ReviewStore
    study_name : str
        Only what was written about the study of this name.

    Notes
    -----
    It may be followed and asked by several threads.
    """

    def __init__(self, store: ReviewStore, study_name: str) -> None:
        self.store, self.study_name = store, study_name
        self._all: list[Event] = []
        self._of_rounds: list[Event] = []
        self._ids_of_rounds: set[str] = set()
        self._rounds: tuple[int, dict[str, Round]] = (0, {})
        self._events: dict[str, list[Event]] = {}
        self._reviews: dict[str, CaseReview] = {}
        self._last = 0
        self._lock = Lock()

    def follow(self) -> int:
        """Read what was written since, by whomever.

        Returns
        -------
        int
            Number of the last event; it stays while nothing is written.

        Raises
        ------
        StoreError
            If the store cannot be read; what was read before stays.
        """
        with self._lock:
            changed = set()
            for event in self.store.events(study_name=self.study_name, after=self._last):
                self._all.append(event)
                self._last = event.number
                self._keep_of_rounds(event)
                if event.subject.case_id:
                    self._events.setdefault(event.subject.case_id, []).append(event)
                    changed.add(event.subject.case_id)
            if changed:
                written = (event for case in changed for event in self._events[case])
                self._reviews = self._reviews | reviews_of(written)
            return self._last

    @property
    def reviews(self) -> Mapping[str, CaseReview]:
        """Reviews of the cases about which something was written, by case id; what is handed out stays."""
        return self._reviews

    @property
    def events(self) -> tuple[Event, ...]:
        """All that was read, in its order."""
        with self._lock:
            return tuple(self._all)

    def rounds(self) -> Mapping[str, Round]:
        """Rounds by name, in the order in which they were made, as far as was read."""
        with self._lock:
            if self._rounds[0] != len(self._of_rounds):
                self._rounds = (len(self._of_rounds), rounds_of(self._of_rounds))
            return self._rounds[1]

    def _keep_of_rounds(self, event: Event) -> None:
        """Set apart what rounds are folded from, so that a flag among thousands folds none anew."""
        if event.kind in ("round", "reading", "outcome") or event.answers in self._ids_of_rounds:
            self._of_rounds.append(event)
            self._ids_of_rounds.add(event.id)

    def review(self, case_id: str) -> CaseReview:
        """Review of a case; an open one where nothing was written."""
        return self._reviews.get(case_id) or review_of(())
