"""The answer to a claimed accuracy in words: what is shown, by which rule, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.analysis.formatting import of_hundred, percent, percent_as_said, percent_range
from core.analysis.models.claims import ONLY_JUST, few_or_many
from core.analysis.support_words import ONLY_POSSIBLE, TRUTHS
from core.analysis.tour import N_CASES
from core.analysis.tour_claim import FEW, LEAST_AGREEMENT, MOST_READERS, POSSIBLE, Claim
from core.analysis.tour_proof import ceiling_in_words, range_in_words, wrong_labels
from core.analysis.vendor_questions import (
    AGREEMENT,
    ALIKE,
    CASES,
    DANGER,
    DISPUTED,
    INDEPENDENT,
    READERS,
    TRUTH,
    WHO_READ,
)
from core.metrics.adjusted.ceiling import MIDDLE

QUESTIONS = (TRUTH, CASES, READERS, AGREEMENT, f"{DANGER}.")
"""What to ask whoever names an accuracy, and nothing else."""
EXAMPLE = "Example values. Put in your vendor’s; what you are not told is your first question."
"""Said while nothing is typed."""
OWN = "Your numbers."
"""Said where none is an example."""
BARELY = 3
"""A claim lies within what labels support where it is reached in about so many of 100 plausible truths."""
NARROWS = (
    "More cases narrow the range and hardly move it. More readers a case, or readers who agree more, mostly "
    "lift it; but two readers who often disagree show what one alone hides."
)
"""What each of the numbers does."""
ONE_READER = (
    "Where one reader alone reads each case, nothing shows how often readers would disagree: this range "
    "hardly hangs on it, and what two readers support may lie lower."
)
"""Said in place of what depends on agreement."""
INVENTED = (
    "A rough guide for labels that readers alone gave, worked out on invented cases of three conditions."
)
WAYS = f"Of 100 ways the truth could be ({TRUTHS})"
"""What plausible truths are, where they are first spoken of."""
REFERENCE = "Ask for a firmer reference: biopsy, culture, imaging or follow-up."
"""What to ask a vendor for before readers: no vendor can make readers agree."""
USEFUL = 0.5
"""Claims below it are too low to be useful: such a model errs more often than not."""
GAMMA = "How often each reading counts is called reliability, or γ, on the other pages."
"""Said once, where it is not in the way of whoever never saw the letter."""
TWICE = 2.0
"""Times that each reading counts beside counting once."""
_VERDICTS = {
    "unproved": "cannot be shown by these labels",
    "barely": "is barely possible",
    "possible": f"is {ONLY_POSSIBLE}",
    "less": "is less than these labels support",
}
_ONLY_JUST = "is just above what these labels support"
_WITH_EACH, _BY_FIVES = 10, 30
"""Numbers of readers up to which each is named, and every fifth; beyond, every tenth."""


def verdict(found: Claim, needed: int | None, *, assumed: Collection[str] = ()) -> str:
    """Say what these labels support, and what becomes of the claim.

    ``needed`` is that of `core.analysis.tour_claim.readers_needed`. The answer is one if it is as ``assumed``
    beside numbers that were told: "readers", how many read each case; "agreement", how often two agree.
    """
    said = _verdict(found, needed)
    ifs = []
    if "readers" in assumed:
        ifs.append(f"{found.n_readers} readers read each case")
    if "agreement" in assumed and found.n_readers > 1:
        ifs.append(f"two {'' if ifs else 'readers '}agree in {percent(found.agreement)}")
    if not ifs or _is_useless(found):
        return said
    return f"If {' and '.join(ifs)}, {said[:1].lower()}{said[1:]}"


def _verdict(found: Claim, needed: int | None) -> str:
    """Say the same, whatever is assumed."""
    claimed, supported = percent_as_said(found.claimed), range_in_words(found.row)
    if _is_useless(found):
        return f"{claimed} is too low to be useful."
    if found.grade == "unproved" and found.excess > ONLY_JUST:
        return f"These labels support {supported}, not {claimed}."
    said = _said_of(found)
    if found.grade == "possible" and not _is_enough(found, needed):
        said = "is possible, by the luck of who read"
    told = "these labels support " * ("labels support" not in said)
    return f"{claimed} {said}: {told}{supported}."


def holds(found: Claim) -> str:
    """Say in how many of the plausible truths a claim holds, and what these are."""
    return f"{WAYS}, the model reaches {percent_as_said(found.claimed)} in {of_hundred(found.reached)}."


def reached(found: Claim) -> str:
    """Say the same where it is known what plausible truths are."""
    times = of_hundred(found.reached)
    return f"In {times} of 100 {TRUTHS} the model reaches {percent_as_said(found.claimed)}."


def _said_of(found: Claim) -> str:
    """Say what becomes of a claim; one that is only just too high is not spoken of as one that is far off."""
    if found.grade == "unproved" and found.excess <= ONLY_JUST:
        return _ONLY_JUST
    return _VERDICTS[found.grade]


def shown(found: Claim) -> tuple[tuple[str, str], ...]:
    """Say why the answer is as it is: three facts, each with what it is about.

    The numbers that were typed stand in their fields, and are not said again.
    """
    wrong = wrong_labels(found.n_cases, found.ceiling)
    above = f" The claim lies {few_or_many(found.excess)} above." if found.excess else ""
    return (
        (
            "Labels may be wrong",
            f"About {wrong:,} of {found.n_cases:,} probably are, and nobody knows which. To agree with those "
            "is no merit.",
        ),
        (
            f"Supported: {range_in_words(found.row)}",
            f"In {100 * MIDDLE:.0f} of 100 {TRUTHS} this model’s accuracy lies there.{above}",
        ),
        (
            f"Ceiling: {ceiling_in_words(found.row)}",
            "The most that these labels can support, of any model, however good.",
        ),
    )


def by_trust(found: Claim, twice: Claim) -> str:
    """Say how much of the answer hangs on trust in the readers, which nobody knows, and what to take.

    ``found`` counts each reading once, ``twice`` counts it `TWICE` times.
    """
    ends = [range_in_words(one.row) for one in (found, twice)]
    then = "the range stays the same" if ends[0] == ends[1] else f"the labels support {ends[1]}"
    verdict = f"{percent_as_said(found.claimed)} {_said_of(twice)}"
    changes = f", and {verdict}" if twice.grade != found.grade and not _is_useless(found) else ""
    return (
        f"If you know nothing of the readers, take {ends[0]}: each reading counts once, the cautious choice. "
        f"Where readers predict one another well, each may count twice: then {then}{changes}. Of a study "
        "with readings, the page Study works out how often they may count; that readers agree does not make "
        "them right."
    )


def whatever_agreement(least: float | None, n_readers: int | None = None) -> str:
    """Say what becomes of a claim where nobody tells how often readers agree.

    ``least`` is that of `core.analysis.tour_claim.not_ruled_out_from`; ``n_readers`` is how many are assumed
    to read each case, None where that was told.
    """
    they = "these readers" if n_readers is None else f"{n_readers} readers"
    more = "" if n_readers is None else " With more readers of each case that may be otherwise."
    if least is None:
        return f"However often {they} agree, they cannot show this claim.{more}"
    if least == LEAST_AGREEMENT:
        return f"However often {they} agree, they do not rule this claim out.{more}"
    who = "Readers" if n_readers is None else f"{n_readers} readers"
    return (
        f"{who} who agree in less than about {percent(least)} cannot show this claim; those who agree more "
        f"do not rule it out.{more}"
    )


def by_agreement(ranges: Mapping[float, tuple[float, float]]) -> str:
    """Say what labels support by how often two readers agree.

    ``ranges`` are what they support, in [0, 1], by that share.
    """
    told = [f"in {percent(agreement)}, {percent_range(*ends)}" for agreement, ends in ranges.items()]
    return f"If two readers agree {told[0].replace(',', ', these labels support', 1)}; {'; '.join(told[1:])}."


def of_example(names: Sequence[str], n_fields: int) -> str:
    """Say which fields hold an example: all, some of them by their ``names`` with the values, or none."""
    if len(names) == n_fields:
        return EXAMPLE
    return f"Assumed: {'; '.join(names)}." if names else OWN


def questions(told: Collection[str], n_readers: int) -> tuple[str, ...]:
    """Say what is still to be asked of whoever names an accuracy.

    Parameters
    ----------
    told : collection of str
        Which of "cases", "readers" and "agreement" are known; their numbers are not asked for again.
    n_readers : int
        Readers of each case; of one alone it is not asked whether they disagreed.
    """
    is_alone = "readers" in told and n_readers == 1
    cases = WHO_READ if "cases" in told else CASES
    readers = INDEPENDENT if "readers" in told else READERS
    agreement = DISPUTED if "agreement" in told else AGREEMENT
    if is_alone:
        readers, agreement = "", "" if "agreement" in told else ALIKE
    return tuple(question for question in (TRUTH, cases, readers, agreement, f"{DANGER}.") if question)


def rule() -> str:
    """Say in how many plausible truths a claim has to hold to be barely possible, and possible."""
    return (
        f"A claim that is reached in about {BARELY} of 100 {TRUTHS} is barely possible; in "
        f"{100 * POSSIBLE:.0f} or more, {ONLY_POSSIBLE}."
    )


def advice(found: Claim, needed: int | None) -> str:
    """Say what to do, and what to ask for: a firmer reference, where the labels leave a claim in doubt.

    ``needed`` is that of `core.analysis.tour_claim.readers_needed`.
    """
    if _is_useless(found):
        return (
            "Too low to be useful, whatever labels support: such a model errs more often than not. Ask how "
            "often the most frequent label alone, named in every case, would be right."
        )
    if found.grade == "less":
        return f"Check the number: these labels support {percent(found.low)} or more. Then ask where it errs."
    if not is_open(found, needed):
        return (
            f"These labels do not contradict it, but do not prove it: {_count_on(found)} Ask where it errs."
        )
    first = {
        "unproved": "Neither buy nor refuse on this number: the model may be better than these labels show.",
        "barely": f"Do not build on this number: {_count_on(found)}",
        "possible": "Do not decide yet: by other readers it might not be possible.",
    }[found.grade]
    return f"{first} {REFERENCE}"


def _count_on(found: Claim) -> str:
    """Say how much of a claim that is possible can be relied on."""
    return f"count on no more than {percent(found.low)}, the low end of the range."


def would_pass(found: Claim, needed: int | None, better: tuple[float, int] | None) -> str:
    """Say which readers would leave a claim possible; empty where the labels do not speak against it.

    ``needed`` and ``better`` are those of `core.analysis.tour_claim.readers_needed` and
    `core.analysis.tour_claim.better_readers`.
    """
    if not is_open(found, needed):
        return ""
    claimed, readers = percent_as_said(found.claimed), _readers(needed, better)
    if found.grade == "possible":
        return f"{claimed} would be possible, whoever reads, with {readers}." if readers else ""
    if not readers:
        return f"{claimed} would not be possible with {MOST_READERS} readers a case."
    return f"{claimed} would be possible with {readers}."


def _readers(needed: int | None, better: tuple[float, int] | None) -> str:
    """Say how many readers would be enough: like these if few of them are, else such as agree more.

    Empty where none would be.
    """
    if better is None:
        return "" if needed is None else f"about {about(needed)} readers a case"
    share, n_better = better
    one = n_better == 1
    alike = f"{'where two would agree' if one else 'who agree'} in {percent(share)}"
    if needed is not None and needed <= FEW:
        fewer = f", or {'one' if one else f'about {n_better}'} {alike}" if n_better < needed else ""
        return f"about {about(needed)} readers a case{fewer}"
    enough = f"not even {MOST_READERS} would do" if needed is None else f"it would take about {about(needed)}"
    readers = "one reader" if one else f"about {about(n_better)} readers"
    return f"{readers} a case {alike}; of readers like these {enough}"


def is_open(found: Claim, needed: int | None) -> bool:
    """Whether the labels leave a claim in doubt that could be of use."""
    if _is_useless(found) or found.grade == "less":
        return False
    return found.grade != "possible" or not _is_enough(found, needed)


def _is_useless(found: Claim) -> bool:
    """Whether a claim, supported or not ruled out, is one that nobody could use."""
    return found.claimed < USEFUL and found.grade in ("possible", "less")


def _is_enough(found: Claim, needed: int | None) -> bool:
    """Whether no more readers are needed."""
    return needed is not None and found.n_readers >= needed


def about(n_readers: int) -> int:
    """Round a number of readers up, as far as a simulation can tell it: to 5 beyond 10, to 10 beyond 30."""
    step = 1 if n_readers <= _WITH_EACH else 5 if n_readers <= _BY_FIVES else 10
    return -(-n_readers // step) * step


def of_what() -> str:
    """Say what the range is of, for which cases, and how exact it is."""
    return (
        f"The answer comes from the {N_CASES} invented cases of step 2. For another number of cases, as many "
        "of the same kinds are taken. For another agreement, the three conditions lie closer together or "
        "farther apart. The model is taken to err in the cases in which that of step 2 does, more or less "
        "often, as is claimed: whoever claims less is supported less, for of the answers that agree with the "
        "labels some agree with wrong ones. A claim above the range, in whole percents, cannot be shown."
    )
