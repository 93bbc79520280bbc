"""What a fragment draws reaches the browser together, and not piece by piece.

Streamlit sends what a run draws every ten milliseconds, and the browser goes through its whole page for each
piece that comes. Held back until the run ends, all of it is drawn once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock, Timer
from typing import ParamSpec

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner, ScriptRunnerEvent

P = ParamSpec("P")
PATIENCE = 0.4
"""Seconds after which what is drawn by then is sent, and what follows as it comes: somebody waits."""


def is_part_drawn() -> bool:
    """Whether a part of the page is drawn anew, and the rest of it stands there."""
    run = get_script_run_ctx()
    return run is not None and bool(run.fragment_ids_this_run)


def together(draw: Callable[P, None]) -> Callable[P, None]:
    """Decorate what a fragment draws: a run of the fragment alone is sent at its end, or after `PATIENCE`.

    Where the whole page runs nothing is held back: there is nothing yet to look at.
    """

    @wraps(draw)
    def show(*given: P.args, **named: P.kwargs) -> None:
        run = get_script_run_ctx()
        runner = getattr(run and run._enqueue, "__self__", None)
        if run is None or not is_part_drawn() or not isinstance(runner, ScriptRunner):
            draw(*given, **named)
            return
        held = _Held(runner)
        before, run._enqueue = run._enqueue, held.take
        try:
            draw(*given, **named)
        finally:
            run._enqueue = before
            held.release()

    return show


class _Held:
    """Messages of a run, in their order, until they are released."""

    def __init__(self, runner: ScriptRunner) -> None:
        self._runner = runner
        self._messages: list[ForwardMsg] | None = []
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self.release)
        self._timer.daemon = True
        self._timer.start()

    def take(self, message: ForwardMsg) -> None:
        """Hold a message, or send it where all are released; as ever, a run can be ended here."""
        self._runner._maybe_handle_execution_control_request()
        with self._lock:
            if self._messages is None:
                self._send(message)
            else:
                self._messages.append(message)

    def release(self) -> None:
        """Send what is held, and from now on what comes."""
        self._timer.cancel()
        with self._lock:
            for message in self._messages or ():
                self._send(message)
            self._messages = None

    def _send(self, message: ForwardMsg) -> None:
        # Its own way looks once more whether the run has to end, which is for the thread of the run alone.
        self._runner.on_event.send(
            self._runner, event=ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=message
        )
