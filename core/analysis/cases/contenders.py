"""The labels that a case is between, side by side: how many readings put each first, or name it at all."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from core.analysis.cases.case import Case, is_known, risk_letter
from core.analysis.cases.first_choices import most_put_first, times_named, times_put_first
from core.analysis.cases.headline import Headline
from core.analysis.cases.leading import riskier_first
from core.analysis.cases.truths import of_hundred_truths, times
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.metrics.risk import HIGH
from core.plausibility.posterior import SampledPosterior
from core.plausibility.simulation_error import is_simulated

MOST_ROWS = 6
"""Labels that stand side by side; what leads less often than the last of them is summed."""
_SEEN = 2
"""Truths of a hundred from which on what is left out is said: below, it may be rounding."""
MOST_UNLISTED = 3
"""Labels without a row that are named beneath, of each kind; of further ones the number is said."""
FAR = 20
"""Of a hundred plausible truths: how much more often a label leads than another, so that it is no chance.

How often two lead differs by chance by about 11 or less, 95 times of 100 that 300 truths are drawn.
"""
_HARDLY = 0.001
"""Share of the truths that stands for one that the drawn ones do not have, and others may have."""
OTHER_PLACES = "Later places count too: of labels that are named equally often, one may lead more often."
LATER_PLACES = "Later places count too: a label that fewer readings put first may lead more often."
"""Said where one does."""
COLUMNS = ["label", "risk", "share", "leads", "often", "is_leader", "first", "alone", "named", "settled_by"]


def contenders(case: Case, said: Headline) -> pd.DataFrame:
    """Count the readings of the labels that a case is between, down to the last that matters.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    said : Headline
        What `core.analysis.cases.headline.headline` says of it: the labels that it lists are among them.

    Returns
    -------
    DataFrame
        One row a label, up to `MOST_ROWS`, those that lead most often first: ``label``; ``risk`` (letter);
        ``share`` of the truths in which it leads, in [0, 1], and ``leads`` (of a hundred, as the sentence has
        it; both NaN under a point estimate, which leaves no doubt), and ``often``, the same in words (empty
        there); ``is_leader``; ``first``, how many readings put it first, alone or tied; ``alone``, how many
        of these alone; ``named``, how many name it in whatever place; ``settled_by``, which examination
        settles it as the study says, empty where it does not. They reach down to the last that is wanted: the
        labels that lead, the one that leads most often of the others, the one of high risk that does, though
        it may never lead, and all of high risk that lead in two truths of a hundred or more, what most
        readings put first, what one puts first alone, and what ``said`` lists.
        Under a point estimate, where none leads more often than another that does not lead, there are no
        others. Empty for scores, which name no label, and where nothing is known of the case.
    """
    if not is_known(case) or case.task.kind == "score":
        return pd.DataFrame(columns=COLUMNS)
    order, readings, labels = case.order.tolist(), case.readings, case.task.labels
    leads = dict(zip(order, of_hundred_truths(case), strict=False))
    shares = dict(zip(order, case.plausibilities["leads"].tolist(), strict=False))
    others = [code for code in order if code not in case.leaders]
    risky = [code for code in others if case.task.risk[code] == HIGH]
    listed = set(said.labels["label"])
    wanted = {*case.leaders, *most_put_first(case), *others[:1], *risky[:1]}
    wanted |= {code for code in risky if leads[code] >= _SEEN}
    wanted |= {code for code in order if labels[code] in listed or times_put_first(case, [code])[1]}
    is_point = math.isinf(case.aggregation.reliability)
    shown = [code for code in order if code in wanted][:MOST_ROWS]
    if not is_point:
        last = max((place for place, code in enumerate(order[:MOST_ROWS]) if code in wanted), default=-1)
        shown = order[: last + 1]
    lead = riskier_first(case.task, (code for code in shown if code in case.leaders), leads)
    shown = [*lead, *(code for code in shown if code not in case.leaders)]
    said_by = [readings.differential(r) for r in range(readings.n_readings)]
    named = [{int(code) for block in blocks for code in block} for blocks in said_by]
    rows = [
        (
            labels[code],
            risk_letter(case.task, code),
            math.nan if is_point else shares[code],
            math.nan if is_point else leads[code],
            "" if is_point else _often(case, shares[code]),
            code in case.leaders,
            *times_put_first(case, [code]),
            sum(code in of for of in named),
            case.task.settled_by[code],
        )
        for code in shown
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _often(case: Case, share: float) -> str:
    """In how many truths of a hundred a label leads; where they are drawn never none."""
    is_drawn = isinstance(case.posterior, SampledPosterior) and is_simulated(case.posterior)
    return times(share or _HARDLY * is_drawn)


def others_words(table: pd.DataFrame) -> str:
    """Say in how many truths of a hundred labels lead that stand in no row of `contenders`; else empty."""
    left = round(100 * (1 - table["share"].sum(skipna=False)), 6)
    return f"Other labels lead in about {left:.0f} of 100" if left >= _SEEN else ""


def later_words(table: pd.DataFrame) -> str:
    """Say that later places count, where a label leads more often than one that more readings put first.

    Or so it does by `FAR` of a hundred or more than one of which the same is counted. ``table`` is that of
    `contenders`; rows that are written as equal are no such labels.
    """
    rows = table[["leads", "first", "alone", "named"]].to_numpy(float).tolist()
    pairs = [(rows[i], rows[j]) for i in range(len(rows)) for j in range(i + 1, len(rows))]
    if any(one[0] > other[0] and one[1] < other[1] for one, other in pairs):
        return LATER_PLACES
    alike = any(one[0] >= other[0] + FAR and one[1:] == other[1:] for one, other in pairs)
    return OTHER_PLACES if alike else ""


def unlisted_words(case: Case, said: Headline, table: pd.DataFrame) -> str:
    """Name the labels that readings name and that stand in no row.

    Those that one puts first alone, those that nobody puts first, then those that are first in a tie; empty
    where there are none. Of each, those of high risk come first, and say so; then those that more readings
    name. What ``said`` lists stands apart.
    """
    if not is_known(case) or case.task.kind == "score":
        return ""
    shown = {*table["label"], *said.labels["label"]}
    left = [code for code in case.order.tolist() if case.task.labels[code] not in shown]
    first = {code: times_put_first(case, [code]) for code in left}
    never = _named_in_words(case, [code for code in left if not first[code][0]])
    tied = _named_in_words(case, [code for code in left if first[code][0] and not first[code][1]])
    alone = _named_in_words(case, [code for code in left if first[code][1]])
    words = [f"never first: {never}"] * bool(never) + [f"first only in a tie: {tied}"] * bool(tied)
    said_first = f"Also put first: {alone}" if alone else ""
    return ". ".join(filter(None, (said_first, f"Named, but {'; '.join(words)}" if words else "")))


def _named_in_words(case: Case, codes: Sequence[int]) -> str:
    """Name those of some labels that readings name, danger first; of many the number of the further ones."""
    named = {code: n for code in codes if (n := times_named(case, [code]))}
    is_high = {code: bool(case.task.risk[code] == HIGH) for code in named}
    names = [
        in_sentence(case.task.labels[code]) + (f" ({risk_phrase('H')})" if is_high[code] else "")
        for code in sorted(named, key=lambda code: (not is_high[code], -named[code]))
    ]
    more = len(names) - MOST_UNLISTED
    return ", ".join(names[:MOST_UNLISTED]) + (f" and {more:,} more" if more > 0 else "")
