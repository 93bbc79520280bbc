"""Would it hold with other readers and cases? The panel says what the command says."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pandas as pd
import pytest
from reader_files import reader_study_of
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.models.other_readers_report import other_readers_report
from core.analysis.models.settings import OtherReadersSettings
from core.plausibility.settings import AggregationChoice
from core.study.model import Study, Task
from dashboard.charts.figure import Figure
from dashboard.charts.models.other_readers import margin_chart

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(scope="module")
def study() -> Study:
    """Two modalities, four readers, a model by itself, a reference."""
    return reader_study_of()


def _page(study, task):  # type: ignore[no-untyped-def]
    from dashboard.components.text import element
    from dashboard.shell import state
    from dashboard.views.models import other_readers

    state.read_address()
    other_readers.show(study, task)
    for note in state.notes():
        element("p", note)


def opened(study: Study, task: Task, **view: str) -> AppTest:
    """The panel, unfolded; ``view`` is what the address says."""
    test = AppTest.from_function(_page, args=(study, task), default_timeout=300)
    test.session_state["panel-other-readers"] = True
    for key, given in ({"model": "label-counts", "reliability": "1"} | view).items():
        test.query_params[key] = given
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that is said, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", bodies)))


@pytest.mark.parametrize("truth", ["reference", "plausibility"])
def test_the_sentence_is_that_of_the_command(study: Study, truth: str) -> None:
    """For the model against the first modality, which the panel compares at first."""
    said = words(opened(study, study.tasks["main"], mrmc_margin="0.1", mrmc_truth=truth))
    settings = OtherReadersSettings(modalities=("net", "A"), margin=0.1, truth=truth)  # type: ignore[arg-type]
    report = other_readers_report(study, settings, AggregationChoice(reliability=1.0))
    for sentence in (report.finding, *report.claims):
        assert sentence.replace("\u00a0", " ") in said


def test_the_picture_shows_the_margin_that_is_in_force(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under plausible truths what they show of it, which the caption says with what it assumes."""
    settings = OtherReadersSettings(modalities=("net", "A"), margin=0.1, truth="plausibility")
    report = other_readers_report(study, settings, AggregationChoice(reliability=1.0))
    shown = report.tables["differences"]["margin_shown"].iloc[0]
    drawn: list[float] = []

    def chart(rows: pd.DataFrame, *, margin: float, **others: Any) -> Figure:
        drawn.append(margin)
        return margin_chart(rows, margin=margin, **others)

    monkeypatch.setattr("dashboard.views.models.other_readers.margin_chart", chart)
    test = opened(study, study.tasks["main"], mrmc_margin="0.1", mrmc_truth="plausibility")
    assert f"margin of 0.1, which truths as uncertain as these show as {shown:.2g}" in words(test)
    assert "plausibilities are calibrated" in words(test)
    assert drawn == [pytest.approx(shown)]


def test_few_readers_are_cautioned_about() -> None:
    """Where the numbers are shown."""
    few = reader_study_of(n_readers=2)
    assert "2 readers tell little of how others differ" in words(opened(few, few.tasks["main"]))


def test_the_raters_of_a_study_can_be_its_readers(study: Study) -> None:
    """Offered where nobody reads with a model; what is said is what the command says."""
    task = study.tasks["main"]
    bare = replace(study, tasks={"main": replace(task, reader_predictions={})})
    test = opened(bare, bare.tasks["main"])
    assert "Or take those who made the annotations." in words(test)
    test.toggle[0].set_value(True).run()
    assert not test.exception
    settings = OtherReadersSettings(modalities=("net", "raters"), own_raters=True)
    report = other_readers_report(bare, settings, AggregationChoice(reliability=1.0))
    for sentence in (report.finding, *report.claims):
        assert sentence.replace("\u00a0", " ") in words(test)
    assert test.query_params["mrmc_own"] in ("yes", ["yes"])


def test_choices_are_in_the_address(study: Study) -> None:
    """What is compared, and what is a sample; modalities that are not there are said to be so."""
    test = opened(study, study.tasks["main"], mrmc_modalities="film")
    assert "The address asks for the modality “film”" in words(test)
    by_label = {box.label: box for box in test.selectbox}
    by_label["First"].select("B").run()
    assert test.query_params["mrmc_modalities"] == ["B", "A"] or "B" in test.query_params["mrmc_modalities"]
    {box.label: box for box in test.selectbox}["It is to hold for"].select("fixed").run()
    assert "With these readers and other cases" in words(test)
    assert test.query_params["mrmc_readers"] in ("fixed", ["fixed"])


def test_what_cannot_be_said_has_its_reason(study: Study) -> None:
    """Nothing random; nobody who reads; a single modality."""
    task = study.tasks["main"]
    said = words(opened(study, task, mrmc_readers="fixed", mrmc_cases="fixed"))
    assert "This cannot be said: with readers and cases both fixed nothing is left to chance" in said
    plain, alone = small_study("choice", "ab", [["a", "b"]], predictions={"m": [[0.5, 0.5]]})
    assert "Nobody reads here" in words(opened(plain, alone))
