"""``loupe review`` with rounds: find, read again, settle, export, and see what it changed."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main
from core.reviews.applied import with_rounds
from core.reviews.author import known_author
from core.reviews.in_round import round_event
from core.reviews.journal import followed
from core.reviews.store import ReviewStore
from core.study.reading.folder import read_study
from core.study.references import references_by_task

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001"
    "e221bc330000000049454e44ae426082"
)
FILES = {
    "study.toml": 'name = "Mine"\nlicence = "CC0"\nflags = ["blurred"]\n[tasks.main]\nkind = "ranking"\n',
    "labels.csv": "label,risk\nx,low\ny,high\nz,low\n",
    "annotations.csv": "case_id,rater_id,label,rank\n=1,r1,x,1\n=1,r2,y,1\nb,r1,x,1\nb,r2,x,1\nc,r1,z,1\n",
    "cases.csv": "case_id,image,reference,site\n=1,one.png,x,A\nb,,x,A\nc,,z,B\n",
    "predictions/m.csv": "case_id,x,y,z\n=1,0.5,0.4,0.1\nb,0.9,0.1,0\nc,0.2,0.2,0.6\n",
    "predictions/n.csv": "case_id,x,y,z\n=1,0.1,0.8,0.1\nb,0.6,0.4,0\nc,0.2,0.6,0.2\n",
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Three cases, an image, two models."""
    folder = tmp_path / "study"
    (folder / "predictions").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "one.png").write_bytes(PNG)
    return folder


@pytest.fixture
def run(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run the command on the study; what it returned, said and complained of."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("LOUPE_DATABASE", raising=False)

    def command(action: str, *more: str | Path) -> tuple[int, str, str]:
        status = main(["review", action, str(study), *map(str, more)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


def fill(sheet: Path, said: dict[str, str]) -> Path:
    """Fill a sheet in."""
    with sheet.open(newline="") as lines:
        rows = [*csv.DictReader(lines)]
    target = sheet.with_name("filled.csv")
    with target.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(row | {"reading": said.get(row["case_id"], "")} for row in rows)
    return target


def make(run: Run, tmp_path: Path, *more: str) -> Path:
    """A round of two cases, and its sheet."""
    (tmp_path / "worklist.csv").write_text("case_id,certainty\n'=1,0.5\nb,0.9\n'=1,0.5\n")
    sheet = tmp_path / "sheet.csv"
    made = ("--round", "one", "--cases", tmp_path / "worklist.csv", "--author", "Ada", "--out", sheet, *more)
    status, said, complaint = run("round", *made)
    assert (status, complaint) == (0, "")
    assert said.startswith("Round “one”: 2 cases, ")
    return sheet


def test_the_whole_loop(run: Run, study: Path, tmp_path: Path) -> None:
    """Round, two readers, an outcome, what changed, export; the study itself stays as it was."""
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    sheet = make(run, tmp_path, "--reader", "Ada", "--reader", "r2", "--say", "=Malignant?")
    filled = fill(sheet, {"'=1": "{y} {x, z}", "b": "x"})
    status, said, complaint = run("import", filled)
    assert (status, complaint) == (0, "")
    assert said.startswith("2 readings by Ada in round “one”. Kept in ")
    assert run("import", filled)[1].startswith("0 readings by Ada in round “one”, 2 known already.")
    filled = fill(sheet, {"'=1": "x"})
    assert run("import", filled, "--author", "r2")[1].startswith(
        "1 reading by r2 in round “one”, 1 case left empty."
    )
    lines = run("round")[1].splitlines()
    assert lines == [
        "Round “one”: 2 cases, blind, read by Ada, r2.",
        "  Ada has read 2, 0 left.",
        "  r2 has read 1, 1 left.",
        "  Still in disagreement: 1.",
    ]
    decided = ("--round", "one", "--case", "=1", "--say", "y", "--by", "Ada", "--by", "r2", "--why", "biopsy")
    assert run("outcome", *decided)[1].startswith("=1 in round “one”: {y}; it is settled. Kept in ")
    assert run("round", "--round", "one")[1].splitlines()[-1] == "  With an outcome: 1."
    changed = tmp_path / "out" / "review"
    status, said, _ = run("changed", "--round", "one", "--out", changed.parent)
    assert status == 0
    assert said.startswith(
        "2 cases have 3 further readings.\nDanger in =1 rises from 44 to 50 of 100.\nDanger in b falls from "
    )
    assert pd.read_csv(changed / "cases.csv")["case_id"].tolist() == ["'=1", "b"]
    settings = json.loads((changed / "changed.json").read_text(encoding="utf-8"))["settings"]
    assert settings["after"] == "with the readings of “one”"
    assert {path: path.read_bytes() for path in study.rglob("*") if path.is_file()} == before


def test_an_export_is_the_study_with_the_rounds(run: Run, study: Path, tmp_path: Path) -> None:
    """The same readings, byte for byte the same images; outcomes only where asked for; never over a study."""
    filled = fill(make(run, tmp_path), {"'=1": "{y} {x, z}", "b": "x"})
    run("import", filled)
    run("outcome", "--round", "one", "--case", "=1", "--say", "{y}")
    run("outcome", "--round", "one", "--case", "b", "--say", "cannot be settled")
    status, said, _ = run("export", "--out", tmp_path / "new")
    assert (status, said.splitlines()[0].rpartition(": ")[2]) == (0, "2 further readings")
    new = read_study(tmp_path / "new")
    database = ReviewStore(str(tmp_path / "data" / "loupe" / "reviews.sqlite"))
    events = database.events(study_name="Mine")
    assert new.fingerprint == with_rounds(read_study(study), events, readings=["one"]).fingerprint
    assert new.rater_ids == ("Ada", "r1", "r2")
    assert new.name == "Mine, with the readings of “one”"
    assert database.events(study_name=new.name) == ()
    kinds = [event.kind for event in database.events(study_name="Mine")]
    assert kinds == ["round", "reading", "reading", *["outcome", "status"] * 2]
    assert (new.licence, new.flags, list(new.cases["reference"])) == ("CC0", ("blurred",), ["x", "x", "z"])
    assert (tmp_path / "new" / "one.png").read_bytes() == PNG
    assert run("export", "--out", tmp_path / "settled", "--outcomes", "--round", "one")[0] == 0
    assert list(read_study(tmp_path / "settled").cases["reference"]) == ["y", "", "z"]
    status, _, complaint = run("export", "--out", tmp_path / "new")
    assert status == 1
    assert "DIR must be a new or empty folder" in complaint
    assert run("export", "--out", study / "inside")[0] == 1
    assert not (study / "inside").exists()


def test_an_export_with_outcomes_is_a_study_also_beside_a_table_of_references(
    run: Run, study: Path, tmp_path: Path
) -> None:
    """One table has the references; the folder passes the check and is what was counted."""
    (study / "cases.csv").write_text("case_id,image,site\n=1,one.png,A\nb,,A\nc,,B\n")
    (study / "references.csv").write_text("case_id,task,label\n=1,main,x\nb,main,x\nc,main,z\n")
    run("import", fill(make(run, tmp_path), {"'=1": "y", "b": "x"}))
    run("outcome", "--round", "one", "--case", "=1", "--say", "y")
    run("outcome", "--round", "one", "--case", "b", "--say", "cannot be settled")
    assert run("export", "--outcomes", "--out", tmp_path / "new")[0] == 0
    assert main(["check", str(tmp_path / "new")]) == 0
    new = read_study(tmp_path / "new")
    events = ReviewStore(str(tmp_path / "data" / "loupe" / "reviews.sqlite")).events(study_name="Mine")
    counted = with_rounds(read_study(study), events, readings=["one"], outcomes=["one"])
    assert new.fingerprint == counted.fingerprint
    assert references_by_task(new) == {"main": ["y", "", "z"]}
    assert "reference" not in new.cases


def test_a_sheet_with_a_fault_brings_nothing_back(run: Run, tmp_path: Path) -> None:
    """All that is wrong is said, and the right rows are not kept either."""
    filled = fill(make(run, tmp_path), {"'=1": "x", "b": "{x} {q}"})
    status, said, complaint = run("import", filled)
    assert (status, said) == (1, "")
    assert complaint.startswith('error: filled.csv, row 3, column reading: "q" is no label. Write the labels')
    assert "has read" not in run("round")[1]


def test_a_reader_whose_sheet_comes_in_does_not_take_the_place_of_who_writes_here(
    run: Run, tmp_path: Path
) -> None:
    """The name that is remembered is that of the person at the keyboard."""
    filled = fill(make(run, tmp_path, "--reader", "Ben"), {"'=1": "x"})
    assert known_author() == "Ada"
    assert run("import", filled, "--author", "Ben")[1].startswith("1 reading by Ben")
    assert known_author() == "Ada"
    run("note", "--case", "b", "--say", "look")
    assert " Ada, case b, note: look" in run("log")[1]


def test_a_round_can_be_taken_back(run: Run, tmp_path: Path) -> None:
    """With all that is in it; the log shows it, and everything that was said as it was said."""
    filled = fill(make(run, tmp_path), {"b": "{y} {x, z}"})
    run("import", filled)
    assert "is taken back" in run("undo", "--round", "one")[1]
    assert run("round")[1].startswith("There is no round of Mine in ")
    run("log", "--out", tmp_path / "log")
    table = pd.read_csv(tmp_path / "log" / "review" / "history.csv", keep_default_na=False)
    assert list(table["kind"]) == ["round", "reading", "withdrawal"]
    assert list(table["withdrawn"]) == [True, True, False]
    assert json.loads(table["content"][1])["blocks"] == [["y"], ["x", "z"]]
    made = ("--round", "one", "--case", "b")
    assert run("round", *made)[1].startswith("Round “one (2)”: 1 case"), "a name stays that of one round"


def test_an_outcome_settles_its_case_and_can_be_taken_back(run: Run, tmp_path: Path) -> None:
    """As on the page; what others said of the round stays."""
    run("import", fill(make(run, tmp_path), {"b": "y"}))
    run("status", "--case", "b", "--say", "re-read")
    run("outcome", "--round", "one", "--case", "b", "--say", "cannot be settled")
    assert "it is settled" in run("outcome", "--round", "one", "--case", "b", "--say", "y")[1]
    back = ("--round", "one", "--case", "b")
    assert "outcome “{y}” of b in round “one”. b is in discussion" in run("undo", *back)[1]
    assert "outcome “cannot be settled” of b in round “one”. b is to re-read" in run("undo", *back)[1]
    status, _, complaint = run("undo", *back)
    assert (status, "expected a case with an outcome in round “one”, got “b”" in complaint) == (1, True)
    assert "  Still in disagreement: 1." in run("round")[1]


def test_what_was_said_anew_of_a_round_is_taken_back_first(run: Run, study: Path, tmp_path: Path) -> None:
    """The round is there as before, and that is what is said."""
    make(run, tmp_path)
    store = ReviewStore(str(tmp_path / "data" / "loupe" / "reviews.sqlite"))
    published = read_study(study)
    one = followed(store, published).rounds()["one"]
    task = published.tasks["main"]
    store.append(round_event(published, task, "Ada", "one", one.cases, readers=["Cy"], corrects=one))
    said = run("undo", "--round", "one")[1]
    assert said.startswith("What was said last of round “one” is taken back; it is there as before:")
    assert "read by anyone" in said
    assert run("undo", "--round", "one")[1].startswith("Round “one” is taken back.")


def test_a_sheet_for_one_reader_and_one_for_paper(run: Run, tmp_path: Path) -> None:
    """What is left of a round, as table and as page; a file that is there stays unless it may be replaced."""
    sheet = make(run, tmp_path)
    run("import", fill(sheet, {"b": "y"}))
    page = tmp_path / "new" / "page.html"
    assert run("round", "--round", "one", "--reader", "Ada", "--out", page)[0] == 0
    assert '<td dir="auto">=1</td>' in page.read_text(encoding="utf-8")
    assert '<td dir="auto">b</td>' not in page.read_text(encoding="utf-8")
    status, _, complaint = run("round", "--round", "one", "--reader", "Ada", "--out", sheet)
    assert (status, complaint) == (
        1,
        f"loupe: {sheet} is there; give --overwrite to replace it, or another --out\n",
    )
    assert run("round", "--round", "one", "--reader", "Ada", "--out", sheet, "--overwrite")[0] == 0
    assert [row["case_id"] for row in csv.DictReader(sheet.open(newline=""))] == ["'=1"]


def test_tables_of_a_round(run: Run, tmp_path: Path) -> None:
    """Its cases, and how far each reader is."""
    run("import", fill(make(run, tmp_path, "--open"), {"b": "y"}))
    assert run("round", "--out", tmp_path / "tables")[0] == 0
    cases = pd.read_csv(tmp_path / "tables" / "review" / "cases.csv")
    assert cases["disagrees"].tolist() == [False, True]
    progress = pd.read_csv(tmp_path / "tables" / "review" / "progress.csv")
    assert progress.to_numpy().tolist() == [["one", "Ada", 1, 1]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["round", "--case", "b"], "a new round needs a name: --round NAME"),
        (["round", "--round", "two", "--reader", "Bo"], "a new round needs its cases"),
        (["round", "--round", "one", "--case", "b"], "there is a round “one” already"),
        (["round", "--round", "two", "--case", "z"], "expected cases of the study, got “z”"),
        (
            ["round", "--round", "two", "--case", "b", "--case", "b"],
            "a round names each case once, got “b” twice",
        ),
        (["round", "--round", "tow"], "expected a round of the study, got “tow”"),
        (["import"], "import needs a sheet"),
        (["import", "x.csv", "--say", "a"], "--say does not go with import"),
        (["outcome", "--round", "one", "--case", "b"], "outcome needs --say"),
        (["outcome", "--round", "one", "--case", "b", "--say", "q"], '"q" is no label'),
        (
            ["outcome", "--round", "one", "--case", "c", "--say", "x"],
            "expected a case of round “one”, got “c”",
        ),
        (["export"], "export needs --out"),
        (["export", "--out", "x", "--round", "q"], "expected a round of the study, got “q”"),
        (["changed"], "changed needs --round"),
        (["changed", "--round", "one", "--task", "t"], "--task does not go with changed"),
        (["note", "--case", "b", "--say", "a", "--round", "one"], "--round goes with round, import"),
        (["log", "--reliability", "3"], "--reliability goes with changed, not with log"),
        (
            ["undo", "--round", "one", "--case", "b"],
            "expected a case with an outcome in round “one”, got “b”",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, tmp_path: Path, arguments: list[str], words: str) -> None:
    """In a line, and nothing is written."""
    make(run, tmp_path)
    status, _, complaint = run(*arguments)
    assert status == 1
    assert words in complaint
    assert len(complaint.splitlines()) == 1
    assert len(run("log")[1].splitlines()) == 1


def test_a_condition_chooses_the_cases_of_a_round_and_of_what_it_changed(run: Run, tmp_path: Path) -> None:
    """Of those that are named, or of all; what is written of cases takes none."""
    assert run("round", "--round", "all of A", "--where", 'site == "A"', "--author", "Ada")[0] == 0
    assert "“all of A”: 2 cases" in run("round", "--round", "all of A")[1]
    named = ["--case", "b", "--case", "c"]
    assert run("round", "--round", "named", *named, "--where", 'site == "A"')[0] == 0
    assert "“named”: 1 case" in run("round", "--round", "named")[1]
    status, _, said = run("round", "--round", "none", "--case", "c", "--where", 'site == "A"')
    assert (status, "no case that is named fulfils" in said) == (1, True)
    assert "a new round needs a name" in run("round", "--where", 'site == "A"')[2]
    assert "--where does not go with export" in run("export", "--where", "x", "--out", tmp_path / "e")[2]
    sheet = tmp_path / "sheet.csv"
    assert run("round", "--round", "all of A", "--out", sheet)[0] == 0
    assert run("import", fill(sheet, {"b": "{y}"}), "--author", "Ada")[0] == 0
    out = tmp_path / "changed"
    status, said, _ = run("changed", "--round", "all of A", "--where", 'case_id == "b"', "--out", out)
    assert (status, "1 of 3 cases where" in said) == (0, True)
    assert pd.read_csv(out / "review" / "cases.csv")["case_id"].tolist() == ["b"]
