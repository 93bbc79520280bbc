"""What truths drawn from readings show of an AUROC and of a margin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.metrics.mrmc.attenuation import attenuation, shown_margin
from core.metrics.mrmc.curves import Curves
from core.metrics.mrmc.pair_sums import pair_sums


def curves_of(*scores: np.ndarray, modality: list[int] | None = None) -> Curves:
    """Curves of models by themselves, or of the modalities that are given."""
    at = np.arange(len(scores)) if modality is None else np.array(modality)
    names = tuple("ABC"[: at.max() + 1])
    readers = tuple(f"R{i}" for i in range(len(scores)))
    reader = np.full(len(scores), -1) if modality is None else np.arange(len(scores))
    return Curves(names, readers, at, reader, np.array(scores, float))


def drawn(rng: np.random.Generator, plausibility: np.ndarray, n: int) -> np.ndarray:
    """Truths drawn from plausibilities, case by case."""
    return rng.uniform(size=(n, len(plausibility))) < plausibility


def test_a_certain_truth_takes_nothing_away() -> None:
    """One truth, or draws that are all the same."""
    truth = np.arange(20) % 2 == 0
    curves = curves_of(np.arange(20.0))
    assert attenuation(curves, truth[None]).tolist() == [1.0]
    assert attenuation(curves, np.tile(truth, (5, 1))).tolist() == [1.0]


def test_it_is_the_formula_of_the_plausibilities() -> None:
    """Of the cases that were read, whatever the others are; draws that know nothing show nothing."""
    rng = np.random.default_rng(0)
    p = rng.choice([0.03, 0.4, 0.95], 4000)
    score = rng.normal(size=4000)
    holed = np.where(np.arange(4000) < 1500, score, np.nan)
    found = attenuation(curves_of(score, holed), drawn(rng, p, 30))
    for kept, of in zip(found, (p, p[:1500]), strict=True):
        a, b = (of**2).sum() / of.sum(), ((1 - of) ** 2).sum() / (1 - of).sum()
        assert kept == pytest.approx(a + b - 1, abs=0.005)
    nothing = attenuation(curves_of(score), drawn(rng, np.full(4000, 0.5), 10))
    assert abs(nothing[0]) < 0.01


def test_few_draws_do_not_make_it_larger() -> None:
    """A draw does not count towards the plausibility that it is judged by: two draws are enough."""
    rng = np.random.default_rng(1)
    p = rng.beta(2, 2, 300)
    curves = curves_of(rng.normal(size=300))
    few = np.mean([attenuation(curves, drawn(rng, p, 2))[0] for _ in range(400)])
    assert few == pytest.approx(attenuation(curves, drawn(rng, p, 800))[0], abs=0.01)


def test_an_auroc_keeps_that_share_of_its_distance_from_one_half() -> None:
    """Against the known truth, by simulation: calibrated plausibilities, scores that know only the truth."""
    rng = np.random.default_rng(2)
    p = rng.choice([0.05, 0.3, 0.9], 6000)
    truth = rng.uniform(size=6000) < p
    curves = curves_of(rng.normal(size=6000) + 1.5 * truth, rng.normal(size=6000) + 0.5 * truth)
    truths = drawn(rng, p, 20)
    shown = pair_sums(curves, truths).value.mean(axis=0)
    true = stats.norm.cdf(np.array([1.5, 0.5]) / 2**0.5)
    np.testing.assert_allclose(shown - 0.5, attenuation(curves, truths) * (true - 0.5), atol=0.012)


def test_readers_count_by_their_pairs() -> None:
    """One who read few cases says little of what a modality keeps."""
    rng = np.random.default_rng(3)
    p = np.repeat([0.5, 0.98, 0.02], [40, 200, 200])
    score = rng.normal(size=440)
    few = np.where(np.arange(440) < 40, score, np.nan)
    truths = drawn(rng, p, 200)
    both = attenuation(curves_of(score, few, modality=[0, 0]), truths)[0]
    whole, part = attenuation(curves_of(score, few), truths)
    weights = np.array([218 * 222, 20 * 20])
    assert both == pytest.approx(weights @ [whole, part] / weights.sum(), abs=0.003)


def test_a_margin_shrinks_as_differences_do() -> None:
    """With different cases by as much more as the modalities could differ for that alone."""
    assert shown_margin(0.1, 0.6, 0.6) == pytest.approx(0.06)
    assert shown_margin(0.1, 0.6, 0.62) == pytest.approx(0.06 - 0.01)
    assert shown_margin(0.05, 0.6, 0.8) < 0
