"""Write a report: what ``loupe report`` becomes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core import interrupt


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pages that a report is made of, and write it."""
    interrupt.leave_at_once()
    from core.cli.output import refusal
    from core.study.whole_files import replace_files
    from dashboard.report.collect import collect
    from dashboard.report.compare import compared
    from dashboard.report.page import html
    from dashboard.report.settings import SECTIONS, Contents
    from dashboard.report.to_pdf import pdf, require_chromium

    parser = argparse.ArgumentParser(prog="python -m dashboard.report", description=__doc__)
    parser.add_argument("study", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--link", default="")
    parser.add_argument("--second", type=Path)
    parser.add_argument("--against-link")
    parser.add_argument("--sections", default="")
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--images", action="store_true")
    parser.add_argument("--name-raters", action="store_true")
    parser.add_argument("--format", choices=["html", "pdf"], default="html")
    parser.add_argument("--recipe", default="")
    options = parser.parse_args(arguments)
    try:
        sections = [name.strip() for name in options.sections.split(",")] if options.sections else SECTIONS
        is_compared = options.second is not None or options.against_link is not None
        if options.images and is_compared:
            raise ValueError(
                "images are shown in the report of one study: leave --images, or the second one, out"
            )
        asked = Contents(
            options.study,
            options.link,
            tuple(sections),
            options.cases,
            images=options.images,
            raters=options.name_raters,
        )
        if options.format == "pdf":
            require_chromium()
        content = collect(asked, _say)
        settings = {**content.settings, **content.made}
        if is_compared:
            link = options.link if options.against_link is None else options.against_link
            other = replace(asked, study=options.second or options.study, link=link)
            second = collect(other, _say, beside=content.raters)
            if options.second is not None:
                settings |= {f"second {key}": second.made[key] for key in ("study", "fingerprint")}
            content = compared(content, second)
        text = html(content)
        made: str | bytes = pdf(text) if options.format == "pdf" else text
        replace_files(options.out.parent, _files(options.out.name, made, options.recipe, sections, settings))
    except OSError as refused:
        sys.exit(f"loupe: {refusal(refused)}")
    except ValueError as refused:
        sys.exit(f"loupe: {refused}")
    for words in (*content.warnings, *content.faults):
        print(f"loupe: {words}", file=sys.stderr)  # noqa: T201
    print(options.out)  # noqa: T201


def _files(
    name: str, made: str | bytes, asked: str, sections: Iterable[str], settings: Mapping[str, str]
) -> Iterator[tuple[str, str | bytes]]:
    """The report, and where it was asked for the recipe that makes it again."""
    from core.analysis.recipe import beside, digest, recipe_text, taken_over

    yield name, made
    recipe = taken_over(asked)
    if recipe is not None:
        # Another version may have other sections by default.
        recipe = replace(recipe, options={**recipe.options, "sections": ",".join(sections)})
        yield beside(name), recipe_text(recipe, settings, {name: digest(made)}, name=beside(name))


def _say(doing: str) -> None:
    """Say what is being done."""
    print(f"{doing} …", file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
