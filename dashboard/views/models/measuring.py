"""Measures and draws what the page shows, once."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace

import streamlit as st

from core.analysis.export import provenance
from core.analysis.models.meter import ADJUSTED, METRICS
from core.analysis.models.rank_change import AVERAGED
from core.analysis.models.rater_resamples import raters_refused
from core.analysis.models.settings import N_DRAWS, SOURCES, ComparisonSettings
from core.analysis.models.stability_averages import AVERAGES
from core.analysis.models.tables import Measured, Resampled, measured, resampled
from core.plausibility.settings import Aggregation, default_aggregation
from core.progress import Progress
from core.settings import entries
from core.study.model import Study, Task
from dashboard.shell import cache, state
from dashboard.shell.theme import Tokens
from dashboard.views import parts
from dashboard.views.models.model_comparison import ModelComparison

MOST_AT_ONCE = 15_000_000
"""Draws times models times cases that are drawn while the page waits, some half a second; more is a job."""


@dataclass(frozen=True, eq=False)
class Comparing:
    """The comparison that is asked for."""

    study: Study
    task: Task
    aggregation: Aggregation
    settings: ComparisonSettings

    def with_what_can_be_drawn(self, found: Measured, measure: str) -> Comparing:
        """Draw readings where raters are asked for and cannot be drawn; the page says why."""
        if not self.settings.draw_raters or not no_raters(self.study, found, measure):
            return self
        state.fall_back(source=SOURCES[0])
        return replace(self, settings=replace(self.settings, source=SOURCES[0], draw_raters=False))

    def measured(self, *, waiting: str = "") -> Measured:
        """All models by all metrics; ``waiting`` is shown meanwhile."""
        settings = ComparisonSettings(self.settings.positive, self.settings.coverage)
        with st.spinner(waiting) if waiting else nullcontext():
            return _measured(self.study, self.task, settings, aggregation=self.aggregation)

    def resampled(self, found: Measured, measure: str) -> Resampled | None:
        """How sure the order by a metric is; None while much is being drawn, of which the page tells."""
        what = "Drawing what could have been"
        if is_quick(found, measure, draw_raters=self.settings.draw_raters):
            with st.spinner(f"{what} …"):
                return self.resampled_quickly(measure)
        job = _drawing(self.study, self.task, self.settings.basis, *self._rests_on(measure))
        return parts.result_of(job, what=what, key="models-drawn")

    def resampled_quickly(self, measure: str) -> Resampled:
        """The draws that a metric needs, made once."""
        metrics, of = self._rests_on(measure)
        return _resampled(self.study, self.task, self.settings.basis, metrics=metrics, aggregation=of)

    def comparison(
        self, found: Measured, drawn: Resampled | None, measure: str, tokens: Tokens
    ) -> ModelComparison:
        """What the pictures show by a metric."""
        settings = replace(self.settings, measure=measure, rivals=())
        made = provenance(self.study, self.task, self.aggregation) | entries(
            replace(settings, positive=found.compared.label)
        )
        made["cases"] = str(len(found.compared.cases))
        return ModelComparison(self.study, self.task, self.aggregation, settings, tokens, found, drawn, made)

    def _rests_on(self, measure: str) -> tuple[tuple[str, ...], Aggregation]:
        """What the draws depend on: the aggregation matters to adjusted accuracy and plausibilities alone."""
        metrics = _metrics_with(measure)
        if ADJUSTED in metrics or self.settings.annotations == "plausibility":
            return metrics, self.aggregation
        return metrics, replace(default_aggregation(self.task), tie_rule=self.aggregation.tie_rule)


_measured = cache.cached()(measured)
_resampled = cache.cached()(resampled)


@cache.background
def _drawing(
    progress: Progress,
    study: Study,
    task: Task,
    settings: ComparisonSettings,
    metrics: tuple[str, ...],
    aggregation: Aggregation,
) -> Resampled:
    return resampled(study, task, settings, metrics=metrics, aggregation=aggregation, progress=progress)


def _metrics_with(measure: str) -> tuple[str, ...]:
    """Metrics that are drawn together with this one."""
    if measure in AVERAGED:
        return AVERAGES
    return ("accuracy", ADJUSTED) if measure == "accuracy" else METRICS


def is_quick(found: Measured, measure: str, *, draw_raters: bool = False) -> bool:
    """Whether the draws that a metric needs may be made while the page waits."""
    n_labels = len(found.compared.task.labels) if measure in AVERAGED else 1
    twice = 2 if draw_raters else 1
    return twice * N_DRAWS * found.compared.score.size * n_labels <= MOST_AT_ONCE


def no_raters(study: Study, found: Measured, measure: str) -> str:
    """Say why no raters can be drawn for a metric; empty where they can."""
    if measure in AVERAGED:
        return "raters are not drawn for averages over labels; choose a metric of one label"
    return _no_raters(study, found)


@cache.cached()
def _no_raters(study: Study, found: Measured) -> str:
    return raters_refused(study, found.compared)
