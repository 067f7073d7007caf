"""What a game is worth: plain Python that knows no Django and no database. Facts and settings go in, points and their
steps come out; see docs/architecture.md for where each question is decided.
"""
