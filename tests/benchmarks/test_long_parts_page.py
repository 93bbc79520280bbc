"""The first page of a fresh server on a study in parts that has been counted: time, memory, bytes.

``LOUPE_PARTS`` says how many parts of 100,000 cases there are, 100 if it is not set. They are counted first,
which takes as long as `test_long_parts` says.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from benchmarks.large_study import CASES, N_PARTS, shared_memory
from browser.server import browse, started
from browser.visit import Visit

from core.cli import main
from core.streamed.aggregates import aggregates_folder
from core.study.partitions.manifest import read_manifest

MOST_SECONDS = 10.0
"""From the command that starts the server to all numbers of the first page."""
MOST_MEMORY = 3e9
MOST_BYTES = 5_000_000
"""To the browser, beside the code of the pages."""
CONDITION = 'certainty < 0.5 and leading == "L3"'


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_first_page(
    large_study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then the first page under a condition put to all cases, which has nothing read before either."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    out = str(aggregates_folder(read_manifest(large_study)))
    assert main(["evaluate", str(large_study), "--out", out, "--workers", str(min(2, N_PARTS))]) == 0
    capsys.readouterr()
    took = {}
    for name, query in (("all cases", {}), ("a condition", {"where": CONDITION})):
        begin = time.perf_counter()
        with started(tmp_path, str(large_study)) as (url, pid), browse() as browser:
            visit = Visit(browser.new_context())
            page = visit.page
            given = "&".join(f"{key}={value}" for key, value in query.items())
            page.goto(f"{url}/study?{given}")
            page.get_by_text("All cases", exact=True).first.wait_for()
            page.locator(".stVegaLiteChart").first.wait_for()
            visit.settle()
            took[name] = time.perf_counter() - begin, shared_memory(pid), sum(visit.messages)
    with capsys.disabled():
        for name, (seconds, memory, size) in took.items():
            sys.stdout.write(
                f"\nfirst page of {N_PARTS * CASES:,} cases, {name}: {seconds:.1f} s of {MOST_SECONDS:.0f}, "
                f"{memory / 1e9:.2f} GB of {MOST_MEMORY / 1e9:.0f}, {size / 1e6:.2f} MB to the browser of "
                f"{MOST_BYTES / 1e6:.0f}\n"
            )
    seconds, memory, size = took["all cases"]
    assert seconds < MOST_SECONDS
    assert max(memory for _, memory, _ in took.values()) < MOST_MEMORY
    assert max(size for *_, size in took.values()) < MOST_BYTES
