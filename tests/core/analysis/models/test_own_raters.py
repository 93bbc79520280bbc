"""The raters of a study as its readers: nobody judges himself, and models are judged as the raters are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.models.other_readers import other_readers
from core.analysis.models.other_readers_report import other_readers_report
from core.analysis.models.own_raters import OWN_RATERS
from core.analysis.models.settings import OtherReadersSettings
from core.analysis.models.truth_draws import plausible_truths
from core.cli import main, sample_folder
from core.metrics.mrmc.pair_sums import pair_sums
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import Study
from core.study.reading.folder import read_study
from core.study.reading.frames import study_of_frames


def panel_of(seed: int, *, n: int = 120, raters: int = 5, accuracy: float = 0.8, holes: float = 0.0) -> Study:
    """Raters and a model who err alike and by lot, and a reference; some readings are missing."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.45
    says = np.where(rng.random((raters + 1, n)) < accuracy, truth, ~truth)
    read = rng.random((raters, n)) >= holes
    read[:2] = True
    ids = np.array([f"case {at}" for at in range(n)])
    who, case = np.nonzero(read)
    names = np.array(["Ann", "Ben", "Cem", "Dora", "Eva", "Finn", "Gil"])
    return study_of_frames(
        pd.DataFrame(
            {
                "case_id": ids[case],
                "rater_id": names[who],
                "label": np.where(says[who, case], "ill", "well"),
            }
        ),
        predictions=pd.DataFrame({"case_id": ids, "model": "net", "score": says[-1].astype(float)}),
        labels=pd.DataFrame({"label": ["well", "ill"]}),
        cases=pd.DataFrame({"case_id": ids, "reference": np.where(truth, "ill", "well")}),
        tasks={"main": {"kind": "choice", "positive": "ill"}},
        name="panel",
    )


def tables(study: Study, **chosen):
    """Tables of the study's task, with its raters as readers."""
    task = study.tasks["main"]
    settings = OtherReadersSettings(own_raters=True, **chosen)
    return other_readers(study, task, settings, default_aggregation(task))


def test_by_the_reference_each_rater_has_the_accuracy_of_his_readings() -> None:
    """AUROC of one reading a case: the mean of sensitivity and specificity."""
    study = panel_of(0, holes=0.1)
    found = tables(study)
    assert found.modalities["modality"].tolist() == ["net", OWN_RATERS]
    assert found.modalities["n_readers"].tolist() == [0, 5]
    assert found.differences[["first", "second"]].to_numpy().tolist() == [["net", OWN_RATERS]]
    task = study.tasks["main"]
    code = study.rater_ids.index("Cem")
    is_hers = task.readings.rater == code
    said = task.readings.label[is_hers] == 1
    truth = (study.cases["reference"] == "ill").to_numpy()[task.readings.case[is_hers]]
    by_hand = (said[truth].mean() + (~said)[~truth].mean()) / 2
    row = found.readers.set_index(["modality", "reader"]).loc[(OWN_RATERS, "Cem")]
    assert row["value"] == pytest.approx(by_hand)
    assert row["n_cases"] == is_hers.sum()


def test_a_truth_of_a_rater_knows_nothing_of_what_he_said() -> None:
    """It is that of the study without his readings, of the cases that others read."""
    study = panel_of(1, n=60, holes=0.4)
    task, found = study.tasks["main"], tables(study, truth="plausibility", n_truths=20)
    curves, cases = found.study.curves, found.study.cases
    for name in ("Ann", "Dora"):
        code = study.rater_ids.index(name)
        others = replace(task, readings=task.readings.keep(task.readings.rater != code))
        wanted = plausible_truths(study, others, cases, "ill", default_aggregation(task), 20)
        for at in np.flatnonzero(curves.reader == curves.readers.index(name)):
            np.testing.assert_array_equal(found.study.truths[:, at], wanted)
    assert found.modalities["n_readers"].tolist() == [0, 5]
    beside = found.readers[found.readers["modality"] == "net"]
    own = found.readers[found.readers["modality"] == OWN_RATERS]
    assert beside["reader"].tolist() == own["reader"].tolist()
    np.testing.assert_allclose(beside["n_positive"].to_numpy(), own["n_positive"].to_numpy())


def test_a_model_that_errs_as_raters_do_is_level_with_them() -> None:
    """On average over studies; by truths that hold their own readings raters would be ahead by far."""
    apart, selfish = [], []
    for seed in range(30):
        study = panel_of(seed, n=150, raters=3)
        found = tables(study, truth="plausibility", n_truths=20)
        apart.append(found.differences["difference"].iloc[0])
        task = study.tasks["main"]
        truths = plausible_truths(study, task, found.study.cases, "ill", default_aggregation(task), 20)
        value = pair_sums(found.study.curves, truths).value.mean(axis=0)
        selfish.append(value[:3].mean() - value[3:].mean())
    assert abs(np.mean(apart)) < 0.012
    assert np.mean(selfish) < -0.08


def test_the_raters_may_be_the_first() -> None:
    """Their being no worse than a model is another question; the difference has the other sign."""
    study = panel_of(2)
    one = tables(study, modalities=("net", OWN_RATERS)).differences.iloc[0]
    other = tables(study, modalities=(OWN_RATERS, "net")).differences.iloc[0]
    assert one["difference"] == pytest.approx(-other["difference"])
    assert one["standard_error"] == pytest.approx(other["standard_error"])


def test_raters_who_read_no_case_of_a_class_are_left_out() -> None:
    """And said to be."""
    study = panel_of(3, holes=0.2)
    task = study.tasks["main"]
    is_ill = (study.cases["reference"] == "ill").to_numpy()[task.readings.case]
    kept = task.readings.keep(~(is_ill & (task.readings.rater == study.rater_ids.index("Eva"))))
    part = replace(study, tasks={"main": replace(task, readings=kept)})
    report = other_readers_report(part, OtherReadersSettings(own_raters=True))
    assert report.tables["modalities"]["n_readers"].tolist() == [0, 4]
    assert any("Left out: 1 rater who" in said for said in report.claims)


def test_what_raters_cannot_be_readers_of_is_refused() -> None:
    """Rankings, raters without names, no model, an analysis of variance by truths of their own."""
    study = panel_of(4)
    with pytest.raises(ValueError, match="needs one truth for all readers"):
        tables(study, truth="plausibility", method="anova", n_truths=5)
    with pytest.raises(ValueError, match='modalities must be "raters" and one of net, got net and film'):
        tables(study, modalities=("net", "film"))
    bare, task = small_study("choice", "ab", [["a", "b"], ["b", "b"]])
    with pytest.raises(ValueError, match="no model that its raters could be compared with"):
        other_readers(
            bare,
            task,
            OtherReadersSettings(own_raters=True, reader_positive="a"),
            Aggregation("label-counts"),
        )
    ranked = read_study(sample_folder("dermatology_like"))
    task = next(iter(ranked.tasks.values()))
    settings = OtherReadersSettings(own_raters=True, reader_positive=task.labels[0])
    with pytest.raises(ValueError, match="do not choose one label"):
        other_readers(ranked, task, settings, default_aggregation(task))


def test_raters_numbered_anew_are_nobody() -> None:
    """As wherever single raters are spoken of."""
    readings = [(str(c), f"reader {r + 1}", "ab"[(c + r) % 2]) for c in range(12) for r in range(2 + c % 3)]
    study = study_of_frames(
        pd.DataFrame(readings, columns=["case_id", "rater_id", "label"]),
        predictions=pd.DataFrame(
            {"case_id": [str(c) for c in range(12)], "model": "net", "score": range(12)}
        ),
        tasks={"main": {"kind": "choice", "positive": "b"}},
        name="anew",
    )
    with pytest.raises(ValueError, match=r"numbered anew in each case.*name raters by person"):
        tables(study)


def test_the_command_compares_models_with_the_raters_of_a_sample(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Knee MRI: two models against thirteen raters by the reference."""
    assert main(["mrmc", str(sample_folder("knee_mri")), "--own-raters"]) == 0
    said = capsys.readouterr().out
    assert "Network has a higher AUROC than raters" in said
    assert "The readers are the study's own raters" in said
