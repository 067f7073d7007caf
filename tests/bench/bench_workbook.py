"""What the file with everything of a club costs: eight years of a club, some 20,000 games at 400 evenings, read, scored and
written, against only writing the very same cells with openpyxl, without their looks; and how much memory the process needs
that does it. Each is a process of its own, on a database of its own."""

from __future__ import annotations

import atexit
import gc
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any

EVENINGS = 400
SEED = 2
FILE = "bench.sqlite3"
ROUNDS = 3
TIME_LIMIT = 1.4
MEGABYTES = 150


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, cost relative to writing the cells alone, or megabytes, limit)."""
    folder = filled()
    games, cells, ours, raw = _in_process(folder, "times").split()
    what = f"everything in one workbook ({int(games):,} games, {int(cells):,} cells, {float(ours):.1f} s)"
    yield what, float(ours) / float(raw), TIME_LIMIT
    yield "everything in one workbook, MB of the whole process", float(_in_process(folder, "memory")), MEGABYTES


@cache
def filled() -> Path:
    """A folder with the club in FILE, made once for every bench that asks for it, and gone at the end."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    _in_process(Path(folder), "fill")
    return Path(folder)


def _in_process(folder: Path, task: str) -> str:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "clubledger.settings",
        "DATABASE_URL": f"sqlite:///{folder / FILE}",
        "VAR_DIR": str(folder),
    }
    command = [sys.executable, "-m", "tests.bench.bench_workbook", task]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


# --- In the processes -------------------------------------------------------------------------------------------------


def fill() -> None:
    from django.core.management import call_command

    from scoring.demo.generate import generate

    call_command("migrate", verbosity=0)
    (_made,) = generate(clubs=1, evenings=EVENINGS, seed=SEED)


def _ours() -> bytes:
    from scoring.core.database import snapshot
    from scoring.exports.queries import ClubFile, Span
    from scoring.exports.workbook import build_club_workbook
    from scoring.models import Club

    with snapshot():
        return build_club_workbook(ClubFile(Club.objects.get(), Span(""))).as_bytes()


def _raw(sheets: dict[str, list[list[Any]]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _cells() -> dict[str, list[list[Any]]]:
    """What our workbook consists of, caught while it is written."""
    from scoring.core.workbook import ExcelSheet, Formula, Link

    sheets: dict[str, list[list[Any]]] = {}
    write = ExcelSheet._write

    def catch(self: ExcelSheet, values: Any, *how: Any) -> None:
        row = [value[0] if isinstance(value, Formula | Link) else value for value in values]
        sheets.setdefault(self.name, []).append(row)
        write(self, values, *how)

    ExcelSheet._write = catch
    try:
        _ours()
    finally:
        ExcelSheet._write = write
    return sheets


def _times() -> str:
    from scoring.models import Game

    sheets = _cells()
    # What was caught is no part of our workbook: the garbage collector need not look through it while that is written.
    gc.collect()
    gc.freeze()
    count = sum(value is not None for rows in sheets.values() for row in rows for value in row)
    # Taken in turns, so that a busy machine slows both alike.
    times = [(_time(_ours), _time(lambda: _raw(sheets))) for _round in range(ROUNDS)]
    ours, raw = (min(column) for column in zip(*times, strict=True))
    return f"{Game.objects.count()} {count} {ours} {raw}"


def _time(run: Callable[[], object]) -> float:
    """Seconds of this process alone: a busy machine makes a long measurement useless. The database is in it as well."""
    start = process_time()
    run()
    return process_time() - start


def _memory() -> float:
    _ours()
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    # Not ru_maxrss: on Linux that begins with what the process had that started this one.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


if __name__ == "__main__":
    import django

    django.setup()
    print({"fill": fill, "times": _times, "memory": _memory}[sys.argv[1]]() or "")
