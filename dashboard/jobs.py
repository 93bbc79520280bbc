"""Long work in the background: it goes on while the page is used, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from core.analysis.sweep import Progress

T = TypeVar("T")


class Stopped(Exception):  # noqa: N818
    """Somebody stopped the work."""


class Job(Generic[T]):
    """Long work in the background: it goes on while the page is used, and can be stopped.

    Attributes
    ----------
    share : float
        Of the work done, in [0, 1].
    doing : str
        What is being done.
    result : T or None
        None until the work is done.
    failure : str
        Why it ended without a result, in plain words; empty otherwise.
    """

    def __init__(self) -> None:
        self.share = 0.0
        self.doing = ""
        self.result: T | None = None
        self.failure = ""
        self._stop = Event()
        self._thread: Thread | None = None
        self._lock = Lock()

    def start(self, compute: Callable[[Progress], T]) -> None:
        """Begin, unless it has begun or is done."""
        with self._lock:
            if self.running or self.result is not None:
                return
            self._stop.clear()
            self.share, self.doing, self.failure = 0.0, "starting", ""
            self._thread = Thread(target=self._run, args=(compute,), name="loupe-job", daemon=True)
            self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is at work."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def begun(self) -> bool:
        """Whether anybody has started it."""
        return self._thread is not None

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked it to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the work at its next step."""
        self._stop.set()

    def _run(self, compute: Callable[[Progress], T]) -> None:
        try:
            self.result = compute(self._report)
        except Stopped:
            self.failure = "stopped"
        except Exception as failure:
            self.failure = str(failure) or type(failure).__name__

    def _report(self, share: float, doing: str) -> None:
        if self._stop.is_set():
            raise Stopped
        self.share, self.doing = share, doing
