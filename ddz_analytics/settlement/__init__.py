"""Settling: what each seat and the house get of a replayed hand under a rule set."""
