"""What made a report, in full, as a file that makes it again: written here, read back, and compared."""

from __future__ import annotations

import json
import platform
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import core
from core.analysis.export import NOTICE, made_by
from core.settings import Settings, entries, nearest, options
from core.study.model import Study, Task
from core.study.settings import CaseChoice

RECIPE = "recipe.toml"
FORMAT = 1
"""Number of the file's form."""
_FIRST_LINE = f"# {NOTICE} `loupe run {RECIPE}{{}} --out DIR` writes these tables{{}}."
RECIPE_BEGIN = f"# {NOTICE}"[:20].encode()
_PACKAGES = ("numpy", "scipy", "pandas", "numba", "pyarrow")
"""Whose version may change the last digits, or the files."""
_TABLES, _VERSIONS = "tables", "versions"
_PARTS: dict[str, type] = {
    "recipe": int,
    "command": str,
    **dict.fromkeys(("study", "options", "settings", _VERSIONS, _TABLES), dict),
}
_CALLED: dict[type, str] = {int: "a whole number", str: "a text in quotes", dict: "a section, as in [study]"}
_STUDY = ("path", "name", "fingerprint", "seed")
_OF_STUDY = ("the path is as it was given", "where it is, --study FOLDER says")
_TAKE = "take the file that Loupe wrote"
_LARGEST = 1_000_000
"""Bytes that a recipe may have."""
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
        Of a recipe that was read: ``name``, ``fingerprint`` and ``seed`` of the study.
    versions, tables : mapping of str to str
        Of a recipe that was read: what made the tables, and their digests (SHA-256) by file name.
    """

    command: str
    study: str | None
    options: Mapping[str, Value]
    known: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)


def digest(content: str | bytes) -> str:
    """SHA-256 of a file."""
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def versions() -> dict[str, str]:
    """Versions of Loupe, Python and the packages that compute."""
    found = {"loupe": core.__version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def recipe_text(recipe: Recipe, settings: Mapping[str, str], tables: Mapping[str, str]) -> str:
    """Write a recipe as TOML.

    Parameters
    ----------
    recipe : Recipe
        What was asked for.
    settings : mapping of str to str
        What came to be in force (`core.analysis.export.provenance`): they say what was left to the command.
    tables : mapping of str to str
        Digests of the tables, by file name.
    """
    study = {} if recipe.study is None else {"path": recipe.study}
    study |= {
        key: settings[said]
        for key, said in (("name", "study"), ("fingerprint", "fingerprint"), ("seed", "seed"))
        if said in settings and "fingerprint" in settings
    }
    rest = {key: said for key, said in settings.items() if key not in ("study", "fingerprint", "notice")}
    return "\n".join(
        [
            _FIRST_LINE.format(*(("", " again") if tables else (" --study FOLDER", ""))),
            f"recipe = {FORMAT}",
            f"command = {_value(recipe.command)}",
            *_section("study", _OF_STUDY[recipe.study is None], study),
            *_section(
                "options",
                "all in force; what is left out is the command's own choice",
                recipe.options,
            ),
            *_section("settings", "what came of them; for people, and not read", rest),
            *_section(_VERSIONS, "", versions()),
            *_section(_TABLES, "SHA-256 of each file", tables),
            "",
        ]
    )


def page_recipe(
    command: str,
    study: Study,
    task: Task,
    chosen: Sequence[Settings],
    *,
    without: Collection[str] = (),
    more: Mapping[str, Value] | None = None,
) -> str:
    """Write the recipe of what a page shows: the tables of a command, from a study whose folder it names not.

    Parameters
    ----------
    command : str
        That writes such tables.
    study, task : Study, Task
        What is shown, with the condition that is in force.
    chosen : sequence of Settings
        That are in force.
    without : collection of str
        Names of options that the command does not have.
    more : mapping of str to Value
        Its other options.
    """
    of_all = [*chosen, CaseChoice(study.condition)]
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
    return recipe_text(Recipe(command, None, {"task": task.name, **given, **(more or {})}), settings, {})


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


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises
    ------
    ValueError
        Naming the file, the line, what was expected, what came and how to mend it.
    OSError
        If it cannot be read.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the recipe in it: {path / RECIPE}")
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{path}: expected no more than {_LARGEST:,} bytes; {_TAKE}")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        content = tomllib.loads(text)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: expected text in UTF-8; save it as such, or {_TAKE}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: expected TOML: {error}; mend that line, or {_TAKE}") from None
    _require_parts(path, text, content)
    study = content.get("study", {})
    options = {key: _frozen(value) for key, value in content.get("options", {}).items()}
    known = {key: value for key, value in study.items() if key != "path"}
    made, tables = (
        {key: str(value) for key, value in content.get(part, {}).items()} for part in (_VERSIONS, _TABLES)
    )
    return Recipe(content["command"], study.get("path"), options, known, made, tables)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _require_parts(path: Path, text: str, content: Mapping[str, Any]) -> None:
    """Refuse a recipe with parts that are missing, unknown or of another kind."""
    for key, value in content.items():
        if key not in _PARTS:
            raise refused(path, text, key, f"no part of a recipe has this name; {_near(key, _PARTS)}")
        if not isinstance(value, _PARTS[key]) or isinstance(value, bool):
            raise refused(path, text, key, f"expected {_CALLED[_PARTS[key]]}, got {value!r}")
    for key in ("recipe", "command"):
        if key not in content:
            raise ValueError(f"{path}: expected a line `{key} = …`, got none; {_TAKE}")
    if content["recipe"] != FORMAT:
        why = f"expected {FORMAT}, got {content['recipe']}; a newer Loupe may read it"
        raise refused(path, text, "recipe", why)
    for key, value in content.get("study", {}).items():
        if key not in _STUDY:
            raise refused(path, text, key, f"nothing of a study has this name; {_near(key, _STUDY)}")
        if not isinstance(value, str):
            raise refused(path, text, key, f"expected {_CALLED[str]}, got {value!r}")


def _near(key: str, known: Collection[str]) -> str:
    near = nearest(key, known)
    return f"did you mean {near}?" if near else f"take it out; there are {', '.join(known)}"


def refused(path: Path, text: str, key: str, why: str) -> ValueError:
    """Error about a key of a recipe, with its line."""
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[=\]]")
    line = next((at for at, of in enumerate(text.splitlines(), 1) if pattern.match(of)), None)
    where = str(path) if line is None else f"{path}, line {line}"
    return ValueError(f"{where}: {key}: {why}")
