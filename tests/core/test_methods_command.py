"""Methods beside tables: what a column was made by has its sentence, and the work its entry."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from core.analysis import works_on_inference, works_on_labels
from core.analysis.columns import find_column
from core.cli import main, sample_folder

KNOWN = (*works_on_labels.WORKS, *works_on_inference.WORKS)
COMMANDS = {
    "evaluation": ["evaluate", "knee_mri", "--model", "plackett-luce", "--draws", "200"],
    "comparison": ["compare", "toy_three_labels", "--n-draws", "60"],
    "all_tasks": ["compare", "chest_xrays", "--all-tasks", "--n-draws", "40"],
    "disagreement": ["disagreement", "toy_three_labels", "--recalibrate", "--resamples", "20"],
    "conformal": ["conformal", "toy_three_labels"],
    "raters": ["raters", "knee_mri", "--resamples", "20"],
    "plan": ["plan", "toy_three_labels", "--fineness", "0.9", "--certainty", "0.8"],
    "reread": ["reread", "toy_three_labels", "--readings", "5"],
}
SAID = {
    r"p_holm": "corrected for",
    r"p|p_two_sided": "p-value",
    r"(.*_)?low_over_.*": "95 %|quantiles",
    r"standard_error|.*_error": "[Ss]tandard errors?|[Ee]rrors",
    r"rhat": r"R-hat \d",
    r"ess": "effective number of draws",
    r"ability": "ability was told apart",
    r"judged_by": "accuracy was judged by",
    r"method": "recalibration by",
    r"accuracy_model": "model of the truth and of every rater's errors",
    r"expected_risk": "expected risk",
    r"readings_needed|cases_needed": "normal approximation",
}
"""Sentences by the columns that they are of."""
WORK = re.compile(r"([A-Z][a-zé]+)[^,;0-9]*? ((?:19|20)\d\d)")


@pytest.mark.slow
@pytest.mark.parametrize("report", COMMANDS)
def test_what_a_table_has_is_said(report: str, tmp_path: Path) -> None:
    """Whatever column holds something is told of in words, and the work that it names is cited."""
    command, sample, *options = COMMANDS[report]
    assert main([command, str(sample_folder(sample)), *options, "--out", str(tmp_path)]) == 0
    folder = tmp_path / command
    text = (folder / "methods.md").read_text(encoding="utf-8")
    works = (folder / "references.bib").read_text(encoding="utf-8")
    assert re.findall(r"^@software\{loupe,$", works, re.M)
    missing = []
    for path in sorted(folder.glob("*.csv")):
        table = pd.read_csv(path)
        for column in table.columns[table.notna().any()]:
            for pattern, words in SAID.items():
                if re.fullmatch(pattern, column) and not re.search(words, text):
                    missing.append(f"{path.stem}.{column}: no “{words}”")
            declared = find_column(report, path.stem, column)
            for author, year in WORK.findall("" if declared is None else declared.source):
                key = f"{author.lower()}{year}"
                if key in KNOWN and f"{{{key}," not in works:
                    missing.append(f"{path.stem}.{column}: no {key}")
    assert not missing


def test_every_work_is_named_somewhere() -> None:
    """None is kept that no sentence names."""
    said = "".join(path.read_text(encoding="utf-8") for path in Path("core/analysis").rglob("methods*.py"))
    assert [work for work in KNOWN if f'"{work}"' not in said and f"'{work}'" not in said] == []
