"""What was done on a page, in words that a paper can print, and the works that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from core.analysis.methods_text import Paragraph, methods_bibtex, methods_text
from dashboard.components.picture import KEPT
from dashboard.views import parts


@st.fragment
def show(paragraphs: Callable[[], Iterable[Paragraph | None]]) -> None:
    """Offer, folded, the methods of what the page shows; they are written when the panel is opened.

    Parameters
    ----------
    paragraphs : callable
        Returns them, from the settings that are in force.
    """
    panel = st.expander(
        "Methods, for a paper", expanded=KEPT in st.session_state, key="methods", on_change="rerun"
    )
    if not panel.open:
        return
    with panel:
        said = [one for one in paragraphs() if one is not None]
        parts.note("Written from the settings in force on this page; the button at the top right copies it.")
        st.code(methods_text(said), language=None, wrap_lines=True)
        works = methods_bibtex(said)
        if works:
            parts.note("The works that it names, as BibTeX:")
            st.code(works, language=None, wrap_lines=True)
