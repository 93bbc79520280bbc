"""What people write about cases: an append-only history of events, and what it comes to."""
