"""Pictures of a case beside the triangle: who leads, the plausibility of each label, what models say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.what_if import WhatIf
from core.analysis.formatting import in_sentence, percent
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.references import reference_codes
from dashboard.charts.cases import dots, plausibility, predictions
from dashboard.components.picture import picture
from dashboard.components.text import count
from dashboard.shell import theme
from dashboard.views import parts
from dashboard.views.cases.image import Shot, images_of
from dashboard.views.cases.tables import ONE_OTHER, CaseTables

_MARKS = " Ticks: single truths. Bar: 90 % of them. Dot: their mean. Cross: the point estimate."
_FURTHER = "The further right, the stronger a label"
_LEADS = (
    "; the longer its bar, the less certain that is. “Leads in”: the plausible truths in which it is the "
    f"strongest.{_MARKS}"
)
_POINT = ". The cross is the point estimate, taken as the truth."


@dataclass(frozen=True, eq=False)
class Opened:
    """The case that is shown, and all that its pictures need."""

    study: Study
    task: Task
    aggregation: Aggregation
    index: int
    change: WhatIf
    tables: CaseTables
    source: dict[str, str]
    draw_simplex: Callable[[bool], None]

    @property
    def which(self) -> tuple[Study, Task, Aggregation, int, WhatIf]:
        """What tells it from others: the arguments of `dashboard.views.cases.tables.case_tables`."""
        return self.study, self.task, self.aggregation, self.index, self.change

    @property
    def images(self) -> tuple[Shot, ...]:
        """Where its images lie."""
        return images_of(self.study, self.index)


def draw_dots(opened: Opened) -> None:
    """Draw how often each label leads."""
    tables, task = opened.tables, opened.task
    parts.head("How often does each label lead?")
    picture(
        dots.dot_chart(tables.dots, tokens=theme.tokens()),
        name="dots",
        alternative=dot_words(tables.dots),
        caption="Each dot: about 5 of 100 plausible truths, below the label that would be right in them."
        + (" L, M, H: risk, as set by the study." if task.has_risk else "")
        + _hollow(tables),
        table=tables.dots,
        provenance=opened.source,
        width="content",
    )


def draw_plausibility(opened: Opened) -> None:
    """Draw the plausibility of each label."""
    tables = opened.tables
    parts.head("Plausibility of each label")
    picture(
        plausibility.plausibility_chart(
            tables.plausibility,
            tables.draws,
            tokens=theme.tokens(),
            together="" if tables.rest == ONE_OTHER else tables.rest,
        ),
        name="plausibility",
        alternative=f"Plausibility of each label with its draws{plausibility_words(tables.plausibility)}",
        caption=_FURTHER
        + (_POINT if tables.is_point else _LEADS)
        + undrawn_words(tables.plausibility, tables.rest)
        + _hollow(tables),
        table=tables.plausibility,
        provenance=opened.source,
    )


def draw_predictions(opened: Opened) -> None:
    """Draw what each model puts first, whether that warns of danger, and how often it is right."""
    table, task = opened.tables.predictions, opened.task
    parts.head("What the models say")
    # Of all labels together it goes without saying that one is true.
    k = max(1, min(3, len(task.labels) - 1))
    picture(
        predictions.predictions_chart(
            table, list(task.predictions), k=k, tokens=theme.tokens(), is_point=opened.tables.is_point
        ),
        name="models",
        alternative="What each model puts first, whether that warns of danger, and how often it is right",
        caption=_models_words(opened)
        + (" A score names no label, and has no bar." if task.score_models else "")
        + _hollow(opened.tables),
        table=table,
        provenance=opened.source,
    )


def _models_words(opened: Opened) -> str:
    """Say how to read a row of the models."""
    has_labels, reference = bool(opened.task.probability_models), _reference(opened)
    truths = "in how many of 100 plausible truths (ways the right label could be)"
    if opened.tables.is_point:
        truths = "full where, if the leading label is the truth,"
    said = [
        "Each model: the label that it puts first, with its own probability for it. "
        f"Bar: {truths} that label is right."
    ] * has_labels
    if (opened.tables.predictions["warns"] != "").any():
        said.append("Warns of danger: it puts a high-risk label first.")
    if reference:
        said.append(f"Reference (the study's own answer): {in_sentence(reference)}.")
    return " ".join(said)


def _reference(opened: Opened) -> str:
    """The study's reference of the case; empty where it has none."""
    code = int(reference_codes(opened.study, opened.task)[opened.index])
    return opened.task.labels[code] if code >= 0 else ""


def _hollow(tables: CaseTables) -> str:
    """Say what the hollow marks are, where there are some."""
    return " Small and hollow: before the change." if tables.has_before else ""


def dot_words(table: pd.DataFrame) -> str:
    """Say what the dots show, for those who do not see them."""
    rows = [f"{label} leads in {n}" for label, n in zip(table["label"], table["truths"], strict=True)]
    if "truths before" in table:
        rows = [f"{row} ({n} before the change)" for row, n in zip(rows, table["truths before"], strict=True)]
    return f"Of 100 plausible truths: {'; '.join(rows)}"


def undrawn_words(table: pd.DataFrame, rest: str) -> str:
    """Say which rows are not drawn: labels that were named, and the ``rest`` that nobody named."""
    undrawn = table.drop(plausibility.drawn_rows(table).index)
    is_rest = undrawn["label"] == rest
    named = int((~is_rest).sum())
    said = [f"{count(named, 'more label')} that readings name"] * bool(named)
    said += [f"{rest}, {percent(float(share))}" for share in undrawn.loc[is_rest, "plausibility"]]
    return f" Not drawn: {'; '.join(said)}." if said else ""


def plausibility_words(table: pd.DataFrame) -> str:
    """Say how a change moved the leading labels, for those who do not see it; empty where there is none."""
    if "leads before" not in table:
        return ""
    shown = table.head(3)
    rows = zip(shown["label"], plausibility.leads_words(shown), strict=True)
    return ", before and after the change: " + "; ".join(f"{label} leads in {words}" for label, words in rows)
