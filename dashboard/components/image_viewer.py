"""An image that is enlarged by wheel, fingers, buttons and keys, and moved by dragging or with the arrows.

Streamlit's own image has one size, and no place that a wheel could enlarge.
"""

from __future__ import annotations

import streamlit as st

from dashboard.shell import media
from dashboard.shell.theme import paired

_CSS = """
.loupe-image .tools {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem; margin-bottom: 0.4rem;
}
.loupe-image button {
  font: inherit; font-size: 0.87rem; line-height: 1.3; min-width: 2rem; padding: 0.15rem 0.6rem; color: MUTED;
  cursor: pointer; background: transparent; border: 1px solid RULE; border-radius: 6px;
}
.loupe-image button:hover { color: TEXT; border-color: MUTED; }
.loupe-image :is(button, .window):focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
.loupe-image .tools span { color: MUTED; font-size: 0.8rem; margin-left: auto; }
.loupe-image output {
  color: MUTED; font-size: 0.87rem; margin-left: 0.4rem; font-variant-numeric: tabular-nums;
}
.loupe-image .window {
  position: relative; overflow: hidden; height: min(56vh, 640px); background: PANEL;
  border: 1px solid RULE; border-radius: 6px; cursor: grab; touch-action: none;
}
.loupe-image .window.moving { cursor: grabbing; }
.loupe-image img {
  position: absolute; left: 0; top: 0; max-width: none; transform-origin: 0 0; user-select: none;
}
"""
_JS = """
const MOST = 32, STEP = 1.25, MOVE = 60, COARSE = 4;
const viewers = new WeakMap();

class Viewer {
  constructor(parent) {
    this.frame = document.createElement("div");
    this.frame.className = "loupe-image";
    this.tools = document.createElement("div");
    this.tools.className = "tools";
    this.tools.setAttribute("role", "group");
    this.size = document.createElement("output");
    this.window = document.createElement("div");
    this.window.className = "window";
    this.window.tabIndex = 0;
    this.window.setAttribute("role", "group");
    this.image = document.createElement("img");
    this.image.draggable = false;
    this.window.append(this.image);
    const button = (sign, words, act) => {
      const one = document.createElement("button");
      one.type = "button";
      one.textContent = sign;
      one.ariaLabel = one.title = words;
      one.addEventListener("click", act);
      this.tools.append(one);
    };
    button("−", "Smaller (−)", () => this.zoom(1 / STEP));
    button("+", "Larger (+)", () => this.zoom(STEP));
    button("Fit", "Fit into the window (0)", () => this.fit());
    button("1:1", "One pixel of the image is one of the screen (1)", () => this.actual());
    this.hint = document.createElement("span");
    this.tools.append(this.size, this.hint);
    this.frame.append(this.tools, this.window);
    parent.append(this.frame);
    this.fingers = new Map();
    this.image.addEventListener("load", () => {
      this.image.hidden = false;
      if (this.isFit) this.fit(); else this.place();
    });
    new ResizeObserver(() => this.isFit ? this.fit() : this.place()).observe(this.window);
    this.listen();
  }

  take({address, words, of, hint, keys, tools}) {
    this.hint.textContent = keys;
    if (!this.isUsed) {
      // Its keys work as soon as it is there; a dialog takes the focus for itself first, or its button does.
      this.isUsed = true;
      setTimeout(() => {
        const at = document.activeElement;
        if (!at || at === document.body || at.matches("[role=dialog], [aria-label=Close]"))
          this.window.focus({preventScroll: true});
      }, 150);
    }
    this.tools.setAttribute("aria-label", tools);
    this.window.setAttribute("aria-label", hint);
    this.window.title = hint;
    this.image.alt = words;
    if (of !== this.of) {
      this.of = of;
      this.isFit = true;
      // The image before is never seen under the name of this one.
      this.image.hidden = true;
    }
    if (this.image.getAttribute("src") !== address) this.image.src = address;
    else this.image.hidden = false;
  }

  fitting() {
    const {naturalWidth: w, naturalHeight: h} = this.image;
    return Math.min(this.window.clientWidth / w, this.window.clientHeight / h);
  }

  fit() {
    if (!this.image.naturalWidth) return;
    this.scale = this.fitting();
    this.isFit = true;
    this.center();
  }

  actual() {
    this.scale = 1 / devicePixelRatio;
    this.isFit = false;
    this.center();
  }

  center() {
    this.x = (this.window.clientWidth - this.image.naturalWidth * this.scale) / 2;
    this.y = (this.window.clientHeight - this.image.naturalHeight * this.scale) / 2;
    this.place();
  }

  zoom(by, x = this.window.clientWidth / 2, y = this.window.clientHeight / 2) {
    if (!this.image.naturalWidth) return;
    const least = Math.min(this.fitting(), 1 / devicePixelRatio);
    const most = Math.max(MOST, this.fitting() * 4);
    const scale = Math.min(Math.max(this.scale * by, least), most), real = scale / this.scale;
    this.x = x - (x - this.x) * real;
    this.y = y - (y - this.y) * real;
    this.scale = scale;
    this.isFit = false;
    this.place();
  }

  move(x, y) {
    this.x += x;
    this.y += y;
    this.isFit = false;
    this.place();
  }

  place() {
    if (!this.image.naturalWidth) return;
    // Some of the image always stays in sight: what is smaller than the window in the middle, else no gap.
    const within = (at, window, size) =>
      size <= window ? (window - size) / 2 : Math.min(0, Math.max(window - size, at));
    const {naturalWidth: w, naturalHeight: h} = this.image;
    this.x = within(this.x, this.window.clientWidth, w * this.scale);
    this.y = within(this.y, this.window.clientHeight, h * this.scale);
    this.image.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    const share = this.scale * devicePixelRatio;
    this.image.style.imageRendering = share >= COARSE ? "pixelated" : "auto";
    this.size.textContent = `${Math.round(100 * share).toLocaleString("en")} %`;
  }

  listen() {
    const {window: area, fingers} = this;
    area.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = area.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines / 400), event.clientX - box.left, event.clientY - box.top);
    }, {passive: false});
    area.addEventListener("dblclick", (event) => {
      const box = area.getBoundingClientRect();
      this.zoom(2, event.clientX - box.left, event.clientY - box.top);
    });
    area.addEventListener("pointerdown", (event) => {
      area.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      area.classList.add("moving");
    });
    area.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]) || 1;
        const box = area.getBoundingClientRect();
        this.zoom(apart(now) / apart(before), (now[0] + other[0]) / 2 - box.left,
          (now[1] + other[1]) / 2 - box.top);
      } else this.move(now[0] - before[0], now[1] - before[1]);
      fingers.set(event.pointerId, now);
    });
    for (const end of ["pointerup", "pointercancel"])
      area.addEventListener(end, (event) => {
        fingers.delete(event.pointerId);
        if (!fingers.size) area.classList.remove("moving");
      });
    area.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const moves = {ArrowLeft: [MOVE, 0], ArrowRight: [-MOVE, 0], ArrowUp: [0, MOVE], ArrowDown: [0, -MOVE]};
      if (moves[event.key]) this.move(...moves[event.key]);
      else if ("+=".includes(event.key)) this.zoom(STEP);
      else if ("-_".includes(event.key)) this.zoom(1 / STEP);
      else if (event.key === "0") this.fit();
      else if (event.key === "1") this.actual();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}

export default function ({data, parentElement}) {
  if (!viewers.has(parentElement)) viewers.set(parentElement, new Viewer(parentElement));
  viewers.get(parentElement).take(data);
}
"""
_KEYS = "wheel or + −, drag or arrows, 0 fits, 1 own pixels"
_HINT = "The image: wheel, + and − enlarge, arrows and dragging move, 0 fits it, 1 shows its own pixels"


def image_viewer(content: str | bytes, kind: str, *, of: str, key: str, alternative: str) -> None:
    """Show an image that can be enlarged where the person looks.

    Parameters
    ----------
    content : str or bytes
        Path of a file that browsers can show, or what is in it.
    kind : str
        Media type, such as ``image/png``.
    of : str
        What is shown, such as the name of its file: another one begins fitted into the window, the same
        one in other shades stays enlarged as it is.
    key : str
        Unique on the page.
    alternative : str
        What the image is, for those who do not see it.
    """
    mount = st.components.v2.component("loupe_image", css=paired(_CSS), js=_JS, isolate_styles=False)
    mount(
        data={
            "address": media.address(content, kind, key),
            "of": of,
            "words": alternative,
            "hint": _HINT,
            "keys": _KEYS,
            "tools": "Size of the image",
        },
        key=key,
    )
