"""What a person did is heard to the end, whatever is asked for meanwhile."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData, StopException
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.state.safe_session_state import SafeSessionState

from dashboard.shell import hearing


class _Session:
    """State of a session whose callbacks look into it, and take note of what was pressed."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.heard: list[str] = []
        self.in_callback, self.go_on = threading.Event(), threading.Event()
        self.runner: Any = None

    def on_script_will_rerun(self, pressed: str, **_: Any) -> None:
        """Carry out a callback: it waits, and looks into the session."""
        self.in_callback.set()
        self.go_on.wait(10)
        self.runner._session_state["looks"] = pressed
        self.heard.append(pressed)

    def __setitem__(self, key: str, value: Any) -> None:
        self.values[key] = value


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A thread that draws and has begun with what was asked for."""

    def begin(self: Any, session_id: str, session: Any, asked: RerunData) -> None:
        self._session_id, self._execing, self._script_thread = session_id, True, None
        self._session_state = SafeSessionState(session, self._maybe_handle_execution_control_request)
        self._requests = hearing.ScriptRequests()
        self._requests.request_rerun(asked)

    monkeypatch.setattr(ScriptRunner, "__init__", begin)
    monkeypatch.setattr(ScriptRunner, "_is_in_script_thread", lambda self: True)

    def make(session: _Session) -> Any:
        session.runner = hearing.Runner("one", session, RerunData())
        session.runner._requests.on_scriptrunner_ready()
        return session.runner

    yield make
    hearing.forget("one")


def test_a_callback_that_has_begun_is_carried_out(runner: Any) -> None:
    """The run is to end while it looks into the session, which is where a run ends; it does after that."""
    session = _Session()
    one = runner(session)
    thread = threading.Thread(target=lambda: one._session_state.on_script_will_rerun("up"))
    thread.start()
    session.in_callback.wait(10)
    one._requests.withdraw()
    session.go_on.set()
    thread.join(10)
    assert session.heard == ["up"]
    with pytest.raises(StopException):
        one._session_state["looks"] = "after"


def test_a_run_that_is_to_end_begins_no_callback(runner: Any) -> None:
    """What it was to hear has gone over to the next."""
    session = _Session()
    session.go_on.set()
    one = runner(session)
    one._requests.withdraw()
    with pytest.raises(StopException):
        one._session_state.on_script_will_rerun("up")
    assert session.heard == []


def test_callbacks_of_the_next_run_wait_for_those_of_this(runner: Any) -> None:
    """They are heard in the order in which they were done."""
    session = _Session()
    first = runner(session)
    one = threading.Thread(target=lambda: first._session_state.on_script_will_rerun("first"))
    one.start()
    session.in_callback.wait(10)
    first._requests.withdraw()
    second = runner(session)
    two = threading.Thread(target=lambda: second._session_state.on_script_will_rerun("second"))
    two.start()
    two.join(0.1)
    assert session.heard == []
    session.go_on.set()
    for thread in (one, two):
        with suppress(RuntimeError):
            thread.join(10)
    assert session.heard == ["first", "second"]
