"""A whole evening at human pace: ten tables with four phones each, a game every four minutes at each table, beside two hundred
readers who open a page every thirty seconds, on two processes in front of one PostgreSQL. LOAD_MINUTES says how long, twenty in
`make soak`. Where SOAK is not set one minute at five times that pace, which says whether all of it works, and not how fast."""

from __future__ import annotations

import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event, Thread

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring.demo.generate import generate
from scoring.models import Club
from tests.effort import LONG
from tests.factories import make_table
from tests.server import PATIENCE, free_port, running, told
from tests.soak.test_phones import Phone, phones_at
from tests.soak.test_processes import Machine, held

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="several processes serve PostgreSQL"),
    pytest.mark.soak,
]

SECONDS = 60 * float(os.environ.get("LOAD_MINUTES", 20 if LONG else 1))
TABLES, PHONES, READERS = 10, 4, 200
GAME, PAGE = 240.0, 30.0  # seconds between two
# Before that everything is there that stays: what grows in the time behind it grows for ever.
WARM = SECONDS / 10
GROWN = 10_000  # kB


@dataclass
class Evening:
    """What came of it."""

    over: Event = field(default_factory=Event)
    saves: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    def every(self, seconds: float, dice: random.Random, do: Callable[[], int], took: list[float]) -> None:
        """Somebody who does this again and again, beginning at any moment, until it is over."""
        wait = dice.uniform(0, seconds)
        while not self.over.wait(wait):
            began = time.monotonic()
            self.statuses[do()] += 1
            took.append(time.monotonic() - began)
            wait = max(0.0, seconds * dice.uniform(0.8, 1.2) - took[-1])


def save(phone: Phone) -> int:
    game = phone.game()
    status = phone.send(game).status
    phone.last = str(game["key"])
    return status


def look_on(phone: Phone, port: int, evening: Evening) -> None:
    """A quiet phone: it asks whenever it hears that something is new, until the server stops."""
    while not evening.over.is_set():
        with ExitStack() as stack, suppress(OSError, HTTPException):
            answer = held(phone, port, stack)
            while (line := answer.readline()) and not evening.over.is_set():
                if line.startswith(b"data:"):
                    phone.look()


def reader(club: Club, user: User, port: int, dice: random.Random) -> Callable[[], int]:
    client = Client()
    client.force_login(user)
    cookie = {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}
    pages = [reverse(name, args=[club.slug]) for name in ("club", "evenings", "standings", "players")]

    def read() -> int:
        line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        line.request("GET", dice.choice(pages), headers=cookie)
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status

    return read


def resident(machine: Machine) -> list[int]:
    """Of each process, kB."""
    said = [Path(f"/proc/{pid}/status").read_text() for pid in machine.workers()]
    return [int(one.split("VmRSS:")[1].split()[0]) for one in said]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    port = free_port()
    with running(
        tmp_path / "var", port, tmp_path / "log", collected=True, **{**told(), "DEMO": "0", "WORKERS": "2"}
    ) as server:
        yield Machine(server, port)
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log, log


def test_an_evening_of_forty_phones_beside_two_hundred_readers(machine: Machine) -> None:
    ((club, _games, logins),) = generate(clubs=1, evenings=60 if LONG else 10, seed=1)
    evening = Evening()
    user = User.objects.get(username=logins[0]["login"])
    at_tables = [phones_at(make_table(club), PHONES, machine.port) for _ in range(TABLES)]
    alone: list[float] = []
    for _ in range(20):
        began = time.monotonic()
        assert save(at_tables[0][0]) == 201
        alone.append(time.monotonic() - began)
    threads = []
    for number in range(READERS):
        read = reader(club, user, machine.port, random.Random(number))
        threads.append(Thread(target=evening.every, args=(PAGE, random.Random(-number), read, evening.pages)))
    for writer, *others in at_tables:
        threads += [Thread(target=look_on, args=(phone, machine.port, evening), daemon=True) for phone in others]
        said = (
            GAME if LONG else GAME / 5,
            random.Random(len(threads)),
            lambda writer=writer: save(writer),
            evening.saves,
        )
        threads.append(Thread(target=evening.every, args=said))
    for thread in threads:
        thread.start()
    time.sleep(WARM)
    before = resident(machine)
    time.sleep(SECONDS)
    after = resident(machine)
    evening.over.set()
    for thread in threads:
        if not thread.daemon:
            thread.join()
    middle, slow = statistics.median(alone), statistics.quantiles(evening.saves, n=20)[-1]
    looked = sum((phone.answers for phones in at_tables for phone in phones), Counter[int]())
    grown = [now - then for then, now in zip(before, after, strict=True)]
    print(
        f"\none alone {middle:.3f} s, 95 % of {len(evening.saves)} games in {slow:.3f} s, middle page of {len(evening.pages)}"
        f" {statistics.median(evening.pages):.3f} s; kB grown: {grown}; {dict(evening.statuses)}, phones: {dict(looked)}"
    )
    assert set(evening.statuses) == {200, 201}
    assert set(looked) <= {200, 201, 304}
    if LONG:
        assert slow <= 5 * middle
        assert max(grown) < GROWN
