"""One press of Back for each thing that a person did, however often a page completes its address."""

from __future__ import annotations

ONE_ENTRY = """
(() => {
  let has = true;
  const begin = () => { has = false; };
  for (const act of ["pointerdown", "keydown", "click"])
    addEventListener(act, begin, {capture: true, passive: true});
  addEventListener("popstate", () => { has = true; }, true);
  const add = history.pushState;
  history.pushState = function (...given) {
    const say = has ? history.replaceState : add;
    has = true;
    return say.apply(history, given);
  };
})();
"""
"""Begins every page: of the addresses that follow one act the last one alone stays in the browser's history.

Streamlit adds an entry for each: who follows a link to Cases got the bare page, and then the page with its
case; and a page that somebody came back to added one more, from which no Back led any further.
"""
