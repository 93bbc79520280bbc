"""Where a model errs: two models of the main sample that labels support alike, and the dangerous truths."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from core.analysis.formatting import percent
from core.analysis.models.supported import supported
from core.plausibility.settings import Aggregation
from core.study.model import Study

MODELS = ("Model B", "Model D")
"""Of the main sample: the labels support both alike, and one warns of dangerous truths seldom."""
AGGREGATION = Aggregation("plackett-luce", 2.0)
"""At the reliability that its readings support, as Study shows it."""
_COLUMNS = ("low", "high", "caught", "caught_low", "caught_high")


def danger_table(study: Study) -> pd.DataFrame:
    """Say how far the labels support `MODELS`, and how often each warns where the truth is a high-risk label.

    Parameters
    ----------
    study : Study
        The main sample, of one task.

    Returns
    -------
    DataFrame
        One row a model, in the order of `MODELS`: ``model``; ``low`` and ``high``, between which its accuracy
        lies in the middle of the plausible truths; ``caught``, the share of the high-risk truths in
        which it gives a high-risk label first, with ``caught_low`` and ``caught_high``: all as in
        `core.analysis.models.supported.Supported`.

    Raises
    ------
    KeyError
        If the study has no such models.
    """
    (task,) = study.tasks.values()
    table = supported(study, task, AGGREGATION).table.set_index("model")
    return table.loc[list(MODELS), list(_COLUMNS)].reset_index()


def keep_table(study: Study, table: pd.DataFrame, file: Path) -> None:
    """Write a `danger_table` beside the sample that it is of: finding it takes a minute on a new computer."""
    kept = {"fingerprint": study.fingerprint, **table.to_dict("list")}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def kept_table(study: Study, file: Path) -> pd.DataFrame:
    """Return the `danger_table` that came with the sample; found anew where that is of other files."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    if kept.pop("fingerprint") != study.fingerprint:
        return danger_table(study)
    return pd.DataFrame(kept)[["model", *_COLUMNS]]


def danger_in_brief(table: pd.DataFrame) -> str:
    """Say why to ask which dangers a model names, in the order of the table."""
    one, other = table["caught"]
    return (
        "Why ask about dangers? Labels support two simulated models about equally, but one warns of "
        f"{percent(one)} of the dangers, the other of {percent(other)}."
    )


def danger_in_words(table: pd.DataFrame) -> str:
    """Say that two models are alike on average, and how often each warns of a dangerous truth."""
    one, other = table["caught"]
    return (
        "The labels of the simulated dermatology sample support these two models about equally.\n\n"
        f"But where the truth is a dangerous condition, one warns of danger in **{percent(one)}** of the "
        f"cases, the other in **{percent(other)}**. Ask for this number too."
    )
