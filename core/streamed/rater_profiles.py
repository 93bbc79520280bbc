"""What is known of each rater of a study in parts, from sums over the parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.raters.settings import Standard
from core.metrics.agreement.concordance import variability_of
from core.metrics.estimate import Estimate
from core.metrics.exact_sums import Moments
from core.plausibility.dawid_skene import DawidSkene
from core.streamed.rater_counts import RaterCounts
from core.study.model import FloatArray, IntArray, Task


@dataclass(frozen=True, eq=False)
class Raters:
    """Sums over all parts; arrays have the shape (n_raters,) of the raters looked at.

    Attributes
    ----------
    ids : tuple of str
        Raters looked at, in the study's order: those chosen, or all who read something of the task.
    identified : bool
        Whether a rater is the same person in every case.
    readings, cases, again, same, variability, means, n_stated, has_reference
        As `core.streamed.rater_counts.RaterCounts` has them.
    n_read : int
        Cases with a reading.
    """

    ids: tuple[str, ...]
    identified: bool
    readings: IntArray
    cases: IntArray
    again: IntArray
    same: FloatArray
    variability: FloatArray
    means: Mapping[str, list[Moments]]
    n_stated: int
    n_read: int
    has_reference: bool

    @classmethod
    def of(
        cls, parts: Sequence[RaterCounts], every: Sequence[str], chosen: Sequence[str], *, identified: bool
    ) -> Raters:
        """Add up the parts of a study whose raters are ``every``.

        Raises
        ------
        ValueError
            If nobody read anything of the task.
        """
        place = {rater: code for code, rater in enumerate(every)}
        sums = np.zeros((8, len(every)))
        means: dict[str, list[Moments]] = {name: [Moments()] * len(every) for name in parts[0].means}
        for part in parts:
            code = np.array([place[rater] for rater in part.rater_ids], np.int64)
            rows = (part.readings, part.cases, part.again, part.same, *part.variability)
            for row, value in zip(sums, rows, strict=True):
                row[code] += value
            for name, of in part.means.items():
                for at, value in zip(code.tolist(), of, strict=True):
                    means[name][at] += value
        kept = np.flatnonzero(sums[0] > 0).tolist()
        if chosen:
            kept = sorted({place[rater] for rater in chosen})
        if len(kept) == 0:
            raise ValueError("there are no raters to look at: no case of the task was read")
        counts = sums[:, kept]
        return cls(
            tuple(every[code] for code in kept),
            identified,
            counts[0].astype(np.int64),
            counts[1].astype(np.int64),
            counts[2].astype(np.int64),
            counts[3],
            counts[4:],
            {name: [of[code] for code in kept] for name, of in means.items()},
            sum(part.n_stated for part in parts),
            sum(part.n_read for part in parts),
            any(part.has_reference for part in parts),
        )

    @property
    def n_first(self) -> int:
        """First readings of a case by a rater."""
        return int(self.cases.sum())

    @property
    def n_repeats(self) -> int:
        """Readings beyond the first of a case."""
        return int(self.readings.sum()) - self.n_first

    def estimates(self, name: str) -> list[Estimate]:
        """Mean of something over the readings of each rater."""
        return [of.estimate() for of in self.means[name]]

    def values(self, name: str) -> FloatArray:
        """The means alone."""
        return np.array([of.value for of in self.estimates(name)])

    def facts(self, n_labels: int, n_parts: int, n_cases: int) -> dict[str, int]:
        """What `core.streamed.report.data_paragraph` says."""
        return {
            "readings": int(self.readings.sum()),
            "cases read": self.n_read,
            "cases": n_cases,
            "raters": len(self.ids),
            "labels": n_labels,
            "parts": n_parts,
        }


def best_standard(raters: Raters, given: float | None) -> Standard:
    """As `core.analysis.raters.accuracy.best_standard`."""
    if given is not None:
        return "given"
    return "reference" if raters.has_reference else "majority"


def accuracy_by(
    raters: Raters, standard: Standard, task: Task, *, given: float | None, model: FloatArray
) -> FloatArray:
    """Accuracy of each rater, as `core.analysis.raters.accuracy.rater_accuracy`.

    Raises
    ------
    ValueError
        Where nothing is given, and for "reference" where no case has one.
    """
    n = len(raters.ids)
    if standard == "given":
        if given is None:
            raise ValueError("accuracies must be given, as one number or by rater id, got none")
        return np.full(n, given)
    if standard == "reference" and not raters.has_reference:
        raise ValueError(
            f'no case has a reference that is a label of the task "{task.name}", so nobody can be '
            "judged by it; add a column reference to the case table, or judge by the majority"
        )
    read = raters.cases > 0
    value = np.where(read, model, np.nan) if standard == "model" else raters.values(f"accuracy_{standard}")
    if not raters.identified:
        known = value[~np.isnan(value)]
        return np.full(n, known.mean() if len(known) else np.nan)
    return value


def profiles(raters: Raters, task: Task, fitted: DawidSkene, *, given: float | None) -> pd.DataFrame:
    """What is known of each rater, as `core.analysis.raters.profiles.profile_table` has it.

    Returns
    -------
    DataFrame
        Without abilities and the calibration error; empty where raters are not identified.
    """
    if not raters.identified:
        return pd.DataFrame(columns=["rater"])
    n = len(raters.ids)
    judged_by = "reference" if raters.has_reference else "majority"
    columns: dict[str, object] = {
        "rater": list(raters.ids),
        "readings": raters.readings,
        "cases": raters.cases,
        "repeats": raters.readings - raters.cases,
        "self_agreement": np.divide(
            raters.same, raters.again, out=np.full(n, np.nan), where=raters.again > 0
        ),
    }
    for name in ("accuracy_reference", "accuracy_majority"):
        found = raters.estimates(name)
        columns |= {
            name: [e.value for e in found],
            f"{name}_error": [e.standard_error for e in found],
            f"{name}_n": [e.n_cases for e in found],
        }
    severity = raters.estimates("severity")
    columns |= {
        "accuracy_given": np.full(n, np.nan if given is None else given),
        "accuracy_model": accuracy_by(raters, "model", task, given=None, model=fitted.accuracy),
        "confidence": raters.values("confidence"),
        "confidence_variability": variability_of(raters.variability),
        "overconfidence": raters.values(f"overconfidence_{judged_by}"),
        "judged_by": judged_by,
        "severity": [e.value for e in severity],
        "severity_error": [e.standard_error for e in severity],
    }
    return pd.DataFrame(columns)
