"""Names that a person gives: the known one, or what was expected and what is nearest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from core.study.reading.checks import suggestion

Thing = TypeVar("Thing")

_SHOWN = 20


class Named(dict[str, Thing]):
    """Things by name; a name that is not there is answered with those that are, and the nearest of them.

    Parameters
    ----------
    things : mapping of str to thing
        What there is.
    noun : str
        What each is, for the message.
    """

    def __init__(self, things: Mapping[str, Thing], noun: str) -> None:
        super().__init__(things)
        self.noun = noun

    def __missing__(self, name: str) -> Thing:
        """Raise KeyError."""
        try:
            one_of(name, self, self.noun)
        except (TypeError, ValueError) as unknown:
            raise KeyError(str(unknown)) from None
        raise KeyError(name)


def require(given: object, kind: type, noun: str, mend: str = "") -> None:
    """Refuse a thing of another kind.

    Parameters
    ----------
    given : object
        What came.
    kind : type
        What was expected.
    noun : str
        What the thing is, for the message.
    mend : str
        What to do instead.

    Raises
    ------
    TypeError
        With what was expected and what came.
    """
    if not isinstance(given, kind):
        said = f"{noun} must be a {kind.__name__}, got {type(given).__name__}"
        raise TypeError(f"{said}: {mend}" if mend else said)


def one_of(name: str, known: Collection[str], noun: str) -> str:
    """Return a name that is known.

    Parameters
    ----------
    name : str
        As given.
    known : collection of str
        What it may be.
    noun : str
        What it names, for the message.

    Raises
    ------
    ValueError
        With the known names and the nearest of them, if it is none.
    TypeError
        If it is no text.
    """
    require(name, str, noun)
    if name in known:
        return name
    shown = ", ".join(list(known)[:_SHOWN]) + (" …" if len(known) > _SHOWN else "")
    close = suggestion(name, known).strip()
    end = f". {close}" if close else ""
    raise ValueError(f"{noun} must be one of {shown or 'none'}, got {name!r}{end}")
