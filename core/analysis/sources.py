"""The works that methods come from, as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from core.analysis import works_on_inference, works_on_labels

_BEGIN = re.compile(r"^(?=@)", re.MULTILINE)
_ENTRIES = {**works_on_labels.WORKS, **works_on_inference.WORKS}


def named(source: str) -> str:
    """How a work is named in a sentence, such as “Holm 1979”."""
    return _ENTRIES[source][0]


def bibtex(sources: Iterable[str]) -> str:
    """Write works as BibTeX, each once, in alphabetical order.

    Raises
    ------
    KeyError
        For a work that is not known.
    """
    return "\n".join(_entry(source) for source in sorted(set(sources)))


def _entry(source: str) -> str:
    _, kind, fields = _ENTRIES[source]
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{source},\n{lines}}}\n"


def software(versions: Mapping[str, str]) -> str:
    """Write software as BibTeX, each name with its version."""
    return "\n".join(
        f"@software{{{name.lower()},\n  title = {{{name}}},\n  version = {{{number}}},\n"
        f"  note = {{Computer software, version {number}}},\n}}\n"
        for name, number in versions.items()
    )


def is_bibtex(text: str) -> bool:
    """Whether a text is what `bibtex` writes."""
    return text.startswith("@")


def joined_bibtex(texts: Iterable[str]) -> str:
    """Join what `bibtex` wrote, each work once, in alphabetical order."""
    works = {entry.strip() for text in texts for entry in _BEGIN.split(text) if entry.strip()}
    return "\n\n".join(sorted(works, key=lambda entry: entry.split("{", 1)[-1]))
