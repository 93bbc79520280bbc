"""Steps of a walk: what is done, at what, and how. A list of them is a script that can be run again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from browser.monkey.seen import PLACE

KEY_PAUSE = 5
"""Milliseconds between two keys of a quick typist."""


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes
    ----------
    tab : int
        In which of the open tabs.
    do : str
        Name of a function of this module.
    at : str
        Target that it is done at; empty where it is done at the page as a whole.
    how : str
        Keys, text, an address, a place: whatever the step takes.
    pause : int
        Milliseconds until the next step.
    """

    tab: int
    do: str
    at: str = ""
    how: str = ""
    pause: int = 0


def perform(page: Any, step: Step) -> bool:
    """Do a step; false where its target, among those that were named last, is gone."""
    if step.at:
        place = page.evaluate(PLACE, step.at)
        if place is None:
            return False
        _AT_A_TARGET[step.do](page, place, step.how)
    else:
        _AT_THE_PAGE[step.do](page, step.how)
    return True


def _click(page: Any, place: list[float], how: str) -> None:
    """Click at a share of width and height; the middle where none is given."""
    x, y = map(float, how.split()) if how else (0.5, 0.5)
    page.mouse.click(place[0] + x * place[2], place[1] + y * place[3])


def _row(page: Any, place: list[float], how: str) -> None:
    """Click a row of a table by its number in sight."""
    page.mouse.click(place[0] + min(90, place[2] / 2), place[1] + min(35 * int(how) + 17, place[3] - 8))


def _drag(page: Any, place: list[float], how: str) -> None:
    """Drag from one place of a picture to another."""
    x, y, to_x, to_y = map(float, how.split())
    page.mouse.move(place[0] + x * place[2], place[1] + y * place[3])
    page.mouse.down()
    page.mouse.move(place[0] + to_x * place[2], place[1] + to_y * place[3], steps=3)
    page.mouse.up()


def _click_and_press(page: Any, place: list[float], how: str) -> None:
    """Click, then press keys, quickly."""
    _click(page, place, "")
    _press(page, how)


def _write(page: Any, place: list[float], how: str) -> None:
    """Write a text in place of what stands there; what follows a bar is the key that ends it."""
    text, _, end = how.rpartition("|")
    _click(page, place, "")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    if end:
        page.keyboard.press(end)


def _press(page: Any, how: str) -> None:
    for key in how.split():
        page.keyboard.press(key, delay=KEY_PAUSE)


def _type(page: Any, how: str) -> None:
    """Type what a person types into the field that has the focus, and end with Enter."""
    page.keyboard.type(how)
    page.keyboard.press("Enter")


def _go(page: Any, how: str) -> None:
    page.goto(how, wait_until="commit")


def _travel(page: Any, how: str) -> None:
    """Back or forward, as the browser's own buttons do it; not out of the dashboard."""
    page.evaluate(f"navigation.canGo{how.capitalize()} && history.{how}()")


def _reload(page: Any, how: str) -> None:
    page.reload(wait_until="commit")


def _resize(page: Any, how: str) -> None:
    width, height = map(int, how.split())
    page.set_viewport_size({"width": width, "height": height})


def _mode(page: Any, how: str) -> None:
    page.emulate_media(color_scheme=how)


_AT_A_TARGET = {
    "click": _click,
    "row": _row,
    "drag": _drag,
    "press": _click_and_press,
    "write": _write,
}
_AT_THE_PAGE = {
    "keys": _press,
    "type": _type,
    "go": _go,
    "travel": _travel,
    "reload": _reload,
    "resize": _resize,
    "mode": _mode,
}
