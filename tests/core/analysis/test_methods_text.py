"""The methods of a result in words: they say every choice, and name works that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import core
from core.analysis import methods_text as words
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings
from core.analysis.raters.settings import RaterSettings
from core.analysis.sources import bibtex, named
from core.plausibility.settings import MODELS, Aggregation
from core.settings import Option, entries, options

SAID: list[tuple[Any, Callable[[Any], words.Paragraph | None]]] = [
    *((Aggregation(model, 2.0), words.of_aggregation) for model in MODELS),
    (ComparisonSettings(), words.of_comparison),
    (ComparisonSettings(measure="AUROC"), words.of_comparison),
    (SliceSettings(by=("site",)), words.of_slices),
    (OtherReadersSettings(), words.of_readers),
    (OtherReadersSettings(method="anova", reader_metric="accuracy", expected=0.1), words.of_readers),
    (OtherReadersSettings(truth="plausibility", margin=0.05), words.of_readers),
    (DisagreementSettings(), words.of_disagreement),
    (ConformalSettings(), words.of_conformal),
    (ConformalSettings(score="raps"), words.of_conformal),
    (RaterSettings(), words.of_raters),
]
NEEDS = {"n_truths": {"truth": "plausibility"}, "power": {"expected": 0.1}}
"""What must be asked for before a choice makes a difference."""


def another(of: Option, now: Any) -> Any:
    """A value that is not the one in force, and is allowed."""
    tried: list[Any] = [*of.kind.choices, not now if isinstance(now, bool) else None, 0.25, 7, 60.0, "word"]
    tried += [("word",), ("word", "other")]
    for value in tried:
        if value is None or value == now or isinstance(value, bool) != isinstance(now, bool):
            continue
        try:
            of.check(value)
        except ValueError:
            continue
        return value
    raise AssertionError(f"no other value of {of.name} is tried")


@pytest.mark.parametrize(
    ("settings", "say"), SAID, ids=[f"{type(one).__name__}-{number}" for number, (one, _) in enumerate(SAID)]
)
def test_every_choice_that_a_table_names_is_said(settings: Any, say: Callable[[Any], Any]) -> None:
    """Another choice is another text, so the text cannot disagree with what is in force."""
    for of in options(type(settings)):
        now = replace(settings, **NEEDS.get(of.name, {}))
        if of.name == "model":
            continue
        value = another(of, getattr(now, of.name))
        try:
            then = replace(now, **{of.name: value})
        except ValueError:
            continue  # Not of this aggregation model.
        if entries(now) == entries(then):
            continue
        assert say(now) != say(then), of.name


@pytest.mark.parametrize(
    "settings", [ComparisonSettings(measure="AUROC"), RaterSettings(), ConformalSettings()]
)
def test_every_word_that_can_be_chosen_is_said(settings: Any) -> None:
    """Whatever is chosen of a few words, a sentence of its own says it."""
    say = next(say for one, say in SAID if type(one) is type(settings))
    for of in options(type(settings)):
        choices = [*of.kind.choices] if of.said and not of.kind.several else []
        said = {say(replace(settings, **{of.name: choice})) for choice in choices}
        assert len(said) == len(choices), of.name


def test_all_works_that_are_named_are_known() -> None:
    """And every paragraph that rests on one says its name."""
    for settings, say in SAID:
        paragraph = say(settings)
        assert paragraph is not None
        assert paragraph.sources or isinstance(settings, SliceSettings)
        for source in paragraph.sources:
            assert named(source) in paragraph.text
            assert f"{{{source}," in bibtex([source])
    certainty = words.of_certainty()
    assert words.methods_bibtex([certainty, None, certainty]).count("@article{stutz2025,") == 1


def test_text_from_data_stays_in_its_sentence() -> None:
    """Braces, headings and lines in names make no others."""
    said = words.of_raters(RaterSettings(raters=("{}", "a\n## b")))
    assert "Raters {}, a ## b were looked at." in said.text
    text = words.methods_text([said, words.of_slices(SliceSettings())])
    assert [line for line in text.splitlines() if line.startswith("#")] == ["## Raters", "## Software"]
    assert f"Loupe {core.__version__}" in text
    assert "not for diagnosis" in text


def test_draws_are_said_with_how_they_converged() -> None:
    """The worst R-hat and the fewest effective draws."""
    summary = {"worst_rhat": 1.0123, "smallest_ess": 1234.5, "share_above_limit": 0.0}
    text = words.of_aggregation(Aggregation("plackett-luce", 3.0), summary).text
    assert "R-hat 1.012" in text
    assert "1,234" in text
    assert "γ = 3: each reading counted γ times" in text
