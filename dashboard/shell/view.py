"""The view: everything that a link reproduces, and how far each choice can go."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.cases.orders import ORDERS
from core.analysis.cases.select import Filters
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings
from core.analysis.planning.settings import BudgetSettings, PlanSettings
from core.analysis.raters.settings import RaterSettings
from core.plausibility.settings import AggregationChoice
from core.settings import SHARE, YES_OR_NO, Kind, number, one_of, option, settled, texts, whole
from core.study.settings import StudyChoice

MOST_ADDRESS = 6000
"""Characters that the names of cases may take in the address."""
MOST_OBSERVATION = 3.0
MOST_PANELS = 9999
MOST_EXPERTS = 50
"""Further experts that a link can let speak."""
PLANS = ("fineness", "certainty", "ranking")
"""What can be planned for."""
CORNERS = (3, 4)
"""How many leading labels of a case are shown together."""
ROUND_PARTS = ("read", "disagreements", "changes")
"""What can be done in a round."""
ALL_PARTS = "all"
"""Stands for all parts of a page that shows one at a time."""
CASE_PARTS = ("why", "truths", "models", "what-if", ALL_PARTS)
"""What is shown of a case, beneath what it comes to."""
STUDY_PARTS = ("claims", "certainty", "readings", ALL_PARTS)
"""What is shown of a study, beneath what a decision needs."""
TOUR_STEPS = ("case", "cases", "errs")
"""The steps in which the tour says why, of which one is shown; the first stands there empty."""
CHOSEN_CASES = "*"
"""Stands for a column of the cases where the cases that are looked at are compared with the others."""


def _in_tenths(low: float, high: float) -> Kind:
    """A number from low to high, to a tenth."""
    of = number(low, high)
    return Kind(of.expected, lambda text: round(float(text), 1), of.allows, "{:g}".format)


@dataclass(frozen=True)
class View(StudyChoice, AggregationChoice, Filters, ComparisonSettings, DisagreementSettings, RaterSettings):
    """Everything that a link reproduces; an empty value is a default.

    What a person chooses for a question is declared with the question (`core.settings`), and taken over here;
    what pages alone have is declared here.
    """

    study: str = option("", "key of the study", scope="everything")
    task: str = option("", "task of the study")
    case: str = option("", "the opened case")
    sort: str = option("", "order of the worklist; empty for the preset's own", one_of(ORDERS), scope="task")
    columns: tuple[str, ...] = option(
        (), "columns of the worklist; empty for the usual ones", texts(), scope="task", noun="the column"
    )
    against: str = option("", "the aggregation model compared with", scope="task")
    preset: str = option("", "name of a ready-made worklist", scope="task")
    what_if: str = option(
        "",
        "changes to the readings of the case, as `core.analysis.cases.what_if_text` writes them",
        scope="case",
    )
    corners: int = option(
        CORNERS[0], "how many leading labels of a case are shown together", whole(CORNERS[0], CORNERS[-1])
    )
    observation: float | None = option(
        None,
        "test value of the tour",
        _in_tenths(-MOST_OBSERVATION, MOST_OBSERVATION),
        scope="everything",
    )
    panel: int = option(0, "which three raters the tour asks", whole(0, MOST_PANELS), scope="everything")
    tour_claimed: float | None = option(
        None, "percent that the tour is told of", _in_tenths(0, 100), scope="everything"
    )
    tour_cases: int | None = option(
        None, "cases that it was measured on, if told", whole(20, 10_000), scope="everything"
    )
    tour_readers: int | None = option(
        None, "readers a case that it is told of, if told", whole(1, 100), scope="everything"
    )
    tour_agreement: int | None = option(
        None, "percent of the cases in which two of them agree, if told", whole(40, 100), scope="everything"
    )
    tour_step: str = option("", "step of the tour that is shown", one_of(TOUR_STEPS), scope="everything")
    case_part: str = option("", "what is shown of the opened case", one_of(CASE_PARTS), scope="everything")
    study_part: str = option("", "what is shown of the study", one_of(STUDY_PARTS), scope="everything")
    round: str = option("", "name of the round of reading again that is open", noun="the round")
    round_part: str = option("", "what is shown of the round", one_of(ROUND_PARTS))
    round_case: str = option("", "the case of the round that is open")
    counted: tuple[str, ...] = option(
        (), "rounds whose readings count as further ones", texts("rounds"), noun="the round"
    )
    adjudicated: tuple[str, ...] = option(
        (), "rounds whose outcomes count as the reference", texts("rounds"), noun="the round"
    )
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
    conformal_coverage: float = settled(ConformalSettings, "coverage", default=90.0)
    conformal_truth: str = settled(ConformalSettings, "truth", default="leader")
    conformal_score: str = settled(ConformalSettings, "score", default="threshold")
    conformal_by: str = settled(ConformalSettings, "by", default="")
    mrmc_modalities: tuple[str, ...] = settled(OtherReadersSettings, "modalities", default=())
    mrmc_metric: str = settled(OtherReadersSettings, "reader_metric", default="AUROC")
    mrmc_margin: float = settled(OtherReadersSettings, "margin", default=0.0)
    mrmc_readers: str = settled(OtherReadersSettings, "readers", default="random")
    mrmc_cases: str = settled(OtherReadersSettings, "cases", default="random")
    mrmc_truth: str = settled(OtherReadersSettings, "truth", default="")
    mrmc_own: bool = settled(OtherReadersSettings, "own_raters", default=False)
    slice_by: tuple[str, ...] = settled(SliceSettings, "by", default=())
    slice_of: str = option("", "the model whose metric is shown by slices", scope="task", noun="the model")
    tasks_measure: str = option(
        "", "the hard metric by which all tasks are shown at a glance", noun="the metric"
    )
    filtered: bool = option(False, "whether cases are looked at that the filters keep", YES_OR_NO)
    reduction: str = option(
        "",
        "how readings are reduced to one label, as `core.metrics.agreement.rater_groups.REDUCTIONS` says",
        noun="the reduction",
    )
    needed_fineness: float | None = settled(PlanSettings, "fineness", default=None)
    needed_accuracy: float | None = settled(PlanSettings, "accuracy", default=None)
    needed_difficulty: float | None = settled(
        PlanSettings, "difficulty", default=None, former=("needed_dependence",)
    )
    sets: str = option(
        "",
        "column of the cases whose values are compared; `CHOSEN_CASES` for the cases looked at",
        noun="the column",
    )
    set_value: str = option("", "its value whose cases are compared with the others")
    set_columns: tuple[str, ...] = option((), "numbers by which they are compared; all if empty", texts())
    reread_readings: int = settled(BudgetSettings, "readings", default=100)
    reread_order: str = settled(BudgetSettings, "order", default="certainty")
    reread_most: int = settled(BudgetSettings, "most_each", default=5)
    reread_between: tuple[str, ...] = settled(BudgetSettings, "between", default=())
    plan: str = option("", "what is planned for", one_of(PLANS))
    plan_for: float | None = option(None, "how much of it is wanted", SHARE)
    plan_accuracy: float | None = settled(PlanSettings, "accuracy", default=None)
    plan_difficulty: float | None = settled(
        PlanSettings, "difficulty", default=None, former=("plan_dependence",)
    )
