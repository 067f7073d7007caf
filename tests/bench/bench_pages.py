"""What the pages of a club of twenty years cost (41,600 games), and how much more that is than in its first weeks, in CPU time
against a page that is the base template and one query (addresses.py), which is asked here and nowhere else; what saving the 40th
game of an evening costs there; what all games by other rules cost beside reading what they are made of; and how quickly such a
club is made up. All of it on SQLite, and all but the making up on PostgreSQL, where one answers, without what PostgreSQL itself
takes."""

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
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg

from tests.everything import postgresql

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
GAMES, SAVING = 40, 2.5
# Against reading the same columns and decoding their JSON.
WHAT_IF = 2.5
DATABASE = "clubledger_bench"


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, CPU time relative to the yardstick, or to the same page of a young club, or seconds, limit)."""
    with tempfile.TemporaryDirectory() as folder:
        made, *lines = _asked(f"sqlite:///{Path(folder) / 'bench.sqlite3'}", folder)
        yield f"making up {GAMES_A_SECOND:,} games, s", float(made), 1
        yield from _told(lines, "")
        if server := postgresql():
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
                connection.execute(f"CREATE DATABASE {DATABASE}")
                _made, *lines = _asked(urlsplit(server)._replace(path=f"/{DATABASE}").geturl(), folder)
                connection.execute(f"DROP DATABASE {DATABASE}")
            yield from _told(lines, ", PostgreSQL")


def _asked(url: str, folder: str) -> list[str]:
    """The lines of `main` on this database."""
    place = {"DATABASE_URL": url, "VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "clubledger.settings"}
    command = [sys.executable, "-m", "tests.bench.bench_pages"]
    done = subprocess.run(command, env={**os.environ, **place}, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def _told(lines: list[str], where: str) -> Iterator[tuple[str, float, float]]:
    yardstick, saving, seconds, read, *pages = lines
    what = f"saving game {GAMES} ({1000 * float(saving):.0f} ms){where}"
    yield what, float(saving) / float(yardstick), SAVING
    yield f"what if of all games ({1000 * float(seconds):.0f} ms){where}", float(seconds) / float(read), WHAT_IF
    for line in pages:
        name, young, old = line.rsplit(" ", 2)
        page = f"page of twenty years: {name} ({1000 * float(old):.0f} ms){where}"
        yield page, float(old) / float(yardstick), LIMITS[name]
        if name not in GROWS:
            yield f"the same against one of {YOUNG} evenings{where}", float(old) / float(young), GROWTH


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
    print(_saving(Club.objects.latest("pk")))
    print(*_what_if(Club.objects.latest("pk")), sep="\n")
    for name in LIMITS:
        print(name, _cost(young[name]), _cost(old[name]))


def _saving(club: Any) -> float:
    """The least seconds of the processor that the last game of some evenings takes."""
    from django.test import Client
    from django.urls import reverse

    from scoring.models import Game, Membership, Player
    from tests.factories import add_game, make_table

    client, people = Client(), list(Player.objects.filter(club=club).order_by("pk")[:4])
    client.force_login(Membership.objects.filter(club=club, admin=True).earliest("pk").user)
    costs = []
    for _round in range(ROUNDS):
        table = make_table(club, people)
        for _game in range(GAMES - 1):
            add_game(table)
        last = Game.objects.filter(round__table=table).latest("position")
        entry = {"key": str(uuid4()), "after": str(last.key), "kind": "normal", "re": [0, 1], "eyes": 130}
        begin = process_time()
        answer = client.post(reverse("games", args=[club.slug, table.pk]), entry, content_type="application/json")
        costs.append(process_time() - begin)
        assert answer.status_code == 201, answer.content
    return min(costs)


def _what_if(club: Any) -> tuple[float, float]:
    """All games by other rules, and reading what that reads."""
    from scoring.models import Game, RuleSet, Score, Seat
    from scoring.standings.queries.selection import Selection
    from scoring.whatif.queries.lists import what_if

    selection = Selection(unit="points", everyone=True)
    rule_set = RuleSet.objects.filter(club=club).latest("pk")
    games = Game.objects.filter(round__table__evening__club=club).order_by("round__position", "position", "entered_at")
    seats = Seat.objects.filter(round__table__evening__club=club).order_by("round", "place")
    scores = Score.objects.filter(game__round__table__evening__club=club)

    def read() -> None:
        list(games.values_list("round__table", "pk", "key", "round", "form", "dealer", "facts"))
        list(seats.values_list("round", "player"))
        list(scores.values_list("game", "player", "points"))

    return _cost(lambda: what_if(club, selection, rule_set)), _cost(read)


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


def _cost(ask: Callable[[], Any]) -> float:
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
