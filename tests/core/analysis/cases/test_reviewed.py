"""What was decided about the cases of a worklist, as columns and as filters."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis.cases.orders import ordered
from core.analysis.cases.reviewed import asked_for, review_counts, with_reviews
from core.analysis.cases.select import Filters
from core.reviews.event import Event, Subject, local_time
from core.reviews.state import CaseReview, reviews_of

CASES = pd.DataFrame(
    {"certainty": [0.3, 0.5, 0.7, 0.9]}, index=pd.Index(["a", "b", "c", "d"], name="case_id")
)


def _event(number: int, case_id: str, kind: str, author: str = "Ada", **content: str) -> Event:
    subject = Subject("f" * 16, "S", "main", case_id, "0" * 16)
    time = f"2026-01-02T03:0{number}:00.000000+00:00"
    return Event(subject, author, kind, content, time=time, number=number)  # type: ignore[arg-type]


@pytest.fixture
def reviews() -> dict[str, CaseReview]:
    """Reviews of three cases, and of one that the list does not have."""
    events = [
        _event(1, "c", "status", status="re-read"),
        _event(2, "a", "flag", reason="blurred"),
        _event(3, "a", "flag", "Ben", reason="worth teaching"),
        _event(4, "z", "status", status="settled"),
        _event(5, "d", "status", "Ben", status="settled"),
    ]
    return reviews_of(events, "main")


def test_columns_say_what_was_decided(reviews: dict[str, CaseReview]) -> None:
    """And nothing where nothing was written; the worklist itself stays as it is."""
    table = with_reviews(CASES, reviews)
    assert table["status"].tolist() == ["open", "open", "to re-read", "settled"]
    assert table["flags"].tolist() == ["blurred; worth teaching", "", "", ""]
    assert table["reviewer"].tolist() == ["Ben", "", "Ada", "Ben"]
    assert table.loc["b", "reviewed"] == ""
    assert table.loc["d", "reviewed"] == local_time(reviews["d"].history[0])
    assert list(CASES) == ["certainty"]
    assert ordered(table, "reviewed").index.tolist() == ["d", "a", "c", "b"]
    assert ordered(table, "status").index.tolist() == ["c", "a", "b", "d"]
    assert ordered(table, "flagged").index.tolist() == ["a", "b", "c", "d"]
    assert ordered(table, "reviewer").index.tolist() == ["c", "a", "d", "b"]
    assert ordered(table.iloc[::-1], "flagged").index.tolist() == ["a", "d", "c", "b"]


def test_notes_stand_in_one_line() -> None:
    """Oldest first; one that was withdrawn is none."""
    said = [
        _event(1, "c", "note", text="two\nlines"),
        _event(2, "c", "note", text="another"),
        _event(3, "c", "note", text="gone"),
    ]
    gone = Event(said[2].subject, "Ada", "withdrawal", {}, answers=said[2].id, number=4)
    table = with_reviews(CASES, reviews_of([*said, gone], "main"))
    assert table["notes"].tolist() == ["", "", "two lines / another", ""]


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (Filters(), "abcd"),
        (Filters(status=("re-read", "settled")), "cd"),
        (Filters(status=("open",)), "ab"),
        (Filters(status=("open", "settled")), "abd"),
        (Filters(flag=("worth teaching", "other")), "a"),
        (Filters(reviewer=("Ben",)), "ad"),
        (Filters(changed=True), "ad"),
        (Filters(changed=True, status=("settled",)), "d"),
    ],
)
def test_filters_ask_for_it(reviews: dict[str, CaseReview], filters: Filters, kept: str) -> None:
    """Alone and together."""
    assert "".join(CASES.index[asked_for(CASES, filters, reviews, seen=2)]) == kept


def test_counts_are_of_the_cases_listed(reviews: dict[str, CaseReview]) -> None:
    """Those about which nothing was written are open."""
    assert review_counts(CASES, reviews) == {
        "open": 2,
        "to re-read": 1,
        "in discussion": 0,
        "pending": 0,
        "settled": 1,
    }
