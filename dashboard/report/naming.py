"""Who and what free text may name: cases, and people who read; a report without cases names neither."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.study.model import Study

LEAST_ID = 4
"""Letters of an id that is looked for in text: shorter ones are numbers and words of their own."""
NAMES_A_CASE = "(names a case, and is left out)"


def pattern_of(names: Iterable[str]) -> re.Pattern[str] | None:
    """What finds any of these names as a word of its own; None where there is none."""
    # The longest first: one may begin with another.
    found = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    return re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in found)) if found else None


def cases_in_text(study: Study) -> re.Pattern[str] | None:
    """What finds ids of cases in text; None where all are too short to be told from other words."""
    return pattern_of(str(one) for one in study.case_ids if len(str(one)) >= LEAST_ID)


class Naming:
    """What people are called in a report, and what may be quoted of what they wrote.

    Parameters
    ----------
    study : Study
    people : iterable of str
        Names of all who read, decided or wrote, in an order that stays.
    in_full : bool
        Whether cases and people are named; else people are numbered, and text that names a case is left out.
    """

    def __init__(self, study: Study, people: Iterable[str], *, in_full: bool) -> None:
        known = dict.fromkeys(people)
        self.in_full = in_full
        self._numbers = {name: f"reader {number}" for number, name in enumerate(known, start=1)}
        self._people = pattern_of(known)
        self._cases = None if in_full else cases_in_text(study)

    def person(self, name: str) -> str:
        """What somebody is called."""
        return name if self.in_full else self._numbers[name].capitalize()

    def text(self, written: str) -> str:
        """What may be quoted of a text."""
        if self.in_full:
            return written
        if self._cases is not None and self._cases.search(written):
            return NAMES_A_CASE
        if self._people is None:
            return written
        return self._people.sub(lambda found: self._numbers[found.group()], written)
