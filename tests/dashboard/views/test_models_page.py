"""Models: what the page says, offers, refuses, and where it leads."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from core.analysis.formatting import of_hundred
from core.analysis.models.deciding import deciding_cases
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.supported import supported
from core.analysis.models.supported_words import details, headline
from core.plausibility.settings import default_aggregation
from core.settings import entries
from core.study.reading.folder import read_study
from dashboard.shell import state, studies
from dashboard.shell.jobs import Job
from dashboard.views.models import ahead, deciding, measuring, page, rivals
from dashboard.views.no_models import WITHOUT

Scores = Mapping[str, Sequence[float]]
Write = Callable[..., str]
RAMP = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
VOTES = ["000", "000", "001", "010", "110", "011", "111", "111"]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few draws, and none ahead."""
    monkeypatch.setattr(measuring, "N_DRAWS", 60)
    monkeypatch.setattr(page, "look_ahead", lambda now: None)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a study of one finding: the votes of each case, and each model's probability of it or score."""

    def study(models: Scores, *, votes: Sequence[str] = VOTES, scores: Sequence[str] = ()) -> str:
        (tmp_path / "study.toml").write_text(
            "name = 'finding'\nseed = 1\n[tasks.finding]\nkind = 'choice'\npositive = 'yes'\n"
        )
        rows = [
            f"c{i},r{r},{'yes' if vote == '1' else 'no'}"
            for i, of in enumerate(votes)
            for r, vote in enumerate(of)
        ]
        (tmp_path / "annotations.csv").write_text("case_id,rater_id,label\n" + "\n".join(rows) + "\n")
        (tmp_path / "labels.csv").write_text("label\nno\nyes\n")
        (tmp_path / "cases.csv").write_text("case_id\n" + "".join(f"c{i}\n" for i in range(len(votes))))
        if models:
            (tmp_path / "predictions").mkdir()
        for model, values in models.items():
            given = [(i, value) for i, value in enumerate(values) if not np.isnan(value)]
            lines = [f"c{i},{v}" if model in scores else f"c{i},{1 - v},{v}" for i, v in given]
            head = "case_id,score" if model in scores else "case_id,no,yes"
            (tmp_path / "predictions" / f"{model}.csv").write_text("\n".join([head, *lines]) + "\n")
        return studies.add_folder(str(tmp_path)).key

    return study


def _at_once(job: Job[Any]) -> None:
    job.result = job._compute(lambda share, doing: None)


def _page() -> None:
    from dashboard.components.text import element
    from dashboard.shell import sidebar, state
    from dashboard.views.models import page as models

    state.read_address()
    models.show(sidebar.choose())
    for note in state.notes():
        element("p", note, role="warning")
    state.write_address()


PANELS = ("panel-divided", "panel-ranks")
"""What is folded at first."""


def _open(study: str, *, unfolded: Sequence[str] = (), **view: str | list[str]) -> AppTest:
    test = AppTest.from_function(_page, default_timeout=300)
    for key in unfolded:
        test.session_state[key] = True
    for name, value in {"study": study, **view}.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def _choose(test: AppTest, **values: Any) -> AppTest:
    test.session_state["loupe-view"] = replace(test.session_state["loupe-view"], **values)
    test.run()
    assert not test.exception
    return test


def _words(test: AppTest) -> str:
    return " ".join(element.proto.body for element in test.get("html"))


def _sentence(test: AppTest) -> str:
    (found,) = [e.proto.body for e in test.get("html") if "loupe-sentence" in e.proto.body]
    return str(found)


def _judged(test: AppTest) -> str:
    """The sentence once the models have been judged against plausible truths."""
    while "loupe-sentence" not in _words(test) or "Judging the models" in _words(test):
        test.run()
    return _sentence(test)


def _comes_to_say(test: AppTest, words: str) -> str:
    """The sentence once it has some words, or after half a minute: on a busy machine work begins late."""
    end = time.monotonic() + 30
    while words not in (said := _judged(test)) and time.monotonic() < end:
        test.run()
    return said


def test_the_leader_is_the_one_that_scikit_learn_finds() -> None:
    """The sentence names who leads by the majority, and the page shows every picture."""
    test = _open("chest_xrays", task="Consolidation", tie_rule="first label", unfolded=PANELS)
    study = read_study(studies.sources()["chest_xrays"].folder)
    task = study.tasks["Consolidation"]
    positive = np.add.reduceat(task.readings.label == 1, task.readings.case_start[:-1]) > 4
    areas = {name: roc_auc_score(positive, of.probability[:, 1]) for name, of in task.predictions.items()}
    leader = max(areas, key=lambda name: areas[name])
    assert f"{leader} leads on AUROC ({areas[leader]:.3f}); on s-AUROC it is" in _sentence(test)
    assert "Best by s-AUROC in 100 resamplings of the readings:" in _sentence(test)
    assert "Share 2 = Share 2b" in _words(test)
    assert "280 of 280 cases, with 8 readings each" in _words(test)
    assert "of both together it is counted once" in _words(test)
    assert "Of 100 resamplings of the readings, s-AUROC keeps its order better than AUROC in" in _words(test)
    assert "binomial" not in _words(test)
    assert f"Consolidation: {leader} leads" in _sentence(test)
    assert len(test.main.get("vega_lite_chart")) == 7


def test_what_is_folded_is_drawn_once_it_is_opened() -> None:
    """At first the order, its agreement, and how sure it is; the rest on demand."""
    for unfolded, pictures in ((), 4), (PANELS[:1], 5), (PANELS[1:], 6):
        assert len(_open("scores", unfolded=unfolded).main.get("vega_lite_chart")) == pictures


def test_a_metric_is_chosen_and_kept_in_the_address() -> None:
    """Sentence and tables follow; another task keeps the metric, and another study does not."""
    test = _open("chest_xrays")
    test.selectbox(key="choose-measure").select("Brier score").run()
    assert not test.exception
    assert "leads on Brier score" in _sentence(test)
    assert test.query_params["measure"] == "Brier score"
    assert "on Brier score" in _sentence(_choose(test, task="Edema"))
    test.selectbox(key="choose-study").select("knee_mri").run()
    assert "on AUROC" in _sentence(test)


@pytest.mark.parametrize(
    ("study", "view", "words"),
    [
        ("dermatology_like", {"positive": "Eczema"}, "s-AUROC"),
        ("dermatology_like", {"measure": "accuracy", "model": "prirn"}, "Best supported: "),
        ("dermatology_like", {"measure": "AP (macro)"}, "s-AP (macro)"),
        ("mixed_digits", {"positive": "3", "source": "cases"}, "s-AUROC"),
        ("mixed_digits", {"measure": "AUROC (weighted)"}, "Best by s-AUROC (weighted) in 100 resamplings"),
        ("mixed_digits", {"measure": "accuracy", "source": "cases"}, "Best supported: "),
        (
            "scores",
            {"annotations": "plausibility", "source": "both"},
            "draws of plausible truths and of the cases",
        ),
        ("toy_three_labels", {"model": "majority", "ranked_by": "hard", "measure": "AUROC"}, "Best by AUROC"),
        ("toy_three_labels", {"model": "majority"}, "Best by the point estimate"),
    ],
)
def test_every_kind_of_task(study: str, view: dict[str, str], words: str) -> None:
    """Rankings, choices among many labels and scores, by metrics of one label and of all."""
    test = _open(study, **view)
    assert words in _comes_to_say(test, words)
    assert 'role="warning"' not in _words(test)


def test_adjusted_accuracy_is_drawn_over_cases_alone() -> None:
    """Where truths are drawn the models are ranked by accuracy, and the page says why."""
    test = _open("mixed_digits", measure="accuracy")
    assert "only cases can be drawn for it" in _words(test)
    assert test.selectbox(key="choose-positive").disabled
    (ranked_by,) = [one for one in test.get("button_group") if one.label == "Ranked by"]
    assert ranked_by.disabled
    assert ranked_by.value == "hard"
    assert "ranked_by" not in test.query_params
    _choose(test, annotations="plausibility", source="cases")
    (ranked_by,) = [one for one in test.get("button_group") if one.label == "Ranked by"]
    assert not ranked_by.disabled
    assert ranked_by.value == "soft"
    assert "only cases can be drawn" not in _words(test)


def test_it_opens_with_the_question_of_study() -> None:
    """Many labels with accuracy, unless a link names a metric or label; a finding with that of its label."""
    test = _open("toy_three_labels")
    assert "Best supported: " in _judged(test)
    assert test.query_params["measure"] == "accuracy"
    assert " on AUROC " in _sentence(_open("toy_three_labels", positive="B"))
    assert " on AP " in _sentence(_open("toy_three_labels", measure="AP"))
    assert " on AUROC " in _sentence(_open("knee_mri"))


def test_by_accuracy_it_says_what_study_says_and_then_who_is_best_by_what() -> None:
    """The very sentence and number of the link that leads there; other notions by what is drawn anew."""
    source = studies.sources()["toy_three_labels"]
    study = read_study(source.folder)
    (task,) = study.tasks.values()
    judged = supported(study, task, default_aggregation(task))
    test = _open("toy_three_labels", measure="accuracy")
    assert headline(judged) in unescape(_judged(test))
    said = unescape(_words(test))
    assert details(judged) in said
    share = f"best in {of_hundred(judged.table['best'].iloc[0])} of 100"
    question, draws, winner, often = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", said.split("Share</th>")[1])[:4]
    assert (winner, often) == ("Bayes-optimal and Overconfident", share)
    assert "support" in question
    assert "truth" in draws
    assert said.count("Which agrees most with the label of most readings?") == 1
    assert said.count("… the same question") == 2
    assert said.index("Who is best, by what is asked") < said.index(" on accuracy (")
    assert "Best by" not in _sentence(test)


def test_what_cannot_be_chosen_is_disabled_and_says_why() -> None:
    """The same cases for all; a point estimate leaves no plausibilities to draw."""
    test = _open("chest_xrays", model="frequency", annotations="plausibility")
    cases, truths = (test.selectbox(key=f"choose-{name}") for name in ("coverage", "annotations"))
    assert cases.disabled
    assert "the same cases" in cases.help
    assert truths.disabled
    assert truths.value == "bootstrap"
    assert "cannot be drawn from Mean frequency" in truths.help


def test_single_readings_cannot_be_drawn_anew(write: Write) -> None:
    """No chance is told from them; cases can be drawn, and the page says so."""
    study = write({"a": RAMP, "b": RAMP[::-1]}, votes=["0", "0", "0", "1", "0", "1", "1", "1"])
    test = _open(study, unfolded=PANELS)
    assert "Best by" not in _sentence(test)
    assert "No case has two readings" in _words(test)
    test = _open(study, unfolded=PANELS, source="cases")
    assert "in 100 resamplings of the cases: a in" in _sentence(test)
    assert "No case has two readings" not in _words(test)


def test_raters_are_drawn_anew_and_what_that_claims_is_said(write: Write) -> None:
    """Alone and with cases; not for an average over labels, for which readings are drawn in their place."""
    study = write({"a": RAMP, "b": RAMP[::-1]})
    test = _open(study, source="raters")
    assert "in 100 resamplings of the raters: a in" in _sentence(test)
    assert "These very cases, read by other raters of the same kind" in _words(test)
    made = entries(ComparisonSettings(measure="AUROC", source="raters", draw_raters=True))
    assert (made["draw raters"], made["source"]) == ("yes", "raters")
    _choose(test, source="all")
    assert "in 100 resamplings of the raters and of the cases: a in" in _sentence(test)
    _choose(test, source="cases")
    assert "other raters" not in _words(test)
    average = _open("mixed_digits", measure="AP (macro)", source="raters")
    assert "raters are not drawn for averages over labels" in _words(average)
    assert "source" not in average.query_params


def test_raters_who_are_numbered_in_each_case_are_not_drawn(write: Write) -> None:
    """Nobody knows who read which cases; readings are drawn, and the reason is said."""
    study = write({"a": RAMP, "b": RAMP[::-1]}, votes=["0", "00", "001", "0001", "01", "11", "111", "1"])
    test = _open(study, source="all")
    assert "Nothing is claimed of other raters: raters cannot be drawn: they are numbered" in _words(test)
    assert "in 100 resamplings of the readings: a in" in _sentence(test)
    assert "source" not in test.query_params


def test_scores_are_not_compared_as_probabilities(write: Write) -> None:
    """Brier score, log loss and accuracy of scores alone are not offered, and the page says why."""
    shown = {"a": RAMP, "b": RAMP[::-1]}
    test = _open(write(shown, scores=("a", "b")))
    assert test.selectbox(key="choose-measure").options == ["AUROC → s-AUROC", "AP → s-AP"]
    assert "Not offered: Brier score, log loss (" in _words(test)
    assert "a leads on AUROC (1.000)" in _sentence(test)


def test_a_model_of_scores_is_left_out_of_losses(write: Write) -> None:
    """The others are compared, and drawn; the page says which model is left out and why."""
    study = write({"a": RAMP, "b": RAMP[::-1], "scores": [10 * v for v in RAMP]}, scores=("scores",))
    for measure in ("Brier score", "accuracy"):
        test = _open(study, unfolded=PANELS, measure=measure)
        said = _judged(test) if measure == "Brier score" else (_judged(test), _words(test))[1]
        assert f"a leads on {measure}" in said
        if measure == "Brier score":
            assert "in 100 resamplings of the readings: a in " in said
        assert "Left out: scores: gives scores, not probabilities" in _words(test)
        assert "No draws are made" not in _words(test)
        assert "–: not defined for that model." in _words(test)
        assert len(test.main.get("vega_lite_chart")) == 7


def test_without_predictions_the_page_says_what_to_add(write: Write) -> None:
    """What would be here, which file brings it, with rows that can be read, and what is here without."""
    folder = write({})
    test = _open(folder)
    assert "This study has no predictions. With one table of them" in _words(test)
    rows = test.code[0].value
    (Path(folder) / "predictions.csv").write_text(rows)
    assert list(read_study(folder).tasks["finding"].predictions) == ["my model"]
    assert {f"finding-without-{page}" for page in WITHOUT} <= {button.key for button in test.main.button}


def test_another_task_is_offered_where_this_one_has_no_predictions(tmp_path: Path) -> None:
    """Those tasks alone that can be compared."""
    (tmp_path / "study.toml").write_text(
        "name = 'two'\n[tasks.bare]\nkind = 'choice'\n[tasks.predicted]\nkind = 'choice'\n"
    )
    rows = [f"{t},c{i},r,{'ab'[i % 2]}" for t in ("bare", "predicted") for i in range(4)]
    (tmp_path / "annotations.csv").write_text("task,case_id,rater_id,label\n" + "\n".join(rows) + "\n")
    rows = [f"predicted,c{i},m,{label},0.5" for i in range(4) for label in "ab"]
    (tmp_path / "predictions.csv").write_text(
        "task,case_id,model,label,probability\n" + "\n".join(rows) + "\n"
    )
    test = _open(studies.add_folder(str(tmp_path)).key)
    assert "No model predicts “bare”" in _words(test)
    assert test.selectbox(key="predicted-task").options == ["predicted"]
    test.selectbox(key="predicted-task").select("predicted").run()
    assert "Only one model can be judged: m" in _sentence(test)


def test_one_model_and_one_model_twice(write: Write) -> None:
    """Values are shown, and nothing is ranked."""
    test = _open(write({"only": RAMP}), unfolded=PANELS)
    assert "Only one model can be judged: only. Its AUROC is 1.000" in _sentence(test)
    assert len(test.main.get("vega_lite_chart")) == 1
    assert "An order needs two models" in _words(test)


def test_the_same_model_under_two_names(write: Write) -> None:
    """Two names for the same predictions are one model."""
    test = _open(write({"one": RAMP, "other": RAMP}), unfolded=PANELS)
    assert "these models predict the very same: one = other" in _sentence(test)
    assert len(test.main.get("vega_lite_chart")) == 1


def test_constant_scores_rank_nothing(write: Write) -> None:
    """All share the lead, and the correlation is missing with a reason."""
    test = _open(write({"half": [0.5] * 8, "third": [0.3] * 8}))
    assert "half and third share the lead on AUROC (0.500)" in _sentence(test)
    assert "All models have the same value." in _words(test)


def test_a_finding_that_nobody_sees(write: Write) -> None:
    """AUROC and AP are not offered, with the reason; losses are."""
    test = _open(write({"a": RAMP, "b": [0.9] * 8}, votes=["000"] * 8), measure="AUROC")
    assert "a leads on Brier score" in _sentence(test)
    assert "Not offered: AUROC, AP (soft labels: no case is positive to any degree)" in _words(test)
    assert "The address asks for the metric “AUROC”" in _words(test)


def test_models_of_different_cases(write: Write) -> None:
    """Common cases at first, with their number; each model's own where that is chosen."""
    nan = float("nan")
    study = write({"all": RAMP, "some": [nan, nan, *RAMP[2:]], "few": [*RAMP[:5], nan, nan, 0.2]})
    test = _open(study)
    assert "4 of 8 cases, with 3 readings each; 4 lack a prediction" in _words(test)
    assert not test.selectbox(key="choose-coverage").disabled
    test.selectbox(key="choose-coverage").select("own").run()
    assert "8 of 8 cases" in _words(test)
    assert "Each model on its own cases: 6 to 8." in _words(test)


def test_models_without_a_common_case(write: Write) -> None:
    """Refused in plain words; judged on their own cases they can be compared."""
    nan = float("nan")
    votes = ["000", "111"] * 4
    test = _open(write({"a": [*RAMP[:4], *[nan] * 4], "b": [*[nan] * 4, *RAMP[4:]]}, votes=votes))
    assert "needs a case that was read and that every model predicted" in _words(test)
    test.selectbox(key="choose-coverage").select("own").run()
    assert not test.exception
    assert "a and b share the lead on AUROC (0.750)" in _sentence(test)


def test_cases_decide_between_two_models_and_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair is kept in the address, its cases stand in the order of the core, and a row opens its case."""
    went: list[str] = []
    monkeypatch.setattr(state, "open_page", went.append)
    pair = ["Majority 2", "Share 4"]
    test = _open("chest_xrays", unfolded=["rivals"], rivals=pair, measure="AP", ranked_by="hard")
    listed = _listed(test)
    study = read_study(studies.sources()["chest_xrays"].folder)
    task = study.tasks["Atelectasis"]
    expected = (
        deciding_cases(study, task, "Majority 2", "Share 4", metric="AP")
        .query("advantage != 0")
        .head(deciding.MOST_CASES)
    )
    assert [row[:2] for row in listed["rows"]] == expected[["case_id", "favours"]].values.tolist()
    first = expected.iloc[0]
    assert listed["rows"][0][2] == f"{first['advantage']:+.5f}".replace("-", "−")
    assert listed["rows"][0][4:] == [
        first["hard_label"],
        str(first["n_readings"]),
        f"{first['score_a']:.3f}",
        f"{first['score_b']:.3f}",
    ]
    assert listed["shares"] == expected["plausibility"].tolist()
    assert [column["title"] for column in listed["columns"]][-2:] == ["Majority 2 gives", "Share 4 gives"]
    assert "AP of Majority 2 less that of Share 4" in _words(test)
    test.selectbox(key="choose-rival-b").select("Share 1").run()
    assert test.query_params["rivals"] == ["Majority 2", "Share 1"]
    assert "less that of Share 1" in _words(test)
    monkeypatch.setattr(rivals, "case_list", lambda columns, rows, **given: rows[2][0])
    test.run()
    assert went == ["cases"]
    assert test.session_state["loupe-view"].case == _listed_ids(study, task, "Share 1")[2]


def _listed(test: AppTest) -> Any:
    """What is sent to the list of cases."""
    (sent,) = [
        of.proto for of in test.get("bidi_component") if of.proto.component_name.endswith("loupe_cases")
    ]
    return json.loads(sent.bytes)


def _listed_ids(study: Any, task: Any, other: str) -> list[str]:
    cases = deciding_cases(study, task, "Majority 2", other, metric="AP").query("advantage != 0")
    return cases["case_id"].tolist()


def _clicks(pairs: list) -> None:
    from dashboard.views.models import rivals

    for pair in pairs:
        rivals.adopt({"pair": [pair]} if pair else {})


def test_a_clicked_cell_is_taken_once() -> None:
    """What is chosen by hand afterwards stays; a second click elsewhere is taken again."""
    a, b = {"model": "A", "other": "B"}, {"model": "C", "other": "A"}
    test = AppTest.from_function(_clicks, args=([a],), default_timeout=300).run()
    assert test.session_state["loupe-view"].rivals == ("A", "B")
    test.session_state["loupe-view"] = replace(test.session_state["loupe-view"], rivals=("B", "C"))
    assert test.run().session_state["loupe-view"].rivals == ("B", "C")
    test = AppTest.from_function(_clicks, args=([a, {}, b],), default_timeout=300).run()
    assert test.session_state["loupe-view"].rivals == ("C", "A")
    assert not test.exception


def test_an_average_over_labels_has_pictures_and_no_deciding_cases() -> None:
    """How sure the order is; no case can decide an average."""
    test = _open("mixed_digits", unfolded=PANELS, measure="AP (macro)")
    assert len(test.main.get("vega_lite_chart")) == 7
    assert "is better by s-AP (macro) than that of the column" in _words(test)
    assert "is an average over labels: choose a metric of one label" in _words(test)


def test_unknown_choices_fall_back_with_a_note() -> None:
    """Whatever an address says, the page is drawn."""
    names = ("measure", "positive", "tie_rule", "coverage", "annotations", "source", "ranked_by", "rivals")
    test = _open("chest_xrays", **dict.fromkeys(names, "<b>nonsense</b>"))
    assert _words(test).count("&lt;b&gt;nonsense&lt;/b&gt;") == len(names)
    assert "leads on AUROC" in _sentence(test)


def test_the_rule_decides_what_half_the_votes_mean(write: Write) -> None:
    """Two of four votes are a finding under one rule alone."""
    votes = ["00", "00", "01", "10", "01", "11", "11", "11"]
    study = write({"a": RAMP, "b": RAMP[::-1]}, votes=votes)
    test = _open(study)
    before = _sentence(_choose(test, measure="Brier score"))
    test.selectbox(key="choose-tie_rule").select("first label").run()
    assert _sentence(test) != before
    assert test.query_params["tie_rule"] == "first label"


def test_names_are_never_html(hostile_study: Path) -> None:
    """Labels and models stand there as they are written."""
    test = _open(studies.add_folder(str(hostile_study)).key)
    assert "<img" not in _words(test)
    assert "&lt;img" in _words(test)


def test_many_draws_are_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large study shows its order at once, and how sure it is once that is drawn."""
    monkeypatch.setattr(measuring, "MOST_AT_ONCE", 0)
    monkeypatch.setattr(Job, "start", lambda self: None)
    test = _open("scores")
    assert "Best by" not in _sentence(test)
    assert "leads on AUROC" in _sentence(test)
    monkeypatch.setattr(Job, "start", _at_once)
    assert "Best by s-AUROC in 100" in _sentence(_open("scores"))


@pytest.mark.slow
def test_the_work_ahead_measures_every_metric_and_task(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be asked for next is kept, and a task that cannot be compared does no harm."""
    monkeypatch.setattr(ahead, "PAUSE_AHEAD", 0)
    monkeypatch.setattr(Job, "start", _at_once)
    nan = float("nan")
    study = read_study(Path(write({"a": RAMP, "b": [nan, *RAMP[:0:-1]]})))
    task = study.tasks["finding"]
    comparing = measuring.Comparing(study, task, default_aggregation(task), ComparisonSettings())
    ahead.look_ahead(replace(comparing, settings=ComparisonSettings("yes", measure="AP")))

    def again(*given: object, **named: object) -> None:
        pytest.fail("measured already")

    monkeypatch.setattr(measuring, "measured", again)
    monkeypatch.setattr(measuring, "resampled", again)
    found = comparing.measured()
    metrics = ["AUROC", "AP", "Brier score", "log loss", "accuracy"]
    assert list(dict.fromkeys(found.metrics["metric"])) == metrics
    for metric in metrics:
        drawn = comparing.resampled_quickly(metric)
        assert ("both", metric) in drawn.drawn
