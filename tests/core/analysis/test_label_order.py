"""No number depends on the order of the labels: reports on a study and on the same with labels permuted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.analysis.disagreement.report import disagreement_report
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.evaluate import evaluate
from core.analysis.models.report import compare
from core.analysis.models.settings import ComparisonSettings
from core.analysis.raters.report import rater_report
from core.analysis.raters.settings import RaterSettings
from core.metrics.adjusted.metrics import adjusted_metrics
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation, models_for
from core.study.model import Predictions, Readings, Study


def permuted(study: Study, keep: int = 40) -> tuple[Study, Study]:
    """A study of a few cases, coarse predictions among them so that models tie, and it with labels turned."""
    name, task = next(iter(study.tasks.items()))
    cases = list(range(min(keep, study.n_cases)))
    some = {
        model: replace(of, probability=np.round(of.probability[cases], 1))
        for model, of in task.predictions.items()
    }
    own = replace(task, readings=task.readings.take_cases(cases), predictions=some)
    turn = np.random.default_rng(1).permutation(len(task.labels))
    code = np.argsort(turn)
    other = replace(
        own,
        labels=tuple(task.labels[k] for k in turn),
        risk=own.risk[turn],
        readings=_relabelled(own.readings, code),
        predictions={m: Predictions(m, of.probability[:, turn]) for m, of in some.items()},
    )
    few = replace(study, case_ids=study.case_ids[: len(cases)], cases=study.cases.iloc[cases], features=None)
    return replace(few, tasks={name: own}), replace(few, tasks={name: other})


def _relabelled(readings: Readings, code: np.ndarray) -> Readings:
    """The same readings under other codes, the labels of a block ascending."""
    label = code[readings.label].astype(np.int32)
    order = np.lexsort((label, readings.block, readings.entry_reading))
    return replace(readings, label=label[order], block=readings.block[order])


def same(one: pd.DataFrame, other: pd.DataFrame, name: str) -> None:
    """Numbers agree row by row, rows of labels in any order; words too, and tied labels in any order."""
    by = [column for column in ("rater", "truth", "says") if "truth" in one] or ["label"]
    if by[0] in one:
        one, other = (table.sort_values(by, kind="stable", ignore_index=True) for table in (one, other))
    assert list(one.columns) == list(other.columns), name
    assert len(one) == len(other), name
    for column in one.columns:
        a, b = one[column], other[column]
        if pd.api.types.is_numeric_dtype(a):
            np.testing.assert_allclose(
                a.to_numpy(float, na_value=np.nan),
                b.to_numpy(float, na_value=np.nan),
                atol=1e-9,
                err_msg=f"{name}: {column}",
            )
        else:
            assert [_words(x) for x in a] == [_words(x) for x in b], f"{name}: {column}"


def _words(cell: object) -> object:
    """A cell whose tied labels stand in the alphabet's order, of each model that it names."""
    if isinstance(cell, str) and "; " in cell:
        return [_words(part) for part in cell.split("; ")]
    if isinstance(cell, str) and ": " in cell:
        model, _, answer = cell.partition(": ")
        return model, _words(answer)
    if not (isinstance(cell, str) and cell.endswith("(tied)")):
        return cell
    if cell.endswith("more (tied)"):
        return cell.count(","), cell.rpartition(" or ")[2]
    return sorted(cell.removesuffix(" (tied)").replace(" or ", ", ").split(", "))


@pytest.mark.parametrize("sample", ["dermatology", "digits"])
def test_point_estimates_do_not_depend_on_the_order_of_labels(sample: str, request) -> None:
    """Every aggregation model at γ = ∞: the metrics of every model, case by case."""
    one, other = permuted(request.getfixturevalue(sample), 60)
    task, turned = (next(iter(study.tasks.values())) for study in (one, other))
    for model in models_for(task):
        here, there = (aggregate(s, t, Aggregation(model)) for s, t in ((one, task), (other, turned)))
        for name in task.predictions:
            expected = adjusted_metrics(here, task.predictions[name])
            for metric, values in adjusted_metrics(there, turned.predictions[name]).items():
                np.testing.assert_allclose(values, expected[metric], atol=1e-9, err_msg=f"{model} {metric}")


@pytest.mark.parametrize("sample", ["dermatology", "digits"])
@pytest.mark.parametrize("reliability", [5.0, np.inf])
def test_evaluate_does_not_depend_on_the_order_of_labels(sample: str, reliability: float, request) -> None:
    """Tables of an exact model, and of its point estimate; draws go by the label order and are left out."""
    one, other = permuted(request.getfixturevalue(sample))
    model = "prirn" if sample == "dermatology" else "label-counts"
    found, turned = (evaluate(s, Aggregation(model, reliability)) for s in (one, other))
    drawn = [] if np.isinf(reliability) else ["low", "high"]
    for name in ("cases", "metrics", "high_risk"):
        if name in found.tables:
            tables = (of.tables[name].drop(columns=drawn, errors="ignore") for of in (found, turned))
            same(*tables, name)


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["dermatology", "digits"])
def test_compare_does_not_depend_on_the_order_of_labels(sample: str, request) -> None:
    """Every table, resampled readings and cases too."""
    one, other = permuted(request.getfixturevalue(sample))
    task = next(iter(one.tasks.values()))
    label = task.labels[int(np.bincount(task.readings.label).argmax())]
    aggregation = Aggregation("label-counts" if sample == "digits" else "prirn", 5.0)
    pair = tuple(task.predictions)[:2]
    for metric in ("AUROC", "AP", "accuracy"):
        found, turned = (
            compare(s, aggregation, ComparisonSettings(label, n_draws=20, rivals=pair, metric=metric))
            for s in (one, other)
        )
        for name in found.tables:
            tables = [of.tables[name] for of in (found, turned)]
            if name == "deciding_cases":
                tables = [table.sort_values("case_id", ignore_index=True) for table in tables]
            same(tables[0], tables[1], name)


def test_disagreement_does_not_depend_on_the_order_of_labels(digits: Study) -> None:
    """Losses, diagrams and surprising cases."""
    one, other = permuted(digits)
    found, turned = (disagreement_report(s, DisagreementSettings(resamples=5)) for s in (one, other))
    for name, table in found.tables.items():
        same(table, turned.tables[name], name)


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["dermatology", "digits"])
def test_raters_do_not_depend_on_the_order_of_labels(sample: str, request) -> None:
    """Agreement, concordance, profiles and accuracies."""
    one, other = permuted(request.getfixturevalue(sample))
    found, turned = (rater_report(s, RaterSettings(resamples=50)) for s in (one, other))
    for name, table in found.tables.items():
        same(table, turned.tables[name], name)
