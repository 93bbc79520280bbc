"""Cases: a worklist, unsettled danger first, and one case in detail."""
