"""Labels that tie and differ in risk are said to, with the level of each."""

from __future__ import annotations

from small_study import small_study

from core.analysis.cases.tied_risk import levelled, tied_levels
from core.analysis.cases.worklist import worklist
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation


def test_levels_of_a_tie_are_said_where_they_differ() -> None:
    """Highest first; nothing of one label, of a tie of equals, and of nobody's reading."""
    cases = [list("ac"), list("ab"), list("bca"), list("a"), list("cd")]
    study, task = small_study("choice", "abcd", cases, risk="LLHH")
    table = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1.0)))
    assert tied_levels(task, table["leading"].tolist()) == [
        "H or L, tied: c (high risk) or a (low risk)",
        "",
        "H or L, tied: c (high risk), a (low risk) or b (low risk)",
        "",
        "",
    ]


def test_a_level_that_is_not_known_is_one_of_its_own() -> None:
    """It is said beside one that is known."""
    _, task = small_study("choice", "abc", [["a"]], risk="?MH")
    words = tied_levels(task, ["c or a (tied)", "", "b"])
    assert words == ["H, tied: c (high risk) or a (risk unknown)", "", ""]


def test_each_label_that_leads_has_its_level() -> None:
    """The letter of the first, and those of all others that tie with it; none of an unknown level."""
    labels = "abcdefghijklmn"
    _, task = small_study("choice", labels, [["a"]], risk="LH?MH" + 9 * "L")
    tied = "b, a, c or d (tied)"
    many = f"{', '.join('bdaefghijk')} or 3 more (tied)"
    found = levelled(task, ["a", "", "c", "b or e (tied)", tied, "c or a (tied)", many, "a"])
    assert set(found) == {"a", "c", "b or e (tied)", tied, "c or a (tied)", many}
    assert found["a"] == ("a (low risk)", ("L",))
    assert found["c"] == ("c (risk unknown)", ("",))
    assert found["b or e (tied)"] == ("b (high risk) or e (high risk)", ("H", "H"))
    words = "b (high risk), a (low risk), c (risk unknown) or d (medium risk)"
    assert found[tied] == (words, ("H", "ML"))
    assert found["c or a (tied)"].letters == ("", "L")
    assert found[many].letters == ("H", "HML")
    assert found[many].words.endswith("k (low risk) or 3 more")
