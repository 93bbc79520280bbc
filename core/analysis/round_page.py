"""A round as a page to be printed and filled in by hand."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from core.analysis.export import NOTICE
from core.reviews.rounds import Round, reader_name
from core.study.brief import number_of
from core.study.model import Study, Task

MOST_LISTED = 500
"""Labels that are listed below the cases; of more none is."""
_HOW = {
    "choice": "Write one label for each case.",
    "ranking": "Write the labels of each case in braces, the most plausible first and those that are equally "
    "plausible together, as in {A} {B, C}.",
    "score": "Write a number for each case.",
}
_STYLE = """
:root { color-scheme: light; }
body { font: 11pt/1.4 system-ui, sans-serif; color: #000; background: #fff; margin: 2em auto; max-width: 50em;
  padding: 0 1em; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; margin: 0 0 .3em; }
p { margin: .3em 0; }
.question { white-space: pre-wrap; font-weight: bold; }
.line { display: inline-block; min-width: 14em; border-bottom: 1px solid #000; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; table-layout: fixed; }
th, td { border: 1px solid #666; padding: .3em .5em; text-align: left; vertical-align: top; }
td { height: 3em; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
.number { width: 2.5em; } .case { width: 26%; } .sure { width: 7em; }
ul { columns: 3 12em; padding-left: 1.2em; }
"""


def round_page(of: Round, study: Study, *, reader: str | None = None) -> str:
    """Write a round as a page with a row for each case, to be filled in by hand.

    Parameters
    ----------
    of : Round
    study : Study
        For its name, and the labels of the task.
    reader : str, optional
        Only the cases that this reader has still to read; all by default.

    Returns
    -------
    str
        HTML without scripts and without anything from elsewhere; all text of the study is text. It shows
        neither earlier readings nor models nor certainty, blind or not.
    """
    name = None if reader is None else reader_name(reader)
    cases = [case for case in of.cases if name is None or name not in of.readings.get(case, {})]
    task = study.tasks.get(of.task)
    return (
        "\n".join(["<!DOCTYPE html>", '<html lang="en">', *_head(of), *_body(of, study, task, cases, name)])
        + "\n"
    )


def _head(of: Round) -> Iterator[str]:
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield f"<title>{escape(of.name)}</title><style>{_STYLE}</style></head>"


def _body(of: Round, study: Study, task: Task | None, cases: list[str], reader: str | None) -> Iterator[str]:
    yield f'<body><h1 dir="auto">{escape(of.name)}</h1>'
    yield f'<p dir="auto">{escape(study.name)}: {number_of(len(cases), "case")}. {NOTICE}</p>'
    if of.question.strip():
        yield f'<p class="question" dir="auto">{escape(of.question)}</p>'
    yield f"<p>{_HOW[task.kind] if task else ''}</p>"
    who = escape(reader) if reader else '<span class="line"></span>'
    yield f'<p>Read by {who} on <span class="line"></span></p>'
    yield '<table><thead><tr><th class="number">No.</th><th class="case">Case</th><th>Reading</th>'
    yield '<th class="sure">Confidence, 0 to 1</th></tr></thead><tbody>'
    for number, case in enumerate(cases, start=1):
        yield f'<tr><td>{number:,}</td><td dir="auto">{escape(case)}</td><td></td><td></td></tr>'
    yield "</tbody></table>"
    if task is not None and task.kind != "score" and len(task.labels) <= MOST_LISTED:
        yield "<h2>Labels</h2><ul>"
        yield from (f'<li dir="auto">{escape(label)}</li>' for label in task.labels)
        yield "</ul>"
    yield "</body></html>"
