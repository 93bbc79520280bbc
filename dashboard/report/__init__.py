"""A study's findings as one file: the same words, tables and pictures that the pages show."""
