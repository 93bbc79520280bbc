"""One case in detail: its readings, its plausibilities and what the models say of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from core.analysis.cases.arrange import in_words
from core.analysis.cases.leading import leading_slots
from core.analysis.formatting import rounded_percent
from core.analysis.risk_words import RISK_LETTERS
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.certainty import leading_risk
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import Aggregation
from core.study.model import RISK_NAMES, UNKNOWN_RISK, FloatArray, IntArray, Readings, Study, Task
from core.study.references import reference_codes
from core.study.seeds import case_seeds

ANY_OTHER = "any other label"
ADDED = "the reading you added"
"""Who gave a reading that the study does not have."""
PREDICTED = (
    "model",
    "prediction",
    "first answer",
    "risk",
    "probability",
    "score",
    "then",
    "reference place",
    "right",
    "holds the truth",
)
"""Columns of `predictions_table`."""
N_DRAWS = 300
"""Draws shown of a case: enough to see the shape, few enough to paint in a moment."""


@dataclass(frozen=True, eq=False)
class Case:
    """A case under one aggregation.

    Attributes
    ----------
    study, task, index
        Which case it is; ``index`` counts from 0. A rater that the study does not have is called
        "the reading you added"; several are "added reading 1" …
    aggregation : Aggregation
        How the readings were aggregated.
    readings : Readings
        Of this case alone: the study's own, or changed ones.
    posterior : Posterior
        Of this case alone.
    point : Posterior
        The same model's point estimate, γ = ∞.
    draws : SampledPosterior
        ``N_DRAWS`` draws of the posterior; one draw where it is a point.
    """

    study: Study
    task: Task
    index: int
    aggregation: Aggregation
    readings: Readings
    posterior: Posterior
    point: Posterior
    draws: SampledPosterior

    @property
    def case_id(self) -> str:
        """The case's id."""
        return self.study.case_ids[self.index]

    @cached_property
    def plausibilities(self) -> pd.DataFrame:
        """What `plausibility_table` gives; half of what is said of a case asks for it."""
        return _plausibilities(self)

    @cached_property
    def leaders(self) -> frozenset[int]:
        """Codes of the labels that lead, as `core.analysis.cases.leading.leading_slots` finds them."""
        slots = leading_slots(self.posterior, self.point)
        return frozenset(self.posterior.candidates.label[slots].tolist())

    @property
    def order(self) -> IntArray:
        """Candidate labels, the most likely leader first, of equals the more plausible; (n_candidates,)."""
        candidates, posterior = self.posterior.candidates, self.posterior
        by = candidates.label, -posterior.mean.candidate, -posterior.top1.candidate
        return candidates.label[np.lexsort(by)]


def open_case(
    study: Study, task: Task, aggregation: Aggregation, index: int, *, readings: Readings | None = None
) -> Case:
    """Aggregate one case.

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability, with their options.
    index : int
        Of the case, from 0.
    readings : Readings, optional
        Of a single case, to stand in for the study's own, as `core.analysis.cases.what_if.apply` gives them;
        rater codes from ``len(study.rater_ids)`` on are raters that the study does not have. Seeds and pooled
        quantities (rater accuracies, the prior of scores) stay those of the study.

    Returns
    -------
    Case
        Without ``readings`` its numbers are those that the whole study has for it.
    """
    ids = [study.case_ids[index]]
    if readings is None:
        readings = task.readings.take_cases([index])
    n_added = int(readings.rater.max(initial=-1)) + 1 - len(study.rater_ids)
    if n_added > 0:
        added = [f"added reading {i + 1}" for i in range(n_added)] if n_added > 1 else [ADDED]
        study = replace(study, rater_ids=(*study.rater_ids, *added))
    posterior = aggregate_readings(study, task, aggregation, readings, ids)
    point = aggregate_readings(study, task, aggregation.point, readings, ids)
    seeds = case_seeds(study.seed, ids, f"{aggregation.model} shown")
    draws = posterior.sample(N_DRAWS, seeds)
    return Case(study, task, index, aggregation, readings, posterior, point, draws)


def readings_table(case: Case) -> pd.DataFrame:
    """Return one row a reading: rater, reading in words or score, confidence in [0, 1], repeat if any."""
    return readings_in_words(case.study, case.task, case.readings)


def readings_in_words(study: Study, task: Task, readings: Readings) -> pd.DataFrame:
    """Say what readings of a task say, as `readings_table` does of those of a case."""
    table = pd.DataFrame({"rater": [study.rater_ids[r] for r in readings.rater]})
    if task.kind == "score":
        table["score"] = readings.score
    else:
        said = [readings.differential(r) for r in range(readings.n_readings)]
        table["reading"] = [in_words(task, tuple(tuple(block) for block in blocks)) for blocks in said]
    if not np.isnan(readings.confidence).all():
        table["confidence"] = readings.confidence
    if (task.readings.repeat > 1).any():
        table["repeat"] = readings.repeat
    return table


def plausibility_table(case: Case) -> pd.DataFrame:
    """Describe the plausibility of every candidate label, and of any other label together.

    Returns
    -------
    DataFrame
        One row a label, the most likely leader first: ``label``, ``risk`` (L, M, H or empty), ``leads``
        (probability that it has the largest plausibility), ``plausibility`` (mean), ``low`` and ``high``
        (5 % and 95 % quantiles over draws), ``point`` (point estimate); all in [0, 1]. A copy, which may
        be changed.
    """
    return case.plausibilities.copy()


def _plausibilities(case: Case) -> pd.DataFrame:
    posterior, point, draws = case.posterior, case.point, case.draws.draws
    slots = posterior.candidates.locate(case.order[None, :])[0]
    unmentioned = int(posterior.candidates.unmentioned[0])
    value = np.concatenate([draws.value[slots], draws.rest]).astype(float)
    low, high = np.quantile(value, [0.05, 0.95], axis=1)
    table = pd.DataFrame(
        {
            "label": [*(case.task.labels[k] for k in case.order), ANY_OTHER],
            "risk": [*(risk_letter(case.task, k) for k in case.order), ""],
            "leads": _with_rest(posterior.top1.candidate[slots], posterior.top1.other[0], unmentioned),
            "plausibility": _with_rest(posterior.mean.candidate[slots], posterior.mean.other[0], unmentioned),
            "low": low,
            "high": high,
            "point": _with_rest(point.mean.candidate[slots], point.mean.other[0], unmentioned),
        }
    )
    return table if unmentioned else table.iloc[:-1]


def _with_rest(candidates: np.ndarray, single: float, unmentioned: int) -> np.ndarray:
    """Append the sum over all unmentioned labels."""
    return np.append(candidates, single * unmentioned)


def risk_letter(task: Task, label: int) -> str:
    """L, M or H; empty where the risk is not known."""
    level = int(task.risk[label])
    return "" if level == UNKNOWN_RISK else RISK_LETTERS[RISK_NAMES[level]]


def is_known(case: Case) -> bool:
    """Whether anybody read the case, and the readings carry any weight."""
    leads = case.posterior.top1.candidate
    return case.readings.n_readings > 0 and len(leads) > 0 and not np.isnan(leads).any()


def leading_rows(case: Case, table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `plausibility_table` of the label that leads most often, and of those that are tied with it."""
    names = {case.task.labels[code] for code in case.leaders}
    leads = table["label"].isin(names)
    return table[leads] if leads.any() else table.head(1)


def high_risk_probability(case: Case) -> float:
    """Return the probability that the leading label is of high risk, whichever it is."""
    return float(leading_risk(case.posterior, case.task.risk)[0, RISK_NAMES.index("high")])


def predictions_table(case: Case, *, k: int = 3) -> pd.DataFrame:
    """List what each model says and how often it holds the truth.

    Returns
    -------
    DataFrame
        ``model``; ``prediction`` (its first k labels, with the letters of their risk levels where there are
        any, and probabilities); ``first answer``, its ``risk`` letter and its ``probability`` (the first of
        these alone); ``score`` (of a model that gives scores, what it says of which label; empty of others);
        ``then`` (what it says besides: the others of its first k labels, or how high the score is);
        ``reference place`` (which place it gives the study's reference, 1 for the likeliest
        label; equal labels share the first; NaN without a reference); ``right`` (probability that
        its first label is the truth, ties split) and ``holds the truth`` (probability that the truth is
        among the k, or among all but the last where there are no more labels, for all together always hold
        it), NaN where nothing is known of the case. A model that gives scores has no first answer, and NaN;
        its ``prediction`` is the score and how high it is.
    """
    labels, rows = case.task.labels, []
    reference = int(reference_codes(case.study, case.task)[case.index])
    for name, predictions in case.task.predictions.items():
        if not predictions.covered[case.index]:
            continue
        if predictions.score is not None:
            said, height = _score_words(predictions.score, case.index, case.task.scored_label or "")
            of_label = ("", "", np.nan, said, height, np.nan, np.nan, np.nan)
            rows.append((name, f"{said}; {height}", *of_label))
            continue
        probability = predictions.probability[case.index : case.index + 1]
        predicted = order_of_probabilities(probability, min(k, len(labels)))
        shown, more = predicted.label[:k], len(predicted.label) - k
        named = [f"{_with_risk(case.task, y)}:\u00a0{rounded_percent(probability[0, y])}" for y in shown]
        named += [f"{more:,} more alike"] * (more > 0)
        right, holds = np.nan, np.nan
        if is_known(case):
            scored = RankedLabels(case.posterior, predicted)
            depth = max(1, min(k, len(labels) - 1))
            right, holds = (float(scored.top_k_accuracy(j)[0]) for j in (1, depth))
        place = np.nan if reference < 0 else float((probability > probability[0, reference]).sum() + 1)
        first = int(predicted.label[0])
        of_first = (labels[first], risk_letter(case.task, first), float(probability[0, first]))
        rows.append((name, ", ".join(named), *of_first, "", ", ".join(named[1:]), place, right, holds))
    return pd.DataFrame(rows, columns=list(PREDICTED))


def _with_risk(task: Task, code: int) -> str:
    """Name a label, with the letter of its risk level where it has one."""
    letter = risk_letter(task, code)
    return f"{task.labels[code]}\u00a0({letter})" if letter else task.labels[code]


def _score_words(score: FloatArray, index: int, label: str) -> tuple[str, str]:
    """Say a model's score of a case, and how high it is among those of the others."""
    others, below = int((~np.isnan(score)).sum()) - 1, int((score < score[index]).sum())
    return f"score {score[index]:.4g} for {label}", f"lower in {below:,} of {others:,} other cases"
