"""Files to take home. They hold values as the pages show them, so that any program and a phone's preview can
read them."""
