"""What one bundled sample is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.study.fingerprint import fingerprint_of
from core.study.model import Study
from core.study.simulation.truth import Truth


@dataclass(frozen=True, eq=False)
class Sample:
    """A study, the truth behind it, and its images as PNG bytes by path inside the study folder.

    The truth of a study of several tasks is given by task.
    """

    study: Study
    truth: Truth | Mapping[str, Truth]
    images: Mapping[str, bytes] = field(default_factory=dict)


def stated(study: Study, standard: str) -> Study:
    """Say of a study how its references were established."""
    told = replace(study, reference_standard=standard)
    return replace(told, fingerprint=fingerprint_of(told))
