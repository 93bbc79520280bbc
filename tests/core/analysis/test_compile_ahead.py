"""Compiling ahead: what is compiled is what the pages call."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.analysis import compile_ahead
from core.analysis.cases.worklist import worklist
from core.plausibility import counting
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.simulation.simulate import simulate


def test_worklist_of_sampled_plausibilities_needs_nothing_else() -> None:
    """After compiling without the sampler, a sampled worklist compiles no further form of its kernels."""
    compile_ahead.compile_worklist()
    kernels = (counting.find_leaders, counting.find_modal_sets, counting.count_in_top)
    known = [list(kernel.signatures) for kernel in kernels]
    study = simulate("ranking", n_cases=5, seed=1).study
    task = next(iter(study.tasks.values()))
    worklist(study, task, aggregate(study, task, Aggregation("plackett-luce", 3.0, draws=4, warmup=1)))
    assert [list(kernel.signatures) for kernel in kernels] == known


def test_sampler_comes_first() -> None:
    """The sampler, for which the first page waits, is reported before all else."""
    assert next(iter(compile_ahead.compile_all())) == compile_ahead.SAMPLER


@pytest.mark.parametrize("text", [None, "another compiler"])
def test_a_missing_or_foreign_mark_asks_for_compiling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    """Code that another numba or processor compiled does not count."""
    mark = tmp_path / "mark"
    if text is not None:
        mark.write_text(text, encoding="utf-8")
    monkeypatch.setattr(compile_ahead, "_mark", lambda: mark)
    assert not compile_ahead.is_compiled()


def test_a_mark_older_than_the_source_asks_for_compiling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changed source is compiled anew."""
    import os

    mark = tmp_path / "mark"
    mark.write_text(compile_ahead._compiler(), encoding="utf-8")
    monkeypatch.setattr(compile_ahead, "_mark", lambda: mark)
    assert compile_ahead.is_compiled()
    os.utime(mark, (0, 0))
    assert not compile_ahead.is_compiled()


@pytest.mark.slow
def test_all_is_compiled_and_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every report of the later pages can be computed on the tiny studies, and the mark is written last."""
    mark = tmp_path / "mark"
    monkeypatch.setattr(compile_ahead, "_mark", lambda: mark)
    assert [(ready, mark.is_file()) for ready in compile_ahead.compile_all()] == [
        (compile_ahead.SAMPLER, False),
        (compile_ahead.ALL, True),
    ]
