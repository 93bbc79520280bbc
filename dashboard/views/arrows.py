"""Arrow keys in the worklist: the row above or below opens, and the row that is open stays in sight.

The table of Streamlit takes no arrow keys before a cell of it was clicked; then they move a frame over its
cells and choose no row. It does not scroll to a row that is chosen elsewhere either.
"""

from __future__ import annotations

import streamlit as st

_JS = """
const TABLE = ".st-key-worklist";
const BUTTONS = {ArrowUp: ".st-key-walk-previous button", ArrowDown: ".st-key-walk-next button"};

function walk(event) {
  const has_more = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (has_more || !BUTTONS[event.key] || !event.target.closest?.(TABLE)) return;
  event.preventDefault();
  event.stopPropagation();
  document.querySelector(BUTTONS[event.key])?.click();
}

function show(row, height, attempts) {
  const scroller = document.querySelector(`${TABLE} .dvn-scroller`);
  if (!scroller) return attempts > 0 ? setTimeout(show, 100, row, height, attempts - 1) : undefined;
  const top = row * height, room = scroller.clientHeight - 2 * height;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top > scroller.scrollTop + room) scroller.scrollTop = top - room;
}

let shown = null;

export default function ({data}) {
  if (data.row !== null && data.row !== shown) show(data.row, data.height, 50);
  shown = data.row;
  document.addEventListener("keydown", walk, true);
  return () => document.removeEventListener("keydown", walk, true);
}
"""


def follow(row: int | None, *, height: int) -> None:
    """Let arrow keys walk the worklist, and scroll it to the open row.

    Parameters
    ----------
    row : int or None
        Position of the open case in the table; None where it is not listed.
    height : int
        Of a row, and of the head above them, in pixels.
    """
    with st.container(key="arrows"):
        mount = st.components.v2.component("loupe_arrows", js=_JS)
        mount(data={"row": row, "height": height}, key="follow-arrows")
