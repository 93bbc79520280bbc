"""Recipes read back: of one command, or of several steps; what is wrong is named with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.analysis.recipe import FORMAT, KNOWN, RECIPE, STEP, TABLES, VERSIONS, Recipe, frozen
from core.settings import nearest

_OF_STEP: dict[str, type] = {"command": str, "options": dict, TABLES: dict}
_COMMON: dict[str, type] = {"recipe": int, "study": dict, VERSIONS: dict}
_PARTS = {**_COMMON, **_OF_STEP, "settings": dict}
_PARTS_OF_WHOLE = {**_COMMON, STEP: list}
_CALLED: dict[type, str] = {
    int: "a whole number",
    str: "a text in quotes",
    dict: "a section, as in [study]",
    list: f"steps, each under [[{STEP}]]",
}
_STUDY = ("path", *KNOWN)
_TAKE = "take the file that Loupe wrote"
_LARGEST = 1_000_000
"""Bytes that a recipe may have."""
Refuse = Callable[[str, str], ValueError]
"""Makes the error about a key, from it and what is wrong."""


@dataclass(frozen=True)
class Recipes:
    """A recipe file as it was read.

    Attributes
    ----------
    path : Path
        Of the file.
    text : str
        What stands in it.
    steps : tuple of Recipe
        One, or those of a whole.
    is_whole : bool
        Whether the file has steps, and what they make has a recipe of its own.
    """

    path: Path
    text: str
    steps: tuple[Recipe, ...]
    is_whole: bool

    def refuse(self, step: int) -> Refuse:
        """What makes an error about a key of a step, the first being 0."""
        return _refuse(self.path, self.text, step if self.is_whole else None)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe of one command; errors are those of `read_recipes`."""
    return read_recipes(path).steps[0]


def read_recipes(path: Path) -> Recipes:
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
    is_whole = STEP in content
    _require_parts(path, _refuse(path, text), content, _PARTS_OF_WHOLE if is_whole else _PARTS)
    if not is_whole:
        return Recipes(path, text, (_recipe(content, content),), is_whole)
    steps = content[STEP]
    if not steps:
        raise _refuse(path, text)(STEP, f"expected {_CALLED[list]}, got none")
    for at, of in enumerate(steps):
        if not isinstance(of, dict):
            raise _refuse(path, text)(STEP, f"expected {_CALLED[list]}, got {of!r}")
        _require(_refuse(path, text, at), of, _OF_STEP)
        if "command" not in of:
            raise ValueError(f"{path}: step {at + 1}: expected a line `command = …`, got none; {_TAKE}")
    return Recipes(path, text, tuple(_recipe(content, of) for of in steps), is_whole)


def _recipe(common: Mapping[str, Any], of: Mapping[str, Any]) -> Recipe:
    """A step, with what is said once of all of them."""
    study = common.get("study", {})
    options = {key: frozen(value) for key, value in of.get("options", {}).items()}
    known = {key: value for key, value in study.items() if key != "path"}
    made = {key: str(value) for key, value in common.get(VERSIONS, {}).items()}
    tables = {key: str(value) for key, value in of.get(TABLES, {}).items()}
    return Recipe(of["command"], study.get("path"), options, known, made, tables)


def _require(refuse: Refuse, content: Mapping[str, Any], parts: Mapping[str, type]) -> None:
    """Refuse what is unknown, or of another kind."""
    for key, value in content.items():
        if key not in parts:
            raise refuse(key, f"no part of a recipe has this name; {_near(key, parts)}")
        if not isinstance(value, parts[key]) or isinstance(value, bool):
            raise refuse(key, f"expected {_CALLED[parts[key]]}, got {value!r}")


def _require_parts(path: Path, refuse: Refuse, content: Mapping[str, Any], parts: Mapping[str, type]) -> None:
    """Refuse a recipe with parts that are missing, unknown or of another kind."""
    _require(refuse, content, parts)
    for key in ("recipe", "command"):
        if key in parts and key not in content:
            raise ValueError(f"{path}: expected a line `{key} = …`, got none; {_TAKE}")
    if content["recipe"] != FORMAT:
        why = f"expected {FORMAT}, got {content['recipe']}; a newer Loupe may read it"
        raise refuse("recipe", why)
    for key, value in content.get("study", {}).items():
        if key not in _STUDY:
            raise refuse(key, f"nothing of a study has this name; {_near(key, _STUDY)}")
        if not isinstance(value, str):
            raise refuse(key, f"expected {_CALLED[str]}, got {value!r}")


def _near(key: str, known: Collection[str]) -> str:
    near = nearest(key, known)
    return f"did you mean {near}?" if near else f"take it out; there are {', '.join(known)}"


def _refuse(path: Path, text: str, step: int | None = None) -> Refuse:
    """What makes an error about a key of a recipe, with its line; of a step, looked for below its head."""
    lines = text.splitlines()
    heads = [at for at, of in enumerate(lines) if re.match(rf"\s*\[\[\s*{STEP}\s*\]\]", of)]
    start = heads[step] if step is not None and step < len(heads) else 0

    def refuse(key: str, why: str) -> ValueError:
        pattern = re.compile(rf"\s*\[{{0,2}}\s*(?:{STEP}\.)?[\"']?{re.escape(key)}[\"']?\s*[=\]]")
        found = (at for at, of in enumerate(lines[start:], start + 1) if pattern.match(of))
        # What is said once of all steps stands above them.
        line = next(found, None) or next((at for at, of in enumerate(lines, 1) if pattern.match(of)), None)
        where = str(path) if line is None else f"{path}, line {line}"
        return ValueError(f"{where}: {key}: {why}")

    return refuse
