"""The view and its address."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.runtime.state import session_state_proxy
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from core.analysis.cases.select import MOST_ONLY, Filters
from core.plausibility.settings import MODELS
from core.settings import option, options, whole
from dashboard.shell import state
from dashboard.shell.address import fit_for_address, format_address, parse
from dashboard.shell.view import MOST_ADDRESS, View

_text = st.text(min_size=1, max_size=20)
_views = st.builds(
    View,
    study=_text,
    task=_text,
    model=st.sampled_from(["", *MODELS]),
    reliability=st.one_of(st.none(), st.sampled_from([0.25, 1.5, 3.0, math.inf])),
    confidence=st.sampled_from(["ignored", "weights"]),
    case=_text,
    search=_text,
    label=st.lists(_text, max_size=3).map(tuple),
    plausible=st.lists(_text, max_size=2).map(tuple),
    risk=st.lists(st.sampled_from(["low", "medium", "high", "unknown"]), max_size=2).map(tuple),
    readers=st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(5, 9))),
    certainty=st.one_of(st.none(), st.tuples(st.integers(0, 50), st.integers(50, 100))),
    could_change=st.booleans(),
    wrong=st.lists(_text, max_size=2).map(tuple),
    missed_by=st.lists(_text, max_size=2).map(tuple),
    metadata=st.lists(st.tuples(_text, st.text(max_size=9)), max_size=3).map(tuple),
    only=st.lists(_text, max_size=3).map(tuple),
    sort=st.sampled_from(["", "stake", "study"]),
    against=_text,
    observation=st.one_of(st.none(), st.integers(-30, 30).map(lambda n: n / 10)),
    panel=st.integers(0, 99),
    predictor=_text,
    recalibration=_text,
    probability_of=_text,
    bins=st.integers(1, 100),
    bin_kind=st.sampled_from(["equal width", "equal mass"]),
)


def _steps_script() -> None:
    import streamlit as st

    from dashboard.shell import state

    state.read_address()
    step = st.query_params["step"]
    if step == "next":
        state.choose_case("two")
    elif step == "list":
        state.change(preset="other", case="two")
    elif step == "study":
        state.change(study="another")
    elif step == "named":
        state.change(case="two", case_part="what-if")
    elif step == "model":
        state.change(model="irn")
    st.text(state.view().case_part)


@pytest.mark.parametrize(
    ("case", "part", "step", "then"),
    [
        ("one", "what-if", "next", "what-if"),
        ("one", "what-if", "list", "what-if"),
        ("one", "what-if", "study", "what-if"),
        ("one", "what-if", "model", "what-if"),
        ("one", "what-if", "named", "what-if"),
        ("", "what-if", "next", "what-if"),
        ("one", "models", "next", "models"),
        ("one", "all", "list", "all"),
    ],
)
def test_the_part_that_is_read_goes_along_to_another_case(case: str, part: str, step: str, then: str) -> None:
    """Whichever it is, and however the other case is opened."""
    test = AppTest.from_function(_steps_script, default_timeout=300)
    for name, value in {"case": case, "case_part": part, "step": step}.items():
        if value:
            test.query_params[name] = value
    test.run()
    assert not test.exception
    assert test.text[0].value == then


def _back_script() -> None:
    import streamlit as st

    from dashboard.shell import state

    state.read_address()
    state.change(what_if="left_out=R01")
    state.choose_case("two")
    state.change(what_if="left_out=R02")
    for case in ("three", "one"):
        state.choose_case(case)
        st.text(state.view().what_if)
    state.change(case="two")
    st.text(state.view().what_if)
    state.change(what_if="")
    state.choose_case("three")
    state.choose_case("two")
    st.text(state.view().what_if)
    state.change(study="another", case="one")
    st.text(state.view().what_if)


def test_what_was_tried_on_a_case_is_there_when_one_comes_back() -> None:
    """Each case has its own, until it is taken back; a case of the same name in another study has none."""
    test = AppTest.from_function(_back_script, default_timeout=300)
    for name, value in {"study": "some", "case": "one"}.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    assert [one.value for one in test.text] == ["", "left_out=R01", "left_out=R02", "", ""]


@given(_views)
def test_address_round_trip(view: View) -> None:
    """An address reproduces every view."""
    assert parse(format_address(view)) == (view, [])


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("reliability", "0"),
        ("reliability", "nan"),
        ("reliability", "x"),
        ("confidence", "all"),
        ("risk", "huge"),
        ("readers", "6-3"),
        ("certainty", "low"),
        ("could_change", "perhaps"),
        ("metadata", "site"),
        ("sort", "size"),
        ("observation", "4"),
        ("observation", "nan"),
        ("panel", "-1"),
        ("bins", "0"),
        ("bins", "101"),
        ("bin_kind", "equal"),
    ],
)
def test_bad_values_are_named(name: str, given: str) -> None:
    """A value that means nothing leaves the default and a note that quotes it."""
    view, notes = parse({name: (given,)})
    assert view == View()
    assert len(notes) == 1
    assert given in notes[0]


def test_links_name_so_many_cases_and_no_more() -> None:
    """Short ids are bounded by their number, long ones by what they take; more than that is not read."""
    many = [f"c{i}" for i in range(1000)]
    assert fit_for_address(many) == tuple(many[:MOST_ONLY])
    long = ["ä" * 100 for _ in range(100)]
    kept = fit_for_address(long)
    assert 0 < len(kept) * 600 <= MOST_ADDRESS
    view, notes = parse({"only": tuple(many)})
    assert view == View()
    assert str(MOST_ONLY) in notes[0]


def test_an_option_of_a_question_is_one_of_the_address() -> None:
    """Declared with the filters, it is read, written, refused and reset without another word."""

    @dataclass(frozen=True)
    class MoreFilters(Filters):
        """With one more."""

        pages: int = option(0, "pages of the report", whole(0, 99), former=("sheets",))

    @dataclass(frozen=True)
    class MoreView(View, MoreFilters):
        """With all filters."""

    view, notes = parse({"pages": ("7",), "search": ("x",)}, MoreView)
    assert (view, notes) == (MoreView(pages=7, search="x"), [])
    assert format_address(view) == {"pages": ("7",), "search": ("x",)}
    assert parse({"sheets": ("7",)}, MoreView) == (MoreView(pages=7), [])
    view, notes = parse({"pages": ("100",)}, MoreView)
    assert view == MoreView()
    assert notes == [
        "The address asks for pages “100”: a whole number from 0 to 99 was expected. The default is shown."
    ]
    with pytest.raises(ValueError, match="pages must be a whole number from 0 to 99, got 100"):
        MoreView(pages=100)


def test_an_address_begins_with_the_study() -> None:
    """Then come task, model and case, and then all else: so people read it."""
    view = View(model="irn", case="c", study="s", task="t", search="x", bins=3)
    assert list(format_address(view))[:4] == ["study", "task", "model", "case"]


def test_what_another_study_task_model_or_case_resets() -> None:
    """All that speaks of what is left."""
    by_scope: dict[str, set[str]] = {}
    for of in options(View):
        by_scope.setdefault(of.scope, set()).add(of.name)
    assert by_scope["everything"] == {
        *("study", "observation", "panel", "bins", "bin_kind"),
        *("tour_claimed", "tour_readers", "tour_agreement", "tour_cases"),
        *("conformal_coverage", "conformal_truth", "conformal_score"),
        *("case_part", "study_part", "tour_step"),
    }
    assert by_scope["task"] == {
        *("model", "confidence", "against", "preset", "sort", "positive", "rivals"),
        *("label", "risk", "certainty", "high_risk", "could_change", "wrong", "columns"),
        *("risk_certainty", "labels_named", "plausible", "missed_by", "high_risk_labels"),
        *("predictor", "recalibration", "expert_method", "probability_of"),
        *("mrmc_modalities", "mrmc_margin", "mrmc_own", "slice_of"),
        "reread_between",
    }
    assert by_scope["model"] == {"reliability"}
    assert by_scope["case"] == {"what_if", "expert_says"}


def _addressed() -> None:
    from dashboard.shell import state

    state.read_address()
    state.write_address()


def test_each_run_says_the_address_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the run before said may be lost; only a first visit keeps its letters, where they say it all."""
    asked: list[object] = []
    monkeypatch.setattr(QueryParamsProxy, "from_dict", lambda self, given: asked.append(given))
    page = AppTest.from_function(_addressed).run()
    assert not page.exception
    assert asked == []
    page.run()
    assert asked == [{}]


@pytest.mark.parametrize("chosen", [False, True])
def test_a_run_that_does_not_say_so_follows_back(monkeypatch: pytest.MonkeyPatch, *, chosen: bool) -> None:
    """The one that was asked for by Back was overtaken; what is chosen in a callback comes after it."""
    monkeypatch.setattr(QueryParamsProxy, "from_dict", lambda self, given: None)
    page = AppTest.from_function(_field).run()
    back = iter(["search=before&case=c"])
    monkeypatch.setattr(state, "take_gone_back", lambda session: next(back, None))
    (page.text_input[0].set_value("now") if chosen else page).run()
    page.run()
    view = page.session_state["loupe-view"]
    assert (view.search, view.case) == ("now" if chosen else "before", "c")


def _field() -> None:
    import streamlit as st

    from dashboard.shell import state, widgets

    state.read_address()
    st.text_input("Search", **widgets.bind("search", state.view().search))
    state.write_address()


def test_a_run_that_is_overtaken_reads_nothing_that_is_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits while the next run takes over what a person chose, and ends with its next look."""
    arrived, overtaken, read = Event(), Event(), []

    def end_if_overtaken() -> None:
        if overtaken.is_set():
            raise InterruptedError
        arrived.set()

    kept = SessionState()
    kept["loupe-view"] = View()
    session = SafeSessionState(kept, end_if_overtaken)
    monkeypatch.setattr(session_state_proxy, "get_session_state", lambda: session)

    def run() -> None:
        with suppress(InterruptedError):
            read.append(state.view())

    thread = Thread(target=run)
    with session._lock:
        thread.start()
        arrived.wait()
        overtaken.set()
    thread.join()
    assert read == []
