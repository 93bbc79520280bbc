"""Reader studies as tables and sentences: reference and plausible truths, margins, sizes, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.analysis.models.other_readers import SHARES, other_readers
from core.analysis.models.other_readers_report import other_readers_report
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.mrmc.pair_sums import pair_sums
from core.metrics.mrmc.variance import variance
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import Study, Task
from tests.helpers.reader_files import reader_study_of


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


def test_readers_are_no_models_elsewhere(study: Study) -> None:
    """Nothing ranks them: the study has one model."""
    assert list(study.tasks["main"].predictions) == ["net"]
