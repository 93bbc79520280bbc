"""Where words stand in a picture so that they hide little of it, as script for the browser."""

from __future__ import annotations

PLACING = """
function overlap(a, b) {
  const wide = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}
function meets({x: x1, y: y1}, {x: x2, y: y2}, box) {
  let inside = 0;
  for (let k = 0; k <= 24; k += 1) {
    const x = x1 + (x2 - x1) * k / 24, y = y1 + (y2 - y1) * k / 24;
    inside += x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;
  }
  return inside;
}

/* Beside, above, below, and between these. */
const AROUND = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [Math.cos(k * Math.PI / 4), Math.sin(k * Math.PI / 4)]);
const whole = (part) => Math.abs(part) > 0.5 ? Math.sign(part) : 0;
const within = (least, most, value) => Math.max(least, Math.min(most, value));

/* The place of a name beside its corner, off lines and other names, if it can where it stood before. */
function besideCorner({x, y}, {w, h}, stood, others, {size: [wide, high], middle, lines}) {
  let best = null;
  AROUND.forEach(([right, down], n) => {
    const side = whole(right), level = whole(down);
    const free = {x: x - w / 2 + side * (w / 2 + (level ? -4 : 12)), y: y - h / 2 + level * (h / 2 + 10)};
    const box = {x: within(0, wide - w, free.x), y: within(0, high - h, free.y), w, h, stood: n};
    const moved = Math.abs(box.x - free.x) + 2 * Math.abs(box.y - free.y);
    const outward = (right * (x - middle[0]) + down * (y - middle[1])) / wide;
    const cost = 0.6 * moved - 22 * outward - (stood === n ? 12 : 0) - (side ? 0 : 3)
      + 6 * lines.reduce((sum, [from, to]) => sum + meets(from, to, box), 0)
      + 0.4 * others.reduce((sum, one) => sum + overlap(one, box), 0);
    if (!best || cost < best.cost) best = {...box, cost};
  });
  return best;
}

/* The place of what a mark says: near it, beside names and other marks. */
function besideMark({x, y}, {w, h}, [wide, high], names, marks) {
  const gap = 14, own = {x: x - 9, y: y - 9, w: 18, h: 18};
  const hidden = (box) => marks.filter((p) => overlap(box, {x: p.x, y: p.y, w: 1, h: 1})).length;
  let best = null;
  for (const left of [x + gap, x - gap - w, x - w / 2, 0, wide - w])
    for (const top of [y - h / 2, y - gap - h, y + gap, 0, high - h]) {
      const box = {x: within(0, wide - w, left), y: within(-30, high - h, top), w, h};
      const cost = 1000 * hidden(box) / marks.length + overlap(own, box) / 5
        + names.reduce((sum, name) => sum + overlap(name, box), 0) / 6
        + Math.hypot(box.x + w / 2 - x, box.y + h / 2 - y) / 2;
      if (!best || cost < best.cost) best = {...box, cost};
    }
  return best;
}
"""
