"""Reader studies as tables and sentences: reference and plausible truths, margins, sizes, refusals."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.analysis.models.other_readers import HOLM, SHARES, other_readers
from core.analysis.models.other_readers_report import other_readers_report
from core.analysis.models.other_readers_words import claims, verdict
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.holm import holm
from core.metrics.mrmc.inference import Inference
from core.metrics.mrmc.pair_sums import pair_sums
from core.metrics.mrmc.sizing import power
from core.metrics.mrmc.variance import variance
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import FloatArray, Predictions, Study, Task
from tests.helpers.reader_files import reader_study_of
from tests.helpers.reader_studies import roe_metz


@pytest.fixture(scope="module")
def study() -> Study:
    """Two modalities, four readers, a model by itself."""
    return reader_study_of()


def tables(study: Study, **chosen):
    """Tables of the study's task."""
    task = study.tasks["main"]
    return other_readers(study, task, OtherReadersSettings(**chosen), default_aggregation(task))


def test_every_pair_with_readers_is_compared(study: Study) -> None:
    """A model by itself too; shares add up to 1; p-values corrected for three pairs."""
    found = tables(study)
    assert found.modalities["modality"].tolist() == ["A", "B", "net"]
    assert found.modalities["n_readers"].tolist() == [4, 4, 0]
    assert found.differences[["first", "second"]].to_numpy().tolist() == [
        ["A", "B"],
        ["A", "net"],
        ["B", "net"],
    ]
    np.testing.assert_allclose(found.differences[[*SHARES]].sum(axis=1), 1)
    p = found.differences["p_two_sided"]
    assert found.differences["p_holm"].min() == pytest.approx(min(3 * p.min(), 1))
    assert (found.differences["p_holm"] >= p).all()
    by_reader = found.readers[found.readers["modality"] == "A"]["value"].mean()
    assert found.modalities["estimate"].iloc[0] == pytest.approx(by_reader)
    assert (found.modalities["low"] < found.modalities["estimate"]).all()
    assert (found.modalities["high"] <= 1).all()


def test_plausible_truths_add_their_scatter(study: Study) -> None:
    """The variance is that within one truth and that between truths; drawn again they are the same."""
    certain, found = tables(study), tables(study, truth="plausibility", n_truths=40)
    curves, truths = found.study.curves, found.study.truths
    each = variance(curves, pair_sums(curves, truths), 0, 1)
    row = found.differences.iloc[0]
    between = each.estimate.var(ddof=1) * 41 / 40
    assert row["standard_error"] ** 2 == pytest.approx(each.variance.mean() + between)
    assert row["share_truth"] == pytest.approx(between / row["standard_error"] ** 2)
    assert row["share_truth"] > 0.02
    assert (certain.differences["share_truth"] == 0).all()
    again = tables(study, truth="plausibility", n_truths=40)
    pd.testing.assert_frame_equal(again.differences, found.differences)


def test_raters_who_agree_leave_little_to_the_truth() -> None:
    """Thirty raters: the inference by plausible truths is nearly that by the reference."""
    study = reader_study_of(raters=30)
    certain, found = tables(study).differences, tables(study, truth="plausibility", n_truths=40).differences
    np.testing.assert_allclose(found["difference"], certain["difference"], atol=1e-3)
    assert (found["share_truth"] < 0.02).all()


def test_an_analysis_of_variance_of_unbiased_covariances_is_that_of_u_statistics(study: Study) -> None:
    """Estimates and errors of the readers' modalities, under one truth and under many."""
    for truth in ("reference", "plausibility"):
        chosen = {"modalities": ("A", "B"), "truth": truth, "n_truths": 20}
        by_u = tables(study, **chosen)
        by_anova = tables(study, method="anova", covariances="unbiased", **chosen)
        for name in ("difference", "standard_error"):
            np.testing.assert_allclose(by_anova.differences[name], by_u.differences[name])
        assert "MS(TR)" in by_anova.components["component"].tolist()
    assert not len(by_u.components)


def test_a_margin_is_answered_in_words_and_by_sizes(study: Study) -> None:
    """One-sided tests said to be so; with more readers fewer cases."""
    report = other_readers_report(study, OtherReadersSettings(modalities=("net", "A"), margin=0.13))
    row = report.tables["differences"].iloc[0]
    assert row["p_not_inferior"] < 0.025 < row["p_equivalent"]
    assert "net is no worse than A by a margin of 0.13 AUROC (one-sided p" in report.finding
    assert any("Both are held against 0.025" in claim for claim in report.claims)
    sizes = report.tables["sizes"]["n_cases"].dropna().to_numpy(float)
    assert len(sizes) > 3
    assert (np.diff(sizes) <= 0).all()
    wide = other_readers_report(study, OtherReadersSettings(modalities=("net", "A"), margin=0.2))
    assert "net and A are equivalent within 0.2 AUROC (two one-sided tests, p" in wide.finding
    far = other_readers_report(study, OtherReadersSettings(modalities=("A", "net"), margin=0.0001))
    assert "it is not shown that A is no worse than net" in far.finding
    assert report.settings["truth"] == "reference"
    assert "plausible truths" not in report.settings


def test_single_cases_take_a_threshold(study: Study) -> None:
    """Scores need one; labels and probabilities are cut at one half."""
    with pytest.raises(ValueError, match="accuracy needs a threshold where there are scores"):
        tables(study, reader_metric="accuracy")
    found = tables(study, reader_metric="accuracy", threshold=0.75)
    curves = found.study.curves
    right = ((curves.score >= 0.75) == found.study.truths[0]).mean(axis=1)
    np.testing.assert_allclose(found.readers["value"], right)


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"modalities": ("A", "C")}, "modalities must be two of A, B, net, got 'C'"),
        ({"modalities": ("A", "A")}, "two different ones"),
        ({"reader_positive": "ill at ease"}, "positive must be one of well, ill"),
        ({"readers": "fixed", "cases": "fixed"}, "both fixed nothing is left to chance"),
        ({"method": "anova"}, "nobody reads net; take the method u-statistics"),
    ],
)
def test_what_cannot_be_asked_is_refused(study: Study, chosen: dict, reason: str) -> None:
    """With what can."""
    with pytest.raises(ValueError, match=reason):
        tables(study, **chosen)


def test_a_margin_has_no_sign() -> None:
    """Whichever way somebody writes it."""
    with pytest.raises(ValueError, match=r"from 0 to 1 without a sign, such as 0\.05"):
        OtherReadersSettings(margin=-0.05)


def test_a_study_without_readers_or_truth_says_what_is_missing(study: Study) -> None:
    """And a point estimate leaves nothing to draw."""
    task = study.tasks["main"]
    alone = Task("main", task.kind, task.labels, task.readings, dict(task.predictions), positive="ill")
    with pytest.raises(ValueError, match=r"add a column reader to predictions\.csv"):
        other_readers(study, alone, OtherReadersSettings(), default_aggregation(task))
    unknown = replace(study, cases=study.cases.drop(columns="reference"))
    with pytest.raises(ValueError, match=r"add a column reference to cases\.csv, or take plausible truths"):
        other_readers(unknown, task, OtherReadersSettings(truth="reference"), default_aggregation(task))
    found = other_readers(unknown, task, OtherReadersSettings(n_truths=5), default_aggregation(task))
    assert found.study.truth == "plausibility"
    with pytest.raises(ValueError, match="finite reliability"):
        other_readers(
            study, task, OtherReadersSettings(truth="plausibility"), Aggregation("label-counts", float("inf"))
        )


def changed(study: Study, change: Callable[[str, str, FloatArray], FloatArray]) -> Study:
    """The study with other scores of each modality and reader; readings without any score are left out."""
    task, read = study.tasks["main"], {}
    for name, of in task.reader_predictions.items():
        scores = {reader: change(name, reader, np.array(each.score)) for reader, each in of.items()}
        read[name] = {
            reader: Predictions.of_scores(name, score)
            for reader, score in scores.items()
            if not np.isnan(score).all()
        }
    return replace(study, tasks={"main": replace(task, reader_predictions=read)})


def test_a_margin_is_held_against_what_uncertain_truths_show_of_it(study: Study) -> None:
    """Column, verdict and claims say by how much; by the reference it is the margin itself."""
    chosen = {"modalities": ("net", "A"), "margin": 0.1}
    certain = tables(study, **chosen).differences.iloc[0]
    assert certain["attenuation"] == 1
    assert certain["margin_shown"] == 0.1
    uncertain = OtherReadersSettings(**chosen, truth="plausibility", n_truths=50)
    report = other_readers_report(study, uncertain)
    row = report.tables["differences"].iloc[0]
    assert 0.5 < row["attenuation"] < 0.95
    assert row["margin_shown"] == pytest.approx(0.1 * row["attenuation"])
    told = Inference(row["difference"], row["standard_error"], row["df"])
    assert row["p_not_inferior"] == pytest.approx(told.p_not_inferior(row["margin_shown"]))
    assert f"shown as {row['margin_shown']:.2g} by truths as uncertain as these" in report.finding
    assert any("independent of the readings given the truth" in claim for claim in report.claims)
    assert any(f"difference of 0.10 as {0.1 * row['attenuation']:.2f}" in claim for claim in report.claims)


@pytest.mark.parametrize("metric", ["sensitivity", "specificity", "accuracy"])
def test_by_uncertain_truths_no_margin_of_one_class_is_answered(study: Study, metric: str) -> None:
    """With the reason; by the reference it is."""
    chosen = {"modalities": ("net", "A"), "margin": 0.1, "reader_metric": metric, "threshold": 0.75}
    assert tables(study, **chosen).differences["p_not_inferior"].notna().all()
    report = other_readers_report(
        study,
        OtherReadersSettings(**chosen, truth="plausibility", n_truths=20),  # type: ignore[arg-type]
    )
    row = report.tables["differences"].iloc[0]
    assert np.isnan([row["p_not_inferior"], row["p_equivalent"], row["margin_shown"]]).all()
    assert row["standard_error"] > 0
    assert "left open: by truths drawn from readings a difference in sensitivity" in report.finding
    assert "sizes" not in report.tables


def test_modalities_on_cases_of_other_uncertainty_have_no_margin(study: Study) -> None:
    """One read on the cases of which raters are sure: nothing is left of a small margin."""
    truths = tables(study, truth="plausibility", n_truths=40).study.truths
    is_sure = np.abs(truths.mean(axis=0) - 0.5) > 0.4
    part = changed(study, lambda name, _, score: np.where(is_sure | (name == "B"), score, np.nan))
    pairs = tables(part, truth="plausibility", margin=0.02, n_truths=40).differences.set_index(
        ["first", "second"]
    )
    assert np.isnan(pairs["margin_shown"]["A", "B"])
    assert "leaves nothing of a margin of 0.02; let both be read on the same" in pairs["reason"]["A", "B"]
    assert pairs["margin_shown"]["B", "net"] > 0


def test_sizes_count_all_cases_whatever_is_averaged(study: Study) -> None:
    """Two thirds negative: a study of the size for sensitivity has the power with a third of its cases."""
    some = reader_study_of(n_readers=8, n_cases=(200, 100))
    chosen = {"modalities": ("A", "B"), "threshold": 0.75, "margin": 0.1}
    for metric, part in (("sensitivity", 1 / 3), ("specificity", 2 / 3), ("accuracy", 1.0)):
        found = tables(some, reader_metric=metric, **chosen)
        sums = pair_sums(found.study.curves, found.study.truths, metric=metric, threshold=0.75)
        component = {
            of: float(value[0]) for of, value in variance(found.study.curves, sums, 0, 1).component.items()
        }
        size = found.sizes[found.sizes["n_readers"] == 8].iloc[0]

        def reached(n: float, component: dict = component, part: float = part) -> float:
            sizes = {"reader": 8.0, "case": n * part}
            return power(component, sizes, difference=0.0, margin=0.1)

        assert reached(size["n_cases"]) >= 0.8 > reached(size["n_cases"] - 3)


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "threshold"), [("sensitivity", 0.9), ("specificity", 0.6)])
def test_studies_of_the_size_that_is_said_have_the_power(metric: str, threshold: float) -> None:
    """Simulated ones, a quarter of whose cases are positive; the sizes are those of a large study."""
    large = reader_study_of(n_readers=30, n_cases=(600, 200))
    chosen = {"modalities": ("A", "B"), "reader_metric": metric, "threshold": threshold, "margin": 0.08}
    sizes = tables(large, **chosen).sizes
    n = int(sizes[sizes["n_readers"] == 8]["n_cases"].iloc[0])
    rng, shown, n_studies = np.random.default_rng(3), 0, 200
    for _ in range(n_studies):
        curves, truth = roe_metz(rng, n_readers=8, n_cases=(n - round(n / 4), round(n / 4)))
        sums = pair_sums(curves, truth[None], metric=metric, threshold=threshold)
        found = variance(curves, sums, 0, 1)
        told = Inference(found.estimate[0], found.variance[0] ** 0.5, found.df[0])
        shown += told.p_not_inferior(0.08) < 0.025
    assert 0.7 < shown / n_studies < 0.9


def test_one_reader_that_is_fixed_has_an_answer(study: Study) -> None:
    """As the refusal of one random reader advises; no study is sized, as there are no other readers."""
    one = changed(study, lambda _, reader, score: score if reader == "R1" else score * np.nan)
    with pytest.raises(ValueError, match="or take readers as fixed"):
        tables(one, modalities=("net", "A"), margin=0.1)
    found = tables(one, modalities=("net", "A"), margin=0.1, readers="fixed")
    assert 0 < found.differences["p_not_inferior"].iloc[0] < 1
    assert found.sizes.empty


def test_a_pair_that_cannot_be_told_leaves_the_others(study: Study) -> None:
    """Its difference stands with the reason, and it is none of the pairs that are corrected for."""
    task = study.tasks["main"]
    like_a = {reader: np.array(of.score) for reader, of in task.reader_predictions["A"].items()}
    same = changed(study, lambda _, reader, __: like_a[reader])
    report = other_readers_report(same, OtherReadersSettings(margin=0.1))
    pairs = report.tables["differences"].set_index(["first", "second"])
    assert pairs["difference"]["A", "B"] == 0
    assert "the estimated variance is" in pairs["reason"]["A", "B"]
    assert np.isnan(pairs["p_two_sided"]["A", "B"])
    assert pairs["low"].notna().sum() == 2
    assert "nothing can be said of A and B: the estimated variance" in report.verdicts[0]
    assert "corrected for 2 pairs" in report.verdicts[1]


def test_an_interval_that_is_missing_has_its_reason(study: Study) -> None:
    """Of a modality that errs nowhere, and in words beside the verdicts."""
    truth = tables(study).study.truths[0]
    perfect = changed(study, lambda name, _, score: truth * 1.0 if name == "A" else score)
    report = other_readers_report(perfect, OtherReadersSettings())
    rows = report.tables["modalities"].set_index("modality")
    assert np.isnan(rows["low"]["A"])
    assert rows["reason"]["A"]
    assert (rows["reason"][["B", "net"]] == "").all()
    assert any(said.startswith("No interval of A: ") for said in report.cautions)


@pytest.mark.parametrize("n_readers", [2, 3, 4])
def test_few_readers_are_cautioned_about(n_readers: int) -> None:
    """Below four, unless they are all there are."""
    few = reader_study_of(n_readers=n_readers)
    found = tables(few)
    is_few = n_readers < 4
    assert found.modalities["caution"].astype(bool).tolist() == [is_few, is_few, False]
    assert found.differences["caution"].astype(bool).tolist() == [is_few] * 3
    assert not tables(few, readers="fixed").modalities["caution"].any()
    report = other_readers_report(few, OtherReadersSettings())
    assert any(f"{n_readers} readers tell little" in said for said in report.cautions) == is_few


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"expected": 0.0}, "must not be 0 without a margin: no study"),
        ({"expected": -0.1, "margin": 0.05}, r"must be above -0\.05, got -0\.1: a first that is worse"),
        ({"expected": -0.05, "margin": 0.05}, r"must be above -0\.05"),
    ],
)
def test_nothing_is_sized_that_is_not_there_to_be_shown(chosen: dict, reason: str) -> None:
    """Refused before anything is worked out; a small disadvantage within the margin can be shown."""
    with pytest.raises(ValueError, match=reason):
        OtherReadersSettings(**chosen)
    OtherReadersSettings(expected=-0.02, margin=0.05)


def test_verdicts_on_several_pairs_go_by_corrected_values(study: Study) -> None:
    """One that would be claimed alone is not among three; the sentence says for how many it is corrected."""
    together = tables(study, margin=0.1)
    for name, corrected in HOLM.items():
        np.testing.assert_allclose(together.differences[corrected], holm(together.differences[name]))
    pair = together.differences.iloc[[0]].assign(p_not_inferior=0.02, p_not_inferior_holm=0.06)
    settings = OtherReadersSettings(margin=0.1)
    said = verdict(next(pair.itertuples()), settings, n_pairs=3)
    assert "it is not shown that A is no worse than B" in said
    assert "one-sided p = 0.0600, corrected for 3 pairs" in said
    alone = tables(study, margin=0.1, modalities=("net", "A"))
    assert "corrected" not in verdict(next(alone.differences.itertuples()), settings)
    assert not any("interval decides" in claim for claim in claims(together, settings))
    assert any("interval decides" in claim for claim in claims(alone, settings))


def test_no_difference_is_further_than_possible() -> None:
    """Few readers of few cases: the ends stay within -1 and 1."""
    for seed in range(8):
        few = reader_study_of(seed, n_readers=2, n_cases=(3, 3))
        with contextlib.suppress(ValueError):
            rows = tables(few).differences.dropna(subset="low")
            assert (rows["low"] >= -1).all()
            assert (rows["high"] <= 1).all()


def test_truths_with_too_few_positives_are_left_out_if_they_are_few() -> None:
    """And said to be; where they are many, that it is a plausible truth that cannot be judged by."""
    study = reader_study_of(n_cases=(30, 2))
    found = tables(replace(study, cases=study.cases.drop(columns="reference")), n_truths=1000)
    assert 0 < found.study.n_left_out < 50
    assert len(found.study.truths) == 1000 - found.study.n_left_out
    assert (found.study.truths.sum(axis=1) >= 2).all()
    said = claims(found, OtherReadersSettings())
    assert any("left out, with too few cases of a class" in claim for claim in said)
    rare = reader_study_of(n_cases=(12, 2), raters=5)
    with pytest.raises(
        ValueError, match=r"of 1,000 plausible truths, and no more than 5.*by one of them: 1 positive"
    ):
        tables(rare, truth="plausibility", n_truths=1000)


def test_readers_are_no_models_elsewhere(study: Study) -> None:
    """Nothing ranks them: the study has one model."""
    assert list(study.tasks["main"].predictions) == ["net"]
