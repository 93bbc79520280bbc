"""Reasons for which a case is flagged."""

from __future__ import annotations

from core.reviews.state import CaseReview
from core.study.model import Study

UNSPECIFIC = "no reason given"
"""Stands in place of a reason that was not given."""
OF_IMAGES = "the image does not suffice"
"""Reason that is not offered where no case has an image."""
USUAL_FLAGS = (
    "worth a second look",
    "may be dangerous",
    OF_IMAGES,
    "a reading looks like a slip",
    "the label is missing from the list",
    "more history is needed",
    "worth teaching",
)
"""Where the study names none."""


def flags_of(study: Study, review: CaseReview) -> list[str]:
    """Reasons that can be given for a case: those of the study, or the usual ones, and those in force."""
    return list(dict.fromkeys((UNSPECIFIC, *(study.flags or _usual(study)), *review.flags)))


def _usual(study: Study) -> list[str]:
    """The usual reasons; what is about images only where a case has one."""
    has_images = "image" in study.cases and bool(study.cases["image"].fillna("").ne("").any())
    return [reason for reason in USUAL_FLAGS if has_images or reason != OF_IMAGES]
