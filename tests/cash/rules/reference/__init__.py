"""Decides, slowly and in plain words, what every legal line of `manage.py charges` answers.

This is the description of the Kasse written out a second time, one function per paragraph, so that the real
computation can be held against it. It shares no code with the project. The sections in the docstrings are those of the
description.
"""

from tests.cash.rules.reference.lines import answer

__all__ = ["answer"]
