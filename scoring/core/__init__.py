"""What every topic stands on: it knows the rules of the game, and no topic."""
