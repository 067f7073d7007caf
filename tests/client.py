"""Clients of tests: Django's, logged in, and one that comes to a running server by plain HTTP."""

from __future__ import annotations

import json
import re
import urllib.request
from copy import deepcopy
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.server import PATIENCE


def visit(user: User | AnonymousUser | None) -> Client:
    """The browser of somebody, logged in once for all that is asked."""
    client = Client()
    if user and user.is_authenticated:
        client.force_login(user)
    return client


def ask(method: str, address: str, client: Client) -> HttpResponse:
    """One request, whose effects are gone afterwards: what it stored, and what the browser keeps."""
    kept = deepcopy(client.cookies)
    with transaction.atomic():
        response: HttpResponse = getattr(client, method.lower())(address, {"nothing": ""})
        transaction.set_rollback(True)
    client.cookies = kept
    return response


WORDS = "grüner kaktus tanzt nachts"


class Visitor:
    """One browser at the server `root`, with its cookies. Every request has to succeed; redirects are followed."""

    def __init__(self, root: str) -> None:
        self.root, self.cookies = root, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> str:
        return self._ask(path)[1]

    def post(self, path: str, **fields: Any) -> tuple[str, str]:
        """Return the path that this leads to, and the page there."""
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        return self._ask(path, urlencode({"csrfmiddlewaretoken": token, **fields}, doseq=True).encode())

    def _ask(self, path: str, data: bytes | None = None) -> tuple[str, str]:
        with self.opener.open(self.root + path, data, PATIENCE) as answer:
            return answer.url.removeprefix(self.root), answer.read().decode()

    def save_a_game(self, table: str) -> None:
        """Enter one more game at this table. The sheet has it then."""
        before = json.loads(self.get(f"{table}state/"))
        (first, second, *_rest) = [seat for seat in range(len(before["seats"])) if seat not in before["next"]["out"]]
        facts = {"kind": "normal", "re": [first, second], "band": "121-150"}
        assert self.post(f"{table}games/", key=uuid4(), after=before["next"]["after"], **facts)[0] == table
        assert len(json.loads(self.get(f"{table}state/"))["lines"]) == len(before["lines"]) + 1


def try_the_demo(root: str) -> None:
    """One tap on the front page opens a table, where a game is saved."""
    visitor = Visitor(root)
    assert 'action="/demo/"' in visitor.get("/")
    table, _page = visitor.post("/demo/")
    assert re.fullmatch(r"/c/demo-\w+/tables/\d+/", table)
    visitor.save_a_game(table)


def try_founding(root: str) -> None:
    """With FOUNDING=open the front page leads to a club, and its first evening has a game."""
    visitor = Visitor(root)
    assert 'href="/found/"' in visitor.get("/")
    visitor.get("/found/")
    people = "Zora\nAnton\nBerta\nÇelik"
    typed = {"club_name": "Pik Dame", "people": people, "username": "pik", "password1": WORDS, "password2": WORDS}
    evening, page = visitor.post("/found/", source="hausrunde", own="hausrunde", **typed)
    assert evening.startswith("/c/pik-dame/evenings/new/")
    fields = dict(re.findall(r'name="(key|line_up|held_on)"[^>]*? value="([^"]*)"', page))
    table, _page = visitor.post(evening, begin="1", rule_set=evening.rpartition("=")[2], **fields)
    assert re.fullmatch(r"/c/pik-dame/tables/\d+/", table)
    visitor.save_a_game(table)
