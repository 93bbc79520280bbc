"""Arguments of a command derived from the options of a question (`core.settings`), and read back."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from core.settings import Option, Settings, options

T = TypeVar("T", bound=Settings)
DECLARED = "declared"
"""Where a parser keeps what its arguments were derived from, by the option's name."""


@dataclass(frozen=True)
class Declared:
    """An option of a command.

    Attributes
    ----------
    option : Option
        Its declaration.
    word : str or None
        A word that it takes besides its values.
    """

    option: Option
    word: str | None = None


def add_options(
    command: argparse._ActionsContainer,
    settings: type[Settings],
    *,
    without: Collection[str] = (),
    also: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Add an argument for every option that has a flag.

    Parameters
    ----------
    command : ArgumentParser, or a group of one
        Gains the arguments; those that are not given are absent from what it parses.
    settings : type
        Declares the options.
    without : collection of str
        Names of options that this command does not have.
    also : mapping of str to (str, str)
        For an option by its name: a word that it takes besides its values, and what the command makes of it.
    """
    for of in options(settings):
        if of.flag is None or of.name in without:
            continue
        word, meaning = (also or {}).get(of.name, (None, ""))
        how = {**_how(of, word), "dest": of.name, "default": argparse.SUPPRESS}
        command.add_argument(of.flag, **how, help=f"{_help(of)}{meaning}".replace("%", "%%"))
        for flag in of.former_flags:
            command.add_argument(flag, **how, help=argparse.SUPPRESS)
        known = command.get_default(DECLARED) or {}
        command.set_defaults(**{DECLARED: {**known, of.name: Declared(of, word)}})


def chosen(settings: type[T], given: argparse.Namespace) -> T:
    """Make the settings out of what was given on the command line.

    Raises
    ------
    ValueError
        For a value out of range, naming its option.
    """
    return settings(**{of.name: getattr(given, of.name) for of in options(settings) if of.name in given})


def _how(of: Option, word: str | None) -> dict[str, Any]:
    """How argparse takes the option."""
    if isinstance(of.default, bool):
        return {"action": "store_true"}
    if of.kind.count is not None:
        noun = (of.noun or of.name).removeprefix("the ")
        return {"nargs": of.kind.count, "action": _Tuple, "metavar": noun.upper()}
    if of.kind.repeated:
        return {"type": lambda text: (of.kind.parse(text),), "action": _Gathered, "metavar": of.name.upper()}
    few = of.kind.choices and not of.kind.several and len(of.kind.choices) < 5
    metavar = f"{{{','.join(of.kind.choices)}}}" if few else of.name.upper()

    def parse(text: str) -> Any:
        if text == word:
            return text
        if of.kind.several:
            return tuple(of.kind.parse(part.strip()) for part in text.split(","))
        try:
            # Where a word may stand too, whatever is neither is refused here, with both.
            return of.kind.parse(text) if word is None else of.kind.read([text])
        except ValueError:
            expected = of.kind.expected.rstrip(",") + (f', or "{word}"' if word else "")
            raise argparse.ArgumentTypeError(f"must be {expected}, got {text!r}") from None

    return {"type": parse, "metavar": metavar}


class _Tuple(argparse.Action):
    """Takes several words as a tuple."""

    def __call__(self, _parser: Any, given: argparse.Namespace, values: Any, _option: Any = None) -> None:
        setattr(given, self.dest, tuple(values))


class _Gathered(argparse.Action):
    """Takes the values of all times that it is given as one tuple."""

    def __call__(self, _parser: Any, given: argparse.Namespace, values: Any, _option: Any = None) -> None:
        setattr(given, self.dest, (*getattr(given, self.dest, ()), *values))


def _help(of: Option) -> str:
    """What the option does, and what holds where it is left out."""
    if isinstance(of.default, bool) or of.default in (None, "", ()):
        return of.words
    return f"{of.words}; {of.in_words(of.default)} if left out"
