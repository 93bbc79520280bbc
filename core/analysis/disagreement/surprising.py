"""Cases in which the model expects agreement and the raters disagree, and the reverse."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.disagreement.forecasts import Forecast
from core.analysis.tied_labels import first_in_words
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.calibration.label_histogram import LabelHistograms, task_histograms
from core.metrics.calibration.u_statistics import pair_disagreement
from core.study.model import FloatArray, IntArray, Study, Task

MORE = "more disagreement than expected"
LESS = "less disagreement than expected"


def surprising_cases(
    study: Study, task: Task, forecast: Forecast, *, limit: int | None = None, usual: float | None = None
) -> pd.DataFrame:
    """List the cases in which model and raters lie on different sides of the usual disagreement.

    Parameters
    ----------
    study : Study
        Gives the case ids.
    task : Task
        Its readings are counted as labels.
    forecast : Forecast
        Of one model.
    limit : int, optional
        Most rows of each kind; all by default.
    usual : float, optional
        The usual disagreement, where these are some cases of a larger study.

    Returns
    -------
    DataFrame
        One row a case: ``case_id``; ``kind`` ("more disagreement than expected": the model expects less than
        the usual disagreement, the raters show more; "less disagreement than expected": the reverse);
        ``expected`` and ``observed`` (probability and share of pairs of raters that disagree), ``difference``
        (observed − expected); ``labels`` (how many were given), ``given`` (which, the most frequent first: "A
        × 3, B × 2"); ``leading`` (the model's most probable label, of equals all) and
        ``leading_probability``. The kinds in this order; within each the largest difference first, among
        equals the case with more labels, then the study's order. ``attrs["usual"]`` is the usual
        disagreement: the mean of ``observed`` over the cases
        with two labels or more and a prediction, NaN without any.
    """
    histograms = task_histograms(task)
    observed = pair_disagreement(histograms)
    expected = np.asarray(forecast.disagreement, dtype=np.float64)
    difference = observed - expected
    usual = usual_disagreement(observed, expected) if usual is None else usual
    tables = []
    for kind, cases in places_of_surprise(observed, expected, histograms.per_case, usual, limit).items():
        said = forecast.probability[cases]
        leading = first_in_words(order_of_probabilities(said, 1), task.labels)
        tables.append(
            pd.DataFrame(
                {
                    "case_id": [study.case_ids[case] for case in cases.tolist()],
                    "kind": [kind] * len(cases),
                    "expected": expected[cases],
                    "observed": observed[cases],
                    "difference": difference[cases],
                    "labels": histograms.per_case[cases],
                    "given": [_given(task, histograms, case) for case in cases.tolist()],
                    "leading": leading,
                    "leading_probability": said.max(axis=1).astype(np.float64),
                }
            )
        )
    table = pd.concat(tables, ignore_index=True)
    table.attrs["usual"] = usual
    return table


def usual_disagreement(observed: FloatArray, expected: FloatArray) -> float:
    """Mean of the observed disagreement over the cases where both are known; NaN without any."""
    judged = ~np.isnan(observed - expected)
    return float(observed[judged].mean()) if judged.any() else float("nan")


def places_of_surprise(
    observed: FloatArray, expected: FloatArray, n_labels: IntArray, usual: float, limit: int | None = None
) -> dict[str, IntArray]:
    """Cases of each kind in the order of `surprising_cases`; ``n_labels`` is how many each case was given."""
    found: dict[str, IntArray] = {}
    for kind, chosen in (
        (MORE, (expected < usual) & (observed > usual)),
        (LESS, (expected > usual) & (observed < usual)),
    ):
        cases = np.flatnonzero(chosen)
        difference = np.abs(observed[cases] - expected[cases])
        found[kind] = cases[np.lexsort((cases, -n_labels[cases], -difference))[:limit]]
    return found


def _given(task: Task, histograms: LabelHistograms, case: int) -> str:
    """Labels given to a case with their numbers, the most frequent first."""
    counts = histograms.counts[case]
    order = np.lexsort((np.arange(len(counts)), -counts))
    return ", ".join(f"{task.labels[k]} × {counts[k]}" for k in order if counts[k])
