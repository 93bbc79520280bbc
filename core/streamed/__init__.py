"""Studies larger than memory: every question that is a sum over cases, asked of one part after the other."""
