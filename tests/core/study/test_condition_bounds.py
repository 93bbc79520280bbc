"""No stretch of a table is left out that holds a case which fulfils a condition."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from core.study.condition import fulfilled
from core.study.condition_bounds import Bounds, may_fulfil

NUMBERS = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])
COMPARED = st.builds(
    "{} {} {}".format,
    st.sampled_from(["a", "b"]),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    NUMBERS,
) | st.builds("{} {} [{}, {}]".format, st.just("a"), st.sampled_from(["in", "not in"]), NUMBERS, NUMBERS)
TEXTS = st.sampled_from(['site == "x"', 'site != "y"'])
CONDITIONS = st.recursive(
    COMPARED | TEXTS,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner)
        | st.builds("not ({})".format, inner)
    ),
    max_leaves=5,
)
VALUES = st.one_of(NUMBERS, st.just(float("nan")))


@settings(max_examples=150, deadline=None)
@given(
    condition=CONDITIONS,
    stretches=st.lists(
        st.lists(st.tuples(VALUES, VALUES, st.sampled_from("xy")), min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    ),
)
def test_what_is_possible_holds_what_is(
    condition: str, stretches: list[list[tuple[float, float, str]]]
) -> None:
    """Against the answer for every case, with gaps and negations."""
    bounds = {}
    for place, name in enumerate("ab"):
        columns = [np.array([row[place] for row in rows]) for rows in stretches]
        known = [column[~np.isnan(column)] for column in columns]
        bounds[name] = Bounds(
            np.array([of.min(initial=np.inf) for of in known]),
            np.array([of.max(initial=-np.inf) for of in known]),
            np.array([bool(np.isnan(of).any()) for of in columns]),
        )
    possible = may_fulfil(condition, bounds, len(stretches))
    for rows, may in zip(stretches, possible, strict=True):
        frame = pd.DataFrame(rows, columns=["a", "b", "site"])
        assert may or not fulfilled(condition, frame).any()


def test_stretches_that_cannot_hold_one_are_left_out() -> None:
    """By their numbers alone; of columns without bounds everything is possible."""
    of = Bounds(np.array([0.0, 5.0]), np.array([4.0, 9.0]), np.array([False, True]))
    for condition, wanted in (
        ("a > 4", [False, True]),
        ("a <= 4", [True, False]),
        ("not (a <= 4)", [False, True]),
        ("a == 7", [False, True]),
        ("a != 7", [True, True]),
        ("a > 4 and b < 1", [False, True]),
        ("a > 4 or b < 1", [True, True]),
        ('a > 9 and site == "x"', [False, False]),
    ):
        assert may_fulfil(condition, {"a": of}, 2).tolist() == wanted, condition
