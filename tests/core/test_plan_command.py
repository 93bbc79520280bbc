"""`loupe plan`, as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main, sample_folder

KNEE = str(sample_folder("knee_mri"))


def test_without_a_study_from_an_accuracy(capsys: pytest.CaptureFixture[str]) -> None:
    """The published example, in a sentence."""
    assert main(["plan", "--accuracy", "0.81"]) == 0
    assert "takes 7 raters" in capsys.readouterr().out


@pytest.mark.slow
def test_everything_for_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three questions, three sentences, tables with their provenance."""
    arguments = ["plan", KNEE, "--fineness", "0.85", "--certainty", "0.9", "--ranking", "0.9"]
    assert main([*arguments, "--models", "Checklist,Network", "--out", str(tmp_path)]) == 0
    content = json.loads((tmp_path / "plan" / "plan.json").read_text(encoding="utf-8"))
    said = capsys.readouterr().out
    for name, plan in content["plans"].items():
        assert plan["sentence"] in said
        table = pd.read_csv(tmp_path / "plan" / f"plan_{name}.csv")
        assert plan["raters"] in table["n_raters"].tolist()
    assert list(content["plans"]) == ["fineness", "certainty", "ranking"]
    assert content["settings"]["assumptions"].startswith("fitted to 13 raters")


def test_assumptions_replace_the_study(capsys: pytest.CaptureFixture[str]) -> None:
    """Independent readers of the study's accuracy; readers of another accuracy, judged models named."""
    assert main(["plan", KNEE, "--difficulty", "0"]) == 0
    assert "same cases" not in capsys.readouterr().out
    assert main(["plan", KNEE, "--accuracy", "0.95", "--ranking", "0.8", "--certainty", "0.8"]) == 0
    said = capsys.readouterr().out
    assert "accuracy 0.95, assumed" in said
    assert "0.893 and 0.827" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "accuracy of a rater must be given"),
        (["--accuracy", "81"], "divide percentages by 100"),
        (
            ["--accuracy", "0.8", "--fineness", "95"],
            "fineness must be a number from 0 to 1, got 95.0; divide percentages by 100",
        ),
        (["--accuracy", "0.8", "--ranking", "0.9"], "name two models"),
        (["--accuracy", "0.8", "--ranking", "0.9", "--models", "0.9"], "two models must be compared, got 1"),
        (["--accuracy", "0.8", "--ranking", "0.9", "--models", "0.9,0.9"], "higher accuracy"),
        ([KNEE, "--ranking", "0.9", "--models", "Network,Oracle"], "one of Checklist, Network, got 'Oracle'"),
        ([KNEE, "--task", "x"], "task must be one of tear"),
        ([str(sample_folder("scores")), "--certainty", "0.9"], "score task"),
    ],
)
def test_refusals_are_words(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing or wrong, without a traceback."""
    assert main(["plan", *arguments]) == 1
    refused = capsys.readouterr().err
    assert said in refused
    assert "Traceback" not in refused
