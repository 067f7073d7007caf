"""The program that reads one uploaded list, `python -m scoring.imports.reading`: the file on standard input, JSON on standard
output. It has four seconds of one core and 90 MB."""

import json
import sys

from scoring.core.readers import limit_process

from .file_formats import Refusal, sheets_of

limit_process(seconds=4, memory=90_000_000)
try:
    answer: dict[str, object] = {"sheets": list(sheets_of(sys.stdin.buffer.read()))}
except Refusal as refusal:
    answer = {"reason": refusal.reason, "said": refusal.said}
json.dump(answer, sys.stdout)
