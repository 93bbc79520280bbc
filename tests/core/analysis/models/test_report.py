"""The whole comparison, as the command writes it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from two_label_studies import two_label_study

from core.analysis.models.report import compare
from core.analysis.models.settings import ComparisonSettings
from core.cli import main, sample_folder
from core.study.model import Study

TABLES = {
    "metrics", "agreement", "pairs", "best", "ranks", "correlation_draws", "correlations", "tests", "labels",
}  # fmt: skip


def test_command_writes_all_tables(tmp_path: Path) -> None:
    """CSV beside its provenance, and settings and metrics as JSON."""
    folder = str(sample_folder("mixed_digits"))
    models = ["--pair", "Neural network", "Nearest neighbours", "--metric", "accuracy"]
    options = ["--draws", "20", "--label-pairs", "--printed", "--tie-rule", "first label", *models]
    assert main(["compare", folder, *options, "--out", str(tmp_path)]) == 0
    assert {path.stem for path in (tmp_path / "compare").glob("*.csv")} == TABLES | {"deciding_cases"}
    content = json.loads((tmp_path / "compare" / "comparison.json").read_text(encoding="utf-8"))
    assert content["settings"]["ties for the lead"] == "first label"
    assert content["settings"]["draws of truths and cases"] == "20"
    assert content["settings"]["deciding cases"] == "Neural network against Nearest neighbours by accuracy"
    written = pd.read_csv(tmp_path / "compare" / "metrics.csv")
    assert len(written) == len(content["metrics"])
    assert {"AUROC (macro)", "AUROC (pairs, weighted)"} <= set(written["metric"])
    assert "s-AP (printed)" in set(written["counterpart"])


def test_confidences_weigh_readings_where_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which moves adjusted metrics, is told, and stands with the settings."""
    command = ["compare", str(sample_folder("knee_mri")), "--draws", "4", "--model", "label-counts"]
    adjusted = []
    for confidence in ("ignored", "weights"):
        out = tmp_path / confidence
        assert main([*command, "--confidence", confidence, "--out", str(out)]) == 0
        assert f"Stated confidences in adjusted metrics: {confidence}" in capsys.readouterr().out
        table = pd.read_csv(out / "compare" / "metrics.csv")
        adjusted.append(table.loc[table["metric"] == "accuracy", "soft"].to_numpy())
        content = json.loads((out / "compare" / "comparison.json").read_text(encoding="utf-8"))
        assert content["settings"]["stated confidences"].startswith(confidence)
    assert (adjusted[0] != adjusted[1]).all()


@pytest.mark.slow
def test_averages_are_drawn_where_asked(tmp_path: Path) -> None:
    """Of more than two labels; with two there is nothing to average, and nothing is lost."""
    for name, draws_averages in (("mixed_digits", True), ("chest_xrays", False)):
        options = ["--draws", "5", "--draw-averages", "--out", str(tmp_path / name)]
        assert main(["compare", str(sample_folder(name)), *options]) == 0
        content = json.loads((tmp_path / name / "compare" / "comparison.json").read_text(encoding="utf-8"))
        drawn = {row["metric"] for row in content["best"]}
        assert ({"AP (macro)", "s-AUROC (weighted)"} <= drawn) == draws_averages
        assert "s-AUROC" in drawn


def test_command_refuses_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong task, model, aggregation and reliability, without a traceback and without a file."""
    folder = str(sample_folder("scores"))
    for options, message in [
        (["--task", "no"], "task must be one of"),
        (["--pair", "no", "no"], "model must be one of"),
        (["--model", "no"], "model must be one of"),
        (["--reliability", "-1"], "reliability must be a number above 0, or ∞, got -1"),
        (["--annotations", "plausibility", "--reliability", "inf"], "certain of one truth"),
        (["--draws", "0"], "n_draws must be a whole number of 1 or more, got 0"),
    ]:
        assert main(["compare", folder, *options, "--out", str(tmp_path / "out")]) == 1
        assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("annotations", ["bootstrap", "plausibility"])
def test_every_kind_of_task(dermatology: Study, digits: Study, scores: Study, annotations: str) -> None:
    """Rankings, choices and scores; the same numbers twice."""
    for study in (dermatology, digits, scores):
        first, second = (
            compare(study, settings=ComparisonSettings(annotations=annotations, n_draws=20)) for _ in range(2)
        )
        assert set(first.tables) == TABLES
        assert not first.refused
        for name, table in first.tables.items():
            pd.testing.assert_frame_equal(table, second.tables[name])
        assert first.tables["metrics"]["reason"].eq("").all()
        assert first.tables["best"]["probability"].between(0, 1).all()


def test_first_task_with_predictions_is_the_default() -> None:
    """A study without any has nothing to compare."""
    study, _ = two_label_study([[1], [0]], {})
    with pytest.raises(ValueError, match="study 'two labels' has no predictions"):
        compare(study)


def test_what_is_left_out_is_said() -> None:
    """Cases without a reading or a prediction, and metrics that scores do not allow."""
    nan = float("nan")
    study, _ = two_label_study(
        [[1, 1], [0, 0], [1, 0], []], {"a": [0.9, 0.1, nan, 0.5], "b": [1.4, 0.2, 0.6, 0.1]}
    )
    seen: list[float] = []
    result = compare(
        study, settings=ComparisonSettings(n_draws=3), progress=lambda share, _: seen.append(share)
    )
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 1)
    assert result.settings["cases"] == "2 of 4, 1 not read, 1 without a prediction"
    losses = {"Brier score", "soft Brier score", "log loss", "soft log loss"}
    assert {metric for metric, models in result.left_out.items() if list(models) == ["b"]} == losses
    assert not result.refused
    assert result.tables["labels"]["case_id"].to_list() == ["case 0", "case 1"]
