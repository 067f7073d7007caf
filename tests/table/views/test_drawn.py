"""Test that the entry form follows the rules, and that cached lines of a sheet are the same as newly rendered ones."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.test import Client

from scoring.models import Club, Table
from scoring.rules.settings import preset_data
from scoring.table import drawing
from tests.factories import add_game, make_club, make_next_version, make_rule_set, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    club = make_club()
    client.force_login(make_user("anna", club, ["scorer", "admin"]))
    return club


def page(client: Client, table: Table, query: str = "", **asked: Any) -> str:
    answer = client.get(f"/c/karo-eins/tables/{table.pk}/{query}", **asked)
    return re.sub(r'(name="(?:csrfmiddlewaretoken|key)"\s+value=")[^"]+', r"\1", answer.content.decode())


def drawn_anew(client: Client, table: Table, query: str = "", **asked: Any) -> str:
    drawing._drawn.cache_clear()
    return page(client, table, query, **asked)


def test_every_table_has_what_its_rules_size_and_reader_ask_for(client: Client, club: Club) -> None:
    first = make_rule_set(club)
    own = {"name": "Vollmond", "points": 1, "of": "re"}
    tables = [
        make_table(club, 4, rule_set=first),
        make_table(club, 5, rule_set=first),
        make_table(club, 4, preset="anleitung"),
        make_table(club, 6, preset="anleitung"),
        make_table(
            club, 4, rule_set=make_next_version(first, specials={**first.settings["specials"], "vollmond": own})
        ),
    ]
    asked = [
        (table, query, {"headers": {"accept-language": language}})
        for table in tables
        for query in ("", "?form=short", "?form=played&dealer=1")
        for language in ("de", "en")
    ]
    anew = [drawn_anew(client, table, query, **how) for table, query, how in asked]
    assert [page(client, table, query, **how) for table, query, how in asked] == anew
    assert [page(client, table, query, **how) for table, query, how in reversed(asked)] == anew[::-1]
    assert len(set(anew)) == len(anew)
    assert ["Vollmond" in page(client, table) for table in tables] == [False] * 4 + [True]


def test_what_is_used_most_stands_first_as_soon_as_it_is(client: Client, club: Club) -> None:
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
    """However often each was played: the usual ones first, then by suit; own ones by name at the end."""
    own = {key: {"name": key.capitalize(), "like": "damensolo"} for key in ("nullo", "bordell")}
    rules = make_rule_set(club, "ddv", "Unsere", kinds=[*preset_data("ddv")["kinds"], *own], per_kind=own)
    before, table = (make_table(club, rule_set=rules, held_on=datetime.date(2026, 3, day)) for day in (1, 2))
    add_game(before, kind="nullo", re=[0])
    add_game(before, kind="bubensolo", re=[0])
    assert re.findall(r'name="kind" value="(\w+)"', page(client, table)) == [
        *("normal", "hochzeit", "damensolo", "bubensolo", "fleischlos", "trumpfsolo"),
        *("farbsolo_herz", "farbsolo_pik", "farbsolo_kreuz", "stille_hochzeit", "hochzeit_allein", "bordell", "nullo"),
    ]


def test_a_line_is_drawn_again_when_it_shows_something_else(client: Client, club: Club) -> None:
    def lines(page: str) -> list[str]:
        return re.findall(r"<tr\b.+?</tr>", page.partition('id="rows"')[2].partition("</tbody>")[0], re.DOTALL)

    table = make_table(club, preset="anleitung")
    saved = [add_game(table, dealer=game % 4, eyes=130 + game) for game in range(3)]
    anew = lines(drawn_anew(client, table))
    assert lines(page(client, table)) == anew
    english = lines(page(client, table, headers={"accept-language": "en"}))
    assert english == lines(drawn_anew(client, table, headers={"accept-language": "en"})) != anew
    add_game(table, dealer=3, kind="damensolo", re=[0])
    assert lines(page(client, table))[1:] == anew
    # Struck out behind the back of everything, so that nothing tells of it.
    type(saved[0].game).objects.filter(pk=saved[0].game.pk).update(deleted=True)
    assert lines(page(client, table)) == lines(drawn_anew(client, table)) != anew
