"""A report: what it holds and what not, that it is whole, and always the same."""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
import shutil
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.recipe import Recipe, handed_on
from core.cli import main, sample_folder
from core.study.reading.folder import read_study
from dashboard.report.__main__ import main as write
from dashboard.report.blocks import Table
from dashboard.report.collect import NAMES_RATERS, Content, collect
from dashboard.report.masking import NUMBERS_LEFT_OUT
from dashboard.report.page import html
from dashboard.report.settings import Contents
from dashboard.report.to_pdf import chromium, pdf

TOY = sample_folder("toy_three_labels")
NO_SCRIPT = re.compile(r"<script.*?</script>", re.S)


@pytest.fixture(scope="module")
def content() -> Content:
    """Two sections of the smallest sample, under settings that are not the usual ones."""
    return collect(Contents(TOY, "/models?reliability=3&measure=accuracy", ("models", "study")))


@pytest.fixture(scope="module")
def report(content: Content) -> str:
    """The report of them."""
    return html(content)


def test_it_says_what_the_pages_say(content: Content, report: str) -> None:
    """Sections in their order, the study's counts, pictures with their tables, and the settings in force."""
    study = read_study(TOY)
    assert [section.name for section in content.sections] == ["models", "study"]
    text = NO_SCRIPT.sub("", report)
    assert text.index('id="models"') < text.index('id="study"')
    assert f"<dt>cases</dt><dd>{study.n_cases}</dd>" in text
    assert "Research use, not for diagnosis." in text
    assert content.settings["reliability"] == "3"
    assert content.sections[0].settings["measure"] == "accuracy"
    for name in ("models-rank-slope", "models-slices", "study-certainty"):
        assert f'id="{name}"' in text
    assert text.count('<div class="still"><svg ') >= 12
    assert "Methods, for a paper" in text
    assert not re.findall(r"[^.]*\b(?:[Cc]lick|[Dd]rag over|on the left)\b[^.]*", text)
    assert "@article{" in text


def test_it_asks_nothing_of_anybody(report: str) -> None:
    """No address is fetched from, and the page itself forbids it."""
    assert "default-src 'none'" in report
    # Names of namespaces, and works that are cited, are no requests.
    assert not re.findall(
        r'(?:src|href|action|data)="(?!#)[^"]*"|url\((?!#)|@import', NO_SCRIPT.sub("", report)
    )
    assert len(report) < 2_000_000


def test_ids_are_unique_and_found(report: str) -> None:
    """Of places in the page and in its pictures, and the contents lead to what is there."""
    text = NO_SCRIPT.sub("", report)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', text)) <= set(ids)


def test_the_same_study_and_settings_give_the_same_report(content: Content, report: str) -> None:
    """Byte for byte, drawn anew."""
    again = collect(Contents(TOY, "?measure=accuracy&reliability=3", ("models", "study")))
    assert html(again) == report
    assert html(replace(content, sections=content.sections[:1])) != report


def test_no_case_is_named_unless_asked_for(content: Content, report: str, tmp_path: Path) -> None:
    """Then the least certain are listed, and columns that look personal are pointed out."""
    study = read_study(TOY)
    assert not [one for one in study.case_ids if one in report]
    assert content.warnings == ()
    folder = tmp_path / "study"
    shutil.copytree(TOY, folder)
    cases = pd.read_csv(folder / "cases.csv")
    cases["patient_name"] = "Dr <b>Who</b>"
    cases["accession"] = range(len(cases))
    cases.to_csv(folder / "cases.csv", index=False)
    asked = collect(Contents(folder, "", ("study",), cases=4))
    assert "patient_name (a record number)" in asked.warnings[0]
    assert "accession (a record number)" in asked.warnings[0]
    text = html(asked)
    listed = text[text.index('id="cases"') :]
    assert listed.count("&lt;b&gt;Who&lt;/b&gt;") == 4
    assert "<b>Who" not in text
    assert "The 4 least certain of 150 cases" in listed


def test_where_the_study_lies_makes_no_difference(tmp_path: Path) -> None:
    """Its folder is named nowhere, in a page with a study's own words or in one that lacks predictions."""
    for name in ("one", "two"):
        shutil.copytree(TOY, tmp_path / name)
        shutil.rmtree(tmp_path / name / "predictions")
    one, two = (html(collect(Contents(tmp_path / name, "", ("study", "models")))) for name in ("one", "two"))
    assert one == two
    assert str(tmp_path) not in one
    assert "Fingerprint" in one
    assert "reload" not in one


def test_neither_cases_nor_raters_are_named(tmp_path: Path) -> None:
    """However short their names; what the study says of itself stays, and what is left out is said."""
    folder = tmp_path / "study"
    folder.mkdir()
    names = ["Ada", "r2", "7"]
    rows = [
        f"c{case},{rater},{'AB'[(case + number) % 3 == 0]}"
        for case in range(15)
        for number, rater in enumerate(names)
    ]
    (folder / "annotations.csv").write_text("\n".join(["case_id,rater_id,label", *rows]))
    (folder / "study.toml").write_text(
        'name = "Short"\ndescription = "With c7 by Ada."\nsource = "A clinic, and c7"\nlicence = "Free"\n'
        '[tasks.main]\nkind = "choice"\n'
    )
    asked = Contents(folder, "", ("study", "models", "raters"))
    content = collect(asked)
    text = html(content)
    told = [NO_SCRIPT.sub("", text), _drawn(text)]
    for words in told:
        assert not re.findall(r"(?<![\w#])(?:c\d+|Ada|r2)(?!\w)", words)
    assert "A clinic, and a case" in told[0]
    assert "With a case by Rater 2." in told[0]
    assert '<td dir="auto">Free</td>' in told[0]
    assert "names no case and numbers raters" in told[0]
    assert NUMBERS_LEFT_OUT in told[0]
    assert all("Rater 1" in words for words in told)
    assert content.warnings == ()
    named = collect(replace(asked, raters=True))
    assert '<td dir="auto">Ada</td>' in html(named)
    assert named.warnings == (NAMES_RATERS,)


def _drawn(report: str) -> str:
    """What the live pictures of a report are drawn from."""
    packed = re.findall(r'id="live">([^<]*)<', report)[0]
    return json.dumps(json.loads(gzip.decompress(b64decode(packed)))["specs"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sections": ("study", "cake")}, "sections must be some of study, .*got 'cake'"),
        ({"sections": ()}, "got 'none'"),
        ({"sections": ("study", "study")}, "each section can stand once"),
        ({"cases": -1}, "cases must be a whole number from 0"),
        ({"link": "reliability=3"}, "after a question mark"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], words: str) -> None:
    """Before any page is drawn, saying what was expected."""
    with pytest.raises(ValueError, match=words):
        Contents(TOY, **given)  # type: ignore[arg-type]


def test_the_checklist_is_answered() -> None:
    """Alone too, with the study's own numbers, and nothing that the data do not have."""
    (section,) = collect(Contents(TOY, "?reliability=3", ("checklist",))).sections
    table = section.blocks[-1]
    assert isinstance(table, Table)
    assert table.columns[:2] == ("Guideline", "Item")
    assert {row[3] for row in table.rows} >= {"yes", "not in the data"}
    assert any("450 readings" in row[4] for row in table.rows)


def test_an_address_that_means_nothing_is_refused() -> None:
    """No report is made under other settings than those that were asked for."""
    with pytest.raises(ValueError, match="reliability “many”"):
        collect(Contents(TOY, "?reliability=many", ("study",)))


def test_nothing_is_written_where_it_may_not_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Over another file, into a study, under another ending, or where there is no folder."""
    there = tmp_path / "there.html"
    there.write_text("mine")
    study = str(TOY)
    for out, words in (
        (there, "give --overwrite"),
        (tmp_path / "report.txt", "must be a file that ends in .html"),
        (TOY / "report.html", "is never changed"),
        (tmp_path / "none" / "report.html", "folder that is there"),
    ):
        assert main(["report", study, "--out", str(out)]) == 1
        assert words in capsys.readouterr().err
    assert there.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [there]


def test_the_recipe_beside_a_report_has_all_that_was_in_force(tmp_path: Path) -> None:
    """Sections that were left to the command, the model and its reliability."""
    out = tmp_path / "report.html"
    asked = Recipe("report", str(TOY), {})
    write(
        [str(TOY), str(out), "--link=?reliability=3", "--sections=checklist", f"--recipe={handed_on(asked)}"]
    )
    recipe = out.with_name("report.html.recipe.toml").read_text(encoding="utf-8")
    assert 'sections = "checklist"' in recipe
    assert '"aggregation model" = "label-counts"' in recipe
    assert 'reliability = "3"' in recipe


@pytest.mark.parametrize(
    ("what", "number"), [("free some space", errno.ENOSPC), ("files here may not grow", errno.EFBIG)]
)
def test_a_full_disk_leaves_nothing_behind(
    what: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report that was there stays as it was; what is refused is said with its file and what to do."""
    there = tmp_path / "report.html"
    there.write_text("as before")

    def full(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("core.study.whole_files.os.fsync", full)
    with pytest.raises(SystemExit) as refused:
        write([str(TOY), str(there), "--sections", "checklist"])
    assert str(refused.value).startswith(f"loupe: {there}: ")
    assert what in str(refused.value)
    assert there.read_text() == "as before"
    assert list(tmp_path.iterdir()) == [there]


def test_a_study_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """With what is wrong and how to mend it, and nothing is left behind."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "annotations.csv").write_text("case_id,rater_id,label\n1,2\n")
    with pytest.raises(SystemExit, match=r"annotations\.csv"):
        write([str(folder), str(tmp_path / "report.html"), "--sections", "study"])
    assert not (tmp_path / "report.html").exists()


def test_a_study_without_predictions_says_so(tmp_path: Path) -> None:
    """And what to add."""
    folder = tmp_path / "study"
    folder.mkdir()
    rows = "\n".join(
        f"c{case},r{rater},{'ab'[(case + rater) % 2]}" for case in range(6) for rater in range(2)
    )
    (folder / "annotations.csv").write_text(f"case_id,rater_id,label\n{rows}\n")
    text = html(collect(Contents(folder, "", ("study", "models"))))
    assert "This study has no predictions." in text


@pytest.mark.skipif(chromium() is None, reason="needs Chromium (set LOUPE_CHROMIUM to its path)")
def test_it_is_printed(report: str) -> None:
    """By Chromium, as a PDF of several pages that does not say when: the same page gives the same file."""
    made = pdf(report)
    assert b"Date" not in made[made.index(b"/Producer") :][:200]
    assert made.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", made)) > 3


def test_a_chromium_without_windows_prints_as_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where there is no other."""
    shell = tmp_path / "chromium-headless-shell"
    shell.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LOUPE_CHROMIUM", raising=False)
    assert chromium() == str(shell)


def test_without_chromium_a_pdf_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("LOUPE_CHROMIUM", raising=False)
    with pytest.raises(ValueError, match="install one, name its path in LOUPE_CHROMIUM, or write HTML"):
        pdf("")
