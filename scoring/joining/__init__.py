"""Joining a club by a link: who may make one, what it gives, and what happens to whoever opens it."""
