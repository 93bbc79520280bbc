"""Whole raters drawn anew: their truths by hand, and claims that count no scatter twice."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.analysis.models.best import pair_table
from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.rater_resamples import resampled_raters
from core.analysis.models.report import compare
from core.analysis.models.resampling import mean_of
from core.analysis.models.settings import RATER_SOURCES, SOURCES, ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.bootstrap import seeded_case_weights
from core.study.model import Study, Task
from core.study.seeds import case_seeds
from tests.helpers.small_study import small_study

LABELS = "abc"
READ = [["a", "b a"], ["ab", "c", "b"], ["c", "c"], ["b", "a", "a"], ["bc", "a"]]
WHO = [[0, 1], [0, 1, 2], [1, 2], [0, 1, 2], [0, 2]]
SAYS = {"m": [[0.5, 0.5, 0]] * 5, "n": [[0.2, 0.1, 0.7], [0.1, 0.6, 0.3]] * 2 + [[1, 0, 0]]}


def study_of(labels: str = LABELS) -> tuple[Study, Task, Comparison]:
    """Five cases read by two or three of three raters, some labels tied; two models."""
    read = READ if labels == LABELS else [[said.replace("c", "b")[0] for said in case] for case in READ]
    says = {name: [row[: len(labels)] for row in rows] for name, rows in SAYS.items()}
    says = {name: [list(np.array(row) / sum(row)) for row in rows] for name, rows in says.items()}
    names = ("Ana", "Ben", "Cleo")
    study, task = small_study("ranking", labels, read, raters=WHO, predictions=says, rater_ids=names)
    return study, task, comparison(study, task, label="a")


def tally(task: Task, weight: NDArray[np.float64], case: int) -> NDArray[np.float64]:
    """Votes of drawn raters for each label of a case: a differential divides its vote among its first."""
    votes = np.zeros(len(task.labels))
    for reading in task.readings.of_case(case):
        first = task.readings.differential(reading)[0]
        votes[first] += weight[task.readings.rater[reading]] / len(first)
    return votes


@pytest.mark.parametrize("tie_rule", ["split", "first label"])
@pytest.mark.parametrize("labels", [LABELS, "ab"])
def test_truths_are_those_of_the_drawn_raters(labels: str, tie_rule: str) -> None:
    """Shares, hard labels and the credit of each model, draw by draw; what nobody drawn read is out."""
    study, task, compared = study_of(labels)
    truth, read = resampled_raters(study, compared, tie_rule=tie_rule)(5, 25)  # type: ignore[arg-type]
    weights = seeded_case_weights(
        3, case_seeds(study.seed, [str(d) for d in range(5, 25)], "bootstrap of raters")
    )
    for at, weight in enumerate(weights):
        for case in range(5):
            votes = tally(task, weight.astype(float), case)
            assert read[at, case] == (votes.sum() > 0)
            if not votes.sum():
                continue
            leads = np.isclose(votes, votes.max())
            if tie_rule == "first label":
                leads = np.arange(len(votes)) == np.flatnonzero(leads)[0]
            assert truth.plausibility[at, case] == pytest.approx(votes[0] / votes.sum())
            assert truth.hard[at, case] == pytest.approx(leads[0] / leads.sum())
            if truth.credit is not None:
                for model, says in enumerate(SAYS.values()):
                    best = np.isclose(says[case], max(says[case]))
                    credit = (leads / leads.sum())[best].mean()
                    assert truth.credit[model, at, case] == pytest.approx(credit)
    assert (truth.credit is None) == (labels == "ab")


def many(seed: int = 0, *, tilt: float = 2.0) -> tuple[Study, Task]:
    """Eighty cases read by six raters, each with a leaning of their own along one trait of the cases."""
    rng = np.random.default_rng(seed)
    base, trait = rng.normal(0, 2, 80), rng.normal(0, 1, 80)
    leaning = rng.normal(0, tilt, 6)
    says = rng.random((80, 6)) < 1 / (1 + np.exp(-(base[:, None] + leaning * trait[:, None])))
    scores = [base + 0.5 * trait, base - 0.5 * trait]
    predictions = {}
    for name, score in zip("mn", scores, strict=True):
        p = 1 / (1 + np.exp(-score - rng.normal(0, 1, 80)))
        predictions[name] = np.stack([1 - p, p], axis=1).tolist()
    read = [["b" if said else "a" for said in case] for case in says]
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Flo")
    return small_study("choice", "ab", read, predictions=predictions, rater_ids=names)


def test_raters_and_cases_together_count_no_scatter_twice() -> None:
    """The variance is that of cases and of raters less that of readings; draws lie about the value."""
    study, task = many()
    settings = ComparisonSettings(n_draws=300)
    stable = stability(study, task, settings, metrics=["s-AUROC"], sources=(*SOURCES, *RATER_SOURCES))

    def scatter(source: str) -> float:
        return float(stable.about_observed(source, "s-AUROC").var(axis=0).sum())

    raters, cases, readings = (scatter(source) for source in ("raters", "cases", "annotations"))
    assert raters > readings
    assert scatter("all") == pytest.approx(cases + raters - readings)
    assert max(cases, raters) < scatter("all") < cases + raters
    about = mean_of(stable.about_observed("all", "s-AUROC"))
    np.testing.assert_allclose(about, stable.observed["s-AUROC"])


def test_raters_who_lean_make_an_order_less_sure() -> None:
    """More than readings drawn one by one can tell: they lose what one rater makes of all cases."""
    study, task = many()
    settings = ComparisonSettings(n_draws=300)
    stable = stability(study, task, settings, metrics=["s-AUROC"], sources=(*SOURCES, *RATER_SOURCES))
    pairs = pair_table(stable).set_index(["source", "model_a"])
    width = (pairs["high"] - pairs["low"]).xs("m", level="model_a")
    assert width["raters"] > 1.2 * width["annotations"]
    assert width["all"] > width["cases"]
    assert pairs.loc[("all", "m"), "interval_of"] == "other cases, read by other raters"


def test_the_command_has_them_where_they_are_asked_for() -> None:
    """Not by themselves: the page and the tables of before stay as they are."""
    study, task = many()
    usual = compare(study, settings=ComparisonSettings(n_draws=20))
    more = compare(study, settings=ComparisonSettings(n_draws=20, draw_raters=True))
    assert set(usual.tables["pairs"]["source"]) == set(SOURCES)
    assert set(more.tables["pairs"]["source"]) == {*SOURCES, *RATER_SOURCES}
    assert more.settings["draw raters"] == "yes"
    assert "draw raters" not in usual.settings
    kept = more.tables["pairs"][more.tables["pairs"]["source"].isin(SOURCES)].reset_index(drop=True)
    np.testing.assert_array_equal(kept["probability"], usual.tables["pairs"]["probability"])
    with pytest.raises(ValueError, match="name these too"):
        stability(study, task, sources=["all"])


def test_raters_without_a_name_cannot_be_drawn() -> None:
    """Numbered within each case, or one of them alone."""
    read = [["a"] * n + ["b"] * 2 for n in (1, 2, 3)]
    study, task = small_study(
        "choice", "ab", read, predictions={"m": [[0.4, 0.6]] * 3}, rater_ids=tuple("12345")
    )
    with pytest.raises(ValueError, match="numbered within each case"):
        resampled_raters(study, comparison(study, task))
    one, alone = small_study("choice", "ab", [["a"], ["b"]], predictions={"m": [[0.4, 0.6]] * 2})
    with pytest.raises(ValueError, match="one rater read these cases"):
        resampled_raters(one, comparison(one, alone))
