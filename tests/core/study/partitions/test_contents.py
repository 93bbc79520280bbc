"""Parts that are not what they were when they were made are refused, by name; no number comes of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main
from core.streamed.aggregates import aggregates_folder, are_counted
from core.study.partitions.contents import marks_of
from core.study.partitions.manifest import read_manifest, write_manifest
from core.study.partitions.reading import read_part
from core.study.partitions.writing import write_partitions
from core.study.problems import StudyError

CASES, PART = 30, 10
SECOND = Path("parts") / "part-00001"


def write_study(folder: Path, *, tasks: int = 1) -> Path:
    """Each part has labels that the others do not have; a model predicts the first task."""
    names = ["main", "other"][:tasks]
    rows = [
        (f"c{case:02d}", f"r{rater}", task, f"L{case // PART}{rater % 2}")
        for case in range(CASES)
        for rater in range(3)
        for task in names
    ]
    frame = pd.DataFrame(rows, columns=["case_id", "rater_id", "task", "label"])
    folder.mkdir()
    (frame if tasks > 1 else frame.drop(columns="task")).to_csv(folder / "annotations.csv", index=False)
    labels = sorted(frame["label"].unique())
    model = pd.DataFrame({"case_id": [f"c{case:02d}" for case in range(CASES)]})
    model[labels] = 1 / len(labels)
    place = folder / "predictions" / ("main" if tasks > 1 else "")
    place.mkdir(parents=True)
    model.to_csv(place / "Net.csv", index=False)
    described = [f'[tasks.{name}]\nkind = "choice"\n' for name in names]
    (folder / "study.toml").write_text("".join(described))
    return folder


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Three parts of a study."""
    write_partitions(write_study(tmp_path / "study"), tmp_path / "parts", cases=PART)
    return tmp_path / "parts"


def listed_anew(folder: Path) -> None:
    """Write the list of parts as whoever makes parts by other means would."""
    write_manifest(folder, (PART,) * 3, {"main": ("Net",)})


def test_labels_are_listed_over_all_parts(tmp_path: Path) -> None:
    """Also where the settings list them, of one task or several; the order is that of the settings."""
    one = write_study(tmp_path / "one")
    write_partitions(one, tmp_path / "parts", cases=PART)
    found = read_manifest(tmp_path / "parts")
    assert found.labels == {"main": ("L00", "L01", "L10", "L11", "L20", "L21")}
    assert {read_part(found, part).tasks["main"].labels for part in range(3)} == {found.labels["main"]}
    two = write_study(tmp_path / "two", tasks=2)
    listed = '"L21", "L20", "L11", "L10", "L01", "L00"'
    described = [f'[tasks.{name}]\nkind = "choice"\nlabels = [{listed}]\n' for name in ("main", "other")]
    (two / "study.toml").write_text("".join(described))
    write_partitions(two, tmp_path / "both", cases=PART)
    table = pd.read_csv(tmp_path / "both" / "labels.csv")
    assert table["task"].tolist() == ["main"] * 6 + ["other"] * 6
    assert table["label"].tolist() == ["L21", "L20", "L11", "L10", "L01", "L00"] * 2
    assert read_part(read_manifest(tmp_path / "both"), 2).tasks["other"].labels[0] == "L21"


def test_a_task_whose_labels_nothing_lists_is_not_divided(tmp_path: Path) -> None:
    """A label table of one task alone leaves the other's labels to what a part happens to have."""
    study = write_study(tmp_path / "study", tasks=2)
    table = pd.DataFrame({"task": "main", "label": [f"L{i}{j}" for i in range(3) for j in range(2)]})
    table.to_csv(study / "labels.csv", index=False)
    with pytest.raises(StudyError, match=r"labels.csv: it does not list the labels of other, nor does study"):
        write_partitions(study, tmp_path / "parts", cases=PART)
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("command", ["evaluate", "raters", "disagreement"])
def test_without_its_label_table_a_study_is_refused(
    parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Each part would number its labels by itself; compiled loops would count beyond the last."""
    (parts / "labels.csv").unlink()
    assert main([command, str(parts), "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "labels.csv: there is no such file, and study.toml does not list the labels of main" in said
    assert not (tmp_path / "out").exists()


def test_labels_of_a_part_are_those_of_all(parts: Path) -> None:
    """Even where the study was opened with another order of them."""
    found = read_manifest(parts)
    object.__setattr__(found, "labels", {"main": tuple(reversed(found.labels["main"]))})
    with pytest.raises(StudyError, match=r"parts/part-00001: expected the labels of the task .main. of all"):
        read_part(found, 1)


def _without_model(folder: Path) -> None:
    (folder / SECOND / "predictions" / "Net.parquet").unlink()


def _longer(folder: Path) -> None:
    with (folder / SECOND / "annotations.parquet").open("ab") as opened:
        opened.write(b"more")


MISSING: dict[Callable[[Path], None], str] = {
    _without_model: "parts/part-00001/predictions/Net.parquet: the file is not there. Put it back",
    _longer: "parts/part-00001/annotations.parquet: expected ",
}


@pytest.mark.parametrize("fault", MISSING, ids=lambda fault: fault.__name__)
def test_a_study_that_lacks_files_is_not_opened(
    fault: Callable[[Path], None], parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a file is gone or has another size; also while the study is being read."""
    found = read_manifest(parts)
    fault(parts)
    with pytest.raises(StudyError, match=MISSING[fault]):
        read_part(found, 1)
    assert main(["evaluate", str(parts), "--out", str(tmp_path / "out")]) == 1
    assert MISSING[fault] in capsys.readouterr().err


def test_contents_of_a_part_are_compared(parts: Path) -> None:
    """A file of the same size with another byte, and one that came later; of models where they are read."""
    found = read_manifest(parts)
    path = parts / SECOND / "predictions" / "Net.parquet"
    written = bytearray(path.read_bytes())
    written[len(written) // 2] ^= 1
    path.write_bytes(written)
    found = read_manifest(parts)
    with pytest.raises(
        StudyError, match=r"parts/part-00001/predictions/Net.parquet: the file does not hold what it did"
    ):
        read_part(found, 1)
    assert read_part(found, 1, readings_only=True).n_cases == PART
    (parts / SECOND / "predictions" / "Late.parquet").write_bytes(path.read_bytes())
    with pytest.raises(StudyError, match=r"predictions/Late.parquet: the file came after the parts were"):
        read_part(found, 1, readings_only=True)


@pytest.mark.parametrize("file", ["labels.csv", "study.toml", "parts.json"])
def test_what_all_parts_share_may_not_change_meanwhile(parts: Path, file: str) -> None:
    """Parts read before would have had another; between two commands it is another study."""
    found = read_manifest(parts)
    assert read_part(found, 0).n_cases == PART
    lines = (parts / file).read_text().splitlines()
    changed = [lines[0], *reversed(lines[1:])] if file == "labels.csv" else [*lines, ""]
    (parts / file).write_text("\n".join([*changed, ""]))
    with pytest.raises(StudyError, match=f"{file}: the file has changed since the study was opened"):
        read_part(found, 1)
    again = read_manifest(parts)
    assert again.fingerprint != found.fingerprint
    assert read_part(again, 1).n_cases == PART


def test_what_was_counted_of_other_contents_is_not_shown(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change of the settings, of the labels, or of what parts hold."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    before = read_manifest(parts)
    assert main(["evaluate", str(parts), "--out", str(aggregates_folder(before))]) == 0
    assert are_counted(read_manifest(parts))
    settings = (parts / "study.toml").read_text()
    (parts / "study.toml").write_text("seed = 5\n" + settings)
    assert not are_counted(read_manifest(parts))
    (parts / "study.toml").write_text(settings)
    assert are_counted(read_manifest(parts))
    with (parts / "labels.csv").open("a") as opened:
        opened.write("L99\n")
    assert not are_counted(read_manifest(parts))


def test_parts_of_an_earlier_version_are_to_be_made_again(
    parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing says what their files held."""
    older = {"version": 1, "cases": [10, 10, 10], "models": {"main": ["Net"]}, "fingerprint": "x"}
    (parts / "parts.json").write_text(json.dumps(older))
    assert main(["evaluate", str(parts), "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "expected version 2, got 1, which an earlier Loupe wrote" in said
    assert "Make the parts again with `loupe partition`" in said


def test_tasks_of_the_list_are_those_of_the_settings(parts: Path) -> None:
    """In both directions."""
    (parts / "study.toml").write_text('[tasks.renamed]\nkind = "choice"\n')
    with pytest.raises(
        StudyError,
        match=r'parts.json: expected models of the tasks renamed, got "main", which study.toml does not '
        r'describe; no task "renamed", which study.toml describes',
    ):
        read_manifest(parts)


def test_problems_in_predictions_name_the_part(parts: Path) -> None:
    """Of which there may be hundreds with a file of this name."""
    path = parts / SECOND / "predictions" / "Net.parquet"
    frame = pd.read_parquet(path)
    frame.loc[0, "L00"] = "often"
    frame.to_parquet(path)
    listed_anew(parts)
    with pytest.raises(StudyError, match=r"parts/part-00001/predictions/Net.parquet, row 2, column L00"):
        read_part(read_manifest(parts), 1)


def test_marks_are_of_tables_alone(parts: Path) -> None:
    """Hidden files, and what is no table, are not read either."""
    (parts / SECOND / ".hidden.csv").write_text("x")
    (parts / SECOND / "notes.txt").write_text("x")
    assert list(marks_of(parts / SECOND)) == [
        "annotations.parquet",
        "cases.parquet",
        "predictions/Net.parquet",
    ]
    assert read_part(read_manifest(parts), 1).n_cases == PART
