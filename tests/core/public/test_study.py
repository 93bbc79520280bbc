"""A study from a folder and from frames, under one name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import core.loupe as loupe
from core.cli import sample_folder
from core.study.reading.folder import read_study as read_folder

ROOT = Path(__file__).parents[3]
SAMPLES = sorted(path.parent.name for path in (ROOT / "sample_data").glob("*/study.toml"))


def frames_of(folder: Path) -> dict[str, object]:
    """The tables of a study folder as pandas reads them, under the names that `from_frames` takes."""
    found: dict[str, object] = {path.stem: pd.read_csv(path) for path in folder.glob("*.csv")}
    settings = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
    top = {path.stem: pd.read_csv(path) for path in folder.glob("predictions/*.csv")}
    nested = {
        place.name: {path.stem: pd.read_csv(path) for path in place.glob("*.csv")}
        for place in folder.glob("predictions/*")
        if place.is_dir()
    }
    if top or nested:
        found["predictions"] = top or nested
    said = {name: settings[name] for name in ("name", "seed", "reference_standard") if name in settings}
    return found | said | {"tasks": settings.get("tasks")}


@pytest.mark.parametrize("name", SAMPLES)
def test_frames_make_the_study_that_their_files_make(name: str) -> None:
    """The fingerprint covers everything that was observed."""
    folder = sample_folder(name)
    made = loupe.Study.from_frames(**frames_of(folder))
    assert made.fingerprint == read_folder(folder).fingerprint
    assert isinstance(made.task(next(iter(made.tasks))), loupe.Task)


ANNOTATIONS = pd.DataFrame(
    {"case_id": [1, 1, 2, 2], "rater_id": ["A", "B", "A", "B"], "label": ["yes", "no", "yes", "yes"]}
)


def test_a_few_rows_are_a_study() -> None:
    """Ids may be numbers and an index; a model is a frame of probabilities."""
    net = pd.DataFrame({"no": [0.4, 0.1], "yes": [0.6, 0.9]}, index=pd.Index([1, 2], name="case_id"))
    study = loupe.Study.from_frames(ANNOTATIONS.set_index("case_id"), predictions={"net": net})
    task = study.task()
    assert study.case_ids == ("1", "2")
    assert task.labels == ("no", "yes")
    assert task.predictions["net"].probability.tolist() == [[0.4, 0.6], [0.1, 0.9]]


def test_columns_of_other_kinds_are_read_as_text() -> None:
    """Categories, missing values and ids of mixed kinds mean what they show."""
    frame = pd.DataFrame(
        {
            "case_id": pd.Series([7.0, "b", 7.0], dtype=object),
            "rater_id": pd.Categorical(["x", "x", "y"], ["z", "y", "x"]),
            "label": pd.Categorical(["b", "a", "b"], ["unused", "b", "a"]),
            "confidence": [0.5, None, np.nan],
        }
    )
    study = loupe.Study.from_frames(frame)
    assert study.case_ids == ("7", "b")
    assert study.rater_ids == ("x", "y")
    assert study.task().labels == ("a", "b")
    np.testing.assert_array_equal(study.task().readings.confidence, [0.5, np.nan, np.nan])


def test_every_problem_names_its_frame_and_row() -> None:
    """All problems come at once; rows count from 0, and nothing speaks of files."""
    frame = ANNOTATIONS.assign(confidence=[0.5, 2, 0.1, "high"], label=["yes", None, "no", "maybe"])
    labels = pd.DataFrame({"label": ["yes", "no"], "risk": ["low", "grave"]})
    wrong = pd.DataFrame({"case_id": [1, 2], "no": [0.4, 0.5], "yse": [0.6, 0.5]})
    with pytest.raises(loupe.StudyError) as caught:
        loupe.Study.from_frames(frame, labels=labels, predictions={"net": wrong})
    said = str(caught.value).splitlines()
    places = [line.split(":")[0] for line in said if not line.startswith("study")]
    assert "annotations, row 1, column confidence" in places
    assert "annotations, row 3, column confidence" in places
    assert "annotations, row 1, column label" in places
    assert 'annotations, row 3, column label: unknown label "maybe"' in str(caught.value)
    assert "labels, row 1, column risk" in places
    assert 'predictions["net"], column yse: unknown label "yse". Did you mean "yes"?' in str(caught.value)
    for word in (".csv", ".toml", "header", "the file"):
        assert word not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"case_id": None}, 'annotations: there is no column "case_id"; the columns are'),
        ({"rater_id": "A"}, "the rater gives a second choice for the case (also in row 0)"),
        ({"label": [["yes"]] * 4}, "annotations, column label: expected texts or numbers"),
    ],
)
def test_a_wrong_table_is_refused(change: dict[str, object], said: str) -> None:
    """As its file would be, in words of frames."""
    frame = ANNOTATIONS.copy()
    for column, value in change.items():
        frame = frame.drop(columns=column) if value is None else frame.assign(**{column: value})
    with pytest.raises(loupe.StudyError) as caught:
        loupe.Study.from_frames(frame)
    assert said in str(caught.value).replace(", column case_id", "")
    assert "header" not in str(caught.value)


def test_a_score_needs_a_threshold_in_tasks() -> None:
    """The mend is an argument, not a file."""
    frame = pd.DataFrame({"case_id": ["a"], "rater_id": ["r"], "score": [1.5]})
    with pytest.raises(loupe.StudyError, match=r'tasks=\{"main": \{"kind": "score", "threshold": 0.5\}\}'):
        loupe.Study.from_frames(frame)
    study = loupe.Study.from_frames(frame, tasks={"main": {"kind": "score", "threshold": np.float64(1)}})
    assert study.task().labels == ("below 1", "1 or above")


def test_predictions_of_several_tasks_are_given_by_task() -> None:
    """A frame that does not say its task is refused."""
    frame = pd.concat([ANNOTATIONS.assign(task=task) for task in ("t", "u")])
    tasks = {"t": {"kind": "choice"}, "u": {"kind": "choice"}}
    net = pd.DataFrame({"case_id": [1, 2], "no": [0.4, 0.1], "yes": [0.6, 0.9]})
    study = loupe.Study.from_frames(frame, tasks=tasks, predictions={"t": {"net": net}})
    assert list(study.task("t").predictions) == ["net"]
    assert not study.task("u").predictions
    with pytest.raises(loupe.StudyError, match="does not say which one it predicts"):
        loupe.Study.from_frames(frame, tasks=tasks, predictions={"net": net})
    with pytest.raises(loupe.StudyError, match='unknown task "tt"'):
        loupe.Study.from_frames(frame, tasks=tasks, predictions={"tt": {"net": net}})


def test_what_is_no_frame_is_named() -> None:
    """The message says what was expected, and what reads a folder."""
    with pytest.raises(TypeError, match=r"annotations must be a pandas DataFrame, got str; loupe.read_study"):
        loupe.Study.from_frames("study")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'predictions\["net"\] must be a pandas DataFrame, got list'):
        loupe.Study.from_frames(ANNOTATIONS, predictions={"net": [1]})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r"Study.from_frames takes frames"):
        loupe.read_study(ANNOTATIONS)  # type: ignore[arg-type]


def test_a_task_is_found_by_its_name() -> None:
    """The name may be left out where there is one task; a wrong one is answered with the nearest."""
    study = loupe.read_study(sample_folder("chest_xrays"))
    with pytest.raises(ValueError, match="the study has 5 tasks: name one of"):
        study.task()
    name = next(iter(study.tasks))
    with pytest.raises(ValueError, match=f'Did you mean "{name}"'):
        study.task(name[:-1])
    with pytest.raises(KeyError, match=f'Did you mean "{name}"'):
        study.tasks[name[:-1]]
    with pytest.raises(KeyError, match="model must be one of"):
        study.task(name).predictions["nobody"]
    assert study.tasks.get("nobody") is None
    with pytest.raises(TypeError, match="task must be a str"):
        study.task(0)  # type: ignore[arg-type]


def test_all_names_are_there_and_documented() -> None:
    """Under the installed name stands what stands here."""
    import core.public

    assert loupe.__all__ == core.public.__all__
    assert len(set(loupe.__all__)) == len(loupe.__all__)
    for name in loupe.__all__:
        if not name.startswith("__"):
            assert getattr(loupe, name).__doc__
