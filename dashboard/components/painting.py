"""Paint a picture for a file: as it stands on a slide, or as wide as the columns of a journal.

vl-convert paints with Vega-Lite as the page does, fetches nothing, and brings its own typeface; letters that
it lacks come from the computer's. A picture for a journal is laid out anew for its width, not shrunk: the
column is as many of the picture's own pixels wide as make its smallest letters, of `LEAST_LETTER` pixels,
`LEAST_POINTS` high. It has no title, for a journal sets a caption beneath. What made a picture is said in
the file and never on it.
"""

from __future__ import annotations

import json
import re
import struct
import textwrap
import zlib
from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd
import vl_convert

from core.analysis.picture_form import COLUMNS, PictureForm
from dashboard.charts.figure import Figure
from dashboard.charts.in_light import in_light
from dashboard.components.pdf_words import described_pdf
from dashboard.components.text import wrapped
from dashboard.shell.theme import LIGHT

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first comes with vl-convert; where another program opens an SVG, the others have the same widths."""
LEAST_POINTS, LEAST_LETTER = 7.0, 11.0
"""Height of the smallest letters on paper in points, and what they are in pixels of a picture."""
LARGEST = 1.6
"""How many times larger a picture with a width of its own is printed at most."""
SLIDE_WIDTH = 640
"""Of a picture on a slide that has no width of its own, in pixels."""
PADDING = 14
"""Round a picture on a slide."""
LEAST_TITLE = 460
"""Pixels that the words above a narrow picture may take."""
SCALE = 2
"""Pixels of a PNG for a slide for each of the page."""
_EDGE = 3
"""Pixels between a picture and the edges of a column."""
_POINTS = 72 / 25.4
"""In a millimetre."""
_PLOT, _LETTER = 0.55, 6.2
"""Part of a column that the plot takes at least, and pixels of a letter of a title."""
_USUAL_HEIGHT, _AXIS = 200, 50
"""Of a picture that says none, and of a horizontal axis with its title."""
_OPENING = re.compile(r"<svg\b[^>]*>")
_ROOM = "containerSize()[0]"
"""How a picture asks for the width of its place."""


def on_slide(figure: Figure, kind: str, *, title: str, provenance: Mapping[str, str]) -> bytes:
    """Content of the file of a picture with its title, as wide as it stands on a page."""
    svg = _svg(slide_spec(figure, title=title))
    width, height = _size(svg)
    return _file(svg, kind, (0, 0, width, height), (f"{width:g}", f"{height:g}"), title, provenance)


def in_columns(figure: Figure, form: PictureForm, *, title: str, provenance: Mapping[str, str]) -> bytes:
    """Content of the file of a picture as wide as the columns of a journal."""
    points = COLUMNS[form.width] * _POINTS
    column = points * LEAST_LETTER / LEAST_POINTS
    if form.width == "one" and figure.narrow is not None:
        figure = figure.narrow
    spec = column_spec(figure, column)
    svg = _svg(spec)
    width, height = _size(svg)
    # A picture with a width of its own stands in the middle.
    seen = max(width, column / LARGEST)
    unit = COLUMNS[form.width] / seen
    size = [f"{side * unit:.3f}mm" for side in (seen, height)]
    if form.format != "svg":
        size = [f"{side * points / seen:.3f}" for side in (seen, height)]
    box = ((width - seen) / 2, 0, seen, height)
    return _file(svg, form.format, box, (size[0], size[1]), title, provenance, dpi=form.dpi)


def slide_spec(figure: Figure, *, title: str) -> dict[str, Any]:
    """Specification of a picture with a title above and room around it."""
    spec = _base(figure)
    has_place = not isinstance(spec.get("width"), int | float)
    if has_place and _is_single(spec):
        spec["width"] = SLIDE_WIDTH
    across = max(spec["width"], LEAST_TITLE) if _is_single(spec) else SLIDE_WIDTH
    return spec | {
        "title": {
            "text": wrapped(title, int(across / 8)).split("\n"),
            "anchor": "start",
            "fontSize": 14,
            "color": LIGHT.text,
            "offset": 14,
        },
        "autosize": {"type": "pad"},
        "padding": dict.fromkeys(("left", "right", "top", "bottom"), PADDING),
    }


def column_spec(figure: Figure, column: float) -> dict[str, Any]:
    """Specification of a picture laid out for a column of so many pixels."""
    spec = _base(figure)
    if isinstance(spec.get("width"), int | float) or not _is_single(spec):
        return spec
    padding = spec.get("padding") or spec["config"]["padding"]
    narrow: dict[str, Any] = _placed(spec, column)
    height = narrow.get("height")
    high = height if isinstance(height, int | float) else _USUAL_HEIGHT
    narrow = _titled(narrow, {"x": int(column * _PLOT / _LETTER), "y": int((high - _AXIS) / _LETTER)})
    config = narrow["config"]
    return narrow | {
        "config": config
        | {
            "axis": config["axis"] | {"labelSeparation": 2},
            "legend": {"labelFontSize": 12, "titleFontSize": 12},
        },
        "width": column,
        "padding": padding | {"left": _EDGE, "right": max(padding["right"] - 4, _EDGE)},
    }


def _base(figure: Figure) -> dict[str, Any]:
    """Specification of a picture on white, with its data and the typeface that it is painted in."""
    spec = {key: value for key, value in in_light(figure).spec.items() if key != "usermeta"}
    config = spec["config"]
    return spec | {
        "background": LIGHT.page,
        "config": config | {"font": FONT, "text": config["text"] | {"font": FONT}},
        "datasets": {name: _rows(frame) for name, frame in figure.data.items()},
    }


def _is_single(spec: Mapping[str, Any]) -> bool:
    """Whether a picture is not several side by side."""
    return not {"hconcat", "vconcat", "concat", "facet", "repeat"} & set(spec)


def _placed(part: Any, width: float) -> Any:
    """Part of a specification that is told the width of its place: on paper nothing can be asked."""
    if isinstance(part, dict):
        # Data are what they are.
        return {key: value if key == "datasets" else _placed(value, width) for key, value in part.items()}
    if isinstance(part, list):
        return [_placed(value, width) for value in part]
    return part.replace(_ROOM, f"{width:g}") if isinstance(part, str) else part


def _titled(part: Any, most: Mapping[str, int]) -> Any:
    """Part of a specification whose titles of axes have no longer lines than so many letters."""
    if isinstance(part, list):
        return [_titled(value, most) for value in part]
    if not isinstance(part, dict):
        return part
    turned = {key: value if key == "datasets" else _titled(value, most) for key, value in part.items()}
    for axis, letters in most.items():
        title = turned[axis].get("title") if isinstance(turned.get(axis), dict) else None
        if isinstance(title, str) and len(title) > letters:
            turned[axis]["title"] = _even(title, letters)
    return turned


def _even(text: str, most: int) -> list[str]:
    """Text on as few lines as it takes, about equally long."""
    lines = textwrap.wrap(text, most)
    narrower = (textwrap.wrap(text, width) for width in range(most // 2, most))
    return next((tried for tried in narrower if len(tried) == len(lines)), lines)


def _svg(spec: dict[str, Any]) -> str:
    """Picture as SVG; no address at all is fetched from."""
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])


def _size(svg: str) -> tuple[float, float]:
    """Width and height of an SVG in pixels."""
    opening = _OPENING.search(svg)
    assert opening is not None
    width, height = (re.search(rf'\b{side}="([\d.]+)"', opening[0]) for side in ("width", "height"))
    assert width is not None
    assert height is not None
    return float(width[1]), float(height[1])


def _file(
    svg: str,
    kind: str,
    box: tuple[float, float, float, float],
    size: tuple[str, str],
    title: str,
    provenance: Mapping[str, str],
    *,
    dpi: int = 0,
) -> bytes:
    """Content of a file that shows the part of an SVG in a box; the words about it are unseen in it."""
    words = "\n".join(f"{key}: {value}" for key, value in provenance.items())
    left, top, width, height = box
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
        f'width="{size[0]}" height="{size[1]}" viewBox="{left:g} {top:g} {width:g} {height:g}">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>"
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{LIGHT.page}"/>'
    )
    whole = _OPENING.sub(lambda _: opening, svg, count=1)
    if kind == "svg":
        return whole.encode()
    if kind == "pdf":
        return described_pdf(vl_convert.svg_to_pdf(whole), {"Title": title, "Subject": words})
    png = vl_convert.svg_to_png(whole, ppi=dpi) if dpi else vl_convert.svg_to_png(whole, scale=SCALE)
    return _with_words(png, {"Title": title, "Description": words})


def _with_words(png: bytes, words: Mapping[str, str]) -> bytes:
    """PNG with texts in it that nobody sees (chunks iTXt of the PNG specification, after the head)."""
    head = 33
    chunks = b""
    for key, text in words.items():
        body = b"iTXt" + key.encode() + b"\0\0\0\0\0" + text.encode()
        chunks += struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:head] + chunks + png[head:]


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A frame as Vega-Lite reads it where it is written out."""
    rows: list[dict[str, Any]] = json.loads(frame.to_json(orient="records", double_precision=15))
    return rows
