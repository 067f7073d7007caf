"""What money costs beside the games: who pays whom among 12 people and among 60, and closing an evening of 40 games with what it
costs everybody booked, against saving its 40th game."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from scoring.cash.settling.rules import settle

GAMES = 40
ROUNDS = 9
# Milliseconds; what a page may take to say it.
TWELVE_MS, SIXTY_MS = 50, 50
CLOSING_LIMIT = 2


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, milliseconds, or cost relative to saving a game, limit)."""
    for people, limit in ((12, TWELVE_MS), (60, SIXTY_MS)):
        yield f"who pays whom among {people}, ms", 1000 * max(_settling(people, seed) for seed in range(ROUNDS)), limit
    with tempfile.TemporaryDirectory() as folder:
        place = {"DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}", "VAR_DIR": folder}
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_kasse"],
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "clubledger.settings", **place},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    saving, closing = map(float, done.stdout.split())
    what = f"closing an evening of {GAMES} games with its booking ({1000 * closing:.0f} ms)"
    yield what, closing / saving, CLOSING_LIMIT


def _settling(people: int, seed: int) -> float:
    """Balances as they are after a season, all different, so that no two cancel out."""
    rng = Random(seed)
    balances = [(f"P{number}", rng.choice([-1, 1]) * rng.randrange(1, 99_999)) for number in range(people)]
    begin = process_time()
    settle(balances)
    return process_time() - begin


# --- In a process of its own ------------------------------------------------------------------------------------------


def main() -> None:
    """Evenings of five, each with its games; what the last game and the closing take, once the first is over."""
    import django

    django.setup()
    from django.core.management import call_command

    from tests.cash.tariffs import SMALL, TREASURER, give_tariff
    from tests.factories import make_club

    call_command("migrate", verbosity=0)
    club = make_club()
    give_tariff(club, **SMALL)
    times = [_evening(club, TREASURER) for _round in range(ROUNDS + 1)][1:]
    print(*(median(found) for found in zip(*times, strict=True)))


def _evening(club: Any, actor: Any) -> tuple[float, float]:
    from scoring.evenings.actions import close_evening
    from tests.factories import add_game, make_table

    table = make_table(club, 5)
    for number in range(GAMES - 1):
        add_game(table, dealer=number % 5, re=[(number + 1) % 5, (number + 2) % 5])
    begin = process_time()
    add_game(table, dealer=GAMES % 5, re=[(GAMES + 1) % 5, (GAMES + 2) % 5])
    saved = process_time()
    close_evening(evening=table.evening, actor=actor)
    return saved - begin, process_time() - saved


if __name__ == "__main__":
    main()
