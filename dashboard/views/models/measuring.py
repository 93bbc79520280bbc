"""Measures and draws what the page shows, once."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace

import streamlit as st

from core.analysis.export import provenance
from core.analysis.models.comparison import Coverage
from core.analysis.models.meter import ADJUSTED, METRICS
from core.analysis.models.rank_change import AVERAGED
from core.analysis.models.stability_averages import AVERAGES
from core.analysis.models.tables import N_DRAWS, Measured, Resampled, measured, resampled
from core.analysis.reliability.sweep import Progress
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import Study, Task
from dashboard.shell import cache
from dashboard.views import parts
from dashboard.views.models.scene import Basis, Look, Scene

MOST_AT_ONCE = 15_000_000
"""Draws times models times cases that are drawn while the page waits, some half a second; more is a job."""


@dataclass(frozen=True, eq=False)
class Comparing:
    """The comparison that is asked for.

    Attributes
    ----------
    study, task, aggregation, basis
        What is compared, and on what it rests.
    """

    study: Study
    task: Task
    aggregation: Aggregation
    basis: Basis

    def measured(self, *, waiting: str = "") -> Measured:
        """All models by all metrics; ``waiting`` is shown meanwhile."""
        basis = self.basis
        with st.spinner(waiting) if waiting else nullcontext():
            return _measured(self.study, self.task, self.aggregation, basis.label, basis.coverage)

    def drawn(self, found: Measured, measure: str) -> Resampled | None:
        """How sure the order by a metric is; None while much is being drawn, of which the page tells."""
        what = "Drawing what could have been"
        if is_quick(found, measure):
            with st.spinner(f"{what} …"):
                return self.drawn_quickly(measure)
        job = _drawing(self.study, self.task, *self._rests_on(measure))
        return parts.result_of(job, what=what, key="models-drawn")

    def drawn_quickly(self, measure: str) -> Resampled:
        """The draws that a metric needs, made once."""
        return _drawn(self.study, self.task, *self._rests_on(measure))

    def scene(self, found: Measured, drawn: Resampled | None, measure: str, look: Look) -> Scene:
        """What the pictures show by a metric."""
        settings = {
            "label": found.compared.label,
            "cases": f"{self.basis.coverage}: {len(found.compared.cases)}",
            "draws of truths": self.basis.truths,
            "number of draws": str(N_DRAWS),
            "metric": measure,
            "ranked by": f"{look.side} metric",
            "uncertain": look.unsure,
        }
        return Scene(
            self.study,
            self.task,
            self.aggregation,
            self.basis,
            look,
            found,
            drawn,
            measure,
            provenance(self.study, self.task, self.aggregation) | settings,
        )

    def _rests_on(self, measure: str) -> tuple[tuple[str, ...], Basis, Aggregation]:
        """What the draws depend on: the aggregation matters to adjusted accuracy and plausibilities alone."""
        metrics = _drawn_with(measure)
        if ADJUSTED in metrics or self.basis.truths == "plausibility":
            return metrics, self.basis, self.aggregation
        usual = default_aggregation(self.task)
        return metrics, self.basis, replace(usual, tie_rule=self.aggregation.tie_rule)


@cache.cached()
def _measured(
    study: Study, task: Task, aggregation: Aggregation, label: str | None, coverage: Coverage
) -> Measured:
    return measured(study, task, label=label, aggregation=aggregation, coverage=coverage)


def _draw(
    study: Study,
    task: Task,
    metrics: tuple[str, ...],
    basis: Basis,
    aggregation: Aggregation,
    *,
    progress: Progress | None = None,
) -> Resampled:
    return resampled(
        study,
        task,
        label=basis.label,
        metrics=metrics,
        annotations=basis.truths,
        aggregation=aggregation,
        coverage=basis.coverage,
        n_draws=N_DRAWS,
        progress=progress,
    )


@cache.cached()
def _drawn(
    study: Study, task: Task, metrics: tuple[str, ...], basis: Basis, aggregation: Aggregation
) -> Resampled:
    return _draw(study, task, metrics, basis, aggregation)


@cache.background
def _drawing(
    progress: Progress,
    study: Study,
    task: Task,
    metrics: tuple[str, ...],
    basis: Basis,
    aggregation: Aggregation,
) -> Resampled:
    return _draw(study, task, metrics, basis, aggregation, progress=progress)


def _drawn_with(measure: str) -> tuple[str, ...]:
    """Metrics that are drawn together with this one."""
    if measure in AVERAGED:
        return AVERAGES
    return ("accuracy", ADJUSTED) if measure == "accuracy" else METRICS


def is_quick(found: Measured, measure: str) -> bool:
    """Whether the draws that a metric needs may be made while the page waits."""
    n_labels = len(found.compared.task.labels) if measure in AVERAGED else 1
    return N_DRAWS * found.compared.score.size * n_labels <= MOST_AT_ONCE
