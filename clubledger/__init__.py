"""How the site runs: settings, URLs, server, security headers. It knows no rule of the game."""

__version__ = "0.3.0"
