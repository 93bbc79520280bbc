"""All tasks at a glance: the tables of each task, their averages and ranks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from two_label_studies import two_label_study

from core.analysis.models.all_tasks import macro_averages
from core.analysis.models.all_tasks_draws import AVERAGE, SAME_CASES, all_tasks_drawn
from core.analysis.models.all_tasks_words import drawn_sentences
from core.analysis.models.settings import ComparisonSettings
from core.cli import main, sample_folder
from core.metrics.holm import holm
from core.study.model import Predictions, Study


def test_macro_averages_are_means_over_tasks_and_ranked() -> None:
    """A model that a task does not judge has none; of a loss less is better."""
    table = pd.DataFrame(
        [
            ("t", "AUROC", "s-AUROC", "a", 0.8, 0.6), ("u", "AUROC", "s-AUROC", "a", 0.6, 0.7),
            ("t", "AUROC", "s-AUROC", "b", 0.6, 0.8), ("u", "AUROC", "s-AUROC", "b", 0.7, 0.7),
            ("t", "AUROC", "s-AUROC", "c", 0.9, 0.9), ("u", "AUROC", "s-AUROC", "c", np.nan, 0.9),
            ("t", "log loss", "soft", "a", 0.2, 0.3), ("u", "log loss", "soft", "a", 0.4, 0.5),
            ("t", "log loss", "soft", "b", 0.5, 0.1), ("u", "log loss", "soft", "b", 0.7, 0.1),
        ],
        columns=["task", "metric", "counterpart", "model", "hard", "soft"],
    )  # fmt: skip
    macro = macro_averages(table).set_index(["metric", "model"])
    np.testing.assert_allclose(macro["hard"], [0.7, 0.65, np.nan, 0.3, 0.6])
    np.testing.assert_allclose(macro["soft"], [0.65, 0.75, np.nan, 0.4, 0.1])
    assert macro["rank_change"].fillna(9).tolist() == [-1, 1, 9, -1, 1]
    assert macro["n_tasks"].tolist() == [2, 2, 1, 2, 2]


def test_command_has_every_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rows of a task are those of its own comparison; a task cannot be asked for besides."""
    command = ["compare", str(sample_folder("chest_xrays"))]
    assert main([*command, "--all-tasks", "--draws", "20", "--out", str(tmp_path / "all")]) == 0
    said = capsys.readouterr().out
    assert "of 25 pairs of task and metric when every reading is kept" in said
    assert "differences of two models by s-AUROC in 5 tasks" in said
    assert "Averaged over tasks, " in said
    written = pd.read_csv(tmp_path / "all" / "compare" / "all_tasks.csv")
    assert main([*command, "--task", "Edema", "--draws", "20", "--out", str(tmp_path / "one")]) == 0
    one = pd.read_csv(tmp_path / "one" / "compare" / "metrics.csv")
    of_task = written[written["task"] == "Edema"].drop(columns=["task", "positive"]).reset_index(drop=True)
    common = [name for name in one.columns if name in of_task]
    chosen = one[one["metric"].isin(of_task["metric"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(of_task[common], chosen[common])
    best, same = (
        pd.read_csv(tmp_path / place / "compare" / f"{name}best.csv").set_index(["source", "metric", "model"])
        for place, name in (("all", "all_tasks_"), ("one", ""))
    )
    best = best[best["task"] == "Edema"].drop(columns=["task", "positive"])
    pd.testing.assert_frame_equal(best.loc[same.index], same)
    assert main([*command, "--all-tasks", "--task", "Edema", "--out", str(tmp_path / "no")]) == 1
    assert "--all-tasks does not go with --task" in capsys.readouterr().err


def twice(**second: object) -> Study:
    """A study that asks the same twice, the second time with other predictions where they are given."""
    rng = np.random.default_rng(3)
    p = rng.beta(0.5, 0.5, 60)
    present = [(rng.random(4) < of).astype(int).tolist() for of in p]
    scores = {
        f"m{i}": np.clip(p + noise * rng.standard_normal(60), 0, 1) for i, noise in enumerate((0.2, 0.3, 0.8))
    }
    study, task = two_label_study(present, scores)
    return replace(study, tasks={"a": replace(task, name="a"), "b": replace(task, name="b", **second)})


def test_the_average_of_a_task_with_itself_is_that_task() -> None:
    """Draws belong together, those of raters too; p-values are corrected over both tasks."""
    settings = ComparisonSettings(n_draws=60, draw_raters=True)
    drawn = all_tasks_drawn(twice(), settings=settings)
    best, differences = drawn.tables["all_tasks_best"], drawn.tables["all_tasks_differences"]
    for table, more in ((best, []), (differences, ["p_holm", "n_comparisons"])):
        one, average = (
            table[table["task"] == task].drop(columns=["task", "positive", *more]).reset_index(drop=True)
            for task in ("a", AVERAGE)
        )
        pd.testing.assert_frame_equal(average, one)
    of_metric = differences[(differences["metric"] == "AUROC") & (differences["source"] == "cases")]
    of_tasks = of_metric[of_metric["task"] != AVERAGE]
    assert of_tasks["n_comparisons"].eq(6).all()
    np.testing.assert_array_equal(of_tasks["p_holm"], holm(of_tasks["p"].to_numpy()))
    assert drawn_sentences(drawn)[0].startswith("Of 6 differences of two models by AUROC in 2 tasks, ")


def test_what_cannot_be_averaged_or_compared_has_its_reason() -> None:
    """Tasks that judge models on other cases are each told of; one without a case in common is listed."""
    study = twice()
    predictions = study.tasks["a"].predictions
    nan = np.full((60, 2), np.nan)
    half = np.where(np.arange(60)[:, None] < 40, predictions["m0"].probability, np.nan)
    of_fewer = {**predictions, "m0": Predictions("m0", half)}
    drawn = all_tasks_drawn(twice(predictions=of_fewer), settings=ComparisonSettings(n_draws=5))
    assert drawn.no_average == SAME_CASES
    assert set(drawn.tables["all_tasks_best"]["task"]) == {"a", "b"}
    without = {"m0": Predictions("m0", nan), "m1": predictions["m1"]}
    drawn = all_tasks_drawn(twice(predictions=without), settings=ComparisonSettings(n_draws=5))
    assert "needs a case that was read" in drawn.refused["b"]
    alone = twice(predictions={"m1": predictions["m1"]})
    drawn = all_tasks_drawn(alone, settings=ComparisonSettings(n_draws=5))
    assert drawn.no_average == "no metric has a value for two models in all tasks"
