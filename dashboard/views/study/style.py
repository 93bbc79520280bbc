"""How the cards of Study look, and the places that they keep for what is found later."""

from __future__ import annotations

KNOWN = "<style></style><span hidden></span>"
"""Beside the cards once their numbers stay."""
AWAITED = f"""{KNOWN}<style>
.stApp .st-key-study-cards :is(.loupe-text, .loupe-text small, button p, button strong) {{
  color: MUTED !important; font-weight: 400 !important;
}}
</style>"""
"""Beside the cards while their numbers may change: they stand back, and can be read."""
CARDS = """<style>
.st-key-study-cards { flex-flow: row wrap; align-items: stretch; gap: 1rem; }
.st-key-study-cards > .stElementContainer { position: absolute; width: 0; }
.st-key-study-cards > [data-testid=stLayoutWrapper] {
  flex: 1 1 min(18rem, 100%); width: auto; height: auto;
}
.st-key-study-cards > div > [class*=st-key-study-card-] { height: 100%; gap: 0.7rem; }
.st-key-study-onward { gap: 0 1.2rem; }
.st-key-study-danger p.loupe-text { margin: 0 0 0.2rem; }
.st-key-study-danger button { min-height: 1.75rem; padding-block: 0; text-align: left; }
.st-key-study-danger button p { font-weight: 400; text-decoration: none; }
.st-key-study-danger button:is(:hover, :focus-visible) p { text-decoration: underline; }
.loupe-asked { font-weight: 600; line-height: 1.3; }
.loupe-figure { font-size: 1.9rem; font-weight: 650; line-height: 1.35; letter-spacing: -0.01em; }
.loupe-card .loupe-sentence { font-size: 1rem; font-weight: 400; line-height: 1.45; }
.st-key-study-verdict { border-top: 4px solid SOFT; }
.st-key-study-verdict .loupe-figure { font-size: 1.45rem; line-height: 1.3; }
.st-key-study-verdict .loupe-figure small { display: block; font-size: 1rem; line-height: 1.45; }
.st-key-study-verdict .loupe-card .loupe-sentence:last-of-type:not(:first-of-type) { font-weight: 600; }
.st-key-study-verdict .loupe-card { min-height: 8.5rem; }
.st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 13rem; }
body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 7.2rem; }
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
.st-key-study-card-sure .loupe-card { min-height: 5.6rem; }
.st-key-study-card-sure .loupe-card .loupe-sentence:last-of-type { color: MUTED; font-size: 0.93rem; }
.st-key-study-dangers .loupe-table td:not(:first-child) { white-space: nowrap; }
.st-key-study-below { min-height: 2.5rem; gap: 0.2rem 1rem; }
.st-key-study-below > .stElementContainer { flex: 0 1 auto; width: auto; min-width: 0; }
.st-key-study-below .loupe-text { margin: 0; }
.loupe-card .loupe-sentence { margin: 0.35rem 0 0; }
@media (max-width: 1400px) {
  .st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 14.4rem; }
  body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 9.8rem; }
}
@media (max-width: 1100px) {
  .st-key-study-card-sure .loupe-card { min-height: 9.5rem; }
  .st-key-study-below { min-height: 4.3rem; }
}
@media (max-width: 960px) {
  .st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 10.1rem; }
  body:has(.st-key-study-verdict .loupe-table) .st-key-study-card-danger .loupe-card { min-height: 12.5rem; }
}
@media (min-width: 641px) { .st-key-study-below { flex-wrap: nowrap; } }
@media (max-width: 640px) {
  .st-key-study-verdict .loupe-table :is(th, td) { padding-right: 0.35rem; font-size: 0.84rem; }
  .st-key-study-dangers .loupe-table :is(th, td) { padding-right: 0.5rem; font-size: 0.78rem; }
  .st-key-study-verdict .loupe-table :is(td, th):first-child { min-width: 4rem; }
  .st-key-study-verdict:has(.loupe-table) .loupe-card { min-height: 14.4rem; }
}
.loupe-figure small { font-size: 0.93rem; font-weight: 400; letter-spacing: 0; color: MUTED; }
@media (max-width: 960px) { .loupe-figure small { display: block; line-height: 1.4; } }
</style>"""
"""Of a card the place of its words is kept: what is found later moves nothing."""
ROOM = """<style>
body .stMain .st-key-study-cards .st-key-study-card-danger .loupe-card { min-height: 9rem; }
body .st-key-study-card-sure .loupe-card { min-height: 7.4rem; }
body .st-key-study-below { min-height: 3.6rem; }
@media (max-width: 1400px) {
  body .stMain .st-key-study-cards .st-key-study-card-danger .loupe-card { min-height: 11.6rem; }
  body .st-key-study-card-sure .loupe-card { min-height: 8.9rem; }
}
@media (max-width: 1100px) {
  body .stMain .st-key-study-cards .st-key-study-card-danger .loupe-card { min-height: 15.7rem; }
  body .st-key-study-card-sure .loupe-card { min-height: 12.8rem; }
  body .st-key-study-below { min-height: 5.2rem; }
}
@media (max-width: 640px) { body .st-key-study-below { min-height: 8.7rem; } }
</style>"""
"""Keeps the place of what is said where the verdict may come to be at another reliability than the rest."""
