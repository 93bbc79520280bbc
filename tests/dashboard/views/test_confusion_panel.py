"""What does each rater say for each truth? The panel, unfolded."""

from __future__ import annotations

import re
from html import unescape

import pytest
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.raters.panel import Panel, panel
from core.cli import sample_folder
from core.study.reading.folder import read_study

pytestmark = pytest.mark.usefixtures("at_once")


def _page(chosen):  # type: ignore[no-untyped-def]
    from dashboard.views.raters import confusion

    confusion.show(chosen, {"study": chosen.study.name})


def opened(chosen: Panel) -> AppTest:
    """The panel, unfolded."""
    test = AppTest.from_function(_page, args=(chosen,), default_timeout=300)
    test.session_state["panel-confusion"] = True
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that is said, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", bodies)))


def test_another_truth_and_known_ones_are_drawn() -> None:
    """With what the picture shows, and how its lines come about."""
    study = read_study(sample_folder("knee_mri"))
    test = opened(panel(study, next(iter(study.tasks.values()))))
    assert "who errs how can be told from all readings together" in words(test)
    assert test.selectbox[0].options == ["No tear", "Tear"]
    test.selectbox[0].select("Tear").run()
    assert not test.exception
    assert "Line: 95 % of what the readings leave plausible" in words(test)
    test.toggle[0].set_value(True).run()
    assert not test.exception


def test_one_rater_alone_has_a_reason() -> None:
    """In place of a picture."""
    study, task = small_study("choice", "ab", [["a"], ["b"]] * 10)
    assert "Confusion of raters is not given: one rater alone shows no error" in words(
        opened(panel(study, task))
    )
