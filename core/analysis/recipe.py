"""What made tables, pictures or a report, in full, as a file that makes them again."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit

import core
from core.analysis.export import NOTICE, made_by
from core.settings import Settings, entries, options
from core.study.chosen import choice_of
from core.study.model import Study, Task

RECIPE = "recipe.toml"
FORMAT = 1
"""Number of the file's form."""
_FIRST_LINE = f"# {NOTICE} `loupe run {{}}{{}} --out DIR` writes {{}}{{}}."
_MAKES = {"report": "this report", "figure": "these pictures", "picture": "these pictures"}
RECIPE_BEGIN = f"# {NOTICE}"[:20].encode()
_PAGES = {"evaluate": "reliability", "compare": "models"}
"""Pages that show the tables of a command, where these are not called alike."""
_SECTIONS = {"cases": "study"}
"""Sections of a report for pages that are none: no case is named that nobody asked for."""
_PACKAGES = ("numpy", "scipy", "pandas", "numba", "pyarrow")
"""Whose version may change the last digits, or the files."""
_PAINTING = ("streamlit", "altair", "vl-convert-python", "jinja2")
"""The same of pictures and reports."""
TABLES, VERSIONS, STEP = "tables", "versions", "step"
KNOWN = {
    "name": "study",
    "fingerprint": "fingerprint",
    "seed": "seed",
    "second": "second study",
    "second_fingerprint": "second fingerprint",
}
"""What a recipe says of the study, and of another one that is laid beside it, by what settings call it."""
_SAID_BEFORE = {"notice", *KNOWN.values()} - {"seed"}
AS_SVG = " as SVG"
"""What stands after the name of a PDF that is known by the same picture as SVG."""
_IN_FORCE = "all in force; what is left out is the command's own choice"
_OF_STUDY = ("the path is as it was given", "where it is, --study FOLDER says")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
Value = bool | int | float | str | tuple[Any, ...]


@dataclass(frozen=True)
class Recipe:
    """What was asked for.

    Attributes
    ----------
    command : str
        That was given.
    study : str or None
        Path of the study, as it was given.
    options : mapping of str to Value
        All that are in force, by name; those that were left to the command are absent.
    known : mapping of str to str
        Of a recipe that was read: keys of `KNOWN`.
    versions, tables : mapping of str to str
        Of a recipe that was read: what made the files, and their digests (SHA-256) by file name.
    """

    command: str
    study: str | None
    options: Mapping[str, Value]
    known: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)


def beside(name: str) -> str:
    """Name of the recipe that lies beside a single file."""
    return f"{name}.{RECIPE}"


def digest(content: str | bytes) -> str:
    """SHA-256 of a file."""
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def handed_on(recipe: Recipe | None) -> str:
    """Write what was asked for as one word of a command line; empty for None."""
    if recipe is None:
        return ""
    return json.dumps({"command": recipe.command, "study": recipe.study, "options": dict(recipe.options)})


def taken_over(word: str) -> Recipe | None:
    """Read what `handed_on` wrote."""
    if not word:
        return None
    asked = json.loads(word)
    return Recipe(asked["command"], asked["study"], {k: frozen(v) for k, v in asked["options"].items()})


def frozen(value: Any) -> Any:
    """A value as options have it: lists are tuples."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def versions(*, painted: bool = False) -> dict[str, str]:
    """Versions of Loupe, Python and the packages that compute, and of those that paint where they did."""
    found = {"loupe": core.__version__, "python": platform.python_version()}
    for name in (*_PACKAGES, *(_PAINTING if painted else ())):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def recipe_text(
    recipe: Recipe, settings: Mapping[str, str], tables: Mapping[str, str], *, name: str = RECIPE
) -> str:
    """Write a recipe as TOML.

    Parameters
    ----------
    recipe : Recipe
        What was asked for.
    settings : mapping of str to str
        What came to be in force (`core.analysis.export.provenance`): they say what was left to the command.
    tables : mapping of str to str
        Digests of the files, by name.
    name : str
        Of the recipe's own file.
    """
    known = known_of(settings)
    study = known if recipe.study is None else {"path": recipe.study} | known
    rest = {key: said for key, said in settings.items() if key not in _SAID_BEFORE}
    makes = _MAKES.get(recipe.command, "these tables")
    return "\n".join(
        [
            _FIRST_LINE.format(name, *(("", makes, " again") if tables else (" --study FOLDER", makes, ""))),
            f"recipe = {FORMAT}",
            f"command = {_value(recipe.command)}",
            *_section("study", _OF_STUDY[recipe.study is None], study),
            *_section("options", _IN_FORCE, recipe.options),
            *_section("settings", "what came of them; for people, and not read", rest),
            *_section(VERSIONS, "", versions(painted=recipe.command in _MAKES)),
            *_section(TABLES, "SHA-256 of each file", tables),
            "",
        ]
    )


def whole_text(steps: Sequence[Recipe], known: Mapping[str, str]) -> str:
    """Write a recipe of several steps as TOML: commands that `loupe run` gives one after the other.

    Parameters
    ----------
    steps : sequence of Recipe
        Of one study; their ``tables`` are the digests of what they made, where they were run.
    known : mapping of str to str
        What is known of the study, by keys of `KNOWN`.
    """
    path = steps[0].study
    study = {key: said for key, said in known.items() if key in KNOWN}
    is_made = any(of.tables for of in steps)
    words = ("" if path else " --study FOLDER", "all of this", " again" if is_made else "")
    lines = [
        _FIRST_LINE.format(RECIPE, *words),
        f"recipe = {FORMAT}",
        *_section("study", _OF_STUDY[path is None], study if path is None else {"path": path} | study),
        *_section(VERSIONS, "", versions(painted=True)),
    ]
    for of in steps:
        lines += ["", f"[[{STEP}]]", f"command = {_value(of.command)}"]
        lines += _section(f"{STEP}.options", _IN_FORCE, of.options)[1:]
        lines += _section(f"{STEP}.{TABLES}", "SHA-256 of each file", of.tables)[1:]
    return "\n".join([*lines, ""])


def known_of(settings: Mapping[str, str]) -> dict[str, str]:
    """What settings tell of the study."""
    if "fingerprint" not in settings:
        return {}
    return {key: settings[said] for key, said in KNOWN.items() if said in settings}


def page_recipe(
    command: str,
    study: Study,
    task: Task,
    chosen: Sequence[Settings],
    *,
    link: str = "",
    without: Collection[str] = (),
    more: Mapping[str, Value] | None = None,
    page: str = "",
) -> str:
    """Write the recipe of what a page shows, from a study whose folder it names not.

    It makes the tables of a command; with a ``link`` the page's pictures and a report of it too.

    Parameters
    ----------
    command : str
        That writes such tables.
    study, task : Study, Task
        What is shown, with the condition that is in force.
    chosen : sequence of Settings
        That are in force.
    link : str
        Address of the page, without the study; which page it is, the command says.
    without : collection of str
        Names of options that the command does not have.
    more : mapping of str to Value
        Its other options.
    page : str
        Which page it is, where the command does not say it.
    """
    of_all = [*chosen, choice_of(study)]
    values = {
        of.name: getattr(settings, of.name)
        for settings in of_all
        for of in options(type(settings))
        if of.flag is not None and of.name not in without
    }
    given = {name: value for name, value in values.items() if value not in (None, "", ())}
    settings = made_by(study, task)
    for one in chosen:
        settings |= entries(one)
    tables = Recipe(command, None, {"task": task.name, **given, **(more or {})})
    if not link:
        return recipe_text(tables, settings, {})
    page, query = page or _PAGES.get(command, command), urlsplit(link).query
    said = {"link": f"?{query}"} if query else {}
    steps = (
        tables,
        Recipe("figure", None, {"link": f"/{page}?{query}"}),
        Recipe("report", None, {**said, "sections": _SECTIONS.get(page, page)}),
    )
    return whole_text(steps, known_of(settings))


def _section(name: str, words: str, content: Mapping[str, Value]) -> list[str]:
    """Lines of a table of TOML; none where it is empty."""
    if not content:
        return []
    said = f"  # {words}" if words else ""
    return ["", f"[{name}]{said}", *(f"{_key(key)} = {_value(value)}" for key, value in content.items())]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Value) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # A name that is no Unicode, as paths may be, cannot be written whole.
        known = value.encode(errors="replace").decode()
        return json.dumps(known, ensure_ascii=False).replace("\x7f", "\\u007F")
    return repr(value)
