"""What is chosen of a study: the cases that a command looks at, and the labels that it takes for dangers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.cli.options import add_options, chosen
from core.study.settings import StudyChoice

if TYPE_CHECKING:
    from core.study.model import Study


def add_where(command: argparse._ActionsContainer) -> None:
    """Let a command be given a condition on the cases, and labels that count as high risk."""
    add_options(command, StudyChoice)


def of_cases_where(study: Study, options: argparse.Namespace, *, silent: bool = False) -> Study:
    """Keep the cases that are asked for, and let count as high risk what is."""
    from core.cli.output import say
    from core.study.high_risk import counting_as_high_risk
    from core.study.narrowed import narrowed

    asked = chosen(StudyChoice, options)
    kept = counting_as_high_risk(narrowed(study, asked.where), asked.high_risk_labels)
    if kept.condition and not silent:
        say(f"{kept.n_cases:,} of {study.n_cases:,} cases where {kept.condition}.")
    if kept.high_risk_labels and not silent:
        say(f"High risk: {', '.join(kept.high_risk_labels)}.")
    return kept


def refuse_without_study(options: argparse.Namespace, why: str = "none is given") -> None:
    """Refuse what is chosen of a study where there is none."""
    asked = chosen(StudyChoice, options)
    if asked.where:
        raise ValueError(f"--where is about cases of a STUDY, and {why}")
    if asked.high_risk_labels:
        raise ValueError(f"--high-risk-label is about labels of a STUDY, and {why}")
