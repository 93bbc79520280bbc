"""How often each label of a case leads, as about twenty dots, each for five of a hundred plausible truths."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pandas as pd

from core.analysis.cases.case import Case, is_known, plausibility_table
from core.analysis.cases.truths import of_hundred_truths
from core.study.model import IntArray

N_DOTS = 20
"""Dots that stand for all truths; where labels lead equally often, a few more or fewer are drawn."""
OF_HUNDRED = 100 // N_DOTS
"""Truths of a hundred for which a dot stands, about."""
_MOST_OVER = 5
"""Dots beyond `N_DOTS` that labels which lead equally often may add."""
OTHERS = "other labels"
"""What stands for all labels that lead too seldom for a dot of their own."""
BEFORE = " before"
"""What ends the names of columns that say how it was."""
COLUMNS = ["label", "risk", "dots", "truths"]


def dot_table(case: Case) -> pd.DataFrame:
    """Share out about `N_DOTS` dots among the labels by how often each leads.

    Returns
    -------
    DataFrame
        ``label``, ``risk``, ``dots``, and ``truths``, those of a hundred in which it leads as the case
        says it wherever it does. Labels of the same number have the same dots (`shared_out`). Those without
        a dot are together the last row, `OTHERS`, with the dots that are left, or have no row; a single one
        keeps its name. Empty where nothing is known of the case.
    """
    if not is_known(case):
        return pd.DataFrame(columns=COLUMNS)
    table = plausibility_table(case)
    table = table.assign(truths=of_hundred_truths(case))
    table["dots"] = shared_out(table["truths"].to_numpy(np.int64))
    shown, left = table[table["dots"] > 0], table[table["dots"] == 0]
    share = float(left["leads"].sum())
    dots = min(N_DOTS - int(shown["dots"].sum()), round(N_DOTS * share))
    if dots > 0:
        names = left.loc[left["leads"] > 0, ["label", "risk"]]
        label, risk = names.iloc[0] if len(names) == 1 else (OTHERS, "")
        row = pd.DataFrame([(label, risk, dots, round(100 * share))], columns=COLUMNS)
        shown = pd.concat([shown[COLUMNS], row])
    return shown[COLUMNS].reset_index(drop=True)


def shared_out(truths: IntArray) -> IntArray:
    """Dots for numbers of a hundred truths: as largest remainders have it, but equal ones share a fate.

    Of equal remainders all get the dot or none does, whichever is nearer to `N_DOTS` dots altogether; more
    than these come of remainders of half a dot or more alone.
    """
    dots, remainder = np.divmod(truths, OF_HUNDRED)
    order = np.argsort(-remainder, kind="stable")
    for more, group in groupby(order.tolist(), key=lambda place: int(remainder[place])):
        places = list(group)
        lack = N_DOTS - int(dots.sum())
        over = len(places) - lack
        is_too_many = over > min(lack, _MOST_OVER) or (over > 0 and 2 * more < OF_HUNDRED)
        if not more or lack <= 0 or is_too_many:
            break
        dots[places] += 1
    return dots


def dots_beside(after: Case, before: Case) -> pd.DataFrame:
    """Share out dots as `dot_table` does, with ``dots before`` and ``truths before``.

    A label that has no dots any more comes last.
    """
    now, was = dot_table(after), dot_table(before)
    both = now.merge(was, on=["label", "risk"], how="outer", sort=False, suffixes=("", BEFORE))
    for case, end in ((after, ""), (before, BEFORE)):
        truths = dict(zip(plausibility_table(case)["label"], of_hundred_truths(case), strict=True))
        both[f"dots{end}"] = both[f"dots{end}"].fillna(0).astype(int)
        both[f"truths{end}"] = both[f"truths{end}"].fillna(both["label"].map(truths)).fillna(0).astype(int)
    order = {label: place for place, label in enumerate(now["label"])}
    place = both["label"].map(order).fillna(len(order))
    return both.iloc[np.argsort(place.to_numpy(), kind="stable")].reset_index(drop=True)
