"""Logging in, passwords, and the devices on which somebody is logged in."""
