"""Operators' own logs, read by a mapping that says which table, column and word means what."""
