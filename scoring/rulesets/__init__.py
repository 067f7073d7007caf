"""A rule set of a club: data with versions."""
