"""The game, the people, the lists: a topic is a folder with everything about one thing."""
