"""Tables of fineness: against counting by hand, other functions, and odd panels."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.raters.concordance import concordance_weights
from core.analysis.raters.fineness import (
    fineness_by_size,
    group_sizes,
    judge,
    raters_needed_table,
)
from core.analysis.raters.groups import group_table
from core.analysis.raters.panel import panel
from core.cli import sample_folder
from core.metrics.agreement.rater_groups import REDUCTIONS
from core.study.model import Study, Task
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def knee() -> tuple[Study, Task]:
    """The bundled 13 readers."""
    study = read_study(sample_folder("knee_mri"))
    return study, study.tasks["tear"]


@pytest.fixture(scope="module")
def table(knee: tuple[Study, Task]) -> pd.DataFrame:
    """Fineness of all groups of the 13."""
    return fineness_by_size(judge(panel(*knee))).set_index(["reduction", "n_raters"])


def test_every_group_of_thirteen_is_there(table: pd.DataFrame) -> None:
    """8,191 groups for each of four reductions."""
    assert table["all_groups"].all()
    assert table.groupby("reduction")["n_groups"].sum().to_dict() == dict.fromkeys(REDUCTIONS, 8191)
    assert (table["fineness_error"] == 0).all()
    assert (table["readings_per_case"] == table.index.get_level_values("n_raters")).all()


def test_accuracy_is_counted(table: pd.DataFrame, knee: tuple[Study, Task]) -> None:
    """Majority of three, of all groups, read by read from the files."""
    study, _task = knee
    rows = pd.read_csv(sample_folder("knee_mri") / "annotations.csv")
    first = rows[rows["repeat"] == 1].pivot_table(
        index="case_id", columns="rater_id", values="label", aggfunc="first"
    )
    right = first.eq(study.cases["reference"], axis=0).to_numpy()
    votes = [right[:, list(group)].sum(axis=1) > 1 for group in combinations(range(13), 3)]
    assert table.loc[("majority", 3), "accuracy"] == pytest.approx(np.mean(votes))
    assert table.loc[("probabilistic", 7), "accuracy"] == pytest.approx(right.mean())
    assert table.loc[("majority", 13), "accuracy"] == pytest.approx((right.sum(axis=1) > 6).mean())


def test_dependence_explains_what_independence_promises_too_much(table: pd.DataFrame) -> None:
    """Independent fineness of 13 is far above the accuracy of their majority, the dependent one near it."""
    all_thirteen = table.loc[("majority", 13)]
    assert all_thirteen["fineness"] > all_thirteen["accuracy"] + 0.1
    assert abs(all_thirteen["fineness_dependent"] - all_thirteen["accuracy"]) < 0.04
    majority = table.loc["majority"]
    assert (majority["fineness_dependent"] <= majority["fineness"] + 1e-9).all()
    assert (table["accuracy_low"] <= table["accuracy_high"]).all()


def test_a_choice_of_raters_and_cases_changes_the_table(knee: tuple[Study, Task]) -> None:
    """Four raters and the first hundred cases: accuracies of these."""
    study, task = knee
    chosen = judge(
        panel(study, task, raters=["reader-05", "reader-11", "reader-01", "reader-02"], cases=range(100))
    )
    found = fineness_by_size(chosen)
    assert found["n_raters"].max() == 4
    assert chosen.panel.rater_ids == ("reader-01", "reader-02", "reader-05", "reader-11")
    one = found[(found["reduction"] == "majority") & (found["n_raters"] == 1)].iloc[0]
    assert one["accuracy"] == pytest.approx(chosen.accuracy.mean())


def test_without_a_reference_the_majority_counts() -> None:
    """Ties give no truth; accuracies are against the others."""
    study, task = small_study("choice", "ab", [["a", "a", "b"], ["b", "b", "b"], ["a", "b"]])
    found = judge(panel(study, task))
    assert found.standard == "majority"
    assert found.truth.tolist() == [0, 1, -1]
    assert found.accuracy.tolist() == pytest.approx([(0.5 + 1 + 0) / 3, (0.5 + 1 + 0) / 3, 0.5])


def test_given_accuracies_are_taken() -> None:
    """By rater; one who is not given does not enter."""
    study, task = small_study("choice", "ab", [["a", "a", "b"], ["b", "b", "b"]])
    found = judge(panel(study, task), given={"A": 0.9, "C": 0.7})
    assert (found.standard, found.member.tolist(), found.accuracy.tolist()) == ("given", [0, 2], [0.9, 0.7])
    assert fineness_by_size(found)["n_raters"].max() == 2


def test_one_rater() -> None:
    """With a reference there is a table; without one nothing is known."""
    study, task = small_study("choice", "ab", [["a"], ["b"]], metadata={"reference": ["a", "a"]})
    found = judge(panel(study, task))
    assert found.difficulty == 0
    assert fineness_by_size(found)["fineness"].tolist() == [0.5] * 4
    alone = replace(study, cases=study.cases.drop(columns="reference"))
    with pytest.raises(ValueError, match="no rater's accuracy is known"):
        judge(panel(alone, task))


def test_raters_without_a_common_case() -> None:
    """Judged by the reference; agreement is unknown, so errors are taken as independent."""
    study, task = small_study(
        "choice", "ab", [["a"], ["b"], ["a"]], raters=[[0], [1], [0]], metadata={"reference": ["a", "a", "a"]}
    )
    found = judge(panel(study, task))
    assert np.isnan(found.agreement)
    assert found.difficulty == 0
    pair = fineness_by_size(found).query("n_raters == 2 and reduction == 'majority'").iloc[0]
    assert pair["readings_per_case"] == 1
    assert pair["accuracy"] == pytest.approx(2 / 3)


def test_differentials_count_by_their_first_label(dermatology: Study) -> None:
    """40 labels: simulated where weights count, with an error, never above 1."""
    (task,) = dermatology.tasks.values()
    found = fineness_by_size(judge(panel(dermatology, task, raters=dermatology.rater_ids[:4])))
    weighted = found[(found["reduction"] == "accuracy-weighted") & (found["n_raters"] == 3)].iloc[0]
    assert weighted["fineness_error"] > 0
    assert found["fineness"].between(0, 1).all()
    assert 1 < weighted["readings_per_case"] < 3
    alone = found[found["n_raters"] == 1]
    assert (alone["readings_per_case"] == 1).all(), "who reads alone leaves one reading on each case he reads"


@pytest.mark.slow
def test_thousands_of_raters_are_tabulated() -> None:
    """1,000 raters who each read some of 100 cases: sizes up to 200, nothing dense, in seconds."""
    rng = np.random.default_rng(0)
    cases = np.sort(rng.integers(0, 100, 10_000))
    raters = [np.unique(rng.integers(0, 1000, (cases == c).sum())).tolist() for c in range(100)]
    said = [["a" if rng.random() < 0.8 else "b" for _ in case] for case in raters]
    study, task = small_study(
        "choice", "ab", said, raters=raters, rater_ids=[str(i) for i in range(1000)],
        metadata={"reference": ["a"] * 100},
    )  # fmt: skip
    found = fineness_by_size(judge(panel(study, task)), most_groups=5)
    assert found["n_raters"].max() == 200
    assert found["fineness"].iloc[-1] > 0.99


def test_group_sizes() -> None:
    """All of them for few raters; for many, from 1 to 200, ascending."""
    assert group_sizes(13) == list(range(1, 14))
    many = group_sizes(10_000)
    assert (many[0], many[-1]) == (1, 200)
    assert many == sorted(set(many))


def test_raters_needed_by_accuracy() -> None:
    """Better raters, fewer of them; guessing ones never; the published figures at .81."""
    table = raters_needed_table(0.95, difficulty=1.0, accuracies=[0.5, 0.7, 0.81, 0.9])
    assert table.loc[2, ["needed", "bound", "bound_printed"]].tolist() == [7, 22, 10]
    assert table.iloc[0, 1:].isna().all()
    assert (table["needed_dependent"] >= table["needed"]).fillna(True).all()
    assert raters_needed_table(0.9, n_labels=3, accuracies=[0.8])["bound"].isna().all()


def test_concordance_goes_with_accuracy(knee: tuple[Study, Task]) -> None:
    """As published: moderately (Cabitza 2020, fig. 8)."""
    chosen = panel(*knee)
    groups = group_table(chosen, concordance_weights(chosen), sizes=[3, 5], most=100)
    assert 0.3 < groups["concordance"].corr(groups["majority_accuracy"], method="spearman") < 0.9
