"""What every case of a part says of agreement, once it is known how accurate all raters are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.analysis.raters.concordance import Weights
from core.metrics.agreement.concordance import Concordance, concordance
from core.streamed.arrays import load_arrays, part_file, save_arrays
from core.streamed.rater_counts import load_readings
from core.streamed.rater_pairs import PairMatrices, influence_of_cases
from core.study.model import FloatArray, IntArray

JUDGED = "judged"
_KNOWN = "known.npz"


def keep_known(folder: Path, weights: Weights, pairs: PairMatrices | None) -> None:
    """Write what is known of all raters, for `judge_cases`."""
    arrays = {} if pairs is None else {f"pairs.{name}": of for name, of in vars(pairs).items()}
    if weights.accuracy is not None:
        arrays["accuracy"] = weights.accuracy
    if weights.variability is not None:
        arrays["variability"] = weights.variability
    save_arrays(folder / _KNOWN, arrays)


def judge_cases(folder: Path, codes: Sequence[IntArray], n_labels: int, part: int) -> None:
    """Write concordance and influence of every case of a part.

    Parameters
    ----------
    folder : Path
        That `core.streamed.rater_counts.count_raters` and `keep_known` wrote into.
    codes : sequence of ndarray of int
        For each part the common codes of its raters.
    n_labels : int
        Labels of the task, 2 or more.
    part : int
        Counted from 0.
    """
    known = load_arrays(folder / _KNOWN)
    readings = load_readings(folder, part, codes[part])
    found = concordance(
        readings,
        readings.label,
        n_labels,
        accuracy=known.get("accuracy"),
        variability=known.get("variability"),
    )
    by_confidence = concordance(readings, readings.label, n_labels).weighted
    pairs = {name.split(".")[1]: of for name, of in known.items() if name.startswith("pairs.")}
    influence = influence_of_cases(readings, PairMatrices(**pairs)) if pairs else np.zeros(0)
    save_arrays(
        part_file(folder, part, JUDGED),
        {**vars(found), "by_confidence": by_confidence, "influence": influence},
    )


def judged_cases(folder: Path, n_parts: int) -> tuple[Concordance, FloatArray, FloatArray]:
    """Concordance of all cases, that by confidence alone, and influence on the mean κ, in their order."""
    parts = [load_arrays(part_file(folder, part, JUDGED)) for part in range(n_parts)]

    def together(name: str) -> FloatArray:
        return np.concatenate([of.pop(name) for of in parts])

    found = Concordance(*(together(name) for name in ("unweighted", "weighted", "low", "high")))
    return found, together("by_confidence"), together("influence")
