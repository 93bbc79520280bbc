"""A simulated study of ten million cases in parts, and the memory of who reads it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.study.partitions.manifest import write_manifest

N_PARTS = int(os.environ.get("LOUPE_PARTS", "100"))
"""Parts of 100,000 cases; making them takes about a second each."""
CASES, READINGS, LABELS, RATERS = 100_000, 5, 10, 200


def write_large_study(folder: Path) -> None:
    """Write a study in parts, part by part."""
    for part in range(N_PARTS):
        _write_part(folder / "parts" / f"part-{part:05d}", part)
    (folder / "study.toml").write_text('name = "Simulated"\n[tasks.label]\nkind = "choice"\n')
    (folder / "labels.csv").write_text("\n".join(["label", *(f"L{k}" for k in range(LABELS)), ""]))
    write_manifest(folder, (CASES,) * N_PARTS, {"label": ("A", "B")})


def _write_part(folder: Path, part: int) -> None:
    """Simulate a part: choices from a truth of each case, and two models that know it more or less well."""
    rng = np.random.default_rng([7, part])
    (folder / "predictions").mkdir(parents=True)
    names = np.array([f"L{k}" for k in range(LABELS)])
    ids = np.array([f"case-{part * CASES + i:08d}" for i in range(CASES)])
    truth = rng.dirichlet(np.full(LABELS, 0.3), CASES)
    lots = rng.random((CASES, READINGS, 1))
    said = np.minimum((lots > truth.cumsum(1)[:, None]).sum(2), LABELS - 1)
    first = rng.integers(0, RATERS, (CASES, 1))
    raters = np.array([f"r{i:03d}" for i in range(RATERS)])[(first + np.arange(READINGS) * 7) % RATERS]
    table = {
        "case_id": np.repeat(ids, READINGS),
        "rater_id": raters.ravel(),
        "label": names[said.ravel()],
    }
    pq.write_table(pa.table(table), folder / "annotations.parquet")
    pq.write_table(pa.table({"case_id": ids}), folder / "cases.parquet")
    for model, knows in (("A", 6.0), ("B", 3.0)):
        p = rng.standard_gamma(truth * knows + 0.1)
        p = (p / p.sum(1, keepdims=True)).astype(np.float32)
        columns = {"case_id": ids} | {name: p[:, k] for k, name in enumerate(names)}
        pq.write_table(pa.table(columns), folder / "predictions" / f"{model}.parquet")


def shared_memory(pid: int) -> int:
    """Bytes of a process and all below it; what they share counts once (PSS)."""
    total = 0
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            total += int(line.split()[1]) * 1024
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            try:
                total += shared_memory(int(child))
            except (OSError, ValueError):
                continue  # It has ended meanwhile.
    return total
