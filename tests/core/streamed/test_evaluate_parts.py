"""A study in parts says what the study in memory says, however it is divided and whoever does the work."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from core.analysis.evaluate import evaluate
from core.analysis.models.comparison import comparison
from core.analysis.raters.panel import panel
from core.cli import main, sample_folder
from core.metrics.agreement.chance import chance_agreement
from core.metrics.soft.average_precision_error import ap_error
from core.metrics.soft.metrics import s_ap, s_auroc, soft_brier, soft_log_loss
from core.metrics.soft.standard_errors import auroc_error, brier_error, log_loss_error
from core.plausibility.settings import AggregationChoice
from core.streamed.engine import engine
from core.streamed.evaluate import StreamedChoice, StreamedEvaluation, evaluate_parts
from core.streamed.sample import least_certain, read_cases
from core.study.model import Study
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions
from core.study.reading.folder import read_study, write_study

TABLES = ("metrics", "by_label", "agreement", "certainty", "facts", "least_certain")


def parted(study: Path, folder: Path, cases: int) -> Path:
    """Divide a study."""
    write_partitions(study, folder, cases=cases)
    return folder


def evaluated(
    folder: Path, place: Path, *, chosen: AggregationChoice | None = None, workers: int = 1, most: int = 40
) -> StreamedEvaluation:
    """Evaluate a study in parts."""
    with engine(workers=workers) as who:
        asked = StreamedChoice(chosen or AggregationChoice(), most=most)
        return evaluate_parts(read_manifest(folder), asked, place / "cases", who)


def require_like_in_memory(study: Study, found: StreamedEvaluation, chosen: AggregationChoice) -> None:
    """Compare with the evaluation of the study in memory."""
    whole = evaluate(study, chosen)
    wanted, own = whole.tables["metrics"], found.tables["metrics"]
    assert list(own["subject"] + own["metric"]) == list(wanted["subject"] + wanted["metric"])
    pd.testing.assert_frame_equal(own, wanted, rtol=0, atol=1e-12, check_dtype=False)
    worklist = whole.tables["cases"].drop(columns=["rhat", "ess"], errors="ignore")
    least = found.tables["least_certain"]
    ranked = worklist["certainty"].dropna().sort_values(kind="stable")
    assert set(least.index) == set(ranked.index[: len(least)])
    pd.testing.assert_frame_equal(least, worklist.loc[least.index], check_dtype=False)


@pytest.fixture(scope="module")
def knee(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample with some cases that nobody read, and one that a model did not predict."""
    study = read_study(sample_folder("mixed_digits"))
    kept = study.tasks[next(iter(study.tasks))]
    readings = kept.readings.keep(kept.readings.case % 11 != 3)
    models = dict(kept.predictions)
    name = next(iter(models))
    probability = models[name].probability.copy()
    probability[[5, 300]] = np.nan
    models[name] = replace(models[name], probability=probability)
    task = replace(kept, readings=readings, predictions=models)
    folder = tmp_path_factory.mktemp("study") / "study"
    write_study(replace(study, tasks={task.name: task}, features=None, references=None), folder)
    return folder


@pytest.mark.slow
def test_sums_over_parts_are_those_of_the_study(knee: Path, tmp_path: Path) -> None:
    """Metrics, worklist, agreement, and every model's soft metrics for every label."""
    study = read_study(knee)
    task = next(iter(study.tasks.values()))
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / ".part-00000.parquet.lost").write_text("half of it")
    found = evaluated(parted(knee, tmp_path / "parts", 97), tmp_path)
    assert {path.name[:5] for path in (tmp_path / "cases").iterdir()} == {"part-"}
    require_like_in_memory(study, found, AggregationChoice())
    rows = found.tables["agreement"].set_index("coefficient")
    for name, wanted in chance_agreement(panel(study, task).counts).items():
        assert rows.loc[name, "value"] == pytest.approx(wanted.value, abs=1e-12)
        assert rows.loc[name, "standard_error"] == pytest.approx(wanted.standard_error, abs=1e-12)
        assert rows.loc[name, "n_cases"] == wanted.n_cases
    by_label = found.tables["by_label"].set_index(["label", "model", "metric"])
    for label in task.labels:
        compared = comparison(study, task, label=label)
        p = compared.plausibility
        for model, score in zip(compared.models, compared.score, strict=True):
            for metric, value, error in (
                ("s-AUROC", s_auroc(score, p), auroc_error(score, p)),
                ("s-AP", s_ap(score, p), ap_error(score, p)),
                ("soft Brier score", soft_brier(score, p), brier_error(score, p)),
                ("soft log loss", soft_log_loss(score, p), log_loss_error(score, p)),
            ):
                row = by_label.loc[(label, model, metric)]
                assert row["value"] == pytest.approx(float(value), abs=1e-12), (label, model, metric)
                assert row["standard_error"] == pytest.approx(error, abs=1e-12), (label, model, metric)
                assert row["n_cases"] == len(p)


@pytest.mark.slow
def test_the_division_does_not_matter(knee: Path, tmp_path: Path) -> None:
    """Means and errors have the same bits; spreads over draws differ by rounding."""
    divided = {n: parted(knee, tmp_path / f"{n}", n) for n in (50, 399, 9999)}
    found = [evaluated(of, tmp_path / f"of {n}", most=10_000) for n, of in divided.items()]
    for other in found[1:]:
        for name in TABLES:
            one, two = found[0].tables[name], other.tables[name]
            if name == "facts":
                one, two = (of[of["fact"] != "parts"] for of in (one, two))
            if name == "metrics":
                spreads = ["low", "high"]
                pd.testing.assert_frame_equal(one[spreads], two[spreads], rtol=0, atol=1e-12)
                one, two = (of.drop(columns=spreads) for of in (one, two))
            pd.testing.assert_frame_equal(one, two, check_exact=True, check_dtype=False)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["plackett-luce", "prirn", "irn", "majority"])
def test_every_model_of_single_cases_is_the_same(model: str, tmp_path: Path) -> None:
    """Of differentials, with draws and without, at a reliability and as a point estimate."""
    study = sample_folder("dermatology_like")
    chosen = AggregationChoice(model=model, draws=40, warmup=10)
    found = evaluated(parted(study, tmp_path / "parts", 70), tmp_path, chosen=chosen, most=30)
    require_like_in_memory(read_study(study), found, chosen)


@pytest.mark.slow
def test_workers_make_no_difference_and_one_may_be_lost(
    knee: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bits from one process, from three, and where one of three is killed in the middle."""
    # Streamlit's trial of a page leaves its script for the program that ran, which new processes run too.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    folder = parted(knee, tmp_path / "parts", 25)
    alone = evaluated(folder, tmp_path / "alone")
    killed: list[int] = []
    with engine(workers=3) as who:
        pids = list(who._client.run(os.getpid).values())  # type: ignore[attr-defined]

        def kill(share: float, _what: str) -> None:
            if share > 0.2 and not killed:
                killed.append(pids[1])
                os.kill(pids[1], signal.SIGKILL)

        asked = StreamedChoice(AggregationChoice(), most=40)
        together = evaluate_parts(
            read_manifest(folder), asked, tmp_path / "together" / "cases", who, progress=kill
        )
    assert killed
    for name in TABLES:
        pd.testing.assert_frame_equal(alone.tables[name], together.tables[name], check_exact=True)
    for path in (tmp_path / "alone" / "cases").iterdir():
        assert path.read_bytes() == (tmp_path / "together" / "cases" / path.name).read_bytes()


def test_some_cases_are_read_as_they_are_in_the_study(knee: Path, tmp_path: Path) -> None:
    """In their order, with readings, predictions and metadata."""
    whole = read_study(knee)
    parts = read_manifest(parted(knee, tmp_path / "parts", 97))
    positions = np.array([0, 5, 96, 97, 300, whole.n_cases - 1])
    some = read_cases(parts, positions)
    assert list(some.case_ids) == [whole.case_ids[i] for i in positions]
    task = next(iter(whole.tasks.values()))
    own = some.tasks[task.name]
    wanted = task.readings.take_cases(positions)
    np.testing.assert_array_equal(own.readings.label, wanted.label)
    assert own.labels == task.labels
    for model, of in task.predictions.items():
        np.testing.assert_array_equal(own.predictions[model].probability, of.probability[positions])


def test_cases_are_found_among_all(knee: Path, tmp_path: Path) -> None:
    """By metadata and by what was counted of them, the least certain first; a wrong condition is refused."""
    whole = read_study(knee)
    parts = read_manifest(parted(knee, tmp_path / "parts", 97))
    evaluated(tmp_path / "parts", tmp_path)
    cases = evaluate(whole).tables["cases"]
    wanted = cases[(cases["certainty"] > 0.5) & (cases["leading"] == "3")]
    asked = 'certainty > 0.5 and leading == "3"'
    positions, number = least_certain(parts, tmp_path / "cases", where=asked, most=5)
    assert number == len(wanted) > 5
    least = wanted["certainty"].sort_values(kind="stable").index[:5]
    assert {whole.case_ids[i] for i in positions} == set(least)
    column = next(name for name in whole.cases if name not in ("image", "reference"))
    value = whole.cases[column].iloc[7]
    _, number = least_certain(parts, tmp_path / "cases", where=f"`{column}` == {value}")
    assert number == int((whole.cases[column] == value).sum())
    with pytest.raises(ValueError, match="colour"):
        least_certain(parts, tmp_path / "cases", where="colour == 3")


def test_the_command_writes_tables_and_what_is_known_of_each_case(
    knee: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And writes them again over themselves, from the recipe too; what is not possible is refused."""
    assert main(["partition", str(knee), str(tmp_path / "parts"), "--cases", "150"]) == 0
    assert "cases in 3 parts" in capsys.readouterr().out
    command = ["evaluate", str(tmp_path / "parts"), "--out", str(tmp_path / "out")]
    assert main([*command, "--labels", "0, 7"]) == 0
    folder = tmp_path / "out" / "evaluate"
    assert set(pd.read_csv(folder / "by_label.csv")["label"]) == {0, 7}
    cases = pd.read_parquet(folder / "cases")
    assert list(cases["case_id"]) == list(read_study(knee).case_ids)
    assert "Sums ran over 3 parts" in (folder / "methods.md").read_text(encoding="utf-8")
    again = ["run", str(folder / "recipe.toml"), "--out", str(tmp_path / "again")]
    assert main(again) == 0
    assert "the same as then, byte by byte" in capsys.readouterr().out
    assert main([*command, "--overwrite"]) == 0
    (folder / "cases" / "mine.txt").write_text("x")
    assert main([*command, "--overwrite"]) == 1
    capsys.readouterr()
    for more, said in (
        (["--sweep"], "--sweep is not possible with a study in parts"),
        (["--reliability", "auto"], "--reliability auto is not possible"),
        (["--model", "gaussian"], "model for a choice task must be one of"),
        (["--labels", "<b>"], "label must be one of"),
        (["--task", "other"], "task must be one of"),
        (["--workers", "0"], "expected a whole number of 1 or more"),
    ):
        with pytest.raises(SystemExit) if "--workers" in more else nullcontext():
            assert main([*command[:2], "--out", str(tmp_path / "new"), *more]) == 1
        assert said in capsys.readouterr().err
        assert not (tmp_path / "new").exists()
    assert main(["evaluate", str(knee), "--out", str(tmp_path / "new"), "--workers", "2"]) == 1
    assert "--workers is for a study in parts" in capsys.readouterr().err


def test_a_published_format_is_imported_in_parts(tmp_path: Path) -> None:
    """As `loupe import` reads it, divided."""
    rng = np.random.default_rng(1)
    lines = [f"{i}\t{','.join(str(n) for n in rng.integers(0, 4, 3) + 1)}" for i in range(50)]
    (tmp_path / "hist.txt").write_text("\n".join(["id\thist", *lines]) + "\n")
    source = str(tmp_path / "hist.txt")
    assert main(["import", "label-histogram", source, str(tmp_path / "whole")]) == 0
    assert main(["import", "label-histogram", source, str(tmp_path / "parts"), "--partition", "20"]) == 0
    whole, parts = read_study(tmp_path / "whole"), read_manifest(tmp_path / "parts")
    assert parts.cases == (20, 20, 10)
    assert read_cases(parts, np.arange(50)).case_ids == whole.case_ids


def test_agreement_that_is_left_out_is_said(
    knee: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In what the command says, and in what it writes."""
    command = ["evaluate", str(parted(knee, tmp_path / "parts", 97)), "--out", str(tmp_path / "out")]
    assert main(command) == 0
    written = json.loads((tmp_path / "out" / "evaluate" / "evaluation.json").read_text(encoding="utf-8"))
    assert "agreement" not in " ".join(written["notes"])
    monkeypatch.setattr("core.streamed.patterns.MOST_PATTERNS", 3)
    capsys.readouterr()
    assert main([*command, "--overwrite"]) == 0
    said = "There are no coefficients of agreement: cases are answered in more than"
    assert f"warning: {said}" in capsys.readouterr().err
    assert not (tmp_path / "out" / "evaluate" / "agreement.csv").exists()
    written = json.loads((tmp_path / "out" / "evaluate" / "evaluation.json").read_text(encoding="utf-8"))
    assert any(note.startswith(said) for note in written["notes"])
