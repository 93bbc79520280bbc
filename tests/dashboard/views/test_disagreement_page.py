"""Disagreement: what the page says of samples, of odd studies, and where its clicks lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.disagreement.forecasts import ALL_LABELS, given_forecasts, loss_table
from core.analysis.disagreement.recalibrated import ALPHA, TEMPERATURE_ALPHA
from core.metrics.calibration.bins import Binning
from core.study.model import Study, Task
from core.study.reading.folder import read_study
from dashboard.shell import state, studies
from dashboard.shell.jobs import Job
from dashboard.views.disagreement import page as disagreement
from dashboard.views.disagreement import words
from dashboard.views.disagreement.model_forecasts import ModelForecasts

SAMPLES = ("mixed_digits", "dermatology_like", "knee_mri", "chest_xrays", "scores", "toy_three_labels")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work is done where it is asked for."""
    monkeypatch.setattr(
        Job, "start", lambda job: setattr(job, "result", job._compute(lambda share, doing: None))
    )


def _sample() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.disagreement import page as disagreement

    state.read_address()
    disagreement.show(sidebar.choose())
    state.write_address()


def _one(study, task):  # type: ignore[no-untyped-def]
    from dashboard.shell import sidebar, state, studies
    from dashboard.views.disagreement import page as disagreement

    state.change(study="test", task=task.name, model="frequency")
    disagreement.show(sidebar.Chosen(studies.Source("test", "Test"), study, task, ()))


def _open(study: str, **view: str) -> AppTest:
    test = AppTest.from_function(_sample, default_timeout=300)
    for name, value in {"study": study, **view}.items():
        test.query_params[name] = value
    return test.run()


def _read(sample: str) -> Study:
    folder = studies.sources()[sample].folder
    assert folder is not None
    return read_study(folder)


def _words(test: AppTest) -> str:
    assert not test.exception
    found = " ".join(element.proto.body for element in test.get("html"))
    return " ".join([found, *(one.value for one in test.info)]).replace("\u00a0", " ")


def _written(
    folder: Path,
    labels: Sequence[str],
    readings: Sequence[Sequence[str]],
    probability: Mapping[str, Sequence[Sequence[float]]],
    *,
    features: Sequence[Sequence[float]] = (),
) -> tuple[Study, Task]:
    """A study of choices, written and read again: readings of each case, probabilities of each model."""
    (folder / "predictions").mkdir()
    (folder / "study.toml").write_text('name = "odd"\n[tasks.t]\nkind = "choice"\n')
    pd.DataFrame({"label": list(labels)}).to_csv(folder / "labels.csv", index=False)
    ids = [f"c{i}" for i in range(len(readings))]
    rows = [(ids[i], f"r{r}", label) for i, given in enumerate(readings) for r, label in enumerate(given)]
    pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]).to_csv(
        folder / "annotations.csv", index=False
    )
    for model, rows_of in probability.items():
        table = pd.DataFrame(rows_of, columns=list(labels))
        table.insert(0, "case_id", ids)
        table.to_csv(folder / "predictions" / f"{model}.csv", index=False)
    if features:
        table = pd.DataFrame(features, columns=[f"f{j}" for j in range(len(features[0]))])
        table.insert(0, "case_id", ids)
        table.to_csv(folder / "features.csv", index=False)
    study = read_study(folder)
    return study, study.tasks["t"]


def _show(study: Study, task: Task) -> AppTest:
    return AppTest.from_function(_one, args=(study, task), default_timeout=300).run()


@pytest.mark.slow
@pytest.mark.parametrize("study", SAMPLES)
def test_every_sample_has_a_finding_or_a_reason(study: str) -> None:
    """A sentence with a number and an interval, or what to do next."""
    test = _open(study)
    words = _words(test)
    task = next(iter(_read(study).tasks.values()))
    if task.probability_models:
        assert "says that two raters would disagree in" in words
        assert "% interval" in words
        assert "What do the errors cost?" in words
    else:
        assert "no predictions" in words


def test_the_finding_is_the_table(tmp_path: Path) -> None:
    """Worked out by hand: three cases of six that expect least, in which one pair of three differs."""
    calm, torn = [0.9, 0.1], [0.5, 0.5]
    readings = [["a", "a"], ["a", "a"], ["a", "b"], ["a", "b"], ["a", "b"], ["b", "b"]]
    study, task = _written(tmp_path, "ab", readings, {"M": [calm] * 3 + [torn] * 3})
    words = _words(_show(study, task))
    assert "When M says that two raters would disagree in 18 % of cases, they disagree in 33 %" in words
    assert "Averages over the 3 of 6 cases" in words
    assert "Over all of them it says 34 %, and raters disagree in 50 %" in words


def test_the_table_is_of_the_chosen_label_method_and_bins() -> None:
    """What stands in the table is what the analysis gives."""
    view = {"probability_of": "3", "recalibration": ALPHA, "bins": "4", "bin_kind": "equal mass"}
    words = _words(_open("mixed_digits", predictor="Neural network", **view))
    study = _read("mixed_digits")
    task = study.tasks["digit"]
    forecast = next(one for one in given_forecasts(task) if one.model == "Neural network")
    table = loss_table(study, task, [forecast], binning=Binning("equal mass", 4), by_label=True)
    row = table[(table["label"] == "3") & (table["loss"] == "epistemic loss")].iloc[0]
    assert "Probabilities of 3" in words
    assert f"<td>{row['debiased']:.3f} ± {row['debiased_error']:.3f}</td>" in words
    assert "before and after α-calibration" in words
    assert "One curve: α-calibration leaves these probabilities as they are." in words


def test_choices_are_in_the_address_and_unknown_ones_fall_back() -> None:
    """A link is reproduced; what it asks for in vain is said."""
    test = _open("mixed_digits", predictor="Nobody", recalibration="magic", probability_of="ten", bins="0")
    words = _words(test)
    assert "Logistic regression says" in words
    (notes,) = [test.session_state["loupe-notes"]]
    assert [name in " ".join(notes) for name in ("Nobody", "magic", "ten", "bins")] == [True] * 4
    test = _open("mixed_digits", predictor="Neural network", bins="7")
    test.number_input[0].set_value(9).run()
    assert test.query_params["bins"] == "9"
    assert test.query_params["predictor"] == "Neural network"
    assert "probability_of" not in test.query_params


def test_single_labels_leave_what_can_be_judged(tmp_path: Path) -> None:
    """No pair of readings: no word of disagreement, but the probabilities are judged."""
    readings = [["a"], ["b"], ["a"], ["a"]]
    study, task = _written(tmp_path, "ab", readings, {"M": [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.9, 0.1]]})
    words = _words(_show(study, task))
    assert "No case has two labels" in words
    assert "gives a label a probability of one half or more, 75 % on average, 100 % of the raters" in words
    assert words.count("cannot be estimated") == 3
    assert "nobody can be seen to disagree" in words
    assert "nothing can be compared" in words


@pytest.mark.parametrize(
    ("readings", "probability", "features", "said"),
    [
        ([["a", "b"]], [[0.5, 0.5]], (), "too few cases for an interval"),
        ([["b", "b"], ["a", "b"]] * 6, [[1.0, 0.0]] * 12, (), "to which the model gives the probability 0"),
        ([["a", "b"], ["a", "a"]] * 6, [[0.5, 0.5]] * 12, [[1.0]] * 12, "Averages over 12 cases"),
        ([["a", "a"], ["a", "b"]] * 3, [[0.6, 0.4]] * 6, np.eye(6, 9).tolist(), "When M says"),
    ],
    ids=["one case", "probability 0", "constant feature", "more features than cases"],
)
def test_odd_studies_are_shown(
    tmp_path: Path, readings: list[list[str]], probability: list[list[float]], features: Any, said: str
) -> None:
    """Nothing fails, and what is odd is said."""
    study, task = _written(tmp_path, "ab", readings, {"M": probability}, features=features)
    assert said in _words(_show(study, task))


def test_a_label_may_be_called_all_labels(tmp_path: Path) -> None:
    """It is a label like any other, beside all of them together; one that nobody chose as well."""
    labels = ["all labels", "b", "never"]
    study, task = _written(
        tmp_path, labels, [["all labels", "b"], ["b", "b"]] * 4, {"M": [[0.5, 0.3, 0.2]] * 8}
    )
    test = _show(study, task)
    (box,) = [one for one in test.selectbox if one.label == "Label"]
    assert box.options == ["all labels together", *labels]
    words = _words(box.select("never").run())
    assert "No rater chose never" in words
    table = loss_table(study, task, given_forecasts(task), by_label=True, resamples=2)
    of = table[(table["about"] == "class probabilities") & (table["loss"] == "expected squared loss")]
    assert of["label"].tolist() == [ALL_LABELS, *labels]
    assert of["plug_in"].iloc[0] == pytest.approx(of["plug_in"].iloc[1:].sum())


def test_without_predictions_it_says_what_to_add(tmp_path: Path) -> None:
    """No traceback and no empty pictures."""
    study, task = _written(tmp_path, "ab", [["a", "b"]], {})
    test = _show(study, task)
    words = _words(test)
    assert "What to add: predictions.csv" in words
    assert "c0,my model,a,0.7\nc0,my model,b,0.3" in test.code[0].value
    assert "What do the errors cost?" not in words


def test_while_it_is_fitted_the_model_as_given_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs no fit does not wait for one; the methods can be chosen already."""
    monkeypatch.setattr(disagreement.parts, "result_of", lambda *given, **options: None)
    test = _open("mixed_digits")
    words = _words(test)
    assert "When Logistic regression says" in words
    assert '<th scope="col">Debiased</th>' in words
    assert "After, debiased" not in words
    assert "What would one expert label save?" not in words
    (box,) = [one for one in test.selectbox if one.label == "Recalibration"]
    assert box.value == TEMPERATURE_ALPHA


def test_a_ticked_case_opens_with_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is the worklist, the case is opened, other filters go."""
    from dashboard.views.disagreement import surprising

    went: list[str] = []
    monkeypatch.setattr(state, "open_page", went.append)
    changed: dict[str, Any] = {}
    monkeypatch.setattr(state, "change", lambda **values: changed.update(values))
    ids = [f"c{i}" for i in range(5)]
    surprising._open(ids, 2)
    assert went == ["cases"]
    assert changed["only"] == tuple(ids)
    assert changed["case"] == "c2"
    assert changed["search"] == ""


def test_tables_are_computed_once(tmp_path: Path) -> None:
    """Another number of bins makes new tables; the same number again none."""
    study, task = _written(tmp_path, "ab", [["a", "b"], ["a", "a"]], {"M": [[0.4, 0.6]] * 2})
    forecasts = ModelForecasts(study, task, tuple(disagreement.given_forecasts(task)), {})
    three, four, again = (
        forecasts.losses(forecasts.last, Binning(number=number), by_label=False) for number in (3, 4, 3)
    )
    assert again is three
    assert four is not three


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.1234, 0.01, "0.123 ± 0.010"),
        (-0.0123, np.nan, "−0.012"),
        (-0.0001, 0.001, "0.000 ± 0.001"),
        (np.nan, np.nan, "cannot be estimated"),
    ],
)
def test_numbers(value: float, error: float, text: str) -> None:
    """Three decimals, a true minus sign, no minus zero."""
    assert words.number(value, error).replace("\u00a0", " ") == text


def test_negative_estimates_are_shown_as_0_with_a_flag() -> None:
    """The estimate stays beside a loss; a root is 0 already."""
    row = {
        "plug_in": 0.2,
        "plug_in_error": 0.1,
        "debiased": -0.02,
        "debiased_error": 0.03,
        "below_zero": True,
    }
    assert words.cells(row)[1].replace("\u00a0", " ") == "0 ⚑ (−0.020 ± 0.030)"
    assert words.cells(row | {"debiased": 0.0})[1] == "0 ⚑"
    assert words.cells(row | {"below_zero": False, "debiased": 0.1})[1].startswith("0.100")


def test_what_an_expert_label_saves_has_a_verdict() -> None:
    """Better, worse or neither, by the standard error; a negative loss is shown as 0, with a flag."""
    table = pd.DataFrame(
        {
            "method": [ALPHA, TEMPERATURE_ALPHA],
            "before": [0.03, -0.001],
            "after": [0.01, 0.02],
            "change": [-0.02, 0.021],
            "change_error": [0.004, 0.02],
        }
    )
    said = words.saved(table)
    assert "α-calibration: better; temperature and α-calibration: neither better nor worse" in said
    assert said.endswith("⚑: negative by chance; it stands for 0.")
    assert "worse" in words.saved(table.assign(change=0.05))
    assert words.saved(table.assign(change_error=np.nan, before=0.03)) == ""
    assert words.kept_at_zero(-0.001, 0.008) == "0 ⚑ (−0.001 ±\u00a00.008)"
    assert words.kept_at_zero(0.02, 0.008) == "0.020 ±\u00a00.008"
