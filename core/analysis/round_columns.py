"""Columns of what `loupe review` writes."""

from __future__ import annotations

from core.analysis.column import (
    FILES,
    OF_METRIC,
    Column,
    Table,
    count,
    error,
    rank,
    share,
    text,
    value,
    yes_no,
)
from core.analysis.shared_columns import CASE_ID, MODEL, REASON, TASK

_REVIEW = "what was written in the review"
_CERTAINTY = "Stutz 2025, eq. 7, j = 1"
_BOTH = "-1 to 1"
_ROUND = text("round", "the round", _REVIEW)
_ROUND_CASES = (
    CASE_ID,
    count("readings", "readings of the round that are in force", "readings", _REVIEW),
    text("said", "each reader and what was said", _REVIEW),
    yes_no("among_readers", "whether two readers of the round do not put the same labels first", _REVIEW),
    text("earlier", "label that the study's own readings put first most often; of a tie all"),
    yes_no("with_earlier", "whether a reader of the round puts first no label that led before", _REVIEW),
    yes_no("disagrees", "either of the two, and there is no outcome", _REVIEW),
    text("outcome", "what was agreed on; empty where nothing was", _REVIEW),
    yes_no("fits", "whether the case still has the readings that it had when the round was made", _REVIEW),
    _ROUND,
)
_PROGRESS = (
    _ROUND,
    text("reader", "who reads", _REVIEW),
    count("read", "cases read", source=_REVIEW),
    count("left", "cases left", source=_REVIEW),
)


def _change(name: str, of: str) -> tuple[Column, Column, Column]:
    """A probability before and after, and its change."""
    return (
        share(f"{name}_before", f"{of}, before", _CERTAINTY),
        share(f"{name}_after", f"{of}, after", _CERTAINTY),
        Column(f"{name}_change", "after less before", "share", _BOTH, _CERTAINTY),
    )


_WHEN = ("before", "after")
_CASE_CHANGES = (
    CASE_ID,
    count("readings_before", "readings before", "readings"),
    count("further_readings", "readings that came with the round", "readings", _REVIEW),
    text("leading_before", "label that led before; of equals all", _CERTAINTY),
    text("leading_after", "label that leads after; of equals all", _CERTAINTY),
    yes_no("leading_changed", "whether none of those that led before leads now", _CERTAINTY),
    *_change("certainty", "certainty of the leading label"),
    *_change("risk_certainty", "certainty of the risk level"),
    *(share(f"high_risk_{of}", f"how often a high-risk label leads, {of}", _CERTAINTY) for of in _WHEN),
    share("moved", "total variation distance between the distributions of the leading label", _CERTAINTY),
)
_CERTAINTY_CHANGES = (
    text("scope", "which cases", FILES, "cases read again, study"),
    text("measure", "which certainty", _CERTAINTY, "certainty, risk certainty"),
    share("before", "mean before", _CERTAINTY),
    share("after", "mean after", _CERTAINTY),
    Column("change", "after less before", "share", _BOTH, _CERTAINTY),
    count("n_cases", "cases with readings both before and after"),
    count("leading_changed", "of these, cases in which another label leads"),
    count("ties_broken", "of these, cases in which one of several that were tied leads alone"),
)
_METRIC = "Lionetti 2025; Stutz 2025"
_MODEL_CHANGES = (
    text("metric", "name of the metric", _METRIC),
    text("kind", "whether it is a hard metric or its soft counterpart", _METRIC, "hard, soft"),
    MODEL,
    value("before", "value before", _METRIC),
    value("after", "value after", _METRIC),
    Column("change", "after less before", OF_METRIC, "any", _METRIC, digits_by=("change_error",)),
    error("change_error", "change, each case before and after as a pair"),
    rank("rank_before", "rank among the models before"),
    rank("rank_after", "rank after"),
    Column("rank_change", "ranks gained", "ranks", "any", "rank_before less rank_after"),
    count("n_cases_before", "cases that the model was judged on before"),
    count("n_cases_after", "cases that it is judged on after"),
    REASON,
)
_HISTORY = (
    Column("number", "number of the event", "none", "1 or more", _REVIEW),
    text("time", "when it was written, by the clock of that computer (UTC)", _REVIEW),
    TASK,
    CASE_ID,
    text("author", "who wrote it", _REVIEW),
    text("kind", "what it is: a note, flag, status, withdrawal, what a round has, or an adoption", _REVIEW),
    text("said", "what it says", _REVIEW),
    yes_no("withdrawn", "whether it was taken back, or what it belongs to was", _REVIEW),
    yes_no("readings_as_now", "whether the case has the readings that it was written about", _REVIEW),
    yes_no("of_this_study", "whether it is about this study, and no other of the same name", _REVIEW),
    text("answers", "event that it is about", _REVIEW),
    text("event", "its own id", _REVIEW),
    text("fingerprint", "fingerprint of the study that it was written about", _REVIEW),
    text("content", "all that a round, a reading or an outcome says, as JSON", _REVIEW),
)
TABLES = (
    Table("review round", "rounds", "cases", "a case of a round", _ROUND_CASES),
    Table("review round", "rounds", "progress", "a reader of a round", _PROGRESS),
    Table("review changed", "changed", "cases", "a case that was read again", _CASE_CHANGES),
    Table("review changed", "changed", "certainty", "a certainty, of some cases", _CERTAINTY_CHANGES),
    Table("review changed", "changed", "models", "a metric and model", _MODEL_CHANGES),
    Table("review log", "review", "history", "an event, oldest first", _HISTORY),
)
