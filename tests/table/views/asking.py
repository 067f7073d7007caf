"""Requests to the table as a script and as a form without a script send them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.models import Game, Player, Table, TableLink
from scoring.table.actions.tables import renew_link
from tests.html import flat

NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}
SHORT = {"winners": [1, 2], "base": 3}
KEY, OTHER_KEY = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


def get_games_url(table: Table) -> str:
    return reverse("games", args=["karo", table.pk])


def get_table_url(table: Table) -> str:
    return reverse("table", args=["karo", table.pk])


def get_game_url(game: Game, name: str = "game") -> str:
    return reverse(name, args=["karo", game.round.table_id, game.key])


def get_cash_url(table: Table) -> str:
    return reverse("table_cash", args=[table.evening.club.slug, table.pk])


def opened(link: TableLink, who: str = "Bodo") -> Client:
    """Return a client that opened the link as this player."""
    phone = Client()
    assert phone.get(reverse("link_open", args=[link.token])).status_code == 302
    said = Player.objects.get(name=who, club=link.table.evening.club)
    response = phone.post(reverse("link_speaker"), {"player": said.pk})
    assert response.headers["Location"] == reverse("table", args=[link.table.evening.club.slug, link.table.pk])
    return phone


def by_link(table: Table, who: str) -> Client:
    """Return a client that opened a new link of the table as this player."""
    return opened(renew_link(table=table, actor=Actor()), who)


def send(client: Client, address: str, body: object, **headers: str) -> HttpResponse:
    return client.post(address, json.dumps(body), content_type="application/json", headers=headers or None)


def build_entry(after: Game | str = "", **fields: Any) -> dict[str, Any]:
    """Return a new line as JSON: an ordinary game unless other facts are given."""
    after = str(after.key) if isinstance(after, Game) else after
    facts = {} if fields.keys() & {"kind", "winners", "form"} else NORMAL
    return {"key": KEY, "after": after, **facts, **fields}


def get_form_data(page: HttpResponse) -> dict[str, list[str]]:
    """Return what a browser would send from the form of this page."""
    html = page.content.decode()
    form = re.search(r'<form class="entry".*?</form>', html, re.S)
    assert form
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        found = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        pill = found.get("type") in ("radio", "checkbox")
        if "name" in found and (not pill or re.search(r"\schecked\b", tag)):
            sent.setdefault(found["name"], []).append(unescape(found.get("value", "on" if pill else "")))
    return sent


def find_fault(page: HttpResponse, name: str) -> str:
    """Return the sentence at one field of the form."""
    place = re.search(rf'<p class="fault" id="fault-{name}"[^>]*?(hidden)?>(.*?)</p>', flat(page))
    assert place, name
    return "" if place[1] else place[2]


def list_keys(table: Table) -> list[str]:
    games = Game.objects.filter(round__table=table, deleted=False).order_by("position")
    return [str(game.key) for game in games]
