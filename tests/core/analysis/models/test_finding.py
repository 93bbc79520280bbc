"""What a comparison of models found, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from small_study import small_study
from two_label_studies import two_label_study

from core.analysis.formatting import of_hundred
from core.analysis.models.finding import (
    chances,
    distinct,
    finding,
    listed,
    ordinal,
    p_words,
    pair_finding,
    reasons,
    signed,
    subject,
)

NOTHING = pd.DataFrame({"metric": [], "model": [], "probability": []})


def _metrics(
    hard: list[float], soft: list[float], *, same: dict[int, str] | None = None, reason: str = ""
) -> pd.DataFrame:
    """Values of models A, B, C and so on, with their ranks."""
    table = pd.DataFrame(
        {
            "metric": "AUROC",
            "counterpart": "s-AUROC",
            "model": list("ABCDEFG"[: len(hard)]),
            "hard": hard,
            "soft": soft,
            "same_as": [(same or {}).get(i, "") for i in range(len(hard))],
        }
    )
    for side in ("hard", "soft"):
        table[f"{side}_rank"] = table[side].rank(ascending=False, method="min").astype("Int64")
    unknown = table["hard"].isna() | table["soft"].isna()
    return table.assign(
        rank_change=table["hard_rank"] - table["soft_rank"], reason=np.where(unknown, reason, "")
    )


def _best(probability: list[float]) -> pd.DataFrame:
    models = list("ABCDEFG"[: len(probability)])
    return pd.DataFrame({"metric": "s-AUROC", "model": models, "probability": probability})


@pytest.mark.parametrize(
    ("hard", "soft", "expected"),
    [
        ([0.9, 0.8, 0.7], [0.6, 0.7, 0.8], "A leads on AUROC (0.900); on s-AUROC it is 3rd (0.600) and C "
         "leads (0.800)."),
        ([0.9, 0.8, 0.7], [0.9, 0.6, 0.7], "A leads on AUROC (0.900) and on s-AUROC (0.900). Behind, 2 of 2 "
         "change places."),
        ([0.9, 0.8, 0.7], [0.9, 0.8, 0.7], "A leads on AUROC (0.900) and on s-AUROC (0.900). No model "
         "changes its place."),
        ([0.9, 0.9, 0.7], [0.6, 0.7, 0.8], "A and B share the lead on AUROC (0.900); on s-AUROC A is 3rd "
         "(0.600), B is 2nd (0.700) and C leads (0.800)."),
        ([0.9, 0.8, 0.7], [0.8, 0.8, 0.7], "A leads on AUROC (0.900); on s-AUROC A and B share the lead "
         "(0.800)."),
        ([0.9, 0.8, 0.7], [0.80011, 0.80012, 0.7], "A leads on AUROC (0.900); on s-AUROC it is 2nd (0.80011) "
         "and B leads (0.80012)."),
    ],
)  # fmt: skip
def test_who_leads(hard: list[float], soft: list[float], expected: str) -> None:
    """Leaders alone and shared, that stay and that fall; decimals enough to tell values apart."""
    assert finding(_metrics(hard, soft), NOTHING, draws="draws") == expected


def test_the_finding_names_what_it_is_of() -> None:
    """The task among several; the label that counts as positive, or that it is of all labels."""
    votes = [["a", "b"], ["c", "c"]]
    many, task = small_study("choice", "abc", votes, predictions={"m": [[0.5, 0.3, 0.2]] * 2})
    assert subject(many, task, "AUROC", "b") == "“b” against all other labels"
    assert subject(many, task, "AUROC (macro)", "b") == "Over all 3 labels"
    assert subject(many, task, "accuracy", "b") == "Over all 3 labels"
    two, finding_task = two_label_study([[1, 0], [1, 1]], {"m": [0.4, 0.7]})
    positive, negative = finding_task.labels[::-1]
    assert finding_task.positive == positive
    assert subject(two, finding_task, "AP", positive) == ""
    assert subject(two, finding_task, "AP", negative) == f"“{negative}” as the positive label"
    assert subject(two, finding_task, "accuracy", positive) == ""
    several = replace(two, tasks={"finding": finding_task, "other": replace(finding_task, name="other")})
    assert subject(several, finding_task, "AP", positive) == finding_task.name
    both = replace(many, tasks={task.name: task, "other": task})
    assert subject(both, task, "Brier score", "c") == f"{task.name}, “c” against all other labels"
    said = finding(_metrics([0.9, 0.8], [0.9, 0.8]), NOTHING, draws="draws", about="Edema")
    assert said.startswith("Edema: A leads on AUROC")


def test_how_often_the_leaders_are_best() -> None:
    """Never none or all of what is in between, and the chances of models that are one added up."""
    table = _metrics([0.9, 0.8, 0.8, 0.7], [0.6, 0.8, 0.8, 0.7], same={2: "B"})
    said = finding(table, _best([0.004, 0.4, 0.4, 0.196]), draws="resamplings of the readings")
    assert said.endswith(
        "Best by s-AUROC in 100 resamplings of the readings: A in fewer than 1 and B = C in 80."
    )
    assert chances(table, _best([0.004, 0.4, 0.4, 0.196])).to_dict() == pytest.approx(
        {"A": 0.004, "B": 0.8, "D": 0.196}
    )
    undefined = finding(table, _best([np.nan] * 4), draws="draws")
    assert "Best by" not in undefined


def test_one_model_has_no_rank() -> None:
    """A single model, the same one under two names, and one of two without a value."""
    assert finding(_metrics([0.9], [0.8]), NOTHING, draws="draws") == (
        "Only one model can be judged: A. Its AUROC is 0.900, its s-AUROC 0.800."
    )
    same = finding(_metrics([0.9, 0.9], [0.8, 0.8], same={1: "A"}), NOTHING, draws="draws")
    assert same.startswith("There is no order, for these models predict the very same: A = B.")
    alone = _metrics([0.9, np.nan], [0.8, 0.7], reason="no case is positive")
    assert finding(alone, NOTHING, draws="draws").startswith("Only one model can be judged: A.")


def test_nothing_to_compare_says_why() -> None:
    """The reason of all models once, and those of some with their names."""
    nothing = _metrics([np.nan] * 2, [0.5, 0.6], reason="no case is positive")
    assert finding(nothing, NOTHING, draws="draws") == (
        "The models cannot be compared by AUROC: no case is positive."
    )
    some = nothing.assign(
        reason=[
            "gives scores",
            "",
        ][:2]
    )
    assert reasons(some) == "A: gives scores"
    assert reasons(nothing.assign(reason="")) == ""


def test_models_that_are_one_are_named_together() -> None:
    """The rows of the first ones, in their order."""
    table = distinct(_metrics([0.9, 0.8, 0.9], [0.9, 0.8, 0.9], same={2: "A"}))
    assert table["names"].tolist() == ["A = C", "B"]


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "none"), (0.001, "fewer than 1"), (0.03, "3"), (0.999, "more than 99"), (1.0, "100")],
)
def test_shares_out_of_a_hundred(share: float, words: str) -> None:
    """What is in between is neither none nor all."""
    assert of_hundred(share) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.25, "+0.250"),
        (-0.0006, "−0.001"),
        (-0.0004, "−0.0004"),
        (2e-5, "+0.00002"),
        (-1e-9, "+0.000"),
        (-0.0, "+0.000"),
    ],
)
def test_a_small_difference_shows_that_it_is_one(value: float, words: str) -> None:
    """Three decimals as a rule, more where these are all zero; what is rounding alone is nothing."""
    assert signed(value) == words


def test_places_and_lists() -> None:
    """English has exceptions."""
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip
    assert [listed("ABCDEF"[:n]) for n in (0, 1, 2, 4, 6)] == [
        "", "A", "A and B", "A, B, C and D", "A, B, C and 3 more",
    ]  # fmt: skip


@pytest.mark.parametrize(("metric", "less"), [("s-AUROC", ""), ("Brier score", ", less being better")])
def test_a_pair_in_words(metric: str, less: str) -> None:
    """Difference, interval, probability and the number of cases for each."""
    pair = pd.Series(
        {"metric": metric, "model_a": "A", "model_b": "B", "probability": 0.87, "difference": -0.0125,
         "low": -0.03, "high": 0.002, "interval_of": "other cases, read by as many raters",
         "caution": "", "p": np.nan, "p_holm": np.nan, "n_comparisons": 3}
    )  # fmt: skip
    cases = pd.DataFrame({"favours": ["A", "B", "B", ""]})
    assert pair_finding(pair, cases, draws="resamplings of the cases") == (
        f"{metric} of A less that of B: −0.013{less}; 95 % interval −0.030 to +0.002 (other "
        "cases, read by as many raters). "
        "Of 100 resamplings of the cases, A is better in 87. Of 4 cases, 1 speak for A and 2 for B."
    )
    tested = pair_finding(pair.copy().fillna({"p": 0.087, "p_holm": 0.26}), cases, draws="draws")
    assert "raters), p = 0.087, corrected for 3 pairs of models p = 0.26. Of 100 draws" in tested
    few = pair_finding(pair.replace({"": "few cases"}), cases, draws="draws")
    assert "95 % interval −0.030 to +0.002 (other cases, read by as many raters; few cases). Of 100" in few
    single = pair.replace({-0.03: np.nan, 0.002: np.nan, "": "no interval: single readings"})
    assert f"−0.013{less}; no interval: single readings. Of 100" in pair_finding(single, cases, draws="draws")
    undefined = pair_finding(pair.replace({0.87: np.nan}), cases, draws="draws")
    assert undefined == f"{metric} of A less that of B: −0.013. Of 4 cases, 1 speak for A and 2 for B."


def test_a_p_value_is_written_on_its_side_of_five_percent() -> None:
    """One just below or above is not rounded to it; a very small one has a bound."""
    said = [p_words(p) for p in (0.00001, 0.0123, 0.04999, 0.05, 0.0504, 0.31, 1.0)]
    assert said == ["< 0.0001", "= 0.012", "= 0.04999", "= 0.05", "= 0.05", "= 0.31", "= 1"]
