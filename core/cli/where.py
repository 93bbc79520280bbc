"""What is chosen of a study: the cases that a command looks at, and the labels that it takes for dangers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from core.cli.options import add_options, chosen
from core.settings import Option
from core.settings import options as options_of
from core.study.settings import StudyChoice

if TYPE_CHECKING:
    from core.study.model import Study


def add_where(command: argparse._ActionsContainer) -> None:
    """Let a command be given a condition on the cases, and labels that count as high risk."""
    add_options(command, StudyChoice)


def of_cases_where(study: Study, options: argparse.Namespace, *, silent: bool = False) -> Study:
    """Keep the cases that are asked for, and let count as high risk what is."""
    from core.cli.output import say
    from core.study.chosen import as_chosen

    kept = as_chosen(study, chosen(StudyChoice, options))
    if kept.condition and not silent:
        say(f"{kept.n_cases:,} of {study.n_cases:,} cases where {kept.condition}.")
    if kept.high_risk_labels and not silent:
        say(f"High risk: {'; '.join(kept.high_risk_labels)}.")
    return kept


def given(options: argparse.Namespace) -> dict[str, tuple[Option, Any]]:
    """What is chosen of a study, by flag; without what is left out."""
    asked = chosen(StudyChoice, options)
    values = {of.flag: (of, getattr(asked, of.name)) for of in options_of(StudyChoice) if of.flag}
    return {flag: (of, value) for flag, (of, value) in values.items() if value}


def refuse_without_study(options: argparse.Namespace, why: str = "none is given") -> None:
    """Refuse what is chosen of a study where there is none."""
    for flag in given(options):
        raise ValueError(f"{flag} is about a STUDY, and {why}")
