"""What a report shall hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SECTIONS = {
    "study": "Study",
    "reliability": "Reliability",
    "models": "Models",
    "disagreement": "Disagreement",
    "raters": "Raters",
    "review": "Review",
    "checklist": "Reporting checklist",
}
"""Sections with their titles: pages by name, what was reviewed, and what is said of reporting guidelines."""
MOST_CASES = 10_000
"""Cases that a list of cases may have."""
MOST_BYTES = 5_000_000
"""Of a report with images: those that would make it larger are left out."""


@dataclass(frozen=True)
class Contents:
    """What a report of one study under one choice of settings holds.

    Attributes
    ----------
    study : Path
        Folder of the study.
    link : str
        Address of a page, or the part of one from its question mark on: the settings in force; empty for the
        defaults of every page.
    sections : tuple of str
        Names of `SECTIONS`, in the order in which they shall stand.
    cases : int
        Cases that are listed by name, the least certain first, up to `MOST_CASES`; where it is 0, nothing in
        the report names a case, and readers of review rounds are numbered.
    raters : bool
        Whether raters are named where no case is; where cases are listed, raters are named too.
    images : bool
        Whether the cases that are listed come with their images, as far as there is room.
    """

    study: Path
    link: str = ""
    sections: tuple[str, ...] = tuple(SECTIONS)
    cases: int = 0
    images: bool = False
    raters: bool = False

    @property
    def names_raters(self) -> bool:
        """Whether raters are named, and not numbered."""
        return self.raters or bool(self.cases)

    def __post_init__(self) -> None:
        unknown = [name for name in self.sections if name not in SECTIONS]
        if unknown or not self.sections:
            given = unknown[0] if unknown else "none"
            raise ValueError(f"sections must be some of {', '.join(SECTIONS)}, got {given!r}")
        if len(set(self.sections)) != len(self.sections):
            raise ValueError(f"each section can stand once, got {', '.join(self.sections)}")
        if self.link and "?" not in self.link:
            raise ValueError(
                f"expected settings after a question mark, as in ?reliability=3, got {self.link!r}"
            )
        if not 0 <= self.cases <= MOST_CASES:
            raise ValueError(f"cases must be a whole number from 0 to {MOST_CASES}, got {self.cases}")
        if self.images and not self.cases:
            raise ValueError("images are of the cases that are listed: say how many cases, as in --cases 10")
