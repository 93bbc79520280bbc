"""Names of files that say what is in them: study, page, table, case or filters, reliability."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from core.analysis.cases.select import Filters
from core.settings import options
from core.study.settings import StudyChoice

PRESET, ORDER = "ready-made worklist", "order"
"""Entries of a provenance that say which ready-made worklist a table holds, and in which order."""
MOST_STUDY, MOST_FILTER, MOST_BYTES = 40, 48, 150
"""Characters of a study's name and of its filters, and bytes of all together, without the ending."""
_APART = re.compile(r"[\W_]+")


def slug(text: str, most: int = MOST_BYTES) -> str:
    """Write text with small letters, digits and hyphens, cut between words where there are any.

    Accents go; letters of other scripts stay, as every system takes them in names of files.
    """
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)
    )
    words = [word for word in _APART.split(plain.casefold()) if word]
    kept = ""
    for word in words:
        longer = f"{kept}-{word}" if kept else word
        if len(longer) > most:
            return kept or word[:most]
        kept = longer
    return kept


def file_stem(page: str, name: str, provenance: Mapping[str, str]) -> str:
    """Name a file by what is in it, without its ending.

    Parameters
    ----------
    page : str
        That it comes from.
    name : str
        Of the table or picture on that page.
    provenance : mapping of str to str
        What made it: of this the study, the case, the filters and the reliability are named.

    Returns
    -------
    str
        Such as ``dermatology-cases-worklist-high-risk-g3``, at most `MOST_BYTES` bytes long.
    """
    case = provenance.get("case", "")
    parts = [
        slug(provenance.get("study", ""), MOST_STUDY),
        slug(page),
        slug(name, MOST_STUDY),
        slug(f"case {case}" if case and not case.casefold().startswith("case") else case, MOST_STUDY),
        slug(" ".join(_filter_words(provenance)), MOST_FILTER),
    ]
    reliability = provenance.get("reliability", "").replace("∞", "infinite")
    ending = f"-g{re.sub(r'[^0-9a-z.]', '', reliability)}" if reliability else ""
    stem = "-".join(filter(None, parts))
    return stem.encode()[: MOST_BYTES - len(ending)].decode(errors="ignore").rstrip("-") + ending


def _filter_words(provenance: Mapping[str, str]) -> Iterable[str]:
    """Name the ready-made worklist and the filters in a few words."""
    yield provenance.get(PRESET, "")
    for of in options(StudyChoice):
        said = provenance.get(of.said or "", "")
        if said and of.kind.several:
            # Names of several would be cut, as if the first were all.
            n = said.count("; ") + 1
            said = f"{n} dangers" if n > 1 else f"danger {said}"
        yield said
    for of in options(Filters):
        said = provenance.get(of.said or "", "")
        if of.name == "label" and said:
            yield said
        elif of.name == "risk" and said:
            yield f"{said} risk"
        elif of.name == "only" and said:
            yield f"{said.count(',') + 1} chosen"
        elif said:
            yield f"{of.said} {said}".removesuffix(" yes")
    cases = provenance.get("cases", "all")
    if cases != "all":
        yield cases.rpartition(":")[2]
