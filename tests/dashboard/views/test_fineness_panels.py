"""Fineness, raters needed, planning and representativeness: what the panels say, of odd studies too."""

from __future__ import annotations

import json
import re
from functools import partial
from html import unescape

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.planning.report import plan_report
from core.analysis.planning.resamples import resampled_assumptions
from core.analysis.planning.settings import PlanSettings
from core.analysis.raters.panel import Panel, panel
from core.cli import sample_folder
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Readings, Study, Task
from core.study.reading.folder import read_study
from dashboard.views.raters import planning

OPEN = {"panel-needed": True, "panel-represent": True, "panel-certainty-grid": True}
PANELS = ("fineness", "needed", "planning", "representativeness")


@pytest.fixture(autouse=True)
def _little_work(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resample little."""
    monkeypatch.setattr(planning, "resampled_assumptions", partial(resampled_assumptions, n=8))


@pytest.fixture(scope="module")
def knee() -> Study:
    """The bundled 13 readers."""
    return read_study(sample_folder("knee_mri"))


def _page(chosen, names):  # type: ignore[no-untyped-def]
    import importlib

    from dashboard.components.text import element
    from dashboard.shell import state

    state.read_address()
    for name in names:
        module = importlib.import_module(f"dashboard.views.raters.{name}")
        module.show(chosen, {"study": chosen.study.name})
    for note in state.notes():
        element("p", note)


def opened(chosen: Panel, *names: str, **view: str | list[str]) -> AppTest:
    """Panels of a page, all of them unfolded; ``view`` is what the address says."""
    test = AppTest.from_function(_page, args=(chosen, names or PANELS), default_timeout=300)
    for key, value in OPEN.items():
        test.session_state[key] = value
    for key, given in view.items():
        test.query_params[key] = given
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that is said, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    plain = unescape(re.sub(r"<[^>]+>", " ", bodies)).replace("\u00a0", " ")
    return re.sub(r" +", " ", plain)


def study_of(
    said: list[list[int]], *, labels: int = 2, reference: bool = True, **columns: list[object]
) -> Panel:
    """Panel in which every rater reads every case; ``said`` has a label code for each case and rater."""
    n_cases, n_raters = len(said), len(said[0])
    n = n_cases * n_raters
    readings = Readings(
        case_start=np.arange(n_cases + 1) * n_raters,
        rater=np.tile(np.arange(n_raters, dtype=np.int32), n_cases),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1),
        label=np.array(said, np.int32).ravel(),
        block=np.zeros(n, np.int32),
    )
    task = Task("t", "choice", tuple("abcdefgh"[:labels]), readings)
    ids = tuple(f"c{i}" for i in range(n_cases))
    given: dict[str, list[object]] = {"reference": ["a"] * n_cases} if reference else {}
    cases = pd.DataFrame(given | columns, index=pd.Index(ids, name="case_id"))
    raters = tuple(f"r{i}" for i in range(n_raters))
    print_of = repr((said[:50], n_cases, labels, reference, columns))
    study = Study("odd", ids, raters, {"t": task}, cases, str(hash(print_of)))
    return panel(study, task)


def test_fineness_says_that_independence_is_optimistic(knee: Study) -> None:
    """The promise, what dependence leaves of it, and what is reached."""
    said = words(opened(panel(knee, knee.tasks["tear"]), "fineness"))
    assert (
        "The majority of 13 raters would be right in > 99 % of the cases if they erred independently" in said
    )
    assert "it is 86 %. Independence makes fineness optimistic. Here their majority is right in 84 %" in said
    some = panel(knee, knee.tasks["tear"], raters=["reader-01", "reader-02", "reader-03"])
    assert "The majority of 3 raters" in words(opened(some, "fineness"))


def test_a_reduction_comes_from_the_address(knee: Study) -> None:
    """A weighted vote has no dependent curve, which is said; an unknown one falls back with a note."""
    whole = panel(knee, knee.tasks["tear"])
    said = words(opened(whole, "fineness", reduction="accuracy-weighted"))
    assert "shared errors lower this weighted vote was not worked out" in said
    said = words(opened(whole, "fineness", reduction="oracle"))
    assert "asks for the reduction “oracle”" in said


def test_needed_follows_its_sliders(knee: Study) -> None:
    """Published numbers; independence changes one of them; the address says what was chosen."""
    test = opened(panel(knee, knee.tasks["tear"]), "needed")
    said = words(test)
    for fact in (
        "7 exactly, if errors are independent",
        "no number if raters err on the same cases",
        "22 Chernoff bound, which is safe",
        "10 bound as printed (log10), not safe",
    ):
        assert fact in said
    test.slider(key="choose-needed_difficulty").set_value(0.0).run()
    assert "7 if raters err on the same cases" in words(test)
    assert test.query_params["needed_difficulty"] == "0"
    test = opened(
        panel(knee, knee.tasks["tear"]), "needed", needed_fineness="0.9", needed_accuracy="0.7",
        needed_difficulty="99",
    )  # fmt: skip
    assert "Raters whose majority is right in 90 % of the cases" in words(test)
    assert "needed_difficulty “99”: a number from 0 to 30 was expected" in words(test)


@pytest.mark.slow
def test_the_plan_is_that_of_the_command(knee: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same sentences, for each question."""
    monkeypatch.setattr(
        "core.analysis.planning.report.resampled_assumptions", partial(resampled_assumptions, n=8)
    )
    report = plan_report(knee, PlanSettings(fineness=0.85, certainty=0.9, ranking=0.9))
    whole = panel(knee, knee.tasks["tear"])
    for question, wanted in (("fineness", "0.85"), ("certainty", "0.9"), ("ranking", "0.9")):
        said = words(opened(whole, "planning", plan=question, plan_for=wanted))
        sentence = report.plans[question].sentence
        for part in sentence.split(" 90 % of 8 resamples"):
            assert part.strip()[:120] in said


@pytest.mark.parametrize(("model", "gamma"), [("label-counts", "3"), ("majority", "1")])
def test_certainty_over_readings_and_reliability(knee: Study, model: str, gamma: str) -> None:
    """The study stands at its own γ where its model means the same by it, else where each counts once."""
    chosen = panel(knee, knee.tasks["tear"])
    test = opened(chosen, "planning", plan="certainty", model=model, reliability="3")
    (found,) = (one.proto for one in test.get("bidi_component") if one.proto.component_name == "loupe_live")
    said = json.loads(found.json)["words"]
    own = aggregate(knee, chosen.task, Aggregation("label-counts", float(gamma))).certainty(1)
    assert said.endswith(f"this study, 14 readings a case at γ = {gamma}: {100 * own.mean():.0f}\u00a0%")
    assert "Diamond: this study's own readings" in words(test)
    assumed = opened(chosen, "planning", plan="certainty", plan_accuracy="0.9")
    assert not [one for one in assumed.get("bidi_component") if one.proto.component_name == "loupe_live"]


def test_assumed_readers_replace_those_of_the_study(knee: Study) -> None:
    """No resamples then; what is assumed is said."""
    test = opened(
        panel(knee, knee.tasks["tear"]), "planning", plan_accuracy="0.9", plan_difficulty="0", plan_for="0.95"
    )
    said = words(test)
    assert "takes 3 raters of accuracy 0.9 if they err independently" in said
    assert "resamples" not in said
    assert "Assumed: every reader is right in 90 % of the cases, and two of them agree on 82 %" in said


def test_equal_models_have_no_order(knee: Study) -> None:
    """A model against itself is refused with a reason."""
    test = opened(panel(knee, knee.tasks["tear"]), "planning", plan="ranking")
    assert "rank models of accuracy 0.893 and 0.827 rightly in 95 % of studies" in words(test)
    test.selectbox(key="choose-plan-worse").set_value(test.selectbox(key="choose-plan-better").value).run()
    assert "no right order" in words(test)


def test_scores_are_planned_by_their_sides() -> None:
    """Certainty of a number is refused until an accuracy is assumed."""
    study = read_study(sample_folder("scores"))
    whole = panel(study, next(iter(study.tasks.values())))
    said = words(opened(whole, "planning", plan="certainty"))
    assert "this task asks for a number" in said
    said = words(opened(whole, "planning", plan="certainty", plan_accuracy="0.85"))
    assert "make the leading label certain" in said
    assert "A score counts with its side of the threshold" in words(opened(whole, "fineness"))


def test_nothing_is_known_of_a_single_rater_without_reference() -> None:
    """Every panel that needs an accuracy says so, once each, and what would mend it."""
    said = words(opened(study_of([[0], [1], [0]], reference=False)))
    assert said.count("no rater's accuracy is known") == 3
    assert "A column reference in cases.csv" in said
    alone = words(opened(study_of([[0], [1], [0]]), "fineness", "needed", "planning"))
    assert "there is no majority to form" in alone


def test_without_a_reference_right_means_the_majority() -> None:
    """What all raters reach is then 100 % by construction, which is said."""
    rng = np.random.default_rng(0)
    said = rng.integers(0, 3, (30, 4)).tolist()
    text = words(opened(study_of(said, labels=3, reference=False), "fineness", "needed", "planning"))
    assert "There is no reference: right is what most of all readings say" in text
    assert "The bound of the paper is about two labels and is left out" in text
    assert "names each of the 2 wrong labels equally often" in text


def test_raters_who_always_agree_or_always_err() -> None:
    """Accuracies of 0 and 1: no traceback, and no number where none is enough."""
    right = words(opened(study_of([[0, 0, 0]] * 20), "fineness", "needed", "planning"))
    assert "The majority of 3 raters would be right in 100 % of the cases" in right
    wrong = words(opened(study_of([[1, 1, 1]] * 20), "fineness", "needed", "planning"))
    assert "no number of raters of accuracy 0" in wrong


def test_too_many_raters_are_refused() -> None:
    """10,000 raters are the most that a majority is formed of."""
    many = study_of([[0] * 10_001] * 2)
    said = words(opened(many, "fineness", "needed", "planning"))
    assert said.count("10,001 raters are too many to form a majority of") == 3


def test_without_numbers_one_line_says_which_file_would_help() -> None:
    """No features and no numeric metadata."""
    said = words(opened(study_of([[0, 1]] * 8), "representativeness"))
    assert "features.csv" in said
    assert "Ψ" not in said


@pytest.mark.slow
def test_a_site_that_differs_is_found(knee: Study) -> None:
    """Ψ in a sentence, and the numbers behind it; groups and the hard set on demand."""
    whole = panel(knee, knee.tasks["tear"])
    test = opened(whole, "representativeness", sets="site", set_value="Lakeside")
    said = words(test)
    assert "Site Lakeside: Ψ = 0.005, the least that 199 splits can show; they differ" in said
    assert "56 cases against 244." in said
    assert "Open" not in " ".join(button.label for button in test.button)
    test.button(key="start-groups").click().run()
    assert "of twenty alike groups one stands there by chance" in words(test)
    test.button(key="start-least-alike").click().run()
    assert "60 cases against 240" in words(test)


def test_the_cases_chosen_above_can_be_compared(knee: Study) -> None:
    """A subset of cases against the rest of the study; groups are then of the subset alone."""
    lakeside = np.flatnonzero(knee.cases["site"] == "Lakeside")
    some = panel(knee, knee.tasks["tear"], cases=lakeside)
    said = words(opened(some, "representativeness", sets="*"))
    assert "The cases chosen above: Ψ = 0.005" in said
    assert "56 cases against 244." in said
    said = words(opened(some, "representativeness", sets="sex"))
    assert "Ψ = " in said
    assert "against 244" not in said


def test_columns_that_cannot_be_compared() -> None:
    """Missing and constant numbers are left out and counted; only constant ones are refused."""
    age: list[object] = [*np.random.default_rng(1).normal(50, 9, 39), None]
    site: list[object] = ["x", "y"] * 20
    some = study_of([[0, 1]] * 40, age=age, field=[3.0] * 40, site=site)
    said = words(opened(some, "representativeness"))
    assert "1 case without a number in some column is left out" in said
    assert "Never varying, and left out: field." in said
    said = words(opened(study_of([[0, 1]] * 9, field=[3.0] * 9), "representativeness"))
    assert "cannot be compared: some column must vary" in said


def test_what_the_address_asks_of_a_study_that_has_it_not(knee: Study) -> None:
    """Another column falls back with a note."""
    test = opened(panel(knee, knee.tasks["tear"]), "representativeness", sets="planet", set_columns=["x"])
    assert "asks for the column “planet”" in words(test)
