"""The eternal list as page and file, the club's workbook and the season have the same players, for members and strangers.

This includes guests and players who left, were merged, have not come for long, or only sat at a table.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from scoring.club.actions import Actor
from scoring.exports.queries import ClubFile, Span
from scoring.league.queries.books import read_books
from scoring.league.queries.seasons import read_season_table
from scoring.league.rules import DEFAULT
from scoring.models import Club, Evening, Player, Season, Table
from scoring.play.replay import update_years
from scoring.players.actions import merge_players
from tests.client import visit
from tests.exports.full import rows_of
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.standings.queries.by_hand import read_entries

pytestmark = pytest.mark.django_db

DAY = datetime.date
LIST = "/c/karo/list/"
REGULARS = ("Anna", "Bert", "Cem", "Dora")
Days = tuple[datetime.date, datetime.date]


def make_world() -> Club:
    """Make a club in which all players come on the first day of a leap year, and some never again."""
    club = make_club("Karo", slug="karo", shows_list=True)
    people = {name: make_player(club, name) for name in (*REGULARS, "Lange", "Gegangen", "Zwilling", "Sitzt")}
    people["Gast"] = make_player(club, "Gast", guest=True)
    people["Stamm"] = make_player(club, "Stamm", guest=True)
    house = make_rule_set(club, "vln", "Haus")

    def evening(day: datetime.date, *names: str, rules: object = None) -> None:
        table = make_table(club, [people[name] for name in names], held_on=day, rule_set=rules)
        add_game(table, dealer=len(names) - 1)

    evening(DAY(2024, 1, 1), "Lange", "Bert", "Cem", "Dora")
    evening(DAY(2024, 12, 31), "Zwilling", "Gegangen", "Cem", "Dora")
    evening(DAY(2025, 1, 3), "Gegangen", "Gast", "Cem", "Dora")
    # The fifth deals, and only sits there.
    evening(DAY(2025, 7, 1), "Anna", "Bert", "Cem", "Stamm", "Sitzt")
    evening(DAY(2025, 12, 5), "Dora", "Bert", "Cem", "Stamm", rules=house)
    evening(DAY(2026, 9, 4), *REGULARS)
    Player.objects.filter(name="Gegangen").update(left_on=DAY(2025, 2, 1))
    merge_players(player=people["Zwilling"], into=people["Anna"], actor=Actor())
    Evening.objects.filter(club=club).update(closed_at=timezone.now())
    update_years(club.pk)
    return club


def add_season(club: Club, name: str, days: Days, **settings: object) -> Season:
    """Add a season beside others of the same days, which no action would do."""
    first, last = days
    return Season.objects.create(club=club, name=name, first_day=first, last_day=last, settings={**DEFAULT, **settings})


def list_players_of_days(club: Club, days: Days, rules: str = "") -> set[str]:
    """Return the names of the players with a game on these days, from the facts."""
    tables = Table.objects.filter(evening__club=club, evening__held_on__range=days).select_related(
        "rule_set", "evening"
    )
    entries = [entry for table in tables if rules in ("", table.rule_set.name) for entry in read_entries(table)]
    return set(
        Player.objects.filter(pk__in={pk for entry in entries for pk in entry.played}).values_list("name", flat=True)
    )


def read_page(client: Client, query: str) -> tuple[set[str], set[str]]:
    """Return the names that the list shows, and those that it hides."""
    context = client.get(f"{LIST}?{query}").context
    return {row.name for row in context["table"].data}, {name for name, _guest in context["hidden"]}


def read_file(client: Client, query: str) -> set[object]:
    sheet = load_workbook(BytesIO(client.get(f"{LIST}excel/?{query}").content)).active
    return {row["Name"] for row in rows_of(sheet)}


def list_ranked(season: Season) -> set[str]:
    return {row["name"] for row in read_season_table(read_books(season)).rows}


def read_workbook(club: Club, span: Span) -> set[str]:
    return {row.name for row in ClubFile(club, span).lists["points"]}


def test_all_lists_have_the_same_players() -> None:
    club = make_world()
    year, long_one = (DAY(2025, 1, 1), DAY(2025, 12, 31)), (DAY(2024, 1, 1), DAY(2025, 12, 31))
    seasons = {
        "of a year": add_season(club, "Saison 2025", year),
        "of two years": add_season(club, "Saison 24/25", long_one),
        "of a rule set": add_season(club, "Hausliga", year, rule_sets=["Haus"]),
        "with guests": add_season(club, "Mit Gästen", year, guests=True),
    }
    guests = {"Gast", "Stamm"}
    ever = (datetime.date.min, datetime.date.max)
    # The query, the players in it by the facts, and the hidden ones of them.
    lists: list[tuple[str, set[str], Collection[str]]] = [
        ("", list_players_of_days(club, ever), guests | {"Lange"}),
        ("since=2024-01-01", list_players_of_days(club, ever), guests | {"Lange"}),
        ("year=2024", list_players_of_days(club, (DAY(2024, 1, 1), DAY(2024, 12, 31))), guests),
        ("year=2025", list_players_of_days(club, year), guests),
        ("until=2025-12-31", list_players_of_days(club, long_one), guests),
        (f"season={seasons['of a year'].pk}", list_players_of_days(club, year), guests),
        (f"season={seasons['of two years'].pk}", list_players_of_days(club, long_one), guests),
        (f"season={seasons['of a rule set'].pk}", list_players_of_days(club, year, "Haus"), guests),
    ]
    assert list_players_of_days(club, ever) == {*REGULARS, *guests, "Lange", "Gegangen"}
    member, stranger = visit(make_user("rita", club)), visit(None)
    for query, players, hidden in lists:
        for client in (member, stranger):
            assert read_page(client, query) == (players - set(hidden), players & set(hidden)), query
        assert read_page(member, f"{query}&all=1") == (players, set()), query
        assert read_file(member, query) == players - set(hidden), query
    assert read_page(stranger, "all=1") == (lists[0][1], set())
    assert read_file(stranger, "all=1") == read_file(member, "all=1") == lists[0][1]
    # A season ranks the players of its list; with guests, those of the unfiltered list.
    assert list_ranked(seasons["of a year"]) == list_players_of_days(club, year) - guests
    assert list_ranked(seasons["of two years"]) == list_players_of_days(club, long_one) - guests
    assert list_ranked(seasons["of a rule set"]) == list_players_of_days(club, year, "Haus") - guests
    assert list_ranked(seasons["with guests"]) == list_players_of_days(club, year)
    # The workbook has all players.
    assert read_workbook(club, Span("")) == list_players_of_days(club, ever)
    assert read_workbook(club, Span("year-2025", year, year=2025)) == list_players_of_days(club, year)
    span = Span(f"season-{seasons['of two years'].pk}", long_one, season=seasons["of two years"])
    assert read_workbook(club, span) == list_players_of_days(club, long_one)
