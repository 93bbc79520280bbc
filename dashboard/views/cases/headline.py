"""What a case comes to: the warning, the sentence, each label with its level, and what it hangs on."""

from __future__ import annotations

import math
from collections.abc import Collection
from html import escape

import pandas as pd
import streamlit as st

from core.analysis.cases.contenders import later_words, others_words
from core.analysis.cases.hanging import ALL, Hanging, Row, Share
from core.analysis.cases.headline import Headline
from core.analysis.cases.truths import READ_ALIKE, TIED, TOO_CLOSE, alike_words
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from dashboard.components.text import element
from dashboard.views import parts

_ALIKE = {
    TIED: "They lead equally often",
    TOO_CLOSE: "Another random sample of truths could put another of them first",
    READ_ALIKE: "The readings do not tell them apart",
}
"""Said under the pointer of labels that lead alike without a reading."""
_BEHIND = "High-risk labels behind these"
"""Stands before the labels that lead less often: all of them are of high risk."""


def show(said: Headline, misled: str, *, before: str = "") -> None:
    """Write what has to be known before the sentence, the sentence, and how accuracy is ``misled``.

    ``before`` stands before the sentence, in its line.
    """
    # A place of its own: a line that comes or goes as the slider moves makes nothing below it anew.
    with st.container():
        if said.warning:
            parts.warning(said.warning)
    parts.sentence(f"{before}{said.sentence}")
    with st.container():
        if misled:
            element("p", misled, role="misled")


def show_labels(
    said: Headline,
    contenders: pd.DataFrame,
    n_readings: int,
    truths: str = "",
    unlisted: str = "",
    spelled: str = "",
) -> None:
    """List the labels that the sentence is about: a table, what it leaves out, and what is counted.

    ``contenders`` stand side by side, with how many of ``n_readings`` name each; ``unlisted``
    names the labels that only stand further down, ``spelled`` says what abbreviations stand for; ``truths``
    explains what is counted.
    """
    has_table = not contenders.empty
    with st.container(gap="xxsmall"):
        if has_table:
            st.html(_side_by_side(contenders, n_readings))
            if later := later_words(contenders):
                parts.note(later)
        also = ". ".join(filter(None, (unlisted, spelled)))
        if also:
            parts.note(f"{also}.")
        if truths:
            left = others_words(contenders) if has_table else ""
            parts.note(f"{left}. {truths}." if left else f"{truths}.")
        shown = set(contenders["label"]) if has_table else set()
        if not set(said.labels["label"]) <= shown:
            st.html(_labels(said, shown))
        if said.why and (has_table or not said.n_tied):
            parts.note(f"{said.why}.")


def show_hanging(said: Hanging) -> None:
    """Say what would be without each reading that the answer hangs on; nothing where it hangs on none.

    That it does stands in the brief (`dashboard.views.cases.brief`), and is not said again.
    """
    if not said.rows:
        return
    has_number = bool(said.rows[0].leads[0].often)
    has_danger = any(row.high_risk not in ("", "none") for row in said.rows)
    heads = ["Left out", "Leads, then next" if has_number else "Leads", *["Danger"] * has_danger]
    head = "".join(f'<th scope="col">{words}</th>' for words in heads)
    rows = "".join(_left_out(row, has_danger=has_danger) for row in said.rows)
    if said.n_more:
        rows += f'<tr><td colspan="{len(heads)}">and {said.n_more:,} more</td></tr>'
    what = f"the leading label{', or move danger most' * has_danger}"
    meant = f": numbers are out of 100 plausible truths. Listed: readings that change {what}"
    of = f'<span class="loupe-note">{meant}</span>' if has_number else ""
    st.html(
        f'<table class="loupe-table loupe-hangs"><caption><strong>If one reading were left out</strong>{of}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _left_out(row: Row, *, has_danger: bool) -> str:
    """One row: who is left out, which labels lead then, which comes next, and how often danger leads."""
    is_all = row.without == ALL
    who = "none" if is_all else escape(row.without)
    if row.n_tied > 1:
        who += (
            f'<small class="loupe-note" title="Ties {row.n_tied} labels for first">ties {row.n_tied}</small>'
        )
    alike = alike_words(of.often for of in row.leads)
    tied = f'<small class="loupe-note" title="{_ALIKE[alike]}">{alike}</small>' if len(row.leads) > 1 else ""
    # Beneath each other: two columns of names would break each of them in a narrow panel.
    then = f'<div class="loupe-then">{_share(row.then)}</div>' if row.then is not None else ""
    cells = ["".join(map(_share, row.leads)) + tied + then]
    cells += [escape(row.high_risk)] * has_danger
    cells = [f"<td>{cell}</td>" for cell in cells]
    return f'<tr{" class=loupe-all" * is_all}><th scope="row">{who}</th>{"".join(cells)}</tr>'


def _share(of: Share) -> str:
    """A label with its letter, and how often it leads."""
    often = f" <span>{escape(of.often)}</span>" if of.often else ""
    return f"<p>{_letter(of.risk)}{escape(of.label)}{often}</p>"


def _side_by_side(table: pd.DataFrame, n: int) -> str:
    """The labels that the case is between, each with how many readings put it first, and name it."""
    has_order = bool((table["first"] != table["named"]).any() or (table["alone"] != table["first"]).any())
    has_truths = bool(table["leads"].notna().any())
    heads = ["Label", *["Put first by"] * has_order, "Named by", *["Leads in"] * has_truths]
    leaders = table[table["is_leader"]]
    alike = alike_words(leaders["often"])
    rows = []
    for row in table.to_dict("records"):
        tied = f' <span class="loupe-note">{alike}</span>' if len(leaders) > 1 and row["is_leader"] else ""
        letter = _letter(str(row["risk"]), str(row["settled_by"]))
        name = f"{letter}{escape(in_sentence(str(row['label'])))}{tied}"
        cells = [_put_first(int(row["first"]), int(row["alone"]), n)] if has_order else []
        cells.append(_of(int(row["named"]), n))
        if has_truths:
            often = str(row["often"])
            cells.append(f"{often} of 100" if often.isdecimal() else often)
        counted = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{name}</th>{counted}</tr>')
    head = "".join(f'<th scope="col">{words}</th>' for words in heads)
    return (
        '<table class="loupe-table loupe-contenders" aria-label="The labels that this case is between">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _of(number: int, n: int) -> str:
    return f"{number:,} of {n:,}" if number else "none"


def _put_first(first: int, alone: int, n: int) -> str:
    """How many readings put a label first, and how many of them it alone, or tied with another."""
    if alone == first:
        return _of(first, n)
    parted = [f"{alone:,} alone"] * bool(alone) + [f"{first - alone:,} tied"]
    return f"{_of(first, n)} ({', '.join(parted)})"


def _labels(said: Headline, shown: Collection[str] = ()) -> str:
    """Each label with its letter and how often it leads, in a line that wraps; those that tie stand apart.

    Labels that are ``shown`` already are left out.
    """
    items = [
        ""
        if label in shown
        else f"<span>{_letter(str(risk))}{escape(in_sentence(str(label)))}{_often(leads)}</span>"
        for label, risk, leads in said.labels[["label", "risk", "leads"]].itertuples(index=False, name=None)
    ]
    tied, others = "".join(items[: said.n_tied]), "".join(items[said.n_tied :])
    if shown:
        tied, others = f"Besides these: {tied}{others}", ""
    elif said.n_tied:
        why = said.why or ("Tied" if others else "")
        tied = f"{escape(why)}: {tied}" if why else tied
        others = f"<span>{_BEHIND}:</span> {others}" if others else ""
    return f'<p dir="auto" class="loupe-text loupe-note loupe-key loupe-labels">{tied}{others}</p>'


def _letter(risk: str, settled_by: str = "") -> str:
    """Letter of a level in its colour; whoever points at it reads the level, and what settles the label.

    Both as the study says it.
    """
    if not risk:
        return ""
    settled = f"; the same file says what settles it: {settled_by}" if settled_by else ""
    title = f"{risk_phrase(risk)}: the level of this label in the study's file labels.csv{settled}"
    return f'<b data-level="{risk}" title="{escape(title)}">{risk}</b> '


def _often(leads: float | None) -> str:
    """In how many of a hundred truths a label leads; nothing where that is no probability."""
    return "" if leads is None or math.isnan(leads) else f" {leads}"
