"""What would settle a case is what opening it with other readings says, and so is what is useful next."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.brief import NEXT, brief_of
from core.analysis.cases.case import Case, high_risk_probability, open_case
from core.analysis.cases.danger_reasons import MORE, ONE_MORE, WITHOUT, danger_reasons
from core.analysis.cases.firmer import FIRMER, FIRST
from core.analysis.cases.settle import WEIGHTY, Settle, is_certain, settle, to_confirm
from core.analysis.cases.worklist import PLAUSIBLE
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import Study

LIKELIER = "One more reader does not replace that, but says what is likelier:"
COUNTS = Aggregation("label-counts", 1.0)


def opened(*cases: str, aggregation: Aggregation = COUNTS, risk: str = "") -> list[Case]:
    """Cases with these readings of the labels a to c, each of another rater."""
    study, task = small_study("choice", "abc", [list(case) for case in cases], risk=risk)
    return [open_case(study, task, aggregation, index) for index in range(len(cases))]


def found(readings: str, risk: str = "") -> Settle:
    """What is said of one case."""
    said = settle(opened(readings, risk=risk)[0])
    assert said is not None
    return said


def certainty(case: Case) -> float:
    """How often the leading label leads."""
    return float(case.posterior.certainty(1)[0])


def test_without_danger_every_line_is_of_certainty() -> None:
    """Exact under label counts: without the one that named b, with one more for a, with one more for b."""
    case, without, with_a, with_b = opened("aab", "aa", "aaab", "aabb")
    said = settle(case)
    assert said is not None
    assert not said.is_danger
    assert said.table["kind"].tolist() == [WITHOUT, ONE_MORE, ONE_MORE]
    assert said.table["before"].tolist() == pytest.approx([certainty(case)] * 3)
    assert said.table["after"].tolist() == pytest.approx(
        [certainty(one) for one in (without, with_a, with_b)]
    )
    assert said.table["head"].tolist() == ["Without C", "One more for a", "One more for b"]
    share = round(100 * float(case.posterior.mean.candidate[0]))
    sentences = said.table["sentence"].tolist()
    assert sentences[0].startswith(f"Certainty would rise from {100 * certainty(case):.0f} to ")
    assert f"(expected in {share} of 100), certainty becomes {100 * certainty(with_a):.0f}" in sentences[1]
    assert "would let a or b (tied) lead" in sentences[2]


def test_what_is_told_already_is_not_said_again() -> None:
    """The line of a reading that stands elsewhere is left out; the action is the same."""
    for risk in ("", "LHM"):
        case = opened("aab", risk=risk)[0]
        whole, rest = settle(case), settle(case, told={2})
        assert whole is not None
        assert rest is not None
        assert "Without C" in whole.table["head"].tolist()
        assert rest.table["head"].tolist() == [head for head in whole.table["head"] if head != "Without C"]
        assert rest.action == whole.action


def test_danger_has_the_lines_of_its_own() -> None:
    """Those of `danger_reasons`, whatever the label is."""
    said = found("aab", risk="LHM")
    assert said.is_danger
    assert said.table.equals(danger_reasons(opened("aab", risk="LHM")[0]))


@pytest.mark.parametrize(
    ("readings", "risk", "action"),
    [
        ("aab", "", "ask one more reader whether it is a or b."),
        ("aab", "LHM", f"{FIRST}, to settle b (27 of 100). {LIKELIER} b or a."),
        ("aaab", "LHM", f"{FIRST}, to settle b (16 of 100). {LIKELIER} b or a."),
        ("aaaab", "LHM", "ask one more reader whether it is b or a."),
        ("abc", "LHH", f"{FIRST}, to settle b (33 of 100) and c (33). "
                       f"{LIKELIER} b, c or a."),
        ("aaaabbbbc", "LHH", f"{FIRST}, to settle b (48 of 100); also named: c (3). {LIKELIER} b or a."),
        ("aaaabbbbc", "LHL", f"{FIRST}, to settle b (48 of 100). {LIKELIER} b or a."),
        ("aaabbc", "LHH", f"{FIRST}, to settle b (29 of 100) and c (10). "
                          f"{LIKELIER} b, c or a."),
        ("a" * 12, "", "nothing: one more reading would hardly change it."),
        ("b" * 12, "LHM", f"{FIRST}, to settle b (99 of 100). No further reading is needed to see the "
                          "danger: it stays at about 99 of 100."),
        ("a" * 30 + "b" * 26, "LHM", f"{FIRST}, to settle b (30 of 100). {MORE} more readers "
                                     "(one would hardly change the danger) do not replace that, but say "
                                     "what is likelier: b or a."),
        ("a" * 10 + "b" * 4, "LHM", f"ask {MORE} more readers whether it is b or a; one alone would hardly "
                                    "change the danger."),
        ("a" * 110 + "b" * 100, "", "discuss it, or ask many more readers: one alone moves certainty by less "
                                  "than 4 points."),
        ("a" * 1000 + "b" * 980, "LHM", f"{FIRST}, to settle b (33 of 100). A few more readings "
                                       "would hardly change the danger."),
        ("a" * 200 + "b" * 180, "LHM", f"{FIRST}, to settle b (15 of 100). A few more readings would hardly "
                                       "change the danger."),
        ("a" * 200 + "b" * 170, "LHM", "discuss it: a few more readings would hardly change the danger. "
                                       f"{FIRMER}"),
    ],
)  # fmt: skip
def test_what_is_useful_next_follows_the_numbers(readings: str, risk: str, action: str) -> None:
    """A reading is asked for only where what it says matters."""
    assert found(readings, risk).action == action


def test_a_danger_without_doubt_is_to_be_confirmed() -> None:
    """What a case that nobody needs to ask about ends in; not one whose label is harmless, or is in doubt."""
    (sure,), (harmless,), (open_one,) = (opened(said, risk="LHM") for said in ("b" * 40, "a" * 40, "aab"))
    action = f"{FIRST}, to settle b (100 of 100). No further reading is needed to see the danger."
    assert to_confirm(sure) == action
    assert brief_of(sure)[NEXT] == f"{action[0].upper()}{action[1:]}"
    assert to_confirm(harmless) == to_confirm(open_one) == ""
    assert NEXT not in brief_of(harmless)
    assert to_confirm(opened("b" * 40, risk="")[0]) == ""


def test_readings_without_which_a_case_is_as_certain_are_named_together() -> None:
    """Either of those that named b; not those that named a, without which b would tie."""
    case, without = opened("aaabb", "aaab")
    first = found("aaabb").table.iloc[0]
    assert first["head"] == "Without D or without E"
    assert first["sentence"] == (
        f"Certainty would rise from {100 * certainty(case):.0f} to "
        f"{100 * certainty(without):.0f} of 100, whichever of them is left out."
    )


def test_of_many_labels_that_are_tied_one_is_named() -> None:
    """And how many there are besides; of high risk, how often each leads, and the others together."""
    study, task = small_study("choice", "abcde", [list("abcde")], risk="LHHHH")
    said = settle(open_case(study, task, COUNTS, 0))
    assert said is not None
    open_ones = "b (20 of 100), c (20), d (20) and other high risk (20)"
    asks = f"{LIKELIER} b (or one of 3 others of high risk) or a."
    assert said.action == f"{FIRST}, to settle {open_ones}. {asks}"


def test_where_one_more_reading_could_rule_danger_out_it_is_asked_for() -> None:
    """Each reading counting twenty times, one more for a leaves less than 5 % of the danger."""
    firm = COUNTS.at(20.0)
    case, without = opened("aabb", "aaabb", aggregation=firm, risk="LHM")
    assert high_risk_probability(case) >= WEIGHTY / 100
    assert high_risk_probability(without) < PLAUSIBLE
    said = settle(case)
    assert said is not None
    assert said.action == "ask one more reader whether it is b or a."


def test_in_the_sample_danger_that_weighs_comes_first(dermatology: Study) -> None:
    """All labels of high risk that are plausible are named, by what settles each; a reader comes second."""
    task = next(iter(dermatology.tasks.values()))
    index = dermatology.case_ids.index("derm-145")
    said = settle(open_case(dermatology, task, default_aggregation(task), index))
    assert said is not None
    assert said.action == (
        "clinical course and blood tests first, for Cellulitis (21 of 100); biopsy for Cutaneous T Cell "
        f"Lymphoma (16). {LIKELIER} Cellulitis, "
        "Cutaneous T Cell Lymphoma, Psoriasis, Eczema or Stasis Dermatitis."
    )


def test_where_the_study_says_nothing_the_words_are_general(dermatology: Study) -> None:
    """The same case of the same study without what settles its labels: the numbers are the same."""
    task = replace(next(iter(dermatology.tasks.values())), settled_by=())
    study = replace(dermatology, tasks={task.name: task})
    said = settle(open_case(study, task, default_aggregation(task), study.case_ids.index("derm-145")))
    assert said is not None
    assert said.action == (
        f"{FIRST}, to settle Cellulitis (21 of 100) and Cutaneous T Cell Lymphoma (16). "
        f"{LIKELIER} Cellulitis, "
        "Cutaneous T Cell Lymphoma, Psoriasis, Eczema or Stasis Dermatitis."
    )


@pytest.mark.parametrize(
    ("readings", "settled_by", "action"),
    [
        (
            "aab",
            ("", "biopsy", ""),
            f"biopsy first, for b (27 of 100). {LIKELIER} b or a.",
        ),
        (
            "aab",
            ("biopsy", "", ""),
            f"{FIRST}, to settle b (27 of 100). {LIKELIER} b or a.",
        ),
        (
            "aaaab",
            ("", "biopsy", ""),
            "ask one more reader whether it is b or a. If danger then stays possible: biopsy.",
        ),
        (
            "a" * 200 + "b" * 170,
            ("", "follow-up in 2 weeks", ""),
            "discuss it: a few more readings would hardly change the danger. Readings alone may not settle "
            "it; follow-up in 2 weeks would.",
        ),
    ],
)
def test_the_examination_that_the_study_names_stands_in_each_sentence(
    readings: str, settled_by: tuple[str, ...], action: str
) -> None:
    """That of the danger; what settles a label of low risk is not asked for."""
    study, task = small_study("choice", "abc", [list(readings)], risk="LHM")
    said = settle(open_case(study, replace(task, settled_by=settled_by), COUNTS, 0))
    assert said is not None
    assert said.action == action


@pytest.mark.parametrize(
    ("readings", "because"),
    [
        ("a", "There is only one reading."),
        ("aaa", "All 3 readings put a first."),
        ("aab", "1 of 3 readings does not put a first."),
        ("aaabb", "2 of 5 readings do not put a first."),
        ("aabb", "2 labels tie for the lead; each is put first by 2 of 4 readings."),
    ],
)
def test_what_readings_put_first(readings: str, because: str) -> None:
    """Counted, of one label or of those that tie."""
    assert found(readings).because == because


def test_a_label_may_lead_that_no_reading_puts_first() -> None:
    """By its other places; and one that is tied in first place is put first."""
    cases = [["a b", "c b", "d b", "e b"], ["ab", "a", "a"], ["a", "a", "ab", "b", "a"]]
    study, task = small_study("ranking", "abcde", cases)
    drawn = Aggregation("plackett-luce", 1.0)
    first, second, third = (settle(open_case(study, task, drawn, index)) for index in range(3))
    assert first is not None
    assert second is not None
    assert first.because == "None of 4 readings puts b first: it leads by all their places together."
    assert second.because == "All 3 readings put a first, 1 of them tied with another label."
    assert third is not None
    assert third.because == "1 of 5 readings does not put a first, and 1 only ties it with another."


def test_without_doubt_there_is_nothing_to_settle() -> None:
    """Nor of scores, or of a case that nobody read."""
    assert settle(opened("aab", aggregation=COUNTS.point)[0]) is None
    assert settle(opened("")[0]) is None
    study, task = small_study("score", "", [[4.0, 6.0]])
    assert settle(open_case(study, task, Aggregation("gaussian", 1.0), 0)) is None


@pytest.mark.parametrize(
    ("leads", "is_so"), [(1.0, True), (0.96, True), (0.947, True), (0.944, False), (0.5, False)]
)
def test_a_label_that_is_said_to_lead_in_95_of_100_is_certain(leads: float, is_so: bool) -> None:
    """As the number is shown, in whole truths of a hundred."""
    assert is_certain(pd.Series([1 - leads, leads])) == is_so
