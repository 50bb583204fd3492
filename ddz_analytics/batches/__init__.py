"""Many hands at once: their actions, auctions, plays and facts as columns."""
