"""Options of commands that take a study in parts, and what they refuse of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import complain
from core.cli.where import given

if TYPE_CHECKING:
    from core.analysis.report_files import Output
    from core.streamed.engine import Engine
    from core.study.partitions.manifest import Partitions

_MAKE = "make them with `loupe partition STUDY TO`"


def add_workers(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Options of a study in parts; those of one command alone can be added to their group."""
    group = command.add_argument_group("of a study in parts, as `loupe partition` makes them")
    group.add_argument(
        "--workers",
        type=count_argument,
        default=1,
        metavar="N",
        help="processes of this computer that share the work, at most one a part; more than 1 take Dask",
    )
    group.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="of a Dask cluster: tcp://HOST:8786"
    )
    return group


def count_argument(text: str) -> int:
    """Parse a whole number of 1 or more."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:6]) < 100_000:
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more, got {text!r}")
    return int(text)


def require_parts(options: argparse.Namespace) -> None:
    """Refuse options of a study in parts where the study is none."""
    for option in ("workers", "scheduler", "labels"):
        if getattr(options, option, "") not in (1, ""):
            raise ValueError(f"--{option} is for a study in parts; {_MAKE}")


def require_possible(refused: Mapping[str, bool]) -> None:
    """Refuse options that a study in parts does not allow, by whether they are given."""
    for option, is_given in refused.items():
        if is_given:
            raise ValueError(f"{option} is not possible with a study in parts; leave it out")


@contextmanager
def parts_of(options: argparse.Namespace, to: Output) -> Iterator[tuple[Partitions, Engine, Path]]:
    """Open a study in parts: the study, who does the work, and a folder for what is kept until the end."""
    from core.streamed.engine import engine
    from core.streamed.files import scratch_beside
    from core.study.partitions.manifest import read_manifest

    require_possible(dict.fromkeys(given(options), True))
    if options.scheduler and options.workers > 1:
        raise ValueError("--workers is for processes of this computer, --scheduler for others; give one")
    study = read_manifest(options.study)
    # The folder goes when all who write into it have ended.
    with (
        scratch_beside(to.folder) as scratch,
        engine(workers=_busy(options.workers, study.n_parts), scheduler=options.scheduler) as workers,
    ):
        yield study, workers, scratch


def _busy(workers: int, n_parts: int) -> int:
    """Processes that have a part to work on; it is said where they are fewer."""
    from core.streamed.engine import require_workers

    require_workers(workers)
    if workers > n_parts:
        begun = "1 worker was" if n_parts == 1 else f"{n_parts:,} workers were"
        complain(f"{begun} begun and not {workers:,}: the study has no more parts")
    return min(workers, n_parts)
