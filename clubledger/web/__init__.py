"""Middleware and functions for all requests and responses of the site, whatever the page."""
