"""Long work goes on while a page shows it, and no longer."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from starlette.requests import Request
from streamlit.testing.v1 import AppTest

from core.progress import Progress
from dashboard.shell import jobs
from dashboard.shell.jobs import MOST_UNSEEN, Job
from dashboard.shell.progress import ROUTES


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


class Work:
    """Work of many steps, each of which waits to be let go on."""

    def __init__(self) -> None:
        self.steps, self.left = 0, 100
        self._go_on, self._waits = Event(), Event()

    def __call__(self, progress: Progress) -> str:
        """Do it."""
        for _ in range(self.left):
            self._waits.set()
            assert self._go_on.wait(10)
            self._go_on.clear()
            progress(0.1, "at work")
            self.steps += 1
        return "done"

    def step(self) -> None:
        """Let it do one step; return when it waits again or has ended."""
        assert self._waits.wait(10)
        self._waits.clear()
        self._go_on.set()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which work knows how long nobody has seen it."""
    clock = Clock()
    monkeypatch.setattr(jobs, "monotonic", clock)
    return clock


def becomes(condition: Callable[[], bool]) -> bool:
    """Wait until something is so."""
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def test_work_that_is_shown_goes_on(clock: Clock) -> None:
    """However long it takes, work goes on while a page shows it now and then."""
    work = Work()
    job = Job[str](work)
    job.start()
    for _ in range(5):
        clock.now += MOST_UNSEEN
        job.show()
        clock.now += MOST_UNSEEN
        work.step()
    assert becomes(lambda: work.steps == 5)
    assert job.running
    job.stop()
    work.step()


def test_work_that_nobody_waits_for_ends_and_begins_again(clock: Clock) -> None:
    """Unseen for long, it ends without a failure; whoever comes back to it starts it anew."""
    work = Work()
    job = Job[str](work)
    job.start()
    clock.now += MOST_UNSEEN + 1
    work.step()
    assert becomes(lambda: not job.running)
    assert (job.result, job.failure, work.steps) == (None, "", 0)
    assert not job.begun
    assert not job.stopped
    work.left = 0
    job.start()
    assert becomes(lambda: job.result == "done")
    assert job.begun


def test_work_that_was_stopped_does_not_begin_by_itself(clock: Clock) -> None:
    """What a person stops stays stopped, however long ago it was seen."""
    work = Work()
    job = Job[str](work)
    job.start()
    job.stop()
    clock.now += MOST_UNSEEN + 1
    work.step()
    assert becomes(lambda: not job.running)
    assert job.begun
    assert job.failure == "stopped"


def _page(job: object) -> None:
    from dashboard.shell.progress import watch

    watch(job, "Measuring", key="test")  # type: ignore[arg-type]


def test_a_page_that_shows_work_keeps_it_going(clock: Clock) -> None:
    """Each time the page says how far the work is, the work counts as seen."""
    work = Work()
    job = Job[str](work)
    job.start()
    clock.now += MOST_UNSEEN
    page = AppTest.from_function(_page, kwargs={"job": job}).run()
    assert page.button(key="stop-test").label == "Stop"
    clock.now += MOST_UNSEEN
    work.step()
    assert becomes(lambda: work.steps == 1)
    page.button(key="stop-test").click().run()
    assert job.stopped
    work.step()


def _ask(token: str) -> tuple[int, dict[str, object]]:
    """What the server answers a bar that asks how far some work is."""
    request = Request({"type": "http", "path_params": {"token": token}})
    # In a thread of its own: a browser that other tests have started keeps a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(asyncio.run, ROUTES[0].endpoint(request)).result()
    return answer.status_code, json.loads(answer.body or "{}")


def test_the_server_tells_how_far_work_is_and_counts_it_as_seen(clock: Clock) -> None:
    """The bar on a page asks by the work's token; work that is no more, or never was, is not found."""
    work = Work()
    job = Job[str](work)
    job.start()
    work.step()
    assert becomes(lambda: work.steps == 1)
    clock.now += MOST_UNSEEN
    assert _ask(job.token) == (200, {"running": True, "doing": "at work", "share": 0.1})
    other = Job[str](Work())
    # Of several it tells how far the first is, and whether any of them has ended.
    assert _ask(f"{job.token}.{other.token}") == (200, {"running": False, "doing": "at work", "share": 0.1})
    assert _ask(f"{job.token}.{job.token}")[1]["running"]
    assert _ask(f"{job.token}.none")[0] == 404
    clock.now += MOST_UNSEEN
    work.step()
    assert becomes(lambda: work.steps == 2)
    job.stop()
    work.step()
    job._thread.join(10)  # type: ignore[union-attr]
    assert _ask(job.token)[1]["running"] is False
    assert _ask("unknown") == (404, {})


def test_work_that_is_forgotten_is_not_found() -> None:
    """Its token keeps no work alive."""
    token = Job[str](Work()).token
    gc.collect()
    assert _ask(token) == (404, {})
