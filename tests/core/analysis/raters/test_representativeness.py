"""Representativeness of parts of a study, on the bundled knees and on small tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, ks_2samp
from small_study import small_study

from core.analysis.raters.case_groups import cases_of_group, grouping_columns
from core.analysis.raters.comparable_rows import comparable_rows, numeric_columns
from core.analysis.raters.representativeness import (
    compare_sets,
    correspondence_by_group,
    distance_distributions,
    least_alike,
    univariate_tests,
    unusual_cases,
)
from core.cli import sample_folder
from core.study.model import Study
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def knee() -> Study:
    """The bundled knees, one site of which has another scanner."""
    return read_study(sample_folder("knee_mri"))


def numbers(columns: dict[str, list[float]]) -> Study:
    """Study with metadata columns and nothing else of interest."""
    n = len(next(iter(columns.values())))
    return small_study("choice", "ab", [["a"]] * n, metadata=columns)[0]


def test_features_come_before_metadata_and_truth_is_neither(knee: Study) -> None:
    """The columns that can be used, and those that are by default."""
    assert numeric_columns(knee) == {
        "signal": "feature", "effusion": "feature", "contrast": "feature", "noise_level": "feature",
        "cartilage_mm": "feature", "scanner_tesla": "metadata", "age": "metadata",
    }  # fmt: skip
    assert comparable_rows(knee).columns == ["signal", "effusion", "contrast", "noise_level", "cartilage_mm"]
    assert comparable_rows(replace(knee, features=None)).columns == ["scanner_tesla", "age"]


def test_the_other_scanner_is_found(knee: Study) -> None:
    """Lakeside corresponds least; a random set corresponds."""
    table = correspondence_by_group(knee, "site", splits=99).set_index("value")
    assert table["n_cases"].to_dict() == knee.cases["site"].value_counts().to_dict()
    assert table.loc["Lakeside", "psi"] == 0.01
    assert table.loc["Lakeside", "deviation"] > 5 * table.loc["Lakeside", "usual_deviation"]
    rows = comparable_rows(knee)
    some = np.random.default_rng(0).permutation(300)[:60]
    assert compare_sets(rows, some, splits=99).psi > 0.05
    tests = univariate_tests(rows, np.flatnonzero(knee.cases["site"] == "Lakeside")).set_index("column")
    assert tests.loc["contrast", "p_holm"] < 1e-6
    assert tests.loc["signal", "p_holm"] > 0.05


def test_psi_sees_what_single_columns_do_not() -> None:
    """Two columns that rise together in one half and against each other in the other."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    y = np.where(np.arange(200) < 140, x, -x) + 0.05 * rng.normal(size=200)
    rows = comparable_rows(numbers({"x": x.tolist(), "y": y.tolist()}))
    second = np.arange(140, 200)
    assert univariate_tests(rows, second)["p_holm"].min() > 0.05
    assert compare_sets(rows, second, splits=99).psi <= 0.02


def test_univariate_tests_are_scipys_with_holm() -> None:
    """Statistic and p from scipy, Holm by hand on three columns."""
    rng = np.random.default_rng(2)
    columns = {name: (rng.normal(size=50) + shift * (np.arange(50) > 29)).tolist() for name, shift in
               (("a", 0), ("b", 1.5), ("c", 0.9))}  # fmt: skip
    found = univariate_tests(comparable_rows(numbers(columns)), np.arange(30, 50)).set_index("column")
    for name, values in columns.items():
        test = ks_2samp(values[:30], values[30:])
        assert found.loc[name, ["ks", "p"]].tolist() == pytest.approx([test.statistic, test.pvalue])
    p = found["p"].sort_values()
    stepped = np.minimum(np.maximum.accumulate(p.to_numpy() * [3, 2, 1]), 1)
    np.testing.assert_allclose(found.loc[p.index, "p_holm"], stepped)
    assert (found["p_holm"] >= false_discovery_control(found["p"]) - 1e-12).all()


def test_missing_numbers_and_constant_columns_are_said() -> None:
    """Cases without a number are counted, a column that never varies is named."""
    study = numbers({"x": [1, 2, np.nan, 4, 5, 9], "k": [3.0] * 6})
    rows = comparable_rows(study)
    assert (rows.columns, rows.left_out, rows.constant, rows.case.tolist()) == (
        ["x"],
        1,
        ("k",),
        [0, 1, 3, 4, 5],
    )


def test_unusual_cases_put_the_stranger_first() -> None:
    """One case far from all others; shares count from the top."""
    x = np.append(np.random.default_rng(3).normal(size=30), 12.0)
    table = unusual_cases(comparable_rows(numbers({"x": x.tolist()})))
    assert table.loc[0, "case_id"] == "case 30"
    assert table.loc[0, "psi"] == pytest.approx(1 / 31)
    assert table["psi"].is_monotonic_increasing
    assert table["deviation"].is_monotonic_decreasing


def test_least_alike_split(knee: Study) -> None:
    """A fifth of the cases, farther from the rest than a usual fifth."""
    rows = comparable_rows(knee)
    table, deviation = least_alike(rows, 0.2, splits=50)
    assert table["part"].value_counts().to_dict() == {"first": 240, "second": 60}
    second = table.loc[table["part"] == "second", "case"].to_numpy()
    found = compare_sets(rows, second, splits=49)
    assert found.deviation == deviation
    assert found.psi < 0.1


def test_a_column_is_not_compared_with_itself(knee: Study) -> None:
    """Grouping by a number leaves that number out of the distances."""
    table = correspondence_by_group(replace(knee, features=None), "scanner_tesla", splits=9)
    assert len(table) == 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: comparable_rows(s, ["colour"]), "got colour"),
        (lambda s: comparable_rows(s, []), "got none"),
        (lambda s: comparable_rows(replace(s, features=None, cases=s.cases[["site"]])), "it has none"),
        (lambda s: correspondence_by_group(s, "colour"), "column must be one of"),
        (lambda s: correspondence_by_group(s, "age"), "2 to 20 different values"),
        (lambda s: compare_sets(comparable_rows(s), []), "a case or more, got 0"),
        (lambda s: compare_sets(comparable_rows(s), range(300)), "a case or more, got 300 and 0"),
        (lambda s: least_alike(comparable_rows(s), 0.7), "share must"),
    ],
)
def test_impossible_comparisons_are_refused(knee: Study, call, said: str) -> None:
    """What is allowed is named."""
    with pytest.raises(ValueError, match=said):
        call(knee)


def test_too_few_or_equal_cases_are_refused() -> None:
    """Three cases, or cases that are all alike."""
    with pytest.raises(ValueError, match="4 cases or more"):
        comparable_rows(numbers({"x": [1.0, 2.0, 3.0]}))
    with pytest.raises(ValueError, match="only constant ones: x"):
        comparable_rows(numbers({"x": [1.0] * 5}))


def test_cases_without_a_group_are_among_the_others() -> None:
    """Empty and missing values make no group of their own."""
    study = numbers({"x": [1.0, 2, 3, 4, 5, 6]})
    study = replace(
        study, cases=study.cases.assign(site=pd.array(["n", "n", "s", "s", "", None], dtype="object"))
    )
    table = correspondence_by_group(study, "site", splits=9).set_index("value")
    assert table[["n_cases", "n_others"]].to_numpy().tolist() == [[2, 4], [2, 4]]


def test_distances_before_and_after(knee: Study) -> None:
    """Shares of all pairs; nothing changes for a set whose twins are there, much for a site that differs."""
    rows = comparable_rows(knee)
    site = cases_of_group(knee, "site", "Lakeside")
    found = distance_distributions(rows, site, seed=knee.seed)
    assert found[["before", "after"]].sum().tolist() == pytest.approx([1, 1])
    change = (found["after"] - found["before"]).cumsum().abs().max()
    deviation = compare_sets(rows, site, splits=1, seed=knee.seed).deviation
    assert change == pytest.approx(deviation, abs=0.02)
    twins = replace(rows, value=np.concatenate([rows.value[:40], rows.value[:20]]), case=np.arange(60))
    same = distance_distributions(twins, range(40, 60))
    assert same["before"].tolist() == pytest.approx(same["after"].tolist())


def test_columns_that_part_the_cases(knee: Study) -> None:
    """Few values, and neither images nor what only a simulation knows; most cases first."""
    found = grouping_columns(knee)
    assert found["site"] == ["North", "Harbour", "Lakeside"]
    assert "true_difficulty" not in found
    assert "age" not in found
    of_one_site = grouping_columns(knee, cases_of_group(knee, "site", "Lakeside"))
    assert "site" not in of_one_site
    with_gaps = replace(knee, cases=knee.cases.assign(site=[None, "", *knee.cases["site"][2:]]))
    assert set(grouping_columns(with_gaps)["site"]) == {"North", "Harbour", "Lakeside"}


def test_some_cases_alone(knee: Study) -> None:
    """Rows, groups and counts of the chosen cases; progress is told for every split."""
    inside, told = list(range(100)), []
    rows = comparable_rows(knee, cases=inside)
    assert rows.case.max() < 100
    assert rows.left_out == 0
    table = correspondence_by_group(
        knee, "sex", splits=9, cases=inside, progress=lambda share, _: told.append(share)
    )
    assert (table["n_cases"] + table["n_others"] == 100).all()
    assert len(told) == 18
    assert told == sorted(told)
    assert 0 <= told[0] < told[-1] < 1
