"""The line between a page and the server, cut or slowed: what else is up to chance, and rare."""

from __future__ import annotations

from typing import Any


class Line:
    """What the server says on its way to a page.

    Parameters
    ----------
    page : playwright page
        Not opened yet.

    Attributes
    ----------
    lost : int
        Messages that did not come through because the line was cut.
    """

    def __init__(self, page: Any) -> None:
        self.lost = 0
        self._is_cut = self._is_slow = False
        self._waiting: list[tuple[Any, Any]] = []
        page.route_web_socket("**/_stcore/stream", self._join)

    def _join(self, browser: Any) -> None:
        server = browser.connect_to_server()
        browser.on_message(server.send)
        server.on_message(lambda message: self._pass_on(browser, message))

    def _pass_on(self, browser: Any, message: Any) -> None:
        self.lost += self._is_cut
        if self._is_slow:
            self._waiting.append((browser, message))
        elif not self._is_cut:
            browser.send(message)

    def cut(self) -> None:
        """Lose what the server says from now on, as Streamlit does with a run that gives way to the next."""
        self._is_cut = True

    def slow(self) -> None:
        """Hold back what the server says from now on."""
        self._is_slow = True

    def mend(self) -> None:
        """Say what was held back, and lose nothing more."""
        self._is_cut = self._is_slow = False
        for browser, message in self._waiting:
            browser.send(message)
        self._waiting.clear()
