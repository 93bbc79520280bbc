"""A note to hand on: what it holds, as plain text, and as a page to be printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

_STYLE = """
:root { color-scheme: light; }
@page { size: A4; margin: 13mm 16mm; }
body { font: 9.6pt/1.36 "Source Sans 3", system-ui, "Segoe UI", Roboto, Arial, sans-serif; color: #1a1f26;
  background: #fff; margin: 2em auto; max-width: 48em; padding: 0 1em; overflow-wrap: anywhere; }
h1 { font-size: 1.55em; line-height: 1.2; margin: 0 0 .2em; }
h2 { font-size: 1.08em; margin: 1.05em 0 .25em; break-after: avoid; }
p { margin: .25em 0; }
.strong { font-weight: 600; }
.small { color: #596370; font-size: .88em; }
.blank { border-bottom: 1px solid #596370; padding-top: 1.1em; break-before: avoid; }
ul, ol { margin: .2em 0; padding-left: 1.4em; }
li { margin: .15em 0; }
table { border-collapse: collapse; width: 100%; margin: .4em 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .22em .9em .22em 0; border-bottom: 1px solid #c4cad2;
  overflow-wrap: break-word; }
th { font-weight: 400; color: #596370; }
tr, li, h2 + ul { break-inside: avoid; }
footer { border-top: 1px solid #c4cad2; margin-top: .9em; padding-top: .3em; color: #596370; }
footer p { font-size: .8em; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
"""


BY_HAND = 40 * "_"
"""Line of a text on which is written by hand."""


@dataclass(frozen=True)
class Heading:
    """Heading of a part."""

    text: str


@dataclass(frozen=True)
class Words:
    """A paragraph.

    Attributes
    ----------
    text : str
    role : str
        "p", "strong" for what matters most, "note" for what is said beside it, or "blank" for what is
        answered by hand, on a line that follows.
    """

    text: str
    role: str = "p"


@dataclass(frozen=True)
class Items:
    """A list, with numbers or with dots."""

    texts: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True)
class Rows:
    """A table; its cells are words already."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Part = Heading | Words | Items | Rows


@dataclass(frozen=True)
class Note:
    """A note: its title, its parts in their order, and what stands small at its foot."""

    title: str
    parts: tuple[Part, ...]
    foot: tuple[str, ...]


def as_text(note: Note) -> str:
    """Write a note as plain text without spaces that do not break, so that it can be pasted anywhere."""
    lines = [note.title, "=" * len(note.title)]
    for part in note.parts:
        lines += ["", *_lines(part)]
    return "\n".join([*lines, "", *note.foot, ""]).replace("\u00a0", " ")


def _lines(part: Part) -> Iterator[str]:
    """Lines of a part; of a table one for each row, which stays readable in any font."""
    if isinstance(part, Heading):
        yield from (part.text, "-" * len(part.text))
    elif isinstance(part, Words):
        yield f"{part.text} {BY_HAND}" if part.role == "blank" else part.text
    elif isinstance(part, Items):
        for number, text in enumerate(part.texts, 1):
            yield f"{number}. {text}" if part.is_numbered else f"- {text}"
    else:
        for first, *cells in part.rows:
            said = zip(part.heads[1:], cells, strict=True)
            told = "; ".join(f"{head}{'' if head.endswith('?') else ':'} {cell}" for head, cell in said)
            yield f"- {first}. {told}"


def as_html(note: Note) -> str:
    """Write a note as a page to be printed.

    Returns
    -------
    str
        HTML without scripts and without anything from elsewhere, light, for paper of A4; all text is text.
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    body = "\n".join(markup for part in note.parts for markup in _markup(part))
    foot = "".join(f'<p dir="auto">{escape(text)}</p>' for text in note.foot)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(note.title)}</title><style>{_STYLE}</style></head>\n"
        f'<body><main><h1 dir="auto">{escape(note.title)}</h1>\n{body}\n</main>\n'
        f"<footer>{foot}</footer></body></html>\n"
    )


def _markup(part: Part) -> Iterator[str]:
    """A part as HTML."""
    if isinstance(part, Heading):
        yield f'<h2 dir="auto">{escape(part.text)}</h2>'
    elif isinstance(part, Words):
        role = {"note": ' class="small"', "strong": ' class="strong"', "blank": ' class="blank"'}.get(
            part.role, ""
        )
        yield f'<p dir="auto"{role}>{escape(part.text)}</p>'
    elif isinstance(part, Items):
        tag = "ol" if part.is_numbered else "ul"
        items = "".join(f'<li dir="auto">{escape(text)}</li>' for text in part.texts)
        yield f"<{tag}>{items}</{tag}>"
    else:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in part.heads)
        yield f'<table aria-label="{escape(part.name)}"><thead><tr>{heads}</tr></thead><tbody>'
        for row in part.rows:
            yield "<tr>" + "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in row) + "</tr>"
        yield "</tbody></table>"
