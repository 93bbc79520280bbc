"""Dots for how often each label leads."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.analysis.cases.case import open_case
from core.analysis.cases.dots import N_DOTS, OTHERS, dot_table, shared_out
from core.plausibility.settings import Aggregation
from core.study.model import Study


@pytest.mark.parametrize(
    ("truths", "dots"),
    [
        ([100], [20]),
        ([61, 38, 0], [12, 8, 0]),
        ([84, 8, 8], [17, 2, 2]),
        ([50, 26, 8, 8, 8], [10, 5, 2, 2, 2]),
        ([33, 33, 33], [7, 7, 7]),
        ([96, 2, 2], [19, 0, 0]),
        ([8] * 12, [2] * 12),
        ([3] * 33, [0] * 33),
    ],
)
def test_equal_numbers_have_equal_dots(truths: list[int], dots: list[int]) -> None:
    """As many as lie nearest to twenty; of equal ones all get one more, or none."""
    assert shared_out(np.array(truths)).tolist() == dots


def test_dots_of_every_case_are_about_a_fifth_of_its_numbers(dermatology: Study) -> None:
    """No label is off by a dot or more, and equal numbers have equal dots."""
    task = next(iter(dermatology.tasks.values()))
    for index in range(60):
        table = dot_table(open_case(dermatology, task, Aggregation("prirn", 3.0), index))
        assert (abs(table["dots"] - table["truths"] / 5) < 1).all()
        assert table.groupby("truths")["dots"].nunique().eq(1).all()
        assert abs(table["dots"].sum() - N_DOTS) <= 2


@pytest.mark.parametrize(
    ("leads", "said"),
    [
        ((0.9, 0.02, 0.02, 0.02, 0.02, 0.02), ["a: 18, 90", f"{OTHERS}: 2, 10"]),
        ((0.95, 0.02, 0.02, 0.01, 0.0, 0.0), ["a: 19, 95", f"{OTHERS}: 1, 5"]),
        ((0.97, 0.03, 0.0, 0.0, 0.0, 0.0), ["a: 19, 97", "b: 1, 3"]),
        ((1.0, 0.0, 0.0, 0.0, 0.0, 0.0), ["a: 20, 100"]),
    ],
)
def test_labels_without_a_dot_share_the_last_row(
    dermatology: Study, leads: tuple[float, ...], said: list[str]
) -> None:
    """With the dots that are left."""
    case = open_case(dermatology, next(iter(dermatology.tasks.values())), Aggregation("prirn", 3.0), 0)
    table = pd.DataFrame({"label": list("abcdef"), "risk": "", "leads": leads})
    vars(case)["plausibilities"] = table
    dots = dot_table(case)[["label", "dots", "truths"]].itertuples(index=False, name=None)
    assert [f"{label}: {n}, {truths}" for label, n, truths in dots] == said
