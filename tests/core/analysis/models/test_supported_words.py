"""Which model the labels support best, in true words."""

from __future__ import annotations

import math

import pandas as pd

from core.analysis.models.supported import Supported
from core.analysis.models.supported_words import details, headline, where_danger_is


def words_of(**columns: list[float] | list[str]) -> Supported:
    """What is found of two models, with some columns."""
    usual = {"value": [0.8, 0.7], "low": [0.7, 0.6], "high": [0.9, 0.8], "best": [0.9, 0.1],
             "hard": [0.8, 0.9], "ceiling": [0.85, 0.85],
             "ceiling_low": [0.8, 0.8], "ceiling_high": [0.9, 0.9], "caught": [0.5, 0.2]}  # fmt: skip
    usual["caught_alike"] = [True, False]
    table = pd.DataFrame({"model": ["X", "Y"], "names": ["X", "Y"], **usual, **columns})
    return Supported(table, 10, False, "")


def test_words_say_who_leads_where() -> None:
    """By plausible truths, by the label with most readings, and where danger is."""
    found = words_of()
    assert details(found) == (
        "X is the most accurate in 90 of 100 plausible truths, Y in 10. With the majority label taken "
        "as the truth, Y would lead with 90\u00a0%; X would have 80\u00a0%."
    )
    assert "X would be right in 90\u00a0%." in details(words_of(hard=[0.9, 0.8]))
    assert ", Y in" not in details(words_of(best=[1.0, 0.0]))
    assert headline(words_of(value=[0.8, 0.8])).startswith("Best supported: X and Y, supported in 60 to 90")
    assert "supported in 70\u00a0% of the cases" in headline(words_of(low=[0.7, 0], high=[0.7, 0]))


def test_words_about_danger_compare_all_models() -> None:
    """The best there is named, whether or not it is best supported; who cannot be told from it; the worst."""
    start = "Where the truth is a high-risk label, "
    assert where_danger_is(words_of()) == (
        f"{start}X warns of it most often, in 50\u00a0%; least often Y, in 20\u00a0%."
    )
    assert where_danger_is(words_of(caught=[0.1, 0.2], caught_alike=[False, True])) == (
        f"{start}Y warns of it most often, in 20\u00a0%; least often X, in 10\u00a0%."
    )
    assert where_danger_is(words_of(caught_alike=[True, True])) == (
        f"{start}X warns of it most often, in 50\u00a0%; on these cases Y (20\u00a0%) cannot be told from it."
    )
    assert where_danger_is(words_of(caught=[0.5, 0.5])) == f"{start}X and Y warn of it in 50\u00a0%."
    assert where_danger_is(words_of(caught=[math.nan] * 2)) == ""
