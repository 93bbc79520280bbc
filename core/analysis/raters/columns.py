"""Columns of what `loupe raters` writes."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.column import (
    FILES,
    OTHER_CASES,
    OTHER_READINGS,
    RESAMPLED_CASES,
    SETTINGS,
    SHARE,
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
from core.analysis.shared_columns import CASE_ID, N_CASES, N_READINGS, RATER, WHY_NO_INTERVAL

_AGREEMENT = "Cohen 1960; Fleiss 1971; Gwet 2008, 2014; Krippendorff 2011"
_CONCORDANCE = "Cabitza 2020, eq. 1 and 2"
_FROM_ERROR = Over("cases", "other cases, from the standard error")
_LOGIT = "logits"
_COEFFICIENT = text("coefficient", "coefficient of agreement", _AGREEMENT)
_BASIS = text("basis", "what it compares", SETTINGS, "labels, label order, scores, differentials")
_VALUE = Column(
    "value", "value of the coefficient", "none", "-1 to 1", _AGREEMENT, digits_by=RESAMPLED_CASES.ends()
)
_BOOTSTRAP = ends("the value", RESAMPLED_CASES, _VALUE, "bootstrap over cases")
_BY_ERROR = ends("the value", _FROM_ERROR, _VALUE, "value ± 1.96 standard errors", key="error")
_UNDEFINED = text("undefined", "why there is no value; empty where there is one")
_ERROR = replace(error(unit="none"), source="influence of each case")
_COEFFICIENTS = (
    _COEFFICIENT,
    _BASIS,
    _VALUE,
    *_BOOTSTRAP,
    _ERROR,
    *_BY_ERROR,
    replace(N_CASES, meaning="cases with two readings or more"),
    _UNDEFINED,
    WHY_NO_INTERVAL,
    text("sentence", "what the value says, in words"),
)
_LABELS = (
    text("label", "the label, against all others together"),
    share("share", "share of the readings that say it", FILES),
    _COEFFICIENT,
    _VALUE,
    *_BOOTSTRAP,
    _ERROR,
    *_BY_ERROR,
    N_CASES,
    _UNDEFINED,
    WHY_NO_INTERVAL,
)
_DIFFERENCE = Column(
    "difference", "first less second", "none", "-2 to 2", _AGREEMENT, digits_by=("standard_error",)
)
_DIFFERENCES = (
    _COEFFICIENT,
    _BASIS,
    replace(_VALUE, name="first", meaning="value among the first raters", digits_by=("standard_error",)),
    replace(_VALUE, name="second", meaning="value among the other raters", digits_by=("standard_error",)),
    _DIFFERENCE,
    replace(_ERROR, meaning="standard error of difference"),
    *ends("the difference", _FROM_ERROR, _DIFFERENCE, "± 1.96 standard errors", key="error"),
    *ends("the difference", RESAMPLED_CASES, _DIFFERENCE, "bootstrap over cases, the same for both groups"),
    N_CASES,
    WHY_NO_INTERVAL,
)
_MEASURED = share("value", "the measure", _CONCORDANCE, *_FROM_ERROR.ends("error"))
_VARIABILITY = Over("confidence", "how far a rater's stated confidence varies between readings of a case")
_STEPS = (
    text("measure", "agreement σ, with confidence, or with confidence and accuracy ϱ", _CONCORDANCE),
    _MEASURED,
    *ends("the value", _VARIABILITY, _MEASURED, _CONCORDANCE, level="range"),
    *ends("the value", _FROM_ERROR, _MEASURED, "± 1.96 standard errors", key="error"),
    N_CASES,
    text("sentence", "what the value says, in words"),
)
_OVERLAP = share(
    "overlap",
    "average overlap of two differentials down to the third place (rankings only)",
    "Stutz 2025, app. C",
)
_SAME_FIRST = share("same_first", "share of pairs that put the same label first (rankings only)", FILES)
_RHO = share("concordance", "concordance ϱ of the raters of the case", _CONCORDANCE)
_CASES = (
    CASE_ID,
    count("readings", "raters who read it", "raters"),
    count("labels", "different labels given", "labels"),
    text("leading", "label most often given; of equals all"),
    share("agreement", "share σ of pairs of raters who say the same", _CONCORDANCE),
    _RHO,
    *ends("concordance", _VARIABILITY, _RHO, _CONCORDANCE, level="range"),
    _OVERLAP,
    _SAME_FIRST,
)
_KAPPA = Column("kappa", "Cohen's κ", "none", "-1 to 1", "Cohen 1960", digits_by=OTHER_CASES.ends("kappa"))
_PAIRS = (
    RATER,
    text("other", "the other rater"),
    count("common", "cases that both read; on the diagonal, cases read"),
    share("agreement", "share of these with the same label", FILES),
    _KAPPA,
    *ends("kappa", OTHER_CASES, _KAPPA, "large-sample standard error", key="kappa"),
    _OVERLAP,
    _SAME_FIRST,
)
_POSTERIOR_TRUTHS = Over("truths", "plausible truths, of the posterior")
_CONFUSED = share(
    "probability",
    "probability that the rater says it where this is the truth",
    "Dawid and Skene 1979",
    *_POSTERIOR_TRUTHS.ends(),
)
_CONFUSION = (
    RATER,
    text("truth", "the true label"),
    text("says", "label that the rater could give"),
    _CONFUSED,
    *ends("probability", _POSTERIOR_TRUTHS, _CONFUSED, "Dawid and Skene 1979"),
    N_READINGS,
    WHY_NO_INTERVAL,
)
_GROUPS = (
    count("size", "raters in the group", "raters", SETTINGS),
    text("raters", "their ids, separated by commas"),
    share("agreement", "agreement σ, as if only they had read", _CONCORDANCE),
    share("concordance", "concordance ϱ, as if only they had read", _CONCORDANCE),
    share("mean_accuracy", "mean accuracy of its members", FILES),
    share("majority_accuracy", "share of cases with a reference that its majority gets right", FILES),
    yes_no("sampled", "whether there are more groups of this size", SETTINGS),
)
_BIN = (
    RATER,
    share("confidence", "confidence stated, or the middle of a bin", FILES),
    *bin_edges("the bin of confidences"),
    count("readings", "readings with such a confidence", "readings"),
    share("share", "share of the rater's readings with a confidence", FILES),
)
_RIGHT = share(
    "accuracy",
    "share of these readings that are right",
    "Cabitza 2020, fig. 7",
    *OTHER_READINGS.ends("accuracy"),
)
_JUDGED_BY = text("judged_by", "what counts as right", SETTINGS, "reference, majority")
_CALIBRATION = (
    *_BIN,
    _RIGHT,
    *ends("accuracy", OTHER_READINGS, _RIGHT, "Wilson 1927", key="accuracy"),
    count("judged", "readings that could be judged", "readings"),
    _JUDGED_BY,
)


def _with_error(of: Column, over: str = "readings") -> tuple[Column, Column]:
    """An estimate of a rater and its standard error."""
    name = f"{of.name}_error"
    return replace(of, digits_by=(name,)), error(name, of.name, over, of.unit)


def _estimated(name: str, meaning: str, source: str) -> tuple[Column, Column]:
    return _with_error(share(name, meaning, source))


_ABILITY = "Whitehill et al. 2009, with a leaning for each rater"
_POSTERIOR = "the posterior"
_PROFILES = (
    RATER,
    count("readings", "readings, repeats included", "readings"),
    count("cases", "cases read"),
    count("repeats", "readings beyond the first of a case", "readings"),
    share("self_agreement", "share of the repeats with the label of the first reading", FILES),
    *_estimated("accuracy_reference", "share of readings that agree with the reference", FILES),
    count("accuracy_reference_n", "readings that entered", "readings"),
    *_estimated("accuracy_majority", "share of readings that agree with the majority of the others", FILES),
    count("accuracy_majority_n", "readings that entered", "readings"),
    share("accuracy_given", "accuracy as given", SETTINGS),
    share("accuracy_model", "accuracy by the confusion matrix of the rater", "Dawid and Skene 1979"),
    *_with_error(Column("ability", "ability of the rater", _LOGIT, "any", _ABILITY), _POSTERIOR),
    *_with_error(
        share("accuracy_ability", "chance of being right if the rater leaned to no label", _ABILITY),
        _POSTERIOR,
    ),
    text("leans_to", "label that the rater says most where a case tells nothing", _ABILITY),
    *_with_error(share("leaning", "how often the rater says that label then", _ABILITY), _POSTERIOR),
    *_with_error(
        share("sensitivity", "of two labels: chance of being right where the truth is positive", _ABILITY),
        _POSTERIOR,
    ),
    *_with_error(
        share("specificity", "of two labels: chance of being right where it is negative", _ABILITY),
        _POSTERIOR,
    ),
    share("confidence", "mean confidence stated", FILES),
    Column(
        "confidence_variability",
        "half-width of the rater's confidence over repeated readings: 1.96 s / √k",
        SHARE,
        "0 or more",
        "Cabitza 2020",
    ),
    Column(
        "overconfidence",
        "mean confidence less accuracy on the same readings",
        SHARE,
        "-1 to 1",
        "Cabitza 2020, fig. 7",
    ),
    share("calibration_error", "mean distance of accuracy from confidence", "Cabitza 2020, fig. 7"),
    _JUDGED_BY,
    *_with_error(
        Column(
            "severity",
            "how much higher the rater goes than the others on the same cases",
            "points of the score, share of positive readings, or risk levels",
            "any",
            FILES,
        ),
        "cases",
    ),
)
TABLES = tuple(
    Table("raters", "raters", name, meaning, columns)
    for name, meaning, columns in (
        ("raters", "a rater", _PROFILES),
        ("pairs", "an ordered pair of raters", _PAIRS),
        ("coefficients", "a coefficient of agreement of all raters", _COEFFICIENTS),
        ("labels", "a label and coefficient", _LABELS),
        ("difference", "a coefficient of two groups of raters", _DIFFERENCES),
        ("concordance", "a step from agreement to concordance", _STEPS),
        ("cases", "a case", _CASES),
        ("confusion", "what a rater says where a label is true", _CONFUSION),
        ("groups", "a group of raters", _GROUPS),
        ("confidence", "a rater and confidence", _BIN),
        ("calibration", "a rater and confidence: how often it is right", _CALIBRATION),
    )
)
