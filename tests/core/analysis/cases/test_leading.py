"""One rule for labels that lead: what cannot be told apart is named together, in list and sentence."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.case import open_case
from core.analysis.cases.headline import headline
from core.analysis.cases.leading import leading_slots, point_portion
from core.analysis.cases.worklist import worklist, worklist_of
from core.plausibility.aggregate import aggregate
from core.plausibility.candidates import Candidates
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.point import point_mass
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import Aggregation
from core.study.model import Study

DRAWN = Aggregation("plackett-luce", 1.0)


def drawn(*counts: int, seed: int = 0) -> SampledPosterior:
    """One case in which each label leads in so many independent draws."""
    n, k = sum(counts), len(counts)
    leader = np.random.default_rng(seed).permutation(np.repeat(range(k), counts))
    value = np.where(leader == np.arange(k)[:, None], 0.9, 0.1 / k)
    candidates = Candidates(np.array([0, k]), np.arange(k, dtype=np.int32), k)
    return SampledPosterior(
        Draws(candidates, value, np.zeros((1, n)), np.zeros((1, n, LARGEST)), np.zeros(1, np.int64))
    )


def led(posterior: Posterior, point: Posterior | None = None) -> list[int]:
    """Labels that lead."""
    return leading_slots(posterior, point).tolist()


def test_what_other_draws_could_turn_round_is_tied() -> None:
    """A difference of 95 % simulation error: 1.96 √((p + q − (p − q)²) / n), near 6 points of 1,000 draws."""
    assert led(drawn(390, 387, 168, 55)) == [0, 1]
    assert led(drawn(500, 490, 10)) == [0, 1]
    assert led(drawn(570, 430)) == [0]
    assert led(drawn(5700, 4300)) == [0]
    assert led(drawn(57, 43)) == [0, 1]
    assert led(drawn(1000, 0)) == [0]


def test_a_tie_of_the_point_estimate_counts_where_the_leader_is_in_it() -> None:
    """The readings do not tell the labels apart, though the draws do; of other labels nothing follows."""
    posterior = drawn(600, 350, 50)
    tied = point_mass(posterior.candidates, np.array([0.5, 0.5, 0.0]))
    assert led(posterior) == [0]
    assert led(posterior, tied) == [0, 1]
    assert led(posterior, point_mass(posterior.candidates, np.array([0.2, 0.4, 0.4]))) == [0]
    first = point_mass(posterior.candidates, np.array([0.5, 0.5, 0.0]), tie_rule="first label")
    assert led(posterior, first) == [0]


@pytest.mark.parametrize("model", ["label-counts", "plackett-luce"])
def test_exact_posteriors_tie_where_they_are_equal_alone(model: str) -> None:
    """50 readings against 49 are no tie where nothing is drawn; 49 against 49 are one under every model."""
    study, task = small_study("choice", "ab", [["a"] * 50 + ["b"] * 49, ["a", "b"] * 49])
    aggregation = Aggregation(model, 1.0)
    posterior = aggregate(study, task, aggregation)
    assert (point_portion(study, task, aggregation, range(2)) is None) == (model != "plackett-luce")
    assert led(posterior)[-2:] == [2, 3]
    assert (led(posterior)[:2] == [0, 1]) == (model == "plackett-luce")


def test_scores_tie_where_both_sides_are_equally_probable() -> None:
    """A mean near the threshold leaves one side ahead, by however little."""
    study, task = small_study("score", "", [[4.0, 6.1], [4.0, 6.5], [3.0, 6.5]])
    posterior = aggregate(study, task, Aggregation("gaussian", 1.0))
    assert len(leading_slots(posterior)) == 3


def test_one_rule_in_list_badge_and_sentence(dermatology: Study) -> None:
    """A harmless and a dangerous label tie in the estimate and in the draws: the worse risk counts."""
    task = next(iter(dermatology.tasks.values()))
    table = worklist_of(dermatology, task, DRAWN)
    row = table.loc["derm-132"]
    assert row["leading"] == "Basal Cell Carcinoma or Pyogenic granuloma (tied)"
    assert row["risk"] == "high"
    case = open_case(dermatology, task, DRAWN, dermatology.case_ids.index("derm-132"))
    both = "Basal Cell Carcinoma (high risk) and Pyogenic granuloma (low risk) tie: "
    assert headline(case).sentence.startswith(f"The readings point to danger: {both}")
    assert "; any high-risk label in about 61." in headline(case).sentence
    for index in range(0, dermatology.n_cases, 25):
        one = open_case(dermatology, task, DRAWN, index)
        named = {task.labels[code] for code in one.leaders}
        assert all(label in table["leading"].iloc[index] for label in named)
        assert (len(named) > 1) == table["leading"].iloc[index].endswith("(tied)")
        assert (len(named) > 1) >= (
            re.search(" tie:| are (too close|alike)", headline(one).sentence) is not None
        )


@pytest.mark.parametrize(
    ("counts", "point", "words", "why"),
    [
        ((390, 390, 220), (0.5, 0.5, 0.0), "tie: 39 of 100 plausible truths each", ""),
        (
            (400, 380, 220),
            (0.5, 0.4, 0.1),
            "are too close to tell: 38 and 40 of 100 plausible truths",
            "Another random sample of truths could change their order",
        ),
        (
            (600, 350, 50),
            (0.5, 0.5, 0.0),
            "are alike in the readings: 35 and 60 of 100 plausible truths",
            "The readings support each equally",
        ),
    ],
)
def test_the_sentence_says_what_ties(
    counts: tuple[int, ...], point: tuple[float, ...], words: str, why: str
) -> None:
    """Equal shares, shares that other draws could turn round, or an estimate that tells nothing apart."""
    study, task = small_study("choice", "abc", [["a", "b", "c"]], risk="LHM")
    posterior = drawn(*counts)
    case = replace(
        open_case(study, task, DRAWN, 0),
        posterior=posterior,
        point=point_mass(posterior.candidates, np.array(point)),
        draws=posterior,
    )
    said = headline(case)
    assert said.sentence.startswith("Danger is not ruled out: b (high risk) and a (low risk) ")
    assert words in said.sentence
    assert said.why == why
    assert said.n_tied == 0
    row = worklist(study, task, posterior, case.point).iloc[0]
    # The one of high risk is named first, for a narrow cell may have no room for both.
    assert (row["leading"], row["risk"], row["runner_up"]) == ("b or a (tied)", "high", "c")
