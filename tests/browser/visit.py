"""An open page of the dashboard: what it complained of, what it asked for, and what it was sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

MOST_WAIT = 120_000
"""Milliseconds that anything may take; a machine with much to do takes long."""
PAINTED = """document.querySelector(".st-key-study-pictures") && !/study_part=all/.test(location.search)
  || document.querySelectorAll(".stVegaLiteChart svg, .stVegaLiteChart canvas").length
  >= (document.querySelector(".st-key-study-part") || /case_part=(?!all)/.test(location.search) ? 1 : 2)"""
"""Whether pictures are there: a part of Study or of a case may have one alone, or one that is folded."""
SETTLED = "document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
WHOLE = f"{SETTLED} && document.querySelector('[data-testid=stSkeleton]') === null"
"""Whether the code of every widget has come as well: one without is there and hears no key."""
IS_OPEN = """name => document.querySelector(".st-key-footer") !== null
  && document.querySelector(".stMain [data-stale=true]") === null
  && [...document.querySelectorAll("[data-testid=stSidebarNavLink][aria-current=page]")]
    .some((link) => link.textContent.trim() === name)
  && document.title.split(" · ").includes(name)"""
"""Whether the page of this name is open, to its end, and nothing is left of the one before.

The list of pages marks it in the moment of the click; its title comes with the server's answer."""
STILL = """async () => {
  const moves = () => document.getAnimations()
    .some((one) => one instanceof CSSTransition && one.playState === "running");
  const end = performance.now() + 2000;
  for (let frame = 0; frame < 2 || (moves() && performance.now() < end); frame += 1)
    await new Promise(requestAnimationFrame);
}"""
"""Waits until what was changed is drawn, and no colour is on its way to another."""
CUT = "heads => heads.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"
"""Heads of tables that are wider than their columns."""
OVERFLOW = "(e => e.scrollWidth - e.clientWidth)(document.querySelector('.stMain'))"


class Visit:
    """An open page.

    Parameters
    ----------
    context : playwright context
        Profile of the browser that it is opened in.
    width : int
        Of the window, in pixels.
    mode : {"light", "dark"}
        What the computer is set to.

    Attributes
    ----------
    page : playwright page
        The page.
    complaints : list of str
        Errors of the console and the page.
    strangers : list of str
        Requests that left this computer.
    messages : list of int
        Sizes of what the server sent over the websocket, in bytes before compression.
    sent : list of int
        Sizes of what was sent to the server over the websocket, in bytes.
    responses : dict of str to int
        Sizes of what was fetched, by path, in bytes; 0 where the browser had it already.
    """

    def __init__(self, context: Any, *, width: int = 1440, mode: str = "light") -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(MOST_WAIT)
        self.page.set_viewport_size({"width": width, "height": 1000})
        self.page.emulate_media(color_scheme=mode)
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.messages: list[int] = []
        self.sent: list[int] = []
        self.responses: dict[str, int] = {}
        self._paths: dict[str, str] = {}
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._watch(request.url))
        self.page.on("websocket", self._connect)
        protocol = context.new_cdp_session(self.page)
        protocol.send("Network.enable")
        protocol.on("Network.responseReceived", self._begin)
        protocol.on("Network.loadingFinished", self._end)

    def _listen(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _watch(self, address: str) -> None:
        url = urlsplit(address)
        if url.scheme not in ("data", "blob") and url.hostname != "127.0.0.1":
            self.strangers.append(address)

    def _connect(self, socket: Any) -> None:
        self._watch(socket.url)
        socket.on("framereceived", lambda frame: self.messages.append(len(frame)))
        socket.on("framesent", lambda frame: self.sent.append(len(frame)))

    def _begin(self, event: Any) -> None:
        self._paths[event["requestId"]] = urlsplit(event["response"]["url"]).path

    def _end(self, event: Any) -> None:
        path = self._paths.get(event["requestId"], "")
        self.responses[path] = self.responses.get(path, 0) + int(event["encodedDataLength"])

    def open(self, url: str, *, painted: bool = True) -> Any:
        """Open an address and wait until it is drawn."""
        self.page.goto(url)
        self.page.locator(".st-key-footer").wait_for(timeout=240_000)
        if painted:
            self.page.wait_for_function(PAINTED, timeout=240_000)
        return self.page

    def arrive(self, name: str) -> Any:
        """Wait until the page of a name is open and at rest, whatever led there."""
        self.page.wait_for_function(IS_OPEN, arg=name, timeout=240_000)
        return self.settle()

    def follow(self, name: str) -> Any:
        """Follow a link of the sidebar to another page, and wait for that."""
        self.page.get_by_role("link", name=name, exact=True).click()
        return self.arrive(name)

    def unfold_counting(self) -> Any:
        """Unfold what the sidebar says of how readings are counted, the slider with it."""
        folded = self.page.locator(".stSidebar .st-key-counting details")
        folded.wait_for()
        if folded.get_attribute("open") is None:
            folded.locator("summary").click()
        self.page.locator(".stSidebar .st-key-counting-slider").wait_for()
        return self.page

    def unfold_pictures(self) -> Any:
        """Unfold the pictures of Study's claims, and wait until they are painted; no other page has such."""
        self.page.wait_for_function(PAINTED, timeout=240_000)
        panel = self.page.locator(".st-key-study-pictures")
        if panel.count():
            if panel.locator("details").first.get_attribute("open") is None:
                panel.locator("summary").first.click()
            panel.locator(".stVegaLiteChart svg").first.wait_for()
        return self.page

    def show_part(self, name: str) -> Any:
        """Choose what is shown of a page that shows its parts one at a time, and wait until it is."""
        self.page.locator("[class*=st-key-parts-of-]").get_by_text(name, exact=True).click()
        return self.settle()

    def forget(self) -> None:
        """Weigh what comes from now on alone."""
        self.messages.clear()
        self.sent.clear()
        self.responses.clear()

    def settle(self, *, whole: bool = True) -> Any:
        """Wait until the server has nothing more to say, and until the ``whole`` page can be used."""
        self.page.wait_for_function(WHOLE if whole else SETTLED, timeout=240_000)
        return self.page

    def cut_heads(self) -> list[str]:
        """Heads of tables that are cut."""
        heads: list[str] = self.page.locator(".stMain th").evaluate_all(CUT)
        return heads

    def look(self, width: int, mode: str) -> Any:
        """Make the window so wide, and switch the computer to light or dark."""
        self.page.set_viewport_size({"width": width, "height": 1000})
        return self.turn(mode)

    def turn(self, mode: str) -> Any:
        """Switch the computer to light or dark; wait until the page is drawn for it."""
        self.page.emulate_media(color_scheme=mode)
        self.page.wait_for_function("mode => document.documentElement.style.colorScheme === mode", arg=mode)
        return self.settle()

    def overflow(self) -> int:
        """Pixels by which the page stays wider than its window: pictures follow its width late."""
        narrow = f"performance.now() > {self.page.evaluate('performance.now()') + 10_000} || {OVERFLOW} <= 0"
        self.page.wait_for_function(narrow)
        wider: int = self.page.evaluate(OVERFLOW)
        return wider

    def open_folder(self, address: str, folder: Path) -> Any:
        """Open a study by naming its folder on the Study page.

        By key: what unfolds moves the button from below the pointer of whoever is faster than any hand.
        """
        page = self.open(f"{address}/?study=toy_three_labels")
        self.settle()
        page.get_by_text("Open another study").click()
        page.get_by_label("Folder on this computer").fill(str(folder))
        page.get_by_label("Folder on this computer").press("Enter")
        page.wait_for_function("name => location.search.includes(encodeURIComponent(name))", arg=folder.name)
        return self.settle()
