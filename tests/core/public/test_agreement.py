"""Coefficients of agreement on plain matrices, against other libraries and the command."""

from __future__ import annotations

import math

import krippendorff
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_counts

import core.loupe as loupe
from core.analysis.raters.coefficients import coefficient_table
from core.analysis.raters.panel import panel
from core.cli import sample_folder

FULL = np.random.default_rng(4).integers(1, 5, (40, 3))
GAPS = np.where(np.random.default_rng(5).random((40, 3)) < 0.2, np.nan, FULL)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_a_reference_library(level: str) -> None:
    """With gaps, at every level of measurement."""
    expected = krippendorff.alpha(GAPS.T, level_of_measurement=level)
    assert loupe.krippendorff_alpha(GAPS, level=level) == pytest.approx(expected, abs=1e-12)  # type: ignore[arg-type]


def test_kappas_are_those_of_reference_libraries() -> None:
    """Fleiss' of statsmodels, Cohen's of scikit-learn."""
    assert loupe.fleiss_kappa(FULL) == pytest.approx(fleiss_of_counts(aggregate_raters(FULL)[0]), abs=1e-12)
    kappa = loupe.cohen_kappa(pd.DataFrame(FULL, columns=["A", "B", "C"]))
    assert kappa.loc["A", "C"] == pytest.approx(cohen_kappa_score(FULL[:, 0], FULL[:, 2]), abs=1e-12)
    assert np.isnan(np.diag(kappa)).all()


def test_labels_may_be_anything_hashable() -> None:
    """Names, tuples and numbers in any container; only which are equal matters."""
    expected = loupe.agreement(FULL, n_boot=0)["value"].iloc[:4]
    names = np.array(["", "low", "mild", "high", "grave"], dtype=object)[FULL]
    tuples = [[("grade", value) for value in row] for row in FULL.tolist()]
    for ratings in (names, pd.DataFrame(names), names.tolist(), tuples, FULL.astype(float)):
        np.testing.assert_allclose(loupe.agreement(ratings, n_boot=0)["value"].iloc[:4], expected)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_rating_is_not_counted(missing: object) -> None:
    """However it is written."""
    with_gap = [["a", "a", missing], ["b", missing, "a"], ["b", "b", "b"]]
    assert loupe.observed_agreement(with_gap) == pytest.approx((1 + 0 + 1) / 3)


def test_an_order_is_needed_where_it_enters() -> None:
    """Names have none unless it is given; with it they are 1 apart."""
    names = np.array(["", "low", "mild", "high", "grave"], dtype=object)[FULL]
    order = ["low", "mild", "high", "grave"]
    with pytest.raises(ValueError, match="values must give the order"):
        loupe.gwet_ac2(names)
    with pytest.raises(ValueError, match="values must give the order"):
        loupe.krippendorff_alpha(names, level="ordinal")
    assert loupe.gwet_ac2(names, values=order) == pytest.approx(loupe.gwet_ac2(FULL))
    assert len(loupe.agreement(names, n_boot=0)) == 4
    assert len(loupe.agreement(names, values=order, n_boot=0)) == 7


def test_values_that_nobody_gave_count_for_ac1() -> None:
    """Of two raters who agree on half the cases, chance is less among more labels."""
    ratings = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]]
    assert loupe.gwet_ac1(ratings) == pytest.approx((0.5 - 0.5) / (1 - 0.5))
    assert loupe.gwet_ac1(ratings, values=["a", "b", "c"]) == pytest.approx((0.5 - 0.25) / (1 - 0.25))


def test_the_numbers_are_those_of_the_command() -> None:
    """Of the sample of 13 readers."""
    study = loupe.read_study(sample_folder("knee_mri"))
    task = study.task(next(iter(study.tasks)))
    rows = pd.read_csv(sample_folder("knee_mri") / "annotations.csv")
    rows = rows[rows.get("repeat", pd.Series(1, rows.index)).fillna(1) == 1]
    if "task" in rows:
        rows = rows[rows["task"] == task.name]
    matrix = rows.pivot_table(index="case_id", columns="rater_id", values="label", aggfunc="first")
    found = loupe.agreement(matrix, values=task.labels, n_boot=0)
    table = coefficient_table(panel(study, task), n_boot=0).set_index("coefficient")
    for name in ("observed agreement", "Fleiss κ", "Krippendorff α", "Gwet AC1"):
        assert found.loc[name, "value"] == pytest.approx(table.loc[name, "value"], abs=1e-12)
    assert np.nanmean(loupe.cohen_kappa(matrix)) == pytest.approx(
        table.loc["Mean Cohen κ", "value"], abs=1e-12
    )


def test_without_a_value_the_reason_is_said() -> None:
    """A coefficient is then NaN."""
    same = [["a", "a"], ["a", "a"]]
    table = loupe.agreement(same, n_boot=0)
    assert math.isnan(loupe.fleiss_kappa(same))
    assert (
        table.loc["Fleiss κ", "undefined"]
        == "every reading is the same, so agreement cannot be told from chance"
    )
    assert math.isnan(loupe.krippendorff_alpha([["a", None], ["b", None]]))
    assert loupe.agreement([[None, None]], n_boot=0)["undefined"].iloc[0] == "there are no readings"


def test_intervals_hold_the_value_and_come_again() -> None:
    """The same seed, the same interval."""
    table = loupe.agreement(GAPS, n_boot=200, seed=1)
    assert (table["low_over_cases"] < table["value"]).all()
    assert (table["value"] < table["high_over_cases"]).all()
    pd.testing.assert_frame_equal(table, loupe.agreement(GAPS, n_boot=200, seed=1))


def test_what_is_no_matrix_is_refused() -> None:
    """With the shape that was expected."""
    with pytest.raises(ValueError, match=r"shape \(n_cases, n_raters\), got \(3,\)"):
        loupe.fleiss_kappa(np.arange(3))
    with pytest.raises(ValueError, match="a rating of every rater"):
        loupe.fleiss_kappa([["a"], ["a", "b"]])
    with pytest.raises(TypeError, match="hashable, got a dict"):
        loupe.fleiss_kappa([[{}, {}]])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="got a rating 'c'"):
        loupe.gwet_ac1([["a", "c"]], values=["a", "b"])
    with pytest.raises(ValueError, match='Did you mean "nominal"'):
        loupe.krippendorff_alpha(FULL, level="nominale")  # type: ignore[arg-type]


def test_a_frame_of_readings_is_told_from_a_matrix() -> None:
    """A column of case ids is no rater; one of raters means that the rows are readings."""
    matrix = pd.DataFrame({"case_id": ["a", "b"], "A": ["x", "y"], "B": ["x", "x"]})
    assert loupe.observed_agreement(matrix) == 0.5
    assert list(loupe.cohen_kappa(matrix).columns) == ["A", "B"]
    rows = matrix.melt("case_id", var_name="rater_id", value_name="label")
    with pytest.raises(ValueError, match=r"one row a reading: give frame.pivot"):
        loupe.krippendorff_alpha(rows)
    with pytest.raises(TypeError, match="ratings must be a matrix, cases × raters, got str"):
        loupe.krippendorff_alpha("ab")
