"""Words of a table that open something when they are pressed: each a button that says what it opens."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

HOLD = """
addEventListener("click", ({target}) => {
  const button = target.closest?.("button[data-opens]");
  if (button) window.loupePressed = button;
});
"""
"""Begins every page: a press is kept until the code that follows it has come, after the table perhaps."""
_JS = """
export default function ({data, parentElement, setTriggerValue}) {
  const take = () => {
    // Streamlit may mount what has left the page by then, and then never unmounts it.
    if (!parentElement.isConnected) { leave(); return; }
    const button = window.loupePressed;
    if (!button?.isConnected || !button.closest(data.within)) return;
    window.loupePressed = null;
    setTriggerValue("opened", {opens: button.dataset.opens, at: Date.now()});
  };
  const leave = () => window.removeEventListener("click", take);
  window.addEventListener("click", take);
  take();
  return leave;
}
"""


def opening(words: str, opens: str, said: str) -> str:
    """Write words that open something: ``opens`` says what, to `followed`; ``said`` says it to people."""
    words, opens, said = escape(words), escape(opens), escape(said)
    of = f'type="button" data-opens="{opens}" title="{said}" aria-label="{words}: {said}"'
    return f'<button class="loupe-opens" {of}>{words}</button>'


def followed(within: str, *, key: str, on_open: Callable[[str], None]) -> None:
    """Have what `opening` wrote within a selector of the page call ``on_open`` with what it opens.

    The browser may send anything: who is called takes only what was offered.
    """

    def open_() -> None:
        opened = (st.session_state.get(key) or {}).get("opened")
        if opened is not None:
            on_open(str(opened["opens"]))

    with st.container(key=f"{key}-place"):
        mount = st.components.v2.component("loupe_pressed", js=_JS)
        mount(data={"within": within}, key=key, on_opened_change=open_)
