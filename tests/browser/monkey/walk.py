"""Random walks over the dashboard in two tabs, what they find, and scripts that run them again."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from browser.monkey import rules
from browser.monkey.choosing import choose
from browser.monkey.seen import RUNNING, SEEN, WATCH, Target, targets
from browser.monkey.steps import KEY_PAUSE, Step, perform

T = TypeVar("T")
N_TABS = 2
REST_EVERY = 10
"""Steps between two looks at a page at rest."""
_OVERTAKEN_DOWNLOAD = re.compile(
    r"Error executing deferred callable .*\nTraceback.*\n(?:[ \t].*\n)*"
    r".*MediaFileStorageError: Deferred file \w+ not found"
)
"""A file was asked for by a button that the page had replaced by then: the new button gives it."""
MOST_WAIT = 120.0
"""Seconds that a page may take to come to rest, long work aside; it runs beside other tests."""
QUIET = 0.2
"""Seconds without a word from or to the server that make a page quiet."""
MOST_HEAP, MOST_MEMORY = 500, 4000
"""MB that a page's scripts, and the server, may hold."""
MB = 1e6


class Fault(AssertionError):  # noqa: N818
    """Something that must hold does not."""


@dataclass(frozen=True)
class Server:
    """The dashboard that is walked over.

    Attributes
    ----------
    url : str
        Its address.
    log : Path
        What it writes.
    process : int
        Its number.
    """

    url: str
    log: Path
    process: int
    _told: list[int] = field(default_factory=lambda: [0])

    def faults(self) -> list[str]:
        """What it complained of since it was last asked, and whether it holds too much memory."""
        log = self.log.read_text(errors="replace")[self._told[0] :]
        length = len(log)
        log = _OVERTAKEN_DOWNLOAD.sub("", log)
        found = [log[log.index("Traceback") :][:3000]] if "Traceback" in log else []
        self._told[0] += length
        memory = self.memory()
        if memory > MOST_MEMORY:
            found.append(f"the server holds {memory:.0f} MB, at most {MOST_MEMORY} were expected")
        return found

    def memory(self) -> float:
        """MB that it holds; 0 where the system does not say."""
        try:
            pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        except OSError:
            return 0.0
        return pages * 4096 / MB


def _unless_it_goes(look: Callable[[], T]) -> T | None:
    """Look at a page; None where it gives way to another document meanwhile."""
    from playwright.sync_api import Error

    try:
        return look()
    except Error as error:
        if "context was destroyed" in str(error) or "navigat" in str(error):
            return None
        raise


class Tab:
    """An open page, watched."""

    def __init__(self, context: Any) -> None:
        self.page = context.new_page()
        self.page.add_init_script(f"({WATCH})()")
        self.page.set_viewport_size({"width": 1440, "height": 1000})
        self.page.set_default_timeout(MOST_WAIT * 1000)
        self.complaints: list[str] = []
        self._last_word = time.monotonic()
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._asked)
        self.page.on("websocket", self._connect)

    def _listen(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _asked(self, dialog: Any) -> None:
        """What waits for a name is let go where the browser asks; nothing else opens a box."""
        if dialog.type == "beforeunload":
            dialog.accept()
        else:
            self.complaints.append(f"{dialog.type}: {dialog.message}")

    def _connect(self, socket: Any) -> None:
        for event in ("framesent", "framereceived"):
            socket.on(event, self._heard)

    def _heard(self, _: Any) -> None:
        self._last_word = time.monotonic()

    def seen(self) -> rules.Seen | None:
        """What the page says; None while it is between two documents."""
        return _unless_it_goes(lambda: self.page.evaluate(SEEN))

    def quiet(self) -> bool:
        """Whether nothing was said for a moment."""
        return time.monotonic() - self._last_word > QUIET

    def settle(self, check: Callable[[rules.Seen], list[str]]) -> list[str]:
        """Wait until a check has no complaint about the quiet page; where that is never, its last ones."""
        found, state = [], "is between two documents"
        end = time.monotonic() + MOST_WAIT
        while time.monotonic() < end and not self.complaints:
            self.page.wait_for_timeout(40)
            if not self.quiet():
                state = "is not quiet"
                continue
            running = _unless_it_goes(lambda: self.page.evaluate(RUNNING))
            state = f"is {running}"
            seen = self.seen() if running == "notRunning" else None
            if seen is None or seen["running"] != "notRunning":
                continue
            found = check(seen)
            if not found:
                return []
        return found or [f"the page does not come to rest: it {state}"] * (not self.complaints)

    def heap(self) -> float:
        """MB that the page's scripts hold after a collection of garbage."""
        protocol = self.page.context.new_cdp_session(self.page)
        protocol.send("HeapProfiler.collectGarbage")
        used = protocol.send("Runtime.getHeapUsage")["usedSize"]
        protocol.detach()
        return float(used) / MB


class Walk:
    """A walk in several tabs over one server, each starting at an address.

    Parameters
    ----------
    browser
        Where tabs are opened.
    server : Server
        What is walked over.
    starts : sequence of str
        Path and parameters that each tab begins at.

    Attributes
    ----------
    steps : list of Step
        What was done.
    places : list of list of str
        Before each step, where every tab was.
    """

    def __init__(self, browser: Any, server: Server, starts: Iterable[str]) -> None:
        self._server = server
        self._context = browser.new_context(base_url=server.url)
        self.steps: list[Step] = []
        self.places: list[list[str]] = []
        self.tabs = [Tab(self._context) for _ in starts]
        for tab, start in zip(self.tabs, starts, strict=True):
            tab.page.goto(start, wait_until="commit")
        for tab in self.tabs:
            self._judge(tab.settle(rules.at_rest), tab)

    def close(self) -> None:
        """Close its tabs."""
        self._context.close()

    def wander(self, n_steps: int, rng: Random) -> None:
        """Take so many random steps, looking at the pages at rest every few and at the end."""
        for number in range(1, n_steps + 1):
            at = rng.randrange(len(self.tabs))
            tab = self.tabs[at]
            self.take(choose(rng, at, self.offered(at), tab.page.url))
            if number % REST_EVERY == 0 or number == n_steps:
                self.rest()

    def offered(self, at: int) -> list[Target]:
        """What can be touched in a tab; between two documents it is nothing."""
        return _unless_it_goes(lambda: targets(self.tabs[at].page)) or []

    def take(self, step: Step) -> None:
        """Take one step; an error that a page shows meanwhile ends the walk."""
        self.places.append([tab.page.url.removeprefix(self._server.url) for tab in self.tabs])
        self.steps.append(step)
        tab = self.tabs[step.tab]
        if step.do == "stride":
            self._stride(tab, int(step.how))
        else:
            _unless_it_goes(lambda: perform(tab.page, step))
        if step.pause:
            tab.page.wait_for_timeout(step.pause)
        for one in self.tabs:
            self._judge([], one)

    def _stride(self, tab: Tab, n: int) -> None:
        """Press Alt+N so many times at once; as many rows further lies the case that is open then."""
        self._rest(tab)
        tab.page.keyboard.press("Alt+n")
        self._rest(tab)
        before = tab.seen()
        if before is None or before["path"] != "/cases" or before["row"] is None:
            return
        for _ in range(n):
            tab.page.keyboard.press("Alt+n", delay=KEY_PAUSE)
        self._judge(tab.settle(lambda seen: rules.strode(before, seen, n)), tab)

    def rest(self) -> None:
        """Look at every tab once it has come to rest."""
        for tab in self.tabs:
            self._rest(tab)
        self._judge(self._server.faults())

    def _rest(self, tab: Tab) -> None:
        """Look at a tab once it has come to rest."""
        # What is written and not yet entered is entered when the field is left.
        _unless_it_goes(lambda: tab.page.evaluate("document.activeElement?.blur?.()"))
        self._judge(tab.settle(rules.at_rest), tab)

    def compare(self) -> None:
        """Look whether each page is what a fresh tab at its address shows, and what it holds."""
        for tab in self.tabs:
            fresh, opened = Tab(self._context), ""
            # What was done last may reach the address a moment after the page was quiet.
            while opened != tab.page.url:
                opened = tab.page.url
                fresh.page.goto(opened, wait_until="commit")
                self._judge(fresh.settle(rules.at_rest), fresh)
            faults = fresh.settle(lambda seen, tab=tab: rules.same(tab.seen() or {}, seen))  # type: ignore[misc]
            self._judge(faults, tab)
            fresh.page.close()
            heap = tab.heap()
            self._judge([f"a page holds {heap:.0f} MB of script"] if heap > MOST_HEAP else [], tab)

    def _judge(self, faults: list[str], tab: Tab | None = None) -> None:
        if tab is not None:
            faults = [*(f"complaint of the browser: {text}" for text in tab.complaints), *faults]
        if faults:
            time.sleep(QUIET)  # what the server says of it comes a moment later
            faults = [*faults, *(text for text in self._server.faults() if text not in faults)]
            where = (
                ""
                if tab is None
                else f" (tab {self.tabs.index(tab) if tab in self.tabs else 'fresh'}, {tab.page.url})"
            )
            raise Fault(f"after {len(self.steps)} steps{where}: " + "; ".join(faults))


def script(starts: list[str], steps: list[Step]) -> str:
    """A script that takes the same steps again; it is run from the folder that holds ``tests``."""
    lines = ",\n    ".join(map(repr, steps))
    return (
        'import sys\n\nsys.path[:0] = ["tests", "."]\n'
        "from browser.monkey.replay import replay\nfrom browser.monkey.steps import Step\n\n"
        f"replay({starts!r}, [\n    {lines}\n])\n"
    )
