"""A body with four corners that is turned by pointer, fingers, buttons and arrow keys.

It is drawn as SVG: in a picture by WebGL names were cut, dots hid what lies in the middle, and some browsers
had none. Faces that look away are tinted behind the dots; edges before them are drawn over them; mean and
point estimate stand above all.
"""

from __future__ import annotations

import streamlit as st

from dashboard.charts.solid import SolidFigure
from dashboard.components.live_chart import BUTTONS
from dashboard.components.placing import PLACING
from dashboard.shell.theme import paired

_CSS = (
    BUTTONS
    + """
.loupe-live svg { display: block; width: 100%; touch-action: pan-y; cursor: grab; font-size: 11.5px;
  user-select: none; -webkit-user-select: none; }
.loupe-live svg:active { cursor: grabbing; }
.loupe-live .tip {
  position: absolute; pointer-events: none; visibility: hidden; white-space: pre-line; width: max-content;
  max-width: 15rem; font-size: 12.5px; line-height: 1.3; padding: 0.2rem 0.45rem; color: TEXT;
  background: PANEL; border: 1px solid MUTED; border-radius: 3px; z-index: 3;
}
"""
)
_JS = (
    PLACING
    + """
const TURNS = {ArrowLeft: ["Turn left", -1, 0, "←"], ArrowRight: ["Turn right", 1, 0, "→"],
  ArrowUp: ["Turn up", 0, 1, "↑"], ArrowDown: ["Turn down", 0, -1, "↓"]};
const STEP = Math.PI / 18, STEEPEST = 1.4, FAR = 4.2, BESIDE = 62, LINE = 14, CHIP = 17, NEAR = 10;
const FACES = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
const EDGES = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
const pictures = new WeakMap();

function shape(kind, parent, look, words) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", kind);
  set(one, look);
  if (words !== undefined) one.textContent = words;
  parent.append(one);
  return one;
}
function set(one, look) {
  for (const name in look) one.setAttribute(name, look[name]);
}
function between(...points) {
  return [0, 1, 2].map((axis) => points.reduce((sum, at) => sum + at[axis], 0) / points.length);
}
class Solid {
  constructor(parent) {
    const made = (kind, name) => Object.assign(document.createElement(kind), {className: name});
    this.frame = made("div", "loupe-live");
    this.tools = made("div", "tools");
    this.plot = made("div", "plot");
    this.tip = made("div", "tip");
    this.tools.setAttribute("role", "group");
    this.tools.ariaLabel = "Turn the picture";
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "figure");
    const button = (words, act, sign) => {
      const one = Object.assign(made("button", ""), {type: "button", textContent: sign ?? words});
      if (sign) one.ariaLabel = one.title = words;
      one.addEventListener("click", act);
      this.tools.append(one);
    };
    for (const [words, across, up, sign] of Object.values(TURNS))
      button(words, () => this.turn(across * STEP, up * STEP), sign);
    button("Reset", () => { this.view = [...this.figure.view]; this.soon(); });
    this.svg = shape("svg", this.plot, {"aria-hidden": "true"});
    this.plot.append(this.tip);
    this.plot.style.position = "relative";
    this.frame.append(this.tools, this.plot);
    parent.append(this.frame);
    this.listen();
  }

  listen() {
    new ResizeObserver(() => this.figure && this.soon()).observe(this.frame);
    this.plot.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !TURNS[event.key]) return;
      const [, across, up] = TURNS[event.key];
      this.turn(across * STEP, up * STEP);
      event.preventDefault();
      event.stopPropagation();
    });
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from) return this.point(event);
      this.hush();
      const slow = Math.PI / this.wide;
      this.turn((event.clientX - from[0]) * slow, (event.clientY - from[1]) * slow);
      from = [event.clientX, event.clientY];
    });
    for (const end of ["pointerup", "pointercancel"])
      this.svg.addEventListener(end, (event) => { from = null; this.point(event); });
    this.svg.addEventListener("pointerleave", () => this.hush());
  }

  take({figure, words}) {
    this.plot.setAttribute("aria-label", words);
    const text = JSON.stringify(figure);
    if (text === this.text) return;
    const names = JSON.stringify(figure.corners.map(({lines}) => lines));
    if (names !== this.names) this.view = [...figure.view];
    Object.assign(this, {text, figure, names, over: null});
    this.build();
    this.place();
  }

  turn(across, up) {
    this.view[0] += across;
    this.view[1] = Math.max(-STEEPEST, Math.min(STEEPEST, this.view[1] + up));
    this.soon();
  }

  soon() {
    this.asked ??= requestAnimationFrame(() => { this.asked = null; this.place(); });
  }

  build() {
    const {corners, dots, marks, colours} = this.figure;
    this.svg.replaceChildren();
    const [back, cloud, front, above, names] = [0, 1, 2, 3, 4].map(() => shape("g", this.svg, {}));
    Object.assign(this, {back, cloud, front});
    this.faces = FACES.map((face) => ({face, parts: face.map((own, k) => shape("polygon", back,
      {fill: colours.soft, "fill-opacity": corners[own].tint, stroke: colours.other,
        "stroke-width": 0.6}))}));
    this.edges = EDGES.map(() => shape("line", front, {stroke: colours.other}));
    this.dots = dots.map((dot) => ({...dot, mark: shape("circle", cloud, dot.ring
      ? {fill: "none", stroke: colours.other, "stroke-width": 1.3}
      : {fill: colours.soft, stroke: colours.page, "stroke-width": 0.7})}));
    this.marks = marks.map((mark) => ({...mark, drawn: this.landmark(mark.kind, above, colours)}));
    this.names_ = corners.map((corner) => this.corner(corner, names, colours));
  }

  landmark(kind, parent, {page, text, soft, hard}) {
    const way = kind === "before"
      ? shape("line", parent, {stroke: soft, "stroke-width": 1.6, "stroke-dasharray": "2 3"}) : null;
    const group = shape("g", parent, {});
    const cross = (look) => shape("path", group, {d: "M-4.5-4.5L4.5 4.5M4.5-4.5L-4.5 4.5", ...look});
    if (kind === "mean") {
      shape("circle", group, {r: 12, fill: page, "fill-opacity": 0.75});
      shape("circle", group, {r: 9.5, fill: "none", stroke: text, "stroke-width": 1.2});
      shape("circle", group, {r: 6.5, fill: soft});
    } else if (kind === "point") {
      cross({stroke: page, "stroke-width": 6.5, "stroke-linecap": "round"});
      cross({stroke: hard, "stroke-width": 2.6});
    } else {
      shape("circle", group, {r: 6.5, fill: page, "fill-opacity": 0.6, stroke: soft, "stroke-width": 2});
      shape("text", group, {y: -11, "text-anchor": "middle", fill: text, stroke: page, "stroke-width": 3,
        "paint-order": "stroke"}, "before");
    }
    return {way, group};
  }

  corner({lines, risk, leads}, parent, {page, text, muted, other}) {
    const chip = shape("g", parent, {});
    if (risk) {
      shape("rect", chip, {x: -CHIP / 2, y: -CHIP / 2, width: CHIP, height: CHIP, rx: 3, fill: risk[1],
        stroke: page, "stroke-width": 1});
      shape("text", chip, {y: 4, "text-anchor": "middle", "font-weight": 650, fill: risk[2]}, risk[0]);
    } else shape("circle", chip, {r: 3, fill: other});
    const words = shape("text", parent, {"text-anchor": "middle", stroke: page, "stroke-width": 3,
      "stroke-linejoin": "round", "paint-order": "stroke"});
    lines.forEach((line) => shape("tspan", words, {"font-weight": 650, fill: text}, line));
    shape("tspan", words, {fill: muted}, leads);
    return {chip, words};
  }

  seen([x, y, z]) {
    const [around, above] = this.view, c = Math.cos(around), s = Math.sin(around);
    const across = x * c + y * s, deep = y * c - x * s, C = Math.cos(above), S = Math.sin(above);
    const near = deep * C + z * S, grow = FAR / (FAR - near);
    const [x0, y0] = this.middle, far = this.size * grow;
    return {x: x0 - across * far, y: y0 - (z * C - deep * S) * far, near, grow};
  }

  place() {
    this.wide = Math.min(this.frame.clientWidth, this.figure.most);
    if (this.wide < 50) return;
    // All corners are less than 1 from the middle, to the sides as a rule 0.95; above and below stand names.
    this.size = Math.min((this.wide - 2 * BESIDE) / 1.5, 0.4 * this.wide);
    this.high = Math.round(1.75 * this.size + 2 * (3 * LINE + CHIP));
    this.middle = [this.wide / 2, this.high / 2 + 0.1 * this.size];
    this.plot.style.width = `${this.wide}px`;
    set(this.svg, {viewBox: `0 0 ${this.wide} ${this.high}`, height: this.high});
    const at = this.figure.corners.map((corner) => this.seen(corner.at));
    this.placeFaces(at);
    this.placeDots();
    for (const {at: place, to, drawn: {way, group}} of this.marks) {
      const {x, y} = this.seen(place);
      group.setAttribute("transform", `translate(${x} ${y})`);
      if (way) { const end = this.seen(to); set(way, {x1: x, y1: y, x2: end.x, y2: end.y}); }
    }
    this.placeNames(at);
  }

  placeFaces(at) {
    const {corners, colours} = this.figure, places = corners.map((corner) => corner.at);
    const hidden = this.faces.map(({face, parts}) => {
      const [a, b, c] = face.map((k) => at[k]), other = at[[0, 1, 2, 3].find((k) => !face.includes(k))];
      const side = (p) => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
      // A face looks away where the fourth corner is nearer than it is at the same place.
      const whole = side(c), v = side(other) / whole;
      const u = ((other.x - a.x) * (c.y - a.y) - (other.y - a.y) * (c.x - a.x)) / whole;
      const away = other.near > a.near + u * (b.near - a.near) + v * (c.near - a.near);
      face.forEach((own, k) => {
        const [p, q, r] = [own, face[(k + 1) % 3], face[(k + 2) % 3]].map((n) => places[n]);
        const points = [p, between(p, q), between(p, q, r), between(p, r)].map((one) => this.seen(one));
        set(parts[k], {points: points.map(({x, y}) => `${x},${y}`).join(" "), display: away ? "" : "none"});
      });
      return away;
    });
    EDGES.forEach(([a, b], k) => {
      const behind = FACES.every((face, n) => hidden[n] || !face.includes(a) || !face.includes(b));
      set(this.edges[k], {x1: at[a].x, y1: at[a].y, x2: at[b].x, y2: at[b].y,
        "stroke-width": behind ? 1 : 1.6, "stroke-dasharray": behind ? "3 3" : "none",
        stroke: behind ? colours.other : colours.muted});
      (behind ? this.back : this.front).append(this.edges[k]);
    });
  }

  placeDots() {
    for (const dot of this.dots) dot.now = this.seen(dot.at);
    const order = [...this.dots].sort((a, b) => a.now.near - b.now.near);
    const [first, last] = [order[0]?.now.near, order.at(-1)?.now.near];
    const depth = Math.max(last - first, 0.3);
    for (const dot of order) {
      const close = 1 - (last - dot.now.near) / depth;
      const lit = this.over?.corner === undefined ? dot.lit : dot.corner === this.over.corner;
      set(dot.mark, {cx: dot.now.x, cy: dot.now.y, r: dot.across / 2 * dot.now.grow * (0.75 + 0.45 * close),
        opacity: (0.35 + 0.6 * close) * (lit ? 1 : 0.15)});
    }
    this.cloud.replaceChildren(...order.map((dot) => dot.mark));
  }

  placeNames(at) {
    this.boxes = [];
    const around = {
      size: [this.wide, this.high],
      middle: this.middle,
      lines: EDGES.map(([a, b]) => [at[a], at[b]]),
      chips: at.map(({x, y}) => ({x: x - CHIP / 2, y: y - CHIP / 2, w: CHIP, h: CHIP})),
    };
    // The highest and the lowest first: their places are the surest.
    const high = ({y}) => Math.abs(y - this.middle[1]);
    for (const k of [0, 1, 2, 3].sort((a, b) => high(at[b]) - high(at[a]))) {
      const name = this.names_[k], rows = [...name.words.children];
      name.chip.setAttribute("transform", `translate(${at[k].x} ${at[k].y})`);
      const w = Math.max(...rows.map((row) => row.getComputedTextLength())) + 4, h = LINE * rows.length + 2;
      const box = besideCorner(at[k], {w, h}, name.stood, [...this.boxes, ...around.chips], around);
      name.stood = box.stood;
      this.boxes.push({...box, k});
      rows.forEach((row, n) => set(row, {x: box.x + w / 2, y: box.y + LINE * (n + 1) - 3}));
    }
  }

  point(event) {
    if (!this.boxes) return;
    const frame = this.svg.getBoundingClientRect(), scale = this.wide / frame.width;
    const x = (event.clientX - frame.left) * scale, y = (event.clientY - frame.top) * scale;
    const far = ({at}) => { const p = this.seen(at); return Math.hypot(p.x - x, p.y - y); };
    const mark = [...this.marks].reverse().find((one) => far(one) < NEAR);
    const {corners} = this.figure;
    const chip = corners.findIndex((one) => far(one) < CHIP * 0.7);
    const at = {x, y, w: 1, h: 1};
    const name = corners.findIndex((one, k) => overlap(this.boxes.find((box) => box.k === k), at));
    let dot = null, least = NEAR;
    for (const one of this.dots) {
      const away = Math.hypot(one.now.x - x, one.now.y - y) - 3 * one.now.near;
      if (away < least) [dot, least] = [one, away];
    }
    if (mark) this.say(mark, {}, this.seen(mark.at));
    else if (chip >= 0) this.say(corners[chip], {corner: chip}, {x, y});
    // A name may lie upon dots: these are pointed at closely.
    else if (dot) this.say(dot, {dot}, dot.now);
    else if (name >= 0) this.say(corners[name], {corner: name}, {x, y});
    else this.hush();
  }

  say({says}, over, {x, y}) {
    this.light(over);
    this.tip.textContent = says;
    const {offsetWidth: w, offsetHeight: h} = this.tip;
    const seen = [...this.dots.map((dot) => dot.now), ...this.marks.map((mark) => this.seen(mark.at))];
    const box = besideMark({x, y}, {w, h}, [this.wide, this.high], this.boxes, seen);
    Object.assign(this.tip.style, {left: `${box.x}px`, top: `${box.y}px`, visibility: "visible"});
  }

  light(over) {
    const was = this.over;
    this.over = over;
    if (was?.corner !== over?.corner) this.placeDots();
    if (was?.dot === over?.dot) return;
    const {page, text, other} = this.figure.colours;
    const rim = ({ring}) => ring ? {stroke: other, "stroke-width": 1.3} : {stroke: page, "stroke-width": 0.7};
    if (was?.dot) set(was.dot.mark, rim(was.dot));
    if (over?.dot) set(over.dot.mark, {stroke: text, "stroke-width": 2});
  }

  hush() {
    this.tip.style.visibility = "hidden";
    this.light(null);
  }
}

export default function ({data, parentElement}) {
  if (!pictures.has(parentElement)) pictures.set(parentElement, new Solid(parentElement));
  pictures.get(parentElement).take(data);
}
"""
)
"""All words are text to the browser."""


def solid_chart(figure: SolidFigure, *, key: str, alternative: str) -> None:
    """Show a body to be turned.

    Parameters
    ----------
    figure : SolidFigure
        From `dashboard.charts`; while its corners have the same names, it stays turned as it is.
    key : str
        Unique on the page; the element stays while it is asked for.
    alternative : str
        What the picture shows, for those who do not see it.
    """
    mount = st.components.v2.component("loupe_solid", css=paired(_CSS), js=_JS, isolate_styles=False)
    shown = {
        "corners": figure.corners,
        "dots": figure.dots,
        "marks": figure.marks,
        "colours": figure.colours,
        "view": figure.view,
        "most": figure.most,
    }
    mount(data={"figure": shown, "words": alternative}, key=key)
