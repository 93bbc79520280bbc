"""Cases in which the model expects agreement and the raters disagree, and the reverse."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.disagreement.forecasts import Forecast
from core.analysis.tied_labels import first_in_words
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.calibration.label_histogram import LabelHistograms, task_histograms
from core.metrics.calibration.u_statistics import pair_disagreement
from core.study.model import Study, Task

MORE = "more disagreement than expected"
LESS = "less disagreement than expected"


def surprising_cases(
    study: Study, task: Task, forecast: Forecast, *, limit: int | None = None
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
    judged = ~np.isnan(difference)
    usual = float(observed[judged].mean()) if judged.any() else np.nan
    kinds = {
        MORE: (expected < usual) & (observed > usual),
        LESS: (expected > usual) & (observed < usual),
    }
    tables = []
    for kind, chosen in kinds.items():
        cases = np.flatnonzero(chosen)
        order = np.lexsort((cases, -histograms.per_case[cases], -np.abs(difference[cases])))[:limit]
        cases = cases[order]
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


def _given(task: Task, histograms: LabelHistograms, case: int) -> str:
    """Labels given to a case with their numbers, the most frequent first."""
    counts = histograms.counts[case]
    order = np.lexsort((np.arange(len(counts)), -counts))
    return ", ".join(f"{task.labels[k]} × {counts[k]}" for k in order if counts[k])
