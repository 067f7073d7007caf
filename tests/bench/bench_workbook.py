"""What the file with everything of a club costs: eight years of a club, 20,800 games at 400 evenings, read, scored and
written, against only writing the very same cells with openpyxl, without their looks; and how much memory the process needs
that does it. Each is a process of its own, on a database of its own."""

from __future__ import annotations

import datetime
import gc
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any

EVENINGS = 400
GAMES = 52
PEOPLE = 12
YEARS = 8
ROUNDS = 2
TIME_LIMIT = 1.4
MEGABYTES = 150


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, cost relative to writing the cells alone, or megabytes, limit)."""
    with tempfile.TemporaryDirectory() as folder:
        _in_process(folder, "fill")
        cells, ours, raw = _in_process(folder, "times").split()
        what = f"everything in one workbook ({EVENINGS * GAMES:,} games, {int(cells):,} cells, {float(ours):.1f} s)"
        yield what, float(ours) / float(raw), TIME_LIMIT
        yield "everything in one workbook, MB of the whole process", float(_in_process(folder, "memory")), MEGABYTES


def _in_process(folder: str, task: str) -> str:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "clubledger.settings",
        "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
        "VAR_DIR": folder,
    }
    command = [sys.executable, "-m", "tests.bench.bench_workbook", task]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


# --- In the processes -------------------------------------------------------------------------------------------------


def fill() -> None:
    """A club with all its games, as the actions would have left them, but written in bulk."""
    from django.core.management import call_command
    from django.db import transaction

    from scoring.models import Evening, Player, Round, Seat, Table
    from tests.factories import make_club, make_rule_set
    from tests.months import make_season

    call_command("migrate", verbosity=0)
    with transaction.atomic():
        club = make_club()
        people = [Player.objects.create(club=club, name=f"Person {number}") for number in range(PEOPLE)]
        rules = make_rule_set(club, "anleitung")
        for year in range(2018, 2018 + YEARS):
            make_season(club, str(year), datetime.date(year, 1, 1), datetime.date(year, 12, 31))
        for number in range(EVENINGS):
            held_on = datetime.date(2018, 1, 4) + datetime.timedelta(days=7 * number)
            table = Table.objects.create(evening=Evening.objects.create(club=club, held_on=held_on), rule_set=rules)
            round = Round.objects.create(table=table, position=0)
            there = [people[(number + 2 * place) % PEOPLE] for place in range(5 if number % 3 else 4)]
            Seat.objects.bulk_create(Seat(round=round, place=place, player=who) for place, who in enumerate(there))
            _play(table, round, number)


def _play(table: Any, round: Any, number: int) -> None:
    from scoring.models import Game, Outcome, TableResult
    from scoring.play.actions.replay import derive, results_of
    from scoring.play.queries.records import read_records

    people = round.seats.count()
    games = []
    for index in range(GAMES):
        dealer = index % people
        playing = [seat for seat in range(people) if people == 4 or seat != dealer]
        solo = (index + number) % 9 == 0
        re = [playing[index % 4]] if solo else [playing[number % 4], playing[(number + 1 + index % 3) % 4]]
        facts = {"kind": "damensolo" if solo else "normal", "re": sorted(re), "eyes": 70 + (index * 7 + number) % 120}
        games.append(Game(round=round, position=1024 * index, form="played", dealer=dealer, facts=facts))
    Game.objects.bulk_create(games)
    derived = derive(read_records(table))
    Outcome.objects.bulk_create(derived.outcomes.values())
    TableResult.objects.bulk_create(results_of(derived.careers.values()).values())


def _ours() -> bytes:
    from scoring.core.snapshot import snapshot
    from scoring.models import Club
    from scoring.workbook.excel.book import club_workbook
    from scoring.workbook.queries import ClubFile, Span

    with snapshot():
        return club_workbook(ClubFile(Club.objects.get(), Span(""))).as_bytes()


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
    from scoring.files.book import BookSheet
    from scoring.files.cells import Formula, Link

    sheets: dict[str, list[list[Any]]] = {}
    write = BookSheet._write

    def catch(self: BookSheet, values: Any, *how: Any) -> None:
        row = [value[0] if isinstance(value, Formula | Link) else value for value in values]
        sheets.setdefault(self.name, []).append(row)
        write(self, values, *how)

    BookSheet._write = catch  # type: ignore[method-assign]
    try:
        _ours()
    finally:
        BookSheet._write = write  # type: ignore[method-assign]
    return sheets


def _times() -> str:
    sheets = _cells()
    # What was caught is no part of our workbook: the garbage collector need not look through it while that is written.
    gc.collect()
    gc.freeze()
    count = sum(value is not None for rows in sheets.values() for row in rows for value in row)
    # Taken in turns, so that a busy machine slows both alike.
    times = [(_time(_ours), _time(lambda: _raw(sheets))) for _round in range(ROUNDS)]
    ours, raw = (min(column) for column in zip(*times, strict=True))
    return f"{count} {ours} {raw}"


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
