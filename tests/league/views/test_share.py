"""A month and a season for the group chat: the text and the picture say what their tables say."""

from __future__ import annotations

import datetime
import re
from html import unescape

import pytest
from django.test import Client

from scoring.models import Evening, Season, TableResult
from tests.factories import Cast, add_game, make_player, make_table
from tests.months import close, make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    """March and April of the cast: two evenings, of which the guest of the second is in neither table with a rank."""
    people = [seat.player for seat in cast.table.rounds.get().seats.order_by("place")]
    guest = make_player(cast.club, "Gast <Gustav>", guest=True)
    add_game(make_table(cast.club, [*people[:3], guest], held_on=datetime.date(2026, 3, 13)), eyes=200)
    add_game(make_table(cast.club, people, held_on=datetime.date(2026, 4, 3)), kind="damensolo", re=[2], eyes=180)
    return make_season(cast.club)


def seen_by(user: object) -> Client:
    client = Client()
    client.force_login(user)
    return client


def by_the_facts(season: Season, first: datetime.date, last: datetime.date) -> dict[str, int]:
    """The points of everybody but guests on these days."""
    found: dict[str, int] = {}
    for result in TableResult.objects.filter(table__evening__held_on__range=(first, last), player__club=season.club):
        if not result.player.guest:
            found[result.player.name] = found.get(result.player.name, 0) + result.points
    return found


def told(html: str) -> str:
    found = re.search(r'<textarea[^>]*id="share-text"[^>]*>(.*?)</textarea>', html, re.S)
    assert found
    return unescape(found[1])


def placed(text: str) -> dict[str, int]:
    lines = re.findall(r"^[0-9]+\. (.*): (−?[0-9]+)$", text, re.M)
    return {name: int(points.replace("−", "-")) for name, points in lines}


def drawn(svg: str) -> dict[str, int]:
    """What the picture shows of everybody with a rank."""
    lines = re.findall(r">[0-9]+\.</text>.*?>([^<]+)</text>\s*<text[^>]*>(−?[0-9]+)</text>", svg, re.S)
    return {unescape(name): int(points.replace("−", "-")) for name, points in lines}


def test_a_month_is_told_and_drawn_as_it_stands(cast: Cast, season: Season) -> None:
    client = seen_by(cast.reader)
    expected = by_the_facts(season, datetime.date(2026, 3, 1), datetime.date(2026, 3, 31))
    at = f"/c/karo/seasons/{season.pk}/2026-03/"
    text = told(client.get(at).content.decode())
    assert text.startswith(f"März 2026 · {season.name}\n{cast.club.name}\nVorläufig · 2 Abende\n")
    assert placed(text) == expected
    picture = client.get(f"{at}picture/")
    assert picture["Content-Type"] == "image/svg+xml"
    assert drawn(picture.content.decode()) == expected
    Evening.objects.filter(closed_at=None).update(closed_at="2026-03-14T01:00Z")
    close(season, "2026-03")
    assert "Abgeschlossen · 2 Abende" in told(client.get(at).content.decode())
    assert "Abgeschlossen" in client.get(f"{at}picture/").content.decode()


def test_a_season_is_told_and_drawn_as_it_stands(cast: Cast, season: Season) -> None:
    client = seen_by(cast.reader)
    expected = by_the_facts(season, season.first_day, season.last_day)
    at = f"/c/karo/seasons/{season.pk}/"
    text = told(client.get(at).content.decode())
    assert text.startswith(f"{season.name}\n{cast.club.name}\n")
    assert placed(text) == drawn(client.get(f"{at}picture/").content.decode()) == expected


def test_strangers_are_offered_neither(cast: Cast, season: Season) -> None:
    cast.club.shows_months = True
    cast.club.save()
    html = Client().get(f"/c/karo/seasons/{season.pk}/").content.decode()
    assert "share-text" not in html
    for address in ("", "2026-03/"):
        assert Client().get(f"/c/karo/seasons/{season.pk}/{address}picture/").status_code == 302
