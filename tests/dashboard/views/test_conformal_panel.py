"""What should the model answer when it is unsure? The panel says what the command says."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.disagreement.conformal_report import conformal_report
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.cli import sample_folder
from core.plausibility.settings import AggregationChoice
from core.study.model import Study, Task
from core.study.reading.folder import read_study
from dashboard.shell import jobs

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(scope="module")
def digits() -> Study:
    """Ten labels, three models."""
    return read_study(sample_folder("mixed_digits"))


def _page(study, task, model):  # type: ignore[no-untyped-def]
    from dashboard.components.text import element
    from dashboard.shell import state
    from dashboard.views.disagreement import conformal

    state.read_address()
    if isinstance(model, int):
        conformal.show_case(study, task, model)
    else:
        conformal.show(study, task, model)
    for note in state.notes():
        element("p", note)


def opened(study: Study, task: Task, model: str | int, **view: str) -> AppTest:
    """The panel of a model, or of a case, unfolded; ``view`` is what the address says."""
    test = AppTest.from_function(_page, args=(study, task, model), default_timeout=300)
    test.session_state["conformal"] = test.session_state["case-sets"] = True
    for key, given in ({"model": "label-counts", "reliability": "1"} | view).items():
        test.query_params[key] = given
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that is said, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", bodies)))


@pytest.mark.parametrize(("coverage", "truth", "score"), [(90, "leader", "threshold"), (80, "label", "raps")])
def test_the_sentence_is_that_of_the_command(digits: Study, coverage: int, truth: str, score: str) -> None:
    """The same sets for the same choices; the table lists all calibrations."""
    task = digits.tasks["digit"]
    model = "Neural network"
    settings = ConformalSettings(predictor=model, coverage=coverage, truth=truth, score=score)  # type: ignore[arg-type]
    asked = {"conformal_coverage": f"{coverage}", "conformal_truth": truth, "conformal_score": score}
    said = words(opened(digits, task, model, **asked))
    report = conformal_report(digits, AggregationChoice(reliability=1.0), settings)
    assert report.sentences[0].replace("\u00a0", " ") in said
    for name in ("plausible truths, corrected", "plausibility regions", "leading labels"):
        assert name in said
    assert "plausible by Label counts at reliability 1" in said


def test_choices_are_in_the_address(digits: Study) -> None:
    """What a person chooses is kept there; a column that is not there is said."""
    test = opened(digits, digits.tasks["digit"], "Neural network", conformal_by="colour")
    assert "The address asks for the column “colour”, which this page does not have." in words(test)
    test.selectbox[1].select("aps").run()
    assert test.query_params["conformal_score"] == "aps"
    test.select_slider[0].set_value(80.0).run()
    assert test.query_params["conformal_coverage"] == "80"
    assert "To hold the truth in 80 % of cases" in words(test)


def test_a_case_has_its_sets(digits: Study) -> None:
    """As many labels as the table of the command says, for every model."""
    task = digits.tasks["digit"]
    said = words(opened(digits, task, 3, conformal_coverage="80"))
    report = conformal_report(digits, AggregationChoice(reliability=1.0), ConformalSettings(coverage=80))
    sets = report.tables["sets"]
    rows = sets[(sets["case_id"] == digits.case_ids[3]) & (sets["calibrated_on"].str.contains("corrected"))]
    assert len(rows) == len(task.predictions)
    for row in rows.itertuples():
        assert row.model in said
        assert re.search(rf"\b{row.size} labels?, right in", said) or row.size == 0
    assert "as it takes for the truth to be among them in 80 % of all cases" in said
    assert "The truth is the plausible leader here, " in said


@pytest.mark.parametrize(("n", "message"), [(1, "leave 0;"), (9, "leave 7;")])
def test_too_few_cases_are_a_reason(n: int, message: str) -> None:
    """In place of numbers, on both pages."""
    study, task = small_study("choice", "ab", [["a", "b"]] * n, predictions={"m": [[0.6, 0.4]] * n})
    for place in ("m", 0):
        said = words(opened(study, task, place))
        assert "No sets" in said
        assert "takes 9 cases or more to calibrate on" in said
        assert message in said


def test_one_label_and_unread_cases_are_reasons() -> None:
    """Each in its own words."""
    study, task = small_study("choice", "a", [["a"]] * 20, predictions={"m": [[1.0]] * 20})
    assert "has one label, so every set of labels is this one" in words(opened(study, task, "m"))
    predictions = np.full((20, 2), 0.5)
    predictions[0] = np.nan
    study, task = small_study("choice", "ab", [["a"]] * 20, predictions={"m": predictions.tolist()})
    assert "No model predicted this case, or nobody read it." in words(opened(study, task, 0))


def test_nothing_is_worked_out_while_it_is_folded(digits: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither on Disagreement nor on Cases."""
    monkeypatch.setattr(jobs.Job, "start", pytest.fail)
    for place in ("Neural network", 0):
        test = AppTest.from_function(_page, args=(digits, digits.tasks["digit"], place), default_timeout=300)
        test.query_params["model"] = "label-counts"
        assert not test.run().exception
