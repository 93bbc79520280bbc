"""The stories of the README are true: their commands run as printed, and say what is quoted."""

from __future__ import annotations

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from core.cli import main
from dashboard.report.__main__ import main as report

ROOT = Path(__file__).parents[1]
STORIES = re.search(
    r"## Two stories, from question to report\n(.*?)\n## ",
    (ROOT / "README.md").read_text(encoding="utf-8"),
    re.S,
)
BROKEN = re.compile(r"[\s\u00a0]+")


def _plain(text: str) -> str:
    return BROKEN.sub(" ", text)


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 1], ids=["clinician", "researcher"])
def test_a_story_is_true(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each quoted sentence is printed by its commands, or stands in the report that they write."""
    assert STORIES is not None
    _, *stories = re.split(r"^\*\*A ", STORIES[1], flags=re.M)
    story = stories[place]
    become: list[list[str]] = []
    monkeypatch.setattr("core.cli.shown._become", lambda module, *given: become.append([module, *given]) or 0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    for command in re.findall(r"^loupe (.*)$", story, re.M):
        assert main(shlex.split(command)) == 0
    said = capsys.readouterr().out
    for module, *given in become:
        assert module == "dashboard.report"
        report(given)
        text = Path(given[1]).read_text(encoding="utf-8")
        said += unescape(re.sub(r"<script.*?</script>|<[^>]+>", " ", text, flags=re.S))
    quoted = [re.sub(r"^> ?", "", one, flags=re.M) for one in re.findall(r"(?:^> .*\n)+", story, re.M)]
    assert len(quoted) == (6, 3)[place]
    for sentence in quoted:
        assert _plain(sentence).strip() in _plain(said)
    if place == 0:
        assert "The 39 least certain of 301 cases" in said
    else:
        assert "by AUROC in 5 tasks, none has p < 0.05" in _plain(said)
        assert (tmp_path / "story" / "compare" / "recipe.toml").is_file()
