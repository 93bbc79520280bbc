"""Style sheet of the tour; names of tokens in capitals stand for their colours."""

from __future__ import annotations

from dashboard.shell.theme import DARK, LIGHT, risk_style

STYLE = """
<style>
/* What leads on stands on the line of the words before it. */
.stApp :is(.st-key-tour-last-question, .st-key-tour-save, .st-key-tour-save-example) {
  align-items: baseline;
}
.st-key-tour { max-width: 1120px; }
.st-key-tour h1 { font-size: 2.3rem; font-weight: 650; letter-spacing: -0.02em; padding: 0; }
.st-key-tour h2 { font-size: 1.28rem; font-weight: 650; letter-spacing: -0.005em; padding: 0 0 0.35rem; }
[class*="st-key-tour-step-"] h2::first-letter { color: SOFT; }
.st-key-tour-deck { margin: 0.1rem 0 0; }
.st-key-tour-deck p { font-size: 1.15rem; line-height: 1.5; color: MUTED; text-wrap: pretty; }
.st-key-tour-straight { gap: 0.4rem 0.6rem; margin: -0.6rem 0 -0.2rem; }
.st-key-tour-straight > * { width: auto; flex: 0 0 auto; }
.st-key-tour-straight p { color: MUTED; font-size: 0.95rem; }
.st-key-tour-straight button { min-height: 2rem; padding: 0.1rem 0.7rem; border-radius: 1rem; }
.st-key-tour-straight button p { color: SOFT; }
.st-key-onto-claim button { border-color: SOFT; }
.st-key-onto-claim button p { font-weight: 600; }
.st-key-onto-claim button p::after { content: "\\a0↓" / ""; }
.st-key-tour-onward { border-top: 1px solid RULE; padding-top: 1.5rem; margin-top: 0.7rem; }
.st-key-tour-steps { gap: 0.6rem; border-bottom: 1px solid RULE; padding-bottom: 0.8rem; }
.st-key-tour-steps > :has(> [data-testid="stHtml"] > [data-shown-step]) { display: none; }
.st-key-parts-of-tour_step button { padding: 0.2rem 1rem; }
.st-key-onto-step button p::after { content: " →" / ""; }
[class*="st-key-onto-step-"] button { min-height: 0; padding: 0; }
/* Steps that are not shown keep their width, and what was chosen in them. */
@media screen {
  .st-key-tour:has([data-shown-step="case"]) :has(> :is(.st-key-tour-all-cases, .st-key-tour-last)),
  .st-key-tour:has([data-shown-step="cases"]) :has(> :is(.st-key-tour-step-1, .st-key-tour-last)),
  .st-key-tour:has([data-shown-step="errs"])
    :has(> :is(.st-key-tour-step-1, .st-key-tour-all-cases, .st-key-tour-onto)) {
    height: 0; min-height: 0; overflow: hidden; visibility: hidden; margin-top: -1rem;
  }
}
[class*="st-key-tour-step-"] p { line-height: 1.55; max-width: 40rem; }
/* What follows stays out of sight while the answer is worked out, and where it is then. */
.st-key-tour-yours {
  border: 1px solid RULE; border-top: 4px solid SOFT; border-radius: 6px; padding: 0.5rem 1.4rem 1rem;
  min-height: min(100vh, 48rem);
}
.st-key-tour-yours > :has(.loupe-tour-claim) { margin-bottom: -0.7rem; }
.st-key-tour-yours, .st-key-tour-yours [data-testid="stVerticalBlock"] { gap: 0.5rem; }
.st-key-tour-yours p { line-height: 1.45; text-wrap: pretty; }
/* The answer to other numbers than those in the fields. */
.st-key-tour-yours [data-stale="true"] { opacity: 0.35; transition: opacity 0.15s 0.25s; }
.loupe-tour-example { font-weight: 600; min-height: 1.45em; }
.st-key-tour-fields { align-items: flex-end; }
/* The unit of what is typed; the pale number in an empty field has its own. */
:is([class*="st-key-choose-tour_claimed"], [class*="st-key-choose-tour_agreement"])
  [data-testid="stNumberInputContainer"]:has(input:not(:placeholder-shown))::after {
  content: "%" / ""; order: 1; align-self: center; padding-right: 0.4rem; color: MUTED;
}
.st-key-tour-fields [data-testid="stNumberInputContainer"] > div { order: 2; }
.st-key-tour-yours .loupe-tour-verdict {
  font-size: 1.75rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.25; text-wrap: balance;
}
.loupe-tour-if { margin-bottom: -0.65rem; }
.loupe-tour-support { margin-top: -0.5rem; }
.loupe-tour-reason { margin-top: -0.5rem; }
.loupe-tour-guide { color: MUTED; }
/* What nobody told, and what would then be supported: one beside the other, for they are compared. */
.tour-scale { white-space: normal; }
.st-key-tour-scale-head { gap: 0 1rem; margin-bottom: -0.25rem; }
.st-key-tour-scale-head > * { width: auto; flex: 0 1 auto; }
.tour-scale ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 1px;
  background: RULE; border: 1px solid RULE; border-radius: 6px; overflow: hidden; }
.tour-scale li { flex: 1 1 7rem; margin: 0; padding: 0.3rem 0.7rem; background: PAGE; display: flex;
  flex-wrap: wrap; gap: 0 0.7rem; align-items: baseline; }
.tour-scale li[data-now] { background: PANEL; box-shadow: inset 0 3px SOFT; }
.tour-scale i { font-style: normal; color: MUTED; font-size: 0.87rem; width: 100%; }
.tour-scale b { font-weight: 650; font-size: 1.05rem; white-space: nowrap; }
.tour-scale small { color: MUTED; font-size: 0.87rem; white-space: nowrap; }
.loupe-tour-advice {
  border-left: 4px solid SOFT; background: PANEL; padding: 0.45rem 1rem; font-size: 1.1rem;
  font-weight: 600;
}
/* Their places are kept while they are worked out. */
.st-key-tour-save, .st-key-tour-save-example { gap: 0.5rem 0.8rem; }
.st-key-tour-save { min-height: 2.5rem; }
.st-key-tour-save-example { min-height: 4.6rem; }
/* So it would be while a number is still being typed; a field that is replaced leaves its mark. */
[data-typing] .st-key-tour-yours:has(.st-key-tour-fields input:focus) .st-key-save-note-tour {
  pointer-events: none; opacity: 0.45; }
:is(.st-key-tour-save, .st-key-tour-save-example) > * { width: auto; flex: 0 1 auto; }
:is(.st-key-tour-save, .st-key-tour-save-example) .st-key-save-note-tour { gap: 0.5rem; }
:is(.st-key-tour-mine, .st-key-tour-to-study, .st-key-tour-not-told) button { min-height: 0; padding: 0; }
:is(.st-key-tour-mine, .st-key-tour-to-study, .st-key-tour-not-told) button p,
  [class*="st-key-onto-step-"] button p {
  color: SOFT; text-decoration: underline; text-underline-offset: 3px;
}
.st-key-tour-yours .st-key-tour-folds { gap: 0.5rem; }
/* What is folded away stands in one row, and unfolded in one of its own. */
@media (min-width: 1181px) {
  .st-key-tour-yours .st-key-tour-folds { flex-flow: row wrap; }
  .st-key-tour-folds > * { width: auto; flex: 1 0 auto; max-width: 100%; }
  .st-key-tour-folds > :has(details[open]) { flex-basis: 100%; }
}
.st-key-tour-case {
  background: PANEL; border-radius: 6px; padding: 0.4rem 1.4rem; margin: 0 0 -0.35rem; gap: 0.1rem;
}
.st-key-tour-case p { line-height: 1.45; text-wrap: pretty; }
.st-key-tour .loupe-tour-case, .st-key-tour .loupe-tour-claim {
  font-size: 1.28rem; font-weight: 650; letter-spacing: -0.005em; line-height: 1.3; margin: 0; padding: 0;
}
/* Read in this order: lists, what a truth is, two such, how many of each kind, what a vote makes of it. */
.tour-case {
  display: grid; grid-template-columns: minmax(0, 6fr) minmax(0, 5fr); gap: 0.5rem 2.4rem; margin-top: 0.3rem;
}
.tour-counted, .tour-case .tour-errs { grid-column: 1 / -1; }
.tour-counted { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem 2.4rem; }
.tour-counted > :is(ul, .tour-no-chance) { grid-column: 1 / -1; }
/* Why other first choices hardly count: beside the head of the bars where there is room. */
.tour-counted .loupe-note { grid-row: 1; grid-column: 2; align-self: center; text-align: right; }
.tour-case :is(ol, ul) { list-style: none; margin: 0; padding: 0; }
.tour-case li { margin: 0; padding: 0; line-height: 1.35; }
.tour-lists li { border-bottom: 1px solid RULE; padding: 0.12rem 0; }
.tour-lists li:last-child { border-bottom: 0; }
.tour-case .tour-place { margin-right: 0.7rem; }
.tour-case .tour-place i { font-style: normal; color: MUTED; }
.tour-lists b { font-weight: 650; color: light-dark(DANGER); }
.tour-case p { margin: 0 0 0.3rem; }
.tour-case ol + p { margin: 0.3rem 0 0; }
.tour-case .tour-counted p { margin: 0; }
.tour-case .tour-errs { border-top: 1px solid RULE; padding-top: 0.4rem; font-weight: 600; }
.tour-named { white-space: nowrap; }
.tour-truths li { font-size: 0.95rem; text-wrap: pretty; }
.tour-truths li + li { margin-top: 0.5rem; }
.tour-truths strong { font-weight: 650; }
.tour-truth { display: flex; gap: 1px; height: 0.7rem; margin-bottom: 0.2rem; }
.tour-truth i { flex: 0 1 0; background: color-mix(in srgb, MUTED 45%, transparent); }
.tour-open { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 2.4rem; }
.tour-case .tour-open { margin-bottom: 0.2rem; }
.tour-open li { display: grid; grid-template-columns: 1fr auto; align-items: baseline; }
.tour-open .tour-bar { grid-row: 2; grid-column: 1 / -1; }
.tour-often { text-align: right; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
:is(.tour-open, .tour-truths) b {
  display: inline-block; min-width: 1.25rem; border-radius: 3px; text-align: center; font-size: 0.87rem;
}
.tour-bar { height: 0.6rem; background: RULE; }
.tour-bar i { display: block; height: 100%; background: MUTED; }
LEVELS
.st-key-tour-case-head { gap: 0.5rem; }
.st-key-tour-case-head button { min-height: 2.1rem; }
.st-key-tour-case-head > * { width: auto; flex: 0 0 auto; max-width: 100%; }
.st-key-tour-case-head > :first-child { flex: 1 1 14rem; }
.tour-questions { border-top: 1px solid RULE; padding-top: 0.6rem; }
.tour-questions p { display: none; }
.tour-questions :is(p, summary) { font-weight: 650; margin: 0 0 0.3rem; }
.tour-questions summary { cursor: pointer; width: fit-content; }
/* Folded on a telephone alone, and wherever a browser cannot show what is folded. */
@supports selector(::details-content) {
  @media print, (min-width: 641px) {
    .tour-questions p { display: block; }
    .tour-questions summary { display: none; }
    .tour-questions details::details-content { content-visibility: visible; block-size: auto; }
  }
}
:is(.st-key-tour-last-question, .st-key-tour-onto-study) { gap: 0.1rem 0.8rem; }
:is(.st-key-tour-last-question, .st-key-tour-onto-study) > * { width: auto; flex: 0 1 auto; }
.tour-questions ol { columns: 2; column-gap: 2.4rem; margin: 0; padding-left: 1.2rem; text-wrap: pretty; }
.tour-questions li { margin: 0 0 0.35rem; padding-left: 0.2rem; line-height: 1.4; break-inside: avoid; }
.st-key-tour .loupe-tour-why { font-size: 1.5rem; margin: 1.2rem 0 0; padding: 0; }
/* Its place is kept while it is prepared. */
.st-key-tour-last { min-height: 14.7rem; }
.st-key-tour-home {
  border-left: 4px solid SOFT; background: PANEL; padding: 1.2rem 1.5rem; margin: 1rem 0 0.6rem;
}
.st-key-tour-home .loupe-sentence { font-size: 1.35rem; line-height: 1.45; max-width: 52rem; }
.st-key-tour-onward [data-testid="stColumn"] p { line-height: 1.5; }
/* What can be pressed stands side by side at one height. */
.st-key-tour-onward [data-testid="stColumn"] > * { height: 100%; }
.st-key-tour-onward [data-testid="stColumn"] > * > :last-child { margin-top: auto; }
.st-key-tour-onward h3 { font-size: 1.03rem; font-weight: 650; padding: 0.5rem 0 0; }
.st-key-tour .tour-readings { display: flex; gap: 0.5rem; margin: 0.2rem 0 0.1rem; padding: 0; }
.tour-readings div {
  flex: 1 1 0; max-width: 6.4rem; display: flex; flex-direction: column-reverse; align-items: center;
  border: 1px solid RULE; border-radius: 6px; padding: 0.35rem 0.2rem 0.3rem; margin: 0;
}
.tour-readings div:last-child { border: 2px solid TEXT; margin-left: 1.1rem; position: relative; }
.tour-readings div:last-child::before {
  content: "→" / ""; position: absolute; left: -1.3rem; top: 1.05rem; color: MUTED;
}
.tour-readings dd { margin: 0; padding: 0; font-size: 1.45rem; font-weight: 600; line-height: 1.2; }
.tour-readings .tour-condition { order: -1; color: MUTED; font-size: 0.84rem; font-weight: 400; }
.tour-readings dt {
  margin: 0; padding: 0; color: MUTED; font-size: 0.84rem; font-weight: 400; white-space: nowrap;
}
.st-key-tour-step-1 [data-testid="stVegaLiteChart"] { min-height: 538px; }
.st-key-tour-step-1 .stVegaLiteChart.vega-embed { display: flex; flex-direction: column; }
.st-key-tour-step-1 .vega-embed form.vega-bindings {
  order: -1; flex-direction: row; align-items: center; gap: 1.6rem; padding: 0 0 1.1rem; max-width: 632px;
}
.st-key-tour-step-1 form.vega-bindings div.vega-bind { width: auto; min-width: 0; flex: 1 1 auto; }
.st-key-tour-step-1 form.vega-bindings div.vega-bind:has([type="checkbox"]) { flex: 0 0 auto; }
.st-key-tour-step-1 form.vega-bindings div.vega-bind label { flex: 1 1 auto; flex-wrap: nowrap; gap: 0.8rem; }
.st-key-tour-step-1 form.vega-bindings span.vega-bind-name { min-width: 0; font-size: 0.95rem; }
.st-key-tour-step-1 form.vega-bindings [type="range"] {
  flex: 1 1 auto; width: auto; min-width: 0; height: 1.1rem;
}
/* What Streamlit fills of the track stands still while the slider moves by itself. */
.st-key-tour-step-1 form.vega-bindings [type="range"]::-webkit-slider-runnable-track {
  background: RULE !important;
}
.st-key-tour-step-1 form.vega-bindings [type="range"]::-moz-range-progress { background: RULE !important; }
.st-key-tour-step-1 form.vega-bindings [type="range"] + span { display: none; }
/* What its ends stand for. */
.st-key-tour-step-1 form.vega-bindings label:has([type="range"]) { position: relative; }
.st-key-tour-step-1 form.vega-bindings label:has([type="range"])::after {
  content: "unlimited trust" / ""; position: absolute; right: 0; top: 1.45rem;
  color: MUTED; font-size: 0.8rem;
}
.st-key-tour-step-1 form.vega-bindings label:has([type="range"]) .vega-bind-name::after {
  content: "little trust" / ""; position: absolute; left: 5.4rem; top: 1.45rem;
  color: MUTED; font-size: 0.8rem;
}
.st-key-tour-step-1 form.vega-bindings label:has([type="checkbox"]) {
  border: 1px solid SOFT; border-radius: 999px; padding: 0.22rem 0.95rem 0.22rem 0.8rem;
  min-width: 5.6rem; justify-content: center; color: SOFT; font-weight: 600; font-size: 0.95rem; gap: 0;
}
.st-key-tour-step-1 form.vega-bindings label:has([type="checkbox"]) span { color: SOFT; font-weight: 600; }
.st-key-tour-step-1 form.vega-bindings label:has([type="checkbox"]:not(:checked)) span::before {
  content: "▶\ufe0e" / ""; font-size: 0.8em; padding-right: 0.5rem;
}
.st-key-tour-step-1 form.vega-bindings label:has(:checked) span { display: none; }
.st-key-tour-step-1 form.vega-bindings label:has(:checked)::before {
  content: "❚❚" / ""; font-size: 0.8em; padding-right: 0.5rem;
}
.st-key-tour-step-1 form.vega-bindings label:has(:checked)::after { content: "Pause"; }
.st-key-tour-step-1 form.vega-bindings label:has([type="checkbox"]:focus-visible) {
  outline: 2px solid SOFT; outline-offset: 2px;
}
.st-key-tour-step-1 form.vega-bindings [type="checkbox"] { position: absolute; opacity: 0; }
@media (max-width: 1180px) {
  .st-key-tour-last { min-height: 22.7rem; }
  .st-key-tour-yours { padding: 0.7rem 1rem 0.9rem; }
  .st-key-tour-case { padding: 0.7rem 1rem; }
  .st-key-tour [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) {
    flex-wrap: wrap; gap: 1rem;
  }
  .st-key-tour [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {
    flex: 1 1 100%; min-width: 100%;
  }
}
@media (max-width: 959px) {
  .tour-case { display: block; }
  .tour-case > div + div { margin-top: 0.9rem; }
  .tour-case .tour-errs { margin-top: 0.6rem; }
  .tour-counted { display: block; }
  .tour-case .tour-counted .loupe-note { text-align: left; }
  .tour-questions ol { columns: 1; }
}
@media (max-width: 640px) {
  .st-key-tour-case-head > :first-child { flex-basis: 100%; }
  .tour-open { grid-template-columns: 1fr; row-gap: 0.35rem; margin-top: 0.25rem; }
  .loupe-tour-example { min-height: 2.9em; }
}
@media (max-width: 480px) {
  .st-key-tour-last { min-height: 27.8rem; }
  .st-key-tour-save-example { min-height: 6.55rem; }
  .st-key-tour-yours .loupe-tour-verdict { font-size: 1.45rem; }
  .st-key-tour h1 { font-size: 1.9rem; }
  .st-key-tour [data-testid="stVerticalBlock"]:not(.st-key-tour-case, .st-key-tour-folds) { gap: 0.7rem; }
  .st-key-tour-home { padding: 0.8rem 1rem; margin: 0; }
  .st-key-tour-home .loupe-sentence { font-size: 1.15rem; }
}
@media (max-width: 450px) {
  .st-key-tour-save { min-height: 4.6rem; }
  .st-key-tour-save-example { min-height: 9.95rem; }
}
@media (max-width: 399px) {
  .st-key-tour-step-1 .vega-embed form.vega-bindings { gap: 0.8rem; }
  .loupe-tour-example { min-height: 4.35em; }
}
/* No room for the slider beside what moves it. */
@media (max-width: 359px) {
  .st-key-tour .tour-readings { gap: 0.3rem; }
  .tour-readings div { padding: 0.35rem 0.1rem 0.3rem; }
  .st-key-tour-step-1 .vega-embed form.vega-bindings { flex-wrap: wrap; }
  .st-key-tour-step-1 form.vega-bindings div.vega-bind:has([type="range"]) { flex-basis: 100%; }
}
</style>
"""
STYLE = STYLE.replace(
    "LEVELS", risk_style(":is(.tour-open b, .tour-truths b, .tour-bar i, .tour-truth i)[data-level=LEVEL]")
).replace("DANGER", f"{LIGHT.risk['H']}, color-mix(in srgb, {DARK.risk['H']} 60%, white)")
