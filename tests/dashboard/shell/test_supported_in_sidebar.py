"""Which reliability the readings support, under the slider."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from page_script import page_script
from streamlit.testing.v1 import AppTest

from dashboard.shell import cache, trust
from dashboard.shell.jobs import Job

ASK = "find-reliability"


@pytest.fixture(autouse=True)
def _without_work() -> Iterator[None]:
    """Nothing that was found before, and nothing for those who come after."""
    cache.forget_work()
    yield
    cache.forget_work()


def test_why_it_was_not_found_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that fails says why, and can be asked for again."""

    def fail(*given: object, **named: object) -> None:
        raise ValueError("no case was read twice")

    monkeypatch.setattr(trust, "predictive_curve", fail)
    test = AppTest.from_function(page_script, args=("reliability",), default_timeout=300)
    test.query_params["study"] = "toy_three_labels"
    test.query_params["model"] = "label-counts"
    test.run()
    monkeypatch.setattr(Job, "start", Job._run)
    test.button(key=ASK).click().run()
    assert not test.exception
    said = [element.proto.body for element in test.sidebar.get("html")]
    assert any("Predicting left-out readings failed: no case was read twice." in one for one in said)
    assert test.button(key=ASK)
