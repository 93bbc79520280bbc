"""Save a picture as SVG, PDF or PNG: for a slide, or as wide as the columns of a journal.

Of 25 pictures of all pages an SVG took 0.08 to 0.22 s of processor time, a PNG 0.15 to 0.54 s and a PDF 0.12
to 0.40 s; the first of a process 0.6 s more, and 75 MB that stay taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from core.analysis.picture_form import COLUMNS, DPI, FORMATS, PictureForm
from dashboard.charts.figure import Figure
from dashboard.components.painting import in_columns, on_slide

MIMES = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
"""Kinds of files, and how the browser calls them."""
SLIDE = "slide"
_SIZES = {SLIDE: "As here, with title"} | {
    width: f"{width.capitalize()} column{'s' * (width != 'one')}, {COLUMNS[width]:g} mm" for width in COLUMNS
}


def save_buttons(figure: Figure, *, name: str, file: str, title: str, provenance: Mapping[str, str]) -> None:
    """Show how large a picture is saved, and buttons that save it; it is painted when one is clicked.

    Parameters
    ----------
    name : str
        Of the picture, unique on the page.
    file : str
        Name of the files, without the ending.
    title : str
        Stands above the picture on a slide, and unseen in the files.
    """
    size = st.radio(
        "Size of the saved picture", list(_SIZES), format_func=_SIZES.get, horizontal=True, key=f"size-{name}"
    )
    with st.container(horizontal=True, gap="small"):
        for kind in FORMATS:
            fine = DPI if kind == "png" and size != SLIDE else DPI[:1]
            for dpi in fine:
                if size == SLIDE:
                    paint = partial(on_slide, figure, kind, title=title, provenance=provenance)
                else:
                    form = PictureForm(size, kind, dpi)
                    paint = partial(in_columns, figure, form, title=title, provenance=provenance)
                st.download_button(
                    f"Download {kind.upper()}{f', {dpi} dpi' * (len(fine) > 1)}",
                    paint,
                    file_name=f"{file}{f'_{size}-column' * (size != SLIDE)}.{kind}",
                    mime=MIMES[kind],
                    key=f"{kind}-{dpi}-{name}",
                    on_click="ignore",
                )
