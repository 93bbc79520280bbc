"""The reference standard of a study: how the references of its cases were established."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.study.model import IntArray, Study

STANDARD = "reference_standard"
"""Name of the key of ``study.toml``, and of the column of the case table, whose cells come before it."""
READERS = "readers"
"""A reference by readers: a panel, a consensus or a majority."""
_IN_WORDS = {
    READERS: "by readers alone",
    "histology": "by histology",
    "surgery": "by surgery",
    "follow-up": "by follow-up",
    "examination": "by another examination",
    "construction": "from how the cases were made",
}
STANDARDS = tuple(_IN_WORDS)
"""What a reference can be established by. The last is of cases that were made, as by a simulation."""
MEND = (
    "readers: a panel, consensus or majority; examination: any other than those named; construction: cases "
    "that were made. Leave it empty where it is not known."
)
"""What to write in place of what is no reference standard."""


def reference_standards(study: Study) -> list[str]:
    """How the reference of every case was established.

    Parameters
    ----------
    study : Study
        Says it in its case table, in the column `STANDARD`, or of all cases alike
        (`core.study.model.Study.reference_standard`) where a cell is empty.

    Returns
    -------
    list of str
        One of `STANDARDS` for each case, empty where it is not stated. Whether a case has a reference at all
        is not looked at.
    """
    if STANDARD not in study.cases:
        return [study.reference_standard] * study.n_cases
    return [_stated(study, cell) for cell in study.cases[STANDARD].tolist()]


def standard_of(study: Study, case: int) -> str:
    """How the reference of one case was established, as `reference_standards` says it of all."""
    return _stated(study, study.cases[STANDARD].iloc[case] if STANDARD in study.cases else "")


def _stated(study: Study, cell: object) -> str:
    """What a cell says, or the study where it is empty."""
    return cell if isinstance(cell, str) and cell else study.reference_standard


def outweighs_readings(standard: str) -> bool:
    """Whether a reference standard settles a case: it is stated, and more than readers."""
    return bool(standard) and standard != READERS


def counted_standards(study: Study, codes: IntArray, cases: Iterable[int]) -> dict[str, int]:
    """Count the cases with a reference by how it was established.

    Parameters
    ----------
    study : Study
        What was observed.
    codes : ndarray of int64 with shape (n_cases,)
        Of `core.study.references.reference_codes`.
    cases : iterable of int
        Those that are counted.

    Returns
    -------
    dict of str to int
        By `STANDARDS` in their order, last under an empty text those of which it is not stated; none that no
        case has.
    """
    standards = reference_standards(study)
    counted = Counter(standards[case] for case in cases if codes[case] >= 0)
    return {standard: counted[standard] for standard in (*STANDARDS, "") if counted[standard]}


def in_words(standard: str) -> str:
    """Say how a reference was established, as after "it was established"; empty where it is not stated."""
    return _IN_WORDS.get(standard, "")
