"""Long work in the background: it goes on while a page shows it, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_urlsafe
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from core.progress import Progress

T = TypeVar("T")
MOST_UNSEEN = 90.0
"""Seconds without a page that shows the work before it ends: a hidden page may speak but once a minute."""


class Stopped(Exception):  # noqa: N818
    """Somebody stopped the work, or nobody waits for it any more."""


class Job(Generic[T]):
    """Long work in the background: it goes on while a page shows it, and can be stopped.

    Parameters
    ----------
    compute : callable
        Does the work; what it is given it calls with the share that is done, and with what it does.

    name : str
        Of the kind of work.
    known : T, optional
        Its result, where that is known from before.

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
    token : str
        Names it among all work, for `find_job`; cannot be guessed.
    """

    def __init__(self, compute: Callable[[Progress], T], name: str = "", known: T | None = None) -> None:
        self._compute, self.name = compute, name
        self.token = token_urlsafe(12)
        _JOBS[self.token] = self
        self.share = 0.0
        self.doing = ""
        self.result = known
        self.failure = ""
        self._stop = Event()
        self._seen = 0.0
        self._left = False
        self._thread: Thread | None = None
        self._lock = Lock()

    def start(self) -> None:
        """Begin, unless it has begun or is done."""
        with self._lock:
            if self.running or self.result is not None:
                return
            self._stop.clear()
            self.show()
            self._left = False
            self.share, self.doing, self.failure = 0.0, "starting", ""
            self._thread = Thread(target=self._run, name="loupe-job", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait so long, at most, for work that has begun to end."""
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def running(self) -> bool:
        """Whether it is at work."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def begun(self) -> bool:
        """Whether it was started, and not given up because no page showed it."""
        return self._thread is not None and not self._left

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked it to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the work at its next step."""
        self._stop.set()

    def show(self) -> None:
        """Say that a page shows it: it is waited for."""
        self._seen = monotonic()

    def _run(self) -> None:
        try:
            self.result = self._compute(self._report)
        except Stopped:
            self.failure = "" if self._left else "stopped"
        except Exception as failure:
            self.failure = str(failure) or type(failure).__name__

    def _report(self, share: float, doing: str) -> None:
        self._left = not self._stop.is_set() and monotonic() - self._seen > MOST_UNSEEN
        if self._left or self._stop.is_set():
            raise Stopped
        self.share, self.doing = share, doing


_JOBS: WeakValueDictionary[str, Job[Any]] = WeakValueDictionary()


def find_job(token: str) -> Job[Any] | None:
    """Return the work that has this token; None where it is no more."""
    return _JOBS.get(token)
