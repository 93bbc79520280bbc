"""The toy problem: Bayes' rule, draws against exact certainty, dots, and accuracies that must agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

from core.analysis import tour
from core.analysis.reliability.sweep import metrics_at
from core.cli import sample_folder
from core.plausibility.settings import RELIABILITIES, Aggregation
from core.study.reading.folder import read_study

LETTERS = list(tour.LABELS)


def panels(n: int = 40) -> list[tour.ToyCase]:
    """Several observations, each read by another panel."""
    return [tour.toy_case(x, panel=panel) for panel, x in enumerate(np.linspace(-2.5, 2.5, n))]


def test_densities_are_densities() -> None:
    """Each class density integrates to 1 and peaks at its mean."""
    for k, mean in enumerate(tour.MEANS):
        total, _ = quad(lambda x, k=k: float(tour.class_density(np.array([x]))[0, k]), -12, 12)
        assert total == pytest.approx(1)
        around = tour.class_density(np.array([mean - 0.1, mean, mean + 0.1]))[:, k]
        assert around.argmax() == 1


def test_plausibility_is_the_share_of_simulated_classes() -> None:
    """Among simulated observations near a value, classes appear in the proportions that Bayes' rule gives."""
    rng = np.random.default_rng(5)
    label = rng.integers(3, size=1_000_000)
    x = tour.MEANS[label] + tour.DEVIATION * rng.standard_normal(len(label))
    near = label[np.abs(x - 0.6) < 0.05]
    share = np.bincount(near, minlength=3) / len(near)
    assert tour.class_plausibility(np.array([0.6]))[0] == pytest.approx(share, abs=0.01)


def test_plausibility_mirrors() -> None:
    """The problem is symmetric: x and −x swap the outer classes."""
    x = np.linspace(-3, 3, 13)
    assert tour.class_plausibility(x) == pytest.approx(tour.class_plausibility(-x)[:, ::-1])


def test_raters_name_labels_as_often_as_they_are_plausible() -> None:
    """Over many panels the readings follow the true plausibilities."""
    named = np.concatenate([tour.toy_case(0.6, panel=panel).named for panel in range(2000)])
    share = np.bincount(named, minlength=3) / len(named)
    assert share == pytest.approx(tour.toy_case(0.6).plausibility, abs=0.03)


def test_a_panel_keeps_its_luck() -> None:
    """The same panel says the same; a larger observation never moves a rater to the left."""
    before = tour.toy_case(-3.0, panel=4).named
    for x in np.linspace(-3, 3, 61):
        after = tour.toy_case(x, panel=4).named
        assert np.array_equal(after, tour.toy_case(x, panel=4).named)
        assert (after >= before).all()
        before = after


def test_certainty_table_sums_to_one_and_ends_at_the_votes() -> None:
    """Some label leads always; at γ = ∞ it is the majority, for certain, or all three tie."""
    for case in panels(10):
        table = tour.certainty_table(case)
        assert tuple(table["reliability"]) == RELIABILITIES
        assert table[LETTERS].sum(axis=1).to_numpy() == pytest.approx(1)
        if case.majority is None:
            assert set(table["leader"]) == {"A, B or C (tied)"}
            assert table["certainty"].to_numpy() == pytest.approx(1 / 3)
        else:
            assert table["leader"].iloc[-1] == tour.LABELS[case.majority]
            assert table["certainty"].iloc[-1] == 1


def test_certainty_rises_with_trust_where_two_raters_agree() -> None:
    """A majority becomes more certain at every step of the slider."""
    for case in panels():
        if case.counts.max() >= 2:
            assert (np.diff(tour.certainty_table(case)["certainty"]) > -1e-12).all()


def test_three_different_answers_leave_every_label_equal() -> None:
    """Where each rater names another label, none leads more often than the others at any finite γ."""
    case = tour.toy_case(0.6, panel=1)
    assert sorted(case.named) == [0, 1, 2]
    finite = tour.certainty_table(case)[LETTERS].to_numpy()[:-1]
    assert finite == pytest.approx(np.full(finite.shape, 1 / 3), abs=1e-9)


@pytest.mark.slow
def test_draws_agree_with_exact_certainty_and_mean() -> None:
    """The leaders of the draws come as often as the exact integrals say; their mean is the Dirichlet's."""
    for case in panels(6):
        certainty = tour.certainty_table(case).set_index("reliability")
        draws = tour.draw_table(case, n=4096).groupby("reliability")
        for gamma, of_gamma in draws:
            leads = of_gamma["leader"].value_counts(normalize=True).reindex(LETTERS, fill_value=0)
            assert leads.to_numpy() == pytest.approx(certainty.loc[gamma, LETTERS].to_numpy(float), abs=0.01)
            if np.isfinite(gamma):
                parameter = gamma * case.counts + 0.5
                mean = of_gamma[LETTERS].mean().to_numpy()
                assert mean == pytest.approx(parameter / parameter.sum(), abs=0.002)


def test_draws_are_shares_that_close_in_on_the_votes() -> None:
    """Draws sum to 1, and each comes closer to the votes as γ grows, until it is there."""
    case = tour.toy_case(0.6)
    draws = tour.draw_table(case)
    shares = draws[LETTERS].to_numpy().reshape(len(RELIABILITIES), tour.N_DRAWS, 3)
    assert shares.sum(axis=2) == pytest.approx(1)
    distance = np.abs(shares - case.counts / 3).sum(axis=2).mean(axis=1)
    assert (np.diff(distance) < 0).all()
    assert distance[-1] == 0


def test_dots_are_twenty_and_within_one_of_their_share() -> None:
    """For each reliability the dots of all labels are 20, each label's within one of its probability."""
    for case in panels(10):
        certainty = tour.certainty_table(case)
        dots = tour.dot_table(certainty)
        counted = dots.pivot_table(index="reliability", columns="label", values="dots")[LETTERS].to_numpy()
        assert (counted.sum(axis=1) == 20).all()
        assert (np.abs(counted - 20 * certainty[LETTERS].to_numpy()) <= 1).all()


def test_accuracies_against_labels_counted_by_hand() -> None:
    """Majority, single raters and the known truth agree with a count over the cases."""
    simulated = tour.toy_study()
    (task,) = simulated.study.tasks.values()
    label = task.readings.label.reshape(-1, 3)
    predicted = simulated.truth.plausibility.argmax(axis=1)
    share = np.array([(row == named).sum() for row, named in zip(label, predicted, strict=True)]) / 3
    right = np.where([len(set(row)) == 3 for row in label.tolist()], share, share > 0.5)
    table = tour.accuracy_table(simulated.study, simulated.truth).set_index("truth")
    assert table.loc["majority", "accuracy"] == pytest.approx(right.mean())
    assert table.loc["one rater", "accuracy"] == pytest.approx((predicted[:, None] == label).mean())
    assert table.loc["one rater", "high"] == pytest.approx((predicted[:, None] == label).mean(axis=0).max())
    assert table.loc["known truth", "accuracy"] == 1
    assert (table["n_cases"] == len(label)).all()


def test_adjusted_accuracy_is_bounded_and_tends_to_the_majority() -> None:
    """It lies in its band and under its ceiling; at a large γ it is next to the majority's."""
    simulated = tour.toy_study()
    one = tour.accuracy_table(simulated.study, simulated.truth).set_index("truth").loc["adjusted"]
    assert one["low"] < one["accuracy"] < one["high"] <= 1
    assert one["accuracy"] < one["ceiling"] < 1
    table = tour.accuracy_table(simulated.study, simulated.truth, reliability=1e6).set_index("truth")
    (task,) = simulated.study.tasks.values()
    ties = np.mean([len(set(row)) == 3 for row in task.readings.label.reshape(-1, 3).tolist()])
    assert table.loc["adjusted", "accuracy"] == pytest.approx(table.loc["majority", "accuracy"], abs=1e-5)
    assert table.loc["adjusted", "ceiling"] == pytest.approx(1 - ties * 2 / 3, abs=1e-6)


def test_an_unknown_model_is_refused() -> None:
    """The error names the models that there are."""
    simulated = tour.toy_study(5)
    with pytest.raises(ValueError, match=r"Bayes-optimal, Overconfident, Shifted, got 'Best'"):
        tour.accuracy_table(simulated.study, simulated.truth, model="Best")


def test_the_bundled_sample_has_the_same_numbers() -> None:
    """What the tour says of the model is what the pages say when the sample is opened."""
    folder: Path = sample_folder("toy_three_labels")
    study = read_study(folder)
    (task,) = study.tasks.values()
    simulated = tour.toy_study()
    table = tour.accuracy_table(simulated.study, simulated.truth).set_index("truth")
    pages = metrics_at(study, task, Aggregation("label-counts", 1.0)).set_index(["subject", "metric"])
    shown = pages.loc[("Bayes-optimal", "top-1 accuracy")]
    assert shown["value"] == pytest.approx(table.loc["adjusted", "accuracy"])
    assert (shown["low"], shown["high"]) == pytest.approx(
        (table.loc["adjusted", "low"], table.loc["adjusted", "high"]), abs=1e-12
    )
