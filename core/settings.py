"""What a person can choose, declared once: a field of a settings object, and all that follows from it.

An option is a field made by `option`. Its name in the address of a page, what resets it there, its flag and
help on the command line and its entry in a table's provenance are derived from the declaration, here and in
`dashboard.shell.address`, `dashboard.shell.state`, `core.cli.options`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, TypeVar

Scope = Literal["everything", "study", "task", "model", "case"]
"""Within what a choice holds: another study, task, model or case resets it; "everything": nothing does."""
RESETS: dict[str, tuple[Scope, ...]] = {
    "study": ("study", "task", "model", "case"),
    "task": ("task", "model", "case"),
    "model": ("model",),
    "case": ("case",),
}
"""Options whose change resets others, the most far-reaching first, and the scopes that each resets."""
YES = "yes"
_OPTION = "option"
_DECLARED: dict[type, tuple[Option, ...]] = {}


@dataclass(frozen=True)
class Kind:
    """The values that an option takes, and how they are written.

    Attributes
    ----------
    expected : str
        What a value has to be, to complete "must be …" and "… was expected".
    parse : callable
        From one text to a value, or to one of several; raises ValueError where the text is nothing such.
    allows : callable
        Whether a value is in range; of several, all of them at once.
    write : callable
        From a value, or one of several, to its text.
    choices : tuple of str
        All values, where they are few.
    several : bool
        Whether a value is a tuple, written one by one.
    most : int, optional
        How many it may hold.
    hint : str
        What to do about a number above 1 where none is allowed.
    count : int, optional
        How many words it takes on the command line, where that is not one.
    repeated : bool
        Whether the command line gives one value at a time, and all of them count.
    """

    expected: str
    parse: Callable[[str], Any] = str
    allows: Callable[[Any], bool] = lambda _: True
    write: Callable[[Any], str] = str
    choices: tuple[str, ...] = ()
    several: bool = False
    most: int | None = None
    count: int | None = None
    hint: str = ""
    repeated: bool = False

    def read(self, given: Sequence[str]) -> Any:
        """Read a value from texts; where it is a single one, the last text counts.

        Raises
        ------
        ValueError
            Saying in words what was expected.
        """
        if self.most is not None and len(given) > self.most:
            raise ValueError(f"{self.expected} were expected, not {len(given):,}")
        try:
            value = tuple(map(self.parse, given)) if self.several else self.parse(given[-1])
        except ValueError:
            raise ValueError(f"{self.expected} was expected") from None
        if not self.allows(value):
            raise ValueError(f"{self.expected} was expected")
        return value

    def texts(self, value: Any) -> tuple[str, ...]:
        """Write a value as texts that `read` understands."""
        return tuple(map(self.write, value)) if self.several else (self.write(value),)


TEXT = Kind("text", allows=lambda value: isinstance(value, str))
YES_OR_NO = Kind(
    YES,
    parse=lambda text: {YES: True}.get(text),
    allows=lambda value: isinstance(value, bool),
    write=lambda _: YES,
)
"""True is written; False, the default, is not."""


def one_of(choices: Iterable[str]) -> Kind:
    """One of a few words."""
    words = tuple(choices)
    return Kind(f"one of {', '.join(words)}", allows=lambda value: value in words, choices=words)


def some_of(choices: Iterable[str]) -> Kind:
    """Some of a few words."""
    words = tuple(choices)
    return Kind(
        f"one of {', '.join(words)}",
        allows=lambda value: set(value) <= set(words),
        choices=words,
        several=True,
    )


def texts(what: str = "texts", *, most: int | None = None, count: int | None = None) -> Kind:
    """Any number of texts, or no more than so many; ``count`` of them on the command line."""
    return Kind(
        what if most is None else f"no more than {most} {what}",
        allows=lambda value: isinstance(value, tuple),
        several=True,
        most=most,
        count=count,
    )


def whole(low: int, high: int | None = None) -> Kind:
    """A whole number of a least and, where there is one, a largest size."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdecimal()):
            raise ValueError(text)
        return int(text)

    return Kind(
        f"a whole number of {low:,} or more" if high is None else f"a whole number from {low} to {high:,}",
        parse=parse,
        allows=lambda value: _is(Integral, value) and low <= value and (high is None or value <= high),
    )


def number(low: float = 0.0, high: float = math.inf, *, above: bool = False, infinite: bool = False) -> Kind:
    """A number between two others.

    Parameters
    ----------
    low, high : float
        Its range, with its ends.
    above : bool
        Leave out the lower end.
    infinite : bool
        Allow ∞ too.
    """
    expected = f"a number from {low:g} to {high:g}"
    if above or high == math.inf:
        expected = f"a number above {low:g}" if above else f"a number of {low:g} or more"
        expected += "" if high == math.inf else f" and up to {high:g}"
    return Kind(
        f"{expected}, or ∞," if infinite else expected,
        parse=lambda text: math.inf if text == "∞" else float(text),
        allows=lambda value: (
            _is(Real, value)
            and (low < value if above else low <= value)
            and ((value <= high and value < math.inf) or (infinite and value == math.inf))
        ),
        write=lambda value: "∞" if value == math.inf else f"{value:g}",
    )


SHARE = replace(number(0, 1), hint="divide percentages by 100")


def _is(kind: type, value: Any) -> bool:
    """Whether a value is a number of a kind; truth values are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


@dataclass(frozen=True)
class Option:
    """A choice, as its field declares it.

    Attributes
    ----------
    words : str
        What it does, for people: the help of its flag.
    kind : Kind
        Its values. What the default is, is always allowed.
    scope : Scope
        What resets it.
    address : str or None
        Its name in the address of a page, the field's if empty; None where it has no place there.
    former : tuple of str
        Names that it had there, which are still understood.
    link : Kind, optional
        What a link may ask for, where that is less than the command line may.
    noun : str
        What one of its values is called where an address names an unknown one; its name if empty.
    flag : str or None
        Its flag on the command line, its name with dashes if empty; None where it has none.
    former_flags : tuple of str
        Flags that it had, which are still understood.
    said : str or None
        Its name in the provenance of a table, its name in words if empty; None where it is not named.
    tell : callable, optional
        From the settings to what the provenance says of it; the value as it is written by default.
    applies : callable
        From the settings to whether it makes any difference to the table.
    name : str
        Of the field.
    default : Any
        Of the field.
    """

    words: str = ""
    kind: Kind = TEXT
    scope: Scope = "study"
    address: str | None = ""
    former: tuple[str, ...] = ()
    link: Kind | None = None
    noun: str = ""
    flag: str | None = ""
    former_flags: tuple[str, ...] = ()
    said: str | None = ""
    tell: Callable[[Any], str] | None = None
    applies: Callable[[Any], bool] = lambda _: True
    name: str = ""
    default: Any = None

    @property
    def linked(self) -> Kind:
        """What a link may ask for."""
        return self.link or self.kind

    def in_words(self, value: Any) -> str:
        """Write a value for people."""
        return ", ".join(self.kind.texts(value))

    def check(self, value: Any) -> None:
        """Refuse a value that is not allowed.

        Raises
        ------
        ValueError
            Naming the option, what was expected, what came, and the nearest right word.
        """
        is_default = type(value) is type(self.default) and value == self.default
        if is_default or self.kind.allows(value):
            return
        near = nearest(value, self.kind.choices) if isinstance(value, str) else None
        hint = f"; did you mean {near}?" if near else ""
        if self.kind.hint and _is(Real, value) and value > 1:
            hint = f"; {self.kind.hint}"
        raise ValueError(f"{self.name} must be {self.kind.expected.rstrip(',')}, got {value!r}{hint}")


def option(default: Any, words: str, kind: Kind = TEXT, **declared: Any) -> Any:
    """Declare an option as a field of a settings object; further arguments are those of `Option`."""
    return field(default=default, metadata={_OPTION: Option(words, kind, **declared)})


def settled(settings: type[Settings], name: str, *, default: Any = MISSING, **declared: Any) -> Any:
    """Declare an option of another settings class anew: without its default, or with other words."""
    (of,) = (of for of in fields(settings) if of.name == name)
    return field(default=default, metadata={_OPTION: replace(of.metadata[_OPTION], **declared)})


def options(settings: type[Settings]) -> tuple[Option, ...]:
    """All options that a settings class declares, in their order."""
    if settings not in _DECLARED:
        declared = [(at, at.metadata[_OPTION]) for at in fields(settings) if _OPTION in at.metadata]
        _DECLARED[settings] = tuple(_named(of, at.name, at.default) for at, of in declared)
    return _DECLARED[settings]


def _named(of: Option, name: str, default: Any) -> Option:
    """Name an option after its field, wherever no other name is declared."""
    return replace(
        of,
        name=name,
        default=default,
        address=name if of.address == "" else of.address,
        flag=f"--{name.replace('_', '-')}" if of.flag == "" else of.flag,
        said=name.replace("_", " ") if of.said == "" else of.said,
    )


class Settings:
    """Base of the settings objects, frozen dataclasses: a wrong value is refused as the object is made."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        for of in options(type(self)):
            of.check(getattr(self, of.name))


T = TypeVar("T", bound=Settings)


def part(settings: type[T], whole: Settings) -> T:
    """Return the settings of one question out of an object that has the addresses of several.

    What has no address cannot be chosen there, and is left at its default.
    """
    return settings(**{of.name: getattr(whole, of.name) for of in options(settings) if of.address})


def entries(settings: Settings) -> dict[str, str]:
    """Say what is chosen, for the provenance of a table: every option that makes a difference to it.

    What is left open (None, empty) or off makes none, or is said by whoever settles it.
    """
    said = {}
    for of in options(type(settings)):
        value = getattr(settings, of.name)
        is_open = value is None or value is False or value == "" or value == ()
        if of.said and not is_open and of.applies(settings):
            said[of.said] = of.tell(settings) if of.tell else of.in_words(value)
    return said


def format_address(chosen: Settings) -> dict[str, tuple[str, ...]]:
    """Parameters of the address that reproduces a view, without what is empty; study, task … come first."""
    first = list(RESETS)
    order = sorted(
        options(type(chosen)), key=lambda of: first.index(of.name) if of.name in first else len(first)
    )
    return {
        of.address: of.kind.texts(value)
        for of in order
        if of.address and (value := getattr(chosen, of.name)) != of.default
    }


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like another; None where none is."""
    return next(iter(get_close_matches(word, list(known), n=1)), None)
