"""Models before and after a review round: the numbers of Review, where there is a round to show."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from page_script import page_script
from reviewed_study import write_round
from streamlit.testing.v1 import AppTest

from core.analysis.round_changes import round_changes
from core.analysis.round_words import model_rows
from core.cli import sample_folder
from core.plausibility.settings import AggregationChoice
from core.reviews.applied import with_rounds
from core.reviews.store import VARIABLE, ReviewStore
from core.study.model import Study
from core.study.reading.folder import read_study
from dashboard.views.models import measuring, page

TOY = "toy_three_labels"
CELL = re.compile(r"<td>(.*?)</td>", re.S)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few draws, and none ahead."""
    monkeypatch.setattr(measuring, "N_DRAWS", 60)
    monkeypatch.setattr(page, "look_ahead", lambda now: None)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of its own."""
    place = tmp_path / "reviews.sqlite"
    monkeypatch.setenv(VARIABLE, f"sqlite:///{place}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return place


def _study() -> Study:
    return read_study(sample_folder(TOY))


def _open(**address: str) -> AppTest:
    test = AppTest.from_function(page_script, args=("models",), default_timeout=300)
    for name, value in ({"study": TOY, "model": "label-counts"} | address).items():
        test.query_params[name] = value
    test.session_state["panel-before-after"] = True
    test.run()
    assert not test.exception
    return test


def _panel(test: AppTest) -> Any:
    return next((one for one in test.expander if one.label == "Before and after a review round"), None)


def _bodies(part: Any) -> list[str]:
    return [one.proto.body for one in part.get("html")]


def _write(database: Path, study: Study, **more: Any) -> None:
    labels = next(iter(study.tasks.values())).labels
    write_round(database, study, "Second look", study.case_ids[:40], lambda case, _: labels[0], **more)


def test_it_shows_the_numbers_of_review(database: Path, at_once: None) -> None:
    """Value, change with its error, and rank of every model, by the metric of the page and its other."""
    study = _study()
    _write(database, study)
    task = next(iter(study.tasks.values()))
    after = with_rounds(study, ReviewStore(f"sqlite:///{database}").events(), readings=["Second look"])
    aggregation = AggregationChoice("label-counts", 1.0).for_task(task)
    expected = round_changes(study, after, task.name, aggregation).tables["models"]
    panel = _panel(_open(measure="accuracy", reliability="1", counted="Second look"))
    table = next(body for body in _bodies(panel) if "Models before and after a review round" in body)
    cells = [unescape(one) for one in CELL.findall(table)]
    of = expected[expected["metric"].isin(["accuracy", "adjusted accuracy"])]
    assert cells == [one for row in model_rows(of) for one in row]
    assert any("± 0.0" in one for one in cells)
    words = " ".join(_bodies(panel))
    assert "By adjusted accuracy, " in words
    assert "80 readings of 40 cases in “Second look”" in words


def test_there_is_no_panel_without_a_round_that_may_be_seen(database: Path, at_once: None) -> None:
    """Nothing reviewed; a round under way that does not count; one that this person reads blind."""
    assert _panel(_open()) is None
    study = _study()
    labels = next(iter(study.tasks.values())).labels
    write_round(
        database, study, "Half", study.case_ids[:4], lambda case, by: labels[0] if by == "Ada" else ""
    )
    assert _panel(_open()) is None
    assert _panel(_open(counted="Half")) is not None
    (database.parent / "loupe").mkdir(exist_ok=True)
    (database.parent / "loupe" / "author").write_text("Ben\n")
    write_round(
        database,
        study,
        "Blind",
        study.case_ids[:4],
        lambda case, by: labels[0] if by == "Ada" else "",
        blind=True,
    )
    assert "Blind" not in _choices(_open(counted="Half"))


def _choices(test: AppTest) -> list[str]:
    return [option for one in test.selectbox if one.label == "Round" for option in one.options]


def test_a_journal_that_cannot_be_read_leaves_the_page(database: Path, at_once: None) -> None:
    """Without the panel, and with all else."""
    database.write_text("words")
    test = _open()
    assert _panel(test) is None
    assert test.get("vega_lite_chart")


def test_what_is_not_known_is_a_dash() -> None:
    """A value on one side alone has neither change nor rank there."""
    row = {
        "metric": "s-AUROC", "model": "m", "before": float("nan"), "after": 0.5, "change": float("nan"),
        "change_error": float("nan"), "rank_before": pd.NA, "rank_after": 1,
    }  # fmt: skip
    assert model_rows(pd.DataFrame([row])) == [("s-AUROC", "m", "–\u00a0→ 0.500", "–", "–\u00a0→\u00a01")]
