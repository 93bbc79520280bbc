"""Readers for published formats: each gives a `Study`, or a `StudyError` with everything that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.study.formats.chexpert_test import read_chexpert_test
from core.study.formats.cifar10h import read_cifar10h
from core.study.formats.dermatology_ddx import read_dermatology_ddx
from core.study.formats.imrmc import read_imrmc
from core.study.formats.label_histogram import read_label_histogram
from core.study.formats.rater_matrix import read_rater_matrix
from core.study.model import Study


@dataclass(frozen=True)
class ImportFormat:
    """A published format.

    Attributes
    ----------
    name : str
        As the command line calls it.
    summary : str
        What the source has to be, in a line.
    read : function from Path to Study
        Raises `StudyError`.
    """

    name: str
    summary: str
    read: Callable[[Path], Study]


FORMATS: Mapping[str, ImportFormat] = {
    known.name: known
    for known in (
        ImportFormat(
            "dermatology-ddx",
            "folder with dermatology_conditions.txt, dermatology_risks.txt, dermatology_selectors.json and, "
            "where present, dermatology_predictions0.txt …",
            read_dermatology_ddx,
        ),
        ImportFormat(
            "chexpert-test",
            "folder of the CheXpert test-set release: radiologists/ and, where present, example_models/",
            read_chexpert_test,
        ),
        ImportFormat("cifar10h", "NumPy file (.npy) of counts, cases × 10 classes", read_cifar10h),
        ImportFormat(
            "label-histogram",
            "tab-separated text with the columns id, hist (counts with commas between) and others",
            read_label_histogram,
        ),
        ImportFormat(
            "imrmc",
            "list of readers' scores as iMRMC reads it: CSV with readerID, caseID, modalityID and score, and "
            "rows of the reader truth",
            read_imrmc,
        ),
        ImportFormat(
            "rater-matrix",
            "CSV of labels, cases × raters, or a folder with preds.csv and, where present, confs.csv",
            read_rater_matrix,
        ),
    )
}


def import_study(format: str, source: Path | str) -> Study:  # noqa: A002
    """Read a study in a published format.

    Parameters
    ----------
    format : str
        One of `FORMATS`.
    source : Path or str
        File or folder, as the format says.

    Raises
    ------
    StudyError
        With all problems of the source.
    ValueError
        If the format is not known.
    """
    if format not in FORMATS:
        raise ValueError(f"format: expected one of {', '.join(FORMATS)}, got {format!r}")
    return FORMATS[format].read(Path(source))
