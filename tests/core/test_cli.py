"""The command line, as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.columns import as_written
from core.analysis.reliability.sweep import metrics_at
from core.cli import main, sample_folder, shown
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study


def test_check_accepts_every_sample(capsys: pytest.CaptureFixture[str]) -> None:
    """A bundled study has no errors."""
    for sample in ("dermatology_like", "toy_three_labels", "scores", "mixed_digits"):
        assert main(["check", str(sample_folder(sample))]) == 0
        assert "no errors" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "handed_on"),
    [
        ([], []),
        (["open"], []),
        (["open", str(sample_folder()), "--no-browser"], [str(sample_folder()), "--no-browser"]),
        (["open", "--port", "8600"], ["--port", "8600"]),
    ],
)
def test_the_dashboard_is_handed_a_study_only_where_one_is_named(
    arguments: list[str], handed_on: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only then does it open that instead of the tour; the main sample it knows by itself."""
    became: list[tuple[str, ...]] = []
    monkeypatch.setattr(shown, "_become", lambda *given: became.append(given) or 0)
    assert main(arguments) == 0
    assert became == [("dashboard", *handed_on)]


def test_a_condition_of_a_picture_goes_into_its_address_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the address has one already, it is not guessed which is meant."""
    became: list[tuple[str, ...]] = []
    monkeypatch.setattr(shown, "_become", lambda *given: became.append(given) or 0)
    command = ["picture", str(sample_folder()), "--out", str(tmp_path), "--where", 'site == "A"', "--link"]
    for link in ("/study", "/study?reliability=3"):
        assert main([*command, link]) == 0
    where = "where=site+%3D%3D+%22A%22"
    assert [of[2] for of in became] == [f"/study?{where}", f"/study?reliability=3&{where}"]
    assert main([*command, "/study?where=x"]) == 1
    assert "the address has where already: give it there or by --where" in capsys.readouterr().err


def test_dangers_of_a_picture_go_into_its_address_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each label that counts as high risk, whatever its letters."""
    became: list[tuple[str, ...]] = []
    monkeypatch.setattr(shown, "_become", lambda *given: became.append(given) or 0)
    command = ["picture", str(sample_folder()), "--out", str(tmp_path)]
    command += ["--high-risk-label", "a, b", "--high-risk-label", "SCC/SCCIS", "--link"]
    assert main([*command, "/study"]) == 0
    assert [of[2] for of in became] == ["/study?dangers=a%2C+b&dangers=SCC%2FSCCIS"]
    assert main([*command, "/study?dangers=a"]) == 1
    assert "the address has dangers already: give it there or by --high-risk-label" in capsys.readouterr().err


def test_dangers_count_in_what_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A command says which labels count, and its tables too; one that is not there is refused."""
    of = sample_folder("knee_mri")
    command = ["evaluate", str(of), "--reliability", "1", "--out", str(tmp_path / "out")]
    assert main([*command, "--high-risk-label", "tear"]) == 1
    assert "no label 'tear'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main([*command, "--high-risk-label", "Tear"]) == 0
    assert "High risk: Tear." in capsys.readouterr().out
    written = tmp_path / "out" / "evaluate"
    assert (written / "high_risk.csv").is_file()
    assert "labels that count as high risk" in (written / "evaluation.json").read_text(encoding="utf-8")
    assert "by choice: Tear." in (written / "methods.md").read_text(encoding="utf-8")
    assert main(["plan", "--certainty", "0.8", "--high-risk-label", "Tear"]) == 1
    assert "--high-risk-label is about a STUDY, and none is given" in capsys.readouterr().err


def test_a_part_of_the_dashboard_that_is_waited_for_says_how_it_ended(tmp_path: Path) -> None:
    """Its status is that of the step of a recipe."""
    (tmp_path / "a.json").write_text("{}")
    assert shown._wait_for("json.tool", str(tmp_path / "a.json"), str(tmp_path / "b.json")) == 0
    assert (tmp_path / "b.json").is_file()
    assert shown._wait_for("json.tool", str(tmp_path / "none.json")) > 0


def test_check_lists_every_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All problems come at once, with file, row and column; the status says refused."""
    (tmp_path / "study.toml").write_text('name = "x"\n[tasks.t]\nkind = "ranking"\n')
    (tmp_path / "annotations.csv").write_text(
        "case_id,rater_id,label,rank\n1,a,X,first\n1,b,Y,1\n1,b,Z,0\n2,a,,1\n"
    )
    assert main(["check", str(tmp_path)]) == 1
    problems = capsys.readouterr().err
    for row in (2, 4, 5):
        assert f"annotations.csv, row {row}" in problems
    assert "Traceback" not in problems


@pytest.mark.parametrize("what", ["missing", "file"])
def test_check_refuses_what_is_no_study(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is not there, or a file, is refused in words."""
    path = tmp_path / "study"
    if what == "file":
        path.write_bytes(b"\x89PNG")
    assert main(["check", str(path)]) == 1
    assert "study" in capsys.readouterr().err


@pytest.mark.slow
def test_evaluate_writes_the_tables_that_the_pages_show(tmp_path: Path) -> None:
    """Metrics on disk equal those from Python; the JSON has the settings."""
    out = tmp_path / "tables"
    study = sample_folder("dermatology_like")
    arguments = ["evaluate", str(study), "--model", "prirn", "--reliability", "5", "--out", str(out)]
    assert main(arguments) == 0
    out /= "evaluate"
    table = pd.read_csv(out / "metrics.csv")
    loaded = read_study(study)
    expected = metrics_at(loaded, next(iter(loaded.tasks.values())), Aggregation("prirn", 5))
    written = as_written("evaluation", "metrics", expected)
    pd.testing.assert_frame_equal(table, written, check_dtype=False, rtol=1e-12)
    content = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    assert list(content["metrics"][0]) == list(table.columns)
    settings = content["settings"]
    assert settings["fingerprint"] == loaded.fingerprint
    assert settings["reliability"] == "5"
    assert len(pd.read_csv(out / "cases.csv")) == loaded.n_cases


def test_evaluate_finds_the_reliability_itself(tmp_path: Path) -> None:
    """`auto` takes the best of the predictive curve and writes the curve."""
    assert (
        main(
            ["evaluate", str(sample_folder("mixed_digits")), "--reliability", "auto", "--out", str(tmp_path)]
        )
        == 0
    )
    settings = json.loads((tmp_path / "evaluate" / "evaluation.json").read_text(encoding="utf-8"))["settings"]
    curve = pd.read_csv(tmp_path / "evaluate" / "reliability.csv")
    best = curve.loc[curve["log_likelihood"].idxmax(), "reliability"]
    assert float(settings["reliability"]) == best


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--model", "magic", "plackett-luce"),
        ("--model", "label-counts", "ranking"),
        ("--task", "x", "task must be"),
    ],
)
def test_evaluate_refuses_in_words(
    option: str, value: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong model or task names those that are right."""
    status = main(["evaluate", str(sample_folder()), option, value, "--out", str(tmp_path)])
    assert status == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("reliability", ["0", "-1", "nan", "high"])
def test_evaluate_refuses_a_bad_reliability(reliability: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Reliability is above 0, inf or auto."""
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", str(sample_folder()), f"--reliability={reliability}", "--out", "x"])
    assert stop.value.code == 2
    assert "auto" in capsys.readouterr().err


def test_simulate_makes_a_study_that_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kind can be drawn, written and read; what is there is not written over."""
    for kind in ("ranking", "choice", "score"):
        target = tmp_path / kind
        assert main(["simulate", str(target), "--kind", kind, "--cases", "12"]) == 0
        assert main(["check", str(target)]) == 0
        assert main(["simulate", str(target), "--kind", kind]) == 1
    assert "holds files" in capsys.readouterr().err


def test_import_refuses_an_unknown_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The formats are named."""
    assert main(["import", "dicom", str(tmp_path / "in"), str(tmp_path / "out")]) == 1
    assert "dermatology-ddx" in capsys.readouterr().err


def test_evaluate_reports_convergence_of_draws(tmp_path: Path) -> None:
    """A sampled posterior comes with R-hat and effective sample size, for each case and in sum."""
    study = sample_folder("toy_three_labels")
    assert (
        main(["evaluate", str(study), "--model", "plackett-luce", "--draws", "200", "--out", str(tmp_path)])
        == 0
    )
    content = json.loads((tmp_path / "evaluate" / "evaluation.json").read_text(encoding="utf-8"))
    cases = pd.read_csv(tmp_path / "evaluate" / "cases.csv")
    assert content["convergence"]["worst_rhat"] == pytest.approx(cases["rhat"].max())
    assert content["convergence"]["smallest_ess"] == pytest.approx(cases["ess"].min())
