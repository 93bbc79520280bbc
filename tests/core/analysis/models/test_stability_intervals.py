"""Intervals of the models' metrics: each holds its own estimate, and the truth as often as it says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from simulated_panels import Panel
from small_study import small_study
from two_label_studies import two_label_study

from core.analysis.models.best import best_table, pair_table, rank_table
from core.analysis.models.comparison import comparison
from core.analysis.models.settings import ANNOTATIONS, SOURCES, Annotations, ComparisonSettings
from core.analysis.models.stability import stability
from core.analysis.models.truth_draws import lost_scatter
from core.cli import sample_folder
from core.metrics.soft.metrics import s_ap
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study

N_STUDIES = 150
STATED = 0.95
SLACK = 0.02
"""How far the true coverage may be from 95 %; the binomial error of so many studies comes on top."""


@pytest.mark.slow
@pytest.mark.parametrize("annotations", ANNOTATIONS)
def test_every_interval_holds_its_own_estimate(annotations: Annotations) -> None:
    """Of every model, pair, metric and source, in every finding of the sample."""
    study = read_study(sample_folder("chest_xrays"))
    for task in study.tasks.values():
        stable = stability(study, task, ComparisonSettings(annotations=annotations, n_draws=200))
        for table, estimate in ((best_table(stable), "observed"), (pair_table(stable), "difference")):
            assert table[[estimate, "low", "high"]].notna().all(axis=None)
            assert (table["low"] <= table[estimate]).all()
            assert (table[estimate] <= table["high"]).all()
        values = best_table(stable)
        assert values["low"].min() >= 0
        assert values.loc[~values["metric"].str.contains("log loss"), "high"].max() <= 1
        assert set(values["interval_of"]) == set(pair_table(stable)["interval_of"])
        assert values.groupby("source")["interval_of"].nunique().eq(1).all()


def test_draws_that_all_lie_elsewhere_leave_the_interval_about_the_estimate() -> None:
    """Of plausible truths the mean is named beside it: it is lower, as the posterior knows no scores."""
    study, task, _ = Panel(150, 3, 3, (0.5, 1.0)).draw(0)
    aggregation = Aggregation("label-counts", 1.0)
    stable = stability(
        study, task, ComparisonSettings(annotations="plausibility", n_draws=400), aggregation=aggregation
    )
    row = best_table(stable).query("source == 'annotations' and metric == 's-AUROC'").iloc[0]
    drawn = stable.drawn["annotations", "s-AUROC"][:, 0]
    assert drawn.max() < row["observed"]
    assert row["mean_of_draws"] == pytest.approx(drawn.mean())
    assert row["low"] < row["observed"] < row["high"]


def test_intervals_do_not_depend_on_how_truths_are_drawn() -> None:
    """A prior makes plausible truths scatter more or less; how wrong the value may be, the readings say."""
    study, task, _ = Panel(80, 3, 5, (0.5, 1.0), n_models=2).draw(4)
    by_readings, by_counts, by_few = (
        stability(study, task, ComparisonSettings(annotations=way, n_draws=60), aggregation=aggregation)
        for way, aggregation in (
            ("bootstrap", None),
            ("plausibility", Aggregation("label-counts", 1.0)),
            ("plausibility", Aggregation("plackett-luce", 10.0)),
        )
    )
    same = ["source", "metric", "low", "high", "interval_of", "caution"]
    for table in (best_table, pair_table):
        expected = table(by_readings)
        for other in (table(by_counts), table(by_few)):
            pd.testing.assert_frame_equal(other[same], expected[same])
            assert (other["probability"] != expected["probability"]).any()
    assert set(by_counts.drawn) == set(by_readings.drawn)


def _stretched(values, metric: str, n: int):
    """Log odds of n cases, half a case added to either side; of a log loss its logarithm."""
    up = np.log(n * np.asarray(values, float) + 0.5)
    return up if metric == "log loss" else up - np.log(n * (1 - np.asarray(values, float)) + 0.5)


def test_an_interval_by_hand() -> None:
    """Log odds, or logarithms of a log loss, ± Student's t times their spread; differences likewise."""
    study, task, _ = Panel(40, 3, 3, (0.5, 1.0), n_models=2).draw(5)
    stable = stability(study, task, ComparisonSettings(n_draws=50))
    plausibility = comparison(study, task).plausibility
    hard, soft = (plausibility > 0.5).sum(), plausibility.sum()
    best = best_table(stable).set_index(["source", "metric", "model"])
    pairs = pair_table(stable).set_index(["source", "metric", "model_a"])
    for metric, positive in {"s-AP": soft, "AP": hard, "log loss": hard}.items():
        times = stats.t(min(positive, 40 - positive) - 1).ppf(0.975)
        for source, stretch in (("annotations", np.sqrt(1.5)), ("cases", 1.0), ("both", 1.0)):
            drawn = stable.drawn["cases" if source == "both" else source, metric]
            centre = stable.observed[metric]
            if metric == "s-AP" and source == "annotations":
                centre = centre - 1.5 * (drawn.mean(axis=0) - centre)
            half = times * stretch * _stretched(drawn, metric, 40).std(axis=0, ddof=1)
            for m, model in enumerate(stable.models):
                ends = _stretched(best.loc[(source, metric, model), ["low", "high"]], metric, 40)
                middle = _stretched(centre[m], metric, 40)
                np.testing.assert_allclose(ends, middle + half[m] * np.array([-1, 1]))
            lead = times * stretch * (drawn[:, 0] - drawn[:, 1]).std(ddof=1)
            row = pairs.loc[(source, metric, "m0")]
            middle = centre[0] - centre[1]
            np.testing.assert_allclose([row["low"], row["high"]], middle + lead * np.array([-1, 1]))


def test_the_middle_of_an_interval_is_free_of_the_bias_of_average_precision() -> None:
    """Twenty cases read anew 300 times: s-AP is too high, for shares are multiplied by themselves."""
    rng = np.random.default_rng(6)
    p = rng.beta(0.5, 1.0, 20)
    score = np.clip(p + 0.2 * rng.standard_normal(20), 0, 1)
    true = s_ap(score, p)
    observed, middle = [], []
    for seed in range(300):
        votes = (rng.random((20, 3)) < p[:, None]).astype(int).tolist()
        study, task = two_label_study(votes, {"m": score}, seed=seed)
        settings = ComparisonSettings(n_draws=60)
        row = best_table(stability(study, task, settings, metrics=["s-AP"], sources=["annotations"])).iloc[0]
        observed.append(row["observed"] - true)
        middle.append((_stretched(row[["low", "high"]], "s-AP", 20)).mean())
    unstretched = (21 / (1 + np.exp(-np.array(middle))) - 0.5) / 20 - true
    error = np.std(observed) / np.sqrt(300)
    assert np.mean(observed) > 3 * error
    assert abs(unstretched.mean()) < error


def test_intervals_stay_within_the_range_and_say_where_they_promise_too_much() -> None:
    """One positive case in twelve, found by a model that is never wrong and by one that errs once."""
    present = [[1, 1, 1], [1, 0, 0], *[[0, 0, 0]] * 10]
    right = np.linspace(0.9, 0.1, 12) * np.where(np.arange(12) > 0, 0.5, 1.0)
    models = {"right": right, "copy": right, "wrong": np.where(np.arange(12) == 5, 0.95, right)}
    stable = stability(*two_label_study(present, models), ComparisonSettings(n_draws=60))
    best = best_table(stable).set_index(["source", "metric", "model"])
    assert (best["low"] >= 0).all()
    assert best.drop(index=["log loss", "soft log loss"], level="metric")["high"].max() <= 1
    few = "may hold the truth less often than stated: the rarer side ({1}) has {0} of 5 cases needed".format
    label, answer = "positive or negative", "right or wrong"
    assert (best.loc["cases"].loc[["AUROC", "AP", "Brier score"], "caution"] == few(1, label)).all()
    assert (best.loc["cases"].loc["s-AUROC", "caution"] == few(1.33, label)).all()
    assert best.loc[("cases", "accuracy", "wrong"), "caution"] == few(1, answer)
    assert best.loc[("cases", "accuracy", "right"), "caution"] == few(0, answer)
    pairs = pair_table(stable).set_index(["source", "metric", "model_a", "model_b"])["caution"]
    assert pairs["cases", "accuracy", "right", "wrong"] == few(0, answer)
    many = [[1, 1, 1], [0, 0, 0]] * 6
    sure = stability(
        *two_label_study(many, {"m": np.tile([0.9, 0.1], 6), "n": np.tile([0.9, 0.8], 6)}),
        ComparisonSettings(n_draws=20),
        metrics=["AUROC", "s-AUROC", "Brier score"],
    )
    said = best_table(sure).set_index(["source", "metric", "model"])["caution"]
    unmoved = "may hold the truth less often than stated: every draw gives the same value"
    assert set(said["annotations"]) == {unmoved}
    assert set(said["cases"]["AUROC"]) == {unmoved}
    assert said["cases", "Brier score", "n"] == ""
    once = stability(*two_label_study(many, {"m": np.tile([0.9, 0.1], 6)}), ComparisonSettings(n_draws=1))
    assert (
        best_table(once)["caution"].str.fullmatch("no interval: fewer than two draws define the metric").all()
    )


def test_both_scatter_as_much_as_cases_which_bring_their_readings_along() -> None:
    """The scatter of the readings counts once; the draws alone would count it twice."""
    study, task, _ = Panel(150, 3, 3, (0.5, 1.0), n_models=3).draw(1)
    stable = stability(study, task, ComparisonSettings(n_draws=300))
    for metric in stable.observed:
        cases, both = (stable.about_observed(source, metric) for source in ("cases", "both"))
        assert (both.var(axis=0)).sum() == pytest.approx(cases.var(axis=0).sum())
        assert stable.drawn["both", metric].var(axis=0).sum() > cases.var(axis=0).sum()


def test_about_observed_moves_and_stretches_all_models_alike() -> None:
    """Its mean is what was observed, and P(best) is the share of its draws in which a model is first."""
    study, task, _ = Panel(100, 4, 4, (0.5, 0.5), n_models=2).draw(2)
    stable = stability(study, task, ComparisonSettings(n_draws=100))
    for source in SOURCES:
        for metric, observed in stable.observed.items():
            about = stable.about_observed(source, metric)
            np.testing.assert_allclose(about.mean(axis=0), observed, atol=1e-12)
            drawn = stable.drawn[source, metric]
            steps = np.ptp(about, axis=0) / np.ptp(drawn, axis=0)
            np.testing.assert_allclose(steps, steps[0])
    chances = best_table(stable).set_index(["source", "metric", "model"])["probability"]
    first = rank_table(stable).query("rank == 1").set_index(["source", "metric", "model"])["share"]
    shared = chances[chances > 0].index
    pd.testing.assert_series_equal(chances[shared], first[shared], check_names=False)


@pytest.mark.parametrize(("n", "factor"), [(2, 2.0), (3, 1.5), (8, 8 / 7)])
def test_readings_drawn_anew_lose_a_share_of_their_scatter(n: int, factor: float) -> None:
    """R of R: the variance of their mean is (R − 1)/R of the true one, as 3,000 panels show."""
    rng = np.random.default_rng(3)
    p = rng.beta(0.5, 1.0, 60)
    study, task, _ = Panel(60, n, n, (0.5, 1.0)).draw(3)
    assert lost_scatter(comparison(study, task)) == pytest.approx(np.sqrt(factor))
    votes = rng.binomial(n, p, (3000, 60)) / n
    assert (votes * (1 - votes) / n).mean() * factor == pytest.approx((p * (1 - p) / n).mean(), rel=0.02)


def test_lost_scatter_by_hand() -> None:
    """Cases of one, two and four readings; differentials that divide a vote; nothing to be known."""
    one, two, four = [1], [1, 0], [1, 1, 1, 0]
    lost = lost_scatter(comparison(*two_label_study([one, two, four], {"m": [0.1, 0.2, 0.3]})))
    unbiased = np.array([(0.5 + 0.25) / 2, 0.5, 0.25])
    assert lost == pytest.approx(np.sqrt((unbiased / [1, 2, 4]).sum() / (0.25 / 2 + 0.1875 / 4)))
    scores = {"m": [0.1, 0.2]}
    assert lost_scatter(comparison(*two_label_study([[1, 1], [0, 0]], scores))) == 1
    assert np.isnan(lost_scatter(comparison(*two_label_study([[1], [0]], scores))))
    # Votes of the case: (½, ½, 0), (½, ½, 0), (0, 0, 1), the last reading twice.
    study, task = small_study(
        "ranking", "abc", [["ab", "ab", "c", "c"]], predictions={"m": [[0.5, 0.3, 0.2]]}
    )
    assert lost_scatter(comparison(study, task)) == pytest.approx(np.sqrt(4 / 3))


def test_single_readings_say_nothing_of_their_scatter() -> None:
    """Drawn anew each is itself: that is no certainty. Cases, and both, can be drawn all the same."""
    models = {"good": [0.9, 0.8, 0.3, 0.2], "poor": [0.4, 0.8, 0.3, 0.6]}
    stable = stability(
        *two_label_study([[1], [1], [0], [0]], models), ComparisonSettings(n_draws=50), metrics=["s-AUROC"]
    )
    best, pairs = best_table(stable).set_index("source"), pair_table(stable).set_index("source")
    assert best.loc["annotations", ["low", "high", "probability", "mean_rank"]].isna().all(axis=None)
    assert pairs.loc["annotations", ["low", "high", "probability"]].isna().all(axis=None)
    assert set(rank_table(stable)["source"]) == {"cases", "both"}
    assert best.loc[["cases", "both"], "probability"].notna().all()
    unknown = "no interval: single readings tell nothing of their scatter"
    assert (best.loc["annotations", "caution"] == unknown).all()
    assert (pairs.loc["annotations", "caution"] == unknown).all()
    assert not best.loc[["cases", "both"], "caution"].eq(unknown).any()


@pytest.mark.slow
@pytest.mark.parametrize("annotations", ANNOTATIONS)
def test_intervals_hold_the_truth_as_often_as_they_say(annotations: Annotations) -> None:
    """In 150 studies of 100 cases with three or five readings, within what chance does to so many studies."""
    panel, metrics = Panel(100, 3, 5, (0.5, 1.0)), ("AUROC", "s-AUROC", "soft Brier score")
    aggregation = Aggregation("label-counts", 1.0)
    held: dict[tuple[str, str], int] = {}
    for seed in range(N_STUDIES):
        study, task, truth = panel.draw(seed)
        stable = stability(
            study,
            task,
            ComparisonSettings(annotations=annotations, n_draws=200),
            metrics=metrics,
            aggregation=aggregation,
        )
        for row in best_table(stable).itertuples():
            whose = "these cases" if row.source == "annotations" else "other cases"
            key = row.source, row.metric
            held[key] = held.get(key, 0) + int(row.low <= truth[whose, row.metric][0] <= row.high)
    chance = 3 * np.sqrt(STATED * (1 - STATED) / N_STUDIES)
    shares = {key: count / N_STUDIES for key, count in held.items()}
    assert min(shares.values()) >= STATED - SLACK - chance, shares
    assert len(shares) == len(SOURCES) * len(metrics)


def test_p_is_that_of_the_paired_t_test() -> None:
    """Of accuracy, with the rarer side's degrees of freedom; corrected for pairs, each counted once."""
    rng = np.random.default_rng(1)
    truth = rng.random(400) < 0.5
    says = {f"m{i}": np.where(rng.random(400) < of, truth, ~truth) for i, of in enumerate((0.85, 0.75, 0.7))}
    scores = {model: of.astype(float) for model, of in says.items()}
    study, task = two_label_study(truth.astype(int)[:, None].tolist(), scores)
    stable = stability(study, task, ComparisonSettings(n_draws=2000), metrics=["accuracy"], sources=["cases"])
    pairs = pair_table(stable).set_index(["model_a", "model_b"])
    for a, b in pairs.index:
        right = [(says[model] == truth).astype(float) for model in (a, b)]
        wrong = min(int((1 - of).sum()) for of in right)
        found = stats.t.isf(pairs.loc[(a, b), "p"] / 2, wrong - 1)
        assert found == pytest.approx(abs(stats.ttest_rel(*right).statistic), rel=0.06)
        assert (pairs.loc[(a, b), "p"] < 0.05) == (
            pairs.loc[(a, b), "low"] > 0 or pairs.loc[(a, b), "high"] < 0
        )
        assert pairs.loc[(a, b), "p_holm"] == pairs.loc[(b, a), "p_holm"] >= pairs.loc[(a, b), "p"]
    assert pairs["n_comparisons"].eq(3).all()
    np.testing.assert_allclose(pairs["p_holm"].min(), min(3 * pairs["p"].min(), 1))
