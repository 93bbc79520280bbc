"""Where one lands on another page: at its top, or where the button led that was pressed."""

from __future__ import annotations

LAND = """
(() => {
  const places = {"anchor-planning": ".st-key-planning"};
  let path = location.pathname, wanted = null, until = 0, seen = false;
  const leave = () => { until = 0; };
  for (const one of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(one, leave, {capture: true, passive: true});
  addEventListener("click", ({target}) => {
    const pressed = target.closest?.("[class*=st-key-anchor-]")?.className.match(/st-key-(anchor-[a-z-]+)/);
    wanted = pressed ? places[pressed[1]] ?? null : null;
  }, true);
  addEventListener("popstate", () => { path = location.pathname; wanted = null; });
  setInterval(() => {
    const now = performance.now(), main = document.querySelector(".stMain");
    if (location.pathname !== path) {
      path = location.pathname;
      if (main) main.scrollTop = 0;
      until = wanted ? now + 120000 : 0;
      seen = false;
    }
    if (now > until) return;
    const place = document.querySelector(wanted);
    if (!place) return;
    if (!seen) until = now + 30000;
    seen = true;
    main.scrollBy(0, Math.round(place.getBoundingClientRect().top) - 56);
  }, 60);
})();
"""
"""Begins every page. The browser keeps how far a page was scrolled, also where another one takes its place.

What a button leads to stays in sight while what stands above it grows, for half a minute, or until somebody
scrolls, types or presses.
"""
