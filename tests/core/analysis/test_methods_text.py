"""The methods of a result in words: they say every choice, and name works that are known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

import core
from core.analysis import methods_text as words
from core.analysis import works_on_inference, works_on_labels
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.methods import of_conformal, of_disagreement
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.models.methods import of_comparison, of_readers, of_slices
from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings
from core.analysis.raters.methods import of_raters, tells_ability
from core.analysis.raters.report import rater_report
from core.analysis.raters.settings import RaterSettings
from core.analysis.reliability.methods import of_aggregation, of_certainty
from core.analysis.sources import bibtex, named
from core.cli import sample_folder
from core.plausibility.settings import MODELS, Aggregation
from core.settings import Option, entries, options
from core.study.reading.folder import read_study
from core.study.reading.frames import study_of_frames

KNOWN = (*works_on_labels.WORKS, *works_on_inference.WORKS)
SAID: list[tuple[Any, Callable[[Any], words.Paragraph | None]]] = [
    *((Aggregation(model, 2.0), of_aggregation) for model in MODELS),
    (ComparisonSettings(), of_comparison),
    (ComparisonSettings(measure="AUROC"), of_comparison),
    (SliceSettings(by=("site",)), of_slices),
    (OtherReadersSettings(), of_readers),
    (OtherReadersSettings(method="anova", reader_metric="accuracy", expected=0.1), of_readers),
    (OtherReadersSettings(truth="plausibility", margin=0.05), of_readers),
    (DisagreementSettings(), of_disagreement),
    (ConformalSettings(), of_conformal),
    (ConformalSettings(score="raps"), of_conformal),
    (RaterSettings(), of_raters),
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
    certainty = of_certainty()
    assert words.methods_bibtex([certainty, None, certainty]).count("@article{stutz2025,") == 1


def test_text_from_data_stays_in_its_sentence() -> None:
    """Braces, headings and lines in names make no others."""
    said = of_raters(RaterSettings(raters=("{}", "a\n## b")))
    assert "Raters {}, a ## b were looked at." in said.text
    text = words.methods_text([said, of_slices(SliceSettings())])
    assert [line for line in text.splitlines() if line.startswith("#")] == ["## Raters", "## Software"]
    assert f"Loupe {core.__version__}" in text
    assert "not for diagnosis" in text


def test_draws_are_said_with_how_they_converged() -> None:
    """The worst R-hat and the fewest effective draws."""
    summary = {"worst_rhat": 1.0123, "smallest_ess": 1234.5, "share_above_limit": 0.0}
    text = of_aggregation(Aggregation("plackett-luce", 3.0), summary).text
    assert "R-hat 1.012" in text
    assert "1,234" in text
    assert "γ = 3: each reading counted γ times" in text


def test_what_was_left_to_loupe_is_said() -> None:
    """What accuracy is judged by, abilities, methods that were fitted, and confidences that do not count."""
    raters = of_raters(RaterSettings(), judged_by="majority", has_ability=True)
    assert "accuracy was judged by the label that most of the other raters give" in raters.text
    assert {"whitehill2009", "birnbaum1968"} <= {*raters.sources}
    assert "the best there is" not in of_raters(RaterSettings()).text
    assert "ability" not in of_raters(RaterSettings()).text
    recalibrated = of_disagreement(DisagreementSettings(recalibrate=True), ["as given", "temperature", "α"])
    assert "recalibration by temperature, α (Guo et al. 2017; Mimori et al. 2021)" in recalibrated.text
    assert "Dirichlet" in of_disagreement(DisagreementSettings(recalibrate=True)).text
    task = next(iter(read_study(sample_folder("knee_mri")).tasks.values()))
    assert "not used here" in of_aggregation(Aggregation("label-counts", 1.0), task=task).text
    weighed = Aggregation("label-counts", 1.0, confidence="weights")
    assert "not used here" not in of_aggregation(weighed, task=task).text


def test_p_values_are_said_with_what_they_are_corrected_for() -> None:
    """All pairs of one metric, or of all tasks."""
    one, every = (of_comparison(ComparisonSettings(), all_tasks=given) for given in (False, True))
    assert "corrected for all pairs of models by one metric (Holm 1979)" in one.text
    assert "corrected for all pairs of models in all tasks by one metric" in every.text
    assert "plain means" in every.text


def test_software_stands_among_the_works_with_its_versions() -> None:
    """Also where no work is named."""
    works = words.methods_bibtex([])
    assert f"version = {{{core.__version__}}}" in works
    assert [line for line in works.splitlines() if line.startswith("@")] == [
        f"@software{{{name}," for name in ("loupe", "numpy", "scipy", "pandas")
    ]


def test_bibtex_has_authors_and_years() -> None:
    """Of each work, with braces that close."""
    for work in KNOWN:
        entry = bibtex([work])
        assert re.search(r"^  author = \{.+\},$", entry, re.M), work
        assert re.search(r"^  year = \{\d{4}\},$", entry, re.M), work
        assert entry.count("{") == entry.count("}"), work


def test_raters_who_are_numbered_anew_have_no_ability() -> None:
    """Their report has no profiles at all, and its methods say none."""
    rows = [(f"c{case}", f"r{rater}", "ab"[(case + rater) % 2]) for case in range(8) for rater in (1, 2)]
    rows += [("c8", "r1", "a"), ("c8", "r2", "a"), ("c8", "r3", "b")]
    study = study_of_frames(pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]))
    report = rater_report(study, RaterSettings(resamples=0))
    assert "ability" not in report.methods[1].text
    assert not tells_ability(pd.DataFrame({"rater": []}))
