"""Writes notes one by one, and prints the id of each once it is acknowledged.

With an author and a number it writes so many. Without them it forks a writer without end for each author that
it reads, prints its process id before and "gone" after it.
"""

import os
import sys

from core.reviews.event import Event, Subject
from core.reviews.store import ReviewStore


def write(address: str, author: str, n: int) -> None:
    """Write notes."""
    store = ReviewStore(address)
    subject = Subject("f" * 16, "A study", "main", "case 1", "0" * 16)
    for i in range(n):
        (kept,) = store.append(Event(subject, author, "note", {"text": f"note {i}"}))
        # In one piece or not at all, however it ends.
        os.write(sys.stdout.fileno(), f"{kept.id}\n".encode())


if len(sys.argv) > 2:
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]))
else:
    # What opening needs is loaded once, and not by each child.
    ReviewStore(sys.argv[1]).close()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.write(sys.stdout.fileno(), f"{os.getpid()}\n".encode())
            write(sys.argv[1], line.strip(), 1_000_000)
        os.waitpid(child, 0)
        os.write(sys.stdout.fileno(), b"gone\n")
