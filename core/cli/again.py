"""The command `run`: make tables, pictures and reports of a recipe again, and say what has changed."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import complain, say
from core.cli.places import output_folder, path_argument
from core.cli.recipe_options import options_of
from core.cli.words import Parser
from core.settings import nearest

if TYPE_CHECKING:
    from core.analysis.recipe import Recipe
    from core.analysis.recipe_reading import Recipes, Refuse

MADE_AGAIN = (
    "evaluate", "compare", "mrmc", "disagreement", "conformal", "raters", "checklist", "plan", "reread",
    "experiment", "picture", "figure", "report",
)  # fmt: skip
"""Commands whose files follow from a study and options alone."""


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`run` with its options."""
    command = commands.add_parser(
        "run", help="make what a recipe is of again: tables, pictures, a report; and say what changed"
    )
    what = "recipe.toml that lies beside tables, pictures or a report, or one that `loupe recipe` wrote"
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
    parsers = {name: parser for name, parser in commands.choices.items() if name in MADE_AGAIN}
    command.set_defaults(run=partial(_run, parsers=parsers))


def _run(given: argparse.Namespace, *, parsers: Mapping[str, Parser]) -> int:
    """Run the commands of a recipe; 1 where a file is not what it was."""
    from core.analysis.recipe_reading import read_recipe, read_recipes

    recipes = read_recipes(given.recipe)
    asked = [_asked(recipes, at, given, parsers) for at in range(len(recipes.steps))]
    if recipes.is_whole:
        _require_free(given, recipes, asked)
    for at, options in enumerate(asked):
        try:
            status = options.run(options)
        except ValueError as error:
            if not recipes.is_whole:
                raise
            if at:
                done = ", ".join(of.command for of in recipes.steps[:at])
                say(f"Done before it stopped, in {given.out}: {done}.")
            command = recipes.steps[at].command
            raise ValueError(f"step {at + 1} ({command}) can be mended or taken out: {error}") from error
        if status:
            return int(status)
    now = [read_recipe(_recipe_of(options)) for options in asked]
    if recipes.is_whole:
        _write_whole(given, now)
    for sentence in dict.fromkeys(
        one for before, after in zip(recipes.steps, now, strict=True) for one in _changed(before, after)
    ):
        say(sentence)
    return _compared(recipes, now)


def _asked(
    recipes: Recipes, at: int, given: argparse.Namespace, parsers: Mapping[str, Parser]
) -> argparse.Namespace:
    """Options of a step as the command line would have made them, with where it shall write."""
    then, refuse = recipes.steps[at], recipes.refuse(at)
    if then.command not in parsers:
        near = nearest(then.command, parsers)
        hint = f"did you mean {near!r}?" if near else f"one of {', '.join(parsers)}"
        raise refuse("command", f"no command that can be run again is called {then.command!r}; {hint}")
    if then.command in [one.command for one in recipes.steps[:at]]:
        raise refuse("command", f"{then.command} is a step already; give another recipe to this one")
    options = options_of(then, parsers[then.command], refuse)
    options.out, options.overwrite, options.again = given.out, given.overwrite, True
    options.study_as_given = given.study if given.study is not None else then.study
    try:
        options.study = None if options.study_as_given is None else path_argument(options.study_as_given)
    except argparse.ArgumentTypeError as error:
        raise refuse("path", f"{error}; give --study FOLDER") from None
    _require_study(options.study, then, parsers[then.command], refuse)
    if then.command == "report":
        name = next(iter(then.tables), f"report.{options.format}")
        if name != Path(name).name or not name.endswith(f".{options.format}"):
            raise refuse(name, f"expected the name of a file that ends in .{options.format}")
        options.out = given.out / options.folder / name
    return options


def _require_free(given: argparse.Namespace, recipes: Recipes, asked: Sequence[argparse.Namespace]) -> None:
    """Refuse places where something is, before the first of several steps."""
    from core.analysis.recipe import RECIPE

    for options in asked:
        if options.folder != "report":
            output_folder(options)
    files = [given.out / RECIPE, *(options.out for options in asked if options.folder == "report")]
    there = [path for path in files if path.exists()]
    if there and not given.overwrite:
        raise ValueError(f"{there[0]} is there already; give --overwrite to replace it, or another --out")
    if files[0].exists() and recipes.path.samefile(files[0]):
        raise ValueError(f"{files[0]} is the recipe itself; give another --out")


def _recipe_of(options: argparse.Namespace) -> Path:
    """Where a command has left its recipe."""
    from core.analysis.recipe import RECIPE, beside

    if options.folder == "report":
        return options.out.with_name(beside(options.out.name))
    return Path(options.out / options.folder / RECIPE)


def _write_whole(given: argparse.Namespace, now: Sequence[Recipe]) -> None:
    """Leave a recipe of all steps, with what they made."""
    from core.analysis.recipe import RECIPE, whole_text
    from core.study.whole_files import replace_files

    known = {key: said for of in reversed(now) for key, said in of.known.items()}
    replace_files(given.out, [(RECIPE, whole_text(now, known))])
    say(str(given.out / RECIPE))


def _require_study(study: Path | None, then: Recipe, parser: Parser, refuse: Refuse) -> None:
    """Refuse a study that is not there, or missing."""
    if study is not None and not study.is_dir():
        named = f"the study {then.known['name']!r}" if "name" in then.known else "the study"
        raise refuse("path", f"expected {named} in {study}, which is no folder here; give --study FOLDER")
    needed = any(action.dest == "study" and action.nargs is None for action in parser._actions)
    if study is None and needed:
        raise refuse("study", f"{then.command} needs one, and the recipe names none; give --study FOLDER")


def _changed(then: Recipe, now: Recipe) -> list[str]:
    """Say what is not as it was."""
    from core.analysis.recipe import versions

    said = []
    for key, what in (
        ("name", "The study has another name"),
        ("fingerprint", "The study has another fingerprint"),
        ("seed", "The study has another seed"),
        ("second_fingerprint", "The second study has another fingerprint"),
    ):
        old, new = then.known.get(key), now.known.get(key)
        if old is not None and old != new and (new is not None or not key.startswith("second")):
            said.append(f"{what}: {old} then, {new or 'none'} now.")
    here = versions(painted=True)
    for name, old in then.versions.items():
        if old != here.get(name):
            said.append(f"Version of {name}: {old} then, {here.get(name, 'none')} now.")
    return said


def _compared(recipes: Recipes, now: Sequence[Recipe]) -> int:
    """Say which files are not what they were; 1 where one is not."""
    from core.analysis.recipe import AS_SVG

    then, after = (
        {
            f"{of.command}/{name}" if recipes.is_whole else name: of.tables[name]
            for of in steps
            for name in of.tables
        }
        for steps in (recipes.steps, now)
    )
    if not then:
        say("The recipe does not say what the files were, so they are compared with none.")
        return 0
    different = sorted(name for name in {*then, *after} if then.get(name) != after.get(name))
    if different:
        complain(f"loupe: not the same as then: {', '.join(different)}")
        return 1
    what = f"All {len(after)} files are" if len(after) > 1 else f"{next(iter(after))} is"
    of_pdf = "; PDFs by the SVG that they are painted from" if any(n.endswith(AS_SVG) for n in after) else ""
    say(f"{what} the same as then, byte by byte{of_pdf}.")
    return 0
