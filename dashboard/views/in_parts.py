"""A study in parts: count it once, and show what is true of all its cases beside the few that are opened."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.reliability.words import aggregation_title, reliability_words
from core.progress import Progress
from core.streamed.aggregates import Aggregates, aggregates_folder
from core.streamed.evaluate import NO_AGREEMENT
from core.study.partitions.manifest import Partitions
from dashboard.charts.study.in_parts import certainty_of_all
from dashboard.components import text
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, theme
from dashboard.shell.beside import run_beside
from dashboard.views import parts

_SHARE = re.compile(r"\s*([0-9]{1,3})% (.*)")
_SHOWN = ("top-1 certainty", "top-1 accuracy", "s-AUROC")


def ask(study: Partitions) -> None:
    """Offer to count a study, and show how far that is."""
    element("h1", study.settings.name)
    element(
        "p",
        f"This study is in {count(len(study.cases), 'part')}, {study.n_cases:,} cases in all: more than is "
        "held in memory. It is counted once, part by part; then its numbers are shown here, and its least "
        "certain cases can be opened one by one.",
    )
    job = counting(str(study.folder), aggregates_folder(study).name)
    if not job.begun and job.result is None:
        st.button("Count it now", type="primary", key="count-parts", on_click=job.start)
        parts.note(
            "Two models and ten labels take about two seconds for 100,000 cases. With several processes or "
            "computers it is quicker: `loupe evaluate` says how."
        )
        return
    if parts.result_of(job, what="Counting", key="parts") is not None:
        cache.forget_studies()
        st.rerun()


@cache.background
def counting(
    progress: Progress,
    folder: str,
    kept: str,  # noqa: ARG001 - other contents are other work
) -> bool:
    """Count a study in a process of its own, which leaves the pages their time.

    Parameters
    ----------
    folder : str
        Of the study.
    kept : str
        Name of the folder for what is counted of its contents as they are.

    Raises
    ------
    ValueError
        Why it could not be counted, in the words of ``loupe evaluate``.
    """
    from core.study.partitions.manifest import read_manifest

    out = aggregates_folder(read_manifest(folder))
    share, doing = 0.0, "starting"

    def hear(line: str) -> None:
        nonlocal share, doing
        found = _SHARE.match(line)
        if found:
            share, doing = int(found[1]) / 100, found[2]
        progress(share, doing)

    run_beside("core", ["evaluate", folder, "--out", str(out), "--overwrite"], hear)
    return True


def of_all(study: Partitions, found: Aggregates) -> None:
    """Show what is true of all cases, before anything of the few that are opened."""
    counted = found.tables["facts"]
    facts: dict[str, int] = dict(zip(counted["fact"], counted["value"], strict=True))
    metrics = found.tables["metrics"]
    certainty = metrics[metrics["metric"] == _SHOWN[0]].iloc[0]
    parts.head("All cases")
    element(
        "p",
        f"{study.n_cases:,} cases in {count(len(study.cases), 'part')}, {facts['readings']:,} readings by "
        f"{count(facts['raters'], 'rater')}. The leading label is the truth with a probability of "
        f"{percent(certainty['value'])} on average.",
    )
    model = aggregation_title(found.aggregation)
    parts.note(f"Counted under {model}, for every number here. {reliability_words(found.aggregation)}")
    parts.note(
        f"Everything below this section, and on all other pages, is about {found.study.counted} alone: "
        "no numbers of the whole study."
    )
    histogram = _tenths(found.tables["certainty"])
    picture(
        certainty_of_all(histogram, tokens=theme.tokens()),
        name="certainty-of-all",
        alternative="Histogram of the certainty of the leading label over all cases",
        caption="All cases by the probability that their leading label is the truth.",
        table=found.tables["certainty"],
        provenance={"study": study.settings.name, "fingerprint": study.fingerprint},
    )
    rows = _rows(metrics)
    if rows:
        text.table(
            ["Model", "Adjusted accuracy ± standard error", "s-AUROC, mean over labels"],
            _with_auroc(rows, found.tables.get("by_label")),
            name="Models on all cases",
        )
    if "agreement" in found.tables:
        agreement = found.tables["agreement"]
        text.table(
            ["Agreement", "± standard error over cases"],
            [
                [name, f"{value:.4f} ± {error:.4f}"]
                for name, value, error in zip(
                    agreement["coefficient"], agreement["value"], agreement["standard_error"], strict=True
                )
                if not pd.isna(value)
            ],
            name="Agreement on all cases",
        )
    for left_out in found.notes:
        if left_out.startswith(NO_AGREEMENT):
            parts.note(left_out)


def _tenths(table: pd.DataFrame) -> pd.DataFrame:
    """Cases by certainty in steps of 5 %."""
    step = (table["from"] * 100).round().astype(int) // 5
    found = table["cases"].groupby(step).sum()
    return pd.DataFrame(
        {"low": found.index * 0.05, "high": found.index * 0.05 + 0.05, "cases": found.to_numpy()}
    )


def _rows(metrics: pd.DataFrame) -> list[tuple[str, str]]:
    """Models with their adjusted accuracy, the best first."""
    of_models = metrics[(metrics["metric"] == _SHOWN[1]) & (metrics["subject"] != "held-out reader")]
    ordered = of_models.sort_values("value", ascending=False, kind="stable")
    return [
        (model, f"{100 * value:.2f} ± {100 * error:.2f} %")
        for model, value, error in zip(
            ordered["subject"], ordered["value"], ordered["standard_error"], strict=True
        )
    ]


def _with_auroc(rows: list[tuple[str, str]], by_label: pd.DataFrame | None) -> list[list[str]]:
    """The same with each model's s-AUROC."""
    if by_label is None:
        return [[model, accuracy, "–"] for model, accuracy in rows]
    means = by_label[by_label["metric"] == _SHOWN[2]].groupby("model")["value"].mean()
    return [[model, accuracy, f"{means[model]:.4f}" if model in means else "–"] for model, accuracy in rows]
