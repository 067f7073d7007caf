"""The page that says how everything goes."""
