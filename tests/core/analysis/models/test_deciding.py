"""Cases that decide between two models."""

from __future__ import annotations

import numpy as np
import pytest
from two_label_studies import two_label_study

from core.analysis.models.deciding import DECIDING_METRICS, deciding_cases
from core.analysis.models.rank_change import LOSSES, rank_change
from core.study.model import Study

PRESENT = [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 1]]
SCORES = {"a": [0.9, 0.8, 0.6, 0.3, 0.1, 0.7], "b": [0.9, 0.2, 0.5, 0.6, 0.15, 0.8]}


@pytest.mark.parametrize("metric", DECIDING_METRICS)
def test_advantages_sum_to_the_lead(metric: str) -> None:
    """A's value less B's, turned round for losses."""
    study, task = two_label_study(PRESENT, SCORES)
    table = rank_change(study, task)
    hard = table[table["metric"] == metric].set_index("model")["hard"]
    value = hard if len(hard) else table[table["counterpart"] == metric].set_index("model")["soft"]
    lead = (value["a"] - value["b"]) * (-1 if metric in LOSSES else 1)
    cases = deciding_cases(study, task, "a", "b", metric=metric)
    assert cases["advantage"].sum() == pytest.approx(lead, abs=1e-12)
    assert (cases["advantage"].abs().diff().dropna() <= 0).all()
    back = deciding_cases(study, task, "b", "a", metric=metric).set_index("case_id")
    np.testing.assert_allclose(
        back["advantage"].loc[cases["case_id"]].to_numpy(), -cases["advantage"].to_numpy(), atol=1e-15
    )


def test_the_missed_positive_decides() -> None:
    """B ranks a likely positive below clear negatives."""
    study, task = two_label_study(PRESENT, SCORES)
    first = deciding_cases(study, task, "a", "b", metric="AUROC").iloc[0]
    assert first["case_id"] == "case 1"
    assert first["favours"] == "a"
    assert first["plausibility"] == pytest.approx(2 / 3)
    assert (first["hard_label"], first["predicted_a"], first["predicted_b"]) == (
        "present",
        "present",
        "absent",
    )
    assert (first["score_a"], first["score_b"], first["n_readings"]) == (0.8, 0.2, 3)


def test_only_the_cases_of_both_models_count(digits: Study) -> None:
    """A third model's gaps do not matter; a model's own do."""
    gaps = {**SCORES, "c": [np.nan] * 5 + [0.5]}
    study, task = two_label_study(PRESENT, gaps)
    assert len(deciding_cases(study, task, "a", "b")) == 6
    choice = next(iter(digits.tasks.values()))
    a, b = list(choice.predictions)[:2]
    accuracy = deciding_cases(digits, choice, a, b, metric="accuracy")
    assert set(np.unique((accuracy["advantage"] * len(accuracy)).round())) <= {-1, 0, 1}


def test_bad_choices_are_refused() -> None:
    """Each says what was allowed."""
    study, task = two_label_study(PRESENT, SCORES)
    with pytest.raises(ValueError, match=r"metric must be one of AUROC, .*, got 'F1'"):
        deciding_cases(study, task, "a", "b", metric="F1")
    with pytest.raises(ValueError, match="model must be one of a, b, got 'z'"):
        deciding_cases(study, task, "a", "z")
    with pytest.raises(ValueError, match="two different models are needed, got 'a' twice"):
        deciding_cases(study, task, "a", "a")
    study, task = two_label_study([[0], [0]], {"a": [0.1, 0.2], "b": [0.2, 0.1]})
    with pytest.raises(ValueError, match="AUROC is undefined on the 2 cases"):
        deciding_cases(study, task, "a", "b", metric="AUROC")
    study, task = two_label_study([[0], [1]], {"a": [0.1, 1.2], "b": [0.2, 0.1]})
    with pytest.raises(ValueError, match="must be probabilities"):
        deciding_cases(study, task, "a", "b", metric="log loss")
