"""Gathering of problems while a study is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from numpy.typing import NDArray

from core.study.problems import Problem, Severity, StudyError

LISTED = 20
"""How many problems of one kind in one file are listed one by one; the rest is counted in one line."""

Item = TypeVar("Item")


def _nowhere(item: object) -> None:
    """No row."""


def _no_column(item: object) -> str:  # noqa: ARG001
    """No column."""
    return ""


class Report:
    """All problems found so far."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(
        self,
        file: str,
        what: str,
        mend: str,
        *,
        row: int | None = None,
        column: str = "",
        severity: Severity = "error",
    ) -> None:
        """Note one problem."""
        self.problems.append(Problem(file, what, mend, row, column, severity))

    def add_many(
        self,
        file: str,
        items: Sequence[Item] | NDArray[Any],
        what: Callable[[Item], str],
        mend: Callable[[Item], str],
        *,
        row: Callable[[Item], int | None] = _nowhere,
        column: Callable[[Item], str] = _no_column,
        severity: Severity = "error",
        noun: str = "row",
    ) -> None:
        """Note one kind of problem for many items: the first `LISTED` singly, then how many more."""
        if len(items) == 0:
            return
        for item in items[:LISTED]:
            self.add(file, what(item), mend(item), row=row(item), column=column(item), severity=severity)
        more = len(items) - LISTED
        if more > 0:
            what_more = f"and {more:,} more {noun}{'s' if more > 1 else ''} like this"
            place = {column(items[0]), column(items[-1])}
            self.add(
                file,
                what_more,
                "Mend them in the same way.",
                column=place.pop() if len(place) == 1 else "",
                severity=severity,
            )

    @property
    def has_errors(self) -> bool:
        """Whether anything was found that keeps the study from being read."""
        return any(problem.severity == "error" for problem in self.problems)

    def raise_errors(self) -> None:
        """Raise all problems at once if any of them is an error."""
        if self.has_errors:
            ordered = sorted(self.problems, key=lambda problem: problem.severity != "error")
            raise StudyError(ordered)
