"""What was played and what follows from it. It has no page of its own."""
