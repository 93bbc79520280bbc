"""What is claimed under plausible truths, against a truth that is known: by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.analysis.models.other_readers import other_readers
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.mrmc.inference import Inference
from core.plausibility.settings import default_aggregation
from core.study.model import Study
from core.study.reading.frames import study_of_frames

MARGIN = 0.1
N_READERS, READER_VARIANCE, SEPARATION = 5, 0.011, 1.5


def at_the_margin(rng: np.random.Generator, *, n: int, raters: int, accuracy: float) -> Study:
    """A model that is exactly the margin worse than the readers; raters who err by lot; no reference."""
    truth = np.repeat([False, True], n)
    case = rng.normal(0, 0.3**0.5, 2 * n)
    of_reader = rng.normal(0, READER_VARIANCE**0.5, (N_READERS, 2))[:, truth.astype(int)]
    own = rng.normal(0, 0.3**0.5, 2 * n) + rng.normal(0, 0.4**0.5, (N_READERS, 2 * n))
    read = SEPARATION * truth + case + of_reader + own
    by_readers = stats.norm.cdf(SEPARATION / (2 + 2 * READER_VARIANCE) ** 0.5)
    alone = 2**0.5 * stats.norm.ppf(by_readers - MARGIN) * truth + case + rng.normal(0, 0.7**0.5, 2 * n)
    ids = [f"case {at}" for at in range(2 * n)]
    said = rng.uniform(size=(raters, 2 * n)) < accuracy
    annotations = pd.DataFrame(
        {
            "case_id": np.tile(ids, raters),
            "rater_id": np.repeat([f"rater {at}" for at in range(raters)], 2 * n),
            "label": np.where(said == truth, "ill", "well").ravel(),
        }
    )
    predictions = [
        pd.DataFrame({"case_id": ids, "model": "film", "reader": f"R{at}", "score": score})
        for at, score in enumerate(read)
    ]
    return study_of_frames(
        annotations,
        predictions=pd.concat([*predictions, pd.DataFrame({"case_id": ids, "model": "net", "score": alone})]),
        labels=pd.DataFrame({"label": ["well", "ill"]}),
        tasks={"main": {"kind": "choice", "positive": "ill"}},
        name="at the margin",
    )


@pytest.mark.slow
def test_a_model_exactly_the_margin_worse_is_not_said_to_be_no_worse() -> None:
    """In at most 5 of 100 studies, 2.5 being nominal; against the whole margin it would be in over 10."""
    rng, n = np.random.default_rng(4), 40
    settings = OtherReadersSettings(modalities=("net", "film"), margin=MARGIN, n_truths=25)
    claimed, would = 0, 0
    shown, expected = [], []
    for _ in range(n):
        study = at_the_margin(rng, n=200, raters=3, accuracy=0.8)
        task = study.tasks["main"]
        row = other_readers(study, task, settings, default_aggregation(task)).differences.iloc[0]
        claimed += row["p_not_inferior"] < 0.025
        told = Inference(row["difference"], row["standard_error"], row["df"])
        would += told.p_not_inferior(MARGIN) < 0.025
        shown.append(row["difference"])
        expected.append(-row["margin_shown"])
    assert claimed / n <= 0.05
    assert would / n > 0.1
    assert np.mean(shown) <= np.mean(expected)
    assert np.mean(shown) == pytest.approx(np.mean(expected), abs=0.012)
