"""Date formats for English."""
