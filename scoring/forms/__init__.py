"""What may be typed on a page and how it is asked for."""
