"""Compiled loops over cases on all cores of this computer.

Threads, because a function compiled with ``nogil`` runs without Python's lock and they need no second copy
of the data. numba's own parallel loops do not serve: with the scheduler that comes with numba the process is
aborted when two sessions of the dashboard run one at once, with OpenMP when it has been forked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread, local
from weakref import WeakSet

VARIABLE = "LOUPE_THREADS"
"""Says how many threads of a process may compute at once, 1 or more."""

_PIECES = 4
"""A range is so small a part of a thread's share of what is left: all threads end at about the same time."""

_lock = Lock()
_calls: WeakSet[_Ranges] = WeakSet()
"""Calls of `in_ranges` that this process is at; one that Ctrl+C has torn out of its last line goes too."""

_here = local()


def most_threads() -> int:
    """Threads that may compute at once: what `VARIABLE` says, else one for each core that this process has.

    Where nothing is said, worker processes of Python's `multiprocessing` have one each.

    Raises
    ------
    ValueError
        If the variable is no whole number of 1 or more.
    """
    said = os.environ.get(VARIABLE, "").strip()
    if said:
        if not (said.isascii() and said.isdigit() and int(said) > 0):
            raise ValueError(f"{VARIABLE} must be a whole number of 1 or more, got {said!r}")
        return int(said)
    processes = sys.modules.get("multiprocessing.process")
    if processes is not None and processes.parent_process() is not None:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def one_core_left() -> Iterator[None]:
    """Leave a core free, where there are two, in what this thread does: work that nobody waits for yet."""
    _here.left = 1
    try:
        yield
    finally:
        _here.left = 0


def in_ranges(work: Callable[[int, int], object], n: int, least: int) -> None:
    """Call ``work(begin, end)`` for ranges that together are 0 to n − 1, on all cores that are free.

    Calls at once, one within the other too, divide the cores: each keeps the thread that it comes with, and
    has others only as far as cores are free.

    Parameters
    ----------
    work : callable
        Called from several threads at once; to be of use it releases Python's lock. What it does for one
        number must depend neither on the range nor on other numbers: so the results are the same on any
        number of threads.
    n : int
        How many there are, 0 or more.
    least : int
        Fewer than this many, 1 or more, are not worth a range of their own.

    Raises
    ------
    ValueError
        As `most_threads`.
    BaseException
        The first that ``work`` raised in any thread, or that reached this one, such as KeyboardInterrupt.
        No range is begun after it, and those that were begun have ended.
    """
    _Ranges(work, n, least, max(most_threads() - getattr(_here, "left", 0), 1)).run()


class _Ranges:
    """Ranges that threads take one after the other, and the threads that do."""

    def __init__(self, work: Callable[[int, int], object], n: int, least: int, most: int) -> None:
        self._work, self._n, self._least, self._most = work, n, least, most
        self._next = 0
        self._failure: BaseException | None = None
        self._helpers: list[Thread] = []

    def run(self) -> None:
        """Work on ranges until none is left, with the help of others; raise what any of them failed with."""
        with _lock:
            _calls.add(self)
        try:
            while (taken := self._take()) is not None:
                self._hire()
                self._work(*taken)
        except BaseException as failure:
            self._fail(failure)
        finally:
            for helper in self._helpers:
                if helper.is_alive():
                    helper.join()
            with _lock:
                _calls.discard(self)
        try:
            if self._failure is not None:
                raise self._failure
        finally:
            self._failure = None  # its traceback would keep what `work` holds alive

    def _take(self) -> tuple[int, int] | None:
        """Take the next range: the less is left, the smaller; None where nothing is."""
        with _lock:
            begin, left = self._next, self._n - self._next
            if left <= 0:
                return None
            self._next += min(max(left // (_PIECES * self._most), self._least), left)
            return begin, self._next

    def _hire(self) -> None:
        """Start a thread for each core that is free, as long as there is work for it."""
        with _lock, suppress(RuntimeError):  # the system may allow no more threads
            free = self._most - sum(call._at_work() for call in _calls)
            for _ in range(min(free, self._share() - self._at_work())):
                if self._next < self._n:
                    self._helpers.append(Thread(target=self._help, name="loupe-range", daemon=True))
                    self._helpers[-1].start()

    def _help(self) -> None:
        """Work on ranges until none is left, or until another call needs the core."""
        try:
            while (taken := self._take()) is not None:
                self._work(*taken)
                with _lock:
                    if self._at_work() > self._share():
                        return
        except BaseException as failure:
            self._fail(failure)

    def _at_work(self) -> int:
        """Threads that are at work for this call: the caller's own, and helpers that have not ended."""
        return 1 + sum(helper.is_alive() for helper in self._helpers)

    def _share(self) -> int:
        """Threads that this call may have while others are there too, rounded up."""
        return -(-self._most // len(_calls))

    def _fail(self, failure: BaseException) -> None:
        """Begin no further range."""
        with _lock:
            self._next = self._n
            self._failure = self._failure or failure
