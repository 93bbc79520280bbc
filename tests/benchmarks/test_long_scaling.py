"""Plackett–Luce over parts: what a second worker gains, and what more would, from measured times.

``LOUPE_SCALING_PARTS`` says how many parts of 2,500 cases with five differentials there are, 16 if it is not
set. With more workers than this computer has, time is reckoned: parts go to whoever is free first, each
taking as long as measured.
"""

from __future__ import annotations

import heapq
import os
import sys
import time
from functools import partial
from pathlib import Path

import cloudpickle
import numpy as np
import pandas as pd
import pytest

from core.plausibility.settings import Aggregation
from core.streamed.engine import engine
from core.streamed.evaluation_part import EvaluationQuestion
from core.streamed.part import measure_part
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions

N_PARTS = int(os.environ.get("LOUPE_SCALING_PARTS", "16"))
CASES = 2500
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # Workers cannot import the tests.


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> EvaluationQuestion:
    """A study of differentials, in parts."""
    folder = tmp_path_factory.mktemp("scaling")
    rng = np.random.default_rng(3)
    n = N_PARTS * CASES
    strength = rng.gumbel(size=(n, 1, 12)) * 1.5
    ranked = np.argsort(-(strength + rng.gumbel(size=(n, 5, 12))), axis=2)[:, :, :3]
    frame = pd.DataFrame(
        {
            "case_id": np.repeat([f"c{i:07d}" for i in range(n)], 15),
            "rater_id": np.tile(np.repeat([f"r{i}" for i in range(5)], 3), n),
            "label": [f"L{k:02d}" for k in ranked.ravel()],
            "rank": np.tile([1, 2, 3], 5 * n),
        }
    )
    (folder / "whole").mkdir()
    frame.to_parquet(folder / "whole" / "annotations.parquet")
    (folder / "whole" / "study.toml").write_text('[tasks.main]\nkind = "ranking"\n')
    write_partitions(folder / "whole", folder / "parts", cases=CASES)
    aggregation = Aggregation("plackett-luce", 1.0)
    study = read_manifest(folder / "parts")
    return EvaluationQuestion(study, "main", folder / "scores", aggregation, (), folder / "cases")


def timed(question: EvaluationQuestion, part: int) -> tuple[float, int]:
    """Measure a part; how long it takes, and how much it sends back."""
    begin = time.perf_counter()
    result = measure_part(question, part)
    return time.perf_counter() - begin, len(cloudpickle.dumps(result))


def makespan(seconds: list[float], workers: int) -> float:
    """Time until all parts are done, each by whoever is free first."""
    free = [0.0] * workers
    for one in seconds:
        heapq.heappush(free, heapq.heappop(free) + one)
    return max(free)


def test_scaling(question: EvaluationQuestion, tmp_path: Path) -> None:
    """Asked: two workers at least 1.8 times as fast as one."""
    took: dict[int, float] = {}
    times: list[float] = []
    sent = 0
    for workers in (1, 2, 1, 2):
        os.environ["LOUPE_THREADS"] = "1"
        with engine(workers=workers) as who:
            who.run(partial(timed, question), 2, lambda share: None)  # Compiled code is loaded.
            begin = time.perf_counter()
            found = who.run(partial(timed, question), N_PARTS, lambda share: None)
            seconds = time.perf_counter() - begin
        took[workers] = min(took.get(workers, np.inf), seconds)
        if workers == 1:
            times, sent = [one for one, _ in found], max(size for _, size in found)
    print(  # noqa: T201
        f"\n{N_PARTS * CASES:,} cases: {took[1]:.1f} s by one worker, {took[2]:.1f} s by two, "
        f"{took[1] / took[2]:.2f} times as fast; a part takes {np.mean(times):.2f} s and sends {sent:,} bytes"
    )
    whole = times * (1_000_000 // (N_PARTS * CASES))
    for workers in WORKERS:
        print(f"{workers:4d} workers, a million cases, reckoned: {makespan(whole, workers):8.1f} s")  # noqa: T201
    assert took[1] / took[2] > 1.5
