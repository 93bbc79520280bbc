"""Plackett–Luce over parts: what a second worker gains, and what more would, from measured times.

``LOUPE_SCALING_PARTS`` says how many parts of 2,500 cases with five differentials there are, 16 if it is not
set. With more workers than this computer has, time is reckoned: parts go to whoever is free first, each
taking as long as measured; its tables before, and its answer and files after, go over one line that all
workers share, of ``LOUPE_BANDWIDTH`` megabytes a second, 100 if it is not set.
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
BANDWIDTH = 1e6 * float(os.environ.get("LOUPE_BANDWIDTH", "100"))
LEAST_GAIN = 1.8
"""How many times as fast as one two workers are, that have a processor each."""
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
    (folder / "scores").mkdir()
    return EvaluationQuestion(study, "main", folder / "scores", aggregation, (), folder / "cases")


def timed(question: EvaluationQuestion, part: int) -> tuple[float, int]:
    """Measure a part; how long it takes, and how much it sends back."""
    begin = time.perf_counter()
    result = measure_part(question, part)
    return time.perf_counter() - begin, len(cloudpickle.dumps(result))


def makespan(seconds: list[float], workers: int, *, loaded: float = 0.0, sent: float = 0.0) -> float:
    """Time until all parts are done, each by whoever is free first.

    Parameters
    ----------
    seconds : list of float
        What each part takes.
    workers : int
        How many there are.
    loaded, sent : float
        Seconds for which a part has the line to itself, before and after.
    """
    left, line, end = list(reversed(seconds)), 0.0, 0.0
    asks = [(0.0, worker, False) for worker in range(workers)]
    while asks:
        now, worker, is_done = heapq.heappop(asks)
        if is_done:
            line = end = max(line, now) + sent
            heapq.heappush(asks, (line, worker, False))
        elif left:
            line = max(line, now) + loaded
            heapq.heappush(asks, (line + left.pop(), worker, True))
    return end


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_reckoned_times() -> None:
    """By hand: with nothing to be sent, and where the line is what all wait for."""
    assert makespan([3.0, 1.0, 2.0, 2.0], 2) == 5.0
    assert makespan([1.0] * 4, 4, loaded=0.5, sent=0.25) == 3.25
    assert makespan([1.0] * 2, 1, loaded=0.5, sent=0.25) == 3.5
    assert makespan([0.0] * 100, 256, loaded=0.01, sent=0.02) == pytest.approx(3.0)


def test_scaling(question: EvaluationQuestion) -> None:
    """Two workers, and the table for a million cases."""
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
    gain = took[1] / took[2]
    loaded = size_of(question.study.folder) / N_PARTS
    kept = (size_of(question.folder) + size_of(question.cases)) / N_PARTS
    waits = loaded / BANDWIDTH, (kept + sent + len(cloudpickle.dumps(question))) / BANDWIDTH
    print(  # noqa: T201
        f"\n{N_PARTS * CASES:,} cases: {took[1]:.1f} s by one worker, {took[2]:.1f} s by two: {gain:.2f} "
        f"times as fast, asked is {LEAST_GAIN}; a part takes {np.mean(times):.2f} s, reads {loaded:,.0f} "
        f"bytes, keeps {kept:,.0f} and sends {sent:,}, which at {BANDWIDTH / 1e6:.0f} MB/s takes "
        f"{1000 * sum(waits):.1f} ms"
    )
    whole = times * (1_000_000 // (N_PARTS * CASES))
    alone = makespan(whole, 1, loaded=waits[0], sent=waits[1])
    for workers in WORKERS:
        bare = makespan(whole, workers)
        real = makespan(whole, workers, loaded=waits[0], sent=waits[1])
        print(  # noqa: T201
            f"{workers:4d} workers, a million cases, reckoned: {real:8.1f} s, {alone / real:6.1f} times as "
            f"fast; {real - bare:6.2f} s of it by transfer"
        )
    assert gain > LEAST_GAIN
