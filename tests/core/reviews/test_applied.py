"""A study with rounds applied is the study that somebody would have written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from study_files import assert_same_study, read

from core.analysis.export import made_by
from core.cli import main, sample_folder
from core.reviews.applied import PLACE, with_rounds
from core.reviews.event import Event
from core.reviews.in_round import outcome_event, reading_event, round_event, status_after
from core.reviews.rounds import rounds_of
from core.reviews.state import review_of
from core.study.fingerprint import fingerprint_of
from core.study.model import Study
from core.study.reading.folder import read_study
from core.study.reference_standard import reference_standards, standard_of
from core.study.references import reference_codes, references_by_task
from core.study.writing import write_study

TOML = 'name = "Test"\n[tasks.main]\nkind = "ranking"\n[tasks.other]\nkind = "choice"\n'
LABELS = "label,task\n" + "".join(f"{x},main\n" for x in ("A", '"B, C"', "D")) + "yes,other\nno,other\n"
HEAD = "case_id,rater_id,task,label,rank,confidence,repeat\n"
ROWS = """1,r2,main,A,1,,1
1,r2,main,"B, C",1,,1
1,r10,main,D,1,0.5,1
1,r10,main,D,1,,4
2,r2,main,A,1,,1
2,r2,other,yes,,,1
"""
CASES = "case_id,reference,site\n1,A,x\n2,D,y\n3,,x\n"


REFERENCES = "case_id,task,label\n"
TWO_SAY = (("r1", "yes"), ("r2", "no"))


def study(
    folder: Path, *, rows: str = ROWS, cases: str = CASES, labels: str = LABELS, references: str = ""
) -> Study:
    """Read a study of two tasks; the rows are those of its annotations."""
    files = {"study.toml": TOML, "labels.csv": labels, "cases.csv": cases, "annotations.csv": HEAD + rows}
    if references:
        files["references.csv"] = references
    return read(folder, dict[str, str | bytes](files))


class Review:
    """What is written about a study."""

    def __init__(self, of: Study) -> None:
        self.study, self.events = of, list[Event]()

    def add(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(replace(event, number=len(self.events) + 1))

    def round(self, name: str, *, task: str = "main", cases: Sequence[str] = ("1", "2", "3")) -> None:
        """Make a round."""
        self.add(round_event(self.study, self.study.tasks[task], "Ada", name, cases))

    def read(self, name: str, case_id: str, author: str, *blocks: Sequence[str], **more: Any) -> None:
        """Read a case."""
        of = rounds_of(self.events)[name]
        task = self.study.tasks[of.task]
        self.add(reading_event(self.study, task, of, case_id, author, blocks=blocks, **more))

    def settle(self, name: str, case_id: str, *blocks: Sequence[str], **more: Any) -> None:
        """Write an outcome down."""
        of = rounds_of(self.events)[name]
        task = self.study.tasks[of.task]
        self.add(outcome_event(self.study, task, of, case_id, "Ada", blocks=blocks, **more))


@pytest.fixture
def review(tmp_path: Path) -> Review:
    """Two rounds of the main task and one of the other, read by old raters and new ones."""
    review = Review(study(tmp_path / "as published"))
    review.round("one")
    review.round("two")
    review.round("other", task="other")
    review.read("two", "1", "r10", ["A"], confidence=0.1)
    review.read("one", "1", "r10", ["D"])
    review.read("one", "1", "r10", ["D"], ["A", "B, C"], confidence=0.25)
    review.read("one", "1", "r3", ["B, C"])
    review.read("one", "3", "None", ["A"])
    review.read("other", "1", "r2", ["no"])
    review.settle("one", "1", ["D"], by=["Ada", "Bo"], why="biopsy")
    review.settle("one", "2", unsettled=True)
    review.settle("two", "1", ["A"], ["D"])
    return review


ONE = """1,r10,main,D,1,0.25,5
1,r10,main,A,2,0.25,5
1,r10,main,"B, C",2,0.25,5
1,r3,main,"B, C",1,,1
3,rater None,main,A,1,,1
"""
TWO = "1,r10,main,A,1,0.1,{}\n"
OTHER = "1,r2,other,no,,,1\n"


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["one"], ONE),
        (["two"], TWO.format(5)),
        (["two", "one"], ONE + TWO.format(6)),
        (["other"], OTHER),
        (["one", "two", "other"], ONE + TWO.format(6) + OTHER),
    ],
)
def test_readings_are_those_that_somebody_would_have_added(
    review: Review, tmp_path: Path, names: list[str], rows: str
) -> None:
    """By hand, at the end of the table; in the fingerprint too, whose order of choosing does not matter."""
    applied = with_rounds(review.study, review.events, readings=names)
    by_hand = study(tmp_path / "by hand", rows=ROWS + rows)
    assert_same_study(replace(applied, notes=()), replace(by_hand, notes=()))
    assert applied.fingerprint == by_hand.fingerprint != review.study.fingerprint
    assert applied.name == review.study.name


def test_nothing_counts_unasked(review: Review) -> None:
    """Neither readings nor outcomes; and readings without outcomes leave the reference as it is."""
    assert with_rounds(review.study, review.events) is review.study
    assert list(with_rounds(review.study, review.events, readings=["one"]).cases["reference"]) == [
        "A",
        "D",
        "",
    ]


def test_outcomes_stand_as_reference_where_asked_for(review: Review, tmp_path: Path) -> None:
    """The last of a case counts; what cannot be settled has none; other cases keep theirs."""
    for names, references in (
        (["one"], "1,main,D\n"),
        (["two"], "1,main,A\n2,main,D\n"),
        (["one", "two"], "1,main,A\n"),
    ):
        applied = with_rounds(review.study, review.events, outcomes=names)
        by_hand = study(
            tmp_path / "by hand", cases="case_id,site\n1,x\n2,y\n3,x\n", references=REFERENCES + references
        )
        assert applied.fingerprint == by_hand.fingerprint
        assert_same_study(replace(applied, notes=()), replace(by_hand, notes=()))
    review.settle("two", "1", ["A", "D"])
    applied = with_rounds(review.study, review.events, outcomes=["two"])
    assert references_by_task(applied)["main"] == ["", "D", ""]


@pytest.mark.parametrize("kept_in", ["cases.csv", "references.csv"])
def test_an_outcome_is_the_reference_of_its_own_task_alone(tmp_path: Path, kept_in: str) -> None:
    """Two tasks with the same labels: the other’s stay, an unsettled case has none, all is written."""
    files: dict[str, str | bytes] = {
        "study.toml": 'name = "Two"\n[tasks.A]\nkind = "choice"\n[tasks.B]\nkind = "choice"\n',
        "annotations.csv": "case_id,rater_id,task,label\n"
        + "".join(
            f"{case},{who},{task},{said}\n" for case in (1, 2) for task in "AB" for who, said in TWO_SAY
        ),
    }
    if kept_in == "cases.csv":
        files[kept_in] = "case_id,reference,site\n1,no,x\n2,yes,x\n"
    else:
        files[kept_in] = REFERENCES + "1,A,no\n1,B,no\n2,A,yes\n2,B,yes\n"
    review = Review(read(tmp_path / "published", files))
    review.round("of A", task="A", cases=["1", "2"])
    review.settle("of A", "1", ["yes"])
    review.settle("of A", "2", unsettled=True)
    applied = with_rounds(review.study, review.events, outcomes=["of A"])
    write_study(applied, tmp_path / "written")
    again = read_study(tmp_path / "written")
    assert main(["check", str(tmp_path / "written")]) == 0
    for one in (applied, again):
        codes = {task.name: reference_codes(one, task).tolist() for task in one.tasks.values()}
        yes, no = (one.tasks["A"].labels.index(label) for label in ("yes", "no"))
        assert codes == {"A": [yes, -1], "B": [no, yes]}
    assert again.fingerprint == applied.fingerprint
    assert_same_study(replace(applied, notes=()), replace(again, notes=()))


@pytest.mark.parametrize("stated", ["readers", ""])
def test_an_outcome_does_not_say_how_it_was_established(tmp_path: Path, stated: str) -> None:
    """Whatever the study says of its own references, which the other cases keep."""
    files: dict[str, str | bytes] = {
        "study.toml": f'name = "T"\nreference_standard = "{stated}"\n[tasks.main]\nkind = "choice"\n',
        "labels.csv": "label\nyes\nno\n",
        "cases.csv": "case_id,reference,reference_standard\n1,yes,histology\n2,no,\n3,no,surgery\n",
        "annotations.csv": "case_id,rater_id,label\n1,a,yes\n2,a,no\n3,a,no\n",
    }
    review = Review(read(tmp_path / "published", files))
    review.round("one", task="main", cases=["1"])
    review.settle("one", "1", ["no"])
    applied = with_rounds(review.study, review.events, outcomes=["one"])
    assert reference_standards(review.study) == ["histology", stated, "surgery"]
    assert reference_standards(applied) == ["", stated, "surgery"]
    assert [standard_of(applied, case) for case in range(3)] == reference_standards(applied)
    assert applied.fingerprint == fingerprint_of(applied)


def test_outcomes_of_several_tasks_count_together(review: Review) -> None:
    """Each in its own task; and a round has to be there."""
    review.settle("other", "1", ["yes"])
    applied = with_rounds(review.study, review.events, outcomes=["one", "other"])
    assert references_by_task(applied) == {"main": ["D", "", ""], "other": ["yes", "", ""]}
    with pytest.raises(ValueError, match="expected a round of the study, got “three”"):
        with_rounds(review.study, review.events, readings=["three"])


def test_a_study_without_references_gains_the_column(tmp_path: Path) -> None:
    """Empty where there is no outcome."""
    files: dict[str, str | bytes] = {
        "study.toml": 'name = "T"\n[tasks.main]\nkind = "choice"\n',
        "annotations.csv": "case_id,rater_id,label\n1,a,x\n2,a,y\n",
        "cases.csv": "case_id,site\n1,x\n2,y\n",
    }
    review = Review(read(tmp_path / "published", files))
    review.round("one", cases=["1", "2"])
    review.settle("one", "2", ["x"])
    applied = with_rounds(review.study, review.events, outcomes=["one"])
    assert list(applied.cases["reference"]) == ["", "x"]
    assert list(applied.cases.columns) == ["site", "reference"]
    review.settle("one", "2", unsettled=True)
    assert list(with_rounds(review.study, review.events, outcomes=["one"]).cases["reference"]) == ["", ""]


def test_what_is_written_is_read_back_the_same(review: Review, tmp_path: Path) -> None:
    """As a folder, with everything that counts."""
    applied = with_rounds(review.study, review.events, readings=["one", "two", "other"], outcomes=["one"])
    write_study(applied, tmp_path / "written")
    again = read_study(tmp_path / "written")
    assert again.fingerprint == applied.fingerprint
    assert_same_study(replace(applied, notes=()), replace(again, notes=()))


def test_scores_count_too(tmp_path: Path) -> None:
    """With the threshold that the task has."""
    toml = 'name = "S"\n[tasks.main]\nkind = "score"\nthreshold = 5\n'
    rows = "case_id,rater_id,score\n1,a,4.5\n"
    review = Review(read(tmp_path / "s", {"study.toml": toml, "annotations.csv": rows}))
    review.round("one", cases=["1"])
    review.read("one", "1", "b", score=0.1 + 0.2)
    review.settle("one", "1", score=6.0)
    applied = with_rounds(review.study, review.events, readings=["one"], outcomes=["one"])
    files: dict[str, str | bytes] = {
        "study.toml": toml,
        "annotations.csv": f"{rows}1,b,{0.1 + 0.2!r}\n",
        "cases.csv": "case_id,reference\n1,6.0\n",
    }
    by_hand = read(tmp_path / "by hand", files)
    assert applied.fingerprint == by_hand.fingerprint
    assert_same_study(replace(applied, notes=()), replace(by_hand, notes=()))


def test_what_cannot_be_counted_is_said(review: Review, tmp_path: Path) -> None:
    """A case or a label that is gone; and readings of a case that has other readings now."""
    now = study(
        tmp_path / "now",
        rows="1,r2,main,A,1,,1\n2,r2,main,A,1,,1\n2,r2,other,yes,,,1\n",
        cases="case_id,reference,site\n1,A,x\n2,A,y\n",
        labels=LABELS.replace("D,main\n", "E,main\n"),
    )
    applied = with_rounds(now, review.events, readings=["one", "two"], outcomes=["one"])
    said = [note.what for note in applied.notes if note.file == PLACE]
    assert said == [
        "round “one”: 1 reading not counted: the task has no label “D” any more",
        "round “one”: 1 reading not counted: the study has no such case",
        "round “one”: 1 reading counted that was made when the case had other readings than now",
        "round “two”: 1 reading counted that was made when the case had other readings than now",
        "round “one”: an outcome not counted: the task has no label “D” any more",
    ]
    assert applied.tasks["main"].readings.n_readings == now.tasks["main"].readings.n_readings + 2
    assert references_by_task(applied)["main"] == ["A", ""]


def test_a_task_that_is_gone_or_of_another_kind(review: Review, tmp_path: Path) -> None:
    """Is said too."""
    toml = 'name = "Test"\n[tasks.main]\nkind = "choice"\n'
    files: dict[str, str | bytes] = {
        "study.toml": toml,
        "annotations.csv": 'case_id,rater_id,label\n1,r2,A\n2,r2,A\n3,r2,D\n3,r3,"B, C"\n',
    }
    applied = with_rounds(read(tmp_path / "now", files), review.events, readings=["one", "other"])
    said = [note.what for note in applied.notes if note.file == PLACE]
    assert said[0] == "round “one”: 1 reading not counted: the task is a choice of one label now"
    assert said[-1] == "round “other”: the study has no task other"


def test_what_counts_is_said_in_words_and_in_provenance(review: Review) -> None:
    """Rounds in the order in which they were made, however chosen; a study as published says nothing."""
    applied = with_rounds(review.study, review.events, readings=["two", "one"], outcomes=["one"])
    words = "with the readings of “one”, “two” and with the outcomes of “one”"
    assert applied.counted == words
    assert made_by(applied, applied.tasks["main"])["what counts"] == words
    assert "what counts" not in made_by(review.study, review.study.tasks["main"])


@pytest.mark.parametrize(
    "name",
    ["chest_xrays", "dermatology_like", "knee_mri", "mixed_digits", "scores", "toy_three_labels"],
)
def test_a_rater_taken_out_and_read_in_again_is_the_study_as_it_was(name: str) -> None:
    """Of every kind and task: what a rater said, written as rounds, gives the very same study."""
    whole = read_study(sample_folder(name))
    counts = sum(
        np.bincount(task.readings.rater, minlength=len(whole.rater_ids)) for task in whole.tasks.values()
    )
    rater = int(np.argmax(counts))
    tasks = {
        task.name: replace(task, readings=task.readings.keep(task.readings.rater != rater))
        for task in whole.tasks.values()
    }
    review = Review(replace(whole, tasks=tasks))
    for task in whole.tasks.values():
        readings, labels = task.readings, task.labels
        own = np.flatnonzero(readings.rater == rater)
        for repeat in np.unique(readings.repeat[own]).tolist():
            of = [r for r in own.tolist() if readings.repeat[r] == repeat]
            cases = [whole.case_ids[case] for case in readings.case[of].tolist()]
            review.round(f"{task.name} {repeat}", task=task.name, cases=cases)
            for r, case_id in zip(of, cases, strict=True):
                score, confidence = float(readings.score[r]), float(readings.confidence[r])
                review.read(
                    f"{task.name} {repeat}",
                    case_id,
                    whole.rater_ids[rater],
                    *([labels[label] for label in block] for block in readings.differential(r)),
                    score=None if np.isnan(score) else score,
                    confidence=None if np.isnan(confidence) else confidence,
                )
    again = with_rounds(review.study, review.events, readings=[*rounds_of(review.events)])
    assert_same_study(again, whole)
    # The fingerprint is that of what is observed, so it is the same again.
    assert again.fingerprint == whole.fingerprint
    assert len(review.events) > 10


def test_an_outcome_settles_its_case(review: Review) -> None:
    """Where none could be reached it is discussed; who has settled it already is not told again."""
    review.round("one")
    review.settle("one", "1", ["A"])
    outcome, before = review.events[-1], review_of(())
    review.add(*status_after(outcome, before))
    now = review_of(event for event in review.events if event.subject.case_id == "1")
    assert (now.status, now.history[-1].answers) == ("settled", outcome.id)
    assert status_after(outcome, now) == ()
    assert rounds_of(review.events)["one"].outcomes["1"] == outcome, "the status changes no outcome"
    review.settle("one", "1", unsettled=True)
    (status,) = status_after(review.events[-1], now)
    assert status.said == "discussion"
