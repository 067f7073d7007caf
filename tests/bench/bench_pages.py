"""What the pages of a club of twenty years cost (41,600 games), and how much more that is than in its first weeks, in CPU time
against a page that is the base template and one query (addresses.py), which is asked here and nowhere else; and how quickly such
a club is made up."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

YOUNG, OLD = 10, 1040
ROUNDS = 5
YARDSTICK = "yardstick"
# What a page may cost beside the yardstick.
LIMITS = {
    "home": 3,
    "table": 4,
    "list": 5,
    "list with more columns": 10,
    "evenings": 3,
    "player": 8,
    "everybody with everybody": 15,
    "everything to take home": 4,
    "season": 4,
    "month": 4,
    "result": 3,
}
# Everybody with everybody may grow with the club.
GROWTH = 1.5
GROWS = ("everybody with everybody",)
GAMES_A_SECOND = 3_000


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, CPU time relative to the yardstick, or to the same page of a young club, or seconds, limit)."""
    with tempfile.TemporaryDirectory() as folder:
        place = {"DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}", "VAR_DIR": folder}
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_pages"],
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "clubledger.settings", **place},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    made, yardstick, *lines = done.stdout.splitlines()
    yield f"making up {GAMES_A_SECOND:,} games, s", float(made), 1
    for line in lines:
        name, young, old = line.rsplit(" ", 2)
        yield f"page of twenty years: {name} ({1000 * float(old):.0f} ms)", float(old) / float(yardstick), LIMITS[name]
        if name not in GROWS:
            yield f"the same against one of {YOUNG} evenings", float(old) / float(young), GROWTH


# --- In a process of its own ------------------------------------------------------------------------------------------


def main() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from scoring.demo.generate import generate
    from scoring.models import Club

    settings.ROOT_URLCONF = "tests.bench.addresses"
    settings.ALLOWED_HOSTS = ["testserver"]
    # No files are gathered for it.
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    warnings.simplefilter("ignore")
    call_command("migrate", verbosity=0)
    begin, games = process_time(), 0
    for evenings in (YOUNG, OLD):
        games += sum(made.games for made in generate(clubs=1, evenings=evenings, seed=5))
    print((process_time() - begin) * GAMES_A_SECOND / games)
    young, old = (_pages(club) for club in Club.objects.order_by("pk"))
    print(_cost(old[YARDSTICK]))
    for name in LIMITS:
        print(name, _cost(young[name]), _cost(old[name]))


def _pages(club: Any) -> dict[str, Callable[[], None]]:
    """Who asks each page of a club: an admin."""
    from django.urls import reverse

    from scoring.models import Membership, TableResult

    admin = Membership.objects.filter(club=club, admin=True).earliest("pk").user
    last = club.evenings.order_by("-held_on").first()
    most = TableResult.objects.filter(table__evening=last).first()
    assert most is not None
    season = club.seasons.first()
    addresses = {
        YARDSTICK: f"{reverse('club', args=[club.slug])}yardstick/",
        "home": reverse("club", args=[club.slug]),
        "table": reverse("table", args=[club.slug, last.tables.first().pk]),
        "list": reverse("standings", args=[club.slug]),
        "list with more columns": f"{reverse('standings', args=[club.slug])}?more=on",
        "evenings": reverse("evenings", args=[club.slug]),
        "player": reverse("player", args=[club.slug, most.player_id]),
        "everybody with everybody": reverse("matrix", args=[club.slug]),
        "everything to take home": reverse("club_file", args=[club.slug]),
        "season": reverse("season", args=[club.slug, season.pk]),
        "month": reverse("month", args=[club.slug, season.pk, f"{last.held_on:%Y-%m}"]),
        "result": reverse("result", args=[club.slug, last.pk]),
    }
    return {name: _asking(admin, address) for name, address in addresses.items()}


def _asking(user: Any, address: str) -> Callable[[], None]:
    from django.test import Client

    client = Client()
    client.force_login(user)

    def ask() -> None:
        assert client.get(address).status_code == 200, address

    return ask


def _cost(ask: Callable[[], None]) -> float:
    """The least seconds of the processor."""
    ask()
    costs = []
    for _round in range(ROUNDS):
        begin = process_time()
        ask()
        costs.append(process_time() - begin)
    return min(costs)


if __name__ == "__main__":
    main()
