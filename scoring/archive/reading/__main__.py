"""The process without database that validates an archive from standard input: `python -m scoring.archive.reading SETTINGS`."""

import json
import sys
from io import BytesIO

import django
from django.conf import settings

from scoring.core.readers import limit_process

# Three times as much as a valid archive needs.
limit_process(seconds=4, memory=120_000_000)
settings.configure(**json.loads(sys.argv[1]))
django.setup()

from scoring.archive.actions import ArchiveRefused  # noqa: E402  # they import the models
from scoring.archive.queries import format_archive  # noqa: E402
from scoring.archive.reading.archive import read_archive, unpack  # noqa: E402

try:
    data = unpack(sys.stdin.buffer.read())
    limit_process(seconds=4 + 3 * len(data) // 1_000_000, memory=100_000_000 + 15 * len(data))
    answer: dict[str, object] = {"text": format_archive(read_archive(BytesIO(data)))}
except ArchiveRefused as refused:
    answer = {"faults": refused.faults}
json.dump(answer, sys.stdout)
