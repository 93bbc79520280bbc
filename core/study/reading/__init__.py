"""Reading of a study's files, with every problem gathered."""
