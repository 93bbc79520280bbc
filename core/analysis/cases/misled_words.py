"""Where plain accuracy misleads in a case, in two sentences: whom it counts how, and what is likelier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.cases.by_vote import MOST_NAMED, voted_first
from core.analysis.cases.case import Case
from core.analysis.cases.headline import MOST_TIED
from core.analysis.cases.misleads import counted_words, is_far
from core.analysis.cases.named_danger import either, every_model, listed_models, models_by_answer, short_names
from core.analysis.cases.outcome import leads_of
from core.analysis.cases.truths import times
from core.analysis.formatting import in_sentence
from core.analysis.models.finding import listed


@dataclass(frozen=True)
class _Answer:
    """An answer that accuracy misleads about.

    Attributes
    ----------
    codes : tuple of int
        Labels that are put first, several where they are alike.
    models : list of str
        Who puts them first.
    counted, right : float
        How far accuracy counts it as right, and in which share of the plausible truths it is.
    """

    codes: tuple[int, ...]
    models: list[str]
    counted: float
    right: float

    @property
    def is_too_high(self) -> bool:
        """Whether accuracy counts it as righter than it is."""
        return self.counted > self.right


def misled_words(case: Case) -> str:
    """Say whom plain accuracy counts right or wrong against most plausible truths, and what is likelier.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.

    Returns
    -------
    str
        Empty where accuracy misleads about no model, as `core.analysis.cases.misleads` has it: never under a
        point estimate, for scores, and where nothing is known of the case.
    """
    front = voted_first(case)
    if not front:
        return ""
    answers, leads = models_by_answer(case), leads_of(case.posterior, case.order.tolist())[0]
    found = _misleading(case, front, answers, leads)
    if not found:
        return ""
    counted = _counted(case, found, sum(map(len, answers.values())), len(front))
    return f"Accuracy goes by majority vote: it counts {counted}. {_likelier(case, found, leads)}."


def _misleading(
    case: Case,
    front: Sequence[int],
    answers: Mapping[tuple[int, ...], list[str]],
    leads: Mapping[int, float],
) -> list[_Answer]:
    """Answers that accuracy misleads about; what it counts as right comes before what it counts as wrong."""
    every = leads_of(case.posterior, [code for codes in answers for code in codes])[0]
    told = [
        _Answer(
            codes,
            models,
            len(set(codes) & set(front)) / len(codes) / len(front),
            sum(leads.get(code, every[code]) for code in codes) / len(codes),
        )
        for codes, models in answers.items()
    ]
    return sorted((one for one in told if is_far(one.counted, one.right)), key=lambda one: -one.counted)


def _counted(case: Case, found: Sequence[_Answer], n_models: int, n_front: int) -> str:
    """Say how accuracy counts which models, for what; of a great many models how many they are."""
    short = short_names([model for one in found for model in one.models])
    said: list[str] = []
    for one in found:
        who, n = listed_models(one.models, short), len(one.models)
        if n == n_models > 1:
            who = every_model(n)
        elif n > MOST_NAMED:
            who = f"{n:,} of {n_models:,} models"
        here, tie = " here" * (not said), ", as votes tie" * (n_front > 1 and 0 < one.counted < 1)
        said.append(f"{who} as {counted_words(one.counted)}{here} for saying {either(case, one.codes)}{tie}")
    return ", and ".join(said)


def _likelier(case: Case, found: Sequence[_Answer], leads: Mapping[int, float]) -> str:
    """Say which label is likelier; where none is, that what models say is in doubt, and how likely it is."""
    high = [one for one in found if one.is_too_high]
    leaders = sorted(case.leaders, key=lambda code: -leads[code])
    if not high and len(found) == 1:
        is_first = set(found[0].codes) <= case.leaders and len(leaders) == 1
        return f"That is {'the likeliest label: ' if is_first else 'right in '}{_of_100(found[0].right)}"
    if len(high) == 1 and case.leaders.isdisjoint(high[0].codes):
        names = [in_sentence(case.task.labels[code]) for code in leaders]
        who = listed(names) if len(names) <= MOST_TIED else f"{len(names):,} labels"
        verb = "is" if len(names) == 1 else "are each"
        often = f"{_of_100(leads[leaders[0]])}, against {times(high[0].right)}"
        return f"{who[:1].upper()}{who[1:]} {verb} likelier: {often}"
    if len(found) == 1:
        clearly = "clearly " * (len(leaders) > 1)
        only = f"that is right in only {_of_100(found[0].right)}"
        return f"No label is {clearly}likelier, but {only}: the answer is in doubt rather than wrong"
    first, *others = found
    said = f"{either(case, first.codes)} is right in {_of_100(first.right)}"
    also = ", ".join(f"{either(case, one.codes)} in {times(one.right)}" for one in others)
    return f"{said[:1].upper()}{said[1:]}, {also}"


def _of_100(share: float) -> str:
    return f"{times(share)} of 100 plausible truths"
