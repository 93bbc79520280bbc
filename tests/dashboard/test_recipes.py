"""Recipes of reports and pictures: left beside them, and run again to the same bytes."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest

from core.analysis.recipe_reading import read_recipe, read_recipes
from core.cli import main, sample_folder

TOY = sample_folder("toy_three_labels")


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of the dashboard do their work here, which takes less time than another process."""
    for name in ("_become", "_wait_for"):
        monkeypatch.setattr(
            f"core.cli.shown.{name}",
            lambda module, *given: (
                importlib.import_module(
                    f"{module}.__main__" if module == "dashboard.report" else module
                ).main(given)
                or 0
            ),
        )


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_report_is_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte by byte, with the condition and the link, and its recipe too; another Loupe is said."""
    out = tmp_path / "first.html"
    given = ["report", str(TOY), "--sections", "study", "--link", "?reliability=3", "--where", "x < 0"]
    assert main([*given, "--out", str(out)]) == 0
    recipe = tmp_path / "first.html.recipe.toml"
    found = read_recipe(recipe)
    assert found.options.items() >= {"sections": "study", "link": "?reliability=3", "where": "x < 0"}.items()
    assert {"name", "fingerprint", "seed"} <= set(found.known)
    assert "jinja2" in found.versions
    assert main([*given, "--out", str(out)]) == 1
    assert main(["run", str(recipe), "--out", str(tmp_path / "again")]) == 0
    assert contents(tmp_path / "again" / "report") == {path.name: path.read_bytes() for path in (out, recipe)}
    assert "first.html is the same as then, byte by byte." in capsys.readouterr().out
    monkeypatch.setattr("core.__version__", "9.9")
    assert main(["run", str(recipe), "--out", str(tmp_path / "again"), "--overwrite"]) == 1
    said = capsys.readouterr()
    assert f"Version of loupe: {found.versions['loupe']} then, 9.9 now." in said.out
    assert "not the same as then: first.html" in said.err


def test_two_studies_side_by_side_are_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second is known as it was typed, and a change of it is said."""
    second = tmp_path / "second"
    shutil.copytree(TOY, second)
    given = ["report", str(TOY), str(second), "--sections", "checklist", "--out", str(tmp_path / "two.html")]
    assert main(given) == 0
    recipe = tmp_path / "two.html.recipe.toml"
    then = read_recipe(recipe)
    assert then.options["second"] == str(second)
    rows = (second / "annotations.csv").read_text().splitlines()
    (second / "annotations.csv").write_text("\n".join(rows[:1] + rows[2:]) + "\n")
    capsys.readouterr()
    main(["run", str(recipe), "--out", str(tmp_path / "again")])
    now = read_recipe(tmp_path / "again" / "report" / recipe.name)
    old, new = (of.known["second_fingerprint"] for of in (then, now))
    assert f"The second study has another fingerprint: {old} then, {new} now." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "more", "files"),
    [
        (
            "figure",
            ["dots", "simplex", "--format", "pdf"],
            ["dots.pdf as SVG", "dots.csv", "simplex.pdf as SVG", "simplex.csv"],
        ),
        ("figure", ["dots", "--format", "png", "--width", "two"], ["dots.png", "dots.csv"]),
        ("picture", ["--link", "/cases?reliability=3"], None),
    ],
)
def test_pictures_are_made_again(
    command: str, more: list[str], files: list[str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Byte by byte; a PDF, whose parts are in another order each time, is known by the SVG behind it."""
    assert main([command, str(TOY), *more, "--out", str(tmp_path / "first")]) == 0
    first, again = (tmp_path / name / command for name in ("first", "again"))
    recipe = read_recipe(first / "recipe.toml")
    assert files is None or [*recipe.tables] == files
    assert main(["run", str(first / "recipe.toml"), "--out", str(again.parent)]) == 0
    assert "the same as then, byte by byte" in capsys.readouterr().out
    before, after = (
        {name: content for name, content in contents(of).items() if not name.endswith(".pdf")}
        for of in (first, again)
    )
    assert before == after


def test_tables_pictures_and_report_are_made_by_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each in its folder, with a recipe of all of them, which makes them again and refuses to be replaced."""
    steps = {
        "raters": 'resamples = 2\nwhere = "x < -1"',
        "figure": 'names = ["dots"]\nformat = "svg"',
        "report": 'sections = "checklist"',
    }
    text = "".join(
        f'[[step]]\ncommand = "{command}"\n[step.options]\n{options}\n' for command, options in steps.items()
    )
    recipe = tmp_path / "all.toml"
    recipe.write_text(f"recipe = 1\n{text}")
    assert main(["run", str(recipe), "--study", str(TOY), "--out", str(tmp_path / "one")]) == 0
    assert {path.name for path in (tmp_path / "one").iterdir()} == {*steps, "recipe.toml"}
    whole = tmp_path / "one" / "recipe.toml"
    assert [of.command for of in read_recipes(whole).steps] == [*steps]
    capsys.readouterr()
    assert main(["run", str(whole), "--out", str(tmp_path / "two")]) == 0
    assert "files are the same as then, byte by byte." in capsys.readouterr().out
    assert whole.read_bytes() == (tmp_path / "two" / "recipe.toml").read_bytes()
    assert main(["run", str(whole), "--out", str(tmp_path / "two")]) == 1
    assert main(["run", str(whole), "--out", str(tmp_path / "one"), "--overwrite"]) == 1
    assert "is the recipe itself" in capsys.readouterr().err
