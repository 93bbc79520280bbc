"""The answer to a claim in words: every number is the claim's own, and what it asks for is enough."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.analysis import tour_answer as answers
from core.analysis import tour_claim as claims
from core.analysis import tour_note as notes
from core.analysis.note import Rows, Words, as_text
from core.analysis.tour_proof import TAKE_HOME, range_in_words
from core.analysis.vendor_questions import TRY_OUT

ASKED = [0.05, 0.5, 0.7, 0.8, 0.88, 0.92, 0.95, 1.0]
UNPROVED, POSSIBLE = "These labels support ", " is only possible, not proven: these labels support "
JUST = " is just above what these labels support: "
NO_MORE = "Neither buy nor refuse on this number: the model may be better than these labels show."
FOUND = claims.Claim(0.92, 3, 0.6, 150, 0.69, 0.81, 0.73, 0.85, 0.79, 0.0)


def said(claimed: float, n_readers: int, agreement: float) -> tuple[str, str, str]:
    """Verdict, advice and what would be possible, as the page makes them."""
    found, needed = (
        claims.claim(claimed, n_readers, agreement),
        claims.readers_needed(claimed, agreement),
    )
    better = answers.better(found, needed, claims.better_readers(claimed, agreement))
    passing = " ".join(filter(None, (answers.enough(found, needed), better)))
    return answers.verdict(found, needed), answers.advice(found, needed), passing


@pytest.mark.parametrize("agreement", [0.4, 0.6, 0.8, 0.95])
def test_readers_asked_for_satisfy_their_own_sentence(agreement: float) -> None:
    """Typed in, what is asked for makes the claim possible, whether it is more readers or better ones."""
    asked_for = set()
    for claimed in ASKED:
        needed = claims.readers_needed(claimed, agreement)
        for n_readers in (1, 3, 20):
            verdict, advice, passing = said(claimed, n_readers, agreement)
            if POSSIBLE in verdict:
                assert needed is not None
                assert n_readers >= needed
                assert "Ask for" not in advice
            assert (answers.REFERENCE in advice) == (passing != "")
            assert "readers a case" not in advice, "no vendor can make readers agree"
            for of, n in re.findall(
                r"(?:agree in (\d+).%, |with )(one|about \d+)(?: readers)? a case", passing
            ):
                then = int(of) / 100 if of else agreement
                n_asked = 1 if n == "one" else int(n.removeprefix("about "))
                assert POSSIBLE in said(claimed, n_asked, then)[0]
                asked_for.add(n_asked)
            if "no number" in passing:
                assert not any(
                    claims.is_possible(claimed, n, agreement, 150) for n in (40, 99, claims.MOST_READERS)
                )
    assert len(asked_for) > 3


def test_the_verdict_is_what_the_numbers_written_say() -> None:
    """A claim above the range, as both stand there, is unproved; no range lies beyond what any model has."""
    for claimed in ASKED:
        for n_readers in (1, 3, 10, 50):
            found = claims.claim(claimed, n_readers)
            (_, supported, ceiling), said_of = zip(*answers.shown(found), strict=True)
            ends = [[int(one) for one in re.findall(r"\d+", words)] for words in (supported, ceiling)]
            (low, high), (least, most) = ((one[0], one[-1]) for one in ends)
            assert said_of[1].startswith("In 95 of 100 plausible truths")
            assert low <= high <= most
            assert low <= least
            verdict = answers.verdict(found, None)
            assert f"{100 * claimed:.0f}\u00a0%" in verdict
            above = round(100 * claimed) - high
            assert (verdict.startswith(UNPROVED), JUST in verdict) == (above > 2, 0 < above <= 2)
            assert (supported.removeprefix("Supported: ") in verdict) == ("useful" not in verdict)


def test_the_verdict_says_in_how_many_plausible_truths_a_claim_holds() -> None:
    """Few more of them make no other verdict than few more words; the rule names both bounds."""
    for reached, words in ((0.0, "none"), (0.003, "fewer than 1"), (0.024, "2")):
        found = replace(FOUND, reached=reached)
        assert answers.verdict(found, 54) == f"{UNPROVED}69 to 81\u00a0%, not 92\u00a0%."
        assert answers.holds(found) == f"{answers.WAYS}, the model reaches 92\u00a0% in {words}."
    for claimed, words in (
        (0.814, "only 0.4 points"),
        (0.82, "only 1 point"),
        (0.83, "only 2 points"),
        (0.831, "2.1 points"),
        (0.925, "11.5 points"),
    ):
        _, (_, supported), _ = answers.shown(replace(FOUND, claimed=claimed))
        assert supported.endswith(f" The claim lies {words} above.")
    assert "above" not in str(answers.shown(replace(FOUND, claimed=0.81)))
    within = replace(FOUND, claimed=0.81)
    for reached, words in (
        (0.03, "barely possible"),
        (0.099, "barely possible"),
        (0.1, "only possible, not proven"),
    ):
        verdict = answers.verdict(replace(within, reached=reached), 3)
        assert verdict == f"81\u00a0% is {words}: these labels support 69 to 81\u00a0%."
    assert (
        "is reached in about 3 of 100 plausible truths is barely possible; in 10 or more, only "
        "possible, not proven." in answers.rule()
    )


def test_what_is_supported_is_said_with_what_it_is_not() -> None:
    """How many labels may be wrong, and what is supported of this model and of any."""
    wrong, supported, ceiling = answers.shown(FOUND)
    assert wrong[1].startswith("About 31 of 150 probably are, and nobody knows which.")
    assert supported == (
        "Supported: 69 to 81\u00a0%",
        "In 95 of 100 plausible truths this model’s accuracy lies there; in none it reaches 92\u00a0%. "
        "The claim lies 11 points above.",
    )
    assert ceiling == (
        "Ceiling: 73 to 85\u00a0%",
        "The most that these labels can support, of any model, however good.",
    )
    assert "whoever claims less is supported less" in answers.of_what()


def test_words_for_each_outcome() -> None:
    """Too little, with and without what would be enough; barely; possible; and possible by luck."""
    assert answers.advice(FOUND, 54) == answers.advice(FOUND, None) == f"{NO_MORE} {answers.REFERENCE}"
    at_this = "At this agreement 92\u00a0% would be possible with about"
    none = (
        "At this agreement no number of readers up to 100 a case makes 92\u00a0% possible: more readers "
        "alone do not help."
    )
    for needed, enough in (
        (None, none),
        (54, f"{at_this} 60 readers a case."),
        (4, f"{at_this} 4 readers a case."),
    ):
        assert answers.enough(FOUND, needed) == enough
    for needed, readers, words in (
        (54, (0.8, 6), "Where two readers agree in 80\u00a0%, about 6 a case"),
        (None, (0.8, 6), "Where two readers agree in 80\u00a0%, about 6 a case"),
        (8, (0.8, 6), "Where two readers agree in 80\u00a0%, about 6 a case"),
        (4, (0.95, 1), "Where two readers agree in 95\u00a0%, one a case"),
        (4, (0.95, 4), ""),
        (54, None, ""),
    ):
        better = f"{words} would be enough for 92\u00a0% to be possible." if words else ""
        assert answers.better(FOUND, needed, readers) == better
    possible = replace(FOUND, claimed=0.7, n_readers=1, reached=0.9)
    assert answers.verdict(possible, 1).startswith(f"70\u00a0%{POSSIBLE}")
    assert answers.enough(possible, 1) == answers.better(possible, 1, (0.8, 1)) == ""
    assert answers.advice(possible, 1) == (
        "These labels do not contradict it, but do not prove it: count on no more than 69\u00a0%, the low "
        "end of the range. Ask where it errs."
    )
    assert answers.verdict(possible, 4) == (
        "70\u00a0% is possible, by the luck of who read: these labels support 69 to 81\u00a0%."
    )
    assert answers.advice(possible, 4) == (
        f"Do not decide yet: by other readers it might not be possible. {answers.REFERENCE}"
    )
    assert answers.enough(possible, 4) == (
        "At this agreement 70\u00a0% would be possible, whoever reads, with about 4 readers a case."
    )
    barely = replace(FOUND, claimed=0.81, reached=0.04)
    assert answers.advice(barely, 5).startswith(
        "Do not build on this number: count on no more than 69\u00a0%, the low end of the range. Ask for a "
        "firmer reference"
    )
    low = replace(FOUND, claimed=0.5, reached=1.0)
    assert answers.verdict(low, 1) == "50\u00a0% is less than these labels support: 69 to 81\u00a0%."
    assert answers.advice(low, 1).startswith("Check the number: these labels support 69\u00a0% or more.")
    below = replace(FOUND, claimed=0.686, reached=0.9)
    assert answers.verdict(below, 1) == "68.6\u00a0% is less than these labels support: 69 to 81\u00a0%."


@pytest.mark.parametrize("claimed", [0.0, 0.1, 0.3, 0.49])
def test_a_claim_below_one_half_is_told_to_be_useless(claimed: float) -> None:
    """Whatever labels support of it; nobody is told to count on it, or to ask for more readers."""
    verdict, advice, passing = said(claimed, 3, 0.6)
    assert passing == ""
    assert verdict == f"{100 * claimed:.0f}\u00a0% is too low to be useful."
    assert advice.startswith("Too low to be useful, whatever labels support")
    assert "most frequent label" in advice
    assert not re.search("vouch|count on|Ask for", advice)
    once, twice = (claims.claim(claimed, 3, reliability=gamma) for gamma in (1.0, answers.TWICE))
    assert "possible" not in answers.by_trust(once, twice)
    assert "too low" not in " ".join(said(0.5, 3, 0.6))


@pytest.mark.parametrize(
    ("claimed", "words"),
    [
        (0.92, "However often these readers agree, they cannot show this claim."),
        (0.3, "However often these readers agree, they do not rule this claim out."),
        (
            0.75,
            "Readers who agree in less than about 90\u00a0% cannot show this claim; those who agree more do "
            "not rule it out.",
        ),
    ],
)
def test_a_claim_has_an_answer_where_nobody_tells_how_often_readers_agree(claimed: float, words: str) -> None:
    """And it is the one of every agreement that could be told."""
    least = claims.not_ruled_out_from(claimed, 3)
    assert answers.whatever_agreement(least) == words
    of_some = words.replace("these readers", "3 readers").replace("Readers", "3 readers")
    assert answers.whatever_agreement(least, 3) == of_some
    for agreement in claims.AGREEMENTS:
        is_ruled_out = claims.claim(claimed, 3, agreement).grade == "unproved"
        assert is_ruled_out == (least is None or agreement < least)


def test_what_agreement_and_trust_make_of_a_range_is_a_table() -> None:
    """A line for each, which says in text as well what it is of."""
    found = claims.claim(0.92, 3)
    agreements = [claims.claim(0.92, 3, agreement) for agreement in (0.4, 0.8)]
    table = answers.supported_if(answers.by_agreement(agreements))
    assert table.heads == ("If", "Supported")
    assert table.rows == tuple(
        (f"Two readers agree in {words}", range_in_words(one.row).replace(" ", "\u00a0"))
        for words, one in zip(("40\u00a0%", "80\u00a0%"), agreements, strict=True)
    )
    note = notes.note(found, found, "Ask.", "", "", agreements=agreements)
    (rows,) = [part for part in note.parts if isinstance(part, Rows)]
    assert rows.rows[2:] == table.rows
    assert [row[0].split(" (")[0] for row in rows.rows[:2]] == [
        "Each reading counts once",
        "Each reading counts twice",
    ]
    low = range_in_words(agreements[0].row).replace("\u00a0", " ")
    assert f"- Two readers agree in 40 %. Supported: {low}" in as_text(note)
    running = " ".join(part.text for part in note.parts if isinstance(part, Words))
    assert not re.search(r"\d to \d", running), "no range stands in running text"


def test_the_answer_says_for_which_labels_it_is() -> None:
    """Once: beside the verdict, and in the note; of a claim that nobody could use it hangs on none."""
    found = claims.claim(0.92, 3)
    assert answers.only_if(found).startswith("If readers alone decided what is true;")
    assert answers.only_if(claims.claim(0.3, 3)) == ""
    note = as_text(notes.note(found, found, "Ask.", "", answers.verdict(found, None)))
    assert note.count("eaders alone") == 2, "the other is the question"
    assert note.count(answers.only_if(found)) == 1


def test_fields_that_hold_an_example_are_named() -> None:
    """All of them, some, or none, of which nothing is said."""
    assert answers.of_example(["Cases tested", "Readers of each case"], 2) == answers.EXAMPLE
    assert answers.EXAMPLE.startswith("Example values. Put in your vendor’s; ")
    assert answers.of_example(["Cases tested", "Readers of each case"], 4) == (
        "Assumed: Cases tested; Readers of each case."
    )
    assert answers.of_example([], 4) == answers.OWN


def test_what_to_ask_covers_cases_readers_agreement_and_danger() -> None:
    """Whatever else is answered, the questions name what an accuracy hides; so does the last sentence."""
    for words in ("how many cases", "read each", "how often", "dangerous cases"):
        assert words in " ".join(answers.QUESTIONS).lower()
        assert words in TAKE_HOME
    assert not any("tour" in question for question in answers.QUESTIONS), "they are taken away from it"


def test_readers_are_rounded_up() -> None:
    """Never below what is needed, nor beyond what can be typed."""
    for n, shown in ((1, 1), (9, 9), (10, 10), (11, 15), (30, 30), (31, 40), (54, 60), (91, 100), (100, 100)):
        assert answers.about(n) == shown
    assert all(answers.about(n) >= n for n in range(1, claims.MOST_READERS + 1))


def test_trust_in_the_readers_is_named_with_what_it_changes() -> None:
    """Each reading once, which is what to take and why, and twice; the verdict only where that is another."""
    once, twice = (claims.claim(0.76, 3, reliability=gamma) for gamma in (1.0, answers.TWICE))
    words = answers.by_trust(once, twice)
    assert range_in_words(once.row) in words
    assert range_in_words(twice.row) in words
    assert words.startswith(f"If you know nothing of the readers, take {range_in_words(once.row)}: ")
    assert "the cautious choice" in words
    assert "page Study" in words
    assert f"well, each may count twice: then the labels support {range_in_words(twice.row)}, and 76" in words
    assert once.grade != twice.grade
    alike = answers.by_trust(once, once)
    assert "then the range stays the same. Of a study" in alike
    assert "76\u00a0% is" not in alike


def test_the_first_answer_says_what_a_plausible_truth_is() -> None:
    """No γ, and one word for one thing: what it is stands in half a sentence, and in the note."""
    found, twice = claims.claim(0.92, 3), claims.claim(0.92, 3, reliability=answers.TWICE)
    for words in (
        answers.holds(found),
        *(words for fact in answers.shown(found) for words in fact),
        answers.by_trust(found, twice),
        answers.rule(),
        answers.enough(found, None),
        answers.better(found, None, (0.8, 6)),
        answers.of_what(),
    ):
        assert "γ" not in words
        assert not re.search("answer key|possible truth", words)
    assert answers.holds(found).startswith(answers.WAYS)
    assert answers.WAYS == "Of 100 ways the truth could be (plausible truths)"
    note = as_text(notes.note(found, twice, "Ask.", "", answers.verdict(found, None)))
    assert note.index("not 92 %.") < note.index("Ask.") < note.index(answers.WAYS)
    assert "answer key" not in note


def test_the_note_says_what_the_page_says() -> None:
    """In plain text without spaces that do not break, so that it can be pasted anywhere."""
    found, twice = claims.claim(0.92, 3), claims.claim(0.92, 3, reliability=answers.TWICE)
    advised = answers.advice(found, None)
    passing = answers.enough(found, None)
    note = as_text(
        notes.note(found, twice, advised, passing, answers.verdict(found, None), made_on="3 May 2026")
    )
    assert "\u00a0" not in note
    for words in (
        "Each reading counts once (to take where nothing is known of the readers). Supported: 69 to 81 %",
        "Each reading counts twice (where they are known to predict one another well). Supported: 76 to 87 %",
        advised,
        passing,
        answers.verdict(found, None),
    ):
        assert words.replace("\u00a0", " ") in note
    assert all(f"{number}. {words}" in note for number, words in enumerate(answers.QUESTIONS, 1))
    assert "invented cases" in note
    assert note.endswith(" 3 May 2026.\n")
    assert re.search("^Vendor: __+$", note, re.MULTILINE)
    assert re.search("^Product: __+$", note, re.MULTILINE)
    assert "tour" not in note
    verdict = answers.verdict(found, None).replace("\u00a0", " ")
    assert note.index(verdict) < note.index(advised.replace("\u00a0", " ")) < note.index("- Claimed: 92 %")


def test_a_note_of_example_values_says_so() -> None:
    """No board takes them for a vendor's."""
    found = claims.claim(0.92, 3)
    for names, said in (
        (["Cases tested", "Readers of each case"], notes.EXAMPLE_NOTE),
        (["Cases tested"], "Assumed, not told by the vendor: Cases tested."),
        ([], ""),
    ):
        example = notes.of_example_noted(names, 2)
        assert example == said
        note = as_text(notes.note(found, found, "Ask.", "", "", example=example))
        assert said in note
        assert ("xample" in note or "Assumed" in note) == (said != "")


def test_a_note_marks_each_number_that_nobody_told() -> None:
    """Where it stands, and not in a sentence elsewhere alone."""
    found = claims.claim(0.92, 3, 0.6)
    told = as_text(notes.note(found, found, "Ask.", "", ""))
    assert "(assumed)" not in told
    note = as_text(notes.note(found, found, "Ask.", "", "", assumed={"readers", "agreement", "cases"}))
    for words in ("on 150 cases (assumed)", "Readers of each case: 3 (assumed)", "agree in: 60 % (assumed)"):
        assert words in note
    assert "92 % (assumed)" not in note


def test_what_is_known_is_not_asked_for_again() -> None:
    """Of each number the rest of its question stays, and danger is always asked for."""
    everything = ("cases", "readers", "agreement")
    assert answers.questions((), 3) == answers.QUESTIONS
    for told in everything:
        asked = answers.questions((told,), 3)
        assert len(asked) == 5
        assert sum(one != other for one, other in zip(asked, answers.QUESTIONS, strict=True)) == 1
    words = " ".join(answers.questions(everything, 3))
    assert not re.search("[Hh]ow many (cases|read)|[Hh]ow often", words)
    for open_still in ("see what the model says", "independently", "did not agree", "dangerous cases"):
        assert open_still in words
    found = claims.claim(0.92, 3)
    note = as_text(notes.note(found, found, "Ask.", "", "", asked=answers.questions(everything, 3)))
    assert "How many read each case" not in note
    assert f"5. {answers.QUESTIONS[-1]}" in note


def test_one_reader_is_not_asked_to_agree_with_another() -> None:
    """Neither independence nor disputes are asked for; how often two would agree is, unless it is known."""
    assert len(answers.questions(("readers", "agreement"), 1)) == 3
    asked = answers.questions(("readers",), 1)
    assert "would two such readers agree" in asked[2]
    assert answers.questions((), 1) == answers.QUESTIONS, "a number of the example says nothing"


def test_what_hangs_on_an_assumed_agreement_says_so() -> None:
    """Where other numbers were told it would seem an answer to these alone; of a useless claim it is none."""
    found = claims.claim(0.92, 3, 0.6)
    assert answers.verdict(found, None, assumed=["agreement"]) == (
        "If two readers agree in 60\u00a0%, these labels support 69 to 81\u00a0%, not 92\u00a0%."
    )
    assert answers.verdict(found, None, assumed=["readers"]).startswith("If 3 readers read each case, these")
    assert answers.verdict(found, None, assumed=["agreement", "readers"]) == (
        "If 3 readers read each case and two agree in 60\u00a0%, these labels support 69 to 81\u00a0%, not "
        "92\u00a0%."
    )
    alone = claims.claim(0.92, 1, 0.6)
    assert answers.verdict(alone, None, assumed=["agreement"]).startswith("These labels"), "it hangs on none"
    other = claims.claim(0.92, 1, 0.9)
    assert alone.high == pytest.approx(other.high, abs=0.01), "hardly"
    assert alone.ceiling == other.ceiling
    useless = claims.claim(0.4, 3, 0.6)
    assert answers.verdict(useless, None, assumed=["agreement"]) == answers.verdict(useless, None)


def test_a_note_asks_for_a_try_out() -> None:
    """After all other questions, of which some may be answered."""
    found = claims.claim(0.92, 3)
    for asked in (answers.QUESTIONS, answers.QUESTIONS[2:]):
        note = as_text(notes.note(found, found, "Ask.", "", "", asked=asked))
        assert f"{len(asked) + 1}. {TRY_OUT}" in note
