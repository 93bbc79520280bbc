"""Portions of cases: they cover every case once, and no table depends on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.analysis import portions as module
from core.analysis.evaluate import evaluate
from core.analysis.portions import draws_for_spread, portions
from core.analysis.reliability.over_draws import over_draws
from core.analysis.reliability.sweep import metrics_at
from core.plausibility.settings import Aggregation
from core.study.model import Study
from core.study.simulation.simulate import simulate


@pytest.mark.parametrize("cells", [1, 1000, 40_000, 2**40])
@pytest.mark.parametrize("kind", ["ranking", "choice", "score"])
def test_every_case_is_in_one_portion(kind: str, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, without gaps; one case at a time where even one is too much."""
    monkeypatch.setattr(module, "CELLS_AT_ONCE", cells)
    task = next(iter(simulate(kind, n_cases=40, seed=1).study.tasks.values()))
    model = {"ranking": "prirn", "choice": "label-counts", "score": "gaussian"}[kind]
    found = list(portions(task, Aggregation(model, 1.0)))
    assert [case for cases in found for case in cases] == list(range(40))
    assert all(len(cases) > 0 for cases in found)
    if cells == 1:
        assert len(found) == 40
    if cells == 2**40:
        assert len(found) == 1


@pytest.mark.slow
@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_no_table_depends_on_the_portions(
    dermatology: Study, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole and in portions of some ten cases: the same rows, in the same order."""
    small = _first_cases(dermatology, 60)
    aggregation = Aggregation(model, 3.0, draws=40)
    whole = evaluate(small, aggregation).tables
    task = next(iter(small.tasks.values()))
    spread = over_draws(small, task, aggregation, next(iter(task.predictions)))
    monkeypatch.setattr(module, "CELLS_AT_ONCE", 40_000 if model == "prirn" else 1600)
    assert len(list(portions(task, aggregation))) > 3
    parts = evaluate(small, aggregation).tables
    assert list(parts) == list(whole)
    for name, table in whole.items():
        pd.testing.assert_frame_equal(parts[name], table, rtol=1e-9, obj=name)
    again = over_draws(small, task, aggregation, next(iter(task.predictions)))
    np.testing.assert_allclose(again.value, spread.value, rtol=1e-9)
    assert again.adjusted == pytest.approx(spread.adjusted)


def test_few_draws_of_many_cases_give_the_same_band(digits: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the draws and a normal distribution, against the quantiles of all draws."""
    task = next(iter(digits.tasks.values()))
    aggregation = Aggregation("label-counts", 1.0)
    full = metrics_at(digits, task, aggregation)
    monkeypatch.setattr(module, "MOST_CASES_FULLY_DRAWN", digits.n_cases // 10)
    assert draws_for_spread(digits.n_cases) < 200
    few = metrics_at(digits, task, aggregation)
    pd.testing.assert_series_equal(few["value"], full["value"])
    width = (full["high"] - full["low"]).to_numpy()
    for end in ("low", "high"):
        off = np.abs(few[end] - full[end]) / width
        assert off.max() < 0.12, end


def test_draws_fall_with_the_number_of_cases() -> None:
    """A thousand of few cases, and never fewer than a hundred."""
    assert [draws_for_spread(n) for n in (0, 1947, 20_000, 40_000, 10**7)] == [1000, 1000, 1000, 500, 100]


def _first_cases(study: Study, n_cases: int) -> Study:
    """The study without its later cases."""
    task = next(iter(study.tasks.values()))
    kept = replace(
        task,
        readings=task.readings.take_cases(range(n_cases)),
        predictions=module.predictions_of(task, range(n_cases)),
    )
    return replace(
        study,
        case_ids=study.case_ids[:n_cases],
        cases=study.cases.iloc[:n_cases],
        tasks={task.name: kept},
        features=None,
    )
