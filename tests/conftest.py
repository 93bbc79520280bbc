"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is no fault of what is tested: nothing here is timed.
settings.register_profile("loupe", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loupe")


@pytest.fixture(scope="session", autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test change what this person's Loupe remembers."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(os.environ, "XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
