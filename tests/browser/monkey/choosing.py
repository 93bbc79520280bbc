"""Which step comes next: drawn from what can be touched, with a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from browser.monkey.seen import Target
from browser.monkey.steps import Step

PAUSES = (0, 0, 0, 20, 80, 250, 600)
"""Milliseconds between steps, most of them none at all."""
TEXTS = (
    "",
    "1",
    "3",
    "17",
    "-1",
    "1e9",
    "0.5",
    "a",
    "<b>bold</b><script>alert(1)</script>",
    "🩺👩🏽‍⚕️ naïve 漢字 \u202eabc",
    '=HYPERLINK("http://x.example")',
    "$x^2$ **b** [a](http://x.example) :red[c]",
    "long " * 400,
    "' OR 1=1 --",
    "{A} {B, C}",
    "derm-004",
    "mixed-1",
)
KEYS = (
    "Alt+n",
    "Alt+n Alt+n",
    "Alt+n Alt+n Alt+n Alt+n",
    "Alt+p",
    "Alt+n Alt+p Alt+n",
    "Alt+z",
    "Alt+g",
    "Escape",
    "Tab Tab Enter",
    "ArrowDown ArrowDown",
    "ArrowUp",
    "Enter",
    "End",
    "PageDown",
    "Home",
)
SLIDES = (
    "ArrowRight",
    "ArrowLeft",
    "ArrowRight ArrowRight ArrowRight",
    "ArrowLeft ArrowLeft",
    "Home",
    "End",
    "Home ArrowRight",
    "ArrowRight ArrowLeft",
)
SIZES = ("1440 1000", "900 1000", "400 800", "1024 600")
ODD = (
    ("reliability", "∞"),
    ("reliability", "0.25"),
    ("reliability", "7.5"),
    ("reliability", "many"),
    ("model", "prirn"),
    ("model", "label-counts"),
    ("model", "<b>x</b>"),
    ("case", "=1+1"),
    ("search", "a"),
    ("sort", "study"),
    ("sort", "stake"),
    ("preset", "most uncertain"),
    ("certainty", "20-60"),
    ("bins", "7"),
    ("nonsense", "yes"),
)
"""Parameters that somebody writes into the address by hand."""
STARTS = ("find-reliability", "start-")
"""Beginnings of the keys of buttons that begin long work."""
KINDS = {
    "page": 9,
    "range": 14,
    "number": 4,
    "select": 11,
    "text": 6,
    "box": 4,
    "fold": 7,
    "grid": 7,
    "chart": 6,
    "row": 4,
    "link": 1,
    "button": 14,
}
"""How often each kind of target is touched, where there is one."""
_AT_THE_PAGE: dict[str, int] = {
    "keys": 12,
    "stride": 3,
    "travel": 5,
    "reload": 2,
    "resize": 2,
    "mode": 1,
    "go": 3,
}


def choose(rng: Random, tab: int, targets: Sequence[Target], url: str) -> Step:
    """Draw one step for what is open."""
    by_kind: dict[str, list[Target]] = {}
    inside = [target for target in targets if target.in_dialog]
    for target in inside if inside and rng.random() < 0.7 else targets:
        by_kind.setdefault(target.kind, []).append(target)
    weights = {kind: KINDS[kind] for kind in sorted(by_kind)} | _AT_THE_PAGE
    drawn = rng.choices(list(weights), list(weights.values()))[0]
    pause = rng.choice(PAUSES)
    if drawn in by_kind:
        target = _one(rng, by_kind[drawn])
        do, how = _HOW[drawn](rng)
        if "reliability" in target.name and STARTS[0] not in target.name and drawn == "range":
            pause = min(pause, 80)
        return Step(tab, do, target.name, how, 0 if _starts(target) else pause)
    return Step(tab, drawn, "", _at_the_page(rng, drawn, url), pause)


def _starts(target: Target) -> bool:
    return target.name.split("|")[1].startswith(STARTS)


def _one(rng: Random, found: Sequence[Target]) -> Target:
    """One of several, each key of a widget as often as any other; what begins long work more often."""
    keys = sorted({target.name.split("|")[1] for target in found})
    weights = [4 if key.startswith(STARTS) else 1 for key in keys]
    key = rng.choices(keys, weights)[0]
    return rng.choice([target for target in found if target.name.split("|")[1] == key])


def _slide(rng: Random) -> tuple[str, str]:
    if rng.random() < 0.3:
        return "drag", f"{rng.random():.2f} 0.5 {rng.random():.2f} 0.5"
    return "press", rng.choice(SLIDES)


def _select(rng: Random) -> tuple[str, str]:
    return "press", " ".join([rng.choice(("ArrowDown", "ArrowUp"))] * rng.randint(1, 4) + ["Enter"])


def _write(rng: Random) -> tuple[str, str]:
    return "write", f"{rng.choice(TEXTS)}|{rng.choice(('Enter', 'Tab', ''))}"


def _number(rng: Random) -> tuple[str, str]:
    if rng.random() < 0.5:
        return "press", " ".join([rng.choice(("ArrowUp", "ArrowDown"))] * rng.randint(1, 3) + ["Tab"])
    return "write", f"{rng.choice(('3', '0.7', '12', '0', '99999', '-5'))}|Enter"


def _grid(rng: Random) -> tuple[str, str]:
    if rng.random() < 0.2:
        return "press", " ".join(["ArrowDown"] * rng.randint(1, 4))
    return "row", str(rng.randint(0, 12))


def _chart(rng: Random) -> tuple[str, str]:
    places = [f"{rng.uniform(0.1, 0.9):.2f}" for _ in range(4)]
    return ("drag", " ".join(places)) if rng.random() < 0.5 else ("click", " ".join(places[:2]))


def _row(rng: Random) -> tuple[str, str]:
    if rng.random() < 0.3:
        return "press", " ".join([rng.choice(("ArrowDown", "ArrowUp"))] * rng.randint(1, 4))
    return "click", ""


def _click(rng: Random) -> tuple[str, str]:
    return "click", ""


_HOW: dict[str, Callable[[Random], tuple[str, str]]] = {
    "range": _slide,
    "number": _number,
    "select": _select,
    "text": _write,
    "grid": _grid,
    "chart": _chart,
    "row": _row,
    **dict.fromkeys(("page", "box", "fold", "link", "button"), _click),
}


def _at_the_page(rng: Random, do: str, url: str) -> str:
    """How a step is done that has no target."""
    if do == "keys":
        return rng.choice(KEYS)
    if do == "stride":
        return str(rng.randint(2, 9))
    if do == "travel":
        return rng.choice(("back", "back", "forward"))
    if do == "resize":
        return rng.choice(SIZES)
    if do == "mode":
        return rng.choice(("dark", "light"))
    return _other_address(rng, url) if do == "go" else ""


def _other_address(rng: Random, url: str) -> str:
    """The address that is open, one parameter written by hand."""
    name, value = rng.choice(ODD)
    parts = urlsplit(url)
    asked = [pair for pair in parse_qsl(parts.query) if pair[0] != name]
    return f"{parts.path}?{urlencode([*asked, (name, value)], quote_via=quote)}"
