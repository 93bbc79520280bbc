"""A study that says of itself that it is not real is said to be not real; no other is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_study import small_study

from core.analysis.origin import invented_in_a_word, origin_in_words, told_of_case
from core.cli import sample_folder
from core.study.reading.folder import read_study

STUDY, _ = small_study("choice", "ab", [["a", "b"], ["a"]])


@pytest.mark.parametrize(
    ("description", "source", "quoted"),
    [
        ("Simulated, not real patients. 300 cases.", "", "“Simulated, not real patients”"),
        ("Cases of a clinic.", "Synthetic. By a program.", "“Synthetic”"),
        ("Made-up readings", "", "“Made-up readings”"),
        ("Real cases, beside which simulated ones were read.", "Clinic", ""),
        ("Simulators were used to train readers.", "", ""),
        ("", "", ""),
    ],
)
def test_what_a_study_says_of_itself_counts(description: str, source: str, quoted: str) -> None:
    """Where its description or its source begins so; a word somewhere in it does not."""
    words = origin_in_words(replace(STUDY, description=description, source=source))
    assert words.startswith(quoted) if quoted else words == ""
    assert "product" not in words, "it has no models"


def test_samples_say_that_their_models_are_examples() -> None:
    """No word of them is about a product."""
    words = origin_in_words(read_study(sample_folder()))
    assert "readings and models are examples: no number here is about real patients" in words
    assert words.endswith("real patients or a product on sale.")


@pytest.mark.parametrize(
    ("case_id", "words"),
    [
        ("fig-5", "One, fig-5, is of Stutz et al. 2025 (S1 to S6). Of fig-5 more is known!"),
        ("fig-6", "Éric drew fig-6."),
        # Neither a part of another id, nor what begins like one.
        ("fig", ""),
        ("5", ""),
        ("fig-50", ""),
        ("a+b", "So is a+b."),
    ],
)
def test_what_a_study_says_of_one_of_its_cases_is_quoted(case_id: str, words: str) -> None:
    """Whole sentences that name it; an abbreviation ends none."""
    study, _ = small_study("choice", "ab", [["a"]])
    described = (
        "All are made up. One, fig-5, is of Stutz et al. 2025 (S1 to S6). Of fig-5 more is known! "
        "Éric drew fig-6. So is a+b."
    )
    assert told_of_case(replace(study, description=described), case_id) == words
    assert told_of_case(study, case_id) == ""


@pytest.mark.parametrize(
    ("description", "source", "word"),
    [
        ("Simulated, not real patients. More.", "", "Simulated"),
        ("", "synthetic images", "Synthetic"),
        ("A clinic. None of it is simulated.", "Readings checked on simulated cases", ""),
    ],
)
def test_a_case_is_said_to_be_invented_where_its_study_begins_so(
    description: str, source: str, word: str
) -> None:
    """A study of real patients may speak of simulation as well."""
    assert invented_in_a_word(replace(STUDY, description=description, source=source)) == word
