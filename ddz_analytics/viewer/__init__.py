"""One hand to look at, act by act: what everybody holds, what lies on the table, what it is worth so far under some rule sets."""
