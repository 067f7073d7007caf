"""How the server takes a request: what a client may do, before Django sees any of it."""
