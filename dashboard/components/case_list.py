"""A list of cases of which one is opened: plain rows, light to send and to draw, walked by keyboard.

With Streamlit's own table in its place eight quick presses of Alt+N led two or three rows on, a linked case
was not brought into sight, and a tick, not a click on the row, opened it; the page fetched 5.6 in place of
4.2 MB of code, and the list was there no sooner (three visits each, in turn). ``test_no_step_is_lost``,
``test_a_click_opens_that_row`` and ``test_arrows_walk_the_worklist`` in ``tests/browser`` hold it to that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from dashboard.components.case_list_rows import CSS, LOW_ROW_HEIGHT, ROW_HEIGHT, ROWS
from dashboard.components.case_list_steps import STEPS
from dashboard.shell.theme import paired


@dataclass(frozen=True)
class Column:
    """A column of a case list.

    Attributes
    ----------
    title : str
        What it is called.
    head : str
        What its head says in place of that, where it holds little.
    is_number : bool
        Whether it stands at the right.
    is_share : bool
        Whether a bar shows the row's share beside the text.
    is_risk : bool
        Whether cells begin with a risk letter, and stand in the colour of its level; others stay plain.
    is_danger : bool
        Whether cells are percentages of high risk, each with a red bar behind it as long as it says.
    is_wide : bool
        Whether it takes the room that the others leave, on two lines, and cuts what is longer: all of it is
        said where the cell is pointed at.
    room : float
        Of columns ``is_wide``, how much of that room it takes where another takes 1.
    levels : mapping of str to (str, sequence of str)
        Of a column ``is_wide``, by the words of a cell: what is said where it is pointed at, and the risk
        letters that stand before each of its lines.
    shorts : mapping of str to sequence of str
        Of a column ``is_wide``, what stands in place of words that are cut, by these: the first that is not.
        With a line break in them they stand on lines that are cut each by itself, in every width.
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
    room: float = 1.0
    is_risk: bool = False
    is_danger: bool = False
    levels: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)
    shorts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    help: str = ""
    order: str = ""
    sorted: str = ""
    head: str = ""


def case_list(  # noqa: PLR0913 - parts of a list, by name
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]] | bytes,
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
    of: str = "",
) -> str | None:
    """List cases; a click anywhere on a row opens one, and so does Enter on the row that arrow keys mark.

    Parameters
    ----------
    columns : sequence of Column
        The first holds the case's id.
    rows : sequence of sequence of str, or bytes
        What the cells say; or what `written` made of that and of ``shares``.
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
    of : str
        Names the list: another one is shown from its top too, and says in which row the open case lies.

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

    mount = st.components.v2.component("loupe_cases", css=paired(CSS), js=ROWS + STEPS)
    data = {
        "columns": [_head(of) for of in columns],
        "badges": {str(place): list(said) for place, said in (badges or {}).items()},
        "name": name,
        "height": height,
        "row": ROW_HEIGHT,
        "low": LOW_ROW_HEIGHT,
        "chosen": chosen,
        "order": order,
        "list": of,
        "steps": dict(steps or {}),
        "walks": bool(steps),
        "heard": st.session_state.get(heard, 0),
        "marks": on_mark is not None,
    }
    # As bytes: Streamlit writes all else twice, once to send it and once to tell one list from another.
    sent = b"%b, %b}" % (
        json.dumps(data).encode()[:-1],
        rows if isinstance(rows, bytes) else written(rows, shares),
    )
    opened = mount(
        data=sent, key=key, on_opened_change=adopt, on_marked_change=mark, on_sorted_change=sort
    ).opened
    return str(opened["id"]) if opened is not None else None


def written(rows: Sequence[Sequence[str]], shares: Sequence[float] = ()) -> bytes:
    """Write the rows of a list as they are sent, once for many times that they are shown."""
    return json.dumps({"rows": rows, "shares": list(shares)})[1:-1].encode()


def _head(of: Column) -> dict[str, object]:
    """A column as the browser is told of it."""
    return {
        "title": of.head or of.title,
        "number": of.is_number,
        "bar": of.is_share,
        "wide": of.is_wide,
        "room": of.room,
        "risk": of.is_risk,
        "danger": of.is_danger,
        "levels": {words: list(levels) for words, levels in of.levels.items()},
        "shorts": {words: list(shorter) for words, shorter in of.shorts.items()},
        "help": of.help,
        "order": of.order,
        "sorted": of.sorted,
    }
