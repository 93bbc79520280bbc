"""Where one lands on another page: at its top, or where the button led that was pressed."""

from __future__ import annotations

CERTAINTY_GRID = "panel-certainty-grid"
"""Key of the panel on Raters that Study leads to."""
UP = "loupe-up"
"""Marks what leads from a case to the list above it, where both do not stand side by side."""
LAND = """
(() => {
  const places = {"anchor-planning": [".st-key-PANEL", ".st-key-planning"]};
  const here = {"onto-step": ".st-key-tour-steps", "onto-claim": ".st-key-tour-yours"};
  const UNTIL_THERE = 600000, AFTER = 120000, BELOW_TOP = 56;
  // Of another study another page is drawn, of which nobody has scrolled to anything.
  const study = () => new URLSearchParams(location.search).get("study");
  let of = study(), path = location.pathname, wanted = null, until = 0, at = "";
  // Nobody scrolls away from what has not come yet.
  const leave = () => { if (at) until = 0; };
  for (const one of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(one, leave, {capture: true, passive: true});
  addEventListener("click", ({target}) => {
    const pressed = target.closest?.("[class*=st-key-anchor-]")?.className.match(/st-key-(anchor-[a-z-]+)/);
    wanted = pressed ? places[pressed[1]] ?? null : null;
    if (target.closest?.(".UP"))
      document.querySelector(".st-key-cases-head")?.scrollIntoView({block: "start"});
    for (const [key, place] of Object.entries(here))
      if (target.closest?.(`[class*=st-key-${key}] button`)) move(document.querySelector(place));
  }, true);
  addEventListener("popstate", () => { path = location.pathname; wanted = null; until = 0; });
  // What was pressed keeps the keyboard until it is taken away, which may be after the place has come.
  const focus = (place) => {
    const now = document.activeElement, head = place.querySelector("summary, h2");
    const isTaken = now !== document.body && now?.isConnected && !("landed" in now.dataset);
    if (!head || now === head || isTaken) return;
    if (head.tagName !== "SUMMARY") head.tabIndex = -1;
    head.dataset.landed = "";
    head.focus({preventScroll: true});
  };
  const move = (place) => {
    const head = place.querySelector("input[type=number]") ?? place.querySelector("h2");
    document.querySelector(".stMain").scrollBy(0, Math.round(place.getBoundingClientRect().top) - BELOW_TOP);
    if (head.tagName === "H2") head.tabIndex = -1;
    head.focus({preventScroll: true});
  };
  setInterval(() => {
    const now = performance.now(), main = document.querySelector(".stMain");
    const other = study() !== of;
    if (other && of && location.pathname === path && main) main.scrollTop = 0;
    of = study() ?? of;
    if (location.pathname !== path) {
      path = location.pathname;
      if (main) main.scrollTop = 0;
      until = wanted ? now + UNTIL_THERE : 0;
      at = "";
    }
    if (now > until || !wanted) return;
    const found = wanted.find((one) => document.querySelector(one));
    if (!found) return;
    const place = document.querySelector(found);
    if (found !== at) {
      at = found;
      until = now + AFTER;
    }
    focus(place);
    main.scrollBy(0, Math.round(place.getBoundingClientRect().top) - BELOW_TOP);
  }, 60);
})();
""".replace("PANEL", CERTAINTY_GRID).replace("UP", UP)
"""Begins every page. The browser keeps how far a page was scrolled, also where another one takes its place.

What a button leads to, or until that comes what it will stand below, stays in sight while what is above it
grows, for two minutes, or until somebody scrolls, types or presses; the keyboard goes on from there. What is
further down or up on the same page is moved to at once.
"""
