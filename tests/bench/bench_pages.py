"""What the pages of a club of twenty years cost (41,600 games, and a Kasse from the first evening on), and how much more that is
than in its first weeks, in CPU time against a page that is the base template and one query (addresses.py), which is asked here and
nowhere else; what saving the 40th game of an evening costs there; what all games by other rules cost beside reading what they are
made of; and how quickly clubs are made up. All of it on SQLite, and all but the making up on PostgreSQL, where one answers, without
what PostgreSQL itself takes."""

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
# The first two clubs of this seed have a Kasse and one table; of the next four with the other one two have a Kasse.
SEED, OTHERS = 38, 1
ROUNDS = 7
YARDSTICK = "yardstick"
# The pages, and what each may cost beside the yardstick.
PAGES = (
    "home",
    "table",
    "list",
    "list with more columns",
    "evenings",
    "player",
    "everybody with everybody",
    "everything to take home",
    "season",
    "month",
    "result",
    # What the treasurer sees.
    "Kasse",
    "Kasse: journal",
    "Kasse: my statement",
    "Kasse: month",
    "Kasse: year",
    "Kasse: evening",
    "Kasse: settling",
)
LIMIT = 20
# Everybody with everybody may grow with the club. A page of a journal is full after some months, and has all of them to choose
# from; and who settles is as many as owe something.
GROWTH = 2
GROWS = ("everybody with everybody", "Kasse: journal", "Kasse: my statement", "Kasse: settling")
GAMES_A_SECOND = 3_000
GAMES = 40
SAVING, SAVING_LIMIT = "saving", 5
# Against reading the same columns and decoding their JSON.
WHAT_IF, WHAT_IF_LIMIT = "what if", 2.5
DATABASE = "clubledger_bench"


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, CPU time relative to the yardstick, or to the same page of a young club, or seconds, limit)."""
    with tempfile.TemporaryDirectory() as folder:
        made, demo, *lines = _asked(f"sqlite:///{Path(folder) / 'bench.sqlite3'}", folder)
        yield f"making up {GAMES_A_SECOND:,} games, s", float(made), 1
        yield "a visitor's demo club, s", float(demo), 1
        yield from _told(lines, "")
        if server := postgresql():
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
                connection.execute(f"CREATE DATABASE {DATABASE}")
                _made, _demo, *lines = _asked(urlsplit(server)._replace(path=f"/{DATABASE}").geturl(), folder)
                connection.execute(f"DROP DATABASE {DATABASE}")
            yield from _told(lines, ", PostgreSQL")


def _asked(url: str, folder: str) -> list[str]:
    """The lines of `main` on this database."""
    place = {"DATABASE_URL": url, "VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "clubledger.settings"}
    command = [sys.executable, "-m", "tests.bench.bench_pages"]
    done = subprocess.run(command, env={**os.environ, **place}, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def _told(lines: list[str], where: str) -> Iterator[tuple[str, float, float]]:
    for line in lines:
        name, *seconds = line.rsplit(" ", 3)
        young, old, beside = map(float, seconds)
        if name == SAVING:
            yield f"saving game {GAMES} ({1000 * old:.0f} ms){where}", old / beside, SAVING_LIMIT
        elif name == WHAT_IF:
            yield f"what if of all games ({1000 * old:.0f} ms){where}", old / beside, WHAT_IF_LIMIT
        else:
            yield f"page of twenty years: {name} ({1000 * old:.0f} ms){where}", old / beside, LIMIT
            if name not in GROWS:
                yield f"the same against one of {YOUNG} evenings{where}", old / young, GROWTH


# --- In a process of its own ------------------------------------------------------------------------------------------


def main() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from scoring.demo.generate import generate
    from scoring.demo.visitors import make_visitors_club
    from scoring.models import Club

    settings.ROOT_URLCONF = "tests.bench.addresses"
    settings.ALLOWED_HOSTS = ["testserver"]
    # No files are gathered for it.
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    warnings.simplefilter("ignore")
    call_command("migrate", verbosity=0)
    for evenings in (YOUNG, OLD):
        list(generate(clubs=1, evenings=evenings, seed=SEED))
    begin = process_time()
    games = sum(made for _club, made, _logins in generate(clubs=4, evenings=100, seed=OTHERS))
    print((process_time() - begin) * GAMES_A_SECOND / games)
    print(*_costs(make_visitors_club))
    young_club, old_club = Club.objects.order_by("pk")[:2]
    young, old = _pages(young_club), _pages(old_club)
    for name in PAGES:
        print(name, *_costs(young[name], old[name], old[YARDSTICK]))
    print(WHAT_IF, 0, *_what_if(old_club))
    # Last, since more evenings are open there from then on.
    print(SAVING, 0, *_saving(old_club, old[YARDSTICK]))


def _saving(club: Any, yardstick: Callable[[], None]) -> tuple[float, float]:
    """The least seconds of the processor that the last game of some evenings takes, and the yardstick beside them."""
    from django.test import Client
    from django.urls import reverse

    from scoring.models import Game, Membership, Player
    from tests.factories import add_game, make_table

    client, people = Client(), list(Player.objects.filter(club=club).order_by("pk")[:4])
    client.force_login(Membership.objects.filter(club=club, admin=True).earliest("pk").user)
    costs, beside = [], []
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
        beside.append(_time(yardstick))
    return min(costs), min(beside)


def _what_if(club: Any) -> list[float]:
    """All games by other rules, and reading what that reads."""
    from scoring.models import Game, RuleSet, Score, Seat
    from scoring.standings.queries.selection import Selection
    from scoring.whatif.queries import compute_what_if

    selection = Selection(unit="points", everyone=True)
    rule_set = RuleSet.objects.filter(club=club).latest("pk")
    games = Game.objects.filter(round__table__evening__club=club).order_by("round__position", "position", "entered_at")
    seats = Seat.objects.filter(round__table__evening__club=club).order_by("round", "place")
    scores = Score.objects.filter(game__round__table__evening__club=club)

    def read() -> None:
        list(games.values_list("round__table", "pk", "key", "round", "form", "dealer", "facts"))
        list(seats.values_list("round", "player"))
        list(scores.values_list("game", "player", "points"))

    return _costs(lambda: compute_what_if(club, selection, rule_set), read)


def _pages(club: Any) -> dict[str, Callable[[], None]]:
    """Who asks each page of a club: an admin, and those of the Kasse its treasurer."""
    from django.urls import reverse

    from scoring.models import Membership, TableResult

    members = Membership.objects.select_related("user").filter(club=club)
    admin, treasurer = members.filter(admin=True)[0].user, members.filter(treasurer=True)[0].user
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
    of_kasse = {
        "Kasse": reverse("cash", args=[club.slug]),
        "Kasse: journal": reverse("cash_entries", args=[club.slug]),
        "Kasse: my statement": reverse("cash_statement", args=[club.slug, treasurer.players.get().pk]),
        "Kasse: month": reverse("cash_month", args=[club.slug, f"{last.held_on:%Y-%m}"]),
        "Kasse: year": reverse("cash_year", args=[club.slug, last.held_on.year]),
        "Kasse: evening": reverse("evening_cash", args=[club.slug, last.pk]),
        "Kasse: settling": reverse("cash_settle", args=[club.slug]),
    }
    return {name: _asking(admin, address) for name, address in addresses.items()} | {
        name: _asking(treasurer, address) for name, address in of_kasse.items()
    }


def _asking(user: Any, address: str) -> Callable[[], None]:
    from django.test import Client

    client = Client()
    client.force_login(user)

    def ask() -> None:
        assert client.get(address).status_code == 200, address

    return ask


def _costs(*asked: Callable[[], Any]) -> list[float]:
    """The least seconds of the processor that each takes: in turns, so that a machine that is slow for a while is so for all."""
    for ask in asked:
        ask()
    rounds = [[_time(ask) for ask in asked] for _round in range(ROUNDS)]
    return [min(seconds) for seconds in zip(*rounds, strict=True)]


def _time(ask: Callable[[], Any]) -> float:
    begin = process_time()
    ask()
    return process_time() - begin


if __name__ == "__main__":
    main()
