"""A command that answers a file, or the standard input, line by line. What is answered is decided by whoever reads the lines; here
are only the file, the output and the exit status.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

# Answers written together; somebody who types gets each at once.
BATCH = 500


class Reader(Protocol):
    """Whoever reads the lines: an answer for each, as JSON, and how many of them were refused."""

    refused: int

    def answers(self, lines: Iterable[str]) -> Iterator[str]: ...


class AnsweringCommand(BaseCommand):
    requires_system_checks: list[str] = []
    reader: type[Reader]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", type=Path)

    def handle(self, *args: Any, file: Path | None = None, **options: Any) -> None:
        """Writes the answers; exit status 1 if any line was refused. Whoever reads no further (`head`) has enough."""
        try:
            refused = self._answer(file)
            self.stdout.flush()
        except BrokenPipeError:
            # What is still buffered must not be tried again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if refused:
            sys.exit(1)

    def _answer(self, file: Path | None) -> int:
        """How many lines were refused."""
        reader = self.reader()
        at_once = 1 if file is None and sys.stdin.isatty() else BATCH
        with _opened(file) as lines:
            answers = reader.answers(lines)
            while batch := list(islice(answers, at_once)):
                self.stdout.write("\n".join(batch))
        return reader.refused


@contextmanager
def _opened(file: Path | None) -> Iterator[IO[str]]:
    """The lines to read. Bytes that are no UTF-8 spoil their own line only."""
    if file is None:
        yield sys.stdin
        return
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            yield lines
    except BrokenPipeError:
        raise  # that was the answers
    except OSError as error:
        raise CommandError(_("Die Datei lässt sich nicht lesen: %(error)s") % {"error": error}) from error
