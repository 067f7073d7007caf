"""Where somebody arrives."""
