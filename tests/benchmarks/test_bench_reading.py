"""Reading of large studies: ``pytest tests/benchmarks/test_bench_reading.py``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.study.model import Study
from core.study.reading.folder import read_study, write_study

N_CASES, N_READERS, N_LABELS = 200_000, 5, 10


@pytest.fixture(scope="module")
def choice_folder(tmp_path_factory) -> Path:
    """A million choices in random order, and a model over all cases."""
    folder = tmp_path_factory.mktemp("choice")
    rng = np.random.default_rng(0)
    case = np.repeat(np.arange(N_CASES), N_READERS)
    frame = pd.DataFrame(
        {
            "case_id": [f"case {i}" for i in case],
            "rater_id": [f"rater {i}" for i in np.tile(np.arange(N_READERS), N_CASES)],
            "label": [f"label {i}" for i in rng.integers(0, N_LABELS, len(case))],
            "confidence": rng.integers(0, 101, len(case)) / 100,
        }
    )
    frame.sample(frac=1, random_state=0).to_csv(folder / "annotations.csv", index=False)
    probability = rng.dirichlet(np.ones(N_LABELS), N_CASES)
    wide = pd.DataFrame(probability, columns=[f"label {i}" for i in range(N_LABELS)])
    wide.insert(0, "case_id", [f"case {i}" for i in range(N_CASES)])
    (folder / "predictions").mkdir()
    wide.to_csv(folder / "predictions" / "m.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def study(choice_folder) -> Study:
    """The same study in memory."""
    return read_study(choice_folder)


def test_read_a_million_choices(benchmark, choice_folder):
    """10⁶ rows, 10 labels and one model, from CSV."""
    study = benchmark.pedantic(read_study, args=[choice_folder], rounds=3)
    assert study.tasks["main"].readings.n_readings == N_CASES * N_READERS


def test_write_a_million_choices(benchmark, study, tmp_path):
    """The same, to CSV."""
    benchmark.pedantic(write_study, args=[study, tmp_path / "again"], rounds=2)


def test_read_ten_thousand_labels(benchmark, tmp_path):
    """A model of 1,000 cases × 10,000 labels."""
    n_cases, n_labels = 1000, 10_000
    rng = np.random.default_rng(0)
    labels = [f"label {i}" for i in range(n_labels)]
    (tmp_path / "predictions").mkdir()
    (tmp_path / "labels.csv").write_text("label\n" + "\n".join(labels) + "\n")
    rows = "".join(f"{i},a,label {i}\n" for i in range(n_cases))
    (tmp_path / "annotations.csv").write_text("case_id,rater_id,label\n" + rows)
    wide = pd.DataFrame(rng.dirichlet(np.full(n_labels, 0.1), n_cases), columns=labels)
    wide.insert(0, "case_id", np.arange(n_cases))
    wide.to_csv(tmp_path / "predictions" / "m.csv", index=False)
    study = benchmark.pedantic(read_study, args=[tmp_path], rounds=2)
    assert study.tasks["main"].predictions["m"].probability.shape == (n_cases, n_labels)


def test_refuse_a_million_bad_rows(benchmark, choice_folder, tmp_path):
    """Every row with a confidence in percent: listing them stays as quick as reading."""
    frame = pd.read_csv(choice_folder / "annotations.csv")
    frame["confidence"] = frame["confidence"] * 100 + 2
    frame.to_csv(tmp_path / "annotations.csv", index=False)

    def refuse() -> int:
        with pytest.raises(ValueError, match="like this") as caught:
            read_study(tmp_path)
        return len(caught.value.problems)  # type: ignore[attr-defined]

    assert benchmark.pedantic(refuse, rounds=2) < 30
