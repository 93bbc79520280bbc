"""Labels that the readings cannot tell apart are found, and lead alike."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from reading_lists import differentials

from core.plausibility.candidates import candidates_of
from core.plausibility.plackett_luce import alike as module
from core.plausibility.plackett_luce.alike import alike_candidates
from core.plausibility.plackett_luce.posterior import plackett_luce

N_LABELS = 9


def random_cases(n: int) -> list[Any]:
    """Cases of few readings of few labels, in which many labels are alike."""
    chance = np.random.default_rng(5)
    cases = []
    for _ in range(n):
        case = []
        for _ in range(chance.integers(0, 4)):
            labels = chance.permutation(6)[: chance.integers(1, 5)].tolist()
            cuts = sorted({0, *chance.integers(0, len(labels), 2).tolist(), len(labels)})
            case.append([labels[a:b] for a, b in pairwise(cuts)])
        cases.append(case)
    return cases


def exchanged(case: Any, a: int, b: int, weights: list[float]) -> list[Any]:
    """The readings of a case with two labels in each other's place, in any order, with their weights."""
    other = {a: b, b: a}
    said = [[sorted(other.get(label, label) for label in block) for block in reading] for reading in case]
    return sorted(zip(said, weights, strict=True))


@pytest.mark.parametrize("weighs", [False, True])
def test_labels_are_alike_where_exchanging_them_changes_no_reading(*, weighs: bool) -> None:
    """As trying it one pair after the other finds."""
    cases = random_cases(400)
    readings = differentials(cases)
    weight = np.resize([1.0, 1.0, 0.5], readings.n_readings) if weighs else np.ones(readings.n_readings)
    candidates = candidates_of(readings, N_LABELS)
    found = alike_candidates(readings, candidates, weight if weighs else None)
    assert len(np.unique(found)) < 0.9 * len(found)
    for i, case in enumerate(cases):
        slots = range(*candidates.of_case(i).indices(len(found)))
        own = weight[readings.case_start[i] : readings.case_start[i + 1]].tolist()
        same = exchanged(case, -1, -1, own)
        for first, second in combinations(slots, 2):
            a, b = (int(candidates.label[slot]) for slot in (first, second))
            assert (found[first] == found[second]) == (exchanged(case, a, b, own) == same)
    assert (found <= np.arange(len(found))).all()


def test_a_block_of_thousands_is_one_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without comparing each with each; of many kinds with the same places, further ones stand alone."""
    readings = differentials([[[list(range(5000))]]])
    assert (alike_candidates(readings, candidates_of(readings, 6000)) == 0).all()
    pairs = differentials([[[[0], [1]], [[2], [3]], [[1], [0]], [[3], [2]]]])  # Two with two.
    assert alike_candidates(pairs, candidates_of(pairs, 4)).tolist() == [0, 0, 2, 2]
    monkeypatch.setattr(module, "_MOST_ROUNDS", 1)
    assert alike_candidates(pairs, candidates_of(pairs, 4)).tolist() == [0, 0, 2, 3]


def test_labels_that_are_alike_lead_alike() -> None:
    """Exactly; what they lead together is what the draws count, and the certainty is what each leads in."""
    cases = [[[[0]], [[1]], [[2]]], [[[0], [1]], [[1], [0]], [[3]]], [[[4], [5]]]]
    readings = differentials(cases)
    posterior = plackett_luce(
        readings, N_LABELS, gamma=1.0, seeds=np.arange(3, dtype=np.uint64), draws=400, warmup=100
    )
    candidates = posterior.candidates
    leaders = posterior.leaders(1)[:, :, 0]
    for case, kinds in enumerate([[[0, 1, 2]], [[0, 1], [3]], [[4], [5]]]):
        slots = candidates.of_case(case)
        first = slots.start
        for kind in kinds:
            at = np.flatnonzero(np.isin(candidates.label[slots], kind))
            lead = posterior.top1.candidate[slots][at]
            assert len(set(lead.tolist())) == len(set(posterior.mean.candidate[slots][at].tolist())) == 1
            assert lead.sum() == pytest.approx(np.isin(leaders[case], at).mean())
        best = int(posterior.best_set(1)[case, 0])
        slot = first + candidates.label[slots].tolist().index(best)
        assert posterior.certainty(1)[case] == posterior.top1.candidate[slot]
        assert posterior.certainty(1)[case] == posterior.top1.candidate[slots].max()
    assert posterior.best_set(1)[0, 0] == 0, "of equals the first"
