"""Small questions about texts, numbers and paths of a study's files."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from pathlib import PurePosixPath, PureWindowsPath

from core.study.images import IMAGE_ENDINGS

_MOST_COMPARED = 1_000
_LONGEST_COMPARED = 200


GZIP = "a gzip archive"
PACKED = (".gz", ".zip", ".bz2", ".xz", ".zst")
"""Endings of packed files, in small letters."""
UNPACK = "Unpack it, for example with gunzip or 7-Zip, and give the file that is in it."

_MAGIC = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": GZIP,
    b"%PDF": "a PDF document",
    b"PAR1": "a Parquet file",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
    b"\x93NUMPY": "a NumPy array",
    b"{\\rtf": "an RTF document",
    b"<!DOCTYPE": "a web page",
    b"<html": "a web page",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}
_NOTHING = {"nan", "na", "n/a", "<na>", "#n/a", "null", "none", "nat"}
_PLAIN_NUMBER = re.compile(r"\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)
_METADATA_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})", re.ASCII)
_DATE = re.compile(
    r"(19|20)[0-9]{2}[-/.](0?[1-9]|1[0-2])[-/.](0?[1-9]|[12][0-9]|3[01])([ T].*)?"
    r"|(0?[1-9]|[12][0-9]|3[01])[-/.](0?[1-9]|[12][0-9]|3[01])[-/.]((19|20)[0-9]{2}|[0-9]{2})"
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")

_OTHER_NAMES = {
    "case_id": (
        "case",
        "id",
        "image",
        "image_id",
        "item",
        "item_id",
        "study_id",
        "patient",
        "sample",
        "caseid",
    ),
    "rater_id": (
        "rater",
        "reader",
        "reader_id",
        "annotator",
        "annotator_id",
        "expert",
        "raterid",
        "radiologist",
    ),
    "label": ("class", "diagnosis", "condition", "category", "answer", "labels"),
    "probability": ("prob", "p", "confidence", "prediction", "probabilities"),
    "model": ("model_id", "model_name", "classifier", "algorithm"),
    "score": ("value", "rating", "number"),
}
_PERSONAL_WORDS = {
    "surname": "a person's name",
    "forename": "a person's name",
    "firstname": "a person's name",
    "lastname": "a person's name",
    "fullname": "a person's name",
    "initials": "a person's name",
    "birth": "a birth date",
    "birthdate": "a birth date",
    "birthday": "a birth date",
    "dob": "a birth date",
    "mrn": "a record number",
    "ssn": "a record number",
    "nhs": "a record number",
    "passport": "a record number",
    "record": "a record number",
    "accession": "a record number",
    "patient": "a record number",
    "phone": "a way to reach a person",
    "telephone": "a way to reach a person",
    "email": "a way to reach a person",
    "address": "a way to reach a person",
    "postcode": "a place of living",
    "zipcode": "a place of living",
}
_NAMES_OF_THINGS = {
    "file",
    "image",
    "model",
    "site",
    "hospital",
    "device",
    "camera",
    "scanner",
    "column",
    "study",
}


def file_kind(start: bytes) -> str | None:
    """What a file is by its first bytes, for kinds that are no plain text; None where it may be text."""
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)


def stands_for_nothing(text: str) -> bool:
    """Whether the text is what programs write where there is no value: NaN, N/A, null, None."""
    return text.casefold() in _NOTHING


def is_plain_number(text: str) -> bool:
    """Whether the text is a decimal number: no thousands separators, no NaN, no infinity."""
    return _PLAIN_NUMBER.fullmatch(text) is not None


def is_text(name: str) -> bool:
    """Whether the name of a file is text: systems allow any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def clean_text(text: str) -> str:
    """Text without spaces at its ends, in Unicode normal form C."""
    text = text.strip()
    return text if text.isascii() else unicodedata.normalize("NFC", text).strip()


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Known name that looks most like the given one; None where none does."""
    if len(name) > _LONGEST_COMPARED:
        return None
    folded = name.casefold()
    alike = [candidate for candidate in known if abs(len(candidate) - len(name)) <= max(3, len(name) // 2)]
    if len(alike) > _MOST_COMPARED:
        alike = [candidate for candidate in alike if candidate[:1].casefold() == folded[:1]][:_MOST_COMPARED]
    by_folded: dict[str, str] = {}
    for candidate in alike:
        by_folded.setdefault(candidate.casefold(), candidate)
    close = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.6)
    return by_folded[close[0]] if close else None


def nearest_column(wanted: str, columns: Sequence[str]) -> str | None:
    """Column that is probably the wanted one under another name or spelling; None where none is."""
    others = _OTHER_NAMES.get(wanted, ())
    known = next((column for column in columns if column.casefold() in others), None)
    return known or nearest(wanted, columns)


def suggestion(name: str, known: Collection[str]) -> str:
    """Sentence that proposes the nearest known name; empty where there is none."""
    close = nearest(name, known)
    return "" if close is None else f'Did you mean "{close}"? '


def image_fault(path: str) -> str | None:
    """What is wrong with an image path as text: it has to be relative, inside the folder, and an image's."""
    posix, windows = PurePosixPath(path), PureWindowsPath(path)
    if "://" in path or posix.is_absolute() or windows.is_absolute() or windows.drive or windows.root:
        return "expected a path relative to the study folder"
    if ".." in posix.parts or ".." in windows.parts:
        return "expected a path inside the study folder"
    if "\\" in path:
        return "expected forward slashes in the path"
    if posix.suffix.lower() not in IMAGE_ENDINGS:
        return f"expected an image ({', '.join(IMAGE_ENDINGS)})"
    return None


def personal_content(column: str, values: Iterable[str]) -> str | None:
    """What could identify a person in a column of metadata, judged by its name and values; None if nothing.

    Parameters
    ----------
    column : str
        Name of the column.
    values : iterable of str
        Distinct values, or some of them.
    """
    words = [word.casefold() for word in _WORDS.findall(column)]
    named = next((_PERSONAL_WORDS[word] for word in words if word in _PERSONAL_WORDS), None)
    if named is None and "name" in words and not _NAMES_OF_THINGS & set(words):
        named = "a person's name"
    if named is not None:
        return named
    given = [value for value in values if value]
    dates = sum(_DATE.fullmatch(value) is not None for value in given)
    return "a full date" if dates * 2 > len(given) else None


def number_kind(values: Iterable[str]) -> type[int] | type[float] | type[str]:
    """How a column of free metadata is kept: whole numbers, numbers, or text (007 is text)."""
    kind: type[int] | type[float] | type[str] = int
    found = False
    for value in values:
        found = True
        if _WHOLE.fullmatch(value):
            continue
        if _METADATA_NUMBER.fullmatch(value) is None or float(value) in (float("inf"), float("-inf")):
            return str
        kind = float
    return kind if found else str


def score_labels(threshold: float) -> tuple[str, str]:
    """Labels of the two sides of a threshold: below it, and at it or above."""
    number = repr(float(threshold)).removesuffix(".0")
    return f"below {number}", f"{number} or above"
