"""The program that judges one uploaded archive, `python -m scoring.archive.reading SETTINGS`: it reads the file on standard
input, and writes the archive's text, or what is wrong with it, to standard output. It loads the models but has no database. How
much time and memory it may take grows with the size of the unpacked archive."""

import json
import sys
from io import BytesIO

import django
from django.conf import settings

from scoring.core.readers import limit_process

# A sound archive takes a third of that; one that is nothing but brackets is given up.
limit_process(seconds=4, memory=120_000_000)
settings.configure(**json.loads(sys.argv[1]))
django.setup()

from scoring.archive.errors import ArchiveRefused  # noqa: E402  # they want the models
from scoring.archive.queries import as_text  # noqa: E402

from .archive import read_archive, unpacked  # noqa: E402

try:
    data = unpacked(sys.stdin.buffer.read())
    limit_process(seconds=4 + 3 * len(data) // 1_000_000, memory=100_000_000 + 15 * len(data))
    answer: dict[str, object] = {"text": as_text(read_archive(BytesIO(data)))}
except ArchiveRefused as refused:
    answer = {"faults": refused.faults}
json.dump(answer, sys.stdout)
