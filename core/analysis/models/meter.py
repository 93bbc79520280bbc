"""Measures all models on many truths and cases at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.comparison import Comparison
from core.analysis.models.rank_change import COUNTERPARTS, LOSSES
from core.analysis.models.score_models import NO_ACCURACY, NO_LOSS
from core.analysis.models.truth_draws import Truth
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.soft.hard import hard_ranking_metrics
from core.metrics.soft.metrics import check_probabilities, log_losses
from core.metrics.soft.ranking import SortedScores, ranking_metrics, sort_scores
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import FloatArray, Study

METRICS: tuple[str, ...] = (
    "AUROC", "s-AUROC", "AP", "s-AP", "Brier score", "soft Brier score", "log loss", "soft log loss",
    "accuracy",
)  # fmt: skip
ADJUSTED = "adjusted accuracy"
"""Measured where asked for. It is an average over truths already, so only cases can be drawn for it."""


class Meter:
    """Measures all models on many truths; everything that does not depend on the truth is done once."""

    def __init__(
        self,
        compared: Comparison,
        metrics: Sequence[str],
        hits: FloatArray | None,
    ) -> None:
        self.compared = compared
        self.hits = hits
        self.scores: SortedScores = sort_scores(compared.score)
        self.known = ~np.isnan(compared.score)
        score = np.where(self.known, compared.score, 0.5)
        self.losses: dict[str, tuple[FloatArray, FloatArray]] = {}
        self.left_out = {metric: _left_out(compared, metric) for metric in metrics}
        self.refused = {
            metric: _of_all(reasons)
            for metric, reasons in self.left_out.items()
            if len(reasons) == len(compared.models)
        }
        losses = LOSSES & set(metrics) - set(self.refused)
        if losses:
            score[self._is_left_out(min(losses))] = 0.5
            self.losses["Brier score"] = (np.square(1 - score), np.square(score))
            self.losses["log loss"] = log_losses(score)
        self.metrics = [
            metric for metric in (*METRICS, ADJUSTED) if metric in metrics and metric not in self.refused
        ]
        if not self.metrics:
            raise ValueError("; ".join(dict.fromkeys(self.refused.values())))

    def measure(self, truth: Truth, weight: FloatArray | None) -> dict[str, FloatArray]:
        """Every metric with shape (n_models, n_draws)."""
        hard = truth.hard
        found: dict[str, FloatArray] = {}
        if {"AUROC", "AP"} & set(self.metrics):
            values = hard_ranking_metrics(self.scores, hard, weight=weight)
            found |= zip(("AUROC", "AP"), values, strict=True)
        if {"s-AUROC", "s-AP"} & set(self.metrics):
            values = ranking_metrics(self.scores, truth.plausibility, weight=weight)
            found |= zip(("s-AUROC", "s-AP"), values, strict=True)
        for name in ("Brier score", "log loss"):
            for wanted, plausibility in ((name, hard), (COUNTERPARTS[name], truth.plausibility)):
                if wanted in self.metrics:
                    found[wanted] = self._mean(*self.losses[name], plausibility, weight)
        if "accuracy" in self.metrics:
            found["accuracy"] = self._accuracy(truth, weight)
        if self.hits is not None:
            found[ADJUSTED] = self._adjusted(self.hits, weight)
        for metric in self.metrics:
            if self.left_out[metric]:
                found[metric][self._is_left_out(metric)] = np.nan
        return {metric: found[metric] for metric in self.metrics}

    def _is_left_out(self, metric: str) -> NDArray[np.bool_]:
        """Which models a metric is not defined for."""
        return np.array([model in self.left_out[metric] for model in self.compared.models])

    def _mean(
        self,
        if_positive: FloatArray,
        if_negative: FloatArray,
        plausibility: FloatArray,
        weight: FloatArray | None,
    ) -> FloatArray:
        """Weighted mean over the cases that each model scored."""
        w = np.ones((1, plausibility.shape[1])) if weight is None else weight
        positive = w * plausibility
        total = (self.known * if_positive) @ positive.T + (self.known * if_negative) @ (w - positive).T
        return divided(total, self.known.astype(np.float64) @ w.T)

    def _accuracy(self, truth: Truth, weight: FloatArray | None) -> FloatArray:
        """Share of cases whose hard label is the model's, ties on either side split."""
        if truth.credit is None:
            says = says_label(self.compared)
            return self._mean(says, 1 - says, truth.hard, weight)
        n_cases = truth.hard.shape[1]
        w = np.ones((1, n_cases)) if weight is None else weight
        total = np.empty((len(truth.credit), max(len(w), truth.credit.shape[1])))
        for m, hit in enumerate(truth.credit):
            total[m] = np.einsum("dn,dn->d", *np.broadcast_arrays(hit * self.known[m], w))
        return divided(total, self.known.astype(np.float64) @ w.T)

    @staticmethod
    def _adjusted(hits: FloatArray, weight: FloatArray | None) -> FloatArray:
        """Weighted mean of the expected hits over the cases where they are defined."""
        known = ~np.isnan(hits)
        w = np.ones((1, hits.shape[1])) if weight is None else weight
        return divided(np.where(known, hits, 0.0) @ w.T, known.astype(np.float64) @ w.T)


def expected_hits(study: Study, compared: Comparison, aggregation: Aggregation | None) -> FloatArray:
    """P(a model's label is the truth) for each case, with shape (n_models, n_cases); NaN where undefined."""
    aggregation = aggregation or default_aggregation(compared.task)
    posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
    return np.array([RankedLabels(posterior, of).top_k_accuracy(1) for of in compared.answers])


def says_label(compared: Comparison) -> FloatArray:
    """How far each model says the compared label, with shape (n_models, n_cases): 1/m among m it ties."""
    code = compared.label_code
    return np.array([of.total(of.places.within(1) * (of.label == code)) for of in compared.answers])


def _left_out(compared: Comparison, metric: str) -> dict[str, str]:
    """Models that a metric is not defined for, with the reason."""
    is_loss = metric in LOSSES
    if not is_loss and metric not in ("accuracy", ADJUSTED):
        return {}
    found = {}
    for model, score, only in zip(compared.models, compared.score, compared.only_scores, strict=True):
        if only:
            found[model] = NO_LOSS if is_loss else NO_ACCURACY
        elif is_loss:
            try:
                check_probabilities(score)
            except ValueError as error:
                found[model] = str(error)
    return found


def _of_all(reasons: Mapping[str, str]) -> str:
    """Why no model can be measured: each reason once, with the first model that it is true of."""
    first: dict[str, str] = {}
    for model, reason in reasons.items():
        first.setdefault(reason, model)
    return "; ".join(f"{model}: {reason}" for reason, model in first.items())


def divided(total: FloatArray, by: FloatArray) -> FloatArray:
    """Mean; NaN where no case has any weight."""
    by = np.broadcast_to(by, total.shape)
    return np.divide(total, by, out=np.full(total.shape, np.nan), where=by > 0)
