"""Where a text is found in a study, against the study's own files."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from shared_data import shared_data

from core.analysis.cases.search import ID, METADATA, READING, holds, places, search
from core.cli import main, sample_folder
from core.study.model import Study, Task
from core.study.reading.folder import read_study


def _task(study: Study) -> Task:
    return next(iter(study.tasks.values()))


@pytest.mark.parametrize("text", ["melanoma", "MELANOMA ", "ma", "no such label"])
def test_every_label_that_a_rater_names_is_found(dermatology: Study, text: str) -> None:
    """The same cases as in the rows of annotations.csv, whatever rank the label has."""
    rows = pd.read_csv(sample_folder("dermatology_like") / "annotations.csv")
    named = set(rows["case_id"][rows["label"].str.casefold().str.contains(text.strip().casefold())])
    found = search(dermatology, _task(dermatology), text)
    assert set(found.index[found[READING]]) == named
    assert list(found.index) == list(dermatology.case_ids)


def test_ids_and_metadata_are_found(dermatology: Study) -> None:
    """Text as a part, numbers as the same number; the names of image files are not searched."""
    cases = pd.read_csv(sample_folder("dermatology_like") / "cases.csv", dtype={"case_id": str})
    found = search(dermatology, _task(dermatology), "derm-00")
    assert set(found.index[found[ID]]) == {f"derm-00{i}" for i in range(1, 10)}
    found = search(dermatology, _task(dermatology), "Arm")
    assert set(found.index[found[METADATA]]) == set(cases["case_id"][cases["body_site"].eq("arm")])
    share = cases["true_share"].iloc[0]
    found = search(dermatology, _task(dermatology), str(share))
    assert set(found.index[found[METADATA]]) == set(cases["case_id"][cases["true_share"].eq(share)])


def test_scores_are_found_by_their_side_of_the_threshold(scores: Study) -> None:
    """A score names the side that it is on."""
    task = _task(scores)
    rows = pd.read_csv(sample_folder("scores") / "annotations.csv")
    above = set(rows["case_id"][rows["score"] >= task.threshold])
    found = search(scores, task, task.labels[1])
    assert set(found.index[found[READING]]) == above


def test_where_it_was_found_is_said(dermatology: Study) -> None:
    """Each place with its number of cases; nothing where it is nowhere."""
    found = search(dermatology, _task(dermatology), "derm-001")
    assert places(found) == "in the id of 1 case"
    assert holds(found).sum() == 1
    nothing = search(dermatology, _task(dermatology), "no such thing")
    assert places(nothing) == ""
    assert not holds(nothing).any()


def test_melanoma_in_the_public_release(tmp_path: Path) -> None:
    """Counted in the rows of the table that the import writes: 169 cases hold a reading that names it."""
    target = tmp_path / "study"
    assert main(["import", "dermatology-ddx", str(shared_data("data", "dermatology_ddx")), str(target)]) == 0
    rows = pd.read_csv(target / "annotations.csv", dtype=str)
    named = set(rows["case_id"][rows["label"].str.casefold().str.contains("melanoma")])
    study = read_study(target)
    found = search(study, _task(study), "melanoma")
    assert set(found.index[found[READING]]) == named
    assert len(named) == 169
