"""Reasons for which a case is flagged."""

from __future__ import annotations

from core.reviews.state import CaseReview
from core.study.model import Study

UNSPECIFIC = "no reason given"
"""Stands in place of a reason that was not given."""
USUAL_FLAGS = (
    "worth a second look",
    "may be dangerous",
    "the image does not suffice",
    "a reading looks like a slip",
    "the label is missing from the list",
    "more history is needed",
    "worth teaching",
)
"""Where the study names none."""


def flags_of(study: Study, review: CaseReview) -> list[str]:
    """Reasons that can be given for a case: those of the study, or the usual ones, and those in force."""
    return list(dict.fromkeys((UNSPECIFIC, *(study.flags or USUAL_FLAGS), *review.flags)))
