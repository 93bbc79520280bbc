"""The raters of a panel with their accuracies, judged as the page says."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.raters.accuracy import STANDARDS
from core.analysis.raters.fineness import PanelAccuracies, judge
from core.analysis.raters.panel import Panel
from core.analysis.raters.settings import RaterSettings
from core.metrics.fineness.majority import MOST_RATERS
from dashboard.components.text import count
from dashboard.shell import cache
from dashboard.views import parts
from dashboard.views.raters import concordance


def accuracies_of(chosen: Panel) -> PanelAccuracies | None:
    """Return the panel's raters with their accuracies; None where nothing is known of them, which is said."""
    if chosen.n_raters > MOST_RATERS:
        parts.note(
            f"{count(chosen.n_raters, 'rater')} are too many to form a majority of; pick up to "
            f"{MOST_RATERS:,} of them above."
        )
        return None
    try:
        return _judge(chosen, replace(concordance.weighting(chosen), variability=None))
    except ValueError as refusal:
        parts.note(
            f"This needs each rater’s accuracy, and {refusal}. A column reference in cases.csv, a second "
            "reader, or “accuracies as given” above makes it known."
        )
        return None


@cache.cached()
def _judge(chosen: Panel, settings: RaterSettings) -> PanelAccuracies:
    return judge(chosen, standard=settings.standard, given=settings.rater_accuracy)


def words(raters: PanelAccuracies) -> str:
    """Say what the accuracies are judged by."""
    return STANDARDS[raters.standard]
