"""The process that reads one uploaded file, `python -m scoring.imports.reading`: the file on standard input, JSON on standard
output. It has four seconds of CPU time and 90 MB of memory."""

import json
import sys

from scoring.core.readers import limit_process

from .file_formats import UnreadableFile, read_sheets

limit_process(seconds=4, memory=90_000_000)
try:
    answer: dict[str, object] = {"sheets": list(read_sheets(sys.stdin.buffer.read()))}
except UnreadableFile as refusal:
    answer = {"reason": refusal.reason, "values": refusal.values}
json.dump(answer, sys.stdout)
