"""Columns of what `loupe checklist` writes."""

from __future__ import annotations

from core.analysis.column import SETTINGS, Table, text

YES, PARTLY, NO = "yes", "partly", "not in the data"
"""How far a study answers an item."""
_GUIDELINE = "CLAIM 2024; STARD-AI"

_ROWS = (
    text("guideline", "the guideline", _GUIDELINE, "CLAIM 2024, STARD-AI"),
    text("item", "the item by its number, as CLAIM 14; empty where it is not told", _GUIDELINE),
    text("topic", "what is asked, in Loupe's words", _GUIDELINE),
    text("answered", "how far the study answers it", SETTINGS, f"{YES}, {PARTLY}, {NO}"),
    text("answer", "what the study answers, and what its authors have to add"),
    text("source", "file, or command and table, that the answer comes from", SETTINGS),
)
TABLES = (Table("checklist", "checklist", "checklist", "an item of a guideline", _ROWS),)
