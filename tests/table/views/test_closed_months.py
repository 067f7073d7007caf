"""The preview of a correction says which months are closed that it touches: of the league, and of the Kasse."""

from __future__ import annotations

import re
from html import unescape
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.evenings.actions import close_evening
from scoring.models import Game, Table
from tests.cash.kasse import closed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.factories import Cast, add_game, make_table
from tests.months import close, make_season
from tests.table.views.asking import game_at, typed
from tests.visits import visit

pytestmark = pytest.mark.django_db
IN_LEAGUE = "März 2026 ist in der Liga „Saison“ abgeschlossen: Über einen Nachtrag entscheidet ein Verwalter."
IN_KASSE = "März 2026 ist in der Kasse abgeschlossen: Der Unterschied wird mit dem heutigen Tag gebucht."


@pytest.fixture
def table(cast: Cast) -> Table:
    """Two games of a closed evening with a tariff."""
    give_tariff(cast.club)
    make_season(cast.club)
    table = make_table(cast.club)
    for _game in range(2):
        add_game(table)
    for evening in (cast.table.evening, table.evening):
        close_evening(evening=evening, actor=TREASURER)
    return table


def lines(response: HttpResponse) -> list[str]:
    found = re.search(r'id="effects".*?</div>', response.content.decode(), re.DOTALL)
    assert found, response.status_code
    return re.findall(r"<li>(.*?)</li>", unescape(found[0]))


def test_a_correction_says_that_its_month_is_closed(cast: Cast, table: Table) -> None:
    admin, game = visit(cast.admin), Game.objects.filter(round__table=table).earliest("position")
    sent = typed(admin.get(game_at(game))) | {"eyes": ["100"]}

    def said(more: dict[str, list[str]] = sent) -> list[str]:
        return [line for line in lines(admin.post(game_at(game), more)) if "abgeschlossen" in line]

    assert said() == []
    close(table.evening.club.seasons.get(), "2026-03")
    assert said() == [IN_LEAGUE]
    closed(cast.club, "2026-03")
    assert said() == [IN_LEAGUE, IN_KASSE]
    same = typed(admin.get(game_at(game)))
    assert said(same) == [], "nothing changes"
    struck = lines(admin.get(game_at(game, "game_delete")))
    assert struck[-2:] == [IN_LEAGUE, IN_KASSE]


def test_what_touches_the_money_alone_says_it_of_the_kasse(client: Client, cast: Cast, table: Table) -> None:
    closed(cast.club, "2026-03")
    client.force_login(cast.treasurer)
    address = f"/c/karo/evenings/{table.evening_id}/cash/"
    loser = table.evening.attendance.latest("pk").player_id
    fined = {"key": str(uuid4()), "player": str(loser), "code": "misdeal", "amount": ""}
    assert IN_KASSE in client.post(address + "fines/", fined).content.decode()
    tariff = give_tariff(cast.club, fee={"cents": 900})
    assert IN_KASSE in client.get(address + f"tariff/?tariff={tariff.pk}").content.decode()
