"""Workers that are lost, that fail, or that stand elsewhere; and what is left of the work."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import cloudpickle
import pandas as pd
import pytest

from core.cli import main, sample_folder
from core.plausibility.settings import AggregationChoice
from core.streamed.engine import MOST_WORKERS, engine
from core.streamed.evaluate import StreamedChoice, evaluate_parts
from core.streamed.files import scratch_beside, scratch_in, whole_file
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions

_ROOT = Path(__file__).parents[3]
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # Workers cannot import the tests.


@pytest.fixture(autouse=True)
def _without_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's trial of a page leaves its script for the program that ran, which new processes run too."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A sample in some parts."""
    write_partitions(sample_folder("toy_three_labels"), tmp_path / "parts", cases=50)
    return tmp_path / "parts"


def _started(folder: Path, *command: str) -> subprocess.Popen[str]:
    """A process of Dask that stands in a folder."""
    with (folder / f"{command[0]}.log").open("w") as log:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{command[0]}", *command[1:]],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(_ROOT)},
            stderr=log,
            text=True,
        )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Address and process of a scheduler whose worker stands in another folder than the tests."""
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere" / "scheduler.json"
    told = ("--scheduler-file", str(file))
    local = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = _started(tmp_path / "elsewhere", "scheduler", *told, *local, "--port", "0")
    worker = _started(tmp_path / "elsewhere", "worker", *told, *local, "--nthreads", "1", "--no-nanny")
    try:
        from distributed import Client

        with Client(scheduler_file=str(file), timeout="60s") as client:
            client.wait_for_workers(1, timeout=60)
            address = client.scheduler.address
        yield address, scheduler
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait(20)


def hidden(folder: Path) -> list[str]:
    """Names of what work has left in a folder or below."""
    return sorted(path.name for path in folder.rglob(".*") if path.name.startswith((".loupe-", ".scores-")))


@pytest.mark.slow
def test_a_scheduler_gives_the_same_tables_from_any_folder(
    parts: Path,
    tmp_path: Path,
    cluster: tuple[str, subprocess.Popen[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Paths of this process begin where it stands, and the worker stands elsewhere."""
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "parts", "--out", "alone"]) == 0
    for command in ("evaluate", "raters", "disagreement"):
        assert main([command, "parts", "--out", "tables", "--scheduler", cluster[0]]) == 0
    assert not [path for path in (tmp_path / "elsewhere").iterdir() if path.suffix not in (".log", ".json")]
    assert len(list((tmp_path / "tables" / "evaluate" / "cases").iterdir())) == read_manifest(parts).n_parts
    for path in (tmp_path / "alone" / "evaluate").glob("*.csv"):
        assert path.read_bytes() == (tmp_path / "tables" / "evaluate" / path.name).read_bytes()
    assert not hidden(tmp_path)


@pytest.mark.slow
def test_where_to_work_may_be_said_from_here(
    parts: Path,
    tmp_path: Path,
    cluster: tuple[str, subprocess.Popen[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a notebook too, where no command makes the folders; and it can be stopped between two parts."""
    monkeypatch.chdir(tmp_path)
    asked = StreamedChoice(AggregationChoice())
    shares: list[float] = []
    with engine(scheduler=cluster[0]) as who:
        Path("here").mkdir()
        found = evaluate_parts(
            read_manifest("parts"), asked, Path("here/cases"), who, progress=lambda s, _: shares.append(s)
        )
        assert found.task.readings.n_cases == read_manifest(parts).n_cases

        class Stopped(Exception):  # noqa: N818
            """Nobody waits."""

        def stop(share: float, _what: str) -> None:
            if share > 0.2:
                raise Stopped

        with pytest.raises(Stopped):
            evaluate_parts(read_manifest("parts"), asked, Path("stopped/cases"), who, progress=stop)
    assert shares == sorted(shares)
    assert len(set(shares)) > read_manifest(parts).n_parts
    assert not hidden(tmp_path)


def _wait_or_end(piece: int) -> int:
    """Do the first piece, and be long at the others."""
    time.sleep(0.1 if piece == 0 else 60)
    return piece


@pytest.mark.slow
def test_a_lost_scheduler_is_said_in_a_sentence(
    cluster: tuple[str, subprocess.Popen[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    """With its address and what was left to do; nothing of what Dask says of it."""
    address, scheduler = cluster

    def kill(share: float) -> None:
        if share > 0:
            scheduler.send_signal(signal.SIGKILL)

    with (
        pytest.raises(ValueError, match=rf"the scheduler at {address} was lost with 3 of 4 pieces to do"),
        engine(scheduler=address) as who,
    ):
        who.run(_wait_or_end, 4, kill)
    assert "Traceback" not in capfd.readouterr().err


def _die(_piece: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.slow
def test_a_piece_that_ends_every_worker_is_said_in_a_sentence() -> None:
    """As where a part takes more memory than there is."""
    with (
        pytest.raises(ValueError, match="piece 1 of 1 was given up after 4 workers ended at it, mostly for"),
        engine(workers=2) as who,
    ):
        who.run(_die, 1, lambda _share: None)


def _write_or_fail(folder: Path, piece: int) -> None:
    """Fail as on a full disk, while others go on writing."""
    if piece == 0:
        time.sleep(1)
        raise OSError(errno.ENOSPC, "No space left on device", str(folder))
    for number in range(40):
        whole_file(folder / "kept" / f"{piece}-{number}", lambda path: path.write_text("x" * 1000))
        time.sleep(0.1)


@pytest.mark.slow
def test_nothing_stays_where_one_of_several_workers_fails(tmp_path: Path) -> None:
    """Workers that have not heard of it yet go on for a while; they make no folder anew."""
    with engine(workers=2) as who:
        begin = time.monotonic()
        with pytest.raises(OSError, match="No space left"), scratch_in(tmp_path, prefix=".scores-") as folder:
            who.run(partial(_write_or_fail, folder), 2, lambda _share: None)
        assert time.monotonic() - begin < 20
        time.sleep(1)
        assert not hidden(tmp_path)


def test_the_folder_for_work_begins_at_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the place is said; what was made around it goes as well."""
    monkeypatch.chdir(tmp_path)
    with scratch_beside(Path("out/evaluate")) as beside, scratch_in(Path("out")) as inside:
        assert beside.parent == inside.parent == tmp_path / "out"
    assert not list(tmp_path.iterdir())


def test_work_that_was_given_up_makes_no_folder(tmp_path: Path) -> None:
    """Only the last one, in a folder that is there."""
    whole_file(tmp_path / "kept" / "one", lambda path: path.write_text("x"))
    with pytest.raises(FileNotFoundError):
        whole_file(tmp_path / "gone" / "kept" / "one", lambda path: path.write_text("x"))
    assert not (tmp_path / "gone").exists()


def test_more_workers_than_can_be_are_refused(
    parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And fewer are begun where a study has fewer parts, which is said."""
    command = ["evaluate", str(parts), "--out", str(tmp_path / "out")]
    assert main([*command, "--workers", "9999"]) == 1
    assert f"workers must be from 1 to {MOST_WORKERS} on this computer of" in capsys.readouterr().err
    assert main([*command, "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"]) == 1
    assert "give one" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    write_partitions(sample_folder("toy_three_labels"), tmp_path / "one", cases=9999)
    begun: list[dict[str, Any]] = []

    def noted(**how: Any) -> Any:
        begun.append(how)
        return engine(**how)

    monkeypatch.setattr("core.streamed.engine.engine", noted)
    assert main(["evaluate", str(tmp_path / "one"), "--out", str(tmp_path / "out"), "--workers", "5"]) == 0
    assert begun == [{"workers": 1, "scheduler": ""}]
    assert "1 worker was begun and not 5: the study has no more parts" in capsys.readouterr().err
    assert len(pd.read_csv(tmp_path / "out" / "evaluate" / "facts.csv")) > 5
