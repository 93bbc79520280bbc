"""What reliability and stated confidences mean under each aggregation model, in words."""

from __future__ import annotations

import math

import numpy as np

from core.analysis.export import format_reliability
from core.plausibility.reading_weights import stated_confidence
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Task

TIE_COUNTS = "A tie within a reading is not divided: it counts for each of its labels."
"""How a reading that ties labels counts under `divides_no_tie`."""


def aggregation_title(aggregation: Aggregation) -> str:
    """Name an aggregation model with its reliability."""
    model = MODELS[aggregation.model]
    if not model.has_reliability:
        return model.title
    return f"{model.title}, γ = {format_reliability(aggregation.reliability)}"


def states_confidence(task: Task) -> bool:
    """Whether any reading of a task states a confidence."""
    return bool((~np.isnan(task.readings.confidence)).any())


def can_weigh(task: Task, model: str) -> bool:
    """Whether a model can let the confidences of a task's readings weigh them."""
    return MODELS[model].can_weigh and states_confidence(task)


_TIMES: dict[float, str] = {1: "once", 2: "twice"}


def times_in_words(gamma: float) -> str:
    """Say how many times a reading counts: once, twice, 3 times."""
    return _TIMES.get(gamma, f"{format_reliability(gamma)} times")


def is_of_each(aggregation: Aggregation) -> bool:
    """Whether γ is how often each reading counts: finite, and not of all readings of a case together."""
    return MODELS[aggregation.model].counts != "together" and not math.isinf(aggregation.reliability)


def count_at_words(aggregation: Aggregation) -> str:
    """Name the way to a reliability: by how often each reading counts, where that can be said."""
    if is_of_each(aggregation):
        return f"Count each {times_in_words(aggregation.reliability)}"
    return f"Use γ = {format_reliability(aggregation.reliability)}"


def reliability_words(aggregation: Aggregation) -> str:
    """Say what γ counts now, in a sentence or two."""
    model = MODELS[aggregation.model]
    if not model.has_reliability:
        return f"{model.title} is a point estimate: it has no reliability to choose."
    gamma = aggregation.reliability
    weighted = aggregation.confidence == "weights"
    if math.isinf(gamma):
        by = ", readings weighed by their confidence" if weighted else ""
        return f"∞: the point estimate is taken for the truth{by}."
    if model.counts == "together":
        each = " times their mean confidence" if weighted else ""
        return (
            f"All readings of a case together count as {format_reliability(gamma)}{each}, "
            "however many they are."
        )
    times = times_in_words(gamma)
    if weighted:
        return f"Each reading counts {times} its confidence.".replace("once its", "as much as its")
    return f"Each {'score' if 'score' in model.kinds else 'reading'} counts {times}."


def divides_no_tie(aggregation: Aggregation) -> bool:
    """Whether a model counts a tie for each of its labels, in place of dividing it among them.

    Under Plackett–Luce a reading that ties labels has the probability that all of them, in any order, come
    before what it ranks lower or leaves out (Stutz 2025, app. B.2 and eq. B.3): one that ties three says more
    than one that names one label, and nothing divides it by three.
    """
    return aggregation.model == "plackett-luce"


def tie_words(task: Task, aggregation: Aggregation) -> str:
    """Say how a tie counts, where readings of a task have some and it is not divided; empty otherwise."""
    return TIE_COUNTS if divides_no_tie(aggregation) and _has_ties(task) else ""


def _has_ties(task: Task) -> bool:
    """Whether any reading ties labels: labels of a reading are kept block after block."""
    block, reading = task.readings.block, task.readings.entry_reading
    return bool(((block[1:] == block[:-1]) & (reading[1:] == reading[:-1])).any())


def confidence_words(task: Task, aggregation: Aggregation) -> str:
    """Say what becomes of the confidences that a task's readings state; empty where none states any."""
    if not states_confidence(task):
        return ""
    model = MODELS[aggregation.model]
    if aggregation.model == "confidence-weighted":
        return "Confidences stated by the raters weigh their votes."
    if aggregation.confidence == "weights":
        mean = stated_confidence(task.readings).mean()
        return (
            "Confidences stated by the raters weigh their readings: 1, or none stated, counts fully, 0 as if "
            f"the reading had not been given. The mean weight is {mean:.2f}."
        )
    other = "they can be taken as weights" if model.can_weigh else "another model can weigh readings by them"
    return f"The raters state how sure they are; {model.title} takes no notice of it as it is: {other}."
