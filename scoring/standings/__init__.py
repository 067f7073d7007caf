"""The eternal list."""
