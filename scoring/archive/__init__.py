"""A club as one file, and back."""
