"""The sidebar offers to weigh readings by their stated confidence where that can be done."""

from __future__ import annotations

import pytest
from page_script import page_script
from streamlit.testing.v1 import AppTest


def page(**address: str) -> AppTest:
    """The page Cases at an address."""
    test = AppTest.from_function(page_script, args=("cases",), default_timeout=300)
    for name, value in address.items():
        test.query_params[name] = value
    return test.run()


def said(test: AppTest) -> str:
    """All that the sidebar says."""
    return " ".join(element.value for element in test.sidebar.markdown) + " ".join(
        str(element.proto) for element in test.sidebar.get("html")
    )


def choices(test: AppTest) -> list[str]:
    """Titles of the choices in the sidebar."""
    return [box.label for box in test.sidebar.selectbox]


def test_weights_are_chosen_and_said() -> None:
    """The knee readers state confidences: at first they are not used, which is said; then they are."""
    test = page(study="knee_mri", model="label-counts")
    assert not test.exception
    assert "Stated confidences" in choices(test)
    assert "takes no notice of it" in said(test)
    test.sidebar.selectbox(key="choose-confidence").set_value("weights").run()
    assert not test.exception
    assert "weigh their readings" in said(test)
    assert "its confidence" in said(test)
    assert test.query_params["confidence"] == "weights"


@pytest.mark.parametrize(("study", "model"), [("knee_mri", "majority"), ("dermatology_like", "prirn")])
def test_not_offered_where_it_means_nothing(study: str, model: str) -> None:
    """A model that cannot weigh readings, and a study without confidences, even if the address asks."""
    test = page(study=study, model=model, confidence="weights")
    assert not test.exception
    assert "Stated confidences" not in choices(test)
    assert ("takes no notice of it" in said(test)) == (study == "knee_mri")
