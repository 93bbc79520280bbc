"""Time and memory of the losses against label histograms: a million cases, and a page's worth."""

from __future__ import annotations

import time

import numpy as np
import peak_memory
import pytest

from core.analysis.disagreement.diagram import disagreement_diagram, probability_diagram
from core.analysis.disagreement.forecasts import given_forecasts, loss_table
from core.cli import sample_folder
from core.metrics.calibration.bins import BinKind, Binning
from core.metrics.calibration.disagreement import independent_disagreement, statistic_losses
from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.losses import calibration_losses
from core.metrics.calibration.u_statistics import pair_disagreement
from core.study.reading.folder import read_study

MOST_SECONDS_MILLION = 5.0
MOST_GIGABYTES_MILLION = 4.0
"""All losses of a million cases of 20 labels under 10 models, with 15 equally wide bins."""

MOST_SECONDS_PAGE = 0.4
"""Tables of the page, all models of the larger sample study, after a change of bins."""

N_CASES, N_LABELS, N_MODELS = 1_000_000, 20, 10
BLOCK = 50_000


def million() -> tuple[np.ndarray, list[np.ndarray]]:
    """Five labels a case, and ten noisy models in double precision, block by block."""
    rng = np.random.default_rng(1)
    counts = np.empty((N_CASES, N_LABELS), np.int32)
    models = [np.empty((N_CASES, N_LABELS)) for _ in range(N_MODELS)]
    for first in range(0, N_CASES, BLOCK):
        block = slice(first, first + BLOCK)
        truth = rng.standard_gamma(0.3, (BLOCK, N_LABELS)) + 1e-9
        truth /= truth.sum(axis=1, keepdims=True)
        counts[block] = rng.multinomial(5, truth)
        noise = rng.random((BLOCK, N_LABELS))
        for m, model in enumerate(models):
            mixed = truth + noise * (m / N_LABELS)
            model[block] = mixed / mixed.sum(axis=1, keepdims=True)
    return counts, models


@pytest.mark.parametrize("kind", ["equal width", "equal mass"])
def test_a_million_cases(kind: BinKind, capsys: pytest.CaptureFixture[str]) -> None:
    """Class probabilities and disagreement; equal mass is told, not bounded: it has to rank predictions."""
    binning = Binning(kind)
    counts, models = million()
    small = label_histograms(counts[:100])
    calibration_losses(small, models[0][:100])
    before = peak_memory.begin() / 2**30
    begin, begin_wall = time.process_time(), time.perf_counter()
    histograms = label_histograms(counts)
    observed = pair_disagreement(histograms)
    totals = []
    for model in models:
        losses = calibration_losses(histograms, model, binning=binning)
        pairs = statistic_losses(observed, independent_disagreement(model), binning=binning)
        totals += [loss.debiased.total for loss in (*losses.values(), *pairs.values())]
    seconds, wall = time.process_time() - begin, time.perf_counter() - begin_wall
    peak = peak_memory.peak() / 2**30
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{kind}: {seconds:.1f} s CPU, {wall:.1f} s; {before:.2f} GB of input, peak {peak:.2f} GB"
        )
    assert np.isfinite(totals).all()
    assert peak < MOST_GIGABYTES_MILLION
    if kind == "equal width":
        assert seconds < MOST_SECONDS_MILLION


@pytest.mark.parametrize("sample", ["dermatology_like", "mixed_digits"])
def test_a_page_after_a_change_of_bins(benchmark, sample):
    """Losses with errors, both diagrams with bands, 200 resamples, all models."""
    study = read_study(sample_folder(sample))
    task = next(iter(study.tasks.values()))
    forecasts = given_forecasts(task)

    def page() -> None:
        binning = Binning("equal mass", 10)
        loss_table(study, task, forecasts, binning=binning)
        probability_diagram(study, task, forecasts, binning=binning)
        disagreement_diagram(study, task, forecasts, binning=binning)

    benchmark.pedantic(page, rounds=7, warmup_rounds=1)
    assert benchmark.stats.stats.median < MOST_SECONDS_PAGE
