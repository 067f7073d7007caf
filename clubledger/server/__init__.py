"""The server in front of Django: its port, its lock, and the limits for clients."""
