"""The command `recipe`: all that a study yields as steps of one recipe, for `run`."""

from __future__ import annotations

import argparse
import errno
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from core.analysis.table_choice import TableChoice
from core.cli.again import MADE_AGAIN
from core.cli.options import add_options, chosen
from core.cli.output import print_problems, progress, say
from core.cli.places import add_study, path_argument
from core.cli.recipe_options import recipe_of
from core.cli.where import add_where, of_cases_where
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice
from core.settings import format_address

if TYPE_CHECKING:
    from core.analysis.recipe import Recipe
    from core.study.model import Task

_SHOWN = ("figure", "report")
"""Steps that draw pages."""


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`recipe` with its options; after those commands that are steps."""
    command = commands.add_parser(
        "recipe",
        help="write a recipe of all that a study yields: tables, figures, report; loupe run makes them",
        description="Its steps can be taken out or changed with any editor.",
    )
    add_study(command, help="study folder")
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, AggregationChoice)
    add_where(command)
    add_options(command, TableChoice)
    command.add_argument(
        "--out", type=path_argument, required=True, metavar="FILE", help="file to write: recipe.toml"
    )
    command.add_argument("--overwrite", action="store_true", help="replace the file where it is there")
    parsers = {name: parser for name, parser in commands.choices.items() if name in MADE_AGAIN}
    command.set_defaults(run=partial(_write, parsers=parsers), folder="recipe", parser=command)


def _write(options: argparse.Namespace, *, parsers: Mapping[str, Parser]) -> int:
    """Write the recipe."""
    from core.analysis.export import made_by
    from core.analysis.recipe import known_of, whole_text
    from core.analysis.report_files import find_task
    from core.study.output_place import require_apart, require_writable
    from core.study.reading.folder import read_study
    from core.study.whole_files import replace_files

    out = options.out
    if out.suffix != ".toml" or out.is_dir():
        raise ValueError(f"--out must be a file that ends in .toml, got {out}")
    if out.exists() and not options.overwrite:
        raise ValueError(f"{out} is there already; give --overwrite to replace it, or another --out")
    if not out.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "Expected a folder that is there", str(out.parent))
    require_apart(out.parent, sources=[options.study])
    require_writable(out.parent)
    asked = recipe_of(options)
    assert asked is not None
    chosen(AggregationChoice, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    task = find_task(study, options.task)
    left_out: dict[str, str] = {}
    steps = [*_steps(asked, options, task, parsers, left_out)]
    replace_files(out.parent, [(out.name, whole_text(steps, known_of(made_by(study, task))))])
    say(str(out))
    say(f"Steps: {', '.join(of.command for of in steps)}.")
    for command, why in left_out.items():
        say(f"No step {command}: {why}.")
    return 0


def _steps(
    asked: Recipe,
    options: argparse.Namespace,
    task: Task,
    parsers: Mapping[str, Parser],
    left_out: dict[str, str],
) -> Iterator[Recipe]:
    """Each command that suits the task, with those of the options that it has; why others do not, is kept."""
    from core.analysis.recipe import Recipe

    given = {name: value for name, value in asked.options.items() if name in options}
    for name in _commands(task, left_out):
        has = {action.dest for action in parsers[name]._actions}
        found: dict[str, Any] = {key: value for key, value in given.items() if key in has}
        if name in _SHOWN and (link := _link(options)):
            found["link"] = link
        if name == "figure":
            found["all"] = True
        yield Recipe(name, asked.study, found)


def _commands(task: Task, left_out: dict[str, str]) -> Iterator[str]:
    """Names of the commands that can be done, in the order of the pages."""
    from core.analysis.disagreement.conformal import why_no_sets
    from core.analysis.disagreement.conformal_settings import ConformalSettings

    yield "evaluate"
    if task.predictions:
        yield "compare"
    if task.reader_predictions:
        yield "mrmc"
    if any(of.kind != "score" for of in task.predictions.values()):
        yield "disagreement"
        why = why_no_sets(task, ConformalSettings())
        if why:
            left_out["conformal"] = why
        else:
            yield "conformal"
    yield from ("raters", "checklist", *_SHOWN)


def _link(options: argparse.Namespace) -> str:
    """Task and aggregation as an address says them; empty where neither was chosen."""
    address = format_address(chosen(AggregationChoice, options))
    if options.task is not None:
        address = {"task": (options.task,)} | address
    return f"?{urlencode(address, doseq=True)}" if address else ""
