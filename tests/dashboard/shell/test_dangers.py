"""Other labels count as dangers on every page, and every page says so."""

from __future__ import annotations

import re
from typing import Any

import pytest
from page_script import page_script
from streamlit.testing.v1 import AppTest

from dashboard.components.picture import KEPT

ENTRY = "labels that count as high risk"
CANCERS = ["Basal Cell Carcinoma", "Cutaneous T Cell Lymphoma", "Melanoma", "SCC/SCCIS"]
DERMATOLOGY = "dermatology_like"


pytestmark = pytest.mark.usefixtures("quiet")


def _open(page: str, study: str, dangers: list[str], **address: str) -> AppTest:
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.session_state[KEPT] = {}
    for name, value in {"study": study, "dangers": dangers, **address}.items():
        test.query_params[name] = value
    return test.run()


def _words(test: AppTest) -> str:
    return " ".join(part.proto.body for part in test.get("html")).replace("\u00a0", " ")


def _made(test: AppTest) -> list[dict[str, str]]:
    """What made each picture of a page."""
    kept: dict[str, tuple[Any, ...]] = test.session_state[KEPT]
    return [dict(made) for *_, made in kept.values()]


@pytest.mark.parametrize(
    "page", ["study", "cases", "reliability", "models", "disagreement", "raters", "review"]
)
def test_a_page_counts_them_and_says_so(page: str) -> None:
    """On top, with a button that takes it back, and with every picture."""
    test = _open(page, "knee_mri", ["Tear"])
    assert not test.exception
    assert "Danger here: Tear (chosen; the study names none)." in _words(test)
    made = _made(test)
    assert all(one[ENTRY] == "Tear" for one in made)
    test.session_state[KEPT] = {}
    test.button(key="dangers-off").click().run()
    assert not test.exception
    assert "Danger here" not in _words(test)
    assert "dangers" not in test.query_params
    assert not any(ENTRY in one for one in _made(test))


def test_missed_dangers_are_those_that_were_chosen() -> None:
    """Study counts them alone, and says of none that the study calls it dangerous."""
    test = _open("study", DERMATOLOGY, CANCERS, reliability="2", study_part="claims")
    words = _words(test)
    assert re.search(r"Danger: [^(]*Melanoma[^(]* \(chosen\)\.", words)
    assert "the study says 8 labels" in words
    table = words[words.index("Which dangers each model misses") :].partition("</table>")[0]
    assert all(label in table for label in CANCERS)
    assert "Cellulitis" not in table
    before = _words(_open("study", DERMATOLOGY, [], reliability="2", study_part="claims"))
    assert "Danger: Melanoma, SCC/SCCIS, Cellulitis and 5 more (high-risk by the study)." in before
    assert "Cellulitis" in before[before.index("Which dangers each model misses") :].partition("</table>")[0]


def test_the_list_is_chosen_from_and_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dangers of the study stand first; none, and all of the study's own, is no choice."""
    monkeypatch.setattr("dashboard.shell.widgets.as_first_drawn", lambda name, value: True)
    test = _open("cases", DERMATOLOGY, ["Melanoma"])
    (field,) = (one for one in test.multiselect if one.label == "Dangers: labels of high risk")
    assert field.value == ["Melanoma"]
    assert field.options[:2] == ["Basal Cell Carcinoma", "Cellulitis"]
    own = field.options[:8]
    field.select("Acne").run()
    assert test.query_params["dangers"] == ["Melanoma", "Acne"]
    assert "Danger here: Acne, Melanoma" in _words(test)
    for said in (own, []):
        (field,) = (one for one in test.multiselect if one.label == "Dangers: labels of high risk")
        field.set_value(said).run()
        assert "dangers" not in test.query_params, said
        assert "Danger here" not in _words(test)


def test_what_a_link_asks_for_and_the_study_does_not_have_is_left_out() -> None:
    """With a word; the labels that it has count."""
    test = _open("cases", DERMATOLOGY, ["<b>Naevus</b>", "Melanoma"])
    (note,) = test.session_state["loupe-notes"]
    assert note == (
        "The address asks for the label “<b>Naevus</b>”, which this study does not have. It is left out."
    )
    assert "Danger here: Melanoma (chosen; the study says 8 labels)." in _words(test)
    assert test.query_params["dangers"] in ("Melanoma", ["Melanoma"])


def test_trust_in_the_readings_does_not_depend_on_them() -> None:
    """The reliability that the readings support is known of a sample, whatever counts as danger."""
    test = _open("study", DERMATOLOGY, CANCERS)
    assert "the readings support counting each twice" in _words(test)
