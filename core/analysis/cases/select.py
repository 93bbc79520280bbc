"""Cases of a worklist that are asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_numeric_dtype

from core.analysis.cases.missed import MISSED, MISSES
from core.analysis.cases.percent_ranges import percent_words, within_percent
from core.analysis.cases.worklist import METADATA, WRONG, models_with
from core.analysis.tied_labels import lists_label, names_label
from core.reviews.event import STATUSES
from core.settings import YES_OR_NO, Kind, Settings, option, some_of, texts
from core.study.model import RISK_NAMES

ANY_MODEL = "*"
"""Stands for every model, of which one is enough."""
EVERY_MODEL = "**"
"""Stands for every model, all at once."""
NO_LEADER = "none"
"""Stands for the risk of a case in which no label leads."""
_SPAN = ".."
"""Between the ends of a range of numbers."""


MOST_ONLY = 200
"""Cases that a link can name one by one: addresses have to stay short enough to be passed on."""


def model_words(name: str) -> str:
    """Name a model that a filter asks for, or those that a sign stands for."""
    return {ANY_MODEL: "any model", EVERY_MODEL: "every model"}.get(name, name)


def _models_told(models: tuple[str, ...]) -> str:
    return ", ".join(map(model_words, models))


def _span(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not (low.isdecimal() and high.isdecimal()):
        raise ValueError(text)
    return int(low), int(high)


def _pair(text: str) -> tuple[str, str]:
    column, found, value = text.partition(":")
    if not (column and found):
        raise ValueError(text)
    return unquote(column), value


_SPAN_OF_WHOLES = Kind(
    "a range such as 3-6",
    parse=_span,
    allows=lambda value: len(value) == 2 and value[0] <= value[1],
    write=lambda value: f"{value[0]}-{value[1]}",
)
_SPAN_OF_PERCENT = replace(
    _SPAN_OF_WHOLES,
    expected="a range of whole percentages such as 80-85",
    allows=lambda value: len(value) == 2 and 0 <= value[0] <= value[1] <= 100,
)
_PAIRS = Kind(
    "a column with a value, such as site:arm,",
    parse=_pair,
    write=lambda pair: f"{quote(pair[0], safe=' ')}:{pair[1]}",
    several=True,
)


@dataclass(frozen=True)
class Filters(Settings):
    """What a case has to be to stay; an empty value asks for nothing.

    Attributes
    ----------
    search : str
        Words that the case holds somewhere, as `core.analysis.cases.search` finds them.
    label, risk : tuple of str
        One of these leads; the risk of the leading label is one of these, `NO_LEADER` where none leads.
    plausible : tuple of str
        One of these labels leads with a probability of `core.analysis.cases.worklist.PLAUSIBLE` or more.
    readers, labels_named : tuple of int or None
        Fewest and most readings; fewest and most different labels that the readings name.
    certainty, risk_certainty, high_risk : tuple of int or None
        Certainty of the leading label, certainty of its risk level and probability that a high-risk label
        leads: ranges in percent, as `core.analysis.cases.percent_ranges.within_percent` takes them.
    could_change : bool
        A label of another risk is plausible.
    wrong : tuple of str
        One of these models is wrong with a probability of `core.analysis.cases.presets.WRONG` or more;
        `ANY_MODEL` names them all.
    missed_by : tuple of str
        High risk is plausible, and one of these models puts no high-risk label first
        (`core.analysis.cases.missed`); `ANY_MODEL` names them all, `EVERY_MODEL` asks that each of them does.
    metadata : tuple of pairs of str
        Column and value; several values of a column are alternatives. Of a column of numbers the value is a
        range, as `number_span` writes it.
    only : tuple of str
        Case ids.
    status, flag, reviewer : tuple of str
        The case is in one of these, of `core.reviews.event.STATUSES`; is flagged for one of these reasons;
        one of these people wrote something about it (`core.analysis.cases.reviewed`).
    changed : bool
        Something was written about it since it was looked at last.
    """

    search: str = option("", "text that the case holds somewhere")
    label: tuple[str, ...] = option((), "labels of which one leads", texts("labels"), scope="task")
    plausible: tuple[str, ...] = option((), "labels of which one is plausible", texts("labels"), scope="task")
    risk: tuple[str, ...] = option(
        (),
        "risks of which the leading label has one",
        some_of([*RISK_NAMES, "unknown", NO_LEADER]),
        scope="task",
    )
    readers: tuple[int, int] | None = option(None, "fewest and most readings", _SPAN_OF_WHOLES)
    labels_named: tuple[int, int] | None = option(
        None, "fewest and most different labels that the readings name", _SPAN_OF_WHOLES, scope="task"
    )
    certainty: tuple[int, int] | None = option(
        None,
        "least and most certainty of the leading label, in percent",
        _SPAN_OF_PERCENT,
        scope="task",
        tell=lambda filters: percent_words(*filters.certainty),
    )
    risk_certainty: tuple[int, int] | None = option(
        None,
        "least and most certainty of the risk level of the leading label, in percent",
        _SPAN_OF_PERCENT,
        scope="task",
        tell=lambda filters: percent_words(*filters.risk_certainty),
    )
    high_risk: tuple[int, int] | None = option(
        None,
        "least and most probability that a high-risk label leads, in percent",
        _SPAN_OF_PERCENT,
        scope="task",
        said="high risk leads",
        tell=lambda filters: percent_words(*filters.high_risk),
    )
    could_change: bool = option(
        False, "whether a label of another risk is plausible", YES_OR_NO, scope="task"
    )
    wrong: tuple[str, ...] = option(
        (),
        "models of which one is probably wrong",
        texts("models"),
        scope="task",
        noun="the model",
        tell=lambda filters: _models_told(filters.wrong),
    )
    missed_by: tuple[str, ...] = option(
        (),
        "models of which one misses danger",
        texts("models"),
        scope="task",
        noun="the model",
        tell=lambda filters: _models_told(filters.missed_by),
    )
    metadata: tuple[tuple[str, str], ...] = option((), "columns and values that the case has", _PAIRS)
    only: tuple[str, ...] = option(
        (), "ids of the cases", texts("cases"), link=texts("cases", most=MOST_ONLY), noun="the case"
    )
    status: tuple[str, ...] = option((), "what has been decided about the case", some_of(STATUSES))
    flag: tuple[str, ...] = option((), "reasons for one of which the case is flagged", texts("reasons"))
    reviewer: tuple[str, ...] = option(
        (), "people of whom one wrote something about the case", texts("names")
    )
    changed: bool = option(False, "whether something was written about it since the last visit", YES_OR_NO)


def select(cases: pd.DataFrame, filters: Filters, *, found: pd.Index | None = None) -> pd.DataFrame:
    """Return the rows of a worklist that pass all filters, in their order.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it. A filter on a column that it does not have (risk
        without risk levels, a model or a column of metadata that is not there) asks for nothing.
    filters : Filters
        What to keep.
    found : Index of str, optional
        Ids of the cases that hold the text of the search; needed where something is searched for, as readings
        are not in the table.

    Raises
    ------
    ValueError
        If the range of a metadata column of numbers cannot be read, or a search lacks what it found.
    """
    keep = _leads(cases, filters) & _ranges(cases, filters) & _wrong(cases, filters.wrong)
    keep &= missed_by(cases, filters.missed_by)
    if filters.search.strip():
        if found is None:
            raise ValueError(f"expected the ids of the cases that hold {filters.search!r}, got none")
        keep &= cases.index.isin(found)
    if filters.could_change and "risk_could_change" in cases:
        keep &= cases["risk_could_change"].to_numpy(bool)
    for column in dict.fromkeys(column for column, _ in filters.metadata):
        if f"{METADATA}{column}" in cases:
            values = [value for name, value in filters.metadata if name == column]
            keep &= _has(cases[f"{METADATA}{column}"], values)
    if filters.only:
        keep &= cases.index.isin(filters.only)
    return cases[keep]


def _leads(cases: pd.DataFrame, filters: Filters) -> NDArray[np.bool_]:
    """Whether one of the labels leads, one is plausible, and the leading label has one of the risks."""
    keep = np.ones(len(cases), bool)
    if filters.label:
        keep &= np.array(
            [any(names_label(words, label) for label in filters.label) for words in cases["leading"]], bool
        )
    if filters.plausible and "plausible" in cases:
        keep &= np.array(
            [any(lists_label(words, one) for one in filters.plausible) for words in cases["plausible"]], bool
        )
    if filters.risk and "risk" in cases:
        keep &= cases["risk"].replace("", NO_LEADER).isin(filters.risk).to_numpy()
    return keep


def _ranges(cases: pd.DataFrame, filters: Filters) -> NDArray[np.bool_]:
    """Whether each number for which a range is asked lies in it."""
    keep = np.ones(len(cases), bool)
    for column, span in (("readings", filters.readers), ("labels", filters.labels_named)):
        if span is not None and column in cases:
            keep &= cases[column].between(*span).to_numpy()
    for column in ("certainty", "risk_certainty", "high_risk"):
        percent: tuple[int, int] | None = getattr(filters, column)
        if percent is not None and column in cases:
            keep &= within_percent(cases[column], *percent)
    return keep


def _wrong(cases: pd.DataFrame, models: tuple[str, ...]) -> NDArray[np.bool_]:
    """Whether one of the models is probably wrong; all cases where no model is asked for."""
    columns = ["model_error"] if ANY_MODEL in models else [f"{model}: error" for model in models]
    known = [column for column in columns if column in cases]
    return (cases[known] >= WRONG).any(axis=1).to_numpy() if known else np.ones(len(cases), bool)


def missed_by(cases: pd.DataFrame, models: tuple[str, ...]) -> NDArray[np.bool_]:
    """Whether one of the models misses danger, or each does for `EVERY_MODEL`; all cases where none is asked.

    ``cases`` and ``models`` are as `select` and `Filters.missed_by` have them.
    """
    if ANY_MODEL in models and MISSED in cases:
        return (cases[MISSED] != "").to_numpy(bool)
    known = [name for name in map(MISSES.format, models) if name in cases]
    missed = cases[known].any(axis=1).to_numpy(bool) if known else None
    if EVERY_MODEL in models and MISSED in cases:
        of_model = cases[[MISSES.format(name) for name in models_with(cases, MISSES)]].astype(bool)
        by_all = (cases[MISSED] != "").to_numpy(bool) & of_model.all(axis=1).to_numpy(bool)
        missed = by_all if missed is None else missed | by_all
    return np.ones(len(cases), bool) if missed is None else missed


def _has(column: pd.Series, values: list[str]) -> NDArray[np.bool_]:
    """Whether a column of metadata has one of the values, or lies in one of the ranges."""
    if not is_numeric_dtype(column):
        return column.astype(str).isin(values).to_numpy()
    return np.any([column.between(*parse_span(value)) for value in values], axis=0)


def number_span(low: float, high: float) -> str:
    """Write a range of numbers as a value of `Filters.metadata`."""
    return f"{low:g}{_SPAN}{high:g}"


def parse_span(text: str) -> tuple[float, float]:
    """Read a range that `number_span` wrote.

    Raises
    ------
    ValueError
        If the text is no such range.
    """
    low, found, high = text.partition(_SPAN)
    try:
        if found and float(low) <= float(high):
            return float(low), float(high)
    except ValueError:
        pass
    raise ValueError(f"expected two numbers with {_SPAN} between them, such as 20{_SPAN}40, got {text!r}")
