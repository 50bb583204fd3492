"""`make bench`: what the stages cost beside something everybody knows, measured in the same run; nothing here passes or fails.

Every row is a ratio of two pieces of work that took turns: of their wall clocks, each the best of a few rounds, and of their
processor time, so that a busy machine shows. What a user starts as a command is measured as one, with all its processes.
"""
