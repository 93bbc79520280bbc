"""Which cases to read again: the panel says what the command says."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.planning.budget_report import budget_report
from core.analysis.planning.settings import BudgetSettings
from core.analysis.raters.panel import Panel, panel
from core.cli import sample_folder
from core.plausibility.settings import AggregationChoice
from core.study.model import Study
from core.study.reading.folder import read_study

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(scope="module")
def digits() -> Study:
    """Ten labels, two models."""
    return read_study(sample_folder("mixed_digits"))


def _page(chosen):  # type: ignore[no-untyped-def]
    from dashboard.components.text import element
    from dashboard.shell import state
    from dashboard.views.raters import reread

    state.read_address()
    reread.show(chosen, {"study": chosen.study.name})
    for note in state.notes():
        element("p", note)


def opened(chosen: Panel, **view: str | list[str]) -> AppTest:
    """The panel, unfolded; ``view`` is what the address says."""
    test = AppTest.from_function(_page, args=(chosen,), default_timeout=300)
    test.session_state["panel-reread"] = True
    for key, given in ({"model": "label-counts"} | view).items():
        test.query_params[key] = given
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that is said, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", bodies)))


@pytest.mark.parametrize("order", ["certainty", "models"])
def test_the_sentence_is_that_of_the_command(digits: Study, order: str) -> None:
    """The same readings, for the same question, with the same model and reliability."""
    task = next(iter(digits.tasks.values()))
    settings = BudgetSettings(readings=70, order=order, most_each=3)  # type: ignore[arg-type]
    choice = AggregationChoice("label-counts", 2.0)
    budget, *_ = budget_report(digits, settings, choice)
    test = opened(
        panel(digits, task),
        reread_readings="70",
        reread_order=order,
        reread_most="3",
        model="label-counts",
        reliability="2",
    )
    said = words(test)
    assert re.sub(r"\s+", " ", budget.sentence) in said
    assert "by Label counts at γ = 2" in said


def test_another_number_of_readings_gives_another_answer(digits: Study) -> None:
    """Asked for in the field, kept in the address."""
    test = opened(panel(digits, next(iter(digits.tasks.values()))))
    assert "100 further readings of the" in words(test)
    (field,) = (one for one in test.number_input if one.label == "Further readings in all")
    field.set_value(30).run()
    assert "30 further readings of the" in words(test)
    assert test.query_params["reread_readings"] == "30"


def test_only_cases_and_raters_that_are_looked_at(digits: Study) -> None:
    """Of forty cases none but these can be read again; predictions go with their cases."""
    task = next(iter(digits.tasks.values()))
    some = panel(digits, task, cases=range(5, 45))
    said = words(opened(some, reread_readings="5000", reread_order="models"))
    assert "of 40 cases that were read" in said


def test_what_a_study_lacks_is_not_offered() -> None:
    """Without risk or models there is one question; scores have none."""
    study, task = small_study("choice", "ab", ["ab", "aab", "b"])
    test = opened(panel(study, task), reread_order="risk")
    assert not test.get("button_group")
    assert "least certain cases" in words(test)
    study, task = small_study("score", "", [[1.0, 2.0], [7.0, 3.0]])
    assert "this task asks for a number" in words(opened(panel(study, task)))


def test_models_that_never_differ_are_refused_in_words() -> None:
    """What cannot be planned is said, and the page goes on."""
    same = np.eye(2)[[0, 1, 0]]
    study, task = small_study("choice", "ab", ["ab", "aab", "b"], predictions={"M": same, "N": same})
    said = words(opened(panel(study, task), reread_order="models"))
    assert "no case of task 't' was read in which the two models differ" in said
