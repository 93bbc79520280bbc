"""What is said of a case in one sentence: danger comes first where labels of high risk lead together."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.case import Case, open_case, plausibility_table
from core.analysis.cases.headline import AS_LIKELY, LIKELY, OFTEN, POSSIBLE, Headline, headline, how_likely
from core.analysis.cases.high_risk import LEADING
from core.analysis.cases.worklist import worklist
from core.analysis.formatting import in_sentence
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)
RULED_OUT = (
    r"\. Danger is not ruled out: c \(high risk\) leads in \d+; any high-risk label in (about )?\d+\.$"
)


def said(*readings: str, risk: str = "LMHH") -> str:
    """Sentence on a case with these readings of the labels a to d, under label counts."""
    study, task = small_study("choice", "abcde"[: len(risk)], [list(readings)], risk=risk)
    return headline(open_case(study, task, COUNTS, 0)).sentence


def of(*readings: str, risk: str) -> Headline:
    """All that is said on top of a case with these readings."""
    study, task = small_study("choice", "abcde"[: len(risk)], [list(readings)], risk=risk)
    return headline(open_case(study, task, COUNTS, 0))


def test_high_risk_labels_lead_together() -> None:
    """Two labels of high risk share what they have: neither leads, and yet danger is the likelier truth."""
    words = said(*"aaabbccdd", risk="LHHH")
    together, single, leader = map(int, re.findall(r"(\d+)(?= of 100|\)|, low)", words))
    assert words == (
        f"{LIKELY}a high-risk label leads in about {together} of 100 plausible truths, most often b "
        f"({single}). The single most frequent label is a ({leader}, low risk)."
    )
    assert together >= LEADING
    assert together > leader > single
    assert together + leader == pytest.approx(100, abs=1)


def differentials(*readings: str, risk: str) -> Case:
    """A case of the labels a to e with these differentials under Plackett–Luce."""
    study, task = small_study("ranking", "abcde", [list(readings)], risk=risk)
    return open_case(study, task, Aggregation("plackett-luce", 1.0), 0)


def test_danger_that_more_readings_name_comes_first() -> None:
    """In whatever place they name it; the label that leads more often follows, with its own numbers."""
    case = differentials("a b", "a b", "a b", "c b", risk="LHLLL")
    leads = plausibility_table(case).set_index("label")["leads"]
    assert 0.05 <= leads["b"] < leads["a"]
    found = headline(case)
    assert found.sentence == (
        f"Danger is not ruled out: b (high risk) leads in {100 * leads['b']:.0f} of 100 plausible truths, "
        f"named by 4 of 4 readings; a (low risk) leads in {100 * leads['a']:.0f}, named by 3."
    )
    assert found.labels.empty


def test_several_dangers_are_counted_by_the_readings_that_name_any_of_them() -> None:
    """Each reading once; what stands below the sentence are all of them, and the label that leads."""
    found = headline(differentials("a b", "a e", "a b", "a", "c b", "a e", "c e", risk="LHLLH"))
    assert re.match(
        r"Danger is not ruled out: a high-risk label leads in (about )?\d+ of 100 plausible truths, "
        r"most often [be] \(\d+\)\. a \(low risk\) leads in \d+; 5 of 7 readings name it, 6 a high-risk "
        r"label\.$",
        found.sentence,
    ), found.sentence
    assert set(found.labels["label"]) == {"a", "b", "e"}


def test_danger_that_as_many_readings_name_comes_second() -> None:
    """Neither as many, nor more where it is hardly plausible, put it before the label that leads."""
    for readings in (("a b", "a b", "a b"), ("a", "a", "a", "c a b", "a")):
        assert headline(differentials(*readings, risk="LHLLL")).sentence.startswith("a (low risk) leads in ")
    rare = differentials(*["a d b"] * 9, "d b", risk="LHLLL")
    assert plausibility_table(rare).set_index("label")["leads"]["b"] < 0.05
    assert headline(rare).sentence.startswith("a (low risk) leads in ")


def test_several_leaders_are_all_named() -> None:
    """Of tied leaders none is kept back, nor the risk of any."""
    found = of(*"aabbccdd", risk="LMHL")
    assert (
        found.sentence == "Four labels tie: 25 of 100 plausible truths each. Danger is not ruled out: "
        "a high-risk label leads in 25."
    )
    assert found.labels.to_numpy().tolist() == [
        ["a", "L", 25],
        ["b", "M", 25],
        ["c", "H", 25],
        ["d", "L", 25],
    ]
    assert found.n_tied == 4
    behind = of(*"aabbccd", risk="LMLH")
    assert behind.sentence.startswith("Three labels tie")
    assert behind.labels["label"].tolist() == ["a", "b", "c", "d"]
    assert behind.n_tied == 3
    assert re.search(r"a .* and b .* tie: .*; any high-risk label in (about )?\d+\.$", said(*"aaaabbbbccdd"))
    together = of(*"aaabbbccddee", risk="LMHHH")
    assert re.search(
        r"\. The single most frequent labels are a \((\d+), low risk\) and b \(\1, medium risk\)\.$",
        together.sentence,
    ), together.sentence
    assert together.labels["risk"].tolist() == ["H", "H", "H", "L", "M"]


@pytest.mark.parametrize(
    ("readings", "risk"),
    [
        ("aaabbccdd", "LHHH"),
        ("aaaabbccdde", "LHHHH"),
        ("aaabbbccdde", "LMHHH"),
        ("bbbaaccdd", "LHHH"),
        ("aabbccddee", "LMHHH"),
        ("aaaaaab", "LHHHH"),
        ("aaaaaaabbbc", "LHHHH"),
    ],
)
def test_every_high_risk_label_that_matters_is_named(readings: str, risk: str) -> None:
    """In the sentence or below it; what stands below adds up to the whole, or the whole is about that."""
    study, task = small_study("choice", "abcde"[: len(risk)], [list(readings)], risk=risk)
    case = open_case(study, task, COUNTS, 0)
    found, table = headline(case), plausibility_table(case)
    for label in table.loc[(table["risk"] == "H") & (table["leads"] >= 0.05), "label"]:
        assert re.search(rf"\b{label} \(", found.sentence) or label in set(found.labels["label"]), label
    below = found.labels[found.labels["risk"] == "H"]
    if len(below):
        said = re.search(r"high-risk label (?:leads )?in (about )?(\d+)", found.sentence)
        assert said, found.sentence
        assert (below["leads"].sum() == int(said[2])) != bool(said[1])


def test_no_label_lends_its_risk_to_a_neighbour() -> None:
    """Whatever is named is named with its own level, low too, in at most 32 words."""
    for readings, risk in (("aabbccdd", "LMHL"), ("aabb", "LHMM"), ("aaabbc", "LMHH"), ("aaabbccdd", "LHHH")):
        words = said(*readings, risk=risk)
        assert len(words.split()) <= 32
        for label, level in zip("abcd", risk, strict=True):
            phrase = {"L": "low", "M": "medium", "H": "high"}[level]
            for told in re.findall(rf"\b{label} \((\w+) risk", words):
                assert told == phrase
        assert "," not in re.sub(r"truths, most|tie, \d|\d, (low|medium|high) risk", "", words)


def test_a_point_estimate_claims_no_truths() -> None:
    """There is one, and it is taken as it is: no counts of a hundred, and a warning on top."""
    study, task = small_study("choice", "abcd", [["a", "a", "c"], ["a", "c"], list("abc")], risk="LMHH")
    single, two, three = (headline(open_case(study, task, COUNTS.point, index)) for index in range(3))
    assert single.sentence == "Point estimate: a (low risk)."
    assert two.sentence == "Point estimate: a (low risk) and c (high risk) tie."
    assert three.sentence == "Point estimate: three labels tie."
    assert three.labels["risk"].tolist() == ["L", "M", "H"]
    assert three.labels["leads"].isna().all()
    for found in (single, two, three):
        assert found.warning.startswith("Doubt is switched off")
        assert "finite reliability" in found.warning
    assert not headline(open_case(study, task, COUNTS, 0)).warning


def test_what_danger_is_comes_before_its_numbers() -> None:
    """Where it is open, whichever label leads; of danger that is rare, certain, or none it is not said."""
    assert said(*"aaabbccdd", risk="LHHH").startswith(LIKELY)
    assert said(*"bbba", risk="LHLL").startswith(f"{LIKELY}b (high risk) leads in ")
    assert POSSIBLE in said(*"aaaab", risk="LHLL")
    for readings, risk in (("aaaaaaab", "LHLL"), ("aaab", "LLLL"), ("bbbbbbba", "LHLL")):
        assert "Danger" not in said(*readings, risk=risk), (readings, risk)


def test_all_of_high_risk_are_counted_also_where_one_of_them_leads() -> None:
    """B leads and is of high risk: how often one of three such labels does is what matters.

    Of a, c and d, which lead equally often, one of high risk is named.
    """
    words = said(*"bbbaaccdd", risk="LHHH")
    found = re.match(
        LIKELY
        + r"b \(high risk\) leads in (\d+) of 100 plausible truths; c \(high risk\) in \d+; any high-risk "
        r"label in (?:about )?(\d+)\.$",
        words,
    )
    assert found, words
    study, task = small_study("choice", "abcd", [list("bbbaaccdd")], risk="LHHH")
    (row,) = worklist(study, task, aggregate(study, task, COUNTS)).to_dict("records")
    assert list(map(int, found.groups())) == [round(100 * row["certainty"]), round(100 * row["high_risk"])]
    assert row["high_risk"] > row["certainty"] + 0.2


@pytest.mark.parametrize(
    ("readings", "words"),
    [
        (
            ("a", "a", "a", "a", "c", "d"),
            r"a \(low risk\) leads in \d+ .*" + RULED_OUT,
        ),
        (
            ("a", "a", "a", "b", "c"),
            r"a \(low risk\) leads in \d+ .*" + RULED_OUT,
        ),
        (
            ("c", "c", "a"),
            LIKELY + r"c \(high risk\) leads in 65 .*; a \(low risk\) in \d+; any high-risk label in 70\.$",
        ),
        (("c", "c", "c", "a"), LIKELY + r"c \(high risk\) leads in \d+ .*; a \(low risk\) in \d+\.$"),
        (("a", "a", "b"), r"a \(low risk\) leads in \d+ .*; b \(medium risk\) in \d+\.$"),
    ],
)
def test_otherwise_the_leader_comes_first(readings: tuple[str, ...], words: str) -> None:
    """Where a single label leads more often than all of high risk together, the sentence begins with it."""
    assert re.match(words, said(*readings)), said(*readings)


def test_worklist_names_the_most_probable_high_risk_label() -> None:
    """Of several the one that leads most often, tied ones all, none where none can lead."""
    cases = [["a", "c", "d", "d"], ["a", "c", "d"], ["a", "b"], ["c", "c", "a"]]
    study, task = small_study("choice", "abcd", cases, risk="LMHH")
    table = worklist(study, task, aggregate(study, task, COUNTS))
    assert table["high_risk_label"].tolist() == ["d", "c or d (tied)", "", "c"]


def test_a_hundred_of_a_hundred_are_all() -> None:
    """What leads in more than 99.5 of 100, and not in all, leads in 99, as the worklist has it."""
    assert said(*"a" * 14).startswith("a (low risk) leads in 99 of 100 plausible truths")
    study, task = small_study("choice", "ab", [["a"]])
    assert headline(open_case(study, task, Aggregation("majority"), 0)).sentence == "Point estimate: a."


@pytest.mark.parametrize(("label", "named"), [("8", "“8”"), ("0", "“0”"), ("grade 3", "grade 3")])
def test_a_label_that_could_be_a_count_is_quoted(label: str, named: str) -> None:
    """“8 leads in 99 of 100” is read twice."""
    assert in_sentence(label) == named


def test_labels_that_hardly_differ_are_all_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the numbers that are shown are the same, none is kept back; the next one has its number."""
    from core.analysis.cases import headline as said_on_top

    def close(case: Case) -> pd.DataFrame:
        rows = [("a", "L", 0.1640), ("b", "L", 0.1612), ("c", "H", 0.1605), ("d", "M", 0.14)]
        return pd.DataFrame(rows, columns=["label", "risk", "leads"])

    monkeypatch.setattr(said_on_top, "plausibility_table", close)
    monkeypatch.setattr(said_on_top, "of_hundred_truths", lambda case: pd.Series([16, 16, 16, 14]))
    monkeypatch.setattr(said_on_top, "high_risk_probability", lambda case: 0.1605)
    assert said(*"aabc") == (
        "a (low risk) leads in 16 of 100 plausible truths, barely ahead of c (high risk) and b (low risk); d "
        "(medium risk) in 14."
    )


def test_a_likely_rival_is_named_before_a_rarer_one_of_high_risk() -> None:
    """One that leads in 20 of 100 truths or more; a rare one gives way to danger."""
    words = said(*"aaaabbbc", risk="LMH")
    often = list(map(int, re.findall(r"in (\d+)", words)))
    assert re.fullmatch(
        r"a \(low risk\) leads in \d+ of 100 plausible truths; b \(medium risk\) in \d+\. "
        r"Danger is not ruled out: c \(high risk\) leads in \d+\.",
        words,
    ), words
    assert often[1] >= OFTEN > often[2]
    rare = said(*"aaaaaabc", risk="LMH")
    assert "b (medium risk)" not in rare
    assert "c (high risk)" in rare


@pytest.mark.parametrize(
    ("danger", "words"),
    [
        (0.05, POSSIBLE),
        (0.44, POSSIBLE),
        (0.45, AS_LIKELY),
        (0.48, AS_LIKELY),
        (0.5, AS_LIKELY),
        (0.55, AS_LIKELY),
        (0.58, LIKELY),
        (1.0, LIKELY),
    ],
)
def test_danger_near_half_is_as_likely_as_not(danger: float, words: str) -> None:
    """A case at 48 of 100 is told as one at 50 is: no small step across half turns the words."""
    assert how_likely(danger) == words
