"""Who does the work: this process, processes of this computer, or a cluster; with Dask where several do."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")
_CONFIG = {
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.comm.timeouts.connect": "120s",
    "distributed.nanny.pre-spawn-environ": {
        "MALLOC_TRIM_THRESHOLD_": 2**29,
        "MALLOC_MMAP_THRESHOLD_": 2**25,
        **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), 1),
    },
}
"""Of workers: a busy computer may take long to start one; results are small, and are not written to the disk;
memory is kept for the next part.

Given back to the system after each array, as Dask has it, memory has to be cleared again each time.
"""
MOST_WORKERS = max(16, 4 * (os.cpu_count() or 1))
"""Processes of this computer: more only take memory and time from each other."""
_INSTALL = 'several workers need Dask: pip install "diamond-loupe[cluster]"'


class Engine(Protocol):
    """Does pieces of work that are numbered from 0."""

    def run(self, work: Callable[[int], Result], count: int, tell: Callable[[float], None]) -> list[Result]:
        """Results of all pieces in their order; ``tell`` hears the share done."""


class _Here:
    """One piece after the other, in this process."""

    def run(self, work: Callable[[int], Result], count: int, tell: Callable[[float], None]) -> list[Result]:
        """See `Engine.run`."""
        found = []
        for piece in range(count):
            tell(piece / count)
            found.append(work(piece))
        tell(1.0)
        return found


class _Cluster:
    """Workers of a Dask cluster.

    What a piece comes to is put together here and not by the workers: a part of a study answers with some
    ten to hundred thousand bytes, whatever its cases, so that those of 800 parts are less than the cases of
    one, and their sum takes milliseconds. What grows with the cases stays in files that all can read.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster.
    name : str
        What to call it where it is lost.
    """

    def __init__(self, client: Any, name: str) -> None:
        self._client, self._name = client, name

    def run(self, work: Callable[[int], Result], count: int, tell: Callable[[float], None]) -> list[Result]:
        """See `Engine.run`; a piece whose worker is lost is done again by another.

        Raises
        ------
        ValueError
            If the scheduler is lost, or one piece has lost several workers.
        """
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        tell(0.0)
        futures = self._client.map(work, range(count), pure=False)
        place = {future.key: piece for piece, future in enumerate(futures)}
        found: list[Any] = [None] * count
        try:
            for done, (future, result) in enumerate(as_completed(futures, with_results=True), start=1):
                if isinstance(result, BaseException):  # It is given back where nobody can do the piece.
                    what = f"{self._name} was lost with {count - done + 1:,} of {count:,} pieces to do"
                    raise ValueError(f"{what}; start it again, and run the command again")
                found[place[future.key]] = result
                future.release()
                tell(done / count)
        except KilledWorker as error:
            which = "" if error.task not in place else f" {place[error.task] + 1:,} of {count:,}"
            raise ValueError(
                f"piece{which} was given up after {error.allowed_failures + 1} workers ended at it, mostly "
                "for want of memory; take fewer workers, or smaller parts"
            ) from error
        except BaseException:
            with suppress(Exception):  # Nothing is left to be cancelled where the scheduler is lost.
                self._client.cancel(futures)
            raise
        return found


@contextmanager
def engine(*, workers: int = 1, scheduler: str = "") -> Iterator[Engine]:
    """Offer an engine, and end what was begun for it.

    Parameters
    ----------
    workers : int
        Processes of this computer, at most `MOST_WORKERS`; with 1 this process does all.
    scheduler : str
        Address of a Dask scheduler, such as tcp://host:8786, whose workers have the same version of Loupe and
        see the same folders under the same paths.

    Raises
    ------
    ValueError
        If Dask is not installed, the scheduler does not answer, or its versions differ; for too many workers.
    """
    require_workers(workers)
    if not scheduler and workers == 1:
        yield _Here()
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ValueError(_INSTALL) from error
    import dask

    with dask.config.set(_CONFIG), _silent():
        if scheduler:
            try:
                client = Client(scheduler, timeout="10s")
            except (OSError, ValueError) as error:
                what = f"no Dask scheduler answers at {scheduler} ({str(error)[:200]})"
                raise ValueError(f"{what}; start one with `dask scheduler`") from error
            with client:
                _require_same(client)
                yield _Cluster(client, f"the scheduler at {scheduler}")
            return
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                silence_logs=50,
            ) as cluster,
            Client(cluster) as client,
        ):
            yield _Cluster(client, "the scheduler of the workers")


def require_workers(workers: int) -> None:
    """Refuse a number of processes that this computer cannot have.

    Raises
    ------
    ValueError
        Saying how many it can.
    """
    if not 1 <= workers <= MOST_WORKERS:
        processors = os.cpu_count() or 1
        raise ValueError(
            f"workers must be from 1 to {MOST_WORKERS} on this computer of {processors:,} processors, got "
            f"{workers:,}; for more take a cluster (--scheduler)"
        )


@contextmanager
def _silent() -> Iterator[None]:
    """Leave it to one sentence to say what was lost."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]
    before = {log: log.level for log in map(logging.getLogger, names)}
    for log in before:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in before.items():
            log.setLevel(level)


def _version() -> str:
    """Version of Loupe, asked of a worker."""
    import core

    return core.__version__


def _require_same(client: Any) -> None:
    """Refuse a cluster without workers, or with another version of Loupe."""
    here = _version()
    try:
        there = client.run(_version)
    except ModuleNotFoundError as error:
        raise ValueError(f"the workers of the scheduler lack Loupe {here}; install it there") from error
    if not there:
        raise ValueError("the scheduler has no workers; start some with `dask worker`")
    other = sorted({version for version in there.values() if version != here})
    if other:
        raise ValueError(f"workers have Loupe {', '.join(other)}, and this is {here}; install the same")
