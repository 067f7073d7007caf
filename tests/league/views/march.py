"""The pages of a season, for whom and where: March has one closed evening, and a game may come too late for it."""

from __future__ import annotations

import re
from html import unescape

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from scoring.models import Season, Table
from tests.factories import Cast, add_game
from tests.pages import unmarked

MARCH = "2026-03"


def seen_by(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(response: HttpResponse) -> str:
    """What a page says, without its tags."""
    html = re.sub(r"<[^>]+>", " ", unmarked(response.content.decode()).partition("<main")[2])
    return " ".join(unescape(html).split())


def page(season: Season, end: str = f"{MARCH}/") -> str:
    return f"/c/karo/seasons/{season.pk}/{end}"


def one_more_game(cast: Cast) -> None:
    cast.table.evening.closed_at = None
    type(cast.table.evening).objects.update(closed_at=None)
    add_game(Table.objects.get(pk=cast.table.pk), eyes=200)
