"""Several predictions of one model for a case: reading, writing, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from study_files import CHOICE, assert_same_study, problems, read

from core.study.model import Predictions
from core.study.reading.folder import read_study, write_study

WIDE = "case_id,draw,yes,no\n1,1,0.5,0.5\n1,2,0.75,0.25\n2,2,0,1\n2,1,1,0\n"
LONG_HEADER = "case_id,model,draw,label,probability\n"
LONG = LONG_HEADER + (
    "1,m,1,yes,0.5\n1,m,1,no,0.5\n2,m,1,yes,1\n"
    "1,m,2,no,0.25\n1,m,2,yes,0.75\n2,m,2,no,1\n1,n,,yes,0.25\n1,n,,no,0.75\n"
)


def test_wide_draws_become_an_ensemble(tmp_path: Path) -> None:
    """Draws in numerical order, whatever that of the rows; the probability is their mean."""
    study = read(tmp_path, {"annotations.csv": CHOICE, "predictions/m.csv": WIDE})
    model = study.tasks["main"].predictions["m"]
    order = [study.tasks["main"].labels.index(label) for label in ("yes", "no")]
    assert model.ensemble is not None
    np.testing.assert_array_equal(model.ensemble[:, :, order], [[[0.5, 0.5], [1, 0]], [[0.75, 0.25], [0, 1]]])
    np.testing.assert_array_equal(model.probability[:, order], [[0.625, 0.375], [0.5, 0.5]])
    assert not model.ensemble.flags.writeable


def test_long_draws_are_the_same(tmp_path: Path) -> None:
    """Long and wide give the same study, with one model that has draws and one that has none."""
    plain = "case_id,yes,no\n1,0.25,0.75\n"
    one = read(tmp_path / "a", {"annotations.csv": CHOICE, "predictions.csv": LONG})
    other = read(
        tmp_path / "b",
        {"annotations.csv": CHOICE, "predictions/m.csv": WIDE, "predictions/n.csv": plain},
    )
    assert_same_study(one, other)
    assert one.tasks["main"].predictions["n"].ensemble is None
    write_study(one, tmp_path / "c")
    assert_same_study(one, read_study(tmp_path / "c"))


def test_numbers_of_draws_need_not_begin_at_one(tmp_path: Path) -> None:
    """Only their order counts."""
    renumbered = WIDE.replace(",2,0", ",12,0").replace(",1,", ",7,").replace("1,2,0.75", "1,12,0.75")
    one = read(tmp_path / "a", {"annotations.csv": CHOICE, "predictions/m.csv": WIDE})
    other = read(tmp_path / "b", {"annotations.csv": CHOICE, "predictions/m.csv": renumbered})
    assert_same_study(one, other)


def test_one_draw_is_a_plain_prediction(tmp_path: Path) -> None:
    """A column of ones changes nothing."""
    one = read(tmp_path / "a", {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,0,1\n"})
    other = read(
        tmp_path / "b", {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,draw,yes,no\n1,1,0,1\n"}
    )
    assert_same_study(one, other)


def test_only_the_positive_label(tmp_path: Path) -> None:
    """The rest of each draw goes to the other label."""
    toml = 'name = "T"\n[tasks.main]\nkind = "choice"\npositive = "yes"\n'
    table = "case_id,draw,yes\n1,1,0.25\n1,2,0.5\n"
    study = read(tmp_path, {"study.toml": toml, "annotations.csv": CHOICE, "predictions/m.csv": table})
    ensemble = study.tasks["main"].predictions["m"].ensemble
    assert ensemble is not None
    np.testing.assert_array_equal(ensemble[:, 0].sum(axis=1), 1)
    assert set(ensemble[:, 0, study.tasks["main"].labels.index("yes")]) == {0.25, 0.5}


def test_a_label_may_be_called_draw(tmp_path: Path) -> None:
    """Where raters use it or labels.csv lists it, the column is the label's."""
    files = {
        "annotations.csv": "case_id,rater_id,label\n1,a,win\n2,b,draw\n",
        "predictions/m.csv": "case_id,win,draw\n1,0.5,0.5\n2,0,1\n",
    }
    study = read(tmp_path / "a", files)
    assert study.tasks["main"].predictions["m"].ensemble is None
    assert set(study.tasks["main"].labels) == {"win", "draw"}
    write_study(study, tmp_path / "b")
    assert_same_study(study, read_study(tmp_path / "b"))


def test_every_draw_enters_the_fingerprint(tmp_path: Path) -> None:
    """Another spread about the same mean is another study."""
    one = read(tmp_path / "a", {"annotations.csv": CHOICE, "predictions/m.csv": WIDE})
    swapped = WIDE.replace("1,1,0.5,0.5\n1,2,0.75,0.25", "1,1,0.75,0.25\n1,2,0.5,0.5")
    other = read(tmp_path / "b", {"annotations.csv": CHOICE, "predictions/m.csv": swapped})
    plain = "case_id,yes,no\n1,0.625,0.375\n2,0.5,0.5\n"
    mean = read(tmp_path / "c", {"annotations.csv": CHOICE, "predictions/m.csv": plain})
    np.testing.assert_array_equal(
        one.tasks["main"].predictions["m"].probability, mean.tasks["main"].predictions["m"].probability
    )
    assert len({one.fingerprint, other.fingerprint, mean.fingerprint}) == 3


@pytest.mark.parametrize(
    ("file", "table", "row", "column", "what"),
    [
        ("predictions/m.csv", WIDE.replace("2,1,1,0\n", ""), 4, "draw", '"2" has 1 of the 2 draws of'),
        ("predictions/m.csv", WIDE + "1,2,1,0\n", 6, "draw", "the draw 2 twice (also in row 3)"),
        ("predictions/m.csv", WIDE.replace("1,2,0.75", "1,,0.75"), 3, "draw", "the draw is missing"),
        ("predictions/m.csv", WIDE.replace("1,2,0.75", "1,0.5,0.75"), 3, "draw", 'got "0.5"'),
        ("predictions/m.csv", WIDE.replace("1,2,0.75", "1,0,0.75"), 3, "draw", 'got "0"'),
        ("predictions/m.csv", WIDE.replace("1,2,0.75", "1,1e30,0.75"), 3, "draw", 'got "1e+30"'),
        ("predictions/m.csv", WIDE.replace("0.75,0.25", "0.75,0.5"), 3, "", "sum to 1.25"),
        ("predictions.csv", LONG + "1,m,2,no,0.25\n", 10, "label", "twice (also in row 5)"),
        ("predictions.csv", LONG.replace("2,m,1,yes,1\n", ""), 6, "draw", '"2" has 1 of the 2 draws'),
        ("predictions.csv", LONG.replace("2,m,1,yes", "2,m,,yes"), 4, "draw", "the draw is missing"),
        ("predictions.csv", LONG.replace("2,m,1,yes", "2,m,first,yes"), 4, "draw", 'got "first"'),
    ],
)  # fmt: skip
def test_bad_draws_are_refused(
    tmp_path: Path, file: str, table: str, row: int, column: str, what: str
) -> None:
    """Each is named with its place."""
    found = [p for p in problems(tmp_path, {"annotations.csv": CHOICE, file: table}) if p.severity == "error"]
    assert [(p.file, p.row, p.column) for p in found] == [(file, row, column)]
    assert what in found[0].what


def test_repeated_cases_without_draws_are_still_refused(tmp_path: Path) -> None:
    """Several rows a case need numbers."""
    table = "case_id,yes,no\n1,1,0\n1,0,1\n"
    assert any(
        "comes twice" in p.what
        for p in problems(tmp_path, {"annotations.csv": CHOICE, "predictions/m.csv": table})
    )


def test_ensembles_of_another_shape_are_refused() -> None:
    """Cases and labels have to be those of the probabilities."""
    with pytest.raises(ValueError, match=r"ensemble must have shape \(n_draws, 2, 3\), got \(4, 2, 2\)"):
        Predictions("m", np.full((2, 3), 1 / 3), np.full((4, 2, 2), 0.5))
