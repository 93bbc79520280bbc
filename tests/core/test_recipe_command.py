"""A recipe makes the same tables again, says what has changed, and refuses what it cannot do."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from core.analysis.recipe import Recipe, recipe_text
from core.analysis.recipe_reading import read_recipe, read_recipes
from core.cli import main, sample_folder
from core.study.narrowed import narrowed
from core.study.reading.folder import read_study

TOY, KNEE = sample_folder("toy_three_labels"), sample_folder("knee_mri")
FEW = ["--where", "x < -1"]
COMMANDS = {
    "evaluate": [str(TOY), *FEW, "--reliability", "auto", "--tables", "latex,parquet"],
    "compare": [str(KNEE), "--n-draws", "3", "--by", "sex", "--rivals", "Checklist", "Network"],
    "disagreement": [str(TOY), *FEW, "--resamples", "3", "--methods", "temperature", "--recalibrate"],
    "conformal": [str(TOY), *FEW, "--score", "raps", "--randomised", "--coverage", "80"],
    "raters": [str(TOY), *FEW, "--resamples", "3"],
    "checklist": [str(TOY), *FEW],
    "plan": [str(KNEE), "--certainty", "0.8", "--where", "age < 40"],
    "reread": [str(KNEE), "--readings", "3"],
    "experiment": ["replay", str(TOY), "--repeats", "2", "--batch", "100"],
}
"""Commands that draw, with what makes them quick."""


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_recipe_makes_the_same_files_again(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them, byte by byte, the recipe too."""
    assert main([command, *COMMANDS[command], "--out", str(tmp_path / "first")]) == 0
    recipe = tmp_path / "first" / command / "recipe.toml"
    capsys.readouterr()
    assert main(["run", str(recipe), "--out", str(tmp_path / "again")]) == 0
    assert contents(tmp_path / "again" / command) == contents(recipe.parent)
    assert "the same as then, byte by byte." in capsys.readouterr().out


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A recipe of a copied study."""
    shutil.copytree(TOY, tmp_path / "study")
    assert main(["conformal", str(tmp_path / "study"), *FEW, "--out", str(tmp_path / "first")]) == 0
    return tmp_path / "first" / "conformal" / "recipe.toml"


def test_what_has_changed_is_said(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another study, named by --study, and another Loupe; what differs is named, and is no success."""
    other = tmp_path / "other"
    shutil.copytree(TOY, other)
    rows = (other / "annotations.csv").read_text().splitlines()
    (other / "annotations.csv").write_text("\n".join(rows[:1] + rows[2:]) + "\n")
    monkeypatch.setattr("core.__version__", "9.9")
    capsys.readouterr()
    assert main(["run", str(made), "--out", str(tmp_path / "again"), "--study", str(other)]) == 1
    said = capsys.readouterr()
    then = read_recipe(made)
    now = read_recipe(tmp_path / "again" / "conformal" / "recipe.toml")
    assert (
        f"another fingerprint: {then.known['fingerprint']} then, {now.known['fingerprint']} now." in said.out
    )
    assert f"Version of loupe: {then.versions['loupe']} then, 9.9 now." in said.out
    assert "loupe: not the same as then: coverage.csv, sets.csv" in said.err
    assert now.study == str(other)


def test_a_path_tells_no_more_than_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tilde stays one, a relative path stays relative; nothing else of the recipe names a folder."""
    shutil.copytree(TOY, tmp_path / "study")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for typed, out in (("~/study", "~/one"), ("study", "two")):
        assert main(["raters", typed, *FEW, "--resamples", "2", "--out", out]) == 0
        recipe = Path(out).expanduser() / "raters" / "recipe.toml"
        assert read_recipe(recipe).study == typed
        assert str(tmp_path) not in recipe.read_text(encoding="utf-8")
    assert main(["run", "~/one/raters/recipe.toml", "--out", "three"]) == 0
    monkeypatch.chdir(tmp_path / "one")
    assert main(["run", "../two/raters/recipe.toml", "--out", "four"]) == 1
    assert "give --study FOLDER" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("recipe = 1", "recipe = 2"), "line 2: recipe: expected 1, got 2"),
        (("recipe = 1\n", ""), "expected a line `recipe = …`, got none"),
        (('command = "conformal"', 'command = "confromal"'), "line 3: command: no command"),
        (('command = "conformal"', 'command = "review"'), "that can be run again is called 'review'"),
        (('command = "conformal"', "command = 3"), "line 3: command: expected a text in quotes, got 3"),
        (("folds = 5", "folds = "), "at line"),
        (("folds = 5", "folds = 1"), "folds must be a whole number"),
        (("folds = 5", 'folds = "5"'), "folds must be a whole number"),
        (("folds = 5", "fold = 5"), "conformal has no such option; did you mean folds?"),
        (("folds = 5", "out = 'x'"), "loupe conformal has no such option"),
        (('tables = ["csv"]', 'tables = ["word"]'), "one of csv, latex, markdown, parquet"),
        (("randomised = false", "randomised = 1"), "randomised must be"),
        (("[options]", "[option]"), "no part of a recipe has this name; did you mean options?"),
        (("fingerprint = ", "fingerprints = "), "did you mean fingerprint?"),
        (("path = ", "path = 5 #"), "path: expected a text in quotes, got 5"),
        (("path = ", 'path = "nowhere" #'), "in nowhere, which is no folder here; give --study FOLDER"),
        (("path = ", 'path = "" #'), "expected a path, got ''"),
        (("path = ", "#"), "study: conformal needs one, and the recipe names none"),
    ],
)
def test_a_broken_recipe_is_refused_with_its_line(
    change: tuple[str, str], said: str, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is written; the file, what was expected and how to mend it."""
    text = made.read_text(encoding="utf-8")
    assert change[0] in text
    made.write_text(text.replace(*change, 1), encoding="utf-8")
    capsys.readouterr()
    assert main(["run", str(made), "--out", str(made.parents[2] / "again")]) == 1
    refused = capsys.readouterr().err
    assert refused.startswith(f"loupe: {made}")
    assert said in refused
    assert "Traceback" not in refused
    assert not (made.parents[2] / "again").exists()


def test_what_is_no_recipe_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder, another encoding, nothing at all, too much."""
    for name, content in (("a", b"\xff\xfe"), ("b", b""), ("c", b"#" * 1_000_001)):
        (tmp_path / name).write_bytes(content)
    for name, said in (
        ("a", "expected text in UTF-8"),
        ("b", "expected a line `recipe = …`"),
        ("c", "expected no more than 1,000,000 bytes"),
        ("none", "No such file"),
        (".", "is a folder; give the recipe in it"),
    ):
        assert main(["run", str(tmp_path / name), "--out", str(tmp_path / "out")]) == 1
        assert said in capsys.readouterr().err


def test_any_text_is_written_so_that_it_can_be_read(tmp_path: Path) -> None:
    """Quotes, line breaks, control letters, other alphabets, and infinity."""
    hostile = 'a"b\\c\nd\te\x00\x7f é 漢 [x] #'
    recipe = Recipe(
        "evaluate", hostile, {"where": hostile, "by": (hostile, "x"), "reliability": float("inf")}
    )
    settings = {"study": hostile, "fingerprint": "0", hostile: hostile}
    text = recipe_text(recipe, settings, {hostile: "0"})
    (tmp_path / "recipe.toml").write_text(text, encoding="utf-8", newline="")
    back = read_recipe(tmp_path / "recipe.toml")
    assert (back.command, back.study, back.options) == (recipe.command, hostile, recipe.options)
    assert back.known["name"] == hostile
    assert back.tables == {hostile: "0"}
    assert tomllib.loads(text)["settings"][hostile] == hostile


WHOLE = """recipe = 1

[study]
path = "STUDY"

[[step]]
command = "raters"
[step.options]
resamples = 2
where = "x < -1"

[[step]]
command = "conformal"
[step.options]
where = "x < -1"
"""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('command = "conformal"', 'command = "raters"'), "line 13: command: raters is a step already"),
        (('[[step]]\ncommand = "conformal"', "[[step]]"), "step 2: expected a line `command = …`"),
        (('"conformal"\n[step.options]\nwhere', '"conformal"\n[step.options]\nwere'), "line 15: were: loupe"),
        (
            ('"conformal"\n[step.options]', '"conformal"\n[step.option]'),
            "line 14: option: no part of a recipe",
        ),
        (("[study]", 'command = "raters"\n[study]'), "line 3: command: no part of a recipe has this name"),
        (("STUDY", "nowhere"), "line 4: path: expected the study in nowhere, which is no folder here"),
        (
            ('"conformal"\n[step.options]', '"report"\n[step.tables]\n"../a.html" = "0"\n[step.options]'),
            "line 15: ../a.html: expected the name of a file that ends in .html",
        ),
        (('"conformal"\n[step.options]', '"figure"\n[step.options]\nnames = "dots"'), 'as in ["a", "b"]'),
    ],
)
def test_a_broken_step_is_refused_before_the_first_is_done(
    change: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its own line, not that of the same words in another step."""
    recipe = tmp_path / "recipe.toml"
    text = WHOLE.replace(*change, 1).replace("STUDY", str(TOY)).replace("x < -1", "x <<< -1")
    recipe.write_text(text, encoding="utf-8")
    assert main(["run", str(recipe), "--out", str(tmp_path / "out")]) == 1
    refused = capsys.readouterr().err
    assert said in refused
    assert "Traceback" not in refused
    assert not (tmp_path / "out" / "raters").exists()


def test_steps_are_done_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What they leave is compared file by file; places are free before the first begins."""
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(WHOLE.replace("STUDY", str(TOY)), encoding="utf-8")
    assert main(["run", str(recipe), "--out", str(tmp_path / "one")]) == 0
    whole = tmp_path / "one" / "recipe.toml"
    (tmp_path / "two" / "conformal").mkdir(parents=True)
    (tmp_path / "two" / "conformal" / "mine.txt").write_text("mine")
    assert main(["run", str(whole), "--out", str(tmp_path / "two")]) == 1
    assert not (tmp_path / "two" / "raters").exists()
    text = whole.read_text(encoding="utf-8")
    at = text.index('"coverage.csv"')
    whole.write_text(text[:at] + '"coverage.csv" = "0"' + text[text.index("\n", at) :], encoding="utf-8")
    assert main(["run", str(whole), "--out", str(tmp_path / "three")]) == 1
    assert "not the same as then: conformal/coverage.csv" in capsys.readouterr().err


def test_a_recipe_of_a_study_has_all_that_it_yields(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Steps that suit it, with the options that each has; pages get them as an address."""
    out = tmp_path / "recipe.toml"
    command = ["recipe", str(KNEE), "--reliability", "3", "--where", "age < 40", "--out", str(out)]
    command += ["--high-risk-label", "Tear"]
    assert main(command) == 0
    found = read_recipes(out)
    options = {of.command: of.options for of in found.steps}
    names = ["evaluate", "compare", "disagreement", "conformal", "raters", "checklist", "figure", "report"]
    assert [*options] == names
    chosen = {"where": "age < 40", "high_risk_labels": ("Tear",)}
    assert options["evaluate"] == {"reliability": 3.0, **chosen}
    assert options["raters"] == chosen
    assert options["figure"] == {"all": True, "link": "?reliability=3", **chosen}
    expected = narrowed(read_study(KNEE), "age < 40").fingerprint
    assert found.steps[0].known["fingerprint"] == expected
    assert main(command) == 1
    assert "is there already; give --overwrite" in capsys.readouterr().err
    assert main(["recipe", str(KNEE), "--task", "none", "--out", str(tmp_path / "b.toml")]) == 1
    assert main(["recipe", str(KNEE), "--out", str(tmp_path / "b.html")]) == 1
    assert "a file that ends in .toml" in capsys.readouterr().err
    assert main(["recipe", str(KNEE), "--out", str(KNEE / "recipe.toml")]) == 1
    assert not (KNEE / "recipe.toml").exists()


def _one_case(folder: Path) -> Path:
    """A study of one case with a model."""
    folder.mkdir()
    (folder / "annotations.csv").write_text("case_id,rater_id,label\nc1,A,a\nc1,B,b\n")
    rows = "c1,net,a,0.7\nc1,net,b,0.3\n"
    (folder / "predictions.csv").write_text(f"case_id,model,label,probability\n{rows}")
    return folder


def test_a_recipe_has_no_step_that_cannot_be_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With one case no sets of labels can be calibrated: the step is left out, and why is said."""
    study, out = _one_case(tmp_path / "study"), tmp_path / "recipe.toml"
    assert main(["recipe", str(study), "--out", str(out)]) == 0
    assert "No step conformal: to hold the truth in 90 % of cases takes 9 cases" in capsys.readouterr().out
    names = [of.command for of in read_recipes(out).steps]
    assert names == ["evaluate", "compare", "disagreement", "raters", "checklist", "figure", "report"]


def test_a_run_that_stops_says_at_which_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What came before it stays, and how to go on is said."""
    study, recipe = _one_case(tmp_path / "study"), tmp_path / "all.toml"
    recipe.write_text('recipe = 1\n[[step]]\ncommand = "checklist"\n[[step]]\ncommand = "conformal"\n')
    assert main(["run", str(recipe), "--study", str(study), "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert "step 2 (conformal) can be mended or taken out: to hold the truth" in said.err
    assert f"Done before it stopped, in {tmp_path / 'out'}: checklist." in said.out
