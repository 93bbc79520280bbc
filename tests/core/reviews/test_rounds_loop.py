"""Rounds by the command, in either database, by several people at once."""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.analysis.round_sheet import read_sheet
from core.cli import main
from core.reviews.applied import with_rounds
from core.reviews.in_round import reading_event, round_event
from core.reviews.rounds import rounds_of
from core.reviews.store import ReviewStore
from core.study.reading.folder import read_study

ROWS = "case_id,rater_id,label\n" + "".join(f"c{i},r1,x\nc{i},r2,y\n" for i in range(12))


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve cases."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text('name = "Mine"\n')
    (folder / "annotations.csv").write_text(ROWS)
    return folder


def test_readers_who_bring_sheets_back_at_once_lose_nothing(
    address: str, study: Path, tmp_path: Path
) -> None:
    """Each opens the history for itself; the study with the round has every reading of everybody."""
    cases = [option for i in range(12) for option in ("--case", f"c{i}")]
    sheet = tmp_path / "sheet.csv"
    made = ["--round", "one", *cases, "--author", "Ada", "--out", str(sheet), "--database", address]
    assert main(["review", "round", str(study), *made]) == 0
    with sheet.open(newline="") as lines:
        rows = [*csv.DictReader(lines)]
    filled = tmp_path / "filled.csv"
    with filled.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(row | {"reading": "y", "confidence": "0.75"} for row in rows)
    known = read_study(study)

    def bring_back(reader: int) -> None:
        store = ReviewStore(address)
        rounds = rounds_of(store.events(study_name="Mine"))
        store.append(*read_sheet(filled, known, rounds, f"Reader {reader}").events)
        store.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(bring_back, range(6)))
    events = ReviewStore(address).events(study_name="Mine")
    of = rounds_of(events)["one"]
    assert {reader: how_far.read for reader, how_far in of.progress().items()} == {
        f"Reader {i}": 12 for i in range(6)
    }
    out = tmp_path / "new"
    assert main(["review", "export", str(study), "--out", str(out), "--database", address]) == 0
    new = read_study(out)
    assert new.fingerprint == with_rounds(known, events, readings=["one"]).fingerprint
    assert new.tasks["main"].readings.n_readings == 24 + 72


def test_two_rounds_of_one_name_made_at_once_stay_apart(address: str, study: Path) -> None:
    """Whoever comes second finds the own one under a name of its own."""
    stores = [ReviewStore(address) for _ in range(2)]
    known = read_study(study)
    made = [round_event(known, known.tasks["main"], author, "one", ["c0"]) for author in ("Ada", "Bo")]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda i: stores[i].append(made[i]), range(2)))
    rounds = rounds_of(stores[0].events())
    assert {of.id for of in rounds.values()} == {event.id for event in made}
    assert list(rounds) == ["one", "one (2)"]
    stores[1].append(reading_event(known, known.tasks["main"], rounds["one (2)"], "c0", "Cy", blocks=[["x"]]))
    rounds = rounds_of(stores[0].events())
    assert [of.n_readings for of in rounds.values()] == [0, 1]
