"""The name ``loupe`` after installation, from the wheel and editable; and the command beside it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[3]
PLACED = {"loupe/__init__.py", "loupe/__main__.py", "loupe/py.typed"}


def built(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of the files in a wheel of that kind."""
    backend = pytest.importorskip("hatchling.build")
    pytest.importorskip("editables")
    monkeypatch.chdir(ROOT)
    with ZipFile(folder / getattr(backend, f"build_{kind}")(str(folder))) as wheel:
        return set(wheel.namelist())


def test_the_wheel_holds_the_name_and_all_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is placed under the name is missing nowhere else, and both are marked as typed."""
    held = built("wheel", tmp_path, monkeypatch)
    core = {path.relative_to(ROOT).as_posix() for path in (ROOT / "core").rglob("*.py")}
    assert {name for name in core if not name.startswith("core/loupe/")} | PLACED | {"core/py.typed"} <= held


def test_an_editable_installation_has_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the path to the checkout."""
    held = built("editable", tmp_path, monkeypatch)
    assert held >= PLACED
    assert any(name.endswith(".pth") for name in held)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-c", "import loupe; print(loupe.Study.from_frames.__name__)"], "from_frames"),
        (["-m", "loupe", "--version"], "Loupe "),
        (["-c", "from core.__main__ import main; main()", "--version"], "Loupe "),
    ],
)
def test_an_installed_loupe_is_a_module_and_a_command(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    """From any folder; neither hides the other."""
    try:
        version("diamond-loupe")
    except PackageNotFoundError:
        pytest.skip("Loupe is not installed in this environment")
    told = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith(said)
