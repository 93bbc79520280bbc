"""The view: everything that a link reproduces, and how far each choice can go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from core.analysis.cases.select import ORDERS, Filters
from core.analysis.models.settings import ComparisonSettings
from core.metrics.calibration.bins import BinKind, Binning
from core.plausibility.settings import AggregationChoice
from core.settings import YES_OR_NO, Kind, number, one_of, option, texts, whole

MOST_ADDRESS = 6000
"""Characters that the names of cases may take in the address."""
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
"""The largest spread of difficulty, as `core.metrics.fineness.difficulty` has it."""

_SHARE, _DEPENDENCE = number(0, 1), number(0, MOST_DEPENDENCE)
_OBSERVATION = number(-MOST_OBSERVATION, MOST_OBSERVATION)


@dataclass(frozen=True)
class View(AggregationChoice, Filters, ComparisonSettings):
    """Everything that a link reproduces; an empty value is a default.

    What a person chooses for a question is declared with the question (`core.settings`), and taken over here;
    what pages alone have is declared here.
    """

    study: str = option("", "key of the study", scope="everything")
    task: str = option("", "task of the study")
    case: str = option("", "the opened case")
    sort: str = option("", "order of the worklist; empty for the preset's own", one_of(ORDERS), scope="task")
    against: str = option("", "the aggregation model compared with", scope="task")
    preset: str = option("", "name of a ready-made worklist", scope="task")
    what_if: str = option(
        "",
        "changes to the readings of the case, as `core.analysis.cases.what_if_text` writes them",
        scope="case",
    )
    observation: float | None = option(
        None,
        "test value of the tour",
        Kind(_OBSERVATION.expected, lambda text: round(float(text), 1), _OBSERVATION.allows, "{:g}".format),
        scope="everything",
    )
    panel: int = option(0, "which three raters the tour asks", whole(0, MOST_PANELS), scope="everything")
    predictor: str = option(
        "", "the model whose probabilities and disagreement are judged", scope="task", noun="the model"
    )
    recalibration: str = option("", "how they are recalibrated", scope="task", noun="the recalibration")
    expert_method: str = option(
        "", "how the model is recalibrated that experts tell a label", scope="task", noun="the calibration"
    )
    expert_says: tuple[str, ...] = option(
        (),
        "label that each further expert gives the opened case",
        texts("labels", most=MOST_EXPERTS),
        scope="case",
        noun="the label",
    )
    probability_of: str = option(
        "", "the label whose probabilities are judged; empty for all", scope="task", noun="the label"
    )
    bins: int = option(Binning.number, "number of bins", whole(1, MOST_BINS), scope="everything")
    bin_kind: str = option(Binning.kind, "kind of bins", one_of(get_args(BinKind)), scope="everything")
    raters: tuple[str, ...] = option((), "the raters looked at; empty for all", texts(), noun="the rater")
    filtered: bool = option(False, "whether cases are looked at that the filters keep", YES_OR_NO)
    judged: str = option("", "what accuracy is judged by; empty for the best there is", one_of(STANDARDS))
    rater_accuracy: float | None = option(None, "accuracy of every rater where it is given", _SHARE)
    label_order: bool = option(False, "whether the labels have an order, that of the study", YES_OR_NO)
    variability: float | None = option(
        None, "how far confidence moves between readings of a case; as measured if left out", _SHARE
    )
    reduction: str = option(
        "",
        "how readings are reduced to one label, as `core.metrics.agreement.rater_groups.REDUCTIONS` says",
        noun="the reduction",
    )
    needed_fineness: float | None = option(None, "wanted fineness where raters needed are counted", _SHARE)
    needed_accuracy: float | None = option(None, "accuracy of a rater there", _SHARE)
    needed_dependence: float | None = option(None, "spread of difficulty there", _DEPENDENCE)
    sets: str = option(
        "",
        "column of the cases whose values are compared; `CHOSEN_CASES` for the cases looked at",
        noun="the column",
    )
    set_value: str = option("", "its value whose cases are compared with the others")
    set_columns: tuple[str, ...] = option((), "numbers by which they are compared; all if empty", texts())
    plan: str = option("", "what is planned for", one_of(PLANS))
    plan_for: float | None = option(None, "how much of it is wanted", _SHARE)
    plan_accuracy: float | None = option(None, "accuracy of a rater that is assumed", _SHARE)
    plan_dependence: float | None = option(None, "spread of difficulty that is assumed", _DEPENDENCE)
