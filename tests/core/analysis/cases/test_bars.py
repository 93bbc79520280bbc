"""Bars that count cases: what each says is what its filters keep."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from shared_data import shared_data

import sample_data
from core.analysis.cases.bars import (
    CERTAIN,
    HARDLY_HIGH,
    MOST_BARS,
    PERHAPS_HIGH,
    Bars,
    certainty_bars,
    label_bars,
    number_bars,
    risk_bars,
)
from core.analysis.cases.select import Filters, select
from core.analysis.cases.worklist import worklist_of
from core.analysis.overview import spread_per_case
from core.plausibility.settings import Aggregation, models_for
from core.study.formats import import_study
from core.study.reading.folder import read_study

SAMPLES = sorted(path.parent for path in Path(sample_data.__path__[0]).glob("*/study.toml"))


def _all_bars(cases: pd.DataFrame) -> Iterator[Bars]:
    yield certainty_bars(cases)
    if "risk" in cases:
        yield risk_bars(cases)
    spread = spread_per_case(cases)
    yield number_bars(spread, "readings")
    yield number_bars(spread, "labels")
    if "plausible" in cases:
        labels = {label for words in cases["plausible"] for label in words.split("; ") if label}
        yield label_bars(cases, sorted(labels))


def _check(cases: pd.DataFrame) -> None:
    """Every bar counts the cases that its filters keep, and has words of its own."""
    for bars in _all_bars(cases):
        kept = [len(select(cases, filters)) for filters in bars.filters]
        assert kept == bars.table["cases"].tolist()
        assert bars.table["words"].is_unique
    assert certainty_bars(cases).table["cases"].sum() == cases["certainty"].notna().sum()


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
@pytest.mark.parametrize("reliability", [0.25, 1.0, 3.0, np.inf])
def test_bars_of_the_samples_lead_to_what_they_count(folder: Path, reliability: float) -> None:
    """Whatever the study, its tasks and the reliability."""
    study = read_study(folder)
    for task in study.tasks.values():
        model = next(name for name in models_for(task) if name != "plackett-luce")
        _check(worklist_of(study, task, Aggregation(model, reliability)))


def test_bars_of_the_release_lead_to_what_they_count() -> None:
    """1,947 cases with risk levels, at the reliabilities of the slider's middle."""
    study = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    task = next(iter(study.tasks.values()))
    for reliability in (1.0, 3.0, 10.0):
        _check(worklist_of(study, task, Aggregation("prirn", reliability)))


def test_odd_cases_have_bars_of_their_own() -> None:
    """Nobody leads, the risk is unknown, the certainty is on an edge, the numbers are far apart."""
    n = 2 * MOST_BARS
    cases = pd.DataFrame(
        {
            "readings": [0, *range(1, n)],
            "labels": [0, *[1] * (n - 1)],
            "leading": ["", *["a"] * (n - 1)],
            "certainty": [np.nan, 0.85, 0.99, 1.0, *np.linspace(0, 1, n - 4)],
            "risk": ["", "unknown", "high", *["low"] * (n - 3)],
            "risk_certainty": [np.nan, 0.99, 0.5, *[1.0] * (n - 6), 0.9, 0.9, 0.9],
            "high_risk": [np.nan, 0.0, 0.5, *[0.0] * (n - 6), 0.05, 0.049, 0.1],
        },
        index=[f"c{i}" for i in range(n)],
    )
    _check(cases)
    low = risk_bars(cases).table.query("risk == 'low'")
    assert dict(zip(low["part"], low["cases"], strict=True)) == {
        CERTAIN: n - 6,
        HARDLY_HIGH: 1,
        PERHAPS_HIGH: 2,
    }
    assert select(cases, Filters(certainty=(80, 85))).index.isin(["c1"]).sum() == 0
    spread = number_bars(spread_per_case(cases), "readings").table
    assert spread.loc[1, ["number", "risk", "cases", "words"]].tolist() == [
        *("0", "none", 1),
        "0 readings, no leading label",
    ]
    assert spread["number"].iloc[-1] == f"{MOST_BARS - 1}–{n - 1}"
    assert spread.loc[spread["risk"] == "", "cases"].sum() == n
