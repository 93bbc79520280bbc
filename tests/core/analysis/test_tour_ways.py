"""Why labels support a range: the ways of labelling that are shown, and their words, are the claim's."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.analysis import tour_ways as ways
from core.analysis.tour_claim import N_TRUTHS, claim


@pytest.mark.parametrize(
    ("claimed", "n_readers", "agreement", "n_cases"),
    [(0.92, 3, 0.6, 150), (0.78, 3, 0.6, 150), (0.4, 1, 0.4, 20), (0.9, 7, 0.8, 9000), (1.0, 100, 0.95, 150)],
)
def test_the_dots_are_the_truths_of_the_claim(
    claimed: float, n_readers: int, agreement: float, n_cases: int
) -> None:
    """Those that are supported span the very range that is said, and all but a few are; as many reach it."""
    found = claim(claimed, n_readers, agreement, n_cases)
    table = ways.ways_table(found)
    assert len(table) == N_TRUTHS
    assert table["accuracy"].is_monotonic_increasing
    inside = table.loc[table["is_supported"], "accuracy"]
    assert (inside.min(), inside.max()) == pytest.approx((found.low, found.high))
    assert 95 <= len(inside) <= N_TRUTHS
    reach = (table["accuracy"] >= claimed - 1e-9).sum()
    assert reach == pytest.approx(N_TRUTHS * found.reached, abs=1)


def test_every_number_in_the_words_is_of_the_claim() -> None:
    """Cases, ways, range and claim; readers and how often they agree stand in the answer."""
    found = claim(0.925, 5, 0.7, 1500)
    said = ways.ways_in_words(found).replace("\u00a0", " ")
    ends = [f"{100 * end:.0f}" for end in (found.low, found.high)]
    assert re.findall(r"[\d.,]*\d", said) == ["1,500", "100", *ends, "92.5"]


def test_it_is_said_where_the_claim_lies() -> None:
    """Above what is supported, among it, or below."""
    told = {
        claim(c, 3).grade: ways.ways_in_words(claim(c, 3)).split("lies ")[-1] for c in np.linspace(0, 1, 101)
    }
    assert told["unproved"] == "above them."
    assert told["possible"] == "among them: only possible, not proven."
    assert told["less"] == "below them."
    assert told.get("barely", "among the highest of them.") == "among the highest of them."
