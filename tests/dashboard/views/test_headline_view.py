"""The labels below the sentence of a case: those that tie, and others set apart from them."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.cases.headline import Headline


def _script(said: object) -> None:
    import pandas as pd

    from dashboard.views.cases import headline

    headline.show_labels(said, pd.DataFrame(), 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n", "why", "begins", "is_apart"),
    [
        (
            3,
            "Another random sample of truths could change their order",
            "Another random sample of truths could change their order: ",
            True,
        ),
        (3, "", "Tied: ", True),
        (
            4,
            "Another random sample of truths could change their order",
            "Another random sample of truths could change their order: ",
            False,
        ),
        (4, "", "", False),
        (0, "", "", False),
    ],
)
def test_what_does_not_tie_is_set_apart(n: int, why: str, begins: str, is_apart: bool) -> None:
    """Only labels that the sentence counts stand after "Tied"."""
    labels = pd.DataFrame({"label": ["a", "b", "c", "d"], "risk": list("LMLH"), "leads": [30, 29, 28, 9]})
    test = AppTest.from_function(
        _script, args=(Headline("Some labels tie.", labels, why, n_tied=n),), default_timeout=300
    ).run()
    assert not test.exception
    words = next(one.proto.body for one in test.get("html") if "loupe-labels" in one.proto.body)
    assert f'loupe-labels">{begins}<span>' in words
    assert ("High-risk labels behind these" in words) == is_apart
    if is_apart:
        assert words.index("c 28") < words.index("High-risk labels behind these") < words.index("d 9")


def _beside(said: object, table: object) -> None:
    from dashboard.views.cases import headline

    headline.show_labels(said, table, 6, "", "Named, but never first: a <i>b</i>")  # type: ignore[arg-type]


def test_labels_stand_side_by_side_with_their_readings() -> None:
    """Each with how many put it first and name it, as text; what the table has not stands in a line."""
    table = pd.DataFrame(
        {
            "label": ["Eczema", "<b>x</b>"],
            "risk": ["L", "H"],
            "leads": [44, 31],
            "often": ["44", "fewer than 1"],
            "is_leader": [True, False],
            "first": [3, 0],
            "alone": [1, 0],
            "named": [5, 2],
            "settled_by": ["", "<i>swab</i> & \"PCR'"],
        }
    )
    labels = pd.DataFrame({"label": ["<b>x</b>", "c"], "risk": ["H", "H"], "leads": [31, 9]})
    test = AppTest.from_function(
        _beside,
        args=(Headline("One leads.", labels), table),
        default_timeout=300,
    ).run()
    assert not test.exception
    bodies = [one.proto.body for one in test.get("html")]
    shown = next(body for body in bodies if "loupe-contenders" in body)
    assert "<td>3 of 6 (1 alone, 2 tied)</td><td>5 of 6</td><td>44 of 100</td>" in shown
    assert "<td>none</td><td>2 of 6</td><td>fewer than 1</td>" in shown
    assert "&lt;b&gt;x" in shown
    assert "<b>x" not in shown
    assert "<i>" not in shown
    assert (
        'labels.csv; the same file says what settles it: &lt;i&gt;swab&lt;/i&gt; &amp; &quot;PCR&#x27;"'
        in shown
    )
    assert shown.count("what settles it") == 1
    assert any("Named, but never first: a &lt;i&gt;b&lt;/i&gt;." in body for body in bodies)
    line = next(body for body in bodies if "loupe-labels" in body)
    assert "c 9" in line
    assert "&lt;b&gt;x" not in line
    test = AppTest.from_function(
        _beside, args=(Headline("Point estimate.", labels), table.assign(leads=math.nan)), default_timeout=300
    ).run()
    assert not test.exception
    assert not any("of 100" in one.proto.body for one in test.get("html"))
