"""What a club of 41,600 games, each of which stands in its history, costs as one file: how quickly it is written and taken in (in
CPU time), how much more memory that takes than a club of a tenth of that, and for how long at most nobody else could write
meanwhile. Each in a process of its own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

# Evenings, and the games a second that are asked for.
SMALL, LARGE = 72, 742
OUT, IN = 10_000, 1_500
# Megabytes beyond the small club, and seconds.
MORE_MEMORY = 10
LOCK = 0.5


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, seconds or megabytes, limit)."""
    with tempfile.TemporaryDirectory() as folder:
        for evenings in (SMALL, LARGE):
            _in_process(folder, "from", "make", str(evenings))
        out = [_in_process(folder, "from", "out", str(evenings)) for evenings in (SMALL, LARGE)]
        came = [_in_process(folder, f"to-{evenings}", "in", str(evenings)) for evenings in (SMALL, LARGE)]
    for way, rate, (small, large) in (("out", OUT, out), ("in", IN, came)):
        games = large["games"]
        yield f"archive: {rate:,} games {way} (of {games:,.0f}), s", large["seconds"] * rate / games, 1
        more = large["megabytes"] - small["megabytes"]
        yield f"archive: memory {way} beyond {small['games']:,.0f} games, MB", more, MORE_MEMORY
    yield "archive: longest write lock while it comes in, s", came[1]["lock"], LOCK


def _in_process(folder: str, database: str, *words: str) -> dict[str, float]:
    place = {"DATABASE_URL": f"sqlite:///{Path(folder) / database}.sqlite3", "VAR_DIR": folder}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.bench_archive", folder, *words],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "clubledger.settings", **place},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    names = ("seconds", "megabytes", "games", "lock")
    return dict(zip(names, map(float, done.stdout.splitlines()[-1].split()), strict=True))


# --- In a process of its own ------------------------------------------------------------------------------------------


def main(folder: str, what: str, evenings: str) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from scoring.demo.generate import generate
    from scoring.models import Club, Game

    file = Path(folder) / f"{evenings}.json"
    if what != "out":
        call_command("migrate", verbosity=0)
    if what == "make":
        ((club, *_rest),) = generate(clubs=1, evenings=int(evenings), seed=1)
        _type(club)
    held = _locks()
    begin = process_time()
    if what == "out":
        slug = Club.objects.order_by("pk")[0 if evenings == str(SMALL) else 1].slug
        call_command("archive", "export", slug, str(file))
    elif what == "in":
        call_command("archive", "import", str(file), admin="annegret")
    seconds = process_time() - begin
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if what == "out":
        games = Game.objects.filter(round__table__evening__club__slug=slug).count()
    else:
        games = Game.objects.count()
    print(seconds, megabytes, games, max(held, default=0))


def _type(club: Any) -> None:
    """Each game into the history: nobody typed those that are made up."""
    from scoring.models import Change, Game, Verb
    from scoring.play.queries import get_logged_values

    games = Game.objects.filter(round__table__evening__club=club).select_related("round").order_by("entered_at")
    Change.objects.bulk_create(
        Change(
            club=club,
            verb=Verb.GAME_ADDED,
            at=game.entered_at,
            table_id=game.round.table_id,
            subject_id=str(game.key),
            after=get_logged_values(game),
        )
        for game in games.iterator()
    )


def _locks() -> list[float]:
    """For how long each transaction that writes keeps all others from writing, in CPU time. Heard of where Django begins and ends
    one: SQLite would tell of every statement with all its values, which takes a tenth of all the time."""
    from django.db import connection

    held: list[float] = []
    begun: list[float] = []
    database: Any = connection
    begin, ends = database._start_transaction_under_autocommit, (database._commit, database._rollback)

    def begins() -> None:
        begin()
        begun.append(process_time())

    def ended(end: Callable[[], None]) -> None:
        end()
        if begun:
            held.append(process_time() - begun.pop())

    database._start_transaction_under_autocommit = begins
    database._commit, database._rollback = (partial(ended, end) for end in ends)
    return held


if __name__ == "__main__":
    main(*sys.argv[1:])
