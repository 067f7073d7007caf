"""An invented club, so that everything can be looked at."""
