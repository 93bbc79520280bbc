"""Hard beside soft: values by hand, coverage, identical models, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score
from small_study import small_study
from two_label_studies import two_label_study

from core.analysis.models.comparison import comparison
from core.analysis.models.rank_change import COLUMNS, rank_agreement, rank_change
from core.analysis.models.settings import ComparisonSettings
from core.cli import sample_folder
from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.soft.metrics import s_ap
from core.metrics.soft.standard_errors import auroc_error
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Study
from core.study.reading.folder import read_study

PRESENT = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
SCORES = {
    "a": [0.9, 0.8, 0.6, 0.3, 0.1, 0.2],
    "b": [0.9, 0.8, 0.1, 0.2, 0.3, 0.35],
    "copy": [0.9, 0.8, 0.6, 0.3, 0.1, 0.2],
    "flat": [0.4] * 6,
}


FIRST = Aggregation("plackett-luce", 1.0, tie_rule="first label")


def of(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Rows of one hard metric, by model."""
    return table[table["metric"] == metric].set_index("model")


def test_values_ranks_and_changes() -> None:
    """Hard AUROC, the tied case negative, cannot tell a from b; the soft one can."""
    table = rank_change(*two_label_study(PRESENT, SCORES), aggregation=FIRST)
    assert list(table.columns) == COLUMNS
    auroc = of(table, "AUROC")
    assert auroc["hard"].to_dict() == {"a": 1.0, "b": 1.0, "copy": 1.0, "flat": 0.5}
    p = np.array(PRESENT).mean(axis=1)
    y, w = np.repeat([1, 0], 6), np.concatenate([p, 1 - p])
    for model, scores in SCORES.items():
        expected = roc_auc_score(y, scores * 2, sample_weight=w)
        assert auroc.loc[model, "soft"] == pytest.approx(expected, abs=1e-12)
    assert auroc["hard_rank"].to_list() == [1, 1, 1, 4]
    assert auroc["soft_rank"].to_list() == [1, 3, 1, 4]
    assert auroc["rank_change"].to_list() == [0, -2, 0, 0]
    assert auroc["change"].to_list() == ["stays", "loses", "stays", "stays"]
    assert auroc["same_as"].to_list() == ["", "", "a", ""]
    brier = of(table, "Brier score")
    assert brier["hard_rank"].to_list() == [2, 1, 2, 4]
    flat = np.mean(p * 0.6**2 + (1 - p) * 0.4**2)
    assert brier.loc["flat", "soft"] == pytest.approx(flat)
    assert of(table, "accuracy")["hard"].to_dict() == pytest.approx(
        {"a": 5 / 6, "b": 1, "copy": 5 / 6, "flat": 4 / 6}
    )


def test_even_split_is_split() -> None:
    """The case with two of four votes counts as positive in half of the ways, in every hard metric."""
    study, task = two_label_study(PRESENT, SCORES)
    table = rank_change(study, task)
    assert of(table, "accuracy")["hard"].to_dict() == pytest.approx(
        {"a": 5.5 / 6, "b": 5.5 / 6, "copy": 5.5 / 6, "flat": 3.5 / 6}
    )
    assert of(table, "AUROC").loc["b", "hard"] == pytest.approx((6 / 9 + 1) / 2)
    score = np.array(SCORES["b"])
    assert of(table, "AP").loc["b", "hard"] == pytest.approx(
        np.mean([average_precision_score([1, 1, tied, 0, 0, 0], score) for tied in (0, 1)])
    )
    assert of(table, "Brier score").loc["b", "hard"] == pytest.approx(
        np.mean([np.mean((np.array([1, 1, tied, 0, 0, 0]) - score) ** 2) for tied in (0, 1)])
    )
    soft = of(rank_change(study, task, aggregation=FIRST), "AUROC")["soft"]
    pd.testing.assert_series_equal(of(table, "AUROC")["soft"], soft)


def test_a_model_that_ties_labels_is_split() -> None:
    """Equal probabilities are right in half of the ways, whichever label comes first."""
    study, task = two_label_study(PRESENT, {"even": [0.5] * 6})
    assert of(rank_change(study, task), "accuracy").loc["even", "hard"] == pytest.approx(0.5)


def test_agreement_is_that_of_the_table(digits: Study) -> None:
    """R² and correlations of SciPy; names of those who gain and lose."""
    task = next(iter(digits.tasks.values()))
    table = rank_change(digits, task, averages=True)
    for row in rank_agreement(table).to_dict("records"):
        rows = of(table[table["counterpart"] == row["counterpart"]], row["metric"])
        assert row["r_squared"] == pytest.approx(stats.pearsonr(rows["hard"], rows["soft"]).statistic ** 2)
        assert row["spearman"] == pytest.approx(stats.spearmanr(rows["hard"], rows["soft"]).statistic)
        assert row["kendall"] == pytest.approx(stats.kendalltau(rows["hard"], rows["soft"]).statistic)
        assert row["gains"] == ", ".join(rows.index[rows["rank_change"] > 0])
        assert row["loses"] == ", ".join(rows.index[rows["rank_change"] < 0])
        assert row["n_models"] == row["n_distinct"] == len(rows)


@pytest.mark.parametrize("model", ["plackett-luce", "irn"])
def test_adjusted_accuracy_is_the_adjusted_metric(dermatology: Study, model: str) -> None:
    """The one that the Reliability page shows."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = Aggregation(model, 2.0)
    table = of(rank_change(dermatology, task, aggregation=aggregation), "accuracy")
    posterior = aggregate(dermatology, task, aggregation)
    for name, predictions in task.predictions.items():
        expected = np.nanmean(adjusted_metrics(posterior, predictions)["top-1 accuracy"])
        assert table.loc[name, "soft"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_many_labels_add_averages_where_asked(digits: Study) -> None:
    """Equal to scikit-learn on the label with most votes, the mean over ways of breaking its few ties."""
    task = next(iter(digits.tasks.values()))
    table = rank_change(digits, task, ComparisonSettings(label_pairs=True), averages=True)
    assert {"AUROC (macro)", "AP (weighted)", "AUROC (pairs, macro)"} <= set(table["metric"])
    assert "AUROC (macro)" not in set(rank_change(digits, task)["metric"])
    counts = np.zeros((digits.n_cases, len(task.labels)))
    np.add.at(counts, (task.readings.case, task.readings.label), 1)
    rng = np.random.default_rng(0)
    broken = [(counts + 0.5 * rng.random(counts.shape)).argmax(axis=1) for _ in range(60)]
    for model, predictions in task.predictions.items():
        each = [
            np.mean(
                [roc_auc_score(hard == k, predictions.probability[:, k]) for k in range(len(task.labels))]
            )
            for hard in broken
        ]
        found = of(table, "AUROC (macro)").loc[model, "hard"]
        assert found == pytest.approx(np.mean(each), abs=4 * np.std(each) / np.sqrt(60))


def test_score_tasks_compare_sides_of_the_threshold(scores: Study) -> None:
    """The soft label is the share of scores at or above the threshold."""
    task = next(iter(scores.tasks.values()))
    readings = task.readings
    above = pd.Series(readings.score >= task.threshold).groupby(readings.case).mean()
    compared = comparison(scores, task, label=task.labels[1])
    np.testing.assert_allclose(compared.plausibility, above.to_numpy()[compared.cases])
    other = comparison(scores, task, label=task.labels[0])
    np.testing.assert_allclose(other.plausibility, 1 - compared.plausibility)


def test_tied_first_choices_divide_the_vote() -> None:
    """A differential votes with its first block."""
    study, task = small_study(
        "ranking", "abc", [["ab c", "a b"], ["c a", "b"]], predictions={"m": [[0.5, 0.3, 0.2]] * 2}
    )
    assert comparison(study, task, label="a").plausibility.tolist() == [0.75, 0]
    assert comparison(study, task, label="b").plausibility.tolist() == [0.25, 0.5]
    assert comparison(study, task).label == "a"


def test_coverage_common_and_own() -> None:
    """Common cases and their number, or each model's own; cases that nobody read never count."""
    scores = {"a": [*SCORES["a"], 0.5], "b": [0.9, np.nan, *SCORES["b"][2:], 0.5]}
    study, task = two_label_study([*PRESENT, []], scores)
    common = rank_change(study, task)
    own = rank_change(study, task, ComparisonSettings(coverage="own"))
    assert of(common, "AUROC")["n_cases"].to_list() == [5, 5]
    assert of(own, "AUROC")["n_cases"].to_list() == [6, 5]
    compared = comparison(study, task)
    assert (compared.n_unread, compared.n_left_out, compared.cases.tolist()) == (1, 1, [0, 2, 3, 4, 5])
    full = rank_change(*two_label_study(PRESENT, {"a": SCORES["a"]}))
    few = rank_change(
        *two_label_study([PRESENT[i] for i in (0, 2, 3, 4, 5)], {"b": np.delete(scores["b"], [1, 6])})
    )
    for metric in ("AUROC", "AP", "Brier score", "log loss", "accuracy"):
        for kind in ("hard", "soft"):
            same = pytest.approx(of(full, metric).loc["a", kind], abs=1e-12)
            assert of(own, metric).loc["a", kind] == same or metric == "accuracy"
            assert of(own, metric).loc["b", kind] == of(common, metric).loc["b", kind]
        same = pytest.approx(of(few, metric).loc["b", "hard"], abs=1e-12)
        assert of(common, metric).loc["b", "hard"] == same


def test_a_finding_without_positives_says_so() -> None:
    """Hard labels without a positive; soft ones without any mass."""
    study, task = two_label_study(
        [[1, 0, 0], [0, 0, 1], [0, 0, 0]], {"a": [0.2, 0.3, 0.4], "b": [0.4, 0.2, 0.1]}
    )
    table = rank_change(study, task)
    auroc = of(table, "AUROC")
    assert auroc["hard"].isna().all()
    assert auroc["soft"].notna().all()
    assert set(auroc["reason"]) == {"hard labels: no case is positive to any degree"}
    assert auroc["hard_rank"].isna().all()
    assert set(auroc["change"]) == {""}
    agreement = rank_agreement(table).set_index("metric")
    assert agreement.loc["AUROC", "reason"] == "needs two models with both values, got 0"
    nobody = rank_change(*two_label_study([[0, 0], [0, 0]], {"a": [0.2, 0.3]}))
    assert set(of(nobody, "AUROC")["reason"]) == {"soft labels: no case is positive to any degree"}
    assert of(nobody, "Brier score")["soft"].notna().all()


def test_one_model_and_equal_models_have_no_correlation() -> None:
    """NaN with a reason."""
    one = rank_agreement(rank_change(*two_label_study(PRESENT, {"a": SCORES["a"]})))
    assert one["spearman"].isna().all()
    assert set(one["reason"]) == {"needs two models with both values, got 1"}
    equal = rank_agreement(rank_change(*two_label_study(PRESENT, {"a": SCORES["a"], "c": SCORES["a"]})))
    assert set(equal["reason"]) == {"all models have the same value"}
    assert set(equal["n_distinct"]) == {1}


def test_scores_out_of_range_are_refused_for_losses_only() -> None:
    """One model's; the others keep their values and ranks."""
    scores = SCORES | {"wide": [3.0, 2.0, 1.0, 0.5, 0.0, -1.0]}
    table = rank_change(*two_label_study(PRESENT, scores))
    narrow = rank_change(*two_label_study(PRESENT, {"wide": (np.array(scores["wide"]) + 1) / 4}))
    assert of(table, "AUROC").loc["wide", "soft"] == of(narrow, "AUROC").loc["wide", "soft"]
    assert of(table, "AUROC").loc["wide", "soft_rank"] == 3
    for metric in ("Brier score", "log loss"):
        losses = of(table, metric)
        assert np.isnan(losses.loc["wide", "hard"])
        assert "got -1 to 3" in losses.loc["wide", "reason"]
        assert losses.loc["a", "reason"] == ""
        assert losses["hard_rank"].max() == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positive": "maybe"}, "label of task 'finding' must be one of absent, present, got 'maybe'"),
        ({"coverage": "all"}, "coverage must be one of common, own, got 'all'"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, str], message: str) -> None:
    """With what was allowed and what was given."""
    with pytest.raises(ValueError, match=message):
        rank_change(*two_label_study(PRESENT, SCORES), ComparisonSettings(**options))


def test_nothing_to_compare_is_refused() -> None:
    """No model; models that share no case."""
    with pytest.raises(ValueError, match="has no predictions, so there is no model to compare"):
        rank_change(*two_label_study(PRESENT, {}))
    half = [0.5, 0.5, 0.5, np.nan, np.nan, np.nan]
    with pytest.raises(ValueError, match=r"that every model predicted: 6 of 6 .* a predicted 3"):
        rank_change(*two_label_study(PRESENT, {"a": half, "b": half[::-1]}))
    with pytest.raises(ValueError, match=r"that each of the models predicted: .* none predicted 0"):
        rank_change(
            *two_label_study(PRESENT, {"a": half, "none": [np.nan] * 6}), ComparisonSettings(coverage="own")
        )


def test_values_have_standard_errors_or_a_reason() -> None:
    """Of the mean losses by hand, of AUROC by DeLong; what has none says why."""
    study = read_study(sample_folder("chest_xrays"))
    task = next(iter(study.tasks.values()))
    table = rank_change(study, task)
    compared = comparison(study, task)
    known = ~np.isnan(compared.score[0])
    soft, score = compared.plausibility[known], compared.score[0][known]
    rows = table[table["model"] == compared.models[0]].set_index("metric")
    losses = soft * (1 - score) ** 2 + (1 - soft) * score**2
    assert rows.loc["Brier score", "soft"] == pytest.approx(losses.mean())
    assert rows.loc["Brier score", "soft_error"] == pytest.approx(losses.std(ddof=1) / np.sqrt(len(losses)))
    assert rows.loc["AUROC", "soft_error"] == pytest.approx(auroc_error(score, soft))
    errors = ["hard_error", "soft_error"]
    for metric in ("AUROC", "AP", "Brier score", "log loss", "accuracy"):
        assert rows.loc[metric, errors].notna().all()
        assert rows.loc[metric, "why_no_error"] == ""
    n = len(soft)
    without = [s_ap(np.delete(score, k), np.delete(soft, k)) for k in range(n)]
    assert rows.loc["AP", "soft_error"] == pytest.approx(np.sqrt((n - 1) * np.var(without)))
