"""The answer to a claimed accuracy in words: what is shown, by which rule, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Collection

from core.analysis.formatting import of_hundred, percent, percent_as_said
from core.analysis.models.claims import ONLY_JUST, few_or_many
from core.analysis.support_words import ONLY_POSSIBLE, TRUTHS
from core.analysis.tour import N_CASES
from core.analysis.tour_claim import MOST_READERS, POSSIBLE, Claim
from core.analysis.tour_proof import range_in_words, wrong_labels
from core.analysis.vendor_questions import (
    AGREEMENT,
    ALIKE,
    CASES,
    DANGER,
    DISPUTED,
    INDEPENDENT,
    MEASURED,
    READERS,
    TRAINED,
    TRUTH,
    TRY_OUT,
    WHO_READ,
)
from core.metrics.adjusted.ceiling import MIDDLE

QUESTIONS = (TRUTH, CASES, WHO_READ, TRAINED, READERS, AGREEMENT, DISPUTED, DANGER, TRY_OUT)
"""What to ask whoever quotes an accuracy, and nothing else."""
EXAMPLE = "Example values. Enter your vendor’s; ask first for any that you were not told."
"""Said while nothing is typed."""
PALE = "Grey numbers are assumed: ask for them."
"""Said where some numbers are typed."""
OWN = "Your numbers."
"""Said where none is an example."""
BARELY = 3
"""A claim lies within what labels support where it is reached in about so many of 100 plausible truths."""
NARROWS = (
    "More cases narrow the range but hardly move it. More readers per case, or readers who agree more, "
    "mostly raise it; but two readers who often disagree reveal what one alone hides."
)
"""What each of the numbers does."""
SUPPORT = "Supported: what these labels can prove. The model may be better."
"""What is supported, said where the word first stands: it is taken for the model’s accuracy otherwise."""
ONCE = "It counts each reading once, as how far these readers can be trusted is not known here."
"""Why the answer counts readings otherwise than Study does of its example."""
GUIDE = (
    "A rough guide, from invented cases of three conditions, for labels decided by readers alone; it says "
    "nothing about biopsy or follow-up."
)
"""For which labels the answer is, in one line."""
WAYS = f"Of 100 ways the truth could be ({TRUTHS})"
"""What plausible truths are, in a note, which nothing explains before."""
OF_CEILING = "The ceiling is what is supported for a model that repeats the majority label."
REFERENCE = "Ask for a stronger reference: biopsy, culture, imaging or follow-up."
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
QUOTED = (
    "Quote the range above. A higher one counts only if the vendor’s own readings support it, which Loupe’s "
    "page Study tests."
)
"""Of a note: whoever is shown another range knows when to accept it."""
_ONLY_JUST = "is just above what these labels support"
_WITH_EACH, _BY_FIVES = 10, 30
"""Numbers of readers up to which each is named, and every fifth; beyond, every tenth."""


def condition(found: Claim, assumed: Collection[str]) -> str:
    """Say what the answer to a claim hangs on that nobody told; empty where it hangs on nothing such.

    ``assumed`` are such numbers: "cases", how many were tested; "readers", how many read each; "agreement",
    how often two agree.
    """
    if _is_useless(found):
        return ""
    cases, ifs = f"{found.n_cases:,} cases", []
    if "readers" in assumed:
        each = f"each of {cases}" if "cases" in assumed else "each case"
        ifs.append(f"{found.n_readers} readers read {each}")
    elif "cases" in assumed:
        ifs.append(f"{cases} were tested")
    if "agreement" in assumed and found.n_readers > 1:
        who = "any two" if "readers" in assumed else "any two readers"
        ifs.append(f"{who} agree {percent(found.agreement)} of the time")
    return f"If {' and '.join(ifs)}:" if ifs else ""


def verdict(found: Claim) -> str:
    """Say what these labels support, and what becomes of the claim."""
    claimed, supported = percent_as_said(found.claimed), range_in_words(found.row)
    if _is_useless(found):
        return f"{claimed} is too low to be useful."
    if found.grade == "unproved" and found.excess > ONLY_JUST:
        return f"These labels support {supported}, not {claimed}."
    said = _said_of(found)
    told = "these labels support " * ("labels support" not in said)
    return f"{claimed} {said}: {told}{supported}."


def reason(found: Claim) -> str:
    """Say in a sentence why the answer is as it is; empty where it hangs on no label."""
    if _is_useless(found):
        return ""
    wrong, n_cases = wrong_labels(found.n_cases, found.ceiling), f"{found.n_cases:,}"
    if not wrong:
        return f"Probably none of the {n_cases} labels is wrong."
    are, which, them = ("is", "one is", "it") if wrong == 1 else ("are", "ones is", "them")
    so = {
        "possible": "the model may be better or worse than claimed",
        "less": f"a model that differs from {them} may be right, but was counted as wrong",
    }.get(found.grade, f"a model that agrees with {them} was counted as right")
    return f"About {wrong:,} of the {n_cases} labels {are} probably wrong, and which {which} unknown: {so}."


def support(found: Claim) -> str:
    """Say what the verdict means by what is supported; empty where it speaks of no such thing."""
    return "" if _is_useless(found) else SUPPORT


def holds(found: Claim, ways: str = f"Of 100 {TRUTHS}") -> str:
    """Say in how many of the plausible truths a model is as good as is supported, and as is claimed.

    They are called ``ways``: `WAYS` where they are first spoken of.
    """
    above = f" The claim lies {few_or_many(found.excess)} above that range." if found.excess else ""
    return (
        f"{ways}, the model’s accuracy lies in the supported range in {100 * MIDDLE:.0f}, and reaches "
        f"{percent_as_said(found.claimed)} in {of_hundred(found.reached)}.{above}"
    )


def guide(found: Claim) -> str:
    """Say for which labels the answer is; empty where it hangs on none."""
    return "" if _is_useless(found) else GUIDE


def to_quote(found: Claim, twice: Claim) -> str:
    """Say which range to quote, and when another; why it is not as on Study; empty where neither counts.

    ``found`` counts each reading once, ``twice`` counts it `TWICE` times.
    """
    if _is_useless(found):
        return ""
    once, more = (range_in_words(one.row) for one in (found, twice))
    tests = "The page Study tests that where it has the readings; in its example, each then counts twice."
    only = f"Quote {more} only if your vendor’s readings pass that test."
    if found.n_readers == 1:
        only = "One reader per case leaves nothing to test."
    elif more == once:
        only = "Counting twice would change nothing here."
    return f"Quote {once} as supported. {ONCE} {tests} {only}"


def quoted(found: Claim) -> str:
    """Say in a note, which may lie beside another one, that another range does not count unasked."""
    return "" if _is_useless(found) or found.n_readers == 1 else QUOTED


def _said_of(found: Claim) -> str:
    """Say what becomes of a claim; one that is only just too high is not spoken of as one that is far off."""
    if found.grade == "unproved" and found.excess <= ONLY_JUST:
        return _ONLY_JUST
    return _VERDICTS[found.grade]


def by_trust(found: Claim, twice: Claim) -> str:
    """Say how much of the answer hangs on trust in the readers, which nobody knows.

    ``found`` counts each reading once, ``twice`` counts it `TWICE` times.
    """
    ends = [range_in_words(one.row) for one in (found, twice)]
    then = "the range stays the same" if ends[0] == ends[1] else f"the labels support {ends[1]}"
    verdict = f"{percent_as_said(found.claimed)} {_said_of(twice)}"
    changes = f", and {verdict}" if twice.grade != found.grade and not _is_useless(found) else ""
    return (
        f"Where readers predict one another well, each reading may count twice: then {then}{changes}. "
        "Agreement alone does not make readers right."
    )


def of_example(n_assumed: int, n_fields: int) -> str:
    """Say whether all fields hold an example, some of them, or none."""
    if n_assumed == n_fields:
        return EXAMPLE
    return PALE if n_assumed else OWN


def questions(told: Collection[str], n_readers: int) -> tuple[str, ...]:
    """Say what is still to be asked of whoever quotes an accuracy.

    Parameters
    ----------
    told : collection of str
        Which of "cases", "readers" and "agreement" are known; their numbers are not asked for again.
    n_readers : int
        Readers of each case; of one alone it is not asked whether they disagreed.
    """
    is_alone = "readers" in told and n_readers == 1
    number_of = "" if is_alone else INDEPENDENT if "readers" in told else READERS
    agreement = ALIKE if is_alone else AGREEMENT
    if "agreement" in told:
        agreement = "" if is_alone else MEASURED
    asked = (
        TRUTH,
        "" if "cases" in told else CASES,
        WHO_READ,
        TRAINED,
        number_of,
        agreement,
        "" if is_alone else DISPUTED,
        DANGER,
        TRY_OUT,
    )
    return tuple(filter(None, asked))


def rule() -> str:
    """Say in how many plausible truths a claim has to hold to be barely possible, and possible."""
    return (
        f"A claim reached in about {BARELY} of 100 {TRUTHS} is barely possible; one reached in "
        f"{100 * POSSIBLE:.0f} or more is {ONLY_POSSIBLE}."
    )


def advice(found: Claim, needed: int | None) -> str:
    """Say what to do, and what to ask for: a stronger reference, where the labels leave a claim in doubt.

    ``needed`` is that of `core.analysis.tour_claim.readers_needed`.
    """
    if _is_useless(found):
        return (
            "Such a model errs more often than not, whatever the labels support. Ask how often giving every "
            "case the most frequent label would be right."
        )
    if found.grade == "less":
        return "Ask whether the number is right, and where the model errs."
    count_on = f"ount on no more than {percent(found.low)}, the low end of the range."
    if not is_open(found, needed):
        return f"C{count_on} Ask where the model errs."
    first = {
        "unproved": "Better labels might show it: do not buy or reject on this number.",
        "barely": f"Do not rely on this number: c{count_on}",
        "possible": "Do not decide yet: with other readers this claim might not even be possible.",
    }[found.grade]
    return f"{first} {REFERENCE}"


def enough(found: Claim, needed: int | None, better: tuple[float, int] | None = None) -> str:
    """Say in a sentence how many readers would leave a claim possible: like these, and who agree more.

    Empty where the labels do not speak against it; ``needed`` is that of
    `core.analysis.tour_claim.readers_needed`, ``better`` those of `better_readers` there, who are named where
    they are fewer.
    """
    if not is_open(found, needed):
        return ""
    claimed = percent_as_said(found.claimed)
    many = f"no number of readers up to {MOST_READERS}" if needed is None else _about(needed, "reader")
    more = ""
    if better is not None and (needed is None or better[1] < needed):
        more = f"; at {percent(better[0])} agreement, {_about(better[1])} per case would"
    whoever = ", whoever the readers are" if found.grade == "possible" and needed is not None else ""
    verb = "makes" if needed is None else "would make"
    at, possible = f"At {percent(found.agreement)} agreement", f"{claimed} possible{whoever}"
    return f"{at}, {many} per case {verb} {possible}{more}."


def _about(n_readers: int, noun: str = "") -> str:
    """Write about how many readers, one of whom is one."""
    many = "one" if n_readers == 1 else f"about {about(n_readers)}"
    return f"{many} {noun}{'s' * (n_readers > 1)}" if noun else many


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


def worked_out(found: Claim) -> tuple[str, ...]:
    """Say how the answer comes about: what ranges are, what moves them, and on which cases."""
    return (
        f"{holds(found)} {OF_CEILING}",
        f"{NARROWS} {rule()}",
        f"{of_what()} {GAMMA}",
    )


def of_what() -> str:
    """Say what the range is of, for which cases, and how exact it is."""
    return (
        f"The answer comes from {N_CASES} simulated cases of the three conditions in step 1. For another "
        "number of cases, as many cases of the same kinds are used. For another level of agreement, the "
        "three conditions are put closer together or farther apart. The model is taken to err where one "
        "that reads the score a little too low would, more or less often, depending on the claim. A "
        "lower claim gets a lower range, because some of the answers that agree with the labels agree with "
        "wrong ones. A claim above the range, in whole percents, cannot be shown."
    )
