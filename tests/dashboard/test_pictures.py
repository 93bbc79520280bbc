"""Pictures of a page saved without a browser: all of them, with their data, as the address says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from toy_pictures import toy_pictures

from core.analysis.columns import PICTURE, find_column, header
from core.cli import main, sample_folder
from dashboard import pictures

ROOT = Path(__file__).parents[2]
TOY, SAMPLE = sample_folder("toy_three_labels"), sample_folder("dermatology_like")


def test_all_pictures_of_a_page_are_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Folded ones too, each with its table and what made both, its settings those of the address."""
    target = tmp_path / "out"
    address = "http://127.0.0.1:8501/cases?study=another&model=label-counts&reliability=3"
    pictures.main([str(TOY), address, "svg", str(target)])
    said = capsys.readouterr().out.split()
    names = {Path(path).stem for path in said}
    assert {"dots", "simplex", "plausibility"} <= names
    assert {path.name for path in target.iterdir()} == {
        "columns.json",
        *(f"{name}{ending}" for name in names for ending in (".svg", ".csv", ".provenance.json")),
    }
    root = ET.parse(target / "dots.svg").getroot()
    described = root.findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert "aggregation model: label-counts" in described
    assert "reliability: 3" in described
    assert "fingerprint: " in described


def undeclared(found: dict[str, tuple[Any, ...]]) -> list[tuple[str, str]]:
    """Columns behind pictures that nothing declares."""
    names = [(name, column) for name, (_, _, table, _) in found.items() for column in header(table)]
    return [(name, column) for name, column in names if not find_column(PICTURE, name, column)]


@pytest.mark.slow
@pytest.mark.parametrize("page", pictures.PAGES)
def test_every_column_behind_a_picture_is_declared(page: str) -> None:
    """Of the pictures that each page opens with."""
    assert undeclared(toy_pictures(page)) == []


def test_work_is_waited_for_and_panels_are_opened(tmp_path: Path) -> None:
    """Models by the second metric: what is folded on the page is drawn as well."""
    found = pictures.drawn(TOY, "/models?measure=accuracy")
    assert {"rank-slope", "best-models", "soft-labels"} <= set(found)
    assert undeclared(found) == []
    assert "low_over_source" in found["best-models"][2]
    assert all(dict(provenance)["measure"] == "accuracy" for *_, provenance in found.values())


def test_the_faces_of_a_tetrahedron_are_saved_once() -> None:
    """What is drawn small beside the live picture is what that is saved as."""
    found = pictures.drawn(SAMPLE, "/cases?case=derm-004&model=prirn&corners=4")
    assert [name for name in found if name in {"tetrahedron", "faces"}] == ["tetrahedron"]


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("/nowhere", "expected the address of a page with pictures, /study, .*got '/nowhere'"),
        ("/cases?reliability=many", "The address asks for reliability “many”"),
        ("/cases?colour=red", "names “colour”, which means nothing here"),
        ("/cases?case=none", "none"),
        ("/study?where=z+%3E+1", "The condition: At character 1: a column of cases.csv"),
    ],
)
def test_an_address_that_cannot_be_shown_is_refused(link: str, words: str) -> None:
    """Nothing else is drawn in its place."""
    with pytest.raises(ValueError, match=words):
        pictures.drawn(TOY, link)


@pytest.mark.slow
def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It writes into a folder of its own, replaces its own work where that is allowed, and nothing else.

    Started as a person does, once; and then in this process.
    """
    picture = ["picture", str(TOY), "--link", "/study", "--out", "out"]
    command = [sys.executable, "-m", "core", *picture, "--kind", "png"]
    given = os.environ | {"PYTHONPATH": str(ROOT)}
    first = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False)
    assert (first.returncode, first.stderr) == (0, "")
    written = [tmp_path / line for line in first.stdout.splitlines()]
    assert written
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)

    def become(module: str, *given: str) -> int:
        assert module == "dashboard.pictures"
        try:
            pictures.main(given)
        except SystemExit as ended:
            # A text is said, and the status is then 1, as Python ends with it.
            sys.stderr.write(f"{ended.code}\n")
            return 1 if isinstance(ended.code, str) else int(ended.code or 0)
        return 0

    monkeypatch.setattr("core.cli.shown._become", become)
    monkeypatch.chdir(tmp_path)
    assert main(picture) == 1
    assert "holds files; give --overwrite" in capsys.readouterr().err
    assert main([*picture, "--overwrite"]) == 0
    endings = {path.suffix for path in (tmp_path / "out" / "picture").iterdir()}
    assert endings == {".svg", ".csv", ".json", ".toml"}
