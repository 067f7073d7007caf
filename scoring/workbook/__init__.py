"""Everything of a club in one file to read."""
