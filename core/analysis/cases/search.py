"""Which cases hold some words, and where: id, readings, readers, what files say, or what was noted."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_numeric_dtype

from core.study.model import Study, Task

ID, READING, READER, METADATA, NOTE = "id", "reading", "reader", "metadata", "note"
"""Where a word can be found."""
_NOT_TEXT = "image"
"""Column of the cases that names a file."""
_PLACES = {
    READING: "in the readings of {}",
    READER: "a reader of {}",
    ID: "in the id of {}",
    METADATA: "in the case data of {}",
    NOTE: "in the notes of {}",
}
_SPELT = re.compile("ae|oe")
"""Spelt with one letter elsewhere: naevus and nevus, oedema and edema."""
_LEAST_INITIALS = 2
_MOST_MEANT, _NEAR = 3, 0.75
"""Labels that are named where a word is nowhere, and how much of it they have at least."""
_MOST_DESCRIBED = 3
"""Labels that are named where their descriptions hold a word."""
_SHORT = re.compile("[a-z]{1,3}")
"""A word that is found where a word begins alone."""
_QUOTES = str.maketrans("“”„‟", '""""')
"""Quotes as telephones and word processors set them are taken for straight ones."""
_WORD = re.compile(r'"([^"]*)"?|([^\s"]+)')
"""What stands between double quotes, or a word; what follows a quote that is not closed is one phrase."""


@dataclass(frozen=True, eq=False)
class Found:
    """Which cases hold each of the words that are searched for.

    Attributes
    ----------
    words : tuple of str
        Each word once, as it was written; what stood between double quotes is one.
    by_word : tuple of DataFrame
        One for each word, indexed by case id in the study's order: whether the word is in each place, in the
        columns `ID`, `READING`, `READER`, `METADATA` and `NOTE` of booleans.
    described : tuple of mapping of str to ndarray of bool with shape (n_cases,)
        One for each word: the labels whose descriptions hold it, though their names do not, and the cases in
        whose readings each is; only labels that some reading names.
    """

    words: tuple[str, ...]
    by_word: tuple[pd.DataFrame, ...]
    described: tuple[Mapping[str, NDArray[np.bool_]], ...]

    @property
    def index(self) -> pd.Index:
        """Ids of all cases, in the study's order."""
        return self.by_word[0].index


def words_of(text: str) -> tuple[str, ...]:
    """Split a text into the words that are searched for, each once; one empty word where there is none.

    >>> words_of('melanoma "left leg" Melanoma')
    ('melanoma', 'left leg')
    """
    said = [(phrase or word).strip() for phrase, word in _WORD.findall(text.translate(_QUOTES))]
    once = {word.casefold(): word for word in reversed(said) if word}
    return tuple(reversed(once.values())) or ("",)


def search(study: Study, task: Task, text: str) -> Found:
    """Find each word of a text, in whatever case of its letters, in all that is known of each case.

    Parameters
    ----------
    study : Study
        Its case ids and the columns of its cases.
    task : Task
        Its readings: every label that a rater names counts, whatever its rank; of a score, the side of the
        threshold that it is on. So a leading label or a runner-up is always found. A label is found by the
        initials of its words too, however an ae or oe is spelt, and by its description alike.
    text : str
        Words between blanks, in any order; what stands between double quotes is one. Blanks around them do
        not count. An empty text is found everywhere.

    Notes
    -----
    A column of numbers holds a word that is the same number; any other column one that is part of it, or, of
    up to three letters, of which a word begins with it: so in labels and notes. A
    reader is found by the whole id alone: part of one would be part of many. Labels
    and the values of a column are looked at once each, so the cost grows with the annotations. Notes
    are of no study: `with_notes` adds them.
    """
    words = words_of(text)
    wanted = [word.casefold() for word in words]
    folded = [case_id.casefold() for case_id in study.case_ids]
    in_metadata = np.zeros((len(words), study.n_cases), bool)
    for name, column in study.cases.items():
        if name != _NOT_TEXT:
            in_metadata |= _in_column(column, wanted)
    index = pd.Index(study.case_ids, name="case_id")
    described = tuple(_described(study, task, word) for word in wanted)
    tables = [
        pd.DataFrame(
            {
                ID: np.array([word in case_id for case_id in folded], bool),
                READING: np.any([_in_readings(study, task, _named(task, word)), *also.values()], axis=0),
                READER: _read_by(study, task, word),
                METADATA: of_metadata,
                NOTE: False,
            },
            index=index,
        )
        for word, of_metadata, also in zip(wanted, in_metadata, described, strict=True)
    ]
    return Found(words, tuple(tables), described)


def with_notes(found: Found, notes: Mapping[str, str]) -> Found:
    """Look for each word of a `search` in notes as well: texts by case id."""
    if not notes:
        return found
    folded = {case_id: text.casefold() for case_id, text in notes.items()}
    tables = (
        table.assign(
            **{NOTE: [_holds(folded.get(str(case_id), ""), word.casefold()) for case_id in table.index]}
        )
        for word, table in zip(found.words, found.by_word, strict=True)
    )
    return replace(found, by_word=tuple(tables))


def holds(found: Found) -> NDArray[np.bool_]:
    """Whether each case holds every word of a `search`, in whatever places, with shape (n_cases,)."""
    return np.all([table.to_numpy(bool).any(axis=1) for table in found.by_word], axis=0)


def where_words(found: Found) -> str:
    """Say in how many cases the words of a `search` are, and where; and of none, which word is missing.

    Of several words only the cases count that hold all of them.
    """
    together = holds(found)
    quoted = [f"“{word}”" for word in found.words]
    if together.any():
        return f"{_each(found, together)}."
    nowhere = "No reading, label, reader, id, case data or note holds"
    missing = [
        word for word, table in zip(quoted, found.by_word, strict=True) if not table.to_numpy(bool).any()
    ]
    if missing:
        return f"{nowhere} {' or '.join(missing)}."
    return f"No case holds all of these words. {_each(found, np.ones(len(together), bool))}."


def meant(found: Found, task: Task) -> dict[str, str]:
    """Find labels of the task that may be meant by words that are nowhere, by their names or descriptions.

    Returns
    -------
    dict of str to str
        For each label the text to search for then, with it in place of the word; empty where none is near.
    """
    by_part: dict[str, list[str]] = {}
    names = [(label, (name, *name.split())) for label in task.labels for name in [label.casefold()]]
    told = zip(task.labels, (re.findall(r"\w+", one.casefold()) for one in task.description), strict=False)
    for label, label_parts in (*names, *told):
        for part in dict.fromkeys(map(_spelt, label_parts)):
            by_part.setdefault(part, []).append(label)
    asked: dict[str, str] = {}
    for word, table in zip(found.words, found.by_word, strict=True):
        if not table.to_numpy(bool).any():
            near = difflib.get_close_matches(
                _spelt(word.casefold()), by_part, n=2 * _MOST_MEANT, cutoff=_NEAR
            )
            for label in (label for part in near for label in by_part[part]):
                said = (label if one == word else one for one in found.words)
                asked.setdefault(label, " ".join(f'"{one}"' if " " in one else one for one in said))
    return dict(islice(asked.items(), _MOST_MEANT))


def _each(found: Found, among: NDArray[np.bool_]) -> str:
    """Say of each word in how many of some cases it is, and where."""
    return "; ".join(
        f"“{word}”: {_places(table[among], {label: has[among] for label, has in labels.items()})}"
        for word, table, labels in zip(found.words, found.by_word, found.described, strict=True)
    )


def _places(table: pd.DataFrame, described: Mapping[str, NDArray[np.bool_]]) -> str:
    """Say in how many cases of a table a word is where, and which labels it is ``described`` by there."""
    n = {place: int(table[place].sum()) for place in _PLACES}
    cases = {place: f"{n[place]:,} case{'' if n[place] == 1 else 's'}" for place in n}
    said = {place: words.format(cases[place]) for place, words in _PLACES.items() if n[place]}
    labels = [label for label, has in described.items() if has.any()]
    if labels:
        more = len(labels) - _MOST_DESCRIBED
        names = ", ".join(labels[:_MOST_DESCRIBED]) + f" and {more:,} more" * (more > 0)
        is_alone = int(np.any(list(described.values()), axis=0).sum()) == n[READING]
        said[READING] += f" ({'' if is_alone else 'also '}as {names})"
    return ", ".join(said.values())


def _named(task: Task, wanted: str) -> NDArray[np.bool_]:
    """Whether the name of each label holds a word."""
    return np.array([_is_in(wanted, label) for label in task.labels], bool)


def _described(study: Study, task: Task, wanted: str) -> dict[str, NDArray[np.bool_]]:
    """In which cases each label is read whose description alone holds a word; none where all text does."""
    if not wanted:
        return {}
    named, found = _named(task, wanted), {}
    for code, told in enumerate(task.description):
        if told and not named[code] and _begins(told, wanted):
            cases = _in_readings(study, task, np.arange(len(task.labels)) == code)
            if cases.any():
                found[task.labels[code]] = cases
    return found


def _in_readings(study: Study, task: Task, named: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a rater names one of some labels, for each case."""
    readings = task.readings
    found = np.zeros(study.n_cases, bool)
    if not named.any():
        return found
    if task.kind == "score":
        if task.threshold is not None:
            side = (readings.score >= task.threshold).astype(int)
            found[readings.case[named[side] & ~np.isnan(readings.score)]] = True
    else:
        found[readings.case[readings.entry_reading[named[readings.label]]]] = True
    return found


def _holds(text: str, wanted: str) -> bool:
    """Whether a text holds a word; one of a few letters, where a word of it begins: MM is not in comma.

    Short words are abbreviations mostly, and found within longer ones would bring whatever it be.
    """
    if not _SHORT.fullmatch(wanted):
        return wanted in text
    return re.search(rf"(?<![^\W\d_]){wanted}", text) is not None


def _begins(text: str, wanted: str) -> bool:
    """Whether a word of a text begins with another, however it is spelt: a text that explains has many."""
    pattern = re.escape(_spelt(wanted))
    return re.search(rf"(?<!\w){pattern}", _spelt(text.casefold())) is not None


def _is_in(wanted: str, label: str) -> bool:
    """Whether a label holds a word, however it is spelt, or its words have these initials."""
    folded = label.casefold()
    if _holds(folded, wanted) or _holds(_spelt(folded), _spelt(wanted)):
        return True
    initials = "".join(word[0] for word in re.findall(r"\w+", folded))
    return len(wanted) >= _LEAST_INITIALS and wanted == initials


def _spelt(text: str) -> str:
    """A text with one letter for each ae and oe."""
    return _SPELT.sub("e", text)


def _read_by(study: Study, task: Task, wanted: str) -> NDArray[np.bool_]:
    """Whether a rater of this very id reads each case."""
    found = np.zeros(study.n_cases, bool)
    named = np.array([wanted == rater.casefold() for rater in study.rater_ids], bool)
    found[task.readings.case[named[task.readings.rater]]] = True
    return found


def _in_column(column: pd.Series, wanted: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each value of a column of the cases holds each word, with shape (n_words, n_cases)."""
    if is_numeric_dtype(column) and column.dtype != bool:
        return np.stack([_is_number(column, word) for word in wanted])
    codes, values = pd.factorize(column.astype(str).where(column.notna(), ""))
    folded = [value.casefold() for value in values]
    return np.array([[_holds(value, word) for value in folded] for word in wanted], bool)[:, codes]


def _is_number(column: pd.Series, word: str) -> NDArray[np.bool_]:
    """Whether each number of a column is the one that a word writes."""
    try:
        return (column == float(word)).to_numpy(bool)
    except ValueError:
        return np.zeros(len(column), bool)
