"""One exception per broken rule, with the sentence the user reads; one module per topic."""
