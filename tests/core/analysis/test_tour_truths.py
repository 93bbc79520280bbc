"""The two plausible truths that the tour shows of its first case are draws, the most usual of their kind."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from core.analysis import tour_case
from core.analysis.cases.case import Case, open_case
from core.analysis.reliability.kept import kept_curve
from core.analysis.tour_truths import (
    SEEN,
    Truth,
    example_truths,
    keep_truths,
    kept_truths,
    truth_in_pieces,
    truth_in_words,
)
from core.cli import sample_folder
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import default_aggregation
from core.study.model import Study
from core.study.reading.folder import read_study
from sample_data.supported import SUPPORTED, TRUTHS


@pytest.fixture(scope="module")
def study() -> Study:
    """The main sample."""
    return read_study(sample_folder())


@pytest.fixture(scope="module")
def case(study: Study) -> Case:
    """Its published case, at the reliability that the readings support, as Cases opens it."""
    (task,) = study.tasks.values()
    aggregation = default_aggregation(task)
    curve = kept_curve(study, task, aggregation, SUPPORTED)
    assert curve is not None
    supported = curve["reliability"][curve["log_likelihood"].idxmax()]
    return open_case(study, task, aggregation.at(supported), study.case_ids.index(tour_case.CASE))


def drawn(case: Case) -> dict[str, np.ndarray]:
    """How likely each label is in each draw of the case's own posterior; the last, what nobody named."""
    assert isinstance(case.posterior, SampledPosterior)
    draws = case.posterior.draws
    names = [case.task.labels[code] for code in draws.candidates.label]
    return dict(zip([*names, "any other label"], [*draws.value, draws.rest[0]], strict=True))


def test_what_is_kept_is_what_is_drawn(study: Study, case: Case) -> None:
    """Each is one of the draws that are counted: of those in which its label leads, the nearest to the mean.

    As many lead as the bars say. Digits of draws may differ from one kind of processor to another.
    """
    labels = drawn(case)
    values = np.array(list(labels.values()), float)
    leading = values.argmax(axis=0)
    kept = kept_truths(study, TRUTHS)
    assert [truth.leads for truth in kept] == [tour_case.KEPT, tour_case.DANGER]
    for truth in kept:
        assert max(truth.shares, key=truth.shares.__getitem__) == truth.leads
        assert sum(truth.shares.values()) == pytest.approx(1, abs=1e-6)
        of_kind = values[:, leading == list(labels).index(truth.leads)]
        assert 100 * of_kind.shape[1] / values.shape[1] == pytest.approx(
            tour_case.LEADS[truth.leads], abs=0.51
        )
        away = np.linalg.norm(of_kind - of_kind.mean(axis=1, keepdims=True), axis=0)
        nearest = of_kind[:, away.argmin()]
        assert [truth.shares[label] for label in labels] == pytest.approx(nearest.tolist(), abs=0.004)
    found = example_truths(study)
    assert [one.leads for one in found] == [one.leads for one in kept]
    for one, other in zip(found, kept, strict=True):
        assert one.shares == pytest.approx(other.shares, abs=0.004)


def test_of_other_files_they_are_found_anew(study: Study, tmp_path: Path) -> None:
    """What is kept comes back as it was, unless it is of another study."""
    invented = [Truth("Melanoma", {"Hemangioma": 0.25, "Melanoma": 0.75})]
    keep_truths(study, invented, tmp_path / "kept.json")
    assert kept_truths(study, tmp_path / "kept.json") == invented
    other = (tmp_path / "kept.json").read_text(encoding="utf-8").replace(study.fingerprint, "0" * 16)
    (tmp_path / "kept.json").write_text(other, encoding="utf-8")
    assert kept_truths(study, tmp_path / "kept.json") == example_truths(study)


def test_words_and_pieces_say_the_shares(study: Study) -> None:
    """Percents add up to a hundred; the label that leads comes first, in words and in the bar."""
    kept = kept_truths(study, TRUTHS)
    for truth, letters in zip(kept, (["M", "H", ""], ["H", "M", ""]), strict=True):
        words = truth_in_words(truth)
        assert sum(int(number) for number in re.findall(r"(\d+)\u00a0%", words)) == 100
        assert words.startswith(f"{truth.leads} leads with {100 * truth.shares[truth.leads]:.0f}\u00a0%, ")
        (other,) = set(tour_case.LEADS) - {truth.leads}
        assert f"{other} {100 * truth.shares[other]:.0f}\u00a0%" in words
        pieces = truth_in_pieces(study, truth)
        assert [piece.letter for piece in pieces[:3]] == letters
        assert pieces[0].share == max(piece.share for piece in pieces)
        others = [piece.share for piece in pieces[2:]]
        assert others == sorted(others, reverse=True)
        assert sum(piece.share for piece in pieces) == pytest.approx(1, abs=SEEN)
    assert truth_in_words(kept[0]) == (
        "Hemangioma leads with 36\u00a0%, Melanoma 24\u00a0%, others 40\u00a0%."
    )
