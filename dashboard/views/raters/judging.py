"""The raters of a panel with their accuracies, judged as the page says."""

from __future__ import annotations

from core.analysis.raters.accuracy import STANDARDS, Standard
from core.analysis.raters.fineness import JudgedRaters, judge
from core.analysis.raters.panel import Panel
from core.metrics.fineness.majority import MOST_RATERS
from dashboard.components.text import count
from dashboard.views import parts
from dashboard.views.raters import concordance, tables


def judged(chosen: Panel) -> JudgedRaters | None:
    """Return the panel's raters with their accuracies; None where nothing is known of them, which is said."""
    if chosen.n_raters > MOST_RATERS:
        parts.note(
            f"{count(chosen.n_raters, 'rater')} are too many to form a majority of; pick up to "
            f"{MOST_RATERS:,} of them above."
        )
        return None
    standard, given = by(chosen)
    try:
        return tables.kept(
            "judged", chosen, standard, given, compute=lambda: judge(chosen, standard=standard, given=given)
        )
    except ValueError as refusal:
        parts.note(
            f"This needs each rater’s accuracy, and {refusal}. A column reference in cases.csv, a second "
            "reader, or “accuracies as given” above makes it known."
        )
        return None


def by(chosen: Panel) -> tuple[Standard, float | None]:
    """What accuracy is judged by, and the accuracy that is given: also what tables are kept under."""
    standard, given, _variability = concordance.weighting(chosen)
    return standard, given


def words(raters: JudgedRaters) -> str:
    """Say what the accuracies are judged by."""
    return STANDARDS[raters.standard]
