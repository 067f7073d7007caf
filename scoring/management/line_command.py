"""A command that answers a file, or the standard input, line by line with a reader."""

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

LINES_PER_WRITE = 500  # answers written together. Typed lines are answered one by one.


class LineReader(Protocol):
    """The reader of the lines: it yields an answer in JSON for each, and counts the refused ones."""

    refused: int

    def answers(self, lines: Iterable[str]) -> Iterator[str]: ...


class LineCommand(BaseCommand):
    requires_system_checks: list[str] = []
    reader: type[LineReader]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", type=Path)

    def handle(self, *args: Any, file: Path | None = None, **options: Any) -> None:
        """Write the answers; exit with status 1 if a line was refused. A closed pipe (`head`) is no error."""
        try:
            refused = self._write_answers(file)
            self.stdout.flush()
        except BrokenPipeError:
            # Python must not write the rest of the buffer when it exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if refused:
            sys.exit(1)

    def _write_answers(self, file: Path | None) -> int:
        reader = self.reader()
        batch_size = 1 if file is None and sys.stdin.isatty() else LINES_PER_WRITE
        with _open_lines(file) as lines:
            answers = reader.answers(lines)
            while batch := list(islice(answers, batch_size)):
                self.stdout.write("\n".join(batch))
        return reader.refused


@contextmanager
def _open_lines(file: Path | None) -> Iterator[IO[str]]:
    """Open the lines. Bytes that are no UTF-8 spoil only their own line."""
    if file is None:
        yield sys.stdin
        return
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            yield lines
    except BrokenPipeError:
        raise  # the output was closed, not the file
    except OSError as error:
        raise CommandError(_("Die Datei lässt sich nicht lesen: %(error)s") % {"error": error}) from error
