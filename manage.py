#!/usr/bin/env python3
"""Run a command of Django with this project's settings."""

import sys

from clubledger.__main__ import manage

if __name__ == "__main__":
    manage(sys.argv)
