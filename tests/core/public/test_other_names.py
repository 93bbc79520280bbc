"""What the interface offers beside studies, metrics and agreement: as the modules it comes from have it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import core.loupe as loupe
from core.analysis.export import guarded_csv


def test_problems_are_a_table() -> None:
    """One row each, of an error and of a study's notes."""
    frame = pd.DataFrame({"case_id": ["a", "a"], "rater_id": ["r", "r"], "label": ["x", "y"]})
    with pytest.raises(loupe.StudyError) as caught:
        loupe.Study.from_frames(frame)
    table = loupe.problem_table(caught.value.problems)
    assert table[["severity", "file", "row", "column"]].to_numpy().tolist() == [
        ["error", "annotations", 1, "label"]
    ]
    cases = pd.DataFrame({"case_id": ["a", "b"]})
    study = loupe.Study.from_frames(frame.iloc[:1], cases=cases)
    assert loupe.problem_table(study.notes)["severity"].tolist() == ["warning"]
    assert loupe.problem_table(()).empty


def test_exported_text_comes_back() -> None:
    """Without the apostrophe that kept a spreadsheet from taking it for a formula."""
    text = guarded_csv(pd.DataFrame({"label": ["=1+1"]})).splitlines()[1]
    assert text != "=1+1"
    assert loupe.unguarded(text) == "=1+1"


def test_fineness_of_plain_accuracies() -> None:
    """Published: 7 raters of accuracy .81 for .95; the vote of a rater of weight 0 does not count."""
    assert loupe.raters_needed(0.81, 0.95) == 7
    alone = loupe.dependent_fineness([0.81] * 7, 0.0)
    assert alone == pytest.approx(0.9721, abs=5e-5)
    assert loupe.dependent_fineness([0.81] * 7, 2.0) < alone
    assert loupe.weighted_fineness([0.81] * 7, [1] * 7).value == pytest.approx(alone)
    assert loupe.weighted_fineness([0.9, 0.6], [1, 0]).value == pytest.approx(0.9)


def test_correspondence_of_plain_matrices() -> None:
    """A set corresponds to its like and not to a far wider one; a stray case does not belong."""
    generator = np.random.default_rng(0)
    first, like = generator.normal(size=(2, 40, 3))
    assert loupe.correspondence(first, like, splits=99).psi > 0.05
    assert loupe.correspondence(first, 20 * like, splits=99).psi == pytest.approx(0.01)
    assert loupe.case_correspondence(first, np.full(3, 9.0)) == pytest.approx(1 / 41)
