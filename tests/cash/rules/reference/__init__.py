"""Decides, slowly and in plain words, what every line of `manage.py charges` answers.

This is the description of the Kasse written out a second time, one function per paragraph, so that the real
computation can be held against it. It shares no code with the project. The sections in the docstrings are those of the
description. Of a refusal only the paths are meant; the sentence beside each is always the same.
"""

from tests.cash.rules.reference.lines import answer
from tests.cash.rules.reference.tariff import faults_of_tariff

__all__ = ["answer", "faults_of_tariff"]
