"""Writes notes one by one, and prints the id of each once it is acknowledged."""

import sys

from core.reviews.event import Event, Subject
from core.reviews.store import ReviewStore

store = ReviewStore(sys.argv[1])
subject = Subject("f" * 16, "A study", "main", "case 1", "0" * 16)
for i in range(int(sys.argv[3])):
    (kept,) = store.append(Event(subject, sys.argv[2], "note", {"text": f"note {i}"}))
    sys.stdout.write(f"{kept.id}\n")
    sys.stdout.flush()
