"""The privacy pages: erase a name, download the own data, set how long the history is kept."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Club, Game, MonthClosing, Player, Verb
from scoring.players.actions import merge_players
from scoring.table.actions.tables import renew_link
from tests.cash.books import book, owes
from tests.factories import Cast, Figures, add_game, make_player, open_with
from tests.months import close, make_season


@pytest.fixture
def bodo(cast: Cast) -> Player:
    player = Player.objects.get(club=cast.club, name="Bodo")
    player.user = cast.reader
    player.save()
    return player


def page(client: Client, address: str, **posted: Any) -> str:
    response = client.post(address, posted) if posted else client.get(address)
    assert response.status_code == (302 if posted else 200), response.content.decode()
    return response.content.decode()


# --- Erasing ----------------------------------------------------------------------------------------------------------


def test_an_admin_reads_what_goes_and_erases(cast: Cast, bodo: Player, client: Client) -> None:
    add_game(cast.table, note="Bodo gibt aus")
    season = make_season(cast.club)
    close(season, "2026-03", cast.admin)
    client.force_login(cast.admin)
    assert f"/c/karo/people/{bodo.pk}/erase/" in page(client, f"/c/karo/people/{bodo.pk}/")
    asked = page(client, f"/c/karo/people/{bodo.pk}/erase/")
    assert "in 1 veröffentlichten Fassung" in asked
    assert "Bodo gibt aus" in asked
    old = MonthClosing.objects.get()
    page(client, f"/c/karo/people/{bodo.pk}/erase/", sure="on", texts="on")

    new = MonthClosing.objects.get()
    month = page(client, f"/c/karo/seasons/{season.pk}/2026-03/")
    assert "Nach dem Abschluss wurde ein Name entfernt." in month
    assert "wurde ein Name entfernt. Die Zahlen sind geblieben." in month
    assert all(said in month for said in (old.content_sha256, old.file_sha256, new.content_sha256, new.file_sha256))
    for address in ("list/", "people/", "history/", f"evenings/{cast.table.evening_id}/result/", "file/", ""):
        assert "Bodo" not in page(client, f"/c/karo/{address}"), address
    assert "Gelöschte Person 1" in page(client, "/c/karo/list/")
    assert "Name einer Person entfernt" in page(client, "/c/karo/history/")
    assert "Der Name dieser Person wurde am" in page(client, f"/c/karo/people/{bodo.pk}/")


def test_nothing_goes_without_the_tick(cast: Cast, bodo: Player, client: Client) -> None:
    client.force_login(cast.admin)
    response = client.post(f"/c/karo/people/{bodo.pk}/erase/", {"texts": "on"})

    assert response.status_code == 422
    assert "Bitte ankreuzen" in response.content.decode()
    assert Player.objects.get(pk=bodo.pk).name == "Bodo"


def test_an_erased_person_is_neither_erased_nor_changed_again(cast: Cast, bodo: Player, client: Client) -> None:
    client.force_login(cast.admin)
    page(client, f"/c/karo/people/{bodo.pk}/erase/", sure="on")

    assert "schon entfernt" in page(client, f"/c/karo/people/{bodo.pk}/erase/")
    assert client.get(f"/c/karo/people/{bodo.pk}/edit/").status_code == 302
    assert client.post(f"/c/karo/people/{bodo.pk}/erase/", {"sure": "on"}).status_code == 409


def test_who_was_merged_leads_to_who_they_are(cast: Cast, bodo: Player, client: Client) -> None:
    twin = make_player(cast.club, "Bodo B.")
    merge_players(player=twin, into=bodo, actor=Actor(cast.admin))
    client.force_login(cast.admin)

    assert client.get(f"/c/karo/people/{twin.pk}/erase/").headers["Location"] == f"/c/karo/people/{bodo.pk}/erase/"


def test_an_erased_person_cannot_be_seated(cast: Cast, bodo: Player, client: Client) -> None:
    client.force_login(cast.admin)
    page(client, f"/c/karo/people/{bodo.pk}/erase/", sure="on")
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    page(client, "/c/karo/")

    assert "Gelöschte Person" not in page(client, "/c/karo/evenings/new/")


# --- Own data ---------------------------------------------------------------------------------------------------------


def test_a_member_takes_their_own_data_home(cast: Cast, bodo: Player, client: Client) -> None:
    add_game(cast.table, form="penalty", points=[0, -5, 5, 0], reason="Falsch bedient", actor=cast.reader)
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin), present=[bodo])
    close(make_season(cast.club), "2026-03", cast.admin)
    open_with(cast.club, Bodo=Figures(12, 3, 40), Çelik=Figures(-12))
    book(cast.club, owes(bodo, 130, "points"), kind=Kind.HANDOVER, reason="Für einen Gast")
    book(cast.club, owes(cast.club.players.get(name="Çelik"), 77))
    client.force_login(cast.reader)
    address = f"/c/karo/people/{bodo.pk}/data/"
    assert address in page(client, f"/c/karo/people/{bodo.pk}/")
    assert address in page(client, "/c/karo/privacy/")
    response = client.get(address)

    assert response.headers["Content-Disposition"].startswith("attachment")
    told = json.loads(response.content)
    assert told["person"]["name"] == "Bodo"
    assert (told["anmeldung"]["name"], told["anmeldung"]["verwaltet"]) == ("rita", False)
    assert [(one["datum"], one["tisch"], one["spiele"]) for one in told["abende"]] == [("2026-03-06", 1, 1)]
    assert [(one["zeile"], one["punkte"], one["grund"]) for one in told["zeilen"]][1] == (2, -5, "Falsch bedient")
    assert sum(one["punkte"] for one in told["zeilen"]) == told["abende"][0]["punkte"]
    (before,) = told["anfangsstand"]
    assert (before["stand_vom"], before["punkte"], before["spiele"], before["siege"]) == ("2019-12-31", 12, 40, None)
    assert told["kasse"] == [
        {
            "datum": "2026-03-06", "nummer": "2026-001", "art": "Schuldübernahme", "wofuer": "points", "cent": 130,
            "grund": "Für einen Gast",
        }
    ]  # fmt: skip
    assert [(one["monat"], one["name"]) for one in told["veroeffentlicht"]] == [("2026-03", "Bodo")]
    assert {"Strafpunkte eingetragen", "Abend abgeschlossen", "Abend begonnen"} <= {one["was"] for one in told["verlauf"]}
    assert "Çelik" not in json.dumps([told["zeilen"], told["veroeffentlicht"]], ensure_ascii=False)


def test_only_the_person_and_admins_get_the_file(cast: Cast, bodo: Player, client: Client) -> None:
    for user, status in ((cast.scorer, 403), (cast.stranger, 404), (cast.admin, 200), (cast.reader, 200)):
        client.force_login(user)
        assert client.get(f"/c/karo/people/{bodo.pk}/data/").status_code == status
    other = Player.objects.get(club=cast.club, name="Çelik")
    client.force_login(cast.reader)
    assert client.get(f"/c/karo/people/{other.pk}/data/").status_code == 403
    assert f"people/{other.pk}/data/" not in page(client, f"/c/karo/people/{other.pk}/")


def test_the_address_of_mail_stands_in_ones_own_file_alone(cast: Cast, bodo: Player, client: Client) -> None:
    cast.reader.email = "rita@example.org"
    cast.reader.save()
    for user, shown in ((cast.reader, "rita@example.org"), (cast.admin, None)):
        client.force_login(user)
        told = json.loads(client.get(f"/c/karo/people/{bodo.pk}/data/").content)
        assert told["anmeldung"].get("e_mail") == shown


def test_the_link_of_a_table_is_no_login(cast: Cast, bodo: Player, client: Client) -> None:
    client.get(f"/t/{renew_link(table=cast.table, actor=Actor(cast.scorer)).token}/open/")

    assert client.get(f"/c/karo/people/{bodo.pk}/data/").status_code == 302


# --- How long the history stays ---------------------------------------------------------------------------------------


def test_an_admin_sees_what_would_go_and_decides(cast: Cast, client: Client) -> None:
    for _ in range(3):
        add_game(cast.table)
    long_ago = timezone.now() - datetime.timedelta(days=900)
    Change.objects.filter(club=cast.club).update(at=long_ago)
    client.force_login(cast.admin)
    asked = page(client, "/c/karo/history/kept/?years=2")
    assert "verschwinden in den nächsten Stunden 3 Zeilen" in asked
    page(client, "/c/karo/history/kept/", years="2")

    assert "Zurzeit bleibt er 2 Jahre." in page(client, "/c/karo/history/kept/")
    assert Change.objects.get(verb=Verb.HISTORY_KEPT).after == {"years": 2}
    told = page(client, "/c/karo/history/")
    assert "für immer" in told and "2 Jahre" in told
    assert "bleibt 2 Jahre" in page(client, "/c/karo/privacy/")
    assert Game.objects.filter(round__table=cast.table).count() == 4
    page(client, "/c/karo/history/kept/", years="")
    assert Club.objects.get(pk=cast.club.pk).keep_history_years is None


def test_years_that_are_none_are_refused(cast: Cast, client: Client) -> None:
    client.force_login(cast.admin)
    for years in ("0", "-1", "100", "viele", "99999999999999999999"):
        assert client.post("/c/karo/history/kept/", {"years": years}).status_code == 422
        assert client.get("/c/karo/history/kept/", {"years": years}).status_code == 200
