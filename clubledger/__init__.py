"""How the site runs: settings, URLs, server, security headers. It knows no rule of the game."""
