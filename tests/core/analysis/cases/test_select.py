"""Which cases a worklist keeps, and their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.orders import ORDERS, ordered, orders_of, usual_order
from core.analysis.cases.reference_risk import SETTLED
from core.analysis.cases.reviewed import with_reviews
from core.analysis.cases.select import ANY_MODEL, EVERY_MODEL, Filters, number_span, parse_span, select
from core.analysis.cases.worklist import with_labels, worklist
from core.metrics.certainty import leading_risk
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.settings import entries
from core.study.model import Study

CASES = pd.DataFrame(
    {
        "readings": [3, 5, 0, 4],
        "labels": [1, 3, 0, 2],
        "certainty": [0.996, 0.4, np.nan, 0.295],
        "leading": ["Acne", "Eczema", "", "Acne"],
        "runner_up": ["", "Melanoma", "", "Tinea"],
        "plausible": ["Acne", "Eczema; Melanoma", "", "Acne; Tinea; Nevus; blue"],
        "risk": ["low", "medium", "", "low"],
        "risk_certainty": [1.0, 0.5, np.nan, 0.98],
        "risk_could_change": [False, True, False, True],
        "risk_at_stake": [0.0, 0.9, np.nan, 0.2],
        "disagreement": [0.0, 0.5, np.nan, 0.5],
        "m: error": [0.9, 0.1, np.nan, 0.5],
        "n: error": [0.0, 0.2, np.nan, np.nan],
        "model_error": [0.9, 0.2, np.nan, 0.5],
        "m: misses danger": [True, True, False, False],
        "n: misses danger": [False, True, False, False],
        "models_missing": ["m: Acne", "m: Acne; n: Tinea", "", ""],
        "metadata: site": ["arm", "leg", "", "arm"],
        "metadata: age": [20.0, 40.0, np.nan, 60.0],
    },
    index=pd.Index(["a", "b", "c", "d"], name="case_id"),
)


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (Filters(), "abcd"),
        (Filters(label=("Acne",)), "ad"),
        (Filters(plausible=("Acne",)), "ad"),
        (Filters(plausible=("Melanoma", "Tinea")), "bd"),
        (Filters(plausible=("Mela",)), ""),
        (Filters(plausible=("Nevus; blue",)), "d"),
        (Filters(risk=("medium", "high")), "b"),
        (Filters(readers=(4, 5)), "bd"),
        (Filters(labels_named=(2, 3)), "bd"),
        (Filters(certainty=(0, 29)), ""),
        (Filters(certainty=(29, 29)), "d"),
        (Filters(certainty=(29, 40)), "d"),
        (Filters(certainty=(30, 99)), "b"),
        (Filters(certainty=(30, 100)), "ab"),
        (Filters(certainty=(100, 100)), ""),
        (Filters(risk_certainty=(99, 100)), "a"),
        (Filters(risk=("none", "medium")), "bc"),
        (Filters(could_change=True), "bd"),
        (Filters(missed_by=("n",)), "b"),
        (Filters(missed_by=("m", "n")), "ab"),
        (Filters(missed_by=(ANY_MODEL,)), "ab"),
        (Filters(missed_by=(EVERY_MODEL,)), "b"),
        (Filters(missed_by=(EVERY_MODEL, "m")), "ab"),
        (Filters(missed_by=("no such model",)), "abcd"),
        (Filters(wrong=("m",)), "ad"),
        (Filters(wrong=("n",)), ""),
        (Filters(wrong=("n", "m")), "ad"),
        (Filters(wrong=(ANY_MODEL,)), "ad"),
        (Filters(wrong=("unknown",)), "abcd"),
        (Filters(metadata=(("site", "arm"), ("site", "leg"))), "abd"),
        (Filters(metadata=(("site", ""),)), "c"),
        (Filters(metadata=(("site", "arm"), ("age", "30..60"))), "d"),
        (Filters(metadata=(("nowhere", "arm"),)), "abcd"),
        (Filters(only=("d", "a", "zzz")), "ad"),
        (Filters(only=("a", "b"), could_change=True), "b"),
    ],
)
def test_what_each_filter_keeps(filters: Filters, kept: str) -> None:
    """Worked out by hand; a case without readings passes only what says nothing of readings."""
    assert "".join(select(CASES, filters).index) == kept


def test_a_search_keeps_what_holds_its_text() -> None:
    """The readings are not in the table, so who selects has to say which cases hold the text."""
    assert (
        "".join(select(CASES, Filters(search="x", could_change=True), found=pd.Index(["a", "d"])).index)
        == "d"
    )
    assert select(CASES, Filters(search="x"), found=pd.Index([])).empty
    assert len(select(CASES, Filters(search="  "))) == 4
    with pytest.raises(ValueError, match="ids of the cases that hold 'x'"):
        select(CASES, Filters(search="x"))


def test_filters_on_what_a_worklist_lacks_ask_for_nothing() -> None:
    """Without risks and models their filters leave all cases."""
    bare = CASES[["readings", "certainty", "leading", "runner_up", "disagreement"]]
    asked = Filters(risk=("high",), could_change=True, wrong=(ANY_MODEL,), missed_by=(ANY_MODEL,))
    asked = replace(asked, plausible=("Acne",))
    assert list(select(bare, asked).index) == list("abcd")
    assert orders_of(bare) == ["certainty", "surest", "disagreement", "study"]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("certainty", "dbac"),
        ("stake", "bdac"),
        ("disagreement", "bdac"),
        ("error", "adbc"),
        ("study", "abcd"),
    ],
)
def test_orders(name: str, order: str) -> None:
    """The unknown stands last, and equal cases keep their places."""
    assert "".join(ordered(CASES, name).index) == order


def test_the_usual_order_puts_unsettled_danger_first_and_then_the_least_certain() -> None:
    """Nearest to one half; certain danger; the harmless by certainty; without levels, by that alone."""
    cases = pd.DataFrame(
        {"certainty": [0.9, 0.5, 0.7, 0.6, np.nan], "high_risk": [0.97, 0.04, 0.9, 0.45, np.nan]},
        index=list("abcde"),
    )
    assert usual_order(cases) == "unsettled"
    assert (
        usual_order(with_labels(cases.assign(plausible="", plausible_probability=""), ["Acne"]))
        == "high_risk"
    )
    assert "".join(ordered(cases, "unsettled").index) == "dcabe"
    known = cases.assign(**{SETTLED: [True, False, False, False, False]})
    assert "".join(ordered(known, "unsettled").index) == "dcbae", "a reference has settled the danger"
    plain = cases[["certainty"]]
    assert usual_order(plain) == "certainty"
    assert "".join(ordered(plain, usual_order(plain)).index) == "bdcae"
    # Nothing is open in what a reference settles, however little the readings agree.
    settled = cases.assign(**{SETTLED: [False, True, False, False, False]})
    assert "".join(ordered(settled, "certainty").index) == "dcabe"
    assert "".join(ordered(settled, "surest").index) == "bacde"


def test_an_order_that_cannot_be_is_refused() -> None:
    """Both an unknown order and one whose column is missing, with what would do."""
    for table, name in ((CASES, "size"), (CASES[["certainty"]], "stake")):
        with pytest.raises(ValueError, match=f"certainty.*{name}"):
            ordered(table, name)


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ranges_of_numbers_come_back(low: float, width: float) -> None:
    """A range that is written holds what it held, to six digits."""
    found = parse_span(number_span(low, low + width))
    assert found == pytest.approx((low, low + width), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("text", ["", "3", "5..3", "a..b", "nan..3"])
def test_what_is_no_range_is_refused(text: str) -> None:
    """The message quotes what was given."""
    with pytest.raises(ValueError, match=r"two numbers"):
        parse_span(text)


def test_risk_at_stake_is_the_distance_of_the_levels(dermatology: Study) -> None:
    """Against a sum over the labels one by one; a settled level has nothing at stake."""
    task = next(iter(dermatology.tasks.values()))
    posterior = aggregate(dermatology, task, Aggregation("prirn", 5))
    table = worklist(dermatology, task, posterior)
    by_level = leading_risk(posterior, task.risk)
    for index in range(0, 300, 29):
        own = ["low", "medium", "high"].index(table["risk"].iloc[index])
        expected = sum(p * abs(level - own) for level, p in enumerate(by_level[index]))
        assert table["risk_at_stake"].iloc[index] == pytest.approx(expected)
    settled = table["risk_certainty"] > 1 - 1e-12
    assert (table.loc[settled, "risk_at_stake"] < 1e-9).all()
    assert (table["risk_at_stake"] >= 1 - table["risk_certainty"] - 1e-9).all()


def test_every_order_has_a_column(dermatology: Study) -> None:
    """A study with risks and models can be sorted in every way, with reviews by them too."""
    task = next(iter(dermatology.tasks.values()))
    table = worklist(dermatology, task, aggregate(dermatology, task, Aggregation("prirn", 5)))
    assert orders_of(with_reviews(table, {})) == list(ORDERS)


def test_models_that_stand_for_others_are_told_in_words() -> None:
    """In what is saved nobody meets a sign that a link has for them."""
    asked = Filters(missed_by=(EVERY_MODEL,), wrong=(ANY_MODEL, "Model A"))
    assert entries(asked) == {"missed by": "every model", "wrong": "any model, Model A"}
