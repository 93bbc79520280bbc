"""Metadata is written for people: names, numbers, and what only a simulation knows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_study import small_study

from core.analysis.cases.metadata_words import column_words, metadata_words, value_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("body_site", "Body site"),
        ("practice", "Practice"),
        ("true_share_Pleural Effusion", "True share Pleural Effusion"),
        ("MRI", "MRI"),
        ("Skin type", "Skin type"),
        ("größe_mm", "größe_mm"),
    ],
)
def test_names_of_files_become_words(name: str, words: str) -> None:
    """What somebody wrote for people stays as it is."""
    assert column_words(name) == words


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("true_share", 0.7316, "73\u00a0%"),
        ("share", 3.0, "3"),
        ("size", 1.23456789, "1.235"),
        ("year", 2023.0, "2023"),
        ("cells", 1234567.8, "1234568"),
        ("smoker", True, "yes"),
        ("age", 60, "60"),
        ("site", "<arm>", "<arm>"),
    ],
)
def test_numbers_have_few_digits(name: str, value: object, words: str) -> None:
    """Shares are in percent, whole numbers whole, text as it is."""
    assert value_words(name, value) == words


def test_what_is_known_because_simulated_says_so() -> None:
    """And comes last; a real study may call a column what it likes."""
    metadata = {"true_area": [0.5], "true_share": [0.5], "body_site": ["arm"], "empty": [None]}
    study, _ = small_study("choice", "ab", [["a"]], metadata=metadata)
    said = metadata_words(replace(study, source="Simulated."), 0)
    assert said == ["Body site: arm", "True area: 0.5 (known because simulated)"]
    assert metadata_words(replace(study, source="A clinic"), 0) == [
        "True area: 0.5",
        "True share: 50\u00a0%",
        "Body site: arm",
    ]
    assert metadata_words(study, 0, without={"true_area", "true_share", "body_site"}) == []


def test_it_is_said_of_what_a_share_is() -> None:
    """By tasks, of the positive label of each."""
    study, task = small_study("choice", "ab", [["a"]], metadata={"true_share_t": [0.3]})
    study = replace(study, source="Simulated.", tasks={"t": replace(task, positive="b")})
    assert metadata_words(study, 0) == ["t, simulated truth: 30\u00a0% b"]


def test_several_things_a_simulation_knows_are_said_to_be_known_once() -> None:
    """Whatever else they are."""
    metadata = {"true_digit_a": [0], "true_share_a": [0.72], "reference": ["a"], "true_share": [0.72]}
    study, _ = small_study("choice", "ab", [["a"]], metadata=metadata)
    assert metadata_words(replace(study, source="Simulated."), 0, without={"reference"}) == [
        "True digit a: 0, True share a: 72\u00a0% (known because simulated)"
    ]
