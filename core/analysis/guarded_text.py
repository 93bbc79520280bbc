"""Text that no spreadsheet takes for a formula, and the way back to the text as it was.

A spreadsheet computes a cell that begins with ``=``, ``+``, ``-`` or ``@``, also in their wide forms, and may
drop blanks, tabs and quotation marks in front. Opened with another separator than it was written with, a
table falls into other cells: then a formula may begin after any separator. An apostrophe makes it text.
"""

from __future__ import annotations

import re

_STARTS = "=+\\-@＝＋－＠﹦﹢﹣﹫"
_SEPARATORS = ";,\t\n\r\v\f\x85\u2028\u2029"
_DROPPED = '\\s"“”\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff'
_BEGIN = f"(?:^|(?<=[{_SEPARATORS}]))"
_FORMULA = f"'*(?:(?![{_SEPARATORS}])[{_DROPPED}])*[{_STARTS}]"
_UNGUARDED = re.compile(f"{_BEGIN}(?={_FORMULA})|^(?='*[\t\r])")
_GUARDED = re.compile(f"{_BEGIN}'(?={_FORMULA})|^'(?='*[\t\r])")


def guarded(text: str) -> str:
    """Take the power to compute from a text: an apostrophe before every start of a formula.

    Such a start is at the beginning or after a separator (``;``, ``,``, tab, line break), also behind blanks,
    quotation marks and invisible characters. A text that begins with a tab or a carriage return gets one too.
    """
    return _UNGUARDED.sub("'", text)


def unguarded(text: str) -> str:
    """Text as it was before `guarded`: one apostrophe less before every start of a formula."""
    return _GUARDED.sub("", text)
