"""What was reviewed: the state of the cases, each round, what was decided in it and what it changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from core.analysis.formatting import percent
from core.analysis.round_changes import RoundChanges, round_changes
from core.analysis.round_words import MODEL_HEADS, UNKNOWN, error_words, model_rows
from core.reviews.applied import with_rounds
from core.reviews.event import STATUSES, Event
from core.reviews.flags import USUAL_FLAGS
from core.reviews.journal import Journal, followed
from core.reviews.round_table import outcome_counts, round_table, standing_of, standing_words
from core.reviews.rounds import Round, reader_name
from core.reviews.state import CaseReview
from core.study.brief import number_of
from core.study.model import Study
from dashboard.pictures import DrawnPage
from dashboard.report.blocks import Block, Facts, Heading, Table, Text
from dashboard.report.naming import NAMES_A_CASE, Naming
from dashboard.shell.reviews import is_anything_kept

NOTHING = (
    "No case of this study was reviewed: none is flagged, none has a note or a status, none was read again."
)
UNREADABLE = "What was reviewed of this study could not be read when this report was made."
IN_SIGHT = ("AUROC", "s-AUROC", "accuracy", "adjusted accuracy")
"""Metrics whose values stand in sight; those of the others unfold."""
MOST_QUOTED = 2_000
"""Characters of what somebody wrote."""
ANOTHER = "another reason"
"""What a flag is counted under whose reason is none of those on offer: its words are somebody's own."""


@dataclass
class Review:
    """The section.

    Attributes
    ----------
    blocks : tuple of Block
    settings : mapping of str to str
        Under which changes were worked out; empty without any.
    warnings : tuple of str
        For whoever hands the report on.
    faults : tuple of str
        For whoever makes it.
    """

    blocks: tuple[Block, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def review(drawn: DrawnPage, most_cases: int) -> Review:
    """Say what was reviewed of a study, as the journal that the pages have says it.

    Parameters
    ----------
    drawn : DrawnPage
        Any page of it: the published study, the task whose rounds are of interest, and the aggregation by
        which what changed is worked out.
    most_cases : int
        Cases that may be named; where it is 0, neither cases nor people are.
    """
    study = drawn.published
    try:
        journal = _journal(study)
    except (ValueError, RuntimeError, OSError) as error:
        return Review((Text(UNREADABLE, "warning"),), faults=(f"{UNREADABLE[:-1]}: {error}.",))
    known = {*study.case_ids}
    reviewed = {
        case_id: one
        for case_id, one in (journal.reviews(drawn.task.name) if journal else {}).items()
        if case_id in known and _says_something(one)
    }
    rounds = [*journal.rounds().values()] if journal else []
    if not rounds and not reviewed:
        return Review((Text(NOTHING),))
    events = journal.events if journal else ()
    naming = Naming(study, _people(events), in_full=bool(most_cases))
    made = _Section(drawn, naming, most_cases, events)
    blocks = (*made.state(reviewed, rounds), *made.rounds(rounds))
    names = "This report names those who read and reviewed cases, and quotes what they wrote."
    return Review(blocks, made.settings, (names,) if most_cases else ())


def _journal(study: Study) -> Journal | None:
    """What was written of a study; nothing is made where nothing is kept."""
    if not is_anything_kept():
        return None
    from core.reviews.store import ReviewStore, default_address

    store = ReviewStore(default_address())
    try:
        return followed(store, study)
    finally:
        store.close()


def _says_something(review: CaseReview) -> bool:
    return bool(review.flags or review.notes) or review.status != next(iter(STATUSES))


def _people(events: Sequence[Event]) -> Iterator[str]:
    """All who are to read, decided or wrote, as they came."""
    for event in events:
        names = (*event.content.get("readers", ()), *event.content.get("by", ()), event.author)
        yield from map(reader_name, names)


@dataclass
class _Section:
    """Blocks of the section, as they are made."""

    drawn: DrawnPage
    naming: Naming
    most_cases: int
    events: Sequence[Event]
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def study(self) -> Study:
        """As published."""
        return self.drawn.published

    def state(self, reviewed: Mapping[str, CaseReview], rounds: Sequence[Round]) -> Iterator[Block]:
        """How many cases are flagged, to be re-read, settled, and why."""
        statuses = Counter(one.status for one in reviewed.values())
        pairs = [(sum(bool(one.flags) for one in reviewed.values()), "flagged")]
        pairs += [(statuses[status], words) for status, words in list(STATUSES.items())[1:]]
        pairs.append((sum(bool(one.notes) for one in reviewed.values()), "with notes"))
        pairs.append((len(rounds), "round" if len(rounds) == 1 else "rounds"))
        yield Facts(tuple((f"{n:,}", words) for n, words in pairs))
        whichever = ", whichever of them the other sections are of" if self.drawn.study.condition else ""
        yield Text(f"Of {number_of(self.study.n_cases, 'case')}{whichever}.", "note")
        on_offer = [*(self.study.flags or USUAL_FLAGS)]
        reasons = Counter(
            reason if reason in on_offer or self.naming.in_full else ANOTHER
            for one in reviewed.values()
            for reason in one.flags
        )
        if reasons:
            rows = sorted(reasons.items(), key=lambda row: (-row[1], row[0]))
            cells = [(reason, f"{n:,}") for reason, n in rows]
            yield from _table("Why cases are flagged", ("Reason", "Cases"), cells)
        if self.most_cases and reviewed:
            hidden = {case_id for one in rounds if one.blind_readers for case_id in one.cases}
            yield from self._written({k: one for k, one in reviewed.items() if k not in hidden})

    def _written(self, reviewed: Mapping[str, CaseReview]) -> Iterator[Block]:
        """What was written of single cases."""
        ids = [case_id for case_id in self.study.case_ids if case_id in reviewed]
        rows = []
        for case_id in ids[: self.most_cases]:
            one = reviewed[case_id]
            notes = "; ".join(f"{note.author}: {_cut(note.said)}" for note in one.notes)
            rows.append((case_id, STATUSES[one.status], "; ".join(one.flags), notes))
        yield from _table("What was written of cases", ("Case", "Status", "Flagged", "Notes"), rows)
        yield from _left_out(len(ids) - len(rows))

    def rounds(self, rounds: Sequence[Round]) -> Iterator[Block]:
        """Each round of the task for itself."""
        task = self.drawn.task.name
        for number, of in enumerate((one for one in rounds if one.task == task), start=1):
            name = self.naming.text(of.name)
            yield from self._round(of, f"Round {number}" if name == NAMES_A_CASE else name)
        others = sum(one.task != task for one in rounds)
        if others:
            yield Text(f"{number_of(others, 'round')} of other tasks left out here.", "note")

    def _round(self, of: Round, name: str) -> Iterator[Block]:
        """What a round asks, who read how much, what was decided, and what it changed."""
        yield Heading(name)
        if of.question.strip():
            question = self.naming.text(of.question.strip())
            yield Text(f"Question: {question if question == NAMES_A_CASE else f'“{_cut(question)}”'}")
        yield Text(
            f"A round of {number_of(len(of.cases), 'case')}, {'blind' if of.blind else 'open'}, made on "
            f"{of.event.time[:10]} (UTC): {number_of(of.n_readings, 'reading')} of "
            f"{number_of(len(of.readings), 'case')}, {'to the end' if of.is_finished else 'so far'}.",
            "note",
        )
        progress = of.progress()
        if progress:
            rows = [
                (self.naming.person(one), f"{far.read:,}", f"{len(far.left):,}")
                for one, far in progress.items()
            ]
            heads = ("Reader", "Cases read", "Cases left")
            yield from _table("Who has read how much", heads, rows, of=name)
        if of.blind_readers:
            yield Text(
                "It is blind and not read to the end: what was said, decided and changed is left out.",
                "warning",
            )
        elif of.readings:
            yield from self._decided(of, name)
            yield from self._changed(of, name)

    def _decided(self, of: Round, name: str) -> Iterator[Block]:
        """How many cases are decided, and how."""
        table = round_table(of, self.study)
        yield Text(standing_words(standing_of(table)), "sentence")
        counts = outcome_counts(of, self.study)
        if counts:
            rows = [(words, f"{n:,}") for words, n in counts.items()]
            beside = "Outcome, beside the study’s own readings"
            yield from _table("What was decided", (beside, "Cases"), rows, of=name)
        if self.most_cases and of.outcomes:
            listed = list(of.outcomes.items())
            cells = [
                (case_id, event.said, ", ".join(event.content["by"]), _cut(event.content["why"]))
                for case_id, event in listed[: self.most_cases]
            ]
            heads = ("Case", "Outcome", "Decided by", "Why")
            yield from _table("Outcomes of cases", heads, cells, of=name)
            yield from _left_out(len(listed) - len(cells))

    def _changed(self, of: Round, name: str) -> Iterator[Block]:
        """What the readings of the round change, as the page Review says it."""
        try:
            after = with_rounds(self.study, self.events, readings=(of.name,))
            found = round_changes(self.study, after, of.task, self.drawn.aggregation)
        except ValueError as error:
            yield Text(f"The round cannot be counted: {self.naming.text(str(error))}.", "warning")
            return
        self.settings = {key: said for key, said in found.settings.items() if "after" not in key}
        for problem in after.notes[len(self.study.notes) :]:
            yield Text(f"{self.naming.text(problem.what)}.", "warning")
        for number, said in enumerate(found.sentences):
            yield Text(said, "sentence" if number < 2 else "p")
        yield from _certainty(found.tables["certainty"], name)
        if "models" in found.tables:
            models = found.tables["models"]
            is_in_sight = models["metric"].isin(IN_SIGHT)
            title = "Models before and with the round"
            yield from _table(title, MODEL_HEADS, model_rows(models[is_in_sight]), of=name)
            yield Text(error_words(len(found.tables["cases"])), "note")
            others = tuple(model_rows(models[~is_in_sight]))
            yield Table(f"{title}, by other metrics: {name}", MODEL_HEADS, others, folded=True)
        if self.most_cases:
            yield from _moved(found, name, self.most_cases)


def _table(
    title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], of: str = ""
) -> Iterator[Block]:
    """A table under its title; of a round it is known by that one's name too."""
    yield Text(f"{title}:")
    yield Table(f"{title}: {of}" if of else title, heads, tuple(rows))


def _certainty(table: pd.DataFrame, name: str) -> Iterator[Block]:
    """Mean certainty before and after, of the cases read again and of the study."""
    rows = [
        (
            f"{row.measure}, {row.scope}",
            _percent(row.before),
            _percent(row.after),
            f"{row.n_cases:,}",
            f"{row.leading_changed:,}",
            f"{row.ties_broken:,}",
        )
        for row in table.itertuples(index=False)
    ]
    heads = ("Mean of", "Before", "With the round", "Cases", "Another label leads", "Ties broken")
    yield from _table("Certainty before and with the round", heads, rows, of=name)


def _moved(found: RoundChanges, name: str, most: int) -> Iterator[Block]:
    """Cases that moved most."""
    table = found.tables["cases"]
    rows = [
        (
            str(row.case_id),
            f"{_percent(row.certainty_before)} → {_percent(row.certainty_after)}",
            str(row.leading_before) or "nothing read",
            str(row.leading_after),
            f"{row.readings_before} + {row.further_readings}",
        )
        for row in table.head(most).itertuples(index=False)
    ]
    heads = ("Case", "Certainty", "Led before", "Leads now", "Readings")
    yield from _table("Cases that moved most", heads, rows, of=name)
    yield from _left_out(len(table) - len(rows))


def _left_out(more: int) -> Iterator[Block]:
    if more:
        yield Text(f"{number_of(more, 'further case')} left out here.", "note")


def _percent(share: Any) -> str:
    return UNKNOWN if pd.isna(share) else percent(share)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]} …"
