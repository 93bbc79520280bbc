"""How many raters, and how many cases: for a wanted fineness, or ranking of two models.

Every answer is a table with a sentence, and rests on assumptions that are fitted to a study or given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.formatting import precise
from core.analysis.raters.fineness import PanelAccuracies, agreement_of_two
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.fineness.difficulty import accuracy_by_difficulty
from core.metrics.fineness.model_ranking import TRUTHS, score_difference
from core.metrics.fineness.raters_needed import (
    equal_fineness_by_size,
    raters_bound,
    raters_needed_each,
)
from core.progress import Progress
from core.study.model import FloatArray

SIZES: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50)
"""Numbers of raters a case that are tried."""
RANKING_SIZES: tuple[int, ...] = (1, 3, 5, 7, 9, 13, 21)
"""The same for ranking two models: odd, so that a majority of two labels does not tie."""
MARGIN = 0.02
"""Half width of the 95 % interval that the cases needed are counted for."""


@dataclass(frozen=True)
class Assumptions:
    """What raters and cases are taken to be like.

    Attributes
    ----------
    accuracy : float
        Of a rater, in [0, 1].
    difficulty : float
        Spread of the cases' difficulty on the logit scale; 0: raters err independently.
    n_labels : int
        Number of labels.
    source : str
        Where they come from, in words.
    """

    accuracy: float
    difficulty: float = 0.0
    n_labels: int = 2
    source: str = "assumed"

    def __post_init__(self) -> None:
        if self.n_labels < 2:
            raise ValueError(f"n_labels must be 2 or more, got {self.n_labels}")
        accuracy_by_difficulty(np.array([self.accuracy]), self.difficulty)

    @property
    def agreement(self) -> float:
        """Share of the cases on which two such raters agree."""
        return agreement_of_two(self.accuracy, self.difficulty, n_labels=self.n_labels)


@dataclass(frozen=True, eq=False)
class Plan:
    """An answer to "how many".

    Attributes
    ----------
    raters : int or None
        Raters a case; None where no number that was tried is enough.
    cases : int or None
        Cases; None where no number is enough, or the question has none.
    sentence : str
        The answer in words.
    table : DataFrame
        What it was read from; columns as the function that made it says.
    doubt : str
        How far the answer could move with what it rests on, in words; empty where that was not asked for.
    """

    raters: int | None
    cases: int | None
    sentence: str
    table: pd.DataFrame
    doubt: str = ""


def fitted_assumptions(raters: PanelAccuracies) -> Assumptions:
    """Take the raters' mean accuracy, and the difficulty that explains their agreement."""
    return Assumptions(
        float(raters.accuracy.mean()),
        raters.difficulty,
        raters.panel.n_labels,
        f"fitted to {raters.n_raters} raters of {raters.panel.study.name}",
    )


def plan_fineness(
    assumptions: Assumptions,
    wanted: float,
    *,
    sizes: Sequence[int] = SIZES,
    resampled: Sequence[Assumptions] = (),
) -> Plan:
    """Find how many raters a majority of the wanted fineness takes.

    Parameters
    ----------
    assumptions : Assumptions
        Accuracy, difficulty, labels.
    wanted : float
        Fineness in (0, 1).
    sizes : sequence of int
        Numbers of raters in the table; the answer does not depend on them.
    resampled : sequence of Assumptions, optional
        The same fitted to other raters and cases (`core.analysis.planning.resamples`): how far the answer
        could move.

    Returns
    -------
    Plan
        Table: ``n_raters``, ``fineness`` of independent raters, ``fineness_dependent`` of raters who err on
        the same cases, ``cases_needed`` to measure the latter within ± `MARGIN`; with ``resampled``,
        ``…_low`` and ``…_high`` of both, between which 90 % of the resamples lie.
    """
    a = assumptions
    independent, dependent = _needed([replace(a, difficulty=0.0), a], wanted)
    table = pd.DataFrame({"n_raters": list(sizes)})
    for name, dependent_too in (("fineness", False), ("fineness_dependent", True)):
        table[name] = _curves([a], sizes, dependent_too)[:, 0]
        if resampled:
            curves = _curves(resampled, sizes, dependent_too)
            table[f"{name}_low"], table[f"{name}_high"] = np.percentile(curves, [5, 95], axis=1)
    spread = np.sqrt(table["fineness_dependent"] * (1 - table["fineness_dependent"]))
    table["cases_needed"] = [cases_for(value) for value in spread]
    sentence = (
        f"A majority that is right in {precise(wanted)} of cases takes {raters_in_words(independent)} "
        f"of accuracy {a.accuracy:.3g} if they err independently"
    )
    if a.difficulty > 0:
        many = 999 if a.n_labels == 2 else 99
        best = float(_curves([a], [many], dependent=True)[0, 0])
        sentence += f"; {raters_in_words(dependent)} if they err on the same cases as much as here"
        if dependent is None:
            sentence += f", for then even very many are right in only {precise(best)}"
    if a.n_labels == 2 and (bound := raters_bound(a.accuracy, wanted)) is not None:
        sentence += f". The Chernoff bound, which is safe and wasteful, asks for {bound}"
    needed = dependent if a.difficulty > 0 else independent
    return Plan(needed, None, sentence + ".", table, _fineness_doubt(a, resampled, wanted))


def _curves(assumptions: Sequence[Assumptions], sizes: Sequence[int], dependent: bool) -> FloatArray:
    """Fineness under each of several assumptions about the same labels, with shape (n_sizes, n)."""
    return equal_fineness_by_size(
        [a.accuracy for a in assumptions],
        sizes,
        difficulty=[a.difficulty for a in assumptions] if dependent else 0.0,
        n_labels=assumptions[0].n_labels,
    )


def _needed(assumptions: Sequence[Assumptions], wanted: float) -> list[int | None]:
    """Raters needed under each of several assumptions, all about the same labels."""
    return raters_needed_each(
        [a.accuracy for a in assumptions],
        wanted,
        difficulty=[a.difficulty for a in assumptions],
        n_labels=assumptions[0].n_labels,
    )


def _fineness_doubt(assumptions: Assumptions, resampled: Sequence[Assumptions], wanted: float) -> str:
    """Say how many raters resampled raters and cases ask for."""
    if not resampled:
        return ""
    alone = _span(_needed([replace(a, difficulty=0.0) for a in resampled], wanted), "rater")
    words = f"{_DRAWN_AGAIN.format(n=len(resampled))} ask for {alone} if they err independently"
    if assumptions.difficulty > 0:
        words += f"; for {_span(_needed(resampled, wanted), 'rater')} if they err on the same cases"
    return words + "."


_DRAWN_AGAIN = "90 % of {n} resamples of these raters and cases"


def _span(needed: Sequence[int | None], what: str) -> str:
    """Say between which ends 90 % of several answers lie; None is an answer that no number gives."""
    value = np.array([math.inf if n is None else n for n in needed])
    low, high = np.percentile(value, [5, 95], method="inverted_cdf").tolist()
    if math.isinf(low):
        return f"more {what}s than there can be"
    if math.isinf(high):
        never = precise(round(float(np.isinf(value).mean()), 2))
        return f"{_counted(low, what)} or more (in {never} of them no number is enough)"
    return _counted(high, what) if low == high else f"{low:,.0f} to {_counted(high, what)}"


def _counted(number: float, what: str) -> str:
    return f"{number:,.0f} {what}" + "s" * (number != 1)


def plan_ranking(
    assumptions: Assumptions,
    better: float,
    worse: float,
    wanted: float,
    *,
    sizes: Sequence[int] = RANKING_SIZES,
    resampled: Sequence[Assumptions] = (),
    progress: Progress | None = None,
) -> Plan:
    """Find how many raters and cases rank two models rightly with the wanted probability.

    Parameters
    ----------
    assumptions : Assumptions
        Of the raters; the models find the same cases difficult.
    better, worse : float
        Accuracy of the two models, the better one first.
    wanted : float
        P(the better model scores higher), in (½, 1).
    sizes : sequence of int
        Numbers of raters tried.
    resampled : sequence of Assumptions, optional
        The same fitted to other raters and cases (`core.analysis.planning.resamples`): how far the answer
        could move. The models' accuracies stay as they are: they say which difference is to be found.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    Plan
        The fewest readings that are enough. Table: ``truth`` ("majority": a model scores by the label of most
        readings; "shares": by the share of the readings that name its label), ``n_raters``, ``difference``
        (expected difference of the scores; the true one is ``better`` less ``worse``), ``cases_needed`` and
        ``readings_needed``, missing where no number of cases is enough.

    Notes
    -----
    The distribution of the difference over cases is exact (`core.metrics.fineness.model_ranking`); nothing is
    drawn.
    """
    a = assumptions
    rows: list[tuple[str, int, float, int | None, int | None]] = []
    steps = len(TRUTHS) * len(sizes) + len(resampled)
    for truth in TRUTHS:
        for n in sizes:
            if progress is not None:
                progress(len(rows) / steps, f"{raters_in_words(n)} a case, judged by the {_BY[truth]}")
            difference = score_difference(
                better, worse, a.accuracy, n, truth=truth, difficulty=a.difficulty, n_labels=a.n_labels
            )
            cases = difference.cases_needed(wanted)
            rows.append((truth, n, difference.mean, cases, None if cases is None else cases * n))
    columns = ["truth", "n_raters", "difference", "cases_needed", "readings_needed"]
    table = pd.DataFrame(rows, columns=columns).astype({"cases_needed": "Int64", "readings_needed": "Int64"})
    models = f"models of accuracy {better:.3g} and {worse:.3g}"
    enough = table.dropna(subset=["readings_needed"])
    if len(enough) == 0:
        return Plan(
            None,
            None,
            f"No number of cases ranks {models} rightly in {precise(wanted)} of studies.",
            table,
        )
    best = enough.sort_values(["readings_needed", "n_raters"]).iloc[0]
    n, cases = int(best["n_raters"]), int(best["cases_needed"])
    sentence = (
        f"{cases:,} cases with {raters_in_words(n)} each rank {models} rightly in {precise(wanted)} of "
        f"studies, with the fewest readings ({cases * n:,}), judged by the {_BY[best['truth']]}; "
        f"raters of accuracy {a.accuracy:.3g}, {a.source}."
    )
    needed = []
    for place, b in enumerate(resampled):
        if progress is not None:
            progress((len(rows) + place) / steps, f"{place:,} of {len(resampled):,} resamples")
        difference = score_difference(
            better, worse, b.accuracy, n, truth=best["truth"], difficulty=b.difficulty, n_labels=b.n_labels
        )
        needed.append(difference.cases_needed(wanted))
    doubt = ""
    if resampled:
        doubt = (
            f"{_DRAWN_AGAIN.format(n=len(resampled))} ask for {_span(needed, 'case')} with "
            f"{raters_in_words(n)} each."
        )
    return Plan(n, cases, sentence, table, doubt)


_BY = {"majority": "majority's label", "shares": "shares of the readings"}


def model_accuracies(raters: PanelAccuracies) -> dict[str, float]:
    """Accuracy of each model that gives probabilities against the labels that count as right, ties split."""
    codes = {case: i for i, case in enumerate(raters.panel.study.case_ids)}
    rows = np.array([codes[case] for case in raters.panel.case_ids], np.int64)
    found = {}
    for model in raters.panel.task.probability_models:
        predictions = raters.panel.task.predictions[model]
        judged = (raters.truth >= 0) & predictions.covered[rows]
        if judged.any():
            named = order_of_probabilities(predictions.probability[rows[judged]], 1)
            right = named.label == raters.truth[judged][named.case]
            found[model] = float(named.total(named.places.within(1) * right).mean())
    return found


def cases_for(spread: float) -> int:
    """Cases that measure a mean within ± `MARGIN` with 95 % confidence, 1 at least."""
    return max(1, int(np.ceil((1.96 * spread / MARGIN) ** 2)))


def raters_in_words(n: int | None) -> str:
    """A number of raters in words."""
    if n is None:
        return "no number of raters"
    return f"{n:,} rater" + "s" * (n != 1)
