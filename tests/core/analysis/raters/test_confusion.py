"""Confusion of raters as a table: what it says, and where it says why not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.raters.confusion import COLUMNS, confusion_table
from core.analysis.raters.panel import panel
from core.cli import main, sample_folder
from core.plausibility.dawid_skene import fit_dawid_skene
from core.study.reading.folder import read_study


def test_rows_are_the_matrices_of_the_fit() -> None:
    """Each truth sums to 1, the interval holds the value, and the seed alone decides it."""
    study = read_study(sample_folder("knee_mri"))
    chosen = panel(study, next(iter(study.tasks.values())))
    table = confusion_table(chosen)
    fitted = fit_dawid_skene(chosen.readings, 2, chosen.n_raters)
    for code, rater in enumerate(chosen.rater_ids[:3]):
        rows = table[table["rater"] == rater]
        np.testing.assert_allclose(rows["probability"].to_numpy().reshape(2, 2), fitted.confusion(code))
    assert (table["low"] <= table["probability"]).all()
    assert (table["probability"] <= table["high"]).all()
    assert set(table["why_no_interval"]) == {""}
    pd.testing.assert_frame_equal(table, confusion_table(chosen))
    pd.testing.assert_series_equal(
        table.groupby(["rater", "truth"])["probability"].sum(),
        pd.Series(1.0, table.groupby(["rater", "truth"]).size().index, name="probability"),
    )


def test_known_truths_need_references_and_serve_a_single_rater() -> None:
    """One rater alone shows no error, until the truths are known."""
    study, task = small_study(
        "choice", "ab", [["a"], ["b"]] * 20, metadata={"reference": ["a", "b"] * 19 + ["b", "a"]}
    )
    alone = panel(study, task)
    nothing = confusion_table(alone)
    assert nothing.empty
    assert list(nothing.columns) == COLUMNS
    assert "one rater alone shows no error" in nothing.attrs["withdrawn"]
    told = confusion_table(alone, gold=True).set_index(["truth", "says"])["probability"]
    assert told["a", "a"] == pytest.approx((19 + 1.5) / (20 + 2))
    with pytest.raises(ValueError, match="no truth is known; add a column reference"):
        confusion_table(replace(alone, reference=np.full(40, -1)), gold=True)


def test_the_command_writes_it(tmp_path: Path) -> None:
    """With what truths were known, in its provenance."""
    arguments = [
        "raters",
        str(sample_folder("knee_mri")),
        "--resamples",
        "5",
        "--raters",
        "reader-01,reader-02",
    ]
    assert main([*arguments, "--gold", "--out", str(tmp_path)]) == 0
    table = pd.read_csv(tmp_path / "raters" / "confusion.csv")
    written = {"low": "low_over_truths", "high": "high_over_truths"}
    assert list(table.columns) == [written.get(name, name) for name in COLUMNS]
    made = (tmp_path / "raters" / "confusion.provenance.json").read_text(encoding="utf-8")
    assert '"known truths": "the references of the cases"' in made
