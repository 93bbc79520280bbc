"""Who does the work: this process, processes of this computer, or a cluster; with Dask where several do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")
_RETRIES = 3
"""How often a piece of work is tried again where its worker is lost."""
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
    """Workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, work: Callable[[int], Result], count: int, tell: Callable[[float], None]) -> list[Result]:
        """See `Engine.run`; a piece whose worker is lost is done again by another."""
        from distributed import as_completed

        tell(0.0)
        futures = self._client.map(work, range(count), pure=False, retries=_RETRIES)
        place = {future.key: piece for piece, future in enumerate(futures)}
        found: list[Any] = [None] * count
        try:
            for done, (future, result) in enumerate(as_completed(futures, with_results=True), start=1):
                found[place[future.key]] = result
                future.release()
                tell(done / count)
        except BaseException:
            self._client.cancel(futures)
            raise
        return found


@contextmanager
def engine(*, workers: int = 1, scheduler: str = "") -> Iterator[Engine]:
    """Offer an engine, and end what was begun for it.

    Parameters
    ----------
    workers : int
        Processes of this computer; with 1 this process does all.
    scheduler : str
        Address of a Dask scheduler, such as tcp://host:8786, whose workers have the same version of Loupe and
        see the same folders under the same paths.

    Raises
    ------
    ValueError
        If Dask is not installed, the scheduler does not answer, or its versions differ.
    """
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, got {workers}")
    if not scheduler and workers == 1:
        yield _Here()
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ValueError(_INSTALL) from error
    import dask

    with dask.config.set(_CONFIG):
        if scheduler:
            try:
                client = Client(scheduler, timeout="10s")
            except (OSError, ValueError) as error:
                what = f"no Dask scheduler answers at {scheduler} ({str(error)[:200]})"
                raise ValueError(f"{what}; start one with `dask scheduler`") from error
            with client:
                _require_same(client)
                yield _Cluster(client)
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
            yield _Cluster(client)


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
