"""What is wrong with a study's files: every problem with its place and its mend."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

Severity = Literal["error", "warning"]

LONGEST_TEXT = 300
"""Characters of each text of a problem; what is longer is cut."""
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    r"""Text on one line in which every character is to be seen.

    Control characters, which could drive a terminal, and marks that turn the direction of writing are shown
    as ``\x1b`` or ``\u202e``; joiners stay, which some scripts need.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _UNSEEN and character not in _JOINERS
        else character
        for character in text
    )


def shown(text: str) -> str:
    """Text as a message shows it: `visible`, and not too long."""
    seen = visible(text[: LONGEST_TEXT + 1])
    return seen if len(seen) <= LONGEST_TEXT else seen[: LONGEST_TEXT - 2] + " …"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, where it is, and what to do about it; all texts as `shown`.

    Attributes
    ----------
    file : str
        Path relative to the study folder.
    what : str
        What was expected and what came instead.
    mend : str
        How to put it right.
    row : int or None
        Line of the file as an editor numbers it (the header of a table is line 1).
    column : str
        Name of the column, empty where the whole row or file is meant.
    severity : {"error", "warning"}
        An error keeps the study from being read; a warning does not.
    """

    file: str
    what: str
    mend: str
    row: int | None = None
    column: str = ""
    severity: Severity = "error"

    def __post_init__(self) -> None:
        for name in ("file", "what", "mend", "column"):
            object.__setattr__(self, name, shown(getattr(self, name)))

    def __str__(self) -> str:
        place = self.file
        if self.row is not None:
            place += f", row {self.row}"
        if self.column:
            place += f", column {self.column}"
        return f"{place}: {self.what}. {self.mend}"


class StudyError(ValueError):
    """A study that cannot be read, with all the reasons at once."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def problem_table(problems: Sequence[Problem]) -> pd.DataFrame:
    """Tidy frame with one row a problem: severity, file, row, column, what, mend."""
    # Half a second that a command which only refuses, or opens the dashboard, need not wait for.
    import pandas as pd

    return pd.DataFrame(
        [(p.severity, p.file, p.row, p.column, p.what, p.mend) for p in problems],
        columns=["severity", "file", "row", "column", "what", "mend"],
    ).astype({"row": "Int64"})
