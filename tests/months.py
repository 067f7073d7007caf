"""Seasons, closed months and supplements for tests."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib.auth.models import User

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.league.actions import add_season, add_supplement, close_month
from scoring.league.exports import build_month_file
from scoring.league.queries.books import Content, compute_hash, read_books, serialize_content
from scoring.league.queries.months import build_publication, get_content
from scoring.league.rules import DEFAULT
from scoring.models import Club, Game, MonthClosing, Season, Supplement
from scoring.table.actions.games import Typed, correct_game
from tests.factories import add_game, make_table


def make_season(
    club: Club,
    name: str = "Saison",
    first_day: datetime.date = datetime.date(2026, 1, 1),
    last_day: datetime.date = datetime.date(2026, 12, 31),
    unit: str = "points",
    actor: User | None = None,
    **settings: Any,
) -> Season:
    return add_season(
        club=club,
        actor=Actor(actor),
        name=name,
        first_day=first_day,
        last_day=last_day,
        unit=unit,
        settings={**DEFAULT, **settings},
    )


def hash_preview(season: Season, month: str) -> str:
    """Return the hash that the preview of a month passes on."""
    return compute_hash(serialize_content(build_publication(read_books(season), month)))


def close(season: Season, month: str, actor: User | None = None, **kw: Any) -> MonthClosing:
    told = {"seen": hash_preview(season, month), "confirmed": True, **kw}
    return close_month(season=season, month=month, actor=Actor(actor), build_file=build_month_file, **told)


def add_supplement_to(season: Season, month: str, actor: User | None = None, reason: str = "Verzählt") -> Supplement:
    return add_supplement(season=season, month=month, actor=Actor(actor), seen=hash_preview(season, month), reason=reason)


def read_month(season: Season, month: str) -> Content:
    return get_content(read_books(season), month)


def make_two_evenings(club: Club) -> Season:
    """Make a season with two closed evenings in March."""
    for day in (6, 20):
        table = make_table(club, held_on=datetime.date(2026, 3, day))
        add_game(table)
        add_game(table, kind="damensolo", re=[2], eyes=180)
        close_evening(evening=table.evening, actor=Actor())
    return make_season(club)


def get_first_game(season: Season) -> Game:
    games = Game.objects.filter(round__table__evening__club=season.club_id).select_related("round__table")
    return games.order_by("round__table__evening__held_on", "position")[0]


def correct(game: Game, **facts: Any) -> None:
    """Correct a game as an admin, also of a closed evening."""
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 130, **facts}, game.dealer)
    version = Game.objects.get(pk=game.pk).version
    correct_game(table=game.round.table, actor=Actor(admin=True), key=game.key, version=version, typed=typed)


def get_results(content: dict[str, Any]) -> dict[str, int]:
    return {row["name"]: row["result"] for row in content["rows"]}
