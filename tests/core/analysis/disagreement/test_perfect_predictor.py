"""The simulation of a perfect predictor, its picture and its command."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from shared_data import shared_data

from core.analysis.disagreement.perfect_predictor import perfect_predictor
from core.analysis.disagreement.perfect_predictor_picture import perfect_predictor_svg
from core.cli import main

KEYS = ["labels_per_case", "n_cases", "loss", "estimate"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """All published sizes, 40 studies each."""
    return perfect_predictor(repeats=40)


def test_debiased_losses_are_0_within_their_error(table: pd.DataFrame) -> None:
    """Mimori 2021, fig. 2; of 28 means, none four errors away and at most three two errors away."""
    debiased = table[table["estimate"] == "debiased"]
    away = (debiased["mean"] / debiased["standard_error"]).abs()
    assert len(away) == 28
    assert away.max() < 4
    assert (away > 2).sum() <= 3
    assert (table["truth"] == 0).all()


def test_plug_in_epistemic_loss_does_not_shrink(table: pd.DataFrame) -> None:
    """.167 under two labels and .067 under five, from 100 cases to 10,000."""
    plug_in = table[(table["estimate"] == "plug-in") & (table["loss"] == "epistemic loss")]
    for n_labels, expected in ((2, 0.167), (5, 0.067)):
        rows = plug_in[plug_in["labels_per_case"] == n_labels]
        assert ((rows["mean"] - expected).abs() < 3.5 * rows["standard_error"] + 0.0005).all()
    calibration = table[(table["estimate"] == "plug-in") & (table["loss"] == "calibration loss")]
    assert calibration.groupby("labels_per_case")["mean"].agg(lambda m: m.is_monotonic_decreasing).all()


def test_published_means(table: pd.DataFrame) -> None:
    """Every mean of the published simulation, of ten studies, within the error of the difference."""
    published = pd.read_csv(shared_data("goldens", "mimori_fig2_summary.csv"))
    ours = table.set_index(KEYS)
    names = {"el": "epistemic loss", "cl": "calibration loss"}
    ways = {"plugin": "plug-in", "debias": "debiased"}
    away = []
    for row in published.to_dict("records"):
        for short, loss in names.items():
            for way, estimate in ways.items():
                mine = ours.loc[(row["n"], row["N"], loss, estimate)]
                error = np.hypot(mine["standard_error"], mine["standard_deviation"] / np.sqrt(10))
                away.append((mine["mean"] - row[f"{short}_{way}_mean"]) / error)
    assert len(away) == 56
    assert np.abs(away).max() < 4
    assert np.mean(np.square(away)) < 2


def test_sizes_do_not_move_one_another(table: pd.DataFrame) -> None:
    """A setting has random numbers of its own, from the seed alone."""
    alone = perfect_predictor(labels_per_case=[5], numbers_of_cases=[500], repeats=40)
    same = table[(table["labels_per_case"] == 5) & (table["n_cases"] == 500)].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, same)
    other = perfect_predictor(labels_per_case=[5], numbers_of_cases=[500], repeats=40, seed=1)
    assert not np.isclose(other["mean"], same["mean"], rtol=1e-6).any()


def test_progress_reaches_the_end() -> None:
    """From 0 to 1 in steps."""
    seen: list[float] = []
    perfect_predictor(numbers_of_cases=[10, 20], repeats=2, progress=lambda share, _: seen.append(share))
    assert seen == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ({"labels_per_case": [1]}, "labels_per_case must be 2 or more, got 1"),
        ({"numbers_of_cases": [0]}, "numbers_of_cases must be 1 or more, got 0"),
        ({"repeats": 1}, "repeats must be 2 or more, got 1"),
    ],
)
def test_too_small_numbers_are_refused(option: dict, told: str) -> None:
    """The error says what was allowed and what was given."""
    with pytest.raises(ValueError, match=told):
        perfect_predictor(**option)


def test_the_picture_shows_every_mean(table: pd.DataFrame) -> None:
    """A mark for each row, inside the picture; four panels; lower values lie lower."""
    root = ElementTree.fromstring(perfect_predictor_svg(table))
    space = {"s": "http://www.w3.org/2000/svg"}
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    discs = root.findall("s:circle", space)
    lines = root.findall("s:polyline", space)
    assert len(discs) == 28 + 1
    assert len(lines) == 8
    for line in lines:
        points = np.array([p.split(",") for p in line.get("points", "").split()], float)
        assert points.shape == (7, 2)
        assert (points >= 0).all()
        assert (points <= [width, height]).all()
        assert (np.diff(points[:, 0]) > 0).all()
    # Calibration loss with two labels, plug-in: it falls, so it goes down the page.
    calibration = np.array([p.split(",") for p in lines[2].get("points", "").split()], float)
    assert (np.diff(calibration[:, 1]) > 0).all()
    text = " ".join("".join(t.itertext()) for t in root.findall("s:text", space))
    for part in ("epistemic loss, 2 labels a case", "calibration loss, 5 labels a case", "10,000", "plug-in"):
        assert part in text


def test_the_picture_of_a_single_size() -> None:
    """One number of cases has no span to divide by."""
    svg = perfect_predictor_svg(perfect_predictor(labels_per_case=[2], numbers_of_cases=[50], repeats=2))
    assert "nan" not in svg
    ElementTree.fromstring(svg)


def test_the_command_writes_table_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table is that of Python, beside it where it comes from."""
    out = tmp_path / "new" / "folder"
    command = ["experiment", "perfect-predictor", "--out", str(out), "--repeats", "2", "--seed", "3"]
    assert main(command) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [path.suffix for path in paths] == [".csv", ".svg", ".json"]
    assert {path.stem for path in paths} == {"perfect-predictor"}
    made_by = json.loads(paths[0].with_suffix(".provenance.json").read_text(encoding="utf-8"))
    assert made_by["settings"]["seed"] == "3"
    read = pd.read_csv(paths[0])
    pd.testing.assert_frame_equal(read, perfect_predictor(repeats=2, seed=3), rtol=1e-12)
    ElementTree.parse(paths[1])


def test_the_command_refuses_too_few_repeats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words, with status 1, and writes nothing."""
    assert main(["experiment", "perfect-predictor", "--out", str(tmp_path / "x"), "--repeats", "0"]) == 1
    assert "repeats must be 2 or more, got 0" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
