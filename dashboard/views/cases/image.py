"""The image of a case, and the same image enlarged."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.study.model import Study
from dashboard.views import parts

WIDTH = 300
SIZES: dict[str, int | Literal["stretch"]] = {"Fit": "stretch", "2×": 1200, "4×": 2400}
"""Widths of the enlarged image in pixels; what does not fit is scrolled, by keyboard too."""
HEIGHT = 620
"""Of the window that it is seen through, in pixels."""
ENLARGE = "alt+z"
_OPEN = "choose-enlarged"
"""Whether the session shows an image enlarged: forgotten on the way to another page, as widgets are."""


def image_of(study: Study, index: int) -> str | bytes | None:
    """Return the case's image, or its path, if it has one that lies inside the study's folder."""
    if "image" not in study.cases:
        return None
    name = study.cases["image"].iloc[index]
    if not isinstance(name, str) or not name:
        return None
    if study.root is None:
        return study.images.get(name)
    root = study.root.resolve()
    path = (root / name).resolve()
    return str(path) if path.is_relative_to(root) and path.is_file() else None


def show_image(image: str | bytes, case_id: str) -> None:
    """Draw an image with a button that enlarges it; say so where the file holds none."""
    from PIL import Image  # Streamlit imports it with the first image.

    try:
        st.image(image, width=WIDTH, alt=f"Image of case {case_id}")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        parts.note(
            "The image of this case cannot be shown: its file is damaged, far too large, or no image of the "
            "kind that its name says. Mend the file in the study folder."
        )
        _follow(None, case_id)
        return
    if st.button("Enlarge", key="enlarge", shortcut=ENLARGE):
        st.session_state[_OPEN] = True
    _follow(image, case_id)


def follow_none(case_id: str) -> None:
    """Say in the dialog, if it is open, that this case has no image; the one before is not this one's."""
    _follow(None, case_id)


def close() -> None:
    """Give way to another dialog."""
    st.session_state[_OPEN] = False


def _follow(image: str | bytes | None, case_id: str) -> None:
    """Draw the dialog with the case of this run, as long as it is open: image and case never part."""
    if st.session_state.get(_OPEN):
        _enlarged(image, case_id)


@st.dialog("Image", width="large", on_dismiss=close)
def _enlarged(image: str | bytes | None, case_id: str) -> None:
    """Show an image as large as is asked for, under the name of its case."""
    parts.sentence(f"Case {case_id}")
    if image is None:
        parts.note("This case has no image that can be shown.")
        return
    size = st.segmented_control("Size", list(SIZES), default="Fit", required=True, key="image-size")
    with st.container(height=HEIGHT, key=f"enlarged-{'fit' if size == 'Fit' else 'more'}"):
        st.image(image, width=SIZES[size], alt=f"Image of case {case_id}, enlarged")
