"""What a fragment draws is sent at its end, in its order; what takes long is sent as it comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner, ScriptRunnerEvent
from streamlit.testing.v1 import AppTest

from dashboard.shell import together


def _script() -> None:
    import time

    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from dashboard.shell import together

    @together.together
    def draw() -> None:
        runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
        st.html(f"<p>run {runs}</p>")
        st.session_state["sent before"] = len(st.session_state["sent"])
        time.sleep(st.session_state.get("pause", 0))
        st.session_state["sent after"] = len(st.session_state["sent"])
        st.button("Again")
        if st.session_state.get("fails"):
            raise ValueError("it fails")
        st.html("<p>end</p>")

    st.session_state["sent"] = st.session_state.get("sent", [])
    run = get_script_run_ctx()
    if "runs" in st.session_state and run is not None:
        run.fragment_ids_this_run = ["as if it were a fragment"]  # A trial page runs whole.
    draw()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Kinds of what reaches the session, in their order."""
    found: list[str] = []
    handle: Callable[..., None] = ScriptRunner.__init__

    def begin(self: ScriptRunner, *given: object, **named: object) -> None:
        handle(self, *given, **named)
        self.on_event.connect(listen, weak=False)

    def listen(_: object, event: ScriptRunnerEvent, **named: object) -> None:
        message = named.get("forward_msg")
        if event == ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and message is not None:
            found.append(str(message.WhichOneof("type")))  # type: ignore[attr-defined]

    monkeypatch.setattr(ScriptRunner, "__init__", begin)
    return found


def _opened(sent: list[str], **state: object) -> AppTest:
    test = AppTest.from_function(_script, default_timeout=60)
    test.session_state["sent"] = sent
    test.run()
    for name, value in state.items():
        test.session_state[name] = value
    return test


def _bodies(test: AppTest) -> list[str]:
    return [one.proto.body for one in test.get("html")]


def test_a_whole_page_is_sent_as_it_comes(sent: list[str]) -> None:
    """Nobody looks at an empty page for the sake of one that is drawn once."""
    test = _opened(sent)
    assert not test.exception
    assert test.session_state["sent before"] > 0
    assert _bodies(test) == ["<p>run 1</p>", "<p>end</p>"]


def test_a_fragment_is_sent_at_its_end(sent: list[str]) -> None:
    """All of it, in its order; while it is drawn nothing is."""
    test = _opened(sent)
    before = len(sent)
    test.button[0].click().run()
    assert not test.exception
    assert test.session_state["sent before"] == test.session_state["sent after"]
    assert len(sent) > before
    assert _bodies(test)[-2:] == ["<p>run 2</p>", "<p>end</p>"]


def test_what_takes_long_is_not_held_back(sent: list[str]) -> None:
    """After a moment what is drawn so far is sent, though the fragment goes on."""
    test = _opened(sent, pause=together.PATIENCE + 0.4)
    test.button[0].click().run()
    assert not test.exception
    assert test.session_state["sent after"] > test.session_state["sent before"]
    assert _bodies(test)[-2:] == ["<p>run 2</p>", "<p>end</p>"]


def test_what_fails_is_shown(sent: list[str]) -> None:
    """What was drawn before stands there, and so does the fault."""
    test = _opened(sent, fails=True)
    test.button[0].click().run()
    assert [one.value for one in test.exception] == ["it fails"]
    assert "<p>run 2</p>" in _bodies(test)


def test_outside_of_the_dashboard_nothing_changes() -> None:
    """Without a session a function is the function."""
    assert get_script_run_ctx() is None
    drawn: list[float] = []
    together.together(lambda: drawn.append(time.monotonic()))()
    assert len(drawn) == 1


@pytest.mark.parametrize(("drawn", "is_part"), [(["one"], True), ([], False), (None, False)])
def test_a_part_that_is_drawn_anew_is_told_from_the_page(
    monkeypatch: pytest.MonkeyPatch, drawn: list[str] | None, *, is_part: bool
) -> None:
    """And where nothing is drawn at all there is none."""
    run = SimpleNamespace(fragment_ids_this_run=drawn)
    monkeypatch.setattr(together, "get_script_run_ctx", lambda: run)
    assert together.is_part_drawn() == is_part
    monkeypatch.setattr(together, "get_script_run_ctx", lambda: None)
    assert not together.is_part_drawn()
