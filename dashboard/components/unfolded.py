"""What somebody has unfolded stays so where the same is written anew: a table that is counted again, say."""

from __future__ import annotations

STAY = """
(() => {
  const FOLDS = "details.loupe-note", opened = new Set();
  const name = (fold) => fold.querySelector("summary")?.textContent;
  addEventListener("toggle", ({target}) => {
    // What leaves the page, or comes, says nothing of what anybody wants.
    if (!target.matches?.(FOLDS) || !target.isConnected) return;
    if (target.open) opened.add(name(target)); else opened.delete(name(target));
  }, true);
  new MutationObserver((changes) => {
    if (!opened.size) return;
    for (const {addedNodes} of changes)
      for (const node of addedNodes)
        if (node.nodeType === 1)
          for (const fold of [...(node.matches(FOLDS) ? [node] : []), ...node.querySelectorAll(FOLDS)])
            if (opened.has(name(fold))) fold.open = true;
  }).observe(document, {childList: true, subtree: true});
})();
"""
"""Begins every page."""
