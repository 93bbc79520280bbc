"""Models that learn from all cases at once, of a study in parts: as in memory, however it is divided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis.evaluate import evaluate
from core.cli import main, sample_folder
from core.plausibility.pooled import Pooled, pooled_of
from core.plausibility.settings import AggregationChoice
from core.progress import Progress
from core.streamed.engine import engine
from core.streamed.evaluate import StreamedChoice, StreamedEvaluation, evaluate_parts
from core.streamed.pooling import Learnt, PoolingQuestion, learn, read_learnt
from core.study.model import Study
from core.study.partitions.manifest import read_manifest
from core.study.partitions.reading import read_part
from core.study.partitions.writing import write_partitions
from core.study.reading.folder import read_study, write_study
from core.study.simulation.simulate import simulate

POINTS = {"dawid-skene": "choice", "accuracy-weighted": "choice", "gaussian": "score"}


def silent(_share: float, _what: str) -> None:
    """Hear of no progress."""


TELL: Progress = silent


def study_of(kind: str) -> Study:
    """A simulated study: some cases nobody read, and one rater reads at the end only."""
    study = simulate(kind, n_cases=240, seed=3).study  # type: ignore[arg-type]
    task = next(iter(study.tasks.values()))
    readings = task.readings
    kept = (readings.case % 17 != 5) & ((readings.rater != 1) | (readings.case > 200))
    return replace(study, tasks={task.name: replace(task, readings=readings.keep(kept))}, features=None)


@pytest.fixture(scope="module", params=sorted({*POINTS.values()}))
def studies(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a study and its divisions, named after the kind of its task."""
    folder = tmp_path_factory.mktemp("studies") / str(request.param)
    write_study(study_of(request.param), folder / "whole")
    for cases in (31, 100, 999):
        write_partitions(folder / "whole", folder / f"{cases}", cases=cases)
    return folder


def choices_for(folder: Path) -> list[AggregationChoice]:
    """Models to try on a study."""
    found = [AggregationChoice(model=model) for model, kind in POINTS.items() if kind == folder.name]
    if folder.name == "score":
        return [*found, AggregationChoice(model="gaussian", reliability=3.0)]
    return [*found, AggregationChoice(model="dawid-skene", error_prior=0.0)]


def learnt(folder: Path, chosen: AggregationChoice, place: Path) -> Learnt:
    """What a model learns of a study in parts."""
    study = read_manifest(folder)
    name = next(iter(study.settings.tasks))
    asked = PoolingQuestion(study, name, place, chosen.under(chosen.model))
    with engine() as who:
        path = learn(asked, who, TELL)
    assert path is not None
    return read_learnt(path)


def evaluated(folder: Path, place: Path, chosen: AggregationChoice) -> StreamedEvaluation:
    """Evaluate a study in parts."""
    with engine() as who:
        return evaluate_parts(read_manifest(folder), StreamedChoice(chosen, most=50), place / "cases", who)


def test_what_is_learnt_has_the_bits_of_the_study_in_memory(studies: Path, tmp_path: Path) -> None:
    """Confusion matrices, accuracies and the prior of scores, of one part, of three and of eight."""
    study = read_study(studies / "whole")
    task = next(iter(study.tasks.values()))
    for i, chosen in enumerate(choices_for(studies)):
        whole = pooled_of(study, task, chosen.under(chosen.model))
        for cases in (31, 100, 999):
            found = learnt(studies / f"{cases}", chosen, tmp_path / f"{i} {cases}")
            few, part = found.applied(read_part(read_manifest(studies / f"{cases}"), 0), task.name)
            assert pooled_of(few, part, chosen.under(chosen.model)) is found.pooled
            assert found.rater_ids == study.rater_ids
            own = found.pooled
            assert (own.model, own.prior) == (chosen.model, whole.prior)
            if whole.accuracy is not None:
                assert own.accuracy is not None
                np.testing.assert_array_equal(own.accuracy, whole.accuracy)
            if whole.fitted is not None:
                assert own.fitted is not None
                assert len(whole.fitted.log_posterior) > 3
                for name, array in vars(whole.fitted).items():
                    np.testing.assert_array_equal(getattr(own.fitted, name), array)


@pytest.mark.slow
def test_the_evaluation_is_that_of_the_study_in_memory(studies: Path, tmp_path: Path) -> None:
    """Metrics to rounding, and the worklist of the least certain cases."""
    study = read_study(studies / "whole")
    for i, chosen in enumerate(choices_for(studies)):
        whole = evaluate(study, chosen)
        found = evaluated(studies / "31", tmp_path / f"{i}", chosen)
        pd.testing.assert_frame_equal(
            found.tables["metrics"], whole.tables["metrics"], rtol=0, atol=1e-12, check_dtype=False
        )
        least = found.tables["least_certain"]
        pd.testing.assert_frame_equal(least, whole.tables["cases"].loc[least.index], check_dtype=False)


@pytest.mark.slow
def test_the_division_makes_no_difference(studies: Path, tmp_path: Path) -> None:
    """The same bits for every case."""
    chosen = choices_for(studies)[0]
    one, other = (evaluated(studies / n, tmp_path / n, chosen) for n in ("100", "31"))
    for name in ("certainty", "least_certain"):
        pd.testing.assert_frame_equal(one.tables[name], other.tables[name], check_exact=True)
    cases = [pd.read_parquet(tmp_path / name / "cases") for name in ("100", "31")]
    pd.testing.assert_frame_equal(*cases, check_exact=True)


def test_the_command_takes_such_a_model(tmp_path: Path) -> None:
    """With its options, and leaves nothing but tables behind."""
    study = sample_folder("knee_mri")
    assert main(["partition", str(study), str(tmp_path / "parts"), "--cases", "40"]) == 0
    command = ["evaluate", str(tmp_path / "parts"), "--out", str(tmp_path / "out"), "--model"]
    assert main([*command, "dawid-skene", "--error-prior", "2"]) == 0
    assert "Dawid" in (tmp_path / "out" / "evaluate" / "methods.md").read_text(encoding="utf-8")
    assert not list((tmp_path / "out").glob(".*"))


def test_other_options_are_not_answered_by_what_was_learnt() -> None:
    """What is kept with a task is of one model and one prior: others learn from its readings."""
    study = study_of("choice")
    task = next(iter(study.tasks.values()))
    chosen = AggregationChoice(model="dawid-skene", error_prior=2.0).under("dawid-skene")
    kept = Pooled("dawid-skene", 1.0, fitted=pooled_of(study, task, chosen).fitted)
    held = replace(task, pooled=kept)
    assert pooled_of(study, held, chosen) is not kept
    assert pooled_of(study, held, replace(chosen, error_prior=1.0)) is kept
    assert pooled_of(study, held, replace(chosen, model="accuracy-weighted")).accuracy is not None
