"""The answer to a claim in words: every number is the claim's own, and what it asks for is enough."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.analysis import tour_agreement
from core.analysis import tour_answer as answers
from core.analysis import tour_claim as claims
from core.analysis import tour_note as notes
from core.analysis.note import Rows, Words, as_html, as_text
from core.analysis.tour_bands import axis_start, bands
from core.analysis.tour_proof import range_in_words
from core.analysis.vendor_questions import TRY_OUT

ASKED = [0.05, 0.5, 0.7, 0.8, 0.88, 0.92, 0.95, 1.0]
UNPROVED, POSSIBLE = "These labels support ", " is only possible, not proven: these labels support "
JUST = " is just above what these labels support: "
NO_MORE = "Better labels might show it: do not buy or reject on this number."
AT_60, WOULD = "At 60\u00a0% agreement,", "would make 92\u00a0% possible"
FOUND = claims.Claim(0.92, 3, 0.6, 150, 0.69, 0.81, 0.73, 0.85, 0.79, 0.0)


def said(claimed: float, n_readers: int, agreement: float) -> tuple[str, str, str]:
    """Verdict, advice and what would be possible, as the page makes them."""
    found, needed = (
        claims.claim(claimed, n_readers, agreement),
        claims.readers_needed(claimed, agreement),
    )
    passing = answers.enough(found, needed, claims.better_readers(claimed, agreement))
    return answers.verdict(found), answers.advice(found, needed), passing


@pytest.mark.parametrize("agreement", [0.4, 0.6, 0.8, 0.95, 1.0])
def test_readers_asked_for_satisfy_their_own_sentence(agreement: float) -> None:
    """Typed in, what is asked for makes the claim possible, whether it is more readers or better ones."""
    asked_for = set()
    for claimed in ASKED:
        needed = claims.readers_needed(claimed, agreement)
        for n_readers in (1, 3, 20):
            verdict, advice, passing = said(claimed, n_readers, agreement)
            if POSSIBLE in verdict:
                assert needed is not None
                assert (n_readers >= needed) == ("Ask for" not in advice)
            assert (answers.REFERENCE in advice) == (passing != "")
            assert "readers per case" not in advice, "no vendor can make readers agree"
            for of, n in re.findall(
                r"[Aa]t (\d+).% agreement, (one|about \d+)(?: readers?)? per case would", passing
            ):
                then = int(of) / 100
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
            ends = [re.findall(r"\d+", one.said) for one in bands(found)[1:]]
            (low, high), (least, most) = ((int(one[0]), int(one[-1])) for one in ends)
            assert low <= high <= most
            assert low <= least
            verdict = answers.verdict(found)
            assert f"{100 * claimed:.0f}\u00a0%" in verdict
            above = round(100 * claimed) - high
            assert (verdict.startswith(UNPROVED), JUST in verdict) == (above > 2, 0 < above <= 2)
            assert (range_in_words(found.row) in verdict) == ("useful" not in verdict)


def test_the_verdict_says_in_how_many_plausible_truths_a_claim_holds() -> None:
    """Few more of them make no other verdict than few more words; the rule names both bounds."""
    for reached, words in ((0.0, "none"), (0.003, "fewer than 1"), (0.024, "2")):
        found = replace(FOUND, reached=reached)
        assert answers.verdict(found) == f"{UNPROVED}69 to 81\u00a0%, not 92\u00a0%."
        assert answers.holds(found) == (
            "Of 100 plausible truths, the model’s accuracy lies in the supported range in 95, and reaches "
            f"92\u00a0% in {words}. The claim lies 11 points above that range."
        )
    for claimed, words in (
        (0.814, "only 0.4 points"),
        (0.82, "only 1 point"),
        (0.83, "only 2 points"),
        (0.831, "2.1 points"),
        (0.925, "11.5 points"),
    ):
        held = answers.holds(replace(FOUND, claimed=claimed))
        assert held.endswith(f" The claim lies {words} above that range.")
    assert "above" not in answers.holds(replace(FOUND, claimed=0.81))
    within = replace(FOUND, claimed=0.81)
    for reached, words in (
        (0.03, "barely possible"),
        (0.099, "barely possible"),
        (0.1, "only possible, not proven"),
    ):
        verdict = answers.verdict(replace(within, reached=reached))
        assert verdict == f"81\u00a0% is {words}: these labels support 69 to 81\u00a0%."
    assert (
        "reached in about 3 of 100 plausible truths is barely possible; one reached in 10 or more is only "
        "possible, not proven." in answers.rule()
    )


def test_one_sentence_says_why() -> None:
    """How many labels may be wrong, and what follows for a claim above, within and below; none is none."""
    wrong = "About 31 of the 150 labels are probably wrong, and which ones is unknown:"
    assert answers.reason(FOUND) == f"{wrong} a model that agrees with them was counted as right."
    within = replace(FOUND, claimed=0.75, reached=0.5)
    assert answers.reason(within) == f"{wrong} the model may be better or worse than claimed."
    below = replace(FOUND, claimed=0.6, reached=1.0)
    assert answers.reason(below) == (
        f"{wrong} a model that differs from them may be right, but was counted as wrong."
    )
    one = "About 1 of the 150 labels is probably wrong, and which one is unknown:"
    credit = "a model that agrees with it was counted as right."
    assert answers.reason(replace(FOUND, ceiling=0.993)) == f"{one} {credit}"
    assert answers.reason(replace(FOUND, ceiling=0.999)) == "Probably none of the 150 labels is wrong."
    assert answers.reason(replace(FOUND, claimed=0.3, reached=1.0)) == ""


def test_how_it_is_worked_out_says_each_thing_once() -> None:
    """What the ranges are, and what moves them; nothing of it is in the answer itself."""
    words = " ".join(answers.worked_out(FOUND))
    for once in ("In 95", "simulated cases", "the supported range", answers.NARROWS, "γ"):
        assert words.lower().count(once.lower()) <= 1
    for told in (answers.holds(FOUND), answers.rule(), answers.of_what(), answers.GAMMA):
        assert words.count(told) == 1
    assert "A lower claim gets a lower range" in words


def test_words_for_each_outcome() -> None:
    """Too little, with and without what would be enough; barely; possible; and possible by luck."""
    assert answers.advice(FOUND, 54) == answers.advice(FOUND, None) == f"{NO_MORE} {answers.REFERENCE}"
    none = "At 60\u00a0% agreement, no number of readers up to 100 per case makes 92\u00a0% possible"
    for needed, better, words in (
        (None, None, f"{none}."),
        (None, (0.8, 8), f"{none}; at 80\u00a0% agreement, about 8 per case would."),
        (54, None, f"{AT_60} about 60 readers per case {WOULD}."),
        (
            54,
            (0.8, 6),
            f"{AT_60} about 60 readers per case {WOULD}; at 80\u00a0% agreement, about 6 per case would.",
        ),
        (
            4,
            (0.95, 1),
            f"{AT_60} about 4 readers per case {WOULD}; at 95\u00a0% agreement, one per case would.",
        ),
        (4, (0.95, 4), f"{AT_60} about 4 readers per case {WOULD}."),
    ):
        assert answers.enough(FOUND, needed, better) == words
    possible = replace(FOUND, claimed=0.7, n_readers=1, reached=0.9)
    assert answers.verdict(possible).startswith(f"70\u00a0%{POSSIBLE}")
    assert answers.enough(possible, 1, (0.8, 1)) == ""
    assert answers.advice(possible, 1) == (
        "Count on no more than 69\u00a0%, the low end of the range. Ask where the model errs."
    )
    assert answers.advice(possible, 4) == (
        f"Do not decide yet: with other readers this claim might not even be possible. {answers.REFERENCE}"
    )
    assert answers.enough(possible, 4) == (
        "At 60\u00a0% agreement, about 4 readers per case would make 70\u00a0% possible, whoever the readers "
        "are."
    )
    barely = replace(FOUND, claimed=0.81, reached=0.04)
    assert answers.advice(barely, 5).startswith(
        "Do not rely on this number: count on no more than 69\u00a0%, the low end of the range. Ask for a "
        "stronger reference"
    )
    low = replace(FOUND, claimed=0.5, reached=1.0)
    assert answers.verdict(low) == "50\u00a0% is less than these labels support: 69 to 81\u00a0%."
    assert answers.advice(low, 1) == "Ask whether the number is right, and where the model errs."
    below = replace(FOUND, claimed=0.686, reached=0.9)
    assert answers.verdict(below) == "68.6\u00a0% is less than these labels support: 69 to 81\u00a0%."


@pytest.mark.parametrize("claimed", [0.0, 0.1, 0.3, 0.49])
def test_a_claim_below_one_half_is_told_to_be_useless(claimed: float) -> None:
    """Whatever labels support of it; nobody is told to count on it, or to ask for more readers."""
    verdict, advice, passing = said(claimed, 3, 0.6)
    assert passing == ""
    assert verdict == f"{100 * claimed:.0f}\u00a0% is too low to be useful."
    assert "too low" not in advice, "that is the verdict"
    assert advice.startswith("Such a model errs more often than not")
    assert "most frequent label" in advice
    assert not re.search("vouch|count on|Ask for", advice)
    once, twice = (claims.claim(claimed, 3, reliability=gamma) for gamma in (1.0, answers.TWICE))
    assert "possible" not in answers.by_trust(once, twice)
    assert "too low" not in " ".join(said(0.5, 3, 0.6))


@pytest.mark.parametrize(
    ("claimed", "words"),
    [
        (0.96, "With this many readers, no amount of agreement can support this claim."),
        (
            0.92,
            "With this many readers, these labels cannot support this claim unless any two agree on nearly "
            "every case.",
        ),
        (0.3, "With this many readers, this claim is not ruled out, however often they agree."),
        (
            0.75,
            "With this many readers, agreement below about 90\u00a0% cannot support this claim; higher "
            "agreement does not rule it out.",
        ),
    ],
)
def test_a_claim_has_an_answer_where_nobody_tells_how_often_readers_agree(claimed: float, words: str) -> None:
    """And it is the one of every agreement that could be told."""
    least = claims.not_ruled_out_from(claimed, 3)
    assert tour_agreement.whatever_agreement(least) == words
    of_some = words.replace("this many readers", "3 readers per case")
    assert tour_agreement.whatever_agreement(least, 3) == of_some
    for agreement in claims.AGREEMENTS:
        is_ruled_out = claims.claim(claimed, 3, agreement).grade == "unproved"
        assert is_ruled_out == (least is None or agreement < least)


def test_a_claim_that_takes_full_agreement_is_told_from_one_that_takes_nearly_all() -> None:
    """In words, as both are written 99 % and more."""
    least = claims.not_ruled_out_from(0.9, 4, 1000)
    assert least == 1
    assert tour_agreement.whatever_agreement(least).endswith("unless any two agree on every case.")


def test_what_becomes_of_a_claim_is_said_of_each_agreement() -> None:
    """By its grade at that agreement, whatever it is at another."""
    cells = tour_agreement.scale([claims.claim(0.84, 3, agreement) for agreement in (0.4, 0.95)])
    assert cells[0] == ("40\u00a0%", "54 to 69\u00a0%".replace(" ", "\u00a0"), "not\u00a084\u00a0%")
    assert cells[1][2] == "84\u00a0%\u00a0possible"
    for claimed in (0.5, 0.7, 0.84, 0.99):
        of = [claims.claim(claimed, 3, agreement) for agreement in claims.SHOWN_AGREEMENTS]
        for one, (agree, _, words) in zip(of, tour_agreement.scale(of), strict=True):
            assert agree == f"{100 * one.agreement:.0f}\u00a0%"
            written = f"{100 * claimed:.0f}\u00a0%"
            assert words.replace("\u00a0or\u00a0more", "").endswith(written) == (
                one.grade in ("unproved", "less")
            )
            assert words.startswith("not") == (one.grade == "unproved")
            assert words.endswith("possible") == (one.grade in ("barely", "possible"))


def test_what_agreement_and_trust_make_of_a_range_is_a_table() -> None:
    """A line for each, which says in text as well what it is of."""
    found = claims.claim(0.92, 3)
    agreements = [claims.claim(0.92, 3, agreement) for agreement in (0.4, 0.8)]
    table = tour_agreement.table_of(agreements)
    assert table.heads == ("If", "Supported")
    assert table.rows == tuple(
        (f"Two readers agree {words} of the time", range_in_words(one.row).replace(" ", "\u00a0"))
        for words, one in zip(("40\u00a0%", "80\u00a0%"), agreements, strict=True)
    )
    note = notes.note(found, "Ask.", "", agreements=agreements)
    assert answers.quoted(found) == answers.QUOTED
    assert answers.quoted(claims.claim(0.92, 1)) == "", "nothing could support it"
    (rows,) = [part for part in note.parts if isinstance(part, Rows)]
    assert rows.rows == table.rows
    assert not [part for part in notes.note(found, "Ask.", "").parts if isinstance(part, Rows)]
    low = range_in_words(agreements[0].row).replace("\u00a0", " ")
    assert f"- Two readers agree 40 % of the time. Supported: {low}" in as_text(note)
    running = " ".join(part.text for part in note.parts if isinstance(part, Words))
    assert len(re.findall(r"\d to \d", running)) == 1, "no range stands in running text but in the verdict"


def test_the_answer_says_for_which_labels_it_is() -> None:
    """Once: beside the verdict, and in the note; of a claim that nobody could use it hangs on none."""
    found = claims.claim(0.92, 3)
    assert answers.guide(found) == answers.GUIDE
    assert answers.guide(claims.claim(0.3, 3)) == ""
    note = as_text(notes.note(found, "Ask.", ""))
    assert note.count("eaders alone") == 2, "the other is the question"
    assert note.count(answers.GUIDE) == 1


def test_one_of_two_ranges_is_to_be_quoted() -> None:
    """Which one and why, when the other, and why Study counts otherwise; the note has the first alone."""
    found = claims.claim(0.92, 3)
    twice = claims.claim(0.92, 3, reliability=answers.TWICE)
    said = answers.to_quote(found, twice)
    assert said.startswith(
        f"Quote {range_in_words(found.row)} as supported. {answers.ONCE} The page Study tests"
    )
    assert "in its example, each then counts twice." in said
    last = f"Quote {range_in_words(twice.row)} only if your vendor’s readings pass that test."
    assert said.endswith(last)
    assert answers.to_quote(found, found).endswith(" Counting twice would change nothing here.")
    alone = answers.to_quote(replace(found, n_readers=1), twice)
    assert alone.endswith(" One reader per case leaves nothing to test."), "no reading predicts another"
    assert range_in_words(twice.row) not in alone
    assert answers.to_quote(claims.claim(0.3, 3), twice) == ""
    note = as_text(notes.note(found, "Ask.", ""))
    assert range_in_words(twice.row).replace("\u00a0", " ") not in note


def test_what_is_supported_is_explained_where_the_word_first_stands() -> None:
    """On the page and in the note, right beneath the verdict; one without the word needs no such line."""
    found, useless = claims.claim(0.92, 3), claims.claim(0.3, 3)
    assert answers.support(found) == "Supported: what these labels can prove. The model may be better."
    note = as_text(notes.note(found, "Ask.", ""))
    assert note.count(answers.SUPPORT) == 1
    assert note.index("not 92 %.") < note.index(answers.SUPPORT) < note.index("About 31 of")
    assert "support" not in answers.verdict(useless)
    assert answers.support(useless) == ""
    assert answers.SUPPORT not in as_text(notes.note(useless, "Ask.", ""))


def test_it_is_said_whether_fields_hold_an_example() -> None:
    """All of them, some, or none."""
    assert answers.of_example(4, 4) == answers.EXAMPLE
    assert answers.EXAMPLE.startswith("Example values. Enter your vendor’s; ")
    assert answers.of_example(2, 4) == answers.PALE
    assert answers.of_example(0, 4) == answers.OWN


def test_what_to_ask_covers_cases_readers_agreement_and_danger() -> None:
    """Whatever else is answered, the questions name what an accuracy hides; each asks one thing."""
    for words in ("how many cases", "read each", "how often", "dangerous cases"):
        assert words in " ".join(answers.QUESTIONS).lower()
    for asked in (answers.QUESTIONS, answers.questions(("readers",), 1), answers.questions(("readers",), 3)):
        assert all(question.count("?") == 1 for question in asked)
        assert not any(re.search(", and (who|what|how)", question) for question in asked)
    assert not any("tour" in question for question in answers.QUESTIONS), "they are taken away from it"


def test_readers_are_rounded_up() -> None:
    """Never below what is needed, nor beyond what can be typed."""
    for n, shown in ((1, 1), (9, 9), (10, 10), (11, 15), (30, 30), (31, 40), (54, 60), (91, 100), (100, 100)):
        assert answers.about(n) == shown
    assert all(answers.about(n) >= n for n in range(1, claims.MOST_READERS + 1))


def test_trust_in_the_readers_is_named_with_what_it_changes() -> None:
    """Each reading twice; the verdict only where that is another. Once is said beside the answer."""
    once, twice = (claims.claim(0.76, 3, reliability=gamma) for gamma in (1.0, answers.TWICE))
    words = answers.by_trust(once, twice)
    assert range_in_words(once.row) not in words, "it is the answer itself"
    assert (
        f"well, each reading may count twice: then the labels support {range_in_words(twice.row)}, and 76"
        in words
    )
    assert once.grade != twice.grade
    alike = answers.by_trust(once, once)
    assert "then the range stays the same. Agreement alone" in alike
    assert "76\u00a0% is" not in alike


def test_the_note_says_what_a_plausible_truth_is() -> None:
    """No γ, and one word for one thing: what it is stands in half a sentence of it, and above on the page."""
    found, twice = claims.claim(0.92, 3), claims.claim(0.92, 3, reliability=answers.TWICE)
    for words in (
        answers.holds(found),
        answers.reason(found),
        answers.by_trust(found, twice),
        answers.rule(),
        answers.enough(found, None, (0.8, 6)),
        answers.of_what(),
    ):
        assert "γ" not in words
        assert not re.search("answer key|possible truth", words)
    assert answers.holds(found).startswith("Of 100 plausible truths, ")
    assert answers.WAYS == "Of 100 ways the truth could be (plausible truths)"
    note = as_text(notes.note(found, "Ask.", ""))
    assert note.index("not 92 %.") < note.index("Ask.") < note.index(answers.WAYS)
    assert "answer key" not in note


def test_the_note_says_what_the_page_says() -> None:
    """In plain text without spaces that do not break, so that it can be pasted anywhere."""
    found = claims.claim(0.92, 3)
    advised = answers.advice(found, None)
    passing = answers.enough(found, None)
    note = as_text(notes.note(found, advised, passing, made_on="3 May 2026"))
    assert "\u00a0" not in note
    verdict, reason = answers.verdict(found), answers.reason(found)
    for words in (advised, passing, verdict, reason):
        assert note.count(words.replace("\u00a0", " ")) == 1
    assert all(f"{number}. {words}" in note for number, words in enumerate(answers.QUESTIONS, 1))
    for words in ("invented cases", "\nDate: 3 May 2026\n", "- Supported: 69–81 % (what these labels can"):
        assert note.count(words) == 1
    assert re.search("^Vendor: __+$", note, re.MULTILINE)
    assert re.search("^Product: __+$", note, re.MULTILINE)
    assert not re.search("tour|γ|eading counts|[Rr]eliab", note), "no board knows these"
    assert (
        note.index("- Claimed: 92 %, on") < note.index(verdict.replace("\u00a0", " ")) < note.index("- Ceil")
    )


def test_the_note_draws_the_three_rows() -> None:
    """As a picture that runs nothing, with the numbers of the page and words for who does not see it."""
    found = claims.claim(0.92, 3)
    page = as_html(notes.note(found, "Ask.", ""))
    assert page.count("<svg ") == 1
    for one in bands(found):
        assert f">{one.said}</text>" in page
        assert one.in_words in page, "to who hears it"
    assert not re.search(r"<script|\bon\w+=|href|url\(|<image", page)
    low = claims.claim(0.3, 3)
    assert axis_start(found) == 0.5
    assert axis_start(low) < min(low.claimed, low.low) <= axis_start(low) + 0.1
    assert ">20\u00a0%</text>" in as_html(notes.note(low, "Ask.", ""))


def test_a_note_of_example_values_says_so() -> None:
    """No board takes them for a vendor's; where some are told, those that are not are marked, each once."""
    found = claims.claim(0.92, 3, 0.6)
    everything = {"claimed", "cases", "readers", "agreement"}
    example = as_text(notes.note(found, "Ask.", "", assumed=everything))
    assert example.index(notes.EXAMPLE_NOTE) < example.index("Vendor:")
    assert "(assumed)" not in example
    told = as_text(notes.note(found, "Ask.", ""))
    assert not re.search("assumed|xample", told)
    note = as_text(notes.note(found, "Ask.", "", assumed=everything - {"claimed"}))
    for words in ("on 150 cases (assumed)", "each case: 3 (assumed)", "at random: 60 % (assumed)"):
        assert words in note
    assert "92 % (assumed)" not in note
    assert notes.EXAMPLE_NOTE not in note
    assert "If 3 readers read each of 150 cases and any two agree 60 % of the time: these labels" in note


def test_what_is_known_is_not_asked_for_again() -> None:
    """Of each number the rest of its question stays, and danger is always asked for."""
    everything = ("cases", "readers", "agreement")
    assert answers.questions((), 3) == answers.QUESTIONS
    for told in everything:
        others = set(answers.QUESTIONS) - set(answers.questions((told,), 3))
        assert len(others) == 1, "one less, or another in its place"
    words = " ".join(answers.questions(everything, 3))
    assert not re.search("[Hh]ow many (cases|read)|[Hh]ow often", words)
    for open_still in (
        "see the model’s output",
        "trained",
        "independently",
        "readers disagreed",
        "dangerous cases",
    ):
        assert open_still in words
    found = claims.claim(0.92, 3)
    note = as_text(notes.note(found, "Ask.", "", asked=answers.questions(everything, 3)))
    assert "How many readers read each case" not in note
    assert f"5. {answers.MEASURED}" in note
    assert f"7. {answers.DANGER}" in note
    assert f"8. {answers.QUESTIONS[-1]}" in note


def test_one_reader_is_not_asked_to_agree_with_another() -> None:
    """Neither independence nor disputes are asked for; how often two would agree is, unless it is known."""
    assert len(answers.questions(("readers", "agreement"), 1)) == 6
    asked = answers.questions(("readers",), 1)
    assert "would two such readers agree" in asked[4]
    assert answers.questions((), 1) == answers.QUESTIONS, "a number of the example says nothing"


def test_what_hangs_on_assumed_numbers_says_so() -> None:
    """Which they are, from the first; of a useless claim the answer hangs on none."""
    found = claims.claim(0.92, 3, 0.6)
    for assumed, words in (
        ({"agreement"}, "If any two readers agree 60\u00a0% of the time:"),
        ({"readers"}, "If 3 readers read each case:"),
        ({"cases"}, "If 150 cases were tested:"),
        ({"cases", "agreement"}, "If 150 cases were tested and any two readers agree 60\u00a0% of the time:"),
        ({"cases", "readers"}, "If 3 readers read each of 150 cases:"),
        ({"readers", "agreement"}, "If 3 readers read each case and any two agree 60\u00a0% of the time:"),
        (
            {"claimed", "cases", "readers", "agreement"},
            "If 3 readers read each of 150 cases and any two agree 60\u00a0% of the time:",
        ),
        (set(), ""),
        ({"claimed"}, ""),
    ):
        assert answers.condition(found, assumed) == words
    alone = claims.claim(0.92, 1, 0.6)
    assert answers.condition(alone, {"agreement"}) == "", "it hangs on none"
    other = claims.claim(0.92, 1, 0.9)
    assert alone.high == pytest.approx(other.high, abs=0.01), "hardly"
    assert alone.ceiling == other.ceiling
    assert answers.condition(claims.claim(0.4, 3, 0.6), {"agreement"}) == ""


def test_a_note_asks_for_a_try_out() -> None:
    """After all other questions, of which some may be answered."""
    found = claims.claim(0.92, 3)
    for asked in (answers.QUESTIONS, answers.QUESTIONS[2:]):
        note = as_text(notes.note(found, "Ask.", "", asked=asked))
        assert f"{len(asked)}. {TRY_OUT}" in note
