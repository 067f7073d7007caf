"""The program that reads one uploaded file, `python -m scoring.imports`: the file on standard input, JSON on standard output.
Whatever a file does to its reader ends with it, after four seconds of one core or 90 MB at the latest."""

import json
import resource
import sys

from scoring.imports.rows import Refusal, sheets_of

MOST_SECONDS = 4
MOST_MEMORY = 90_000_000

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
try:
    answer = {"sheets": list(sheets_of(sys.stdin.buffer.read()))}
except Refusal as refusal:
    answer = {"reason": refusal.reason, "said": refusal.said}
json.dump(answer, sys.stdout)
