"""The view and its address: everything that a link reproduces, as parameters and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args
from urllib.parse import quote, unquote

from core.analysis.export import format_reliability
from core.analysis.select import ORDERS
from core.metrics.bins import BinKind, Binning
from core.study.model import RISK_NAMES

MOST_RELIABILITY = 1000.0
MOST_ONLY = 200
"""Cases that a link can name one by one: addresses have to stay short enough to be passed on."""
MOST_ADDRESS = 6000
"""Characters that the names of those cases may take in the address."""
MOST_OBSERVATION = 3.0
MOST_PANELS = 9999
MOST_BINS = 100
MOST_EXPERTS = 50
"""Further experts that a link can let speak."""
STANDARDS = ("reference", "majority", "model", "given")
"""What raters can be judged by, as `core.analysis.raters.accuracy.Standard` has them."""
PLANS = ("fineness", "certainty", "ranking")
"""What can be planned for."""
CHOSEN_CASES = "*"
"""Stands for a column of the cases where the cases that are looked at are compared with the others."""
MOST_DEPENDENCE = 30.0
"""The largest spread of difficulty, as `core.metrics.difficulty` has it."""
_PLANNED = (
    "needed_fineness",
    "needed_accuracy",
    "needed_dependence",
    "plan_for",
    "plan_accuracy",
    "plan_dependence",
)
_YES = "yes"


@dataclass(frozen=True)
class View:
    """Everything that a link reproduces; an empty value is a default.

    Attributes
    ----------
    study, task, model : str
        Keys.
    reliability : float or None
        γ; None is the model's default.
    case : str
        Case id.
    search : str
        Text that worklist rows must hold.
    label, risk : tuple of str
        Only cases with one of these leading labels, leading risks.
    readers, certainty, could_change, wrong, metadata, only
        As `core.analysis.select.Filters` has them.
    sort : str
        Order of the worklist, one of `core.analysis.select.ORDERS`; empty for the preset's own.
    against : str
        The aggregation model compared with.
    preset : str
        Name of a ready-made worklist.
    what_if : str
        Changes to the readings of the case, as `core.analysis.what_if_text` writes them.
    observation : float or None
        Test value of the tour.
    panel : int
        Which three raters the tour asks, from 0.
    predictor : str
        The model whose probabilities and expectations of disagreement are judged.
    recalibration : str
        How they are recalibrated, one of `core.analysis.recalibrated.METHODS`.
    expert_method : str
        How the model is recalibrated that further experts tell a label, one of the same.
    expert_says : tuple of str
        Label that each further expert gives the opened case.
    probability_of : str
        The label whose probabilities are judged; empty for all labels together.
    bins : int
        Number of bins.
    bin_kind : str
        Kind of bins, one of `core.metrics.bins.BinKind`.
    raters : tuple of str
        The raters that the page Raters looks at; empty for all.
    filtered : bool
        Whether that page looks at the cases alone that the filters keep.
    judged : str
        What the raters' accuracy is judged by there, one of `STANDARDS`; empty for the best there is.
    rater_accuracy : float or None
        Accuracy of every rater where it is given, in [0, 1].
    label_order : bool
        Whether the labels have an order there, that of the study.
    variability : float or None
        How far a rater's confidence is taken to move between readings of a case; None for what is measured.
    reduction : str
        How readings are reduced to one label where fineness is drawn, one of
        `core.metrics.rater_groups.REDUCTIONS`.
    needed_fineness, needed_accuracy, needed_dependence : float or None
        Wanted fineness, accuracy of a rater and spread of difficulty where raters needed are counted; None
        for .95 and what was fitted.
    sets, set_value : str
        Column of the cases and its value whose cases are compared with the others; `CHOSEN_CASES` for the
        cases that the page Raters looks at.
    set_columns : tuple of str
        Columns by which they are compared; empty for all features.
    plan : str
        What is planned for: one of `PLANS`.
    plan_for, plan_accuracy, plan_dependence : float or None
        How much of it is wanted, and the raters that are assumed; None for a default and what was fitted.
    measure : str
        The hard metric by which models are compared with its counterpart.
    positive : str
        The label that counts as positive there.
    hard_rule, judged_on, truths, unsure, ranked_by : str
        When votes make a hard label; on which cases models are judged; how truths are drawn; what is drawn;
        whether the hard or the soft metric ranks: as `dashboard.views.models` offers them.
    rivals : tuple of str
        The two models between which cases decide.
    """

    study: str = ""
    task: str = ""
    model: str = ""
    reliability: float | None = None
    case: str = ""
    search: str = ""
    label: tuple[str, ...] = ()
    risk: tuple[str, ...] = ()
    readers: tuple[int, int] | None = None
    certainty: tuple[int, int] | None = None
    could_change: bool = False
    wrong: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    only: tuple[str, ...] = ()
    sort: str = ""
    against: str = ""
    preset: str = ""
    what_if: str = ""
    observation: float | None = None
    panel: int = 0
    predictor: str = ""
    recalibration: str = ""
    expert_method: str = ""
    expert_says: tuple[str, ...] = ()
    probability_of: str = ""
    bins: int = Binning.number
    bin_kind: str = Binning.kind
    raters: tuple[str, ...] = ()
    filtered: bool = False
    judged: str = ""
    rater_accuracy: float | None = None
    label_order: bool = False
    variability: float | None = None
    reduction: str = ""
    needed_fineness: float | None = None
    needed_accuracy: float | None = None
    needed_dependence: float | None = None
    sets: str = ""
    set_value: str = ""
    set_columns: tuple[str, ...] = ()
    plan: str = ""
    plan_for: float | None = None
    plan_accuracy: float | None = None
    plan_dependence: float | None = None
    measure: str = ""
    positive: str = ""
    hard_rule: str = ""
    judged_on: str = ""
    truths: str = ""
    unsure: str = ""
    ranked_by: str = ""
    rivals: tuple[str, ...] = ()


def parse(address: Mapping[str, Sequence[str]]) -> tuple[View, list[str]]:
    """Read a view from the parameters of an address.

    Returns
    -------
    View
        With defaults in place of what cannot be understood.
    list of str
        What that was, in plain words.
    """
    values: dict[str, Any] = {}
    problems = []
    names = {field.name for field in fields(View)}
    for name, given in address.items():
        if name not in names:
            problems.append(f"The address names “{name}”, which means nothing here; it is ignored.")
            continue
        try:
            values[name] = _READ.get(name, _text)(given)
        except ValueError as wrong:
            problems.append(
                f"The address asks for {name} “{' '.join(given)}”: {wrong}. The default is shown."
            )
    return View(**values), problems


def format_address(chosen: View) -> dict[str, tuple[str, ...]]:
    """Parameters of the address that reproduces a view, without what is empty."""
    written: dict[str, tuple[str, ...]] = {}
    for field in fields(View):
        value = getattr(chosen, field.name)
        if value != field.default:
            written[field.name] = _WRITE.get(field.name, _plain)(value)
    return written


def _plain(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _written_span(value: tuple[int, int]) -> tuple[str, ...]:
    return (f"{value[0]}-{value[1]}",)


_WRITE: dict[str, Callable[[Any], tuple[str, ...]]] = {
    "reliability": lambda value: (format_reliability(value),),
    "readers": _written_span,
    "certainty": _written_span,
    "could_change": lambda _: (_YES,),
    "filtered": lambda _: (_YES,),
    "label_order": lambda _: (_YES,),
    "metadata": lambda pairs: tuple(f"{quote(column, safe=' ')}:{value}" for column, value in pairs),
    "observation": lambda value: (f"{value:g}",),
    "rater_accuracy": lambda value: (f"{value:g}",),
    "variability": lambda value: (f"{value:g}",),
    **dict.fromkeys(_PLANNED, lambda value: (f"{value:g}",)),
}


def _text(given: Sequence[str]) -> str:
    return given[-1]


def _reliability(given: Sequence[str]) -> float:
    allowed = f"a number above 0 and up to {MOST_RELIABILITY:g}, or ∞, was expected"
    try:
        value = math.inf if given[-1] in ("∞", "inf") else float(given[-1])
    except ValueError:
        raise ValueError(allowed) from None
    if not (0 < value <= MOST_RELIABILITY or value == math.inf):
        raise ValueError(allowed)
    return value


def _risks(given: Sequence[str]) -> tuple[str, ...]:
    allowed = [*RISK_NAMES, "unknown"]
    if not set(given) <= set(allowed):
        raise ValueError(f"one of {', '.join(allowed)} was expected")
    return tuple(given)


def _span(given: Sequence[str]) -> tuple[int, int]:
    low, _, high = given[-1].partition("-")
    if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
        raise ValueError("two numbers were expected, such as 3-6")
    return int(low), int(high)


def _yes(given: Sequence[str]) -> bool:
    if given[-1] != _YES:
        raise ValueError(f"{_YES} was expected")
    return True


def _pairs(given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = [text.partition(":") for text in given]
    if not all(column and found for column, found, _ in pairs):
        raise ValueError("a column and a value were expected, such as site:arm")
    return tuple((unquote(column), value) for column, _, value in pairs)


def _only(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > MOST_ONLY:
        raise ValueError(f"no more than {MOST_ONLY} cases were expected, not {len(given):,}")
    return tuple(given)


def _order(given: Sequence[str]) -> str:
    if given[-1] not in ORDERS:
        raise ValueError(f"one of {', '.join(ORDERS)} was expected")
    return given[-1]


def _observation(given: Sequence[str]) -> float:
    allowed = f"a number from {-MOST_OBSERVATION:g} to {MOST_OBSERVATION:g} was expected"
    try:
        value = round(float(given[-1]), 1)
    except ValueError:
        raise ValueError(allowed) from None
    if not abs(value) <= MOST_OBSERVATION:
        raise ValueError(allowed)
    return value


def _panel(given: Sequence[str]) -> int:
    if not (given[-1].isdecimal() and int(given[-1]) <= MOST_PANELS):
        raise ValueError(f"a whole number up to {MOST_PANELS:,} was expected")
    return int(given[-1])


def _experts(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > MOST_EXPERTS:
        raise ValueError(f"at most {MOST_EXPERTS} labels were expected")
    return tuple(given)


def _bins(given: Sequence[str]) -> int:
    if not (given[-1].isdecimal() and 1 <= int(given[-1]) <= MOST_BINS):
        raise ValueError(f"a whole number from 1 to {MOST_BINS} was expected")
    return int(given[-1])


def _bin_kind(given: Sequence[str]) -> str:
    if given[-1] not in get_args(BinKind):
        raise ValueError(f"one of {', '.join(get_args(BinKind))} was expected")
    return given[-1]


def _standard(given: Sequence[str]) -> str:
    if given[-1] not in STANDARDS:
        raise ValueError(f"one of {', '.join(STANDARDS)} was expected")
    return given[-1]


def _share(given: Sequence[str]) -> float:
    allowed = "a number from 0 to 1 was expected"
    try:
        value = float(given[-1])
    except ValueError:
        raise ValueError(allowed) from None
    if not 0 <= value <= 1:
        raise ValueError(allowed)
    return value


def _dependence(given: Sequence[str]) -> float:
    allowed = f"a number from 0 to {MOST_DEPENDENCE:g} was expected"
    try:
        value = float(given[-1])
    except ValueError:
        raise ValueError(allowed) from None
    if not 0 <= value <= MOST_DEPENDENCE:
        raise ValueError(allowed)
    return value


def _plan(given: Sequence[str]) -> str:
    if given[-1] not in PLANS:
        raise ValueError(f"one of {', '.join(PLANS)} was expected")
    return given[-1]


_READ: dict[str, Callable[[Sequence[str]], Any]] = {
    "reliability": _reliability,
    "label": tuple,
    "rivals": tuple,
    "risk": _risks,
    "readers": _span,
    "certainty": _span,
    "could_change": _yes,
    "wrong": tuple,
    "metadata": _pairs,
    "only": _only,
    "sort": _order,
    "observation": _observation,
    "panel": _panel,
    "expert_says": _experts,
    "bins": _bins,
    "bin_kind": _bin_kind,
    "raters": tuple,
    "filtered": _yes,
    "label_order": _yes,
    "judged": _standard,
    "rater_accuracy": _share,
    "variability": _share,
    **dict.fromkeys(_PLANNED, _share),
    "needed_dependence": _dependence,
    "plan_dependence": _dependence,
    "plan": _plan,
    "set_columns": tuple,
}


def fit_for_address(case_ids: Sequence[str]) -> tuple[str, ...]:
    """The first of these cases, as many as a link can name."""
    kept: list[str] = []
    room = MOST_ADDRESS
    for case_id in case_ids[:MOST_ONLY]:
        room -= len(quote(case_id)) + len("&only=")
        if room < 0:
            break
        kept.append(case_id)
    return tuple(kept)
