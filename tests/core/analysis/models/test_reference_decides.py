"""Models judged by a reference that outweighs the readings: by counting, by resampling, and in true words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.models.basis import READINGS, Basis, basis_of
from core.analysis.models.by_reference import ByReference, does_decide
from core.analysis.models.claims import (
    HEADS,
    MEANINGS,
    about_missed,
    columns_meant,
    judged_claims,
    legend,
    table_of,
)
from core.analysis.models.look_first import decided, look_first
from core.analysis.models.reference_words import check
from core.analysis.models.supported import supported
from core.analysis.models.verdict import decision
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task

COUNTS = Aggregation("label-counts", 1.0)
N = 60
"""Cases."""


def sure(said: str) -> list[list[float]]:
    """Predictions that put all on one of three labels each."""
    return [[float(letter == label) for label in "abc"] for letter in said]


def drawn(
    seed: int, *, missing: int = 0, standard: str = "surgery", risk: str = "LMH"
) -> tuple[Study, Task, str, dict[str, str]]:
    """A study of random readings, references and two models, the second of which is right less often."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([*"abc"], size=N)

    def of(right: float) -> str:
        return "".join(t if rng.random() < right else rng.choice([*"abc"]) for t in truth)

    readings = ["".join(of_reader) for of_reader in zip(of(0.7), of(0.6), of(0.8), strict=True)]
    says = {"good": of(0.9), "weak": of(0.4)}
    references = "".join(truth)
    given = [*references[: N - missing], *[""] * missing]
    study, task = small_study(
        "choice",
        "abc",
        [*map(list, readings)],
        risk=risk,
        predictions={name: sure(said) for name, said in says.items()},
        metadata={"reference": given, "reference_standard": [standard] * N},
    )
    return study, task, references, says


def named(table: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    """Rows by model."""
    return {row["names"]: row for row in table.to_dict("records")}


@pytest.mark.parametrize("missing", [0, 5])
@pytest.mark.parametrize("seed", range(4))
def test_models_are_judged_as_counting_by_the_reference_does(seed: int, missing: int) -> None:
    """Accuracy, dangers, false warnings and each danger: of the cases that have a reference."""
    study, task, references, says = drawn(seed, missing=missing)
    found = supported(study, task, COUNTS).reference
    n = N - missing
    assert found.decides
    assert found.n_cases == n
    rows, dangers = named(found.judged), references[:n].count("c")
    for place, name in enumerate(found.missed.models):
        said, row = says[name], rows[name]
        pairs = [*zip(said[:n], references[:n], strict=True)]
        assert row["low"] == row["high"] == row["value"]
        assert row["value"] == pytest.approx(np.mean([one == truth for one, truth in pairs]))
        assert row["dangers"] == dangers
        caught = sum(one == truth == "c" for one, truth in pairs)
        assert row["caught"] == pytest.approx(caught / dangers)
        warned = said[:n].count("c")
        assert row["false_alarms"] == pytest.approx(1 - caught / warned)
        assert found.missed.labels == ("c",)
        assert found.missed.truths[0, place] == dangers
        assert found.missed.cases[0, place] == pytest.approx(dangers - caught)
        assert found.by_label[name].iloc[0] == pytest.approx(caught / dangers)


def test_the_claim_is_of_the_same_cases() -> None:
    """What the majority label says of cases without a reference is no part of it."""
    study, task, references, says = drawn(1, missing=5)
    found = supported(study, task, COUNTS)
    first = supported(*drawn(1)[:2], COUNTS)
    claimed = named(found.reference.judged)["good"]["hard"]
    assert claimed != named(found.table)["good"]["hard"]
    assert named(found.table)["good"]["hard"] == named(first.reference.judged)["good"]["hard"]
    assert says["good"] != references


def test_how_surely_one_is_first_is_how_often_it_is_in_samples_of_the_cases() -> None:
    """Near what resampling by hand gives, the same each time, and a share of equals for twins."""
    study, task, references, says = drawn(2)
    right = {
        name: np.array([a == b for a, b in zip(said, references, strict=True)]) for name, said in says.items()
    }
    close = right["good"].copy()
    close[np.flatnonzero(close)[:2]] = False
    twin = {
        "good": says["good"],
        "close": "".join(
            said if is_right or said != truth else "abc"[("abc".index(truth) + 1) % 3]
            for said, truth, is_right in zip(says["good"], references, close, strict=True)
        ),
    }
    study, task = small_study(
        "choice",
        "abc",
        [["a", "b", "c"]] * N,
        predictions={name: sure(said) for name, said in twin.items()},
        metadata={"reference": [*references], "reference_standard": ["histology"] * N},
    )
    found = named(supported(study, task, COUNTS).reference.judged)
    again = named(supported(study, task, COUNTS).reference.judged)
    assert found["good"]["best"] == again["good"]["best"]
    rng = np.random.default_rng(0)
    drawn_cases = rng.integers(N, size=(20000, N))
    lead = (right["good"].astype(int) - close.astype(int))[drawn_cases].sum(axis=1)
    by_hand = np.mean(np.where(lead == 0, 0.5, lead > 0))
    assert found["good"]["best"] == pytest.approx(by_hand, abs=0.02)
    assert found["good"]["best"] + found["close"]["best"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("n", "of", "standards", "decides"),
    [
        (300, 300, {"surgery": 300}, True),
        (270, 300, {"surgery": 200, "histology": 70}, True),
        (269, 300, {"surgery": 269}, False),
        (300, 300, {"readers": 300}, False),
        (300, 300, {"": 300}, False),
        (300, 300, {"surgery": 299, "": 1}, False),
        (0, 0, {}, False),
    ],
)
def test_it_decides_where_it_outweighs_readings_of_nearly_all_cases(
    n: int, of: int, standards: dict[str, int], decides: bool
) -> None:
    """One case of which it is not known how it was established is enough to go by the readings."""
    assert does_decide(n, of, standards) is decides
    found = ByReference(n_cases=n, of=of, standards=standards)
    assert basis_of(found) == (Basis(standards, n) if decides else READINGS)


@pytest.mark.parametrize("standard", ["readers", ""])
def test_readers_do_not_decide(standard: str) -> None:
    """Nothing is judged by a reference that may be wrong as readings may."""
    found = supported(*drawn(0, standard=standard)[:2], COUNTS).reference
    assert found.judged.empty
    assert not found.missed.labels
    assert not found.table.empty


def test_a_claim_is_supported_up_to_what_is_measured() -> None:
    """Nothing is only possible: it is as high, or too high, by the percents that are shown."""
    claims = judged_claims(
        {"A": 0.89, "B": 0.86, "C": 0.5}, {"A": (0.891, 0.891), "B": (0.83, 0.83), "C": (0.6, 0.6)}
    )
    by_model = {one.model: one for one in claims}
    assert [by_model[name].side for name in "ABC"] == ["below", "beyond", "below"]
    assert by_model["B"].excess == 3
    basis = Basis({"surgery": 300}, 300)
    heads, rows = table_of(claims, basis.head)
    assert heads == ["Model", "Claimed", "Right, by surgery", "The claim is"]
    assert rows[0] == ["A", "89\u00a0%", "89\u00a0%", "✓\u00a0holds\u00a0here"]
    assert rows[1][-1] == "✗\u00a03\u00a0points too\u00a0high here"
    assert "possible" not in legend(heads, claims, warns=False)
    meant = dict(columns_meant(heads, meanings=basis.meanings()))
    assert [*meant] == heads[1:]
    assert "95 % range on as many other cases" in meant["Right, by surgery"]
    assert not any("plausible" in words for words in meant.values())


def test_an_accuracy_by_a_reference_has_a_range_elsewhere() -> None:
    """Wilson's, by hand, of 249 of 300; of readings, and of a single case, none."""
    basis, z = Basis({"surgery": 300}, 300), 1.959964
    middle = (0.83 + z**2 / 600) / (1 + z**2 / 300)
    half = z * math.sqrt(0.83 * 0.17 / 300 + z**2 / (4 * 300**2)) / (1 + z**2 / 300)
    assert basis.chance_range(0.83) == pytest.approx((middle - half, middle + half), abs=1e-6)
    assert basis.elsewhere(0.83) == "elsewhere 78 to 87\u00a0%"
    for none in (READINGS, Basis({"surgery": 1}, 1)):
        assert none.elsewhere(0.83) == ""


def of_reference() -> Any:
    """Claims of two models, judged by the reference of 300 cases."""
    table = pd.DataFrame(
        {
            "names": ["A", "B"],
            "best": [0.99, 0.01],
            "caught": [1.0, 0.5],
            "caught_alike": [True, False],
            "dangers": [44.0, 44.0],
            "alarms": [50.0, 30.0],
            "false_alarms": [0.12, 0.0],
            "false_alarms_low": [0.05, 0.0],
            "false_alarms_high": [0.2, 0.1],
        }
    )
    return judged_claims({"A": 0.8, "B": 0.9}, {"A": (0.89, 0.89), "B": (0.83, 0.83)}, table)


def test_words_are_of_the_reference_and_of_no_plausible_truth() -> None:
    """Which is first, in how many cases, what of the claims, what is missed, and what to ask for."""
    claims, basis = of_reference(), Basis({"surgery": 300}, 300)
    who, why = look_first(claims, basis)
    assert (who, why.split(". ")[0]) == (
        "Most often right: A",
        "By surgery, it is right in 89\u00a0% of 300 cases, B in 83\u00a0%",
    )
    assert decided(claims) == "Consider A further; do not use B as it is"
    said, ask = decision(
        1.0, claims, of_model=True, is_danger_known=True, standards=basis.standards, basis=basis
    )
    assert said == "1 of 2 claims is too high: that of B."
    again = "Before you decide, ask for the same numbers on cases like yours"
    assert ask == f"{again}, and ask what would catch the missed dangers."
    assert [about_missed(one) for one in claims] == ["none of 44", "22 of 44"]
    (alone,) = judged_claims({"B": 0.9}, {"B": (0.83, 0.83)})
    said, _ = decision(1.0, [alone], of_model=True, standards=basis.standards, basis=basis)
    assert "too high; by surgery, it is right in 83\u00a0%" in said


@pytest.mark.parametrize(
    ("standards", "head", "by"),
    [
        ({}, "Supported", ""),
        ({"surgery": 9}, "Right, by surgery", "by surgery"),
        ({"follow-up": 9}, "Right, by follow-up", "by follow-up"),
        ({"construction": 9}, "Right, by the reference", "by the reference"),
        ({"surgery": 4, "histology": 5}, "Right, by the reference", "by the reference"),
    ],
)
def test_heads_say_by_what(standards: dict[str, int], head: str, by: str) -> None:
    """In a word or two; how each was established stands among the meanings."""
    basis = Basis(standards, 9)
    assert (basis.head, basis.by, basis.is_reference) == (head, by, bool(standards))
    meant = basis.meanings()
    assert head in meant
    if not standards:
        assert meant is MEANINGS
    if len(standards) > 1:
        assert "(by surgery, by histology)" in meant[head]
    assert set(HEADS) - {"Model", "Supported"} <= set(meant)


def test_the_readings_are_the_check() -> None:
    """Whether they would put the same model first."""
    found = ByReference(pd.DataFrame({"names": ["A"]}), 300, 300, {"surgery": 300})
    judged = "Judged by the study’s own reference (by surgery), which outweighs the readings."
    assert check(found, "A", "A") == f"{judged} These alone would also put A first."
    assert check(found, "A", "B") == f"{judged} These alone would put B first."
    assert check(found, "A", "") == f"{judged} By these alone, it would be unclear which model comes first."


def test_chance_is_what_so_few_cases_allow() -> None:
    """Half of the widest interval, in points; without a case nothing is known."""
    for n_cases, points in ((100, 10), (10000, 1)):
        low, high = Basis({"surgery": n_cases}, n_cases).chance_range(0.5)
        assert round(50 * (high - low)) == points
    assert np.isnan(Basis({}, 0).chance_range(0.5)).all()
