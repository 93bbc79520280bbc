"""Tables of one case, computed once for each choice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases import case as case_analysis
from core.analysis.cases.reasons import reasons
from core.analysis.cases.simplex import Chosen, Simplex, chosen_truths, simplex_of
from core.analysis.cases.what_if import WhatIf, apply, effect_sentence
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache
from dashboard.shell.view import CORNERS

N_TICKS = 40
"""Draws shown as single marks for each label."""


@dataclass(frozen=True, eq=False)
class CaseTables:
    """Everything that the page of a case shows, as `core.analysis.cases.case` gives it.

    ``draws`` are `N_TICKS` of each label; ``simplexes`` are by their number of labels; ``effect`` is what
    changed readings do, empty where there are none; ``convergence`` is None unless the model samples;
    ``is_point`` says whether uncertainty is left out.
    """

    readings: pd.DataFrame
    plausibility: pd.DataFrame
    simplexes: dict[int, Simplex]
    dots: pd.DataFrame
    predictions: pd.DataFrame
    draws: pd.DataFrame
    sentence: str
    effect: str
    convergence: pd.DataFrame | None
    is_point: bool


@cache.cached(256)
def case_reasons(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> pd.DataFrame:
    """Why one case is uncertain, as `core.analysis.cases.reasons.reasons` says it."""
    return reasons(_open_case(study, task, aggregation, index, change))


@cache.cached(64)
def case_chosen(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf, marks: tuple[int, ...]
) -> Chosen | None:
    """What chosen plausible truths have in common, as `core.analysis.cases.simplex.chosen_truths` says it."""
    return chosen_truths(_open_case(study, task, aggregation, index, change), marks)


def _open_case(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> case_analysis.Case:
    """Open a case with changed readings."""
    readings = apply(study, task, index, change) if change else None
    return case_analysis.open_case(study, task, aggregation, index, readings=readings)


@cache.cached(256)
def case_tables(study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf) -> CaseTables:
    """Aggregate and describe one case, its readings changed as asked."""
    case = _open_case(study, task, aggregation, index, change)
    effect = ""
    if change:
        before = case_analysis.open_case(study, task, aggregation, index)
        effect = effect_sentence(before, case)
    plausibility = case_analysis.plausibility_table(case)
    return CaseTables(
        readings=case_analysis.readings_table(case),
        plausibility=plausibility,
        simplexes={n: found for n in CORNERS if (found := simplex_of(case, n)) is not None},
        dots=case_analysis.dot_table(case),
        predictions=case_analysis.predictions_table(case),
        draws=_shown_draws(case, plausibility["label"]),
        sentence=case_analysis.certainty_sentence(case),
        effect=effect,
        convergence=_convergence(case, aggregation),
        is_point=math.isinf(aggregation.reliability),
    )


def _shown_draws(case: case_analysis.Case, labels: pd.Series) -> pd.DataFrame:
    """Evenly chosen draws of each label's plausibility, and of any other label's together."""
    draws = case.draws.draws
    slots = case.posterior.candidates.locate(case.order[None, :])[0]
    value = np.concatenate([draws.value[slots], draws.rest])[: len(labels)]
    if value.shape[1] < 2:
        return pd.DataFrame({"label": [], "plausibility": []})
    spaced = value[:, np.linspace(0, value.shape[1] - 1, N_TICKS).astype(int)]
    return pd.DataFrame(
        {"label": np.repeat(labels.to_numpy(), spaced.shape[1]), "plausibility": spaced.ravel()}
    )


def _convergence(case: case_analysis.Case, aggregation: Aggregation) -> pd.DataFrame | None:
    """Diagnostics of a sampled posterior."""
    if MODELS[aggregation.model].answer != "draws" or math.isinf(aggregation.reliability):
        return None
    if not isinstance(case.posterior, SampledPosterior):
        return None
    # It takes half a second to import, which the first page need not wait for.
    from core.plausibility.convergence import convergence

    return convergence(case.posterior)
