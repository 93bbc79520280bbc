"""Models that give scores in place of probabilities: reading, writing, and what is refused."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from study_files import CHOICE, SCORE, SCORE_TOML, assert_same_study, problems, read, write

from core.study.model import Predictions, Readings, Task
from core.study.reading.folder import read_study, read_zip, write_study
from core.study.simulation.simulate import simulate_scores

TOML = 'name = "T"\n[tasks.main]\nkind = "choice"\npositive = "yes"\n'
CLOSE = float(np.nextafter(2.7, 3))
WIDE = f"case_id,score\n1,2.7\n2,{CLOSE!r}\n"
LONG = f"case_id,model,score\n1,m,2.7\n2,m,{CLOSE!r}\n"
FILES: dict[str, str | bytes] = {"study.toml": TOML, "annotations.csv": CHOICE}
THREE = "case_id,rater_id,label\n1,a,yes\n1,b,no\n2,a,perhaps\n"


def _model(folder: Path, file: str, table: str) -> Predictions:
    return read(folder, FILES | {file: table}).tasks["main"].predictions["m"]


@pytest.mark.parametrize(
    ("file", "table"),
    [
        ("predictions/m.csv", WIDE),
        ("predictions.csv", LONG),
        ("predictions.csv", LONG.replace("model,score", "model,label,score").replace(",m,", ",m,yes,")),
        ("predictions.csv", LONG.replace("model,score", "model,label,score").replace(",m,", ",m,,")),
    ],
)
def test_scores_are_read_to_the_last_bit(tmp_path: Path, file: str, table: str) -> None:
    """Two neighbouring numbers stay two, in every form of file; nothing can take them for probabilities."""
    model = _model(tmp_path, file, table)
    assert (model.kind, model.ensemble) == ("score", None)
    assert model.score is not None
    assert model.score.tolist() == [2.7, CLOSE]
    assert model.covered.all()
    assert np.isnan(model.probability).all()
    assert not model.score.flags.writeable


def test_any_finite_number_is_a_score(tmp_path: Path) -> None:
    """Of either sign and any size; a case that is left out stays without one."""
    model = _model(tmp_path, "predictions/m.csv", "case_id,score\n2,-1e300\n")
    assert model.score is not None
    assert np.isnan(model.score[0])
    assert model.score[1] == -1e300
    assert model.covered.tolist() == [False, True]


def test_forms_of_file_are_the_same_study(tmp_path: Path) -> None:
    """CSV wide and long, Parquet, a zip archive, and what is written again."""
    one = read(tmp_path / "a", FILES | {"predictions/m.csv": WIDE})
    assert_same_study(one, read(tmp_path / "b", FILES | {"predictions.csv": LONG}))
    folder = write(tmp_path / "c", FILES)
    (folder / "predictions").mkdir()
    frame = pd.DataFrame({"case_id": [2, 1], "score": [CLOSE, 2.7]})
    frame.to_parquet(folder / "predictions" / "m.parquet", index=False)
    assert_same_study(one, read_study(folder))
    write_study(one, tmp_path / "d")
    assert (tmp_path / "d" / "predictions" / "m.csv").read_text() == WIDE
    assert_same_study(one, read_study(tmp_path / "d"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in (tmp_path / "d").rglob("*.*"):
            archive.write(path, path.relative_to(tmp_path / "d"))
    assert_same_study(one, read_zip(buffer.getvalue()))


def test_scores_enter_the_fingerprint(tmp_path: Path) -> None:
    """Another number is another study, and so is the same number as a probability."""
    tables = [
        "case_id,score\n1,0.25\n",
        "case_id,score\n1,0.5\n",
        "case_id,score\n2,0.25\n",
        "case_id,yes\n1,0.25\n",
    ]
    found = [
        read(tmp_path / str(i), FILES | {"predictions/m.csv": table}).fingerprint
        for i, table in enumerate(tables)
    ]
    assert len(set(found)) == len(tables)


def test_scores_beside_probabilities_of_other_models(tmp_path: Path) -> None:
    """Each model as it is, models in natural order."""
    long = "case_id,model,label,probability\n1,a,yes,0.25\n2,z,yes,1\n"
    task = read(tmp_path, FILES | {"predictions.csv": long, "predictions/m.csv": WIDE}).tasks["main"]
    assert list(task.predictions) == ["a", "m", "z"]
    assert (task.score_models, task.probability_models) == (("m",), ("a", "z"))


def test_score_of_a_score_task_speaks_for_its_second_side(tmp_path: Path) -> None:
    """No key is needed: higher is higher."""
    files: dict[str, str | bytes] = {
        "study.toml": SCORE_TOML,
        "annotations.csv": SCORE,
        "predictions/m.csv": WIDE,
    }
    task = read(tmp_path, files).tasks["main"]
    assert task.scored_label == "0.5 or above"
    assert task.ranking_score("m", "0.5 or above").tolist() == [2.7, CLOSE]
    assert task.ranking_score("m", "below 0.5").tolist() == [-2.7, -CLOSE]


def test_a_label_may_be_called_score(tmp_path: Path) -> None:
    """Where raters use it, the column is the label's probability."""
    files: dict[str, str | bytes] = {
        "study.toml": TOML.replace("yes", "score"),
        "annotations.csv": CHOICE.replace("yes", "score"),
        "predictions/m.csv": "case_id,score\n1,0.25\n",
    }
    study = read(tmp_path / "a", files)
    task = study.tasks["main"]
    assert task.predictions["m"].kind == "probability"
    assert task.ranking_score("m", "score")[0] == 0.25
    scored = replace(task, predictions={"m": Predictions.of_scores("m", np.zeros(2))})
    with pytest.raises(ValueError, match="label called score, so the scores of m"):
        write_study(replace(study, tasks={"main": scored}), tmp_path / "b")


BAD = {
    "infinite": ("1,1\n2,-inf\n", 3, "score", 'must be a finite number, got "-inf"'),
    "too large": ("1,1e999\n2,1\n", 2, "score", 'must be a finite number, got "inf"'),
    "text": ("1,high\n2,1\n", 2, "score", 'must be a finite number, got "high"'),
    "NaN": ("1,nan\n2,1\n", 2, "score", "the score is missing"),
    "empty": ("1,\n2,1\n", 2, "score", "the score is missing"),
    "case twice": ("1,1\n1,2\n2,1\n", 3, "case_id", "comes twice"),
}
LONG_BAD = {
    "NaN": (LONG.replace("2.7\n", "nan\n", 1), 2, "score", 'got "nan"'),
    "empty": (LONG.replace("2.7\n", "\n", 1), 2, "score", "the score is missing"),
    "text": (LONG.replace("2.7\n", "high\n", 1), 2, "score", 'must be a finite number, got "high"'),
    "case twice": (LONG + "1,m,3\n", 4, "case_id", "scores the case twice (also in row 2)"),
    "probabilities too": (
        "case_id,model,label,probability,score\n1,m,yes,1,2\n",
        1,
        "score",
        "and probabilities",
    ),
    "other label": ("case_id,model,label,score\n1,m,yes,1\n2,m,no,2\n", 3, "label", 'label "yes", got "no"'),
    "draws": ("case_id,model,draw,score\n1,m,1,2\n2,m,1,3\n", 1, "draw", "cannot be averaged over draws"),
    "capital letter": (LONG.replace("score", "Score"), 1, "score", 'no column "score"'),
}
COLUMNS_BAD = {
    "labels": (
        "case_id,yes,no,score\n1,0,1,2\n2,0,1,2\n",
        "score",
        'scores and probabilities of "yes", "no"',
    ),
    "something else": ("case_id,score,mood\n1,1,2\n2,1,2\n", "mood", 'unknown column "mood"'),
    "draws": ("case_id,draw,score\n1,1,2\n2,1,3\n", "draw", "cannot be averaged over draws"),
}
ALL_BAD = [
    *[
        pytest.param("predictions/m.csv", f"case_id,score\n{table}", *rest, id=name)
        for name, (table, *rest) in BAD.items()
    ],
    *[pytest.param("predictions.csv", *bad, id=f"long, {name}") for name, bad in LONG_BAD.items()],
    *[
        pytest.param("predictions/m.csv", table, 1, *rest, id=f"beside {name}")
        for name, (table, *rest) in COLUMNS_BAD.items()
    ],
]


@pytest.mark.parametrize(("file", "table", "row", "column", "what"), ALL_BAD)
def test_bad_scores_are_refused(
    tmp_path: Path, file: str, table: str, row: int, column: str, what: str
) -> None:
    """Each fault is the only error, with its place and how to mend it."""
    found = [p for p in problems(tmp_path, FILES | {file: table}) if p.severity == "error"]
    assert [(p.file, p.row, p.column) for p in found] == [(file, row, column)]
    assert what in found[0].what
    assert found[0].mend


@pytest.mark.parametrize(
    ("changes", "what", "mend"),
    [
        (
            {"study.toml": 'name = "T"\n', "annotations.csv": THREE},
            'one label of two, and the task "main" has 3 labels',
            "a probability for each label",
        ),
        (
            {"study.toml": 'name = "T"\n'},
            'does not say which of "no", "yes" a higher score speaks for',
            'positive = "LABEL"',
        ),
    ],
)
@pytest.mark.parametrize(("file", "table"), [("predictions/m.csv", WIDE), ("predictions.csv", LONG)])
def test_tasks_that_scores_do_not_suit(
    tmp_path: Path, changes: dict[str, str | bytes], what: str, mend: str, file: str, table: str
) -> None:
    """A score needs two labels, and to know which it speaks for."""
    (found,) = [p for p in problems(tmp_path, FILES | changes | {file: table}) if p.severity == "error"]
    assert (found.file, found.row, found.column) == (file, 1, "score")
    assert what in found.what
    assert mend in found.mend


def test_scores_in_memory_need_a_fitting_task() -> None:
    """What no file could hold is refused in code as well."""
    with pytest.raises(ValueError, match="finite numbers"):
        Predictions.of_scores("m", np.array([1.0, np.inf]))
    with pytest.raises(ValueError, match="either probabilities or scores"):
        Predictions("m", np.full((2, 2), 0.5), score=np.zeros(2))
    nothing = np.zeros(0, np.int32)
    none = Readings(
        np.zeros(3, np.int64),
        nothing,
        nothing,
        np.zeros(0),
        np.zeros(0),
        np.zeros(1, np.int64),
        nothing,
        nothing,
    )
    with pytest.raises(ValueError, match="needs two labels, one of them positive, for the scores of m"):
        Task("t", "choice", ("a", "b"), none, {"m": Predictions.of_scores("m", np.zeros(2))})


def test_simulated_regressor_ranks_by_the_truth(tmp_path: Path) -> None:
    """The third model predicts the number; the others, and the readings, are as without it."""
    plain, simulated = simulate_scores(seed=4), simulate_scores(seed=4, regressor=True)
    task = simulated.study.tasks["score"]
    assert task.score_models == ("Regressor",)
    assert np.corrcoef(task.ranking_score("Regressor", task.labels[1]), simulated.truth.score)[0, 1] > 0.9
    for model, known in plain.study.tasks["score"].predictions.items():
        np.testing.assert_array_equal(task.predictions[model].probability, known.probability)
    write_study(simulated.study, tmp_path)
    assert read_study(tmp_path).fingerprint == simulated.study.fingerprint
