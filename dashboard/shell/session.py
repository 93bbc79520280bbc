"""Sessions that never leave a page half drawn, whatever is done how fast.

What a person does within a fragment asks Streamlit to draw that fragment alone. There are moments when this
is not enough, and the rest of the page is missing for good:

- The person has just gone to another page, and the browser does not know yet. Streamlit goes back for the
  fragment, which clears the page in the browser, finds it gone, and draws nothing: an empty page.
- The page has been drawn anew meanwhile and has no such fragment. What was done is dropped, or taken over
  without anything being drawn.
- A run has ended, and its last words wait to be sent. A new thread draws the fragment, and from then on
  everything that the thread before it said is ignored: the end of the page, and its address.

Each time the whole page is drawn here in place of the fragment, with what the person did. Without this
``test_a_step_on_a_page_that_is_left_does_not_empty_the_next`` in ``tests/browser`` fails.

Nor is a press lost. What waits for a run to begin is one request, into which Streamlit folds the next: of two
presses of one button one would count, and a run of the whole page, which ends the thread that draws, would
take with it what that thread has not heard. Here the second press waits for the first, and a run of the whole
page takes along what waits; what a thread has begun to hear it hears to the end (`dashboard.shell.hearing`).

Nor is a Back of the browser. It asks for a run that says so; one that is asked for meanwhile, because
something has been computed or a row was pressed, takes its place and says nothing. The address that somebody
went back to is kept here until a run has read it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import app_session, websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import Fragment, MemoryFragmentStorage
from streamlit.runtime.scriptrunner import RerunData

from dashboard.shell import hearing

_gone_back: dict[str, str] = {}
"""By session: the address that somebody went back or forward to, and no run has read."""


def take_gone_back(session_id: str) -> str | None:
    """Address that somebody in this session went back or forward to, once; None where nobody did."""
    return _gone_back.pop(session_id, None)


class Fragments(MemoryFragmentStorage):
    """Fragments of a page; one that is asked for and gone is answered by the whole page."""

    def lookup(self, key: str) -> Fragment:
        """Fragment to draw."""
        if not self.contains(key):
            st.rerun()
        return super().lookup(key)

    def handed_on(self) -> Fragments:
        """The same fragments for another thread.

        The thread before it may still be drawing one, while the new one takes away the places that fragments
        had in the sidebar.
        """
        new = Fragments()
        with self._lock:
            for name, value in vars(self).items():
                if isinstance(value, dict):
                    value = {key: dict(one) if isinstance(one, dict) else one for key, one in value.items()}
                if name != "_lock":
                    setattr(new, name, value)
        return new


class Session(AppSession):
    """A session of Streamlit that draws the whole page wherever a fragment would not be enough."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._fragment_storage: Fragments = Fragments()
        self._asked, self._asked_from = "", ""
        self._held: list[ClientState] = []

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Draw what the browser asks for, on the page where the person is; each press counts."""
        if client_state is not None and client_state.is_history_navigation:
            _gone_back[self.id] = client_state.query_string
        if client_state is None:
            super().request_rerun(None)
        elif self._held or self._is_pressed_already(client_state):
            self._held.append(client_state)
        else:
            self._request(client_state)

    def _request(self, client_state: ClientState) -> None:
        """Have the fragment drawn where that is enough, else the whole page with all that was done."""
        if client_state.fragment_id:
            page = self._page()
            gone = not self.has_fragment(client_state.fragment_id) and not client_state.is_auto_rerun
            if gone or client_state.page_script_hash != page:
                whole = ClientState()
                whole.CopyFrom(client_state)
                whole.fragment_id, whole.page_script_hash = "", page
                client_state = whole
        else:
            self._asked, self._asked_from = client_state.page_script_hash, self._client_state.page_script_hash
        if not client_state.fragment_id and (waiting := self._withdraw()):
            whole = ClientState()
            whole.CopyFrom(client_state)
            others = [one for one in client_state.widget_states.widgets if one.id not in waiting]
            whole.widget_states.CopyFrom(WidgetStates(widgets=[*others, *waiting.values()]))
            client_state = whole
        super().request_rerun(client_state)

    def _withdraw(self) -> dict[str, WidgetState]:
        """End the thread that draws; what was pressed and it will not hear any more."""
        requests = self._requests()
        return {} if requests is None else requests.withdraw()

    def _requests(self) -> hearing.Requests | None:
        """What is asked of the thread that draws, where there is one."""
        runner: Any = self._scriptrunner
        return None if runner is None else runner._requests

    def _is_pressed_already(self, client_state: ClientState) -> bool:
        """Whether what is pressed now was pressed before, and no run has begun with that."""
        requests, pressed = self._requests(), hearing.pressed(client_state.widget_states)
        return requests is not None and not requests.waiting().keys().isdisjoint(pressed)

    def shutdown(self) -> None:
        """End; nobody goes back here any more."""
        super().shutdown()
        _gone_back.pop(self.id, None)
        hearing.forget(self.id)

    def _page(self) -> str:
        """The page that is drawn last, or the one that was asked for and has not begun."""
        return self._asked or self._client_state.page_script_hash

    def _handle_scriptrunner_event_on_event_loop(self, *args: Any, **given: Any) -> None:
        """Hear what a run says; once another page has begun, none is waited for any more."""
        super()._handle_scriptrunner_event_on_event_loop(*args, **given)
        if self._client_state.page_script_hash != self._asked_from:
            self._asked = ""
        while self._held and not self._is_pressed_already(self._held[0]):
            self._request(self._held.pop(0))

    def _create_scriptrunner(self, initial_rerun_data: RerunData) -> None:
        """Begin a run in a thread of its own; where the one before has a word left, it is not heard."""
        if self._scriptrunner is not None and initial_rerun_data.fragment_id:
            initial_rerun_data = replace(initial_rerun_data, fragment_id=None)
        self._fragment_storage = self._fragment_storage.handed_on()
        super()._create_scriptrunner(initial_rerun_data)

    def _clear_queue(self, fragment_ids_this_run: list[str] | None = None) -> None:
        """Forget what is unsent of an overtaken page, but nothing of it where a fragment alone is drawn.

        Streamlit would drop what the same fragment has drawn before, blocks in which other fragments stand
        among it; what these have drawn would then find no place in the browser, and the page dies.
        """
        super()._clear_queue(None if fragment_ids_this_run is None else [])


def install() -> None:
    """Let the server open sessions of this kind."""
    websocket_session_manager.AppSession = Session  # type: ignore[misc]
    app_session.ScriptRunner = hearing.Runner  # type: ignore[misc]
