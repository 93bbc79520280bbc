"""The view: everything that a link reproduces, and how far each choice can go."""

from __future__ import annotations

from dataclasses import dataclass

from core.metrics.calibration.bins import Binning

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
"""The largest spread of difficulty, as `core.metrics.fineness.difficulty` has it."""


@dataclass(frozen=True)
class View:
    """Everything that a link reproduces; an empty value is a default.

    Attributes
    ----------
    study, task, model : str
        Keys.
    reliability : float or None
        γ; None is the model's default.
    confidence : str
        "weights" where readings count by their stated confidence.
    tie_rule : str
        What becomes of labels that lead alike, as `core.plausibility.point.TIE_RULES` has it.
    case : str
        Case id.
    search : str
        Text that worklist rows must hold.
    label, risk : tuple of str
        Only cases with one of these leading labels, leading risks.
    readers, certainty, could_change, wrong, metadata, only
        As `core.analysis.cases.select.Filters` has them.
    sort : str
        Order of the worklist, one of `core.analysis.cases.select.ORDERS`; empty for the preset's own.
    against : str
        The aggregation model compared with.
    preset : str
        Name of a ready-made worklist.
    what_if : str
        Changes to the readings of the case, as `core.analysis.cases.what_if_text` writes them.
    observation : float or None
        Test value of the tour.
    panel : int
        Which three raters the tour asks, from 0.
    predictor : str
        The model whose probabilities and expectations of disagreement are judged.
    recalibration : str
        How they are recalibrated, one of `core.analysis.disagreement.recalibrated.METHODS`.
    expert_method : str
        How the model is recalibrated that further experts tell a label, one of the same.
    expert_says : tuple of str
        Label that each further expert gives the opened case.
    probability_of : str
        The label whose probabilities are judged; empty for all labels together.
    bins : int
        Number of bins.
    bin_kind : str
        Kind of bins, one of `core.metrics.calibration.bins.BinKind`.
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
        `core.metrics.agreement.rater_groups.REDUCTIONS`.
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
    judged_on, truths, unsure, ranked_by : str
        On which cases models are judged; how truths are drawn; what is drawn;
        whether the hard or the soft metric ranks: as `dashboard.views.models` offers them.
    rivals : tuple of str
        The two models between which cases decide.
    """

    study: str = ""
    task: str = ""
    model: str = ""
    reliability: float | None = None
    confidence: str = ""
    tie_rule: str = ""
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
    judged_on: str = ""
    truths: str = ""
    unsure: str = ""
    ranked_by: str = ""
    rivals: tuple[str, ...] = ()
