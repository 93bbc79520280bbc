"""Compiled code on disk is a convenience: damaged, it is made anew; where it cannot be kept, work goes on."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import CacheImpl

from core import compiled

ROOT = Path(__file__).parents[2]
SOURCE = """
from core.compiled import njit

@njit(cache=True, nogil=True, error_model="numpy")
def doubled(x):
    return 2 * x
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A module with one kernel."""
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE)
    return path


def kernel(path: Path) -> Any:
    """The kernel of a module that is imported anew, as by a new process."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found.doubled


def kept(path: Path) -> dict[str, Path]:
    """What is kept of the kernel, by its ending: the index and the code."""
    return {file.suffix: file for file in (path.parent / "__pycache__").glob("kernels.doubled*")}


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda code: code[: len(code) // 2],
        lambda code: code[:1],
        lambda code: b"",
        lambda code: b"garbage " * 100,
        lambda code: code[:40] + bytes(200),
        lambda code: b"\x80\x04N.",
    ],
)
def test_damaged_code_is_made_anew(module: Path, ending: str, damage: Callable[[bytes], bytes]) -> None:
    """Cut short, emptied or overwritten, index or code: the answer is the same; the next start is quick."""
    assert kernel(module)(21) == 42
    file = kept(module)[ending]
    file.write_bytes(damage(file.read_bytes()))
    again = kernel(module)
    assert again(21) == 42
    assert sum(again.stats.cache_misses.values()) == 1
    third = kernel(module)
    assert third(21) == 42
    assert sum(third.stats.cache_hits.values()) == 1


def test_code_that_cannot_be_written_is_not_kept(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk costs the next start some time, and nothing else."""

    def is_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", is_full)
    assert kernel(module)(21) == 42
    assert kept(module) == {}


def test_without_a_place_work_goes_on(
    module: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no folder can be written, one line says what to set; kernels compile all the same."""
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    compiled._say_that_nothing_is_stored.cache_clear()
    found = [kernel(module), kernel(module)]
    assert [function(21) for function in found] == [42, 42]
    assert found[0].stats.cache_path is None
    (line,) = capsys.readouterr().err.splitlines()
    assert "set NUMBA_CACHE_DIR" in line
    compiled._say_that_nothing_is_stored.cache_clear()


def test_kernels_are_compiled_in_one_way() -> None:
    """No module takes numba's own compiler, for which a damaged file is fatal."""
    for path in (ROOT / "core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "numba":
                assert "njit" not in {alias.name for alias in node.names}, path


def read_only(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command where this installation can only be read, in a name space of its own."""
    mounts = f"mount --bind '{ROOT}' '{ROOT}' && mount -o remount,ro,bind '{ROOT}'"
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "sh", "-c", mounts], check=False).returncode != 0:
        pytest.skip("needs a name space of its own for a read-only mount")
    given = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [unshare, "-rm", "sh", "-c", f"{mounts} && exec {sys.executable} {command}"],
        env=given | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


@pytest.mark.slow
def test_a_read_only_installation_without_a_home(tmp_path: Path) -> None:
    """Commands run where neither Loupe's folder nor the home can be written, and say so in one line."""
    program = (
        "from core.analysis import compile_ahead as ahead; print(ahead.can_be_stored(), ahead.is_compiled())"
    )
    ran = read_only(f'-c "{program}"', HOME="/proc/no-home")
    assert (ran.returncode, ran.stdout) == (0, "False False\n")
    (line,) = ran.stderr.splitlines()
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in line
    mended = read_only(f'-c "{program}"', HOME="/proc/no-home", NUMBA_CACHE_DIR=str(tmp_path))
    assert (mended.returncode, mended.stdout, mended.stderr) == (0, "True False\n", "")


def test_an_inlined_part_leaves_no_call() -> None:
    """Code of a function that is inlined stands in its caller, and gives the same."""

    @compiled.inlined
    def part_of_a_loop(pair, i):
        return pair[0][i] - pair[1][i]

    @compiled.njit()
    def loop(pair):
        total = 0.0
        for i in range(len(pair[0])):
            total += part_of_a_loop(pair, i)
        return total

    assert loop((np.array([3.0, 5.0]), np.array([1.0, 1.0]))) == 6.0
    (code,) = loop.inspect_llvm().values()
    assert not [line for line in code.splitlines() if re.search(r"\bcall\b.*part_of_a_loop", line)]
