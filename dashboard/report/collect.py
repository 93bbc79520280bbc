"""Read the sections of a report off the pages, which are drawn one after the other without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from core.analysis.cases.worklist import METADATA, worklist_of
from core.analysis.checklist import checklist
from core.analysis.export import provenance
from core.analysis.formatting import readable
from core.analysis.overview import personal_columns
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard import pictures
from dashboard.report.blocks import Block, Heading, Picture, Table, Text, blocks_of, cell
from dashboard.report.images import SHOW_A_PERSON, gallery
from dashboard.report.masking import A_CASE, Masks, numbered
from dashboard.report.review import review
from dashboard.report.settings import SECTIONS, Contents

NAMES_RATERS = "This report names raters. Hand it on only to those who may know who read."
COUNTS_READERS = "Rounds of reading again count here: their readers are raters, by name."
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
    """Study, task, condition and aggregation, as `core.analysis.export.provenance` says them."""
    note: str = ""
    """What is named otherwise than in the study, or left out."""
    raters: tuple[str, ...] = ()
    """Names behind the numbers of raters, in their order; they stand nowhere in the report."""


Progress = Callable[[str], None]
"""Is told what is being done."""


def collect(
    asked: Contents,
    progress: Progress = bool,  # type: ignore[assignment]
    *,
    beside: Sequence[str] = (),
) -> Content:
    """Draw the pages that a report is made of, and read them.

    Parameters
    ----------
    asked : Contents
        What it shall hold.
    progress : callable, optional
        Is told what is being done.
    beside : sequence of str
        Raters that have numbers already, in a report that this one is laid beside: who is in both has one.

    Raises
    ------
    ValueError
        If the study cannot be read, or a page does not take all that the address says.
    """
    sections: list[Section] = []
    warnings: list[str] = []
    faults: list[str] = []
    drawn: pictures.DrawnPage | None = None
    for name in asked.sections:
        progress(SECTIONS[name])
        if name not in _OF_NO_PAGE or drawn is None:
            page = "study" if name in _OF_NO_PAGE else name
            drawn = pictures.drawn_page(asked.study, f"/{page}?{_query(asked.link)}")
        masks = _masks(asked, drawn, beside)
        if name == "review":
            found = review(drawn, asked.cases)
            # It numbers those who read by itself.
            kept = found.blocks if asked.cases else Masks(drawn.published.case_ids, {}).blocks(found.blocks)
            sections.append(Section(name, SECTIONS[name], found.settings, tuple(kept)))
            warnings += found.warnings
            faults += found.faults
            continue
        blocks: Iterable[Block] = (
            _answers(drawn) if name == "checklist" else blocks_of(drawn.page, drawn.pictures)
        )
        if masks is not None:
            blocks = masks.blocks(blocks)
        found_blocks = (*_tidied(tuple(blocks)),)
        settings = next((one.provenance for one in found_blocks if isinstance(one, Picture)), {})
        sections.append(Section(name, SECTIONS[name], settings, found_blocks))
    assert drawn is not None
    study, task, aggregation = drawn.study, drawn.task, drawn.aggregation
    if asked.cases:
        progress("Cases")
        listed, case_ids = _list_of_cases(study, task, aggregation, asked.cases)
        if asked.images:
            listed = (*listed, *gallery(study, case_ids))
            warnings.append(SHOW_A_PERSON)
        sections.append(Section("cases", "Cases", {}, listed))
        warnings += _personal(study)
    elif asked.raters:
        warnings.append(NAMES_RATERS)
    if asked.names_raters and {*study.rater_ids} - {*drawn.published.rater_ids}:
        warnings.append(COUNTS_READERS)
    common, sections = _said_once(sections)
    masks = _masks(asked, drawn, beside)
    return Content(
        study.name,
        study.description if masks is None else masks.text(study.description),
        common,
        tuple(sections),
        tuple(warnings),
        faults=tuple(faults),
        made=provenance(study, task, aggregation),
        note=_left_out(asked),
        raters=tuple(dict.fromkeys([*beside, *study.rater_ids])),
    )


def _said_once(sections: Sequence[Section]) -> tuple[dict[str, str], list[Section]]:
    """Settings that all sections share, and the sections with those that are their own."""
    # Those of a page say more than those of the review, which are of the study as published.
    of_pages = [one.settings for one in sections if one.settings and one.name not in _OF_NO_PAGE]
    common = _in_common(of_pages or [one.settings for one in sections if one.settings])
    own = [
        replace(one, settings={k: v for k, v in one.settings.items() if common.get(k) != v})
        for one in sections
    ]
    return common, own


def _masks(asked: Contents, drawn: pictures.DrawnPage, beside: Sequence[str]) -> Masks | None:
    """What hides the names of cases and raters that are not asked for; None where all may be named."""
    if asked.cases:
        return None
    study = drawn.study
    words = {str(column) for column in study.cases.columns}
    for task in study.tasks.values():
        words |= {task.name, *task.labels, *task.predictions}
    raters = {} if asked.names_raters else numbered([*beside, *study.rater_ids])
    return Masks([*dict.fromkeys([*drawn.published.case_ids, *study.case_ids])], raters, words)


def _left_out(asked: Contents) -> str:
    """Say what a report does not name."""
    if asked.cases:
        return ""
    who = "" if asked.names_raters else " and numbers raters in the order of the study"
    return f"This report names no case{who}; where words named one, “{A_CASE}” stands."


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
    """Say that cases and raters are named, and which columns of the case list look personal."""
    found = personal_columns(study)
    looks = ""
    if found:
        named = "; ".join(f"{column} ({content})" for column, content in found.items())
        looks = f", and columns of their list may identify a person: {named}"
    return [f"This report names cases and raters{looks}. Hand it on only to those who may know them."]
