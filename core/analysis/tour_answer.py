"""The answer to a claimed accuracy in words: what is shown, by which rule, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.analysis.formatting import of_hundred, percent, percent_as_said
from core.analysis.models.claims import ONLY_JUST, few_or_many
from core.analysis.note import Rows
from core.analysis.support_words import ONLY_POSSIBLE, TRUTHS
from core.analysis.tour import N_CASES
from core.analysis.tour_claim import LEAST_AGREEMENT, MOST_READERS, POSSIBLE, Claim
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
INVENTED = "A rough guide, worked out on invented cases of three conditions."
WAYS = f"Of 100 ways the truth could be ({TRUTHS})"
"""What plausible truths are, where they are first spoken of."""
REFERENCE = "Ask for a firmer reference: biopsy, culture, imaging or follow-up."
"""What to ask a vendor for before readers: no vendor can make readers agree."""
USEFUL = 0.5
"""Claims below it are too low to be useful: such a model errs more often than not."""
ONLY_IF = "If readers alone decided what is true; of biopsy or follow-up this says nothing."
"""For which labels the answer is."""
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


def only_if(found: Claim) -> str:
    """Say for which labels the answer is; empty where it hangs on none."""
    return "" if _is_useless(found) else ONLY_IF


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
            f"In {100 * MIDDLE:.0f} of 100 {TRUTHS} this model’s accuracy lies there; in "
            f"{of_hundred(found.reached)} it reaches {percent_as_said(found.claimed)}.{above}",
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
    if least is None:
        return f"However often {they} agree, they cannot show this claim."
    if least == LEAST_AGREEMENT:
        return f"However often {they} agree, they do not rule this claim out."
    who = "Readers" if n_readers is None else f"{n_readers} readers"
    return (
        f"{who} who agree in less than about {percent(least)} cannot show this claim; those who agree more "
        "do not rule it out."
    )


def supported_if(found: Mapping[str, Claim]) -> Rows:
    """Lay out what labels support of a claim by what is taken for it: what holds then."""
    rows = [(words, range_in_words(one.row).replace(" ", "\u00a0")) for words, one in found.items()]
    return Rows("What labels support", ("If", "Supported"), tuple(rows))


def by_agreement(found: Sequence[Claim]) -> dict[str, Claim]:
    """Name claims that differ in how often two readers agree, as `supported_if` takes them."""
    return {f"Two readers agree in {percent(one.agreement)}": one for one in found}


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


def enough(found: Claim, needed: int | None) -> str:
    """Say how many readers like these would leave a claim possible, if any number would.

    Empty where the labels do not speak against it; ``needed`` is that of
    `core.analysis.tour_claim.readers_needed`.
    """
    if not is_open(found, needed):
        return ""
    claimed = percent_as_said(found.claimed)
    if needed is None:
        return (
            f"At this agreement no number of readers up to {MOST_READERS} a case makes {claimed} possible: "
            "more readers alone do not help."
        )
    whoever = ", whoever reads," if found.grade == "possible" else ""
    return (
        f"At this agreement {claimed} would be possible{whoever} with about {about(needed)} readers a case."
    )


def better(found: Claim, needed: int | None, readers: tuple[float, int] | None) -> str:
    """Say how many readers who agree more would be enough, where these are fewer.

    Empty where the labels do not speak against a claim, or no such number would be; ``readers`` are those of
    `core.analysis.tour_claim.better_readers`.
    """
    if not is_open(found, needed) or readers is None:
        return ""
    share, n_readers = readers
    if needed is not None and needed <= n_readers:
        return ""
    how_many = "one" if n_readers == 1 else f"about {about(n_readers)}"
    return (
        f"Where two readers agree in {percent(share)}, {how_many} a case would be enough for "
        f"{percent_as_said(found.claimed)} to be possible."
    )


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
        f"The answer comes from {N_CASES} invented cases of the three conditions of step 1. For another "
        "number of cases, as many of the same kinds are taken. For another agreement, the three conditions "
        "lie closer together or farther apart. The model is taken to err where one does that reads the skin "
        "score a little too low, more or less often, as is claimed: whoever claims less is supported less, "
        "for of the answers that agree with the labels some agree with wrong ones. A claim above the range, "
        "in whole percents, cannot be shown."
    )
