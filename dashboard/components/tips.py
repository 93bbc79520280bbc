"""What each button of a row says under the pointer: Streamlit has one such text for the whole row."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

SAY = """
{
  const say = ({target}) => {
    const button = target.closest?.("button"), name = button?.textContent.trim();
    if (!name) return;
    for (const {dataset: tip} of document.querySelectorAll("[data-tip-of]"))
      if (tip.tipOf === name && button.closest(tip.tipIn)) button.title = tip.tip;
  };
  for (const act of ["pointerover", "focusin"]) addEventListener(act, say, {capture: true, passive: true});
}
"""
"""Begins every page: a button has its text once it is pointed at or has the keyboard."""


def tips(within: str, words: Mapping[str, str]) -> str:
    """Write what buttons say, by the words on them, each within a selector of the page; nothing is seen."""
    place = f'data-tip-in="{escape(within)}"'
    return "".join(
        f'<i hidden {place} data-tip-of="{escape(name)}" data-tip="{escape(said)}"></i>'
        for name, said in words.items()
    )
