"""A study that says of itself that it is not real is said to be not real; no other is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_study import small_study

from core.analysis.origin import origin_in_words
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
    assert "readings and models are examples" in words
    assert words.endswith("real patients or a product on sale.")
