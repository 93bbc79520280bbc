"""Sessions draw the whole page wherever a fragment would not be enough."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest

from dashboard.shell import state
from dashboard.shell.hearing import Requests
from dashboard.shell.session import Fragments, Session, take_gone_back


class Runner:
    """A thread that draws: it takes a further request, or has ended."""

    def __init__(self, *, ended: bool = False) -> None:
        self.ended = ended
        self.asked: list[RerunData] = []
        self._requests = Requests()

    def request_rerun(self, data: RerunData) -> bool:
        """Take a request, unless it has ended."""
        if not self.ended:
            self.asked.append(data)
            self._requests.request_rerun(data)
        return not self.ended

    def begin(self) -> list[str]:
        """Begin with what waits; the buttons that were pressed."""
        states = self._requests.on_scriptrunner_ready().rerun_data.widget_states
        return sorted(state.id for state in states.widgets if state.trigger_value)

    def request_stop(self) -> None:
        """End."""
        self.ended = True


class _Session(Session):
    """One that nothing has been opened for."""

    def __del__(self) -> None:
        """There is nothing to close."""


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[RerunData]:
    """Runs that were begun in a thread of their own."""
    found: list[RerunData] = []

    def begin(session: Any, data: RerunData) -> None:
        session._scriptrunner = Runner()
        session._scriptrunner._requests.request_rerun(data)
        found.append(data)

    monkeypatch.setattr(AppSession, "_create_scriptrunner", begin)
    return found


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, begun: list[RerunData]) -> Any:
    """A session at the page “here”, on which one fragment stands, at rest."""
    monkeypatch.setattr(AppSession, "__init__", lambda self: None)
    monkeypatch.setattr(
        AppSession,
        "_handle_scriptrunner_event_on_event_loop",
        lambda self, page: setattr(self._client_state, "page_script_hash", page),
    )
    found: Any = _Session()
    found.id = "somebody"
    found._state = AppSessionState.APP_NOT_RUNNING
    found._scriptrunner = None
    found._client_state = ClientState(page_script_hash="here")
    found._fragment_storage.register("part", lambda: None)
    return found


def _begin(session: Any, page: str) -> None:
    """A run of a page says that it has begun."""
    session._handle_scriptrunner_event_on_event_loop(page)


def _ask(session: Any, page: str, fragment: str = "", *, pressed: str = "") -> None:
    values = WidgetStates(widgets=[WidgetState(id="slider", double_value=len(pressed))])
    values.widgets.extend([WidgetState(id=name, trigger_value=True) for name in pressed.split()])
    session.request_rerun(
        ClientState(
            page_script_hash=page,
            fragment_id=fragment,
            query_string="a=1",
            widget_states=values,
        )
    )


def test_a_fragment_of_the_page_is_drawn_alone(session: Any, begun: list[RerunData]) -> None:
    """At rest in a run of its own, else after the run that goes on."""
    _ask(session, "here", "part")
    assert [data.fragment_id for data in begun] == ["part"]
    _ask(session, "here", "part")
    assert [data.fragment_id for data in session._scriptrunner.asked] == ["part"]
    assert len(begun) == 1


def test_a_page_that_is_left_is_not_gone_back_to(session: Any, begun: list[RerunData]) -> None:
    """What is done there, before the next has begun or after, is done on the next page."""
    _ask(session, "there")
    _ask(session, "here", "part")
    assert [(data.page_script_hash, data.fragment_id) for data in begun] == [("there", None)] * 2
    _begin(session, "here")
    _ask(session, "here", "part")
    assert (begun[-1].page_script_hash, begun[-1].fragment_id) == ("there", None)
    _begin(session, "there")
    _ask(session, "here", "part")
    assert (begun[-1].page_script_hash, begun[-1].fragment_id) == ("there", None)
    assert begun[-1].query_string == "a=1"


def test_a_page_that_leads_on_by_itself_is_the_page(session: Any, begun: list[RerunData]) -> None:
    """One page was asked for and another came; fragments of that one are drawn alone."""
    _ask(session, "there")
    _begin(session, "elsewhere")
    session._scriptrunner = None
    _ask(session, "elsewhere", "part")
    assert (begun[-1].page_script_hash, begun[-1].fragment_id) == ("elsewhere", "part")


def test_a_page_that_was_asked_for_once_does_not_come_back(session: Any, begun: list[RerunData]) -> None:
    """A link led there, a row from there back here: what is touched here is drawn here."""
    _ask(session, "there")
    _begin(session, "there")
    _begin(session, "here")
    session._scriptrunner = None
    _ask(session, "here", "part")
    assert (begun[-1].page_script_hash, begun[-1].fragment_id) == ("here", "part")


def test_a_fragment_that_is_gone_is_answered_by_the_page(session: Any, begun: list[RerunData]) -> None:
    """What was done in it counts; only what a clock asks for is dropped."""
    _ask(session, "here", "gone")
    assert [(data.page_script_hash, data.fragment_id) for data in begun] == [("here", None)]
    session.request_rerun(
        ClientState(page_script_hash="here", fragment_id="gone", is_auto_rerun=True),
    )
    assert len(begun) == 1


def test_after_a_run_that_is_not_heard_the_whole_page_is_drawn(session: Any, begun: list[RerunData]) -> None:
    """A run has ended and its last words wait: they would be lost, and with them the end of the page."""
    session._scriptrunner = Runner(ended=True)
    _ask(session, "here", "part")
    assert [data.fragment_id for data in begun] == [None]


def test_a_fragment_that_goes_while_it_waits_is_answered_by_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was asked for during a run that drew the page without it."""
    monkeypatch.setattr("dashboard.shell.session.st", SimpleNamespace(rerun=_whole))
    fragments = Fragments()
    fragments.register("part", _whole)
    assert fragments.lookup("part") is _whole
    with pytest.raises(InterruptedError):
        fragments.lookup("gone")


def _whole() -> None:
    raise InterruptedError


def _field_and_button() -> None:
    import streamlit as st

    from dashboard.shell import state, widgets

    st.text_input("Search", **widgets.bind("search", state.view().search))
    st.button("Open", on_click=state.choose_case, args=("toy-001",))


@pytest.mark.parametrize(("drawn", "whole"), [(None, False), (["part"], True)])
@pytest.mark.parametrize("what", ["field", "button"])
def test_what_is_done_outside_of_a_fragment_draws_the_page(
    monkeypatch: pytest.MonkeyPatch, drawn: list[str] | None, what: str, *, whole: bool
) -> None:
    """The browser sends what is done at two places in one moment as if both were in the fragment of one."""
    page = AppTest.from_function(_field_and_button).run()
    asked: list[None] = []
    monkeypatch.setattr(
        state, "get_script_run_ctx", lambda: SimpleNamespace(fragment_ids_this_run=drawn, session_id="")
    )
    monkeypatch.setattr(state.st, "rerun", lambda: asked.append(None))
    if what == "field":
        page.text_input[0].set_value("toy").run()
        assert page.session_state["loupe-view"].search == "toy"
    else:
        page.button[0].click().run()
        assert page.session_state["loupe-view"].case == "toy-001"
    assert bool(asked) == whole


def test_a_new_thread_keeps_fragments_of_its_own(session: Any, begun: list[RerunData]) -> None:
    """The thread before it may still be drawing one, while a whole page takes away what fragments have."""
    before = session._fragment_storage
    before.register_outside_wrapper("part", "sidebar", SimpleNamespace(creating_fragment_id=None))
    _ask(session, "here")
    assert session._fragment_storage is not before
    assert session.has_fragment("part")
    assert session._fragment_storage.get_outside_wrapper("part", "sidebar")
    session._fragment_storage.clear_outside_wrappers()
    session._fragment_storage.clear()
    assert before.get_outside_wrapper("part", "sidebar")
    assert before.contains("part")


def test_nothing_unsent_is_dropped_where_a_fragment_is_drawn(session: Any) -> None:
    """What another fragment has drawn may stand in a block of this one; a whole page makes all of it anew."""
    session._browser_queue = ForwardMsgQueue()
    for fragment in ("outer", "inner"):
        message = ForwardMsg()
        message.metadata.delta_path[:] = [0, len(session._browser_queue)]
        message.delta.new_element.empty.SetInParent()
        message.delta.fragment_id = fragment
        session._browser_queue.enqueue(message)
    session._clear_queue(["outer"])
    assert [message.delta.fragment_id for message in session._browser_queue._queue] == ["outer", "inner"]
    session._clear_queue(None)
    assert len(session._browser_queue) == 0


@pytest.mark.parametrize("fragment", ["part", ""])
def test_back_is_kept_until_a_run_has_read_it(session: Any, begun: list[RerunData], fragment: str) -> None:
    """What is asked for after it, and ends the run that was to read it, does not undo it."""
    back = ClientState(page_script_hash="here", query_string="where=a", is_history_navigation=True)
    session.request_rerun(back)
    _ask(session, "here", fragment)
    assert take_gone_back("somebody") == "where=a"
    assert take_gone_back("somebody") is None


@pytest.mark.parametrize("fragment", ["part", ""])
def test_a_button_pressed_twice_counts_twice(session: Any, begun: list[RerunData], fragment: str) -> None:
    """The second press waits until a run has begun with the first; what is done after it waits as well."""
    for pressed in ("up", "up", "down"):
        _ask(session, "here", fragment, pressed=pressed)
    assert len(begun) == 1
    assert session._scriptrunner.begin() == ["up"]
    _begin(session, "here")
    assert session._scriptrunner.begin() == ["down", "up"]
    _begin(session, "here")
    assert session._held == []


def test_a_press_is_not_lost_with_the_thread(session: Any, begun: list[RerunData]) -> None:
    """The whole page is asked for, in a new thread, before the one before has begun with a press."""
    _ask(session, "here", "part", pressed="up")
    _ask(session, "there", pressed="link")
    assert len(begun) == 2
    assert begun[-1].page_script_hash == "there"
    values = begun[-1].widget_states.widgets
    assert [one.double_value for one in values if one.id == "slider"] == [len("link")], "the newest counts"
    assert session._scriptrunner.begin() == ["link", "up"]


def test_a_press_that_is_taken_up_and_not_heard_is_not_lost(session: Any, begun: list[RerunData]) -> None:
    """The thread has begun its run and not its callbacks; those that have begun are heard there alone."""
    _ask(session, "here", pressed="up")
    first = session._scriptrunner
    assert first.begin() == ["up"]
    _ask(session, "here", pressed="down")
    assert not first._requests.begin_to_hear()
    assert session._scriptrunner.begin() == ["down", "up"]
    assert session._scriptrunner._requests.begin_to_hear()
    _ask(session, "here", pressed="left")
    assert session._scriptrunner.begin() == ["left"]


def test_different_buttons_do_not_wait_for_each_other(session: Any, begun: list[RerunData]) -> None:
    """They count in one run."""
    for pressed in ("up", "down"):
        _ask(session, "here", "part", pressed=pressed)
    assert session._held == []
    assert session._scriptrunner.begin() == ["down", "up"]
