"""Two aggregation models in their metrics: the same values as each alone, differences and ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from small_study import small_study

from core.analysis.reliability.settings import AgainstSettings
from core.analysis.reliability.sweep import metrics_at
from core.analysis.reliability.two_aggregations import two_aggregations, two_aggregations_finding
from core.cli import main, sample_folder
from core.plausibility.settings import Aggregation

READINGS = [
    ["a", "a", "b"],
    ["b", "b", "b"],
    ["a", "c", "c"],
    ["a", "b", "c"],
    ["c", "c", "c"],
    ["b", "b", "a"],
]


@pytest.fixture(scope="module")
def study():
    """Three labels, three models, the last with a case less."""
    rng = np.random.default_rng(2)
    of = {name: rng.dirichlet(np.ones(3), 6).tolist() for name in ("m", "n", "fewer")}
    of["fewer"][0] = [np.nan] * 3
    return small_study("choice", "abc", READINGS, predictions=of)


def test_each_side_is_what_the_page_has(study) -> None:
    """Values, ranks and differences, each worked out apart; of the footrule less is better."""
    a, b = Aggregation("label-counts", 1.0), Aggregation("majority")
    table = two_aggregations(*study, a, b).set_index(["subject", "metric"])
    for side, aggregation in (("a", a), ("b", b)):
        alone = metrics_at(*study, aggregation).set_index(["subject", "metric"])["value"]
        shared = table.index.intersection(alone.index)
        assert len(shared) == len(table)
        np.testing.assert_allclose(table.loc[shared, f"value_{side}"], alone[shared], atol=1e-12)
    for metric, sign in (("top-1 accuracy", -1), ("footrule @3", 1)):
        of = table.loc[(["m", "n", "fewer"], metric), :]
        assert of["rank_b"].tolist() == stats.rankdata(sign * of["value_b"], "min").tolist()
    assert table.loc["annotations", "rank_a"].isna().all()
    np.testing.assert_allclose(table["difference"], table["value_b"] - table["value_a"], atol=1e-12)
    turned = two_aggregations(*study, b, a).set_index(["subject", "metric"])
    np.testing.assert_allclose(turned["standard_error"], table["standard_error"])
    assert table.loc[("fewer", "top-1 accuracy"), "n_cases"] == 5
    said = two_aggregations_finding(table.reset_index(), "top-1 accuracy", ("Label counts", "Majority"))
    assert "by top-1 accuracy the best" in said
    assert "of 3 models" in said


def test_the_other_one_must_suit_and_differ(study) -> None:
    """What does not suit the task, and the same again; another reliability of the same model will do."""
    first = Aggregation("label-counts", 1.0)
    with pytest.raises(ValueError, match=r"must be one of label-counts, .*got 'prirn'"):
        AgainstSettings("prirn").beside(first, study[1])
    with pytest.raises(ValueError, match="label-counts at γ = 1 again"):
        AgainstSettings("label-counts").beside(first, study[1])
    assert AgainstSettings("label-counts", 3.0).beside(first, study[1]).reliability == 3


def test_command_writes_the_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the other tables, with a sentence and what it claims."""
    command = [
        "evaluate",
        str(sample_folder("toy_three_labels")),
        "--against",
        "majority",
        "--out",
        str(tmp_path),
    ]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "by top-1 accuracy the best" in said
    assert "it does not show which of the two is right" in said
    table = pd.read_csv(tmp_path / "evaluate" / "aggregations.csv")
    assert {"value_a", "value_b", "difference", "rank_a", "rank_b"} <= set(table)
