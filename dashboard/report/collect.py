"""Read the sections of a report off the pages, which are drawn one after the other without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import pandas as pd

from core.analysis.cases.worklist import METADATA, worklist_of
from core.analysis.checklist import checklist
from core.analysis.export import made_by
from core.analysis.formatting import readable
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard import pictures
from dashboard.report.blocks import (
    Block,
    Facts,
    Gallery,
    Heading,
    Pair,
    Picture,
    Table,
    Text,
    blocks_of,
    cell,
)
from dashboard.report.images import SHOW_A_PERSON, gallery
from dashboard.report.naming import cases_in_text
from dashboard.report.review import review
from dashboard.report.settings import SECTIONS, Contents

_OF_A_CASE = ("case", "case_id", "case id", "id")
"""Columns, in small letters, that name cases."""
_PERSONAL = re.compile(
    r"name|birth|\bdob\b|patient|\bmrn\b|\bssn\b|e-?mail|phone|address|insurance|social|passport|postcode|\bzip\b",
    re.IGNORECASE,
)
"""Names of columns that look as if they told who somebody is."""
_OF_NO_PAGE = ("review", "checklist")
"""Sections that are read off no page."""


@dataclass(frozen=True, eq=False)
class Section:
    """What one page says."""

    name: str
    title: str
    settings: Mapping[str, str]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, eq=False)
class Content:
    """All of a report: what it is of, its sections, and what whoever hands it on has to know."""

    study: str
    description: str
    settings: Mapping[str, str]
    sections: tuple[Section, ...]
    warnings: tuple[str, ...]
    faults: tuple[str, ...] = ()
    """What could not be had, for whoever makes the report; the report says so in its own place."""
    made: Mapping[str, str] = field(default_factory=dict)
    """Study, task and condition, as `core.analysis.export.made_by` says them."""


Progress = Callable[[str], None]
"""Is told what is being done."""


def collect(asked: Contents, progress: Progress = bool) -> Content:  # type: ignore[assignment]
    """Draw the pages that a report is made of, and read them.

    Raises
    ------
    ValueError
        If the study cannot be read, or a page does not take all that the address says.
    """
    sections: list[Section] = []
    warnings: list[str] = []
    faults: list[str] = []
    study: Study | None = None
    drawn: pictures.DrawnPage | None = None
    for name in asked.sections:
        progress(SECTIONS[name])
        if name in _OF_NO_PAGE:
            drawn = drawn or pictures.drawn_page(asked.study, f"/study?{_query(asked.link)}")
            study, task, aggregation = drawn.study, drawn.task, drawn.aggregation
            if name == "checklist":
                sections.append(Section(name, SECTIONS[name], {}, (*_answers(drawn),)))
                continue
            found = review(drawn, asked.cases)
            kept = found.blocks if asked.cases else (*_without_cases(found.blocks, drawn.published),)
            sections.append(Section(name, SECTIONS[name], found.settings, kept))
            warnings += found.warnings
            faults += found.faults
            continue
        drawn = pictures.drawn_page(asked.study, f"/{name}?{_query(asked.link)}")
        study, task, aggregation = drawn.study, drawn.task, drawn.aggregation
        blocks: Sequence[Block] = [*blocks_of(drawn.page, drawn.pictures)]
        if not asked.cases:
            blocks = [*_without_cases(blocks, study)]
        settings = next((one.provenance for one in blocks if isinstance(one, Picture)), {})
        sections.append(Section(name, SECTIONS[name], settings, tuple(_tidied(blocks))))
    assert study is not None
    if asked.cases:
        progress("Cases")
        listed, case_ids = _list_of_cases(study, task, aggregation, asked.cases)
        if asked.images:
            listed = (*listed, *gallery(study, case_ids))
            warnings.append(SHOW_A_PERSON)
        sections.append(Section("cases", "Cases", {}, listed))
        warnings += _personal(study)
    if drawn is not None and {*drawn.study.rater_ids} - {*drawn.published.rater_ids}:
        warnings.append("Rounds of reading again count here: their readers are raters, by name.")
    # Those of a page say more than those of the review, which are of the study as published.
    of_pages = [one.settings for one in sections if one.settings and one.name not in _OF_NO_PAGE]
    common = _in_common(of_pages or [one.settings for one in sections if one.settings])
    sections = [
        replace(one, settings={k: v for k, v in one.settings.items() if common.get(k) != v})
        for one in sections
    ]
    return Content(
        study.name,
        study.description,
        common,
        tuple(sections),
        tuple(warnings),
        faults=tuple(faults),
        made=made_by(study, task),
    )


def _answers(drawn: pictures.DrawnPage) -> Iterator[Block]:
    """What the study answers of the items of reporting guidelines."""
    found = checklist(drawn.study, drawn.chosen, task_name=drawn.task.name).table
    yield Text(
        "What this study answers of the items of CLAIM 2024 and STARD-AI on reference standard, annotation, "
        "test set, metrics and uncertainty; “not in the data” is for the authors to say.",
        "note",
    )
    rows = found.fillna("").astype(str)
    columns = tuple(name.capitalize() for name in rows.columns)
    yield Table("Reporting checklist", columns, tuple(rows.itertuples(index=False, name=None)))


def _query(link: str) -> str:
    """What an address says after its question mark."""
    return urlsplit(link).query


def _in_common(settings: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What all sections say alike."""
    if not settings:
        return {}
    return {
        key: value for key, value in settings[0].items() if all(one.get(key) == value for one in settings)
    }


def _tidied(blocks: Sequence[Block]) -> Iterator[Block]:
    """Leave out headings that stand above nothing."""
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if not isinstance(block, Heading) or not (following is None or isinstance(following, Heading)):
            yield block


def _without_cases(blocks: Sequence[Block], study: Study) -> Iterator[Block]:
    """Leave out what names a case; a picture of single cases stays as it looks, without names or numbers."""
    named = cases_in_text(study)
    for block in blocks:
        if isinstance(block, Picture):
            table = pd.DataFrame() if _names_cases([block.table.reset_index()], named) else block.table
            yield replace(block, table=table, live=not _names_cases(block.figure.data.values(), named))
        elif isinstance(block, Table) and _is_of_cases(block.columns):
            continue
        elif named is None or not named.search(_words(block)):
            yield block


def _names_cases(frames: Iterable[pd.DataFrame], named: re.Pattern[str] | None) -> bool:
    """Whether a table has a column for cases, or names one in another."""
    for frame in frames:
        if _is_of_cases(map(str, frame.columns)):
            return True
        if named is not None:
            words = frame.select_dtypes(["object", "string", "category"])
            if any(named.search(str(value)) for column in words for value in words[column].unique()):
                return True
    return False


def _is_of_cases(columns: Iterable[str]) -> bool:
    """Whether one of the columns names cases."""
    return any(column.lower() in _OF_A_CASE for column in columns)


def _words(block: Block) -> str:
    """All words of a block."""
    if isinstance(block, Facts):
        return " ".join(word for pair in block.pairs for word in pair)
    if isinstance(block, Table):
        return " ".join([block.title, *block.columns, *(cell for row in block.rows for cell in row)])
    if isinstance(block, Picture):
        return f"{block.title} {block.caption}"
    return "" if isinstance(block, Pair | Gallery) else block.text


def _list_of_cases(
    study: Study, task: Task, aggregation: Aggregation, most: int
) -> tuple[tuple[Block, ...], list[str]]:
    """The least certain cases, each with its labels, its certainty and what the models say; and their ids."""
    table = worklist_of(study, task, aggregation).sort_values("certainty", kind="stable", na_position="last")
    shown = readable(table.head(most).reset_index())
    columns = tuple(str(one).removeprefix(METADATA).replace("_", " ") for one in shown.columns)
    rows = tuple(tuple(cell(value) for value in row) for row in shown.itertuples(index=False))
    count = min(most, len(table))
    text = (
        f"The {count:,} least certain of {len(table):,} cases, the least certain first; shares from 0 to 1."
    )
    return (Text(text, "note"), Table("Cases", columns, rows)), [str(one) for one in table.index[:most]]


def _personal(study: Study) -> list[str]:
    """Columns of the case list that look personal."""
    found = [str(name) for name in study.cases.columns if _PERSONAL.search(str(name))]
    if not found:
        return ["This report names cases. Hand it on only to those who may know them."]
    return [
        "This report names cases, and columns of their list look personal: "
        f"{', '.join(found)}. Hand it on only to those who may know them."
    ]
