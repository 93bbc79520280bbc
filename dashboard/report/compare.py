"""Two studies, or one under two choices of settings, side by side: data, settings and numbers that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

import numpy as np
import pandas as pd

from core.analysis.formatting import DIGITS
from core.analysis.sources import is_bibtex, joined_bibtex
from dashboard.report.blocks import Block, Facts, Heading, Methods, Pair, Picture, Table, Text, cell
from dashboard.report.collect import Content, Section

MOST_ROWS = 15
"""Numbers that are listed of one table, those that differ most."""
_A, _B = "A", "B"


def compared(first: Content, second: Content) -> Content:
    """Lay two reports side by side.

    Parameters
    ----------
    first, second : Content
        With sections of the same names.

    Returns
    -------
    Content
        Its first section says what differs; then each section has the findings and the pictures of both, and
        the numbers that differ most. What is alike in both is said once.
    """
    pairs = [(one, other) for one in first.sections for other in second.sections if one.name == other.name]
    same = {key: value for key, value in first.settings.items() if second.settings.get(key) == value}
    sections = [Section("differences", "What differs", {}, tuple(_overview(first, second)))]
    for one, other in pairs:
        blocks = tuple(_lists(one, other) if one.name == "cases" else _beside(one, other))
        if blocks:
            sections.append(Section(one.name, one.title, _alike(one, other), blocks))
    title = first.study if first.study == second.study else f"{first.study} · {second.study}"
    description = first.description if first.description == second.description else ""
    warnings = tuple(dict.fromkeys([*first.warnings, *second.warnings]))
    faults = tuple(dict.fromkeys([*first.faults, *second.faults]))
    return Content(title, description, same, tuple(sections), warnings, faults, note=first.note)


def _alike(one: Section, other: Section) -> dict[str, str]:
    """Settings that two sections share."""
    return {key: value for key, value in one.settings.items() if other.settings.get(key) == value}


def _overview(first: Content, second: Content) -> Iterator[Block]:
    """Which is which; settings and counts that differ, of everything."""
    yield from _legend(first, second)
    settings = [*_differing(first.settings, second.settings)]
    for one, other in zip(first.sections, second.sections, strict=True):
        settings += [
            (f"{one.title}: {key}", before, after)
            for key, before, after in _differing(one.settings, other.settings)
        ]
    if not settings:
        yield Text("Data and settings are the same in both.", "sentence")
        return
    yield Text(f"{_A} and {_B} differ in:")
    yield Table("Data and settings that differ", ("What", _A, _B), tuple(settings))


def _legend(first: Content, second: Content) -> Iterator[Block]:
    """What is A and what is B: studies of one name are told apart by the fingerprints of their data."""
    both = [(of.study, of.made.get("fingerprint", "not known")) for of in (first, second)]
    if both[0] == both[1]:
        name, data = both[0]
        yield Text(f"{_A} and {_B} are both of “{name}”, with the same data (fingerprint {data}).")
    else:
        rows = ((side, *of) for side, of in zip((_A, _B), both, strict=True))
        yield Table(f"What {_A} and {_B} are", ("", "Study", "Fingerprint of its data"), tuple(rows))


def _differing(first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Settings that are not the same in both."""
    for key in dict.fromkeys([*first, *second]):
        before, after = first.get(key, "–"), second.get(key, "–")
        if before != after:
            yield key, before, after


def _beside(one: Section, other: Section) -> Iterator[Block]:
    """Counts, findings and pictures of one section in both."""
    facts = [*_facts(one, other)]
    if facts:
        yield Table(f"{one.title}: counts", ("", _A, _B), tuple(facts))
    tables = {block.title: block for block in other.blocks if isinstance(block, Table) and block.title}
    for table in (block for block in one.blocks if isinstance(block, Table)):
        if table.title in tables and table.columns == tables[table.title].columns:
            yield from _rows(table, tables[table.title])
    said = [*_findings(one, other)]
    if said:
        yield Table(f"{one.title}: findings", ("About", _A, _B), tuple(said))
    others = {block.name: block for block in other.blocks if isinstance(block, Picture)}
    heading, same = "", []
    for block in one.blocks:
        if isinstance(block, Heading):
            heading = block.text
        elif isinstance(block, Picture):
            beside = others.pop(block.name, None)
            if beside is not None and _is_same(block, beside):
                same.append(block.title)
            else:
                yield Heading(heading or block.title)
                yield from _pictures(block, beside)
    for left in others.values():
        yield Heading(left.title)
        yield Text(f"In {_B} alone.", "note")
        yield left
    if same:
        yield Heading("The same in both")
        yield Text(f"{'; '.join(same)}.", "note")
    yield from _methods(one, other)


def _methods(one: Section, other: Section) -> Iterator[Block]:
    """What was done, once where it was the same, and the works of both."""
    mine, others = (
        [block.text for block in section.blocks if isinstance(block, Methods)] for section in (one, other)
    )
    texts = [[text for text in of if not is_bibtex(text)] for of in (mine, others)]
    if not any(texts):
        return
    yield Heading("Methods, for a paper")
    if texts[0] == texts[1]:
        yield from map(Methods, texts[0])
    else:
        for side, of in zip((_A, _B), texts, strict=True):
            yield Text(f"Of {side}:" if of else f"Of {side} there are none.", "note")
            yield from map(Methods, of)
    works = joined_bibtex(text for text in (*mine, *others) if is_bibtex(text))
    if works:
        yield Text("The works that it names, as BibTeX:", "note")
        yield Methods(works)


def _lists(one: Section, other: Section) -> Iterator[Block]:
    """The cases that are listed: once where both list the same, else those of A above those of B."""
    if all(_is_alike(*pair) for pair in zip_longest(one.blocks, other.blocks)):
        yield from one.blocks
        return
    for side, section in ((_A, one), (_B, other)):
        yield Heading(f"Cases of {side}")
        for block in section.blocks:
            yield replace(block, title=f"{block.title} of {side}") if isinstance(block, Table) else block


def _is_alike(one: Block | None, other: Block | None) -> bool:
    """Whether two blocks of words say the same."""
    if isinstance(one, Table) and isinstance(other, Table):
        return (one.columns, one.rows) == (other.columns, other.rows)
    return one == other


def _rows(one: Table, other: Table) -> Iterator[Block]:
    """Rows of a table of words that are not the same in both."""
    rows = [
        (side, *row)
        for side, mine, others in ((_A, one.rows, other.rows), (_B, other.rows, one.rows))
        for row in mine
        if row not in others
    ]
    if rows:
        yield Table(f"{one.title}: rows that differ", ("In", *one.columns), tuple(rows))


def _pictures(one: Picture, other: Picture | None) -> Iterator[Block]:
    """One picture in both, and the numbers that differ."""
    if other is None:
        yield Text(f"In {_A} alone.", "note")
        yield one
    else:
        yield Pair(one, other)
        yield from _numbers(one, other)


def _is_same(one: Picture, other: Picture) -> bool:
    """Whether two pictures are drawn of the same numbers."""
    mine, others = one.figure.data, other.figure.data
    return (
        one.table.equals(other.table)
        and mine.keys() == others.keys()
        and all(frame.equals(others[name]) for name, frame in mine.items())
    )


def _facts(one: Section, other: Section) -> Iterator[tuple[str, str, str]]:
    """Counts of both, those that are the same too."""
    of = [
        {words: value for block in section.blocks if isinstance(block, Facts) for value, words in block.pairs}
        for section in (one, other)
    ]
    for words in dict.fromkeys([*of[0], *of[1]]):
        yield words, of[0].get(words, "–"), of[1].get(words, "–")


def _findings(one: Section, other: Section) -> Iterator[tuple[str, str, str]]:
    """What panels come to, under the same headings, where that is not the same."""
    first, second = _by_heading(one), _by_heading(other)
    for heading in dict.fromkeys([*first, *second]):
        for before, after in zip_longest(first.get(heading, ()), second.get(heading, ()), fillvalue="–"):
            if before != after:
                yield heading or one.title, before, after


def _by_heading(section: Section) -> dict[str, list[str]]:
    """What panels come to, by the heading they stand under."""
    found: dict[str, list[str]] = {}
    heading = ""
    for block in section.blocks:
        if isinstance(block, Heading):
            heading = block.text
        elif isinstance(block, Text) and block.role == "sentence":
            found.setdefault(heading, []).append(block.text)
    return found


def _numbers(one: Picture, other: Picture) -> Iterator[Block]:
    """Numbers of a picture's table that differ most; nothing where rows cannot be told to be the same."""
    before, after = one.table.reset_index(drop=one.table.index.name is None), other.table
    after = after.reset_index(drop=after.index.name is None)
    if before.empty or list(before.columns) != list(after.columns):
        return
    floats = [name for name in before.columns if _is_value(before[name]) and _is_value(after[name])]
    keys = [name for name in before.columns if name not in floats]
    if not keys or not floats or before.duplicated(keys).any() or after.duplicated(keys).any():
        return
    joined = before.merge(after, on=keys, suffixes=(" A", " B"))
    rows = []
    for name in floats:
        change = (joined[f"{name} B"] - joined[f"{name} A"]).to_numpy(float)
        for place in np.flatnonzero(np.isfinite(change) & (change != 0)):
            of = ", ".join(filter(None, (cell(joined[key].iloc[place]) for key in keys)))
            rows.append(
                (abs(change[place]), of, str(name), *(joined[f"{name} {side}"].iloc[place] for side in "AB"))
            )
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    if rows:
        shown = tuple(
            (of, name, _number(first), _number(second), _signed(second - first))
            for _, of, name, first, second in rows[:MOST_ROWS]
        )
        more = len(rows) - len(shown)
        yield Table(f"{one.title}: numbers that differ most", ("Of", "Number", _A, _B, "B − A"), shown)
        if more:
            yield Text(f"{more:,} further numbers differ less.", "note")


def _is_value(column: pd.Series) -> bool:
    """Whether a column has measured numbers, which may differ, and not what tells rows apart."""
    return column.dtype.kind == "f"


def _number(value: float) -> str:
    """A number as people read it, with a true minus."""
    return f"{value:.{DIGITS}g}".replace("-", "−")


def _signed(change: float) -> str:
    """A change with its sign."""
    return ("+" if change > 0 else "") + _number(change)
