"""Adjusted metrics over draws, of all cases at once."""

from __future__ import annotations

from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.adjusted.spread import SpreadOverDraws
from core.plausibility.posterior import Posterior
from core.study.model import FloatArray, IntArray, Predictions


def spread_over_draws(
    posterior: Posterior, predictions: Predictions | PredictedOrder | IntArray, *, max_k: int = 3
) -> dict[str, FloatArray]:
    """Mean over cases of every adjusted metric, for each draw of the plausibilities."""
    spread = SpreadOverDraws(max_k=max_k)
    spread.add(posterior, predictions)
    return spread.by_draw()
