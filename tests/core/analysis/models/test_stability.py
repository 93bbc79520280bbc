"""How sure an order is: limits, exact small cases, invariances and refusals."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score
from two_label_studies import two_label_study

from core.analysis.models import resampling as resampling_module
from core.analysis.models.best import (
    best_table,
    correlation_draws,
    correlation_table,
    pair_table,
    rank_table,
    stability_tests,
)
from core.analysis.models.comparison import comparison
from core.analysis.models.meter import METRICS
from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import SOURCES, stability
from core.analysis.models.truth_draws import drawn_plausibilities, resampled_readings
from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.bootstrap import seeded_case_weights
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import Aggregation
from core.study.model import Study


def some_study(seed: int = 0, n: int = 60):
    """Models of falling quality, and a copy of the first."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 0.5, n)
    present = [(rng.random(5) < of).astype(int).tolist() for of in p]
    scores = {
        f"m{i}": np.clip(p + noise * rng.standard_normal(n), 0, 1) for i, noise in enumerate([0.2, 0.3, 0.6])
    }
    return two_label_study(present, scores | {"copy": scores["m0"]}, seed=seed)


@pytest.fixture(scope="module")
def stable():
    """All sources, all metrics."""
    return stability(*some_study(), ComparisonSettings(n_draws=300))


def test_observed_is_the_rank_change_table(stable) -> None:
    """Both ways to the same numbers."""
    table = rank_change(*some_study())
    for metric, values in stable.observed.items():
        hard = table[table["metric"] == metric]
        expected = hard["hard"] if len(hard) else table.loc[table["counterpart"] == metric, "soft"]
        np.testing.assert_allclose(values, expected, atol=1e-14)


def test_every_draw_is_the_metric_of_that_draw() -> None:
    """Scikit-learn on the resampled labels and cases, one draw after the other."""
    study, task = some_study(3)
    stable = stability(study, task, ComparisonSettings(n_draws=5))
    compared = comparison(study, task)
    p = resampled_readings(study, compared)(0, 5).plausibility
    weight = seeded_case_weights(
        len(compared.cases), resampling_module.case_seeds(study.seed, list("01234"), "bootstrap of cases")
    )
    assert (weight.sum(axis=1) == study.n_cases).all()
    y = np.repeat([1, 0], study.n_cases)
    for d, (m, score) in itertools.product(range(5), enumerate(compared.score)):
        doubled = np.concatenate([weight[d] * p[d], weight[d] * (1 - p[d])])
        for metric, function in {"s-AUROC": roc_auc_score, "s-AP": average_precision_score}.items():
            expected = function(y, np.tile(score, 2), sample_weight=doubled)
            assert stable.drawn["both", metric][d, m] == pytest.approx(expected, abs=1e-12)
        hard = p[d] > 0.5
        expected = roc_auc_score(hard, score)
        assert stable.drawn["annotations", "AUROC"][d, m] == pytest.approx(expected, abs=1e-12)
        expected = brier_score_loss(hard, score, sample_weight=weight[d])
        assert stable.drawn["both", "Brier score"][d, m] == pytest.approx(expected, abs=1e-12)
        expected = np.average(hard == (score > 0.5), weights=weight[d])
        assert stable.drawn["both", "accuracy"][d, m] == pytest.approx(expected, abs=1e-12)
        truth = compared.plausibility > 0.5
        expected = roc_auc_score(truth, score, sample_weight=weight[d])
        assert stable.drawn["cases", "AUROC"][d, m] == pytest.approx(expected, abs=1e-12)


def test_draws_do_not_depend_on_batches_or_on_other_cases(monkeypatch) -> None:
    """Small batches, and half of the cases."""
    study, task = some_study(4)
    together = stability(study, task, ComparisonSettings(n_draws=50))
    monkeypatch.setattr(resampling_module, "CELLS_AT_ONCE", 7 * study.n_cases)
    apart = stability(study, task, ComparisonSettings(n_draws=50))
    for key, drawn in together.drawn.items():
        np.testing.assert_allclose(drawn, apart.drawn[key], atol=1e-14, rtol=0)
    present = [task.readings.label[5 * i : 5 * i + 5].tolist() for i in range(30)]
    half, half_task = two_label_study(present, {"m": np.zeros(30)}, seed=study.seed)
    whole = resampled_readings(study, comparison(study, task))(0, 9).plausibility
    part = resampled_readings(half, comparison(half, half_task))(0, 9).plausibility
    np.testing.assert_array_equal(whole[:, :30], part)
    other = two_label_study(present, {"m": np.zeros(30)}, seed=99)
    assert (resampled_readings(other[0], comparison(*other))(0, 9).plausibility != part).any()


def test_resampled_votes_are_binomial() -> None:
    """Where c of R readings are positive: Binomial(R, c / R), independent between draws and cases."""
    study, task = two_label_study([[1, 0, 0, 1, 0], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1]], {"m": [0.1, 0.2, 0.3]})
    draws = 5 * resampled_readings(study, comparison(study, task))(0, 20_000).plausibility
    np.testing.assert_allclose(draws.mean(axis=0), [2, 1, 5], atol=0.04)
    np.testing.assert_allclose(draws.var(axis=0), [5 * 0.4 * 0.6, 5 * 0.2 * 0.8, 0], atol=0.05)
    assert abs(np.corrcoef(draws[:, 0], draws[:, 1])[0, 1]) < 0.03
    assert abs(np.corrcoef(draws[1:, 0], draws[:-1, 0])[0, 1]) < 0.03


def test_certain_readings_leave_nothing_to_annotations() -> None:
    """Unanimous readings: the observed values in every draw, and probabilities of 0, 1 and one half."""
    study, task = two_label_study(
        [[1, 1]] * 5 + [[0, 0]] * 5,
        {
            "good": np.linspace(0.9, 0.1, 10),
            "poor": np.tile([0.2, 0.6], 5),
            "copy": np.linspace(0.9, 0.1, 10),
        },
    )
    stable = stability(
        study, task, ComparisonSettings(n_draws=20), sources=["annotations"], metrics=["s-AUROC", "log loss"]
    )
    for (_, metric), drawn in stable.drawn.items():
        assert abs(drawn - stable.observed[metric]).max() < 1e-14
    pairs = pair_table(stable).set_index(["metric", "model_a", "model_b"])["probability"]
    best = best_table(stable).set_index(["metric", "model"])
    for metric in ("s-AUROC", "log loss"):
        assert pairs[metric, "good", "poor"] == 1
        assert pairs[metric, "poor", "good"] == 0
        assert pairs[metric, "good", "copy"] == 0.5
        assert best.loc[metric, "probability"].to_dict() == {"good": 0.5, "poor": 0, "copy": 0.5}
        assert best.loc[(metric, "poor"), "observed_rank"] == 3
    draws = correlation_draws(stable)
    assert (draws[["spearman", "kendall"]] == 1).all(axis=None)


def test_tables_count_the_draws(stable) -> None:
    """P(A > B) + P(B > A) = 1, P(best) sums to 1, and both are plain counts."""
    pairs = pair_table(stable).set_index(["source", "metric", "model_a", "model_b"])
    best = best_table(stable)
    assert set(pairs["n_draws"]) == {300}
    np.testing.assert_allclose(best.groupby(["source", "metric"])["probability"].sum(), 1)
    for source, metric in stable.drawn:
        drawn = stable.about_observed(source, metric)
        lower_is_better = "Brier" in metric or "loss" in metric
        wins = drawn[:, 0] < drawn[:, 2] if lower_is_better else drawn[:, 0] > drawn[:, 2]
        share = wins.mean() + 0.5 * (drawn[:, 0] == drawn[:, 2]).mean()
        row = pairs.loc[(source, metric, "m0", "m2")]
        assert row["probability"] == pytest.approx(share)
        assert pairs.loc[(source, metric, "m2", "m0"), "probability"] == pytest.approx(1 - share)
        one = best[(best["source"] == source) & (best["metric"] == metric)].set_index("model")
        assert one.loc["m0", "probability"] == one.loc["copy", "probability"]
        assert one["rank_high"].max() <= 4


def test_both_sources_scatter_more_than_one(stable) -> None:
    """The spread of s-AUROC from both exceeds that from either."""
    spread = {source: stable.drawn[source, "s-AUROC"][:, 0].std() for source in SOURCES}
    assert spread["both"] > max(spread["annotations"], spread["cases"])


def test_tests_count_wins_of_the_soft_metric(stable) -> None:
    """By hand from the draws, with the binomial tail summed."""
    draws = correlation_draws(stable)
    table = correlation_table(draws)
    assert len(table) == len(SOURCES) * len(METRICS) * 2
    tests = stability_tests(draws).set_index(["source", "counterpart", "coefficient"])
    of = draws[draws["source"] == "annotations"].set_index(["metric", "draw"])["kendall"]
    lead = (of["s-AUROC"] - of["AUROC"]).round(9)
    row = tests.loc[("annotations", "s-AUROC", "kendall")]
    assert (row["wins"], row["losses"], row["ties"]) == (
        (lead > 0).sum(),
        (lead < 0).sum(),
        (lead == 0).sum(),
    )
    rng = np.random.default_rng(0)
    tail = (rng.binomial(row["wins"] + row["losses"], 0.5, 10**6) >= row["wins"]).mean()
    assert row["lionetti_2025_p"] == pytest.approx(tail, abs=0.003)
    share = (lead > 0).mean() + 0.5 * (lead == 0).mean()
    assert row["share_better"] == pytest.approx(share)
    resampled = rng.choice((np.sign(lead) + 1) / 2, (2000, len(lead))).mean(axis=1)
    assert row["monte_carlo_error"] == pytest.approx(resampled.std(), rel=0.1)
    assert "adjusted accuracy" not in tests.index.get_level_values("counterpart")


def test_more_draws_make_a_share_more_exact_and_the_published_p_value_small() -> None:
    """The same data with 300 and 2,700 draws: the share stays within its error, which is a third as large."""
    study, task = some_study(7)
    few, many = (
        stability_tests(
            correlation_draws(stability(study, task, ComparisonSettings(n_draws=n), sources=["annotations"]))
        )
        .set_index(["counterpart", "coefficient"])
        .loc[("s-AUROC", "spearman")]
        for n in (300, 2700)
    )
    assert many["share_better"] == pytest.approx(few["share_better"], abs=3 * few["monte_carlo_error"])
    assert many["monte_carlo_error"] == pytest.approx(few["monte_carlo_error"] / 3, rel=0.15)
    assert many["share_better"] > 0.5
    assert many["lionetti_2025_p"] < few["lionetti_2025_p"] / 10


def test_plausibility_draws_follow_the_posterior() -> None:
    """Dirichlet(γ c + ½): mean and variance; a point estimate is refused."""
    study, task = two_label_study([[1, 1, 1, 0], [0, 0, 0, 0]], {"m": [0.6, 0.2]})
    compared = comparison(study, task)
    p = drawn_plausibilities(study, compared, Aggregation("label-counts", 2.0), 20_000)(
        0, 20_000
    ).plausibility
    a, b = np.array([6.5, 0.5]), np.array([2.5, 8.5])
    np.testing.assert_allclose(p.mean(axis=0), a / (a + b), atol=0.005)
    np.testing.assert_allclose(p.var(axis=0), a * b / (a + b) ** 2 / (a + b + 1), atol=0.001)
    with pytest.raises(ValueError, match="label-counts at ∞, which is certain of one truth"):
        stability(
            study,
            task,
            ComparisonSettings(annotations="plausibility"),
            aggregation=Aggregation("label-counts"),
        )


@pytest.mark.parametrize("name", ["prirn", "plackett-luce"])
def test_mean_accuracy_over_plausibilities_is_the_adjusted_one(dermatology: Study, name: str) -> None:
    """Forty labels, some of which nobody mentioned."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = Aggregation(name, 3.0)
    stable = stability(
        dermatology,
        task,
        ComparisonSettings(annotations="plausibility"),
        aggregation=aggregation,
        metrics=["accuracy"],
        sources=["annotations"],
    )
    posterior = aggregate(dermatology, task, aggregation)
    if isinstance(posterior, SampledPosterior):
        # As the draws have it: labels that readings cannot tell apart are not averaged.
        apart = np.arange(len(posterior.candidates.label))
        posterior = SampledPosterior(replace(posterior.draws, alike=apart))
    for m, predictions in enumerate(task.predictions.values()):
        expected = np.nanmean(adjusted_metrics(posterior, predictions)["top-1 accuracy"])
        exact = 1e-6 if name == "plackett-luce" else 0.002
        assert stable.drawn["annotations", "accuracy"][:, m].mean() == pytest.approx(expected, abs=exact)


def test_leading_labels_come_from_the_readings_drawn() -> None:
    """Differentials with ties: the draws' first choices, by hand, are votes over the same readings."""
    from small_study import small_study

    study, task = small_study(
        "ranking",
        "abcd",
        [["a b", "bc a", "c"], ["d", "d", "d"]],
        predictions={"m": [[0.4, 0.3, 0.2, 0.1]] * 2},
    )
    of_label = {
        label: resampled_readings(study, comparison(study, task, label=label))(0, 400) for label in "abcd"
    }
    share = np.stack([of_label[label].plausibility for label in "abcd"], axis=2)
    np.testing.assert_allclose(share.sum(axis=2), 1)
    leads = share >= share.max(axis=2, keepdims=True) - 1e-9
    expected = leads / leads.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(np.stack([of_label[label].hard for label in "abcd"], axis=2), expected)
    assert (leads[:, 0].sum(axis=1) > 1).any()
    answer = [order.label.tolist() for order in comparison(study, task).answers]
    for credit, codes in zip(of_label["a"].credit, answer, strict=True):
        by_hand = [expected[:, case, code] for case, code in enumerate(codes)]
        np.testing.assert_allclose(credit, np.transpose(by_hand))


def test_own_coverage_judges_each_model_on_its_cases() -> None:
    """A model with fewer cases, under own and common coverage."""
    study, task = some_study(5)
    score = task.predictions["m1"].probability[:, 1].copy()
    score[:20] = np.nan
    present = [task.readings.label[5 * i : 5 * i + 5].tolist() for i in range(study.n_cases)]
    scores = {"m0": task.predictions["m0"].probability[:, 1], "m1": score}
    own = stability(*two_label_study(present, scores), ComparisonSettings(coverage="own", n_draws=20))
    common = stability(*two_label_study(present, scores), ComparisonSettings(n_draws=20))
    alone = stability(*two_label_study(present, {"m0": scores["m0"]}), ComparisonSettings(n_draws=20))
    for metric in METRICS:
        key = ("annotations", metric)
        np.testing.assert_allclose(own.drawn[key][:, 0], alone.drawn[key][:, 0], atol=1e-12)
        np.testing.assert_allclose(own.drawn[key][:, 1], common.drawn[key][:, 1], atol=1e-12)
    assert np.isfinite(own.drawn["both", "AP"]).all()


def test_undefined_draws_do_not_enter_and_are_counted() -> None:
    """One case that is positive by a bare majority: some draws have no positive."""
    study, task = two_label_study(
        [[1, 1, 0], [0, 0, 0], [0, 0, 0]], {"a": [0.9, 0.3, 0.2], "b": [0.2, 0.3, 0.4]}
    )
    stable = stability(study, task, ComparisonSettings(n_draws=200), metrics=["AUROC", "s-AUROC"])
    missing = np.isnan(stable.drawn["annotations", "AUROC"]).any(axis=1).sum()
    assert 0 < missing < 200
    best = best_table(stable).set_index(["source", "metric", "model"])
    assert best.loc[("annotations", "AUROC", "a"), "n_draws"] == 200 - missing
    assert best.loc[("annotations", "AUROC", "a"), "probability"] == 1
    pairs = pair_table(stable).set_index(["source", "metric", "model_a"])
    assert pairs.loc[("annotations", "AUROC", "a"), "n_draws"] == 200 - missing
    never, _ = two_label_study([[0, 0]] * 3, {"a": [0.9, 0.3, 0.2], "b": [0.2, 0.3, 0.4]})
    nothing = stability(never, never.tasks["finding"], ComparisonSettings(n_draws=5), metrics=["AUROC"])
    assert pair_table(nothing)["probability"].isna().all()
    assert best_table(nothing)["probability"].isna().all()
    assert correlation_table(correlation_draws(nothing))["mean"].isna().all()


def test_one_model() -> None:
    """Best by itself; no pair and no correlation."""
    study, task = some_study(6)
    present = [task.readings.label[5 * i : 5 * i + 5].tolist() for i in range(study.n_cases)]
    stable = stability(
        *two_label_study(present, {"m": task.predictions["m0"].probability[:, 1]}),
        ComparisonSettings(n_draws=10),
    )
    assert (best_table(stable)["probability"] == 1).all()
    assert pair_table(stable).empty
    draws = correlation_draws(stable)
    assert draws["spearman"].isna().all()
    assert pd.isna(stability_tests(draws)[["share_better", "lionetti_2025_p"]]).all(axis=None)


def test_losses_are_refused_for_scores_out_of_range() -> None:
    """The others are measured; the reason is kept."""
    study, task = two_label_study([[1, 0], [1, 1], [0, 0]], {"a": [0.4, 1.7, 0.2]})
    stable = stability(study, task, ComparisonSettings(n_draws=5))
    assert set(stable.refused) == {"Brier score", "soft Brier score", "log loss", "soft log loss"}
    assert stable.refused["log loss"].startswith("a: scores must be probabilities")
    assert "got 0.2 to 1.7" in stable.refused["log loss"]
    with pytest.raises(ValueError, match=r"a: scores must be probabilities in \[0, 1\]"):
        stability(study, task, metrics=["log loss"])
    assert {metric for _, metric in stable.drawn} == set(METRICS) - set(stable.refused)


def test_a_model_that_a_metric_is_not_defined_for_is_left_out() -> None:
    """The others come out as if it were not there: values, chances, ranks and correlations."""
    votes = [[1, 0], [1, 1], [0, 0], [1, 1], [0, 1], [0, 0]]
    given = {"a": [0.4, 0.7, 0.2, 0.9, 0.6, 0.3], "b": [0.6, 0.5, 0.1, 0.7, 0.3, 0.4]}
    beyond = {"a": given["a"], "c": [0.4, 1.7, 0.2, 0.8, 0.1, 0.3], "b": given["b"]}
    alone, among = (
        stability(*two_label_study(votes, models), ComparisonSettings(n_draws=40))
        for models in (given, beyond)
    )
    losses = ["Brier score", "soft Brier score", "log loss", "soft log loss"]
    assert among.refused == {}
    assert [metric for metric, models in among.left_out.items() if models] == losses
    assert list(among.left_out["log loss"]) == ["c"]
    assert "got 0.1 to 1.7" in among.left_out["log loss"]["c"]
    for table in (pair_table, best_table, rank_table, correlation_draws):
        expected, found = (of[of["metric"].isin(losses)] for of in (table(alone), table(among)))
        named = [column for column in ("model", "model_a", "model_b") if column in found]
        found = found[(found[named] != "c").all(axis=1)]
        pd.testing.assert_frame_equal(found.reset_index(drop=True), expected.reset_index(drop=True))
    best = best_table(among).query("metric == 'log loss' and model == 'c'")
    assert best[["low", "high", "probability", "mean_rank", "rank_low", "rank_high"]].isna().all().all()
    pairs = pair_table(among).query("metric == 'log loss' and (model_a == 'c' or model_b == 'c')")
    assert pairs[["probability", "difference", "low", "high"]].isna().all().all()
    assert (pairs["n_draws"] == 0).all()
    assert not np.isnan(among.observed["AUROC"]).any()
    assert np.isnan(among.observed["log loss"]).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["F1"]}, "metric must be one of AUROC, .*, got F1"),
        ({"metrics": []}, "metric must be one of .* got none"),
        ({"sources": ["luck"]}, "source must be one of annotations, cases, both, raters, all, got luck"),
    ],
)
def test_unknown_options_are_refused(options, message) -> None:
    """With what was allowed and what was given."""
    with pytest.raises(ValueError, match=message):
        stability(*some_study(), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"annotations": "jackknife"}, "annotations must be one of bootstrap, plausibility, got 'jackknife'"),
        ({"n_draws": 0}, "n_draws must be a whole number of 1 or more, got 0"),
    ],
)
def test_unknown_settings_are_refused(options, message) -> None:
    """Before anything is drawn."""
    with pytest.raises(ValueError, match=message):
        ComparisonSettings(**options)


def test_progress_runs_from_nothing_to_all() -> None:
    """In order."""
    seen: list[float] = []
    stability(*some_study(), ComparisonSettings(n_draws=5), progress=lambda share, _: seen.append(share))
    assert seen[0] == 0
    assert seen[-1] == 1
    assert seen == sorted(seen)
