"""Adjusted metrics against enumeration, hard metrics and identities."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.metrics.adjusted.metrics import RankedLabels, adjusted_metrics, kendall_tau
from core.plausibility.candidates import Candidates
from core.plausibility.point import point_mass
from core.study.model import Predictions

GENERATOR = np.random.default_rng(7)


def _order(plausibility):
    """Labels with mass, largest first, ties in label order."""
    order = np.argsort(-plausibility, kind="stable")
    return [int(y) for y in order if plausibility[y] > 0]


def _hard(name, predicted, plausibility):
    """Hard metrics of a list of labels, written for one plausibility vector."""
    truth, predicted = _order(plausibility), [int(y) for y in predicted if y >= 0]
    if name.endswith("accuracy"):
        return float(truth[0] in predicted[: int(name[4])])
    k = int(name[-1])
    if name.startswith("set"):
        return float(set(truth[:k]) == set(predicted[:k]))
    if name.startswith("overlap"):
        return len(set(truth[:k]) & set(predicted[:k])) / k
    if name.startswith("average"):
        return float(np.mean([len(set(truth[:j]) & set(predicted[:j])) / j for j in range(1, k + 1)]))
    places = [{y: i for i, y in enumerate(x[:k])} for x in (truth, predicted)]
    labels = places[0].keys() | places[1].keys()
    return sum(abs(places[0].get(y, k) - places[1].get(y, k)) for y in labels) / (k * (k + 1))


def _model(n_cases, n_labels, seed=3):
    """Return random predictions."""
    return Predictions("m", np.random.default_rng(seed).dirichlet(np.ones(n_labels), n_cases))


def _lists(n_cases, n_labels, length):
    """Random lists, some of them short."""
    lists = np.array([GENERATOR.permutation(n_labels)[:length] for _ in range(n_cases)])
    lists[1::2, 2:] = -1
    lists[2::3, 1:] = -1
    return lists


@pytest.mark.parametrize("short", [False, True])
def test_enumeration_over_draws_and_unmentioned_labels(sampled, brute_force, short):
    """Every metric is the mean of the hard metric over all that the draws may stand for."""
    n_cases, n_labels = sampled.candidates.n_cases, sampled.candidates.n_labels
    lists = _lists(n_cases, n_labels, 4) if short else np.array([GENERATOR.permutation(n_labels)] * n_cases)
    metrics = adjusted_metrics(sampled, lists, max_k=4)
    assert len(metrics) == 4 + 3 + 3 + 1 + 1
    for name, values in metrics.items():
        expected = brute_force(sampled, lambda case, full, name=name: _hard(name, lists[case], full))
        assert values == pytest.approx(expected.mean(axis=1)), name


def test_kendall_tau_is_the_mean_over_draws(sampled):
    """Against scipy on the candidates of each draw."""
    model = _model(sampled.candidates.n_cases, sampled.candidates.n_labels)
    values = kendall_tau(sampled, model.probability)
    for case in range(sampled.candidates.n_cases):
        slots = sampled.candidates.of_case(case)
        if slots.stop - slots.start < 2:
            assert np.isnan(values[case])
            continue
        predicted = model.probability[case, sampled.candidates.label[slots]]
        taus = [kendalltau(predicted, drawn).statistic for drawn in sampled.draws.value[slots].T]
        assert values[case] == pytest.approx(np.mean(taus))


def test_kendall_tau_in_small_batches(sampled, monkeypatch):
    """The number of pairs asked about at once changes nothing."""
    model = _model(sampled.candidates.n_cases, sampled.candidates.n_labels)
    expected = kendall_tau(sampled, model.probability)
    for pairs in (1, 2, 5):
        monkeypatch.setattr("core.metrics.adjusted.metrics.PAIRS_AT_ONCE", pairs)
        assert kendall_tau(sampled, model.probability) == pytest.approx(expected, nan_ok=True)


def test_kendall_tau_splits_ties():
    """Two equal probabilities, or plausibilities, are in order as often as not."""
    candidates = Candidates(np.array([0, 2, 4]), np.array([0, 1, 0, 1], np.int32), 3)
    posterior = point_mass(candidates, np.array([0.7, 0.3, 0.3, 0.7]))
    assert kendall_tau(posterior, np.full((2, 3), 1 / 3)).tolist() == [0, 0]
    tied = point_mass(candidates, np.full(4, 0.5))
    assert kendall_tau(tied, np.tile([0.5, 0.3, 0.2], (2, 1))).tolist() == [0, 0]


def test_point_mass_gives_the_hard_metrics():
    """Full plausibilities with ties, which go to the first label, and zeros: the ordinary metrics."""
    n_cases, n_labels = 60, 6
    weight = GENERATOR.integers(0, 4, (n_cases, n_labels)).astype(float)
    weight[:, 0] += 1
    plausibility = weight / weight.sum(axis=1, keepdims=True)
    label = np.tile(np.arange(n_labels, dtype=np.int32), n_cases)
    candidates = Candidates(np.arange(n_cases + 1) * n_labels, label, n_labels)
    posterior = point_mass(candidates, plausibility.ravel(), tie_rule="first label")
    model = _model(n_cases, n_labels)
    predicted = np.argsort(-model.probability, axis=1)
    metrics = adjusted_metrics(posterior, model)
    tau = metrics.pop("Kendall's τ")
    for name, values in metrics.items():
        expected = [_hard(name, p[:3], q) for p, q in zip(predicted, plausibility, strict=True)]
        assert values == pytest.approx(expected), name
    pairs = np.triu_indices(n_labels, 1)
    expected = [
        np.mean(np.sign(p[pairs[0]] - p[pairs[1]]) * np.sign(q[pairs[0]] - q[pairs[1]]))
        for p, q in zip(model.probability, plausibility, strict=True)
    ]
    assert tau == pytest.approx(expected)


def test_perfect_prediction():
    """The plausibility itself as the prediction scores 1, with no distance."""
    generator = np.random.default_rng(2)
    plausibility = generator.dirichlet(np.ones(4), 20)
    label = np.tile(np.arange(4, dtype=np.int32), 20)
    posterior = point_mass(Candidates(np.arange(21) * 4, label, 4), plausibility.ravel())
    for name, values in adjusted_metrics(posterior, Predictions("m", plausibility)).items():
        assert values == pytest.approx(0 if "footrule" in name else 1), name


def test_depth_one_identities(sampled):
    """At depth 1 accuracy, set accuracy, overlap, average overlap and 1 − footrule agree."""
    scored = RankedLabels(sampled, _lists(6, 5, 3))
    for values in (
        scored.set_accuracy(1),
        scored.overlap(1),
        scored.average_overlap(1),
        1 - scored.footrule(1),
    ):
        assert values == pytest.approx(scored.top_k_accuracy(1))


def test_full_lists_tie_footrule_to_overlap(sampled):
    """With full lists 1 − footrule is the mean of the overlaps weighted by depth."""
    scored = RankedLabels(sampled, np.array([GENERATOR.permutation(5) for _ in range(6)]))
    weighted = sum(k * scored.overlap(k) for k in (1, 2, 3)) / 6
    assert 1 - scored.footrule(3) == pytest.approx(weighted)


def test_relabelling_changes_nothing(sampled):
    """Labels in another order, plausibility and prediction alike."""
    candidates, draws = sampled.candidates, sampled.draws
    model = _model(6, 5)
    code = np.random.default_rng(5).permutation(5)
    renamed = code[candidates.label].astype(np.int32)
    order = np.lexsort([renamed, candidates.case])
    relabelled = type(sampled)(
        type(draws)(
            Candidates(candidates.start, renamed[order], 5),
            draws.value[order],
            draws.rest,
            draws.shares,
            draws.size,
        )
    )
    probability = np.empty_like(model.probability)
    probability[:, code] = model.probability
    expected = adjusted_metrics(sampled, model)
    for name, values in adjusted_metrics(relabelled, Predictions("m", probability)).items():
        assert values == pytest.approx(expected[name], nan_ok=True), name


def test_undefined_cases():
    """Nobody read case 1, the model left out case 2, one label was named in case 3."""
    candidates = Candidates(np.array([0, 2, 2, 4, 5]), np.array([0, 1, 1, 2, 2], np.int32), 3)
    posterior = point_mass(candidates, np.array([0.6, 0.4, 0.5, 0.5, 1]), np.array([0, 1.0, 0, 0]))
    probability = np.tile([0.5, 0.3, 0.2], (4, 1))
    probability[2] = np.nan
    for name, values in adjusted_metrics(posterior, Predictions("m", probability)).items():
        undefined = [False, True, True, name == "Kendall's τ"]
        assert np.isnan(values).tolist() == undefined, name


def test_undefined_plausibility():
    """A plausibility of NaN leaves nothing defined."""
    candidates = Candidates(np.array([0, 2]), np.array([0, 1], np.int32), 3)
    posterior = point_mass(candidates, np.array([np.nan, np.nan]), np.array([np.nan]))
    for name, values in adjusted_metrics(posterior, _model(1, 3)).items():
        assert np.isnan(values).all(), name


def test_depth_stops_at_the_number_of_labels(builder):
    """Two labels know no third place, and a list has no Kendall's τ."""
    posterior = builder(([0, 1], [1]), 2, 8, 0)
    names = ["top-1 accuracy", "top-2 accuracy", "set accuracy @2", "overlap @2", "average overlap @2"]
    assert list(adjusted_metrics(posterior, np.array([[0], [1]]))) == [*names, "footrule @2"]
    assert adjusted_metrics(posterior, _model(2, 2))["top-2 accuracy"] == pytest.approx(1)


def test_refusals(sampled):
    """Wrong shapes, codes and depths are named."""
    with pytest.raises(ValueError, match=r"shape \(6, L\), L at least 1, got \(2, 3\)"):
        RankedLabels(sampled, np.zeros((2, 3), int))
    with pytest.raises(ValueError, match="codes from 0 to 4"):
        RankedLabels(sampled, np.full((6, 3), 5))
    with pytest.raises(ValueError, match="1 or more, got 0"):
        adjusted_metrics(sampled, np.zeros((6, 1), int), max_k=0)
    with pytest.raises(ValueError, match=r"shape \(6, 5\), got \(6, 4\)"):
        kendall_tau(sampled, np.ones((6, 4)))
