"""Light or dark, as the browser shows it: style sheets follow at once, pictures with one run of the page."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from dashboard.shell import state

Mode = Literal["light", "dark"]

_JS = """
let asked = "", watch;

export default function ({data, setTriggerValue}) {
  const app = document.querySelector(".stApp");
  const follow = () => {
    const shown = getComputedStyle(app).colorScheme;
    // Dialogs and popovers lie outside of the app; style sheets have one pair of colours for all.
    document.documentElement.style.colorScheme = shown;
    if (shown === data.drawn) asked = "";
    else if (shown !== asked) setTriggerValue("mode", asked = shown);
  };
  // Streamlit calls again with each change of the data, and does not end the call before.
  watch?.disconnect();
  watch = new MutationObserver(follow);
  watch.observe(app, {attributes: true, attributeFilter: ["class"]});
  follow();
  return () => watch.disconnect();
}
"""
"""Streamlit changes its own colours without a run; what it changes is the class of the app."""


def mode() -> Mode:
    """Mode that the browser showed when this run began."""
    return "dark" if st.context.theme.type == "dark" else "light"


def follow() -> None:
    """Draw the page anew as soon as the browser shows the other mode than this run draws."""
    with st.container(key="mode"):
        mount = st.components.v2.component("loupe_mode", js=_JS)
        # The run that comes with a change is all that is wanted, of the whole page.
        mount(data={"drawn": mode()}, key="follow-mode", on_mode_change=state.redraw_if_elsewhere)
