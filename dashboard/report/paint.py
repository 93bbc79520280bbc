"""Pictures of a report: still for print and for readers without scripts, live for those who point at them."""

from __future__ import annotations

import gzip
import json
import math
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any

import vl_convert

from dashboard.charts.figure import Figure
from dashboard.components.painting import FONT, slide_spec

DIGITS = 7
"""Significant digits of what a live picture is drawn from; its table has those that people read."""
_ID = re.compile(r'\bid="([^"]+)"')
_SAID = re.compile(
    r' (?:aria-(?:label|roledescription|hidden)|role|class|pointer-events|stroke-miterlimit)="[^"]*"'
    r'| font-family="[^"]*"| style="pointer-events: none;"|(?<![-\w])opacity="1" ?'
)
"""Defaults, and what Vega says of single marks for those who do not see: the table of a picture says that."""
_EMPTY = re.compile(r'<path d="M0,0h0v0h0Z" ?/>|<g ?/>|<g></g>')
_LONG = re.compile(r"(\.\d\d)\d+")


def spec_of(figure: Figure) -> dict[str, Any]:
    """Specification of a picture with its data, without title: the report has that as its heading."""
    spec = slide_spec(figure, title="")
    del spec["title"]
    return spec | {"padding": 4}


def still(spec: dict[str, Any], name: str) -> str:
    """Paint a picture as an SVG that can stand beside others: its ids begin with the picture's name."""
    svg = str(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]))
    # Vega numbers them on and on, from one picture to the next.
    for number, found in enumerate(dict.fromkeys(_ID.findall(svg))):
        for before, after in (('id="', '"'), ("url(#", ")"), ('href="#', '"')):
            svg = svg.replace(f"{before}{found}{after}", f"{before}{name}--{number}{after}")
    begin, rest = svg.split(">", 1)
    rest = _LONG.sub(r"\1", _SAID.sub("", rest))
    while (shorter := _EMPTY.sub("", rest)) != rest:
        rest = shorter
    own = f'<svg aria-hidden="true" focusable="false" font-family="{escape(FONT)}"'
    return f"{own} {begin.removeprefix('<svg ')}>{rest}"


def live(specs: Mapping[str, dict[str, Any]]) -> str:
    """Pack what live pictures need: the script that draws them, and their specifications by name.

    Returns
    -------
    str
        Base64 of what gzip makes of JSON: ``vega``, Vega, Vega-Lite and Vega-Embed as one script which
        fetches nothing, and ``specs``. The same text for the same pictures.
    """
    text = json.dumps(
        {"vega": _vega(), "specs": _rounded(dict(specs))},
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    )
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode()


@cache
def _vega() -> str:
    """Bundle of all that draws a picture; 4 s, once a process."""
    return str(vl_convert.javascript_bundle(None))  # type: ignore[arg-type]


def _rounded(value: Any) -> Any:
    """Round the numbers of a specification."""
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value
