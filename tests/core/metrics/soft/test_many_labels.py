"""Many labels: scikit-learn's averages, and soft labels as a doubled sample."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from core.metrics.soft.many_labels import one_vs_one, one_vs_rest
from core.metrics.soft.metrics import s_ap, s_auroc


@pytest.fixture(scope="module")
def sample():
    """Probabilities of four labels with ties, and one label a case."""
    rng = np.random.default_rng(0)
    probability = rng.integers(1, 9, (200, 4)).astype(float)
    probability /= probability.sum(axis=1, keepdims=True)
    y = rng.choice(4, 200, p=[0.5, 0.3, 0.15, 0.05])
    return probability, y, np.eye(4)[y]


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_hard_labels_give_scikit_learns_averages(sample, average):
    """One against the rest and one against one, macro and weighted by prevalence."""
    probability, y, one_hot = sample
    auroc, ap = one_vs_rest(probability, one_hot)
    expected = roc_auc_score(y, probability, multi_class="ovr", average=average)
    assert getattr(auroc, average) == pytest.approx(expected, abs=1e-12)
    expected = average_precision_score(one_hot, probability, average=average)
    assert getattr(ap, average) == pytest.approx(expected, abs=1e-12)
    pairs = one_vs_one(probability, one_hot)
    expected = roc_auc_score(y, probability, multi_class="ovo", average=average)
    assert getattr(pairs, average) == pytest.approx(expected, abs=1e-12)


def test_soft_labels_and_weights(sample):
    """Each label is the two-label metric, and each pair a sample in which the two masses stand doubled."""
    probability, _, _ = sample
    rng = np.random.default_rng(1)
    soft, weight = rng.dirichlet(np.full(4, 0.5), 200), rng.random(200)
    auroc, ap = one_vs_rest(probability, soft, weight=weight)
    for k in range(4):
        assert auroc.value[k] == s_auroc(probability[:, k], soft[:, k], weight=weight)
        assert ap.value[k] == s_ap(probability[:, k], soft[:, k], weight=weight)
    pairs = one_vs_one(probability, soft, weight=weight).value
    y = np.repeat([1, 0], 200)
    for pair, (a, b) in enumerate(zip(*np.triu_indices(4, 1), strict=True)):
        both_ways = [
            roc_auc_score(
                y,
                np.tile(probability[:, own], 2),
                sample_weight=np.concatenate([weight * soft[:, own], weight * soft[:, other]]),
            )
            for own, other in ((a, b), (b, a))
        ]
        assert pairs[pair] == pytest.approx(np.mean(both_ways), abs=1e-12)


def test_a_label_without_positives_is_left_out_and_counted(sample):
    """Its value is NaN; the averages are those of the other labels."""
    probability, _, one_hot = sample
    labels = one_hot.copy()
    labels[:, 0] += labels[:, 3]
    labels[:, 3] = 0
    auroc, ap = one_vs_rest(probability, labels)
    for found in (auroc, ap):
        assert np.isnan(found.value[3])
        assert found.n_defined == 3
        assert found.macro == pytest.approx(found.value[:3].mean())
    assert one_vs_one(probability, labels).n_defined == 3
    nothing = one_vs_rest(probability, np.zeros_like(labels))[0]
    assert np.isnan([nothing.macro, nothing.weighted]).all()


def test_bad_input_is_refused(sample):
    """Shapes that differ, and NaN."""
    probability, _, one_hot = sample
    with pytest.raises(ValueError, match="same shape"):
        one_vs_rest(probability, one_hot[:, :3])
    with pytest.raises(ValueError, match="got NaN in 4 places"):
        one_vs_one(np.where(np.arange(200)[:, None] == 7, np.nan, probability), one_hot)
    with pytest.raises(ValueError, match="weight must be 200 numbers, 0 or more and not all 0"):
        one_vs_rest(probability, one_hot, weight=np.zeros(200))
