"""An evening whose money strains its pages."""

from __future__ import annotations

import datetime
from uuid import uuid4

from django.contrib.auth.models import User

from scoring.cash.evening.actions import enter_fine
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, open_evening
from scoring.models import Club, Game, Table
from scoring.table.actions.games import delete_game
from tests.cash.tariffs import give_tariff
from tests.factories import add_game, make_rule_set


def charged_evening(club: Club, admin: User) -> Table:
    """An evening that cost much, with a fine for each, a guest, and a game that was struck out since."""
    give_tariff(club, points={"scheme": "each", "rate": "9999/7", "round": {"to": 10, "how": "up"}})
    drinks = {"flat": 250, "list": {"weissbier_alkoholfrei": 480}}
    give_tariff(club, host={"cents": 1_000_000}, drinks=drinks, dues={"cents": 1_000_000})
    people = list(club.players.filter(merged_into=None).order_by("pk")[:5])
    rules, day = make_rule_set(club, "ddv", "Turnierregeln"), datetime.date(2019, 5, 3)
    table = open_evening(club=club, actor=Actor(admin), held_on=day, rule_set=rules, players=people)
    for number in range(3):
        add_game(table, actor=admin, dealer=4, eyes=150 + number)
    for number, person in enumerate(people):
        told = {"key": uuid4(), "player": person, "code": ("late", "other")[number % 2], "amount": 1440}
        enter_fine(evening=table.evening, actor=Actor(admin), **told)
    close_evening(evening=table.evening, actor=Actor(admin))
    game = Game.objects.filter(round__table=table).earliest("position")
    delete_game(table=table, actor=Actor(admin, admin=True), key=game.key, version=game.version)
    return table
