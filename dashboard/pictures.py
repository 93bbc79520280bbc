"""Save the pictures of a page without a browser: what ``loupe picture`` becomes."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from core import interrupt
from core.plausibility.settings import Aggregation, AggregationChoice
from core.study.model import Study, Task
from core.study.problems import StudyError

if TYPE_CHECKING:
    from dashboard.shell import studies

if TYPE_CHECKING:
    from core.analysis.table_choice import TableChoice

LONGEST = 24 * 3600.0
"""Seconds that one run of a page may take."""
_EVERY = 0.5
"""Seconds after which a page that shows how far its work is, is drawn anew."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw a page, and write its pictures, their data and what made them into a folder."""
    interrupt.leave_at_once()
    from core.analysis.picture_form import FORMATS
    from core.analysis.table_choice import TableChoice
    from core.cli.options import add_options, chosen
    from core.cli.output import refusal
    from core.study.whole_files import write_folder

    parser = argparse.ArgumentParser(prog="python -m dashboard.pictures", description=__doc__)
    parser.add_argument("study", type=Path)
    parser.add_argument("link")
    parser.add_argument("kind", choices=FORMATS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--overwrite", action="store_true")
    add_options(parser, TableChoice)
    parser.add_argument("--recipe", default="")
    options = parser.parse_args(arguments)
    try:
        pictures = drawn(options.study, options.link)
        files = _files(pictures, options.kind, chosen(TableChoice, options))
        files = with_recipe(files, options.recipe, pictures, lambda name: _painted(pictures[name], "svg"))
        write_folder(options.folder, files, overwrite=options.overwrite)
    except OSError as refused:
        sys.exit(f"loupe: {refusal(refused)}")
    except ValueError as refused:
        sys.exit(f"loupe: {refused}")
    for name in pictures:
        print(options.folder / f"{name}.{options.kind}")  # noqa: T201


def drawn(study: Path, link: str) -> dict[str, tuple[Any, ...]]:
    """Pictures of a page, by name, once all of its work is done.

    Parameters
    ----------
    study : Path
        Folder of the study.
    link : str
        Address of the page, or the end of it; the study that it names does not count.

    Returns
    -------
    dict of str to tuple
        Figure, title, table and provenance, which says title and caption too.

    Raises
    ------
    ValueError
        If there is no such page, it cannot be drawn, does not take all that the address says, or shows no
        picture.
    """
    found = drawn_page(study, link).pictures
    if not found:
        raise ValueError(f"{link} shows no picture; `loupe check {study}` says whether the study can be read")
    return found


@dataclass(frozen=True, eq=False)
class DrawnPage:
    """A page that was drawn without a browser.

    Attributes
    ----------
    page : streamlit.testing block
        What stands on it.
    pictures : dict of str to tuple
        Its pictures by name: figure, title, table and provenance.
    study, task, aggregation : Study, Task, Aggregation
        What it is of; the study without the cases that a condition leaves out.
    published : Study
        The study as it is in its files.
    chosen : AggregationChoice
        What of the aggregation was chosen; the rest is what is recommended for the task.
    """

    page: Any
    pictures: dict[str, tuple[Any, ...]]
    study: Study
    task: Task
    aggregation: Aggregation
    chosen: AggregationChoice
    published: Study


def drawn_page(study: Path, link: str) -> DrawnPage:
    """Draw a page, with everything that stands folded on it, until all of its work is done.

    Raises
    ------
    ValueError
        As `drawn`, but for a page without pictures; and if the study cannot be read.
    """
    from streamlit.testing.v1 import AppTest

    from dashboard.components.picture import KEPT

    # Streamlit warns of what is asked of a page before its first run.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)
    address = urlsplit(link)
    page = address.path.strip("/") or "study"
    if page not in PAGES:
        raise ValueError(f"expected the address of a page with pictures, /{', /'.join(PAGES)}, got {link!r}")
    test = AppTest.from_function(_page, args=(page,), default_timeout=LONGEST)
    pictures: dict[str, tuple[Any, ...]] = {}
    test.session_state[KEPT] = pictures
    for name, values in parse_qs(address.query).items():
        test.query_params[name] = values
    test.query_params["study"] = _source(study).key
    test.run()
    while any(part.proto.component_name == "loupe_progress" for part in test.get("bidi_component")):
        time.sleep(_EVERY)
        test.run()
    wrong = [*(one.message for one in test.exception), *test.session_state[_NOTES]]
    if wrong:
        raise ValueError(" ".join(wrong))
    chosen = test.session_state[_CHOSEN]
    if chosen.study is None or chosen.task is None:
        raise StudyError(tuple(chosen.problems))
    aggregation, given = test.session_state[_AGGREGATION]
    published = chosen.published or chosen.study
    return DrawnPage(test.main, pictures, chosen.study, chosen.task, aggregation, given, published)


def _source(study: Path) -> studies.Source:
    """Where a study comes from: a folder, or a zip file of one."""
    from dashboard.shell import studies

    if study.is_file() and study.suffix == ".zip":
        return studies.add_upload(study.stem, study.read_bytes())
    return studies.add_folder(study)


PAGES = ("study", "cases", "reliability", "models", "disagreement", "raters")
_NOTES, _CHOSEN, _AGGREGATION = "loupe-notes-of-the-address", "loupe-drawn-study", "loupe-drawn-aggregation"


def _page(page: str) -> None:
    """Draw a page alone, and keep what is said of its address; the body is a script of its own."""
    import importlib

    import streamlit as st

    from core.plausibility.settings import AggregationChoice
    from core.settings import part
    from dashboard import pictures
    from dashboard.shell import sidebar, state

    state.read_address()
    chosen = sidebar.choose()
    importlib.import_module(f"dashboard.views.{page}.page").show(chosen)
    st.session_state[pictures._CHOSEN] = chosen
    if chosen.task is not None:
        st.session_state[pictures._AGGREGATION] = (state.aggregation(), part(AggregationChoice, state.view()))
    said = st.session_state.get(pictures._NOTES, [])
    notes = [
        *state.notes(),
        *([f"The condition: {chosen.condition_fault}"] if chosen.condition_fault else []),
    ]
    st.session_state[pictures._NOTES] = [*said, *(note for note in notes if note not in said)]
    state.write_address()


def with_recipe(
    files: Iterable[tuple[str, str | bytes]],
    asked: str,
    pictures: Mapping[str, tuple[Any, ...]],
    as_svg: Callable[[str], bytes],
) -> Iterator[tuple[str, str | bytes]]:
    """Add to files of pictures the recipe that makes them again, where ``asked`` says what they are.

    ``as_svg`` paints the picture of a name as SVG.
    """
    from core.analysis.recipe import AS_SVG, RECIPE, digest, recipe_text, taken_over

    recipe = taken_over(asked)
    if recipe is None:
        yield from files
        return
    digests: dict[str, str] = {}
    for name, content in files:
        if name.endswith((".csv", ".svg", ".png")):
            digests[name] = digest(content)
        elif name.endswith(".pdf"):
            # Painting orders what a PDF is made of anew each time: it is known by the same picture as SVG.
            digests[f"{name}{AS_SVG}"] = digest(as_svg(name.removesuffix(".pdf")))
        yield name, content
    first, *others = (provenance for _, _, _, provenance in pictures.values())
    alike = {key: said for key, said in first.items() if all(of.get(key) == said for of in others)}
    yield RECIPE, recipe_text(recipe, alike, digests)


def _files(
    pictures: Mapping[str, tuple[Any, ...]], kind: str, choice: TableChoice
) -> Iterator[tuple[str, str | bytes]]:
    """Each picture, its table and what made them."""
    from core.analysis.columns import COLUMNS, PICTURE, columns_json
    from core.analysis.report_files import table_files

    for name, (_, _, table, provenance) in pictures.items():
        yield f"{name}.{kind}", _painted(pictures[name], kind)
        yield from table_files(name, table, provenance, report=PICTURE, choice=choice)
    yield COLUMNS, columns_json(PICTURE, {name: table for name, (_, _, table, _) in pictures.items()})


def _painted(picture: tuple[Any, ...], kind: str) -> bytes:
    from dashboard.components.painting import on_slide

    figure, title, _, provenance = picture
    return on_slide(figure, kind, title=title, provenance=provenance)


if __name__ == "__main__":
    main(sys.argv[1:])
