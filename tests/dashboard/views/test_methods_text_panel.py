"""Methods for a paper: what the panel says is what is in force on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st
from page_script import page_script
from streamlit.testing.v1 import AppTest

from core.analysis.recipe_reading import read_recipes
from core.cli import main, sample_folder

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("study", ["γ = 7.5", "Annotation certainty", "stutz2025"]),
        ("cases", ["γ = 7.5", "Annotation certainty", "stutz2025"]),
        ("reliability", ["γ = 7.5", "stutz2025"]),
        ("raters", ["1,000 resamples", "gwet2014"]),
    ],
)
def test_the_methods_are_those_of_the_page(page: str, says: list[str]) -> None:
    """The slider's step and the raters' settings stand in the text, with the works beneath."""
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.session_state["methods"] = True
    test.query_params["case_part"] = test.query_params["study_part"] = "all"
    for name, given in {"study": "toy_three_labels", "reliability": "7.5"}.items():
        test.query_params[name] = given
    test.run()
    assert not test.exception
    said = " ".join(code.value for code in test.code)
    for words in says:
        assert words in said
    assert "not for diagnosis" in said


@pytest.mark.parametrize(
    ("page", "address", "command", "options"),
    [
        ("study", {"reliability": "7.5"}, "evaluate", {"reliability": 7.5}),
        ("cases", {"reliability": "7.5", "case": "toy-003"}, "evaluate", {"reliability": 7.5}),
        ("reliability", {"reliability": "7.5"}, "evaluate", {"reliability": 7.5, "sweep": True}),
        ("models", {"annotations": "plausibility"}, "compare", {"annotations": "plausibility"}),
        ("disagreement", {"bins": "7", "recalibration": "as given"}, "disagreement", {"bins": 7}),
        ("raters", {"where": "x < 0"}, "raters", {"where": "x < 0"}),
    ],
)
def test_the_recipe_of_a_page_can_be_run(
    page: str,
    address: dict[str, str],
    command: str,
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has what is in force on the page and names no folder; the command takes every option of it."""
    texts: list[str] = []
    monkeypatch.setattr(st, "download_button", lambda _, text, **more: _keep(texts, text, more["key"]))
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.session_state["methods"] = True
    test.query_params["case_part"] = test.query_params["study_part"] = "all"
    for name, given in ({"study": "toy_three_labels"} | address).items():
        test.query_params[name] = given
    test.run()
    assert not test.exception
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(texts[-1], encoding="utf-8")
    (found, *shown) = read_recipes(recipe).steps
    assert (found.command, found.study) == (command, None)
    assert found.options.items() >= options.items()
    assert [of.command for of in shown] == ["figure", "report"]
    assert shown[1].options["sections"] == ("study" if page == "cases" else page)
    for of, path in zip(shown, (f"/{page}", ""), strict=True):
        said = urlsplit(str(of.options["link"]))
        assert said.path == path
        assert {key: value[-1] for key, value in parse_qs(said.query).items()}.items() >= address.items()
    text = recipe.read_text(encoding="utf-8")
    recipe.write_text("[[step]]".join(text.split("[[step]]")[:2]), encoding="utf-8")
    study = str(sample_folder("toy_three_labels"))
    assert main(["run", str(recipe), "--out", str(tmp_path / "again")]) == 1
    assert not (tmp_path / "again").exists()
    assert main(["run", str(recipe), "--study", study, "--out", str(tmp_path / "again")]) == 0


def _keep(texts: list[str], text: str, key: str) -> bool:
    if key == "recipe":
        texts.append(text)
    return False
