"""Models that give scores, on the pages: shown as scores, or left out in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.study.reading.folder import write_study
from core.study.simulation.simulate import simulate_scores
from dashboard.charts.cases.predictions import predictions_chart
from dashboard.shell import jobs, steps, studies
from dashboard.shell.theme import LIGHT

SAID = ["model", "prediction", "first answer", "probability", "score", "then"]
"""What `core.analysis.cases.case.predictions_table` says of a model in words."""


def _script(page: str) -> None:
    import importlib

    from dashboard.shell import sidebar, state

    state.read_address()
    importlib.import_module(f"dashboard.views.{page}.page").show(sidebar.choose())
    state.write_address()


def _tell_nobody(share: float, what: str) -> None:
    """Progress that nobody asked for."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> studies.Source:
    """A study with a model of scores beside two of probabilities."""
    folder = tmp_path_factory.mktemp("scores") / "study"
    write_study(simulate_scores(n_cases=12, regressor=True).study, folder)
    return studies.add_folder(folder)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs end before the page is drawn."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(jobs.Job, "start", lambda self: setattr(self, "result", self._compute(_tell_nobody)))


def _open(page: str, **address: str) -> tuple[AppTest, str]:
    test = AppTest.from_function(_script, args=(page,), default_timeout=300)
    test.query_params["case_part"] = "all"
    for name, value in address.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test, " ".join(element.proto.body for element in test.get("html"))


def test_reliability_leaves_it_out_in_words(source: studies.Source) -> None:
    """The lines of the other models are drawn, and the page says which one is not."""
    _, words = _open("reliability", study=source.key)
    assert "Left out: Regressor, which gives scores, not probabilities." in words


def test_study_page_names_what_is_missing(source: studies.Source) -> None:
    """Probabilities of that model, and how to add them."""
    _, words = _open("study", study=source.key, study_part="all")
    assert "Probabilities of Regressor" in words


def test_no_filter_by_errors_of_scores(source: studies.Source) -> None:
    """A model that names no label cannot be wrong: an address that asks for it is mended."""
    test, _ = _open("cases", study=source.key, wrong="Regressor")
    assert "wrong" not in test.query_params
    test, _ = _open("cases", study=source.key, wrong="Confident")
    assert "Confident" in test.query_params["wrong"]


def test_chart_of_a_case_draws_no_percentage_of_a_score() -> None:
    """The score is said; beside the name stands nothing."""
    table = pd.DataFrame(
        [
            ("a", "yes: 75%, no: 25%", "yes", 0.75, "", "no: 25%", 0.5, 1.0),
            ("s", "score 1; lower in 3", "", np.nan, "score 1", "lower in 3", np.nan, np.nan),
        ],
        columns=[*SAID, "right", "holds the truth"],
    )
    rows = predictions_chart(table, ["a", "s"], k=2, tokens=LIGHT).data["rows"]
    assert rows["words"].tolist() == [
        "right in 50 of 100 truths; its top 2 hold the truth in 100",
        "",
    ]
    whole = table.assign(right=[1.0, np.nan])
    point = predictions_chart(whole, ["a", "s"], k=2, tokens=LIGHT, is_point=True).data["rows"]["words"]
    assert point.tolist() == ["right, if the leading label is the truth", ""]
    assert rows["first"].tolist() == ["yes\u200275\u00a0% sure", "score 1"]
    assert rows["says"].tolist() == ["then no: 25%", "lower in 3"]


def test_the_place_of_the_reference_stands_beside_the_name() -> None:
    """And where each model says one line, the rows are lower."""
    table = pd.DataFrame(
        [
            ("a", "x: 9%", "x", 0.09, "", "", 1.0, 0.5, 1.0),
            ("b", "y: 9%", "y", 0.09, "", "", 12.0, 0.5, 1.0),
            ("s", "score 1", "", np.nan, "score 1", "", np.nan, np.nan, np.nan),
        ],
        columns=[*SAID, "reference place", "right", "holds the truth"],
    )
    low = predictions_chart(table, list("abs"), k=3, tokens=LIGHT)
    assert low.data["rows"]["reference"].tolist() == [
        "the reference is its 1st choice",
        "the reference is its 12th choice",
        "",
    ]
    long = table.assign(then=["", "", "lower in many cases, " * 5])
    assert predictions_chart(long, list("abs"), k=3, tokens=LIGHT).spec["height"] > low.spec["height"]


def test_the_first_answer_stands_alone_with_its_level_and_whether_it_warns() -> None:
    """However it is written; what else the model says follows, and a score has neither level nor verdict."""
    table = pd.DataFrame(
        [
            ("a", "n, o (L): 60%, b (H): 30%", "n, o", 0.6, "", "b (H): 30%", "L", 0.5, 1.0, "no"),
            ("b", "b (H): 99%", "b", 0.99, "", "", "H", 0.0, 0.8, "yes"),
            ("s", "score 1 for b", "", np.nan, "score 1 for b", "", "", np.nan, np.nan, ""),
        ],
        columns=[*SAID, "risk", "right", "holds the truth", "warns"],
    )
    rows = predictions_chart(table, list("abs"), k=2, tokens=LIGHT).data["rows"]
    assert rows["first"].tolist() == ["n, o\u200260\u00a0% sure", "b\u200299\u00a0% sure", "score 1 for b"]
    assert rows["says"].tolist() == ["then b (H): 30%", "", ""]
    assert rows["verdict"].tolist() == ["no warning", "warns of danger", ""]
    assert rows["said"].tolist() == [
        "a says n, o (L): 60%, b (H): 30%; no warning; right in 50 of 100 truths; "
        "its top 2 hold the truth in 100",
        "b says b (H): 99%; warns of danger; right in none of 100 truths; its top 2 hold the truth in 80",
        "s says score 1 for b",
    ]
    assert rows["fill"].tolist() == [LIGHT.risk[letter] for letter in ("L", "H", "")]
