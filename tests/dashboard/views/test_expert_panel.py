"""One more expert says …: what is chosen, what is shown of it, and what costs nothing while folded."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.disagreement.recalibrated import ALPHA, TEMPERATURE, TEMPERATURE_ALPHA, recalibrate
from core.analysis.disagreement.recalibrated_tables import after_expert_labels
from core.study.model import Study, Task
from core.study.reading.folder import read_study
from dashboard.charts.disagreement.expert import (
    MOST_ROWS,
    after_experts_chart,
    beside_raters_chart,
    shown_labels,
)
from dashboard.shell import jobs, steps, studies
from dashboard.shell.theme import LIGHT

TOY = "toy_three_labels"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fits are done before the page goes on, and nothing is computed ahead."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(
        jobs.Job, "start", lambda self: setattr(self, "result", self._compute(lambda *told: None))
    )


def _page() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.cases import page as cases

    state.read_address()
    cases.show(sidebar.choose())
    for text in state.notes():
        sidebar.element("p", text, role="warning")


def _open(*, panel: bool = True, **address: str | list[str]) -> AppTest:
    test = AppTest.from_function(_page, default_timeout=300)
    test.query_params["case_part"] = "all"
    for name, value in {"study": TOY, "case": _study().case_ids[0], **address}.items():
        test.query_params[name] = value
    if panel:
        test.session_state["expert"] = True
    return _checked(test.run())


def _checked(test: AppTest) -> AppTest:
    assert not test.exception
    return test


def _study(key: str = TOY) -> Study:
    folder = next(source.folder for source in studies.samples() if source.key == key)
    assert folder is not None
    return read_study(folder)


def _words(test: AppTest) -> str:
    return "\n".join(element.proto.body for element in test.get("html")).replace("\u00a0", " ")


def _said(test: AppTest) -> list[str]:
    value = test.query_params.get("expert_says", [])
    return [value] if isinstance(value, str) else list(value)


def test_folded_it_fits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the module is imported, and no job is begun."""
    begun: list[object] = []
    monkeypatch.setattr(jobs.Job, "start", begun.append)
    monkeypatch.delitem(sys.modules, "dashboard.views.disagreement.expert", raising=False)
    test = _open(panel=False, reliability="1")
    assert "What if one more expert spoke?" in [panel.label for panel in test.expander]
    assert begun == []
    assert "dashboard.views.disagreement.expert" not in sys.modules


def test_before_anybody_speaks() -> None:
    """The model alone, beside the raters; the last method that learns is chosen."""
    test = _open()
    words = _words(test)
    assert "Nobody has said more yet" in words
    assert "of pairs of experts would disagree" in words
    assert "after the further experts<" not in words
    assert test.selectbox(key="choose-expert_method").value == TEMPERATURE_ALPHA
    assert test.selectbox(key="choose-predictor").options == ["Bayes-optimal", "Overconfident", "Shifted"]


def test_a_label_and_its_number_go_into_the_address() -> None:
    """Chosen, raised to three experts, and taken back; the sentence follows."""
    test = _open()
    (labels,) = test.multiselect
    chosen = labels.options[1]
    _checked(labels.set_value([chosen]).run())
    assert _said(test) == [chosen]
    assert f"One more expert says “{chosen}”" in _words(test)
    number = next(slider for slider in test.slider if slider.label == "How many experts say it")
    _checked(number.set_value(3).run())
    assert _said(test) == [chosen] * 3
    assert f"Three more experts say “{chosen}”" in _words(test)
    _checked(test.multiselect[0].set_value([]).run())
    assert _said(test) == []
    assert "Nobody has said more yet" in _words(test)


def test_a_link_brings_model_method_and_labels() -> None:
    """Everything that was chosen stands again, and the numbers are those of the analysis."""
    test = _open(predictor="Overconfident", expert_method=ALPHA, expert_says=["B", "C", "B"])
    study = _study()
    fit = recalibrate(study, study.tasks["class"], "Overconfident")
    table = after_expert_labels(fit, ALPHA, 0, [1, 2, 1])
    words = _words(test)
    assert "Three more experts say “B” (2), “C” (1)" in words
    for column in ("before", "after"):
        assert f"{100 * table[column][1]:.0f} %" in words
    assert test.selectbox(key="choose-predictor").value == "Overconfident"
    assert test.multiselect[0].value == ["B", "C"]


def test_what_cannot_learn_says_so() -> None:
    """Under a temperature the labels stay chosen and nothing moves."""
    test = _open(expert_method=TEMPERATURE, expert_says=["A"])
    words = _words(test)
    assert "Whatever an expert says" in words
    assert "Only α-calibration makes of a model a distribution over plausibilities" in words
    assert _said(test) == ["A"]


@pytest.mark.parametrize(
    ("name", "given", "note"),
    [
        ("expert_says", ["nonsense"], "asks for the label “nonsense”"),
        ("expert_says", ["x"] * 51, "no more than 50 labels were expected"),
        ("expert_method", "magic", "asks for the calibration “magic”"),
        ("predictor", "nobody", "asks for the model “nobody”"),
    ],
)
def test_links_that_ask_for_what_is_not_there(name: str, given: str | list[str], note: str) -> None:
    """The usual is shown, and a note says why."""
    test = _open(**{name: given})
    words = _words(test)
    assert note in words
    assert "Nobody has said more yet" in words


def test_another_case_hears_nobody() -> None:
    """What experts say of one case is not taken for another."""
    test = _open(expert_says=["A"], sort="study")
    assert "One more expert says" in _words(test)
    _checked(next(button for button in test.button if button.label.startswith("Next")).click().run())
    assert _study().case_ids[1] in test.query_params["case"]
    assert _said(test) == []


def test_without_probabilities_there_is_no_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that only gives scores has nothing to learn from."""
    monkeypatch.setattr(Task, "probability_models", ())
    assert "What if one more expert spoke?" not in [panel.label for panel in _open(panel=False).expander]


@pytest.fixture(scope="module")
def odd_key(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Key of a study in which one case was not read, one not predicted, and one has no features.

    Its model predicted each case three times.
    """
    folder = tmp_path_factory.mktemp("odd")
    (folder / "study.toml").write_text('name = "odd"\n[tasks.t]\nkind = "choice"\n')
    said = [(i, r, "abc"[(i + (r > 1)) % 3]) for i in range(20) for r in range(3) if i != 0]
    (folder / "annotations.csv").write_text(
        "case_id,rater_id,label\n" + "".join(f"c{i},r{r},{label}\n" for i, r, label in said)
    )
    (folder / "cases.csv").write_text("case_id\n" + "".join(f"c{i}\n" for i in range(20)))
    (folder / "features.csv").write_text(
        "case_id,f\n" + "".join(f"c{i},{i % 7}\n" for i in range(20) if i != 2)
    )
    rows = [
        f"c{i},m,{'abc'[k]},{p},{draw}\n"
        for i in range(20)
        if i != 1
        for draw in (1, 2, 3)
        for k, p in enumerate(np.roll([0.5 + 0.1 * draw, 0.3 - 0.05 * draw, 0.2 - 0.05 * draw], i).round(2))
    ]
    (folder / "predictions.csv").write_text("case_id,model,label,probability,draw\n" + "".join(rows))
    return studies.add_folder(str(folder)).key


@pytest.mark.parametrize(
    ("case", "method", "sentence"),
    [
        ("c5", "ensemble", "probability of “b” rises from"),
        ("c5", "α", "One more expert says “b”"),
        ("c0", "α", "One more expert says “b”"),
        ("c1", "α", "m did not predict this case"),
        ("c2", "α", "This case has no features"),
        ("c2", "ensemble", "One more expert says “b”"),
    ],
)
def test_cases_and_models_that_lack_something(odd_key: str, case: str, method: str, sentence: str) -> None:
    """An ensemble learns without α; what is missing of a case is said."""
    words = _words(_open(study=odd_key, case=case, expert_method=method, expert_says=["b"]))
    assert sentence in words
    assert ("No reading of this case counts as one label" in words) == (case == "c0")
    assert ("Only α-calibration makes" in words) == (method == "ensemble")


def _table(n: int, told: dict[int, int]) -> pd.DataFrame:
    before = np.linspace(1, 0.1, n)
    before /= before.sum()
    counts = np.array([told.get(k, 0) for k in range(n)])
    after = (before + counts) / (1 + counts.sum())
    observed = np.where(np.arange(n) == n - 1, 1.0, 0.0)
    labels = [f"label {k}" for k in range(n)]
    return pd.DataFrame(
        {"label": labels, "before": before, "after": after, "told": counts, "observed": observed}
    )


def test_rows_are_few_and_stay_while_experts_speak() -> None:
    """What raters or the model make much of; a label told gets a row and moves no other."""
    still, moved = shown_labels(_table(30, {})), shown_labels(_table(30, {20: 2}))
    assert len(still) == len(moved) == MOST_ROWS
    assert still[0] == 29
    assert 20 in moved
    assert moved[:-1] == still[:-1]
    even = _table(419, {}).assign(before=1 / 419, observed=np.nan)
    assert shown_labels(even) == [0, 1, 2]


def test_chart_of_the_change() -> None:
    """One row a shown label, with both numbers in words."""
    table = _table(3, {2: 1})
    rows = after_experts_chart(table, model=0, tokens=LIGHT).data["rows"]
    by_label = rows.set_index("label")
    assert by_label.loc["label 2", "said"] == "said by 1 expert"
    assert by_label.loc["label 0", "said"] == ""
    start, end = by_label.loc["label 2", "change"].replace("\u00a0%", "").split(" → ")
    assert (int(start), int(end)) == tuple(
        (100 * table.loc[2, ["before", "after"]].astype(float)).round().astype(int)
    )


def test_chart_beside_raters_keeps_the_order_and_tells_nothing_unknown() -> None:
    """Rows in the order asked for; a source that says nothing has no words."""
    table = pd.DataFrame(
        {
            "label": ["a", "a", "b.[x]", "b.[x]"],
            "source": ["raters", "model"] * 2,
            "mean": [0.7, np.nan, 0.3, np.nan],
            "low": [0.6, np.nan, np.nan, np.nan],
            "high": [0.8, np.nan, np.nan, np.nan],
            "leads": [0.9, np.nan, 0.1, np.nan],
        }
    )
    rows = beside_raters_chart(table, ["b.[x]", "a"], model=1, tokens=LIGHT).data["rows"]
    assert rows["label"].tolist() == ["b.[x]", "a"]
    assert rows["raters_leads"].tolist() == ["leads 10\u00a0%", "leads 90\u00a0%"]
    assert rows["model_leads"].tolist() == ["", ""]
    assert rows["raters_mean"].tolist() == [0.3, 0.7]
