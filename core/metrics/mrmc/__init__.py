"""Multi-reader multi-case studies: would a result hold with other readers and other cases."""
