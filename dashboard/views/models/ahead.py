"""Measures and draws ahead what the page may be asked for next."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from core.analysis.models.settings import ComparisonSettings
from core.plausibility.settings import default_aggregation
from core.progress import Progress
from core.study.model import Study
from dashboard.shell import cache, steps
from dashboard.shell.theme import Tokens
from dashboard.views.models import deciding, figures, words
from dashboard.views.models.measuring import Comparing, is_quick
from dashboard.views.models.model_comparison import MOST_MODELS_KEPT, ModelComparison

PAUSE_AHEAD = 1.5
"""Seconds before the work ahead begins: the page that is on its way to the browser comes first."""


def look_ahead(now: Comparing, tokens: Tokens) -> None:
    """Measure and draw every metric of every task as it is at first, while one of them is looked at."""
    _measuring(now.study, replace(now.settings, positive="", measure="", rivals=()), tokens).start()


@cache.background
def _measuring(progress: Progress, study: Study, settings: ComparisonSettings, tokens: Tokens) -> bool:
    time.sleep(PAUSE_AHEAD)
    tasks = [task for task in study.tasks.values() if task.predictions]
    for i, task in enumerate(tasks):
        progress(i / len(tasks), task.name)
        with suppress(ValueError):
            _draw_ahead(Comparing(study, task, default_aggregation(task), settings), tokens, progress)
    steps.keep_for_good()
    return True


def _draw_ahead(comparing: Comparing, tokens: Tokens, progress: Progress) -> None:
    """Make the pictures of every metric that can be had quickly."""
    found = comparing.measured()
    for measure in dict.fromkeys(found.metrics["metric"]):
        if measure not in found.refused and is_quick(found, measure):
            progress(0.0, measure)
            with suppress(ValueError):
                draw_ahead(comparing.comparison(found, comparing.resampled_quickly(measure), measure, tokens))


def draw_ahead(comparison: ModelComparison) -> None:
    """Draw all pictures and write all texts, so that the page need not."""
    if len(comparison.models) > MOST_MODELS_KEPT:
        return
    for text in (words.finding, words.rests_on, words.all_metrics):
        text(comparison)
    figures.soft_labels(comparison)
    if not comparison.ranks:
        return
    figures.slope(comparison)
    figures.scatter(comparison)
    if deciding.can_decide(comparison):
        pair = deciding.leaders(comparison)
        deciding.verdict(comparison, *pair)
        deciding.listed(comparison, *pair)
    if figures.shows_draws(comparison):
        words.more_stable(comparison)
        for picture in (figures.best, figures.better, figures.rank_distribution, figures.rank_correlation):
            picture(comparison)
