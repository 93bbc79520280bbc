"""What a person did is heard to the end, in the order in which it was done.

Streamlit ends a run as soon as the whole page is asked for again, and a run may end at each look into the
session, in the middle of a callback or before the first. What was pressed is then lost: the next run knows of
values, not of presses. Here the callbacks of a run are carried out before it may end, those of the next wait
for them, and what was pressed and no run has begun to hear goes over to the next.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    ScriptRequest,
    ScriptRequests,
    ScriptRequestType,
)
from streamlit.runtime.state.safe_session_state import SafeSessionState

_PRESSES = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")
"""Kinds of values that are there for one run: something was pressed."""
_locks: dict[str, threading.RLock] = {}
"""By session: held while callbacks are carried out."""


def pressed(states: WidgetStates | None) -> dict[str, WidgetState]:
    """Widgets that were pressed, by name."""
    found = {}
    for state in () if states is None else states.widgets:
        kind = state.WhichOneof("value")
        value: Any = getattr(state, kind) if kind in _PRESSES else None
        if value.ListFields() if hasattr(value, "ListFields") else value:
            found[state.id] = state
    return found


class Requests(ScriptRequests):
    """What is asked of a thread that draws, with what it took up and has not heard yet."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()  # type: ignore[assignment]
        self._taken: RerunData | None = None

    def waiting(self) -> dict[str, WidgetState]:
        """What was pressed and is asked for, but has not been taken up."""
        with self._lock:
            is_asked = self._state == ScriptRequestType.RERUN
            return pressed(self._rerun_data.widget_states) if is_asked else {}

    def withdraw(self) -> dict[str, WidgetState]:
        """Have the thread end, unless it hears; what was pressed and it will not hear any more."""
        with self._lock:
            found = pressed(self._taken.widget_states) if self._taken is not None else {}
            if self._state == ScriptRequestType.RERUN:
                found |= pressed(self._rerun_data.widget_states)
            self._taken, self._state = None, ScriptRequestType.STOP
            return found

    def begin_to_hear(self) -> bool:
        """Take note that callbacks are carried out now; False where the thread is to end instead."""
        with self._lock:
            self._taken = None
            return self._state != ScriptRequestType.STOP

    def on_scriptrunner_ready(self) -> ScriptRequest:
        """What to begin with."""
        with self._lock:
            return self._take(super().on_scriptrunner_ready())

    def on_scriptrunner_yield(self) -> ScriptRequest | None:
        """What to go on with in place of what is drawn."""
        with self._lock:
            request = super().on_scriptrunner_yield()
            return None if request is None else self._take(request)

    def _take(self, request: ScriptRequest) -> ScriptRequest:
        if request.type == ScriptRequestType.RERUN:
            self._taken = request.rerun_data
        return request


class _State(SafeSessionState):
    """The session, for one thread that draws."""

    def __init__(self, runner: Runner, state: SafeSessionState) -> None:
        super().__init__(state._state, state._yield_callback)
        object.__setattr__(self, "_runner", runner)

    def on_script_will_rerun(self, *args: Any, **given: Any) -> None:
        """Carry out the callbacks."""
        with self._runner.hear():
            super().on_script_will_rerun(*args, **given)


class Runner(ScriptRunner):
    """A thread that draws, and does not end while it hears what was done."""

    _requests: Requests

    def __init__(self, session_id: str, *args: Any, **given: Any) -> None:
        self._hears = False
        super().__init__(session_id, *args, **given)
        self._session_state = _State(self, self._session_state)
        asked, self._requests = self._requests._rerun_data, Requests()
        self._requests.request_rerun(asked)

    @contextmanager
    def hear(self) -> Iterator[None]:
        """Hear what was done after all that was done before, unless this thread is to end."""
        with _locks.setdefault(self._session_id, threading.RLock()):
            self._hears = self._requests.begin_to_hear()
            try:
                yield
            finally:
                self._hears = False

    def _maybe_handle_execution_control_request(self) -> None:
        """End, or begin anew, where this is asked for, but not while something is heard."""
        if not self._hears:
            super()._maybe_handle_execution_control_request()


def forget(session_id: str) -> None:
    """Let a session go that has ended."""
    _locks.pop(session_id, None)
