"""The image of a case, and the same image enlarged."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

from core.study.model import Study

WIDTH = 300
SIZES: dict[str, int | Literal["stretch"]] = {"Fit": "stretch", "2×": 1200, "4×": 2400}
"""Widths of the enlarged image in pixels; what does not fit is scrolled, by keyboard too."""
HEIGHT = 620
"""Of the window that it is seen through, in pixels."""
ENLARGE = "alt+z"


def image_path(study: Study, index: int) -> Path | None:
    """Return the case's image if it has one and it lies inside the study's folder."""
    if study.root is None or "image" not in study.cases:
        return None
    name = study.cases["image"].iloc[index]
    if not isinstance(name, str) or not name:
        return None
    root = study.root.resolve()
    path = (root / name).resolve()
    return path if path.is_relative_to(root) and path.is_file() else None


def show_image(path: Path, case_id: str) -> None:
    """Draw an image with a button that enlarges it."""
    st.image(str(path), width=WIDTH, alt=f"Image of case {case_id}")
    if st.button("Enlarge", key="enlarge", shortcut=ENLARGE):
        _enlarged(path, case_id)


@st.dialog("Image", width="large")
def _enlarged(path: Path, case_id: str) -> None:
    """Show an image as large as is asked for."""
    size = st.segmented_control("Size", list(SIZES), default="Fit", required=True, key="image-size")
    with st.container(height=HEIGHT, key=f"enlarged-{'fit' if size == 'Fit' else 'more'}"):
        st.image(str(path), width=SIZES[size], alt=f"Image of case {case_id}, enlarged")
