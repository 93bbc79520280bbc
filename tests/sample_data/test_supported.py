"""What the readings of the first sample support comes with it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.reliability.fit import best_reliability, predictive_curve
from core.analysis.reliability.kept import kept_curve
from core.plausibility.settings import default_aggregation
from core.study.reading.folder import read_study
from sample_data import FIRST
from sample_data.supported import SUPPORTED, main


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
    main()
    assert [given[3:] for given in written] == [("curve", SUPPORTED)]
