"""The methods of a result in words: what a question's own sentences are made of, and how they are written."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version

import core
from core.analysis.export import NOTICE
from core.analysis.raters.identified import raters_are_identified
from core.analysis.sources import bibtex, named, software
from core.study.brief import number_of
from core.study.model import Study, Task

_KINDS = {"choice": "one label each", "ranking": "an ordered list of labels each", "score": "a score each"}
METHODS_BEGIN = "## Data"
"""With what the methods of a report begin."""
_SOFTWARE = ("numpy", "scipy", "pandas")


@dataclass(frozen=True)
class Paragraph:
    """What was done for one question.

    Attributes
    ----------
    heading : str
    text : str
        Sentences in the past tense.
    sources : tuple of str
        Works that the text names, by their BibTeX keys, in their order.
    """

    heading: str
    text: str
    sources: tuple[str, ...] = ()


class Said:
    """Sentences as they come together, with the works that they name."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.sources: list[str] = []

    def say(self, sentence: str) -> None:
        """Add a sentence."""
        self.sentences.append(sentence)

    def cite(self, *sources: str) -> str:
        """Name works, and remember them."""
        self.sources += [source for source in sources if source not in self.sources]
        return "; ".join(map(named, sources))

    def paragraph(self, heading: str) -> Paragraph:
        """Return what was said."""
        return Paragraph(heading, " ".join(self.sentences), tuple(self.sources))


def of_data(study: Study, *tasks: Task) -> Paragraph:
    """Say on which readings of which cases a result rests, task by task, and where they are from."""
    said = Said()
    for task in tasks:
        _of_task(said, study, task)
    if study.source:
        said.say(f"Source: {plain(study.source).rstrip('.')}.")
    if study.condition:
        said.say(f"Only cases were taken where {plain(study.condition)}.")
    if study.high_risk_labels:
        said.say(f"Labels taken to be of high risk, by choice: {plain('; '.join(study.high_risk_labels))}.")
    if study.counted:
        said.say(f"Analysed {plain(study.counted)}.")
    said.say(
        f"The data have the fingerprint {study.fingerprint}; random numbers derive from seed {study.seed}."
    )
    return said.paragraph(METHODS_BEGIN.removeprefix("## "))


def _of_task(said: Said, study: Study, task: Task) -> None:
    """Say what was read of one task."""
    of = f"Study “{plain(study.name)}”, task “{plain(task.name)}”"
    readings = task.readings
    if not readings.n_readings:
        said.say(f"{of}, has no readings of its own.")
        return
    read = int((readings.case_start[1:] > readings.case_start[:-1]).sum())
    by = "raters who are numbered anew in each case"
    if raters_are_identified(study, task):
        by = number_of(len(set(readings.rater.tolist())), "rater")
    said.say(
        f"{of}: {number_of(readings.n_readings, 'reading')} of {number_of(read, 'case')} by {by}, "
        f"{_KINDS[task.kind]}, among {number_of(len(task.labels), 'label')}."
    )
    if read < study.n_cases:
        said.say(f"Of {study.n_cases:,} cases {study.n_cases - read:,} had no reading.")


def of_software() -> Paragraph:
    """Say with what it was computed."""
    versions = ", ".join(f"{name} {number}" for name, number in _versions().items() if name != "Loupe")
    return Paragraph(
        "Software",
        f"Computed with Loupe {core.__version__} under Python {platform.python_version()}, {versions}. "
        f"{NOTICE}",
    )


def methods_text(paragraphs: Iterable[Paragraph | None]) -> str:
    """Write paragraphs as Markdown, a heading above each, with the software at the end."""
    written = [one for one in (*paragraphs, of_software()) if one is not None]
    return "\n".join(f"## {one.heading}\n\n{one.text}\n" for one in written)


def methods_bibtex(paragraphs: Iterable[Paragraph | None]) -> str:
    """Write the works that paragraphs name as BibTeX, and the software with its versions."""
    works = bibtex(source for one in paragraphs if one is not None for source in one.sources)
    return "\n".join(filter(None, [works, software(_versions())]))


def plain(text: str) -> str:
    """Text from a study on one line, so that it ends no paragraph and begins no heading."""
    return " ".join(text.split())


def _versions() -> dict[str, str]:
    """Versions of what computes, by name."""
    return {"Loupe": core.__version__} | {name: version(name) for name in _SOFTWARE}
