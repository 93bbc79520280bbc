"""Measures and draws what the page shows, once."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.export import provenance
from core.analysis.models.meter import ADJUSTED, METRICS
from core.analysis.models.rank_change import AVERAGED
from core.analysis.models.stability_averages import AVERAGES
from core.analysis.models.tables import N_DRAWS, Measured, Resampled, measured, resampled
from core.analysis.reliability.sweep import Progress
from core.plausibility.settings import Aggregation
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
        return cache.kept(
            "models measured",
            self.study,
            self.task,
            self.aggregation,
            basis.label,
            basis.coverage,
            compute=lambda: measured(
                self.study,
                self.task,
                label=basis.label,
                aggregation=self.aggregation,
                coverage=basis.coverage,
            ),
            waiting=waiting,
        )

    def drawn(self, found: Measured, measure: str) -> Resampled | None:
        """How sure the order by a metric is; None while much is being drawn, of which the page tells."""
        what = "Drawing what could have been"
        if is_quick(found, measure):
            return self.kept(measure, waiting=f"{what} …")
        return parts.result_of(
            cache.job("models drawn", self.study, self.task, *self._key(measure)),
            lambda progress: self._draw(measure, progress),
            what=what,
            key="models-drawn",
        )

    def kept(self, measure: str, *, waiting: str = "") -> Resampled:
        """The draws that a metric needs, made once."""
        return cache.kept(
            "models drawn",
            self.study,
            self.task,
            *self._key(measure),
            compute=lambda: self._draw(measure),
            waiting=waiting,
        )

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

    def _key(self, measure: str) -> tuple[object, ...]:
        """What the draws depend on: the aggregation matters to adjusted accuracy and plausibilities alone."""
        metrics = _drawn_with(measure)
        depends = ADJUSTED in metrics or self.basis.truths == "plausibility"
        return metrics, self.basis, self.aggregation if depends else self.aggregation.tie_rule

    def _draw(self, measure: str, progress: Progress | None = None) -> Resampled:
        return resampled(
            self.study,
            self.task,
            label=self.basis.label,
            metrics=_drawn_with(measure),
            annotations=self.basis.truths,
            aggregation=self.aggregation,
            coverage=self.basis.coverage,
            n_draws=N_DRAWS,
            progress=progress,
        )


def _drawn_with(measure: str) -> tuple[str, ...]:
    """Metrics that are drawn together with this one."""
    if measure in AVERAGED:
        return AVERAGES
    return ("accuracy", ADJUSTED) if measure == "accuracy" else METRICS


def is_quick(found: Measured, measure: str) -> bool:
    """Whether the draws that a metric needs may be made while the page waits."""
    n_labels = len(found.compared.task.labels) if measure in AVERAGED else 1
    return N_DRAWS * found.compared.score.size * n_labels <= MOST_AT_ONCE
