"""Sets of labels for the cases of a study: identities, groups, and reasons where there are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.disagreement.conformal import (
    CALIBRATIONS,
    ON_CORRECTED,
    ON_LEADING,
    ON_PLAUSIBLE,
    ON_REGIONS,
    conformal_sets,
)
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.conformal_tables import ALL_CASES, TRUE_RISK, coverage_table, set_table
from core.analysis.disagreement.conformal_truths import (
    LEADING_LABEL,
    PLAUSIBLE_LABEL,
    PLAUSIBLE_LEADER,
    TRUTHS,
    truths,
)
from core.cli import sample_folder
from core.plausibility.settings import Aggregation
from core.recalibration.conformal_choices import SCORES
from core.recalibration.crossfit import deal_folds
from core.study.model import Study, Task
from core.study.reading.folder import read_study

AGGREGATION = Aggregation("label-counts", 1.0)
MODEL = "Model A"


@pytest.fixture(scope="module")
def study() -> Study:
    """300 simulated cases with differentials, 40 labels and risk levels."""
    return read_study(sample_folder("dermatology_like"))


@pytest.fixture(scope="module")
def task(study: Study) -> Task:
    """Its only task."""
    return next(iter(study.tasks.values()))


def drawn(n: int, *, unanimous: bool = False, seed: int = 0) -> tuple[Study, Task]:
    """Study of n cases with three labels, read by three raters and predicted by one model."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(3, 0.6), n)
    said = [
        [
            ["a", "b", "c"][k]
            for k in (rng.choice(3, p=p, size=1).repeat(3) if unanimous else rng.choice(3, p=p, size=3))
        ]
        for p in shares
    ]
    predicted = 0.7 * shares + 0.3 * rng.dirichlet(np.ones(3), n)
    site = ["north" if i % 3 else "south" for i in range(n)]
    return small_study(
        "choice", "abc", said, risk="LMH", predictions={"m": predicted.tolist()}, metadata={"site": site}
    )


def test_a_certain_truth_gives_ordinary_conformal_prediction() -> None:
    """All raters agree, and nothing else is plausible: every calibration on labels is the plain one."""
    study, task = drawn(90, unanimous=True)
    found = truths(study, task, Aggregation("majority"))
    sets = conformal_sets(study, task, found, "m", ConformalSettings())
    scores = 1 - task.predictions["m"].probability
    folds = deal_folds(study.seed, study.case_ids, np.zeros(90, int))
    certain = found.of[LEADING_LABEL]
    assert set(np.unique(certain)) == {0.0, 1.0}
    for fold in range(5):
        cases, held_out = folds.training(fold), folds.held_out(fold)
        own = np.sort(scores[cases, certain[cases].argmax(axis=1)])
        limit = own[int(np.ceil((len(cases) + 1) * 0.9 - 1e-9)) - 1]
        for calibration in (ON_LEADING, ON_PLAUSIBLE, ON_CORRECTED):
            held = sets.holds[calibration][held_out]
            np.testing.assert_array_equal(held, scores[held_out].round(12) <= limit.round(12))


def test_sets_do_not_depend_on_rows_or_on_other_models(study: Study, task: Task) -> None:
    """Cases in another order, and one model or all: the same set for the same case."""
    shuffled = np.random.default_rng(1).permutation(study.n_cases)
    moved_predictions = {
        name: replace(p, probability=np.ascontiguousarray(p.probability[shuffled]))
        for name, p in task.predictions.items()
    }
    moved_task = replace(task, readings=task.readings.take_cases(shuffled), predictions=moved_predictions)
    moved = replace(
        study,
        case_ids=tuple(study.case_ids[i] for i in shuffled),
        cases=study.cases.iloc[shuffled],
        tasks={task.name: moved_task},
    )
    settings = ConformalSettings(score="aps", randomised=True)
    chosen = Aggregation("prirn", 10.0)
    here = conformal_sets(study, task, truths(study, task, chosen), MODEL, settings)
    there = conformal_sets(moved, moved_task, truths(moved, moved_task, chosen), MODEL, settings)
    for calibration in (ON_LEADING, ON_PLAUSIBLE, ON_CORRECTED):
        np.testing.assert_array_equal(there.holds[calibration], here.holds[calibration][shuffled])


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("truth", ["leader", "label"])
def test_what_is_calibrated_on_is_held_as_often_as_wanted(
    study: Study, task: Task, score: str, truth: str
) -> None:
    """Within three standard errors and the chance of a few hundred calibration cases."""
    found = truths(study, task, Aggregation("prirn", 10.0))
    settings = ConformalSettings(score=score, truth=truth, coverage=80)  # type: ignore[arg-type]
    sets = conformal_sets(study, task, found, MODEL, settings)
    table = coverage_table(study, task, found, [sets]).query("by == @ALL_CASES")
    by = table.set_index(["calibrated_on", "truth"])["coverage"]
    wanted = PLAUSIBLE_LEADER if truth == "leader" else PLAUSIBLE_LABEL
    assert by[ON_PLAUSIBLE, wanted] > 0.78
    assert by[ON_CORRECTED, wanted] > 0.73
    assert by[ON_LEADING, LEADING_LABEL] > 0.78
    assert by[ON_LEADING, wanted] < by[ON_PLAUSIBLE, wanted]
    assert by[ON_REGIONS, wanted] >= 0.8
    assert list(sets.holds) == list(CALIBRATIONS)


def test_regions_hold_plausible_truths(study: Study, task: Task) -> None:
    """As many plausible truths are in their regions as was asked for, and led by a label of the set."""
    found = truths(study, task, Aggregation("prirn", 10.0))
    sets = conformal_sets(study, task, found, MODEL, ConformalSettings(coverage=80))
    assert sets.in_region is not None
    assert abs(np.nanmean(sets.in_region) - 0.8) < 0.05
    inside = (found.of[PLAUSIBLE_LEADER] * sets.holds[ON_REGIONS]).sum(axis=1)
    assert (inside[sets.judged] >= sets.in_region[sets.judged] - 0.12).all()


def test_the_mean_score_of_a_plausible_truth_is_that_of_its_labels() -> None:
    """By hand from dense draws, where every label was mentioned or none."""
    study, task = drawn(12)
    found = truths(study, task, AGGREGATION, n_draws=7)
    scores = np.random.default_rng(0).random((12, 3))
    of = found.draws.candidates
    for case in range(12):
        slots = of.of_case(case)
        unnamed = [k for k in range(3) if k not in of.label[slots]]
        by_hand = scores[case, of.label[slots]] @ found.draws.value[slots]
        if unnamed:
            by_hand = by_hand + found.draws.rest[case] * scores[case, unnamed].mean()
        np.testing.assert_allclose(found.mean_scores(scores)[case], by_hand)


def test_rows_by_risk_and_column_add_up_to_all_cases() -> None:
    """Weighted by how much of the truth is theirs, their coverage and set size are those of all cases."""
    study, task = drawn(120)
    found = truths(study, task, AGGREGATION)
    sets = conformal_sets(study, task, found, "m", ConformalSettings())
    table = coverage_table(study, task, found, [sets], by="site")
    for truth in TRUTHS:
        rows = table[(table["truth"] == truth) & (table["calibrated_on"] == ON_PLAUSIBLE)]
        whole = rows[rows["by"] == ALL_CASES].iloc[0]
        parts = {TRUE_RISK: found.of[truth].sum(axis=0), "site": np.array([80.0, 40.0])}
        for by, weights in parts.items():
            of = rows[rows["by"] == by]
            assert len(of) == len(weights)
            np.testing.assert_allclose((of["coverage"] * weights).sum() / weights.sum(), whole["coverage"])
            np.testing.assert_allclose((of["set_size"] * weights).sum() / weights.sum(), whole["set_size"])
        assert (rows["low"] <= rows["coverage"]).all()
        assert (rows["coverage"] <= rows["high"]).all()
    assert table["group"].drop_duplicates().tolist() == ["", "low", "medium", "high", "north", "south"]


def test_the_sets_are_listed_with_the_most_probable_label_first() -> None:
    """One row a case and calibration; what it says it holds is what the labels have."""
    study, task = drawn(60)
    found = truths(study, task, AGGREGATION)
    sets = conformal_sets(study, task, found, "m", ConformalSettings())
    table = set_table(study, task, found, [sets])
    assert len(table) == 60 * 4
    probability = pd.DataFrame(task.predictions["m"].probability, study.case_ids, list("abc"))
    for row in table.head(60).itertuples():
        labels = row.labels.split("; ") if row.labels else []
        assert len(labels) == row.size
        assert probability.loc[row.case_id, labels].is_monotonic_decreasing
        of = found.of[PLAUSIBLE_LABEL][study.case_ids.index(row.case_id)]
        held = sum(of["abc".index(label)] for label in labels)
        assert table.loc[row.Index, f"holds {PLAUSIBLE_LABEL}"] == pytest.approx(held)


@pytest.mark.parametrize(
    ("n", "coverage", "message"),
    [
        (2, 90, "takes 9 cases or more to calibrate on, and 5 folds of the 2 cases .* leave 1;"),
        (10, 90, "takes 9 cases or more to calibrate on, and 5 folds of the 10 cases .* leave 8;"),
        (40, 99, "takes 99 cases or more to calibrate on, and 5 folds of the 40 cases .* leave 32;"),
    ],
)
def test_too_few_cases_are_refused_with_the_number_needed(n: int, coverage: float, message: str) -> None:
    """N ≥ 1/α − 1 outside of every fold."""
    study, task = drawn(n)
    found = truths(study, task, AGGREGATION)
    with pytest.raises(ValueError, match=message):
        conformal_sets(study, task, found, "m", ConformalSettings(coverage=coverage))


def test_calibrations_that_need_more_cases_are_left_out_with_a_reason() -> None:
    """Twelve cases do for the plain ones; the corrected one, and regions of labels, need more."""
    study, task = drawn(12)
    found = truths(study, task, AGGREGATION)
    sets = conformal_sets(study, task, found, "m", ConformalSettings(truth="label"))
    assert list(sets.holds) == [ON_PLAUSIBLE, ON_LEADING]
    assert [ON_CORRECTED in note or ON_REGIONS in note for note in sets.notes] == [True, True]
    assert "need 9 cases to calibrate on; there are 6" in sets.notes[0]


def test_one_label_and_unknown_columns_are_refused() -> None:
    """With the reason, and the columns that there are."""
    study, task = small_study("choice", "a", [["a"]] * 20, predictions={"m": [[1.0]] * 20})
    found = truths(study, task, AGGREGATION)
    with pytest.raises(ValueError, match="has one label, so every set of labels is this one"):
        conformal_sets(study, task, found, "m", ConformalSettings())
    study, task = drawn(40)
    found = truths(study, task, AGGREGATION)
    sets = conformal_sets(study, task, found, "m", ConformalSettings())
    with pytest.raises(ValueError, match="with 2 to 20 different values, of site, got 'age'"):
        coverage_table(study, task, found, [sets], by="age")


def test_cases_without_a_reading_or_a_prediction_take_no_part() -> None:
    """They have no set, and change no other."""
    study, task = drawn(60)
    predictions = task.predictions["m"].probability.copy()
    predictions[3] = np.nan
    task = replace(task, predictions={"m": replace(task.predictions["m"], probability=predictions)})
    mask = task.readings.case != 5
    task = replace(task, readings=task.readings.keep(mask))
    found = truths(study, task, AGGREGATION)
    sets = conformal_sets(study, task, found, "m", ConformalSettings())
    assert np.flatnonzero(~sets.judged).tolist() == [3, 5]
    assert not any(holds[[3, 5]].any() for holds in sets.holds.values())
    rows = coverage_table(study, task, found, [sets])
    assert set(rows[rows["by"] == ALL_CASES]["n_cases"]) == {58}
