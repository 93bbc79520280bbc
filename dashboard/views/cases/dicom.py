"""Pictures of DICOM files: which grey values are drawn from black to white, and the picture itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import streamlit as st

from core.study.images import ImageError, Picture, Window
from dashboard.shell import widgets
from dashboard.shell.cache import cached

OWN = "Own"
_OWN_WINDOW = "loupe-image-window"


@dataclass(frozen=True)
class Shot:
    """One image of a case.

    Attributes
    ----------
    source : str or bytes
        Path of the file, or its content.
    name : str
        The file's path in the study.
    frame : int
        Which picture of the file, from 0: DICOM files may hold several.
    """

    source: str | bytes
    name: str
    frame: int = 0


def _windows(shot: Shot) -> dict[str, Window]:
    """Windows on offer by their names: those of the file, and all that was measured."""
    picture = _picture(shot)
    if not picture.is_gray:
        return {}
    offered: dict[str, Window] = {}
    for window in (*picture.windows, *picture.usual_windows(), picture.full_window()):
        name = window.name or "As in the file"
        number = sum(other.startswith(name) for other in (*offered, OWN))
        offered[f"{name}, {number + 1}" if number else name] = window
    return offered


def first_window(shot: Shot) -> Window | None:
    """Grey values between black and white where nobody has chosen others."""
    return next(iter(_windows(shot).values()), None)


def window_in_force(shot: Shot) -> Window | None:
    """Grey values between black and white as last chosen, where this image has them; else the first offer."""
    offered = _windows(shot)
    if not offered:
        return None
    chosen = widgets.own("image-window", [*offered, OWN])
    return offered[chosen] if chosen != OWN else _own_window(shot, offered)


def _own_window(shot: Shot, offered: dict[str, Window]) -> Window:
    """Level and width as somebody set them for this file."""
    kept = st.session_state.get(_OWN_WINDOW)
    return kept[1] if kept is not None and kept[0] == shot.name else next(iter(offered.values()))


def choose_window(shot: Shot) -> Window | None:
    """Offer the grey values between black and white, and return those that are chosen."""
    window, offered = window_in_force(shot), _windows(shot)
    if window is None:
        return None
    names = [*offered, OWN]
    chosen = widgets.own("image-window", names)
    st.selectbox(
        "Window",
        **widgets.choice("image-window", chosen, names, words=lambda name: _in_words(name, offered)),
        help="Which values are drawn from black (level less half the width) to white (level plus half the "
        "width), in the units of the file",
        width=260,
    )
    if chosen == OWN:
        _sliders(shot, window)
    return window


def _sliders(shot: Shot, window: Window) -> None:
    """Offer any level and width."""
    whole = _picture(shot).full_window()
    low, high = whole.level - whole.width / 2, whole.level + whole.width / 2
    step = 1.0 if whole.width >= 50 else whole.width / 256
    least, most = min(step, window.width), max(whole.width, window.width)

    def taking(change: Callable[[float], Window]) -> widgets.Take:
        def take(said: Any) -> None:
            st.session_state[_OWN_WINDOW] = (shot.name, change(float(said)))

        return take

    level = widgets.bind(
        "image-level", window.level, take=taking(lambda said: Window(said, _own_or(shot, window).width))
    )
    width = widgets.bind(
        "image-width", window.width, take=taking(lambda said: Window(_own_or(shot, window).level, said))
    )
    style = "%.0f" if whole.width >= 50 else "%.3g"
    st.slider(
        "Level", min(low, window.level), max(high, window.level), step=step, format=style, **level, width=180
    )
    st.slider("Width", least, most, step=step, format=style, **width, width=180)


def _own_or(shot: Shot, window: Window) -> Window:
    """Level and width that are in force by now."""
    kept = st.session_state.get(_OWN_WINDOW)
    return kept[1] if kept is not None and kept[0] == shot.name else window


def _in_words(name: str, offered: dict[str, Window]) -> str:
    window = offered.get(name)
    return f"{name} level and width" if window is None else f"{name}: {window.level:g} ± {window.width / 2:g}"


def _changed(source: str | bytes) -> float:
    """When a file was changed last, so that what was read of it is read anew."""
    return Path(source).stat().st_mtime if isinstance(source, str) else 0.0


def count_of(source: str | bytes) -> int:
    """Pictures in a DICOM file; one that cannot be read counts as one, and is refused when it is shown."""
    return _count(source, _changed(source))


@cached(256)
def _count(source: str | bytes, changed: float) -> int:  # noqa: ARG001
    from core.study.images import count_pictures

    try:
        return count_pictures(_file(source))
    except ImageError:
        return 1


def _file(source: str | bytes) -> Path | bytes:
    return Path(source) if isinstance(source, str) else source


def _picture(shot: Shot) -> Picture:
    return _read(shot.source, shot.frame, _changed(shot.source))


@cached(3)
def _read(source: str | bytes, frame: int, changed: float) -> Picture:  # noqa: ARG001
    from core.study.images import read_picture

    return read_picture(_file(source), frame)


def rendered(shot: Shot, window: Window | None, width: int | None) -> bytes:
    """A picture of a DICOM file as PNG, at most so many pixels wide."""
    return _png(shot.source, shot.frame, _changed(shot.source), window, width)


@cached(16)
def _png(source: str | bytes, frame: int, changed: float, window: Window | None, width: int | None) -> bytes:
    from PIL import Image

    from core.study.images import shades

    picture = _read(source, frame, changed)
    image = Image.fromarray(shades(picture, window))
    across, down = image.size
    if picture.aspect != 1:
        across, down = (
            (across, round(down * picture.aspect))
            if picture.aspect > 1
            else (
                round(across / picture.aspect),
                down,
            )
        )
    if width is not None and across > width:
        across, down = width, max(1, round(down * width / across))
    if (across, down) != image.size:
        image = image.resize((across, down))
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
