"""What every topic stands on; it knows none of them."""
