"""Which model the labels support best: the numbers of other tables, chances by hand, and true words."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import ComparisonSettings, Coverage
from core.analysis.models.supported import supported
from core.analysis.models.supported_words import details, headline
from core.analysis.reliability.risk import EXPECTED, high_risk_metrics
from core.analysis.reliability.sweep import metrics_at
from core.metrics.certainty import leading_risk
from core.metrics.ratio import Ratio
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task

COUNTS = Aggregation("label-counts", 1.0)
CASES = ["aab", "abc", "bbb", "ccb", "aac", "b"]
SAYS = {"good": "aabcab", "bad": "bcaabc", "twin": "aabcab"}


def study_of(
    says: dict[str, str], cases: list[str] = CASES, *, risk: str = "LMH", kind: str = "choice"
) -> tuple[Study, Task]:
    """Models that put all on one label of each case; a dot is a case without a prediction."""
    return small_study(
        kind,  # type: ignore[arg-type]
        "abc",
        [list(case) for case in cases],
        risk=risk,
        predictions={
            name: [[float(label == one) if one != "." else math.nan for label in "abc"] for one in said]
            for name, said in says.items()
        },
    )


@pytest.mark.parametrize("aggregation", [COUNTS, COUNTS.at(3.0), COUNTS.point, Aggregation("majority")])
@pytest.mark.parametrize("coverage", ["common", "own"])
def test_numbers_are_those_that_other_tables_have(aggregation: Aggregation, coverage: Coverage) -> None:
    """Adjusted accuracy and its counterpart of Models, and where all is covered bands and risk too."""
    for says in (SAYS, SAYS | {"part": "aa.c.b"}):
        study, task = study_of(says)
        found = supported(study, task, aggregation, coverage=coverage).table.set_index("model")
        models = rank_change(study, task, ComparisonSettings(coverage=coverage), aggregation=aggregation)
        models = models[models["metric"] == "accuracy"].set_index("model")
        for model in found.index:
            assert found.loc[model, "value"] == pytest.approx(models.loc[model, "soft"], abs=1e-12)
            assert found.loc[model, "hard"] == pytest.approx(models.loc[model, "hard"], abs=1e-12)
        if "part" in says and coverage == "common":
            continue
        swept = metrics_at(study, task, aggregation)
        swept = swept[swept["metric"] == "top-1 accuracy"].set_index("subject")
        risk = high_risk_metrics(
            task, aggregate(study, task, aggregation), aggregate(study, task, aggregation.point), max_k=1
        )
        risk = risk[risk["condition"] == EXPECTED].set_index("model")
        for model in found.index:
            for end in ("low", "high"):
                assert found.loc[model, end] == pytest.approx(swept.loc[model, end], abs=1e-12)
            assert found.loc[model, "high_risk"] == pytest.approx(risk.loc[model, "value"], abs=1e-12)


def test_the_chance_to_be_best_is_that_of_the_case_that_decides() -> None:
    """Two models that differ in one case: one is better where its label leads there, and half of the rest."""
    study, task = study_of({"A": "aab", "B": "bab"}, ["aab", "abc", "bb"])
    found = supported(study, task, COUNTS).table.set_index("model")["best"]
    a, b = aggregate(study, task, COUNTS).top1.candidate[:2]
    assert found["A"] == pytest.approx(a + (1 - a - b) / 2, abs=0.05)
    assert found.sum() == pytest.approx(1)


def test_the_first_is_the_best_supported_and_twins_are_named_together() -> None:
    """Names of those that predict the very same stand in one row, also in words."""
    found = supported(*study_of(SAYS), COUNTS)
    assert found.table["names"].tolist() == ["good = twin", "bad"]
    assert found.table["value"].is_monotonic_decreasing
    low, high = (f"{100 * found.table[end][0]:.0f}" for end in ("low", "high"))
    assert headline(found) == (
        f"Best supported: good = twin, supported in {low} to {high}\u00a0% of the cases"
    )


def test_where_risk_is_high_uncertainty_is_that_of_cases() -> None:
    """Intervals hold the value; twins and those who differ in one case cannot be told from the best."""
    cases = ["c"] * 40 + ["a"] * 10
    study, task = study_of(
        {"names": "c" * 40 + "a" * 10, "misses": "a" * 50, "one": "c" * 39 + "a" * 11}, cases
    )
    found = supported(study, task, COUNTS).table.set_index("model")
    assert found["high_risk_alike"].to_dict() == {"names": True, "one": True, "misses": False}
    assert (found["high_risk_low"] <= found["high_risk"]).all()
    assert (found["high_risk"] <= found["high_risk_high"]).all()
    assert found["false_alarms"].isna().to_dict() == {"names": False, "one": False, "misses": True}
    high = leading_risk(aggregate(study, task, COUNTS), task.risk)[:40, 2]
    assert found.loc["names", "false_alarms"] == pytest.approx(1 - high.mean())
    assert (found["false_alarms_low"].dropna() < found["false_alarms"].dropna()).all()
    part, whole = 39.0, 40.0
    share = Ratio(part / whole, math.sqrt(part / whole * (1 - part / whole) / (whole - 1)), 40, whole)
    point = supported(study, task, COUNTS.point).table.set_index("model")
    low, high = share.share_interval()
    assert point.loc["one", "high_risk_low"] == pytest.approx(low)
    assert point.loc["one", "high_risk_high"] == pytest.approx(high)
    assert point["dangers"].tolist() == [whole] * 3


def test_dangers_are_counted_over_plausible_truths() -> None:
    """As many as cases are dangerous on average, the same for models of the same cases; none without risk."""
    study, task = study_of(SAYS)
    found = supported(study, task, COUNTS).table
    high = leading_risk(aggregate(study, task, COUNTS), task.risk)[:, 2]
    assert found["dangers"].to_numpy() == pytest.approx(high.sum())
    assert (supported(*study_of(SAYS, risk="LLL"), COUNTS).table["dangers"] == 0).all()


def test_a_danger_is_caught_where_the_model_names_another_danger() -> None:
    """It is warned of, and not missed, though the label is the wrong one: that one alone is not named."""
    cases = ["bbb"] * 30 + ["ccc"] * 20 + ["aab"] * 10
    says = {
        "right": "b" * 30 + "c" * 20 + "a" * 10,
        "swaps": "c" * 30 + "b" * 20 + "a" * 10,
        "none": "a" * 60,
    }
    study, task = study_of(says, cases, risk="LHH")
    found = supported(study, task, COUNTS).table.set_index("model")
    point = supported(study, task, COUNTS.point).table.set_index("model")
    assert point["high_risk"].to_dict() == {"right": 1, "swaps": 0, "none": 0}
    assert point["caught"].to_dict() == {"right": 1, "swaps": 1, "none": 0}
    assert found["caught_alike"].to_dict() == {"right": True, "swaps": True, "none": False}
    assert not found.loc["swaps", "high_risk_alike"]
    # The square of danger and warning closes: what is caught is the warnings less the false ones.
    warned = found.drop(index="none")
    true = warned["alarms"] * (1 - warned["false_alarms"])
    assert (warned["caught"] * warned["dangers"]).to_numpy() == pytest.approx(true.to_numpy())
    assert warned["alarms"].tolist() == [50, 50]
    assert found.loc["none", ["alarms", "caught"]].tolist() == [0, 0]


def test_no_model_is_above_the_ceiling() -> None:
    """It is the mean certainty of the cases that the model predicted."""
    study, task = study_of(SAYS | {"part": "aa.c.c"})
    found = supported(study, task, COUNTS, coverage="own").table.set_index("model")
    assert (found["value"] <= found["ceiling"] + 1e-12).all()
    certainty = aggregate(study, task, COUNTS).certainty(1)
    assert found.loc["part", "ceiling"] == pytest.approx(certainty[[0, 1, 3, 5]].mean())
    assert found.loc["bad", "ceiling"] == pytest.approx(certainty.mean())


@pytest.mark.parametrize("coverage", ["common", "own"])
def test_no_range_ends_above_that_of_the_best_possible_model(coverage: Coverage) -> None:
    """At neither end, nor for models that name the likeliest label; of the same cases it is the same."""
    rng = np.random.default_rng(2)
    cases = ["".join(rng.choice(list("abc"), 4, p=rng.dirichlet(np.ones(3)))) for _ in range(40)]
    likeliest = "".join(max(case, key=case.count) for case in cases)
    says = {"best": likeliest, "other": "abc" * 13 + "a", "part": likeliest[:30] + "." * 10}
    study, task = study_of(says, cases)
    for aggregation in (COUNTS, COUNTS.at(4.0)):
        found = supported(study, task, aggregation, coverage=coverage).table.set_index("model")
        for end in ("low", "high"):
            assert (found[end] <= found[f"ceiling_{end}"]).all()
            if coverage == "own":
                assert found.loc["best", f"ceiling_{end}"] == found.loc["other", f"ceiling_{end}"]
                assert found.loc["best", end] == pytest.approx(found.loc["best", f"ceiling_{end}"], abs=0.03)
        assert (found["ceiling_low"] < found["ceiling"]).all()
        assert (found["ceiling"] < found["ceiling_high"]).all()
    point = supported(study, task, COUNTS.point, coverage=coverage).table
    assert (point["ceiling_low"] == point["ceiling"]).all()
    assert (point["ceiling_high"] == point["ceiling"]).all()


def test_a_point_estimate_has_no_range_and_no_chances() -> None:
    """It is one truth, and the words say so."""
    found = supported(*study_of(SAYS), COUNTS.point)
    assert (found.table["low"] == found.table["high"]).all()
    assert headline(found).startswith("Best by the point estimate: good = twin, right in ")
    assert "plausible truths" not in headline(found) + details(found)
    only = supported(*study_of({"good": "aabcab"}), COUNTS)
    assert headline(only).startswith("The only model: good, supported in ")
    assert "most accurate" not in details(only)
    assert supported(*study_of(SAYS, risk="LLL"), COUNTS).table["high_risk"].isna().all()


def test_portions_and_order_of_cases_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study that is too large to be drawn at once is judged in parts."""
    study, task = study_of(SAYS | {"part": "aa.c.b"})
    found = supported(study, task, COUNTS)
    whole = found.table
    said: list[float] = []
    monkeypatch.setattr("core.analysis.portions.CELLS_AT_ONCE", 4000)
    in_parts = supported(study, task, COUNTS, progress=lambda share, doing: said.append(share))
    parts = in_parts.table
    assert len(said) > 1
    pd.testing.assert_frame_equal(in_parts.by_label, found.by_label)
    for column in whole.columns[2:]:
        np.testing.assert_allclose(parts[column], whole[column], atol=1e-12)


def test_what_cannot_be_judged_is_refused() -> None:
    """No model that names a label, no case in common, and no reading that counts."""
    study, task = study_of({"good": "aab", "none": "..."}, ["a", "b", "c"])
    with pytest.raises(ValueError, match="every model predicted"):
        supported(study, task, COUNTS)
