"""A note to hand on: what it holds, as plain text, and as a page to be printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

_STYLE = """
:root { color-scheme: light; }
@page { size: A4; margin: 11mm 16mm; }
body { font: 9.5pt/1.27 "Source Sans 3", system-ui, "Segoe UI", Roboto, Arial, sans-serif; color: #1a1f26;
  background: #fff; margin: 2em auto; max-width: 48em; padding: 0 1em; overflow-wrap: anywhere; }
h1 { font-size: 1.55em; line-height: 1.2; margin: 0 0 .2em; }
h2 { font-size: 1.2em; margin: .55em 0 .15em; break-after: avoid; }
h2 + p { break-after: avoid; }
.page { break-before: page; }
p { margin: .25em 0; }
.strong { font-weight: 600; }
.small { color: #596370; font-size: .88em; }
.blank { border-bottom: 1px solid #596370; padding-top: 1.1em; break-before: avoid; }
ul, ol { margin: .2em 0; padding-left: 1.4em; }
li { margin: .15em 0; }
.led { list-style: none; padding: 0; break-inside: avoid; break-before: avoid; }
.led li { display: grid; grid-template-columns: 6em minmax(0, 1fr); gap: .8em; margin: .1em 0; }
.led strong { font-weight: 600; }
.led span { white-space: pre-line; }
table { border-collapse: collapse; width: 100%; margin: .4em 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .16em .9em .16em 0; border-bottom: 1px solid #c4cad2;
  overflow-wrap: break-word; }
th { font-weight: 400; color: #596370; }
th:first-child, td:first-child { min-width: 4.6em; }
tr, li, h2 + ul, svg { break-inside: avoid; }
svg { display: block; width: 100%; margin: .7em 0; font: 12px "Source Sans 3", system-ui, sans-serif; }
svg .title { font-weight: 600; }
svg .said { font-weight: 600; font-size: 15px; text-anchor: end; }
svg .gloss, svg .tick { fill: #596370; }
svg .tick { text-anchor: middle; font-size: 11px; }
footer { border-top: 1px solid #c4cad2; margin-top: .9em; padding-top: .3em; color: #596370; }
footer p { font-size: .8em; }
@media print { body { margin: 0; max-width: none; padding: 0; } td + td { white-space: nowrap; } }
"""


BY_HAND = 40 * "_"
"""Line of a text on which is written by hand."""


@dataclass(frozen=True)
class Heading:
    """Heading of a part; on paper it may begin a page."""

    text: str
    begins_page: bool = False


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
    """A list, with numbers or with dots, or with a word before each that says of what it is.

    Attributes
    ----------
    texts : tuple of str
    is_numbered : bool
    leads : tuple of str
        Words that stand before the texts, one for each; none where there are no such words.
    """

    texts: tuple[str, ...]
    is_numbered: bool = False
    leads: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Each text behind its word, one of several lines beneath it."""
        if not self.leads:
            return self.texts
        told = zip(self.leads, self.texts, strict=True)
        return tuple(":\n".join(one) if "\n" in one[1] else ": ".join(one) for one in told)


@dataclass(frozen=True)
class Rows:
    """A table; its cells are words already."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Band:
    """A row of a picture: a bar between two shares, or a cross where both are one.

    Attributes
    ----------
    title, gloss : str
        What the row is, and what that means.
    said : str
        Its number, as it is written.
    low, high : float
        Shares of all.
    """

    title: str
    gloss: str
    said: str
    low: float
    high: float

    @property
    def in_words(self) -> str:
        """The row as a sentence."""
        return f"{self.title}: {self.said} ({self.gloss})"


@dataclass(frozen=True)
class Bands:
    """A picture of shares beneath each other; the first is repeated in the other rows by a stroke.

    Attributes
    ----------
    name : str
        What the picture shows.
    bands : tuple of Band
    start : float
        Where its axis begins; it ends at all.
    """

    name: str
    bands: tuple[Band, ...]
    start: float

    @property
    def in_words(self) -> Items:
        """The same without a picture."""
        return Items(tuple(band.in_words for band in self.bands))


Part = Heading | Words | Items | Rows | Bands


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
        for number, text in enumerate(part.lines, 1):
            text = text.replace("\n", "\n  ")
            yield f"{number}. {text}" if part.is_numbered else f"- {text}"
    elif isinstance(part, Bands):
        yield from _lines(part.in_words)
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
        page = ' class="page"' * part.begins_page
        yield f'<h2 dir="auto"{page}>{escape(part.text)}</h2>'
    elif isinstance(part, Words):
        role = {"note": ' class="small"', "strong": ' class="strong"', "blank": ' class="blank"'}.get(
            part.role, ""
        )
        yield f'<p dir="auto"{role}>{escape(part.text)}</p>'
    elif isinstance(part, Items):
        tag = "ol" if part.is_numbered else "ul"
        leads = [f"<strong>{escape(lead)}</strong>" for lead in part.leads] or [""] * len(part.texts)
        said = [escape(text) for text in part.texts]
        if part.leads:
            said = [f"<span>{text}</span>" for text in said]
        items = "".join(f'<li dir="auto">{lead}{text}</li>' for lead, text in zip(leads, said, strict=True))
        yield f"<{tag}{' class=led' * bool(part.leads)}>{items}</{tag}>"
    elif isinstance(part, Bands):
        yield from _drawn(part)
    else:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in part.heads)
        yield f'<table aria-label="{escape(part.name)}"><thead><tr>{heads}</tr></thead><tbody>'
        for row in part.rows:
            yield "<tr>" + "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in row) + "</tr>"
        yield "</tbody></table>"


_RIGHT, _WIDE, _TALL = 520, 640, 42
"""Where the axis of a picture ends, the width of the picture, and the height of a row."""
_LEFT = 16
"""Where its axis begins, with room for half a number."""


def _drawn(picture: Bands) -> Iterator[str]:
    """A picture as SVG, which runs nothing and needs nothing from elsewhere."""
    foot = _TALL * len(picture.bands) + 6

    def across(share: float) -> str:
        return f"{_LEFT + (_RIGHT - _LEFT) * (share - picture.start) / (1 - picture.start):.1f}"

    named = escape(f"{picture.name}. {'; '.join(picture.in_words.texts)}")
    yield f'<svg viewBox="0 0 {_WIDE} {foot + 20}" role="img" aria-label="{named}" fill="#1a1f26">'
    first = picture.bands[0]
    for row, band in enumerate(picture.bands):
        down = _TALL * row + 28
        yield (
            f'<text x="0" y="{down - 14}"><tspan class="title">{escape(band.title)}</tspan>'
            f'<tspan class="gloss" dx="8">{escape(band.gloss)}</tspan></text>'
            f'<text class="said" x="{_WIDE}" y="{down + 5}">{escape(band.said)}</text>'
            f'<path d="M{_LEFT} {down}H{_RIGHT}" stroke="#c4cad2"/>'
        )
        if row:
            yield (
                f'<path d="M{across(band.low)} {down}H{across(band.high)}" stroke="#0072b2" '
                f'stroke-width="11" opacity="{0.75 if row == 1 else 0.45}"/>'
                f'<path d="M{across(first.low)} {down - 8}v16" stroke="#1a1f26" stroke-width="1.5"/>'
            )
        else:
            cross = f"M{across(band.low)} {down}m-5 -5l10 10m0 -10l-10 10"
            yield f'<path d="{cross}" stroke="#1a1f26" stroke-width="3"/>'
    for tens in range(round(10 * picture.start), 11):
        yield f'<text class="tick" x="{across(tens / 10)}" y="{foot + 12}">{10 * tens}\u00a0%</text>'
    yield "</svg>"
