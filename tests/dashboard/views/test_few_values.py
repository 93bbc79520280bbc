"""Where little differs, pages say so in words and do not draw what says nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.charts.study.counts import score_histogram
from dashboard.shell import steps
from dashboard.shell.theme import LIGHT
from dashboard.views.reliability.curves import telling


def test_scores_in_steps_have_a_bar_each() -> None:
    """Each step is one bar with all its scores, empty steps included, the score in its middle."""
    scores = np.repeat([1.0, 1.5, 3.0], [4, 2, 5])
    bars = score_histogram(scores, 2.0, tokens=LIGHT).data["bars"]
    middles = (bars["from"] + bars["to"]) / 2
    assert middles.tolist() == pytest.approx([1.0, 1.5, 2.0, 2.5, 3.0])
    assert bars["readings"].tolist() == [4, 2, 0, 0, 5]


def test_fine_scores_are_binned() -> None:
    """Scores that hardly repeat share thirty bars, and none is lost; a single value is one of them."""
    scores = np.random.default_rng(3).normal(size=500)
    readings = score_histogram(scores, None, tokens=LIGHT).data["bars"]["readings"]
    assert (len(readings), readings.sum()) == (30, 500)
    assert score_histogram(np.full(7, 2.5), None, tokens=LIGHT).data["bars"]["readings"].sum() == 7


@pytest.mark.parametrize("n_labels", [2, 3])
def test_all_labels_as_a_set_are_no_metric(n_labels: int) -> None:
    """Which labels are the leading ones is asked only of fewer labels than there are; their order, of all."""
    sets = [f"{name}{k}" for name in ("set accuracy @", "overlap @") for k in (2, 3)]
    others = ["top-1 accuracy", "average overlap @3", "footrule @3", "Kendall's τ", "risk certainty"]
    swept = pd.DataFrame({"metric": [*others, *sets, "top-2 accuracy", "top-3 certainty"]})
    kept = set(telling(swept, n_labels)["metric"])
    fewer = {"set accuracy @2", "overlap @2", "top-2 accuracy"} if n_labels == 3 else set()
    assert kept == {*others, *fewer}


def _page() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.study import page as study

    state.read_address()
    study.show(sidebar.choose())


def test_equal_numbers_are_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight readings in every case need no histogram; different numbers of labels have theirs."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    page = AppTest.from_function(_page, default_timeout=300)
    page.query_params["study"], page.query_params["model"] = "chest_xrays", "label-counts"
    page.query_params["study_part"] = "readings"
    page.run()
    assert not page.exception
    words = " ".join(element.proto.body for element in page.get("html"))
    assert "Every case has 8 readings." in words
    assert "Every rater has 280 readings." in words
    assert "Median 2, from 1 to 2 labels per case." in words
