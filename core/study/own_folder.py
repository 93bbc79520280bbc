"""The folders in which Loupe keeps what belongs to the person at this computer."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

_PLACES = {"state": ("XDG_STATE_HOME", ".local/state"), "data": ("XDG_DATA_HOME", ".local/share")}


def own_folder(kind: Literal["state", "data"]) -> Path:
    """Where it lies, as the system has it, or where the environment says.

    Parameters
    ----------
    kind : {"state", "data"}
        What programs remember (XDG_STATE_HOME), or what a person made with them (XDG_DATA_HOME).

    Raises
    ------
    RuntimeError
        If the account has no home folder.
    """
    variable, usual = _PLACES[kind]
    given = os.environ.get(variable, "")
    if os.path.isabs(given):
        folder = Path(given)
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        folder = Path.home() / usual
    return folder / "loupe"
