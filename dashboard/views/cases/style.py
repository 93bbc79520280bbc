"""Style rules of the page Cases alone."""

from __future__ import annotations

import streamlit as st

from dashboard.shell.theme import paired

_STYLE = """
<style>
.stApp .loupe-effect { list-style: none; display: grid; gap: 0.3rem 0.8rem; margin: 0; padding: 0;
  grid-template-columns: fit-content(55%) minmax(4rem, 12rem) max-content; color: TEXT; }
.loupe-effect li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center;
  margin: 0; padding: 0; font-size: 0.93rem; }
.stApp .loupe-effect span { margin: 0; white-space: normal; }
.loupe-effect b { line-height: 1.25rem; font-size: 0.87rem; }
.stApp .loupe-effect .loupe-effect-bar { position: relative; height: 0.6rem; background: RULE; }
.stApp .loupe-effect-bar i { display: block; height: 100%; margin: 0; }
.loupe-effect-bar u { position: absolute; top: -0.2rem; bottom: -0.2rem; width: 2px; background: TEXT; }
.stApp .loupe-effect .loupe-effect-numbers { white-space: nowrap; font-variant-numeric: tabular-nums; }
</style>
"""


def apply() -> None:
    """Put the rules on the page."""
    st.html(paired(_STYLE))
