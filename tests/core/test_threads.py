"""Ranges of cases on several threads: each once, never more threads than allowed, and failures stop all."""

from __future__ import annotations

import multiprocessing.process
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from core import threads
from core.threads import VARIABLE, in_ranges, most_threads, one_core_left
from dashboard.shell.jobs import Job, Stopped

N = 300


class Recorder:
    """Notes which numbers were worked on, by how many threads, and how many of them at once."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.done: list[int] = []
        self.by: set[int] = set()
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()

    def __call__(self, begin: int, end: int) -> None:
        """Work on a range."""
        with self.lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            self.by.add(threading.get_ident())
        time.sleep(self.seconds)
        with self.lock:
            self.at_once -= 1
            self.done.extend(range(begin, end))


@pytest.fixture(params=[1, 2, 3])
def n_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """So many threads are allowed."""
    monkeypatch.setenv(VARIABLE, str(request.param))
    return int(request.param)


@pytest.fixture(autouse=True)
def _none_left_counted() -> Iterator[None]:
    """However a call ends, soon its threads have too, and nothing counts it any more."""
    yield
    until = time.monotonic() + 10
    while any(thread.name == "loupe-range" for thread in threading.enumerate()) and time.monotonic() < until:
        time.sleep(0.01)
    assert not [thread for thread in threading.enumerate() if thread.name == "loupe-range"]
    assert not threads._calls


@pytest.mark.parametrize(("n", "least"), [(0, 1), (1, 1), (7, 3), (N, 1), (N, 40), (N, 1000)])
def test_every_number_once(n: int, least: int, n_threads: int) -> None:
    """Ranges overlap nowhere and leave nothing out, and no more threads work than are allowed."""
    work = Recorder()
    in_ranges(work, n, least)
    assert sorted(work.done) == list(range(n))
    assert work.most_at_once <= n_threads


def test_as_many_threads_as_are_allowed(n_threads: int) -> None:
    """All of them work; on one thread it is the caller's."""
    work = Recorder(0.002)
    in_ranges(work, N, 1)
    assert work.most_at_once == len(work.by) == n_threads
    assert threading.get_ident() in work.by


def test_few_cases_start_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single range is the caller's own."""
    monkeypatch.setenv(VARIABLE, "3")
    work = Recorder()
    in_ranges(work, 8, 8)
    assert work.by == {threading.get_ident()}


@pytest.mark.parametrize("where", ["caller", "helper"])
@pytest.mark.parametrize("failure", [ZeroDivisionError("of a case"), Stopped(), KeyboardInterrupt()])
def test_a_failure_in_one_range_stops_all(
    failure: BaseException, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reaches the caller as it is; no range begins after it, and none is still at work."""
    monkeypatch.setenv(VARIABLE, "3")
    caller = threading.get_ident()
    begun, working = [], []
    failed = threading.Event()

    def work(begin: int, end: int) -> None:
        begun.append((begin, failed.is_set()))
        working.append(begin)
        try:
            if (threading.get_ident() == caller) == (where == "caller"):
                failed.set()
                raise failure
            failed.wait(10)
            time.sleep(0.05)
        finally:
            working.remove(begin)

    with pytest.raises(type(failure)) as raised:
        in_ranges(work, 1000, 1)
    assert raised.value is failure
    assert not working
    # Those that were just being taken when it failed are the only ones.
    assert len(begun) <= 2 * 3


def test_ctrl_c_while_others_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the work after the ranges at hand, not after all of them."""
    monkeypatch.setenv(VARIABLE, "2")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main_thread, done, pressed = threading.main_thread(), [], []

    def work(begin: int, end: int) -> None:
        done.append(begin)
        if threading.current_thread() is not main_thread and not pressed:
            pressed.append(begin)
            signal.raise_signal(signal.SIGINT)
        time.sleep(0.01)

    try:
        with pytest.raises(KeyboardInterrupt):
            in_ranges(work, 2000, 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(done) < 100


def test_stopped_work_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job whose ranges report is stopped at the next of them, in whichever thread."""
    monkeypatch.setenv(VARIABLE, "2")
    begun = threading.Event()
    ranges = []

    def compute(report: Callable[[float, str], None]) -> int:
        def work(begin: int, end: int) -> None:
            ranges.append(begin)
            begun.set()
            time.sleep(0.01)
            report(begin / 5000, "sampling")

        in_ranges(work, 5000, 1)
        return 1

    job = Job(compute)
    job.start()
    assert begun.wait(10)
    job.stop()
    job.wait(10)
    assert (job.running, job.result, job.failure) == (False, None, "stopped")
    assert len(ranges) < 100


def test_two_callers_divide_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both get all of their own numbers; helpers of the first leave as the second comes."""
    monkeypatch.setenv(VARIABLE, "3")
    both = Recorder(0.005)
    results = [Recorder(), Recorder()]

    def call(result: Recorder) -> None:
        def work(begin: int, end: int) -> None:
            both(begin, end)
            result(begin, end)

        in_ranges(work, N, 1)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(call, results))
    for result in results:
        assert sorted(result.done) == list(range(N))
    # For the range at hand a helper of the first may work beside the second.
    assert both.most_at_once <= 3 + 1


def test_calls_within_calls(n_threads: int) -> None:
    """They wait for no thread that waits for them, and have no more threads than cores."""
    inner = Recorder(0.001)
    in_ranges(lambda begin, end: [in_ranges(inner, 5, 1) for _ in range(begin, end)], 20, 1)
    assert sorted(inner.done) == sorted(list(range(5)) * 20)
    assert inner.most_at_once <= n_threads + 1


def test_a_core_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the thread that says so, as long as it does; one thread is always there."""
    work = Recorder(0.002)
    for allowed, used in ((3, 2), (1, 1)):
        monkeypatch.setenv(VARIABLE, str(allowed))
        work = Recorder(0.002)
        with one_core_left():
            in_ranges(work, N, 1)
        assert work.most_at_once == used
        in_ranges(work, N, 1)
        assert work.most_at_once == allowed


def test_a_system_that_allows_no_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller does all of the work."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv(VARIABLE, "3")
    monkeypatch.setattr(threading.Thread, "start", refuse)
    work = Recorder()
    in_ranges(work, N, 1)
    assert sorted(work.done) == list(range(N))
    assert work.by == {threading.get_ident()}


def test_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable says it, else the cores of this process; a worker process has one."""
    monkeypatch.delenv(VARIABLE, raising=False)
    if sys.platform == "linux":
        assert most_threads() == len(os.sched_getaffinity(0))
    monkeypatch.setattr(multiprocessing.process, "parent_process", lambda: "somebody")
    assert most_threads() == 1
    monkeypatch.setenv(VARIABLE, " 5 ")
    assert most_threads() == 5


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5", "²"])
def test_a_wrong_number_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name of the variable and what it takes."""
    monkeypatch.setenv(VARIABLE, said)
    with pytest.raises(ValueError, match=f"{VARIABLE} must be a whole number of 1 or more, got '{said}'"):
        most_threads()
