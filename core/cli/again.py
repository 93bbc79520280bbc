"""The command `run`: make the tables of a recipe again, and say what has changed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import complain, say
from core.cli.places import path_argument
from core.cli.recipe_options import options_of
from core.cli.words import Parser
from core.settings import nearest

if TYPE_CHECKING:
    from core.analysis.recipe import Recipe

_MADE_AGAIN = (
    "evaluate", "compare", "mrmc", "disagreement", "conformal", "raters", "checklist", "plan", "reread",
    "experiment",
)  # fmt: skip
"""Commands whose tables follow from a study and options alone."""


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`run` with its options."""
    command = commands.add_parser("run", help="make the tables of a recipe.toml again, and say what changed")
    what = "recipe.toml that lies beside tables"
    command.add_argument("recipe", type=path_argument, metavar="RECIPE", help=what)
    command.add_argument(
        "--out",
        type=path_argument,
        required=True,
        metavar="DIR",
        help="folder for results; writes into DIR/COMMAND",
    )
    command.add_argument("--overwrite", action="store_true", help="replace what an earlier run left there")
    command.add_argument("--study", metavar="FOLDER", help="study folder; the path in the recipe if left out")
    parsers = {name: parser for name, parser in commands.choices.items() if name in _MADE_AGAIN}
    command.set_defaults(run=partial(_run, parsers=parsers))


def _run(given: argparse.Namespace, *, parsers: Mapping[str, Parser]) -> int:
    """Run the command of a recipe; 1 where a table is not what it was."""
    from core.analysis.recipe import RECIPE, read_recipe, refused

    then = read_recipe(given.recipe)
    text = given.recipe.read_text(encoding="utf-8-sig")

    def refuse(key: str, why: str) -> ValueError:
        return refused(given.recipe, text, key, why)

    if then.command not in parsers:
        near = nearest(then.command, parsers)
        hint = f"did you mean {near!r}?" if near else f"one of {', '.join(parsers)}"
        raise refuse("command", f"no command that can be run again is called {then.command!r}; {hint}")
    options = options_of(then, parsers[then.command], refuse)
    options.out, options.overwrite = given.out, given.overwrite
    options.study_as_given = given.study if given.study is not None else then.study
    try:
        options.study = None if options.study_as_given is None else path_argument(options.study_as_given)
    except argparse.ArgumentTypeError as error:
        raise refuse("path", f"{error}; give --study FOLDER") from None
    _require_study(options.study, then, parsers[then.command], refuse)
    status = options.run(options)
    if status:
        return int(status)
    now = read_recipe(options.out / options.folder / RECIPE)
    for sentence in _changed(then, now):
        say(sentence)
    if not then.tables:
        say("The recipe does not say what the tables were, so they are compared with none.")
        return 0
    different = sorted(
        name for name in {*then.tables, *now.tables} if then.tables.get(name) != now.tables.get(name)
    )
    if different:
        complain(f"loupe: not the same as then: {', '.join(different)}")
        return 1
    say(f"All {len(now.tables)} tables are the same as then, byte by byte.")
    return 0


def _require_study(
    study: Path | None, then: Recipe, parser: Parser, refuse: Callable[[str, str], ValueError]
) -> None:
    """Refuse a study that is not there, or missing."""
    if study is not None and not study.is_dir():
        named = f"the study {then.known['name']!r}" if "name" in then.known else "the study"
        raise refuse("path", f"expected {named} in {study}, which is no folder here; give --study FOLDER")
    needed = any(action.dest == "study" and action.nargs is None for action in parser._actions)
    if study is None and needed:
        raise refuse("study", f"{then.command} needs one, and the recipe names none; give --study FOLDER")


def _changed(then: Recipe, now: Recipe) -> list[str]:
    """Say what is not as it was."""
    said = []
    for key, what in (("name", "name"), ("fingerprint", "fingerprint"), ("seed", "seed")):
        old, new = then.known.get(key), now.known.get(key)
        if old is not None and old != new:
            said.append(f"The study has another {what}: {old} then, {new or 'none'} now.")
    for name in then.versions:
        old, new = then.versions[name], now.versions.get(name, "none")
        if old != new:
            said.append(f"Version of {name}: {old} then, {new} now.")
    return said
