"""A PostgreSQL of the tests' own, on 127.0.0.1, in a folder that goes with them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OWNER = "postgres"
"""Who runs it where the tests are run by the superuser, whom it refuses."""


def programs() -> Path | None:
    """Folder of PostgreSQL's programs, if it is installed."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server, and give the address of its database."""
    where = programs()
    assert where is not None
    folder = Path(tempfile.mkdtemp(prefix="loupe-pg-"))
    lead: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, _OWNER)
        lead = ["setpriv", f"--reuid={_OWNER}", f"--regid={_OWNER}", "--clear-groups"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    quiet = {"cwd": folder, "check": True, "capture_output": True}
    subprocess.run([*lead, where / "initdb", "-D", data, "-U", "loupe", "-A", "trust", "-E", "UTF8"], **quiet)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    control = [*lead, where / "pg_ctl", "-D", data, "-w"]
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], **quiet)
    try:
        yield f"postgresql+pg8000://loupe@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
        shutil.rmtree(folder, ignore_errors=True)
