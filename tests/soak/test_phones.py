"""Phones that came by the link of their table against the real server, all at once: whatever meets in the same moment, each
game that was answered as saved is there once, and nothing else is. Short in every run, long with `make soak`."""

from __future__ import annotations

import json
import random
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from email.message import Message
from functools import partial
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.models import Change, Club, Game, Table, Verb
from scoring.table.actions.tables import renew_link
from tests.factories import add_game, make_club, make_somebody, make_table, make_user
from tests.server import free_port, kill, running, told

pytestmark = pytest.mark.django_db(transaction=True)

Body = dict[str, Any]


def short_and_long(short: int, long: int) -> list[Any]:
    return [pytest.param(short, id="short"), pytest.param(long, id="long", marks=pytest.mark.soak)]


# --- The server -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """The server, for all of these tests. It would invent a demo club where nobody has a login."""
    place, port = tmp_path_factory.mktemp("server"), free_port()
    with django_db_blocker.unblock():
        somebody = make_somebody()
        with running(place / "var", port, place / "log", collected=True, **told()):
            somebody.delete()
            yield port


# --- The phones -----------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    status: int
    headers: Message
    body: Body


@dataclass
class Phone:
    """Somebody at a table who came by its link, and keeps book of what was answered."""

    port: int
    table: Table
    dice: random.Random
    cookies: dict[str, str] = field(default_factory=dict)
    last: str = ""
    waiting: Body | None = None
    saved: list[UUID] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)

    def join(self, token: str, player: int) -> Phone:
        self.ask("GET", reverse("link_open", args=[token]))
        self.ask("GET", reverse("link_speaker"))
        assert self.ask("POST", reverse("link_speaker"), urlencode({"player": player})).status == 302
        return self

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        """One request, on a line of its own."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get(settings.CSRF_COOKIE_NAME, ""),
            **headers,
        }
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as line:
            line.request(method, path, body.encode(), headers)
            answer = line.getresponse()
            text = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(cookie).items()}
        assert answer.status != 503 or answer.headers["Retry-After"] == "2", "it says when to come again"
        is_json = answer.headers.get("Content-Type") == "application/json"
        return Answer(answer.status, answer.headers, json.loads(text) if is_json else {})

    def send(self, game: Body, key: UUID | None = None) -> Answer:
        """A new line, or with `key` a correction of that one."""
        more = [] if key is None else [key]
        path = reverse("game" if more else "games", args=[self.table.evening.club.slug, self.table.pk, *more])
        answer = self.ask("POST", path, json.dumps(game), **{"Content-Type": "application/json"})
        self.answers[answer.status] += 1
        return answer

    def look(self) -> None:
        """What the page asks every moment."""
        answer = self.ask("GET", reverse("state", args=[self.table.evening.club.slug, self.table.pk]))
        self.answers[answer.status] += 1

    def game(self) -> Body:
        return new_game(UUID(int=self.dice.getrandbits(128), version=4), self.last, self.dice)

    def play(self, until: Callable[[], object]) -> None:
        """Enter games one after the other as fast as it goes, until it is over or nobody answers any more. What was not
        answered waits and is sent again."""
        while not until():
            game = self.waiting = self.waiting or self.game()
            status, headers, body = self.send(game)
            if status == 503:
                time.sleep(float(headers["Retry-After"]))
                continue
            self.waiting = None
            if status in (200, 201):
                self.saved.append(UUID(game["key"]))
                self.last = str(game["key"])
                if self.dice.random() < 0.3:
                    assert self.send(game).status in (200, 503), "a retry is answered as the same game"
                self.look()
            else:
                assert status == 409, (status, body)
                # The other one's game came first: mine is thrown away.
                self.last = body["next"]["after"]


def new_game(key: UUID, after: str, dice: random.Random) -> Body:
    re = dice.sample(range(4), 2)
    return {"key": str(key), "after": after, "kind": "normal", "re": re, "eyes": dice.randint(0, 240)}


def phones_at(table: Table, count: int, port: int) -> list[Phone]:
    """So many phones at a table, its people taking turns."""
    token = renew_link(table=table, actor=Actor()).token
    people = list(table.rounds.get().seats.order_by("place").values_list("player", flat=True))
    phones = [Phone(port, table, random.Random(f"{table.pk}/{n}")) for n in range(count)]
    return [phone.join(token, people[n % len(people)]) for n, phone in enumerate(phones)]


def at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """All of these in the same moment."""
    start = threading.Barrier(len(calls))

    def go(call: Callable[[], Answer]) -> Answer:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [waiting.result() for waiting in [pool.submit(go, call) for call in calls]]


def statuses(answers: Sequence[Answer]) -> list[int]:
    return sorted(answer.status for answer in answers)


def everything_fits(lines: int) -> None:
    """So many lines are stored, each entered once, and what follows from them is what the rules say."""
    assert Game.objects.count() == lines
    entered = Change.objects.filter(verb=Verb.GAME_ADDED).values_list("subject_id", flat=True)
    assert sorted(entered) == sorted(str(key) for key in Game.objects.values_list("key", flat=True))
    verified = StringIO()
    call_command("verify", stdout=verified)
    assert f"{lines} Zeilen" in verified.getvalue()


# --- In the same moment ---------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Table:
    return make_table(make_club(slug="soak"))


@pytest.mark.parametrize("times", short_and_long(10, 200))
def test_the_same_key_from_four_phones_is_one_game(port: int, table: Table, times: int) -> None:
    phones, dice, last = phones_at(table, 4, port), random.Random(1), ""
    for _ in range(times):
        game = new_game(uuid4(), last, dice)
        answers = at_once([partial(phone.send, game) for phone in phones])
        assert statuses(answers) == [200, 200, 200, 201]
        assert {answer.body["key"] for answer in answers} == {game["key"]}
        other = {**game, "eyes": (game["eyes"] + 1) % 241}
        assert phones[0].send(other).status == 422
        last = game["key"]
    everything_fits(times)


@pytest.mark.parametrize("times", short_and_long(8, 100))
def test_one_line_corrected_by_four_phones_is_corrected_once(port: int, table: Table, times: int) -> None:
    phones, key = phones_at(table, 4, port), add_game(table).game.key
    for version in range(1, times + 1):
        bodies = [
            {"version": version, "confirm": True, "kind": "normal", "re": [0, 1], "eyes": 121 + (4 * version + n) % 100}
            for n in range(4)
        ]
        answers = at_once([partial(phone.send, body, key) for phone, body in zip(phones, bodies, strict=True)])
        assert statuses(answers) == [200, 409, 409, 409]
        stored = Game.objects.get(key=key)
        assert stored.version == version + 1
        for answer, body in zip(answers, bodies, strict=True):
            if answer.status == 200:
                assert stored.facts["eyes"] == body["eyes"]
            else:
                assert answer.body["standing"]["facts"] == stored.facts, "both versions can be compared"
    assert Change.objects.filter(verb=Verb.GAME_CORRECTED).count() == times
    everything_fits(1)


@pytest.mark.parametrize("times", short_and_long(8, 100))
def test_two_phones_that_append_to_the_same_game_meet_the_question(port: int, table: Table, times: int) -> None:
    phones, dice, last = phones_at(table, 2, port), random.Random(3), ""
    for _ in range(times):
        games = [new_game(uuid4(), last, dice) for _phone in phones]
        answers = at_once([partial(phone.send, game) for phone, game in zip(phones, games, strict=True)])
        assert statuses(answers) == [201, 409]
        won = answers[0] if answers[0].status == 201 else answers[1]
        lost = answers[1] if won is answers[0] else answers[0]
        assert lost.body["standing"]["key"] == won.body["key"] == lost.body["next"]["after"]
        last = won.body["key"]
    everything_fits(times)


# --- As fast as it goes ---------------------------------------------------------------------------------------------


def four_tables(port: int, each: int) -> list[Phone]:
    club: Club = make_club(slug="soak")
    return [phone for _ in range(4) for phone in phones_at(make_table(club), each, port)]


def flood(phones: list[Phone], seconds: int) -> Counter[int]:
    """All of them for so long; what they were told is what is stored."""
    over = time.monotonic() + seconds
    with ThreadPoolExecutor(len(phones)) as pool:
        # However busy the machine is, everybody gets a turn.
        turns = [lambda phone=phone: phone.answers and time.monotonic() > over for phone in phones]
        for playing in [pool.submit(phone.play, until) for phone, until in zip(phones, turns, strict=True)]:
            playing.result()
    for phone in phones:
        phone.play(lambda phone=phone: phone.waiting is None)
    answers = sum((phone.answers for phone in phones), Counter[int]())
    took = time.monotonic() - over + seconds
    rate = answers.total() / took
    print(f"\n{len(phones)} phones, {took:.0f} s, {connection.vendor}: {rate:.0f} requests a second, {dict(answers)}")
    saved = [key for phone in phones for key in phone.saved]
    assert sorted(saved) == sorted(Game.objects.values_list("key", flat=True))
    assert saved
    everything_fits(len(saved))
    return answers


@pytest.mark.parametrize("seconds", short_and_long(1, 30))
def test_a_dozen_phones_are_all_served(port: int, seconds: int) -> None:
    assert set(flood(four_tables(port, 3), seconds)) <= {200, 201, 304, 409}


@pytest.mark.soak
def test_forty_phones_are_served_or_told_when_to_come_again(port: int) -> None:
    """A 503 that does not say when fails the phone that gets it."""
    assert set(flood(four_tables(port, 10), seconds=30)) <= {200, 201, 304, 409, 503}


@pytest.mark.soak
def test_a_table_that_is_held_too_long_is_no_fault(port: int, table: Table) -> None:
    """Somebody else writes for longer than a phone waits."""
    (phone,) = phones_at(table, 1, port)
    game = phone.game()
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=table.pk)
        answer = phone.send(game)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    assert "error" in answer.body
    assert phone.send(game).status == 201
    everything_fits(1)


# --- The plug -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", short_and_long(2, 50))
def test_the_server_is_killed_and_nothing_acknowledged_is_lost(tmp_path: Path, times: int) -> None:
    club = make_club(slug="soak")
    make_user("somebody")
    tables, port, dice = [make_table(club) for _ in range(2)], free_port(), random.Random(5)
    phones: list[Phone] = []
    struck = 0
    for _ in range(times):
        with running(tmp_path / "var", port, tmp_path / "log", collected=True, **told()) as server:
            phones = phones or [phone for table in tables for phone in phones_at(table, 3, port)]
            struck += _play_until_killed(phones, server, dice.uniform(0.3, 1.5))
    with running(tmp_path / "var", port, tmp_path / "log", collected=True, **told()):
        for phone in phones:
            phone.play(lambda phone=phone: phone.waiting is None)
    stored = set(Game.objects.values_list("key", flat=True))
    saved = [key for phone in phones for key in phone.saved]
    print(f"\nkilled {times} times with {struck} games under way, {len(saved)} saved, {connection.vendor}")
    assert struck > times, "it was killed under load"
    assert set(saved) == stored, "all that was acknowledged, and nothing that nobody knows of"
    assert len(saved) == len(stored)
    assert saved
    everything_fits(len(stored))


def _play_until_killed(phones: list[Phone], server: subprocess.Popen[bytes], seconds: float) -> int:
    """How many phones waited for an answer when the server was killed."""

    def waiting() -> int:
        return sum(phone.waiting is not None for phone in phones)

    def play(phone: Phone) -> None:
        with suppress(OSError, HTTPException):
            phone.play(lambda: False)

    with ThreadPoolExecutor(len(phones)) as pool:
        for phone in phones:
            pool.submit(play, phone)
        time.sleep(seconds)
        # In the middle of it: half of them wait for an answer.
        give_up = time.monotonic() + 60
        while (struck := waiting()) < len(phones) / 2 and time.monotonic() < give_up:
            time.sleep(0.001)
        kill(server)
    return struck
