"""Where the tour leads on: which study opens, and its list of cases for whoever sees patients."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.cases.presets import ANY_HIGH_RISK, DANGER_MISSED, PRESETS
from core.metrics.risk import HIGH
from core.study.model import Task

AFTER_CLAIM = "With the readings themselves, Study says which models hold and which dangers each misses."
"""Said beneath the answer to a claim, which leads on there."""
_SETTLED = "and what would help to settle each. On Review you can have such cases read again."


@dataclass(frozen=True)
class Ward:
    """What is offered to whoever sees patients.

    Attributes
    ----------
    preset : str
        The list, of `core.analysis.cases.presets.PRESETS`; empty for all cases in their usual order.
    words : str
        Which cases these are, and what to do with them.
    listed : str
        What one finds there, for the buttons that open it.
    """

    preset: str
    words: str
    listed: str


def of_the_example(title: str) -> str:
    """Say that it is a study that came with the program which opens, and that a claim typed is not lost."""
    return (
        f"The first two open the example study, “{title}”. Your claim is not part of it and stays on this "
        "page."
    )


def for_clinicians(task: Task | None) -> Ward:
    """Find the list that shows whoever sees patients where harm may hide.

    Parameters
    ----------
    task : Task or None
        Of the study that is open; None where it cannot be read.

    Returns
    -------
    Ward
        Dangers that a model misses, the most certain first; without models, any danger; without high-risk
        labels, what is least certain.
    """
    if task is None or not (task.risk == HIGH).any():
        return Ward("", f"Cases whose label is least certain, {_SETTLED}", "uncertain cases")
    preset, which, found = ANY_HIGH_RISK, "", "possible dangers"
    if task.probability_models:
        which = f" but {'a' if len(task.probability_models) > 1 else 'the'} model puts no danger first"
        preset, found = DANGER_MISSED, "missed dangers"
    listed = f"Cases where a danger may be the truth{which} (“{PRESETS[preset].short}”)"
    return Ward(preset, f"{listed}, {_SETTLED}", found)
