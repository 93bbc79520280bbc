"""All tasks at a glance: the panel says what the command says, and opens a task."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from two_label_studies import two_label_study

from core.analysis.models.all_tasks import all_tasks
from core.analysis.models.all_tasks_draws import all_tasks_drawn
from core.analysis.models.all_tasks_words import (
    CLAIM,
    average_words,
    differences_words,
    most_changed,
)
from core.analysis.models.settings import ComparisonSettings
from core.study.model import Predictions, Study

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(scope="module")
def study() -> Study:
    """Two tasks of three models, one the copy of another; of a third nothing can be compared."""
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 0.5, 50)
    tasks = {}
    for name in ("first", "second"):
        present = [(rng.random(4) < of).astype(int).tolist() for of in p]
        scores = {
            f"m{i}": np.clip(p + noise * rng.standard_normal(50), 0, 1) for i, noise in enumerate((0.3, 0.6))
        }
        found, task = two_label_study(present, scores | {"copy": scores["m0"]})
        tasks[name] = replace(task, name=name)
    unread = {model: Predictions(model, np.full((50, 2), np.nan)) for model in ("m0", "m1")}
    tasks["third"] = replace(task, name="third", predictions=unread)
    return replace(found, tasks=tasks)


def _page(study, measure):  # type: ignore[no-untyped-def]
    from core.analysis.models.settings import ComparisonSettings
    from core.plausibility.settings import default_aggregation
    from core.settings import part
    from dashboard.shell import state, theme
    from dashboard.views.models import all_tasks
    from dashboard.views.models.measuring import Comparing

    state.read_address()
    task = study.tasks["first"]
    settings = part(ComparisonSettings, state.view())
    comparing = Comparing(study, task, default_aggregation(task), settings)
    all_tasks.show(comparing.comparison(comparing.measured(), None, measure, theme.tokens()))


def opened(study: Study, *, measure: str = "AUROC", **view: str) -> AppTest:
    """The panel, unfolded; ``view`` is what the address says."""
    test = AppTest.from_function(_page, args=(study, measure), default_timeout=300)
    test.session_state["panel-all-tasks"] = True
    for key, given in ({"model": "label-counts", "reliability": "1"} | view).items():
        test.query_params[key] = given
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that is said, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", bodies)))


@pytest.mark.parametrize("metric", ["AP", "accuracy"])
def test_the_words_are_those_of_the_command(study: Study, metric: str) -> None:
    """For a metric of one label and for one that depends on the aggregation; tasks left out have a reason."""
    said = words(opened(study, tasks_measure=metric))
    table, drawn = all_tasks(study).tables["all_tasks"], all_tasks_drawn(study)
    soft, best = {"AP": ("s-AP", "s-AP"), "accuracy": ("adjusted accuracy", "accuracy")}[metric]
    for sentence in (
        most_changed(table[table["metric"] == metric]),
        differences_words(drawn, soft),
        average_words(drawn, best, source="annotations", draws="resamplings of the readings"),
        f"third is left out: {drawn.refused['third']}.",
        CLAIM,
    ):
        assert sentence.replace("\u00a0", " ") in said
    assert "m0 = copy" in said


def test_choices_are_in_the_address_and_a_task_opens(study: Study) -> None:
    """The metric is kept; a study of one task has no such panel."""
    test = opened(study)
    {box.label: box for box in test.selectbox}["Metric of all tasks"].select("log loss").run()
    assert "tasks_measure" in test.query_params
    assert "log loss → soft log loss" in words(test)
    alone = replace(study, tasks={"first": study.tasks["first"]})
    assert words(opened(alone)).strip() == ""


def test_settings_of_one_task_are_not_taken_to_others(study: Study) -> None:
    """A label that counts as positive in one task is not asked of the others."""
    said = words(opened(study, positive="absent"))
    plain = all_tasks(study, settings=ComparisonSettings()).tables["all_tasks"]
    assert most_changed(plain[plain["metric"] == "AUROC"]) in said
