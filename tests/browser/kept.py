"""A tab that stays open for the tests of a module that only look: opening one takes two processor seconds."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from browser.visit import Visit

MOST_GO = 20_000
"""Milliseconds until the address is opened anew: a tab that is there already has nothing to draw."""
AGAIN = 8_000
"""Milliseconds after which the page is asked for once more, where nobody has seen it being drawn."""
_GO = """async ([url, most, again]) => {
  const app = document.querySelector(".stApp"), say = history.pushState;
  const frame = () => new Promise(requestAnimationFrame), end = performance.now() + most;
  const rests = () => app.dataset.testScriptState === "notRunning";
  while (!rests() && performance.now() < end) await frame();
  const drawn = new Promise((end) => {
    const done = () => end(true);
    const watch = new MutationObserver(() => rests() || done());
    watch.observe(app, {attributeFilter: ["data-test-script-state"]});
    history.pushState = (...given) => { done(); return say.apply(history, given); };
    setTimeout(() => end(false), most);
  });
  history.replaceState(null, "", url);
  const go = () => dispatchEvent(new PopStateEvent("popstate"));
  go();
  const asking = setInterval(go, again);
  const is_drawn = await drawn;
  clearInterval(asking);
  history.pushState = say;
  for (let frames = 0; frames < 2; frames += 1) await frame();
  return is_drawn;
}"""
"""Goes to an address as Back and Forward of the browser do, and waits until the page is being drawn.

Then its script runs, and it says its address anew. Where a run is under way already, nobody sees the next
begin: the page is let come to rest first. Nor where it is drawn at once: then the page is asked for again.
"""


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
            if not self._visit.page.evaluate(_GO, [url, MOST_GO, AGAIN]):
                self._visit.open(url, painted=False)
        self._visit.arrive(urlsplit(url).path.strip("/").title() or "Study")
        self._visit.page.evaluate("document.querySelector('.stMain').scrollTop = 0")
        return self._visit

    def close(self) -> None:
        """Close it; who looks next opens another."""
        if self._visit is not None:
            self._visit.page.close()
            self._visit = None
