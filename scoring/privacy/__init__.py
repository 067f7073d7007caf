"""What is kept of people: their own data, how long, and erasing a name."""
