"""Columns of what `loupe disagreement`, `loupe conformal` and `loupe experiment perfect-predictor` write."""

from __future__ import annotations

from core.analysis.column import (
    FILES,
    OTHER_CASES,
    RESAMPLED_CASES,
    SETTINGS,
    SHARE,
    Column,
    Table,
    bin_edges,
    count,
    ends,
    error,
    share,
    text,
    yes_no,
)
from core.analysis.shared_columns import CASE_ID, LABEL, METHOD, MODEL, N_CASES, WHY_NO_INTERVAL

_LOSSES = "Mimori 2021, eq. 8 to 16"
_EXPECTED = "Mimori 2021, eq. 17"
_TOLD = "Mimori 2021, eq. 18, 19 and Table 2"
_LOSS = "squared probability"
_ABOUT = text("about", "what is judged", _LOSSES, "class probabilities, disagreement")
_FRONT = (MODEL, METHOD)


def _loss(name: str, meaning: str, source: str = _LOSSES) -> Column:
    return Column(
        name, meaning, _LOSS, "unbiased estimates may be below 0", source, digits_by=(f"{name}_error",)
    )


_LOSS_TABLE = (
    *_FRONT,
    _ABOUT,
    LABEL,
    text(
        "loss",
        "expected squared, epistemic, irreducible, calibration, dispersion or refinement loss, or error",
        _LOSSES,
    ),
    _loss("plug_in", "the loss with shares of raters put in for probabilities"),
    error("plug_in_error", "plug_in", unit=_LOSS),
    _loss("debiased", "the loss without the bias of few labels a case"),
    error("debiased_error", "debiased", unit=_LOSS),
    yes_no("below_zero", "whether the debiased loss is negative", _LOSSES),
    N_CASES,
    count("n_cases_debiased", "cases that entered the debiased loss"),
    count("lone_bins", "bins with a single case, whose part could not be debiased", "bins"),
)
_OBSERVED = share(
    "observed",
    "mean share of raters who chose the class; of disagreement, of pairs who differ",
    FILES,
    *RESAMPLED_CASES.ends(),
)
_DIAGRAM = (
    *_FRONT,
    _ABOUT,
    LABEL,
    Column("bin", "number of the bin", "none", "0 or more", SETTINGS),
    *bin_edges(keys=("lower", "upper")),
    count("n", "predictions in the bin", "predictions"),
    share("predicted", "mean prediction in the bin", FILES),
    _OBSERVED,
    *ends("observed", RESAMPLED_CASES, _OBSERVED, "bootstrap over cases", level="95 % band"),
)
_DISAGREE = share("expected", "probability that two raters disagree, as the model expects", _EXPECTED)
_SHOWN = share("observed", "share of pairs of the case's labels that differ", FILES)
_LABELS = count("labels", "labels given", "labels")
_SURPRISING = (
    *_FRONT,
    CASE_ID,
    text(
        "kind",
        "which way it surprises",
        FILES,
        "more disagreement than expected, less disagreement than expected",
    ),
    _DISAGREE,
    _SHOWN,
    Column("difference", "observed less expected", SHARE, "-1 to 1", _EXPECTED),
    _LABELS,
    text("given", "which labels were given and how often, the most frequent first"),
    text("leading", "the model's most probable label; of equals all"),
    share("leading_probability", "its probability", FILES),
)
_CASES = (
    MODEL,
    CASE_ID,
    METHOD,
    _DISAGREE,
    _SHOWN,
    _LABELS,
    Column(
        "concentration",
        "α0 of the Dirichlet that the method gives; ∞ without spread",
        "readings",
        "above 0, up to ∞",
        "Mimori 2021, §5",
    ),
)
_EXPERT = (
    *_FRONT,
    _loss("before", "epistemic loss before one expert label is told", _TOLD),
    error("before_error", "before", unit=_LOSS),
    _loss("after", "epistemic loss after", _TOLD),
    error("after_error", "after", unit=_LOSS),
    _loss("change", "after less before; below 0 is better", _TOLD),
    error("change_error", "change", "cases, paired", _LOSS),
    N_CASES,
)
_LIKELIHOOD = (
    *_FRONT,
    Column(
        "value",
        "mean negative log-likelihood of a case's labels, which the method did not see",
        "nats a case",
        "0 or more",
        "cross-fitted",
        digits_by=("standard_error",),
    ),
    error(unit="nats a case"),
    N_CASES,
)
_FITS = (
    *_FRONT,
    Column("fold", "number of the fold", "none", "1 or more", SETTINGS),
    count("n_fitted", "cases that it was fitted to"),
    count("n_judged", "cases that it was applied to"),
    Column(
        "temperature", "fitted temperature; missing where the method has none", "none", "above 0", "fitted"
    ),
    Column("strength", "weight of the penalty, chosen within the fold", "none", "0 or more", "fitted"),
    count("n_features", "features that α-calibration used; missing where the method has none", "columns"),
)

_SETS = "Angelopoulos 2021, sec. 3"
_CALIBRATED = text(
    "calibrated_on",
    "what sets were calibrated on: plausible truths, corrected or not, regions of them, or leading labels",
    SETTINGS,
)
_COVERAGE = share("coverage", "share of the truths that the sets hold", _SETS, "coverage_error")
_SIZE = Column(
    "set_size", "mean number of labels in a set", "labels", "0 or more", _SETS, digits_by=("set_size_error",)
)
_COVERAGES = (
    MODEL,
    _CALIBRATED,
    text("by", "what parts the cases: all cases, risk of the truth, or a column of cases.csv", SETTINGS),
    text("group", "the group; empty for all cases"),
    text("truth", "what counts as the truth", SETTINGS, "plausible leader, plausible label, leading label"),
    _COVERAGE,
    error("coverage_error", "coverage", unit=SHARE),
    *ends("coverage", OTHER_CASES, _COVERAGE, "Wilson 1927"),
    _SIZE,
    error("set_size_error", "set_size", unit="labels"),
    *ends("set_size", OTHER_CASES, _SIZE, "± 1.96 standard errors", key="set_size"),
    share("empty", "share of sets without a label", _SETS),
    share(
        "region_coverage", "share of the plausible truths in their regions; missing but for regions", _SETS
    ),
    N_CASES,
    WHY_NO_INTERVAL,
)
_SET_LIST = (
    CASE_ID,
    MODEL,
    _CALIBRATED,
    count("size", "labels in the set", "labels", _SETS),
    text("labels", "the labels, the most probable first, separated by “; ”", _SETS),
    share("holds plausible leader", "probability that the set holds the label that leads", _SETS),
    share(
        "holds plausible label", "probability that the set holds a label drawn with its plausibility", _SETS
    ),
    share("holds leading label", "share of the leading label (of a tie, labels) that the set holds", _SETS),
)
_PERFECT = (
    count("labels_per_case", "labels of each simulated case", "labels", SETTINGS),
    count("n_cases", "simulated cases", source=SETTINGS),
    text("loss", "which loss", "Mimori 2021, fig. 2", "epistemic loss, calibration loss"),
    text("estimate", "how it is estimated", "Mimori 2021, fig. 2", "plug-in, debiased"),
    Column("truth", "the true loss: 0, for the predictor is perfect", _LOSS, "0", "Mimori 2021, fig. 2"),
    Column(
        "mean",
        "mean estimate over simulated studies",
        _LOSS,
        "any",
        "Mimori 2021, fig. 2",
        digits_by=("standard_error",),
    ),
    error(of="mean", over="simulated studies", unit=_LOSS),
    Column(
        "standard_deviation",
        "of the estimate over simulated studies",
        _LOSS,
        "0 or more",
        "Mimori 2021, fig. 2",
    ),
    count("repeats", "simulated studies", "studies", SETTINGS),
)


def _of(name: str, meaning: str, columns: tuple[Column, ...]) -> Table:
    return Table("disagreement", "disagreement", name, meaning, columns)


TABLES = (
    _of("losses", "a loss of a model, plug-in beside debiased", _LOSS_TABLE),
    _of("probability_diagram", "a bin of the reliability diagram of class probabilities", _DIAGRAM),
    _of("disagreement_diagram", "a bin of the reliability diagram of disagreement", _DIAGRAM),
    _of("surprising_cases", "a case in which model and raters differ", _SURPRISING),
    _of("cases", "a case: expected and observed disagreement", _CASES),
    _of("expert_label", "a method: what one expert label teaches it", _EXPERT),
    _of("likelihood", "a method: how well it predicts labels", _LIKELIHOOD),
    _of("fits", "a method and fold: what was fitted", _FITS),
    Table(
        "conformal",
        "conformal",
        "coverage",
        "a model, calibration, group and notion of the truth",
        _COVERAGES,
    ),
    Table("conformal", "conformal", "sets", "the set of a case", _SET_LIST),
    Table(
        "experiment perfect-predictor",
        "perfect-predictor",
        "perfect-predictor",
        "a setting, loss and estimate",
        _PERFECT,
    ),
)
