"""Models that give scores in place of probabilities: what they cannot be asked, and why, in words.

Scores rank the cases, so AUROC and AP, hard or soft, mean as much for them as for probabilities. Nothing else
does: there is no threshold that would name a label, and no probability to be right or wrong about.
"""

from __future__ import annotations

from core.study.model import Task

NO_LOSS = (
    "gives scores, not probabilities: Brier score and log loss are not defined for them; AUROC and AP are"
)
NO_ACCURACY = (
    "gives scores, not probabilities: without a threshold they name no label; AUROC and AP need none"
)


def require_probabilities(task: Task, model: str, what: str) -> None:
    """Refuse a model of a task that gives scores.

    Parameters
    ----------
    task : Task
        With predictions of the model.
    model : str
        One of the task's.
    what : str
        What needs probabilities, as a noun that begins a sentence.

    Raises
    ------
    ValueError
        If the model gives scores.
    """
    if model in task.score_models:
        raise ValueError(f"{what} needs probabilities, and {model} gives scores, which only rank the cases")


def left_out(task: Task) -> str:
    """Say which models a table or picture of probabilities leaves out; empty where it has all.

    Parameters
    ----------
    task : Task
        With predictions of any kind.
    """
    models = task.score_models
    if not models:
        return ""
    verb = "gives" if len(models) == 1 else "give"
    return (
        f"Left out: {', '.join(models)}, which {verb} scores, not probabilities. Scores rank the cases "
        "(AUROC, AP), but name no label and cannot be calibrated."
    )
