"""What a report without names leaves out: ids of cases, and the names of raters, who are numbered.

What is known to be an id or a name by its place, such as a column of cases, is told by that, however short it
is. All other words are searched: for what could hardly mean anything else, and for the rest only where it
stands behind a word such as “case” or “rater”.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import pandas as pd

from dashboard.charts.figure import Figure
from dashboard.report.blocks import Block, Facts, Gallery, Heading, Methods, Pair, Picture, Table, Text
from dashboard.report.naming import LEAST_ID, pattern_of

A_CASE = "a case"
"""Stands where a case was named."""
CASES_LEFT_OUT = "A table of single cases is left out here: this report names none."
NUMBERS_LEFT_OUT = "Its numbers are of single cases, and left out."
LEAST_NUMBER = 6
"""Digits of a number that is looked for in text: shorter ones may count something."""
_OF_CASES = ("case", "case_id", "case id", "cases_id", "id")
"""Columns, in small letters, that name cases."""
_OF_RATERS = re.compile(r"\b(?:raters?|readers?|annotators?)(?:\b|_)", re.IGNORECASE)
"""Columns that name raters."""
_MIXED = re.compile(r"(?=.*[^\W\d_])(?=.*\d)")
"""Letters with digits, such as c7: no word, and no number."""
_PLAIN = frozenset(
    (
        "$schema", "aggregate", "as", "color", "config", "cursor", "data", "field", "fill", "font", "format",
        "formatType", "from", "groupby", "href", "interpolate", "mark", "name", "op", "param", "scheme",
        "shape", "stroke", "type", "usermeta",
    )
)  # fmt: skip
"""Keys of a specification whose words speak to Vega, and to nobody else."""


class Masks:
    """What is not told in a report, and how it is put instead.

    Parameters
    ----------
    case_ids : sequence of str
        Cases that are not to be named; none where they may be.
    raters : mapping of str to str
        What raters are called, by their names; empty where they may be named.
    words : iterable of str
        What else has a name in the study, such as labels and models: a rater or case of the same name is not
        searched for in text.
    """

    def __init__(self, case_ids: Sequence[str], raters: Mapping[str, str], words: Iterable[str] = ()) -> None:
        taken = {*words}
        ids = [str(one) for one in case_ids]
        told = [one for one in ids if _is_told_apart(one) and one not in taken]
        self._hides_cases = bool(ids)
        self._raters = dict(raters)
        self._words = taken
        sure = {name for name in raters if _is_told_apart(name) or _is_of_a_person(name)} - taken
        self._steps = [
            *_steps(told, [one for one in ids if one not in {*told}], r"[Cc]ase", lambda _: A_CASE),
            *_steps(sure, self._raters.keys() - sure, r"[Rr]aters?|[Rr]eaders?", self._raters.__getitem__),
        ]
        self.text = lru_cache(maxsize=100_000)(self._text)
        """Text without what is not told in it."""

    def _text(self, written: str) -> str:
        for pattern, put in self._steps:
            written = pattern.sub(put, written)
        return written

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """All blocks, as they may stand in the report."""
        for block in blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[Block]:
        if isinstance(block, Picture):
            yield self._picture(block)
        elif isinstance(block, Pair):
            yield Pair(self._picture(block.first), self._picture(block.second))
        elif isinstance(block, Table):
            if self._hides_cases and _is_of_cases(block.columns):
                yield Text(CASES_LEFT_OUT, "note")
            else:
                yield self._table(block)
        elif isinstance(block, Facts):
            yield Facts(tuple((self.text(value), self.text(words)) for value, words in block.pairs))
        elif isinstance(block, Heading | Text | Methods):
            yield replace(block, text=self.text(block.text))
        elif isinstance(block, Gallery) and not self._hides_cases:
            yield block

    def settings(self, said: Mapping[str, str]) -> dict[str, str]:
        """Settings in force, as they may be told."""
        return {
            key: self._names(value) if _OF_RATERS.search(key) else self.text(value)
            for key, value in said.items()
        }

    def _picture(self, picture: Picture) -> Picture:
        figure, caption = self._figure(picture.figure), self.text(picture.caption)
        table, live = self._frame(picture.table), picture.live
        if self._hides_cases:
            if _is_of_cases(map(str, picture.table.reset_index().columns)):
                table, caption = pd.DataFrame(), f"{caption} {NUMBERS_LEFT_OUT}".strip()
            live = live and not any(_is_of_cases(map(str, one.columns)) for one in figure.data.values())
        return replace(
            picture,
            title=self.text(picture.title),
            caption=caption,
            figure=figure,
            table=table,
            provenance=self.settings(picture.provenance),
            live=live,
        )

    def _figure(self, figure: Figure) -> Figure:
        """The same picture with other words in its specification and its data."""
        data = {name: self._frame(frame) for name, frame in figure.data.items()}
        narrow = None if figure.narrow is None else self._figure(figure.narrow)
        return Figure(self._spec(figure.spec), data, narrow)

    def _spec(self, value: Any, key: str = "") -> Any:
        """A part of a specification."""
        if isinstance(value, dict):
            return {name: one if name in _PLAIN else self._spec(one, name) for name, one in value.items()}
        if isinstance(value, list):
            is_of_raters = all(isinstance(one, str) for one in value) and self._are_raters(value)
            return [self._raters[one] if is_of_raters else self._spec(one, key) for one in value]
        return self.text(value) if isinstance(value, str) else value

    def _frame(self, frame: pd.DataFrame) -> pd.DataFrame:
        """A table of a picture; the same where nothing in it is to be put otherwise."""
        found = frame
        for name in frame.columns:
            of = frame[name]
            if _has_words(of):
                values = [one for one in of.dropna().unique() if isinstance(one, str)]
                put = self._changes(str(name), values)
                if put:
                    found = found.assign(**{name: of.astype(object).map(partial(_put, put))})
        index = frame.index
        if isinstance(index.name, str) and _has_words(index):
            put = self._changes(index.name, [one for one in index if isinstance(one, str)])
            found = found.rename(index=put) if put else found
        return found

    def _changes(self, name: str, values: Sequence[str]) -> dict[str, str]:
        """What stands for those values of a column that are put otherwise."""
        return {before: after for before, after in self._column(name, values).items() if before != after}

    def _table(self, table: Table) -> Table:
        columns = [
            self._column(name, [row[place] for row in table.rows]) for place, name in enumerate(table.columns)
        ]
        return replace(
            table,
            title=self.text(table.title),
            columns=tuple(map(self.text, table.columns)),
            rows=tuple(
                tuple(put[cell] for put, cell in zip(columns, row, strict=True)) for row in table.rows
            ),
        )

    def _column(self, name: str, values: Sequence[str]) -> dict[str, str]:
        """What stands for each value of a column."""
        are_raters = bool(_OF_RATERS.search(name)) or self._are_raters([one for one in values if one])
        return {one: self._names(one) if are_raters else self.text(one) for one in values}

    def _are_raters(self, values: Sequence[str]) -> bool:
        """Whether these can be names of raters alone."""
        return bool(values) and all(one in self._raters and one not in self._words for one in values)

    def _names(self, said: str) -> str:
        """One name, or several with commas between; other words as text."""
        if said in self._raters:
            return self._raters[said]
        named = said.split(", ")
        if all(one in self._raters for one in named):
            return ", ".join(self._raters[one] for one in named)
        return self.text(said)


def numbered(raters: Iterable[str]) -> dict[str, str]:
    """What raters are called who are not named: numbers of one width, in their order."""
    names = [*dict.fromkeys(raters)]
    return {name: f"Rater {number:0{len(str(len(names)))}}" for number, name in enumerate(names, start=1)}


def _is_told_apart(name: str) -> bool:
    """Whether a name is no word or number of its own, so that it can be searched for anywhere."""
    least = LEAST_NUMBER if name.replace(".", "").replace(",", "").isdigit() else LEAST_ID
    return len(name) >= least or bool(_MIXED.match(name))


def _is_of_a_person(name: str) -> bool:
    """Whether a name may be somebody's: short ones with a capital too, such as Ada or Li."""
    return name[:1].isupper() and len(name) > 1


def _steps(sure: Iterable[str], others: Iterable[str], before: str, called: Any) -> Iterator[tuple[Any, Any]]:
    """What to search for, and what makes other words of what is found."""
    pattern = pattern_of(sure)
    if pattern is not None:
        # “Case c7” is a case, not a case a case.
        with_word = re.compile(rf"(?:(?<!\w)(?P<word>{before}) )?(?P<name>{pattern.pattern})")
        yield with_word, lambda found: _cased(called(found["name"]), found["word"])
    pattern = pattern_of(others)
    if pattern is not None:
        rest = rf"(?P<rest>(?:(?:, | and )(?:{pattern.pattern}))*)"
        behind = re.compile(rf"(?<!\w)(?P<word>{before}) (?P<name>{pattern.pattern}){rest}")
        one_more = re.compile(pattern.pattern)

        def put(found: re.Match[str]) -> str:
            rest = one_more.sub(lambda name: called(name.group()), found["rest"])
            return _cased(called(found["name"]), found["word"]) + rest

        yield behind, put


def _cased(words: str, word: str | None) -> str:
    """Words with a capital where they stand for one that has it."""
    return words[0].upper() + words[1:] if word and word[0].isupper() else words


def _has_words(values: pd.Series | pd.Index) -> bool:
    """Whether there can be words among these."""
    return values.dtype == object or isinstance(values.dtype, pd.StringDtype | pd.CategoricalDtype)


def _put(changes: Mapping[str, str], value: Any) -> Any:
    """A value, or what stands for it."""
    return changes.get(value, value) if isinstance(value, str) else value


def _is_of_cases(columns: Iterable[str]) -> bool:
    """Whether one of the columns names cases."""
    return any(column.lower() in _OF_CASES for column in columns)
