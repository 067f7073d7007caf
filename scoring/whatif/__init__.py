"""The same games by other rules."""
