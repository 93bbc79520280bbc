"""What leaves a case open, in the few lines that matter most, and what would be useful next."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases.case import Case, high_risk_probability, is_known, plausibility_table
from core.analysis.cases.danger_reasons import (
    COLUMNS,
    MORE,
    ONE_MORE,
    WITHOUT,
    danger_reasons,
    expected_words,
    first_of_each,
)
from core.analysis.cases.firmer import firmer_words, first_words, then_words
from core.analysis.cases.headline import LEAST_NAMED
from core.analysis.cases.left_out import LeftOut, beside, left_out, without_words
from core.analysis.cases.outcome import CLEARLY, MOST_NAMED, Outcome, change_between, named
from core.analysis.cases.reasons import most_put_first, times_first
from core.analysis.cases.truths import (
    TIED,
    about_100,
    leaders_alike,
    moved,
    of_100,
    of_hundred_truths,
    times,
)
from core.analysis.cases.what_if import Reading, said_in
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import in_sentence
from core.analysis.models.finding import listed
from core.metrics.risk import HIGH

WORTH = 0.10
"""Difference of high risk, by what a further reading says, from which on the reading is worth asking for."""
SETTLED = 0.95
"""Certainty from which on nobody asks why a case is uncertain, but what could still change it."""
OFTEN = 0.1
"""Share of the plausible truths in which a label leads from which on a question about the case names it."""
WEIGHTY = 10
"""Percent of plausible truths from which on high risk that one more reading cannot rule out wants a firmer
reference first; another reader comes second."""
_Row = tuple[str, str, str, float, float, float, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Settle:
    """What leaves a case open, and what would settle it.

    Attributes
    ----------
    because : str
        What the readings put first.
    table : DataFrame
        As `core.analysis.cases.danger_reasons.danger_reasons` gives it; where high risk is not plausible, the
        same of the certainty of whichever label leads, with ``more`` NaN.
    is_danger : bool
        Whether the table is about high risk.
    action : str
        What would be useful next, as one line.
    """

    because: str
    table: pd.DataFrame
    is_danger: bool
    action: str


def is_certain(leads: pd.Series) -> bool:
    """Whether a label is said to lead in so many of a hundred truths that nobody asks why it is uncertain."""
    return bool(round(100 * float(leads.max())) >= round(100 * SETTLED))


def is_settled(case: Case) -> bool:
    """Whether nobody needs to ask what would settle a case; never so where doubt is switched off."""
    is_point = math.isinf(case.aggregation.reliability)
    return is_known(case) and not is_point and is_certain(case.plausibilities["leads"])


def to_confirm(case: Case) -> str:
    """Say what confirms a danger that the readings leave no doubt of, as `Settle.action` is said; else empty.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    """
    if not is_settled(case) or not case.task.has_risk or case.task.kind == "score":
        return ""
    danger = high_risk_probability(case)
    if danger < 1 - PLAUSIBLE:
        return ""
    return f"{first_words(_plausible_danger(case), danger)}. No further reading is needed to see the danger."


def settle(case: Case, of: LeftOut | None = None, told: Collection[int] = ()) -> Settle | None:
    """Say what leaves a case open; None of scores, where nothing is known, and without doubt.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it, changed readings included.
    of : LeftOut, optional
        What `core.analysis.cases.left_out.left_out` gives for it, where that is known already.
    told : collection of int
        Readings of which it is said already what would be without them: no line is about these alone.
    """
    if not is_known(case) or case.task.kind == "score" or math.isinf(case.aggregation.reliability):
        return None
    said = said_in(case.readings, 0)
    of = of or left_out(case)
    danger = danger_reasons(case, of)
    if len(danger):
        return Settle(_because(case, said), _untold(danger, told), True, _of_danger(case, danger))
    rows, action = _of_certainty(case, said, of)
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return Settle(_because(case, said), _untold(table, told), False, action)


def _untold(table: pd.DataFrame, told: Collection[int]) -> pd.DataFrame:
    """The lines that are not about readings alone of which the same is said already."""
    is_told = [bool(readings) and set(readings) <= set(told) for readings in table["readings"]]
    return table[~np.array(is_told, bool)].reset_index(drop=True)


def _because(case: Case, said: Sequence[Reading]) -> str:
    """Say in how many readings the labels that lead stand first, alone or tied."""
    n, leaders = len(said), sorted(case.leaders, key=case.order.tolist().index)
    if n == 1:
        return "There is only one reading."
    if len(leaders) > 1:
        counts = [times_first(label, said) for label in leaders]
        most = max(counts)
        by = f"none of them is put first by {f'more than {most} of {n} readings' if most else 'any reading'}"
        if most and min(counts) == most:
            by = f"each is put first by {most} of {n} readings"
        alike = leaders_alike(case)
        lead = "tie for the lead" if alike == TIED else f"are {alike}"
        return f"{len(leaders)} labels {lead}; {by}."
    leader = most_put_first(case, said)
    name, first = in_sentence(case.task.labels[leader]), times_first(leader, said)
    if not first:
        return f"None of {n} readings puts {name} first: it leads by all their places together."
    tied = sum(leader in reading.blocks[0] and len(reading.blocks[0]) > 1 for reading in said)
    if first < n:
        others = f", and {tied} only {'ties' if tied == 1 else 'tie'} it with another" if tied else ""
        return (
            f"{n - first} of {n} readings {'does' if n - first == 1 else 'do'} not put {name} first{others}."
        )
    also = f", {tied} of them tied with another label" if tied else ""
    return f"All {n} readings put {name} first{also}."


def _of_danger(case: Case, danger: pd.DataFrame) -> str:
    """A stronger reference where danger weighs, readings that tell it from none, or that a few do not."""
    rows, plausible = danger[danger["kind"] == ONE_MORE], _plausible_danger(case)
    before = float(danger["before"].iloc[0])
    least = float(np.nanmin(danger[["before", "after", "more"]].to_numpy(float)))
    first = first_words(plausible, before) + _named_too(case, plausible, before)
    if before >= 1 - PLAUSIBLE:
        often = about_100(least) if times(least) == times(before) else f"{of_100(least)} or more"
        return f"{first}. No further reading is needed to see the danger: it stays at {often}."
    asked = _readers_asked(rows)
    either = _either_of(case, plausible["code"].tolist()) if asked else ""
    if round(100 * before) >= WEIGHTY and float(rows["after"].min()) >= PLAUSIBLE:
        first = f"{first}."
        if not asked:
            return f"{first} A few more readings would hardly change the danger."
        if asked == 1:
            return f"{first} One more reader does not replace that, but says what is likelier: {either}."
        more = f"{MORE} more readers (one would hardly change the danger) do not replace that, but say"
        return f"{first} {more} what is likelier: {either}."
    firmer = firmer_words(plausible)
    if not asked:
        return f"discuss it: a few more readings would hardly change the danger. {firmer}"
    then = rows["after" if asked == 1 else "more"]
    is_open = then.min() >= PLAUSIBLE and then.max() <= 1 - PLAUSIBLE
    readers = "one more reader" if asked == 1 else f"{MORE} more readers"
    alone = "" if asked == 1 else "; one alone would hardly change the danger"
    also = firmer if is_open else then_words(plausible)
    return f"ask {readers} whether it is {either}{alone}. {also}".rstrip()


def _readers_asked(rows: pd.DataFrame) -> int:
    """How many further readings are worth asking for, by how far they move high risk; 0 for none."""
    if len(rows) < 2:
        return 0
    one, more = (float(rows[column].max() - rows[column].min()) for column in ("after", "more"))
    return 1 if one >= WORTH else MORE if more >= WORTH else 0


def _plausible_danger(case: Case) -> pd.DataFrame:
    """The labels of high risk that are plausible, or else lead most often, with what settles each.

    ``code``, ``label``, ``leads`` (truths of a hundred) and ``settled_by``.
    """
    table = plausibility_table(case).iloc[: len(case.order)]
    by = [case.task.settled_by[code] for code in case.order.tolist()]
    table = table.assign(code=case.order, leads=of_hundred_truths(case), settled_by=by)
    of_high = table[table["risk"] == "H"]
    plausible = of_high[of_high["leads"] >= LEAST_NAMED]
    if len(plausible) or of_high.empty:
        return plausible
    return of_high[of_high["code"].isin(first_of_each(case)[0])]


def _named_too(case: Case, plausible: pd.DataFrame, danger: float) -> str:
    """Name dangers that readings name and that lead too seldom to be told, as the end of a sentence.

    Nothing where what is left of danger is told already, or of labels that lead in none.
    """
    is_told = round(100 * danger) - int(plausible["leads"].sum()) >= LEAST_NAMED
    if is_told or len(plausible) > MOST_NAMED:
        return ""
    leads = dict(zip(case.order.tolist(), of_hundred_truths(case).tolist(), strict=False))
    others = [
        f"{in_sentence(case.task.labels[code])} ({n})"
        for code, n in leads.items()
        if case.task.risk[code] == HIGH and n > 0 and code not in plausible["code"].tolist()
    ]
    return f"; also named: {listed(others)}" if others else ""


def _of_certainty(case: Case, said: Sequence[Reading], of: LeftOut | None) -> tuple[list[_Row], str]:
    """What becomes of certainty without a reading and with one more, and whether the latter is worth it."""
    labels = case.order[:2].tolist()
    variants = [[*said, Reading(((label,),))] for label in labels]
    base, further = beside(case, said, variants, of)
    now = float(case.posterior.certainty(1)[0])
    rows = [] if of is None else _without(case, now, of.base, of.without)
    moves = False
    for label, other in zip(labels, further, strict=True):
        change = change_between(case, base, other)
        moves |= bool(change.effect) or abs(change.points) >= CLEARLY
        expected, then = expected_words(case, label), change.certainty
        is_same = abs(change.points) < CLEARLY
        becomes = f"stays at {about_100(then)}" if is_same else f"becomes {of_100(then)}"
        words = f"would {change.words}" if change.effect else f"certainty {becomes}"
        sentence = f"If one more reading puts it first{expected}, {'it ' * bool(change.effect)}{words}."
        head = f"One more for {in_sentence(case.task.labels[label])}"
        rows.append((ONE_MORE, head, sentence, now, then, math.nan, ()))
    if moves:
        return rows, f"ask one more reader whether it is {_either(case, labels)}."
    if now >= SETTLED:
        return rows, "nothing: one more reading would hardly change it."
    return (
        rows,
        f"discuss it, or ask many more readers: one alone moves certainty by less than {CLEARLY:.0f} points.",
    )


def _without(case: Case, now: float, base: Outcome, others: Sequence[Outcome]) -> list[_Row]:
    """The reading without which certainty is highest, or that it hardly rises without any."""
    if not others:
        return []
    place = max(range(len(others)), key=lambda r: others[r].certainty)
    change = change_between(case, base, others[place])
    then = change.certainty
    if change.points < CLEARLY:
        stays = times(then) == times(now)
        often = f"stays at {about_100(then)}" if stays else f"is at most {of_100(then)}"
        words = f"Whichever is left out, the certainty of the leading label {often}."
        return [(WITHOUT, "No single reading makes it so", words, now, then, math.nan, ())]
    most = others[place]
    as_much = [
        r
        for r, of in enumerate(others)
        if of.leaders == most.leaders and 100 * (most.certainty - of.certainty) < CLEARLY
    ]
    any_of = ", whichever of them is left out" if len(as_much) > 1 else ""
    rises = f"Certainty would rise from {moved(now, then, ' to ')}"
    words = (
        f"Leaving {'one' if any_of else 'it'} out would {change.words}" if change.effect else rises + any_of
    )
    return [(WITHOUT, without_words(case, as_much), f"{words}.", now, then, math.nan, tuple(as_much))]


def _either(case: Case, labels: Sequence[int]) -> str:
    """Name the labels of a question."""
    return " or ".join([named(case, [label]) for label in labels] + ["another label"] * (len(labels) < 2))


def _either_of(case: Case, dangerous: Sequence[int]) -> str:
    """Name the labels of a question: those of danger, and of all others those that may well be the truth.

    These lead, are tied for it, or lead in `OFTEN` of the plausible truths or more. Where they are many,
    one of them and their number.
    """
    posterior = case.posterior
    shares = zip(posterior.candidates.label.tolist(), posterior.top1.candidate.tolist(), strict=True)
    often = {code for code, share in shares if share >= OFTEN}
    likeliest = ({*first_of_each(case)[1], *case.leaders} | often) - {*dangerous}
    kinds = [dangerous, [code for code in case.order.tolist() if code in likeliest]]
    if max(map(len, kinds)) > MOST_NAMED:
        first = [named(case, [of[0]]) for of in kinds]
        alike = [f" (or one of {len(of) - 1} {{}})" if len(of) > 1 else "" for of in kinds]
        whose = ["others of high risk", "that lead as often"]
        return " or ".join(
            name + words.format(of) for name, words, of in zip(first, alike, whose, strict=True)
        )
    *others, last = [named(case, [label]) for of in kinds for label in of]
    return f"{', '.join(others)} or {last}"
