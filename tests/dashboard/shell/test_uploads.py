"""What can be dropped to be opened, and what is said of the rest."""

from __future__ import annotations

import pytest

from core.study.problems import StudyError
from core.study.reading.folder import read_zip
from dashboard.shell.uploads import UNNAMED, Dropped, as_archive

READINGS = b"case_id,rater_id,label\nc1,A,nevus\nc1,B,<b>melanoma</b>\nc2,A,nevus\n"
PREDICTIONS = (
    b"case_id,model,label,probability\n"
    b"c1,net,nevus,0.75\nc1,net,<b>melanoma</b>,0.25\nc2,net,nevus,0.5\nc2,net,<b>melanoma</b>,0.5\n"
)


@pytest.mark.parametrize("name", ["annotations.csv", "Annotations (2).CSV", "annotations copy.csv"])
def test_one_table_is_a_study(name: str) -> None:
    """As browsers name it when it is there already, too; what stands in it is kept letter by letter."""
    archive = as_archive([Dropped(name, READINGS)])
    study = read_zip(archive.content)
    assert (study.name, archive.name) == (UNNAMED, name)
    (task,) = study.tasks.values()
    assert set(task.labels) == {"nevus", "<b>melanoma</b>"}
    assert task.readings.n_readings == 3


@pytest.mark.parametrize(
    ("name", "called"), [("skin 2024.csv", "skin 2024"), ("a/../<i>b.csv", "i b"), ("...csv", UNNAMED)]
)
def test_a_single_table_of_another_name_is_the_annotations(name: str, called: str) -> None:
    """The study is called after it, whatever its name holds."""
    assert read_zip(as_archive([Dropped(name, READINGS)]).content).name == called


def test_predictions_are_dropped_with_the_readings_or_later() -> None:
    """In either order; of two files for one table the later counts, and nothing from before a zip file."""
    both = [Dropped("predictions.csv", PREDICTIONS), Dropped("annotations.csv", READINGS)]
    for files in (both, both[::-1], [both[0], Dropped("annotations.csv", b"?"), both[1]]):
        (task,) = read_zip(as_archive(files).content).tasks.values()
        assert list(task.predictions) == ["net"]
    zipped = Dropped("study.zip", b"zip")
    assert as_archive([*both, zipped]) is zipped
    assert as_archive([both[0], zipped, both[1]]) == as_archive(both[1:])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["predictions.csv"], "Drop annotations.csv together with predictions.csv"),
        (["study.toml", "labels.csv"], "Drop annotations.csv together with study.toml, labels.csv"),
        (["annotations.csv", "resnet.csv"], "“resnet.csv” is no table of a study. Name it after what it"),
        (["annotations.toml"], "“annotations.toml” is no table"),
    ],
)
def test_what_makes_no_study_is_refused_in_words(names: list[str], said: str) -> None:
    """A sentence names the file and what to do."""
    with pytest.raises(ValueError, match=said):
        as_archive([Dropped(name, READINGS) for name in names])


@pytest.mark.parametrize(
    ("content", "column", "row", "said"),
    [
        (b"", "", None, "the file is empty"),
        (b"case_id,rater_id,label\n", "", None, "no rows"),
        (b"case,reader,diagnosis\nc1,A,x\n", "case_id", 1, 'there is no column "case_id"'),
        (b"case_id,rater_id,label\nc1,A,NaN\n", "label", 2, "NaN"),
        (b"case_id,rater_id,label\nc1,A,x\nc1,B,\n", "label", 3, "empty"),
        (b"case_id,rater_id,label,rank\nc1,A,x,NaN\n", "rank", 2, "NaN"),
    ],
)
def test_what_is_wrong_within_a_table_is_said_with_its_place(
    content: bytes, column: str, row: int | None, said: str
) -> None:
    """File, row and column, as for any study."""
    with pytest.raises(StudyError) as refused:
        read_zip(as_archive([Dropped("annotations.csv", content)]).content)
    first = next(problem for problem in refused.value.problems if problem.severity == "error")
    assert (first.file, first.column, first.row) == ("annotations.csv", column, row)
    assert said in first.what
