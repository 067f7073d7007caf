"""How files to take home are made, and how files from elsewhere are read in a process of their own."""
