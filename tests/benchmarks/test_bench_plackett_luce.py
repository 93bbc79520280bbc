"""Time and memory of the Plackett–Luce posterior on the dermatology release."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from shared_data import shared_data

from core.plausibility.plackett_luce.posterior import plackett_luce
from core.study.formats import import_study
from core.study.model import Readings
from core.study.seeds import case_seeds
from core.threads import VARIABLE, most_threads

ROOT = Path(__file__).parents[2]
ROUNDS = 7
MOST_SECONDS = 1.0
"""γ = 3, all cases, 1,000 draws after 500: of all threads together."""

MOST_TIMES_FOR_RELIABILITY = 2.2
"""γ = 10 against γ = 1."""

MOST_TIMES_FOR_LABELS = 1.5
"""100,000 labels against 419."""

LEAST_TIMES_FOR_CORES = 1.7
"""One thread against all of two or more cores that are quiet, states and shares of labels included."""

MOST_MEGABYTES = 400

PEAK = """
import sys
import peak_memory
from core.plausibility.plackett_luce.posterior import plackett_luce
from core.study.formats import import_study
from core.study.seeds import case_seeds
study = import_study("dermatology-ddx", sys.argv[1])
task = study.tasks["condition"]
seeds = case_seeds(0, study.case_ids, "plackett-luce")
posterior = plackett_luce(task.readings, len(task.labels), gamma=3, seeds=seeds)
posterior.certainty(3)
print(peak_memory.peak() / 2**20)
"""


@pytest.fixture(scope="module")
def release() -> tuple[Readings, np.ndarray]:
    """Readings and seeds of the release."""
    study = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    return study.tasks["condition"].readings, case_seeds(0, study.case_ids, "plackett-luce")


def cpu_seconds(tasks: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """CPU time of each round of each task, taken in turns, after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            begin = time.process_time()
            task()
            seconds[name].append(time.process_time() - begin)
    return seconds


def test_reliability_and_number_of_labels(release, capsys):
    """A reading's weight and labels that nobody mentioned hardly cost anything."""
    readings, seeds = release

    def run(gamma: float, n_labels: int) -> Callable[[], object]:
        return lambda: plackett_luce(readings, n_labels, gamma=gamma, seeds=seeds)

    seconds = cpu_seconds(
        {
            "γ = 1": run(1, 419),
            "γ = 3": run(3, 419),
            "γ = 10": run(10, 419),
            "γ = 2.5": run(2.5, 419),
            "γ = 1, 100,000 labels": run(1, 100_000),
        }
    )
    median = {name: float(np.median(times)) for name, times in seconds.items()}
    with capsys.disabled():
        print(f"\n{len(seeds)} cases, 1,000 draws after 500: CPU seconds, of {ROUNDS} rounds")  # noqa: T201
        print(f"{'':24}{'median':>8}{'least':>8}{'to γ = 1':>10}")  # noqa: T201
        for name, times in seconds.items():
            ratio = median[name] / median["γ = 1"]
            print(f"{name:24}{median[name]:8.2f}{min(times):8.2f}{ratio:10.2f}")  # noqa: T201
    assert median["γ = 10"] <= MOST_TIMES_FOR_RELIABILITY * median["γ = 1"]
    assert median["γ = 1, 100,000 labels"] <= MOST_TIMES_FOR_LABELS * median["γ = 1"]
    assert min(seconds["γ = 3"]) <= MOST_SECONDS


def test_all_cores(release, capsys, monkeypatch):
    """The time that passes with one thread and with one for each core, in turns, and the same draws."""
    readings, seeds = release
    monkeypatch.delenv(VARIABLE, raising=False)
    if (n_cores := most_threads()) == 1:
        pytest.skip("needs two cores")

    def run(gamma: float, threads: int) -> tuple[float, bytes]:
        monkeypatch.setenv(VARIABLE, str(threads))
        begin = time.perf_counter()
        posterior = plackett_luce(readings, 419, gamma=gamma, seeds=seeds)
        return time.perf_counter() - begin, posterior.draws.value.tobytes()

    ratios = {}
    with capsys.disabled():
        print(f"\n{'':8}{'1 thread':>10}{f'{n_cores} threads':>12}{'ratio':>8}{'of medians':>12}")  # noqa: T201
        for gamma in (1, 3, 10, 2.5):
            seconds = []
            for _ in range(ROUNDS):
                (one, alone), (many, together) = run(gamma, 1), run(gamma, n_cores)
                assert together == alone
                seconds.append((one, many))
            (one, many), medians = np.min(seconds, axis=0), np.median(seconds, axis=0)
            ratios[gamma] = one / many
            ratio = f"{ratios[gamma]:8.2f}{medians[0] / medians[1]:12.2f}"
            print(f"γ = {gamma:<4}{one:10.3f}{many:12.3f}{ratio}")  # noqa: T201
    if (load := os.getloadavg()[0]) > n_cores + 0.5:
        pytest.skip(f"needs quiet cores, and {load:.1f} threads want to compute")
    assert min(ratios.values()) >= LEAST_TIMES_FOR_CORES


def test_peak_memory(capsys):
    """A process that reads the release, samples it and finds its top-3 certainties."""
    path = shared_data("data", "dermatology_ddx")
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path.resolve())],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests" / "helpers")))},
        capture_output=True,
        text=True,
        check=True,
    )
    peak = float(done.stdout)
    with capsys.disabled():
        print(f"\npeak {peak:.0f} MB")  # noqa: T201
    assert peak < MOST_MEGABYTES
