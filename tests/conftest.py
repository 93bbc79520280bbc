"""What all tests share."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from functools import cache
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is no fault of what is tested: nothing here is timed.
settings.register_profile("loupe", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loupe")

# What thousands of tests and the libraries keep is looked through less often for what can go.
gc.set_threshold(50_000, 20, 100)

_SCAN = "streamlit.components.v2.manifest_scanner.scan_component_manifests"
LONG = (
    "test_report_browser",
    "test_monkey",
    "test_work_browser",
    "test_widgets_browser",
    "test_dashboard_browser",
    "test_hurry_browser",
    "test_stories",
)
"""Files whose single tests take longest: they come first, so that no worker waits for another at the end."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One worker more than cores: a test in a browser often waits, for a page or as a person does."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    can_use = getattr(os, "sched_getaffinity", None)
    return 1 + (len(can_use(0)) if can_use else os.cpu_count() or 1)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long tests first; all else keeps its order."""
    items.sort(key=lambda item: LONG.index(item.path.stem) if item.path.stem in LONG else len(LONG))


@pytest.fixture(scope="session", autouse=True)
def _installed_packages_are_read_once() -> Iterator[None]:
    """Streamlit's trial of a page looks through all of them for components, each time anew."""
    with pytest.MonkeyPatch.context() as patched:
        if "streamlit" in sys.modules:
            from streamlit.components.v2 import manifest_scanner

            patched.setattr(_SCAN, cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def _data_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test change what this person made with Loupe, nor what it remembers."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
            patched.setitem(os.environ, name, str(tmp_path_factory.mktemp("own")))
        yield


@pytest.fixture(autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test find what another has left to be remembered."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(
            os.environ, "XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "remembered" / uuid4().hex)
        )
        yield
