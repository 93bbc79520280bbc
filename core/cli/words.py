"""The words of a command line: what is misspelt is answered with the nearest that is known."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from core.cli.output import shortened
from core.settings import nearest

_NUMBER = re.compile(r"-\d*\.?\d+")


class Parser(argparse.ArgumentParser):
    """A parser whose messages cannot steer the terminal."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        super().error(shortened(message))


def misspelt(arguments: Sequence[str], parser: Parser, commands: Mapping[str, Parser]) -> str | None:
    """Say what no command or option is called, and what it may have been meant to be.

    Parameters
    ----------
    arguments : sequence of str
        As they were given.
    parser : Parser
        Of what stands before the command.
    commands : mapping of str to Parser
        Each command by its name.

    Returns
    -------
    str or None
        A sentence, or None where every word is known.
    """
    known, place = parser, "loupe"
    for word in arguments:
        if word == "--":
            return None
        if word.startswith("-"):
            name = word.split("=")[0]
            if not _is_known(name, known):
                near = _nearest(name, _options(known))
                return f"no option {name!r}; {near or f'{place} --help lists them'}"
        elif known is parser:
            if word not in commands:
                near = _nearest(word, commands)
                if near is None and Path(word).is_dir():
                    near = f"did you mean loupe open {word}?"
                return f"no command {word!r}; {near or 'there are ' + ', '.join(commands)}"
            known, place = commands[word], f"loupe {word}"
    return None


def _is_known(name: str, parser: Parser) -> bool:
    """Whether argparse finds the option, by its name or by the beginning of it, or takes it for a value."""
    if name == "-" or " " in name or _NUMBER.fullmatch(name):
        return True
    return any(
        option == name or (name.startswith("--") and option.startswith(name)) for option in _options(parser)
    )


def _options(parser: Parser) -> Iterable[str]:
    return parser._option_string_actions


def _nearest(word: str, known: Iterable[str]) -> str | None:
    near = nearest(word, known)
    return f"did you mean {near}?" if near else None
