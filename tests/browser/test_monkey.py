"""A monkey at the dashboard: random steps in two tabs, none of which waits for the one before.

``LOUPE_MONKEY_STEPS`` says how far, over all samples together, ``LOUPE_MONKEY_SEED`` where. A walk that fails
is printed as a script that takes the same steps again. Without either it takes few steps, always the
same; what it finds there and its script shows again is a failure, and what hangs on a moment is a warning: on
a machine with other work no two walks have the same moments. On demand all that it finds is a failure.
"""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from browser.monkey import rules
from browser.monkey.choosing import choose
from browser.monkey.replay import dashboard, shortest
from browser.monkey.seen import Target
from browser.monkey.walk import N_TABS, Fault, Server, Tab, Walk, script
from browser.outside import Outside

from core.analysis.export import format_reliability
from core.analysis.reliability.words import reliability_words
from core.plausibility.settings import MODELS, Aggregation
from dashboard.shell import studies

SAMPLES = [source.key for source in studies.samples()]
ON_DEMAND = "LOUPE_MONKEY_STEPS" in os.environ or "LOUPE_MONKEY_SEED" in os.environ
STEPS = int(os.environ.get("LOUPE_MONKEY_STEPS", "120"))
SEED = int(os.environ.get("LOUPE_MONKEY_SEED", "2"))
WALK = 170
"""Steps of one walk at most; then come fresh tabs."""


@pytest.fixture(scope="module")
def server(world: Outside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One dashboard for all walks."""
    with dashboard(tmp_path_factory.mktemp("monkey"), environment=world.environment) as started:
        yield started


@pytest.mark.browser
@pytest.mark.skipif(STEPS == 0, reason="no step is asked for (LOUPE_MONKEY_STEPS)")
@pytest.mark.parametrize("study", SAMPLES)
def test_monkey_finds_nothing(browser: Any, server: Server, study: str) -> None:
    """Whatever is touched, and however fast: pages stay sound, and say what the address says."""
    left, part = -(-STEPS // len(SAMPLES)), 0
    while left > 0:
        _walk(browser, server, study, min(left, WALK), Random(f"{SEED} {study} {part}"))
        left, part = left - WALK, part + 1


def _walk(browser: Any, server: Server, study: str, n_steps: int, rng: Random) -> None:
    pages = rng.choices(("", "cases", "reliability", "models", "disagreement", "raters", "tour"), k=N_TABS)
    starts = [f"/{page}?study={study}" for page in pages]
    walk, fault = Walk(browser, server, starts), None
    try:
        walk.wander(n_steps, rng)
        walk.compare()
    except Fault as found:
        fault = str(found)
    walk.close()
    if fault is None:
        return
    starts, steps, again = shortest(browser, server, walk)
    report = f"{fault}\n\n{script(starts, steps)}"
    if again or ON_DEMAND:
        pytest.fail(report, pytrace=False)
    warnings.warn(f"found once, and not again: {report}", stacklevel=1)


SOUND: dict[str, Any] = {
    "path": "/cases",
    "search": "?study=toy_three_labels&model=label-counts&reliability=2&case=toy-001&search=toy",
    "blank": False,
    "headings": ["Cases", "Case toy-001"],
    "page": ["Cases"],
    "faults": [],
    "waits": 0,
    "stale": 0,
    "works": 0,
    "widgets": {"model": ["Label counts"], "reliability": ["2"], "search": ["toy"]},
    "side": ["Each reading counts twice."],
    "sentences": [],
    "notes": ["12 of 40 cases."],
    "unsaved": [],
    "images": ["Image of case toy-001", "Image of case toy-001, enlarged"],
    "broken": [],
    "title": ["Case toy-001"],
    "rows": 12,
    "row": 0,
    "chosen": ["toy-001"],
}
"""What a sound page says."""


@pytest.mark.parametrize(
    ("part", "said", "words"),
    [
        ("blank", True, "blank page"),
        ("faults", ["ValueError"], "error on the page"),
        ("waits", 1, "stuck"),
        ("stale", 3, "stale"),
        ("page", ["Study"], "marked is"),
        ("widgets", {"reliability": ["3"]}, "reliability shows"),
        ("widgets", {"model": ["PrIRN"]}, "model shows"),
        ("widgets", {"search": [""]}, "search shows"),
        ("side", ["Each reading counts once."], "beneath the slider"),
        ("side", ["No word of it."], "beneath the slider"),
        ("broken", ["Image of case toy-001"], "not shown"),
        ("notes", ["Each dot is a case, under Label counts, γ = 7 and under IRN"], "a text is about"),
        ("notes", ["11 of 40 cases."], "the caption counts"),
        ("images", ["Image of case toy-002, enlarged"], "shown is"),
        ("title", ["Case toy-002"], "the title says"),
        ("chosen", ["toy-002"], "chosen in the worklist"),
        ("search", "?reliability=2", "missing in the address"),
        ("search", "?model=label-counts&reliability=many", "left in the address"),
    ],
)
def test_what_is_wrong_is_found(part: str, said: Any, words: str) -> None:
    """A sound page has no fault; each thing that is wrong with it is named."""
    assert rules.at_rest(SOUND) == []
    assert any(words in fault for fault in rules.at_rest(SOUND | {part: said}))


def test_lost_keys_are_found() -> None:
    """Keys that are pressed go on as many rows, and no further than the last; fewer or more are a fault."""
    assert rules.strode(SOUND, SOUND | {"row": 5}, 5) == []
    assert rules.strode(SOUND, SOUND | {"row": 11}, 20) == []
    for row in (4, 6, None):
        assert rules.strode(SOUND, SOUND | {"row": row}, 5) != []


def _aggregations(gamma: float) -> Iterator[Aggregation]:
    """Every aggregation with a reliability, readings weighed by confidence and not."""
    for name, model in MODELS.items():
        if model.has_reliability:
            yield Aggregation(name, gamma)
            if model.can_weigh:
                yield Aggregation(name, gamma, confidence="weights")


@pytest.mark.parametrize("gamma", [0.25, 1.0, 2.0, 30.0, math.inf])
def test_reliability_beneath_the_slider_is_read_in_every_wording(gamma: float) -> None:
    """Whatever the model: words about the γ of the address are right, words about another are not."""
    for aggregation in _aggregations(gamma):
        address = f"?study=scores&model={aggregation.model}&reliability={format_reliability(gamma)}"
        shown = {"model": [MODELS[aggregation.model].title], "reliability": [format_reliability(gamma)]}
        seen = SOUND | {"search": address, "path": "/", "widgets": shown, "rows": None}
        right = seen | {"side": [reliability_words(aggregation)]}
        wrong = seen | {"side": [reliability_words(replace(aggregation, reliability=7.0))]}
        assert not any("beneath" in fault for fault in rules.at_rest(right)), aggregation
        assert any("beneath" in fault for fault in rules.at_rest(wrong)), aggregation


@pytest.mark.browser
def test_an_error_that_is_shown_for_a_moment_is_found(browser: Any) -> None:
    """Nobody looks at a page between two steps; it says itself what it showed."""
    tab = Tab(browser.new_context())
    tab.page.goto("data:text/html,<body>")
    tab.page.evaluate("document.body.innerHTML = '<p class=stException>KeyError: x</p>'")
    tab.page.wait_for_timeout(200)
    tab.page.evaluate("document.body.innerHTML = ''")
    end = time.monotonic() + 10
    while not tab.complaints and time.monotonic() < end:
        tab.page.wait_for_timeout(100)
    assert tab.complaints == ["error on the page: KeyError: x"]


def test_a_fresh_tab_that_differs_is_found() -> None:
    """What goes with a link is the same in a fresh tab; what does not go with it is no fault."""
    assert rules.same(SOUND, SOUND) == []
    assert rules.same(SOUND, SOUND | {"rows": 11}) != []
    assert rules.same(SOUND, SOUND | {"widgets": SOUND["widgets"] | {"reliability": ["3"]}}) != []
    own = SOUND | {"widgets": SOUND["widgets"] | {"metric": ["overlap @3"]}}
    assert rules.same(own, SOUND | {"widgets": SOUND["widgets"] | {"metric": ["accuracy"]}}) == []
    status, other = (
        SOUND | {"widgets": SOUND["widgets"] | {"review-status": [f"Status: {words}"]}}
        for words in ("in discussion", "open")
    )
    assert rules.same(status, other) != []
    waits = "Not saved yet, waits for your name: status “in discussion” of case toy-001."
    assert rules.same(status | {"unsaved": [waits]}, other) == [], "it is of this visit, and says so"


def test_steps_follow_from_the_seed() -> None:
    """The same seed and the same page give the same steps; another seed gives others."""
    offered = [
        Target(f"{kind}|key|name|{i}", False) for kind in ("button", "range", "select") for i in (0, 1)
    ]
    first, again, other = (
        [choose(rng, 0, offered, "http://127.0.0.1/cases?study=scores") for _ in range(30)]
        for rng in (Random(1), Random(1), Random(2))
    )
    assert first == again
    assert first != other
