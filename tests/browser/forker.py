"""Imports all that a dashboard imports, then becomes a program of Python, in a child, whenever it is asked.

Of Loupe's own state nothing is made before: what a start does, from the words of its command on, each child
does by itself. It reads a line of JSON for each (see `browser.forked`), and says the number of the child.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import sys
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import Any

NOT_YET = {"dashboard.__main__", "dashboard.app", "dashboard.report.__main__"}
"""Modules that are programs: importing them is what a start does."""


def import_all() -> None:
    """Import every module of the dashboard, and with them the libraries; look through the packages once.

    Streamlit looks for components in all packages that are installed, anew at each start.
    """
    import dashboard

    for module in pkgutil.walk_packages(dashboard.__path__, "dashboard."):
        if module.name not in NOT_YET:
            importlib.import_module(module.name)
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    manifest_scanner.scan_component_manifests()


def become(asked: dict[str, Any]) -> None:
    """Be the program that is asked for, as if Python had just been started for it."""
    with open(os.devnull) as nothing, open(asked["log"], "w") as log:
        os.dup2(nothing.fileno(), 0)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.path.insert(0, "")
    kind, what, *arguments = asked["program"]
    sys.argv = [kind, *arguments]
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.modules["__main__"] = ModuleType("__main__")
        exec(what, vars(sys.modules["__main__"]))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Fork for each line until there are no more."""
    import_all()
    gc.collect()
    gc.freeze()
    _say("ready")
    for line in sys.stdin:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        child = os.fork()
        if child == 0:
            become(json.loads(line))
            return
        _say(str(child))


if __name__ == "__main__":
    main()
