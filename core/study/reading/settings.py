"""What ``study.toml`` says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.study.model import KINDS, Kind
from core.study.reading import limits
from core.study.reading.checks import clean_text, suggestion
from core.study.reading.files import exists, read_file
from core.study.reading.report import Report
from core.study.reference_standard import MEND, STANDARD, STANDARDS

FILE = "study.toml"
_TEXT_KEYS = ("name", "description", "source", "licence")
_TASK_KEYS = ("kind", "positive", "threshold", "labels")
_LINE = re.compile(r"at line ([0-9]+)")
_TEXTS = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)'''
    r"""|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|\#[^\n]*""",
    re.DOTALL,
)
"""Texts and comments of TOML, closed or not."""
_LONG_KEY = re.compile(
    rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{limits.MOST_KEY_PARTS}}}",
)


@dataclass(frozen=True)
class TaskSettings:
    """Settings of one task; ``labels`` is empty where the order is not given."""

    kind: Kind
    positive: str | None = None
    threshold: float | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """Settings of a study; no tasks where none is described."""

    name: str
    description: str = ""
    source: str = ""
    licence: str = ""
    seed: int = 0
    flags: tuple[str, ...] = ()
    reference_standard: str = ""
    tasks: Mapping[str, TaskSettings] = field(default_factory=dict)


def read_settings(folder: Path, report: Report) -> Settings:
    """Read ``study.toml``; everything has a default, and a missing file is a warning."""
    path = folder / FILE
    fallback = folder.resolve().name or "study"
    if not exists(path):
        report.add(
            FILE,
            f'there is no {FILE}; the study is called "{fallback}"',
            "Add one with name, description, source and licence.",
            severity="warning",
        )
        return Settings(fallback)
    return settings_of(_parse(path, report), fallback, report)


def settings_of(document: Mapping[str, Any], fallback: str, report: Report) -> Settings:
    """Check what ``study.toml`` says, or would say; ``fallback`` is the study's name where it has none."""
    known = (*_TEXT_KEYS, "seed", "flags", STANDARD, "tasks")
    _warn_unknown(document, known, "", report)
    texts = {key: _text(document, key, report) for key in _TEXT_KEYS}
    seed = document.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**63:
        report.add(
            FILE,
            f"expected a whole number from 0 to 2^63 − 1, got {_shown(seed)}",
            "Write seed = 1.",
            column="seed",
        )
        seed = 0
    return Settings(
        name=texts["name"] or fallback,
        description=texts["description"],
        source=texts["source"],
        licence=texts["licence"],
        seed=seed,
        flags=_flags(document.get("flags", []), report),
        reference_standard=_standard(document.get(STANDARD, ""), report),
        tasks=_tasks(document.get("tasks", {}), report),
    )


def _parse(path: Path, report: Report) -> dict[str, Any]:
    data = read_file(path, FILE, report, limit=limits.LARGEST_SETTINGS)
    if data is None:
        return {}
    try:
        text = data.decode("utf-8-sig")
        if _LONG_KEY.search(_TEXTS.sub(_placeholder, text)):
            what = f"a key has more than {limits.MOST_KEY_PARTS} parts with points between"
            mend = "Write plain keys and [tasks.NAME] tables; put a name with points in quotes."
            report.add(FILE, what, mend)
            return {}
        return tomllib.loads(text)
    except UnicodeDecodeError:
        report.add(FILE, "expected text in UTF-8", "Save the file as UTF-8.")
    except RecursionError:
        report.add(FILE, "values are nested too deeply", "Write plain keys and [tasks.NAME] tables.")
    except ValueError as error:
        found = _LINE.search(str(error))
        report.add(
            FILE,
            f"not valid TOML: {error}",
            'Write texts in double quotes, as in name = "My study".',
            row=int(found[1]) if found else None,
        )
    return {}


def _placeholder(found: re.Match[str]) -> str:
    """What stands for a text, which may be a part of a key, or for a comment, which may not."""
    return "" if found[0].startswith("#") else "t"


def _shown(value: object) -> str:
    """The value in a message, shortened."""
    try:
        return f"{value!r:.60}"
    except (ValueError, RecursionError):
        return f"a very long {type(value).__name__}"


def _warn_unknown(table: Mapping[str, Any], known: tuple[str, ...], place: str, report: Report) -> None:
    report.add_many(
        FILE,
        [key for key in table if key not in known],
        lambda key: f'the key "{key:.100}" is not used',
        lambda key: f"{suggestion(key, known)}Known keys: {', '.join(known)}.",
        column=lambda key: f"{place}{key}",
        severity="warning",
        noun="key",
    )


def _text(document: Mapping[str, Any], key: str, report: Report) -> str:
    value = document.get(key, "")
    if isinstance(value, str) and "\0" not in value:
        return value
    report.add(FILE, f"expected a text, got {_shown(value)}", f'Write {key} = "…".', column=key)
    return ""


def _flags(flags: object, report: Report) -> tuple[str, ...]:
    """Reasons for which cases of the study are flagged, each once."""
    what = f"at most {limits.MOST_FLAGS} short texts, each on one line"
    if isinstance(flags, list) and all(map(_is_flag, flags)):
        clean = tuple(dict.fromkeys(clean_text(flag) for flag in flags))
        if len(clean) <= limits.MOST_FLAGS:
            return clean
    mend = 'Write them as flags = ["poor image", "more history needed"].'
    report.add(FILE, f"expected {what}, got {_shown(flags)}", mend, column="flags")
    return ()


def _standard(standard: object, report: Report) -> str:
    """How references were established; empty where it is not stated."""
    if standard == "" or standard in STANDARDS:
        return str(standard)
    hint = suggestion(standard, STANDARDS) if isinstance(standard, str) else ""
    what = f"expected one of {', '.join(STANDARDS)}, got {_shown(standard)}"
    report.add(FILE, what, f"{hint}{MEND}", column=STANDARD)
    return ""


def _is_flag(flag: object) -> bool:
    return isinstance(flag, str) and 0 < len(clean_text(flag)) <= limits.LONGEST_FLAG and flag.isprintable()


def _tasks(tasks: object, report: Report) -> dict[str, TaskSettings]:
    mend = 'Write a table for each task: [tasks.main] and below it kind = "choice".'
    if not isinstance(tasks, dict):
        report.add(FILE, f"expected tables [tasks.NAME], got {_shown(tasks)}", mend, column="tasks")
        return {}
    found: dict[str, TaskSettings] = {}
    most, again = limits.MOST_TASKS, "Split the study."
    if not limits.is_count_allowed(FILE, report, len(tasks), most, "tasks", again):
        return {}
    for raw_name, task in tasks.items():
        name, place = clean_text(raw_name), f"tasks.{raw_name}"
        if not name or "\0" in name or name in found or len(name) > limits.LONGEST_NAME:
            report.add(
                FILE, f"{_shown(name)} is no name of a task, too long, or there twice", mend, column=place
            )
        elif not isinstance(task, dict):
            report.add(FILE, f"expected a table [tasks.NAME], got {_shown(task)}", mend, column=place)
        else:
            _warn_unknown(task, _TASK_KEYS, f"{place}.", report)
            found[name] = _task(task, place, report)
    return found


def _task(task: dict[str, Any], place: str, report: Report) -> TaskSettings:
    kind = _kind(task.get("kind"), f"{place}.kind", report)
    labels = _labels(task.get("labels", []), f"{place}.labels", report)
    if kind == "score" and labels:
        what, mend = (
            "a score task has no labels but the sides of its threshold; they are not used",
            "Delete them.",
        )
        report.add(FILE, what, mend, column=f"{place}.labels", severity="warning")
    return TaskSettings(
        kind,
        _positive(task.get("positive"), f"{place}.positive", report),
        _threshold(task.get("threshold"), kind, f"{place}.threshold", report),
        labels,
    )


def _kind(kind: object, place: str, report: Report) -> Kind:
    for known in KINDS:
        if kind == known:
            return known
    came = "nothing" if kind is None else _shown(kind)
    hint = suggestion(kind, KINDS) if isinstance(kind, str) else ""
    what = f"kind must be one of {', '.join(KINDS)}, got {came}"
    report.add(
        FILE, what, f"{hint}choice: one label; ranking: a differential; score: a number.", column=place
    )
    return "choice"


def _positive(positive: object, place: str, report: Report) -> str | None:
    if positive is None or isinstance(positive, str):
        return None if positive is None else clean_text(positive)
    report.add(
        FILE, f"expected a label as text, got {_shown(positive)}", 'Write positive = "LABEL".', column=place
    )
    return None


def _threshold(threshold: object, kind: Kind, place: str, report: Report) -> float | None:
    if kind != "score":
        if threshold is not None:
            what = f"a {kind} task has no threshold; it is not used"
            mend = 'Delete it, or write kind = "score".'
            report.add(FILE, what, mend, column=place, severity="warning")
        return None
    if isinstance(threshold, int | float) and not isinstance(threshold, bool) and abs(threshold) <= 1e300:
        return float(threshold)
    came = "nothing" if threshold is None else _shown(threshold)
    what = f"a score task needs a threshold (a number), got {came}"
    mend = "Write threshold = 0.5: scores at or above it are on the positive side."
    report.add(FILE, what, mend, column=place)
    return None


def _labels(labels: object, place: str, report: Report) -> tuple[str, ...]:
    if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
        clean = [clean_text(label) for label in labels]
        is_short = max(map(len, clean), default=0) <= limits.LONGEST_NAME
        if all(clean) and len(set(clean)) == len(clean) and "\0" not in "".join(clean) and is_short:
            return tuple(clean)
    report.add(
        FILE,
        f"expected a list of different labels of 1 to {limits.LONGEST_NAME:,} characters",
        'Write labels = ["first", "second"], each once.',
        column=place,
    )
    return ()
