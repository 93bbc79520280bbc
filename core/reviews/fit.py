"""Whether what was written of a study's name is about the study as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.reviews.event import Event, Subject, readings_hash
from core.reviews.state import withdrawn_of
from core.study.model import Study


class Fit:
    """A study as it is now, beside the readings about which events were written.

    Parameters
    ----------
    study : Study
        As published: without the readings of rounds.

    Notes
    -----
    The history is kept by the name of a study, which another may have too. What was written about one state
    of files, known by its fingerprint, is about this study if one of its cases still has the readings of
    then, if the study has none of its cases, or if somebody has said so under this study or one that is about
    it (an event of the kind "adoption"). All else is set apart.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._position = {case_id: i for i, case_id in enumerate(study.case_ids)}
        self._now: dict[tuple[str, str], str | None] = {}
        self._fitting = {study.fingerprint}
        self._other: set[str] = set()
        self._adoptions: list[Event] = []

    def readings(self, task: str, case_id: str) -> str | None:
        """Hash of a case's readings as they are now; None where the study has no such case or task."""
        key = task, case_id
        if key not in self._now:
            known = task in self.study.tasks and case_id in self._position
            self._now[key] = (
                readings_hash(self.study, self.study.tasks[task], self._position[case_id]) if known else None
            )
        return self._now[key]

    def as_now(self, event: Event) -> bool | None:
        """Whether a case has the readings that an event was written about; None of none of its cases."""
        subject = event.subject
        if not subject.case_id:
            return None
        if subject.study == self.study.fingerprint:
            return True
        now = self.readings(subject.task, subject.case_id)
        return None if now is None else now == subject.readings

    def learn(self, events: Iterable[Event]) -> None:
        """Take in what else was written, in its order."""
        for event in events:
            if event.kind == "adoption" or (event.answers and self._is_of_adoption(event.answers)):
                self._adoptions.append(event)
            of = event.subject.study
            if of in self._fitting:
                continue
            for task, case_id, readings in _cases(event):
                now = self.readings(task, case_id)
                if now == readings:
                    self._fitting.add(of)
                    break
                if now is not None:
                    self._other.add(of)

    def _is_of_adoption(self, answers: str) -> bool:
        return any(answers == one.id for one in self._adoptions)

    @property
    def apart(self) -> frozenset[str]:
        """Fingerprints of what is about another study of this name, as far as was learnt."""
        withdrawn = withdrawn_of(self._adoptions)
        adopted = [one for one in self._adoptions if one.kind == "adoption" and one.id not in withdrawn]
        about = set(self._fitting)
        for _ in adopted:
            about |= {one.content["study"] for one in adopted if one.subject.study in about}
        return frozenset(self._other - about)


def fit_of(study: Study, events: Iterable[Event]) -> Fit:
    """What of a whole history is about a study."""
    fit = Fit(study)
    fit.learn(events)
    return fit


def adoptions(study: Study, author: str, apart: Iterable[str]) -> tuple[Event, ...]:
    """Say that what is set apart is about this study, whose files have changed in every case since.

    Parameters
    ----------
    study : Study
        As published.
    author : str
        Who says so.
    apart : iterable of str
        Fingerprints, as `Fit.apart` has them.
    """
    subject = Subject(study.fingerprint, study.name, "", "", "")
    return tuple(Event(subject, author, "adoption", {"study": one}) for one in apart)


def _cases(event: Event) -> Iterator[tuple[str, str, str]]:
    """Task, case and hash of the readings that an event speaks of."""
    subject = event.subject
    if event.kind == "round":
        yield from ((subject.task, case_id, readings) for case_id, readings in event.content["cases"])
    elif subject.case_id:
        yield subject.task, subject.case_id, subject.readings
