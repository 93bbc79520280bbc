"""Truths of a hundred in whole numbers: their sums are right, and no number is far from its share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.case import high_risk_probability, open_case, plausibility_table
from core.analysis.cases.contenders import contenders
from core.analysis.cases.hanging import hanging
from core.analysis.cases.headline import headline
from core.analysis.cases.left_out import left_out
from core.analysis.cases.truths import of_hundred_truths, whole_parts
from core.analysis.formatting import about_percent, number_of_hundred, of_hundred, percent
from core.plausibility.settings import Aggregation
from core.study.model import Study

SHARES = st.lists(st.integers(0, 1000), min_size=1, max_size=9).filter(any)
"""Counts of draws, which become shares."""


def parts(counts: list[int], *, last_is_rest: bool = False) -> tuple[dict[int, float], float]:
    """Shares that add up to one, the last of them perhaps of what has no name."""
    shares = [count / sum(counts) for count in counts]
    rest = shares.pop() if last_is_rest else 0.0
    return dict(enumerate(shares)), rest


@given(SHARES, st.booleans())
def test_parts_never_exceed_the_whole(counts: list[int], last_is_rest: bool) -> None:
    """Each is its share rounded up or down, and equal shares have equal numbers."""
    shares, rest = parts(counts, last_is_rest=last_is_rest)
    whole = whole_parts(shares, 100, rest)
    assert list(whole) == list(shares)
    assert sum(whole.values()) + np.floor(100 * rest + 1e-9) <= 100
    assert all(abs(whole[code] - 100 * share) < 1 for code, share in shares.items())
    for code, share in shares.items():
        assert all(whole[code] == whole[other] for other in shares if counts[other] == counts[code]), share


@given(SHARES)
def test_parts_make_up_the_whole_where_it_can_be(counts: list[int]) -> None:
    """Shares that differ by more than a hundredth fall short by what the largest is not raised for, alone."""
    apart = [3000 * (place + 1) + count for place, count in enumerate(counts)]
    shares, _ = parts(apart)
    whole = whole_parts(shares, 100)
    largest = max(shares, key=shares.__getitem__)
    assert 0 <= 100 - sum(whole.values()) <= (whole[largest] < 100 * shares[largest])


@given(SHARES)
def test_a_larger_share_has_no_smaller_number(counts: list[int]) -> None:
    """In whatever order they stand."""
    shares, _ = parts(counts)
    whole = whole_parts(shares, 100)
    falling = [whole[code] for code in sorted(shares, key=lambda code: -counts[code])]
    assert falling == sorted(falling, reverse=True)


@given(SHARES)
def test_as_few_as_can_be_are_rounded_to_the_other_side(counts: list[int]) -> None:
    """Where the numbers add up as they are, none is moved; of the largest, the first is lowered last."""
    shares, _ = parts(counts)
    rounded = {code: round(100 * share) for code, share in shares.items()}
    if sum(rounded.values()) == 100:
        assert whole_parts(shares, 100) == rounded


def test_thirty_five_thirty_four_and_thirty_two() -> None:
    """They add up to 101 when each is rounded on its own: the one nearest to the middle gives way."""
    assert whole_parts({0: 0.3465, 1: 0.3380, 2: 0.3155}, 100) == {0: 35, 1: 34, 2: 31}
    assert whole_parts({0: 1 / 3, 1: 1 / 3, 2: 1 / 3}, 100) == {0: 33, 1: 33, 2: 33}
    assert whole_parts({}, 0) == {}


@pytest.mark.parametrize("model", ["plackett-luce", "prirn"])
def test_a_case_adds_up(dermatology: Study, model: str) -> None:
    """All labels to at most a hundred; those of high risk to at most what they have together.

    Table, sentence and the row of all readings have one number for a label.
    """
    task = next(iter(dermatology.tasks.values()))
    for index in range(0, 300, 9):
        case = open_case(dermatology, task, Aggregation(model, 1.5), index)
        table = plausibility_table(case).assign(of_hundred=of_hundred_truths(case))
        assert table["of_hundred"].sum() <= 100
        assert (abs(table["of_hundred"] - 100 * table["leads"]) <= 1).all()
        high = table.loc[table["risk"] == "H", "of_hundred"]
        assert high.sum() <= round(100 * high_risk_probability(case))
        counts = table.set_index("label")["of_hundred"]
        between = contenders(case, headline(case)).set_index("label")
        assert (between["leads"] == counts[between.index]).all()
        said = hanging(case, left_out(case))
        for share in said.rows[0].leads if said and said.rows else ():
            if share.often.isdecimal() and share.label in counts.index:
                assert int(share.often) == counts[share.label]


@given(st.floats(0, 1))
def test_no_share_is_said_to_be_none_that_is_some(share: float) -> None:
    """Nor one that is nearly nothing to be 0 %, whatever words stand around it."""
    number = round(100 * share)
    assert (number_of_hundred(number, share) == "none") == (share == 0)
    assert (of_hundred(share) == "none") == (share == 0)
    for words in (percent(share), about_percent(share)):
        assert (words.removeprefix("about ").startswith("0")) == (share == 0)
