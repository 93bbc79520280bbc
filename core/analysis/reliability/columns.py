"""Columns of what `loupe evaluate` writes."""

from __future__ import annotations

from core.analysis.column import (
    FILES,
    SHARE,
    TRUTHS,
    Column,
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
from core.analysis.shared_columns import CASE_ID, MODEL, N_CASES, RELIABILITY

_CERTAINTY = "Stutz 2025, eq. 7 to 11"
_ADJUSTED = "Stutz 2025, eq. 12 to 20"
_RISK = "Stutz 2025, eq. 7 to 11, with the risk of the label that leads, and fig. 8"
_LEVEL = "risk levels: 0 low, 1 medium, 2 high"
_SCALE = "0 to 2"
_SUBJECT = text(
    "subject", "whom the metric is of", FILES, "annotations, held-out reader, or the name of a model"
)
_METRIC = text(
    "metric",
    "name of the metric: certainties of the annotations, adjusted metrics of models and readers",
    _ADJUSTED,
)
_VALUE = value("value", "the metric, mean over cases and plausible truths", _ADJUSTED, "standard_error")
_RISK_LEVEL = text(
    "risk", "risk level that leads most often over plausible truths", _RISK, "low, medium, high"
)
_RISK_CERTAINTY = share("risk_certainty", "probability that this risk level leads", _RISK)
_EXPECTED_RISK = Column(
    "expected_risk", "expected risk level of the truth", _LEVEL, _SCALE, "Stutz 2025, fig. 8"
)

_METRICS = (
    RELIABILITY,
    _SUBJECT,
    _METRIC,
    _VALUE,
    error(),
    *ends("value", TRUTHS, _VALUE, "quantiles at 2.5 % and 97.5 % of the draws", level="95 % band"),
    N_CASES,
)

WORKLIST = (
    CASE_ID,
    count("readings", "readings of the case", "readings"),
    count("labels", "different labels named", "labels"),
    share(
        "certainty",
        "annotation certainty: probability that the leading label leads",
        "Stutz 2025, eq. 7, j = 1",
    ),
    text(
        "leading",
        "label that most often leads over plausible truths, and those that are tied with it",
        _CERTAINTY,
    ),
    text("runner_up", "label that leads second most often; empty where none ever leads", _CERTAINTY),
    share("runner_up_probability", "probability that the runner-up leads", _CERTAINTY),
    text(
        "plausible",
        "labels that lead with a probability of 5 % or more, the most probable first, between semicolons",
        _CERTAINTY,
    ),
    text("plausible_probability", "probability that each of these leads, in the same order", _CERTAINTY),
    share(
        "disagreement",
        "1 less the annotator agreement: how far a reading differs from the others of its case, on average",
        "Stutz 2025, app. E",
    ),
    text("risk", "risk level of the leading label; the highest of a tie", "labels.csv", "low, medium, high"),
    share("high_risk", "probability that the label that leads is a high-risk one", _RISK),
    yes_no(
        "high_risk_leads",
        "whether high-risk labels together lead in half of the plausible truths or more",
        _RISK,
    ),
    yes_no(
        "high_risk_tied", "whether a high-risk label is tied for the lead with one of another level", _RISK
    ),
    yes_no("high_risk_named", "whether a reading names a high-risk label, in whatever place", "labels.csv"),
    text(
        "reference_risk",
        "risk level of the study's reference; empty where a case has none",
        "labels.csv",
        "low, medium, high, unknown",
    ),
    yes_no(
        "readers_agree", "whether two readings or more all put the same label first, alone or tied", FILES
    ),
    yes_no(
        "settled_by_reference",
        "whether more than readers established the case's reference",
        "study.toml or cases.csv, reference_standard",
    ),
    text("high_risk_label", "high-risk label that leads most often; empty where none ever leads", _RISK),
    share("high_risk_label_probability", "probability that this high-risk label leads", _RISK),
    _RISK_CERTAINTY,
    _EXPECTED_RISK,
    Column(
        "risk_at_stake",
        "expected distance of the truth's risk level from the leading label's",
        _LEVEL,
        _SCALE,
        "expectation over the label that leads; unknown levels count as no distance",
    ),
    yes_no("risk_could_change", "whether a label of another risk plausibly leads", _RISK),
    text("{model}: answer", "the model's most probable label; of tied labels all", FILES),
    share("{model}: right", "probability that the model's first label is the truth, ties split", _ADJUSTED),
    share("{model}: right in 3", "probability that the truth is among the model's first three", _ADJUSTED),
    share("{model}: error", "1 less the probability that the model is right", _ADJUSTED),
    Column(
        "{model}: score", "score of a model that gives no probabilities", "that of the model", "any", FILES
    ),
    share("model_error", "the largest error of any model", _ADJUSTED),
    text(
        "models_wrong",
        "models whose error is 0.5 or more, the largest first, each with its answer",
        _ADJUSTED,
    ),
    yes_no(
        "{model}: misses danger",
        "whether high risk leads or has 0.05 or more, and the model puts no such label first",
        _RISK,
    ),
    text("models_missing", "models that miss danger so, each with its answer", _RISK),
    Column("metadata: {column}", "column of cases.csv, as it is there", "that of the file", "any", FILES),
    Column(
        "rhat",
        "split R-hat, rank-normalised, of the leading label's plausibility; 1 where the chains agree",
        "none",
        "about 1 or more",
        "Vehtari et al. 2021",
    ),
    Column("ess", "bulk effective sample size of the same draws", "draws", "above 0", "Vehtari et al. 2021"),
)


def _quantile(key: str, name: str, words: str) -> Column:
    """A quantile of a case's expected risk over plausible truths."""
    return Column(
        f"{name}_over_{TRUTHS.name}",
        f"{words} of the expected risk over {TRUTHS.words}",
        _LEVEL,
        _SCALE,
        "Stutz 2025, fig. 8 and E.16",
        f"{words} over plausible truths",
        key=key,
    )


_RISKS = (
    CASE_ID,
    _RISK_LEVEL,
    _RISK_CERTAINTY,
    _EXPECTED_RISK,
    _quantile("lowest", "least", "least"),
    _quantile("low", "q05", "5 % quantile"),
    _quantile("lower", "q25", "25 % quantile"),
    _quantile("median", "median", "median"),
    _quantile("upper", "q75", "75 % quantile"),
    _quantile("high", "q95", "95 % quantile"),
    _quantile("highest", "largest", "largest"),
    Column(
        "certainty_place",
        "place by risk certainty, 0 the most certain",
        "place",
        "0 or more",
        "order of the cases",
    ),
    Column(
        "risk_place", "place by expected risk, 0 the smallest", "place", "0 or more", "order of the cases"
    ),
)

_HIGH_RISK = (
    MODEL,
    Column("k", "how many of the model's first labels count", "labels", "1 to 3", "Stutz 2025, eq. 12"),
    text(
        "condition",
        "which cases are of high risk: those whose point estimate leads with a high-risk label, or each by "
        "its probability of being one",
        _RISK,
        "by the point estimate, expected over draws",
    ),
    share("value", "top-k accuracy on cases of high risk", _ADJUSTED, "standard_error"),
    error(unit=SHARE),
    N_CASES,
    Column("weight", "number of cases that they amount to", "cases", "0 or more", "sum of the probabilities"),
)

_FIT = (
    RELIABILITY,
    Column(
        "log_likelihood",
        "mean log probability (of a score, log density) of a reading, predicted from the other readings of "
        "its case",
        "nats a reading",
        "0 or less; of scores any",
        "leave-one-out prediction",
        digits_by=("standard_error",),
    ),
    error(of="log_likelihood", over="cases, of which the readings belong together", unit="nats a reading"),
    share(
        "best_share",
        "share of resamples of the cases in which this is the best reliability of those tried",
        "bootstrap over cases",
    ),
    count("n_readings", "readings that were predicted: of cases with two or more", "readings"),
)

_SIDES = "value under the {} aggregation model, over the cases for which both are defined"
_AGGREGATIONS = (
    _SUBJECT,
    _METRIC,
    value("value_a", _SIDES.format("first"), _ADJUSTED),
    value("value_b", _SIDES.format("second"), _ADJUSTED),
    value("difference", "value_b less value_a", _ADJUSTED, "standard_error"),
    error(of="difference", over="cases, paired"),
    N_CASES,
    rank("rank_a", "rank among the models under the first"),
    rank("rank_b", "rank among the models under the second"),
    Column("rank_change", "ranks gained under the second", "ranks", "any", "rank_a less rank_b"),
)


def _of(name: str, meaning: str, columns: tuple[Column, ...]) -> Table:
    return Table("evaluate", "evaluation", name, meaning, columns)


TABLES = (
    _of("cases", "a case: its readings, certainty, risk, and the models' answers", WORKLIST),
    _of("metrics", "a metric of the annotations, a model or a held-out reader", _METRICS),
    _of("sweep", "the same at each reliability of the slider", _METRICS),
    _of("risk", "a case and the spread of its risk", _RISKS),
    _of("high_risk", "a model, k and notion of a case of high risk", _HIGH_RISK),
    _of("reliability", "a reliability, and how well it predicts readings that were left out", _FIT),
    _of("aggregations", "a metric under two aggregation models", _AGGREGATIONS),
)
