"""What is made of tables is made once, and goes with them."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from weakref import ref

import pandas as pd

from dashboard.shell.derived import MOST, Derived


def test_a_value_is_made_once_for_a_table_and_a_choice() -> None:
    """Another table of the same content is another one, and so is another choice."""
    derived, made = Derived[int](), []

    def make(number: int) -> int:
        made.append(number)
        return number

    one, two = pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]})
    assert [derived.of(one, "x", lambda: make(1)) for _ in range(3)] == [1, 1, 1]
    assert derived.of(one, "y", lambda: make(2)) == 2
    assert derived.of(two, "x", lambda: make(3)) == 3
    assert made == [1, 2, 3]


def test_the_last_few_choices_are_kept() -> None:
    """The one that was asked for longest ago goes first."""
    derived, table, made = Derived[int](), pd.DataFrame(), []
    for choice in [*range(MOST), 0, MOST, 0, 1]:
        derived.of(table, choice, lambda choice=choice: made.append(choice) or choice)
    assert made == [*range(MOST), MOST, 1]


def test_nothing_outlives_its_table() -> None:
    """Not even what was made of what was made of it."""
    first, second = Derived[pd.DataFrame](), Derived[pd.DataFrame]()

    def made_of(table: pd.DataFrame) -> list[ref[pd.DataFrame]]:
        made = first.of(table, "", partial(table.assign, b=2))
        last = second.of(made, "", partial(made.assign, c=3))
        return [ref(made), ref(last)]

    table = pd.DataFrame({"a": [1]})
    gone = made_of(table)
    gc.collect()
    assert all(one() is not None for one in gone)
    del table
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_several_sessions_may_ask_at_once() -> None:
    """Each gets what belongs to its choice, and no error."""
    derived, tables = Derived[tuple[int, int]](), [pd.DataFrame({"a": [i]}) for i in range(8)]

    def ask(number: int) -> bool:
        place, choice = number % 8, number % 7
        return derived.of(tables[place], choice, lambda: (place, choice)) == (place, choice)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(4000)))
