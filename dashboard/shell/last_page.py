"""The page that was open last, remembered over starts in a file of the person's own.

It holds the name of a page and nothing else: no study, no case. Where it cannot be written or read, every
start is a first one.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from core.study.own_folder import own_folder

TOUR, STUDY = "tour", ""
"""Paths of the page for who comes for the first time, and of the one that lies at the root."""
PAGES = (TOUR, STUDY, "cases", "review", "reliability", "models", "disagreement", "raters")
"""Paths of all pages that a start can lead to."""
_REMEMBERED = "loupe-remembered-page"


def opening(*, names_study: bool) -> str:
    """Path of the page to open: the last one; at first the tour, or the study where one is named."""
    page = _recall()
    return STUDY if names_study and page == TOUR else page


def remember(page: str) -> None:
    """Keep the page that this session has come to, if it can be kept."""
    if page not in PAGES or st.session_state.get(_REMEMBERED) == page:
        return
    st.session_state[_REMEMBERED] = page
    with suppress(OSError, RuntimeError):
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{page or 'study'}\n", encoding="utf-8")


def _recall() -> str:
    """Page of the last session; the tour where none is known."""
    try:
        name = _file().read_text(encoding="utf-8").strip()
    except (OSError, RuntimeError, ValueError):
        return TOUR
    page = STUDY if name == "study" else name
    return page if name and page in PAGES else TOUR


def _file() -> Path:
    return own_folder("state") / "last_page"
