"""Studies larger than memory: a folder of parts by range of cases, each read like a study of its own."""
