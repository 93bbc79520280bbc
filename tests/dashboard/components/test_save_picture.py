"""Pictures as they are saved: words and provenance above, nothing cut off, nothing fetched."""

from __future__ import annotations

import http.server
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from xml.etree import ElementTree as ET

import altair as alt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from core.analysis.export import provenance
from dashboard.charts.cases.dots import dot_chart
from dashboard.charts.figure import Figure, figure_of
from dashboard.components.save_picture import LEAST_TITLE, PADDING, WIDTH, saved, saved_spec
from dashboard.shell.theme import DARK, LIGHT, Tokens

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = {"made by": "Loupe 9", "seed": "7", "fingerprint": "abc", "reliability": "∞", "notice": "Two\nlines"}


def test_provenance_stands_on_the_picture() -> None:
    """Every entry, whole, on a ground that is not transparent; the picture on the page stays as it is."""
    figure = dot_chart(pd.DataFrame({"label": ["a"], "risk": [""], "dots": [20]}), tokens=DARK)
    spec = saved_spec(figure, title="Dots " * 60, provenance=SOURCE, tokens=DARK)
    words = " ".join(spec["title"]["subtitle"])
    assert words == "made by: Loupe 9 · seed: 7 · fingerprint: abc · reliability: ∞ · notice: Two lines"
    assert len(spec["title"]["text"]) == 2
    assert spec["background"] == DARK.page
    assert max(map(len, spec["title"]["subtitle"])) <= LEAST_TITLE / 5
    assert "title" not in figure.spec


def test_a_picture_as_wide_as_the_page_gets_a_width() -> None:
    """Its own width where it has one; none is forced upon pictures side by side."""
    chart = alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x="x:Q")
    single, pair = figure_of(chart, LIGHT), figure_of(chart | chart, LIGHT)
    assert saved_spec(single, title="", provenance={}, tokens=LIGHT)["width"] == WIDTH
    assert "width" not in saved_spec(pair, title="", provenance={}, tokens=LIGHT)


@pytest.fixture(scope="module")
def odd() -> Figure:
    """Names that are markup, a gap, and numbers of every kind."""
    frame = pd.DataFrame(
        {
            "x": np.array([1, 2, 3, 4], np.int64),
            "y": [0.25, 0.5, 0.75, np.nan],
            "name": pd.Categorical(["</svg><script>", "γ ≥ ∞ &amp;", "病", "none"]),
        }
    )
    return figure_of(alt.Chart(frame).mark_point().encode(x="x:Q", y="y:Q", shape="name:N"), LIGHT)


def test_an_svg_says_what_it_shows_and_what_made_it(odd: Figure) -> None:
    """Title, description and small print hold every word as it is; markup in names stays text."""
    root = ET.fromstring(saved(odd, "svg", title="A < B & C", provenance=SOURCE, tokens=LIGHT))
    assert root.findtext(f"{SVG}title") == "A < B & C"
    assert root.findtext(f"{SVG}desc") == "\n".join(f"{key}: {value}" for key, value in SOURCE.items())
    words = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {"A < B & C", "</svg><script>", "γ ≥ ∞ &amp;", "病"} <= set(words)
    assert "fingerprint: abc" in " ".join(words)
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_a_png_is_twice_as_large_as_the_svg(odd: Figure, tokens: Tokens) -> None:
    """On the ground of the page, to its edges, with room for what stands beside the axes."""
    given = {"title": "Odd", "provenance": SOURCE, "tokens": tokens}
    root = ET.fromstring(saved(odd, "svg", **given))
    image = Image.open(BytesIO(saved(odd, "png", **given))).convert("RGB")
    assert image.size == (2 * int(root.get("width", "")), 2 * int(root.get("height", "")))
    assert image.width > 2 * WIDTH
    ground = tuple(bytes.fromhex(tokens.page.removeprefix("#")))
    edge = np.asarray(image)[:PADDING, :]
    assert (edge == ground).all()
    assert (np.asarray(image) != ground).any()


def test_a_pdf_is_one_page_of_text(odd: Figure) -> None:
    """It ends where a PDF ends and carries the typeface that it is written in."""
    content = saved(odd, "pdf", title="Odd", provenance=SOURCE, tokens=LIGHT)
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert content.count(b"/Type /Page\n") + content.count(b"/Type/Page\n") == 1
    assert b"LiberationSans" in content


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_nothing_is_fetched(kind: str) -> None:
    """Data that lie at an address are refused, and nobody was asked for them."""
    asked: list[str] = []

    class Listening(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with http.server.HTTPServer(("127.0.0.1", 0), Listening) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(server.serve_forever, 0.02)
        chart = alt.Chart(f"http://127.0.0.1:{server.server_port}/data.csv").mark_point().encode(x="x:Q")
        figure = Figure(chart.to_dict() | {"config": {"text": {}}}, {})
        try:
            with pytest.raises(ValueError, match="not allowed"):
                saved(figure, kind, title="", provenance={}, tokens=LIGHT)
        finally:
            server.shutdown()
    assert asked == []


def test_all_that_a_download_must_carry_is_in_the_provenance() -> None:
    """Version, study, fingerprint, seed and settings."""
    from core.cli import sample_folder
    from core.plausibility.settings import default_aggregation
    from core.study.reading.folder import read_study

    study = read_study(sample_folder("toy_three_labels"))
    task = next(iter(study.tasks.values()))
    found = provenance(study, task, default_aggregation(task))
    assert {"made by", "study", "fingerprint", "seed", "aggregation model", "reliability"} <= set(found)
