"""A picture that Plotly draws, which answers the pointer and is drawn on, not anew, when its data change.

Streamlit's own chart is another element whenever its figure is another one: each step of the slider took it
from the page, with zoom and choice, and put a new one there (Streamlit 1.67). Here the element stays, and
Plotly brings it up to date. Plotly's code is that of the installed package, served by this server, and is
asked for once the page is painted, where such a picture stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from dashboard.charts.live import LiveFigure
from dashboard.shell import state
from dashboard.shell.theme import paired

PATH = "/code/plotly.js"
BUTTONS = """
.loupe-live { position: relative; width: 100%; }
.loupe-live .tools {
  display: flex; flex-wrap: wrap; gap: 0.25rem; margin-bottom: 0.3rem; min-height: 1.6rem;
}
.loupe-live button {
  font: inherit; font-size: 0.8rem; line-height: 1.3; padding: 0.1rem 0.55rem; color: MUTED; cursor: pointer;
  background: transparent; border: 1px solid RULE; border-radius: 6px;
}
.loupe-live button:hover { color: TEXT; border-color: MUTED; }
.loupe-live button[aria-pressed=true] { color: TEXT; background: PANEL; border-color: MUTED; }
.loupe-live :is(button, .plot):focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
.loupe-live .plot { margin: 0 auto; position: relative; }
.loupe-live .aside .hoverlayer { visibility: hidden; }
.loupe-live .said {
  position: absolute; top: 0; z-index: 2; max-width: 8.6rem; padding: 0.2rem 0.4rem; pointer-events: none;
  font-size: 0.75rem; line-height: 1.2; color: TEXT; background: PANEL; border: 1px solid MUTED;
  border-radius: 4px;
}
.loupe-live .said div { overflow-wrap: anywhere; }
.loupe-live .ring {
  position: absolute; z-index: 1; width: 16px; height: 16px; margin: -8px 0 0 -8px; pointer-events: none;
  box-sizing: border-box; border: 2px solid TEXT; border-radius: 50%;
}
"""
"""Style of the buttons above a picture, and of its place."""
_JS = """
const WORDS = {lasso: "Lasso", select: "Box", zoom: "Zoom", pan: "Move"};
const CONFIG = {displayModeBar: false, displaylogo: false, responsive: false, scrollZoom: false,
  showTips: false, doubleClick: "reset", plotlyServerURL: "", showAxisDragHandles: false};
const pictures = new WeakMap();
// Pixels that what a mark says takes beside a name; with fewer it stands below.
const LEAST = 72;

function fetched(address) {
  return window.loupePlotly ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => done(window.Plotly);
    script.onerror = failed;
    // What the page is for is painted first.
    const idle = window.requestIdleCallback ?? ((then) => setTimeout(then, 200));
    requestAnimationFrame(() => idle(() => document.head.append(script), {timeout: 1500}));
  });
}

class Picture {
  constructor(parent) {
    this.frame = document.createElement("div");
    this.frame.className = "loupe-live";
    this.tools = document.createElement("div");
    this.tools.className = "tools";
    this.tools.setAttribute("role", "group");
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.frame.append(this.tools, this.plot);
    parent.append(this.frame);
    this.last = Promise.resolve();
    const fit = () => { if (this.figure && this.width() !== this.wide) this.draw(); };
    new ResizeObserver(fit).observe(this.frame);
  }

  take({address, figure, of, chosen, given, words, tools}, send) {
    this.send = send;
    this.plot.setAttribute("aria-label", words);
    this.plot.setAttribute("role", "figure");
    const text = JSON.stringify(figure), same = text === this.text;
    this.address = address;
    this.given = given;
    if (!same || String(chosen) !== String(this.chosen)) {
      Object.assign(this, {text, figure: JSON.parse(text), anew: of !== this.of, chosen, of});
      this.offer(tools);
      this.draw();
    }
  }

  offer(name) {
    const {modes} = this.figure;
    if (this.modes === String(modes)) return;
    this.modes = String(modes);
    this.plot.tabIndex = -1;
    this.tools.setAttribute("aria-label", name);
    // Where fingers scroll the page, dragging chooses nothing unless that is asked for.
    const scrolls = matchMedia("(pointer: coarse)").matches;
    if (!modes.includes(this.drag)) this.drag = scrolls ? "" : modes[0];
    this.tools.replaceChildren();
    this.tools.style.display = modes.length ? "" : "none";
    if (!modes.length) {
      this.drag = "";
      return;
    }
    const button = (words, act) => {
      const one = document.createElement("button");
      one.type = "button";
      one.textContent = words;
      one.addEventListener("click", () => act(one));
      this.tools.append(one);
      return one;
    };
    for (const mode of modes.filter((mode) => WORDS[mode])) {
      const one = button(WORDS[mode], () => {
        this.drag = this.drag === mode ? "" : mode;
        this.press();
        window.Plotly?.relayout(this.plot, {dragmode: this.drag || false});
      });
      one.dataset.mode = mode;
    }
    button("Reset", () => this.reset());
    this.press();
  }

  press() {
    for (const one of this.tools.querySelectorAll("[data-mode]"))
      one.setAttribute("aria-pressed", one.dataset.mode === this.drag);
  }

  width() {
    return Math.min(this.frame.clientWidth, this.figure.most);
  }

  draw() {
    this.wide = this.width();
    const height = Math.round(this.wide * this.figure.ratio) + this.figure.extra;
    this.plot.style.width = `${this.wide}px`;
    this.plot.style.minHeight = `${height}px`;
    this.plot.classList.toggle("aside", this.figure.aside);
    this.hush();
    const {figure, anew} = this;
    this.last = this.last.then(async () => {
      const Plotly = await fetched(this.address);
      if (figure !== this.figure || !this.frame.isConnected || this.wide < 50) return;
      if (!this.heard) this.plot.replaceChildren();
      const {traces, layout} = JSON.parse(this.text);
      const size = {width: this.wide, height, autosize: false};
      for (const trace of traces)
        if (trace.customdata) trace.selectedpoints = this.chosen?.length ? this.chosen : null;
      // What is drawn around other marks than those that are chosen would say something else.
      const selections = anew || this.given ? [] : (this.plot.layout?.selections ?? []);
      this.anew = false;
      // A zoom outlives other data of the same corners; what is drawn around them does not.
      this.keepView(layout);
      const view = {dragmode: this.drag || false, selections, selectionrevision: this.of};
      await Plotly.react(this.plot, traces, {...layout, ...size, ...view}, CONFIG);
      if (!this.heard) this.hear();
    }).catch((failure) => this.refuse(failure));
  }

  refuse(failure) {
    console.warn(failure);
    // The next step tries again.
    if (!window.Plotly) window.loupePlotly = undefined;
    if (!this.heard) this.say("This picture could not be drawn.");
  }

  say(words) {
    this.plot.textContent = `${words} Its numbers are under “Save, data”.`;
  }

  keepView(layout) {
    const now = this.plot.layout;
    if (!this.heard || now.uirevision !== layout.uirevision) return;
    for (const axis of ["xaxis", "yaxis"])
      if (layout[axis]?.range) layout[axis].range = [...now[axis].range];
  }

  hear() {
    this.heard = true;
    this.plot.on("plotly_selected", (event) => {
      if (!event) return;
      const ids = event.points.map((point) => point.customdata).filter((id) => id !== undefined);
      this.choose(ids.sort((a, b) => a - b));
    });
    this.plot.on("plotly_deselect", () => this.choose([]));
    this.plot.on("plotly_hover", ({points}) => this.tell(points[0]));
    this.plot.on("plotly_unhover", () => this.hush());
  }

  // Beside the marks, in the free corner on the side of the one that is pointed at: over them it hides them.
  tell({x, y, xaxis, yaxis}) {
    this.hush();
    if (!this.figure.aside || !xaxis?.l2p) return;
    const text = this.plot.querySelector(".hoverlayer .hovertext text.nums");
    const lines = [...(text?.querySelectorAll("tspan.line") ?? [])];
    const said = document.createElement("div"), ring = document.createElement("div");
    said.className = "said";
    ring.className = "ring";
    for (const line of lines.length ? lines : [text].filter(Boolean)) {
      const words = document.createElement("div");
      words.textContent = line.textContent;
      said.append(words);
    }
    const left = xaxis._offset + xaxis.l2p(x);
    const side = left < this.wide / 2 ? "left" : "right", room = this.room(side);
    said.style[side] = 0;
    if (room < LEAST) said.style.top = `${this.figure.layout.margin.t}px`;
    else said.style.maxWidth = `min(8.6rem, ${room}px)`;
    ring.style.left = `${left}px`;
    ring.style.top = `${yaxis._offset + yaxis.l2p(y)}px`;
    this.told = [said, ring];
    this.plot.append(...this.told);
  }

  // Pixels in an upper corner that no name has taken.
  room(side) {
    const all = this.plot.getBoundingClientRect(), top = all.top + this.figure.layout.margin.t;
    const names = [...this.plot.querySelectorAll(".annotation-text-g")]
      .map((name) => name.getBoundingClientRect()).filter((name) => name.top < top);
    const taken = names.map((name) => (side === "left" ? name.left - all.left : all.right - name.right));
    return Math.min(all.width, ...taken) - 6;
  }

  hush() {
    for (const one of this.told ?? []) one.remove();
    this.told = [];
  }

  choose(ids) {
    if (String(ids) === String(this.chosen ?? [])) return;
    this.chosen = ids;
    this.send({of: this.of, ids});
  }

  async reset() {
    const {layout} = this.figure;
    const view = {};
    for (const axis of ["xaxis", "yaxis"])
      if (layout[axis]?.range) view[`${axis}.range`] = [...layout[axis].range];
    await window.Plotly?.update(this.plot, {selectedpoints: null}, {...view, selections: []});
    this.choose([]);
  }

  leave() {
    if (!this.frame.isConnected && window.Plotly && this.heard) window.Plotly.purge(this.plot);
  }
}

export default function ({data, parentElement, setStateValue}) {
  if (!pictures.has(parentElement)) pictures.set(parentElement, new Picture(parentElement));
  const picture = pictures.get(parentElement);
  picture.take(data, (chosen) => setStateValue("chosen", chosen));
  return () => setTimeout(() => picture.leave(), 1000);
}
"""
"""All words are text to the browser; to Plotly they come escaped (`dashboard.charts.live.plain`)."""


def live_chart(figure: LiveFigure, *, key: str, alternative: str) -> tuple[int, ...]:
    """Show a picture that answers the pointer.

    Parameters
    ----------
    figure : LiveFigure
        From `dashboard.charts`.
    key : str
        Unique on the page; the element stays while it is asked for.
    alternative : str
        What the picture shows, for those who do not see it.

    Returns
    -------
    tuple of int
        Numbers of the marks that are chosen: those of the figure, or else in this very picture, by lasso or
        box.
    """
    mount = st.components.v2.component("loupe_live", css=paired(BUTTONS), js=_JS, isolate_styles=False)
    of = _data_of(figure)
    chosen = figure.chosen or _chosen(st.session_state.get(key), of)
    mount(
        data={
            "address": f"{PATH}?{version('plotly')}",
            "figure": {
                "traces": figure.traces,
                "layout": figure.layout,
                "ratio": figure.ratio,
                "extra": figure.extra,
                "most": figure.most,
                "modes": figure.modes,
                "aside": figure.aside,
            },
            "of": of,
            "chosen": list(chosen),
            "given": bool(figure.chosen),
            "words": alternative,
            "tools": "What dragging in the picture does",
        },
        key=key,
        # The run that comes with a choice is all that is wanted.
        on_chosen_change=state.redraw_if_elsewhere,
    )
    return chosen


def _data_of(figure: LiveFigure) -> str:
    """Name of what a choice is made among: the data, whatever colours they are drawn in."""
    marks = [(trace.get("x"), trace.get("y"), trace.get("z")) for trace in figure.traces]
    return blake2b(repr(marks).encode(), digest_size=8).hexdigest()


def _chosen(kept: Any, of: str) -> tuple[int, ...]:
    """What was chosen, unless it was among other marks; the browser is not trusted to send numbers."""
    said = (kept or {}).get("chosen") or {}
    ids = said.get("ids") if said.get("of") == of else None
    return tuple(one for one in ids if isinstance(one, int)) if isinstance(ids, Sequence) else ()


def plotly_code() -> Path:
    """File of Plotly's own code for browsers, in its Python package."""
    found = find_spec("plotly")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("the package plotly, which Loupe is installed with, is missing")
    return Path(found.origin).with_name("package_data") / "plotly.min.js"


async def _send(_: Request) -> Response:
    """Answer with the code, which is kept by the browser: another version has another address."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return FileResponse(plotly_code(), media_type="text/javascript", headers=headers)


ROUTES = (Route(PATH, _send, methods=["GET"]),)
"""What the server answers the pictures with."""
