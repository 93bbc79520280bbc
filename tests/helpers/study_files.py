"""Small study folders for the tests of reading."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.study.model import Predictions, Readings, Study
from core.study.problems import Problem, StudyError
from core.study.reading.folder import read_study

TOML = 'name = "Test"\n'
CHOICE = "case_id,rater_id,label\n1,a,yes\n1,b,no\n2,a,no\n"
RANKING = "case_id,rater_id,label,rank\n1,a,A,1\n1,a,B,2\n1,a,C,2\n1,b,B,\n2,a,C,1\n"
SCORE_TOML = TOML + '[tasks.main]\nkind = "score"\nthreshold = 0.5\n'
SCORE = "case_id,rater_id,score\n1,a,0.25\n1,b,0.75\n2,a,1\n"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write the files of a study; ``study.toml`` is there unless given."""
    for name, content in ({"study.toml": TOML} | files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read(folder: Path, files: dict[str, str | bytes]) -> Study:
    """Write the files, and read them as a study."""
    return read_study(write(folder, files))


def problems(folder: Path, files: dict[str, str | bytes]) -> tuple[Problem, ...]:
    """All problems of a study, which may be readable or not."""
    try:
        return read(folder, files).notes
    except StudyError as error:
        return error.problems


def assert_same_readings(one: Readings, other: Readings) -> None:
    """Compare every array, types included."""
    for name in one.__dataclass_fields__:
        first, second = getattr(one, name), getattr(other, name)
        assert first.dtype == second.dtype, name
        np.testing.assert_array_equal(first, second, err_msg=name)


def assert_same_predictions(one: Predictions, other: Predictions) -> None:
    """Compare name and probabilities, to the last bit."""
    assert one.model == other.model
    assert one.probability.dtype == other.probability.dtype
    np.testing.assert_array_equal(one.probability, other.probability)
    assert (one.ensemble is None) == (other.ensemble is None)
    assert one.kind == other.kind
    if one.score is not None and other.score is not None:
        np.testing.assert_array_equal(one.score, other.score)
    if one.ensemble is not None and other.ensemble is not None:
        assert one.ensemble.dtype == other.ensemble.dtype
        np.testing.assert_array_equal(one.ensemble, other.ensemble)


def assert_same_study(one: Study, other: Study) -> None:
    """Compare everything observed."""
    assert (one.name, one.description, one.source, one.licence, one.seed) == (
        other.name,
        other.description,
        other.source,
        other.licence,
        other.seed,
    )
    assert one.case_ids == other.case_ids
    assert one.rater_ids == other.rater_ids
    assert list(one.tasks) == list(other.tasks)
    for name, task in one.tasks.items():
        again = other.tasks[name]
        assert (task.kind, task.labels, task.positive, task.threshold) == (
            again.kind,
            again.labels,
            again.positive,
            again.threshold,
        )
        assert task.description == again.description
        assert task.settled_by == again.settled_by
        np.testing.assert_array_equal(task.risk, again.risk)
        assert_same_readings(task.readings, again.readings)
        assert list(task.predictions) == list(again.predictions)
        for model, predictions in task.predictions.items():
            assert_same_predictions(predictions, again.predictions[model])
    assert list(one.cases.columns) == list(other.cases.columns)
    assert one.fingerprint == other.fingerprint
