"""Metadata of a case as people read it: names, numbers, and what only a simulation knows."""

from __future__ import annotations

import math
import re
from collections.abc import Collection

from core.analysis.formatting import DIGITS, in_sentence, percent
from core.study.model import Study

_TRUE = "true"
"""First word of columns that say what a simulation drew, as `core.study.simulation` names them."""
_SHARE, _SIMULATED = "true_share", "simulated"
_CODE = re.compile(r"[a-z0-9]+(_[A-Za-z0-9 ]+)*")
"""Names as files have them: body_site. Others were written for people, and stay."""


def column_words(name: str) -> str:
    """Name a column of metadata as people do: body_site is “Body site”, MRI or scanner.T stay as they are."""
    if not _CODE.fullmatch(name):
        return name
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def value_words(name: str, value: object) -> str:
    """Write a value of metadata: of a column that is called a share in percent, numbers with few digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float) or not math.isfinite(value):
        return str(value)
    if "share" in re.split(r"[\W_]+", name.casefold()) and 0 <= value <= 1:
        return percent(value)
    return f"{value:.0f}" if value.is_integer() or abs(value) >= 10**DIGITS else f"{value:.{DIGITS}g}"


def is_drawn(study: Study, column: str) -> bool:
    """Whether a column says what only a simulation knows: of one, and its name begins with “true”."""
    return _SIMULATED in study.source.casefold() and column.split("_")[0] == _TRUE


def _truth_words(study: Study, column: str, value: object) -> str:
    """Say of a share that a simulation knows whose it is; empty of anything else.

    ``true_share_TASK`` is the share of the positive label of a task in the simulated truth of a case.
    """
    named = column.removeprefix(f"{_SHARE}_")
    task = study.tasks.get(named)
    if task is not None and task.positive:
        return f"{named}, simulated truth: {value_words(column, value)} {in_sentence(task.positive)}"
    return ""


def told(name: str, value: object) -> str:
    """Name a column with its value: Body site: trunk."""
    return f"{column_words(name)}: {value_words(name, value)}"


def metadata_words(study: Study, index: int, *, without: Collection[str] = ()) -> list[str]:
    """Say what the files say of a case, column by column; what is empty is left out.

    Columns whose names begin with “true”, in a study whose source says that it is simulated, come last: they
    are known of no real case. ``true_share`` is left out, the share of the reference in the simulated truth:
    beside shares of plausible truths it would be taken for one of them.
    """
    plain, known, drawn = [], [], []
    for name, value in study.cases.iloc[index].dropna().items():
        column = str(name)
        if column in without or not str(value):
            continue
        if is_drawn(study, column):
            if column == _SHARE:
                continue
            if of_truth := _truth_words(study, column, value):
                known.append(of_truth)
            else:
                drawn.append(told(column, value))
        else:
            plain.append(told(column, value))
    if drawn:
        known.insert(0, f"{', '.join(drawn)} (known because simulated)")
    return plain + known
