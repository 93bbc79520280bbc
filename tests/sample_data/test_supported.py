"""What the readings of the first sample support, and where its models err, comes with it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis import tour_danger, tour_truths
from core.analysis.reliability.fit import best_reliability, predictive_curve
from core.analysis.reliability.kept import kept_curve
from core.plausibility.settings import default_aggregation
from core.study.reading.folder import read_study
from sample_data import FIRST
from sample_data.supported import DANGER, SUPPORTED, TRUTHS, main


@pytest.mark.slow
def test_it_is_what_is_found_of_the_sample_as_it_is() -> None:
    """Draws may differ in the last digits from one kind of processor to another; what they say may not."""
    study = read_study(SUPPORTED.parent / FIRST)
    assert len(list(SUPPORTED.iterdir())) == len(study.tasks)
    for task in study.tasks.values():
        aggregation = default_aggregation(task)
        kept, found = (
            kept_curve(study, task, aggregation, SUPPORTED),
            predictive_curve(study, task, aggregation),
        )
        assert kept is not None, "the sample or its settings have changed: python -m sample_data.supported"
        assert best_reliability(kept) == best_reliability(found)
        for column in ("log_likelihood", "standard_error"):
            np.testing.assert_allclose(kept[column], found[column], atol=0.02)


def test_one_command_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each task of the first sample, where the dashboard looks for it."""
    written = []
    monkeypatch.setattr("sample_data.supported.predictive_curve", lambda *given: "curve")
    monkeypatch.setattr("sample_data.supported.keep_curve", lambda *given: written.append(given))
    kept = []
    monkeypatch.setattr(tour_danger, "danger_table", lambda study: study.name)
    monkeypatch.setattr(tour_danger, "keep_table", lambda *given: kept.append(given))
    monkeypatch.setattr(tour_truths, "example_truths", lambda study: ["truths of", study.name])
    monkeypatch.setattr(tour_truths, "keep_truths", lambda *given: kept.append(given))
    main()
    assert [given[3:] for given in written] == [("curve", SUPPORTED)]
    name = kept[0][0].name
    assert [given[1:] for given in kept] == [(name, DANGER), (["truths of", name], TRUTHS)]


@pytest.mark.slow
def test_what_is_kept_of_danger_is_what_is_found_of_the_sample_as_it_is(tmp_path: Path) -> None:
    """To the digits that are shown; of other files it is found anew."""
    study = read_study(SUPPORTED.parent / FIRST)
    found = tour_danger.danger_table(study)
    assert json.loads(DANGER.read_text(encoding="utf-8"))["fingerprint"] == study.fingerprint
    kept = tour_danger.kept_table(study, DANGER)
    assert kept["model"].tolist() == found["model"].tolist() == list(tour_danger.MODELS)
    np.testing.assert_allclose(kept.drop(columns="model"), found.drop(columns="model"), atol=0.004)
    tour_danger.keep_table(study, found, tmp_path / "kept.json")
    pd.testing.assert_frame_equal(tour_danger.kept_table(study, tmp_path / "kept.json"), found)
    other = DANGER.read_text(encoding="utf-8").replace(study.fingerprint, "0" * 16).replace("0.8", "0.1")
    (tmp_path / "kept.json").write_text(other, encoding="utf-8")
    pd.testing.assert_frame_equal(tour_danger.kept_table(study, tmp_path / "kept.json"), found)
