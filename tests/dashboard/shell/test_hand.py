"""A hand at the slider is known to its own session, from when it is there until another study is opened."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from streamlit.testing.v1 import AppTest

from dashboard.shell.hand import ROUTES


def tell(token: str) -> int:
    """Tell the server that somebody is at a slider; the status of its answer."""
    request = Request({"type": "http", "path_params": {"token": token}})
    return asyncio.run(ROUTES[0].endpoint(request)).status_code


def page() -> None:
    """Say what is known, and forget it on a press."""
    import streamlit as st

    from dashboard.shell import hand

    st.button("Forget", on_click=hand.forget)
    st.text(hand.key())
    st.text(str(hand.was_there()))


def test_a_hand_is_known_to_its_own_session_until_it_is_forgotten() -> None:
    """By the token in the key of the slider's place; no other token is answered."""
    one, other = (AppTest.from_function(page).run() for _ in range(2))
    token = one.text[0].value.removeprefix("hand-")
    assert [app.text[1].value for app in (one, other)] == ["False", "False"]
    assert tell("guessed") == 404
    assert tell(token) == 204
    assert [app.run().text[1].value for app in (one, other)] == ["True", "False"]
    assert one.text[0].value == f"hand-{token}"
    assert one.button[0].click().run().text[1].value == "False"
