"""Studies that try the dashboard: hostile names, very many of everything, and one that is refused."""

from __future__ import annotations

from pathlib import Path

HOSTILE = "<img src=x onerror=alert(1)> **b** $x$ [l](http://x.example) =1+1"
"""A label that would be HTML, Markdown, a formula or a link if it were taken for one."""
N_LABELS, N_RATERS, N_CASES = 10_000, 50, 6
"""Of the crowded study."""


def write_hostile(folder: Path) -> Path:
    """Write a study whose every name is hostile."""
    (folder / "study.toml").write_text(
        f"name = '{HOSTILE}'\ndescription = '{HOSTILE}'\nsource = 'http://x.example'\n"
        "[tasks.t]\nkind = 'choice'\n"
    )
    labels = ("a", "b", HOSTILE)
    readings = [(case, rater) for case in range(4) for rater in range(2 + case % 2)]
    rows = [f"case {case} {HOSTILE},r{rater},{labels[rater]}" for case, rater in readings]
    (folder / "annotations.csv").write_text("case_id,rater_id,label\n" + "\n".join(rows) + "\n")
    models = [f"case {case} {HOSTILE},{HOSTILE},{label},{p}" for case in range(4)
              for label, p in zip(labels, (0.2, 0.3, 0.5), strict=True)]  # fmt: skip
    (folder / "predictions.csv").write_text("case_id,model,label,probability\n" + "\n".join(models) + "\n")
    return folder


def long_name(label: int) -> str:
    """Name of a label of the crowded study: most long, a third of them without a place to break."""
    if label % 3 == 0:
        return f"L{label:05d} " + "Acute generalised exanthematous pustulosis with systemic involvement " * 3
    if label % 3 == 1:
        return f"L{label:05d}" + "Pseudopseudohypoparathyreoidismus" * 4
    return f"L{label:05d} naevus"


def write_crowded(folder: Path) -> Path:
    """Write a study of ten thousand labels, most with long names, and fifty differentials a case."""
    (folder / "study.toml").write_text(
        f"name = '{long_name(0).strip()}'\n[tasks.differential]\nkind = 'ranking'\n"
    )
    names = [long_name(label).strip() for label in range(N_LABELS)]
    risks = "".join(f"{name},{label % 3}\n" for label, name in enumerate(names))
    (folder / "labels.csv").write_text("label,risk\n" + risks)
    rows = []
    for case in range(N_CASES):
        for rater in range(N_RATERS):
            own = [(case * 911 + rater * 37 + i * 53) % N_LABELS for i in range(4)]
            named = dict.fromkeys([(case * 7 + rater // 20) % 40, *own])
            rows += [
                f"case {case:02d},rater {rater:02d},{names[label]},{rank}"
                for rank, label in enumerate(named, start=1)
            ]
    (folder / "annotations.csv").write_text("case_id,rater_id,label,rank\n" + "\n".join(rows) + "\n")
    models = [
        f"case {case:02d},{long_name(shift).strip()},{names[(case * 7 + shift + i) % 40]},{0.4 - 0.1 * i:.1f}"
        for case in range(N_CASES)
        for shift in range(3)
        for i in range(4)
    ]
    (folder / "predictions.csv").write_text("case_id,model,label,probability\n" + "\n".join(models) + "\n")
    return folder


def write_refused(folder: Path) -> Path:
    """Write a study that is not read: a column is missing and a rank is not a number."""
    (folder / "study.toml").write_text('name = "Refused"\n[tasks.t]\nkind = "ranking"\n')
    (folder / "annotations.csv").write_text("case_id,rater,label,rank\nc1,r1,a,first\n")
    return folder
