"""How the cards of Study look, and the places that they keep for what is found later."""

from __future__ import annotations

from core.analysis.models.claims import DANGER_HEADS, HEADS
from dashboard.shell.theme import DARK, LIGHT

_HIGH_RISK = f"light-dark({LIGHT.risk['H']}, {DARK.risk['H']})"
"""Colour of high risk, of which the browser takes one."""

KNOWN = "<style></style><span hidden></span>"
"""Beside the cards once their numbers stay."""
AWAITED = f"""{KNOWN}<style>
.stApp .st-key-study-cards :is(.loupe-text, .loupe-text small, button p, button strong) {{
  color: MUTED !important; font-weight: 400 !important;
}}
.stApp .st-key-study-cards :is(.loupe-bands, .loupe-parts) i,
.stApp .st-key-study-danger-parts button::before {{ opacity: 0.5; }}
.st-key-study-cards .loupe-asked::after {{ content: " (may still change)"; white-space: nowrap; }}
</style>"""
"""Beside the cards while their numbers may change: they stand back, can be read, and say so."""
_CARDS = """<style>
.st-key-study-cards { flex-flow: row wrap; align-items: stretch; gap: 1rem; container-type: inline-size; }
/* Drawn first, it has the width from the beginning that it has beside the other. */
@container (min-width: 37rem) {
  .st-key-study-cards > :has(> .st-key-study-card-danger) { max-width: calc(50% - 0.5rem); }
}
.st-key-study-cards > .stElementContainer { position: absolute; width: 0; }
.st-key-study-cards > [data-testid=stLayoutWrapper] {
  flex: 1 1 min(18rem, 100%); width: auto; height: auto;
}
.st-key-study-cards > div > [class*=st-key-study-card-] { height: 100%; gap: 0.7rem; }
.st-key-study-onward { gap: 0 1.2rem; }
.st-key-study-onward > * { width: auto; flex: 0 1 auto; }
.st-key-study-onward p.loupe-text { margin: 0 -0.6rem 0 0; }
.st-key-study-card-danger .loupe-sentence:first-of-type { font-weight: 600; }
.st-key-study-card-danger .loupe-figure small { display: block; line-height: 1.4; }
.st-key-study-danger p.loupe-text { margin: 0 0 0.2rem; }
.st-key-study-danger { --row: 1.75rem; }
.st-key-study-danger button { min-height: var(--row); padding-block: 0; text-align: left; }
.st-key-study-danger [data-testid=stSkeleton] { height: var(--row); }
.st-key-study-danger button p { color: TEXT; font-size: 1rem; font-weight: 400; text-decoration: none; }
.st-key-study-danger button strong { color: SOFT; }
.loupe-parts { display: flex; gap: 2px; height: 0.8rem; margin: 0.2rem 0 0.35rem; }
.loupe-parts i { flex: 1 1 0; min-width: 3px; background: HIGH; }
.st-key-study-danger-parts .stButton button::before {
  content: ""; flex: none; width: 0.75rem; height: 0.75rem; margin-right: 0.5rem; background: HIGH;
}
TINTS
.st-key-study-danger-first {
  border-bottom: 1px solid RULE; margin-bottom: 0.7rem; padding-bottom: 0.5rem;
}
.loupe-card > .loupe-note { margin: 0.15rem 0 0; }
.loupe-bands {
  flex: 1; display: grid; grid-template-columns: max-content 1fr max-content; gap: 0 0.7rem;
  grid-auto-rows: minmax(1.6rem, 1fr); align-items: center; margin-top: 0.35rem; font-size: 0.93rem;
}
.loupe-bands-key { color: MUTED; font-size: 0.87rem; margin: 0.3rem 0 0 !important; }
.loupe-bands-key b {
  display: inline-block; width: 0.75rem; height: 0.75rem; margin: 0 0.4rem -0.05rem 0;
  background: color-mix(in srgb, MUTED 24%, PAGE);
}
.loupe-bands-key b + b { margin-left: 1rem; }
.loupe-bands-key b[data-unsure] { background: SOFT; }
.loupe-bands b { height: 62%; max-height: 1.6rem; }
.loupe-bands i { display: block; height: 100%; background: SOFT; }
.loupe-bands b:not([data-unsure]) i { background: color-mix(in srgb, MUTED 24%, PAGE); }
.loupe-bands span:last-of-type, .loupe-bands small { font-variant-numeric: tabular-nums; }
.loupe-bands small { color: MUTED; font-size: inherit; display: inline-block; min-width: 2.6rem; }
.loupe-bands span:nth-of-type(even) { text-align: right; }
/* As high as the card beside it: the bars take what room there is. */
.st-key-study-card-sure :is(.stElementContainer, .stHtml):has(.loupe-card) { flex: 1; display: flex; }
.st-key-study-card-sure .loupe-card { flex: 1; display: flex; flex-direction: column; }
.st-key-study-danger button:is(:hover, :focus-visible) p { text-decoration: underline; }
.loupe-asked { font-weight: 600; line-height: 1.3; }
.loupe-figure { font-size: 1.9rem; font-weight: 650; line-height: 1.35; letter-spacing: -0.01em; }
.loupe-card .loupe-sentence { font-size: 1rem; font-weight: 400; line-height: 1.45; }
/* A line for each point, as beneath the sentence of a case. */
.loupe-card .loupe-sentence.loupe-point {
  display: grid; grid-template-columns: 6.2rem minmax(0, 1fr); gap: 0.8rem; align-items: baseline; margin: 0;
  padding: 0.38rem 0.9rem; background: PANEL; font-size: 0.95rem;
}
.loupe-card :is(:not(.loupe-point) + .loupe-sentence, .loupe-kept > * > :first-child).loupe-point {
  margin-top: 0.5rem; border-radius: 6px 6px 0 0;
}
.loupe-card .loupe-sentence.loupe-point:last-child { border-radius: 0 0 6px 6px; border-bottom: 0; }
.loupe-card .loupe-sentence.loupe-point:first-child:last-child { border-radius: 6px; }
.loupe-point { border-bottom: 1px solid RULE; }
.loupe-point b { color: MUTED; font-size: 0.87rem; font-weight: 400; }
@media (max-width: 640px) {
  .loupe-card .loupe-sentence.loupe-point { grid-template-columns: 1fr; gap: 0; }
}
.st-key-study-verdict { border-top: 4px solid SOFT; }
.st-key-study-verdict .loupe-figure { font-size: 1.45rem; line-height: 1.3; }
.st-key-study-verdict .loupe-figure small { display: block; font-size: 1rem; line-height: 1.45; }
.st-key-study-verdict .loupe-card .loupe-sentence.loupe-next { font-weight: 500; margin-bottom: 0.3rem; }
.loupe-folds { display: flex; flex-wrap: wrap; gap: 0 1.4rem; }
.loupe-folds details[open] { flex-basis: 100%; }
.loupe-folds dd, .loupe-folds details p { color: TEXT; font-size: 0.93rem; }
.loupe-folds details p { margin: 0.5rem 0 0; }
@media (min-width: 641px) {
  .st-key-study-verdict .loupe-folds dl {
    display: grid; grid-template-columns: fit-content(12rem) minmax(0, 1fr); gap: 0.2rem 1.1rem;
  }
  .st-key-study-verdict .loupe-folds dt { margin: 0; overflow-wrap: anywhere; }
}
.st-key-study-verdict .loupe-card .loupe-sentence.loupe-chosen { font-weight: 600; color: SOFT; }
/* What is found later comes where words of its kind keep the room. */
.loupe-kept { display: grid; }
.loupe-kept > * { grid-area: 1 / 1; min-width: 0; }
.loupe-kept > span { visibility: hidden; user-select: none; }
.loupe-kept > span > i { font-style: normal; }
.loupe-kept > span > i:not(.loupe-point) { display: block; }
.st-key-study-verdict .loupe-table + .loupe-note { min-height: 2.45rem; }
@media (min-width: 1301px) {
  .st-key-study-verdict .loupe-table + .loupe-note { min-height: 1.25rem; }
}
.st-key-study-verdict .loupe-table :is(th, td) { overflow-wrap: break-word; padding-right: 0.7rem; }
.st-key-study-verdict .loupe-table :is(trTOLD td:nth-child(2), [data-mark=not] td:nth-child(6)) {
  font-weight: 600;
}
.st-key-study-verdict .loupe-table [data-mark=not] td:nth-child(6) {
  color: color-mix(in srgb, HIGH 65%, TEXT);
}
.st-key-study-verdict .loupe-table trTOLD td:nth-child(2) { white-space: nowrap; }
.st-key-study-verdict .loupe-table [data-mark] td:nth-child(2)::before {
  content: ""; display: inline-block; width: 11px; height: 11px; margin-right: 0.45rem;
  border: 2px solid MUTED; border-radius: 50%;
}
.st-key-study-verdict .loupe-table [data-mark=look] td:nth-child(2)::before {
  border-color: SOFT; background: SOFT;
}
.st-key-study-verdict .loupe-table [data-mark=ask] td:nth-child(2)::before { border-color: SOFT; }
.st-key-study-verdict .loupe-table [data-mark=not] td:nth-child(2)::before {
  border-color: HIGH; background: HIGH;
}
.st-key-study-verdict .loupe-like {
  display: block; height: 0; overflow: hidden; visibility: hidden; white-space: nowrap; font-weight: 600;
}
.st-key-study-verdict .loupe-range {
  position: relative; float: right; width: 13rem; height: 0.75rem; margin: 0.3rem 1.2rem 0 0.8rem;
  background: linear-gradient(RULE, RULE) center / 100% 1px no-repeat;
}
.st-key-study-verdict .loupe-range-ends {
  float: right; display: flex; justify-content: space-between; width: 13rem; margin-right: 1.2rem;
  font-style: normal;
}
.st-key-study-verdict .loupe-range-ends b { font-weight: 400; font-size: 0.8rem; }
.st-key-study-verdict .loupe-table:has(.loupe-range) :is(td, th):nth-child(4) { white-space: nowrap; }
.st-key-study-verdict .loupe-range b {
  position: absolute; top: 0; bottom: 0; min-width: 2px; background: color-mix(in srgb, SOFT 75%, PAGE);
}
.st-key-study-verdict .loupe-range b[data-chance] { background: color-mix(in srgb, SOFT 30%, PAGE); }
.st-key-study-verdict .loupe-range b[data-exact] {
  top: 0.06rem; bottom: auto; right: auto !important; width: 0.62rem; height: 0.62rem; margin-left: -0.31rem;
  border-radius: 50%; background: SOFT;
}
.st-key-study-verdict .loupe-range s {
  position: absolute; top: -0.15rem; bottom: -0.15rem; width: 3px; margin-left: -1px; background: TEXT;
  outline: 1px solid PAGE;
}
.loupe-range-key i { display: inline-block; width: 1.3rem; height: 0.55rem; margin: 0 0.35rem 0 0.5rem;
  background: color-mix(in srgb, SOFT 75%, PAGE); }
.loupe-range-key b { display: inline-block; width: 0.55rem; height: 0.55rem; margin: 0 0.35rem 0 0.5rem;
  border-radius: 50%; background: SOFT; }
.loupe-range-key s { display: inline-block; width: 3px; height: 0.8rem; margin: 0 0.35rem -0.1rem 0.2rem;
  background: TEXT; }
.st-key-study-verdict .loupe-range s[data-side=beyond] { background: color-mix(in srgb, HIGH 80%, TEXT); }
@media (max-width: 1300px) {
  .st-key-study-verdict :is(.loupe-range, .loupe-range-ends, .loupe-range-key) { display: none; }
}
.st-key-study-verdict .loupe-table th [title] { cursor: help; border-bottom: 1px dotted MUTED; }
.st-key-study-verdict .loupe-table td:first-child { color: inherit; overflow-wrap: anywhere; }
.st-key-study-verdict .loupe-table :is(td, th):first-child {
  white-space: normal; min-width: 5rem; padding-left: 0.4rem;
}
.st-key-study-verdict .loupe-table + .loupe-note { margin-top: 0.6rem; }
.st-key-study-verdict details dl { margin: 0.2rem 0 0; padding: 0; }
.st-key-study-verdict details dt { font-weight: 600; margin: 0.3rem 0 0; padding: 0; }
.st-key-study-verdict details dd { margin: 0; padding: 0; }
/* How far work is stands over the end of the place that the words keep, and takes none of its own. */
[data-testid=stLayoutWrapper]:has(> .st-key-study-verdict-foot) { margin-top: -1rem; }
.st-key-study-verdict-foot { gap: 0; position: relative; }
.st-key-study-verdict-foot [class*=st-key-work-] {
  position: absolute; bottom: -0.9rem; left: 0; right: 0; width: auto; background: PAGE;
}
.st-key-study-verdict-foot :is(.loupe-note, .st-key-find-supported, [class*=st-key-start-]) {
  margin-top: 0.8rem;
}
.st-key-study-note-save { min-height: 2.6rem; gap: 0.5rem 0.8rem; }
.st-key-study-note-save > * { width: auto; flex: 0 1 auto; }
.st-key-study-note-save > .stElementContainer:first-child { position: absolute; width: 0; }
.st-key-study-note-save p.loupe-text { margin: 0; }
@media (max-width: 990px) { .st-key-study-note-save { min-height: 5.6rem; } }
@media (max-width: 525px) { .st-key-study-note-save { min-height: 7.6rem; } }
.st-key-study-onward { border-top: 1px solid RULE; padding-top: 0.5rem; }
.st-key-study-dangers .loupe-table td:not(:first-child) { white-space: nowrap; }
.st-key-study-dangers .loupe-table th { overflow-wrap: break-word; }
@media (min-width: 900px) {
  .st-key-study-dangers .loupe-table th:first-child { width: 22%; }
  .st-key-study-dangers .loupe-table th:nth-child(2) { width: 13%; }
}
.st-key-study-dangers td span { display: inline-block; min-width: 3rem; font-variant-numeric: tabular-nums; }
.st-key-danger-cells-place { position: absolute; width: 0; }
.loupe-opens { all: unset; position: relative; cursor: pointer; color: SOFT; }
/* As high as its row, for a finger. */
.loupe-opens::after { content: ""; position: absolute; inset: -0.4rem -0.6rem; }
.loupe-opens:hover { text-decoration: underline; text-underline-offset: 3px; }
.loupe-opens:focus-visible { outline: 2px solid SOFT; outline-offset: 2px; }
.st-key-study-dangers td > i {
  display: inline-block; width: calc(100% - 4.2rem); max-width: 8rem; height: 0.6rem; background: RULE;
}
.st-key-study-dangers td > i b { display: block; height: 100%; background: HIGH; }
.st-key-study-dangers details td > i b { background: SOFT; }
.st-key-study-dangers .loupe-table:first-child tr:nth-last-child(1 of :not(.loupe-by-chance)) td {
  font-weight: 650;
}
.st-key-study-dangers .loupe-by-chance td { color: MUTED; }
.st-key-study-dangers details.loupe-note { margin-top: 0.5rem; }
.st-key-study-dangers .loupe-table td:first-child { color: inherit; }
:is(.st-key-study-reference, .st-key-study-verdict) .loupe-table small {
  display: block; color: MUTED; font-size: 0.85rem; font-weight: 400; line-height: 1.35;
}
.st-key-study-verdict .loupe-table trTOLD td:nth-child(2) small { padding-left: 1.15rem; }
.st-key-study-reference .loupe-table td { vertical-align: top; }
.st-key-study-reference .loupe-table td:first-child { color: inherit; }
.st-key-study-below { min-height: 2.5rem; gap: 0.2rem 1rem; }
.st-key-study-below > .stElementContainer { flex: 0 1 auto; width: auto; min-width: 0; }
.st-key-study-below .loupe-text { margin: 0; }
.loupe-card .loupe-sentence:not(.loupe-point) { margin: 0.35rem 0 0; }
@media (max-width: 1100px) { .st-key-study-below { min-height: 4.3rem; } }
@media (max-width: 640px) { .st-key-study-below { min-height: 5.5rem; } }
@media (max-width: 880px) {
  .st-key-study-verdict .loupe-table :is(th, td) { padding-right: 0.4rem; font-size: 0.82rem; }
}
/* By a reference more is said beneath: the picture leaves it room, and lines break in a narrow window. */
.st-key-study-verdict .loupe-table:has([data-exact]) :is(.loupe-range, .loupe-range-ends) { width: 10.8rem; }
@media (min-width: 481px) and (max-width: 1180px) {
  .st-key-study-verdict .loupe-table small span { display: none; }
  .st-key-study-verdict .loupe-table:has([data-exact]) td small { white-space: normal; }
  .st-key-study-verdict .loupe-table:has([data-exact]) td:nth-child(n + 3) { white-space: normal; }
}
@media (min-width: 641px) and (max-width: 1180px) {
  .st-key-study-verdict .loupe-table td { height: 3.25rem; vertical-align: middle; }
  .st-key-study-verdict .loupe-table th { height: 3.1rem; vertical-align: bottom; }
}
@media (min-width: 641px) { .st-key-study-below { flex-wrap: nowrap; } }
@media (max-width: 640px) {
  .st-key-study-verdict .loupe-table :is(th, td) { padding-right: 0.3rem; font-size: 0.8rem; }
  .st-key-study-verdict .loupe-table td { height: 2.95rem; }
  .st-key-study-verdict .loupe-table trTOLD td:nth-child(5) { min-width: 4.1rem; }
  .st-key-study-dangers .loupe-table :is(th, td) { padding-right: 0.4rem; font-size: 0.78rem; }
  .st-key-study-dangers .loupe-table td:first-child { min-width: 5rem; overflow-wrap: break-word; }
  .st-key-study-dangers td > i { display: block; width: calc(100% - 0.4rem); }
  .st-key-study-verdict .loupe-table :is(td, th):first-child { min-width: 4rem; }
  .st-key-study-verdict .loupe-table + .loupe-note { min-height: 3.7rem; }
}
@media (max-width: 440px) {
  .st-key-study-reference .loupe-table :is(th, td) { padding-right: 0.4rem; font-size: 0.85rem; }
  :is(.st-key-study-reference, .st-key-study-verdict) .loupe-table small {
    font-size: 0.8rem; line-height: 1.3;
  }
}
/* On a phone six columns are too small to read: each model has lines of its own. */
@media (max-width: 480px) {
  .st-key-study-verdict .loupe-table :is(th, td) { font-size: 0.9rem; }
  .st-key-study-verdict .loupe-table, .st-key-study-verdict .loupe-table tbody { display: block; }
  .st-key-study-verdict .loupe-table thead { position: absolute; clip-path: inset(50%); }
  .st-key-study-verdict .loupe-table tr {
    display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid RULE; padding: 0.3rem 0.4rem;
  }
  .st-key-study-verdict .loupe-table td {
    height: auto; min-width: 0; border: 0; padding: 0.08rem 0.4rem 0.08rem 0;
  }
  .st-key-study-verdict .loupe-table td:first-child { font-weight: 650; grid-column: 1; padding-left: 0; }
  .st-key-study-verdict .loupe-table trTOLD td:nth-child(2) {
    grid-area: 1 / 2; text-align: right; white-space: normal;
  }
  .st-key-study-verdict .loupe-table :is(trTOLD td:nth-child(5), tr:not(TOLD) td:nth-child(4)) {
    grid-column: 1 / -1;
  }
  .st-key-study-verdict .loupe-table td::before { color: MUTED; font-weight: 400; }
SAID
}
@media (max-width: 389px) {
  .st-key-study-verdict .loupe-table + .loupe-note { min-height: 4.9rem; }
}
.loupe-figure small { font-size: 0.93rem; font-weight: 400; letter-spacing: 0; color: MUTED; }
@media (max-width: 960px) { .loupe-figure small { display: block; line-height: 1.4; } }
</style>"""
_TINTS = "\n".join(
    f'.loupe-parts [data-part="{place}"], .st-key-study-danger-parts .st-key-finding-high-risk{which} '
    f"button::before {{ background: color-mix(in srgb, HIGH {share}%, PAGE); }}"
    for place, (which, share) in enumerate((("-first", 100), ("-tied", 70), ("", 50), ("-behind", 30)))
)
"""The parts of the cases that may be of high risk, paler from one to the next."""


_TOLD = ":has(> :last-child:nth-child(2n + 5))"
"""Rows that say what follows, beside the model: of an odd number of cells, as no other claims have."""
_SAID = "\n".join(
    f"  .st-key-study-verdict :is(tr:not({_TOLD}) td:nth-child({place}), "
    f'tr{_TOLD} td:nth-child({place + 1}))::before {{ content: "{head} "; }}'
    for place, head in enumerate((*HEADS, *DANGER_HEADS), start=1)
    if head != "Model"
) + (
    f"\n  .st-key-study-verdict :is(tr:has([data-exact]):not({_TOLD}) td:nth-child(3), "
    f'tr:has([data-exact]){_TOLD} td:nth-child(4))::before {{ content: "Right "; }}'
)
"""On a phone cells of the claims say their heads."""
CARDS = (
    _CARDS.replace("TINTS", _TINTS).replace("SAID", _SAID).replace("TOLD", _TOLD).replace("HIGH", _HIGH_RISK)
)
"""Of a card the place of its words is kept: what is found later moves nothing."""
ROOM = """<style>
@media (max-width: 640px) {
  body .st-key-study-verdict .loupe-table th { height: 3.05rem; }
}
@media (max-width: 1100px) { body .st-key-study-card-sure .loupe-card { min-height: 19.5rem; } }
</style>"""
"""Keeps the place of what is said where the readings may support another reliability than that in force."""
