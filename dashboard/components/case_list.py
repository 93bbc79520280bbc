"""A list of cases of which one is opened: plain rows, light to send and to draw, walked by keyboard.

With Streamlit's own table in its place eight quick presses of Alt+N led two or three rows on, a linked case
was not brought into sight, and a tick, not a click on the row, opened it; the page fetched 5.6 in place of
4.2 MB of code, and the list was there no sooner (three visits each, in turn). ``test_no_step_is_lost``,
``test_a_click_opens_that_row`` and ``test_arrows_walk_the_worklist`` in ``tests/browser`` hold it to that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.shell.theme import DARK, LIGHT, paired, risk_style

ROW_HEIGHT = 32
"""Of every row and of the head, in pixels: so only the rows in sight have to be drawn."""
_CSS = """
.cases { overflow: auto; border: 1px solid RULE; border-radius: 6px; font-size: 0.87rem; color: TEXT; }
.cases:focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-variant-numeric: tabular-nums; }
th {
  position: sticky; top: 0; background: PANEL; color: MUTED; font-weight: 400; text-align: left; z-index: 1;
}
th button { all: unset; cursor: pointer; }
th button:hover, th[aria-sort] button { color: TEXT; }
th button:focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
th[aria-sort] button::after { content: " ▾" / ""; }
th[aria-sort=ascending] button::after { content: " ▴" / ""; }
th, td {
  box-sizing: border-box; height: ROWpx; padding: 0 0.5rem; border-bottom: 1px solid RULE;
  white-space: nowrap; max-width: 22rem; overflow: hidden; text-overflow: ellipsis;
}
td.room { padding: 0; border: 0; }
.number { text-align: right; }
.wide { width: calc(99% / var(--wides, 1)); max-width: 0; min-width: 4.6rem; }
td.wide span {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  white-space: normal; overflow-wrap: anywhere; line-height: 1.08;
}
td:first-child { max-width: 11rem; }
tbody tr { cursor: pointer; }
tbody tr:hover { background: PANEL; }
tr[aria-selected=true] { background: color-mix(in srgb, SOFT 16%, transparent); }
td:first-child { color: SOFT; }
tr[aria-selected=true] td:first-child { box-shadow: inset 3px 0 SOFT; color: TEXT; font-weight: 600; }
.risk b {
  display: inline-block; min-width: 1.25rem; border-radius: 3px; text-align: center; font-weight: 600;
}
.risk.number b { padding: 0 0.3rem; margin-right: -0.3rem; }
RISKS
.risk b[data-pale] {
  color: TEXT; background: color-mix(in srgb, HIGH calc(var(--share) * 0.6%), transparent);
  box-shadow: inset 0 0 0 1px color-mix(in srgb, HIGH 70%, transparent);
}
.mark { margin-left: 0.35rem; color: TEXT; font-weight: 600; }
.bar { display: inline-block; width: 2.2rem; height: 0.5rem; margin-right: 0.5rem; background: RULE; }
.bar i { display: block; height: 100%; background: SOFT; }
/* On a phone numbers stand without their bars, so that all columns have room. */
@media (max-width: 640px) {
  th, td { padding: 0 0.3rem; }
  .risk.number b { margin-right: 0; }
  td.wide span { line-height: 1.05; }
  .bar { display: none; }
}
"""
_CSS = (
    _CSS.replace("ROWpx", f"{ROW_HEIGHT}px")
    .replace("RISKS", risk_style(".risk b[data-level=LEVEL]"))
    .replace("HIGH", f"light-dark({LIGHT.risk['H']}, {DARK.risk['H']})")
)
_JS = """
const BEYOND = 8;
const LOST = 2000, TRIES = 3, MOST_MARKS = 50;
const lists = new WeakMap();
let last = 0;

// What is longer than a narrow column is broken behind a stroke, or where one can read on.
const LONG = /\\p{L}{13,}/gu, WIDE = 13;
const SYLLABLE = /(\\p{L}{3,}?)(?=[bcdfghjklmnpqrstvwxz][aeiouy]\\p{L}{2,})/giu;

function wrapping(text) {
  const lines = document.createElement("span");
  for (const token of text.split(/(?<= )/)) {
    for (const part of token.length > WIDE ? token.split(/(?<=\\/)/) : [token]) {
      const words = part.replace(LONG, (word) => word.replace(SYLLABLE, "$1\\u00ad"));
      lines.append(words, ...(part.endsWith("/") ? [document.createElement("wbr")] : []));
    }
  }
  return lines;
}

function filled(row, tag, values, columns, share) {
  values.forEach((value, i) => {
    const cell = document.createElement(tag);
    cell.textContent = value;
    for (const kind of ["number", "wide", "risk"]) if (columns[i][kind]) cell.classList.add(kind);
    if (tag === "th") {
      cell.scope = "col";
      if (columns[i].help) cell.title = columns[i].help;
      if (columns[i].order) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = value;
        button.dataset.order = columns[i].order;
        if (columns[i].sorted) cell.ariaSort = columns[i].sorted;
        cell.replaceChildren(button);
      }
    } else {
      cell.title = value;
    }
    if (tag === "td" && columns[i].wide) {
      cell.replaceChildren(wrapping(value));
    }
    if (tag === "td" && columns[i].risk && /^[A-Z]\\b/.test(value)) {
      const letter = document.createElement("b");
      letter.textContent = value;
      letter.dataset.level = value[0];
      const share = Number(/\\d+/.exec(value)?.[0]);
      if (share < columns[i].full) {
        letter.dataset.pale = "";
        letter.style.setProperty("--share", share);
      }
      cell.replaceChildren(letter);
    }
    if (share !== undefined && columns[i].bar) {
      const bar = document.createElement("span"), full = document.createElement("i");
      bar.className = "bar";
      full.style.width = `${100 * share}%`;
      bar.append(full);
      cell.prepend(bar);
    }
    row.append(cell);
  });
  return row;
}

function badge(signs, words) {
  const mark = document.createElement("span");
  mark.className = "mark";
  mark.textContent = signs;
  mark.title = mark.ariaLabel = words;
  mark.setAttribute("role", "img");
  return mark;
}

function room(height, columns) {
  const row = document.createElement("tr"), cell = row.insertCell();
  row.setAttribute("role", "presentation");
  cell.className = "room";
  cell.colSpan = columns;
  cell.style.height = `${height}px`;
  return row;
}

class List {
  constructor(parent) {
    this.frame = document.createElement("div");
    this.frame.className = "cases";
    this.frame.tabIndex = 0;
    this.table = document.createElement("table");
    this.table.setAttribute("role", "grid");
    this.table.createTHead();
    this.body = this.table.createTBody();
    this.frame.append(this.table);
    parent.append(this.frame);
    this.chosen = -1;
    this.asked = [];
    this.marks = [];
    this.left = {id: "", at: 0};
    this.frame.addEventListener("scroll", () => this.draw());
    // What it is first drawn for may be less than the room that it gets.
    new ResizeObserver(() => this.draw()).observe(this.frame);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("click", ({target, clientX, clientY}) => {
      if (target.dataset.order) { this.sort({name: target.dataset.order, at: Date.now()}); return; }
      // Whatever was drawn anew between press and release: what counts is the row that lies there.
      const row = parent.elementFromPoint(clientX, clientY)?.closest("tr[data-row]");
      if (!row) return;
      this.open(Number(row.dataset.row));
      // Where the case stands below its list, one would not see that it has opened.
      if (this.walks && matchMedia("(max-width: 1180px)").matches)
        document.querySelector(".st-key-case-title")?.scrollIntoView({block: "start"});
    });
  }

  take(data, send, sort) {
    const {columns, rows, shares, badges, name, height, walks} = data, before = this.rows?.[this.chosen]?.[0];
    // Where a case opens on another page, the mark is the list's own: arrows move it, Enter opens.
    const chosen = walks ? data.chosen : (before ?? "");
    Object.assign(this, {columns, rows, shares, badges: badges ?? {}, send, sort, walks, row: data.row});
    const asked = this.asked.length;
    this.frame.style.maxHeight = `min(${height}px, 66vh, var(--most-height, 100vh))`;
    this.frame.setAttribute("aria-label", name);
    this.table.setAttribute("aria-label", name);
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.table.style.setProperty("--wides", columns.filter((column) => column.wide).length || 1);
    // A head that somebody is at stays under the fingers.
    const at = this.table.tHead.querySelector("button:focus")?.dataset.order;
    this.table.tHead.replaceChildren(
      filled(document.createElement("tr"), "th", columns.map((column) => column.title), columns));
    if (at) this.table.tHead.querySelector(`button[data-order=${at}]`)?.focus({preventScroll: true});
    // What was asked for last stays marked until the page has heard of it, whatever it made of that: an
    // answer to an earlier key is no step back.
    this.asked = this.asked.filter(({at}) => at > data.heard);
    if (chosen !== this.known && this.asked.length === asked) this.asked = [];
    this.known = chosen;
    const find = (wanted) => rows.findIndex(([id]) => id === wanted);
    if (this.asked.length && find(this.asked.at(-1).id) < 0) this.asked = [];
    this.expect();
    const wanted = this.asked.at(-1)?.id ?? chosen, place = find(wanted);
    this.stand(wanted, place);
    const moved = place !== this.chosen || rows[place]?.[0] !== before;
    this.chosen = place;
    this.drawn = "";
    // Another order is read from its top; the case that is open stays marked, wherever it lies then.
    const isReordered = before !== undefined && rows[place]?.[0] === before && data.order !== this.order;
    this.order = data.order;
    if (isReordered) this.frame.scrollTop = 0;
    this.draw();
    if (moved && !isReordered) this.reveal();
  }

  stand(id, place) {
    // A case that has left the list, as one that was just settled may, leaves its place behind: the way goes
    // on from there and not from the top.
    if (place >= 0) this.left = {id, at: place};
    else if (this.left.id !== id) this.left = {id, at: 0};
  }

  draw() {
    const {scrollTop, clientHeight} = this.frame, n = this.rows.length;
    const from = Math.max(0, Math.floor(scrollTop / this.row) - BEYOND);
    const to = Math.min(n, Math.ceil((scrollTop + (clientHeight || 800)) / this.row) + BEYOND);
    if (this.drawn === `${from} ${to} ${this.chosen}`) return;
    this.drawn = `${from} ${to} ${this.chosen}`;
    const lines = [];
    for (let i = from; i < to; i += 1) {
      const line = filled(document.createElement("tr"), "td", this.rows[i], this.columns, this.shares[i]);
      if (this.badges[i]) line.cells[0].append(badge(...this.badges[i]));
      line.dataset.row = i;
      line.ariaRowIndex = i + 2;
      line.ariaSelected = i === this.chosen;
      lines.push(line);
    }
    if (from > 0) lines.unshift(room(from * this.row, this.columns.length));
    if (to < n) lines.push(room((n - to) * this.row, this.columns.length));
    this.body.replaceChildren(...lines);
  }

  reveal() {
    if (this.chosen < 0) return;
    const top = this.chosen * this.row, sight = this.frame.clientHeight - 2 * this.row;
    const over = top - this.frame.scrollTop, beyond = over < 0 ? -over : over - sight;
    if (beyond > this.row) this.frame.scrollTop = top - sight / 2;
    else if (beyond > 0) this.frame.scrollTop += over < 0 ? -beyond : beyond;
    this.draw();
  }

  open(place) {
    if (place < 0 || place >= this.rows.length) return false;
    this.chosen = place;
    this.stand(this.rows[place][0], place);
    // In milliseconds, and one more than before: so it grows from one list to the next as well.
    last = Math.max(Date.now(), last + 1);
    this.asked.push({id: this.rows[place][0], at: last});
    this.tries = 1;
    this.draw();
    this.reveal();
    this.send(this.asked.at(-1));
    this.expect();
    return true;
  }

  expect() {
    // A page that is being left takes along what was asked of it. A server that says nothing may be busy and
    // not have heard yet: it is asked again, as whoever steps on meanwhile counts on it. Only what it leaves
    // unanswered time after time is forgotten.
    clearTimeout(this.waits);
    if (!this.asked.length) return;
    this.waits = setTimeout(() => {
      const state = document.querySelector(".stApp")?.dataset.testScriptState ?? "notRunning";
      if (state !== "notRunning") { this.expect(); return; }
      if (this.tries < TRIES && this.frame.isConnected) {
        this.tries += 1;
        this.send(this.asked.at(-1));
        this.expect();
        return;
      }
      this.asked = [];
      this.chosen = this.rows.findIndex(([id]) => id === this.known);
      this.draw();
      this.reveal();
    }, LOST);
  }

  mark(place) {
    if (place < 0 || place >= this.rows.length) return;
    this.chosen = place;
    this.draw();
    this.reveal();
  }

  step(by) {
    return this.open(this.chosen < 0 ? this.left.at + (by > 0 ? by - 1 : by) : this.chosen + by);
  }

  again(send) {
    // Of the row that is marked here, which may be ahead of the page; all that were asked for lately are said
    // each time, for what was said before may be lost.
    const id = this.rows[this.chosen]?.[0];
    if (id === undefined) return false;
    last = Math.max(Date.now(), last + 1);
    this.marks = [...this.marks.slice(-MOST_MARKS + 1), {id, at: last}];
    send(this.marks);
    return true;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.dataset.order && event.key === "Enter") return;
    const by = {ArrowUp: -1, ArrowDown: 1}[event.key];
    if (event.key === "Enter" && this.chosen >= 0) this.open(this.chosen);
    else if (by && this.walks) this.step(by);
    else if (by) this.mark(this.chosen < 0 ? (by > 0 ? 0 : -1) : this.chosen + by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

export default function ({data, parentElement, setStateValue, setTriggerValue}) {
  if (!lists.has(parentElement)) lists.set(parentElement, new List(parentElement));
  const list = lists.get(parentElement);
  list.take({...data}, (asked) => setTriggerValue("opened", asked), (how) => setTriggerValue("sorted", how));
  if (!data.steps) return undefined;
  const taken = (event, by) => {
    // Streamlit may mount a list that has left the page by then, and then never unmounts it.
    if (!parentElement.isConnected) { leave(); return; }
    if (by === undefined || !(list.step(by) || list.asked.length)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const press = (event) => {
    const bare = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (bare) taken(event, {KeyN: 1, KeyP: -1}[event.code]);
    if (!bare || event.code !== "KeyR" || !data.marks || !parentElement.isConnected) return;
    if (!list.again((marks) => setStateValue("marked", marks))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const click = (event) => {
    const found = Object.entries(data.steps).find(([css]) => event.target.closest?.(css));
    if (found) taken(event, found[1]);
  };
  const leave = () => {
    window.removeEventListener("keydown", press, true);
    window.removeEventListener("click", click, true);
  };
  window.addEventListener("keydown", press, true);
  window.addEventListener("click", click, true);
  return leave;
}
"""
"""Text is set as text: nothing of it is ever markup.

Whoever steps faster than the page answers is counted here: each key goes on from the row that the one before
has asked for, and the last one is what the page is told.
"""


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
    is_risk : bool
        Whether cells begin with a risk letter, and stand in the colour of its level; others stay plain.
    is_wide : bool
        Whether it takes the room that the others leave, on two lines, and cuts what is longer: all of it is
        said where the cell is pointed at.
    full_from : int
        Of a column ``is_risk`` whose cells go on with a percentage: below this one the colour is pale, by how
        much it is; 0 where it never is.
    help : str
        Shown when the head is pointed at.
    order : str
        What its head asks to sort by, a word; without one the head is no button.
    sorted : {"", "ascending", "descending"}
        How the rows are sorted by this column, if they are.
    """

    title: str
    is_number: bool = False
    is_share: bool = False
    is_wide: bool = False
    is_risk: bool = False
    full_from: int = 0
    help: str = ""
    order: str = ""
    sorted: str = ""


def case_list(  # noqa: PLR0913 - parts of a list, by name
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    name: str,
    key: str,
    height: int,
    shares: Sequence[float] = (),
    badges: Mapping[int, tuple[str, str]] | None = None,
    chosen: str = "",
    on_open: Callable[[str], None] | None = None,
    steps: Mapping[str, int] | None = None,
    on_mark: Callable[[str], None] | None = None,
    on_sort: Callable[[str], None] | None = None,
    order: str = "",
) -> str | None:
    """List cases; a click anywhere on a row opens one, and so does Enter on the row that arrow keys mark.

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
    badges : mapping of int to (str, str), optional
        By the place of a row, signs that stand after its case id, and what they say in words.
    chosen : str
        Id of the case that is open: its row is marked and scrolled into sight; empty for none.
    on_open : callable, optional
        Called with the id before the page is drawn anew.
    steps : mapping of str to int, optional
        Selectors of buttons of the page that go this many rows on. With any, arrow keys open the next case
        at once, and Alt+N and Alt+P do so too, wherever the focus is.
    on_mark : callable, optional
        Called with the id of the row that Alt+R was pressed for, wherever the focus is; for each of several.
    on_sort : callable, optional
        Called with the ``order`` of the head that was pressed.
    order : str
        Names the order of the rows: with another one the list is shown from its top.

    Returns
    -------
    str or None
        Id of the case that was just opened.
    """
    heard = f"{key}-heard"

    def adopt() -> None:
        # A list on a page that is being left is heard of when nothing is kept of it any more.
        opened = (st.session_state.get(key) or {}).get("opened")
        if opened is None:
            return
        st.session_state[heard] = opened["at"]
        if on_open is not None:
            on_open(str(opened["id"]))

    def mark() -> None:
        done = st.session_state.get(f"{key}-marked", 0)
        marks = (st.session_state.get(key) or {}).get("marked") or []
        for one in marks:
            if one["at"] > done and on_mark is not None:
                st.session_state[f"{key}-marked"] = one["at"]
                on_mark(str(one["id"]))

    def sort() -> None:
        asked = (st.session_state.get(key) or {}).get("sorted")
        if asked is not None and on_sort is not None:
            on_sort(str(asked["name"]))

    mount = st.components.v2.component("loupe_cases", css=paired(_CSS), js=_JS)
    data = {
        "columns": [_head(of) for of in columns],
        "rows": rows,
        "shares": list(shares),
        "badges": {str(place): list(said) for place, said in (badges or {}).items()},
        "name": name,
        "height": height,
        "row": ROW_HEIGHT,
        "chosen": chosen,
        "order": order,
        "steps": dict(steps or {}),
        "walks": bool(steps),
        "heard": st.session_state.get(heard, 0),
        "marks": on_mark is not None,
    }
    opened = mount(
        data=data, key=key, on_opened_change=adopt, on_marked_change=mark, on_sorted_change=sort
    ).opened
    return str(opened["id"]) if opened is not None else None


def _head(of: Column) -> dict[str, str | bool | int]:
    """A column as the browser is told of it."""
    return {
        "title": of.title,
        "number": of.is_number,
        "bar": of.is_share,
        "wide": of.is_wide,
        "risk": of.is_risk,
        "full": of.full_from,
        "help": of.help,
        "order": of.order,
        "sorted": of.sorted,
    }
