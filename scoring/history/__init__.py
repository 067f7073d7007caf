"""The page of all changes."""
