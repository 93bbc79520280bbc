"""What the page Raters says and marks beyond its tables: finding, skew, orders, groups, intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from rater_matrices import choices, random_matrix, study_of

from core.analysis.raters.coefficients import coefficient_table, largest_share
from core.analysis.raters.concordance import (
    case_table,
    concordance_table,
    concordance_weights,
    ordered_cases,
    weighted_concordance,
)
from core.analysis.raters.finding import finding
from core.analysis.raters.groups import group_summary, group_table, group_work
from core.analysis.raters.marks import accuracy_marks, confidence_marks, severity_marks, sure_and_right
from core.analysis.raters.pairs import by_agreement, pair_table
from core.analysis.raters.panel import Panel, busiest, panel
from core.analysis.raters.profiles import EVERYBODY, calibration_table, confidence_table, profile_table
from core.analysis.raters.skew import skew_table
from core.metrics.agreement.chance_names import AC1, FLEISS


def random_panel(*, missing: float = 0.3, n_labels: int = 3) -> Panel:
    """Six raters with references and confidences."""
    labels = random_matrix(0, n_labels=n_labels, missing=missing)
    confidence = np.round(np.random.default_rng(1).random(labels.shape), 1)
    reference = ["xyzu"[i % n_labels] if i % 4 else "" for i in range(len(labels))]
    return panel(*study_of(choices(labels, confidence), tuple("xyzu"[:n_labels]), reference=reference))


def said(chosen: Panel, *, n_boot: int = 50) -> str:
    """The finding of a panel."""
    weights = concordance_weights(chosen)
    steps = concordance_table(chosen, weights, weighted_concordance(chosen, weights))
    return finding(chosen, coefficient_table(chosen, n_boot=n_boot), steps)


def matrix_panel(rows: list[list[int]], labels: str = "xy") -> Panel:
    """Panel of a matrix of cases × raters; −1 where a rater did not read."""
    matrix = np.where(np.array(rows) < 0, np.nan, np.array(rows, float))
    return panel(*study_of(choices(matrix), tuple(labels)))


def test_finding_names_the_numbers_of_the_tables() -> None:
    """Agreement, α and ϱ with their intervals, and on which side of two thirds."""
    chosen = random_panel()
    table = coefficient_table(chosen, n_boot=50).set_index("coefficient")
    words = said(chosen)
    observed, alpha = table.loc["observed agreement"], table.loc["Krippendorff α"]
    assert words.startswith(
        f"Two raters agree on {100 * observed['value']:.0f}\u00a0% of cases ({100 * observed['low']:.0f} to "
    )
    assert f"α is {alpha['value']:.2f} ({alpha['low']:.2f} to {alpha['high']:.2f})" in words
    assert "below two thirds, the rule of thumb for reliable annotations." in words


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[0], [1]], "no case has readings by two raters"),
        ([[0, -1], [-1, 1]], "no case has readings by two raters"),
    ],
)
def test_finding_says_why_nothing_can_be_said(rows: list[list[int]], reason: str) -> None:
    """One rater, or raters without a common case."""
    assert said(matrix_panel(rows)) == f"Agreement cannot be measured here: {reason}."


def test_finding_of_equal_readings() -> None:
    """All agree, which luck cannot be told from; nothing is below the rule of thumb."""
    words = said(matrix_panel([[0, 0]] * 5))
    assert "agree on 100\u00a0% of cases" in words
    assert "nothing can be said: every reading is the same" in words
    assert "ϱ = 1.00" in words
    assert "no less than two thirds" in words


def test_agreement_below_chance_is_said_in_words() -> None:
    """No share of what chance leaves open is negative, and no more than all disagreement is left."""
    table = coefficient_table(matrix_panel([[0, 1], [1, 0]] * 5), n_boot=0).set_index("coefficient")
    assert (table.loc[[FLEISS, AC1, "Krippendorff α"], "value"] < 0).all()
    for name in (FLEISS, AC1, "Krippendorff α"):
        assert "less often than chance alone" in table.loc[name, "sentence"]
    assert "0 times in 100" in table.loc["observed agreement", "sentence"]


def test_finding_of_a_common_label_names_ac1() -> None:
    """Where nearly all readings say one label, α is not left alone."""
    words = said(matrix_panel([[0, 0]] * 18 + [[0, 1], [1, 0]]))
    assert "95\u00a0% of the readings say x" in words
    assert "Gwet AC1, which bears that, is 0.8" in words


def test_skew_meets_the_coefficients_where_the_study_is() -> None:
    """With as many readings in every case, the curves pass through κ and AC1 themselves."""
    chosen = matrix_panel([[0, 0, 1], [0, 2, 0], [1, 1, 1], [0, 0, 0], [2, 2, 0], [0, 1, 0]], "xyz")
    curves = skew_table(chosen)
    table = coefficient_table(chosen, n_boot=0).set_index("coefficient")["value"]
    here = curves[curves["here"]].set_index("coefficient")
    for name in (FLEISS, AC1):
        assert here.loc[name, "value"] == pytest.approx(table[name], abs=1e-12)
    assert (here["share"] == largest_share(chosen)[1]).all()
    assert curves.attrs["label"] == "x"


def test_kappa_collapses_and_ac1_survives() -> None:
    """At the most common that a label of two can be, κ = −(d/2) / (1 − d/2) with d the disagreement."""
    chosen = random_panel(n_labels=2)
    curves = skew_table(chosen)
    ends = curves.groupby("coefficient").tail(1).set_index("coefficient")
    half = (1 - curves.attrs["observed"]) / 2
    assert ends.loc[FLEISS, "share"] == pytest.approx(1 - half)
    assert ends.loc[FLEISS, "value"] == pytest.approx(-half / (1 - half))
    assert ends.loc[AC1, "value"] > curves.attrs["observed"] - half
    assert (curves.groupby("coefficient")["share"].diff().dropna() >= 0).all()


@pytest.mark.parametrize("rows", [[[0, 0], [1, 1]], [[0], [1]]])
def test_no_skew_without_disagreement(rows: list[list[int]]) -> None:
    """Where all agree, or nobody can, there is nothing to draw."""
    assert skew_table(matrix_panel(rows)).empty


def test_key_follows_raters_and_cases() -> None:
    """Equal choices have equal keys, others have not; names that only join alike differ."""
    study, task = random_panel().study, random_panel().task
    same = panel(study, task, raters=["a", "b"], cases=[2, 5])
    assert same.key == panel(study, task, raters=["b", "a"], cases=[5, 2]).key
    assert (
        len({same.key, panel(study, task, raters=["a", "c"], cases=[2, 5]).key, panel(study, task).key}) == 3
    )


def test_busiest_raters() -> None:
    """Those who read most, in the study's order, with their readings alone; of equals the first."""
    chosen = matrix_panel([[0, -1, 1, -1], [0, 1, -1, -1], [1, 1, 0, 0]])
    few = busiest(chosen, 2)
    assert few.rater_ids == ("a", "b")
    assert busiest(chosen, 4) is chosen
    again = panel(chosen.study, chosen.task, raters=few.rater_ids)
    pd.testing.assert_frame_equal(pair_table(few), pair_table(again))
    assert few.key == again.key


def test_raters_in_order_of_agreement() -> None:
    """The mean over others weighs each by the cases in common; who has none comes last."""
    chosen = matrix_panel([[0, 0, 1, -1], [0, 0, 1, -1], [0, 1, 0, -1], [-1, -1, -1, 1]])
    table = by_agreement(pair_table(chosen), "agreement")
    assert list(dict.fromkeys(table["rater"])) == ["a", "b", "c", "d"]
    assert list(table["other"][:4]) == ["a", "b", "c", "d"]
    assert table["value"].equals(table["agreement"])
    turned = by_agreement(pair_table(matrix_panel([[1, 0, 0], [1, 0, 0], [0, 1, 0]])), "agreement")
    assert list(dict.fromkeys(turned["rater"])) == ["c", "b", "a"]


def test_cases_in_order_of_concordance() -> None:
    """Ascending, without those that have none, at even places in between."""
    chosen = random_panel()
    cases = case_table(chosen, weighted_concordance(chosen, concordance_weights(chosen)))
    table = ordered_cases(cases)
    assert table["concordance"].is_monotonic_increasing
    assert set(table["case_id"]) == set(cases.loc[cases["concordance"].notna(), "case_id"])
    assert table["share"].iloc[0] == pytest.approx(1 - table["share"].iloc[-1])


def test_groups_in_sum() -> None:
    """Means, ends and correlation of each size, and no correlation of the one group of all."""
    chosen = random_panel()
    groups = group_table(chosen, concordance_weights(chosen), sizes=[3, 6])
    summary = group_summary(groups, "majority_accuracy").set_index("size")
    of = groups[groups["size"] == 3]
    assert summary.loc[3, "groups"] == 20
    assert summary.loc[3, "concordance_low"] == of["concordance"].min()
    assert summary.loc[3, "accuracy"] == pytest.approx(of["majority_accuracy"].mean())
    assert summary.loc[3, "correlation"] == pytest.approx(of["concordance"].corr(of["majority_accuracy"]))
    assert np.isnan(summary.loc[6, "correlation"])


def test_group_work_grows_with_the_groups() -> None:
    """More groups of each size are more work, until there are no more."""
    chosen = random_panel()
    assert group_work(chosen, most=1) < group_work(chosen, most=20) == group_work(chosen, most=500)


def test_groups_can_be_stopped() -> None:
    """Progress is told before each size, so that long work ends where it is asked to."""
    told: list[float] = []

    def stop(share: float, doing: str) -> None:
        told.append(share)
        if len(told) == 2:
            raise InterruptedError(doing)

    chosen = random_panel()
    with pytest.raises(InterruptedError, match="5 raters"):
        group_table(chosen, concordance_weights(chosen), sizes=[3, 5], progress=stop)
    assert told == [0.0, 0.5]


def test_marks_of_a_profile() -> None:
    """Accuracies in every way that is known, best first; intervals within [0, 1] around them."""
    profile = profile_table(random_panel())
    marks = accuracy_marks(profile)
    assert list(dict.fromkeys(marks["judged_by"])) == ["reference", "most others", "Dawid–Skene", "ability"]
    first = marks[marks["judged_by"] == "reference"]
    assert first["value"].is_monotonic_decreasing
    by_name = profile.set_index("rater").loc[first["rater"]]
    assert first["high"].to_numpy() == pytest.approx(
        np.minimum(by_name["accuracy_reference"] + 1.96 * by_name["accuracy_reference_error"], 1)
    )
    assert marks.loc[marks["judged_by"] == "Dawid–Skene", "low"].isna().all()
    assert severity_marks(profile).empty


def test_verdict_on_confidence() -> None:
    """Too sure above the interval of accuracy, not sure enough below it, and nothing within."""
    profile = pd.DataFrame(
        {
            "rater": ["a", "b", "c", "d"],
            "judged_by": "reference",
            "accuracy_reference": [0.5, 0.5, 0.5, np.nan],
            "accuracy_reference_error": 0.05,
            "confidence": [0.61, 0.39, 0.59, 0.9],
        }
    )
    assert confidence_marks(profile)["verdict"].tolist() == ["too sure", "not sure enough", ""]


def test_confidence_by_rater_against_counting() -> None:
    """Counts and accuracies of each rater and value, against going through the readings one by one."""
    chosen = random_panel()
    readings = chosen.readings
    table = confidence_table(chosen)
    assert list(dict.fromkeys(table["rater"])) == [*chosen.rater_ids, EVERYBODY]
    judged = calibration_table(chosen)
    assert list(dict.fromkeys(judged["rater"])) == [*chosen.rater_ids, EVERYBODY]
    for r, name in [*enumerate(chosen.rater_ids), (None, EVERYBODY)]:
        mine = np.ones(readings.n_readings, bool) if r is None else readings.rater == r
        of = table[table["rater"] == name]
        for value, n in zip(of["confidence"], of["readings"], strict=True):
            at = mine & (readings.confidence == value)
            assert n == at.sum()
            known = at & (chosen.reference[readings.case] >= 0)
            row = judged[(judged["rater"] == name) & (judged["confidence"] == value)]
            assert len(row) == (n > 0)
            if known.any():
                right = chosen.code[known] == chosen.reference[readings.case[known]]
                assert row["accuracy"].item() == pytest.approx(right.mean())
    known = chosen.reference[readings.case] >= 0
    sure, right = sure_and_right(judged)
    assert sure == pytest.approx(readings.confidence[known].mean())
    assert right == pytest.approx((chosen.code == chosen.reference[readings.case])[known].mean())
