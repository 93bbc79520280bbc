"""What was written about the cases of a study, followed as it grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from core.reviews.event import Event
from core.reviews.fit import Fit
from core.reviews.rounds import Round, rounds_of, rounds_taken_back
from core.reviews.state import CaseReview, review_of, withdrawn_of
from core.study.model import Study

if TYPE_CHECKING:
    from core.reviews.store import ReviewStore


class Journal:
    """The reviews of one study, of which only what is new is ever read.

    Parameters
    ----------
    store : ReviewStore
    study : Study
        As published. What was written about a study of its name counts if it is about this one
        (`core.reviews.fit`).

    Notes
    -----
    It may be followed and asked by several threads.
    """

    def __init__(self, store: ReviewStore, study: Study) -> None:
        self.store, self.study_name = store, study.name
        self._fit = Fit(study)
        self._apart: frozenset[str] = frozenset()
        self._all: list[Event] = []
        self._withdrawn: frozenset[str] = frozenset()
        self._of_rounds: list[Event] = []
        self._ids_of_rounds: set[str] = set()
        self._rounds: tuple[int, frozenset[str], dict[str, Round]] = (0, frozenset(), {})
        self._events: dict[tuple[str, str], list[Event]] = {}
        self._reviews: dict[str, dict[str, CaseReview]] = {}
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
            new = self.store.events(study_name=self.study_name, after=self._last)
            if new:
                self._take(new)
            return self._last

    @property
    def last(self) -> int:
        """Number of the last event that was read; 0 before anything was."""
        with self._lock:
            return self._last

    def _take(self, new: Sequence[Event]) -> None:
        """Take in new events, and fold again those cases that they make a difference to."""
        self._all += new
        self._last = new[-1].number
        for event in new:
            self._keep_of_rounds(event)
        self._fit.learn(new)
        before, self._apart = self._apart, self._fit.apart
        taken, self._withdrawn = self._withdrawn, withdrawn_of(self._all)
        if self._apart != before:
            self._events, self._reviews = {}, {}
            new = self._all
        own = [one for one in new if one.subject.case_id and one.subject.study not in self._apart]
        for event in own:
            self._events.setdefault(_key(event), []).append(event)
        differs = taken ^ self._withdrawn
        changed = {_key(event) for event in own}
        if differs:
            changed |= {_key(one) for one in self._all if one.id in differs} & self._events.keys()
        folded: dict[str, dict[str, CaseReview]] = {}
        for task, case_id in sorted(changed, key=lambda key: self._events[key][0].number):
            folded.setdefault(task, {})[case_id] = review_of(
                self._events[task, case_id], withdrawn=self._withdrawn, outdated=self._is_outdated
            )
        for task, of_task in folded.items():
            self._reviews = self._reviews | {task: self._reviews.get(task, {}) | of_task}

    def _is_outdated(self, event: Event) -> bool:
        return self._fit.as_now(event) is False

    def reviews(self, task: str) -> Mapping[str, CaseReview]:
        """Reviews of the cases about which something was written, by case id; what is handed out stays.

        Parameters
        ----------
        task : str
            Name of the task in which it was written.
        """
        return self._reviews.get(task, {})

    def listing(self, task: str) -> tuple[Mapping[str, CaseReview], int]:
        """Reviews of a task and the number of the last event they hold, of one moment."""
        with self._lock:
            return self.reviews(task), self._last

    @property
    def events(self) -> tuple[Event, ...]:
        """All that was read, in its order, and what is set apart too."""
        with self._lock:
            return tuple(self._all)

    @property
    def apart(self) -> Mapping[str, int]:
        """How much was written about other studies of this name, by their fingerprints."""
        with self._lock:
            return Counter(one.subject.study for one in self._all if one.subject.study in self._apart)

    def rounds(self) -> Mapping[str, Round]:
        """Rounds by name, in the order in which they were made, as far as was read."""
        with self._lock:
            if self._rounds[:2] != (len(self._of_rounds), self._apart):
                found = rounds_of(self._of_rounds, apart=self._apart)
                self._rounds = (len(self._of_rounds), self._apart, found)
            return self._rounds[2]

    def rounds_taken_back(self) -> Mapping[str, Event]:
        """Withdrawals by which rounds were taken back and that stand, by the names of the rounds."""
        with self._lock:
            return rounds_taken_back(self._of_rounds, apart=self._apart)

    def _keep_of_rounds(self, event: Event) -> None:
        """Set apart what rounds are folded from, so that a flag among thousands folds none anew."""
        if event.kind in ("round", "reading", "outcome") or event.answers in self._ids_of_rounds:
            self._of_rounds.append(event)
            self._ids_of_rounds.add(event.id)

    def review(self, task: str, case_id: str) -> CaseReview:
        """Review of a case in a task; an open one where nothing was written."""
        return self.reviews(task).get(case_id) or review_of(())


def followed(store: ReviewStore, study: Study) -> Journal:
    """All that was written about a study until now."""
    journal = Journal(store, study)
    journal.follow()
    return journal


def _key(event: Event) -> tuple[str, str]:
    return event.subject.task, event.subject.case_id
