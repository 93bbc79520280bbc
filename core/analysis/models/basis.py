"""What claims are judged by: what readings leave plausible, or a reference that outweighs them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.analysis.formatting import of_hundred, percent_range
from core.analysis.models.by_reference import ByReference, does_decide
from core.analysis.models.claims import (
    ASK,
    BY_CHANCE,
    CLAIM_IS,
    DANGER_HEADS,
    FOLLOWS,
    LOOK,
    MEANINGS,
    MISSES_MORE,
    NOT_SO,
    RIVAL,
    SELDOM,
    SUPPORTED,
)
from core.metrics.ratio import Ratio
from core.study.reference_standard import in_words

_SHORT = ("histology", "surgery", "follow-up")
"""Standards that a sentence and the head of a column name; any other is the reference there."""
_FEWEST = 2
"""Cases from which on it is known how far they differ."""


@dataclass(frozen=True)
class Basis:
    """What claims are judged by.

    Attributes
    ----------
    standards : mapping of str to int
        Cases by how their reference was established, where that decides; empty where readings do.
    n_cases : int
        Cases that are judged by it.
    """

    standards: Mapping[str, int] = field(default_factory=dict)
    n_cases: int = 0

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference."""
        return bool(self.standards)

    @property
    def by(self) -> str:
        """By what models are judged, to go on with in a sentence; of readings nothing."""
        if not self.is_reference:
            return ""
        if len(self.standards) == 1 and (only := next(iter(self.standards))) in _SHORT:
            return in_words(only)
        return "by the reference"

    @property
    def head(self) -> str:
        """Head of the column of accuracies."""
        return f"Right, {self.by}" if self.is_reference else SUPPORTED

    @property
    def short_head(self) -> str:
        """The same, where it stands with fewer words."""
        return f"{self.by[:1].upper()}{self.by[1:]}" if self.is_reference else SUPPORTED

    def chance_range(self, share: float) -> tuple[float, float]:
        """Where an accuracy may lie on as many other cases like these: its 95 % interval, in [0, 1].

        NaN for readings, and of fewer than two cases.

        Notes
        -----
        Wilson's interval (1927), as `core.metrics.ratio.Ratio.share_interval` has it.
        """
        n = self.n_cases
        if not self.is_reference or n < _FEWEST:
            return math.nan, math.nan
        error = (share * (1 - share) / (n - 1)) ** 0.5
        return Ratio(share, error, n, float(n)).share_interval()

    def elsewhere(self, share: float) -> str:
        """Write `chance_range`, told apart from what is here; empty where it is not known."""
        low, high = self.chance_range(share)
        return "" if math.isnan(low) else f"elsewhere {percent_range(low, high)}"

    def meanings(self) -> dict[str, str]:
        """What the heads of the table of claims mean, as `core.analysis.models.claims.MEANINGS`."""
        if not self.is_reference:
            return MEANINGS
        missed, false = DANGER_HEADS
        how = f" ({', '.join(map(in_words, self.standards))})" * (self.by == "by the reference")
        return {
            "Claimed": MEANINGS["Claimed"],
            self.head: f"Of the cases with a reference{how}, the share in which the model puts it first. "
            f"Elsewhere: its {BY_CHANCE} on as many other cases like these.",
            CLAIM_IS: "On these cases a claim above that is too high; any other holds.",
            missed: "Of the cases whose reference is a high-risk label (a danger), those in which the model "
            f"puts no such label first, and the {BY_CHANCE} on as many other cases like these.",
            false: "Of the model’s own warnings (cases in which it puts a high-risk label first), the share "
            "whose reference is no danger.",
            FOLLOWS: f"{NOT_SO}: {MISSES_MORE}. {ASK}: its claim "
            f"is too high. {LOOK}: neither, and of 100 samples of these cases it would be the most "
            f"accurate in {of_hundred(RIVAL)} or more. {SELDOM}: in fewer.",
        }


READINGS = Basis()
"""What the readings leave plausible."""


def likely_basis(standards: Mapping[str, int], n_cases: int) -> Basis:
    """What models will be judged by, before they are.

    Parameters
    ----------
    standards : mapping of str to int
        How references were established, as of `core.analysis.models.by_reference.ByReference`.
    n_cases : int
        All cases of the study.
    """
    n = sum(standards.values())
    return Basis(standards, n) if does_decide(n, n_cases, standards) else READINGS


def basis_of(found: ByReference) -> Basis:
    """What models are to be judged by, given how they do by the reference."""
    return Basis(found.standards, found.n_cases) if found.decides else READINGS
