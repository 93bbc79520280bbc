"""Metrics by slices of the cases: values, intervals, differences, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from two_label_studies import two_label_study, with_scores

from core.analysis.cases.select import Filters, select
from core.analysis.cases.worklist import METADATA
from core.analysis.models.case_slices import case_slices, sliceable
from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import SliceSettings
from core.analysis.models.slice_differences import slice_differences, slice_finding, slice_summary
from core.analysis.models.slices import DEEPER, NO_CASES, TOO_FEW, SliceMetrics, slice_metrics
from core.analysis.portions import part_of
from core.cli import main, sample_folder
from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.share_intervals import share_interval
from core.metrics.soft.metrics import s_auroc
from core.metrics.soft.standard_errors import auroc_error
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import default_aggregation
from core.study.model import Study, Task
from core.study.reading.folder import read_study

SITES = ["A"] * 70 + ["B"] * 60 + ["C"] * 6 + [None] * 24
"""Two of a fair size, one too small, and cases without a site."""


@pytest.fixture(scope="module")
def parted() -> tuple[Study, Task]:
    """160 cases by site: model *p* is good at A and blind at B, *s* gives scores, as good everywhere."""
    rng = np.random.default_rng(3)
    truth = rng.random(160)
    present = [rng.binomial(1, of, 5).tolist() for of in truth]
    blind = np.array([site == "B" for site in SITES])
    p = np.where(blind, rng.random(160), np.clip(truth + rng.normal(0, 0.1, 160), 0.01, 0.99))
    study, task = two_label_study(present, {"p": p})
    study, task = with_scores(study, task, {"s": 10 * truth})
    cases = study.cases.assign(
        site=SITES, age=np.arange(160) % 97, grade=np.arange(160) % 3, note=[f"n{i}" for i in range(160)]
    )
    return replace(study, cases=cases), task


@pytest.fixture(scope="module")
def by_site(parted: tuple[Study, Task]) -> SliceMetrics:
    """All metrics by site."""
    return slice_metrics(*parted, SliceSettings(by=("site",)))


def test_values_are_those_of_the_cases_of_a_slice(parted: tuple[Study, Task], by_site: SliceMetrics) -> None:
    """As if these cases were the whole study; and of all cases, those of the whole."""
    study, task = parted
    for name, cases in {"": range(160), "A": range(70), "B": range(70, 130)}.items():
        whole = rank_change(*part_of(study, task, cases))
        rows = by_site.table[by_site.table["slice"] == name].set_index(["metric", "model"])["value"]
        for column, metric in (("hard", "metric"), ("soft", "counterpart")):
            expected = whole.set_index([metric, "model"])[column]
            np.testing.assert_allclose(rows[expected.index], expected, rtol=1e-12)


def test_small_slices_are_said_to_be_too_small(by_site: SliceMetrics) -> None:
    """With the rule; cases without a value are a slice by that name."""
    rows = by_site.table[by_site.table["metric"] == "accuracy"].set_index(["model", "slice"])
    assert rows.loc[("p", "C"), "small"] == f"{TOO_FEW}: 6 of 10 cases needed"
    assert rows.loc[("p", "no site"), ["n_cases", "small"]].tolist() == [24, ""]
    assert rows.loc["s", "reason"].str.contains("scores, not probabilities").all()
    compared = slice_differences(by_site.table)
    assert not (compared[["slice_a", "slice_b"]] == "C").any().any()


def test_the_largest_difference_is_found_and_said(by_site: SliceMetrics) -> None:
    """Of the model that is blind at one site, with the correction for three comparisons; not of the other."""
    found = slice_differences(by_site.table)
    top = found[(found["metric"] == "s-AUROC") & found["largest"]].set_index("model")
    assert top.loc["p", "slice_b"] == "B"
    assert top.loc["p", "p_holm"] < 0.01 < 0.05 < top.loc["s", "p_holm"]
    assert (found["low"] <= found["difference"]).all()
    assert (found["difference"] <= found["high"]).all()
    said = slice_summary(by_site, found)
    assert said.startswith("s-AUROC of p differs most between site ")
    assert "for all 3 comparisons together; after correction for them p < 0.0001" in said
    assert said.endswith("Too few cases to say: C. Of 2 models, 1 differs at p < 0.05.")
    assert "Chance alone could do as much" in slice_finding(by_site, found, metric="certainty", model="")


def test_numbers_are_parted_by_quantiles_and_few_stay(parted: tuple[Study, Task]) -> None:
    """Each bin is named by the numbers that it holds; two columns cross."""
    study = parted[0]
    by_age = case_slices(study, ["age"])
    for name, members in zip(by_age.names, np.bincount(by_age.of_case), strict=True):
        low, _, high = name.partition(" to ")
        assert study.cases["age"].between(int(low), int(high)).sum() == members
        assert 35 <= members <= 45
    assert case_slices(study, ["grade"]).names == ("0", "1", "2")
    assert "no site × 2" in case_slices(study, ["site", "grade"]).names
    assert sliceable(study) == ["site", "age", "grade"]
    first = study.cases.assign(reference=study.cases["site"])[["reference", *study.cases.columns]]
    assert sliceable(replace(study, cases=first)) == ["site", "age", "grade", "reference"]


def test_a_slice_without_cases_says_so(parted: tuple[Study, Task]) -> None:
    """Its cases were predicted by no model."""
    study, task = parted
    probability = task.predictions["p"].probability.copy()
    probability[70:130] = np.nan
    task = replace(task, predictions={"p": replace(task.predictions["p"], probability=probability)})
    table = slice_metrics(study, task, SliceSettings(by=("site",))).table
    empty = table[table["slice"] == "B"]
    assert (empty["n_cases"] == 0).all()
    assert (empty["reason"] == NO_CASES).all()
    assert empty["value"].isna().all()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["sit"], "did you mean site?"),
        (["case_id"], "names each case"),
        (["note"], "tells cases apart"),
        (["same"], "one slice leaves nothing to compare"),
        (["site", "site"], "two different ones"),
        (["site", "age", "grade"], "one column of cases.csv, or two"),
        ([], "got none"),
    ],
)
def test_what_makes_no_slices_is_refused(
    parted: tuple[Study, Task], columns: list[str], message: str
) -> None:
    """With the reason and, of an unknown column, the nearest name."""
    study = replace(parted[0], cases=parted[0].cases.assign(same="x"))
    with pytest.raises(ValueError, match=message):
        case_slices(study, columns)


def test_intervals_hold_the_truth_as_often_as_stated() -> None:
    """Of s-AUROC and of a mean of shares, for slices of 30 cases: 95 %, give or take chance."""
    rng = np.random.default_rng(0)

    def drawn(n: int) -> tuple[np.ndarray, np.ndarray]:
        ability = rng.normal(-0.5, 1.3, n)
        return ability + rng.normal(size=n), rng.binomial(5, 1 / (1 + np.exp(-ability))) / 5

    scores, p = drawn(100_000)
    truth, mean = float(s_auroc(scores, p)), float(p.mean())
    held = []
    for _ in range(500):
        scores, p = drawn(30)
        rarer = min(p.sum(), (1 - p).sum())
        area = share_interval(s_auroc(scores, p), auroc_error(scores, p), 30, rarer - 1)
        share = share_interval(p.mean(), p.std(ddof=1) / np.sqrt(30), 30, 29)
        held.append((area[0] <= truth <= area[1], share[0] <= mean <= share[1]))
    assert (np.mean(held, axis=0) >= 0.93).all()
    assert (np.mean(held, axis=0) <= 0.985).all()


def test_a_difference_by_chance_alone_is_rarely_claimed() -> None:
    """Two slices that are alike, of which nearly all cases are right: at most 5 in 100, give or take."""
    rng = np.random.default_rng(1)
    sizes = np.tile([25, 60], 400)
    right = rng.binomial(sizes, 0.93) / sizes
    table = pd.DataFrame(
        {
            "metric": "accuracy",
            "model": np.repeat(np.arange(400).astype(str), 2),
            "slice": np.tile(["A", "B"], 400),
            "n_cases": sizes,
            "value": right,
            "low": 0.0,
            "standard_error": np.sqrt(right * (1 - right) / (sizes - 1)),
            "df": sizes - 1.0,
            "small": "",
        }
    )
    found = slice_differences(table)
    assert len(found) == 400
    assert 0.005 <= (found["p_holm"] < 0.05).mean() <= 0.07
    assert ((found["low"] <= 0) & (found["high"] >= 0)).mean() >= 0.93


def test_command_writes_slices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both tables with the columns in their provenance, a sentence; nothing at all of a wrong column."""
    command = ["compare", str(sample_folder("knee_mri")), "--draws", "3", "--out", str(tmp_path / "a")]
    assert main([*command, "--by", "age", "--by", "sex"]) == 0
    assert "differs most between age and sex" in capsys.readouterr().out
    rows = pd.read_csv(tmp_path / "a" / "compare" / "slices.csv", keep_default_na=False)
    assert {"14 to 30 × female", ""} < set(rows["slice"])
    said = (tmp_path / "a" / "compare" / "slice_differences.provenance.json").read_text(encoding="utf-8")
    assert '"slices by": "age, sex"' in said
    assert main([*command[:-1], str(tmp_path / "b"), "--by", "sits"]) == 1
    assert "did you mean site?" in capsys.readouterr().err
    assert not (tmp_path / "b").exists()


def test_filters_of_a_slice_find_its_cases(parted: tuple[Study, Task]) -> None:
    """The very same, in the worklist; a number that is not there cannot be asked for."""
    study = parted[0]
    work = study.cases.add_prefix(METADATA).assign(leading="", **{f"{METADATA}age": study.cases["age"]})
    work[f"{METADATA}site"] = work[f"{METADATA}site"].fillna("")
    slices = case_slices(replace(study, cases=study.cases.fillna({"site": ""})), ["site", "age"])
    for code, wanted in enumerate(slices.filters):
        found = select(work, Filters(metadata=wanted))
        assert found.index.tolist() == [study.case_ids[i] for i in np.flatnonzero(slices.of_case == code)]
    gaps = study.cases.assign(age=study.cases["age"].where(study.cases["age"] > 9))
    assert case_slices(replace(study, cases=gaps), ["age"]).filters[-1] == ()


def test_what_is_below_the_leading_label_is_measured_too() -> None:
    """Of more than two labels: adjusted metrics to three labels down, as Reliability has them."""
    study = read_study(sample_folder("dermatology_like"))
    task = next(iter(study.tasks.values()))
    found = slice_metrics(study, task, SliceSettings(by=("practice",)))
    rows = found.table[found.table["slice"] == found.slices.names[0]].set_index(["metric", "model"])
    cases = found.compared.cases
    of = cases[found.slices.of_case[cases] == 0]
    aggregation = default_aggregation(task)
    posterior = aggregate(study, task, aggregation, cases=of.tolist())
    model = found.compared.models[0]
    order = order_of_probabilities(task.predictions[model].probability[of], 3)
    wanted = adjusted_metrics(posterior, order, max_k=3)
    for metric in DEEPER:
        assert rows.loc[(metric, model), "value"] == pytest.approx(np.nanmean(wanted[metric]))
        assert rows.loc[(metric, model), "low"] <= rows.loc[(metric, model), "value"]
