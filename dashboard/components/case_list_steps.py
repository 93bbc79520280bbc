"""How a list of cases is walked: by click, by arrow keys, and by keys of the whole page.

Whoever steps faster than the page answers is counted here: each key goes on from the row that the one before
has asked for, and the last one is what the page is told.
"""

from __future__ import annotations

STEPS = """
const BEYOND = 8;
const LOST = 2000, TRIES = 3, MOST_MARKS = 50;
const lists = new WeakMap();
let last = 0;

class List {
  constructor(parent) {
    this.frame = document.createElement("div");
    this.frame.className = "cases";
    this.frame.tabIndex = 0;
    this.table = document.createElement("table");
    this.table.setAttribute("role", "grid");
    this.table.createTHead();
    this.body = this.table.createTBody();
    this.frame.append(this.table);
    [this.above, this.below, this.more] = ["above", "below", "more"]
      .map((className) => Object.assign(document.createElement("button"), {type: "button", className}));
    const list = document.createElement("div");
    list.className = "list";
    // Whoever comes by Tab is at the rows first, where arrow keys walk.
    list.append(this.frame, this.above, this.below);
    parent.append(list, this.more);
    this.chosen = -1;
    this.asked = [];
    this.marks = [];
    this.left = {id: "", at: 0};
    this.frame.addEventListener("scroll", () => this.draw());
    // Wherever one stops, rows are whole.
    this.frame.addEventListener("scrollend", () => this.settle(this.frame.scrollTop));
    this.more.addEventListener("click", () => this.turn());
    this.above.addEventListener("click", () => this.rewind());
    this.below.addEventListener("click", () => { this.reveal(); this.frame.focus({preventScroll: true}); });
    // Whoever scrolls is not taken back to the row that is open.
    for (const gesture of ["wheel", "touchmove", "pointerdown"])
      this.frame.addEventListener(gesture, () => { this.follows = false; }, {passive: true});
    // What it is first drawn for may be less, or more, than the room that it gets.
    new ResizeObserver(() => {
      this.measure();
      this.draw();
      if (this.follows) this.reveal();
      else this.settle(this.frame.scrollTop);
    }).observe(this.frame);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("click", ({target, clientX, clientY}) => {
      if (target.dataset.order) { this.sort({name: target.dataset.order, at: Date.now()}); return; }
      // Whatever was drawn anew between press and release: what counts is the row that lies there.
      const row = parent.elementFromPoint(clientX, clientY)?.closest("tr[data-row]");
      if (!row) return;
      this.open(Number(row.dataset.row));
      // Where the case stands below its list, one would not see that it has opened.
      if (this.walks && matchMedia("(max-width: 1180px)").matches)
        document.querySelector(".st-key-case-title")?.scrollIntoView({block: "start"});
    });
  }

  take(data, send, sort) {
    const {columns, rows, shares, badges, name, height, walks} = data, before = this.rows?.[this.chosen]?.[0];
    // Where a case opens on another page, the mark is the list's own: arrows move it, Enter opens.
    const chosen = walks ? data.chosen : (before ?? "");
    Object.assign(this, {columns, rows, shares, badges: badges ?? {}, send, sort, walks});
    this.heights = [data.row, data.low ?? data.row];
    const asked = this.asked.length;
    // As many whole rows as there is room for: a row that is cut looks like a fault.
    const most = `min(${height}px, 66vh, var(--most-height, 100vh))`;
    this.measure();
    // A browser that cannot round keeps the first.
    this.frame.style.maxHeight = most;
    this.frame.style.maxHeight = `round(down, ${most}, var(--row))`;
    // Heads of nothing, and a sign that they sort it, say nothing.
    this.frame.hidden = !rows.length;
    this.frame.setAttribute("aria-label", name);
    this.table.setAttribute("aria-label", name);
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    const wides = columns.filter((column) => column.wide).map((column) => column.room ?? 1);
    this.table.style.setProperty("--wides", wides.reduce((sum, room) => sum + room, 0) || 1);
    // A head that somebody is at stays under the fingers.
    const at = this.table.tHead.querySelector("button:focus")?.dataset.order;
    this.table.tHead.replaceChildren(
      filled(document.createElement("tr"), "th", columns.map((column) => column.title), columns));
    if (at) this.table.tHead.querySelector(`button[data-order=${at}]`)?.focus({preventScroll: true});
    // What was asked for last stays marked until the page has heard of it, whatever it made of that: an
    // answer to an earlier key is no step back.
    this.asked = this.asked.filter(({at}) => at > data.heard);
    if (chosen !== this.known && this.asked.length === asked) this.asked = [];
    this.known = chosen;
    const find = (wanted) => rows.findIndex(([id]) => id === wanted);
    if (this.asked.length && find(this.asked.at(-1).id) < 0) this.asked = [];
    this.expect();
    const wanted = this.asked.at(-1)?.id ?? chosen, place = find(wanted), open = before ?? this.left.id;
    this.stand(wanted, place);
    const moved = place !== this.chosen || rows[place]?.[0] !== before;
    this.chosen = place;
    this.drawn = "";
    // Another order, and another list, are read from their top; the case that is open stays marked, wherever
    // it lies then. Another case is what one looks for.
    const isOther = (data.list ?? "") !== this.list;
    const isAnew = this.list !== undefined && wanted === open && (isOther || data.order !== this.order);
    [this.order, this.list] = [data.order, data.list ?? ""];
    if (isAnew) this.rest(0);
    this.draw();
    if (!isAnew && (isOther || moved)) this.reveal();
  }

  rest(top) {
    // Stay there, whatever row is open.
    this.follows = false;
    this.settle(top);
  }

  stand(id, place) {
    // A case that has left the list, as one that was just settled may, leaves its place behind: the way goes
    // on from there and not from the top.
    if (place >= 0) this.left = {id, at: place};
    else if (this.left.id !== id) this.left = {id, at: 0};
  }

  get row() {
    return this.heights[Number(matchMedia("(max-width: 640px)").matches)];
  }

  measure() {
    if (this.heights) this.frame.style.setProperty("--row", `${this.row}px`);
  }

  draw() {
    if (!this.rows) return;
    this.tell();
    const {scrollTop, clientHeight, clientWidth} = this.frame, n = this.rows.length, {row} = this;
    const from = Math.max(0, Math.floor(scrollTop / row) - BEYOND);
    const to = Math.min(n, Math.ceil((scrollTop + (clientHeight || 800)) / row) + BEYOND);
    const drawn = `${from} ${to} ${this.chosen} ${clientWidth} ${row}`;
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    const lines = [];
    for (let i = from; i < to; i += 1) {
      const line = filled(document.createElement("tr"), "td", this.rows[i], this.columns, this.shares[i]);
      identified(line.cells[0]);
      if (this.badges[i]) line.cells[0].append(badge(...this.badges[i]));
      line.dataset.row = i;
      line.ariaRowIndex = i + 2;
      line.ariaSelected = i === this.chosen;
      lines.push(line);
    }
    if (from > 0) lines.unshift(room(from * row, this.columns.length));
    if (to < n) lines.push(room((n - to) * row, this.columns.length));
    this.body.replaceChildren(...lines);
    fit(this.body);
  }

  get seen() {
    // Places of the rows in sight, beneath the head: the first, and the one behind the last.
    const {scrollTop, clientHeight} = this.frame, from = Math.round(scrollTop / this.row);
    return [from, Math.min(this.rows.length, from + Math.max(1, Math.floor(clientHeight / this.row) - 1))];
  }

  tell() {
    // How many lie above and below is said where they do not all fit: a list of whole rows looks complete.
    const [from, to] = this.seen, n = this.rows.length, count = (number) => number.toLocaleString("en");
    this.more.hidden = to - from >= n;
    const rows = `Rows ${count(from + 1)} to ${count(to)} of ${count(n)}`, above = `${count(from)} above`;
    const below = from ? `${above} \u2191, ${count(n - to)} below \u2193` : "scroll for more \u2193";
    this.more.textContent = `${rows}: ${to < n ? below : "back to the first \u2191"}`;
    this.above.hidden = this.more.hidden || !from;
    this.above.textContent = `\u2191 ${above}`;
    this.above.title = this.above.ariaLabel = `${above}: back to the first`;
    // A list that is read from its top does not show where one is.
    this.below.hidden = !this.walks || this.more.hidden || this.chosen < to;
    this.below.textContent = `open: row ${count(this.chosen + 1)} \u2193`;
    const open = this.rows[this.chosen]?.[0];
    this.below.title = this.below.ariaLabel = `${open} is open, in row ${count(this.chosen + 1)}: go there`;
  }

  rewind() {
    this.rest(0);
    this.frame.focus({preventScroll: true});
  }

  turn() {
    const [, to] = this.seen;
    this.rest((to < this.rows.length ? to : 0) * this.row);
  }

  settle(top) {
    const whole = Math.round(top / this.row) * this.row;
    if (Math.abs(this.frame.scrollTop - whole) >= 1) this.frame.scrollTop = whole;
  }

  reveal() {
    if (this.chosen < 0) return;
    this.follows = true;
    const top = this.chosen * this.row, sight = this.frame.clientHeight - 2 * this.row;
    const over = top - this.frame.scrollTop, beyond = over < 0 ? -over : over - sight;
    if (beyond > this.row) this.settle(top - sight / 2);
    else if (beyond > 0) this.settle(over < 0 ? top : top - sight);
    this.draw();
  }

  open(place) {
    if (place < 0 || place >= this.rows.length) return false;
    this.chosen = place;
    this.stand(this.rows[place][0], place);
    // In milliseconds, and one more than before: so it grows from one list to the next as well.
    last = Math.max(Date.now(), last + 1);
    this.asked.push({id: this.rows[place][0], at: last});
    this.tries = 1;
    this.draw();
    this.reveal();
    this.send(this.asked.at(-1));
    this.expect();
    return true;
  }

  expect() {
    // A page that is being left takes along what was asked of it. A server that says nothing may be busy and
    // not have heard yet: it is asked again, as whoever steps on meanwhile counts on it. Only what it leaves
    // unanswered time after time is forgotten.
    clearTimeout(this.waits);
    if (!this.asked.length) return;
    this.waits = setTimeout(() => {
      const state = document.querySelector(".stApp")?.dataset.testScriptState ?? "notRunning";
      if (state !== "notRunning") { this.expect(); return; }
      if (this.tries < TRIES && this.frame.isConnected) {
        this.tries += 1;
        this.send(this.asked.at(-1));
        this.expect();
        return;
      }
      this.asked = [];
      this.chosen = this.rows.findIndex(([id]) => id === this.known);
      this.draw();
      this.reveal();
    }, LOST);
  }

  mark(place) {
    if (place < 0 || place >= this.rows.length) return;
    this.chosen = place;
    this.draw();
    this.reveal();
  }

  step(by) {
    return this.open(this.chosen < 0 ? this.left.at + (by > 0 ? by - 1 : by) : this.chosen + by);
  }

  again(send) {
    // Of the row that is marked here, which may be ahead of the page; all that were asked for lately are said
    // each time, for what was said before may be lost.
    const id = this.rows[this.chosen]?.[0];
    if (id === undefined) return false;
    last = Math.max(Date.now(), last + 1);
    this.marks = [...this.marks.slice(-MOST_MARKS + 1), {id, at: last}];
    send(this.marks);
    return true;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.dataset.order && event.key === "Enter") return;
    const by = {ArrowUp: -1, ArrowDown: 1}[event.key];
    if (event.key === "Enter" && this.chosen >= 0) this.open(this.chosen);
    else if (by && this.walks) this.step(by);
    else if (by) this.mark(this.chosen < 0 ? (by > 0 ? 0 : -1) : this.chosen + by);
    else { this.follows = false; return; }
    event.preventDefault();
    event.stopPropagation();
  }
}

export default function ({data: sent, parentElement, setStateValue, setTriggerValue}) {
  const data = JSON.parse(new TextDecoder().decode(sent));
  if (!lists.has(parentElement)) lists.set(parentElement, new List(parentElement));
  const list = lists.get(parentElement);
  list.take(data, (asked) => setTriggerValue("opened", asked), (how) => setTriggerValue("sorted", how));
  if (!data.steps) return undefined;
  const taken = (event, by) => {
    // Streamlit may mount a list that has left the page by then, and then never unmounts it.
    if (!parentElement.isConnected) { leave(); return; }
    if (by === undefined || !(list.step(by) || list.asked.length)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const press = (event) => {
    const bare = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (bare) taken(event, {KeyN: 1, KeyP: -1}[event.code]);
    if (!bare || event.code !== "KeyR" || !data.marks || !parentElement.isConnected) return;
    if (!list.again((marks) => setStateValue("marked", marks))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const click = (event) => {
    const found = Object.entries(data.steps).find(([css]) => event.target.closest?.(css));
    if (found) taken(event, found[1]);
  };
  const leave = () => {
    window.removeEventListener("keydown", press, true);
    window.removeEventListener("click", click, true);
  };
  window.addEventListener("keydown", press, true);
  window.addEventListener("click", click, true);
  return leave;
}
"""
"""Comes after `dashboard.components.case_list_rows.ROWS`, which draws what is walked."""
