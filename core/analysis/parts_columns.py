"""Columns of what `loupe evaluate` writes of a study in parts, besides those of any study."""

from __future__ import annotations

from core.analysis.column import OF_METRIC, Column, Table, count, error, share, text, value
from core.analysis.reliability.columns import WORKLIST
from core.analysis.shared_columns import LABEL, MODEL, N_CASES, REASON

_SOFT = "Lionetti 2025, eq. 1 to 5"
_BY_LABEL = (
    LABEL,
    MODEL,
    text("metric", "name of the metric, the label against all others", _SOFT),
    value("value", "the metric against soft labels: shares of the readings", _SOFT, "standard_error"),
    error(),
    N_CASES,
)
_AGREEMENT = (
    text("coefficient", "name of the coefficient of agreement", "Fleiss 1971, Krippendorff 2011, Gwet 2008"),
    Column(
        "value",
        "the coefficient, over all cases with two readings or more",
        OF_METRIC,
        "at most 1",
        "Fleiss 1971, Krippendorff 2011, Gwet 2008",
        digits_by=("standard_error",),
    ),
    error(),
    N_CASES,
    Column("undefined", REASON.meaning),
)
_CERTAINTY = (
    share("from", "certainty from here", "Stutz 2025, eq. 7"),
    share("to", "certainty to below here; the last includes 1", "Stutz 2025, eq. 7"),
    count("cases", "cases of such a top-1 certainty"),
)
_LEAST = tuple(of for of in WORKLIST if of.name not in ("rhat", "ess"))
_FACTS = (
    text("fact", "what is counted"),
    count("value", "how many there are", "as the row says"),
)


def _of(name: str, meaning: str, columns: tuple[Column, ...]) -> Table:
    return Table("evaluate", "evaluation", name, meaning, columns)


TABLES = (
    _of("by_label", "a label, model and metric, of a study in parts", _BY_LABEL),
    _of("agreement", "a coefficient of agreement of a study in parts", _AGREEMENT),
    _of("certainty", "a hundredth of certainty, and how many cases of a study in parts have it", _CERTAINTY),
    _of("least_certain", "one of the least certain cases of a study in parts", _LEAST),
    _of("facts", "something counted in a study in parts", _FACTS),
)
