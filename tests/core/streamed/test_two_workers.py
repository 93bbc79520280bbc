"""Whoever does the work on a study in parts, the numbers have the same bits."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.raters.settings import RaterSettings
from core.cli import sample_folder
from core.plausibility.settings import AggregationChoice
from core.streamed.disagreement import disagreement_of_parts
from core.streamed.engine import Engine, engine
from core.streamed.evaluate import StreamedChoice, evaluate_parts
from core.streamed.raters import raters_of_parts
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions

MODELS = {"knee_mri": "dawid-skene", "scores": "gaussian"}


def found_by(who: Engine, folder: Path, place: Path) -> dict[str, pd.DataFrame]:
    """All tables of the studies in a folder: two models that learn from all cases, raters, disagreement."""
    tables: dict[str, pd.DataFrame] = {}
    for name, model in MODELS.items():
        asked = StreamedChoice(AggregationChoice(model=model), most=50)
        (place / name).mkdir(parents=True)
        found = evaluate_parts(read_manifest(folder / name), asked, place / name / "cases", who)
        tables |= {f"{name} {table}": of for table, of in found.tables.items()}
    knee = read_manifest(folder / "knee_mri")
    raters = raters_of_parts(knee, RaterSettings(resamples=5), who, scratch=place)
    judged = disagreement_of_parts(knee, DisagreementSettings(resamples=5), who, scratch=place)
    return tables | {f"of raters {name}": of for name, of in raters.tables.items()} | dict(judged.tables)


@pytest.mark.slow
def test_two_workers_find_what_one_process_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables, and the files of what is known of each case."""
    # Streamlit's trial of a page leaves its script for the program that ran, which new processes run too.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    for name in MODELS:
        write_partitions(sample_folder(name), tmp_path / "parts" / name, cases=80)
    with engine() as who:
        alone = found_by(who, tmp_path / "parts", tmp_path / "alone")
    with engine(workers=2) as who:
        together = found_by(who, tmp_path / "parts", tmp_path / "together")
    assert len(alone) > 15
    assert list(alone) == list(together)
    for name, table in alone.items():
        pd.testing.assert_frame_equal(table, together[name], check_exact=True)
    written = [path.relative_to(tmp_path / "alone") for path in (tmp_path / "alone").rglob("*.parquet")]
    assert len(written) > 5
    for file in written:
        assert (tmp_path / "alone" / file).read_bytes() == (tmp_path / "together" / file).read_bytes()
