"""Style sheet of all pages: type scale, spacing, and the stacking of columns on narrow screens."""

from __future__ import annotations

_CAPTION = (
    '[data-testid="stHorizontalBlock"]:has(> [class*="st-key-data-"]):not(:has(> .st-key-data-worklist))'
)
"""What stands below a picture: how to read it, and its buttons."""
_FIELDS = (
    "[data-testid=stNumberInputContainer], [data-testid=stTextInputRootElement], "
    "[data-testid=stTextAreaRootElement], .stSelectbox [role=group], .stMultiSelect [role=group]"
)
"""What something is put into."""

STYLE = """
<style>
.stMainBlockContainer { padding: 2.4rem 2.4rem 1.5rem; max-width: 1560px; }
.stSidebar [data-testid="stSidebarUserContent"] { padding-top: 0; }
/* What says how readings are counted is folded as one, though the slider is drawn beneath what folds. */
.stSidebar:has(.st-key-counting details:not([open]))
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-counting-"]) { display: none; }
/* While an answer is on its way, a note would be of what was before: it waits, unless it is being pressed. */
.stApp[data-test-script-state=running] [class*=st-key-save-note-]:not(:active) { pointer-events: none; }
/* What is chosen, under the pointer: its own colour would be too pale there. */
.stApp .stButtonGroup [aria-checked=true]:hover :is(p, div) { color: TEXT; }
/* On the page, fields look like fields: grey ones look as if nothing could be put in. */
.stMain :is(FIELDS) { background: PAGE; }
.stMain :is(FIELDS):not(:focus-within) { border-color: color-mix(in srgb, MUTED 45%, RULE); }
/* What is chosen of a list is read, in the dark too. */
body .stMultiSelect [data-tag] { background: PANEL; border: 1px solid RULE; color: TEXT; }
body .stMultiSelect [data-tag] :is(span, button) { color: TEXT; }
.st-key-what-is-danger .stMultiSelect [data-tag] { height: auto; max-width: 100%; }
.st-key-what-is-danger .stMultiSelect [data-tag] span { max-width: none; white-space: normal; }
.loupe-text { margin: 0; padding: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.stApp .loupe-h1 {
  font-size: 1.65rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.2; padding: 0;
}
.stApp .loupe-h2 { font-size: 1.03rem; font-weight: 650; line-height: 1.3; padding: 0.6rem 0 0; }
.loupe-sentence { font-size: 1.22rem; line-height: 1.4; font-weight: 560; }
.loupe-quoted { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.93rem; line-height: 1.4;
  border-left: 3px solid RULE; padding-left: 0.7rem; margin: 0.3rem 0; }
.loupe-quoted summary { color: MUTED; cursor: pointer; width: max-content; max-width: 100%; }
.loupe-strong { font-weight: 600; }
.loupe-note { color: MUTED; font-size: 0.87rem; line-height: 1.4; }
.loupe-key { display: flex; flex-wrap: wrap; align-items: center; gap: 0.2rem 0.45rem; }
.loupe-key b {
  display: inline-block; width: 1.25rem; border-radius: 3px; border: 0.4px solid MUTED;
  text-align: center; font-weight: 600;
}
.loupe-key span { margin-right: 0.6rem; white-space: nowrap; }
.loupe-labels { color: TEXT; }
.loupe-labels span { white-space: normal; }
.loupe-key i { display: inline-block; box-sizing: border-box; vertical-align: middle;
  margin: 0 0.3rem 0.1rem 0; }
RISKS
.loupe-warning { border-left: 3px solid SOFT; background: PANEL; padding: 0.6rem 0.9rem; }
.loupe-unsaved { border-left: 4px solid HARD; color: HARD; font-weight: 600; }
/* What waits for a name and the field for it are one thing. */
.st-key-writer .loupe-unsaved { border: 0; padding: 0.2rem 0.6rem; }
.st-key-writer:has(.loupe-unsaved) { padding: 0.2rem 0.6rem 0.5rem 0; border-left: 4px solid HARD;
  background: PANEL; }
.st-key-writer:has(.loupe-unsaved) [data-testid=stForm] { padding-left: 0.6rem; }
.loupe-facts { display: flex; flex-wrap: wrap; gap: 0.6rem 3rem; margin: 0; padding: 0 !important; }
.loupe-facts div { display: flex; flex-direction: column; }
.loupe-facts dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.2; }
.loupe-facts dt { color: MUTED; font-size: 0.87rem; font-weight: 400; }
.loupe-table { width: 100%; border-collapse: collapse; font-size: 0.93rem; line-height: 1.4; }
.loupe-table th { text-align: left; font-weight: 400; color: MUTED; font-size: 0.87rem; }
.loupe-table th, .loupe-table td {
  border: 0; border-bottom: 1px solid RULE;
  padding: 0.28rem 1.2rem 0.28rem 0; vertical-align: top; overflow-wrap: anywhere;
}
.loupe-scroll { overflow-x: auto; }
.loupe-scroll :is(th, td) { overflow-wrap: normal; }
.loupe-table td:first-child { color: MUTED; min-width: 6.5rem; }
.st-key-by-reliability .loupe-table :is(th, td) { overflow-wrap: break-word; padding-right: 0.7rem; }
.st-key-readings .loupe-table td:first-child { min-width: 4.8rem; }
.st-key-readings .loupe-table th { overflow-wrap: normal; }
:is(.stPopover, [class*="st-key-open-bars-"]) button { font-size: 0.87rem; color: MUTED; min-height: 0; }
[class*="st-key-open-bars-"] [data-testid=stSkeleton] { height: 1.5rem; }
/* Room for the arrow, which stands out of its button. */
.stPopover button { padding-right: 0.5rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { position: sticky; top: 0; z-index: 5; }
/* Beneath the list of contents, and the head of the page. A whole body that is asked what it :has is asked
   again at every change of the page. */
[data-contents] [data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { top: 2.3rem; }
.stSidebar[data-collapsed=true] ~ div
  [data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { top: 3.7rem; }
[data-contents] .stSidebar[data-collapsed=true] ~ div
  [data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { top: 5.9rem; }
.st-key-case-change:empty { display: none; }
.st-key-what-if-banner {
  background: PANEL; border-left: 3px solid SOFT; padding: 0.4rem 0.9rem; border-radius: 0 6px 6px 0;
}
.st-key-condition, .st-key-dangers { background: PANEL; border-left: 3px solid SOFT; padding: 0.15rem 0.9rem;
  margin-top: 0.5rem; }
:is(.st-key-condition, .st-key-dangers) button p { color: SOFT; text-decoration: underline;
  text-underline-offset: 3px; }
.st-key-what-if-banner .loupe-warning { border: 0; padding: 0; }
[class*="st-key-finding"] button p { font-size: 1.08rem; font-weight: 560; text-align: left; }
[class*="st-key-finding"] button p { color: SOFT; text-decoration: underline; text-underline-offset: 3px; }
[class*="st-key-anchor-"] button { min-height: 0; }
/* Until the code of buttons is there, what stands in their place is as high as they will be. */
[class*="st-key-anchor-"] [data-testid=stSkeleton] { height: 1.4rem; }
[class*="st-key-parts-of-"] [data-testid=stSkeleton] { height: 2rem; }
[class*="st-key-anchor-"] button p { font-size: 0.87rem; color: SOFT; text-align: left; }
[class*="st-key-anchor-"] button p { text-decoration: underline; text-underline-offset: 3px; }
.stApp .st-key-open-own button p { color: SOFT; }
.stApp .st-key-open-own button p::before { content: "+ " / ""; }
.stApp kbd { color: MUTED; opacity: 1; }
/* What a button beside the field says is not said in it as well, nor how many letters are left of many. */
:is([class*="st-key-review-author"], [class*="st-key-review-note-"], .st-key-review-own-reason)
  [data-testid="InputInstructions"] { display: none; }
.stApp [data-testid="stWidgetLabel"][disabled] { color: MUTED; }
.stApp :is(a, button, summary, [type=checkbox], [type=range]):focus-visible,
.stDataFrame:has(canvas:focus-visible) {
  outline: 2px solid SOFT; outline-offset: 1px;
}
.st-key-mode { position: absolute; max-width: 0; overflow: hidden; }
.st-key-case-title { scroll-margin-top: 6.5rem; }
.st-key-footer { border-top: 1px solid RULE; margin-top: 1.2rem; padding-top: 0.5rem; }
[data-testid="stElementToolbar"] :is([aria-label^="Show data"], [aria-label^="Download as PNG"],
  [aria-label^="Copy Vega-Lite"]) { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-contents) {
  position: sticky; top: 2.65rem; z-index: 50; height: 0; margin-bottom: -1rem;
}
.st-key-contents > div { position: absolute; top: -2.65rem; left: 0; right: 0; }
/* With the sidebar folded, the head of the page has the place above. */
.stSidebar[data-collapsed=true] ~ div [data-testid="stLayoutWrapper"]:has(> .st-key-contents) {
  top: 6.35rem;
}
.st-key-filter button { min-height: 2.5rem; }
/* Dangers that are chosen are seen all at once, and so is what opens beneath their button, or above it. */
[class*=st-key-choose-dangers] :is([role=group], [data-testid=stMultiSelectTagsContainer]) {
  max-height: none;
}
[data-testid=stPopoverBody][aria-label$="hat counts as danger"] {
  max-height: calc(50vh - 1.5rem) !important;
}
/* A picture ends in some room of its own. */
CAPTION { margin-top: -0.55rem; }
/* Streamlit folds the sidebar on narrower screens alone; here it leaves the pages more room. */
@media (min-width: 769px) and (max-width: 1000px) {
  .stApp .stSidebar[data-collapsed=false] { width: 15.7rem !important; min-width: 15.7rem !important; }
  .stSidebar [data-testid="stSidebarContent"] { padding-inline: 0.9rem; }
}
/* Beside a long case its list stays in sight, and ends above the foot of the window. */
@media (min-width: 1181px) {
  .st-key-wide > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"]
    > [data-testid="stColumn"]:has(.st-key-worklist) {
    position: sticky; top: 2.6rem; align-self: flex-start;
  }
  .st-key-worklist { --most-height: max(260px, calc(100vh - 25.6rem)); }
}
@media (max-width: 1180px) {
  .st-key-wide [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) {
    flex-wrap: wrap; row-gap: 1rem;
  }
  .st-key-wide [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {
    flex: 1 1 100%; min-width: min(100%, 330px);
  }
  .st-key-worklist { --most-height: 300px; }
  .stMainBlockContainer { padding: 2.6rem 1.2rem 1.2rem; }
}
/* Where there is hardly a keyboard, keys are not named on buttons. */
@media (max-width: 640px) {
  .stApp button kbd, .st-key-review-re-read button [class*="ColoredText"],
  [data-testid="stHorizontalBlock"]:has(> .st-key-data-worklist) .loupe-at-screen { display: none; }
  .stApp .loupe-h1 { font-size: 1.4rem; }
  .loupe-facts { gap: 0.5rem 1.35rem; }
  .loupe-facts dd { font-size: 1.25rem; }
  :is(.st-key-case-title, .st-key-review-row) { gap: 0.4rem; }
  :is(.st-key-case-title, .st-key-review-row) button {
    padding: 0.2rem 0.55rem; font-size: 0.9rem; min-height: 2.2rem;
  }
  .stApp .st-key-choose-review-status { width: 8.3rem !important; flex: 0 0 8.3rem !important; }
  CAPTION { flex-wrap: wrap; row-gap: 0; }
  CAPTION > :first-child { flex: 1 1 100%; max-width: 100%; }
}
</style>
""".replace("CAPTION", _CAPTION).replace("FIELDS", _FIELDS)
"""Names of tokens in capitals stand for their colours, RISKS for the rules of the levels of risk."""
