"""Two aggregation models in their metrics: the panel says what the command says."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.reliability.two_aggregations import CLAIM, two_aggregations, two_aggregations_finding
from core.analysis.reliability.words import aggregation_title
from core.plausibility.settings import Aggregation

pytestmark = pytest.mark.usefixtures("at_once")
READINGS = [
    ["a", "a", "b"],
    ["b", "b", "b"],
    ["a", "c", "c"],
    ["a", "b", "c"],
    ["c", "c", "c"],
    ["b", "b", "a"],
]


def _page(study, task, a, b):  # type: ignore[no-untyped-def]
    from dashboard.views.reliability import two_aggregations

    two_aggregations.show(study, task, a, b, {})


@pytest.mark.parametrize("names", [("m", "n", "o"), ("m",), ()])
def test_the_panel_says_what_the_command_says(names: tuple[str, ...]) -> None:
    """Of several models their ranks, of one its scores, of none certainty; and another metric."""
    rng = np.random.default_rng(4)
    predictions = {name: rng.dirichlet(np.ones(3), 6).tolist() for name in names}
    study, task = small_study("choice", "abc", READINGS, predictions=predictions)
    a, b = Aggregation("label-counts", 1.0), Aggregation("majority")
    test = AppTest.from_function(_page, args=(study, task, a, b), default_timeout=300)
    test.session_state["panel-two-aggregations"] = True
    test.run()
    found, titles = two_aggregations(study, task, a, b), (aggregation_title(a), aggregation_title(b))
    for metric in ("top-1 accuracy", *(["set accuracy @2"] if names else [])):
        assert not test.exception
        said = re.sub(r"<[^>]+>", " ", " ".join(part.proto.body for part in test.get("html")))
        said = re.sub(r"\s+", " ", unescape(said))
        assert two_aggregations_finding(found, metric, titles) in said
        assert CLAIM in said
        if names:
            test.selectbox[0].select("set accuracy @2").run()
