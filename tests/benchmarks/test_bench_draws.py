"""Time of the questions asked of 1,000 draws of 1,947 cases with some four candidates among 419 labels."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from core.plausibility.candidates import Candidates
from core.plausibility.convergence import convergence
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.posterior import SampledPosterior

N_CASES, N_DRAWS, N_LABELS = 1947, 1000, 419
MOST_LEADER_SECONDS = 0.06


@pytest.fixture(scope="module")
def draws() -> Draws:
    """Gamma draws of 1 to 7 candidates a case and the largest of flat Dirichlet shares."""
    rng = np.random.default_rng(0)
    per_case = rng.integers(1, 8, N_CASES)
    start = np.concatenate([[0], np.cumsum(per_case)]).astype(np.int64)
    label = np.concatenate([np.sort(rng.choice(N_LABELS, n, replace=False)) for n in per_case])
    candidates = Candidates(start, label.astype(np.int32), N_LABELS)
    shape = rng.gamma(1.0, 2.0, len(label))[:, None] + 0.1
    value = rng.standard_gamma(shape, (len(label), N_DRAWS)).astype(np.float32)
    rest = rng.standard_gamma(1.0, (N_CASES, N_DRAWS)).astype(np.float32)
    total = np.add.reduceat(value, start[:-1], axis=0) + rest
    sizes, size = np.unique(candidates.unmentioned, return_inverse=True)
    shares = np.stack([-np.sort(-rng.dirichlet(np.ones(m), N_DRAWS))[:, :LARGEST] for m in sizes])
    return Draws(candidates, value / total[candidates.case], rest / total, shares, size, concentration=1.0)


def seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """Median processor time of some work, after one run that compiles."""
    times = []
    for _ in range(repeats + 1):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return float(np.median(times[1:]))


def numpy_leaders(draws: Draws) -> None:
    """Find the three leaders of every draw with NumPy, case by case."""
    for case in range(N_CASES):
        unmentioned = draws.rest[case] * draws.shares[draws.size[case], :, :3].T
        np.argsort(-np.vstack([draws.value[draws.candidates.of_case(case)], unmentioned]), axis=0)[:3]


def test_leaders_against_numpy(draws):
    """The three leaders of all draws in 0.06 s, and at least five times as fast as sorting with NumPy."""
    compiled = seconds(lambda: SampledPosterior(draws).leaders(3))
    sorting = seconds(lambda: numpy_leaders(draws), repeats=3)
    print(f"\nleaders(3): {1e3 * compiled:.1f} ms, NumPy {1e3 * sorting:.1f} ms")  # noqa: T201
    assert compiled < MOST_LEADER_SECONDS
    assert compiled < sorting / 5


QUESTIONS: dict[str, Callable[[SampledPosterior], object]] = {
    "mean": lambda posterior: posterior.mean,
    "in_top(3)": lambda posterior: posterior.in_top(3),
    "best_set(3)": lambda posterior: posterior.best_set(3),
    "certainty(1) to (3)": lambda posterior: [posterior.certainty(j) for j in (3, 2, 1)],
    "leaders(10)": lambda posterior: posterior.leaders(10),
    "three groups": lambda posterior: posterior.grouped(np.arange(N_LABELS) % 3, 3),
    "convergence": convergence,
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_question(benchmark, draws, question):
    """Time of one question put to a fresh posterior, its leaders included."""
    QUESTIONS[question](SampledPosterior(draws))
    benchmark.pedantic(lambda: QUESTIONS[question](SampledPosterior(draws)), rounds=5)
