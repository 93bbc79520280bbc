"""Measures and draws ahead what the page may be asked for next."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from core.analysis.reliability.sweep import Progress
from core.plausibility.settings import default_aggregation
from dashboard.shell import cache, steps
from dashboard.shell.theme import DARK
from dashboard.views.models import deciding, figures, words
from dashboard.views.models.measuring import Comparing, is_quick
from dashboard.views.models.scene import MOST_MODELS_KEPT, Look, Scene

PAUSE_AHEAD = 1.5
"""Seconds before the work ahead begins: the page that is on its way to the browser comes first."""


def look_ahead(now: Comparing, look: Look) -> None:
    """Measure and draw the other metrics, then the other tasks, while this one is looked at."""
    basis = replace(now.basis, label=None)

    def compute(progress: Progress) -> bool:
        time.sleep(PAUSE_AHEAD)
        tasks = [task for task in now.study.tasks.values() if task.predictions]
        tasks.sort(key=lambda task: task.name != now.task.name)
        for i, task in enumerate(tasks):
            progress(i / len(tasks), task.name)
            aggregation = now.aggregation if task is now.task else default_aggregation(task)
            next_one = Comparing(now.study, task, aggregation, basis)
            with suppress(ValueError):
                _draw_ahead(next_one, look, progress)
        steps.keep_for_good()
        return True

    # One job for the study, whichever of its tasks is looked at first.
    first = next(task for task in now.study.tasks.values() if task.predictions)
    settings = basis, look.unsure, look.side, look.tokens is DARK
    cache.job("models ahead", now.study, first, *settings).start(compute)


def _draw_ahead(comparing: Comparing, look: Look, progress: Progress) -> None:
    """Make the pictures of every metric that can be had quickly."""
    found = comparing.measured()
    for measure in dict.fromkeys(found.metrics["metric"]):
        if measure not in found.refused and is_quick(found, measure):
            progress(0.0, measure)
            with suppress(ValueError):
                draw_ahead(comparing.scene(found, comparing.kept(measure), measure, look))


def draw_ahead(scene: Scene) -> None:
    """Draw all pictures and write all texts, so that the page need not."""
    if len(scene.models) > MOST_MODELS_KEPT:
        return
    for text in (words.finding, words.rests_on, words.all_metrics):
        text(scene)
    figures.soft_labels(scene)
    if not scene.ranks:
        return
    figures.slope(scene)
    figures.scatter(scene)
    if deciding.can_decide(scene):
        pair = deciding.leaders(scene)
        deciding.verdict(scene, *pair)
        deciding.listed(scene, *pair)
    if figures.shows_draws(scene):
        words.more_stable(scene)
        for picture in (figures.best, figures.better, figures.rank_distribution, figures.rank_correlation):
            picture(scene)
