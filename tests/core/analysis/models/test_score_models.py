"""Models that give scores: ranked as exactly as any, and refused, with a reason, what needs probabilities.

A score model here is the twin of one with probabilities: its scores are these, stretched and moved without a
rounding error. Whatever ranks the cases has to say the same of both.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from all_at_once import spread_over_draws
from two_label_studies import two_label_study, with_scores

from core.analysis.cases.case import open_case, predictions_table
from core.analysis.cases.worklist import worklist
from core.analysis.disagreement.forecasts import given_forecasts, label_notes
from core.analysis.disagreement.recalibrated import recalibrate
from core.analysis.evaluate import evaluate
from core.analysis.models.best import best_table, pair_table
from core.analysis.models.comparison import comparison
from core.analysis.models.deciding import deciding_cases
from core.analysis.models.rank_change import rank_agreement, rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import stability
from core.analysis.overview import missing_parts
from core.analysis.planning.raters_and_cases import model_accuracies
from core.analysis.portions import drawn_portion
from core.analysis.raters.fineness import judge
from core.analysis.raters.panel import panel
from core.analysis.reliability.over_draws import over_draws
from core.analysis.reliability.sweep import metrics_at
from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.calibration.label_histogram import task_histograms
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import default_aggregation
from core.study.model import Study, Task

RANKING = ("AUROC", "AP")
OTHERS = ("Brier score", "log loss", "accuracy")


@pytest.fixture(scope="module")
def twins() -> tuple[Study, Task]:
    """Model *p*, its twin *s* in scores, a second model *q*, and *t*: the scores of *q* turned round."""
    rng = np.random.default_rng(5)
    p, q = rng.integers(0, 33, (2, 40)) / 32
    p[7] = np.nan
    present = [(rng.random(4) < of).astype(int).tolist() for of in np.nan_to_num(p, nan=0.5)]
    study, task = two_label_study(present, {"p": p, "q": q})
    return with_scores(study, task, {"s": 1024 * p - 512, "t": -q})


@pytest.mark.parametrize("label", ["present", "absent"])
def test_ranking_metrics_of_twins_are_equal(twins: tuple[Study, Task], label: str) -> None:
    """Hard and soft AUROC and AP, to the last bit, for the label that the scores speak for and the other."""
    table = rank_change(*twins, ComparisonSettings(label, printed=True)).set_index(
        ["metric", "counterpart", "model"]
    )
    for metric, counterpart in table.loc[list(RANKING)].index.droplevel("model").unique():
        p, s = (table.loc[(metric, counterpart, model)] for model in "ps")
        assert (p["hard"], p["soft"]) == (s["hard"], s["soft"])
        assert (p["hard_rank"], p["soft_rank"]) == (s["hard_rank"], s["soft_rank"])
        assert p["n_cases"] == s["n_cases"] == 39
        q, t = (table.loc[(metric, counterpart, model)] for model in "qt")
        if metric == "AUROC" and "printed" not in counterpart:
            assert q["soft"] + t["soft"] == pytest.approx(1, abs=1e-12)


def test_the_rest_is_missing_and_says_why(twins: tuple[Study, Task]) -> None:
    """No value, no rank, a reason; the other models are as they are without it."""
    study, task = twins
    table = rank_change(study, task).set_index(["metric", "model"])
    alone = two_label_study(
        [task.readings.label[4 * i : 4 * i + 4].tolist() for i in range(40)],
        {model: task.predictions[model].probability[:, 1] for model in "pq"},
    )
    expected = rank_change(*alone).set_index(["metric", "model"])
    for metric in OTHERS:
        for model in "st":
            row = table.loc[(metric, model)]
            assert row[["hard", "soft", "hard_rank", "soft_rank"]].isna().all()
            assert row["reason"].startswith("gives scores, not probabilities")
        columns = ["hard", "soft", "hard_rank", "soft_rank", "reason"]
        pd.testing.assert_frame_equal(
            table.loc[metric].loc[["p", "q"], columns], expected.loc[metric][columns]
        )
    agreement = rank_agreement(table.reset_index()).set_index("metric")
    assert agreement["n_models"].to_dict() == dict.fromkeys(RANKING, 4) | dict.fromkeys(OTHERS, 2)


def test_equal_scores_are_the_same_model(twins: tuple[Study, Task]) -> None:
    """Twins in scores are found; different scores, and a score beside its own probability, are not."""
    study, task = twins
    score = task.predictions["s"].score
    assert score is not None
    compared = comparison(*with_scores(study, task, {"u": score}))
    assert dict(zip(compared.models, compared.same_as, strict=True)) == {
        "p": "",
        "q": "",
        "s": "",
        "t": "",
        "u": "s",
    }
    assert compared.only_scores.tolist() == [False, False, True, True, True]
    assert not compared.answered[2:].any()


def test_stability_of_twins(twins: tuple[Study, Task]) -> None:
    """Equal in every draw of what ranks; of the rest the model of scores is left out, and the reason said."""
    stable = stability(*twins, ComparisonSettings(n_draws=20))
    ranking = ["AUROC", "s-AUROC", "AP", "s-AP"]
    others = ["Brier score", "soft Brier score", "log loss", "soft log loss", "accuracy"]
    assert list(dict.fromkeys(metric for _, metric in stable.drawn)) == ranking + others
    for (_, metric), drawn in stable.drawn.items():
        np.testing.assert_array_equal(np.isnan(drawn[:, 2:]), metric in others)
        if metric in ranking:
            np.testing.assert_array_equal(drawn[:, 0], drawn[:, 2])
    pairs = pair_table(stable).set_index(["metric", "model_a", "model_b"])
    best = best_table(stable).set_index(["metric", "model"])
    for metric in ranking:
        assert (pairs.loc[(metric, "p", "s"), "probability"] == 0.5).all()
        assert best.loc[metric, "probability"].notna().all()
    for metric in others:
        assert pairs.loc[(metric, "p", "s"), "probability"].isna().all()
        assert pairs.loc[(metric, "p", "q"), "probability"].notna().all()
        assert best.loc[(metric, "s"), "probability"].isna().all()
        np.testing.assert_allclose(best.loc[metric].groupby("source")["probability"].sum(), 1)
    assert stable.refused == {}
    assert [metric for metric, models in stable.left_out.items() if list(models) == ["s", "t"]] == others
    assert stable.left_out["accuracy"]["s"].startswith("gives scores, not probabilities: without a threshold")


def test_nothing_is_drawn_where_no_model_can_be_measured(twins: tuple[Study, Task]) -> None:
    """The reason is that of the models."""
    study, task = twins
    alone = replace(task, predictions={"s": task.predictions["s"]})
    refused = stability(study, alone, ComparisonSettings(n_draws=5)).refused
    assert list(refused) == ["Brier score", "soft Brier score", "log loss", "soft log loss", "accuracy"]
    with pytest.raises(ValueError, match="s: gives scores, not probabilities: without a threshold"):
        stability(study, alone, ComparisonSettings(n_draws=5), metrics=["accuracy"])


@pytest.mark.parametrize("metric", ["AUROC", "s-AUROC", "AP", "s-AP"])
def test_deciding_cases_of_twins(twins: tuple[Study, Task], metric: str) -> None:
    """The same cases decide between q and either; a score model has no most probable label."""
    by_probability, by_score = (deciding_cases(*twins, model, "q", metric=metric) for model in "ps")
    pd.testing.assert_frame_equal(
        by_probability.drop(columns=["favours", "score_a", "predicted_a"]),
        by_score.drop(columns=["favours", "score_a", "predicted_a"]),
    )
    assert (by_score["score_a"] == 1024 * by_probability["score_a"] - 512).all()
    assert (by_score["predicted_a"] == "").all()
    assert set(by_score["predicted_b"]) == {"absent", "present", "absent or present (tied)"}


@pytest.mark.parametrize("metric", [*OTHERS, "soft Brier score", "soft log loss", "adjusted accuracy"])
def test_cases_do_not_decide_what_is_not_defined(twins: tuple[Study, Task], metric: str) -> None:
    """Whichever of the two it is."""
    for pair in (("s", "q"), ("q", "s")):
        with pytest.raises(ValueError, match=f"The {metric} needs probabilities, and s gives scores"):
            deciding_cases(*twins, *pair, metric=metric)


def test_what_needs_a_label_leaves_score_models_out(twins: tuple[Study, Task]) -> None:
    """No line in the sweep, no accuracy, no error in the worklist, but the score itself."""
    study, task = twins
    aggregation = default_aggregation(task)
    posterior = aggregate(study, task, aggregation)
    assert not set(metrics_at(study, task, aggregation)["subject"]) & {"s", "t"}
    cases = worklist(study, task, posterior)
    np.testing.assert_array_equal(cases["s: score"], task.predictions["s"].score)
    assert not {"s: answer", "s: right", "s: error"} & set(cases)
    np.testing.assert_array_equal(cases["model_error"], np.fmax(cases["p: error"], cases["q: error"]))
    assert set(model_accuracies(judge(panel(study, task)))) == {"p", "q"}
    with pytest.raises(ValueError, match="top-1 accuracy over plausible truths needs probabilities, and s"):
        over_draws(study, task, aggregation, "s")
    evaluation = evaluate(study)
    assert evaluation.settings["models"].startswith("Left out: s, t, which give scores, not probabilities.")


def test_scores_name_no_label(twins: tuple[Study, Task]) -> None:
    """As if no case were predicted: every adjusted metric is undefined, and so is its spread."""
    study, task = twins
    aggregation = default_aggregation(task)
    posterior = aggregate(study, task, aggregation)
    for values in adjusted_metrics(posterior, task.predictions["s"]).values():
        assert np.isnan(values).all()
    sampled = drawn_portion(study, posterior, aggregation, range(study.n_cases))
    for values in spread_over_draws(sampled, task.predictions["s"], max_k=2).values():
        assert np.isnan(values).all()


def test_no_calibration_of_scores(twins: tuple[Study, Task]) -> None:
    """No forecast, a note, and a refusal."""
    study, task = twins
    assert [forecast.model for forecast in given_forecasts(task)] == ["p", "q"]
    assert label_notes(task, task_histograms(task))[0].startswith("Left out: s, t, which give scores")
    with pytest.raises(ValueError, match="Recalibration needs probabilities, and s gives scores"):
        recalibrate(study, task, "s")


def test_a_case_shows_the_score_as_it_is(twins: tuple[Study, Task]) -> None:
    """Without %, with its place among the other cases; a case without a score has no row."""
    study, task = twins
    score = task.predictions["s"].score
    assert score is not None
    table = predictions_table(open_case(study, task, default_aggregation(task), 3)).set_index("model")
    below = int((score < score[3]).sum())
    assert (
        table.loc["s", "prediction"] == f"score {score[3]:g} for present; lower in {below} of 38 other cases"
    )
    assert table.loc["s", "score"] == f"score {score[3]:g} for present"
    assert table.loc["s", "then"] == f"lower in {below} of 38 other cases"
    assert table.loc["s", ["right", "holds the truth"]].isna().all()
    assert "%" in table.loc["p", "prediction"]
    without = predictions_table(open_case(study, task, default_aggregation(task), 7))
    assert without["model"].tolist() == ["q", "t"]


def test_only_score_models(twins: tuple[Study, Task]) -> None:
    """A study without any probability: what is missing is named, and nothing fails."""
    study, task = twins
    alone, bare = with_scores(*two_label_study([[0, 1], [1, 1], [0, 0]], {}), {"s": [3.0, 7.0, -1.0]})
    assert "probabilities of s" in set(missing_parts(alone, bare)["missing"])
    assert "probabilities of s, t" in set(missing_parts(study, task)["missing"])
    assert "model_error" not in evaluate(alone).tables["cases"]
    table = rank_change(alone, bare).set_index("metric")
    assert table.loc["AUROC", "soft"] == pytest.approx(2.125 / 2.25)
