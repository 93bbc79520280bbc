"""A list of what is on a long page, which stays in sight and follows the reading."""

from __future__ import annotations

import streamlit as st

from dashboard.shell.theme import paired

SHORT = {
    "What do these labels support": "Verdict",
    "Which model do these labels support": "Verdict",
    "Which model is right most often": "Verdict",
    "How often is it right": "Verdict",
    "What the note for a vendor": "Note",
    "Which cases may be dangerous": "Danger",
    "How sure are the labels": "Certainty",
    "Which dangers does each model miss": "Missed dangers",
    "What does the study’s own reference say": "Reference",
    "What do the readings alone say": "Readings alone",
    "The claims in pictures": "Pictures",
    "How much depends on trust": "Trust in readers",
    "About this study": "About",
}
"""How headings that begin so are called in the list, where they are too long to stand beside each other."""
TOP, LONG = "Top", 24
"""How the title of the page is called there, if it has more letters than that."""
KEY = "contents"
"""Of the container that the list stands in; the style sheet keeps it at the top of the page."""
_CSS = """
.loupe-contents {
  display: flex; gap: 0.1rem; height: 2.2rem; align-items: center; overflow-x: auto; scrollbar-width: none;
  background: PAGE; border-bottom: 1px solid RULE; font-size: 0.87rem;
}
/* More stands to the left, or to the right: a press there brings it. */
.loupe-contents[data-before]::before, .loupe-contents[data-more]::after {
  position: sticky; flex: none; width: 2.4rem; height: 100%; display: flex; align-items: center; z-index: 1;
  box-sizing: border-box; padding-inline: 0.3rem; color: TEXT; font-size: 1.3rem; cursor: pointer;
}
.loupe-contents[data-before]::before {
  content: "‹" / ""; left: 0; margin-right: -2.5rem;
  background: linear-gradient(to left, transparent, PAGE 55%);
}
.loupe-contents[data-more]::after {
  content: "›" / ""; right: 0; margin-left: -2.5rem; justify-content: flex-end;
  background: linear-gradient(to right, transparent, PAGE 55%);
}
.loupe-contents[hidden] { display: none; }
.loupe-contents button {
  font: inherit; flex: none; color: MUTED; background: transparent; border: 0; cursor: pointer;
  border-bottom: 2px solid transparent; padding: 0 0.5rem; height: 100%;
}
/* Long headings stand in two lines, so that more of them are in sight. */
.loupe-contents span {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  font-size: 0.82rem; line-height: 1.15; text-align: left; text-wrap: balance;
}
.loupe-contents button:hover { color: TEXT; }
.loupe-contents button[aria-current] { color: TEXT; border-bottom-color: SOFT; }
.loupe-contents button:focus-visible { outline: 2px solid SOFT; outline-offset: -2px; }
"""
_JS = """
const SCREENS = 3, BELOW = 90, QUIET = 100, FADE = 40, MOST = 13;
// Where the sidebar is folded its head stands above; until the title has gone by, the list would lie on it.
const FOLDED = "[data-testid=stExpandSidebarButton]", GONE_BY = 56;
// A panel that is named has a key; what folds the rest of a long list has none.
const PANEL = "[class*=st-key-]:not(.st-key-review-history) > [data-testid=stExpander]";
const HEADS = `h1.loupe-h1, .loupe-h2, .loupe-asked, ${PANEL} summary`;
const lists = new WeakMap();

class Contents {
  constructor(parent) {
    this.nav = document.createElement("nav");
    this.nav.className = "loupe-contents";
    this.nav.hidden = true;
    this.nav.addEventListener("scroll", () => this.more());
    // At a button the press is the button's; at an end of the list it is the list's own.
    this.nav.addEventListener("click", ({target, clientX}) => {
      if (target !== this.nav) return;
      const {left, width} = this.nav.getBoundingClientRect();
      this.nav.scrollBy({left: (clientX < left + width / 2 ? -0.7 : 0.7) * width, behavior: "instant"});
    });
    parent.append(this.nav);
    this.main = document.querySelector("[data-testid=stMain]");
    this.shown = "";
    let waits = false, changes = 0;
    const soon = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => { waits = false; if (this.nav.isConnected) this.list(); else this.end(); });
    };
    // A page that comes in many pieces is laid out for its list once, when it has come.
    this.observer = new MutationObserver(() => {
      clearTimeout(changes);
      changes = setTimeout(soon, QUIET);
    });
    this.sizes = new ResizeObserver(soon);
    this.observer.observe(this.main, {childList: true, subtree: true});
    this.sizes.observe(this.main);
    if (this.main.firstElementChild) this.sizes.observe(this.main.firstElementChild);
    this.main.addEventListener("scroll", soon, {passive: true});
    this.end = () => {
      this.observer.disconnect();
      this.sizes.disconnect();
      this.main.removeEventListener("scroll", soon);
      this.tell();
    };
    soon();
  }

  // How a heading is called in the list.
  short(head, said) {
    const {short = [], top = "", long = Infinity} = this.names ?? {};
    if (head.tagName === "H1" && said.length > long) return top;
    return short.find(([begun]) => said.startsWith(begun))?.[1] ?? said;
  }

  // What else stays in sight stands beneath the list (`dashboard.shell.theme`).
  tell() {
    const isShown = document.querySelector(".loupe-contents:not([hidden])") !== null;
    document.documentElement.toggleAttribute("data-contents", isShown);
  }

  heads() {
    // What a panel holds comes with the panel.
    return [...this.main.querySelectorAll(HEADS)].filter((head) =>
      head.getClientRects().length && words(head) && !head.closest("details > :not(summary), [role=dialog]"));
  }

  list() {
    const heads = this.heads(), {scrollHeight, clientHeight} = this.main;
    const onTitle = this.main.scrollTop < GONE_BY && document.querySelector(FOLDED);
    // Written only where it differs: each write is a change of the page, for whoever waits for its last one.
    this.nav.toggleAttribute("hidden",
      scrollHeight <= SCREENS * clientHeight || heads.length < 4 || Boolean(onTitle));
    this.tell();
    if (this.nav.hidden) return;
    const shown = JSON.stringify(heads.map(words));
    if (shown !== this.shown) {
      this.shown = shown;
      this.nav.replaceChildren(...heads.map((head, i) => {
        const one = document.createElement("button");
        one.type = "button";
        one.append(document.createElement("span"));
        one.title = words(head);
        one.firstChild.textContent = this.short(head, one.title);
        one.firstChild.style.maxWidth = `${wide(one.firstChild.textContent.length)}rem`;
        one.addEventListener("click", () => this.go(i));
        return one;
      }));
    }
    const line = this.nav.getBoundingClientRect().bottom + BELOW;
    // What stays in sight while the rest goes by says nothing of where one reads.
    const tops = heads.map((head) =>
      this.stays(head) ? -Infinity : Math.round(head.getBoundingClientRect().top));
    // Of headings side by side the first.
    const last = tops.indexOf(Math.max(...tops.filter((top) => top <= line), tops[0]));
    const end = scrollHeight - clientHeight - this.main.scrollTop < 2;
    this.mark(end ? heads.length - 1 : last);
    this.more();
  }

  more() {
    const {scrollWidth, clientWidth, scrollLeft} = this.nav;
    this.nav.toggleAttribute("data-before", scrollLeft > 2);
    this.nav.toggleAttribute("data-more", scrollWidth - clientWidth - scrollLeft > 2);
  }

  stays(head) {
    for (let one = head; one && one !== this.main; one = one.parentElement)
      if (getComputedStyle(one).position === "sticky") return true;
    return false;
  }

  mark(current) {
    const buttons = [...this.nav.children];
    if (buttons[current]?.hasAttribute("aria-current")) return;
    for (const one of buttons) one.removeAttribute("aria-current");
    const one = buttons[current];
    if (!one) return;
    one.setAttribute("aria-current", "location");
    const room = this.nav.clientWidth;
    const at = one.offsetLeft - this.nav.offsetLeft;
    if (at < this.nav.scrollLeft + FADE || at + one.offsetWidth > this.nav.scrollLeft + room - FADE)
      this.nav.scrollLeft = at - room / 3;
  }

  go(i) {
    const head = this.heads()[i];
    if (!head) return;
    const top = head.getBoundingClientRect().top - this.nav.getBoundingClientRect().bottom;
    // Above the title may stand what holds for all of the page.
    if (i === 0 && head.tagName === "H1") this.main.scrollTop = 0;
    else this.main.scrollBy({top: top - 16, behavior: "instant"});
    if (head.tagName !== "SUMMARY") head.tabIndex = -1;
    head.focus({preventScroll: true});
  }
}

// Of a long heading about half, and room for the word at which the line breaks.
function wide(letters) {
  return letters < 20 ? MOST : Math.min(0.4 * (letters / 2 + 6), MOST);
}

function words(head) {
  return (head.querySelector("[data-testid=stMarkdownContainer]") ?? head).textContent.trim();
}

export default function ({data, parentElement}) {
  if (!lists.has(parentElement)) lists.set(parentElement, new Contents(parentElement));
  const list = lists.get(parentElement);
  list.names = data;
  list.nav.setAttribute("aria-label", data.name);
}
"""


def contents() -> None:
    """Offer the headings of the page, where it is longer than three screens; the browser finds them."""
    mount = st.components.v2.component("loupe_contents", css=paired(_CSS), js=_JS, isolate_styles=False)
    with st.container(key=KEY):
        names = {"name": "On this page", "short": list(SHORT.items()), "top": TOP, "long": LONG}
        mount(data=names, key="contents-list")
