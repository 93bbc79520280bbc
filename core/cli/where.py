"""The option `--where`: a command that looks at some of the cases."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.cli.options import add_options, chosen
from core.study.settings import CaseChoice

if TYPE_CHECKING:
    from core.study.model import Study


def add_where(command: argparse._ActionsContainer) -> None:
    """Let a command be given a condition on the cases."""
    add_options(command, CaseChoice)


def of_cases_where(study: Study, options: argparse.Namespace) -> Study:
    """Keep the cases that are asked for."""
    from core.cli.output import say
    from core.study.narrowed import narrowed

    kept = narrowed(study, chosen(CaseChoice, options).where)
    if kept is not study:
        say(f"{kept.n_cases:,} of {study.n_cases:,} cases where {kept.condition}.")
    return kept
