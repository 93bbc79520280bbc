"""The house keeps its shape: floors, and nothing else at the top level."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = [
    "core.study",
    "core.reviews",
    "core.plausibility",
    "core.metrics",
    "core.recalibration",
    "core.analysis",
    "core.streamed",
    "core.public",
    "core.cli",
]
DRAWING = {"streamlit", "plotly", "altair"}
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "dashboard", "core", "tests", "assets", "sample_data"}


def modules(package: str) -> list[Path]:
    """All Python files of a top-level package."""
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at any depth, as absolute dotted names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def floor(name: str) -> int | None:
    """Floor that a dotted name stands on; None for other packages and for `core` itself."""
    for height, prefix in enumerate(FLOORS):
        if name == prefix or name.startswith(prefix + "."):
            return height
    return None


@pytest.mark.parametrize("path", modules("core"), ids=lambda path: str(path.relative_to(ROOT)))
def test_core_imports_go_down_the_floors(path: Path) -> None:
    """A module imports from its own floor or those below, and never a drawing library."""
    own = floor(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    for name in imports(path):
        assert name.split(".")[0] not in DRAWING | {"dashboard", "sample_data"}, f"{path} imports {name}"
        height = floor(name)
        if own is not None and height is not None:
            assert height <= own, f"{path} imports {name} from a floor above"


ROOMS = {"cases", "reliability", "models", "disagreement", "raters", "planning"}
"""The questions: each has one name on every floor."""


def test_a_question_has_one_name_on_every_floor() -> None:
    """Planning is a part of the page Raters; the study, the tour and the review answer none."""

    def folders(place: str) -> set[str]:
        return {path.parent.name for path in (ROOT / place).glob("*/__init__.py")}

    assert folders("core/analysis") == ROOMS
    assert folders("dashboard/charts") == ROOMS | {"study", "tour"}
    assert folders("dashboard/views") == (ROOMS | {"study", "tour", "review"}) - {"planning"}


def test_imports_go_in_no_circle() -> None:
    """No module needs, over others, itself; imports for type checkers count."""
    names = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in ("core", "dashboard", "sample_data")
        for path in modules(package)
    }
    needs = {name: (imports(path) & names.keys()) - {name} for name, path in names.items()}
    while free := [name for name, needed in needs.items() if not needed & needs.keys()]:
        for name in free:
            del needs[name]
    assert not needs, f"in a circle, or above one: {sorted(needs)}"


def called(paths: list[Path]) -> set[tuple[str, str]]:
    """Module and name of all that is imported from one, or asked of one that is imported whole."""
    found: set[tuple[str, str]] = set()
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = [(node.module or "", alias.name) for node in froms for alias in node.names]
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        found |= {*names, *((".".join(name), attribute) for name in names for attribute in attributes)}
    return found


def test_every_public_function_is_called() -> None:
    """By its own module, by another, or by a notebook: what only tests need stands among the tests."""
    paths = [path for package in ("core", "dashboard", "sample_data") for path in modules(package)]
    known, idle = called(paths), []
    for path in modules("core"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        if path.parent.name != "versions":  # Alembic calls them.
            idle += [
                f"{module}.{name}" for name in defined if name not in own and (module, name) not in known
            ]
    assert not idle


@pytest.mark.parametrize("path", modules("dashboard/charts"), ids=lambda path: path.name)
def test_charts_only_draw(path: Path) -> None:
    """A chart knows frames and the theme, not Streamlit and not how numbers are made."""
    for name in imports(path):
        assert name.split(".")[0] != "streamlit", f"{path} imports {name}"
        assert not name.startswith(("core.plausibility", "core.metrics")), f"{path} imports {name}"


@pytest.mark.parametrize("path", modules("dashboard"), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_one_module_caches(path: Path) -> None:
    """Streamlit's caches are used in dashboard/shell/cache.py alone."""
    if path.name != "cache.py":
        text = path.read_text(encoding="utf-8")
        assert "st.cache_" not in text
        assert "cache_data" not in text
        assert "cache_resource" not in text


def test_nothing_else_stands_at_the_top_level() -> None:
    """The top level holds what the layout names, dotfiles aside."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode != 0:
        pytest.skip("not a git checkout")
    top = {line.split("/")[0] for line in tracked.stdout.splitlines()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL
