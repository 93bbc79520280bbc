"""Save a picture as SVG, PNG or PDF, with what made it written in and on it.

vl-convert paints with Vega-Lite as the page does, fetches nothing, and brings its own typeface; letters that
it lacks come from the computer's. Of 25 pictures of all pages an SVG took 0.08 to 0.22 s of processor time, a
PNG 0.15 to 0.54 s and a PDF 0.12 to 0.40 s; the first of a process 0.6 s more, and 75 MB that stay taken.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import pandas as pd
import streamlit as st
import vl_convert

from dashboard.charts.figure import Figure
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

KINDS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
"""Kinds of files, and how the browser calls them."""
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first comes with vl-convert; where another program opens an SVG, the others have the same widths."""
WIDTH = 640
"""Of a picture that has no width of its own, in pixels."""
PADDING = 14
LEAST_TITLE = 460
"""Pixels that the words above a narrow picture may take."""
SCALE = 2
"""Pixels of a PNG for each of the page."""


def save_buttons(paint: Callable[[str], bytes], *, name: str, file: str) -> None:
    """Show buttons that save a picture; it is painted only when one is clicked.

    Parameters
    ----------
    paint : callable
        From a kind of `KINDS` to the content of the file.
    name : str
        Of the picture, unique on the page.
    file : str
        Name of the files, without the ending.
    """
    with st.container(horizontal=True, gap="small"):
        for kind, mime in KINDS.items():
            st.download_button(
                f"Download {kind.upper()}",
                partial(paint, kind),
                file_name=f"{file}.{kind}",
                mime=mime,
                key=f"{kind}-{name}",
                on_click="ignore",
            )


def saved(figure: Figure, kind: str, *, title: str, provenance: Mapping[str, str], tokens: Tokens) -> bytes:
    """Content of the file of a picture, of a kind that is one of `KINDS`."""
    spec = saved_spec(figure, title=title, provenance=provenance, tokens=tokens)
    # No address at all may be fetched from.
    given: dict[str, Any] = {"allowed_base_urls": []}
    if kind == "png":
        return vl_convert.vegalite_to_png(spec, scale=SCALE, **given)
    if kind == "pdf":
        return vl_convert.vegalite_to_pdf(spec, **given)
    begin, rest = vl_convert.vegalite_to_svg(spec, **given).split(">", 1)
    words = "\n".join(f"{key}: {value}" for key, value in provenance.items())
    return f"{begin}><title>{escape(title)}</title><desc>{escape(words)}</desc>{rest}".encode()


def saved_spec(
    figure: Figure, *, title: str, provenance: Mapping[str, str], tokens: Tokens
) -> dict[str, Any]:
    """Specification of a picture as it is saved: on a ground of its own, with title, provenance and data."""
    spec = {key: value for key, value in figure.spec.items() if key != "usermeta"}
    is_single = not {"hconcat", "vconcat", "concat", "facet", "repeat"} & set(spec)
    if is_single and not isinstance(spec.get("width"), int | float):
        spec["width"] = WIDTH
    across = max(spec["width"], LEAST_TITLE) if is_single else WIDTH
    small_print = " · ".join(f"{key}: {' '.join(value.split())}" for key, value in provenance.items())
    config = spec["config"]
    return spec | {
        "title": {
            "text": wrapped(title, int(across / 8)).split("\n"),
            "subtitle": textwrap.wrap(small_print, int(across / 5)),
            "anchor": "start",
            "fontSize": 14,
            "color": tokens.text,
            "subtitleColor": tokens.muted,
            "subtitleFontSize": 10.5,
            "subtitlePadding": 4,
            "offset": 14,
        },
        "background": tokens.page,
        "autosize": {"type": "pad"},
        "padding": dict.fromkeys(("left", "right", "top", "bottom"), PADDING),
        "config": config | {"font": FONT, "text": config["text"] | {"font": FONT}},
        "datasets": {name: _rows(frame) for name, frame in figure.data.items()},
    }


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A frame as Vega-Lite reads it where it is written out."""
    rows: list[dict[str, Any]] = json.loads(frame.to_json(orient="records", double_precision=15))
    return rows
