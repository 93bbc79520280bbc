"""How a list of cases looks: its style, and what its cells and rows say."""

from __future__ import annotations

from dashboard.shell.theme import DARK, LIGHT, risk_style

ROW_HEIGHT = 35
LOW_ROW_HEIGHT = 31
"""Of every row and of the head, in pixels, and on a phone: so only the rows in sight have to be drawn."""
CSS = """
.cases {
  container-type: inline-size; overflow: auto; scrollbar-width: thin; border: 1px solid RULE;
  border-radius: 6px; font-size: 0.87rem; color: TEXT;
}
.cases:focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
.list { position: relative; }
/* On the edges, clear of the words of the head and of the last row: they move nothing as they come. */
:is(.above, .below) {
  all: unset; position: absolute; z-index: 2; translate: 0 -50%; cursor: pointer;
  padding: 0 0.5rem; border: 1px solid RULE; border-radius: 9px; background: PAGE; color: SOFT;
  font-size: 0.75rem; line-height: 16px; white-space: nowrap;
}
.above { top: 0; left: 50%; translate: -50% -50%; }
.below { top: 100%; right: 0.6rem; translate: 0 -25%; }
:is(.above, .below)::after { content: ""; position: absolute; inset: -4px -6px; }
:is(.above, .below)[hidden] { display: none; }
:is(.above, .below):hover { border-color: SOFT; }
:is(.above, .below):focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
.more {
  all: unset; box-sizing: border-box; width: 100%; padding: 0.25rem 0.5rem 0; font-size: 0.82rem; color: SOFT;
  cursor: pointer;
}
.more[hidden] { display: none; }
.more:hover { text-decoration: underline; text-underline-offset: 3px; }
.more:focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-variant-numeric: tabular-nums; }
th {
  position: sticky; top: 0; background: PANEL; color: MUTED; font-weight: 400; text-align: left; z-index: 1;
}
th[title] { text-decoration: underline dotted MUTED; text-underline-offset: 3px; }
th button { all: unset; cursor: pointer; text-decoration: inherit; }
th button:hover, th[aria-sort] button { color: TEXT; }
th button:focus-visible { outline: 2px solid SOFT; outline-offset: 1px; }
th[aria-sort] button::after { content: " ▾" / ""; }
th[aria-sort=ascending] button::after { content: " ▴" / ""; }
th, td {
  box-sizing: border-box; height: ROWpx; padding: 0 0.5rem; border-bottom: 1px solid RULE;
  white-space: nowrap; max-width: 22rem; overflow: hidden; text-overflow: ellipsis;
}
td.room { padding: 0; border: 0; }
.number { text-align: right; }
.wide { width: calc(99% * var(--room, 1) / var(--wides, 1)); max-width: 0; }
th.wide { min-width: min(4.3rem, calc(4.3rem * (0.68 + var(--room, 1)))); }
td.wide span {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  white-space: normal; overflow-wrap: anywhere; line-height: 1.08;
}
td.wide .lines, td.wide .lines i { display: block; }
td.wide .lines i { font-style: normal; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
/* What is cut by a little is set closer, rather than without its end. */
td.tight { letter-spacing: -0.04em; word-spacing: 0.06em; }
/* Each label of a tie has one line: smaller letters show its end. */
td.tight .lines { font-size: 0.92em; letter-spacing: 0; word-spacing: 0; }
td.tight .lines b { margin-right: 0.12rem; width: 1rem; }
td.tighter { padding-inline: 0.1rem; letter-spacing: -0.05em; }
td.tighter .lines { font-size: max(0.8em, 11px); letter-spacing: -0.05em; }
td.tighter .lines b { margin-right: 0.1rem; width: 0.85rem; }
/* Letters of levels stand before the names of their labels, of one alone beside the middle of its lines. */
.levels b {
  display: inline-block; width: 1.1rem; margin-right: 0.25rem; border-radius: 3px; text-align: center;
  font-size: 0.78rem; font-weight: 600;
}
td.levels span:not(.lines) { position: relative; padding: 0.1rem 0 0.1rem 1.35rem; }
.levels span:not(.lines) b {
  position: absolute; left: 0; top: 50%; translate: 0 -50%; line-height: 1.1rem; margin: 0;
}
td:first-child { max-width: 11rem; }
/* A long id leaves the room to what is said of the case. */
td .id {
  display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  width: max-content; max-width: 6.2rem; white-space: normal; overflow-wrap: anywhere; line-height: 1.08;
  vertical-align: middle;
}
tbody tr { cursor: pointer; }
tbody tr:hover { background: PANEL; }
tr[aria-selected=true] { background: color-mix(in srgb, SOFT 16%, transparent); }
td:first-child { color: SOFT; }
tr[aria-selected=true] td:first-child { box-shadow: inset 3px 0 SOFT; color: TEXT; font-weight: 600; }
.risk b {
  display: inline-block; min-width: 1.25rem; border-radius: 3px; text-align: center; font-weight: 600;
}
/* Room for the levels of labels that tie: no column moves as they come into sight. */
.risk { min-width: 2.95rem; padding-right: 0.2rem; }
.danger + .risk { padding-inline: 0.5rem; min-width: 0; }
.danger + .wide { padding-left: 0.9rem; }
.risk b + b { margin-left: 1px; min-width: 0.95rem; font-size: 0.75rem; }
RISKS
/* A bar behind the number, on one scale: its full room is 100 of 100. */
td.danger b {
  box-sizing: border-box; display: block; padding: 0.1rem 0.3rem; border-radius: 3px; font-weight: 500;
  background: linear-gradient(BAR, BAR) no-repeat 0 0 / calc(var(--share) * 1%) 100% TRACK;
}
.mark { margin-left: 0.35rem; color: TEXT; font-weight: 600; }
.bar { display: inline-block; width: 2.2rem; height: 0.5rem; margin-right: 0.5rem; background: RULE; }
.bar i { display: block; height: 100%; background: SOFT; }
/* In a narrow list, as beside a case, the names of labels need the room: numbers stand without their bars. */
@container (max-width: 430px) {
  table { font-size: 0.82rem; }
  .bar { display: none; }
  td .id { max-width: 4.4rem; }
  th, td { padding: 0 0.3rem; }
  :is(th, td):first-child { padding-left: 0.5rem; }
  :is(th, td):last-child { padding-right: 0.5rem; }
}
@container (max-width: 330px) {
  table { font-size: 0.8rem; }
  th, td { padding: 0 0.2rem; }
  .risk { min-width: 2.6rem; }
}
@media (max-width: 640px) {
  table { font-size: 0.8rem; }
  th, td { height: LOWpx; }
  :is(th, td):last-child { padding-right: 0.3rem; }
  .risk { min-width: 2.75rem; }
  td.wide span { line-height: 1.05; }
}
"""
CSS = (
    CSS.replace("ROWpx", f"{ROW_HEIGHT}px")
    .replace("LOWpx", f"{LOW_ROW_HEIGHT}px")
    .replace("RISKS", risk_style(":is(.risk, .levels) b[data-level=LEVEL]"))
    .replace("BAR", f"light-dark({LIGHT.danger_bar}, {DARK.danger_bar})")
    .replace("TRACK", f"light-dark({LIGHT.danger_track}, {DARK.danger_track})")
)
ROWS = """
// What is longer than a narrow column is broken behind a stroke, or where one can read on.
const LONG = /\\p{L}{13,}/gu, WIDE = 13, LONG_ID = 13;
const SYLLABLE = /(\\p{L}{3,}?)(?=[bcdfghjklmnpqrstvwxz][aeiouy]\\p{L}{2,})/giu;

function lettered(letters) {
  // Where none is known its place is left free: names stand beneath one another.
  return [...(letters || " ")].map((of) => {
    const letter = document.createElement("b");
    letter.textContent = of.trim();
    if (of.trim()) letter.dataset.level = of;
    return letter;
  });
}

function wrapping(text, letters) {
  const lines = document.createElement("span");
  if (text.includes("\\n")) {
    // Words that have lines of their own: each is cut by itself, so that none hides the other.
    lines.className = "lines";
    text.split("\\n").forEach((words, i) => {
      const line = document.createElement("i");
      line.append(...(letters ? lettered(letters[i]) : []), words);
      lines.append(line);
    });
    return lines;
  }
  if (letters) lines.append(...lettered(letters.join("")));
  // Short names in a row of them stay whole.
  const names = text.split(/(?<=[,;] )/), isRow = names.length > 1;
  const whole = names
    .map((name) => isRow && name.length <= WIDE ? name.replace(/ (?=\\S)/g, "\\u00a0") : name).join("");
  for (const token of whole.split(/(?<= )/)) {
    for (const part of token.length > WIDE ? token.split(/(?<=\\/)/) : [token]) {
      const words = part.replace(LONG, (word) => word.replace(SYLLABLE, "$1\\u00ad"));
      lines.append(words, ...(part.endsWith("/") ? [document.createElement("wbr")] : []));
    }
  }
  return lines;
}

function filled(row, tag, values, columns, ofBar) {
  values.forEach((value, i) => {
    const cell = document.createElement(tag);
    cell.textContent = value;
    for (const kind of ["number", "wide", "risk", "danger"]) if (columns[i][kind]) cell.classList.add(kind);
    if (tag === "th") {
      cell.scope = "col";
      if (columns[i].wide) cell.style.setProperty("--room", columns[i].room ?? 1);
      if (columns[i].help) cell.title = columns[i].help;
      if (columns[i].order) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = value;
        button.dataset.order = columns[i].order;
        if (columns[i].sorted) cell.ariaSort = columns[i].sorted;
        cell.replaceChildren(button);
      }
    } else {
      cell.title = value;
    }
    if (tag === "td" && columns[i].wide) {
      // What has lines of its own stands on them in every width: a case is called alike in all lists.
      const [told, letters] = columns[i].levels?.[value] ?? [], shorts = columns[i].shorts?.[value] ?? [];
      const lines = shorts.findIndex((words) => words.includes("\\n"));
      cell.write = (words) => cell.replaceChildren(wrapping(words, letters));
      cell.shorts = shorts.slice(lines + 1);
      cell.write(shorts[lines] ?? value);
      if (letters) {
        cell.classList.add("levels");
        cell.title = cell.ariaLabel = told;
      }
    }
    const share = columns[i].danger && tag === "td" ? parseInt(value) : NaN;
    if (!isNaN(share)) {
      const bar = document.createElement("b");
      bar.textContent = value;
      bar.style.setProperty("--share", share);
      cell.replaceChildren(bar);
    }
    if (tag === "td" && columns[i].risk && /^[A-Z]\\b/.test(value)) {
      // Of labels that tie, the level of each; which label has which is read by whoever points at them.
      const tied = /^([A-Z](?: or [A-Z])*), tied: /.exec(value);
      const letters = (tied ? tied[1].split(" or ") : [value]).map((words) => {
        const letter = document.createElement("b");
        letter.textContent = words;
        letter.dataset.level = words[0];
        return letter;
      });
      cell.replaceChildren(...letters);
      if (tied) cell.ariaLabel = value;
    }
    if (ofBar !== undefined && columns[i].bar) {
      const bar = document.createElement("span"), full = document.createElement("i");
      bar.className = "bar";
      full.style.width = `${100 * ofBar}%`;
      bar.append(full);
      cell.prepend(bar);
    }
    row.append(cell);
  });
  return row;
}

function identified(cell) {
  const id = cell.textContent, name = document.createElement("span");
  if (id.length < LONG_ID) return;
  name.className = "id";
  name.textContent = id;
  cell.replaceChildren(name);
}

function isCut({firstChild: words}) {
  // It lacks a whole line, or the end of one; letters may reach a pixel or two beyond theirs.
  return words.scrollHeight > words.clientHeight + 5
    || [...words.querySelectorAll("i")].some(isLonger);
}

function isLonger(line) {
  // By parts of a pixel, too: the end of a name is cut off for less than half of one.
  const words = document.createRange();
  words.selectNodeContents(line);
  return words.getBoundingClientRect().right > line.getBoundingClientRect().right + 0.01;
}

function fit(rows) {
  // All are measured before any is written: the page is laid out once for each round.
  let cut = [...rows.querySelectorAll("td.wide")];
  while ((cut = cut.filter((cell) => !cell.classList.contains("tighter") && isCut(cell))).length)
    for (const cell of cut)
      if (cell.shorts.length) cell.write(cell.shorts.shift());
      else cell.classList.add(cell.classList.contains("tight") ? "tighter" : "tight");
}

function badge(signs, words) {
  const mark = document.createElement("span");
  mark.className = "mark";
  mark.textContent = signs;
  mark.title = mark.ariaLabel = words;
  mark.setAttribute("role", "img");
  return mark;
}

function room(height, columns) {
  const row = document.createElement("tr"), cell = row.insertCell();
  row.setAttribute("role", "presentation");
  cell.className = "room";
  cell.colSpan = columns;
  cell.style.height = `${height}px`;
  return row;
}
"""
"""Text is set as text: nothing of it is ever markup."""
