"""Facts that were settled on elsewhere: what a row of them must say, and rows of them as hands."""
