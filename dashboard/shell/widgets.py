"""Widgets that show what is in force, whatever was lost on the way to the browser.

Streamlit tells the browser of a value that the program sets in the messages of one run alone, and forgets
those that are unsent when the next run begins; then the browser shows the value before, for good. So no
value is set here. A widget is born with what is in force as its default, which every run repeats; and where
something else than the person changes what is in force, the next widget takes its place, under another key.
What the one before still sends is known by its key and let go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import streamlit as st

from dashboard.shell import state
from dashboard.shell.view import View

Take = Callable[[Any], None]
"""Takes over what a person chose; a list comes as a tuple."""
_LIVES, _OWN, _PAGE, _VISITS = "loupe-widgets", "loupe-own", "loupe-page", "loupe-visits"
_DRAWN = "loupe-drawn-"
_FIELDS = {field.name for field in fields(View)}


@dataclass
class _Life:
    """A widget from its first run to the change that ends it.

    Attributes
    ----------
    number : int
        Which of the widgets of this name it is, from 0.
    page : str
        Where it stands: on each page Streamlit makes a widget of the same key another one.
    says : object
        What it said last, or was born with.
    words : tuple of str
        What stands for the options in the browser, where that may change.
    """

    number: int
    page: str
    says: Any
    words: tuple[str, ...] = ()


def bind(name: str, value: Any, *, take: Take | None = None) -> dict[str, Any]:
    """Arguments that tie a field, slider or box to what is in force.

    Parameters
    ----------
    name : str
        A field of the view, whatever is chosen being kept there; or any other name.
    value : object
        What is in force, and can be chosen.
    take : callable, optional
        Takes over what a person chooses, in place of the field.
    """
    return {"value": value} | _tie(name, value, take or _keep(name))


def choice(
    name: str,
    value: Any,
    options: Sequence[Any],
    *,
    words: Callable[[Any], str] | None = None,
    take: Take | None = None,
) -> dict[str, Any]:
    """Arguments that tie a list of options, of which one is chosen, to what is in force; as for `bind`.

    Nothing is taken over but an option: a browser that has not been told yet of other options sends the words
    of one that is gone, and Streamlit hands them on as they are. Words of an option that may change come as
    ``words``: the browser knows options by their words, and goes on showing those that it has. The value None
    is that none of them is chosen.
    """
    return {"index": None if value is None else list(options).index(value)} | _offer(
        name, value, options, words, take
    )


def choices(
    name: str,
    value: Any,
    options: Sequence[Any],
    *,
    words: Callable[[Any], str] | None = None,
    take: Take | None = None,
) -> dict[str, Any]:
    """Arguments that tie options that are all in sight, or of which several are chosen; as for `choice`."""
    return {"default": value} | _offer(name, value, options, words, take)


def own(name: str, options: Sequence[Any], *, usual: Any = None) -> Any:
    """What was chosen at a widget that no link names, while it is offered; else the usual, or the first."""
    chosen = st.session_state.get(_OWN, {}).get(name)
    return chosen if chosen in options else options[0] if usual is None else usual


def enter(page: str) -> None:
    """Take note of the page that is drawn."""
    if page != st.session_state.get(_PAGE):
        st.session_state[_VISITS] = visits() + 1
    st.session_state[_PAGE] = page


def visits() -> int:
    """How often another page was opened: while it is the same, what was drawn before still stands there."""
    number: int = st.session_state.get(_VISITS, 0)
    return number


def page() -> str:
    """The page that is drawn, by its path."""
    drawn: str = st.session_state.get(_PAGE, "")
    return drawn


def as_first_drawn(name: str, value: bool) -> bool:
    """``value``, or what it was when this was drawn first on the page that is drawn.

    Of what folds: the browser takes one that is told to unfold otherwise for another one, and who is at it
    loses what was typed.
    """
    page, drawn = st.session_state.get(_DRAWN + name, (None, value))
    drawn = drawn if page == st.session_state.get(_PAGE) else value
    st.session_state[_DRAWN + name] = (st.session_state.get(_PAGE), drawn)
    return bool(drawn)


def _offer(
    name: str, value: Any, options: Sequence[Any], words: Callable[[Any], str] | None, take: Take | None
) -> dict[str, Any]:
    """Arguments that all widgets with options share."""
    options = list(options)
    tied = _tie(
        name, value, _among(options, take or _keep(name)), tuple(map(words, options)) if words else ()
    )
    return {"options": options} | ({"format_func": words} if words else {}) | tied


def _tie(name: str, value: Any, take: Take, words: tuple[str, ...] = ()) -> dict[str, Any]:
    """Key of the widget that shows a value, born now if need be, and how it is heard."""
    lives: dict[str, _Life] = st.session_state.setdefault(_LIVES, {})
    page, shown, life = st.session_state.get(_PAGE, ""), _plain(value), lives.get(name)
    if life is None:
        life = lives[name] = _Life(0, page, shown, words)
    elif (life.page, life.says, life.words) != (page, shown, words) or _held(name, life) != shown:
        life = lives[name] = _Life(life.number + 1, page, shown, words)
    key = _key(name, life)
    return {"key": key, "on_change": _hear, "args": (name, key, take)}


def _hear(name: str, key: str, take: Take) -> None:
    """Take over what a widget says, unless another has its place, or it says nothing new."""
    life: _Life | None = st.session_state.get(_LIVES, {}).get(name)
    if life is None or key != _key(name, life) or key not in st.session_state:
        return
    said = _plain(st.session_state[key])
    if said != life.says:
        life.says = said
        take(said)
        state.redraw_if_elsewhere()


def _held(name: str, life: _Life) -> Any:
    """What Streamlit takes for the widget's value: it does not report what came while it was disabled."""
    return _plain(st.session_state.get(_key(name, life), life.says))


def _key(name: str, life: _Life) -> str:
    """Key of a widget: the first of a name has the plain one."""
    return f"choose-{name}--{life.number}" if life.number else f"choose-{name}"


def _keep(name: str) -> Take:
    """Keep what is chosen in the view, where that has such a field, or with the session."""

    def take(said: Any) -> None:
        if name in _FIELDS:
            state.change(**{name: said})
        else:
            st.session_state.setdefault(_OWN, {})[name] = said

    return take


def _among(options: Sequence[Any], take: Take) -> Take:
    """Take over options alone."""

    def take_option(said: Any) -> None:
        if all(one in options for one in _several(said)):
            take(said)

    return take_option


def _several(said: Any) -> tuple[Any, ...]:
    """Options that are chosen, as many as there are."""
    return said if isinstance(said, tuple) else () if said is None else (said,)


def _plain(value: Any) -> Any:
    """A value that can be compared: Streamlit tells lists from tuples."""
    return tuple(value) if isinstance(value, list) else value
