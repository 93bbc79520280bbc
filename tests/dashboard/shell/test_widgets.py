"""Widgets show what is in force: each run says it anew, so that a run that is lost loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from named import named
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup, Multiselect, Radio, Selectbox, SelectSlider

from core.reviews.author import remember_author
from dashboard.shell import jobs, steps, studies

PAGES = ("study", "cases", "review", "reliability", "models", "disagreement", "raters", "tour")
KINDS = (
    "selectbox",
    "select_slider",
    "slider",
    "multiselect",
    "checkbox",
    "toggle",
    "radio",
    "number_input",
    "text_input",
    "button_group",
)


def _script(page: str) -> None:
    from importlib import import_module

    from dashboard.shell import sidebar, state, widgets

    state.read_address()
    widgets.enter(page)
    view = import_module(f"dashboard.views.{page}.page")
    view.show() if page == "tour" else view.show(sidebar.choose())
    state.write_address()


@pytest.fixture(autouse=True)
def _somebody_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes need not be asked, and writes where nobody else reads."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    remember_author("Ada")


@pytest.fixture(autouse=True)
def _no_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(jobs.Job, "start", lambda self: None)


def _open(page: str, **address: str) -> AppTest:
    test = AppTest.from_function(_script, kwargs={"page": page}, default_timeout=300)
    for name, value in address.items():
        test.query_params[name] = value
    return test.run()


def _widgets(test: AppTest) -> Iterator[Any]:
    """Every widget that shows what is in force."""
    for kind in KINDS:
        yield from (one for one in getattr(test, kind) if (one.key or "").startswith("choose-"))


def _default(test: AppTest, widget: Any) -> Any:
    """What a browser shows that sees the widget for the first time."""
    return _read(test, widget, None)


def _read(test: AppTest, widget: Any, sent: Any) -> Any:
    """What a widget says that sends so."""
    state = object.__getattribute__(test._session_state, "_state")
    return state.get_widget_metadata(widget.id).deserializer(sent)


class Shown:
    """Holds after each run that its messages alone say what every widget shows."""

    def __init__(self) -> None:
        self._shown: dict[str, Any] = {}

    def check(self, test: AppTest, *, touched: str = "") -> None:
        """Nothing is told once; a widget is born with its value, and changes only at a person's hand."""
        assert not test.exception
        # What cannot be changed is sent again with every run that hears of it.
        told = [one.key for one in _widgets(test) if one.proto.set_value and not one.disabled]
        assert told == []
        shown = {widget.id: widget.value for widget in _widgets(test)}
        for widget in _widgets(test):
            before = self._shown.get(widget.id, _default(test, widget))
            assert widget.id == touched or widget.value == before, widget.key
        self._shown |= shown


@pytest.mark.parametrize("page", [*PAGES[:-2], pytest.param("raters", marks=pytest.mark.slow)])
def test_every_run_says_what_widgets_show(page: str) -> None:
    """Other models and another study change many widgets; whoever missed those runs is told later."""
    test, shown = _open(page, study=studies.SAMPLE, model="prirn", reliability="5"), Shown()
    shown.check(test)
    for name, value in (("model", "plackett-luce"), ("study", "toy_three_labels"), ("model", "majority")):
        chosen = named(test.selectbox, name)
        shown.check(chosen.set_value(value).run(), touched=chosen.id)
        shown.check(test.run())
    assert named(test.selectbox, "model").value == "majority"


def test_words_of_an_option_that_change_are_shown_anew() -> None:
    """The browser knows options by their words: where γ stands in them, another γ is another widget."""
    test = _open("models", study=studies.SAMPLE, model="prirn", reliability="2", annotations="plausibility")
    before = named(test.selectbox, "annotations")
    assert before.options[before.proto.default].endswith("γ = 2")
    test.select_slider[0].set_value(3.0).run()
    after = named(test.selectbox, "annotations")
    assert after.id != before.id
    assert after.options[after.proto.default].endswith("γ = 3")
    after.select("bootstrap").run()
    assert named(test.selectbox, "annotations").id == after.id
    assert named(test.selectbox, "annotations").value == "bootstrap"


def _other(test: AppTest, widget: Any) -> Any:
    """Something else that the widget can say."""
    if isinstance(widget, (SelectSlider, Selectbox, Radio)):
        words = widget.options if isinstance(widget, Selectbox) else widget.options[::-1]
        sent = [[word] if isinstance(widget, SelectSlider) else word for word in words]
        return next((said for one in sent if (said := _read(test, widget, one)) != widget.value), None)
    if isinstance(widget, (Multiselect, ButtonGroup)):
        return None
    if isinstance(widget.value, tuple):
        return (widget.value[0], widget.value[1] - (widget.step or 1))
    if isinstance(widget.value, (bool, str)):
        return "a" if isinstance(widget.value, str) else not widget.value
    if widget.value is None:
        return None
    more = widget.value + widget.step
    return more if widget.max is None else min(more, widget.max)


@pytest.mark.parametrize("study", ["toy_three_labels", studies.SAMPLE])
@pytest.mark.parametrize("page", PAGES)
def test_what_a_person_changes_stays_the_same_widget(page: str, study: str) -> None:
    """Whoever steps through a widget keeps it, and the keyboard with it."""
    test = _open(page, study=study)
    for name in [widget.key.split("--")[0].removeprefix("choose-") for widget in _widgets(test)]:
        if not any(widget.key.split("--")[0] == f"choose-{name}" for widget in _widgets(test)):
            continue
        widget = named(_widgets(test), name)
        other = None if widget.disabled else _other(test, widget)
        if other is not None:
            widget.set_value(other).run()
            assert not test.exception
            assert {one.id: one.value for one in _widgets(test)}.get(widget.id) == other, name


def _folded() -> None:
    import streamlit as st

    from dashboard.shell import widgets

    for page, value in (("a", True), ("a", False), ("b", False), ("b", True), ("a", True)):
        widgets.enter(page)
        st.text(f"{page} {value}: {widgets.as_first_drawn('one', value)}")
    st.text(f"other: {widgets.as_first_drawn('other', False)}")


def test_what_folds_stays_on_a_page_as_it_was_drawn_there_first() -> None:
    """Whatever is said of it afterwards; on the next page that counts which is said there first."""
    said = [one.value for one in AppTest.from_function(_folded).run().text]
    assert said == [
        "a True: True",
        "a False: True",
        "b False: False",
        "b True: False",
        "a True: True",
        "other: False",
    ]


def _led(where: str) -> None:
    from contextlib import suppress

    import streamlit as st

    from dashboard.shell import state

    pages = {
        "study": st.Page(lambda: None, title="Study", default=True, url_path="first"),
        "cases": st.Page(lambda: None, title="Cases", url_path="cases"),
    }
    state.keep_pages(pages)
    went: list[str] = []
    st.session_state["loupe-leads-to"] = where

    def leave(name: str) -> None:
        went.append(name)
        raise StopAsyncIteration  # As a page that is left runs no further.

    opened, state.open_page = state.open_page, leave
    try:
        for page in (pages["cases"].url_path, pages["study"].url_path):
            with suppress(StopAsyncIteration):
                state.follow_lead(page)
    finally:
        state.open_page = opened
    st.text(" ".join(went))


@pytest.mark.parametrize(("where", "went"), [("study", "study"), ("cases", "")])
def test_a_lead_is_followed_to_another_page_and_no_further(where: str, went: str) -> None:
    """The path of the first page is empty, whatever its name: it is known when it is reached."""
    assert AppTest.from_function(_led, kwargs={"where": where}).run().text[0].value == went
