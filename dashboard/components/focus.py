"""Where the keyboard writes when a dialog opens."""

from __future__ import annotations

import streamlit as st

SCRIPT = "setTimeout(() => document.querySelector('.st-key-go-to input')?.focus(), 150)"
"""The one script in a page, besides those that it begins with: the server lets it run by its letters."""


def go_to_field() -> None:
    """Move to the field of the dialog that asks for a case.

    The dialog takes the focus for itself; somebody who came by keyboard wants to write at once.
    """
    st.html(f"<script>{SCRIPT}</script>", unsafe_allow_javascript=True)
