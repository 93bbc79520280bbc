"""Conditions on the cases, such as ``site == "A" and age >= 60``: read by a grammar of its own, never run.

any      = all {"or" all}
all      = one {"and" one}
one      = "not" one | "(" any ")" | column compare value | column ["not"] "in" "[" value {"," value} "]"
compare  = "==" | "!=" | "<" | "<=" | ">" | ">="
column   = a name of letters, digits, "_", "." and "-", or any name between backticks
value    = a number, or text between quotes
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from core.settings import nearest
from core.study.brief import first_names
from core.study.settings import LONGEST

Mask = NDArray[np.bool_]
_DEEPEST = 50
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
    |(?P<text>"[^"]*"|'[^']*')
    |`(?P<quoted>[^`]+)`
    |(?P<name>[^\W\d][\w.\-]*)
    |(?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,))""",
    re.VERBOSE,
)
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
WORDS = ("and", "or", "not", "in")
"""Of conditions, which are no columns unless they stand between backticks."""
_EQUALITY = ("==", "!=")
_CURLED = "\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb"
"""Quotes that phones and word processors put in the place of straight ones."""
Value = str | float


class ConditionError(ValueError):
    """A condition cannot be read; ``words`` say where and why, without the condition itself."""

    def __init__(self, condition: str, words: str) -> None:
        super().__init__(f"condition {condition!r}, {words}")
        self.words = words


class _Token(NamedTuple):
    """A word of a condition: what it is, what it says, and at which character it begins, from 1."""

    kind: str
    says: str
    at: int


def fulfilled(condition: str, cases: pd.DataFrame) -> Mask:
    """Tell which cases fulfil a condition.

    Parameters
    ----------
    condition : str
        Such as ``site == "A"`` or ``age >= 60 and not (view in ["AP", "LL"])``.
    cases : DataFrame
        Indexed by case id, which is the column ``case_id``.

    Returns
    -------
    ndarray of bool with shape (n_cases,)
        A case without a value fulfils ``!=`` and no other comparison; text that is not there is ``""``.

    Raises
    ------
    ValueError
        Saying at which character what was expected, and of an unknown column the nearest name.
    """
    if len(condition) > LONGEST:
        raise ValueError(f"a condition may have {LONGEST:,} characters, got {len(condition):,}")
    # Studies are read in this form.
    found: Mask = ConditionReader(unicodedata.normalize("NFC", condition), cases).read()
    return found


def columns_of(condition: str) -> frozenset[str]:
    """Name all columns that a condition may ask for; words such as ``and`` are among them.

    Raises
    ------
    ValueError
        As `fulfilled`, where words of the condition cannot be told.
    """
    words = ConditionReader(unicodedata.normalize("NFC", condition[: LONGEST + 1]), pd.DataFrame()).tokens
    return frozenset(word.says for word in words if word.kind in ("name", "quoted"))


def as_column(name: str) -> str:
    """Write the name of a column as a condition has it: between backticks where it is no plain word."""
    match = _TOKEN.fullmatch(name)
    is_plain = match is not None and match["name"] == name and name not in WORDS
    return name if is_plain else f"`{name}`"


class ConditionReader:
    """Reads a condition word by word, and answers it on the way.

    Answers are arrays of truth values, or whatever else has ``|``, ``&`` and ``~`` and comes of a comparison.
    """

    def __init__(self, condition: str, cases: pd.DataFrame) -> None:
        self.condition, self.cases = condition, cases
        self.tokens, self.place, self.depth = self._tokens(), 0, 0

    def _tokens(self) -> list[_Token]:
        """All words, and one for the end."""
        found, at, end = [], 0, len(self.condition.rstrip())
        while at < end:
            match = _TOKEN.match(self.condition, at)
            if match is None:
                at += len(self.condition[at:]) - len(self.condition[at:].lstrip())
                word = self.condition[at:].split()[0]
                self._refuse(at + 1, "a column, a comparison or a value", f"{word}{_hint(word)}")
            kind = str(match.lastgroup)
            found.append(_Token(kind, match[kind], match.start(kind) + 1))
            at = match.end()
        return [*found, _Token("end", "the end", end + 1)]

    def _refuse(self, at: int, expected: str, got: str) -> NoReturn:
        """Refuse the condition, saying where."""
        raise ConditionError(self.condition, f"character {at}: {expected} was expected, got {got}")

    def _next(self, *says: str) -> _Token | None:
        """Take the next word if it is one of these."""
        token = self.tokens[self.place]
        if token.kind in ("name", "sign") and token.says in says:
            self.place += 1
            return token
        return None

    def _expect(self, *says: str) -> _Token:
        """Take the next word, which must be one of these."""
        token = self._next(*says)
        if token is None:
            self._refuse(self.tokens[self.place].at, " or ".join(says), self.tokens[self.place].says)
        return token

    def read(self) -> Any:
        """Answer the whole condition."""
        found = self._any()
        last = self.tokens[self.place]
        if last.kind != "end":
            self._refuse(last.at, "and, or, or the end", last.says)
        return found

    def _any(self) -> Any:
        found = self._all()
        while self._next("or"):
            found = found | self._all()
        return found

    def _all(self) -> Any:
        found = self._one()
        while self._next("and"):
            found = found & self._one()
        return found

    def _one(self) -> Any:
        self.depth += 1
        if self.depth > _DEEPEST:
            self._refuse(self.tokens[self.place].at, f"no more than {_DEEPEST} parts in each other", "more")
        if self._next("not"):
            found = ~self._one()
        elif self._next("("):
            found = self._any()
            self._expect(")")
        else:
            found = self._comparison()
        self.depth -= 1
        return found

    def _comparison(self) -> Any:
        """Answer one comparison."""
        column = self._column()
        is_not = self._next("not")
        if is_not or self.tokens[self.place].says == "in":
            self._expect("in")
            self._expect("[")
            found = self._compared(column, "==")
            while self._next(","):
                found = found | self._compared(column, "==")
            self._expect("]")
            return ~found if is_not else found
        sign = self._next(*_COMPARE)
        if sign is None:
            token = self.tokens[self.place]
            self._refuse(token.at, f"{', '.join(_COMPARE)} or in", token.says)
        return self._compared(column, sign.says)

    def _column(self) -> Any:
        """Take a column."""
        token = self.tokens[self.place]
        if token.kind not in ("name", "quoted"):
            self._refuse(token.at, "a column", token.says)
        self.place += 1
        known = ["case_id", *map(str, self.cases.columns)]
        if token.says not in known:
            near = nearest(token.says, known)
            hint = f"; did you mean {near}?" if near else ""
            self._refuse(token.at, f"a column of cases.csv ({first_names(known)})", f"{token.says}{hint}")
        if token.says in self.cases:
            return self.cases[token.says]
        return pd.Series(self.cases.index.astype(str), name="case_id")

    def _compared(self, column: Any, sign: str) -> Any:
        """Take a value, and compare a column with it."""
        token = self.tokens[self.place]
        if token.kind not in ("number", "text"):
            quotes = f'; text stands between quotes: "{token.says}"' if token.kind == "name" else ""
            self._refuse(token.at, "a number, or text between quotes", f"{token.says}{quotes}")
        self.place += 1
        is_number = is_numeric_dtype(column) and not is_bool_dtype(column)
        if is_number != (token.kind == "number"):
            wanted = "a number" if is_number else "text between quotes"
            self._refuse(token.at, f"{wanted}, as {column.name} holds them,", token.says)
        if not is_number and sign not in _EQUALITY:
            self._refuse(token.at, "== or != before text, which has no order,", sign)
        value: Value = float(token.says) if is_number else token.says[1:-1]
        if is_number:
            numbers = column.to_numpy(np.float64, na_value=np.nan)
            return np.asarray(_COMPARE[sign](numbers, value), np.bool_)
        held = column.astype(object).where(column.notna(), "").astype(str)
        return np.asarray(_COMPARE[sign](held.to_numpy(), value), np.bool_)


def _hint(word: str) -> str:
    """What to write in place of a word that no condition has."""
    if word[0] in _CURLED:
        return "; quotes are straight here, as in \"A\" and 'A'"
    if word[0] in "\"'`":
        return f"; what {word[0]} begins, another {word[0]} has to end"
    return "; == asks whether both are the same" if word.startswith("=") else ""
