"""A tab that stays open for the tests of a module that only look: opening one takes two processor seconds."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from browser.visit import Visit

_GO = """async (url) => {
  const app = document.querySelector(".stApp");
  const asked = new Promise((done) => new MutationObserver((_, watch) => {
    if (app.dataset.testScriptState === "notRunning") return;
    watch.disconnect();
    done();
  }).observe(app, {attributeFilter: ["data-test-script-state"]}));
  history.replaceState(null, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
  await asked;
}"""
"""Goes to an address as Back and Forward of the browser do, and waits until the page is asked for."""


class Kept:
    """A tab that shows one address after the other, as somebody has it who goes back and forward.

    Parameters
    ----------
    context : playwright context
        Profile of the browser that it is opened in.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._visit: Visit | None = None

    @property
    def page(self) -> Any:
        """The page, where one is open."""
        return None if self._visit is None else self._visit.page

    def look(self, url: str, *, width: int = 1440, mode: str = "light") -> Visit:
        """Show an address from its top, in a window so wide, by day or by night; wait until it is at rest."""
        if self._visit is None or self._visit.page.is_closed():
            self._visit = Visit(self._context, width=width, mode=mode)
            self._visit.open(url, painted=False)
        else:
            self._visit.forget()
            self._visit.look(width, mode)
            self._visit.page.mouse.move(0, 0)
            self._visit.page.evaluate(_GO, url)
        self._visit.arrive(urlsplit(url).path.strip("/").title() or "Study")
        self._visit.page.evaluate("document.querySelector('.stMain').scrollTop = 0")
        return self._visit

    def close(self) -> None:
        """Close it; who looks next opens another."""
        if self._visit is not None:
            self._visit.page.close()
            self._visit = None
