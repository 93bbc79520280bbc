"""What a person can touch on an open page, and what the page says, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TARGETS = """() => {
  const kinds = [
    ["page", "[data-testid=stSidebarNavLink]"],
    ["range", "input[type=range]"],
    ["number", "input[type=number]"],
    ["select", "input[role=combobox]"],
    ["text", "input[type=text]:not([role=combobox]), textarea"],
    ["box", "input[type=checkbox]"],
    ["fold", "summary"],
    ["grid", "canvas[data-testid=data-grid-canvas]"],
    ["chart", ".stVegaLiteChart canvas, .stVegaLiteChart svg.marks"],
    ["row", "tbody tr[data-row], tbody tr td button"],
    ["link", "main a[href^='/']"],
    ["button", "button:not([aria-label^='Help'])"],
  ];
  const shown = (e) => e.getClientRects().length > 0 && !e.disabled && !e.closest("[inert]");
  const keyed = (e) => {
    for (let at = e; at; at = at.parentElement ?? at.getRootNode().host) {
      const key = [...(at.classList ?? [])].find((name) => name.startsWith("st-key-"));
      if (key) return key.slice(7).replace(/--\\d+$/, "");
    }
    return "";
  };
  const named = (e) =>
    (e.getAttribute("aria-label") || e.innerText || e.value || "").replace(/\\s+/g, " ").trim().slice(0, 40);
  const roots = [document];
  for (const e of document.querySelectorAll("*")) if (e.shadowRoot) roots.push(e.shadowRoot);
  const seen = new Set(), found = {}, times = {};
  for (const [kind, css] of kinds)
    for (const root of roots)
      for (const e of root.querySelectorAll(css)) {
        if (seen.has(e) || !shown(e) && kind !== "box") continue;
        seen.add(e);
        const name = [kind, keyed(e), kind === "chart" || kind === "grid" ? "" : named(e)].join("|");
        times[name] = (times[name] ?? -1) + 1;
        found[`${name}|${times[name]}`] = e;
      }
  window.monkeyTargets = found;
  const dialog = document.querySelector("[role=dialog]");
  return Object.keys(found).sort().map((name) => [name, dialog !== null && dialog.contains(found[name])]);
}"""
"""Names everything that can be touched: kind, key of the widget, own name, and which of those it is."""

WATCH = """() => {
  const told = new Set();
  let waits = false;
  const look = () => {
    waits = false;
    for (const e of document.querySelectorAll(".stException, [data-testid=stAlertContentError]")) {
      const text = e.innerText.replace(/\\s+/g, " ").trim();
      if (e.getClientRects().length === 0 || told.has(text)) continue;
      told.add(text);
      console.error(`error on the page: ${text}`);
    }
  };
  new MutationObserver(() => {
    if (!waits) setTimeout(look, 20);
    waits = true;
  }).observe(document, {childList: true, subtree: true});
}"""
"""Complains of every error that a page shows, however short; it runs before anything else in a document."""

RUNNING = "() => document.querySelector('.stApp')?.dataset.testScriptState ?? 'none'"
"""Whether the page waits for the server."""

PLACE = """(name) => {
  let e = window.monkeyTargets?.[name];
  if (!e?.isConnected) return null;
  if (e.type === "checkbox") e = e.closest("label") ?? e;
  const inside = ({top, bottom, left, right}) =>
    top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  if (!inside(e.getBoundingClientRect())) e.scrollIntoView({block: "center", behavior: "instant"});
  const {x, y, width, height} = e.getBoundingClientRect();
  return width > 0 && height > 0 ? [x, y, width, height] : null;
}"""
"""Where a target is, once it is in sight."""

SEEN = """() => {
  const shown = (e) => e.getClientRects().length > 0;
  const all = (css, within = document) => [...within.querySelectorAll(css)].filter(shown);
  const text = (e) => e.innerText.replace(/\\s+/g, " ").trim();
  const texts = (css) => all(css).map(text);
  const main = document.querySelector(".stMain");
  const widgets = {};
  for (const e of all("[class*='st-key-choose-']")) {
    const key = [...e.classList].find((name) => name.startsWith("st-key-choose-")).slice(14)
      .replace(/--\\d+$/, "");
    const inputs = all("input", e), pills = all("[role=radio]", e);
    const tags = [...e.querySelectorAll("button[aria-label^='Remove ']")];
    if (e.querySelector(".stMultiSelect")) widgets[key] = tags.map((tag) => tag.ariaLabel.slice(7));
    else if (pills.length) widgets[key] = pills.filter((one) => one.ariaChecked === "true").map(text);
    else if (e.querySelector("input[type=checkbox]")) widgets[key] = e.querySelector("input").checked;
    // What cannot be taken stays as it is written, and is said to be wrong beside it.
    else if (inputs.some((input) => !input.validity.valid)) continue;
    else if (inputs.length)
      widgets[key] = inputs.map((input) => input.getAttribute("aria-valuetext") ?? input.value);
  }
  const within = (e) => [e, ...e.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? []);
  const list = document.querySelector(".st-key-worklist");
  const places = list ? [list, ...within(list)] : [];
  const grid = places.map((one) => one.querySelector("table[role=grid]")).find(Boolean) ?? null;
  const chosen = grid && [...grid.querySelectorAll("tbody tr[aria-selected=true]")];
  // A list that is read from its top names the case that is open further down; its row is not drawn then.
  const below = grid && grid.closest(".list").querySelector("button.below:not([hidden])")?.title;
  const open = chosen?.length ? chosen.map((row) => row.querySelector("[role=gridcell], td")?.firstChild)
    .map((name) => name?.textContent ?? "") : below ? [below.split(" is open, in row ")[0]] : [];
  return {
    path: location.pathname,
    search: location.search,
    running: document.querySelector(".stApp")?.dataset.testScriptState ?? "none",
    blank: !main || all("h1", main).length === 0 || all(".st-key-footer").length === 0,
    headings: texts(".stMain h1"),
    page: texts("[data-testid=stSidebarNavLink][aria-current=page]"),
    faults: texts(".stException, [data-testid=stAlertContentError]"),
    waits: all(".stSpinner, [data-testid=stSkeleton]").length,
    stale: all("[data-stale=true]").length,
    works: all("[class*='st-key-stop-']").length,
    widgets,
    side: texts("[data-testid=stSidebar] .loupe-note"),
    // What a panel says that is open here may be folded in another tab.
    sentences: all(".stMain .loupe-sentence").filter((e) => !e.closest("details")).map(text),
    notes: texts(".stMain .loupe-note"),
    unsaved: texts(".loupe-unsaved"),
    images: all("[role=dialog] img").concat(all(".stMain img")).map((e) => e.alt).filter(Boolean),
    sources: all(".stImage img, [data-testid=stImage] img").map((e) => [e.alt, e.currentSrc]),
    broken: all("img").filter((e) => e.complete && !e.naturalWidth).map((e) => e.alt),
    title: texts(".st-key-case-title h2"),
    rows: grid ? Number(grid.getAttribute("aria-rowcount")) - 1 : null,
    row: chosen?.length === 1 ? Number(chosen[0].dataset.row) : null,
    chosen: grid && open,
  };
}"""
"""What the page says."""


@dataclass(frozen=True)
class Target:
    """Something that can be touched.

    Attributes
    ----------
    name : str
        Kind, key of the widget, own name and number, divided by bars.
    in_dialog : bool
        Whether it lies in the dialog that is open.
    """

    name: str
    in_dialog: bool

    @property
    def kind(self) -> str:
        """What it is."""
        return self.name.split("|")[0]


def targets(page: Any) -> list[Target]:
    """Everything that can be touched now, in an order that depends on names alone."""
    return [Target(name, in_dialog) for name, in_dialog in page.evaluate(TARGETS)]
