"""Names of files say what is in them, and every system takes them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.select import Filters
from core.analysis.file_names import MOST_BYTES, PRESET, file_stem, slug
from core.settings import entries
from core.study.settings import StudyChoice


@pytest.mark.parametrize(
    ("page", "name", "made", "stem"),
    [
        ("cases", "worklist", {"study": "Dermatology", "reliability": "3"}, "dermatology-cases-worklist-g3"),
        (
            *("cases", "worklist"),
            {"study": "Dermatology"} | entries(Filters(risk=("high",))),
            "dermatology-cases-worklist-high-risk",
        ),
        (
            *("cases", "worklist"),
            {"study": "d", "reliability": "∞"} | entries(Filters(search="../Nä vus", certainty=(80, 85))),
            "d-cases-worklist-search-na-vus-certainty-80-to-under-85-ginfinite",
        ),
        (
            "cases",
            "dots",
            {"study": "d", "case": "a/b", "reliability": "0.25"},
            "d-cases-dots-case-a-b-g0.25",
        ),
        ("cases", "worklist", {"study": "d", PRESET: "most uncertain"}, "d-cases-worklist-most-uncertain"),
        ("raters", "kappa", {"study": "d", "cases": "3 of 9 cases: high risk"}, "d-raters-kappa-high-risk"),
        ("tour", "claim", {}, "tour-claim"),
        (
            *("study", "note"),
            {"study": "d"} | entries(StudyChoice("x < 1", ("Melanoma",))),
            "d-study-note-x-1-danger-melanoma",
        ),
        (
            *("study", "note"),
            {"study": "d"} | entries(StudyChoice("", ("Melanoma", "Scabies", "Urticaria"))),
            "d-study-note-3-dangers",
        ),
        (
            *("study", "note"),
            {"study": "d"} | entries(StudyChoice("", ("nevus, atypical",))),
            "d-study-note-danger-nevus-atypical",
        ),
    ],
)
def test_what_a_name_says(page: str, name: str, made: dict[str, str], stem: str) -> None:
    """Study, page, table, then case or filters, then the reliability."""
    assert file_stem(page, name, made) == stem


@given(st.text(), st.text(), st.text())
def test_any_study_makes_a_safe_name(study: str, case: str, search: str) -> None:
    """No separator, no blank, nothing hidden, no point at an end, and not too long."""
    stem = file_stem("cases", "dots", {"study": study, "case": case, "search": search, "reliability": "3"})
    assert len(stem.encode()) <= MOST_BYTES
    assert re.fullmatch(r"[^\W_]([^\W_]|[-.])*", stem)
    assert stem.endswith("-g3")


def test_long_names_are_cut_between_words() -> None:
    """Or within the first, where that alone is too long."""
    assert slug("one two three", 9) == "one-two"
    assert slug("x" * 50, 9) == "x" * 9
