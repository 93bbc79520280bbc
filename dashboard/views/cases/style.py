"""Style rules of the page Cases alone."""

from __future__ import annotations

import streamlit as st

from dashboard.shell.theme import DARK, LIGHT, paired, risk_style

_LETTER = ":is(.loupe-contenders, .loupe-hangs) b[data-level=LEVEL]"
"""Letter of a risk level beside a label."""
_STYLE = """
<style>
.stApp .loupe-effect { list-style: none; display: grid; gap: 0.3rem 0.8rem; margin: 0; padding: 0;
  grid-template-columns: fit-content(55%) minmax(4rem, 12rem) max-content; color: TEXT; }
.loupe-effect li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center;
  margin: 0; padding: 0; font-size: 0.93rem; }
.stApp .loupe-effect span { margin: 0; white-space: normal; overflow-wrap: anywhere; }
.loupe-effect b { line-height: 1.25rem; font-size: 0.87rem; }
.stApp .loupe-effect .loupe-effect-bar { position: relative; height: 0.6rem; background: RULE; }
.stApp .loupe-effect-bar i { display: block; height: 100%; margin: 0; }
.loupe-effect-bar u { position: absolute; top: -0.2rem; bottom: -0.2rem; width: 2px; background: TEXT; }
.stApp .loupe-effect .loupe-effect-numbers { white-space: nowrap; font-variant-numeric: tabular-nums; }
[class*=st-key-choose-preset] button::after { margin-left: 0.25rem; opacity: 0.75;
  font-variant-numeric: tabular-nums; }
/* The lists stand in a grid, three in a row, or two where they are four: names left, numbers right. */
[class*=st-key-choose-preset-button], [class*=st-key-choose-preset-button] .stButtonGroup { width: 100%; }
.stApp [class*=st-key-choose-preset-button] [role=radiogroup] { display: grid; gap: 0.35rem; width: 100%;
  max-width: none; grid-template-columns: repeat(3, minmax(0, 1fr)); }
.stApp [class*=st-key-choose-preset-button] [role=radiogroup]:has(> button:nth-of-type(4):last-of-type) {
  grid-template-columns: repeat(2, minmax(0, 1fr)); }
/* Of five, two stand below three: as wide together. */
.stApp [class*=st-key-choose-preset-button] [role=radiogroup]:has(> button:nth-of-type(5):last-of-type) {
  grid-template-columns: repeat(6, minmax(0, 1fr)); }
.stApp [class*=st-key-choose-preset-button] [role=radiogroup]:has(> button:nth-of-type(5):last-of-type)
  > button { grid-column: span 2; }
.stApp [class*=st-key-choose-preset-button] [role=radiogroup]:has(> button:nth-of-type(5):last-of-type)
  > button:nth-of-type(n + 4) { grid-column: span 3; }
.stApp .st-key-choose-preset-part, .st-key-choose-preset-part .stButtonGroup { width: 100%; }
.stApp .st-key-choose-preset-part [role=radiogroup] { display: grid; width: 100%; max-width: none;
  grid-template-columns: repeat(2, minmax(0, 1fr)); }
.stApp :is([class*=st-key-choose-preset-button], .st-key-choose-preset-part) button { width: 100%;
  max-width: none; height: 100%; padding-inline: 0.6rem; text-align: left; }
.stApp :is([class*=st-key-choose-preset-button], .st-key-choose-preset-part) button > div { flex: 1;
  justify-content: flex-start; }
.stApp :is([class*=st-key-choose-preset-button], .st-key-choose-preset-part) button :is(p, div) {
  white-space: normal; line-height: 1.15; }
[class*=st-key-choose-preset] button { min-height: 0; padding: 0.15rem 0.4rem; }
[class*=st-key-choose-preset] [role=radiogroup] { gap: 0.2rem; }
[class*=st-key-choose-preset] button :is(p, div),
  [class*=st-key-choose-preset] button::after { font-size: 0.84rem; }
/* Behind a model in the box stands how many cases it lists. */
[role=listbox] [role=option]::after {
  margin-left: 0.35rem; color: MUTED; font-size: 0.84rem; font-variant-numeric: tabular-nums; }
/* The labels that a case is between. */
.stApp .loupe-contenders { width: auto; min-width: 55%; margin: 0.2rem 0 0.3rem; }
.stApp .loupe-contenders tbody th { color: TEXT; font-size: 0.93rem; font-weight: 500; }
.stApp .loupe-contenders tbody th:has(b) { padding-left: 1.6rem; text-indent: -1.6rem; }
.stApp .loupe-contenders b { text-indent: 0; }
.stApp .loupe-contenders td { color: TEXT; white-space: nowrap; font-variant-numeric: tabular-nums; }
.stApp .loupe-contenders td:last-child { font-weight: 600; }
:is(.loupe-contenders, .loupe-hangs) b { display: inline-block; width: 1.25rem; border-radius: 3px;
  border: 0.4px solid MUTED; text-align: center; font-weight: 600; margin-right: 0.35rem; }
/* What a case comes to, a line for each question. */
.stApp .loupe-sentence { text-wrap: pretty; }
.stApp .loupe-misled { margin: 0; padding: 0.1rem 0 0.1rem 0.9rem; border-left: 3px solid SOFT;
  font-size: 1rem; line-height: 1.4; font-weight: 500; color: TEXT; text-wrap: pretty; }
.stApp .loupe-brief { margin: 0.2rem 0 0.4rem; padding: 0.2rem 0.9rem; background: PANEL;
  border-radius: 6px; }
/* What follows from invented readings looks like nothing that is known. */
.stApp .loupe-brief.loupe-invented { background: none; outline: 1px dashed SOFT; outline-offset: -1px; }
.loupe-brief > div { display: grid; grid-template-columns: 6.2rem minmax(0, 1fr); gap: 0.8rem;
  padding: 0.5rem 0; border-bottom: 1px solid RULE; }
.loupe-brief > div:last-child { border-bottom: 0; }
.stApp .loupe-brief :is(dt, dd) { margin: 0; font-size: 0.95rem; line-height: 1.45; color: TEXT; }
.stApp .loupe-brief dt { color: MUTED; font-size: 0.87rem; line-height: 1.56; }
.loupe-brief .loupe-risky { margin-left: -0.9rem; padding-left: calc(0.9rem - 3px);
  border-left: 3px solid HIGH; }
.stApp .loupe-brief .loupe-next :is(dt, dd) { font-weight: 600; color: TEXT; }
/* What would be without a reading: narrow, so that names wrap beside their letters. */
.stApp .loupe-hangs { margin: 0.1rem 0 0.6rem; font-size: 0.9rem; }
.stApp .loupe-hangs caption { caption-side: top; text-align: left; padding: 0 0 0.15rem; color: TEXT; }
.stApp .loupe-hangs caption :is(strong, span) { font-size: 0.93rem; }
.stApp .loupe-hangs caption strong { font-weight: 650; }
.stApp .loupe-hangs thead th { white-space: nowrap; }
.stApp .loupe-hangs :is(th, td) { padding: 0.3rem 0.5rem 0.3rem 0; overflow-wrap: break-word; }
.stApp .loupe-hangs tbody th { color: TEXT; font-size: inherit; font-weight: 500; }
.stApp .loupe-hangs td { color: TEXT; min-width: 0; font-variant-numeric: tabular-nums; }
.stApp .loupe-hangs td p { margin: 0; padding-left: 1.65rem; text-indent: -1.65rem; font-size: inherit;
  line-height: 1.45; color: inherit; }
.stApp .loupe-hangs td p:not(:has(b)) { padding-left: 0; text-indent: 0; }
.stApp .loupe-hangs td span { font-weight: 650; white-space: nowrap; }
.stApp .loupe-hangs small { display: block; font-size: 0.82rem; line-height: 1.3; }
.stApp .loupe-hangs :is(th, td):nth-child(3) { padding-right: 0; text-align: right; white-space: nowrap; }
.stApp .loupe-hangs .loupe-then { margin-top: 0.2rem; }
.stApp .loupe-hangs .loupe-then, .stApp .loupe-hangs .loupe-then p { color: MUTED; }
.stApp .loupe-hangs .loupe-then span { font-weight: 400; }
.stApp .loupe-hangs td p + p { margin-top: 0.2rem; }
.stApp .loupe-hangs .loupe-all > * { background: PANEL; }
.stApp .loupe-hangs b { text-indent: 0; margin-right: 0.15rem; }
/* The ring around what has the keyboard is seen whole. */
.st-key-cases-head { overflow: visible; scroll-margin-top: 4.6rem; }
.st-key-cases-head > :first-child { flex: 1 1 0; min-width: 0; }
.st-key-cases-head :is(:has(> .st-key-marked-list), .st-key-marked-list, .st-key-marked-list *) {
  flex: 0 0 auto; width: auto; min-width: max-content; }
.stApp :is(.st-key-save-view, .st-key-filter) button { min-height: 2.5rem; color: TEXT; }
/* What fills the box of filters comes a moment later: until then an empty field stands where it will. */
[data-testid=stPopoverBody] [data-testid=stSkeleton] { height: 2.5rem; margin-top: 1.75rem; background: PANEL;
  border: 1px solid RULE; border-radius: 0.5rem; animation: none; }
.st-key-save-list { border-bottom: 1px solid RULE; padding-bottom: 0.9rem; gap: 0.6rem; min-height: 16rem; }
.st-key-save-list p { max-width: 27rem; }
/* What unfolds beneath a button stands to the right of its edge, and is smaller. */
.st-key-preset-parts { gap: 0.4rem 0.5rem; margin-top: -0.5rem; padding-left: 0.6rem;
  border-left: 3px solid RULE; }
.st-key-preset-parts [role=radiogroup] button { padding: 0.05rem 0.4rem; }
.st-key-preset-parts .stElementContainer { width: auto; }
.st-key-choose-preset-missed { flex: 1 1 7.5rem; min-width: 7.5rem; max-width: 13rem; }
.st-key-bring-back button { min-height: 0; padding: 0.25rem 0.6rem; }
/* What is listed, and what stands beneath the list. */
.stApp .loupe-expected { margin: 0.15rem 0 0; }
.stApp .loupe-listed strong { color: TEXT; font-weight: 600; }
.stApp .loupe-about p { margin: 0; font-size: inherit; color: inherit; }
.loupe-about summary { cursor: pointer; width: fit-content; }
.loupe-about details[open] p { margin-top: 0.35rem; }
.st-key-print-marked button { min-height: 0; padding: 0.25rem 0.6rem; }
/* What opens beneath the list is seen whole: below its button or, where there is no room, above. Streamlit
   would cut it to the room that is left below. */
[data-testid=stPopoverBody]:is([aria-label$="sheet to print"], [aria-label=Columns], [aria-label=Data]) {
  max-height: calc(50vh - 1.5rem) !important; }
.stApp .st-key-beneath-list { gap: 0.3rem; }
.st-key-beneath-list button { padding: 0.25rem 0.4rem; }
.st-key-counted-at [class*=st-key-work-] { flex-wrap: nowrap; }
.st-key-counted-at button { min-height: 0; padding: 0.2rem 0.6rem; white-space: nowrap; }
.st-key-counted-at button p { font-size: 0.87rem; }
/* While it is being found at which reliability to count, the counts may still change: they stand back. */
.stApp:has(.st-key-counted-at [class*=st-key-work-]) [class*=st-key-choose-preset] button::after,
.stApp:has(.st-key-counted-at [class*=st-key-work-]) .loupe-listed strong {
  color: MUTED; opacity: 1; font-style: italic; font-weight: 400;
}
/* While another case is on its way, the one that goes stands back; quick steps do not flicker. */
.stApp[data-test-script-state=running] :is(.st-key-case-review, .st-key-case-verdict, .st-key-case-readings,
  .st-key-case-why, .st-key-case-truths, .st-key-case-models, .st-key-case-what_if) {
  opacity: 0.4; transition: opacity 0.15s linear 0.25s; }
/* What is said of the case that was open, or of a list without the one that is, stands above its name, and
   moves nothing. */
.st-key-case-name { position: relative; }
.st-key-case-name > :has(> :is(.st-key-case-left, .st-key-case-unlisted)) { position: absolute; top: -2.1rem;
  left: 0; right: 0; }
.st-key-case-name :is(.st-key-case-left, .st-key-case-unlisted) { flex-wrap: nowrap; }
.st-key-case-name :is(.st-key-case-left, .st-key-case-unlisted) > :first-child { flex: 0 1 auto; min-width: 0;
  width: auto; }
.st-key-case-name :is(.st-key-case-left, .st-key-case-unlisted) p { white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; }
:is(.st-key-case-left, .st-key-case-unlisted) button { min-height: 0; padding: 0; white-space: nowrap; }
.stApp :is(.st-key-case-left, .st-key-open-first) button p { color: SOFT; text-decoration: underline;
  text-underline-offset: 3px; }
/* Beneath a list, a case leads back to it. */
.st-key-case-name > :has(> [class*=-case-up]) { position: absolute; top: -0.45rem; right: 0; width: auto; }
.loupe-up { all: unset; display: none; position: relative; cursor: pointer; font-size: 0.87rem; color: SOFT;
  white-space: nowrap; }
.loupe-up::after { content: ""; position: absolute; inset: -0.7rem -0.4rem; }
.loupe-up:hover { text-decoration: underline; text-underline-offset: 3px; }
.loupe-up:focus-visible { outline: 2px solid SOFT; outline-offset: 2px; }
@media (max-width: 1180px) { .loupe-up { display: inline-block; }
  .st-key-case-name > :has(> :is(.st-key-case-left, .st-key-case-unlisted)) { right: 8.5rem; } }
@media (max-width: 1180px) { .st-key-case-name { padding-top: 1.4rem; }
  .st-key-case-name > :has(> :is(.st-key-case-left, .st-key-case-unlisted)) { top: -0.5rem; } }
/* What leads on looks as if it did. */
.stApp :is(.st-key-list-all, .st-key-search-all, .st-key-clear) button p {
  color: SOFT; text-decoration: underline; text-underline-offset: 3px; }
/* Keys are told at the foot of the list and where one goes to a case: on each button they would be noise. */
.stApp :is(.st-key-case-name, .st-key-case-review) button kbd,
  .stApp .st-key-review-re-read button [class*="ColoredText"] { display: none; }
/* A flagged case is marked where it is flagged. */
.st-key-review-flag button[data-testid=stBaseButton-primary], .st-key-review-flag button[kind=primary] {
  background: SOFT; border-color: SOFT; }
.stApp .st-key-review-flag button[kind=primary] :is(p, kbd) { color: PAGE; }
[class*=st-key-choose-review-flags] button { min-height: 0; padding: 0.15rem 0.6rem; }
[class*=st-key-choose-review-flags] button p { font-size: 0.87rem; }
/* Reasons, the field for another and the way to take all off stand in the same rows, as words do. */
.stApp .st-key-review-own { gap: 0.35rem; }
.stApp .st-key-review-own :is(:has(> [class*=st-key-choose-review-flags]),
  [class*=st-key-choose-review-flags], .stButtonGroup, [role=toolbar]) { display: contents; }
.st-key-review-own [class*=st-key-choose-review-flags] label { display: none; }
.st-key-review-said > * { flex: 0 1 auto; width: auto; min-width: 0; }
.st-key-review-said > :has(details[open]) { flex-basis: 100%; }
[class*=st-key-review-noted-] > :first-child { flex: 0 1 auto; min-width: 0; width: auto; }
[class*=st-key-review-noted-] button { min-height: 0; padding: 0; white-space: nowrap; }
.st-key-review-own button { white-space: nowrap; }
.st-key-review-own :is(input, button) { min-height: 0; padding-block: 0.3rem; }
/* What was written leaves the room to the case. */
.st-key-case-review { row-gap: 0.6rem; }
.st-key-review-history details { border: 0; }
.st-key-review-history .loupe-table :is(th, td):nth-child(-n + 2) {
  overflow-wrap: normal; padding-right: 0.8rem; }
.st-key-review-history summary { padding: 0; min-height: 0; width: fit-content; }
.st-key-review-history summary p { font-size: 0.87rem; color: MUTED; }
/* What is changed is in sight where it begins: rows are low, so that many fit. */
.st-key-what-if-head > :first-child { flex: 1 1 0; min-width: 0; }
.st-key-what-if-head button { white-space: nowrap; }
@media (min-width: 641px) {
  .st-key-what-if [class*=st-key-what-if-] button { min-height: 0; padding: 0.15rem 0.6rem; }
}
/* Nothing shows through beside what stays in sight. */
.st-key-what-if-banner { box-shadow: 0 -0.9rem 0 PAGE, 0 0.5rem 0 PAGE; }
@media (min-width: 641px) {
  .st-key-what-if-banner { flex-wrap: nowrap; }
  .st-key-what-if-banner > .stElementContainer:first-child { flex: 1 1 0; width: auto; min-width: 0; }
  .st-key-what-if-banner > .stElementContainer:last-child { flex: 0 0 auto; width: auto; }
}
.st-key-what-if-banner { border-bottom: 1px solid RULE; }
.st-key-what-if-banner .loupe-text { font-size: 0.92rem; line-height: 1.4; }
/* On a phone the list leaves the first screen to the case. */
@media (max-width: 640px) {
  .loupe-brief > div { grid-template-columns: 1fr; gap: 0; }
  .st-key-cases-head { margin-top: 0.6rem; }
  .stApp .loupe-contenders { width: 100%; }
  .stApp .loupe-contenders :is(td, th) { white-space: normal; padding-right: 0.5rem; font-size: 0.87rem; }
  .stApp .loupe-contenders thead th { overflow-wrap: normal; word-break: normal; }
  .stApp .loupe-contenders :is(td, th):last-child { white-space: nowrap; padding-right: 0.4rem; }
  .stApp .st-key-worklist { --most-height: 250px; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-filter), .st-key-filter { width: 5.4rem !important;
    flex: none !important; }
  .stApp [class*=st-key-choose-sort] * { font-size: 0.8rem; letter-spacing: -0.01em; }
  .stApp [class*=st-key-choose-sort] [data-baseweb=select] > div { padding-inline: 0.3rem 0; }
  .stApp [class*=st-key-choose-preset] [role=radiogroup] { gap: 0.375rem 0.25rem; }
  .stApp [class*=st-key-choose-preset] [role=radiogroup] button { padding-inline: 0.32rem; }
  [class*=st-key-choose-preset-button] button { min-height: 2rem; }
  .stApp .loupe-contenders :is(tbody th, td) { font-size: 0.87rem; }
  .stApp .loupe-contenders tbody th { min-width: 8.4rem; }
  .stApp .st-key-beneath-list .loupe-about { font-size: 0.82rem; }
  .st-key-save-view button { font-size: 0.84rem; padding: 0.25rem 0.4rem; }
  [class*=st-key-choose-preset] button :is(p, div),
  [class*=st-key-choose-preset] button::after { font-size: 0.8rem; }
  .stApp .st-key-review-own { gap: 0.25rem; }
  .stApp .st-key-case-unlisted { gap: 0.4rem; }
  .st-key-case-unlisted p { font-size: 0.8rem; }
  [class*=st-key-choose-review-flags] button { padding: 0.1rem 0.4rem; }
  [class*=st-key-choose-review-flags] button p { font-size: 0.8rem; }
}
</style>
"""


def apply() -> None:
    """Put the rules on the page."""
    high = f"light-dark({LIGHT.risk['H']}, {DARK.risk['H']})"
    st.html(paired(_STYLE).replace("HIGH", high) + f"<style>{risk_style(_LETTER)}</style>")
