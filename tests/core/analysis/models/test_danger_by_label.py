"""Which dangers a model names, label by label: the parts of what is said of all together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.models.danger_by_label import (
    LEAST_TRUTHS,
    MOST_DANGERS,
    MOST_MODELS,
    in_words,
    least_named,
    named_dangers,
)
from core.analysis.models.supported import supported
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 2.0)
READINGS = [list("bbc"), list("bcc"), list("aab"), list("aaa"), list("ccd"), []]
ANSWERS = {
    "M": np.eye(4)[[1, 2, 0, 0, 1, 1]].tolist(),
    "label": [[0.1, 0.4, 0.4, 0.1]] * 5 + [[0.0, 0.0, 0.0, 0.0]],
}


def _found(risk: str = "LHHL") -> tuple[pd.DataFrame, pd.DataFrame]:
    study, task = small_study("choice", "abcd", READINGS, risk=risk, predictions=ANSWERS)
    found = supported(study, task, COUNTS)
    return found.by_label, found.table


def test_shares_of_labels_add_up_to_the_share_of_all_dangers() -> None:
    """Weighted by how often each is the truth; a model may be called as a column is, and tie labels."""
    by_label, table = _found()
    labels, truths = by_label.iloc[:, 0].tolist(), by_label.iloc[:, 1].to_numpy(float)
    assert set(labels) == {"b", "c"}
    assert (truths >= LEAST_TRUTHS).all()
    for model, share in zip(table["model"], table["high_risk"], strict=True):
        place = 2 + [*by_label.columns[2:]].index(model)
        own = by_label.iloc[:, place].to_numpy(float)
        assert (own * truths).sum() / truths.sum() == pytest.approx(share)
    assert list(truths) == sorted(truths, reverse=True)


def test_without_levels_there_is_no_list() -> None:
    """And of labels that nobody names there is no row."""
    assert _found(risk="")[0].empty
    assert len(_found(risk="LHLH")[0]) == 2
    _, task = small_study("choice", "abcd", READINGS, risk="HHHH")
    assert named_dangers(task) == 4
    _, many = small_study("choice", "abcdefghijkl", [list("abcdefghijkl")], risk="H" * 12)
    assert named_dangers(many) == MOST_DANGERS


def test_of_many_models_the_best_supported_are_listed() -> None:
    """As many as stand beside one another, in the order of the table."""
    answers = {f"M{i}": np.eye(4)[[1, 2, 0, 0, i % 4, 1]].tolist() for i in range(4)}
    answers |= {f"N{i}": np.eye(4)[[i % 4, 3, 3, 3, 3, 3]].tolist() for i in range(4)}
    study, task = small_study("choice", "abcd", READINGS, risk="LHHL", predictions=answers)
    found = supported(study, task, COUNTS)
    assert list(found.by_label.columns[2:]) == found.table["names"].tolist()[:MOST_MODELS]
    assert len(found.table) > MOST_MODELS


def test_the_list_is_written_for_people() -> None:
    """Whole cases, percent; of few cases in how many of them; a dash where that is not known."""
    truths, named = [12.4, 4.6, 4.4, 1.2, 3.0, 2.0, 0.8], [0.754, 0.2, 0.8, 0.3, 0.0, np.nan, 0.9]
    table = pd.DataFrame({"label": list("bcdefgh"), "truths": truths, "M": named})
    shares = [
        ["b", "12", "75\u00a0%"],
        ["c", "5", "20\u00a0%"],
        ["d", "4", "4 of 4"],
        ["e", "1", "< 1 of 1"],
        ["f", "3", "0 of 3"],
        ["g", "2", "–"],
        ["h", "< 1", "–"],
    ]
    assert in_words(table) == (["Danger", "Cases, on average", "M"], shares)


def test_the_danger_that_is_missed_most_is_said() -> None:
    """By the model that names it most often; one that is hardly ever the truth is not compared."""
    rare = {"label": ["a", "b", "7", "c"], "truths": [9.0, 6.0, 4.6, 4.4]}
    two = pd.DataFrame(rare | {"M": [0.9, 0.2, 0.3, 0.0], "N": [0.8, 0.6, 0.5, 0.1]})
    assert least_named(two, 2) == "“7” is named least: at best, in about 2 of 5 cases (N)."
    as_columns = least_named(two.set_axis(["label", "truths", "label", "truths"], axis=1), 2)
    assert as_columns == least_named(two, 2).replace("(N)", "(truths)")
    assert least_named(two.drop(columns="N"), 1) == "b is named least: in about 1 of 6 cases."
    assert least_named(two.iloc[[0, 3]], 2) == least_named(pd.DataFrame(), 2) == ""


def test_nothing_is_said_of_models_and_shares_that_are_not_known() -> None:
    """A model that is not listed might name it more often; one that predicts none of its cases does not."""
    rare = {"label": ["a", "b", "c"], "truths": [9.0, 6.0, 5.0]}
    two = pd.DataFrame(rare | {"M": [0.9, 0.2, np.nan], "N": [0.8, np.nan, np.nan]})
    assert least_named(two, 3) == ""
    assert least_named(two, 2) == "b is named least: at best, in about 1 of 6 cases (M)."
    assert least_named(two.iloc[1:], 2) == ""
