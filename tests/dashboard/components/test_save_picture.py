"""Pictures as they are saved: words and provenance above, nothing cut off."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.analysis.export import provenance
from dashboard.charts.cases.dots import dot_chart
from dashboard.charts.figure import figure_of
from dashboard.components.save_picture import LEAST_TITLE, WIDTH, saved_spec
from dashboard.shell.theme import DARK, LIGHT

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


def test_all_that_a_download_must_carry_is_in_the_provenance() -> None:
    """Version, study, fingerprint, seed and settings."""
    from core.cli import sample_folder
    from core.plausibility.settings import default_aggregation
    from core.study.reading.folder import read_study

    study = read_study(sample_folder("toy_three_labels"))
    task = next(iter(study.tasks.values()))
    found = provenance(study, task, default_aggregation(task))
    assert {"made by", "study", "fingerprint", "seed", "aggregation model", "reliability"} <= set(found)
