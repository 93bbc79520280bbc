"""Which models name danger in a case where it is plausible, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.cases.case import Case, high_risk_probability, is_known
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.models.finding import listed
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.risk import HIGH


def named_danger(case: Case) -> str:
    """Say which models put a high-risk label first, and which do not.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.

    Returns
    -------
    str
        Empty without risk levels or models, and where nothing is known of the case or high risk is not
        plausible (`core.analysis.cases.worklist.PLAUSIBLE`). A model that puts labels of high and of lower
        risk first alike counts as naming danger.
    """
    task = case.task
    if not task.has_risk or not is_known(case) or high_risk_probability(case) < PLAUSIBLE:
        return ""
    names: list[str] = []
    misses: list[str] = []
    for model in task.probability_models:
        predictions = task.predictions[model]
        if predictions.covered[case.index]:
            probability = predictions.probability[case.index : case.index + 1]
            first = order_of_probabilities(probability, 1).label
            (names if (task.risk[first] == HIGH).any() else misses).append(model)
    if not misses:
        return f"{_who(names)} a high-risk label first." if names else ""
    if not names:
        return f"{listed(misses)} {_do(misses)} not put a high-risk label first."
    return f"{_who(names)} a high-risk label first; {listed(misses)} {_do(misses)} not."


def _who(models: Sequence[str]) -> str:
    return f"{listed(models)} {'puts' if len(models) == 1 else 'put'}"


def _do(models: Sequence[str]) -> str:
    return "does" if len(models) == 1 else "do"
