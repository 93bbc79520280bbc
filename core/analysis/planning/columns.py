"""Columns of what `loupe plan`, `loupe reread` and `loupe experiment replay` write."""

from __future__ import annotations

from core.analysis.column import (
    QUANTILES_90,
    SETTINGS,
    SHARE,
    Column,
    Over,
    Table,
    count,
    ends,
    error,
    share,
    text,
)
from core.analysis.shared_columns import CASE_ID

_FINENESS = "Cabitza 2020, eq. 9 and 10"
_FIT = Over("raters_and_cases", "resampled raters and cases, which the assumptions are fitted to")
_LEVEL = "90 % interval"
_N_RATERS = count("n_raters", "raters a case", "raters", SETTINGS)


def _needed(of: str) -> Column:
    return Column(
        "cases_needed",
        f"cases that {of}; missing where none is enough",
        "cases",
        "1 or more",
        "normal approximation",
    )


_INDEPENDENT = share(
    "fineness",
    "share of cases that the majority gets right, of raters who err independently",
    _FINENESS,
    *_FIT.ends("fineness"),
)
_DEPENDENT = share(
    "fineness_dependent",
    "the same of raters who err on the same, difficult cases",
    "difficulties of cases spread on the logit scale",
    *_FIT.ends("fineness_dependent"),
)
_PLAN_FINENESS = (
    _N_RATERS,
    _INDEPENDENT,
    *ends("fineness", _FIT, _INDEPENDENT, QUANTILES_90, level=_LEVEL, key="fineness"),
    _DEPENDENT,
    *ends(
        "fineness_dependent",
        _FIT,
        _DEPENDENT,
        QUANTILES_90,
        level=_LEVEL,
        key="fineness_dependent",
    ),
    _needed("measure fineness_dependent within ± 0.02"),
)
_PLAN_CERTAINTY = (
    _N_RATERS,
    share(
        "certainty",
        "mean certainty of the leading label, by label counts",
        "Stutz 2025, eq. 7, j = 1",
        "standard_error",
    ),
    error(of="certainty", over="simulated cases", unit=SHARE),
    share("share_certain", "share of simulated cases whose certainty is 95 % or more", "Stutz 2025, eq. 7"),
    _needed("measure the mean certainty within ± 0.02"),
)
_PLAN_RANKING = (
    text(
        "truth",
        "what models are scored by: the label of most readings, or the share of readings",
        SETTINGS,
        "majority, shares",
    ),
    _N_RATERS,
    Column(
        "difference",
        "expected difference of the two models' scores",
        SHARE,
        "-1 to 1",
        "exact distribution over readings",
    ),
    _needed("rank the models rightly with the wanted probability"),
    Column("readings_needed", "cases_needed times n_raters", "readings", "1 or more", "product"),
)
_WORTH = "expectation over what the readings may say, under the posterior predictive distribution"
_FURTHER = count("further_readings", "further readings", "readings", SETTINGS)
_CURVE = (
    _FURTHER,
    share("chosen", "expected worth of all cases when they are spent in the order chosen", _WORTH),
    share("random", "the same when they fall at random on cases with room", _WORTH),
)
_READ_AGAIN = (
    CASE_ID,
    count("further_readings", "further readings that the case is to have", "readings", _WORTH),
    count("readings", "readings that it has", "readings"),
    share("need", "how much the case calls for a reading, by what order asks for", _WORTH),
    share("need_then", "what of it these readings are expected to leave", _WORTH),
    Column("now", "certainty (for models: open variance) without them", SHARE, "0 or more", _WORTH),
    Column("expected", "the same expected with them", SHARE, "0 or more", _WORTH),
    Column(
        "gain", "by how much the first of them alone is expected to change it", SHARE, "0 or more", _WORTH
    ),
)
_STRATEGY = text("strategy", "order in which readings were revealed", SETTINGS, "random, entropy, certainty")
_REPLAYED = "the study's files, revealed reading by reading"
_CURVES = (
    _STRATEGY,
    count("further_readings", "readings revealed", "readings", SETTINGS),
    share(
        "share", "share of the cases whose leading label is that of all readings", _REPLAYED, "standard_error"
    ),
    error(of="share", over="repeats of the order", unit=SHARE),
)


def _over(which: str) -> tuple[Column, Column]:
    name = f"over_{which}"
    return (
        Column(
            name,
            f"area less that of {which} in the same repeat",
            SHARE,
            "-1 to 1",
            _REPLAYED,
            digits_by=(f"{name}_error",),
        ),
        error(f"{name}_error", name, "repeats of the order", SHARE),
    )


_AREAS = (
    _STRATEGY,
    share("area", "mean share over all numbers of readings", _REPLAYED, "standard_error"),
    error(of="area", over="repeats of the order", unit=SHARE),
    *_over("random"),
    *_over("entropy"),
)
TABLES = tuple(
    Table(command, report, name, meaning, columns)
    for command, report, name, meaning, columns in (
        ("plan", "plan", "plan_fineness", "a number of raters a case", _PLAN_FINENESS),
        ("plan", "plan", "plan_certainty", "a number of raters a case", _PLAN_CERTAINTY),
        ("plan", "plan", "plan_ranking", "a number of raters a case and notion of the truth", _PLAN_RANKING),
        ("reread", "reread", "reread_curve", "a number of further readings", _CURVE),
        ("reread", "reread", "reread_cases", "a case to read again, in that order", _READ_AGAIN),
        ("experiment replay", "replay", "replay_curves", "an order and number of readings", _CURVES),
        ("experiment replay", "replay", "replay_areas", "an order of readings", _AREAS),
    )
)
