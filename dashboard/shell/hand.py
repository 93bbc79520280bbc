"""Whether somebody is at the reliability slider: the browser tells, and no run of the page is needed for it.

A slider that is put elsewhere by the program is another one (`dashboard.shell.widgets`): whoever drags it, or
has the keyboard at it, would lose it.
"""

from __future__ import annotations

from secrets import token_urlsafe
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_PATH, _HAND, _KEY = "/hand/", "loupe-hand", "hand-"
TELL = """
(() => {
  const tell = ({target}) => {
    const token = target.closest?.("[class*=st-key-hand-]")?.className.match(/st-key-hand-([\\w-]+)/)?.[1];
    if (token) fetch(`/hand/${token}`, {cache: "no-store"}).catch(() => {});
  };
  for (const act of ["pointerdown", "focusin"])
    document.addEventListener(act, tell, {capture: true, passive: true});
})();
"""
"""Begins every page."""


class _Hand:
    """What is known of the hand of one session; its ``token`` names it, and cannot be guessed."""

    def __init__(self) -> None:
        self.token = token_urlsafe(12)
        self.is_there = False
        _HANDS[self.token] = self


_HANDS: WeakValueDictionary[str, _Hand] = WeakValueDictionary()


def _hand() -> _Hand:
    found: _Hand = st.session_state.setdefault(_HAND, _Hand())
    return found


def key() -> str:
    """Key of the container in which the slider stands, by which the browser knows it."""
    return _KEY + _hand().token


def was_there() -> bool:
    """Whether somebody has touched the slider since `forget`, by pointer or keyboard."""
    return _hand().is_there


def forget() -> None:
    """Count from now on."""
    _hand().is_there = False


async def _take(request: Request) -> Response:
    """Hear that somebody is there; a token that is none changes nothing."""
    hand = _HANDS.get(request.path_params["token"])
    if hand is None:
        return Response(status_code=404)
    hand.is_there = True
    return Response(status_code=204)


ROUTES = (Route(f"{_PATH}{{token}}", _take, methods=["GET"]),)
"""Where the browser tells."""
