"""Options declared once: wrong values are refused, and kinds read what they write."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from core.analysis.cases.select import Filters
from core.settings import (
    YES_OR_NO,
    Kind,
    Settings,
    number,
    one_of,
    option,
    options,
    part,
    some_of,
    texts,
    whole,
)


@dataclass(frozen=True)
class Meal(Settings):
    """What somebody eats."""

    dish: str = option("", "what is served", one_of(["soup", "salad"]))
    plates: int = option(1, "how many", whole(1, 9))
    salt: float | None = option(None, "how much", number(0, 1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"dish": "sup"}, "dish must be one of soup, salad, got 'sup'; did you mean soup?"),
        ({"dish": "zzz"}, "dish must be one of soup, salad, got 'zzz'$"),
        ({"dish": 3}, "dish must be one of soup, salad, got 3"),
        ({"plates": 0}, "plates must be a whole number from 1 to 9, got 0"),
        ({"plates": 1.5}, "plates must be a whole number from 1 to 9, got 1.5"),
        ({"plates": True}, "plates must be a whole number from 1 to 9, got True"),
        ({"salt": math.nan}, "salt must be a number from 0 to 1, got nan"),
        ({"salt": "much"}, "salt must be a number from 0 to 1, got 'much'"),
    ],
)
def test_a_wrong_value_is_refused(wrong: dict[str, Any], said: str) -> None:
    """The option is named, what was expected, what came, and the nearest right word."""
    with pytest.raises(ValueError, match=said.replace("?", r"\?")):
        Meal(**wrong)


def test_defaults_are_allowed() -> None:
    """Also where they lie outside what can be chosen: nothing is chosen then."""
    assert (Meal().dish, Meal().salt) == ("", None)
    assert Meal("soup", 2, 0.5).plates == 2


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (whole(-3, 3), -2, ("-2",)),
        (number(0, 1), 0.25, ("0.25",)),
        (number(above=True, infinite=True), math.inf, ("∞",)),
        (YES_OR_NO, True, ("yes",)),
        (some_of("ab"), ("b", "a"), ("b", "a")),
        (texts(), ("x", ""), ("x", "")),
    ],
)
def test_kinds_read_what_they_write(kind: Kind, value: object, text: tuple[str, ...]) -> None:
    """The value comes back."""
    assert kind.texts(value) == text
    assert kind.read(text) == value


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (whole(0), "-1", "a whole number of 0 or more was expected"),
        (whole(0, 9999), "²", "a whole number from 0 to 9,999 was expected"),
        (whole(0), "9" * 5000, "a whole number of 0 or more was expected"),
        (number(above=True, infinite=True), "0", "a number above 0, or ∞, was expected"),
        (number(0, 1), "inf", "a number from 0 to 1 was expected"),
        (number(), "∞", "a number of 0 or more was expected"),
        (number(), "nan", "a number of 0 or more was expected"),
        (YES_OR_NO, "no", "yes was expected"),
        (some_of("ab"), "c", "one of a, b was expected"),
    ],
)
def test_kinds_say_what_they_expect(kind: Kind, text: str, said: str) -> None:
    """In words that people understand."""
    with pytest.raises(ValueError, match=f"^{said}$"):
        kind.read((text,))


def test_a_question_takes_its_part() -> None:
    """An object that has the options of several questions hands each its own."""

    @dataclass(frozen=True)
    class Both(Meal, Filters):
        """Two questions at once."""

    both = Both(dish="soup", search="x", wrong=("m",))
    assert part(Meal, both) == Meal("soup")
    assert part(Filters, both) == Filters(search="x", wrong=("m",))
    assert {of.name for of in options(Both)} == {of.name for of in (*options(Meal), *options(Filters))}
