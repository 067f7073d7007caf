"""Numbers and states as sentences, by topic; what a topic's changes are called in the history among them."""
