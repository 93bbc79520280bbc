"""What a round, a reading, an outcome and an adoption say, and what each of them may say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

LONGEST_NAME = 200
"""Of an author's name, a flag's reason, or a round's name."""
MOST_CHARACTERS = 100_000
"""Of a note, a question, or the reason of an outcome."""
UNSETTLED = "cannot be settled"

Content = Mapping[str, Any]


def check_round(content: Content) -> None:
    """Refuse a round without a name or a case, or with a case or a reader named twice.

    Parameters
    ----------
    content : mapping
        ``name``; ``cases``, a list of pairs of a case id and the hash of its readings as the round was made;
        ``readers``, a list of names, empty for anyone; ``blind``, whether a reader sees neither earlier
        readings nor models nor certainty; ``question``, any text; where it is there, ``shown``, a list of the
        columns of metadata that a reader sees, else all of them.

    Raises
    ------
    ValueError
        Saying what was expected and what came.
    """
    _require_text(content, "name", "round", LONGEST_NAME)
    _require_text(content, "question", "round", MOST_CHARACTERS, may_be_empty=True)
    if not isinstance(content.get("blind"), bool):
        raise ValueError(
            f"expected a round that is blind (true) or open (false), got {content.get('blind')!r}"
        )
    cases = content.get("cases")
    pairs = isinstance(cases, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) and one for one in pair)
        for pair in cases
    )
    if not pairs or not cases:
        raise ValueError("expected the cases of a round, at least one, each with the hash of its readings")
    _require_distinct([pair[0] for pair in cases], "a round names each case once")
    _require_names(content, "readers", "a round names each reader once")
    if content.get("shown") is not None:
        _require_names(content, "shown", "a round names each column once")


def check_reading(content: Content) -> None:
    """Refuse a reading that names nothing, a label twice, or a number beside labels.

    Parameters
    ----------
    content : mapping
        ``blocks``, lists of labels, first choice first, those of one list tied, empty for a score; ``score``,
        a finite number or None; ``confidence``, from 0 to 1 or None.

    Raises
    ------
    ValueError
        Saying what was expected and what came.
    """
    _check_said(content, "reading")
    confidence = content.get("confidence")
    if confidence is not None and not (_is_number(confidence) and 0 <= confidence <= 1):
        raise ValueError(f"expected a confidence from 0 to 1, or none, got {confidence!r}")


def check_outcome(content: Content) -> None:
    """Refuse an outcome that says nothing, or says something although the case cannot be settled.

    Parameters
    ----------
    content : mapping
        ``blocks`` and ``score`` as of a reading; ``unsettled``, whether the case cannot be settled, and then
        neither; ``by``, a list of the names of those who decided; ``why``, any text.

    Raises
    ------
    ValueError
        Saying what was expected and what came.
    """
    unsettled = content.get("unsettled")
    if not isinstance(unsettled, bool):
        raise ValueError(f"expected whether the case cannot be settled (true or false), got {unsettled!r}")
    if not unsettled:
        _check_said(content, "outcome")
    elif content.get("blocks") != [] or content.get("score") is not None:
        raise ValueError("expected no label and no score of a case that cannot be settled")
    _require_names(content, "by", "an outcome names each person once")
    _require_text(content, "why", "outcome", MOST_CHARACTERS, may_be_empty=True)


def check_adoption(content: Content) -> None:
    """Refuse an adoption that does not name the state of files about which something was written.

    Parameters
    ----------
    content : mapping
        ``study``, the fingerprint under which it was written: it is about this study all the same.

    Raises
    ------
    ValueError
        Saying what was expected and what came.
    """
    _require_text(content, "study", "adoption", LONGEST_NAME)


CHECKS: dict[str, Callable[[Content], None]] = {
    "round": check_round,
    "reading": check_reading,
    "outcome": check_outcome,
    "adoption": check_adoption,
}
"""By kind of event."""


def in_words(kind: str, content: Content) -> str:
    """Say in a line what an event of a round says: its name, a differential in braces, a number."""
    if kind == "round":
        return str(content["name"])
    if kind == "adoption":
        return f"what was written of {content['study']} is about this study"
    if content.get("unsettled"):
        said = UNSETTLED
    elif content["score"] is not None:
        said = f"{content['score']:g}"
    else:
        said = " ".join("{" + ", ".join(block) + "}" for block in content["blocks"])
    confidence = content.get("confidence")
    return said if confidence is None else f"{said}, confidence {confidence:g}"


def _check_said(content: Content, noun: str) -> None:
    """Refuse what is neither labels in places nor a number, or both."""
    blocks, score = content.get("blocks"), content.get("score")
    well_formed = isinstance(blocks, list) and all(
        isinstance(block, list) and all(isinstance(label, str) for label in block) for block in blocks
    )
    if not well_formed:
        raise ValueError(f"expected the places of the {noun} as lists of labels, got {blocks!r:.100}")
    if score is not None:
        if blocks or not _is_number(score) or not math.isfinite(score):
            raise ValueError(
                f"expected labels or a finite number in the {noun}, not both, got {score!r:.100}"
            )
        return
    if not blocks:
        raise ValueError(f"expected a label in the {noun}, got none")
    for place, block in enumerate(blocks, start=1):
        if not block or not all(label.strip() for label in block):
            raise ValueError(f"expected a label in every place of the {noun}, got place {place} empty")
    _require_distinct([label for block in blocks for label in block], f"the {noun} names each label once")


def _require_text(content: Content, name: str, noun: str, most: int, *, may_be_empty: bool = False) -> None:
    text = content.get(name)
    if not isinstance(text, str) or not (text.strip() or may_be_empty):
        raise ValueError(f"expected the {name} of the {noun}, got {text!r:.100}")
    if len(text) > most:
        raise ValueError(f"expected a {name} of at most {most:,} characters, got {len(text):,}")


def _require_names(content: Content, name: str, rule: str) -> None:
    names = content.get(name)
    if not isinstance(names, list) or not all(isinstance(one, str) and one.strip() for one in names):
        raise ValueError(f"expected a list of names as “{name}”, got {names!r:.100}")
    _require_distinct(names, rule)


def _require_distinct(texts: Sequence[str], rule: str) -> None:
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            raise ValueError(f"{rule}, got “{text:.100}” twice")
        seen.add(text)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
