"""Bundled studies, the public release, and small posteriors with their brute-force expansion."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np
import pytest
from shared_data import shared_data

from core.cli import sample_folder
from core.plausibility.candidates import Candidates
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.plackett_luce.posterior import plackett_luce
from core.plausibility.posterior import SampledPosterior
from core.study.model import Readings, Study
from core.study.reading.folder import read_study
from core.study.seeds import case_seeds

K = 5
MENTIONED = ([0, 2, 4], [1, 2], [3], [0, 1, 2, 3, 4], [1, 3, 4], [0, 3])


def build(mentioned: tuple[list[int], ...], n_labels: int, n_draws: int, seed: int) -> SampledPosterior:
    """Draw a posterior with the given candidates and flat Dirichlet plausibilities."""
    generator = np.random.default_rng(seed)
    start = np.cumsum([0, *map(len, mentioned)]).astype(np.int64)
    label = np.array([y for labels in mentioned for y in labels], np.int32)
    candidates = Candidates(start, label, n_labels)
    value = np.empty((len(label), n_draws))
    rest = np.zeros((len(mentioned), n_draws))
    for i, labels in enumerate(mentioned):
        masses = generator.dirichlet(np.ones(len(labels) + (len(labels) < n_labels)), n_draws).T
        value[candidates.of_case(i)] = masses[: len(labels)]
        if len(labels) < n_labels:
            rest[i] = masses[-1]
    sizes, size = np.unique(candidates.unmentioned, return_inverse=True)
    shares = np.zeros((len(sizes), n_draws, LARGEST))
    for row, m in enumerate(sizes[:]):
        if m:
            shares[row, :, :m] = -np.sort(-generator.dirichlet(np.ones(m), n_draws), axis=1)
    return SampledPosterior(Draws(candidates, value, rest, shares, size.astype(np.int64), concentration=1.0))


def expand(posterior: SampledPosterior, case: int, draw: int) -> Iterator[np.ndarray]:
    """Every full plausibility vector that one draw of one case may stand for, all equally probable."""
    candidates, draws = posterior.candidates, posterior.draws
    mentioned = candidates.label[candidates.of_case(case)]
    others = np.setdiff1d(np.arange(candidates.n_labels), mentioned)
    shares = draws.shares[draws.size[case], draw, : len(others)]
    for order in permutations(range(len(others))):
        full = np.zeros(candidates.n_labels)
        full[mentioned] = draws.value[candidates.of_case(case), draw]
        full[others] = draws.rest[case, draw] * shares[list(order)]
        yield full


def average(posterior: SampledPosterior, metric: Callable[[int, np.ndarray], float]) -> np.ndarray:
    """Mean of ``metric(case, λ)`` over everything a draw may stand for, with shape (n_cases, n_draws)."""
    return np.array(
        [
            [
                np.mean([metric(case, full) for full in expand(posterior, case, draw)])
                for draw in range(posterior.draws.n_draws)
            ]
            for case in range(posterior.candidates.n_cases)
        ]
    )


def differentials(cases: list) -> Readings:
    """Readings from lists of differentials."""
    blocks_of = [blocks for case in cases for blocks in case]
    entries = [(y, b) for blocks in blocks_of for b, block in enumerate(blocks) for y in block]
    n = len(blocks_of)
    return Readings(
        case_start=np.cumsum([0, *map(len, cases)]),
        rater=np.arange(n, dtype=np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.cumsum([0, *(sum(map(len, blocks)) for blocks in blocks_of)]),
        label=np.array([y for y, _ in entries], np.int32),
        block=np.array([b for _, b in entries], np.int32),
    )


@pytest.fixture(scope="session")
def sampled() -> SampledPosterior:
    """Six cases over five labels, one with all labels mentioned, twelve draws."""
    return build(MENTIONED, K, 12, 1)


@pytest.fixture(scope="session")
def brute_force() -> Callable[..., np.ndarray]:
    """Give the function `average`."""
    return average


@pytest.fixture(scope="session")
def builder() -> Callable[..., SampledPosterior]:
    """Give the function `build`."""
    return build


@pytest.fixture(scope="session")
def readings_of() -> Callable[..., Readings]:
    """Give the function `differentials`."""
    return differentials


@pytest.fixture(scope="session")
def release() -> Readings:
    """Readings of the public dermatology release."""
    path = shared_data("data", "dermatology_ddx", "dermatology_selectors.json")
    return differentials(json.loads(path.read_text()))


@pytest.fixture(scope="session")
def plackett_luce_draws(release: Readings) -> SampledPosterior:
    """Plackett–Luce posterior of the release at γ = 3."""
    seeds = case_seeds(0, [str(case) for case in range(release.n_cases)], "plackett-luce")
    return plackett_luce(release, 419, gamma=3, seeds=seeds)


@pytest.fixture(scope="session")
def dermatology() -> Study:
    """Simulated differentials with risk levels and four models."""
    return read_study(sample_folder("dermatology_like"))


@pytest.fixture(scope="session")
def digits() -> Study:
    """Blended digits with known proportions, a choice task."""
    return read_study(sample_folder("mixed_digits"))


@pytest.fixture(scope="session")
def scores() -> Study:
    """Simulated scores with a threshold."""
    return read_study(sample_folder("scores"))
