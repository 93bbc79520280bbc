"""Cases: a worklist, least certain first, and one case in detail."""
