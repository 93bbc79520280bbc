"""Options of a command as a recipe has them, and back."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from core.cli.options import DECLARED, Declared
from core.settings import nearest

if TYPE_CHECKING:
    from core.analysis.recipe import Recipe

_NOT_CHOICES = ("help", "study", "out", "overwrite", "list", "workers", "scheduler")
"""Arguments that are no settings of the work."""


def recipe_of(options: argparse.Namespace) -> Recipe | None:
    """What was asked for; None of a command that no recipe makes again."""
    from core.analysis.recipe import Recipe

    parser = getattr(options, "parser", None)
    if parser is None:
        return None
    declared: dict[str, Declared] = parser.get_default(DECLARED) or {}
    found = {}
    for name, _ in _choices(parser):
        default = declared[name].option.default if name in declared else None
        value = getattr(options, name, default)
        value = tuple(value) if isinstance(value, list) else value
        if value is not None and value not in ((), ""):
            found[name] = value
    return Recipe(options.folder, options.study_as_given, found)


def _choices(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Each setting of a command with its first argument."""
    seen: set[str] = set()
    for action in parser._actions:
        if action.dest not in (*_NOT_CHOICES, *seen):
            seen.add(action.dest)
            yield action.dest, action


def options_of(
    recipe: Recipe, parser: argparse.ArgumentParser, refuse: Callable[[str, str], ValueError]
) -> argparse.Namespace:
    """Options as the command line would have made them.

    Parameters
    ----------
    recipe : Recipe
        What is asked for.
    parser : ArgumentParser
        Of the command.
    refuse : callable
        Makes the error about an option, from its name and what is wrong.

    Raises
    ------
    ValueError
        For an option that the command does not have, or a value that it does not take.
    """
    known = dict(_choices(parser))
    declared: dict[str, Declared] = parser.get_default(DECLARED) or {}
    found = argparse.Namespace(**parser._defaults)
    for action in parser._actions:
        if action.default is not argparse.SUPPRESS and action.dest != "help":
            setattr(found, action.dest, action.default)
    for name, value in recipe.options.items():
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else f"take it out; there are {', '.join(known)}"
            raise refuse(name, f"loupe {recipe.command} has no such option; {hint}")
        if name in declared:
            _check(declared[name], value, partial(refuse, name))
        elif (expected := _expected(known[name], value)) is not None:
            raise refuse(name, f"expected {expected}, got {value!r}")
        else:
            _parse(known[name], value, partial(refuse, name))
        setattr(found, name, value)
    return found


def _check(of: Declared, value: Any, refuse: Callable[[str], ValueError]) -> None:
    """Refuse a value that the option does not take."""
    if value == of.word and of.word is not None:
        return
    kind = of.option.kind
    try:
        of.option.check(value)
        if kind.count is not None and value and len(value) != kind.count:
            raise ValueError(f"expected {kind.count} texts, got {len(value)}")
        if kind.several and not all(isinstance(one, str) for one in value):
            raise ValueError(f"expected texts in quotes, got {list(value)}")
    except (ValueError, TypeError) as error:
        hint = f', or "{of.word}"' if of.word else ""
        raise refuse(f"{error}{hint}") from None


def _parse(action: argparse.Action, value: Any, refuse: Callable[[str], ValueError]) -> None:
    """Refuse a text that the argument does not take on the command line either."""
    if isinstance(value, str) and callable(action.type):
        try:
            action.type(value)
        except (ValueError, argparse.ArgumentTypeError) as error:
            raise refuse(str(error)) from None


def _expected(action: argparse.Action, value: Any) -> str | None:
    """What an argument takes, where the value is nothing such."""
    if isinstance(action, argparse._StoreTrueAction):
        return None if isinstance(value, bool) else "true or false"
    if action.type is int:
        return None if isinstance(value, int) and not isinstance(value, bool) else "a whole number"
    if action.nargs == "*":
        is_texts = isinstance(value, tuple) and all(isinstance(one, str) for one in value)
        return None if is_texts else 'texts in quotes, as in ["a", "b"]'
    if action.choices is not None:
        return None if value in action.choices else f"one of {', '.join(map(repr, action.choices))}"
    return None if isinstance(value, str) else "a text in quotes"
