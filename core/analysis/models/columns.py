"""Columns of what `loupe compare` writes."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.column import (
    FILES,
    OTHER_CASES,
    SETTINGS,
    SHARE,
    Column,
    Over,
    Table,
    count,
    ends,
    error,
    rank,
    share,
    text,
    value,
    yes_no,
)
from core.analysis.shared_columns import (
    CASE_ID,
    CAUTION,
    INTERVAL_OF,
    MODEL,
    N_CASES,
    N_COMPARISONS,
    N_DRAWS,
    N_READINGS,
    P_HOLM,
    REASON,
    TASK,
    P,
)

_HARD = "on hard labels: the label with most votes is the truth; ties split"
_SOFT = "Lionetti 2025, eq. 4 and 5; Brier score and log loss against shares of votes"
_STABLE = "Lionetti 2025, app. C"
_METRIC = text("metric", "name of the metric", SETTINGS)
_COUNTERPART = text("counterpart", "the soft metric beside the hard one", SETTINGS)
_SOURCE = text(
    "source",
    "what is drawn anew: readings (annotations), cases, both, whole raters, or all",
    SETTINGS,
    "annotations, cases, both, raters, all",
)
_POSITIVE = text("positive", "label that counts as positive", SETTINGS)
_OF_ROW = Over("source", "what source draws anew; interval_of says it in words")
_DRAWN = Over("source", "what source draws anew")
_INTERVAL = "the value ± Student's t times the scatter over draws, on a scale that has no ends"

_RANK_CHANGE = (
    _METRIC,
    _COUNTERPART,
    MODEL,
    value("hard", "value of the metric on hard labels", _HARD, "hard_error"),
    value("soft", "value of the counterpart on soft labels", _SOFT, "soft_error"),
    value("difference", "soft less hard", _SOFT, "soft_error"),
    rank("hard_rank", "rank by the metric"),
    rank("soft_rank", "rank by the counterpart"),
    Column("rank_change", "ranks gained with the counterpart", "ranks", "any", "hard_rank less soft_rank"),
    text(
        "change", "what the counterpart does to the model; empty where unranked", _SOFT, "gains, loses, stays"
    ),
    text("same_as", "first model with the very same predictions, if any"),
    N_CASES,
    REASON,
    error("hard_error", "hard"),
    error("soft_error", "soft"),
    text("why_no_error", "why an error is missing; empty where both are there"),
)


def _correlation(name: str, words: str) -> Column:
    return Column(
        name, f"{words} of the models' hard and soft values", "none", "-1 to 1", "correlation over models"
    )


_AGREEMENT = (
    _METRIC,
    _COUNTERPART,
    count("n_models", "models with both values", "models"),
    count("n_distinct", "of these, models that differ from one another", "models"),
    _correlation("pearson", "Pearson correlation"),
    replace(_correlation("r_squared", "squared Pearson correlation"), range="0 to 1"),
    _correlation("spearman", "Spearman rank correlation"),
    _correlation("kendall", "Kendall τ-b"),
    text("gains", "models that gain ranks with the counterpart, separated by commas"),
    text("loses", "models that lose ranks with the counterpart, separated by commas"),
    REASON,
)
_OBSERVED = value("observed", "value on the readings and cases as they are", _SOFT, *_OF_ROW.ends())
_MEAN_RANK = Column("mean_rank", "mean rank over the draws", "rank", "1 or more", _STABLE)
_BEST = (
    _SOURCE,
    _METRIC,
    MODEL,
    _OBSERVED,
    rank("observed_rank", "rank by it"),
    *ends("the observed value", _OF_ROW, _OBSERVED, _INTERVAL),
    INTERVAL_OF,
    CAUTION,
    value("mean_of_draws", "mean of the metric as drawn", _STABLE, *_OF_ROW.ends()),
    share("probability", "probability that the model is best, shared equally where several are", _STABLE),
    _MEAN_RANK,
    *ends("the rank", _DRAWN, _MEAN_RANK, _STABLE, level="range of 95 % of the draws", key="rank"),
    N_DRAWS,
)
_MODELS = (text("model_a", "model A"), text("model_b", "model B"))
_DIFFERENCE = value("difference", "value of A less that of B", _SOFT, *_OF_ROW.ends())
_PAIRS = (
    _SOURCE,
    _METRIC,
    *_MODELS,
    share("probability", "probability that A is better than B, equality counted half", _STABLE),
    _DIFFERENCE,
    *ends("the difference", _OF_ROW, _DIFFERENCE, "± Student's t times the scatter over draws"),
    INTERVAL_OF,
    CAUTION,
    P,
    P_HOLM,
    N_COMPARISONS,
    N_DRAWS,
)
_RANKED = (
    _SOURCE,
    _METRIC,
    MODEL,
    rank("rank", "a rank that the model takes"),
    share("share", "share of the draws in which it takes it", "Lionetti 2025, fig. 5"),
)
_WITH_OBSERVED = "of the order under a draw with the observed order of the models"
_CORRELATION_DRAWS = (
    _SOURCE,
    _METRIC,
    Column("draw", "number of the draw", "none", "0 or more", SETTINGS),
    Column("spearman", f"Spearman correlation {_WITH_OBSERVED}", "none", "-1 to 1", _STABLE),
    Column("kendall", f"Kendall τ-b {_WITH_OBSERVED}", "none", "-1 to 1", _STABLE),
)
_COEFFICIENT = text("coefficient", "rank correlation", _STABLE, "spearman, kendall")
_MEAN = Column("mean", f"mean correlation {_WITH_OBSERVED}", "none", "-1 to 1", _STABLE)
_CORRELATIONS = (
    _SOURCE,
    _METRIC,
    _COEFFICIENT,
    _MEAN,
    *ends("the correlation", _DRAWN, _MEAN, _STABLE, level="range of 95 % of the draws"),
    N_DRAWS,
)
_TESTS = (
    _SOURCE,
    _METRIC,
    _COUNTERPART,
    _COEFFICIENT,
    count("wins", "draws in which the soft metric keeps its order better", "draws", _STABLE),
    count("losses", "draws in which it keeps it worse", "draws", _STABLE),
    count("ties", "draws in which both keep it alike", "draws", _STABLE),
    share(
        "share_better",
        "share of draws in which it keeps it better, equality counted half",
        _STABLE,
        "monte_carlo_error",
    ),
    error("monte_carlo_error", "share_better", "draws", SHARE),
    Column(
        "lionetti_2025_p",
        "p-value of the published test, which takes draws for observations: it tells how many were made",
        "probability",
        "0 to 1",
        _STABLE,
    ),
)
_PLAUSIBILITY = share("plausibility", "share of votes for the compared label", "Lionetti 2025, fig. 4")
_HARD_LABEL = text("hard_label", "label with most votes; of a tie all")
_LABELS = (
    CASE_ID,
    _PLAUSIBILITY,
    _HARD_LABEL,
    share("hard_share", "how far the compared label is the hard one: 1/m in a tie of m labels", _HARD),
    N_READINGS,
)
_DECIDING = (
    CASE_ID,
    value(
        "advantage", "what the case adds to A's lead over B; the column sums to the difference", "the metric"
    ),
    text("favours", "model that the case speaks for; empty at 0"),
    _PLAUSIBILITY,
    _HARD_LABEL,
    N_READINGS,
    Column("score_a", "A's probability of the label, or its score", "probability or score", "any", FILES),
    Column("score_b", "B's probability of the label, or its score", "probability or score", "any", FILES),
    text("predicted_a", "A's most probable label; empty of a model with scores"),
    text("predicted_b", "B's most probable label; empty of a model with scores"),
)
_VALUE = value("value", "value of the metric in the slice", _SOFT, "standard_error")
_DF = Column(
    "df", "degrees of freedom of the interval", "none", "above 0, up to ∞", "cases of the rarer side less 1"
)
_SLICES = (
    _METRIC,
    text("model", "the model; empty for what the readings alone tell"),
    text("slice", "values of the columns that part the cases; empty for all cases", FILES),
    N_CASES,
    Column(
        "rarer",
        "cases on the rarer side, positive or negative; in soft metrics the sum of soft labels",
        "cases",
        "0 or more",
        FILES,
    ),
    _VALUE,
    *ends("the value", OTHER_CASES, _VALUE, "Student's t on the metric's scale"),
    INTERVAL_OF,
    error(),
    _DF,
    text("small", "says that the slice is too small to be compared, with the rule; else empty", SETTINGS),
    REASON,
)
_TOGETHER = Over("cases", "other cases, which holds all differences of a metric and model together")
_SLICE_DIFFERENCES = (
    _METRIC,
    text("model", "the model; empty for what the readings alone tell"),
    text("slice_a", "slice with the higher value"),
    text("slice_b", "slice with the lower value"),
    count("n_a", "cases of slice_a"),
    count("n_b", "cases of slice_b"),
    value("value_a", "value in slice_a", _SOFT),
    value("value_b", "value in slice_b", _SOFT),
    replace(_DIFFERENCE, meaning="value_a less value_b", digits_by=_TOGETHER.ends()),
    *ends("the difference", _TOGETHER, _DIFFERENCE, "Student's t (Welch 1947), Bonferroni"),
    replace(P, source="Student's t (Welch 1947)"),
    P_HOLM,
    N_COMPARISONS,
    yes_no("largest", "whether it is the largest difference of this metric and model"),
)
_MACRO = (
    _METRIC,
    _COUNTERPART,
    MODEL,
    count("n_tasks", "tasks that define both values", "tasks"),
    value("hard", "mean over tasks of the metric on hard labels", _HARD),
    value("soft", "mean over tasks of the counterpart on soft labels", _SOFT),
    *(of for of in _RANK_CHANGE if of.name in ("hard_rank", "soft_rank", "rank_change")),
)
_TASK_DIFFERENCES = (
    replace(TASK, meaning="the task; “average over tasks” for the mean"),
    _POSITIVE,
    _SOURCE,
    _METRIC,
    *_MODELS,
    value("value_a", "value of A", _SOFT),
    value("value_b", "value of B", _SOFT),
    *(of for of in _PAIRS if of.name not in ("source", "metric", "model_a", "model_b", "probability")),
)
_REST = {
    "metrics": ("a metric and model, on hard and on soft labels", _RANK_CHANGE),
    "agreement": ("a metric: how far hard and soft order agree", _AGREEMENT),
    "pairs": ("an ordered pair of models, with what is drawn anew", _PAIRS),
    "best": ("a model and metric: how sure its value and rank are", _BEST),
    "ranks": ("a rank that a model takes", _RANKED),
    "correlation_draws": ("a draw and how far it keeps the order of the models", _CORRELATION_DRAWS),
    "correlations": ("the same over all draws", _CORRELATIONS),
    "tests": ("a pair of metrics: which keeps the order better", _TESTS),
    "labels": ("a case with its soft and hard label", _LABELS),
    "deciding_cases": ("a case, and for which of two models it speaks", _DECIDING),
    "slices": ("a metric and model in a slice of the cases", _SLICES),
    "slice_differences": ("a pair of slices", _SLICE_DIFFERENCES),
}
_ALL_TASKS = {
    "all_tasks": ("a task, metric and model, on hard and on soft labels", (TASK, _POSITIVE, *_RANK_CHANGE)),
    "all_tasks_agreement": ("a task and metric: how far hard and soft order agree", (TASK, *_AGREEMENT)),
    "all_tasks_macro": ("a metric and model, mean over tasks", _MACRO),
    "all_tasks_best": (
        "a task, metric and model: how sure its value and rank are",
        (TASK, _POSITIVE, *_BEST),
    ),
    "all_tasks_differences": ("a task and pair of models", _TASK_DIFFERENCES),
}
TABLES = (
    *(Table("compare", "comparison", name, *of) for name, of in _REST.items()),
    *(Table("compare --all-tasks", "all_tasks", name, *of) for name, of in _ALL_TASKS.items()),
)
