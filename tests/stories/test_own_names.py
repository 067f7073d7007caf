"""A club with special points and kinds of game of its own: every page and file that tells of its games calls them by their
names, none fails, and an archive whose rule set lacks one of them is refused."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from html import unescape
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.administration.actions import delete_club
from scoring.archive.queries import build_archive, format_archive
from scoring.club.actions import Actor
from scoring.models import Table
from scoring.play.queries import read_records
from scoring.table.actions.games import Typed, correct_game
from tests.archive.actions.taking import refused
from tests.factories import OWN_KINDS, OWN_NAMES, make_club, make_rule_set, make_user, own_evening

pytestmark = pytest.mark.django_db

KIND_NAMES = OWN_NAMES[:3]


@pytest.fixture
def table() -> Table:
    return own_evening(make_club())


@pytest.fixture
def admin(table: Table, client: Client) -> Client:
    client.force_login(make_user("anna", table.evening.club, ["admin", "scorer"]))
    return client


def page(client: Client, name: str, *args: object, query: str = "") -> str:
    response = client.get(reverse(name, args=["karo-eins", *args]) + query)
    assert response.status_code == 200, name
    return unescape(response.content.decode())


def texts(data: bytes) -> dict[str, set[str]]:
    """What is written in an Excel file, by sheet."""
    book = load_workbook(BytesIO(data))
    return {sheet.title: {str(value) for row in sheet.iter_rows(values_only=True) for value in row} for sheet in book}


def test_each_line_is_told_by_its_names(admin: Client, table: Table) -> None:
    nullo, ramsch, armut = (page(admin, "game", table.pk, game.key) for game in read_records(table).games)
    assert "Nullo" in nullo
    assert "Schieberamsch" in ramsch
    assert all(name in armut for name in ("Kleine Armut", "Gans ×2", "Hirsch", "Sonderpunkte des Spiels"))


def test_the_history_tells_what_was_typed_before_and_after(admin: Client, table: Table) -> None:
    game = read_records(table).games[2]
    facts = {"kind": "kleine_armut", "re": [2, 3], "eyes": 155, "re_specials": {"gans": 1}}
    correct_game(table=table, actor=Actor(), key=game.key, version=game.version, typed=Typed("played", facts, 0))
    told = page(admin, "history")
    assert all(name in told for name in (*OWN_NAMES, "Gewonnen hat"))
    assert not any(key in told for key in OWN_KINDS)


def test_the_files_of_an_evening_and_of_the_club(admin: Client, table: Table) -> None:
    response = admin.get(reverse("evening_excel", args=["karo-eins", table.evening_id]))
    found = texts(b"".join(response) if response.streaming else response.content)
    assert set(KIND_NAMES) <= found["Zettel"] and set(OWN_NAMES) <= found["Fakten"] and {"Gans", "Hirsch"} <= found["Schritte"]
    response = admin.get(reverse("club_excel", args=["karo-eins"]))
    assert set(KIND_NAMES) <= texts(b"".join(response) if response.streaming else response.content)["Spiele"]


def test_a_person_has_the_kinds_of_all_rule_sets_under_the_newest_names(admin: Client, table: Table) -> None:
    """An equal key is the same thing, and what it is called now it was called always."""
    renamed = {**OWN_KINDS, "nullo": {**OWN_KINDS["nullo"], "name": "Null ouvert"}}
    make_rule_set(table.evening.club, "vln", "Neue", kinds=["normal", *OWN_KINDS], per_kind=renamed)
    person = read_records(table).players[0]
    told = page(admin, "player", person.pk)
    assert "Null ouvert" in told and "Nullo" not in told
    assert "Schieberamsch" in told and "Kleine Armut" in told


def test_no_page_fails(admin: Client, table: Table) -> None:
    for name in ("result", "result_picture", "paper"):
        assert page(admin, name, table.evening_id)
    for name in ("standings", "matrix", "club_file", "club_csv", "standings_excel", "archive"):
        assert admin.get(reverse(name, args=["karo-eins"])).status_code == 200


def test_what_if_names_what_other_rules_have_no_use_for(admin: Client, table: Table) -> None:
    other = make_rule_set(table.evening.club, "vln")
    told = page(admin, "whatif", query=f"?unit=points&rules={other.pk}")
    assert "Gans" in told and "Hirsch" in told and "Schieberamsch" in told
    assert table.rule_set.name in page(admin, "table_rules", table.pk)


def test_a_game_whose_keys_its_rule_set_lacks_is_refused(table: Table) -> None:
    told = build_archive(table.evening.club)
    delete_club(club=table.evening.club, digest=sha256(told).hexdigest())
    for game, field, own in ((0, "kind", "kloster"), (2, "re_specials", {"ente": 1}), (2, "game_specials", {"gans": 1})):
        archive = json.loads(told)
        archive["games"][game]["facts"][field] = own
        (fault,) = refused(format_archive(archive).encode())
        assert re.search(rf", Tisch 1, Zeile {game + 1} \([0-9a-f-]+\): {field}: ", fault)
