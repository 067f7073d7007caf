"""Test drawing seats by lot, and the order of special points and solos in the form."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from itertools import permutations
from random import Random

import pytest
from django.http import QueryDict
from django.test import Client

from scoring.models import Club, Table
from scoring.rules.settings import get_preset_data
from scoring.table.forms.seats import SEAT_NAMES, draw_seats
from tests.factories import add_game, make_club, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db


def order(people: str, dice: Random) -> str:
    """Return the line-up after a draw that began with the first seats free."""
    sent = QueryDict(mutable=True)
    sent.update(dict(zip(reversed(SEAT_NAMES), people, strict=False)))
    data = draw_seats(sent, dice)
    seated = [data[name] for name in SEAT_NAMES]
    assert seated[len(people) :] == [""] * (len(SEAT_NAMES) - len(people)), "free places are closed up"
    return "".join(seated)


def test_all_orders_are_about_equally_likely_and_the_same_dice_draw_the_same() -> None:
    assert [order("ABCDE", Random(seed)) for seed in range(20)] == [order("ABCDE", Random(seed)) for seed in range(20)]
    dice = Random(7)
    counts = Counter(order("ABCD", dice) for _ in range(2400))
    assert set(counts) == {"".join(people) for people in permutations("ABCD")}
    assert max(counts.values()) < 2 * min(counts.values())


@pytest.fixture
def club(client: Client) -> Club:
    club = make_club()
    client.force_login(make_user("anna", club, ["scorer", "admin"]))
    return club


def page(client: Client, table: Table) -> str:
    return client.get(f"/c/karo-eins/tables/{table.pk}/").content.decode()


def test_the_most_used_special_point_comes_first(client: Client, club: Club) -> None:
    def specials(table: Table) -> list[str]:
        return re.findall(r'name="re_(fuchs|doppelkopf)" value="1"', page(client, table))

    before, last, table = (make_table(club, held_on=datetime.date(2026, 3, day)) for day in (1, 2, 3))
    add_game(before, re_specials={"doppelkopf": 1})
    assert specials(table) == ["doppelkopf", "fuchs"]
    for _game in range(2):
        saved = add_game(last, re_specials={"fuchs": 1})
    assert specials(table) == ["fuchs", "doppelkopf"]
    saved.game.facts["re_specials"] = {"doppelkopf": 1}
    saved.game.save()
    assert specials(table) == ["doppelkopf", "fuchs"]


def test_the_solos_keep_their_places(client: Client, club: Club) -> None:
    """The usual solos first, then by suit; own ones by name at the end. Their use does not matter."""
    own = {key: {"name": key.capitalize(), "like": "damensolo"} for key in ("nullo", "bordell")}
    rules = make_rule_set(club, "ddv", "Unsere", kinds=[*get_preset_data("ddv")["kinds"], *own], per_kind=own)
    before, table = (make_table(club, rule_set=rules, held_on=datetime.date(2026, 3, day)) for day in (1, 2))
    add_game(before, kind="nullo", re=[0])
    add_game(before, kind="bubensolo", re=[0])
    assert re.findall(r'name="kind" value="(\w+)"', page(client, table)) == [
        *("normal", "hochzeit", "damensolo", "bubensolo", "fleischlos", "trumpfsolo"),
        *("farbsolo_herz", "farbsolo_pik", "farbsolo_kreuz", "stille_hochzeit", "hochzeit_allein", "bordell", "nullo"),
    ]
