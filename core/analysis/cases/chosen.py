"""What some of the plausible truths of a case have in common: who leads there, and which models are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.cases.case import ANY_OTHER, Case, is_known, risk_letter
from core.analysis.cases.simplex import RISK_WORDS
from core.analysis.cases.truths import of_100
from core.analysis.formatting import in_sentence, percent
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.plausibility.posterior import NO_LABEL, SampledPosterior
from core.study.model import FloatArray

MOST_NAMED = 4
"""Labels and models that the statement on chosen truths names; others are counted together."""
_LEAST = 0.005
"""Mean share below which a label is not worth a word."""


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
    shares : DataFrame
        ``label``, ``risk`` and ``share``, its mean plausibility in them, the largest first.
    seconds : DataFrame
        As ``leaders``, of the label with the second largest plausibility.
    leads : tuple of float
        Of the label that leads in most of them: the share of all the truths in the picture in which it leads,
        and the probability that it does.
    n_drawn : int
        Draws that this probability is reckoned from; 0 where it is exact.
    """

    n: int
    of: int
    leaders: pd.DataFrame
    models: pd.DataFrame
    shares: pd.DataFrame
    seconds: pd.DataFrame
    leads: tuple[float, float]
    n_drawn: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """Say it in words: who leads, and which models are right.

        Where a single label leads in all of them, which says nothing of truths that were chosen for it, what
        else they share: plausibilities, and who comes second.
        """
        words = (self._of_one_leader if self._has_one_leader else self._of_leaders)()
        return (*words, self._of_models()) if len(self.models) else words

    @property
    def _has_one_leader(self) -> bool:
        return len(self.leaders) == 1 and self.leaders["label"].iloc[0] != ANY_OTHER

    def _of_leaders(self) -> tuple[str, ...]:
        leads = _counted(self.leaders)
        return (f"In the {self.n} chosen truths {_first(leads, 'leads', 'label')}.",)

    def _of_one_leader(self) -> tuple[str, ...]:
        """Shares and seconds, and how many truths are in the picture of how many."""
        leader = self.leaders["label"].iloc[0]
        named = _named(self.leaders)[0]
        own = self.shares["label"] == leader
        # What rounds to nothing has no place among what is shared.
        others = self.shares[~own & (self.shares["share"] >= _LEAST)].head(MOST_NAMED - 1)
        shares = [
            f"{name} {percent(share)}" for name, share in zip(_named(others), others["share"], strict=True)
        ]
        mean = percent(self.shares.loc[own, "share"].iloc[0])
        beside = f", {_joined(shares)}" if shares else ""
        words = [
            f"In the {self.n} chosen truths {named} always leads. Mean shares: "
            f"{in_sentence(leader)} {mean}{beside}."
        ]
        if len(self.seconds):
            words.append(f"In these, {_first(_counted(self.seconds), 'comes second', 'label')}.")
        shown, all_ = map(of_100, self.leads)
        if self.n_drawn != self.of:
            where = f"in {shown} truths that the picture shows, and in {all_} altogether"
            words.append(f"{in_sentence(leader)} leads {where}.")
        return tuple(words)

    def _of_models(self) -> str:
        right = [
            f"{model} in {percent(truths / self.n)}"
            for model, truths in zip(self.models["model"], self.models["right"], strict=True)
        ]
        return f"If one of them is the truth, the first label of {_first(right, 'is right', 'model')}."


def _named(table: pd.DataFrame) -> list[str]:
    """Labels of a table as a sentence names them, with high risk."""
    risks = [f", {RISK_WORDS[letter]}," if letter == "H" else "" for letter in table["risk"]]
    return [f"{in_sentence(label)}{risk}" for label, risk in zip(table["label"], risks, strict=True)]


def _counted(table: pd.DataFrame) -> list[str]:
    """Labels of a table, each with the number of its truths."""
    return [f"{name} in {n}" for name, n in zip(_named(table), table["truths"], strict=True)]


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _first(said: Sequence[str], verb: str, noun: str) -> str:
    """Join what is said of each with a verb after the first name; of many the first are named."""
    name, _, rest = said[0].rpartition(" in ")
    words = [f"{name} {verb} in {rest}", *said[1:MOST_NAMED]]
    more = len(said) - MOST_NAMED
    if more > 0:
        words.append(f"{more:,} more {noun}{'s' * (more > 1)} less often")
    return _joined(words)


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
    n = len(kept)
    leaders, seconds = (_places(case, some, place) for place in (0, 1))
    models = [
        (name, float(RankedLabels(some, order_of_probabilities(row, 1)).top_k_accuracy(1)[0]) * n)
        for name, row in _predicted(case).items()
    ]
    return Chosen(
        n,
        draws.n_draws,
        leaders,
        _descending(pd.DataFrame(models, columns=["model", "right"]), "right"),
        _shares(case, some),
        seconds,
        _leads(case, leaders["label"].iloc[0]),
        case.posterior.draws.n_draws if isinstance(case.posterior, SampledPosterior) else 0,
    )


def _places(case: Case, some: SampledPosterior, place: int) -> pd.DataFrame:
    """In how many draws each label has a place, 0 for the first: labels that nobody mentioned are one row."""
    n_candidates = len(some.candidates.label)
    code = some.leaders(place + 1)[0, :, place].astype(np.int64)
    code = code[code != NO_LABEL]
    # Candidates of a single case: codes are their slots.
    truths = np.bincount(np.where(code < 0, n_candidates, code), minlength=n_candidates + 1)
    table = _labels(case, some).assign(truths=truths)
    return _descending(table[table["truths"] > 0], "truths")


def _shares(case: Case, some: SampledPosterior) -> pd.DataFrame:
    """Mean plausibility of each label, and of all that nobody mentioned together."""
    value = np.append(some.draws.value.mean(axis=1), some.draws.rest[0].mean()).astype(float)
    return _descending(_labels(case, some).assign(share=value), "share")


def _labels(case: Case, some: SampledPosterior) -> pd.DataFrame:
    """Labels and risk letters of the candidates, and of any other label."""
    codes = some.candidates.label
    names = [*(case.task.labels[k] for k in codes), ANY_OTHER]
    return pd.DataFrame({"label": names, "risk": [*(risk_letter(case.task, k) for k in codes), ""]})


def _leads(case: Case, label: str) -> tuple[float, float]:
    """How often a label leads in the draws that are shown, and in all; NaN for those that nobody named."""
    if label == ANY_OTHER:
        return np.nan, np.nan
    code = np.array([[case.task.labels.index(label)]])
    shown, all_ = (float(of.top1.at(of.candidates.locate(code))[0, 0]) for of in (case.draws, case.posterior))
    return shown, all_


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
