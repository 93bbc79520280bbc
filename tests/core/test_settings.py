"""Options declared once: wrong values are refused, and kinds read what they write."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from small_study import small_study

from core.analysis.cases.select import Filters
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.export import provenance
from core.analysis.models.settings import ComparisonSettings
from core.analysis.planning.settings import PlanSettings
from core.analysis.raters.settings import RaterSettings
from core.cli import main, sample_folder
from core.cli.options import add_options, chosen
from core.cli.words import Parser, misspelt
from core.plausibility.settings import Aggregation, AggregationChoice
from core.settings import (
    YES_OR_NO,
    Kind,
    Settings,
    entries,
    number,
    one_of,
    option,
    options,
    part,
    some_of,
    texts,
    whole,
)

MODELS_OF_TOY = ("Bayes-optimal", "Overconfident")


@dataclass(frozen=True)
class Meal(Settings):
    """What somebody eats."""

    dish: str = option("", "what is served", one_of(["soup", "salad"]))
    plates: int = option(1, "how many", whole(1, 9))
    salt: float | None = option(None, "how much", number(0, 1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"dish": "sup"}, "dish must be one of soup, salad, got 'sup'; did you mean soup?"),
        ({"dish": "zzz"}, "dish must be one of soup, salad, got 'zzz'$"),
        ({"dish": 3}, "dish must be one of soup, salad, got 3"),
        ({"plates": 0}, "plates must be a whole number from 1 to 9, got 0"),
        ({"plates": 1.5}, "plates must be a whole number from 1 to 9, got 1.5"),
        ({"plates": True}, "plates must be a whole number from 1 to 9, got True"),
        ({"salt": math.nan}, "salt must be a number from 0 to 1, got nan"),
        ({"salt": "much"}, "salt must be a number from 0 to 1, got 'much'"),
    ],
)
def test_a_wrong_value_is_refused(wrong: dict[str, Any], said: str) -> None:
    """The option is named, what was expected, what came, and the nearest right word."""
    with pytest.raises(ValueError, match=said.replace("?", r"\?")):
        Meal(**wrong)


def test_defaults_are_allowed() -> None:
    """Also where they lie outside what can be chosen: nothing is chosen then."""
    assert (Meal().dish, Meal().salt) == ("", None)
    assert Meal("soup", 2, 0.5).plates == 2


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (whole(-3, 3), -2, ("-2",)),
        (number(0, 1), 0.25, ("0.25",)),
        (number(above=True, infinite=True), math.inf, ("∞",)),
        (YES_OR_NO, True, ("yes",)),
        (some_of("ab"), ("b", "a"), ("b", "a")),
        (texts(), ("x", ""), ("x", "")),
    ],
)
def test_kinds_read_what_they_write(kind: Kind, value: object, text: tuple[str, ...]) -> None:
    """The value comes back."""
    assert kind.texts(value) == text
    assert kind.read(text) == value


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (whole(0), "-1", "a whole number of 0 or more was expected"),
        (whole(0, 9999), "²", "a whole number from 0 to 9,999 was expected"),
        (whole(0), "9" * 5000, "a whole number of 0 or more was expected"),
        (number(above=True, infinite=True), "0", "a number above 0, or ∞, was expected"),
        (number(0, 1), "inf", "a number from 0 to 1 was expected"),
        (number(), "∞", "a number of 0 or more was expected"),
        (number(), "nan", "a number of 0 or more was expected"),
        (YES_OR_NO, "no", "yes was expected"),
        (some_of("ab"), "c", "one of a, b was expected"),
    ],
)
def test_kinds_say_what_they_expect(kind: Kind, text: str, said: str) -> None:
    """In words that people understand."""
    with pytest.raises(ValueError, match=f"^{said}$"):
        kind.read((text,))


def test_a_question_takes_its_part() -> None:
    """An object that has the options of several questions hands each its own."""

    @dataclass(frozen=True)
    class Both(Meal, Filters):
        """Two questions at once."""

    both = Both(dish="soup", search="x", wrong=("m",))
    assert part(Meal, both) == Meal("soup")
    assert part(Filters, both) == Filters(search="x", wrong=("m",))
    assert {of.name for of in options(Both)} == {of.name for of in (*options(Meal), *options(Filters))}


@dataclass(frozen=True)
class MoreAggregation(Aggregation):
    """An aggregation with one more option: nothing else knows of it."""

    stirring: int = option(0, "how often readings are stirred", whole(0, 9), former_flags=("--shaking",))


def test_an_option_of_a_question_stands_in_the_help_and_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Its words, its name in lower case with dashes, its default; also under a flag that it had."""
    parser = Parser(prog="loupe")
    add_options(parser, MoreAggregation)
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "--stirring STIRRING how often readings are stirred; 0 if left out" in said
    assert "shaking" not in said
    for flag in ("--stirring", "--shaking"):
        given = parser.parse_args(["--model", "irn", flag, "3", "--tie-rule", "first label"])
        expected = MoreAggregation("irn", tie_rule="first label", stirring=3)
        assert chosen(MoreAggregation, given) == expected
    assert misspelt(["--stiring", "3"], parser, {}) == "no option '--stiring'; did you mean --stirring?"
    with pytest.raises(ValueError, match="stirring must be a whole number from 0 to 9, got 10"):
        chosen(MoreAggregation, parser.parse_args(["--model", "irn", "--stirring", "10"]))


def test_an_option_of_a_question_stands_in_the_provenance() -> None:
    """Of every table that an aggregation makes."""
    study, task = small_study("choice", "ab", ["a", "b"])
    before = provenance(study, task, Aggregation("label-counts", 3))
    after = provenance(study, task, MoreAggregation("label-counts", 3, stirring=2))
    assert after == before | {"stirring": "2"}


def test_only_what_makes_a_difference_is_said() -> None:
    """Options of other models are not."""
    said = entries(Aggregation("plackett-luce", draws=7, warmup=3))
    assert said["draws"] == "7 after 3"
    assert said["prior"] == "released"
    assert not {"prior of errors", "ties within a differential"} & said.keys()
    assert entries(Aggregation("irn", ties="full"))["ties within a differential"] == "full"


def test_what_is_not_chosen_is_what_is_recommended() -> None:
    """For the task, and for the model."""
    _, task = small_study("choice", "ab", ["a", "b"])
    assert AggregationChoice().for_task(task) == Aggregation("label-counts", 1.0)
    assert AggregationChoice("majority", tie_rule="first label").for_task(task) == Aggregation(
        "majority", tie_rule="first label"
    )
    with pytest.raises(ValueError, match=r"model must be one of .*, got ''"):
        Aggregation("")
    with pytest.raises(ValueError, match=r"got 'dawid-skeen'; did you mean dawid-skene\?"):
        AggregationChoice("dawid-skeen")


QUESTIONS = {
    "evaluate": [AggregationChoice],
    "compare": [AggregationChoice, ComparisonSettings],
    "disagreement": [DisagreementSettings],
    "raters": [RaterSettings],
    "plan": [PlanSettings],
}


@pytest.mark.parametrize("command", QUESTIONS)
def test_a_command_offers_every_option_of_its_questions(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its words; draws of a case are not offered where truths and cases are drawn."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for of in (of for question in QUESTIONS[command] for of in options(question)):
        if of.flag is not None and (command, of.name) != ("compare", "draws"):
            assert of.flag in said
            assert " ".join(of.words.split()) in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "before", "now"),
    [
        ("compare", ["--label", "B", "--draws", "5"], ["--positive", "B", "--n-draws", "5"]),
        (
            "compare",
            ["--draws", "5", "--pair", *MODELS_OF_TOY],
            ["--n-draws", "5", "--rivals", *MODELS_OF_TOY],
        ),
        (
            "disagreement",
            ["--model", MODELS_OF_TOY[0], "--equal-mass", "--resamples", "2"],
            ["--predictor", MODELS_OF_TOY[0], "--bin-kind", "equal mass", "--resamples", "2"],
        ),
        (
            "raters",
            ["--accuracy", "0.8", "--ordered", "--resamples", "2"],
            ["--rater-accuracy", "0.8", "--label-order", "--resamples", "2"],
        ),
    ],
)
def test_flags_of_before_do_what_they_did(
    command: str, before: list[str], now: list[str], tmp_path: Path
) -> None:
    """File by file, provenance included."""
    study = str(sample_folder("toy_three_labels"))
    for name, flags in (("before", before), ("now", now)):
        assert main([command, study, *flags, "--out", str(tmp_path / name)]) == 0
    files = sorted((tmp_path / "now" / command).iterdir())
    assert files
    for file in files:
        assert file.read_bytes() == (tmp_path / "before" / command / file.name).read_bytes()
