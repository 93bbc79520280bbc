"""Simulated studies: what is drawn follows the truth that is handed out with it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.study.model import FloatArray, Study, Task
from core.study.simulation.models import round_probabilities
from core.study.simulation.readers import assign, draw_choices, draw_rankings
from core.study.simulation.simulate import simulate
from core.study.simulation.truth import draw_plausibility

KINDS = ("ranking", "choice", "score")
LAMBDA = np.array([0.5, 0.25, 0.15, 0.07, 0.03])


def only_task(study: Study) -> Task:
    """Return the one task of a study."""
    (task,) = study.tasks.values()
    return task


def first_labels(task: Task) -> list[list[int]]:
    """Return the labels of the first block of every reading."""
    return [task.readings.differential(r)[0] for r in range(task.readings.n_readings)]


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("vote", {}, "kind must be one of ranking, choice, score, got 'vote'"),
        ("ranking", {"n_cases": 0}, "n_cases must be 1 or more, got 0"),
        ("choice", {"n_labels": 0}, "n_labels must be 1 or more, got 0"),
        ("choice", {"raters_per_case": (3, 30)}, r"n_raters = 12, fewest first, got \(3, 30\)"),
        ("ranking", {"raters_per_case": 0}, "raters_per_case"),
        ("ranking", {"raters_per_case": (5, 3)}, "raters_per_case"),
        ("ranking", {"reliability": 0.0}, "reliability must be positive and finite, got 0.0"),
        ("ranking", {"reliability": np.inf}, "reliability must be positive and finite"),
        ("choice", {"rater_spread": -1.0}, "rater_spread must be 0 or more"),
        ("ranking", {"ambiguity": 1.0}, "ambiguity must lie between 0 and 1, got 1.0"),
        ("ranking", {"lengths": ()}, "lengths must"),
        ("ranking", {"tied": 1.5}, "tied must lie"),
        ("score", {"noise": 0.0}, "noise positive"),
        ("score", {"threshold": 10.0}, "threshold must lie inside the scale"),
        ("score", {"step": 0.0}, "step must be positive"),
    ],
)
def test_options_out_of_range_are_refused(kind: str, options: dict, message: str) -> None:
    """A wrong option is named with what was allowed and what was given."""
    with pytest.raises(ValueError, match=message):
        simulate(kind, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_one_seed_one_study(kind: str) -> None:
    """The same seed gives the same study, another seed another."""
    first, again, other = (simulate(kind, n_cases=20, seed=seed).study for seed in (4, 4, 5))
    assert first.fingerprint == again.fingerprint != other.fingerprint
    assert first.cases.equals(again.cases)


@pytest.mark.parametrize("kind", KINDS)
def test_the_smallest_study(kind: str) -> None:
    """One case, one rater and one label are enough."""
    labels = {} if kind == "score" else {"n_labels": 1}
    study = simulate(kind, n_cases=1, n_raters=1, raters_per_case=1, **labels).study
    assert only_task(study).readings.n_readings == 1
    assert study.rater_ids == ("R01",)


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_of_predictions_and_truth_is_a_distribution(kind: str) -> None:
    """Predictions and true plausibilities sum to 1, and no model rules a label out."""
    simulated = simulate(kind, n_cases=50)
    np.testing.assert_allclose(simulated.truth.plausibility.sum(axis=1), 1, atol=1e-12)
    for predictions in only_task(simulated.study).predictions.values():
        np.testing.assert_allclose(predictions.probability.sum(axis=1), 1, atol=1e-12)
        assert predictions.probability.min() > 0


@pytest.mark.parametrize("kind", KINDS)
def test_readings_are_well_formed(kind: str) -> None:
    """Raters of a case are distinct and within the numbers asked for; differentials name a label once."""
    study = simulate(kind, n_cases=60, raters_per_case=(3, 6), n_raters=9).study
    readings = only_task(study).readings
    assert readings.per_case.min() >= 3
    assert readings.per_case.max() <= 6
    assert sorted(set(readings.rater.tolist())) == list(range(len(study.rater_ids)))
    for case in range(study.n_cases):
        raters = readings.rater[readings.case_start[case] : readings.case_start[case + 1]]
        assert len(set(raters.tolist())) == len(raters)
    for reading in range(readings.n_readings):
        blocks = readings.differential(reading)
        named = list(itertools.chain(*blocks))
        assert len(set(named)) == len(named) == np.diff(readings.entry_start)[reading]
        assert all(block == sorted(block) for block in blocks)
    assert "not real patients" in study.description


def test_frequencies_of_many_choices_are_the_plausibilities() -> None:
    """With reliability 1 each label is chosen as often as it is plausible."""
    simulated = simulate(
        "choice", n_cases=20, n_labels=6, raters_per_case=2000, n_raters=2000, rater_spread=0.0
    )
    readings = only_task(simulated.study).readings
    plausibility = simulated.truth.plausibility
    counts = np.zeros_like(plausibility)
    np.add.at(counts, (readings.case[readings.entry_reading], readings.label), 1)
    error = np.sqrt(plausibility * (1 - plausibility) / 2000)
    assert (np.abs(counts / 2000 - plausibility) < 4.5 * error + 1e-3).all()


def ranking_counts(gamma: float, n: int = 40_000) -> FloatArray:
    """How often each ordered pair of labels comes first and second, of n rankings of one case."""
    rng = np.random.default_rng(1)
    assignment = assign(rng, n, raters_per_case=1, n_raters=1)
    readings = draw_rankings(
        rng, assignment, np.tile(LAMBDA, (n, 1)), np.array([gamma]), lengths=(0, 1), tied=0.0
    )
    order = readings.label.reshape(n, 2)
    counts = np.zeros((5, 5))
    np.add.at(counts, (order[:, 0], order[:, 1]), 1)
    return counts / n


@pytest.mark.parametrize("gamma", [0.5, 1.0, 2.0])
def test_rankings_follow_plackett_luce(gamma: float) -> None:
    """First and second places are as probable as Plackett–Luce with weights λ^γ says."""
    weight = LAMBDA**gamma / (LAMBDA**gamma).sum()
    expected = np.array(
        [[0 if i == j else weight[i] * weight[j] / (1 - weight[i]) for j in range(5)] for i in range(5)]
    )
    np.testing.assert_allclose(ranking_counts(gamma), expected, atol=0.011)


def test_block_sizes_say_nothing_about_which_labels_lead() -> None:
    """Given that two labels are tied at the top, the pair is as probable as in either order."""
    rng = np.random.default_rng(2)
    n = 40_000
    assignment = assign(rng, n, raters_per_case=1, n_raters=1)
    readings = draw_rankings(rng, assignment, np.tile(LAMBDA, (n, 1)), np.ones(1), lengths=(0, 1), tied=0.5)
    tied = readings.block.reshape(n, 2)[:, 1] == 0
    assert tied.mean() == pytest.approx(0.5, abs=0.015)
    pairs = readings.label.reshape(n, 2)[tied]
    top = LAMBDA[0] * LAMBDA[1] * (1 / (1 - LAMBDA[0]) + 1 / (1 - LAMBDA[1]))
    assert ((pairs == [0, 1]).all(axis=1)).mean() == pytest.approx(top, abs=0.015)


def test_open_cases_get_longer_differentials() -> None:
    """Raters name more labels, and tie more of them, where plausibility is spread."""
    simulated = simulate("ranking", n_cases=400)
    readings = only_task(simulated.study).readings
    length = np.diff(readings.entry_start)
    open_case = simulated.truth.plausibility.max(axis=1)[readings.case] < 0.5
    clear_case = simulated.truth.plausibility.max(axis=1)[readings.case] > 0.9
    assert length[open_case].mean() > 1.4 * length[clear_case].mean()


def test_pattern_of_differentials_is_that_of_the_public_release() -> None:
    """Half of the differentials name one label, few name four; some 28 % of further labels are tied."""
    readings = only_task(simulate("ranking", n_cases=600).study).readings
    length = np.diff(readings.entry_start)
    assert np.mean(length == 1) == pytest.approx(0.54, abs=0.06)
    assert np.mean(length >= 4) == pytest.approx(0.02, abs=0.02)
    blocks = np.array([readings.block[end - 1] + 1 for end in readings.entry_start[1:]])
    assert (length - blocks).sum() / (length - 1).sum() == pytest.approx(0.28, abs=0.07)


@pytest.mark.parametrize("gamma", [0.5, 1.0, 2.0, 4.0])
def test_reliability_is_recovered_from_choices(gamma: float) -> None:
    """Among reliabilities half or twice as large, the true one makes the choices most probable."""
    rng = np.random.default_rng(3)
    plausibility = rng.dirichlet(np.ones(5), size=3000)
    assignment = assign(rng, 3000, raters_per_case=1, n_raters=1)
    label = draw_choices(rng, assignment, plausibility, np.array([gamma])).label
    tried = np.array([0.25, 0.5, 1.0, 2.0, 4.0, 8.0])
    likelihood = [
        (g * np.log(plausibility[np.arange(3000), label]) - np.log((plausibility**g).sum(axis=1))).sum()
        for g in tried
    ]
    assert tried[np.argmax(likelihood)] == gamma


@pytest.mark.parametrize("kind", ["ranking", "choice"])
def test_reliable_raters_agree_with_the_truth_more_often(kind: str) -> None:
    """Raters in the order of their reliability are in the order of their accuracy, seen and true."""
    simulated = simulate(
        kind, n_cases=3000, n_labels=6, n_raters=6, raters_per_case=6, rater_spread=1.0, seed=2
    )
    task, raters = only_task(simulated.study), simulated.truth.raters
    readings = task.readings
    first = first_labels(task)
    hit = np.array(
        [
            (simulated.truth.reference[case] in labels) / len(labels)
            for case, labels in zip(readings.case, first, strict=True)
        ]
    )
    seen = np.array([hit[readings.rater == rater].mean() for rater in range(6)])
    order = np.argsort(raters["reliability"])
    assert (np.diff(raters["accuracy"].to_numpy()[order]) > 0).all()
    assert np.corrcoef(seen, raters["accuracy"])[0, 1] > 0.95
    if kind == "choice":
        np.testing.assert_allclose(seen, raters["accuracy"], atol=0.035)


def test_confidence_rises_with_the_chance_to_be_right() -> None:
    """Choices stated with confidence hit the most plausible label more often; all lie in [0, 1]."""
    simulated = simulate("choice", n_cases=800)
    readings = only_task(simulated.study).readings
    assert readings.confidence.min() >= 0
    assert readings.confidence.max() <= 1
    right = readings.label == simulated.truth.reference[readings.case]
    assert right[readings.confidence > 0.7].mean() > right[readings.confidence < 0.4].mean() + 0.3


def test_scores_recover_bias_and_noise() -> None:
    """A rater's scores differ from the true means by the bias on average and by the noise in spread."""
    simulated = simulate(
        "score",
        n_cases=4000,
        n_raters=5,
        raters_per_case=5,
        scale=(-1000.0, 1000.0),
        threshold=5.0,
        step=0.01,
    )
    readings, raters = only_task(simulated.study).readings, simulated.truth.raters
    assert simulated.truth.score is not None
    residual = readings.score - simulated.truth.score[readings.case]
    for rater in range(5):
        own = residual[readings.rater == rater]
        assert own.mean() == pytest.approx(raters["bias"].iloc[rater], abs=0.1)
        assert own.std() == pytest.approx(raters["noise"].iloc[rater], rel=0.06)


def test_scores_stay_on_scale_and_steps() -> None:
    """Scores are multiples of the step inside the scale, and name no label."""
    study = simulate("score", n_cases=200, scale=(0.0, 4.0), step=1.0, threshold=2.0).study
    readings = only_task(study).readings
    assert set(readings.score.tolist()) <= {0.0, 1.0, 2.0, 3.0, 4.0}
    assert len(readings.label) == 0


def test_ambiguity_is_the_mean_share_of_alternatives() -> None:
    """The lead keeps 1 − ambiguity on average, and alternatives keep to the labels that resemble it."""
    rng = np.random.default_rng(0)
    weight = np.tile([0.0, 3.0, 1.0, 0.0], (20_000, 1))
    plausibility = draw_plausibility(rng, np.zeros(20_000, int), weight, ambiguity=0.3)
    np.testing.assert_allclose(plausibility.mean(axis=0), [0.7, 0.225, 0.075, 0.0], atol=0.006)
    assert plausibility.max(axis=0)[3] == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_best_model_depends_on_what_is_called_the_truth(kind: str, seed: int) -> None:
    """Confident wins against the collapsed label and loses where every reading counts by its plausibility."""
    simulated = simulate(kind, n_cases=1000, seed=seed)
    task = only_task(simulated.study)
    hard, soft, loss = {}, {}, {}
    collapsed = collapse(task)
    rows = np.arange(1000)
    plausibility = simulated.truth.plausibility
    for model, predictions in task.predictions.items():
        choice = predictions.probability.argmax(axis=1)
        hard[model] = (choice == collapsed).mean()
        soft[model] = plausibility[rows, choice].mean()
        loss[model] = -(plausibility * np.log(predictions.probability)).sum(axis=1).mean()
    assert max(hard, key=hard.__getitem__) == "Confident"
    assert max(soft, key=soft.__getitem__) == "Calibrated"
    assert min(loss, key=loss.__getitem__) == "Calibrated"
    assert loss["Confident"] == max(loss.values())


def collapse(task: Task) -> FloatArray:
    """One label a case: most named first (ties shared), or the side of the mean score."""
    readings = task.readings
    if task.threshold is not None:
        total = np.bincount(readings.case, weights=readings.score)
        return (total / readings.per_case >= task.threshold).astype(int)
    weight = np.zeros((readings.n_cases, len(task.labels)))
    for reading, case in enumerate(readings.case):
        for block, labels in enumerate(readings.differential(reading)):
            weight[case, labels] += 1 / ((block + 1) * len(labels))
    return weight.argmax(axis=1)


def test_risk_blind_misses_what_is_dangerous() -> None:
    """It keeps up with Calibrated on harmless cases and falls behind on dangerous ones."""
    simulated = simulate("ranking", n_cases=1000)
    task = only_task(simulated.study)
    reference = simulated.truth.reference
    dangerous = task.risk[reference] == 2
    hit = {
        model: predictions.probability.argmax(axis=1) == reference
        for model, predictions in task.predictions.items()
    }
    assert hit["Calibrated"][dangerous].mean() > hit["Risk-blind"][dangerous].mean() + 0.2
    assert hit["Risk-blind"][~dangerous].mean() > hit["Calibrated"][~dangerous].mean() - 0.05


@pytest.mark.parametrize("n_labels", [1, 2, 3, 7, 40, 1000, 20_000])
def test_rounded_probabilities_still_sum_to_one(n_labels: int) -> None:
    """Rounding moves no probability by more than a unit and its share of the units given to all labels."""
    rng = np.random.default_rng(n_labels)
    probability = rng.dirichlet(np.full(n_labels, 0.3), size=5)
    rounded = round_probabilities(probability)
    np.testing.assert_allclose(rounded.sum(axis=1), 1, atol=1e-9)
    unit = 10.0 ** -max(4, len(str(n_labels)) + 1)
    assert rounded.min() >= unit * (1 - 1e-9)
    assert np.abs(rounded - probability).max() <= unit * (2 + n_labels * probability.max())
