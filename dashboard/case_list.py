"""A list of cases of which one is opened: plain rows, light to send and to draw, walked by keyboard.

Streamlit's own table is a spreadsheet: its code is a third of all that a page fetches, and drawing the first
one takes a quarter of a second. Where a list is only read and clicked, this one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.theme import paired

_CSS = """
.cases { overflow: auto; border: 1px solid RULE; border-radius: 6px; font-size: 0.87rem; color: TEXT; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th {
  position: sticky; top: 0; background: PANEL; color: MUTED; font-weight: 400; text-align: left;
  vertical-align: bottom; z-index: 1;
}
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid RULE; }
td { white-space: nowrap; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; }
.number { text-align: right; }
tbody tr { cursor: pointer; }
tbody tr:hover { background: PANEL; }
button {
  all: unset; color: SOFT; cursor: pointer; max-width: 20rem; overflow: hidden; text-overflow: ellipsis;
  display: block;
}
button:focus-visible { outline: 2px solid SOFT; outline-offset: 2px; border-radius: 2px; }
.bar { display: inline-block; width: 4rem; height: 0.5rem; margin-right: 0.6rem; background: RULE; }
.bar i { display: block; height: 100%; background: SOFT; }
"""
_JS = """
const drawn = new WeakMap();

function cell(tag, text, column) {
  const one = document.createElement(tag);
  one.textContent = text;
  if (column.number) one.className = "number";
  return one;
}

function row(values, columns, share, open) {
  const line = document.createElement("tr");
  values.forEach((value, i) => {
    const one = cell("td", i === 0 ? "" : value, columns[i]);
    if (i === 0) {
      const button = document.createElement("button");
      button.textContent = value;
      one.append(button);
    } else if (columns[i].bar) {
      const bar = document.createElement("span"), full = document.createElement("i");
      bar.className = "bar";
      full.style.width = `${100 * share}%`;
      bar.append(full);
      one.prepend(bar);
    }
    one.title = value;
    line.append(one);
  });
  line.addEventListener("click", () => open(values[0]));
  return line;
}

function draw({columns, rows, shares, name, height}, open) {
  const frame = document.createElement("div"), table = document.createElement("table");
  frame.className = "cases";
  frame.style.maxHeight = `${height}px`;
  table.setAttribute("aria-label", name);
  const head = table.createTHead().insertRow();
  for (const column of columns) {
    const title = cell("th", column.title, column);
    title.scope = "col";
    if (column.help) title.title = column.help;
    head.append(title);
  }
  const body = table.createTBody();
  rows.forEach((values, i) => body.append(row(values, columns, shares[i], open)));
  frame.append(table);
  return frame;
}

export default function ({data, parentElement, setTriggerValue}) {
  const now = JSON.stringify(data);
  if (drawn.get(parentElement) === now) return;
  drawn.set(parentElement, now);
  parentElement.querySelector(".cases")?.remove();
  parentElement.append(draw(data, (id) => setTriggerValue("opened", id)));
}
"""
"""Text is set as text: nothing of it is ever markup."""


@dataclass(frozen=True)
class Column:
    """A column of a case list.

    Attributes
    ----------
    title : str
        Its head.
    is_number : bool
        Whether it stands at the right.
    is_share : bool
        Whether a bar shows the row's share beside the text.
    help : str
        Shown when the head is pointed at.
    """

    title: str
    is_number: bool = False
    is_share: bool = False
    help: str = ""


def case_list(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    name: str,
    key: str,
    height: int,
    shares: Sequence[float] = (),
) -> str | None:
    """List cases; a click on a row, or Enter on its first cell, opens one.

    Parameters
    ----------
    columns : sequence of Column
        The first holds the case's id.
    rows : sequence of sequence of str
        What the cells say.
    name : str
        What the list is, for those who do not see it.
    key : str
        Unique on the page.
    height : int
        Pixels that it takes at most; what is longer is scrolled.
    shares : sequence of float
        For each row, in [0, 1], what the bar of a column ``is_share`` shows.

    Returns
    -------
    str or None
        Id of the case that was just opened.
    """
    mount = st.components.v2.component("loupe_cases", css=paired(_CSS), js=_JS)
    heads = [
        {"title": of.title, "number": of.is_number, "bar": of.is_share, "help": of.help} for of in columns
    ]
    data = {"columns": heads, "rows": rows, "shares": list(shares), "name": name, "height": height}
    opened = mount(data=data, key=key, on_opened_change=_nothing_else).opened
    return str(opened) if opened is not None else None


def _nothing_else() -> None:
    """The run that comes with a click is all that is wanted."""
