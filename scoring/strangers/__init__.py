"""What a club shows to strangers."""
