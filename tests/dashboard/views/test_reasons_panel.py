"""The panel that says why a case is uncertain."""

from __future__ import annotations

from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.cases.case import open_case
from core.analysis.cases.outcome import SMALLEST
from core.analysis.cases.reasons import reasons
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study
from dashboard.shell import studies
from dashboard.views.cases.reasons import points_words


def _script(rows: list[tuple[str, float, float, str, str]]) -> None:
    import pandas as pd
    import streamlit as st

    from dashboard.views.cases import reasons

    def compute() -> pd.DataFrame:
        st.session_state["computed"] = st.session_state.get("computed", 0) + 1
        return pd.DataFrame(rows, columns=["reason", "strength", "points", "sentence", "effect"])

    reasons.show(compute)


def _open(rows: list[tuple[str, float, float, str, str]], *, panel: bool) -> AppTest:
    test = AppTest.from_function(_script, args=(rows,), default_timeout=300)
    if not panel:
        test.session_state["reasons"] = False
    return test.run()


def _words(test: AppTest) -> str:
    assert not test.exception
    return "\n".join(element.proto.body for element in test.get("html"))


def test_nothing_is_computed_while_closed() -> None:
    """The reasons cost nothing until somebody wants them."""
    test = _open([("ties", 3.0, 3.0, "Because.", "")], panel=False)
    assert not test.exception
    assert "computed" not in test.session_state


@pytest.mark.parametrize("model", ["prirn", "irn", "plackett-luce"])
def test_every_reason_of_a_case_is_listed(model: str) -> None:
    """Each sentence of the analysis stands in the panel, once, in the same order."""
    folder = studies.samples()[0].folder
    assert folder is not None
    study = read_study(folder)
    table = reasons(open_case(study, next(iter(study.tasks.values())), Aggregation(model, 3.0), 3))
    words = _words(_open(list(table.itertuples(index=False, name=None)), panel=True))
    places = [words.index(escape(sentence)) for sentence in table["sentence"]]
    assert places == sorted(places)
    assert words.count("<li") == len(table)


def test_names_stay_text() -> None:
    """A label's name in a sentence is neither HTML nor Markdown."""
    words = _words(_open([("ties", 12.0, 12.0, "<img src=x> **b** would raise certainty.", "")], panel=True))
    assert "<img" not in words
    assert "&lt;img src=x&gt; **b**" in words


def test_unknown_case_says_so() -> None:
    """Without a reason the panel says that there is none."""
    assert "nothing to explain" in _words(_open([], panel=True))


def test_what_becomes_of_the_label_is_marked() -> None:
    """In words beside the bar, not by its colour alone; also where certainty hardly changes."""
    rows = [("ties", 12.0, 12.0, "One.", ""), ("disagreement", 0.4, 0.0, "Two.", "changes the label")]
    first, second = _words(_open(rows, panel=True)).split("<li")[1:3]
    assert "changes the label" not in first
    assert "about\u00a00" in second
    assert "changes the label" in second


def test_point_estimate_has_no_bar() -> None:
    """Where no points are taken none are shown, nor is it explained how to read them."""
    words = _words(_open([("point estimate", 0.0, 0.0, "No doubt is left.", "")], panel=True))
    assert "points" not in words


def test_points_are_said_with_their_sign() -> None:
    """Gains, losses, and what chance could have made."""
    assert points_words(11.4, 11.0) == "+11\u00a0points"
    assert points_words(-3.4, -3.0) == "−3\u00a0points"
    assert points_words(-SMALLEST / 2, -1.0) == "about\u00a00"
