"""The labels below the sentence of a case: those that tie, and others set apart from them."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.cases.headline import Headline


def _script(said: object) -> None:
    from dashboard.views.cases import headline

    headline.show(said, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n", "why", "begins", "is_apart"),
    [
        (3, "Tied within the simulation error", "Tied within the simulation error: ", True),
        (3, "", "Tied: ", True),
        (4, "Tied within the simulation error", "Tied within the simulation error: ", False),
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
    assert ("Not tied, high risk" in words) == is_apart
    if is_apart:
        assert words.index("c 28") < words.index("Not tied, high risk") < words.index("d 9")
