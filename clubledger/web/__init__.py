"""What holds for every request and every answer of the site, whatever page it is about."""
