"""What was found of the readings is kept from one start to the next."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from small_study import small_study

import core
from core.analysis.reliability import kept
from core.analysis.reliability.fit import CURVE_COLUMNS, best_reliability, predictive_curve
from core.analysis.reliability.kept import keep_curve, kept_curve
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task

COUNTS = Aggregation("label-counts")
"""Under which the curve is exact, and found at once."""


@pytest.fixture
def found() -> tuple[Study, Task, pd.DataFrame]:
    """A study, and what was found of it."""
    study, task = small_study("choice", "abc", [["a", "a", "b"], ["b", "b", "b"], ["c", "a", "c"]])
    return study, task, predictive_curve(study, task, COUNTS)


def _files() -> list[Path]:
    folder = Path(os.environ["XDG_STATE_HOME"]) / "loupe" / "supported" / core.__version__
    return sorted(folder.iterdir())


def test_it_comes_back_bit_by_bit(found: tuple[Study, Task, pd.DataFrame]) -> None:
    """At whatever reliability it is asked for, for it does not depend on that."""
    study, task, curve = found
    assert list(curve) == CURVE_COLUMNS
    assert kept_curve(study, task, COUNTS) is None
    keep_curve(study, task, COUNTS, curve)
    back = kept_curve(study, task, COUNTS.at(5.0))
    assert back is not None
    pd.testing.assert_frame_equal(back, curve, check_exact=True)
    assert best_reliability(back) == best_reliability(curve)


def test_what_is_not_finite_comes_back_too(found: tuple[Study, Task, pd.DataFrame]) -> None:
    """A reliability may be impossible, and of one case nothing can be resampled."""
    study, task, curve = found
    curve.loc[0, "log_likelihood"] = -math.inf
    curve["best_share"] = math.nan
    keep_curve(study, task, COUNTS, curve)
    back = kept_curve(study, task, COUNTS)
    assert back is not None
    pd.testing.assert_frame_equal(back, curve, check_exact=True)


def test_other_readings_models_and_versions_have_their_own(
    found: tuple[Study, Task, pd.DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number of another study would be a wrong one."""
    study, task, curve = found
    keep_curve(study, task, COUNTS, curve)
    assert kept_curve(replace(study, fingerprint="another"), task, COUNTS) is None
    assert kept_curve(study, replace(task, name="another"), COUNTS) is None
    assert kept_curve(study, task, Aggregation("plackett-luce")) is None
    monkeypatch.setattr(core, "__version__", "0.0.0")
    assert kept_curve(study, task, COUNTS) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "7",
        '{"reliability": [1]}',
        '{"reliability": [], "log_likelihood": [], "standard_error": [], "best_share": [], "n_readings": []}',
        '{"reliability": ["<b>"], "log_likelihood": [1], "standard_error": [1], "best_share": [1], '
        '"n_readings": [1]}',
        '{"reliability": [-1], "log_likelihood": [1], "standard_error": [1], "best_share": [1], '
        '"n_readings": [1]}',
        '{"reliability": [1], "log_likelihood": [NaN], "standard_error": [1], "best_share": [1], '
        '"n_readings": [1]}',
    ],
)
def test_what_is_no_curve_is_found_anew(found: tuple[Study, Task, pd.DataFrame], text: str) -> None:
    """A file that was cut off or changed by hand is none."""
    study, task, curve = found
    keep_curve(study, task, COUNTS, curve)
    (file,) = _files()
    file.write_text(text, encoding="utf-8")
    assert kept_curve(study, task, COUNTS) is None
    keep_curve(study, task, COUNTS, curve)
    assert kept_curve(study, task, COUNTS) is not None


def test_nothing_of_a_study_is_kept_but_these_numbers(found: tuple[Study, Task, pd.DataFrame]) -> None:
    """Neither its name nor a label is, in the file or in what it is called."""
    study, task, curve = found
    keep_curve(study, task, COUNTS, curve)
    (file,) = _files()
    written = file.name + file.read_text(encoding="utf-8")
    for said in (study.name, *study.case_ids, *(f'"{one}"' for one in task.labels)):
        assert said not in written


def test_where_it_cannot_be_kept_nothing_happens(
    found: tuple[Study, Task, pd.DataFrame], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As where the person's own folder is a file."""
    study, task, curve = found
    (tmp_path / "loupe").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    keep_curve(study, task, COUNTS, curve)
    assert kept_curve(study, task, COUNTS) is None


def test_the_oldest_go(found: tuple[Study, Task, pd.DataFrame], monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies come and go, and what is kept of them does not grow for ever."""
    monkeypatch.setattr(kept, "MOST_KEPT", 3)
    study, task, curve = found
    for number in range(5):
        keep_curve(study, replace(task, name=str(number)), COUNTS, curve)
        for file in _files():
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 10))
    left = [kept_curve(study, replace(task, name=str(number)), COUNTS) is not None for number in range(5)]
    assert left == [False, False, True, True, True]
