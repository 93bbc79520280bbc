"""Plausible truths of one case on the simplex of its leading labels, and what some of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.cases.case import ANY_OTHER, Case, is_known, risk_letter
from core.analysis.formatting import in_sentence, percent
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.plausibility.posterior import SampledPosterior
from core.study.model import RISK_NAMES, FloatArray, IntArray

OTHER_LABELS = "other labels"
DRAW, MEAN, POINT = "plausible truth", "mean", "point estimate"
"""What a row of `Simplex.table` is."""
_LEADER, _KIND = "leading label", "kind"
ELSEWHERE = -1
"""Leader of a draw in which a label leads that the simplex does not show."""
MOST_NAMED = 4
"""Labels and models that the statement on chosen truths names; others are counted together."""
RISK_WORDS = {name[0].upper(): f"{name} risk" for name in RISK_NAMES}


@dataclass(frozen=True, eq=False)
class Simplex:
    """Draws of a case's plausibility as far as they concern its leading labels.

    Attributes
    ----------
    labels, risk : tuple of str
        The n labels that lead most often, first the one that leads most, and their risk letters.
    leads : ndarray of float64 with shape (n,)
        Probability that each has the largest plausibility of all labels.
    share : ndarray of float64 with shape (n_draws, n)
        Plausibility of each in each draw, in [0, 1]; what is missing to 1 is that of the other labels. A
        single row where all draws are the same.
    leader : ndarray of int64 with shape (n_draws,)
        Position of the label with the largest plausibility of all; `ELSEWHERE` where it is not shown.
    mean, point : ndarray of float64 with shape (n,)
        Mean plausibility, and the point estimate.
    """

    labels: tuple[str, ...]
    risk: tuple[str, ...]
    leads: FloatArray
    share: FloatArray
    leader: IntArray
    mean: FloatArray
    point: FloatArray

    @property
    def table(self) -> pd.DataFrame:
        """One row a mark: plausibility of each label and of the others together, who leads, what it is."""
        share = np.vstack([self.share, self.mean, self.point])
        table = pd.DataFrame(share, columns=list(self.labels)).astype(float)
        table[OTHER_LABELS] = others(share)
        names = np.array([*self.labels, ANY_OTHER], dtype=object)
        table[_LEADER] = np.append(names[self.leader], ["", ""])
        table[_KIND] = [DRAW] * len(self.share) + [MEAN, POINT]
        return table


def others(share: FloatArray) -> FloatArray:
    """Plausibility of the labels that are not shown, from that of those that are, along the last axis."""
    return np.clip(1.0 - share.sum(axis=-1), 0.0, 1.0)


def simplex_of(case: Case, n: int) -> Simplex | None:
    """Give the draws of a case on the simplex of its ``n`` leading labels.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    n : int
        Number of labels: 3 for a triangle, 4 for a tetrahedron.

    Returns
    -------
    Simplex or None
        None where fewer labels are candidates, or nothing is known of the case.
    """
    codes = case.order[:n]
    if len(codes) < n or not is_known(case):
        return None
    slots = case.posterior.candidates.locate(codes[None, :])[0]
    share = case.draws.draws.value[slots].T.astype(float)
    # A single case: its candidates begin in slot 0.
    leader = case.draws.leaders(1)[0, :, 0]
    if (share == share[0]).all():
        share, leader = share[:1], leader[:1]
    return Simplex(
        labels=tuple(case.task.labels[k] for k in codes),
        risk=tuple(risk_letter(case.task, k) for k in codes),
        leads=case.posterior.top1.candidate[slots].astype(float),
        share=share,
        leader=np.where(leader[:, None] == slots, np.arange(n), ELSEWHERE).max(axis=1),
        mean=case.posterior.mean.candidate[slots].astype(float),
        point=case.point.mean.candidate[slots].astype(float),
    )


@dataclass(frozen=True, eq=False)
class Chosen:
    """What some of the plausible truths of a case have in common.

    Attributes
    ----------
    n, of : int
        How many are chosen, of how many.
    leaders : DataFrame
        ``label``, ``risk`` (letter) and ``truths``, in how many of them it leads, the most first; labels
        that nobody mentioned are one row.
    models : DataFrame
        ``model`` and ``right``, in how many of them its first label leads, the most first. Labels that a
        model puts first together share a truth.
    """

    n: int
    of: int
    leaders: pd.DataFrame
    models: pd.DataFrame

    @property
    def sentences(self) -> tuple[str, ...]:
        """Say it in words: who leads, and which models are right."""
        risks = [f", {RISK_WORDS[letter]}," if letter == "H" else "" for letter in self.leaders["risk"]]
        leads = [
            f"{in_sentence(label)}{risk} in {truths}"
            for label, risk, truths in zip(self.leaders["label"], risks, self.leaders["truths"], strict=True)
        ]
        who = f"In the {self.n} chosen of {self.of} plausible truths {_first(leads, 'leads', 'label')}."
        if self.models.empty:
            return (who,)
        right = [
            f"{model} in {percent(truths / self.n)}"
            for model, truths in zip(self.models["model"], self.models["right"], strict=True)
        ]
        return who, f"If one of them is the truth, the first label of {_first(right, 'is right', 'model')}."


def _first(said: Sequence[str], verb: str, noun: str) -> str:
    """Join what is said of each with a verb after the first name; of many the first are named."""
    name, _, rest = said[0].rpartition(" in ")
    words = [f"{name} {verb} in {rest}", *said[1:MOST_NAMED]]
    more = len(said) - MOST_NAMED
    if more > 0:
        words.append(f"{more:,} more {noun}{'s' * (more > 1)} less often")
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def chosen_truths(case: Case, chosen: Sequence[int]) -> Chosen | None:
    """Find what chosen draws of a case have in common.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    chosen : sequence of int
        Positions among its draws, from 0; what is no such position is left out.

    Returns
    -------
    Chosen or None
        None where no draw is chosen, or nothing is known of the case.
    """
    draws = case.draws.draws
    kept = np.array(sorted({i for i in chosen if 0 <= i < draws.n_draws}), np.int64)
    if len(kept) == 0 or not is_known(case):
        return None
    some = SampledPosterior(
        replace(draws, value=draws.value[:, kept], rest=draws.rest[:, kept], row=draws.row[kept])
    )
    n, candidates = len(kept), some.candidates
    leaders = pd.DataFrame(
        {
            "label": [*(case.task.labels[k] for k in candidates.label), ANY_OTHER],
            "risk": [*(risk_letter(case.task, k) for k in candidates.label), ""],
            "truths": np.append(
                some.top1.candidate * n, some.top1.other[0] * n * int(candidates.unmentioned[0])
            )
            .round()
            .astype(int),
        }
    )
    models = [
        (name, float(RankedLabels(some, order_of_probabilities(row, 1)).top_k_accuracy(1)[0]) * n)
        for name, row in _predicted(case).items()
    ]
    return Chosen(
        n,
        draws.n_draws,
        _descending(leaders[leaders["truths"] > 0], "truths"),
        _descending(pd.DataFrame(models, columns=["model", "right"]), "right"),
    )


def _predicted(case: Case) -> dict[str, FloatArray]:
    """What each model that gives probabilities says of the case, with shape (1, n_labels)."""
    return {
        name: of.probability[case.index : case.index + 1]
        for name, of in case.task.predictions.items()
        if of.score is None and of.covered[case.index]
    }


def _descending(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """The largest first, equal ones in their order."""
    return table.sort_values(column, ascending=False, kind="stable").reset_index(drop=True)
