"""Which models name danger where it is plausible, what they put first elsewhere, and which are too sure."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from core.analysis.cases.case import Case, high_risk_probability, is_known
from core.analysis.cases.outcome import leads_of
from core.analysis.cases.truths import of_100
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import in_sentence, rounded_percent
from core.analysis.models.finding import listed
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.risk import HIGH
from core.study.model import FloatArray

SURE = 0.7
"""Probability of its first label from which on a model is sure of it."""
TOO_SURE = 0.3
"""By how much that exceeds how often the label leads at least, where a model is surer than readings allow."""
MOST_SAID = 3
"""Different answers of models that are said of a case."""
_SHORT = 2
"""Letters of a name that stands for one of several models without the words that all of them begin with."""
_STAYS = "\u00a0"
"""Blank at which no line ends."""
_TOGETHER = 4
"""Models of which a list by letters stands on one line."""
_BOTH = 2
_MODEL = "Model "
"""Word that such names often begin with."""
_PLACES = {2: "second", 3: "third"}


def warns(case: Case) -> dict[str, bool]:
    """Whether each model that has an answer puts a high-risk label first, in a case of plausible danger.

    Empty where high risk is not plausible, or nothing is known of it. A model that puts labels of high and of
    lower risk first alike warns.
    """
    task = case.task
    if not task.has_risk or not is_known(case) or high_risk_probability(case) < PLAUSIBLE:
        return {}
    return {
        model: bool((task.risk[list(codes)] == HIGH).any()) for model, codes in first_answers(case).items()
    }


def models_words(case: Case, told: Collection[str] = ()) -> str:
    """Say what models make of a case, as `named_danger` does, and who is too sure; ``told`` as there."""
    return " ".join(filter(None, (named_danger(case, told), too_sure(case, told))))


def named_danger(case: Case, told: Collection[str] = ()) -> str:
    """Say which models warn of danger, as they put a high-risk label first, and what the others say first.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    told : collection of str
        Models of which `answers_in_words` stands before it: what they say, whether they warn, and where they
        have danger, is not said again.

    Returns
    -------
    str
        Empty without models that give probabilities, and where nothing is known of the case. A model that
        puts labels of high and of lower risk first alike counts as naming danger. Where high risk is not
        plausible (`core.analysis.cases.worklist.PLAUSIBLE`), or there are no levels, what each puts first, up
        to `MOST_SAID` different answers, those that differ from the readings' before others.
    """
    of = warns(case)
    if not of:
        return _put_first(case)
    names = [model for model, is_warned in of.items() if is_warned]
    misses = [model for model, is_warned in of.items() if not is_warned]
    if not names:
        none = "No model warns" if len(misses) > 1 else f"{misses[0]} does not warn"
        return f"{none} of danger{_further_down(case, told)}."
    unsaid = [model for model in misses if model not in told]
    short = short_names([*unsaid, *names])
    warn = f"{listed_models(names, short)} {'warns' if len(names) == 1 else 'warn'}"
    if not unsaid:
        return f"{warn} of danger."
    return f"{'; '.join(_instead(case, unsaid, short))}: no warning of danger. {warn}."


def _instead(case: Case, models: Sequence[str], short: Mapping[str, str]) -> list[str]:
    """Say what each of some models puts first, up to `MOST_SAID` different answers."""
    by_labels = [
        (codes, [model for model in of if model in models]) for codes, of in models_by_answer(case).items()
    ]
    groups = [(codes, of) for codes, of in by_labels if of]
    said = [
        f"{listed_models(of, short)} {'says' if len(of) == 1 else 'say'} {either(case, codes)}"
        for codes, of in groups[:MOST_SAID]
    ]
    return said + ["others say other labels"] * (len(groups) > MOST_SAID)


def _put_first(case: Case) -> str:
    """Say what models put first in a case where no danger is spoken of."""
    if not is_known(case) or case.task.kind == "score":
        return ""
    by_labels = models_by_answer(case)
    if len(by_labels) == 1:
        ((codes, models),) = by_labels.items()
        who = f"{every_model(len(models)).capitalize()} put" if len(models) > 1 else f"{models[0]} puts"
        return f"{who} {either(case, codes)} first."
    told = sorted(by_labels.items(), key=lambda one: not case.leaders.isdisjoint(one[0]))
    short = short_names([model for _, models in told for model in models])
    said = [f"{_who(models, short)} {either(case, codes)} first" for codes, models in told[:MOST_SAID]]
    if len(told) > MOST_SAID:
        said.append("others put other labels")
    return f"{'; '.join(said)}." if said else ""


def too_sure(case: Case, told: Collection[str] = ()) -> str:
    """Name the model that is surest of a label that leads far less often; empty where none is.

    Of one that is ``told`` its first label, and how sure it is of that, stand before it.

    A model is, where it gives its first label `SURE` or more, and `TOO_SURE` more than the probability that
    the label leads. Nothing is said where doubt is switched off, or nothing is known of the case.
    """
    if not is_known(case) or math.isinf(case.aggregation.reliability) or case.task.kind == "score":
        return ""
    leads = leads_of(case.posterior, case.order.tolist())[0]
    found = []
    for model, probability in _answers(case):
        first = int(probability.argmax())
        sure, often = float(probability[first]), leads.get(first, 0.0)
        if sure >= SURE and sure - often >= TOO_SURE:
            found.append((sure - often, model, first, sure, often))
    if not found:
        return ""
    found.sort(key=lambda one: -one[0])
    (_, model, first, sure, often), others = found[0], [name for _, name, *_ in found[1:]]
    label = in_sentence(case.task.labels[first])
    also = f"; {listed(others)} {'is' if len(others) == 1 else 'are'} overconfident too" if others else ""
    if model in told:
        return f"{model} is too sure: {label} leads in {of_100(often)}{also}."
    leads_in = f"which leads in {of_100(often)}"
    return f"{model} is {rounded_percent(sure)} sure of {label}, {leads_in}{also}."


def answers_in_words(case: Case) -> dict[str, str]:
    """Say of each model that has an answer what it puts first, where danger is, and that it does not warn.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.

    Returns
    -------
    dict of str to str
        A sentence by model: “Model A puts Eczema first (52 %), Cellulitis second (37 %): no warning of
        danger.” Danger is named only where it is second or third, and the end is left out where no model
        warns, as that is said of all.
    """
    if case.task.kind == "score":
        return {}
    first, of = first_answers(case), warns(case)
    silent = {model for model, is_warned in of.items() if not is_warned} if any(of.values()) else set()
    return {
        model: f"{model} puts {either(case, first[model])} first "
        f"({rounded_percent(float(probability.max()))}){_danger_behind(case, probability)}"
        f"{': no warning of danger' * (model in silent)}."
        for model, probability in _answers(case)
    }


def _danger_behind(case: Case, probability: FloatArray) -> str:
    """The likeliest high-risk label of a model, in its place behind the first."""
    place, share, code = _riskiest(case, probability)
    if place not in _PLACES or share == 0:
        return ""
    return f", {in_sentence(case.task.labels[code])} {_PLACES[place]} ({rounded_percent(share)})"


def _riskiest(case: Case, probability: FloatArray) -> tuple[int, float, int]:
    """The likeliest high-risk label of a model: its place, its probability, and which it is; 0 for none."""
    risky = case.task.risk == HIGH
    code = int(np.where(risky, probability, -1.0).argmax())
    share = float(probability[code]) if risky.any() else 0.0
    return 1 + int((probability > share).sum()), share, code


def first_answers(case: Case) -> dict[str, tuple[int, ...]]:
    """What each model that has an answer puts first, its most probable labels."""
    answers = dict(_answers(case))
    return {
        model: tuple(order_of_probabilities(of[None, :], 1).label.tolist()) for model, of in answers.items()
    }


def models_by_answer(case: Case) -> dict[tuple[int, ...], list[str]]:
    """Models that have an answer, by what they put first."""
    by_codes: dict[tuple[int, ...], list[str]] = {}
    for model, codes in first_answers(case).items():
        by_codes.setdefault(codes, []).append(model)
    return by_codes


def short_names(models: Sequence[str]) -> dict[str, str]:
    """Name models in the order in which a sentence does: Model A, then B, where all names begin alike.

    They are whole where more than a letter or two would be left.
    """
    words = [name.rsplit(" ", 1) for name in models]
    is_short = all(len(of) == 2 and of[1].isalpha() and len(of[1]) <= _SHORT for of in words)
    if not is_short or len({of[0] for of in words}) > 1:
        return {name: name for name in models}
    return {
        name: of[1] if place else name for place, (name, of) in enumerate(zip(models, words, strict=True))
    }


def listed_models(models: Sequence[str], short: Mapping[str, str]) -> str:
    """List models as `named_models` calls them: Models A and C.

    Letters that stand for names stay beside each other and the word before them, where they are few.
    """
    names = listed(named_models(models, short))
    return names.replace(" ", _STAYS) if _are_letters(models, short) and len(models) <= _TOGETHER else names


def row_of_models(models: Sequence[str], short: Mapping[str, str]) -> str:
    """Name models in a row that may be narrow: Models, and on one line with it or the next A, C, D."""
    return f",{_STAYS if _are_letters(models, short) else ' '}".join(named_models(models, short))


def _are_letters(models: Sequence[str], short: Mapping[str, str]) -> bool:
    """Whether letters stand for all of several models but the first."""
    return len(models) > 1 and short[models[1]] != models[1]


def named_models(models: Sequence[str], short: Mapping[str, str]) -> list[str]:
    """Name models as `short_names` does; where one word stands for all of them: Models A, then C."""
    names = [short[model] for model in models]
    is_of_models = _are_letters(models, short) and names[0].startswith(_MODEL)
    return [names[0].replace(_MODEL, "Models ", 1), *names[1:]] if is_of_models else names


def every_model(n: int) -> str:
    """Name all of several models together: both models, all 4 models."""
    return "both models" if n == _BOTH else f"all {n:,} models"


def either(case: Case, codes: Sequence[int]) -> str:
    """Name labels of which one is meant: Melanoma or Melanocytic Nevus."""
    return " or ".join(in_sentence(case.task.labels[code]) for code in codes)


def _answers(case: Case) -> Iterator[tuple[str, FloatArray]]:
    """Probabilities of each model that has an answer to the case."""
    for model in case.task.probability_models:
        predictions = case.task.predictions[model]
        if predictions.covered[case.index]:
            yield model, predictions.probability[case.index]


def _closest(case: Case) -> tuple[str, str]:
    """Which model comes closest to naming danger, and where: second, or else third; empty for none."""
    found = []
    for model, probability in _answers(case):
        place, share, code = _riskiest(case, probability)
        found.append((place, -share, model, code))
    place, share, model, code = min(found)
    if place not in _PLACES or share == 0:
        return "", ""
    return model, f"{in_sentence(case.task.labels[code])} {_PLACES[place]} ({rounded_percent(-share)})"


def _further_down(case: Case, told: Collection[str]) -> str:
    """Which model comes closest to naming danger where none does, unless that is ``told``."""
    model, where = _closest(case)
    return f"; {model} has {where}" if model and model not in told else ""


def _who(models: Sequence[str], short: Mapping[str, str]) -> str:
    return f"{listed_models(models, short)} {'puts' if len(models) == 1 else 'put'}"
