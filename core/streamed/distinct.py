"""Whether all parts of a study have different cases: what is counted twice is no sum over cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.streamed.arrays import load_arrays, part_file, save_arrays
from core.streamed.question import Question
from core.study.partitions.contents import MEND
from core.study.partitions.manifest import FOLDER, part_name
from core.study.partitions.reading import read_part_cases
from core.study.problems import Problem, StudyError
from core.study.reading.case_table import CASE_ID

_KEPT = "ids"
"""Folder of what is kept of each part."""
_SHOWN = 3
"""Repeated cases that are named."""


def _hashes(case_ids: Sequence[str]) -> NDArray[np.uint64]:
    """64 bits of each id."""
    found: NDArray[np.uint64] = pd.util.hash_array(np.array(case_ids, object), categorize=False)
    return found


def keep_ids(asked: Question, part: int, case_ids: Sequence[str]) -> None:
    """Write hashes of the ids of a part's cases."""
    save_arrays(part_file(asked.folder, part, _KEPT), {"hash": _hashes(case_ids)})


def require_distinct(asked: Question) -> None:
    """Refuse a study with a case in two parts.

    Parameters
    ----------
    asked : Question
        For which every part has kept its ids (`keep_ids`).

    Raises
    ------
    StudyError
        Naming the first of the cases, and their parts.

    Notes
    -----
    All hashes are sorted at once, in some 20 bytes a case. Where two are equal, which among ten million
    different ids happens in 3 of a million studies, the ids themselves are compared.
    """
    n_parts = asked.study.n_parts
    of_parts = [load_arrays(part_file(asked.folder, part, _KEPT))["hash"] for part in range(n_parts)]
    every = np.sort(np.concatenate(of_parts))
    again = np.unique(every[1:][every[1:] == every[:-1]])
    if len(again) == 0:
        return
    parts_of: dict[str, list[int]] = {}
    for part in range(n_parts):
        at = np.flatnonzero(np.isin(of_parts[part], again))
        if len(at):
            ids = read_part_cases(asked.study, part, columns=[CASE_ID]).index
            for case_id in ids[at].tolist():
                parts_of.setdefault(str(case_id), []).append(part)
    repeated = {case_id: parts for case_id, parts in parts_of.items() if len(parts) > 1}
    if repeated:
        raise StudyError(_problems(repeated))


def _problems(repeated: dict[str, list[int]]) -> list[Problem]:
    """What is wrong, for the first few cases, and how many there are of them."""
    mend = f"Leave each case in one part, in all of its tables, or divide the whole study. {MEND}"
    found: list[Problem] = []
    for case_id, parts in list(repeated.items())[:_SHOWN]:
        first, second = part_name(parts[0]), part_name(parts[1])
        what = f'the case "{case_id:.100}" is in {first} too'
        if len(repeated) > _SHOWN and not found:
            what += f", as are {len(repeated) - 1:,} others that are in two parts"
        found.append(Problem(f"{FOLDER}/{second}", what, mend))
    return found
