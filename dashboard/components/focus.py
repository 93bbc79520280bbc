"""Where the keyboard writes: when a dialog opens, and while the page around a list of options is redrawn."""

from __future__ import annotations

import streamlit as st

FIELDS = ("go-to", "review-note", "review-author")
"""How the keys begin of fields that somebody who came by keyboard wants to write in at once."""
_FOCUS = """
(() => {{
  const before = document.activeElement, until = performance.now() + 20000;
  const look = () => {{
    const field = document.querySelector("[class*=st-key-{}] :is(input, textarea)");
    const now = document.activeElement;
    if (now !== before && now?.matches("input, textarea, [contenteditable=true]")) return;
    if (field) field.focus();
    else if (performance.now() < until) setTimeout(look, 50);
  }};
  setTimeout(look, 150);
}})()"""
"""Waits for the field: Streamlit fetches what draws one of a kind when the first is wanted.

Whoever goes to write elsewhere in the meantime is left there.
"""
SCRIPTS = {field: _FOCUS.format(field) for field in FIELDS}
"""The scripts in a page, besides those that it begins with: the server lets them run by their letters."""
PRESS = """
addEventListener("keydown", (event) => {
  const field = document.activeElement;
  const bare = event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState("AltGraph");
  if (bare && /^Key[FGKMNPR]$/.test(event.code) && document.querySelector("[role=dialog] .st-key-go-to")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const leaves = field?.tagName === "TEXTAREA" ? /^Key[FGKMNPR]$/
    : field?.tagName === "INPUT" && field.getAttribute("role") !== "combobox" ? /^KeyK$/ : null;
  if (bare && leaves?.test(event.code)) field.blur();
}, true);
addEventListener("beforeinput", (event) => {
  if (!event.data?.includes(",") || !event.target.matches?.("input[type=number][aria-label*='%']")) return;
  event.preventDefault();
  document.execCommand("insertText", false, event.data.replace(",", "."));
}, true);
{
  const number = ({target}) => target.matches?.("input[type=number]");
  let later = 0;
  const type = (is) => document.documentElement.toggleAttribute("data-typing", is);
  const sent = () => { clearTimeout(later); later = setTimeout(type, 300, false); };
  addEventListener("input", (event) => { if (number(event)) { clearTimeout(later); type(true); } }, true);
  addEventListener("focusout", (event) => { if (number(event)) sent(); }, true);
  addEventListener("keydown", (event) => { if (event.key === "Enter" && number(event)) sent(); }, true);
}
addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.code !== "KeyR") return;
  const button = document.querySelector(".st-key-review-re-read button:enabled");
  if (!button) return;
  event.preventDefault();
  button.click();
});
"""
"""Begins every page: a note or a number is sent before a key leads away from it; Alt+R sends a case back.

Where it is asked which case to go to, no key does anything behind the question.

While a number is typed, and until it has been sent, the page is marked (``data-typing``): what would save an
answer to the number before can wait. In a number of percent a comma is the decimal point: the browser would
leave it out, and 92,5 become 925.

Streamlit lets no button have a shortcut with R.
"""
KEEP_LISTS = """
(() => {
  let moved = -Infinity;
  const take = () => { moved = performance.now(); };
  for (const one of ["wheel", "touchmove"])
    addEventListener(one, take, {capture: true, passive: true});
  addEventListener("scroll", (event) => {
    const field = document.activeElement;
    if (field?.getAttribute("role") !== "combobox" || field.getAttribute("aria-expanded") !== "true") return;
    if (performance.now() - moved < 1000 || !event.target.contains(field)) return;
    event.stopImmediatePropagation();
  }, true);
})()
"""
"""Begins every page: a list of options stays open, with what is typed, when nobody has scrolled.

Streamlit's lists close, and forget what was typed, at any movement of what they stand in. The browser moves
it too, where what stands above grows in a redrawn page: letters typed, and the Enter after them, were lost.
"""


def into_field(field: str) -> None:
    """Move to one of `FIELDS`, once, when it comes."""
    st.html(f"<script>{SCRIPTS[field]}</script>", unsafe_allow_javascript=True)
