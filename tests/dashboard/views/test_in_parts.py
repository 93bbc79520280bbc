"""A study in parts: counted when somebody asks for it, then all cases in numbers and some one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.cli import main, sample_folder
from core.streamed.aggregates import aggregates_folder, are_counted, read_aggregates
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions
from core.study.reading.folder import read_study
from dashboard.shell import cache, studies
from dashboard.views import in_parts


def _script() -> None:
    from dashboard.app import main

    main()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sample in three parts that nobody has counted."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    write_partitions(sample_folder("mixed_digits"), tmp_path / "parts", cases=150)
    studies.add_folder(tmp_path / "parts")
    cache.forget_studies()
    return tmp_path / "parts"


def opened(folder: Path) -> AppTest:
    """The page Study."""
    test = AppTest.from_function(_script, default_timeout=120)
    test.query_params["study"] = str(folder)
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """All that is said."""
    return " ".join(one.proto.body for one in test.get("html"))


@pytest.mark.slow
def test_it_is_counted_once_and_then_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a press; what is shown of all cases are the numbers of the whole study."""
    monkeypatch.setattr("core.streamed.sample.MOST_CASES", 60)
    monkeypatch.setattr("core.streamed.sample.least_certain.__kwdefaults__", {"most": 60})
    monkeypatch.setattr("core.streamed.aggregates.MOST_CASES", 60)
    test = opened(folder)
    assert "This study is in 3 parts, 400 cases in all" in words(test)
    assert not are_counted(read_manifest(folder))
    test.button(key="count-parts").click().run()
    job = in_parts.counting(str(folder), aggregates_folder(read_manifest(folder)).name)
    job.wait(100)
    assert job.result, job.failure
    test.run()
    assert not test.exception
    said = words(test)
    assert "400 cases in 3 parts" in said
    assert "Shown here: the 60 least certain of 400 cases." in said
    found = read_aggregates(read_manifest(folder))
    assert found.study.n_cases == 60
    certainty = found.tables["metrics"].set_index("metric").loc["top-1 certainty", "value"]
    from core.analysis.reliability.sweep import metrics_at
    from core.plausibility.settings import default_aggregation

    whole = read_study(sample_folder("mixed_digits"))
    task = next(iter(whole.tasks.values()))
    wanted = metrics_at(whole, task, default_aggregation(task)).set_index("metric")
    assert certainty == pytest.approx(wanted.loc["top-1 certainty", "value"], abs=1e-12)


@pytest.mark.slow
def test_what_cannot_be_counted_says_why(folder: Path) -> None:
    """In the words of the command; the study can be tried again."""
    manifest = read_manifest(folder)
    path = folder / "parts" / "part-00001" / "annotations.parquet"
    path.write_bytes(bytes(path.stat().st_size))
    test = opened(folder)
    test.button(key="count-parts").click().run()
    job = in_parts.counting(str(folder), aggregates_folder(manifest).name)
    job.wait(100)
    assert job.result is None
    assert "part-00001/annotations.parquet" in job.failure
    assert not aggregates_folder(manifest).exists()
    test.run()
    assert "part-00001/annotations.parquet" in words(test)


def test_the_command_counts_for_the_dashboard_too(folder: Path) -> None:
    """What it writes into the folder is what is opened."""
    manifest = read_manifest(folder)
    assert main(["evaluate", str(folder), "--out", str(aggregates_folder(manifest))]) == 0
    assert are_counted(manifest)
    said = words(opened(folder))
    assert "400 cases in 3 parts" in said
    assert "Counted under Label counts, γ = 1, for every number here. Each reading counts once." in said
    assert "the 400 least certain of 400 cases" in said
    assert "readings support" not in said  # Of these cases alone it would be too small.


def test_a_condition_is_put_to_all_cases(folder: Path) -> None:
    """In the address as of any study; what was counted of a case may stand in it; none is said."""
    assert main(["evaluate", str(folder), "--out", str(aggregates_folder(read_manifest(folder)))]) == 0
    for where, said in (
        ('certainty < 0.6 and leading == "3"', "of 400 cases that fulfil the condition"),
        ("certainty < 0", "None of 400 cases fulfils it"),
        ("colour == 3", "is not in force"),
    ):
        test = AppTest.from_function(_script, default_timeout=120)
        test.query_params["study"] = str(folder)
        test.query_params["where"] = where
        test.run()
        assert not test.exception
        assert said in words(test), words(test)[:2000]


def test_what_was_counted_under_is_said(folder: Path) -> None:
    """Another model and reliability than the usual ones; and why there is no agreement."""
    out = str(aggregates_folder(read_manifest(folder)))
    assert main(["evaluate", str(folder), "--out", out, "--model", "majority"]) == 0
    written = aggregates_folder(read_manifest(folder)) / "evaluate" / "evaluation.json"
    said = json.loads(written.read_text(encoding="utf-8"))
    said["notes"].append("There are no coefficients of agreement: cases are answered in many ways.")
    written.write_text(json.dumps(said), encoding="utf-8")
    shown = words(opened(folder))
    assert "Counted under Majority, for every number here. Majority is a point estimate" in shown
    assert "There are no coefficients of agreement: cases are answered in many ways." in shown


def test_a_study_that_has_changed_is_not_shown_as_it_was(folder: Path) -> None:
    """A table of another size is refused by name; one of the same size, written later, is counted again."""
    out = str(aggregates_folder(read_manifest(folder)))
    assert main(["evaluate", str(folder), "--out", out]) == 0
    path = folder / "parts" / "part-00001" / "annotations.parquet"
    held = path.read_bytes()
    path.write_bytes(held[:-1] + b"x")
    assert not are_counted(read_manifest(folder))
    path.write_bytes(held + b"x")
    cache.forget_studies()
    assert "parts/part-00001/annotations.parquet" in words(opened(folder))
