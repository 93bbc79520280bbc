"""Ten million cases in parts: time and memory of `loupe evaluate`, and what reading a part takes.

``LOUPE_PARTS`` says how many parts of 100,000 cases there are, 100 if it is not set.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from benchmarks.large_study import CASES, N_PARTS, shared_memory

from core.plausibility.settings import Aggregation
from core.streamed.evaluation_part import EvaluationQuestion
from core.streamed.part import measure_part
from core.study.partitions.contents import require_contents
from core.study.partitions.manifest import read_manifest, read_marks
from core.study.partitions.reading import read_part

MOST_SECONDS = 120.0
"""For ten million cases, by two workers that have a processor each."""
MOST_MEMORY = 4e9
"""Bytes of all processes together."""
MOST_OF_READING = 0.05
"""Share of the time that reading a part takes which comparing its contents may add."""
MOST_SENT = 200_000
"""Bytes that a part answers with."""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("workers", [2, 1])
def test_evaluate(large_study: Path, tmp_path: Path, workers: int) -> None:
    """All that `loupe evaluate` writes, from the command to its end."""
    begin, most = time.perf_counter(), 0
    command = [sys.executable, "-m", "core", "evaluate", str(large_study), "--out", str(tmp_path)]
    with subprocess.Popen([*command, "--workers", str(workers)]) as running:
        while running.poll() is None:
            time.sleep(0.25)
            try:
                most = max(most, shared_memory(running.pid))
            except OSError:
                continue
    seconds = time.perf_counter() - begin
    assert running.returncode == 0
    print(  # noqa: T201
        f"\n{N_PARTS * CASES:,} cases, {workers} workers: {seconds:.0f} s, {most / 1e9:.2f} GB at most; "
        f"asked of ten million and two workers are {MOST_SECONDS:.0f} s and {MOST_MEMORY / 1e9:.0f} GB"
    )
    if N_PARTS == 100 and workers == 2:
        assert most < MOST_MEMORY
        assert seconds < MOST_SECONDS


def least(work: Callable[[int], object]) -> float:
    """Seconds that work on a part takes, at least."""
    took = []
    for part in range(min(N_PARTS, 5)):
        begin = time.perf_counter()
        work(part)
        took.append(time.perf_counter() - begin)
    return float(np.min(took))


def test_a_part(large_study: Path, tmp_path: Path) -> None:
    """What comparing its contents takes of reading it, and what is sent of it."""
    study = read_manifest(large_study)
    (tmp_path / "kept").mkdir()
    question = EvaluationQuestion(
        study,
        "label",
        tmp_path / "kept",
        Aggregation("label-counts", 1.0),
        study.labels["label"],
        tmp_path / "cases",
    )
    sent = len(cloudpickle.dumps(measure_part(question, 0)))

    def compare(part: int) -> None:
        require_contents(study.part_folder(part), read_marks(study, part), "a part", ())

    opening = least(lambda _part: read_manifest(large_study))
    comparing, reading, measuring = (
        least(compare),
        least(lambda part: read_part(study, part)),
        least(lambda part: measure_part(question, part)),
    )
    print(  # noqa: T201
        f"\n{CASES:,} cases: {1000 * comparing:.0f} ms to compare contents, {1000 * reading:.0f} ms to read "
        f"with that, {1000 * measuring:.0f} ms to measure with both; {sent:,} bytes are sent. Opening "
        f"{N_PARTS} parts takes {1000 * opening:.0f} ms"
    )
    assert comparing < MOST_OF_READING * reading
    assert sent < MOST_SENT
