"""A note that is being written outlives its page, and what waits for a name is not left unasked."""

from __future__ import annotations

HOLD = """
{
  const NOTE = "[class*=st-key-review-note-]", seen = new WeakSet();
  const field = ({target}) => target.matches?.(`${NOTE} textarea`) ? target : null;
  const name = (note) =>
    `loupe ${[...note.closest(NOTE).classList].find((one) => one.startsWith("st-key-review-note-"))}`;
  const hold = (note, text) => {
    try {
      if (text) sessionStorage.setItem(name(note), text);
      else sessionStorage.removeItem(name(note));
    } catch {}
  };
  addEventListener("input", (event) => {
    const note = field(event);
    if (note) hold(note, note.value);
  }, true);
  addEventListener("focusin", (event) => {
    const note = field(event);
    if (!note || seen.has(note)) return;
    seen.add(note);
    let held = null;
    try { held = sessionStorage.getItem(name(note)); } catch {}
    if (!held || held === note.value) return;
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(note, held);
    note.dispatchEvent(new Event("input", {bubbles: true}));
  }, true);
  const keep = () => {
    const note = document.querySelector(`${NOTE} textarea`);
    if (note) hold(note, "");
  };
  addEventListener("click", ({target}) => {
    if (target.closest?.(".st-key-review-keep-note")) keep();
  }, true);
  addEventListener("keydown", (event) => {
    if (field(event) && event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
  }, true);
  let waits = false;
  const look = () => {
    const panel = document.querySelector(".st-key-case-review");
    if (panel) waits = document.querySelector(".loupe-unsaved") !== null;
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, look, true);
  addEventListener("beforeunload", (event) => {
    look();
    if (waits) event.preventDefault();
  });
}
"""
"""Begins every page. The text of each note has the name of its field, of one case of one study, and goes with
the tab. What waits for a name, as only the panel of a case says, is not left before the browser has asked.

What cannot be kept by the server stands in the field again (`dashboard.views.cases.review`).
"""
