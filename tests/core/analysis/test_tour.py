"""The toy problem: Bayes' rule, draws against exact certainty, dots, and the published case."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from shared_data import shared_data

from core.analysis import tour
from core.cli import sample_folder
from core.plausibility.settings import RELIABILITIES
from core.study.formats import import_study
from core.study.reading.folder import read_study
from core.study.reading.frames import study_of_frames

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


def test_the_published_case_is_found_by_its_readings() -> None:
    """Under any id, in any task and any order of raters; not where a single reading differs."""
    known = read_study(sample_folder())
    assert tour.same_case(known, known, "stutz-2025-fig-5") == ("diagnosis", "stutz-2025-fig-5")
    (task,) = known.tasks.values()
    index = known.case_ids.index("stutz-2025-fig-5")
    rows = [
        {"case_id": f"case {k}", "rater_id": f"rater {9 - i}", "label": task.labels[label], "rank": rank}
        for k, kept in enumerate(([1, 0, 2, 3, 4], range(6), range(6)))
        for i, reading in enumerate(np.array(task.readings.of_case(index))[list(kept)])
        for rank, block in enumerate(task.readings.differential(reading), start=1)
        for label in block
    ]
    other = study_of_frames(pd.DataFrame(rows))
    assert tour.same_case(other, known, "stutz-2025-fig-5") == ("main", "case 1")
    assert rows[-1]["label"] == "Melanocytic Nevus"
    rows[-1]["label"] = "Skin Tag"
    rows = [row for row in rows if row["case_id"] != "case 1"]
    assert tour.same_case(study_of_frames(pd.DataFrame(rows)), known, "stutz-2025-fig-5") is None
    assert tour.same_case(read_study(sample_folder("knee_mri")), known, "stutz-2025-fig-5") is None


def test_the_published_case_is_found_in_the_release() -> None:
    """The public dermatology release has it, under a number."""
    released = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    known = read_study(sample_folder())
    found = tour.same_case(released, known, "stutz-2025-fig-5")
    assert found is not None
    task, case_id = released.tasks[found[0]], found[1]
    readings = task.readings.of_case(released.case_ids.index(case_id))
    assert sum("Melanoma" in task.braces(reading) for reading in readings) == 5
