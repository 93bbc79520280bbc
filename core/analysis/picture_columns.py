"""Columns of the numbers behind the pictures, which `loupe picture` writes beside them."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.column import (
    FILES,
    OF_METRIC,
    OTHER_CASES,
    OTHER_READINGS,
    QUANTILES_90,
    SETTINGS,
    SHARE,
    TRUTHS,
    Column,
    Over,
    Table,
    bin_edges,
    count,
    ends,
    error,
    share,
    text,
    yes_no,
)
from core.analysis.disagreement import columns as disagreement
from core.analysis.models import columns as models
from core.analysis.models import other_readers_columns as other_readers
from core.analysis.planning import columns as planning
from core.analysis.raters import columns as raters
from core.analysis.reliability import columns as reliability
from core.analysis.shared_columns import CASE_ID, MODEL, RATER, RELIABILITY

_OF_COMMANDS = {
    (table.report, table.name): table
    for of in (reliability, models, other_readers, disagreement, planning, raters)
    for table in of.TABLES
}


def _like(report: str, name: str, *more: str) -> tuple[Column, ...]:
    """Columns of a table of a command: all, or those of these names in this order."""
    of = _OF_COMMANDS[report, name].columns
    return of if not more else tuple(one for wanted in more for one in of if one.name == wanted)


_LEADS = "Stutz 2025, eq. 7 to 11"
_CORRESPONDENCE = "Cabitza 2020, fig. 2"
_RISK = text(
    "risk", "risk level of the label, or of the label that leads", "labels.csv", "L, M, H, low, medium, high"
)
_LEVEL = "range of 90 %"
_LABEL = text("label", "the label")
_CASES = count("cases", "cases")
_PLAUSIBILITY = share("plausibility", "mean plausibility of the label", _LEADS, *TRUTHS.ends())
_NUMBER = count("number", "readings, or labels, of a case", "readings or labels")
_PER_CASE = (_NUMBER, _RISK, _CASES)
_SIMPLEX = (
    share("other labels", "plausibility of all other labels together", _LEADS),
    text("leading label", "label that leads in this plausible truth", _LEADS),
    text("kind", "what the mark is: a plausible truth, or the point estimate", _LEADS),
    share("{label}", "plausibility of the label that the column is named after", _LEADS),
)
_PREDICTED = (
    MODEL,
    text("prediction", "its first labels with probabilities, or its score"),
    text("first answer", "its first label alone; empty of a score"),
    _RISK,
    share("probability", "probability that it gives its first label", FILES),
    text("score", "its score and the label that it is for; empty of probabilities"),
    text("then", "what it says besides: its further labels with probabilities, or how high the score is"),
    text("warns", "whether it puts a high-risk label first, where one is plausible", FILES, "yes, no"),
    count(
        "reference place", "place that it gives the study's reference, 1 for its likeliest label", "places"
    ),
    share("right", "probability that its first label is the truth, ties split", "Stutz 2025, eq. 12"),
    share("holds the truth", "probability that the truth is among them", "Stutz 2025, eq. 12"),
)
_OVER_DRAWS = (
    *bin_edges(unit=OF_METRIC, between=OF_METRIC),
    count("draws", "plausible truths with such a value", "draws", "aggregation model"),
    share("share", "share of all plausible truths", "aggregation model"),
)
_WORKLOAD = (
    *_like("raters", "raters", "rater", "readings", "cases", "repeats"),
    Column("labels", "mean number of labels named in a reading", "labels", "0 or more", FILES),
    share("agreement", "mean agreement of the rater's readings with the others", "Stutz 2025, app. E"),
)
_MEAN = share("mean", "expected plausibility", "Mimori 2021, eq. 16", *TRUTHS.ends())
_BESIDE = (
    _LABEL,
    text("source", "whose distribution over plausibilities", SETTINGS, "raters, model"),
    _MEAN,
    *ends("the plausibility", TRUTHS, _MEAN, QUANTILES_90, level=_LEVEL),
    share("leads", "probability that the label is the most plausible", _LEADS),
)
_TOLD = (
    _LABEL,
    share("before", "class probability before the experts speak", "Mimori 2021, eq. 18"),
    share("after", "class probability after", "Mimori 2021, eq. 18"),
    count("told", "experts who say it", "experts", SETTINGS),
    share("observed", "share of the case's own labels", FILES),
)
_REDUCTION = (
    text("reduction", "how the readings of a group become one label", SETTINGS),
    count("n_raters", "raters in a group", "raters", SETTINGS),
    count("n_groups", "groups looked at", "groups", SETTINGS),
    yes_no("all_groups", "whether these are all groups of the size", SETTINGS),
    Column("readings_per_case", "readings of a case by a group, on average", "readings", "0 or more", FILES),
)
_FINE = share(
    "fineness", "share of cases that the group gets right if raters err independently", "Cabitza 2020, fig. 5"
)
_RIGHT = share("accuracy", "share of cases that the group gets right", "Cabitza 2020, fig. 5")
_GROUPS = Over("rater_groups", "the groups of raters")
_FINENESS = (
    *_REDUCTION,
    _FINE,
    *ends("fineness", _GROUPS, _FINE, QUANTILES_90, level=_LEVEL, key="fineness"),
    error("fineness_error", "fineness", "simulated readings", SHARE),
    share(
        "fineness_dependent", "the same if raters err on the same, difficult cases", "Cabitza 2020, fig. 5"
    ),
    _RIGHT,
    *ends("accuracy", _GROUPS, _RIGHT, QUANTILES_90, level=_LEVEL, key="accuracy"),
)
_CONFIDENT = _like("raters", "calibration", "accuracy")[0]
_BY_CONFIDENCE = (
    RATER,
    share("confidence", "mean confidence stated", FILES),
    replace(_CONFIDENT, digits_by=OTHER_READINGS.ends()),
    *ends("accuracy", OTHER_READINGS, _CONFIDENT, "± 1.96 standard errors"),
    text("verdict", "whether confidence lies outside that interval", FILES, "too sure, not sure enough"),
)


def _raters(name: str, words: str) -> Column:
    return Column(name, words, "raters", "1 or more", "Cabitza 2020, fig. 10")


_NEEDED = (
    share("accuracy", "accuracy of a rater", SETTINGS),
    _raters("needed", "independent raters that reach the wanted fineness"),
    _raters("needed_dependent", "raters who err on the same cases that reach it"),
    _raters("bound", "Chernoff bound with the natural logarithm (eq. 23)"),
    _raters("bound_printed", "the same with the decimal logarithm, as it was printed"),
)
_FAR = "none"
_DEVIATION = "distance, in standard deviations of the columns"
_UNUSUAL = (
    CASE_ID,
    Column("case", "number of the case in the study", "none", "0 or more", FILES),
    Column("deviation", "how far the case deviates from all others", _FAR, "0 or more", _CORRESPONDENCE),
    share("psi", "Ψ: share of the cases that deviate as much or more", _CORRESPONDENCE),
    Column("place", "place in the order, the least alike first", "place", "0 or more", _CORRESPONDENCE),
)
_UNIVARIATE = (
    text("column", "column of the cases"),
    Column("mean_first", "mean in the first set", "that of the column", "any", FILES),
    Column("mean_second", "mean in the second set", "that of the column", "any", FILES),
    Column(
        "standardised_difference",
        "second less first, by the standard deviation of all",
        "standard deviations",
        "any",
        FILES,
    ),
    share("ks", "Kolmogorov–Smirnov statistic of the two sets", "two-sample test"),
    *_like("comparison", "pairs", "p", "p_holm"),
)
_CERTAINTY = _like("plan", "plan_certainty", "certainty", "standard_error")
_SHARES = ("share_readers", "share_cases", "share_readers_and_cases", "share_truth")
_BETTER = [one for one in _like("comparison", "pairs") if one.name not in ("model_a", "model_b")]
_SUPPORTED = share("supported", "accuracy, on average over plausible truths", "Stutz 2025, eq. 12")
_FALSE_ALARMS = share(
    "false_alarms", "of the cases that it calls high risk, those whose truth is of no high risk", "eq. 12"
)
_WARNS = share(
    "caught", "of the cases whose truth is a high-risk label, those that it gives one first", "eq. 12"
)
_CEILING = share("ceiling", "mean certainty of the cases: no model can be granted more, on average", _LEADS)
_CLAIMED = (
    MODEL,
    share("claimed", "accuracy with the label of most readings for the truth", FILES),
    _SUPPORTED,
    *ends("the accuracy", TRUTHS, _SUPPORTED, "quantiles at 2.5 % and 97.5 %"),
    _CEILING,
    *ends("the ceiling", TRUTHS, _CEILING, "quantiles at 2.5 % and 97.5 %, Wang 1993", key="ceiling"),
)
_DECLARED: dict[str, tuple[Column, ...]] = {
    "certainty": _like("evaluation", "cases", "case_id", "certainty"),
    "claimed": _CLAIMED,
    "high-risk": (
        MODEL,
        _WARNS,
        *ends("it", OTHER_CASES, _WARNS, "Wilson 1927"),
        _FALSE_ALARMS,
        *ends("it", OTHER_CASES, _FALSE_ALARMS, "Wilson 1927", key="false_alarms"),
    ),
    "risk": (_RISK, count("certain", "cases whose risk level is certain"), count("uncertain", "other cases")),
    "readings-per-case": _PER_CASE,
    "labels-per-case": _PER_CASE,
    "labels-named": (
        _LABEL,
        _RISK,
        count("first", "readings that put it first", "readings"),
        count("named", "readings that name it", "readings"),
        _CASES,
    ),
    "workload": _WORKLOAD,
    "agreement": tuple(one for one in _WORKLOAD if one.name in ("rater", "readings", "agreement")),
    "scores": (Column("score", "score of a reading", "that of the file", "any", FILES),),
    "dots": (
        _LABEL,
        _RISK,
        count("dots", "about one for every five of the truths in which it leads", "dots", _LEADS),
        count("truths", "of 100 plausible truths, those in which it leads", "truths", _LEADS),
    ),
    "simplex": _SIMPLEX,
    "tetrahedron": _SIMPLEX,
    "plausibility": (
        _LABEL,
        _RISK,
        share("leads", "probability that it has the largest plausibility", _LEADS),
        _PLAUSIBILITY,
        *ends("the plausibility", TRUTHS, _PLAUSIBILITY, QUANTILES_90, level=_LEVEL),
        share("point", "point estimate of the plausibility", _LEADS),
    ),
    "models": _PREDICTED,
    "sorted-cases": _like("evaluation", "cases", "case_id", "certainty", "risk_certainty"),
    "two-aggregations": (
        CASE_ID,
        share("certainty_a", "certainty of the case under the first aggregation model", _LEADS),
        share("certainty_b", "certainty under the second", _LEADS),
    ),
    "two-aggregations-ranks": _like("evaluation", "aggregations"),
    "over-draws": _OVER_DRAWS,
    "risk-certainty": _like("evaluation", "risk", "case_id", "risk", "risk_certainty", "certainty_place"),
    "expected-risk": _like("evaluation", "risk"),
    "high-risk-accuracy": _like("evaluation", "high_risk"),
    "predictive": _like("evaluation", "reliability"),
    "certainty-by-reliability": _like("evaluation", "sweep"),
    "models-by-reliability": _like("evaluation", "sweep"),
    "rank-slope": _like("comparison", "metrics"),
    "hard-against-soft": _like("comparison", "agreement"),
    "best-models": _like("comparison", "best"),
    "better": (*_BETTER, MODEL, text("other", "the model that it is compared with")),
    "rank-distribution": _like("comparison", "ranks"),
    "rank-correlation": _like("comparison", "correlations"),
    "soft-labels": _like("comparison", "labels"),
    "slices": _like("comparison", "slices"),
    "all-tasks": _like("all_tasks", "all_tasks"),
    "other-readers": _like("mrmc", "differences"),
    "other-readers-shares": (
        text("row", "a modality, or a difference of two"),
        *_like("mrmc", "differences", "standard_error", *_SHARES),
    ),
    "reliability-of-probabilities": _like("disagreement", "probability_diagram"),
    "reliability-of-disagreement": _like("disagreement", "disagreement_diagram"),
    "conformal": _like("conformal", "coverage"),
    "conformal-groups": _like("conformal", "coverage"),
    "expert": _TOLD,
    "expert-plausibility": _BESIDE,
    "agreement-matrix": _like("raters", "pairs"),
    "agreement-by-label": _like("raters", "labels"),
    "skew": (
        *_like("raters", "coefficients", "coefficient"),
        share("share", "share of the readings that say the commonest label", SETTINGS),
        Column("value", "value that the coefficient would have", "none", "-1 to 1", "Gwet 2008"),
        yes_no("here", "whether the share is the one observed"),
    ),
    "coefficients": _like("raters", "coefficients"),
    "concordance-by-case": (
        share("share", "share of the cases so far, the lowest concordance first", FILES),
        *_like("raters", "cases"),
    ),
    "confidence": _like("raters", "confidence"),
    "confidence-calibration": _like("raters", "calibration"),
    "accuracy-by-confidence": _BY_CONFIDENCE,
    "accuracy": _like("raters", "raters"),
    "severity": _like("raters", "raters"),
    "groups": _like("raters", "groups"),
    "two-groups": _like("raters", "difference"),
    "raters-needed": _NEEDED,
    "confusion": _like("raters", "confusion"),
    "reread": _like("reread", "reread_curve"),
    "correspondence": (
        Column(
            "deviation by chance",
            "deviation of a random split of all cases",
            _FAR,
            "0 or more",
            _CORRESPONDENCE,
        ),
    ),
    "distances": (
        *bin_edges(unit=_DEVIATION, between="0 or more"),
        share("before", "share of the pairs of cases in the bin", _CORRESPONDENCE),
        share("after", "the same once the smaller set takes places in the larger", _CORRESPONDENCE),
    ),
    "columns": _UNIVARIATE,
    "unusual-cases": _UNUSUAL,
    "fineness": _FINENESS,
    "reductions": _FINENESS,
    "certainty-grid": (
        count("n_readings", "readings of a case", "readings", SETTINGS),
        RELIABILITY,
        *_CERTAINTY,
    ),
    **{f"plan-{name}": _like("plan", f"plan_{name}") for name in ("fineness", "certainty", "ranking")},
}
TABLES = tuple(
    Table("picture", "picture", name, "a mark of the picture", of) for name, of in _DECLARED.items()
)
