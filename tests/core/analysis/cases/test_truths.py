"""Truths of a hundred in whole numbers: one number for a share, wherever a case says it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.case import high_risk_probability, open_case, plausibility_table
from core.analysis.cases.contenders import contenders
from core.analysis.cases.effect import ANY_HIGH_RISK, effect_table
from core.analysis.cases.hanging import hanging
from core.analysis.cases.headline import headline
from core.analysis.cases.left_out import left_out
from core.analysis.cases.truths import (
    about_100,
    alike_words,
    of_hundred_truths,
    range_of_100,
    times,
    to_range,
    whole_truths,
)
from core.analysis.formatting import number_of_hundred, of_hundred, percent
from core.plausibility.settings import Aggregation
from core.study.model import Study


def test_each_share_is_rounded_by_itself() -> None:
    """Thirty-five, thirty-four and thirty-two make 101, and each is right; only what is all is a hundred."""
    assert whole_truths({0: 0.3465, 1: 0.3380, 2: 0.3155}) == {0: 35, 1: 34, 2: 32}
    assert whole_truths({0: 0.9999, 1: 0.0001}) == {0: 99, 1: 0}
    assert whole_truths({3: 1.0}) == {3: 100}
    assert whole_truths({}) == {}


@pytest.mark.parametrize("model", ["plackett-luce", "prirn"])
def test_a_label_has_one_number_in_words_tables_and_pictures(dermatology: Study, model: str) -> None:
    """In the sentence, the table of labels, the row of all readings, and as pictures write it."""
    task = next(iter(dermatology.tasks.values()))
    for index in range(0, 300, 9):
        case = open_case(dermatology, task, Aggregation(model, 1.5), index)
        table = plausibility_table(case).assign(of_hundred=of_hundred_truths(case)).set_index("label")
        counts = table["of_hundred"]
        for label, number in counts.items():
            share = float(table.loc[label, "leads"])
            assert times(share) in (str(number), "fewer than 1", "none"), label
            assert abs(number - 100 * share) <= 1
        between = contenders(case, headline(case)).set_index("label")
        assert (between["leads"] == counts[between.index]).all()
        said = hanging(case, left_out(case))
        for share in said.rows[0].leads if said and said.rows else ():
            if share.often.isdecimal() and share.label in counts.index:
                assert int(share.often) == counts[share.label]
        shown = effect_table(case, case).set_index("label")["after"]
        assert all(min(round(100 * shown[label]), 99) == min(counts[label], 99) for label in shown.index[:-1])
        assert shown[ANY_HIGH_RISK] == high_risk_probability(case)


@given(st.floats(0, 1))
def test_no_share_is_said_to_be_none_that_is_some(share: float) -> None:
    """Nor one that is nearly nothing to be 0 %, whatever words stand around it."""
    number = round(100 * share)
    assert (number_of_hundred(number, share) == "none") == (share == 0)
    assert (of_hundred(share) == "none") == (share == 0)
    for words in (percent(share), about_100(share)):
        assert (words.removeprefix("about ").startswith(("0", "none"))) == (share == 0)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([50, 50], "tied"),
        (["fewer than 1", "none"], "tied"),
        ([52, 48], "too close to tell"),
        (["30", "29", "30"], "too close to tell"),
        ([60, 35], "alike in the readings"),
    ],
)
def test_labels_are_called_tied_only_where_their_numbers_are_equal(
    numbers: list[int | str], words: str
) -> None:
    """Fifty-two and forty-eight are no tie to whoever reads them."""
    assert alike_words(numbers) == words


def test_what_is_nearly_all_is_the_same_number_everywhere() -> None:
    """And a range of two that look alike is one."""
    assert times(0.9996) == "99"
    assert times(1.0) == "100"
    assert range_of_100(0.301, 0.304) == "30 of 100"
    assert range_of_100(0.3, 0.42) == "30 to 42 of 100"
    assert to_range(0.03, 0.07) == "to between 3 and 7 of 100"
    assert to_range(0.701, 0.702) == "to 70 of 100"
