"""The one Django app: the game, the people, the standings, the money."""
