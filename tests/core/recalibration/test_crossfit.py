"""Folds, and that no case is judged by anything that saw it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.recalibration.crossfit import cross_fit, cross_fit_penalised, deal_folds

IDS = [f"case {i}" for i in range(53)]
STRATUM = np.array([0] * 31 + [1] * 20 + [-1] * 2)


def test_every_kind_is_dealt_evenly() -> None:
    """Folds differ by one case at most, in all and of each kind; others take no part."""
    folds = deal_folds(3, IDS, STRATUM)
    assert (folds.fold[STRATUM < 0] == -1).all()
    assert sorted(folds.order) == list(range(51))
    for part in (folds.fold[STRATUM >= 0], folds.fold[STRATUM == 0], folds.fold[STRATUM == 1]):
        assert np.ptp(np.bincount(part, minlength=5)) <= 1


def test_folds_follow_the_ids_and_the_seed_only() -> None:
    """Rows in another order give each case the same fold and the same place; another seed does not."""
    folds = deal_folds(3, IDS, STRATUM)
    shuffled = np.random.default_rng(0).permutation(len(IDS))
    again = deal_folds(3, [IDS[i] for i in shuffled], STRATUM[shuffled])
    np.testing.assert_array_equal(again.fold, folds.fold[shuffled])
    np.testing.assert_array_equal(shuffled[again.order], folds.order)
    assert (deal_folds(4, IDS, STRATUM).fold != folds.fold).any()


def test_training_and_held_out_cases_make_up_the_whole() -> None:
    """They never overlap."""
    folds = deal_folds(0, IDS, STRATUM, n_folds=4)
    for k in range(4):
        assert sorted([*folds.training(k), *folds.held_out(k)]) == sorted(folds.order)
        assert set(folds.training(k, (k + 1) % 4)) == set(folds.training(k)) - set(
            folds.held_out((k + 1) % 4)
        )


def test_no_fit_and_no_choice_sees_the_fold_that_it_judges() -> None:
    """Losses that belong to one fold alone decide the strength of all folds but that one."""
    folds = deal_folds(1, IDS, STRATUM)
    favourite = np.array([1.0, 1.0, 1.0, 1.0, 2.0])

    def fit(cases: np.ndarray, strengths: Sequence[float]) -> list[tuple[set[int], float]]:
        return [({*cases.tolist()}, strength) for strength in strengths]

    def loss(fitted: tuple[set[int], float], cases: np.ndarray) -> float:
        seen, strength = fitted
        assert not seen & {*cases.tolist()}
        fold = folds.fold[cases[0]]
        return (100.0 if fold == 4 else 1.0) * float(strength != favourite[fold])

    found = cross_fit_penalised(folds, fit, loss, [1.0, 2.0])
    assert [strength for _, strength in found] == [2.0, 2.0, 2.0, 2.0, 1.0]
    for k, (seen, _) in enumerate(found):
        assert seen == {*folds.training(k).tolist()}


def test_plain_cross_fitting_fits_on_the_others() -> None:
    """One fit for each fold."""
    folds = deal_folds(1, IDS, STRATUM)
    for k, seen in enumerate(cross_fit(folds, lambda cases: set(cases.tolist()))):
        assert seen == set(folds.order.tolist()) - set(folds.held_out(k).tolist())


def test_progress_grows_and_may_end_the_work() -> None:
    """The share told rises from 0 and stays below 1; what it raises comes through."""
    folds = deal_folds(1, IDS, STRATUM)
    shares: list[float] = []
    cross_fit_penalised(
        folds,
        lambda cases, strengths: [0.0] * len(strengths),
        lambda fitted, cases: fitted,
        [1.0],
        progress=lambda share, doing: shares.append(share),
    )
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] < 1

    def stop(share: float, doing: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cross_fit(folds, len, progress=stop)


def test_too_few_folds_or_cases_are_refused() -> None:
    """Three folds are the least, and every fold needs a case."""
    with pytest.raises(ValueError, match="n_folds must be 3 or more, got 2"):
        deal_folds(0, IDS, STRATUM, n_folds=2)
    with pytest.raises(ValueError, match="needs 5 cases or more, got 4"):
        deal_folds(0, IDS[:4], STRATUM[:4])
