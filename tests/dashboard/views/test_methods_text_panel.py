"""Methods for a paper: what the panel says is what is in force on the page."""

from __future__ import annotations

import pytest
from page_script import page_script
from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("reliability", ["γ = 7.5", "stutz2025"]),
        ("raters", ["1,000 resamples", "gwet2014"]),
    ],
)
def test_the_methods_are_those_of_the_page(page: str, says: list[str]) -> None:
    """The slider's step and the raters' settings stand in the text, with the works beneath."""
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.session_state["methods"] = True
    for name, given in {"study": "toy_three_labels", "reliability": "7.5"}.items():
        test.query_params[name] = given
    test.run()
    assert not test.exception
    said = " ".join(code.value for code in test.code)
    for words in says:
        assert words in said
    assert "not for diagnosis" in said
