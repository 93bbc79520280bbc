"""Tables of a recalibrated model: what one more label changes, and what raters are expected to do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from core.analysis.cases.case import Case
from core.analysis.disagreement.forecasts import AS_GIVEN
from core.analysis.disagreement.recalibrated import ENSEMBLE, Recalibrated
from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.u_statistics import pair_disagreement
from core.metrics.estimate import mean_over_cases
from core.plausibility.dirichlet import DirichletPosterior
from core.recalibration.ensembles import ensemble_concentration
from core.recalibration.likelihood import LARGEST_LOG, HistogramLikelihood
from core.recalibration.probabilities import without_zeros
from core.study.model import FloatArray, IntArray

BAND = (0.05, 0.95)
"""Quantiles that a plausibility is shown between."""

_LABEL_COLUMNS = [
    "method", "before", "before_error", "after", "after_error", "change", "change_error", "n_cases",
]  # fmt: skip


def expert_label_table(fit: Recalibrated) -> pd.DataFrame:
    """Compare the epistemic loss before and after one expert label is told (Mimori 2021, Table 2).

    Parameters
    ----------
    fit : Recalibrated
        Of one model.

    Returns
    -------
    DataFrame
        One row a method that a label changes: ``method``; ``before`` and ``after``, unbiased epistemic
        losses, each with its standard error over cases (``before_error``, ``after_error``); ``change`` (after
        − before: below 0 is better) and its ``change_error``, case by case; ``n_cases`` that entered. A case
        needs three labels: one to tell, whichever of them in turn, and two to judge by. Without such cases
        all is NaN.
    """
    rows = []
    for method in fit.updating:
        before = fit.epistemic_loss(method, after_a_label=False)
        after = fit.epistemic_loss(method, after_a_label=True)
        before = np.where(np.isnan(after), np.nan, before)
        estimates = [mean_over_cases(loss) for loss in (before, after, after - before)]
        numbers = [number for e in estimates for number in (e.value, e.standard_error)]
        rows.append((method, *numbers, estimates[0].n_cases))
    return pd.DataFrame(rows, columns=_LABEL_COLUMNS)


def likelihood_table(fit: Recalibrated) -> pd.DataFrame:
    """Compare how well the methods predicted the labels that they did not see.

    Parameters
    ----------
    fit : Recalibrated
        Of one model.

    Returns
    -------
    DataFrame
        One row a method, the ensemble excepted: ``method``; ``value``, the mean over cases of the negative
        log-likelihood of a case's labels; ``standard_error``; ``n_cases``. The order of the labels is taken
        as known. A method without a concentration has α0 = ∞; a probability of 0 is raised as for the fits.
    """
    has_label = fit.histograms.per_case > 0
    rows = []
    for method in fit.methods:
        if method == ENSEMBLE:
            continue
        concentration = fit.concentration.get(method, np.full(len(has_label), np.exp(LARGEST_LOG)))
        judged = has_label & ~np.isnan(fit.probability[method][:, 0]) & ~np.isnan(concentration)
        loss = np.full(len(judged), np.nan)
        if judged.any():
            probability = without_zeros(fit.probability[method])[judged]
            likelihood = HistogramLikelihood(probability, fit.histograms.counts[judged])
            loss[judged] = likelihood.of_cases(np.log(concentration[judged]))[0]
        estimate = mean_over_cases(loss)
        rows.append((method, estimate.value, estimate.standard_error, estimate.n_cases))
    return pd.DataFrame(rows, columns=["method", "value", "standard_error", "n_cases"])


def disagreement_by_case(fit: Recalibrated) -> pd.DataFrame:
    """Expect disagreement of every case, under every method, beside what was observed.

    Parameters
    ----------
    fit : Recalibrated
        Of one model.

    Returns
    -------
    DataFrame
        One row a method and case that it says something of, methods in their order, cases in the study's:
        ``case_id``; ``method``; ``expected``, the probability that two raters disagree; ``observed``, the
        share of pairs of the case's labels that differ, NaN for fewer than two; ``labels``, how many were
        given; ``concentration``, α0, NaN for a method without one; for an ensemble that of the Dirichlet that
        expects the same disagreement, ∞ where its members agree.
    """
    observed = pair_disagreement(fit.histograms)
    ids = np.array(fit.study.case_ids, object)
    tables = []
    for method in fit.methods:
        expected = fit.disagreement(method)
        known = ~np.isnan(expected)
        if method == ENSEMBLE:
            assert fit.ensemble is not None
            concentration = ensemble_concentration(fit.ensemble)
        else:
            concentration = fit.concentration.get(method, np.full(len(known), np.nan))
        tables.append(
            pd.DataFrame(
                {
                    "case_id": ids[known],
                    "method": method,
                    "expected": expected[known],
                    "observed": observed[known],
                    "labels": fit.histograms.per_case[known],
                    "concentration": concentration[known],
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def after_expert_labels(fit: Recalibrated, method: str, case: int, told: Sequence[int]) -> pd.DataFrame:
    """Class probabilities of one case if experts said more (Mimori 2021, eq. 18, 19).

    Parameters
    ----------
    fit : Recalibrated
        Of one model.
    method : str
        One of ``fit.methods``; only those of ``fit.updating`` change.
    case : int
        Index of the case.
    told : sequence of int
        A label's code for each expert, in any order; may be empty.

    Returns
    -------
    DataFrame
        One row a label, in the label order: ``label``; ``before`` and ``after``, class probabilities;
        ``told``, how many of the experts said it; ``observed``, the share of the case's own labels, NaN
        without any. ``before`` and ``after`` are NaN where the model did not predict the case.
        ``attrs["disagreement_before"]`` and ``attrs["disagreement_after"]`` are the probabilities that two
        further raters disagree, ``attrs["disagreement_observed"]`` the share of pairs of the case's own
        labels that differ, NaN for fewer than two.

    Raises
    ------
    ValueError
        If the method or a label is unknown.
    """
    if method not in fit.methods:
        raise ValueError(f"method must be one of {', '.join(fit.methods)}, got {method!r}")
    n_labels = len(fit.task.labels)
    counts = _counts(told, n_labels)
    before, disagreement_before = fit.after_labels(method, case, np.zeros(n_labels, np.int64))
    after, disagreement_after = fit.after_labels(method, case, counts)
    table = pd.DataFrame(
        {
            "label": fit.task.labels,
            "before": before,
            "after": after,
            "told": counts,
            "observed": fit.histograms.shares(slice(case, case + 1))[0],
        }
    )
    own = label_histograms(fit.histograms.counts[[case]])
    table.attrs |= {
        "disagreement_before": disagreement_before,
        "disagreement_after": disagreement_after,
        "disagreement_observed": float(pair_disagreement(own)[0]),
    }
    return table


def leading_labels(fit: Recalibrated, case: int, most: int) -> list[str]:
    """Choose the labels of which model and raters make most in a case, for a list that cannot hold all.

    Parameters
    ----------
    fit : Recalibrated
        Of one model.
    case : int
        Index of the case.
    most : int
        Number of labels.

    Returns
    -------
    list of str
        In the label order; all where there are no more than ``most``.
    """
    size = np.nan_to_num(fit.probability[AS_GIVEN][case]) + fit.histograms.counts[case]
    order = np.lexsort((np.arange(len(size)), -size))[:most]
    return [fit.task.labels[code] for code in np.sort(order)]


def beside_raters(fit: Recalibrated, method: str, case: Case, told: Sequence[int] = ()) -> pd.DataFrame:
    """Lay the model's distribution over plausibilities beside the raters', for one case.

    Parameters
    ----------
    fit : Recalibrated
        Of one model.
    method : str
        One of ``fit.concentration``.
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    told : sequence of int
        A label's code for each expert whose label the model, not the raters, was told.

    Returns
    -------
    DataFrame
        Two rows a label, in the label order: ``label``; ``source`` ("raters" or "model"); ``mean``, the
        expected plausibility; ``low`` and ``high``, its 5 % and 95 % quantiles; ``leads``, the probability
        that the label is the most plausible. NaN from a source that says nothing of the case; the raters'
        quantiles also where nobody mentioned two labels or more.

    Raises
    ------
    ValueError
        If the method has no concentration, or a label is unknown.

    Notes
    -----
    The model's distribution is Dirichlet(α0 f + y), y the labels told (Mimori 2021, eq. 19); its quantiles
    are those of beta distributions. The raters' quantiles are over the draws of ``case``.
    """
    labels = fit.task.labels
    prior = fit.posterior(method, [case.index])
    counts = _counts(told, len(labels))
    known = bool(prior.candidates.per_case[0])
    model = DirichletPosterior(prior.candidates, prior.shape + counts, 0.0) if known else prior
    sources = {
        "raters": (case.posterior, _quantiles_of_draws(case)),
        "model": (model, _quantiles(model, len(labels))),
    }
    tables = []
    for source, (posterior, (low, high)) in sources.items():
        slots = posterior.candidates.locate(np.arange(len(labels))[None])
        mean, leads = posterior.mean.at(slots)[0], posterior.top1.at(slots)[0]
        columns = {"label": labels, "source": source, "mean": mean, "low": low, "high": high, "leads": leads}
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables).sort_index(kind="stable", ignore_index=True)


def _counts(told: Sequence[int], n_labels: int) -> IntArray:
    """How many experts gave each label, with shape (n_labels,)."""
    if any(not 0 <= label < n_labels for label in told):
        raise ValueError(f"labels told must be codes from 0 to {n_labels - 1}, got {list(told)}")
    return np.bincount(np.asarray(told, np.int64), minlength=n_labels)


def _quantiles_of_draws(case: Case) -> FloatArray:
    """5 % and 95 % quantiles of each label over the raters' draws, with shape (2, n_labels)."""
    candidates = case.posterior.candidates
    quantiles = np.full((2, candidates.n_labels), np.nan)
    value = case.draws.draws.value
    if value.size:
        quantiles[:, candidates.label] = np.quantile(value.astype(float), BAND, axis=1)
        missing = np.setdiff1d(np.arange(candidates.n_labels), candidates.label)
        if len(missing) == 1:
            rest = case.draws.draws.rest.astype(float)
            quantiles[:, missing] = np.quantile(rest, BAND, axis=1)
    return quantiles


def _quantiles(model: DirichletPosterior, n_labels: int) -> FloatArray:
    """5 % and 95 % quantiles of each label under a Dirichlet of a single case, with shape (2, n_labels)."""
    if not model.candidates.per_case[0]:
        return np.full((2, n_labels), np.nan)
    others = np.maximum(model.shape.sum() - model.shape, np.finfo(np.float64).tiny)
    return np.array([betaincinv(model.shape, others, quantile) for quantile in BAND])
