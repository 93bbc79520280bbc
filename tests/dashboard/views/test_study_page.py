"""Study: spread per case by risk, raters' workload, what is missing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pytest
from helpers.small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.cases.bars import MOST_BARS, number_bars
from core.analysis.cases.misleads import counted_right, with_counted
from core.analysis.cases.presets import ACCURACY_MISLEADS, PRESETS
from core.analysis.cases.worklist import worklist_of
from core.analysis.export import NOTICE
from core.analysis.models import decision_note
from core.analysis.models.trust import PROVISIONAL
from core.analysis.support_words import MAY_BE_BETTER, NO_ESTIMATE
from core.cli import sample_folder
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study
from core.study.writing import write_study
from dashboard.charts.raters.workload import MOST_RATERS, agreement_chart, workload_chart
from dashboard.charts.study.counts import spread_chart
from dashboard.charts.study.models import claimed_chart, high_risk_chart
from dashboard.charts.study.opening import OPENS, SAID
from dashboard.components.text import unmarked
from dashboard.shell import jobs, state, steps, studies, trust
from dashboard.shell.theme import DARK, LIGHT, Tokens
from dashboard.views.study import by_reliability, claims_table, findings, readings
from dashboard.views.study.page import parts_of


def _spread(rows: list[tuple[int, str, int]]) -> pd.DataFrame:
    spread = pd.DataFrame(rows, columns=["number", "risk", "cases"]).astype({"number": int, "cases": int})
    return number_bars(spread.assign(quantity="readings"), "readings").table.assign(**{OPENS: "", SAID: ""})


def _raters(n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "rater": [f"reader {i}" for i in range(n)],
            "readings": np.arange(n) + 1,
            "cases": np.arange(n) + 1,
            "repeats": 0,
            "agreement": np.where(np.arange(n) == 0, np.nan, 0.8),
        }
    )


def test_parts_of_a_bar_stack_from_low_to_high() -> None:
    """Parts meet without a gap, low at the foot, and add up to the cases."""
    table = _spread([(3, "high", 2), (3, "low", 5), (4, "medium", 1), (4, "", 7)])
    parts = spread_chart(table, title="Readings", tokens=LIGHT).data["parts"]
    assert parts["letter"].tolist() == ["L", "H", "M", ""]
    assert parts["from"].tolist() == [0, 5, 0, 1]
    assert parts["to"].tolist() == [5, 7, 1, 8]


def test_large_numbers_share_the_last_bar_by_risk() -> None:
    """What is folded is added up for each risk, and the bar's name says what it holds."""
    table = _spread([(1, "low", 1), (500, "low", 2), (900, "low", 3), (900, "high", 4)])
    parts = spread_chart(table, title="Readings", tokens=LIGHT).data["parts"]
    last = parts[parts["number"] == f"{MOST_BARS}–900"]
    assert dict(zip(last["letter"], last["cases"], strict=True)) == {"L": 5, "H": 4}
    assert parts["cases"].sum() == 10


def test_small_parts_have_no_letter() -> None:
    """A letter is written only where it has room."""
    table = _spread([(1, "low", 100), (1, "high", 1)])
    assert spread_chart(table, title="Readings", tokens=LIGHT).data["letters"]["letter"].tolist() == ["L"]


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_charts_are_plain_and_take_nothing(tokens: Tokens) -> None:
    """Empty tables give figures, and every layout is plain JSON."""
    for figure in (
        spread_chart(_spread([]), title="Readings", tokens=tokens),
        workload_chart(_raters(0), tokens=tokens),
        agreement_chart(_raters(0), tokens=tokens),
        agreement_chart(_raters(3), tokens=tokens),
    ):
        json.dumps(figure.spec)


def test_raters_with_most_readings_are_drawn_in_one_order() -> None:
    """Both pictures list the same raters from the top down; nothing to compare means no dot, but a row."""
    table = _raters(MOST_RATERS + 20)
    work, agreement = workload_chart(table, tokens=LIGHT), agreement_chart(table, tokens=LIGHT)
    assert work.data["raters"]["rater"].tolist() == agreement.data["raters"]["rater"].tolist()
    assert work.data["raters"]["readings"].tolist() == list(range(MOST_RATERS + 20, 20, -1))
    few = agreement_chart(_raters(3), tokens=LIGHT).data
    assert len(few["raters"]) == 3
    assert len(few["known"]) == 2


def _script() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.study import page as study

    state.read_address()
    study.show(sidebar.choose())


def _open(key: str, model: str, monkeypatch: pytest.MonkeyPatch, **more: str) -> str:
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"], test.query_params["model"] = key, model
    for name, value in more.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return " ".join(element.proto.body for element in test.get("html"))


def test_identified_raters_are_shown_and_gaps_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The main sample has a roster, and no confidences."""
    words = _open(studies.SAMPLE, "prirn", monkeypatch, study_part="readings")
    assert "How much did each rater read?" in words
    assert "What is missing, and what it would show" in words
    assert "a column confidence" in words
    assert "numbered within each case" not in words


def test_numbered_raters_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where raters are numbered anew in each case, the page says why it shows nothing of them."""
    rows = [(f"c{c}", f"r{r + 1}", "ab"[(c + r) % 2]) for c in range(6) for r in range(2 + c % 3)]
    pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]).to_csv(
        tmp_path / "annotations.csv", index=False
    )
    words = _open(studies.add_folder(tmp_path).key, "label-counts", monkeypatch, study_part="readings")
    assert "numbered within each case" in words
    assert "How much did each rater read?" not in words


def test_a_page_about_one_of_several_tasks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers are that task's alone; and that no case hides danger is said where it is so."""
    rows = [(task, f"c{c}", f"r{r}", "ab"[r % 2 if task == "edema" else 0])
            for task in ("edema", "cyst") for c in range(3) for r in range(2)]  # fmt: skip
    pd.DataFrame(rows, columns=["task", "case_id", "rater_id", "label"]).to_csv(
        tmp_path / "annotations.csv", index=False
    )
    (tmp_path / "labels.csv").write_text(
        "task,label,risk\nedema,a,0\nedema,b,2\ncyst,a,0\ncyst,b,2\n", encoding="utf-8"
    )
    toml = 'name = "Two"\n[tasks.edema]\nkind = "choice"\n[tasks.cyst]\nkind = "choice"\n'
    (tmp_path / "study.toml").write_text(toml, encoding="utf-8")
    key = studies.add_folder(tmp_path).key
    words = _open(key, "label-counts", monkeypatch, task="edema", reliability="inf")
    assert "not measured" in words
    assert "Task edema, one of 2: a point estimate leaves doubt out" in words
    assert "In 100\u00a0% of the cases labels tie for the lead." in words
    assert words.index("Task edema, one of 2. All numbers") < words.index("loupe-facts")
    assert "A point estimate treats every label that does not lead as impossible" in words
    words = _open(key, "label-counts", monkeypatch, task="cyst", reliability="1000")
    assert "not measured" not in words
    assert "In none of the 3 cases is a high-risk label plausible (5\u00a0% or more)." in words
    assert ", one of" not in _open(studies.SAMPLE, "prirn", monkeypatch)


def test_columns_that_may_identify_a_person_raise_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names and full dates are named above everything else; a sample has none."""
    (tmp_path / "annotations.csv").write_text("case_id,rater_id,label\nc1,A,x\nc1,B,y\n")
    (tmp_path / "cases.csv").write_text("case_id,surname,seen_on,site\nc1,Doe,2020-01-02,arm\n")
    words = _open(studies.add_folder(tmp_path).key, "label-counts", monkeypatch)
    warning = words[words.index("May identify a person") :]
    assert warning.startswith("May identify a person: surname (a person&#x27;s name); seen_on (a full date).")
    assert words.index("May identify a person") < words.index("loupe-facts")
    assert "May identify a person" not in _open(studies.SAMPLE, "prirn", monkeypatch)


def test_a_path_that_is_no_folder_is_answered_beside_the_field() -> None:
    """The page stays with its study, and says in words why no other is opened."""
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = "toy_three_labels"
    test.run()
    for path in ("nul\0inside", "~no-such-account", "n" * 300, ""):
        (field,) = [field for field in test.text_input if field.label == "Or a folder on this computer"]
        field.set_value(path)
        (button,) = [button for button in test.button if button.label == "Open folder"]
        button.click().run()
        assert not test.exception
        warnings = [html.proto.body for html in test.get("html") if "loupe-warning" in html.proto.body]
        assert len(warnings) == 1
        assert test.query_params["study"] in ("toy_three_labels", ["toy_three_labels"])


def _models_study(folder: Path, *models: str) -> str:
    """Key of a study of three readings a case, with models that say the first or the second label."""
    rows = [(f"c{c}", f"r{r}", "aab"[(c + r) % 3 if c % 2 else 0]) for c in range(6) for r in range(3)]
    pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]).to_csv(
        folder / "annotations.csv", index=False
    )
    says = [(f"c{c}", model, label, float(label == "ab"[m % 2]))
            for m, model in enumerate(models) for c in range(6) for label in "ab"]  # fmt: skip
    if models:
        pd.DataFrame(says, columns=["case_id", "model", "label", "probability"]).to_csv(
            folder / "predictions.csv", index=False
        )
    return studies.add_folder(folder).key


@pytest.mark.usefixtures("at_once")
def test_every_claim_has_a_verdict_and_models_are_one_press_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named as it is written; by accuracy, which Models then shows."""
    went = []
    monkeypatch.setattr(state, "lead_to", lambda name, **chosen: went.append((name, chosen)))
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = _models_study(tmp_path, "*A* [x](y)", "B")
    test.query_params["reliability"] = "1"
    test.run()
    words = " ".join(element.proto.body for element in test.get("html"))
    assert "With the majority label taken as the truth, " not in words, (
        "how surely it is first stands on top alone"
    )
    table = words[words.index('aria-label="Claims and verdicts"') :]
    rows = re.findall('<tr data-mark="[a-z]+">' + 5 * "<td>(.*?)</td>" + "</tr>", table)[:2]
    assert [row[0] for row in rows] == ["*A* [x](y)", "B"]
    assert table.count("Most supported first.") == 1
    assert rows[0][2] == "100\u00a0%"
    outcome = "✗\u00a0\\d+\u00a0points? too\u00a0high|~\u00a0possible|✓\u00a0supported"
    assert all(re.fullmatch(outcome, row[4]) for row in rows)
    advice = [row[1].replace("</small>", "").split("<small>") for row in rows]
    assert [said for said, _ in advice] == ["Consider further", "Rarely best"]
    assert [why.split(" of ")[0] for _, why in advice] == ["best in 98", "best in 2"]
    # Judged at what is in force, as all else; what the readings support is said first, and one press away.
    top, below = words.split("The readings predict one another best if each counts ")
    assert "That is the whole verdict" in below, "what is counted how belongs to the numbers above"
    assert ">Supported<" in top
    (support,) = re.findall(
        r"Each reading counts once here; the readings support counting each (.*?)\.<", top
    )
    assert "Most often right: *A* [x](y)" in top
    assert f"If each reading counted {support}, as the readings support, " in top
    (button,) = [one for one in test.button if one.key == "anchor-use-reliability"]
    assert button.label == f"Count each {support}"
    order = ("here; the readings support", "Before you decide", table[:30], "Most often right: *A*")
    assert sorted(order, key=words.index) == [*order], "what to do, the claims, and then what both rest on"
    assert "claims are" not in top, "what becomes of each claim stands in its row, once"
    assert f'<p dir="auto" class="loupe-text loupe-strong">{NO_ESTIMATE}' in words
    assert "high-risk label, " not in words
    (button,) = [one for one in test.button if one.key == "anchor-models"]
    button.click().run()
    assert not test.exception
    assert went == [("models", {"measure": "accuracy"})]


@pytest.mark.usefixtures("at_once")
def test_what_the_reference_of_a_few_cases_says_stands_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what the readings say of the same cases; among the claims it would be taken for all."""
    study = read_study(sample_folder())
    few = study.cases["reference"].where(np.arange(study.n_cases) < 40, "")
    write_study(replace(study, cases=study.cases.assign(reference=few)), tmp_path / "few")
    words = _open(studies.add_folder(tmp_path / "few").key, "prirn", monkeypatch, study_part="claims")
    assert "What does the study’s own reference say?" in words
    assert f"a reference, for 40 of {study.n_cases} cases; all below is about these" in words
    table = words[words.index('aria-label="By the study’s reference, and by the readings"') :]
    cells = re.findall(r"<td>(\d+)\u00a0%<small>by readings (\d+)\u00a0%</small></td>", table)
    assert len(cells) == 2 * 4, "right and false warnings of four models"
    assert "<small>reference:" not in words
    assert "By the study’s own reference (" not in words
    assert "Before you decide, ask for more readings per case" in words


@pytest.mark.usefixtures("at_once")
def test_a_reference_that_outweighs_the_readings_is_what_models_are_judged_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdict, claims, dangers and the note are by it; the readings are the check, and stand below."""
    study = replace(read_study(sample_folder()), reference_standard="histology")
    write_study(study, tmp_path / "firm")
    words = _open(studies.add_folder(tmp_path / "firm").key, "prirn", monkeypatch, study_part="claims")
    assert "reference_standard" not in study.cases, "its own words would come before the study’s"
    verdict, below = words[: words.index("That is the whole verdict")], words[words.index("Which dangers") :]
    assert "Which model is right most often, by histology?" in verdict
    assert (
        "By histology, it is right in 92\u00a0% of 300 cases, no other in more than 85\u00a0%. It" in verdict
    )
    assert (
        "Judged by the study’s own reference (by histology, 300 of 301 cases), which outweighs the readings."
        in verdict
    )
    assert "All 4 claims hold on these cases." not in verdict
    assert "Model D misses 28 of 44 dangers; 2 others also miss clearly more than the best." in verdict
    assert "If each reading counted" not in verdict
    assert "Supported" not in verdict.replace("supported", "")
    rows = re.findall(r"<tr data-mark=\"(\w+)\"><td>(Model .)</td>.*?</tr>", verdict)
    assert rows == [("look", "Model A"), ("not", "Model D"), ("not", "Model B"), ("not", "Model C")]
    assert "Of 11, Model A misses 0" not in verdict
    assert (
        "By the reference, the model that is right most often first. Missed: it puts no danger first."
        in below
    )
    total = below[below.index("All dangers") :]
    assert re.findall(r">(\d+)<", total[: total.index("</tr>")]) == ["44", "0", "28", "7", "13"]
    read = below[below.index("What do the readings alone say?") :]
    assert 'aria-label="By the readings alone"' in read
    assert "by the readings" not in verdict
    assert MAY_BE_BETTER not in words


@pytest.mark.usefixtures("at_once")
def test_the_reference_is_told_where_there_are_no_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """A point estimate has none beside which it could stand, and no doubt by which both could differ."""
    words = _open(studies.SAMPLE, "prirn", monkeypatch, reliability="inf", study_part="claims")
    assert 'aria-label="By the study’s reference, and by the readings"' in words
    assert "a reference, for 300 of 301 cases; all below is about these" in words
    assert "<td>92\u00a0%<small>by readings" in words
    assert "so even a perfect model scores below" not in words


@pytest.mark.usefixtures("at_once")
def test_models_are_said_to_be_in_order_where_there_are_several() -> None:
    """Beneath their table, while they are judged as well, so that nothing moves; one model has no order."""
    (task,) = read_study(sample_folder()).tasks.values()
    assert claims_table.awaited(task).count("Most supported first.") == 1
    (name, *_) = task.probability_models
    alone = replace(task, predictions={name: task.predictions[name]})
    assert "Most supported first." not in claims_table.awaited(alone)


def test_cases_in_which_accuracy_misleads_are_one_press_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the list has, the first of them open; a point estimate knows of none."""
    went = []
    monkeypatch.setattr(state, "lead_to", lambda name, **chosen: went.append((name, chosen)))
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = studies.SAMPLE
    test.query_params["reliability"] = "2"
    test.run()
    (button,) = [one for one in test.button if one.key == "anchor-misled"]
    study = read_study(sample_folder())
    (task,) = study.tasks.values()
    cases = worklist_of(study, task, Aggregation("plackett-luce", 2.0))
    found = PRESETS[ACCURACY_MISLEADS].apply(with_counted(cases, counted_right(task))).index
    assert button.label == f"{len(found)} cases where accuracy misleads"
    button.click().run()
    assert not test.exception
    (name, chosen), *_ = went
    assert (name, chosen["preset"], chosen["case"]) == ("cases", "accuracy misleads", found[0])
    sure = AppTest.from_function(_script, default_timeout=300)
    sure.query_params["study"] = studies.SAMPLE
    sure.query_params["reliability"] = "inf"
    sure.run()
    assert not sure.exception
    assert not [one for one in sure.button if one.key == "anchor-misled"]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("model", ["majority", "label-counts"])
def test_a_point_estimate_supports_no_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """That is said, and no claim stands there half judged."""
    words = _open(_models_study(tmp_path, "A", "B"), model, monkeypatch, reliability="inf")
    assert "being judged" not in words
    assert "supports nothing" in words
    assert "Claims and verdicts" not in words


@pytest.mark.usefixtures("at_once")
def test_the_note_says_what_the_card_says_and_is_shown_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table is that of the card, at the same γ; it can be saved before anybody asks to read it."""
    written = []

    write = decision_note.decision_note
    monkeypatch.setattr(
        decision_note,
        "decision_note",
        lambda *given, **named: written.append(given) or write(*given, **named),
    )
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = _models_study(tmp_path, "<b>A</b>", "B")
    test.run()
    assert "What was tested" not in " ".join(element.proto.body for element in test.get("html"))
    assert len(written) == 1, "to be saved at once, it is written, and not shown"
    test.session_state["study-note"] = True
    test.run()
    assert not test.exception
    said = [element.proto.body for element in test.get("html")]
    of_card, of_note = (one for one in said if 'aria-label="Claims and verdicts"' in one)
    of_card = re.sub('<i class="loupe-range.*?</i>|<small>.*?</small>', "", of_card)
    of_note = re.sub(r" \([^)]*\)</td>", "</td>", of_note)
    assert re.sub('</?span.*?>| data-mark="[a-z]+"', "", of_card).startswith(of_note)
    assert "<b>" not in of_note
    gamma = test.session_state["loupe-view"].reliability
    assert f"with trust in the readers set to γ = {gamma:g}: each reading counts" in " ".join(said)
    labels = [one.proto.label for one in test.get("download_button")]
    assert labels[:2] == ["Save to print (HTML)", "Save as text"]
    # The vendor of one model reads of no other.
    (whose,) = [one for one in test.selectbox if one.label == "The note is about"]
    assert whose.value == ""
    whose.select("B").run()
    assert not test.exception
    note = [element.proto.body for element in test.get("html")]
    note = note[next(i for i, one in enumerate(note) if "What these labels support for B" in one) :]
    note = note[: next(i for i, one in enumerate(note) if NOTICE in one)]
    (of_note,) = (one for one in note if 'aria-label="Claims and verdicts"' in one)
    assert re.findall("<tr><td>(.*?)</td>", of_note) == ["B"]
    assert ": B claims " in " ".join(note), "what follows comes first"
    assert "&lt;b&gt;A" not in " ".join(note)


@pytest.mark.parametrize(("chosen", "line"), [("", "stop-supported-reliability"), ("1", "stop-supported")])
def test_while_work_goes_on_one_line_says_so_and_keeps_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, line: str
) -> None:
    """No table of dots, no second line with its own button; what is on top has its place.

    Models are judged once it is known where, or somebody has chosen: what may change until then says so.
    """
    at_work = set()
    monkeypatch.setattr(jobs.Job, "start", lambda self: at_work.add(self))
    monkeypatch.setattr(jobs.Job, "running", property(lambda self: self in at_work))
    monkeypatch.setattr(findings, "PATIENCE", 0)
    monkeypatch.setattr(by_reliability, "PATIENCE", 0)
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = _models_study(tmp_path, "A", "B")
    if chosen:
        test.query_params["reliability"] = chosen
    test.session_state["study-note"] = True
    test.run()
    assert not test.exception
    assert ("judging" in {job.name for job in at_work}) == bool(chosen)
    save = [one.proto for one in test.get("download_button") if one.proto.label.startswith("Save ")]
    assert [one.disabled for one in save] == [True, True], "a note that is not finished cannot be saved"
    assert [one.key for one in test.button if str(one.key).startswith("stop-")] == [line]
    words = " ".join(element.proto.body for element in test.get("html"))
    assert "How much depends on the reliability" not in words
    assert "What do these labels support?</div>" in words
    assert words.count('loupe-figure">… ') == 1
    assert words.count(PROVISIONAL) == 2, "on the card and in its note"
    assert words.count("<td>…<") == 2 * 4
    assert "that these labels support for any model" not in words
    assert ("This may change." in words) == bool(chosen)
    assert ("(may still change)" in words) != bool(chosen)
    assert "Claims and verdicts" not in words


def _judged(**columns: list[float]) -> pd.DataFrame:
    usual = {"value": [0.7, 0.6], "low": [0.67, 0.55], "high": [0.75, 0.63], "hard": [0.79, 0.8],
             "ceiling": [0.77, 0.77], "ceiling_low": [0.73, 0.73], "ceiling_high": [0.81, 0.81],
             "caught": [0.5, np.nan], "caught_low": [0.3, np.nan],
             "caught_high": [0.7, np.nan], "false_alarms": [0.25, np.nan],
             "alarms": [12.0, np.nan]}  # fmt: skip
    return pd.DataFrame({"model": ["X", "Y"], "names": ["X", "Y = Z"], **usual, **columns})


def test_models_are_drawn_with_claim_support_and_ceiling() -> None:
    """Numbers in words behind each row, an axis that holds all marks, and no bar for what is not known."""
    figure = claimed_chart(_judged(), tokens=LIGHT)
    rows = figure.data["rows"]
    assert rows["title"].tolist() == ["X", "Y = Z"]
    assert rows["words"].tolist() == ["79\u00a0% → 67–75\u00a0%", "80\u00a0% → 55–63\u00a0%"]
    assert (rows["begin"].iloc[0], rows["end"].iloc[0]) == (0.5, 0.9)
    json.dumps(figure.spec)
    dangerous = high_risk_chart(_judged(), tokens=LIGHT).data["rows"]
    assert dangerous[["model", "words", "interval", "false"]].to_numpy().tolist() == [
        ["X", "50\u00a0%", "30–70\u00a0%", "25\u00a0%"]
    ]
    point = claimed_chart(_judged(low=[1.0, 1.0], high=[1.0, 1.0], hard=[1.0, 1.0]), tokens=DARK).data["rows"]
    assert point["words"].iloc[0] == "100\u00a0% → 100\u00a0%"
    assert (point["begin"] < point["end"]).all()


@pytest.mark.usefixtures("at_once")
def test_all_models_are_pictured_before_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claimed against supported, and who names danger; the study's own words are folded."""
    words = _open(studies.SAMPLE, "prirn", monkeypatch, study_part="all")
    (warned,) = re.findall('<tr data-mark="not"><td>Model D</td>.*?</tr>', words)
    counted = re.search("<td>3[0-9]\u00a0of\u00a0([0-9]+)\u00a0⚠", warned)
    assert counted
    expected = f"Danger is expected in about {counted[1]} cases; by the study’s reference in 44 of 300.<"
    assert expected in words
    (best,) = re.findall('<tr data-mark="[a-z]+"><td>Model A</td>.*?</tr>', words)
    (first,) = re.findall("<td>([0-9]+)\u00a0of\u00a0[0-9]+<small>", best)
    assert (
        "The study’s own reference (one answer of readers per case, 300 of 301 cases) also puts Model A "
        "first. By it, Model A misses none of 44 dangers. But it keeps one answer per case: a danger that "
        f"only some readers saw is dropped. The readings keep it: count on about {first} of {counted[1]}."
        in words
    )
    assert "reference" not in warned  # One source has the numbers of the verdict; the other stands below.
    below = words[words.index("What does the study’s own reference say?") :]
    assert "The readings keep all: decide by what the readings support." in below
    assert "SCC/SCCIS: " in words  # What an abbreviated danger stands for, beneath their table.
    assert "<td>28\u00a0of\u00a044<small>by readings 34\u00a0of\u00a049</small></td>" in below
    assert '<th scope="col"><span title="Of the cases whose truth is a high-risk label' in words
    assert re.search(
        r"Missed most across models: \w+\. Of about \d+, (Model [A-D] misses \d+|.* and Model [A-D] \d+)",
        words,
    )
    assert (
        words.index(
            "Before you decide, ask for more readings per case or a stronger reference, such as biopsy"
        )
        < words.index("of 301 cases <small>may be of high risk")
        < words.index("of the leading labels are less than")
    )
    first = words.index("Which dangers does each model miss?")
    assert words.index("loupe-facts") < first < words.index("How certain is the leading label?")


@pytest.mark.usefixtures("at_once")
def test_the_reliability_that_readings_support_is_one_press_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found unasked where that is quick; and nothing is said of models where there is none."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"], test.query_params["reliability"] = _models_study(tmp_path), "inf"
    test.run()
    assert not [one for one in test.button if one.key == "anchor-models"]
    (button,) = [one for one in test.button if one.key == "anchor-use-reliability"]
    best = float(re.search(r"γ = ([0-9.]+)", button.help)[1])
    words = " ".join(element.proto.body for element in test.get("html"))
    assert ">∞: in use<" in words
    assert "Claims and verdicts" not in words
    assert "A point estimate treats the readers as infallible, so it supports nothing." in words
    (said,) = re.findall(r"Counted as the readings support, (\d+)\u00a0% of the leading labels", words)
    row = rf">[\w .]+ \(γ\u00a0=\u00a0{best:g}\): the readings support it</td><td>(\d+)\u00a0%</td>"
    assert re.findall(row, words) == [said]
    button.click().run()
    assert not test.exception
    assert test.session_state["loupe-view"].reliability == best
    words = " ".join(element.proto.body for element in test.get("html"))
    assert ": so counted, what some readers of a case say best foretells what the others say." in words
    assert f'loupe-figure">{said}\u00a0% <small>of the leading labels are less than' in words
    (back,) = [one for one in test.button if re.match("anchor-.*reliability", str(one.key))]
    assert unmarked("Use γ = ∞") == unmarked(back.label)
    back.click().run()
    assert test.session_state["loupe-view"].reliability == np.inf


@pytest.mark.usefixtures("at_once")
def test_a_study_is_judged_where_its_readings_support_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody chose a reliability, verdict and pictures have the supported one; who goes back stays."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = _models_study(tmp_path)
    test.run()
    assert not test.exception
    words = " ".join(element.proto.body for element in test.get("html"))
    (best,) = re.findall(r"γ\u00a0=\u00a0([0-9.]+)\): in use, the readings support it<", words)
    assert best != "1"
    assert test.session_state["loupe-view"].reliability == float(best)
    assert ": so counted, what some readers of a case say best foretells what the others say." in words
    assert "here; the readings support" not in words
    assert "It was 1 until the γ was found at which these readings predict one another best." in words
    (back,) = [one for one in test.button if re.match("anchor-.*reliability", str(one.key))]
    assert unmarked("Count each once") == unmarked(back.label)
    back.click().run()
    test.run()
    assert test.session_state["loupe-view"].reliability == 1
    assert "It was 1 until" not in " ".join(element.proto.body for element in test.get("html"))


def test_what_takes_long_is_asked_for_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither many cases nor draws are set to work by opening a page."""
    began = []
    monkeypatch.setattr(jobs.Job, "start", lambda self: began.append(self))
    monkeypatch.setattr(findings, "MOST_CASES_JUDGED", 5)
    monkeypatch.setattr(by_reliability, "MOST_CASES_RECKONED", 5)
    monkeypatch.setattr(trust, "MOST_READINGS_PREDICTED", 5)
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = _models_study(tmp_path, "A")
    test.run()
    assert not test.exception
    assert {"find-supported", "anchor-reliability"} <= {one.key for one in test.button}
    assert began == []
    next(one for one in test.button if one.key == "find-supported").click().run()
    assert [job.name for job in began] == ["judging"]


def test_a_label_leads_to_the_cases_in_which_it_is_plausible(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture counts readings, so its menu says what it opens instead."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(jobs.Job, "start", lambda self: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"], test.query_params["model"] = studies.SAMPLE, "prirn"
    test.query_params["study_part"] = "readings"
    test.run()
    (menu,) = [one for one in test.get("menu_button") if "labels-named" in one.proto.id]
    assert any("Melanoma plausible" in words for words in menu.proto.options)


_OF_PARTS = {
    "claims": ("Which dangers does each model miss?", "How much depends on trust in the readers?"),
    "certainty": ("How certain is the leading label?", "What is at stake?"),
    "readings": ("Readings per case", "Where it comes from", "Do the raters agree?"),
}


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("asked", ["", "claims", "certainty", "readings", "all", "nothing of the kind"])
def test_one_part_is_drawn_below_what_a_decision_needs(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    """The first unasked, and in place of one that there is not; what is not shown is not worked out."""
    counted = []
    count = readings._workload
    monkeypatch.setattr(readings, "_workload", lambda *given: counted.append(given) or count(*given))
    words = _open(studies.SAMPLE, "prirn", monkeypatch, study_part=asked)
    shown = asked if asked in (*_OF_PARTS, "all") else "claims"
    for part, heads in _OF_PARTS.items():
        assert all((head in words) == (shown in (part, "all")) for head in heads), part
    assert len(counted) == (shown in ("readings", "all"))
    assert words.index("Which model do these labels support most?") < words.index("That is the whole verdict")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("study", "heads"), [(studies.SAMPLE, 2), ("knee_mri", 1)])
def test_the_claims_are_pictured_where_somebody_unfolds_them(
    monkeypatch: pytest.MonkeyPatch, study: str, heads: int
) -> None:
    """Their numbers stand in tables already; a study without levels of risk has one picture."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"] = study
    test.run()
    pictured = ("Claimed, and supported by the labels", "Where the truth is a high-risk label")
    words = " ".join(element.proto.body for element in test.get("html"))
    assert not any(head in words for head in pictured)
    test.session_state["study-pictures"] = True
    test.run()
    assert not test.exception
    words = " ".join(element.proto.body for element in test.get("html"))
    assert [head in words for head in pictured] == [True, heads == 2]


def test_another_part_takes_the_place_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A press is enough; the address says so, and the first part needs no word there."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["study"], test.query_params["model"] = studies.SAMPLE, "prirn"
    test.run()
    for part in ("certainty", "claims"):
        (choice,) = [one for one in test.get("button_group") if one.label == "What is shown of the study"]
        choice.set_value(part).run()
        assert not test.exception
        words = " ".join(element.proto.body for element in test.get("html"))
        assert ("What is at stake?" in words) == (part == "certainty")
        assert test.query_params.get("study_part") == (part if part == "certainty" else None)


@pytest.mark.usefixtures("at_once")
def test_a_study_has_the_parts_that_it_can_fill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without models none of claims, whatever a link asks for; trust in the readers is told all the same."""
    words = _open(_models_study(tmp_path), "label-counts", monkeypatch, study_part="claims")
    assert "Which dangers does each model miss?" not in words
    assert "How certain is the leading label?" in words
    assert "How much depends on trust in the readers?" in words


@pytest.mark.parametrize("kind", ["choice", "score"])
def test_parts_are_named_for_what_they_hold(kind: Literal["choice", "score"]) -> None:
    """Of scores there are no risks, and of a study that nobody read there is one part."""
    _, task = small_study(kind, "ab", [[3.0], [7.0]] if kind == "score" else [["a"], ["b"]])
    assert list(parts_of(task, is_read=True)) == ["certainty", "readings", "all"]
    assert parts_of(task, is_read=True)["certainty"] == (
        "Certainty and scores" if kind == "score" else "Certainty"
    )
    assert list(parts_of(task, is_read=False)) == ["readings"]


@pytest.mark.usefixtures("at_once")
def test_the_verdict_needs_no_part_to_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the readings support another reliability than is in force, it is found whatever is shown."""
    words = _open(
        _models_study(tmp_path, "A", "B"), "label-counts", monkeypatch, reliability="1", study_part="readings"
    )
    assert "Claims and verdicts" in words
    assert PROVISIONAL not in words
    assert "How much depends on trust in the readers?" not in words


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("reliability", ["1", "3"])
def test_the_verdict_is_the_same_whatever_part_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reliability: str
) -> None:
    """It says what less trust in the readers would change, though no part shows the numbers of that."""
    key = _models_study(tmp_path, "A", "B")
    cards = set()
    for part in ("claims", "certainty", "readings"):
        words = _open(key, "label-counts", monkeypatch, reliability=reliability, study_part=part)
        start = words.index("Which model do these labels support most?")
        cards.add(words[start : words.index("That is the whole verdict")])
    (card,) = cards
    assert re.search("If each reading counted .*, as the readings support, ", card)
