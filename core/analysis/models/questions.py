"""Who is best, by each of the questions that "best" can mean: what is asked, what is drawn anew, who wins."""

from __future__ import annotations

import pandas as pd

from core.analysis.models.finding import chances, distinct, listed
from core.analysis.models.meter import ADJUSTED
from core.metrics.rank_correlation import TIE_DECIMALS

COLUMNS = ("question", "drawn anew", "winner", "share")
ACCURACY = "accuracy"
_SUPPORT = "Which model do the labels support best?"
_ELSEWHERE = "Which would such labels support best in other cases?"
_AGREES = "Which agrees most with the label of most readings?"
_DRAWN = {
    "annotations": "the readings",
    "cases": "the cases",
    "both": "readings and cases",
    "raters": "the raters",
    "all": "raters and cases",
}
_TRUTHS = {
    "annotations": "the truth; what leads is then taken for certain",
    "both": "the truth, taken for certain, and the cases",
}
"""The same where truths come from plausibilities."""


def who_is_best(
    supported: pd.DataFrame, metrics: pd.DataFrame, best: pd.DataFrame, *, annotations: str, is_point: bool
) -> pd.DataFrame:
    """Tabulate the model that is best in most draws, by what is asked and what is drawn anew.

    Parameters
    ----------
    supported : DataFrame
        Of `core.analysis.models.supported.Supported`.
    metrics : DataFrame
        Rows of accuracy of `core.analysis.models.rank_change.rank_change`.
    best : DataFrame
        Of `core.analysis.models.best.best_table`; without rows nothing is drawn but the truth.
    annotations : {"bootstrap", "plausibility"}
        Where other truths came from in ``best``.
    is_point : bool
        Whether the aggregation is a point estimate, which leaves no truth to draw.

    Returns
    -------
    DataFrame
        One row a question and what is drawn: ``question``, ``drawn anew``, ``winner`` (of equals all) and
        ``share``, in how many of the draws it is best, or each of them, in [0, 1]. The first row is that of
        the page Study: who has the highest adjusted accuracy over plausible truths, and the share of these
        in which it is the most accurate.
    """
    rows: list[tuple[str, str, str, float]] = []
    if not is_point:
        first = supported[
            supported["value"].round(TIE_DECIMALS) == supported["value"].round(TIE_DECIMALS).max()
        ]
        winner, share = listed(first["names"].tolist()), float(first["best"].max())
        rows.append((_SUPPORT, "the truth, where the readings leave it open", winner, share))
    names: dict[str, str] = dict(distinct(metrics)[["model", "names"]].itertuples(index=False))
    drawn = _DRAWN | (_TRUTHS if annotations == "plausibility" else {})
    for question, metric in ((_ELSEWHERE, ADJUSTED), (_AGREES, ACCURACY)):
        of_metric = best[best["metric"] == metric]
        for source in (one for one in drawn if (of_metric["source"] == one).any()):
            share_of = chances(metrics, of_metric[of_metric["source"] == source]).dropna()
            if share_of.empty:
                continue
            top = share_of[share_of >= share_of.max() - 1e-9]
            winners = listed([names.get(model, model) for model in top.index])
            rows.append((question, drawn[source], winners, float(top.iloc[0])))
    return pd.DataFrame(rows, columns=list(COLUMNS))
