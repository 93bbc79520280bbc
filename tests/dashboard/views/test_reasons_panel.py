"""The panel that says why a case is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.cases.case import open_case
from core.analysis.cases.reasons import reasons
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study
from dashboard.shell import studies
from dashboard.views.cases.reasons import points_words

Row = tuple[str, float, float, str, str, float]
Danger = tuple[str, str, str, float, float]


def _script(rows: list[object], danger: list[object]) -> None:
    import pandas as pd
    import streamlit as st

    from core.analysis.cases.settle import Settle
    from dashboard.views.cases import reasons

    def compute() -> pd.DataFrame:
        st.session_state["computed"] = st.session_state.get("computed", 0) + 1
        columns = ["reason", "strength", "points", "sentence", "effect", "high_risk"]
        return pd.DataFrame(rows, columns=columns)

    def compute_settle() -> Settle | None:
        table = pd.DataFrame(danger, columns=["kind", "head", "sentence", "before", "after"])
        return Settle("Because.", table, True, "one more: <b>?") if danger else None

    reasons.show(compute, compute_settle)


def _open(rows: list[Row], *, panel: bool, danger: Sequence[Danger] = ()) -> AppTest:
    test = AppTest.from_function(_script, args=(list(rows), list(danger)), default_timeout=300)
    if not panel:
        test.session_state["reasons"] = False
    test.run()
    return test.toggle[0].set_value(True).run() if panel and danger else test


def _words(test: AppTest) -> str:
    assert not test.exception
    return "\n".join(element.proto.body for element in test.get("html"))


def test_nothing_is_computed_while_closed() -> None:
    """The reasons cost nothing until somebody wants them."""
    test = _open([("ties", 3.0, 3.0, "Because.", "", 0.0)], panel=False)
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
    places = [
        words.index(escape(sentence).replace(" of 100", "\u00a0of\u00a0100"))
        for sentence in table["sentence"]
    ]
    assert places == sorted(places)
    assert words.count("<li") == len(table)


def _settled() -> None:
    import pandas as pd

    from dashboard.views.cases import reasons

    def fail() -> pd.DataFrame:
        raise AssertionError

    reasons.show(fail, fail, is_settled=True)


def _hanging() -> None:
    import pandas as pd

    from core.analysis.cases.hanging import ALL, Hanging, Row, Share
    from core.analysis.cases.settle import Settle
    from dashboard.views.cases import reasons

    table = pd.DataFrame(columns=["kind", "head", "sentence", "before", "after"])
    rows = (
        Row(ALL, (Share("<b>", "H", "55"),), Share("c", "L", "45"), "55"),
        Row("R<1>", (Share("c", "L", "50"), Share("<b>", "H", "50")), None, "50", 2),
    )
    hangs = Hanging("The answer hangs on one reading.", "", rows, 3)
    reasons.show(pd.DataFrame, lambda: Settle("Because.", table, True, ""), hangs)


def test_what_the_answer_hangs_on_stands_first() -> None:
    """A row for each reading, as text, beneath what readings put first; that it hangs is not said again."""
    words = _words(AppTest.from_function(_hanging, default_timeout=300).run())
    said = (
        "Because.",
        "If one reading were left out",
        '<th scope="col">Leads, then next</th><th scope="col">Danger</th>',
        '>none</th><td><p><b data-level="H"',
        "&lt;b&gt; <span>55</span>",
        "<td>55</td>",
        "R&lt;1&gt;",
        "ties 2<",
        "tied</small></td><td>50</td>",
        "and 3 more",
    )
    assert "Without" not in words
    places = [words.index(one) for one in said]
    assert places == sorted(places)


def test_a_settled_case_is_not_called_uncertain() -> None:
    """Its panel is folded, and nothing is worked out for it."""
    test = AppTest.from_function(_settled, default_timeout=300).run()
    assert not test.exception
    assert [panel.label for panel in test.expander] == ["What could still change this case?"]


def test_names_stay_text() -> None:
    """A label's name in a sentence is neither HTML nor Markdown."""
    words = _words(
        _open([("ties", 12.0, 12.0, "<img src=x> **b** would raise certainty.", "", 0.0)], panel=True)
    )
    assert "<img" not in words
    assert "&lt;img src=x&gt; **b**" in words


def test_unknown_case_says_so() -> None:
    """Without a reason the panel says that there is none."""
    assert "nothing to explain" in _words(_open([], panel=True))


def test_what_becomes_of_the_label_is_marked() -> None:
    """In words beside the bar, not by its colour alone; also where certainty hardly changes."""
    rows = [
        ("ties", 12.0, 12.0, "One.", "", 0.0),
        ("disagreement", 0.4, 0.0, "Two.", "changes the label", 0.0),
    ]
    first, second = _words(_open(rows, panel=True)).split("<li")[1:3]
    assert "changes the label" not in first
    assert "about\u00a00" in second
    assert "changes the label" in second


def test_point_estimate_has_no_bar() -> None:
    """Where no points are taken none are shown, nor is it explained how to read them."""
    words = _words(_open([("point estimate", 0.0, 0.0, "No doubt is left.", "", 0.0)], panel=True))
    assert "points" not in words


def test_reliability_is_an_assumption_without_a_bar() -> None:
    """It stands apart, and that high risk disappears by it is said to be no safety."""
    danger = [("one more", "One more", "It becomes 72\u00a0%.", 0.57, 0.72)]
    rows = [("ties", 12.0, 12.0, "One.", "", 0.3), ("reliability", 58.0, 58.0, "Two.", "", 0.0)]
    words = _words(_open(rows, panel=True, danger=danger))
    assert "57 → 30 of 100" in words
    assert "12\u00a0points" not in words
    assert "58\u00a0points" not in words
    assert words.index("do not add up") < words.index("An assumption") < words.index("Two.")
    assert "no reading has changed" in words
    rows[1] = ("reliability", 58.0, 58.0, "Two.", "", 0.9)
    assert "no reading has changed" not in _words(_open(rows, panel=True, danger=danger))


def test_what_matters_most_stands_first() -> None:
    """What would settle it; then all reasons, with what becomes of high risk."""
    danger = [("one more", "One more for <b>", "It becomes 72\u00a0%.", 0.62, 0.72)]
    words = _words(_open([("ties", 12.0, 12.0, "One.", "", 0.3)], panel=True, danger=danger))
    places = [words.index(one) for one in ("Because.", "One more for &lt;b&gt;", "Ties.")]
    assert places == sorted(places)
    assert "62 → 72 of 100" in words
    assert "62 → 30 of 100" in words
    assert "Danger" not in _words(_open([("ties", 12.0, 12.0, "One.", "", 0.3)], panel=True))


def test_where_danger_is_at_stake_its_change_is_the_bar() -> None:
    """And what moves it most stands first; beneath the bar stands what becomes of the leading label."""
    danger = [("one more", "One more for b", "It becomes 72\u00a0%.", 0.40, 0.72)]
    rows = [
        ("disagreement", 53.0, 53.0, "One.", "one leads alone", 0.38),
        ("long lists", 0.4, 0.0, "Two.", "", 0.23),
    ]
    words = _words(_open(rows, panel=True, danger=danger))
    assert "points" not in words
    assert "about\u00a00" not in words
    assert words.index("40 → 23 of 100") < words.index("Two.") < words.index("40 → 38 of 100")
    assert words.index("40 → 38 of 100") < words.index("one leads alone") < words.index("One.")


def test_all_reasons_cost_nothing_until_they_are_asked_for() -> None:
    """Beside the lines that matter most they are folded."""
    danger = [("one more", "One more for b", "It becomes 72\u00a0%.", 0.62, 0.72)]
    test = AppTest.from_function(
        _script, args=([("ties", 12.0, 12.0, "One.", "", 0.3)], danger), default_timeout=300
    ).run()
    assert "computed" not in test.session_state
    assert "One." not in _words(test)
    assert test.toggle[0].set_value(True).run().session_state["computed"] == 1


def test_points_are_said_with_their_sign() -> None:
    """Gains, losses, and what chance could have made."""
    assert points_words(11.0) == "+11\u00a0points"
    assert points_words(-3.0) == "−3\u00a0points"
    assert points_words(0.0) == "about\u00a00"
