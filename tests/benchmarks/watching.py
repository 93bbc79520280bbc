"""How long a page takes to answer, as its own browser sees it."""

from __future__ import annotations

from browser.visit import Visit

AHEAD = 40
"""Seconds that the steps of the slider take at most to be computed ahead."""
LONGEST = 1800
"""Seconds that a sampled model may take for all that Reliability shows, on an idle machine."""

WATCH = """() => {
  window.lastChange = window.lastMirror = 0;
  const mark = () => { window.lastChange = performance.now(); };
  const within = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest("canvas");
  new MutationObserver((changes) => {
    if (changes.some((change) => !within(change.target))) mark(); else window.lastMirror = performance.now();
  }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
  for (const name of ["clearRect", "fill", "fillText", "stroke"]) {
    const paint = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] =
      function (...given) { mark(); return paint.apply(this, given); };
  }
}"""
"""Notes the time of every change of the page and of every stroke on a canvas.

What stands inside a canvas element is never painted: it is the mirror of the table for screen readers, which
the grid refreshes 200 ms after it has painted. Its time is noted apart.
"""
_IDLE = """() => {
  const works = document.querySelector("[class*='st-key-work-']");
  if (window.busy === undefined || works) window.busy = performance.now();
  return performance.now() - window.busy > 3000;
}"""
"""Whether no work has been shown for a while: where one piece of work ends, another may begin."""
QUIET = "window.lastChange > window.pressed && performance.now() - window.lastChange > 1000"
"""Whether the page has changed since a key was pressed, and no more for a second."""


def wait_until_idle(visit: Visit) -> None:
    """Wait until nothing is being worked on, and until the steps of the slider are computed ahead."""
    visit.page.wait_for_function(_IDLE, timeout=LONGEST * 1000, polling=500)
    visit.page.wait_for_timeout(AHEAD * 1000)
    visit.settle()
