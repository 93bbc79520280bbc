"""Confidence: how sure raters say they are, and how right they are when they do."""

from __future__ import annotations

from functools import partial

from core.analysis.formatting import percent
from core.analysis.raters.marks import confidence_marks, sure_and_right
from core.analysis.raters.panel import Panel, busiest
from core.analysis.raters.profiles import EVERYBODY, calibration_table, confidence_table
from core.analysis.raters.settings import Standard
from dashboard.charts.raters.calibration import MOST_NAMED, calibration_chart, rater_confidence_chart
from dashboard.charts.raters.confidence import confidence_ridges_chart
from dashboard.components.picture import picture
from dashboard.components.text import count
from dashboard.shell import cache, theme
from dashboard.views import parts
from dashboard.views.raters import concordance, tables

MOST_RATERS = 20
"""Raters with a ridge of their own: those who read most cases."""
_STANDARDS: tuple[Standard, ...] = ("reference", "majority")
JUDGED: dict[str, str] = {standard: f"by {concordance.JUDGED_BY[standard]}" for standard in _STANDARDS}
"""What right means, for an axis."""


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    parts.head("How sure are they, and how right when they are?")
    if not chosen.has_confidence:
        parts.note(
            "No reading states a confidence. Add a column confidence (0 to 1) to annotations.csv to see "
            "how sure raters are and whether that can be trusted."
        )
        return
    parts.beside(*(partial(draw, chosen, source) for draw in (_ridges, _calibration, _by_rater)))


_confidence = cache.cached()(confidence_table)
_calibrated = cache.cached()(calibration_table)


def _ridges(chosen: Panel, source: dict[str, str]) -> None:
    """Draw how often each rater states each confidence."""
    spread = _confidence(chosen)
    busy = {*busiest(chosen, MOST_RATERS).rater_ids, EVERYBODY}
    folded = chosen.identified and chosen.n_raters > MOST_RATERS
    picture(
        confidence_ridges_chart(
            spread[spread["rater"].isin(busy)], everybody=EVERYBODY, tokens=theme.tokens()
        ),
        name="confidence",
        alternative="Stated confidence of each rater",
        caption="The higher the ridge, the more readings with that confidence; all on one scale. Tick: the "
        "mean." + (f" The {MOST_RATERS} who read most cases, of {chosen.n_raters:,}." if folded else ""),
        table=spread,
        provenance=source,
    )


def _calibration(chosen: Panel, source: dict[str, str]) -> None:
    """Draw how often readings of each confidence are right."""
    found = _calibrated(chosen)
    standard = "reference" if chosen.has_reference else "majority"
    if not (found["judged"] > 0).any():
        parts.note("Nobody can be judged: there is no reference, and no case has two readings.")
        return
    sure, right = sure_and_right(found)
    busy = {*busiest(chosen, MOST_RATERS).rater_ids, EVERYBODY}
    picture(
        calibration_chart(
            found[found["rater"].isin(busy)],
            everybody=EVERYBODY,
            judged=JUDGED[standard],
            tokens=theme.tokens(),
        ),
        name="confidence-calibration",
        alternative="Share of readings that are right against the confidence stated",
        caption="On the dashed line confidence is as high as accuracy; below it raters are too sure. Line "
        f"with 95 % intervals: all raters. Grey: each of them. All in all they are {percent(sure)} sure and "
        f"{percent(right)} right.",
        table=found,
        provenance=source | {"right": JUDGED[standard]},
    )


def _by_rater(chosen: Panel, source: dict[str, str]) -> None:
    """Draw each rater's accuracy against the mean confidence."""
    if not chosen.identified:
        parts.note("Raters are numbered anew in each case, so nothing is drawn of single raters.")
        return
    given = concordance.weighting(chosen).rater_accuracy
    profile = tables.profiles(chosen, given)
    if profile is None:
        parts.note("Drawn as soon as each rater is described, below.")
        return
    standard = "reference" if chosen.has_reference else "majority"
    raters = confidence_marks(profile)
    if raters.empty:
        parts.note("No rater both states a confidence and can be judged.")
        return
    said = raters["verdict"].value_counts()
    picture(
        rater_confidence_chart(raters, judged=JUDGED[standard], tokens=theme.tokens()),
        name="accuracy-by-confidence",
        alternative="Accuracy of each rater against the mean confidence stated",
        caption=f"Each dot is a rater, its line a 95 % interval. Of {count(len(raters), 'rater')}, "
        f"{said.get('too sure', 0)} are too sure, clearly below the dashed line, and "
        f"{said.get('not sure enough', 0)} not sure enough, clearly above it"
        + ("; these are named." if 0 < len(raters) - said.get("", 0) <= MOST_NAMED else "."),
        table=raters,
        provenance=source | {"right": JUDGED[standard]},
    )
