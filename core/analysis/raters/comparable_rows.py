"""Cases as rows of comparable numbers: features, or numeric metadata, each to the same scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.raters.case_groups import TRUTH_PREFIX
from core.metrics.correspondence.case_distances import standardised
from core.study.model import FloatArray, IntArray, Study


@dataclass(frozen=True, eq=False)
class Rows:
    """Cases as rows of comparable numbers.

    Attributes
    ----------
    value : ndarray of float64 with shape (n_rows, n_columns)
        Each column with mean 0 and standard deviation 1.
    raw : DataFrame with n_rows rows
        The numbers as given, indexed by case id.
    case : ndarray of int64 with shape (n_rows,)
        Index of each row's case in the study, ascending.
    left_out : int
        Cases without a number in some column.
    constant : tuple of str
        Columns left out because they never vary.
    """

    value: FloatArray
    raw: pd.DataFrame
    case: IntArray
    left_out: int
    constant: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.raw.columns)


def numeric_columns(study: Study) -> dict[str, str]:
    """Columns that distances can be measured by: name to ``"feature"`` or ``"metadata"``, features first."""
    features = [] if study.features is None else list(study.features.columns)
    metadata = [
        str(column)
        for column in study.cases.columns
        if pd.api.types.is_numeric_dtype(study.cases[column])
        and not pd.api.types.is_bool_dtype(study.cases[column])
        and not str(column).startswith(TRUTH_PREFIX)
        and column not in features
    ]
    return dict.fromkeys(map(str, features), "feature") | dict.fromkeys(metadata, "metadata")


def default_columns(study: Study) -> list[str]:
    """All features, or all numeric metadata where there are none; empty where there is neither."""
    known = numeric_columns(study)
    kind = "feature" if "feature" in known.values() else "metadata"
    return [name for name, of in known.items() if of == kind]


def comparable_rows(
    study: Study,
    columns: Sequence[str] | None = None,
    *,
    cases: Sequence[int] | IntArray | None = None,
) -> Rows:
    """Cases as rows of comparable numbers.

    Parameters
    ----------
    study : Study
        What was observed.
    columns : sequence of str, optional
        Names out of `numeric_columns`; by default `default_columns`.
    cases : sequence of int, optional
        Indices of the cases that are looked at; all by default.

    Raises
    ------
    ValueError
        For a column that is not there or not numeric; where no column varies; for fewer than 4 whole cases.
    """
    known = numeric_columns(study)
    if columns is None:
        columns = default_columns(study)
    unknown = [name for name in columns if name not in known]
    if unknown or not columns:
        raise ValueError(
            "columns must be features or numeric metadata of the study "
            f"({', '.join(known) or 'it has none'}), got {', '.join(unknown) or 'none'}"
        )
    table = pd.DataFrame(
        {
            name: (study.features if known[name] == "feature" else study.cases)[name].to_numpy(np.float64)  # type: ignore[index]
            for name in columns
        },
        index=pd.Index(study.case_ids, name="case_id"),
    )
    looked_at = np.ones(study.n_cases, bool)
    if cases is not None:
        looked_at = np.isin(np.arange(study.n_cases), np.asarray(cases, np.int64))
    whole = np.flatnonzero(np.isfinite(table.to_numpy()).all(axis=1) & looked_at)
    if len(whole) < 4:
        raise ValueError(f"4 cases or more must have a number in every column, got {len(whole)}")
    kept = table.iloc[whole]
    varies = np.ptp(kept.to_numpy(), axis=0) > 0
    if not varies.any():
        raise ValueError(f"some column must vary, got only constant ones: {', '.join(columns)}")
    raw = kept.loc[:, varies]
    constant = tuple(str(name) for name in kept.columns[~varies])
    return Rows(standardised(raw.to_numpy()), raw, whole, int(looked_at.sum()) - len(whole), constant)
