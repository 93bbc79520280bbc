"""What must hold of a page: always, and once it has come to rest. Each rule says in words what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from core.analysis.cases.orders import ORDERS
from core.analysis.export import format_reliability
from core.plausibility.settings import MODELS
from dashboard.shell import studies
from dashboard.shell.address import parse
from dashboard.shell.view import View
from dashboard.views.disagreement.words import title

Seen = Mapping[str, Any]
"""What a page says, as `browser.monkey.seen.SEEN` gives it."""

_NAMES = {
    "/": "Study",
    "/tour": "Tour",
    "/raters": "Raters",
    "/cases": "Cases",
    "/review": "Review",
    "/reliability": "Reliability",
    "/models": "Models",
    "/disagreement": "Disagreement",
}
_SHOWN_AS: dict[str, Callable[[Any], str]] = {
    "study": lambda key: next((one.title for one in studies.samples() if one.key == key), key),
    "task": str,
    "model": lambda name: MODELS[name].title,
    "against": lambda name: MODELS[name].title,
    "reliability": format_reliability,
    "search": str,
    "where": str,
    "sort": lambda name: ORDERS[name].words,
    "positive": str,
    "predictor": str,
    "probability_of": str,
    "recalibration": lambda name: "none" if name == "as given" else title(name),
    "expert_method": title,
    "bins": str,
    "observation": "{:.1f}".format,
}
"""How a widget shows what the address says, where it says something."""
_LEFT_OUT = {"", None}
_COUNTS = re.compile(
    r"^(?:Each (?:reading|score) counts (?:(?P<once>once|as much as)|(?P<twice>twice)|(?P<times>\S+) times)"
    r"(?: its confidence)?\.$"
    r"|All readings of a case together count as (?P<together>\S+?)(?: times their mean confidence)?, "
    r"|(?P<point>∞): the point estimate is taken for the truth)"
)
"""What stands beneath the slider, as `core.analysis.reliability.words` writes it."""
_HEADLINE = re.compile(r"\((.+), reliability (\S+)\)\.$")
_COMPARED = re.compile(r"Each dot is a case, under (.+?), γ = (\S+?)(?=,| and )")
_WHICH = re.compile(r" \(\d+ of \d+\)$")
"""What tells several images of a case apart."""
_LISTED = re.compile(r"^(?:All ([\d,]+)|([\d,]+) of [\d,]+|None of [\d,]+) cases?[.,]")
"""What stands above the worklist, as `core.analysis.cases.presets.listed_in_words` writes it."""


def at_once(seen: Seen) -> list[str]:
    """What must hold at every moment: nothing on the page is an error."""
    return [f"error on the page: {text}" for text in seen["faults"]]


def at_rest(seen: Seen) -> list[str]:
    """What must hold once the page has come to rest."""
    if seen["blank"]:
        return [f"blank page: no heading or no footer at {seen['path']}"]
    faults = at_once(seen)
    if seen["waits"]:
        faults.append(f"{seen['waits']} spinners are stuck")
    faults += [f"an image is not shown: {words}" for words in seen["broken"]]
    if seen["stale"] and not seen["works"]:
        faults.append(f"{seen['stale']} parts of the page are stale")
    view, problems = parse(parse_qs(seen["search"].removeprefix("?"), keep_blank_values=True))
    faults += [f"the page left in the address: {problem}" for problem in problems]
    if "This study needs mending" in seen["headings"]:
        return faults
    for rule in (_page, _widgets, _caption, _case, _worklist):
        faults += rule(seen, view)
    return faults


def _page(seen: Seen, view: View) -> list[str]:
    """The page that is open is the one that the address names."""
    wanted = _NAMES.get(seen["path"])
    if wanted is None:
        return [f"no page lies at {seen['path']}"]
    faults = []
    if seen["page"] and seen["page"] != [wanted]:
        faults.append(f"the address names the page {wanted}, marked is {seen['page']}")
    if wanted not in ("Tour", "Study") and wanted not in seen["headings"]:
        faults.append(f"the address names the page {wanted}, its headings are {seen['headings']}")
    return faults


def _widgets(seen: Seen, view: View) -> list[str]:
    """Every widget shows what the address says."""
    faults = []
    for name, shown in seen["widgets"].items():
        value = getattr(view, name, None)
        if name not in _SHOWN_AS or value in _LEFT_OUT:
            if name in ("reliability", "model", "study", "task"):
                faults.append(f"{name} is {shown} on the page, and missing in the address")
            elif name == "search" and shown != [""]:
                faults.append(f"the search shows {shown}, the address names none")
            continue
        wanted = _SHOWN_AS[name](value)
        if shown != [wanted]:
            faults.append(f"{name} shows {shown}, the address says {wanted!r}")
    return faults


def _caption(seen: Seen, view: View) -> list[str]:
    """Reliability and model named beneath the slider, and in sentences, are those in force."""
    if view.reliability is None or not view.model or "reliability" not in seen["widgets"]:
        return []
    model, gamma = MODELS[view.model], format_reliability(view.reliability)
    faults = []
    counted = [found for note in seen["side"] if (found := _COUNTS.match(note))]
    said = [
        "1" if one["once"] else "2" if one["twice"] else one["times"] or one["together"] or one["point"]
        for one in counted
    ]
    if model.has_reliability and said != [gamma]:
        faults.append(f"beneath the slider stands {said}, the address says {gamma}")
    if model.has_reliability:
        told = [
            found.groups()
            for pattern, texts in ((_HEADLINE, seen["sentences"]), (_COMPARED, seen["notes"]))
            for found in map(pattern.search, texts)
            if found
        ]
        wanted = (model.title, gamma)
        faults += [f"a text is about {one}, chosen is {wanted}" for one in told if one != wanted]
    return faults


def _case(seen: Seen, view: View) -> list[str]:
    """The case that is named is the case that is shown."""
    if seen["path"] != "/cases":
        return []
    faults = []
    named = [view.case, f"Case {view.case}"]
    if view.case and (len(seen["title"]) != 1 or seen["title"][0] not in named):
        faults.append(f"the address names the case {view.case}, the title says {seen['title']}")
    image = f"Image of case {view.case}"
    shown = [words for words in seen["images"] if words.startswith("Image of case ")]
    faults += [
        f"the case is {view.case}, shown is “{words}”"
        for words in shown
        if _WHICH.sub("", words.removesuffix(", enlarged")) != image
    ]
    return faults


def _worklist(seen: Seen, view: View) -> list[str]:
    """The row that is chosen is that of the case, and as many rows are listed as the caption counts."""
    if seen["path"] != "/cases" or seen["rows"] is None:
        return []
    faults = []
    chosen = [text for text in seen["chosen"] if text]
    if len(chosen) > 1 or (chosen and chosen != [view.case]):
        faults.append(f"chosen in the worklist is {chosen}, the case is {view.case}")
    counted = [
        int((found[1] or found[2] or "0").replace(",", ""))
        for note in seen["notes"]
        if (found := _LISTED.match(note))
    ]
    # Streamlit's table without rows has one that says so.
    if counted and seen["rows"] not in (counted[0], max(counted[0], 1)):
        faults.append(f"the caption counts {counted} cases, listed are {seen['rows']}")
    return faults


def strode(before: Seen, seen: Seen, n: int) -> list[str]:
    """So many keys Alt+N, however fast, go as many rows on in the worklist, at most to its last."""
    wanted = min(before["row"] + n, before["rows"] - 1)
    if seen["row"] == wanted:
        return []
    return [f"{n} keys Alt+N went from row {before['row']} to row {seen['row']}, not to {wanted}"]


OWN = {
    "pairs-choice", "pairs-ranking", "pairs-score", "group-size", "metric", "fineness-of",
    "draws-model", "draws-metric", "plan-better", "plan-worse", "truths-where-leads",
}  # fmt: skip
"""Widgets whose choice does not go with a link."""


UNSAVED = "Not saved yet"
"""What is said of what waits for a name: it belongs to the visit."""


def same(seen: Seen, fresh: Seen) -> list[str]:
    """What a fresh tab at the same address shows otherwise."""
    own = OWN | ({"review-status"} if any(UNSAVED in text for text in seen["unsaved"]) else set())
    pairs = [
        (name, seen["widgets"][name], fresh["widgets"][name])
        for name in sorted(seen["widgets"].keys() & fresh["widgets"].keys() - own)
    ]
    pairs += [(part, seen[part], fresh[part]) for part in ("headings", "sentences", "rows", "chosen")]
    return [
        f"{name}: {here}, in a fresh tab at the same address {there}"
        for name, here, there in pairs
        if here != there
    ]
