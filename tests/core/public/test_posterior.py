"""A posterior with names gives the numbers of the one without."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import core.loupe as loupe
from core.cli import sample_folder
from core.metrics.certainty import top_certainty
from core.plausibility.aggregate import aggregate


@pytest.fixture(scope="module")
def rankings() -> loupe.Task:
    """Some cases of the main sample, few enough to draw them quickly."""
    folder = sample_folder("dermatology_like")
    rows = pd.read_csv(folder / "annotations.csv")
    labels = pd.read_csv(folder / "labels.csv")
    kept = rows["case_id"].isin(rows["case_id"].unique()[:12])
    return loupe.Study.from_frames(rows[kept], labels=labels, seed=3).task()


TINY = pd.DataFrame(
    {"case_id": ["a", "a", "a", "b", "b"], "rater_id": [*"123", *"12"], "label": [*"xxy", *"yy"]}
)


def test_certainty_by_name_is_that_by_number(rankings: loupe.Task) -> None:
    """Under Plackett–Luce at reliability 3, as `loupe evaluate` aggregates."""
    posterior = rankings.aggregate("plackett-luce", reliability=3)
    plain = aggregate(rankings.study, rankings, loupe.Aggregation("plackett-luce", 3))
    for j in (1, 3):
        certainty = posterior.certainty(j)
        np.testing.assert_array_equal(certainty.to_numpy(), top_certainty(plain, j))
        assert list(certainty.index) == list(rankings.study.case_ids)
    held = posterior.in_top(2)
    assert list(held.columns) == list(rankings.labels)
    np.testing.assert_allclose(held.sum(axis=1), 2)
    first = posterior.in_top(1)
    at = [first.loc[case, names[0]] for case, names in posterior.leading(1).items()]
    np.testing.assert_allclose(at, posterior.certainty(1))


@pytest.mark.parametrize(("model", "reliability"), [("label-counts", 2.0), ("plackett-luce", 2.0)])
def test_draws_say_what_the_posterior_says(model: str, reliability: float) -> None:
    """Of every label, those that nobody mentioned included."""
    labels = pd.DataFrame({"label": [*"xyzuv"]})
    task = loupe.Study.from_frames(TINY, labels=labels).task()
    posterior = task.aggregate(loupe.Aggregation(model, reliability, draws=4000))
    draws = posterior.sample(4000, seed=1)
    assert draws.shape == (4000, 2, 5)
    np.testing.assert_allclose(draws.sum(axis=2), 1, atol=1e-5)
    np.testing.assert_allclose(draws.mean(axis=0), posterior.mean, atol=0.02)
    leads = (draws == draws.max(axis=2, keepdims=True)).mean(axis=0)
    np.testing.assert_allclose(leads, posterior.in_top(1), atol=0.03)


def test_a_seed_gives_its_draws_again() -> None:
    """And another seed others, whatever the model."""
    task = loupe.Study.from_frames(TINY).task()
    for model in ("label-counts", "plackett-luce"):
        posterior = task.aggregate(model)
        first = posterior.sample(5, seed=1)
        np.testing.assert_array_equal(first, posterior.sample(5, seed=1))
        assert (first != posterior.sample(5, seed=2)).any()


def test_a_point_estimate_draws_itself() -> None:
    """All draws are equal."""
    draws = loupe.Study.from_frames(TINY).task().aggregate("frequency").sample(3)
    np.testing.assert_allclose(draws, [[[2 / 3, 1 / 3], [0, 1]]] * 3)


def test_an_unread_case_is_undefined() -> None:
    """Rather than as the prior has it."""
    cases = pd.DataFrame({"case_id": ["a", "b", "c"]})
    posterior = loupe.Study.from_frames(TINY, cases=cases).task().aggregate("label-counts")
    for found in (posterior.certainty(), posterior.in_top(), posterior.mean):
        assert found.loc["c":].isna().to_numpy().all()
        assert found.loc[:"b"].notna().to_numpy().all()
    assert np.isnan(posterior.sample(2)[:, 2]).all()
    assert posterior.leading().tolist() == [("x",), ("y",), ()]


def test_convergence_is_of_draws_alone() -> None:
    """An exact answer has none."""
    task = loupe.Study.from_frames(TINY).task()
    assert task.aggregate("label-counts").convergence().isna().to_numpy().all()
    assert (task.aggregate("plackett-luce").convergence()["rhat"] < 1.02).all()


def test_what_cannot_be_is_refused_in_words() -> None:
    """With the nearest right name, or what to do instead."""
    task = loupe.Study.from_frames(TINY).task()
    with pytest.raises(ValueError, match='Did you mean "plackett-luce"'):
        task.aggregate("plackettluce")
    with pytest.raises(ValueError, match="reliability must be a number above 0, or ∞"):
        task.aggregate(reliability=0)
    with pytest.raises(TypeError, match="model for a choice task must be a str, got int"):
        task.aggregate(3)  # type: ignore[arg-type]
    posterior = task.aggregate("plackett-luce")
    with pytest.raises(ValueError, match=r"n must be at most 1,000.*\('plackett-luce', 1, draws=2000\)"):
        posterior.sample(2000)
    with pytest.raises(ValueError, match="n must be 1 or more"):
        posterior.sample(0)
    with pytest.raises(ValueError, match="j must be from 1 to 10, got 11"):
        task.aggregate("label-counts").in_top(11)
    with pytest.raises(TypeError, match=r"j must be a whole number, got 1\.5"):
        posterior.certainty(1.5)  # type: ignore[arg-type]


def test_the_posterior_says_what_it_is() -> None:
    """Model, reliability, cases and labels in one line."""
    task = loupe.Study.from_frames(TINY).task()
    said = {
        repr(task.aggregate("label-counts", reliability=2)),
        repr(task.aggregate("plackett-luce")),
        repr(task.aggregate("label-counts", reliability=math.inf)),
        repr(task.aggregate("majority")),
    }
    assert said == {
        "Posterior(Label counts, reliability 2, exact: 2 cases, 2 labels)",
        "Posterior(Plackett–Luce, reliability 1, 1,000 draws: 2 cases, 2 labels)",
        "Posterior(Label counts, reliability ∞, point estimate: 2 cases, 2 labels)",
        "Posterior(Majority, point estimate: 2 cases, 2 labels)",
    }


def test_labels_can_be_grouped(rankings: loupe.Task) -> None:
    """The plausibility of a group is the sum over its labels."""
    posterior = rankings.aggregate("prirn", reliability=5)
    risk = dict(zip(rankings.labels, (f"level {level}" for level in rankings.risk.tolist()), strict=True))
    grouped = posterior.grouped(risk)
    assert set(grouped.labels) == set(risk.values())
    expected = posterior.mean.T.groupby(risk).sum().T
    pd.testing.assert_frame_equal(grouped.mean, expected[list(grouped.labels)], check_names=False)
    np.testing.assert_allclose(grouped.in_top(1).max(axis=1), grouped.certainty(1))
    with pytest.raises(ValueError, match="got none for"):
        posterior.grouped({})


def test_raters_have_their_confusions() -> None:
    """Of the fit that aggregates; who is right more often has the larger diagonal."""
    generator = np.random.default_rng(0)
    truth = generator.integers(0, 2, 200)
    rows = [
        (case, rater, "ab"[truth[case] if generator.random() < right else 1 - truth[case]])
        for case in range(200)
        for rater, right in (("good", 0.95), ("fair", 0.8), ("poor", 0.6))
    ]
    task = loupe.Study.from_frames(pd.DataFrame(rows, columns=["case_id", "rater_id", "label"])).task()
    diagonal = {}
    for rater in ("good", "fair", "poor"):
        table = task.confusion(rater)
        np.testing.assert_allclose(table.sum(axis=1), 1)
        diagonal[rater] = np.diag(table).mean()
    assert diagonal["good"] > diagonal["fair"] > diagonal["poor"]
    with pytest.raises(ValueError, match='Did you mean "good"'):
        task.confusion("goood")


def test_two_models_of_the_same_readings_are_laid_side_by_side(rankings: loupe.Task) -> None:
    """Series of the same cases (Stutz 2025, fig. E.15): the point estimate is surer than any reliability."""
    exact, point = (rankings.aggregate("prirn", reliability=at).certainty() for at in (5, math.inf))
    assert exact.index.equals(point.index)
    assert (exact < point + 1e-9).mean() > 0.9
    assert exact.corr(exact) == pytest.approx(1)
