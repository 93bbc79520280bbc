"""Differentials as people write them: ``{A} {B, C}`` is A first, then B and C tied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.study.reading.checks import clean_text, suggestion

Blocks = tuple[tuple[int, ...], ...]

LONGEST_TEXT = 20_000
"""Characters of a differential; more are refused."""

_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?=[,}])')
_BETWEEN = re.compile(r"\s*(?:[,;>]\s*)?(?=\{)")
_SEVERAL = -1


@dataclass(frozen=True, eq=False)
class _Names:
    """Codes by exact name and by name in one case, `_SEVERAL` where labels share that."""

    exact: dict[str, int]
    folded: dict[str, int]
    longest: int

    def find(self, text: str) -> int | None:
        """Code of the label that a text names; None if no single one."""
        text = clean_text(text)
        code = self.exact.get(text)
        if code is None:
            code = self.folded.get(_fold(text))
        return None if code == _SEVERAL else code

    def is_shared(self, text: str) -> bool:
        """Whether labels that differ only by case or spaces go by this text."""
        return self.find(text) is None and _fold(text) in self.folded


def _fold(text: str) -> str:
    """Text in one case, with single spaces."""
    return " ".join(clean_text(text).casefold().split())


@lru_cache(maxsize=8)
def _names(labels: tuple[str, ...]) -> _Names:
    """Index of the labels of a task."""
    folded: dict[str, int] = {}
    for code, label in enumerate(labels):
        key = _fold(label)
        folded[key] = _SEVERAL if key in folded else code
    exact = {label: code for code, label in enumerate(labels)}
    return _Names(exact, folded, max(map(len, labels), default=0))


def parse_braces(text: str, labels: Sequence[str]) -> Blocks:
    """Read a differential in brace notation.

    Parameters
    ----------
    text : str
        Blocks in braces, first choice first, tied labels separated by commas. Spaces, case, and a comma, a
        semicolon or > between blocks do not matter; a single label needs no braces. A name that holds a
        comma or brace may stand as it is where only one meaning is possible; otherwise it stands in double
        quotes, a double quote within it doubled.
    labels : sequence of str
        Labels of the task.

    Returns
    -------
    tuple of tuples of int
        Label codes of each block, ascending within a block.

    Raises
    ------
    ValueError
        If the text is too long, a name is no label (the nearest label is proposed), the text has several
        meanings, a label comes twice, or the braces do not pair.
    """
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"a differential has at most {LONGEST_TEXT:,} characters, got {len(text):,}")
    labels = tuple(labels)
    names = _names(labels)
    bare = names.find(text)
    if bare is not None:
        return ((bare,),)
    start = _BETWEEN.match(text)
    found = [] if start is None else _meanings(text, start.end() + 1, names)
    if not found:
        raise ValueError(_fault(text, labels, names))
    if len(found) > 1:
        raise ValueError(
            f"{_shown(text)} has more than one meaning, because names of labels hold commas or braces: "
            'put each name in double quotes, as in {"A"} {"B", "C"}'
        )
    codes = [code for block in found[0] for code in block]
    code, times = Counter(codes).most_common(1)[0]
    if times > 1:
        raise ValueError(f'"{labels[code]}" comes twice; a differential names each label once')
    return tuple(tuple(sorted(block)) for block in found[0])


def format_braces(blocks: Sequence[Sequence[int]], labels: Sequence[str]) -> str:
    """Write a differential in brace notation, so that `parse_braces` gives the same blocks back.

    Parameters
    ----------
    blocks : sequence of sequences of int
        Label codes, first choice first.
    labels : sequence of str
        Labels of the task.

    Returns
    -------
    str
        Names are quoted only where they could be misread.
    """
    names = _names(tuple(labels))
    texts = [[_plain_or_quoted(labels[code], code, names) for code in block] for block in blocks]
    text = _join(texts)
    start = _BETWEEN.match(text)
    if start is not None and len(_meanings(text, start.end() + 1, names)) == 1:
        return text
    return _join([[_quoted(labels[code]) for code in block] for block in blocks])


def _plain_or_quoted(name: str, code: int, names: _Names) -> str:
    """Name as it is, or in double quotes where a mark in it could be taken for punctuation."""
    is_plain = not set(name) & set(',{}"') and names.find(" ".join(name.split())) == code
    return " ".join(name.split()) if is_plain else _quoted(name)


def _quoted(name: str) -> str:
    """Name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def _join(blocks: Sequence[Sequence[str]]) -> str:
    """Put names into braces."""
    return " ".join("{" + ", ".join(block) + "}" for block in blocks)


def _meanings(text: str, first: int, names: _Names) -> list[list[list[int]]]:
    """Up to two ways to read the text from ``first``, the place after the opening brace, to its end.

    Notes
    -----
    A name may hold commas and braces, so any of these may end it. Places are taken from the last to the
    first; each knows the ways to read what follows, as (label, whether its block ends there, next place).
    """
    ways: dict[int, list[list[tuple[int, bool]]]] = {}
    places = [i + 1 for i, mark in enumerate(text) if mark in ",{" and i + 1 >= first]
    for place in reversed(places):
        found: list[list[tuple[int, bool]]] = []
        for code, end in _names_at(text, place, names):
            if text[end] == ",":
                found += [[(code, False), *way] for way in ways.get(end + 1, [])]
                continue
            opening = _BETWEEN.match(text, end + 1)
            if not text[end + 1 :].strip():
                found.append([(code, True)])
            elif opening is not None:
                found += [[(code, True), *way] for way in ways.get(opening.end() + 1, [])]
        ways[place] = found[:2]
    return [_blocks(way) for way in ways.get(first, [])]


def _names_at(text: str, place: int, names: _Names) -> list[tuple[int, int]]:
    """Labels that the text may name from a place on, each with the comma or closing brace that ends it."""
    quoted = _QUOTED.match(text, place)
    if quoted is not None:
        code = names.find(quoted.group(1).replace('""', '"'))
        if code is not None:
            return [(code, quoted.end())]
    begin = place
    while begin < len(text) and text[begin].isspace():
        begin += 1
    found = []
    for end in range(begin + 1, min(begin + 2 * names.longest + 8, len(text))):
        if text[end] in ",}":
            code = names.find(text[begin:end])
            if code is not None:
                found.append((code, end))
    return found


def _blocks(way: Sequence[tuple[int, bool]]) -> list[list[int]]:
    """Gather labels into blocks."""
    blocks: list[list[int]] = [[]]
    for code, ends in way:
        blocks[-1].append(code)
        if ends:
            blocks.append([])
    return blocks[:-1]


def _fault(text: str, labels: tuple[str, ...], names: _Names) -> str:
    """Why a text is no differential."""
    text = text.strip()
    if not text:
        return "there is no label; write a differential in braces, as in {A} {B, C}"
    if not text.startswith("{"):
        if not set(text) & set(",{}"):
            return _unknown(text, labels, names)
        return f"write every place in braces, as in {{A}} {{B, C}}; got {_shown(text)}"
    for piece in re.split(r"[{},]", re.sub(r"\}\s*[,;>]?\s*\{", "},{", text.removesuffix("}")[1:])):
        if piece.strip() and names.find(piece.strip().removeprefix('"').removesuffix('"')) is None:
            return _unknown(piece.strip(), labels, names)
    if re.search(r"[{,]\s*[},]", text):
        return f"a name is missing between commas or braces in {_shown(text)}"
    return f"the braces do not pair: write each place as {{A}} or {{B, C}}; got {_shown(text)}"


def _unknown(piece: str, labels: tuple[str, ...], names: _Names) -> str:
    """Say that a name is no label, or several."""
    if names.is_shared(piece):
        alike = [f'"{label}"' for label in labels if _fold(label) == _fold(piece)]
        return f'"{piece:.100}" can be {" or ".join(alike[:5])}: write it exactly.'
    return f'"{piece:.100}" is no label. {suggestion(piece[:200], labels)}'.strip()


def _shown(text: str) -> str:
    """Text short enough for a message."""
    return f'"{text if len(text) <= 100 else text[:99] + "…"}"'
