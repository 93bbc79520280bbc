"""``labels.csv``: labels with risk, description and what settles them, and the labels of each task."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.study.model import RISK_NAMES, UNKNOWN_RISK
from core.study.natural import natural_key
from core.study.problems import visible
from core.study.reading import limits
from core.study.reading.checks import clean_text, score_labels, stands_for_nothing, suggestion
from core.study.reading.columns import add_rows, has_columns, known_codes, texts_of
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import TaskSettings
from core.study.reading.tables import Table, Texts

NO_LABEL = (
    "Write the label, or delete the row. If a label is really called {0}, list it and all others in "
    "labels.csv."
)
"""How to mend a label that stands for nothing."""
SETTLED_BY = "settled_by"
"""Column that says for a label what examination settles whether it is the truth."""
_OPTIONAL = ("task", "risk", "description", SETTLED_BY)
_JOIN = "Join labels that are rare, or leave out those that nobody uses."
_RISKS = {name: level for level, name in enumerate(RISK_NAMES)} | {str(level): level for level in range(3)}


@dataclass(frozen=True)
class LabelRow:
    """One row of the table; ``risk`` is `UNKNOWN_RISK` where not given, texts are empty."""

    risk: int
    description: str
    settled_by: str


@dataclass(frozen=True)
class LabelTable:
    """Rows by task and label, in the order of the file."""

    file: str = "labels.csv"
    rows: Mapping[str, Mapping[str, LabelRow]] = field(default_factory=dict)


@dataclass(frozen=True)
class TaskLabels:
    """Labels of a task in their order; ``source`` says what lists them, empty where nothing does."""

    labels: tuple[str, ...]
    rows: Mapping[str, LabelRow]
    source: str


def read_labels(table: Table | None, tasks: Mapping[str, TaskSettings], report: Report) -> LabelTable:
    """Interpret the label table, if there is one; a row without a task holds for every task but a score."""
    if table is None or not has_columns(table, ["label"], report, optional=_OPTIONAL):
        return LabelTable()
    general = [name for name in tasks if tasks[name].kind != "score"]
    count = table.n_rows * (1 if "task" in table else max(1, len(general)))
    if not limits.is_count_allowed(
        table.file, report, count, limits.MOST_LISTED_LABELS, "labels (rows times tasks)", _JOIN
    ):
        report.raise_errors()
    label = texts_of(table, "label", report)
    add_rows(
        report,
        table,
        np.array([*(value == "case_id" for value in label.distinct), False])[label.code],
        "label",
        "a label may not be called case_id, the name of a column of predictions",
        "Give the label another name.",
    )
    risk = _risks(table, report)
    description = _plain_texts(table, "description")
    settled_by = _examinations(table, report)
    task = np.full(table.n_rows, -1)
    names = list(tasks)
    if "task" in table:
        texts = texts_of(table, "task", report, required=False)
        known = {name: i for i, name in enumerate(names)}
        mend = f"Tasks of study.toml: {', '.join(names)}."
        task = known_codes(table, "task", texts, known, report, noun="task", mend=mend)
    rows: dict[str, dict[str, LabelRow]] = {}
    repeated: list[int] = []
    for row, (value, of_task) in enumerate(zip(label.code.tolist(), task.tolist(), strict=True)):
        if value < 0:
            continue
        for name in [names[of_task]] if of_task >= 0 else general:
            of_name = rows.setdefault(name, {})
            if label.distinct[value] in of_name:
                repeated.append(row)
            of_name[label.distinct[value]] = LabelRow(int(risk[row]), description[row], settled_by[row])
    add_rows(
        report,
        table,
        np.unique(np.array(repeated, np.int64)),
        "label",
        lambda row: f'the label "{label.distinct[label.code[row]]}" comes twice',
        "Delete one of the rows.",
    )
    return LabelTable(table.file, rows)


def _risks(table: Table, report: Report) -> np.ndarray:
    if "risk" not in table:
        return np.full(table.n_rows, UNKNOWN_RISK)
    texts = texts_of(table, "risk", report, required=False)
    folded = [value.casefold() for value in texts.distinct]
    bad = np.array([*(value not in _RISKS for value in folded), False])[texts.code]
    add_rows(
        report,
        table,
        bad,
        "risk",
        lambda row: (
            f'risk must be 0, 1, 2 or low, medium, high, got "{texts.distinct[texts.code[row]]:.100}"'
        ),
        "Write one of these, or leave it empty.",
    )
    return np.array([*(_RISKS.get(value, UNKNOWN_RISK) for value in folded), UNKNOWN_RISK])[texts.code]


def _plain_texts(table: Table, column: str) -> list[str]:
    if column not in table:
        return [""] * table.n_rows
    texts = table.texts(column)
    values = [*(value.replace("\0", "") for value in texts.distinct), ""]
    return [values[code] for code in texts.code.tolist()]


def _examinations(table: Table, report: Report) -> list[str]:
    """What settles each label: short texts on one line, as sentences name them."""
    if SETTLED_BY not in table:
        return [""] * table.n_rows
    texts = table.texts(SETTLED_BY)
    values = [*map(clean_text, texts.distinct), ""]
    most = limits.LONGEST_EXAMINATION
    nothing, long, unseen = (
        np.array([is_so(value) for value in values])[texts.code]
        for is_so in (stands_for_nothing, lambda value: len(value) > most, _has_unseen)
    )
    what = 'expected an examination, got "{}", which stands for nothing'
    add_rows(report, table, nothing, SETTLED_BY, _about(what, values, texts), "Leave it empty.")
    what = f'{SETTLED_BY} must have at most {most} characters, got {{n:,}}: "{{:.100}}"'
    mend = 'Write it in a few words, such as "biopsy".'
    add_rows(report, table, long, SETTLED_BY, _about(what, values, texts), mend)
    what = 'expected text on one line, got characters that are not to be seen: "{:.100}"'
    add_rows(report, table, unseen & ~long, SETTLED_BY, _about(what, values, texts), "Take them out.")
    return [values[code] for code in texts.code.tolist()]


def _has_unseen(text: str) -> bool:
    """Whether there are characters that drive a terminal, turn the direction of writing, or begin a line."""
    return visible(text) != text


def _about(what: str, values: Sequence[str], texts: Texts) -> Callable[[int], str]:
    """Words about the text of a row, and its length."""
    return lambda row: what.format(values[texts.code[row]], n=len(values[texts.code[row]]))


def task_labels(
    name: str, task: TaskSettings, table: LabelTable, seen: Collection[str], report: Report
) -> TaskLabels:
    """Labels of one task: those of study.toml, else of labels.csv, else all seen, in natural order."""
    rows = table.rows.get(name, {})
    listed: tuple[str, ...]
    if task.kind == "score":
        listed = score_labels(task.threshold) if task.threshold is not None else ()
        seen = ()
        source = f"the threshold ({', '.join(listed)})"
    elif task.labels:
        listed, source = task.labels, f"tasks.{name}.labels of {SETTINGS_FILE}"
    elif rows:
        listed, source = tuple(rows), table.file
    else:
        listed, source = (), ""
    count = len(listed or seen)
    file = SETTINGS_FILE if task.labels else table.file if rows else "annotations.csv"
    if not limits.is_count_allowed(
        file, report, count, limits.MOST_LABELS, f'labels of the task "{name}"', _JOIN
    ):
        report.raise_errors()
    labels = listed or tuple(sorted(seen, key=natural_key))
    if "case_id" in labels and not rows:
        what = f'a label of the task "{name}" is called case_id, the name of a column of predictions'
        report.add(SETTINGS_FILE, what, "Give the label another name.")
    if listed:
        known = set(listed)
        report.add_many(
            table.file,
            [label for label in rows if label not in known],
            lambda label: f'the label "{label:.200}" is none of the task "{name}" ({source})',
            lambda label: f"{suggestion(label, listed)}Delete the row, or add the label there.",
            column=lambda _: "label",
        )
    else:
        _warn_capitals(name, labels, file, report)
    _check_positive(name, task, labels, report)
    return TaskLabels(labels, rows, source)


def _warn_capitals(name: str, labels: Collection[str], file: str, report: Report) -> None:
    """Warn of labels that nothing lists and that differ in capital letters alone."""
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(label.casefold(), []).append(label)
    report.add_many(
        file,
        [" and ".join(f'"{label:.100}"' for label in same) for same in alike.values() if len(same) > 1],
        lambda same: f'{same} are different labels of the task "{name}"',
        lambda _: "Write a label in the same way everywhere, in the headers of predictions too.",
        column=lambda _: "label",
        severity="warning",
        noun="label",
    )


def _check_positive(name: str, task: TaskSettings, labels: tuple[str, ...], report: Report) -> None:
    if task.positive is None or not labels:
        return
    place = f"tasks.{name}.positive"
    if len(labels) != 2:
        what = f"only a task of two labels has a positive one; this one has {len(labels)}"
        report.add(SETTINGS_FILE, what, "Delete the key, or list the two labels.", column=place)
    elif task.positive not in labels:
        what = f'"{task.positive}" is no label of the task'
        mend = f"{suggestion(task.positive, labels)}Labels: {', '.join(labels)}."
        report.add(SETTINGS_FILE, what, mend, column=place)
