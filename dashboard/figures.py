"""Pictures as a journal prints them, by their names: what ``loupe figure`` becomes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core import interrupt
from core.analysis.picture_form import PictureForm
from core.analysis.table_choice import TableChoice
from core.cli.options import add_options, chosen
from core.cli.output import refusal
from dashboard.pictures import PAGES, drawn, with_recipe

ON_PAGE = {
    "study": ("claimed", "high-risk", "certainty", "risk", "scores", "readings-per-case",
              "labels-per-case", "labels-named", "workload", "agreement"),
    "cases": ("dots", "plausibility", "models", "simplex", "tetrahedron"),
    "reliability": ("certainty-by-reliability", "models-by-reliability", "over-draws", "predictive",
                    "risk-certainty", "expected-risk", "high-risk-accuracy", "sorted-cases",
                    "two-aggregations", "two-aggregations-ranks"),
    "models": ("all-tasks", "rank-slope", "hard-against-soft", "soft-labels", "other-readers",
               "other-readers-shares", "slices", "best-models", "better", "rank-distribution",
               "rank-correlation"),
    "disagreement": ("reliability-of-probabilities", "reliability-of-disagreement", "conformal",
                     "conformal-groups", "expert", "expert-plausibility"),
    "raters": ("agreement-matrix", "skew", "agreement-by-label", "coefficients", "concordance-by-case",
               "confidence", "confidence-calibration", "accuracy-by-confidence", "confusion", "fineness",
               "reductions", "groups", "two-groups", "raters-needed", "certainty-grid", "accuracy",
               "severity", "correspondence-by-group", "correspondence", "distances", "columns", "reread",
               "unusual-cases", "plan-fineness", "plan-certainty", "plan-ranking"),
}  # fmt: skip
"""Where a picture is looked for first; which pages show it depends on the study and the choices."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write pictures with their data and what made them into a folder, or list the names of all pictures."""
    interrupt.leave_at_once()
    parser = argparse.ArgumentParser(prog="python -m dashboard.figures", description=__doc__)
    parser.add_argument("study", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--link", default="")
    parser.add_argument("--query", default="")
    add_options(parser, PictureForm)
    add_options(parser, TableChoice)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--overwrite", action="store_true")
    parser.add_argument("--recipe", default="")
    options = parser.parse_args(arguments)
    try:
        if options.folder is None:
            _list(options.study, options.link, options.query)
        else:
            _write(options)
    except OSError as refused:
        sys.exit(f"loupe: {refusal(refused)}")
    except ValueError as refused:
        sys.exit(f"loupe: {refused}")


def wanted(
    study: Path, names: Sequence[str], *, link: str = "", query: str = ""
) -> dict[str, tuple[Any, ...]]:
    """Pictures by their names, of the page that is linked to, else of the first pages that show them.

    Parameters
    ----------
    names : sequence of str
        Of pictures, as `ON_PAGE` has them; where none is named all of the page that is linked to, and all of
        all pages without a link.
    link : str
        Address of a page, or the end of it.
    query : str
        Choices for all pages, as an address has them.

    Returns
    -------
    dict of str to tuple
        As `dashboard.pictures.drawn`.

    Raises
    ------
    ValueError
        If no page shows a picture of that name, or as `dashboard.pictures.drawn`.
    """
    found: dict[str, tuple[Any, ...]] = {}
    seen: list[str] = []
    for _, pictures in _pages(study, link, query, names):
        found |= {
            name: pictures[name] for name in names or pictures if name in pictures and name not in found
        }
        seen += pictures
        if names and all(name in found for name in names):
            return {name: found[name] for name in names}
        if link:
            break
    if found and not names:
        return found
    missing = ", ".join(name for name in names if name not in found)
    raise ValueError(
        f"{link or 'no page'} {'shows no' if link else 'shows a'} picture called {missing} of this study; "
        f"there are {', '.join(seen)}"
    )


def _pages(
    study: Path, link: str, query: str, names: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, tuple[Any, ...]]]]:
    """Addresses of pages with their pictures, those first on which the names are at home."""
    if link:
        yield link, drawn(study, link)
        return
    at_home = [page for page in PAGES if set(ON_PAGE[page]) & set(names)]
    faults = []
    for page in [*at_home, *(page for page in PAGES if page not in at_home)]:
        print(f"Drawing the page {page.capitalize()} …", file=sys.stderr)  # noqa: T201
        try:
            pictures = drawn(study, f"/{page}{query}")
        except ValueError as fault:
            # A page without models, for instance, shows nothing; the others may.
            faults.append(str(fault))
            continue
        yield f"/{page}", pictures
    if len(faults) == len(PAGES):
        raise ValueError(faults[0])


def _list(study: Path, link: str, query: str) -> None:
    """Say the names of all pictures, with their pages and what they show."""
    for address, pictures in _pages(study, link, query):
        for name, (_, title, *_rest) in pictures.items():
            print(f"{name:<28} {address:<16} {title}")  # noqa: T201


def _write(options: argparse.Namespace) -> None:
    """Write the pictures that are named, all or none."""
    from core.study.whole_files import write_folder

    form, choice = chosen(PictureForm, options), chosen(TableChoice, options)
    pictures = wanted(options.study, options.names, link=options.link, query=options.query)
    as_svg = replace(form, format="svg")
    files = with_recipe(
        _files(pictures, form, choice),
        options.recipe,
        pictures,
        lambda name: _painted(pictures[name], as_svg),
    )
    write_folder(options.folder, files, overwrite=options.overwrite)
    for name in pictures:
        print(options.folder / f"{name}.{form.format}")  # noqa: T201


def _files(
    pictures: Mapping[str, tuple[Any, ...]], form: PictureForm, choice: TableChoice
) -> Iterator[tuple[str, str | bytes]]:
    """Each picture, its table and what made them."""
    from core.analysis.columns import COLUMNS, PICTURE, columns_json
    from core.analysis.report_files import table_files
    from core.settings import entries

    for name, (_, _, table, provenance) in pictures.items():
        said = {**provenance, **entries(form)}
        yield f"{name}.{form.format}", _painted(pictures[name], form)
        yield from table_files(name, table, said, report=PICTURE, choice=choice)
    yield COLUMNS, columns_json(PICTURE, {name: table for name, (_, _, table, _) in pictures.items()})


def _painted(picture: tuple[Any, ...], form: PictureForm) -> bytes:
    """A picture as wide as the columns of a journal, with what made it."""
    from core.settings import entries
    from dashboard.components.painting import in_columns

    figure, title, _, provenance = picture
    return in_columns(figure, form, title=title, provenance={**provenance, **entries(form)})


if __name__ == "__main__":
    main(sys.argv[1:])
