"""Tables of one case, computed once for each choice."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases import before
from core.analysis.cases import case as case_analysis
from core.analysis.cases.alone import said_alone
from core.analysis.cases.beside import kept_words, tied_words, truth_words, use_words
from core.analysis.cases.by_vote import Vote, vote_of
from core.analysis.cases.chosen import Chosen, chosen_truths
from core.analysis.cases.contenders import contenders, unlisted_words
from core.analysis.cases.dots import dot_table, dots_beside
from core.analysis.cases.effect import Effect, effect_of, effect_sentence
from core.analysis.cases.first_choices import OtherFirst, other_first
from core.analysis.cases.hanging import Hanging, hanging
from core.analysis.cases.headline import Headline, headline
from core.analysis.cases.left_out import LeftOut, left_out
from core.analysis.cases.misled_words import misled_words
from core.analysis.cases.named_danger import answers_in_words, models_words, warns
from core.analysis.cases.on_record import Reference, reference_of
from core.analysis.cases.reasons import reasons
from core.analysis.cases.settle import Settle, is_settled, settle, to_confirm
from core.analysis.cases.short_names import spelled_words
from core.analysis.cases.simplex import Simplex, simplex_of
from core.analysis.cases.what_if import WhatIf, apply, marked_raters
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache
from dashboard.shell.view import CORNERS

ONE_OTHER = "the one other label"
"""What stands for the labels without a row of their own, where there is one."""
MOST_MODELS = 6
"""Models beside each of which it is known beforehand what is said of the others."""
N_TICKS = 40
"""Draws shown as single marks for each label."""


@dataclass(frozen=True, eq=False)
class CaseTables:
    """Everything that the page of a case shows, as `core.analysis.cases.case` gives it.

    Where readings are changed, the tables say how it was as well (`core.analysis.cases.before`).

    ``draws`` are `N_TICKS` of each label; ``simplexes`` are by their number of labels; ``effect`` is what
    changed readings do, None where there are none; ``other_first`` says where first choices would put
    another label in front; ``contenders`` counts the readings of the labels that the case is between, and
    ``unlisted`` names others, ``spelled`` says what abbreviations stand for; ``left_out`` is what becomes
    of it without each reading, and ``hanging`` says whether the answer hangs on one; ``models`` says what
    they name first, and which is surer than readings allow; ``models_else`` is by model (of the first
    `MOST_MODELS`) what is said of all where its answer, one of ``answers``, stands before; ``by_vote`` says
    whom plain accuracy counts right, and ``misled`` where that misleads; ``ties`` says how ties count,
    where they are not divided; ``truths`` says what a plausible truth is, and how exact shares are, and
    ``use`` what one does with them; ``beside`` says what else is kept as the case's label, of which
    ``reference`` is the study's; ``rest`` names the labels without a row of their own, if there are any;
    ``n_named`` counts the labels that the readings name; ``convergence`` is None unless the model samples;
    ``is_known`` says whether readings are left that carry weight, ``is_point`` whether uncertainty is left
    out, ``is_settled`` whether nobody needs to ask more.
    """

    readings: pd.DataFrame
    plausibility: pd.DataFrame
    simplexes: dict[int, Simplex]
    dots: pd.DataFrame
    predictions: pd.DataFrame
    draws: pd.DataFrame
    headline: Headline
    other_first: OtherFirst | None
    contenders: pd.DataFrame
    unlisted: str
    spelled: str
    left_out: LeftOut | None
    hanging: Hanging | None
    models: str
    models_else: Mapping[str, str]
    answers: Mapping[str, str]
    by_vote: Vote | None
    misled: str
    ties: str
    effect: Effect | None
    truths: str
    use: str
    beside: str
    reference: Reference | None
    rest: str
    n_named: int
    convergence: pd.DataFrame | None
    is_known: bool
    is_point: bool
    is_settled: bool
    confirm: str

    @property
    def has_before(self) -> bool:
        """Whether the tables say how it was before readings were changed."""
        return "leads before" in self.plausibility


@cache.cached(256)
def case_reasons(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> pd.DataFrame:
    """Why one case is uncertain, as `core.analysis.cases.reasons.reasons` says it."""
    return reasons(_open_case(study, task, aggregation, index, change))


@cache.cached(256)
def case_settle(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> Settle | None:
    """What leaves one case open, as `core.analysis.cases.settle.settle` says it."""
    known = case_tables(study, task, aggregation, index, change)
    told = known.hanging.readings if known.hanging else ()
    return settle(_open_case(study, task, aggregation, index, change), known.left_out, told)


@cache.cached(64)
def effect_words(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf, given: str
) -> str:
    """What changed readings do to one case, as `core.analysis.cases.effect.effect_sentence` says it."""
    was = case_analysis.open_case(study, task, aggregation, index)
    return effect_sentence(was, _open_case(study, task, aggregation, index, change), given)


@cache.cached(64)
def case_chosen(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf, marks: tuple[int, ...]
) -> Chosen | None:
    """What chosen plausible truths have in common, as `core.analysis.cases.chosen.chosen_truths` says it."""
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
    effect = None
    plausibility, dots = case_analysis.plausibility_table(case), dot_table(case)
    draws = _shown_draws(case, plausibility["label"])
    predictions = case_analysis.predictions_table(case)
    simplexes = {n: simplex_of(case, n) for n in CORNERS}
    readings = case_analysis.readings_table(case)
    if change:
        was = case_analysis.open_case(study, task, aggregation, index)
        effect = effect_of(was, case)
        readings["rater"] = marked_raters(list(readings["rater"]), change, int(task.readings.per_case[index]))
        if case_analysis.is_known(was) and case_analysis.is_known(case):
            plausibility, dots = before.plausibility_beside(case, was), dots_beside(case, was)
            predictions = before.predictions_beside(case, was)
            simplexes = {n: before.simplex_beside(case, was, n) for n in CORNERS}
    warned = predictions["model"].map(warns(case))
    predictions["warns"] = ["" if pd.isna(one) else "yes" if one else "no" for one in warned]
    words_of_rest = _words_of_rest(task, plausibility)
    said, without = said_alone(case, headline(case)), left_out(case)
    between, answers = contenders(case, said), answers_in_words(case)
    has_rest = (plausibility["label"] == case_analysis.ANY_OTHER).any()
    plausibility, draws = (
        table.assign(label=table["label"].replace(words_of_rest)) for table in (plausibility, draws)
    )
    return CaseTables(
        readings=readings,
        plausibility=plausibility,
        simplexes={n: of for n, of in simplexes.items() if of is not None},
        dots=dots,
        predictions=predictions,
        draws=draws,
        headline=said,
        other_first=other_first(case),
        contenders=between,
        unlisted=unlisted_words(case, said, between),
        spelled=spelled_words(case),
        left_out=without,
        hanging=hanging(case, without),
        models=models_words(case),
        models_else={model: models_words(case, (model,)) for model in list(answers)[:MOST_MODELS]},
        answers=answers,
        by_vote=vote_of(case),
        misled=misled_words(case),
        ties=tied_words(case),
        effect=effect,
        truths=truth_words(case),
        use=use_words(case),
        beside=kept_words(case, is_counted=not between.empty),
        reference=reference_of(case),
        rest=words_of_rest[case_analysis.ANY_OTHER] if has_rest else "",
        n_named=len(case.order),
        convergence=_convergence(case, aggregation),
        is_known=case_analysis.is_known(case),
        is_point=math.isinf(aggregation.reliability),
        is_settled=is_settled(case),
        confirm=to_confirm(case),
    )


def _words_of_rest(task: Task, plausibility: pd.DataFrame) -> dict[str, str]:
    """Say of the labels that have no row, whose shares are added up, how many they are."""
    n = len(task.labels) - int((plausibility["label"] != case_analysis.ANY_OTHER).sum())
    return {case_analysis.ANY_OTHER: f"{n:,} other labels together" if n > 1 else ONE_OTHER}


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
