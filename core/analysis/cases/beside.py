"""What is said beside the labels that lead a case: what is counted, how exactly, and its other labels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.analysis.cases.case import Case, high_risk_probability, is_known
from core.analysis.cases.first_choices import (
    SHARED,
    are_shared,
    most_put_first,
    most_voted,
    times_put_first,
    votes,
)
from core.analysis.cases.on_record import reference_of
from core.analysis.cases.settle import is_certain
from core.analysis.cases.truths import of_100
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import in_sentence
from core.analysis.reliability.words import divides_no_tie
from core.analysis.tied_labels import TIED, tied_in_words
from core.plausibility.posterior import SampledPosterior
from core.plausibility.simulation_error import is_simulated, leading_error
from core.study.reference_standard import in_words


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
    return f"{words} (counts from a random sample, give or take {points} {noun})"


def use_words(case: Case) -> str:
    """Say in plain words what plausible truths are, and what whoever treats a patient does with them.

    Danger comes first, where it is plausible (`core.analysis.cases.worklist.PLAUSIBLE`); otherwise whether
    one label leads in nearly all (`core.analysis.cases.settle.is_certain`). Empty where nothing is known of
    the case.
    """
    if not is_known(case):
        return ""
    if math.isinf(case.aggregation.reliability):
        return "A point estimate takes the leading label as the truth and hides what else could be right."
    what = "Each plausible truth is one answer that these readings leave open."
    reference = reference_of(case)
    if reference is not None and reference.settles:
        how = f"The study’s reference, established {in_words(reference.standard)}, says which is right"
        return f"{what} {how}: {reference.label}."
    danger = high_risk_probability(case) if case.task.has_risk and case.task.kind != "score" else 0.0
    if danger >= PLAUSIBLE:
        return (
            f"{what} In {of_100(danger)} a high-risk label would be right: the case is not settled until "
            "one is confirmed or all are ruled out."
        )
    if is_certain(case.plausibilities["leads"]):
        return (
            f"{what} In nearly all of them the same label would be right: one more reader would hardly "
            "change that."
        )
    return (
        f"{what} They do not agree on one label: ask one more reader, or keep every label that leads in some "
        "of them."
    )


def kept_words(case: Case, *, is_counted: bool = False) -> str:
    """Say what most readings put first, and the reference; empty where there is neither.

    Whole readings are counted, unless that is done (``is_counted``) label by label elsewhere
    (`core.analysis.cases.contenders`, `core.analysis.cases.by_vote`). A hard label divides the vote of one
    whose first place is tied (Cabitza 2020, eq. 5): it is named where it is another.
    """
    reference = reference_of(case)
    most = _most_votes(case, is_counted=is_counted)
    said = [words for words in (most, reference.sentence if reference else "") if words]
    return " · ".join(said)


def _most_votes(case: Case, *, is_counted: bool) -> str:
    """Name what most readings name or put first, of scores the side of the threshold, with their number."""
    of, n = votes(case), case.readings.n_readings
    if not of:
        return ""
    if is_counted and case.task.kind != "score":
        return ""
    if case.task.kind == "ranking":
        return _most_put_first(case, most_voted(of))
    names, what = _names(case, most_voted(of)), {"score": "scores"}.get(case.task.kind, "readings")
    each = "each " * (len(names) > 1)
    return f"Most {what}: {tied_in_words(names)}, {each}{round(max(of.values()))} of {n}"


def _most_put_first(case: Case, hard: Sequence[int]) -> str:
    """Say which labels most readings put first, how often alone, and the hard label where it is another."""
    front, n = most_put_first(case), case.readings.n_readings
    names, (first, alone) = _names(case, front), times_put_first(case, front[:1])
    readings = f"{first} of {n} {'reading' if n == 1 else 'readings'}"
    if len(front) > 1:
        words = f"{tied_in_words(names).removesuffix(TIED)}: each put first by {readings}"
    else:
        tied = f", alone by {alone}" if alone else ", always tied with another label"
        often = tied if alone < first else ""
        words = f"{names[0]} is put first by {readings}{often}"
    return " · ".join([words, *filter(None, [_hard_label(case, hard)])])


def _hard_label(case: Case, hard: Sequence[int]) -> str:
    """Name the hard label where it is not what most readings put first."""
    if not are_shared(case, hard):
        return ""
    return f"Most votes, {SHARED}: {tied_in_words(_names(case, hard))}"


def _names(case: Case, codes: Sequence[int]) -> list[str]:
    return [in_sentence(case.task.labels[code]) for code in codes]


def tied_words(case: Case) -> str:
    """Say how many readings tie labels, and what that does where a tie is not divided; else empty.

    See `core.analysis.reliability.words.divides_no_tie`. Of a reading for A alone and one that ties B, C and
    D, every one of the three leads more often than A, for A comes behind three labels and each of them
    behind one.
    """
    if case.task.kind != "ranking" or not divides_no_tie(case.aggregation):
        return ""
    n = case.readings.n_readings
    tied = sum(any(len(block) > 1 for block in case.readings.differential(r)) for r in range(n))
    if not tied:
        return ""
    return (
        f"{tied} of {n} readings {'ties' if tied == 1 else 'tie'} labels. A tie is not divided among its "
        "labels: each comes before all that the reading ranks lower or leaves out. So labels that one reader "
        "ties may each lead more often than one that another reader puts first alone (this is how the "
        "Plackett–Luce model counts)."
    )
