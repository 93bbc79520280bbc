"""How the cards of Study look, and the places that they keep for what is found later."""

from __future__ import annotations

CARDS = """<style>
.st-key-study-cards { flex-flow: row wrap; align-items: stretch; gap: 1rem; }
.st-key-study-cards > .stElementContainer { position: absolute; width: 0; }
.st-key-study-cards > [data-testid=stLayoutWrapper] {
  flex: 1 1 min(18rem, 100%); width: auto; height: auto;
}
.st-key-study-cards > div > [class*=st-key-study-card-] { height: 100%; gap: 0.7rem; }
.st-key-study-danger [data-testid=stHorizontalBlock], .st-key-study-onward { gap: 0 1.2rem; }
.st-key-study-danger button:disabled p { text-decoration: none; opacity: 0.75; }
.loupe-asked { font-weight: 600; line-height: 1.3; }
.loupe-figure { font-size: 1.9rem; font-weight: 650; line-height: 1.35; letter-spacing: -0.01em; }
.loupe-card .loupe-sentence { font-size: 1rem; font-weight: 400; line-height: 1.45; }
.st-key-study-verdict { border-top: 4px solid SOFT; }
.st-key-study-verdict .loupe-figure { font-size: 1.45rem; line-height: 1.3; }
.st-key-study-verdict .loupe-figure small { display: block; font-size: 1rem; line-height: 1.45; }
.st-key-study-verdict .loupe-card .loupe-sentence:nth-of-type(2):not(:last-child) { font-weight: 600; }
.st-key-study-verdict .loupe-card .loupe-sentence:nth-of-type(3) { color: MUTED; font-size: 0.93rem; }
.st-key-study-verdict .loupe-card { min-height: 12.5rem; }
.st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 17.7rem; }
body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 11.9rem; }
.st-key-study-verdict .loupe-table td:nth-child(4) { font-weight: 600; }
.st-key-study-verdict .loupe-table :is(th, td) { overflow-wrap: break-word; padding-right: 0.7rem; }
.st-key-study-verdict .loupe-table td:first-child { color: inherit; overflow-wrap: anywhere; }
.st-key-study-verdict .loupe-table :is(td, th):first-child { white-space: normal; min-width: 5rem; }
.st-key-study-verdict .loupe-table + .loupe-note { margin-top: 0.6rem; }
.st-key-study-verdict-foot { min-height: 2.6rem; gap: 0; position: relative; }
.st-key-study-verdict-foot [class*=st-key-work-] {
  position: absolute; bottom: 0; left: 0; right: 0; width: auto; background: PAGE;
}
.st-key-study-onward { border-top: 1px solid RULE; padding-top: 0.5rem; }
.st-key-study-card-sure .loupe-card { min-height: 7.4rem; }
.loupe-card .loupe-sentence { margin: 0.35rem 0 0; }
@media (max-width: 1400px) {
  .st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 19.2rem; }
  body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 15.9rem; }
}
@media (max-width: 960px) {
  .st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 15.4rem; }
  body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 17.3rem; }
  .st-key-study-card-sure .loupe-card { min-height: 16.5rem; }
}
@media (max-width: 640px) {
  .st-key-study-verdict .loupe-table :is(th, td) { padding-right: 0.35rem; font-size: 0.84rem; }
  .st-key-study-verdict .loupe-table :is(td, th):first-child { min-width: 4rem; }
  .st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 23.2rem; }
  body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 15.9rem; }
}
.loupe-figure small { font-size: 0.93rem; font-weight: 400; letter-spacing: 0; color: MUTED; }
@media (max-width: 960px) { .loupe-figure small { display: block; line-height: 1.4; } }
</style>"""
"""Of a card the place of its words is kept: what is found later moves nothing."""
ROOM_BELOW = """<style>
.st-key-study-below { min-height: 3rem; }
@media (max-width: 640px) { .st-key-study-below { min-height: 6.4rem; } }
</style>"""
"""Keeps the place of what is said where the verdict may come to be at another reliability than the rest."""
