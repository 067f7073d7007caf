"""Who is there and who may do what."""
