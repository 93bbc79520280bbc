"""Malformed studies without end: ``python tests/helpers/malformed.py [TRIES [FIRST_SEED]]``.

Each seed takes one valid study, damages it once or more, and reads it. A fault is anything but a study or a
`StudyError`, too much time or memory, a message that is endless or drives a terminal, or a study that is read
although the damage was known to matter. Faults are printed with the seed that makes them again.
"""

from __future__ import annotations

import gzip
import io
import math
import os
import random
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import peak_memory
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from core.study.model import Study
from core.study.problems import LONGEST_TEXT, StudyError
from core.study.reading.checks import stands_for_nothing
from core.study.reading.folder import read_study, read_zip

MOST_SECONDS = 2.0
MOST_BYTES = 500 * 1024**2

_CHOICE = """case_id,rater_id,label,confidence,repeat
1,ann,mole,0.5,1
1,bob,naevus,0.75,1
2,ann,mole,,1
2,bob,mole,1,1
2,bob,naevus,1,2
3,ann,wart,0.25,1
"""
_CASES = "case_id,image,reference,age\n1,,mole,50\n2,,,61\n3,,wart,12\n"
_WIDE = "case_id,mole,naevus,wart\n1,0.5,0.25,0.25\n2,1,0,0\n3,0.125,0.125,0.75\n"
_TWO_TASKS = """case_id,rater_id,label,task,score
1,ann,yes,ill,
1,bob,no,ill,
1,ann,,size,2.5
2,bob,,size,7
2,ann,no,ill,
"""
STUDIES: dict[str, dict[str, str]] = {
    "choice": {
        "study.toml": 'name = "Choice"\nseed = 3\n[tasks.main]\nkind = "choice"\n',
        "annotations.csv": _CHOICE,
        "cases.csv": _CASES,
        "labels.csv": "label,risk,description,settled_by\nmole,0,,\nnaevus,1,a naevus,biopsy\nwart,low,,\n",
        "predictions/net.csv": _WIDE,
        "predictions/forest.csv": _WIDE,
        "features.csv": "case_id,f1,f2\n1,0.5,1\n2,3,-1e3\n3,0,0\n",
    },
    "unlisted labels": {"annotations.csv": _CHOICE, "cases.csv": _CASES, "predictions/net.csv": _WIDE},
    "ranking": {
        "study.toml": '[tasks.main]\nkind = "ranking"\n',
        "annotations.csv": "case_id,rater_id,label,rank\n1,a,A,1\n1,a,B,2\n1,a,C,2\n1,b,B,1\n2,a,C,1\n",
        "predictions.csv": "case_id,model,label,probability\n1,m,A,0.5\n1,m,B,0.5\n2,m,C,1\n1,n,A,1\n",
    },
    "score": {
        "study.toml": '[tasks.main]\nkind = "score"\nthreshold = 0.5\n',
        "annotations.csv": "case_id,rater_id,score,confidence\n1,a,0.25,1\n1,b,0.75,\n2,a,1,0.5\n",
        "cases.csv": "case_id,reference\n1,0.7\n2,below 0.5\n",
        "predictions/m.csv": "case_id,score\n1,-3\n2,17.5\n",
    },
    "several tasks": {
        "study.toml": '[tasks.ill]\nkind = "choice"\npositive = "yes"\n'
        '[tasks.size]\nkind = "score"\nthreshold = 5\n',
        "annotations.csv": _TWO_TASKS,
        "predictions/ill/m.csv": "case_id,yes\n1,0.5\n2,0.25\n",
        "predictions/size/m.csv": "case_id,5 or above\n1,0.5\n2,0.25\n",
    },
    "draws": {
        "annotations.csv": "case_id,rater_id,label\n1,a,x\n1,b,y\n2,a,y\n",
        "predictions/m.csv": "case_id,draw,x,y\n1,1,0.5,0.5\n1,2,1,0\n2,1,0,1\n2,2,0.25,0.75\n",
        "predictions/s.csv": "case_id,x,y\n1,0.5,0.5\n",
    },
    "scores of models": {
        "study.toml": '[tasks.main]\nkind = "choice"\npositive = "x"\n',
        "annotations.csv": "case_id,rater_id,label\n1,a,x\n1,b,y\n2,a,y\n",
        "predictions.csv": "case_id,model,score\n1,m,4\n2,m,-4\n1,n,0.25\n",
    },
}
"""Valid studies: every file of each by its name."""

CELLS = [
    *("", " ", "nan", "NaN", "N/A", "None", "inf", "-inf", "-1", "0", "1", "2", "1e400", "1_0", "0x1", "1,5"),
    *(
        '"',
        "'",
        ";",
        "\n",
        "\r",
        "=A1",
        "\x1b[31m",
        "\u202e",
        "\u200b",
        "\ufeff",
        "é",
        "e\u0301",
        "\x07",
        "\0",
    ),
    *("9" * 400, "x" * 3000, "1e-400", "-0", "+1", "٣", "१", "²", "½", "true", "2020-01-01", "<b>", "a\tb"),
    *("../a.png", "/etc/passwd.png", "C:\\a.png", "a\0.png", "x" * 300 + ".png", "case_id", "draw", "score"),
]
_NAN = ["NaN", "nan", "N/A", "NA", "null", "None", "<NA>"]
_NO_NUMBER = ["x", "nan", "inf", "1,5", "--1", "1e999"]
_NO_SHARE = [*_NO_NUMBER, "-0.5", "1.5", "50", "50%"]
WRONG = {
    ("annotations", "case_id"): ["", " ", "\t"],
    ("annotations", "rater_id"): ["", " ", *_NAN],
    ("annotations", "label"): ["\0", "z" * 2000],
    ("annotations", "rank"): ["0", "-1", "1.5", "first"],
    ("annotations", "confidence"): _NO_SHARE,
    ("annotations", "repeat"): ["0", "-1", "1.5", "x"],
    ("annotations", "task"): ["", "nothing of the kind"],
    ("cases", "case_id"): ["", " "],
    ("cases", "reference"): ["nobody says so", *_NAN],
    ("cases", "image"): ["../a.png", "/a.png", "a.svg", "http://a/b.png"],
    ("labels", "label"): ["", " "],
    ("labels", "risk"): ["9", "severe", "-1"],
    ("labels", "settled_by"): ["N/A", "z" * 61, "a\x1b[2Jb", "a\u202eb"],
    ("features", "f1"): ["", *_NO_NUMBER],
    ("predictions", "probability"): ["", *_NO_SHARE],
    ("predictions", "score"): ["", *_NO_NUMBER],
    ("predictions", "draw"): ["", "0", "1.5", "x"],
    ("predictions", "model"): ["", "NaN"],
    ("predictions", "label"): ["", "\0"],
    ("predictions", "mole"): ["", *_NO_SHARE],
    ("predictions", "yes"): ["", *_NO_SHARE],
    ("predictions", "x"): ["", *_NO_SHARE],
}
"""Cells that are known to be wrong, by table and column."""


@dataclass
class Damaged:
    """A study being damaged: content by path, what is no file, and what was done.

    Attributes
    ----------
    wrong : str
        Damage that has to be refused; empty where none is known.
    """

    files: dict[str, bytes]
    strange: dict[str, str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    wrong: str = ""
    listed: bool = False

    def tables(self) -> list[str]:
        """Paths of the CSV files."""
        return sorted(path for path in self.files if path.endswith(".csv"))

    def rows(self, path: str) -> list[list[str]]:
        """Cells of a CSV file, the header first; they hold no quotes as long as they are undamaged."""
        return [line.split(",") for line in self.files[path].decode("utf-8", "replace").split("\n") if line]

    def put(self, path: str, rows: list[list[str]]) -> None:
        """Write a table back."""
        self.files[path] = "".join(",".join(row) + "\n" for row in rows).encode("utf-8", "replace")


def stem_of(path: str) -> str:
    """Name of the table that a file belongs to."""
    return path.split("/")[0].split(".")[0]


def change_bytes(study: Damaged, rng: random.Random) -> None:
    """Bytes of a file changed, cut out or put in."""
    path = rng.choice(sorted(study.files))
    content = study.files[path]
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(content))
        end = min(len(content), start + rng.randint(0, 8))
        content = content[:start] + rng.randbytes(rng.randint(0, 4)) + content[end:]
    study.files[path] = content


def change_cells(study: Damaged, rng: random.Random) -> None:
    """Any cells replaced by strange ones, headers included."""
    path = rng.choice(study.tables())
    rows = study.rows(path)
    for _ in range(rng.randint(1, 3)):
        row = rng.choice(rows)
        text = rng.choice(CELLS)
        is_quoted = any(mark in text for mark in '",\n\r') and rng.random() < 0.7
        row[rng.randrange(len(row))] = '"' + text.replace('"', '""') + '"' if is_quoted else text
    study.put(path, rows)


def wrong_cell(study: Damaged, rng: random.Random) -> None:
    """One cell that is known to be wrong."""
    places = []
    for path in study.tables():
        for i, column in enumerate(study.rows(path)[0]):
            known = list(WRONG.get((stem_of(path), column), []))
            if (stem_of(path), column) == ("annotations", "label"):
                known += ["", "unheard of"] if study.listed else ["", *_NAN]
            if (stem_of(path), column) == ("annotations", "case_id") and "cases.csv" not in study.files:
                known += _NAN
            places += [(path, i, column, known)] if known else []
    path, i, column, known = rng.choice(places)
    rows = study.rows(path)
    full = [row for row in rows[1:] if row[i] or column in ("image", "reference", "confidence")]
    rng.choice(full)[i] = text = rng.choice(known)
    study.put(path, rows)
    study.wrong = f"{path}, column {column}: {text[:40]!r}"


def wrong_column(study: Damaged, rng: random.Random) -> None:
    """A needed column gone, renamed or there twice; a header without names."""
    path = rng.choice([path for path in study.tables() if stem_of(path) != "labels"])
    rows = study.rows(path)
    needed = [i for i, name in enumerate(rows[0]) if name in ("case_id", "rater_id", "model", "probability")]
    i = rng.choice(needed)
    how = rng.choice(["gone", "renamed", "twice", "empty", "no header"])
    if how == "gone":
        rows = [row[:i] + row[i + 1 :] for row in rows]
    elif how == "renamed":
        rows[0][i] = rng.choice(["Case", "CASE_ID", "id", "reader", "value", rows[0][i] + "s", "caseid"])
    elif how == "twice":
        rows = [[*row, row[i]] for row in rows]
    elif how == "empty":
        rows[0][i] = ""
    else:
        rows = rows[1:]
    study.put(path, rows)
    study.wrong = f"{path}: column {needed} {how}"


def wrong_rows(study: Damaged, rng: random.Random) -> None:
    """A row twice, one with a cell too many or too few, or none at all."""
    path = rng.choice(study.tables())
    rows = study.rows(path)
    row = rng.randrange(1, len(rows))
    how = rng.choice(["twice", "longer", "shorter", "none"])
    if how == "twice":
        rows.insert(rng.randrange(1, len(rows)), rows[row])
    elif how == "longer":
        rows[row] = [*rows[row], "x"]
    elif how == "shorter":
        rows[row] = rows[row][:-1]
    else:
        rows = rows[:1]
    study.put(path, rows)
    study.wrong = f"{path}, row {row + 1} {how}"


def wrong_file(study: Damaged, rng: random.Random) -> None:
    """A table that is missing, empty, packed, of another kind, or no file at all."""
    path = rng.choice(study.tables())
    content = study.files[path]
    how = rng.choice(
        ["empty", "blank", "packed", "renamed", "UTF-8", "NUL", "magic", "semicolons", "strange"]
    )
    study.wrong = f"{path}: {how}"
    if how == "packed":
        study.files[path] = gzip.compress(content, mtime=0)
    elif how == "renamed":
        del study.files[path]
        study.files[path + ".gz"] = gzip.compress(content, mtime=0)
    elif how == "strange":
        del study.files[path]
        study.strange[path] = rng.choice(["folder", "pipe", "endless", "loop", "nowhere"])
        study.wrong += " " + study.strange[path]
    else:
        at = rng.randint(0, len(content))
        study.files[path] = {
            "empty": b"",
            "blank": b"\n \n",
            "UTF-8": content[:at] + b"\xe4\xff" + content[at:],
            "NUL": content[:at] + b"\0" + content[at:],
            "magic": rng.choice([b"\x89PNG", b"PK\3\4", b"%PDF-1", b"PAR1", b"\xff\xfe"]) + content,
            "semicolons": content.replace(b",", b";"),
        }[how]


def wrong_settings(study: Damaged, rng: random.Random) -> None:
    """A ``study.toml`` that cannot be meant."""
    before = study.files.get("study.toml", b'name = "x"\n')
    lines = [
        *(
            "seed = -1",
            "seed = 1.5",
            "name = 3",
            "tasks = 3",
            "x = [",
            'x = "',
            "= 1",
            "a.b.c.d.e.f.g.h.i.j.k = 1",
        ),
        *("[tasks.other]\nkind = 'rankings'", "[tasks.other]\nkind = 'score'", "[tasks.'']\nkind = 'choice'"),
        *("[tasks]\nother = 1", "[tasks.other]\nkind = 'choice'\npositive = 1", "x = " + "[" * 5000),
        "[tasks.other]\nkind = 'choice'\nlabels = ['a', 'a']",
    ]
    line = rng.choice(lines)
    parts = [line.encode(), before]
    study.files["study.toml"] = b"\n".join(parts[::-1] if line.startswith("[") else parts)
    if rng.random() < 0.1:
        del study.files["study.toml"]
        study.strange["study.toml"] = line = rng.choice(["pipe", "endless", "loop", "folder"])
    study.wrong = f"study.toml: {line[:40]}"


def any_settings(study: Damaged, rng: random.Random) -> None:
    """Random pieces of TOML."""
    pieces = [
        "[tasks.main]",
        'kind = "',
        "choice",
        "score",
        '"',
        "\n",
        "=",
        ".",
        "threshold",
        "[",
        "]",
        "{",
        "}",
    ]
    pieces += [
        "1",
        "inf",
        "nan",
        "'''",
        '"""',
        "\\",
        "#",
        "labels",
        "positive",
        "é",
        "\x1b",
        "2020-01-01",
        ",",
    ]
    text = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 30)))
    study.files["study.toml"] = study.files.get("study.toml", b"") + text.encode()


def to_parquet(study: Damaged, rng: random.Random) -> None:
    """A table as Parquet, a column of it with any type, perhaps with changed bytes."""
    path = rng.choice(study.tables())
    try:
        table = pa_csv.read_csv(io.BytesIO(study.files[path].decode("utf-8", "replace").encode()))
    except pa.ArrowException:
        return
    n, i = table.num_rows, rng.randrange(table.num_columns)
    seconds = pa.array(range(n), pa.int64())
    columns: list[Callable[[], pa.Array]] = [
        lambda: seconds.cast(pa.timestamp("s", "Nowhere/Atall")),
        lambda: seconds.cast(pa.timestamp("us", "UTC")),
        lambda: pa.array([10**18] * n, pa.int64()).view(pa.timestamp("us")),
        lambda: seconds.cast(pa.int32()).cast(pa.date32()),
        lambda: seconds.cast(pa.duration("ms")),
        lambda: seconds.cast(pa.int32()).cast(pa.time32("s")),
        lambda: pa.nulls(n),
        lambda: pa.array([math.nan] * n),
        lambda: pa.array(np.arange(n, dtype=np.float16)),
        lambda: pa.array([2**64 - 1 - k for k in range(n)], pa.uint64()),
        lambda: seconds.cast(pa.decimal128(30, 5)),
        lambda: pa.array([[k] for k in range(n)]),
        lambda: pa.array([{"a": k} for k in range(n)]),
        lambda: pa.array([b"\xff"] * n, pa.binary()),
        lambda: pa.array([b"\xff"] * n, pa.binary()).view(pa.string()),
        lambda: pa.array([None, *["x"] * (n - 1)][:n]).dictionary_encode(),
        lambda: pa.array([k % 2 == 0 for k in range(n)]),
        lambda: pa.array(["\0\x1b"] * n),
    ]
    out = io.BytesIO()
    try:
        if rng.random() < 0.8:
            table = table.set_column(i, table.column_names[i], rng.choice(columns)())
        pq.write_table(table, out, compression=rng.choice(["none", "snappy", "zstd"]))
    except pa.ArrowException:  # what Parquet cannot hold
        return
    content = bytearray(out.getvalue())
    for _ in range(rng.choice([0, 0, 1, 3, 10])):
        content[rng.randrange(4, len(content))] = rng.randrange(256)
    del study.files[path]
    study.files[path.removesuffix("csv") + "parquet"] = bytes(content)


def strange_names(study: Damaged, rng: random.Random) -> None:
    """Files beside the study's, and models and tasks with strange names."""
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(
            [
                "\udcff",
                "%00",
                "%2F..%2F",
                "x" * 240,
                "\x1b[2J",
                "a b",
                "%",
                "é",
                ".hidden",
                "nan",
                "%ff",
                "\u202e",
            ]
        )
        where = rng.choice(["", "predictions/", "predictions/main/", "predictions/ill/"])
        ending = rng.choice([".csv", ".parquet", ".CSV", ".csv.gz", "", ".toml"])
        study.files[where + name + ending] = rng.choice(sorted(study.files.items()))[1]


def swap_files(study: Damaged, rng: random.Random) -> None:
    """The content of one file under the name of another, or a file gone."""
    one, other = rng.choice(sorted(study.files)), rng.choice(sorted(study.files))
    study.files[one] = study.files[other]
    if rng.random() < 0.3:
        del study.files[one]


KNOWN = (wrong_cell, wrong_column, wrong_rows, wrong_file, wrong_settings)
ANY = (change_bytes, change_cells, any_settings, to_parquet, strange_names, swap_files)


def damaged(seed: int) -> Damaged:
    """The study of a seed: one damage that is known to matter, or some of any kind."""
    rng = random.Random(seed)
    name = rng.choice(sorted(STUDIES))
    study = Damaged({path: text.encode() for path, text in STUDIES[name].items()})
    study.listed = "labels.csv" in study.files
    study.done.append(name)
    chosen = [rng.choice(KNOWN)] if rng.random() < 0.5 else rng.choices(ANY, k=rng.randint(1, 3))
    for damage in chosen:
        if study.tables():
            damage(study, rng)
            study.done.append(damage.__name__)
    return study


def write(study: Damaged, folder: Path) -> None:
    """Write files, and what only looks like files."""
    for path, content in study.files.items():
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except (OSError, UnicodeEncodeError):  # a name that this system does not allow, or that is taken
            continue
    for path, kind in study.strange.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if kind == "folder":
            target.mkdir()
        elif kind == "pipe":
            os.mkfifo(target)
        else:
            target.symlink_to({"endless": "/dev/zero", "loop": target.name, "nowhere": "nowhere"}[kind])


def zipped(study: Damaged, rng: random.Random) -> bytes:
    """The files as an archive, which may be damaged too."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        for path, content in study.files.items():
            if path.isprintable():
                archive.writestr(path, content)
    content = bytearray(out.getvalue())
    if rng.random() < 0.5 and not study.wrong:
        for _ in range(rng.randint(1, 5)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content)


def fault_of(seed: int) -> str:
    """What is wrong with how the study of a seed is read; empty if nothing."""
    study = damaged(seed)
    rng = random.Random(seed + 1)
    is_zipped = not study.strange and rng.random() < 0.2
    memory, start = peak_memory.begin(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            if is_zipped:
                found = read_zip(zipped(study, rng))
            else:
                write(study, Path(folder))
                found = read_study(folder)
            fault = _fault_of_study(found, study)
        except StudyError as refused:
            fault = _fault_of_refusal(refused)
        except Exception:
            fault = traceback.format_exc(limit=-6)
    seconds = time.process_time() - start
    grown = peak_memory.peak() - memory
    if seconds > MOST_SECONDS:
        fault += f" took {seconds:.1f} s"
    if grown > MOST_BYTES:
        fault += f" took {grown / 1024**2:.0f} MiB"
    return f"seed {seed} ({', '.join(study.done)}): {fault}" if fault else ""


def _fault_of_study(found: Study, study: Damaged) -> str:
    if study.wrong:
        return f"read, although wrong: {study.wrong}"
    for task in found.tasks.values():
        if (
            not study.listed
            and any(map(stands_for_nothing, task.labels))
            and b"labels" not in b"".join(study.files.values())
        ):
            return f"labels that stand for nothing: {task.labels}"
        for model in task.predictions.values():
            total = model.probability[model.covered].sum(axis=1) if model.score is None else np.ones(1)
            if not np.allclose(total, 1):
                return f"probabilities of {model.model} do not sum to 1"
        readings = task.readings
        if len(readings.case_start) != found.n_cases + 1 or (readings.label >= len(task.labels)).any():
            return "readings out of range"
    return ""


def _fault_of_refusal(refused: StudyError) -> str:
    problems = refused.problems
    texts = [text for p in problems for text in (p.file, p.what, p.mend, p.column)]
    if not any(p.severity == "error" for p in problems) or not all(
        p.file and p.what and p.mend for p in problems
    ):
        return f"no reason: {problems}"
    if any(len(text) > LONGEST_TEXT or "\x1b" in text or "\n" in text or "\u202e" in text for text in texts):
        return f"unfit for a terminal: {problems!r}"[:500]
    return "out of memory" if "memory" in str(refused) else ""


def main(arguments: list[str]) -> int:
    """Try seeds one after another, and print every fault."""
    tries, first = (*map(int, arguments), *(10_000, 0)[len(arguments) :])
    faults = 0
    for seed in range(first, first + tries):
        if fault := fault_of(seed):
            faults += 1
            print(fault, flush=True)  # noqa: T201
    print(f"{faults} faults in {tries:,} tries")  # noqa: T201
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
