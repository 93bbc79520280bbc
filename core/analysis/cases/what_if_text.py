"""A what-if as a short text for the address bar, and back."""

from __future__ import annotations

import math
from hashlib import blake2b

from core.analysis.cases.what_if import Reading, WhatIf, check, said_in
from core.study.model import Study, Task
from core.study.reading.checks import is_plain_number

LONGEST_TEXT = 20_000
"""Characters of a what-if as text; more are refused."""


def to_text(study: Study, task: Task, index: int, what_if: WhatIf) -> str:
    """Write the changes for the address bar, in letters, digits and ``-._~`` alone.

    Returns
    -------
    str
        Empty where nothing is changed. Otherwise parts joined by ``~``: ``o2`` (the second reading is off),
        ``a12-3.7_0.8`` (a reading is added: label 12 first, then 3 and 7 tied, confidence 0.8),
        ``e2.12-3.7`` (the second reading is edited), and last a check against other versions of the case.
    """
    if not what_if:
        return ""
    parts = [f"o{place + 1}" for place in sorted(what_if.off)]
    parts += [f"a{_code(reading)}" for reading in what_if.added]
    parts += [f"e{place + 1}.{_code(reading)}" for place, reading in what_if.edited]
    return "~".join([*parts, _check_text(study, task, index, what_if)])


def from_text(study: Study, task: Task, index: int, text: str) -> WhatIf:
    """Read what `to_text` wrote.

    Raises
    ------
    ValueError
        If the text is not of this form, asks for what the case or the task does not allow, or was made for
        other readings or labels.
    """
    if not text:
        return WhatIf()
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"a what-if has at most {LONGEST_TEXT:,} characters, got {len(text):,}")
    *parts, last = text.split("~")
    off: set[int] = set()
    added: list[Reading] = []
    edited: list[tuple[int, Reading]] = []
    for part in parts:
        kind, rest = part[:1], part[1:]
        if kind == "o":
            off.add(_whole(rest) - 1)
        elif kind == "a":
            added.append(_decode(task, rest))
        elif kind == "e":
            place, _, content = rest.partition(".")
            edited.append((_whole(place) - 1, _decode(task, content)))
        else:
            raise ValueError(f'a change must begin with a, e or o, got "{part:.50}"')
    what_if = WhatIf(frozenset(off), tuple(added), tuple(edited))
    check(task, int(task.readings.per_case[index]), what_if)
    if last != _check_text(study, task, index, what_if):
        raise ValueError("the what-if was made for other readings or labels, or its text is damaged")
    return what_if


def _code(reading: Reading) -> str:
    """Compact text of a reading."""
    if reading.score is not None:
        content = _number_text(reading.score)
    else:
        content = "-".join(".".join(str(label) for label in block) for block in reading.blocks)
    return content if reading.confidence is None else f"{content}_{_number_text(reading.confidence)}"


def _decode(task: Task, text: str) -> Reading:
    """Read the compact text of a reading."""
    content, mark, confidence = text.partition("_")
    given = _number(confidence) if mark else None
    if task.kind == "score":
        return Reading(score=_number(content), confidence=given)
    blocks = tuple(tuple(_whole(label) for label in block.split(".")) for block in content.split("-"))
    return Reading(blocks, confidence=given)


def _number_text(number: float) -> str:
    """Shortest text of a number that gives it back, without the plus sign of an exponent."""
    return repr(float(number)).replace("+", "").removesuffix(".0")


def _number(text: str) -> float:
    """Read a finite number."""
    if not is_plain_number(text) or not math.isfinite(float(text)):
        raise ValueError(f'expected a number, got "{text:.50}"')
    return float(text)


def _whole(text: str) -> int:
    """Read a whole number of up to nine digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(f'expected a whole number, got "{text:.50}"')
    return int(text)


def _check_text(study: Study, task: Task, index: int, what_if: WhatIf) -> str:
    """Four hexadecimal digits that depend on the case, its readings and the labels that the changes name."""
    changed = (*what_if.added, *(reading for _, reading in what_if.edited))
    named = sorted({label for reading in changed for block in reading.blocks for label in block})
    content = (
        study.case_ids[index],
        task.name,
        said_in(task.readings, index),
        [task.labels[k] for k in named],
    )
    return blake2b(repr(content).encode(), digest_size=2).hexdigest()
