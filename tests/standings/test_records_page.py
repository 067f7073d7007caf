"""The page of the records: whom it names and where its links lead, for members and for strangers."""

from __future__ import annotations

import pytest
from django.test import Client

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Club, Player
from tests.factories import Cast, add_game

pytestmark = pytest.mark.django_db

RECORDS = "/c/karo/list/records/"


def test_each_record_leads_to_its_evening_its_game_and_its_person(cast: Cast) -> None:
    game = add_game(cast.table, kind="damensolo", re=[2], eyes=30).game
    client = Client()
    client.force_login(cast.reader)
    html = client.get(RECORDS).content.decode()
    celik = Player.objects.get(club=cast.club, name="Çelik")
    assert "Teuerstes Spiel" in html
    for address in (f"people/{celik.pk}/", f"evenings/{cast.table.evening_id}/result/", f"games/{game.key}/"):
        assert address in html, address
    assert f"{RECORDS}?year=2026" in client.get("/c/karo/list/?year=2026").content.decode()
    assert "noch keinen Rekord" in client.get(f"{RECORDS}?until=2000-01-01").content.decode()


def test_strangers_read_the_records_of_closed_evenings_without_links_to_them(cast: Cast) -> None:
    Club.objects.filter(slug="karo").update(shows_list=True)
    assert "noch keinen Rekord" in Client().get(RECORDS).content.decode()
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    html = Client().get(RECORDS).content.decode()
    assert "Bester Abend" in html
    assert "/evenings/" not in html
    assert "/games/" not in html
