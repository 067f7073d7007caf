"""What a game is worth, in plain Python: nothing in here knows Django."""
