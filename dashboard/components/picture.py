"""A picture as every page shows it: figure, how to read it, its data as a table, downloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import pandas as pd
import streamlit as st

from core.analysis.columns import PICTURE, as_written
from core.analysis.export import guarded_csv, provenance_json
from core.analysis.file_names import file_stem
from core.analysis.formatting import readable
from core.analysis.report_files import PROVENANCE
from dashboard.charts.figure import Figure, figure_of
from dashboard.charts.live import LiveFigure
from dashboard.charts.solid import SolidFigure
from dashboard.components.live_chart import live_chart
from dashboard.components.save_picture import save_buttons
from dashboard.components.solid_chart import solid_chart
from dashboard.components.text import element
from dashboard.shell import theme, widgets

MOST_ROWS = 2000
"""Rows of a table that go to the browser; downloads have all of them."""
SAVE = "Save, data"
"""Words of the button of a picture by which it is saved, and its numbers are seen and saved."""
KEPT = "loupe-pictures"
"""Where a session that has it keeps the pictures that it shows, by name, for `dashboard.pictures`."""
SAID = ("picture", "how to read it")
"""What is said of a picture that is kept, beside what made it."""


@dataclass(frozen=True)
class Caption:
    """How to read a picture, and what can be done with it ``at_screen``, which a report leaves out."""

    text: str
    at_screen: str = ""


@dataclass(frozen=True)
class Answers:
    """What a picture answers to.

    Attributes
    ----------
    to : tuple of str
        Names of the figure's selections.
    hear : callable or "rerun"
        Called when a selection changes, which is kept under the key of the chart; the page is drawn anew.
    offer : callable
        Draws, between the caption and the data, the same for those who do not point.
    key : str
        Of the chart, where it is not that of the picture.
    """

    to: tuple[str, ...]
    hear: Callable[[], None] | Literal["rerun"] = "rerun"
    offer: Callable[[], object] = bool
    key: str = ""


def picture(
    figure: Figure | LiveFigure | SolidFigure | alt.TopLevelMixin,
    *,
    name: str,
    alternative: str,
    caption: str | Caption,
    table: pd.DataFrame,
    provenance: Mapping[str, str],
    width: Literal["stretch", "content"] = "stretch",
    selections: Sequence[str] | Answers = (),
) -> Mapping[str, Any]:
    """Show a chart with its caption and its data.

    Parameters
    ----------
    figure : Figure, LiveFigure, SolidFigure or Altair chart
        From `dashboard.charts`; of a live or solid one its printed form is what is saved.
    name : str
        Unique on the page; a part of the names of the downloaded files.
    alternative : str
        What the picture shows, for those who do not see it.
    caption : str or Caption
        How to read it, in a sentence or two.
    table : DataFrame
        The numbers behind it; columns are named as files have them (`core.analysis.columns`).
    provenance : mapping of str to str
        Goes with every download.
    width : {"stretch", "content"}
        Whether the chart fills its place or keeps its own width.
    selections : sequence of str
        Names of the figure's selections that are asked for; a change draws the page anew. Or what a picture
        answers to.

    Returns
    -------
    mapping of str to Any
        What is selected, by the selection's name; of a live picture the numbers of the marks, as "marks".
    """
    table = as_written(PICTURE, name, table)
    shown: dict[str, Any] = {"theme": None, "alt": alternative, "width": width, "key": f"chart-{name}"}
    selected: Mapping[str, Any] = {}
    if isinstance(figure, LiveFigure):
        selected = {"marks": live_chart(figure, key=f"chart-{name}", alternative=alternative)}
    elif isinstance(figure, SolidFigure):
        solid_chart(figure, key=f"chart-{name}", alternative=alternative)
    else:
        if not isinstance(figure, Figure):
            figure = figure_of(figure, theme.tokens())
        shown["height"] = _height(figure)
        answers = selections if isinstance(selections, Answers) else Answers(tuple(selections))
        if answers.to:
            shown["key"] = answers.key or shown["key"]
            event = st.vega_lite_chart(
                spec=figure.complete, on_select=answers.hear, selection_mode=list(answers.to), **shown
            )
            selected = event["selection"]
        else:
            st.vega_lite_chart(spec=figure.complete, **shown)
    with st.container(horizontal=True, wrap=False, gap="small"):
        how = caption if isinstance(caption, Caption) else Caption(caption)
        element("p", how.text, role="note", at_screen=how.at_screen)
        kept = st.session_state.get(KEPT)
        if kept is not None:
            said = {**provenance, **dict(zip(SAID, (alternative, how.text), strict=True))}
            kept[name] = (_printed(figure), alternative, table, said)
        if isinstance(selections, Answers):
            selections.offer()
        data_button(name=name, table=table, provenance=provenance, figure=figure, title=alternative)
    return selected


def part_of_picture(figure: Figure, *, name: str, alternative: str, caption: str) -> None:
    """Show a chart that belongs to the picture before it, whose data and downloads are those of both."""
    st.vega_lite_chart(
        spec=figure.complete,
        theme=None,
        alt=alternative,
        width="content",
        height=_height(figure),
        key=f"chart-{name}",
    )
    element("p", caption, role="note")


def data_button(
    *,
    name: str,
    table: pd.DataFrame,
    provenance: Mapping[str, str],
    figure: Figure | LiveFigure | SolidFigure | None = None,
    title: str = "",
) -> None:
    """Show a button that opens the numbers as a table with downloads; they are sent only when opened.

    The table on the page is rounded for people; the files have all digits, and are named after their content.

    With a ``figure`` the picture, under its ``title``, can be saved as well: the button says so.
    """
    words = "Data" if figure is None else SAVE
    popover = st.popover(words, type="tertiary", key=f"data-{name}", on_change="rerun")
    if popover.open:
        with popover:
            # What is to be saved stands first: the table below may be longer than the window.
            file = file_stem(widgets.page() or "study", name, provenance)
            if figure is not None:
                save_buttons(_printed(figure), name=name, file=file, title=title, provenance=provenance)
            _table_buttons(name, file, table, provenance)
            st.dataframe(readable(table.head(MOST_ROWS)), width=640, hide_index=table.index.name is None)


def _height(figure: Figure) -> int | Literal["content"]:
    """Pixels that a picture takes, so that its place is kept until it is drawn; what is below stays there.

    Of one with sliders of its own they would take their room from the picture.
    """
    height = figure.spec.get("height")
    has_sliders = any("input" in param.get("bind", ()) for param in figure.spec.get("params", ()))
    return height if isinstance(height, int) and not has_sliders else "content"


def _printed(figure: Figure | LiveFigure | SolidFigure) -> Figure:
    """A picture as it is saved."""
    return figure if isinstance(figure, Figure) else figure.printed


def _table_buttons(name: str, stem: str, table: pd.DataFrame, provenance: Mapping[str, str]) -> None:
    """Buttons that download the table, and what made it as a file to lie beside it."""
    file = f"{stem}.csv"
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download CSV",
            lambda: guarded_csv(table),
            file_name=file,
            mime="text/csv",
            key=f"csv-{name}",
            on_click="ignore",
        )
        st.download_button(
            "Provenance",
            lambda: provenance_json(file, guarded_csv(table), provenance),
            file_name=f"{stem}{PROVENANCE}",
            mime="application/json",
            help="What made this table: study, fingerprint, seed and settings, as a file to keep beside it",
            key=f"provenance-{name}",
            on_click="ignore",
        )
