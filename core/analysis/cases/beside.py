"""What is said beside the labels that lead a case: what is counted, how exactly, and its other labels."""

from __future__ import annotations

import math

from core.analysis.cases.case import Case, is_known, risk_letter
from core.analysis.cases.first_choices import most_voted, votes
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.analysis.tied_labels import tied_in_words
from core.plausibility.posterior import SampledPosterior
from core.plausibility.simulation_error import is_simulated, leading_error
from core.study.references import reference_codes


def truth_words(case: Case) -> str:
    """Say what a plausible truth is, and how far simulation may have moved the shares of a case.

    Empty where there are none: nothing is known of the case, or doubt is switched off. What is said of draws
    is the 95 % simulation error of the largest share, in whole points, 1 at least. Besides the readings the
    draws depend on the study's seed and the case's id, and not on the number of labels: the same readings
    have other shares in another study, within the errors of both.
    """
    posterior = case.posterior
    if not is_known(case) or math.isinf(case.aggregation.reliability):
        return ""
    words = "Plausible truths: answers that these readings leave open"
    if not isinstance(posterior, SampledPosterior) or not is_simulated(posterior):
        return words
    points = max(1, round(100 * float(leading_error(posterior)[0])))
    noun = "point" if points == 1 else "points"
    draws = f"{posterior.draws.n_draws:,} draws, ± {points} {noun}"
    return f"{words} ({draws}; another study draws anew)"


def kept_words(case: Case) -> str:
    """Say what most readings put first, as a hard label has it, and the reference, if the study has one.

    A reading whose first place is tied divides its vote (Cabitza 2020, eq. 5). Empty where there is neither.
    """
    said = [words for words in (_most_votes(case), _reference(case)) if words]
    return " · ".join(said)


def _most_votes(case: Case) -> str:
    """Name the labels with most votes, of scores the side of the threshold, with their number."""
    of = votes(case)
    if not of:
        return ""
    names = [in_sentence(case.task.labels[code]) for code in most_voted(of)]
    what = {"score": "scores", "choice": "readings"}.get(case.task.kind, "first choices")
    each = "each " * (len(names) > 1)
    number = f"{each}{round(max(of.values()), 2):g} of {case.readings.n_readings}"
    return f"Most {what}: {tied_in_words(names)}, {number}"


def _reference(case: Case) -> str:
    """Name the reference of the case, and say where another label leads."""
    code = int(reference_codes(case.study, case.task)[case.index])
    if code < 0:
        return ""
    differs = is_known(case) and code not in case.leaders
    level = risk_letter(case.task, code)
    risk = f" ({risk_phrase(level)})" if differs and level else ""
    what = "the leading label" if len(case.leaders) == 1 else "all that lead"
    words = f", differs from {what}" if differs else ""
    return f"Reference in the study: {in_sentence(case.task.labels[code])}{risk}{words}"
