"""The tables of the page Raters: what they hold, and that a choice of raters or cases changes everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rater_matrices import choices, knee_matrices, random_matrix, study_of
from small_study import small_study

from core.analysis.cases.what_if import Reading, WhatIf, apply
from core.analysis.raters.accuracy import best_standard, rater_accuracy, readings_right
from core.analysis.raters.coefficients import COHEN, OVERLAP, TOP1, coefficient_table, label_table
from core.analysis.raters.concordance import (
    case_table,
    concordance_table,
    concordance_weights,
    weighted_concordance,
)
from core.analysis.raters.groups import group_table
from core.analysis.raters.pairs import pair_table
from core.analysis.raters.panel import Panel, panel
from core.analysis.raters.profiles import EVERYBODY, calibration_table, confidence_table, profile_table
from core.analysis.raters.report import rater_report
from core.analysis.raters.settings import RaterSettings
from core.cli import sample_folder
from core.metrics.agreement.chance_names import AC2, ALPHA, ALPHA_INTERVAL, FLEISS, OBSERVED
from core.plausibility.aggregate import aggregate, aggregate_readings
from core.plausibility.settings import Aggregation, models_for
from core.study.model import Readings, Study, Task
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def knee() -> tuple[Study, Task]:
    """The 13 radiologists of Cabitza 2020."""
    labels, confidence = knee_matrices()
    return study_of(choices(labels, confidence), ("no", "yes"), positive="yes")


@pytest.fixture(scope="module")
def random_study() -> tuple[Study, Task]:
    """Three labels, six raters, missing readings, references, confidences."""
    labels = random_matrix(0, n_labels=3)
    confidence = np.round(np.random.default_rng(1).random(labels.shape), 1)
    reference = ["xyz"[i % 3] if i % 4 else "" for i in range(len(labels))]
    return study_of(choices(labels, confidence), ("x", "y", "z"), reference=reference)


def everything(
    study: Study, task: Task, *, raters: Sequence[str] = (), cases: Sequence[int] | None = None
) -> dict[str, pd.DataFrame]:
    """All tables of a choice of raters and cases."""
    return dict(rater_report(study, RaterSettings(tuple(raters), resamples=10), cases=cases).tables)


def test_knee_radiologists(knee: tuple[Study, Task]) -> None:
    """The published figures come out of the tables."""
    chosen = panel(*knee)
    found = coefficient_table(chosen, n_boot=0).set_index("coefficient")["value"]
    assert found[OBSERVED] == pytest.approx(0.81841, abs=5e-6)
    assert found[FLEISS] == pytest.approx(0.63163, abs=5e-6)
    assert found[ALPHA] == pytest.approx(0.63170, abs=5e-6)
    assert found[COHEN] == pytest.approx(0.63189, abs=5e-6)
    weights = concordance_weights(chosen, given=0.81, variability=0.08)
    last = concordance_table(chosen, weights, weighted_concordance(chosen, weights)).iloc[2]
    assert (last["value"], last["low"], last["high"]) == pytest.approx((0.584726, 0.51415, 0.63968), abs=5e-6)
    raters = profile_table(chosen)
    assert raters["accuracy_majority"].mean() == pytest.approx(0.8714, abs=5e-5)
    assert profile_table(chosen, ties="positive")["accuracy_majority"].mean() == pytest.approx(
        0.8676, abs=5e-5
    )
    assert raters["confidence"].iloc[0] == pytest.approx(0.8725995316159302)


def test_a_choice_is_the_study_of_what_was_chosen(random_study: tuple[Study, Task]) -> None:
    """Every table of a choice of raters and cases equals that of a study which holds nothing else."""
    study, task = random_study
    cases, raters = [2, 3, 5, 8, *range(20, 60)], ["b", "d", "e"]
    found = everything(study, task, raters=raters, cases=cases)
    kept = task.readings.take_cases(cases)
    kept = kept.keep(np.isin(kept.rater, [1, 3, 4]))
    alone = replace(
        study,
        case_ids=tuple(study.case_ids[i] for i in cases),
        cases=study.cases.iloc[cases],
        tasks={"t": replace(task, readings=kept)},
    )
    expected = everything(alone, alone.tasks["t"])
    whole = everything(study, task)
    for name, table in expected.items():
        pd.testing.assert_frame_equal(found[name], table, obj=name)
        assert not whole[name].equals(table), name


def test_tables_do_not_depend_on_the_order_of_the_choice(random_study: tuple[Study, Task]) -> None:
    """Raters and cases named in another order, and twice."""
    found = everything(*random_study, raters=["a", "c", "b"], cases=[9, 4, 30, 31, 32])
    same = everything(*random_study, raters=["c", "b", "a", "b"], cases=[32, 31, 30, 9, 4, 4])
    for name, table in found.items():
        pd.testing.assert_frame_equal(table, same[name], obj=name)


def test_case_table_averages_to_the_overall_value(random_study: tuple[Study, Task]) -> None:
    """ϱ of the study is the mean of the cases; readings and leading labels are those of the case."""
    study, task = random_study
    chosen = panel(study, task)
    weights = concordance_weights(chosen)
    found = weighted_concordance(chosen, weights)
    cases, overall = case_table(chosen, found), concordance_table(chosen, weights, found)
    assert overall["value"].iloc[2] == pytest.approx(cases["concordance"].mean())
    assert overall["value"].is_monotonic_decreasing
    assert cases["readings"].sum() == task.readings.n_readings
    for i in (2, 3, 17):
        said = task.readings.label[task.readings.case == i]
        assert cases["leading"][i] == task.labels[np.bincount(said).argmax()]
        assert cases["labels"][i] == len(set(said.tolist()))
    assert cases["leading"][0] == ""


def test_pairs_have_the_common_cases(random_study: tuple[Study, Task]) -> None:
    """Every cell, counted by hand for two raters."""
    study, task = random_study
    pairs = pair_table(panel(study, task)).set_index(["rater", "other"])
    labels = random_matrix(0, n_labels=3)
    both = ~np.isnan(labels[:, 0]) & ~np.isnan(labels[:, 3])
    assert pairs.loc[("a", "d"), "common"] == both.sum()
    assert pairs.loc[("d", "a"), "agreement"] == (labels[both, 0] == labels[both, 3]).mean()
    assert pairs.loc[("a", "a"), "common"] == (~np.isnan(labels[:, 0])).sum()
    assert np.isnan(pairs.loc[("a", "a"), "kappa"])
    within = pairs["kappa"].between(pairs["kappa_low"], pairs["kappa_high"])
    assert within[pairs["kappa"].notna()].all()


def test_groups_of_all_raters_are_the_panel(random_study: tuple[Study, Task]) -> None:
    """The group of everybody has the panel's concordance; its majority is judged by the reference."""
    chosen = panel(*random_study)
    weights = concordance_weights(chosen)
    table = group_table(chosen, weights, sizes=[2, 6])
    assert table["size"].value_counts().to_dict() == {2: 15, 6: 1}
    everybody = table[table["size"] == 6].iloc[0]
    assert everybody["concordance"] == pytest.approx(
        np.nanmean(weighted_concordance(chosen, weights).weighted)
    )
    assert everybody["raters"] == "a, b, c, d, e, f"
    assert 0 < everybody["majority_accuracy"] < 1
    assert table.attrs["sentence"] == "All groups of each size are shown."
    sampled = group_table(chosen, weights, sizes=[3], most=7)
    assert len(sampled) == 7
    assert sampled["sampled"].all()
    assert "too many groups of 3 raters: 7 of each size are drawn" in sampled.attrs["sentence"]
    with pytest.raises(ValueError, match=r"from 2 to 6, got \[7\]"):
        group_table(chosen, weights, sizes=[7])


def test_profiles_by_hand() -> None:
    """Two raters, one repeat, a reference, two confidences."""
    labels = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    readings = choices(labels, np.array([[0.5, 1], [0.5, 1], [1, 1], [1, 1]]))
    order = [0, 0, *range(1, 8)]
    readings = replace(
        readings,
        case_start=np.array([0, 3, 5, 7, 9]),
        rater=readings.rater[order],
        repeat=np.array([1, 2, 1, 1, 1, 1, 1, 1, 1], np.int32),
        confidence=np.array([0.5, 0.9, 1, 0.5, 1, 1, 1, 1, 1]),
        score=readings.score[order],
        entry_start=np.arange(10),
        label=np.array([0, 1, 0, 1, 0, 1, 1, 0, 1], np.int32),
        block=readings.block[order],
    )
    study, task = study_of(readings, ("n", "p"), reference=["n", "p", "p", ""], positive="p")
    table = profile_table(panel(study, task), given={"a": 0.9}).set_index("rater")
    a = table.loc["a"]
    assert (a["readings"], a["cases"], a["repeats"], a["self_agreement"]) == (5, 4, 1, 0)
    assert (a["accuracy_reference"], a["accuracy_reference_n"]) == (1, 3)
    assert table.loc["b", "accuracy_reference"] == pytest.approx(2 / 3)
    assert a["accuracy_majority"] == 0.5
    assert a["accuracy_given"] == 0.9
    assert np.isnan(table.loc["b", "accuracy_given"])
    assert a["confidence"] == 0.75
    assert a["overconfidence"] == pytest.approx(2 / 3 - 1)
    assert a["calibration_error"] == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert a["severity"] == pytest.approx((0 + 1 + 0 - 1) / 4)
    assert a["confidence_variability"] == pytest.approx(1.96 * np.std([0.5, 0.9], ddof=1) / np.sqrt(2))
    assert np.isnan(table.loc["b", "self_agreement"])
    assert (table["judged_by"] == "reference").all()
    assert panel(study, task).readings.n_readings == 8, "repeats do not agree with themselves"


def test_confidence_counts_add_up(random_study: tuple[Study, Task]) -> None:
    """Shares sum to one for each rater, and readings of everybody to those of the raters."""
    chosen = panel(*random_study)
    table = confidence_table(chosen)
    assert table.groupby("rater")["share"].sum().to_numpy() == pytest.approx(1)
    by_rater = table[table["rater"] != EVERYBODY].groupby("confidence")["readings"].sum()
    everybody = table[table["rater"] == EVERYBODY].set_index("confidence")["readings"]
    pd.testing.assert_series_equal(by_rater, everybody, check_dtype=False)
    assert (table["low"] == table["high"]).all(), "eleven values are kept as they are"


def test_calibration_against_a_loop(random_study: tuple[Study, Task]) -> None:
    """Accuracy of the readings with a confidence of .3, by the reference."""
    chosen = panel(*random_study)
    table = calibration_table(chosen)
    row = table[(table["rater"] == EVERYBODY) & np.isclose(table["confidence"], 0.3)].iloc[0]
    readings = chosen.readings
    right = readings_right(chosen, "reference")[np.isclose(readings.confidence, 0.3)]
    assert row["accuracy"] == pytest.approx(np.nanmean(right))
    assert row["judged"] == (~np.isnan(right)).sum()
    assert row["accuracy_low"] < row["accuracy"] < row["accuracy_high"]


def test_many_confidences_are_binned() -> None:
    """More than 21 different values fall into 20 bins; 1 is in the last."""
    labels = random_matrix(3, n_labels=2)
    confidence = np.random.default_rng(3).random(labels.shape)
    confidence[5] = 1.0
    table = confidence_table(panel(*study_of(choices(labels, confidence), ("x", "y"))))
    everybody = table[table["rater"] == EVERYBODY]
    assert len(everybody) == 20
    stated = confidence[~np.isnan(labels)]
    expected, _ = np.histogram(stated, bins=20, range=(0, 1))
    assert everybody["readings"].tolist() == expected.tolist()


def test_accuracy_four_ways(random_study: tuple[Study, Task]) -> None:
    """Given wins over a reference, a reference over the majority; a model is asked for by name."""
    chosen = panel(*random_study)
    assert best_standard(chosen, 0.8) == "given"
    assert best_standard(chosen) == "reference"
    assert rater_accuracy(chosen, "given", given=0.8).tolist() == [0.8] * 6
    model = rater_accuracy(chosen, "model")
    assert ((model > 0) & (model < 1)).all()
    with pytest.raises(ValueError, match="one of reference, majority, given, model, got 'luck'"):
        rater_accuracy(chosen, "luck")
    with pytest.raises(ValueError, match=r"in \[0, 1\], got 81 to 81; divide percentages by 100"):
        rater_accuracy(chosen, "given", given=81)
    with pytest.raises(ValueError, match="of raters of the study, got zoe"):
        rater_accuracy(chosen, "given", given={"zoe": 0.5})
    with pytest.raises(ValueError, match="must be given"):
        rater_accuracy(chosen, "given")


@pytest.mark.slow
def test_rankings_compare_differentials_and_first_labels(dermatology: Study) -> None:
    """Overlaps beside the coefficients, in pairs and in cases; choices have none of it."""
    task = next(iter(dermatology.tasks.values()))
    chosen = panel(dermatology, task)
    table = coefficient_table(chosen, n_boot=10).set_index("coefficient")
    assert {OVERLAP, TOP1} <= set(table.index)
    assert table.loc[OVERLAP, "low"] < table.loc[OVERLAP, "value"] < table.loc[OVERLAP, "high"]
    weights = concordance_weights(chosen)
    cases = case_table(chosen, weighted_concordance(chosen, weights))
    assert cases["overlap"].mean() == pytest.approx(table.loc[OVERLAP, "value"])
    assert cases["same_first"].mean() == pytest.approx(table.loc[TOP1, "value"])
    assert "same_first" in pair_table(panel(dermatology, task, raters=["R01", "R02"]))


def test_scores_have_an_order_and_sides(scores: Study) -> None:
    """α of the scores beside coefficients of the sides; severity in units of the score."""
    task = next(iter(scores.tasks.values()))
    table = coefficient_table(panel(scores, task), n_boot=0).set_index("coefficient")
    assert table.loc[ALPHA_INTERVAL, "basis"] == "scores"
    assert table.loc[AC2, "value"] > table.loc[ALPHA, "value"]
    profile = profile_table(panel(scores, task))
    assert profile.attrs["severity_unit"] == "score"
    assert profile["severity"].abs().max() > 0.1
    assert profile["accuracy_reference"].between(0.7, 1).all()


def test_labels_with_an_order_are_asked_for(random_study: tuple[Study, Task]) -> None:
    """Ordinal coefficients of a choice task only where the labels are said to be ordered."""
    chosen = panel(*random_study)
    assert AC2 not in set(coefficient_table(chosen, n_boot=0)["coefficient"])
    assert AC2 in set(coefficient_table(chosen, n_boot=0, ordered=True)["coefficient"])


def test_labels_one_by_one(random_study: tuple[Study, Task]) -> None:
    """Every label that was given, with shares that sum to one."""
    table = label_table(panel(*random_study), n_boot=20)
    assert table["label"].unique().tolist() == ["x", "y", "z"]
    assert table.drop_duplicates("label")["share"].sum() == pytest.approx(1)
    assert (table["low"] <= table["high"]).all()


def test_same_seed_same_intervals(random_study: tuple[Study, Task]) -> None:
    """Twice the same; another seed gives other intervals and the same values."""
    study, task = random_study
    first, again = (coefficient_table(panel(study, task), n_boot=50) for _ in range(2))
    other = coefficient_table(panel(replace(study, seed=1), task), n_boot=50)
    pd.testing.assert_frame_equal(first, again)
    assert (first["value"] == other["value"]).all()
    assert not (first["low"] == other["low"]).any()


def test_skewed_labels_warn_beside_kappa() -> None:
    """97 % of one label: the sentence of κ says so and points to AC1."""
    labels = np.zeros((100, 3))
    labels[:3, 0] = labels[2:6, 1] = 1
    table = coefficient_table(panel(*study_of(choices(labels), ("no", "yes"))), n_boot=0)
    sentences = table.set_index("coefficient")["sentence"]
    assert "98 % of the readings say no" in sentences[FLEISS]
    assert "look at Gwet AC1" in sentences[ALPHA]
    assert "look at" not in sentences["Gwet AC1"]


def bad_panels() -> dict[str, tuple[np.ndarray, str]]:
    """Studies in which little can be said, and the reason."""
    apart = np.full((6, 2), np.nan)
    apart[:3, 0], apart[3:, 1] = 0, 1
    return {
        "one rater": (np.array([[0.0], [1.0], [0.0]]), "no case has readings by two raters"),
        "no common case": (apart, "no case has readings by two raters"),
        "all the same": (np.zeros((5, 3)), "every reading is the same"),
        "nothing": (np.full((3, 2), np.nan), "there are no readings"),
    }


@pytest.mark.parametrize("name", bad_panels())
def test_little_to_say_is_said(name: str) -> None:
    """Every table comes out; undefined coefficients give the reason in words."""
    labels, reason = bad_panels()[name]
    study, task = study_of(choices(labels), ("no", "yes"), positive="yes")
    if name == "nothing":
        with pytest.raises(ValueError, match="no raters to look at: no case of task 't' was read"):
            rater_report(study)
        chosen = panel(study, task, raters=["a"])
    else:
        chosen = panel(study, task)
        report = rater_report(study, RaterSettings(resamples=5))
        assert ("There is one rater only" in " ".join(report.notes)) == (name == "one rater")
    table = coefficient_table(chosen, n_boot=5).set_index("coefficient")
    assert np.isnan(table.loc[ALPHA, "value"])
    assert reason in table.loc[ALPHA, "undefined"]
    assert reason in table.loc[ALPHA, "sentence"]
    assert reason in table.loc[COHEN, "undefined"] or name == "all the same"


def test_assumptions_are_said(random_study: tuple[Study, Task]) -> None:
    """Absent confidence, unknown accuracy and missing repeats are named."""
    bare = panel(*study_of(choices(random_matrix(0)), ("w", "x", "y", "z")))
    said = concordance_weights(bare).assumed
    assert "Accuracy is judged by the label that most of the other raters give." in said
    assert "No reading states a confidence, so every reading counts as fully confident." in said
    assert "no interval" in said
    with pytest.raises(ValueError, match="variability must be 0 or more, got -1"):
        concordance_weights(bare, variability=-1)


def test_numbered_raters_have_no_profiles() -> None:
    """Where raters are numbered anew in each case, single raters, pairs and groups are left out."""
    labels = np.full((4, 3), np.nan)
    for i, n in enumerate((1, 2, 3, 3)):
        labels[i, :n] = np.arange(n) % 2
    study, task = study_of(choices(labels), ("x", "y"))
    study = replace(study, rater_ids=("r1", "r2", "r3"))
    chosen = panel(study, task)
    assert not chosen.identified
    assert len(profile_table(chosen)) == len(pair_table(chosen)) == 0
    report = rater_report(study, RaterSettings(resamples=5))
    assert "numbered anew" in " ".join(report.notes)
    assert COHEN not in set(report.tables["coefficients"]["coefficient"])
    assert not np.isnan(report.tables["concordance"]["value"]).any()


@pytest.mark.slow
def test_thousands_of_raters() -> None:
    """Right for what is counted; pairs and groups are refused in words."""
    rng = np.random.default_rng(0)
    n = 3_000
    readings = choices(np.zeros((150, 1)))
    rater = np.sort(rng.permutation(n).reshape(150, 20), axis=1).ravel().astype(np.int32)
    readings = Readings(
        case_start=np.arange(0, n + 1, 20),
        rater=rater,
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1),
        label=rng.integers(0, 2, n).astype(np.int32),
        block=np.zeros(n, np.int32),
    )
    study, task = study_of(readings, ("x", "y"))
    study = replace(study, rater_ids=tuple(f"id {i * 7}" for i in range(n)))
    report = rater_report(study, RaterSettings(resamples=5))
    assert "3,000 raters are too many to compare two by two" in " ".join(report.notes)
    assert "pairs" not in report.tables
    assert abs(report.tables["coefficients"]["value"].iloc[1]) < 0.03
    with pytest.raises(ValueError, match="choose some of them"):
        pair_table(panel(study, task))


def test_unknown_raters_and_empty_choices_are_refused(random_study: tuple[Study, Task]) -> None:
    """Errors name what there is."""
    with pytest.raises(ValueError, match="raters must be some of a, b, c, d, e, f, got zoe"):
        panel(*random_study, raters=["a", "zoe"])
    with pytest.raises(ValueError, match="at least one rater"):
        panel(*random_study, raters=[])
    with pytest.raises(ValueError, match="at least one case"):
        panel(*random_study, cases=[])
    with pytest.raises(ValueError, match="task must be one of t, got 'u'"):
        rater_report(random_study[0], task_name="u")


def test_small_differentials_count_with_their_first_label() -> None:
    """Of tied ones one counts by lot, whatever the order of labels; about half of the time each."""
    said = []
    for labels in ("abc", "bca"):
        cases = [["ab c", "a", "b a"]] * 200
        study, task = small_study("ranking", labels, cases, rater_ids=("x", "y", "z"))
        chosen = panel(study, task)
        assert isinstance(chosen, Panel)
        said.append(np.array([labels[code] for code in chosen.code]).reshape(200, 3))
        assert coefficient_table(chosen, n_boot=0)["value"].iloc[0] == pytest.approx(1 / 3)
    np.testing.assert_array_equal(*said)
    assert set(said[0][:, 0]) == {"a", "b"}
    assert 70 < (said[0][:, 0] == "a").sum() < 130
    assert (said[0][:, 1:] == ["a", "b"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["toy_three_labels", "mixed_digits"])
def test_bundled_samples(name: str) -> None:
    """Every table has rows on bundled studies, and values stay in range."""
    study = read_study(sample_folder(name))
    tables = everything(study, next(iter(study.tasks.values())))
    assert all(len(table) for table in tables.values())
    for column in ("accuracy_reference", "accuracy_majority", "accuracy_model", "accuracy_ability"):
        assert tables["raters"][column].between(0, 1).all()


def test_dawid_skene_is_an_aggregation_model_for_choices(digits: Study) -> None:
    """Listed for choices alone, and open to a reading by nobody in the study."""
    task = next(iter(digits.tasks.values()))
    assert "dawid-skene" in models_for(task)
    aggregation = Aggregation("dawid-skene")
    leading = int(aggregate(digits, task, aggregation).best_set(1)[7, 0])
    added = apply(digits, task, 7, WhatIf(added=(Reading((((leading + 1) % len(task.labels),),)),) * 6))
    moved = aggregate_readings(digits, task, aggregation, added, [digits.case_ids[7]])
    assert moved.best_set(1)[0, 0] == (leading + 1) % len(task.labels)


def test_unknown_references_judge_nobody(random_study):
    """References that are no label count neither for nor against a rater; with no other, nobody is judged."""
    study, task = random_study
    strange = study.cases["reference"].where(study.cases["reference"] != "x", "strange")
    some = panel(replace(study, cases=study.cases.assign(reference=strange)), task)
    right = readings_right(some, "reference")
    assert np.isnan(right[(strange == "strange").to_numpy()[some.readings.case]]).all()
    assert not np.isnan(right).all()
    none = panel(replace(study, cases=study.cases.assign(reference="strange")), task)
    assert best_standard(none) == "majority"
    with pytest.raises(ValueError, match="no case has a reference that is a label"):
        concordance_weights(none, standard="reference")
