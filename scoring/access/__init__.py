"""Fetching a thing and checking the right to it: one call and one query, so no view can forget it. One module per topic."""
