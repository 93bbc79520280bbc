"""What the README and the docstrings show comes out as shown."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import core.loupe
import core.public

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(
    r"^```python\n(>>> .*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S
)
MODULES = [f"core.public.{module.name}" for module in pkgutil.iter_modules(core.public.__path__)]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_readme_comes_out_as_shown(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a clone: paths start from its root, and its own interface is ``loupe``."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setitem(sys.modules, "loupe", core.loupe)
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert not doctest.DocTestRunner().run(test).failed


def test_the_readme_shows_the_interface() -> None:
    """Blocks that begin with a prompt are run: there is one."""
    assert any("import loupe" in block for block in BLOCKS)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_come_out_as_shown(name: str) -> None:
    """Of every module of the interface."""
    assert not doctest.testmod(importlib.import_module(name)).failed
