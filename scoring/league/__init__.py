"""Seasons and months: counted, closed, corrected."""
