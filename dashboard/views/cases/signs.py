"""Signs of what was written about cases: behind each in the list, what they mean, and how many bear which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.cases.reviewed import review_counts
from core.reviews.event import STATUSES, Status
from core.reviews.state import CaseReview
from dashboard.components.text import count

_SIGNS: dict[Status, str] = {"re-read": "↻", "discussion": "⋯", "awaited": "◔", "settled": "✓"}
_FLAG, _NOTE = "⚑", "✎"


def in_words() -> str:
    """Say what stands behind the id of a case about which something was written."""
    signs = [(_FLAG, "flagged"), (_NOTE, "with a note"), *((_SIGNS[one], STATUSES[one]) for one in _SIGNS)]
    return f"Behind a case: {', '.join(f'{sign} {words}' for sign, words in signs)}."


def counted(rows: pd.DataFrame, found: Mapping[str, CaseReview]) -> str:
    """Say how many of the listed cases have which status, a flag or a note, with their signs."""
    signs = {words: f" {_SIGNS[status]}" for status, words in STATUSES.items() if status in _SIGNS}
    counts = review_counts(rows, found)
    told = {STATUSES["open"]: "without a status"}
    said = [
        f"{number:,} {told.get(words, words)}{signs.get(words, '')}"
        for words, number in counts.items()
        if number
    ]
    written_of = [found[case_id] for case_id in rows.index if case_id in found]
    flagged, noted = (sum(bool(getattr(one, of)) for one in written_of) for of in ("flags", "notes"))
    marks = f"; {flagged:,} flagged {_FLAG}" * (flagged > 0) + f"; {noted:,} with a note {_NOTE}" * (
        noted > 0
    )
    outdated = sum(bool(one.outdated) for one in written_of)
    of_old = f" What was said of {count(outdated, 'case')} was said of other readings." if outdated else ""
    return f"Of those listed: {', '.join(said)}{marks}.{of_old}" if said else ""


def behind(ids: Sequence[str], found: Mapping[str, CaseReview]) -> dict[int, tuple[str, str]]:
    """Signs of what was decided about cases, by their place in the list, each with its words."""
    said = {}
    for place, of in ((place, found[case_id]) for place, case_id in enumerate(ids) if case_id in found):
        signs = _SIGNS.get(of.status, "") + _FLAG * bool(of.flags) + _NOTE * bool(of.notes)
        words = [STATUSES[of.status]] if of.status in _SIGNS else []
        words += [f"flagged: {', '.join(of.flags)}"] if of.flags else []
        words += [count(len(of.notes), "note")] if of.notes else []
        words += ["said of other readings than now"] if of.outdated else []
        if signs:
            said[place] = signs, "; ".join(words)
    return said
