"""Several processes serve one PostgreSQL, on one machine (WORKERS) or on two: an evening is played over all of them by chance
while one is killed, a quiet phone hears of what another process has stored, and everything stops as with one. Short in every
run, long with `make soak`."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse

from scoring.accounts.passwords import Hasher
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Game
from scoring.table.views.live import BEAT
from tests.factories import PASSWORD, make_club, make_table, make_user
from tests.server import PATIENCE, TOO_LONG, ask, free_port, heard, running, told
from tests.soak.test_phones import Answer, Phone, everything_fits, new_game, phones_at, short_and_long

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite is served by one process"),
]


class Machine(NamedTuple):
    server: subprocess.Popen[bytes]
    port: int

    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split()
        # Python has a child of its own beside them.
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@dataclass
class Wanderer(Phone):
    """A phone whose every request goes through one of these doors, whichever; one behind which nobody is it tries no more."""

    doors: Sequence[int] = ()

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        self.port = self.dice.choice(self.doors)
        return super().ask(method, path, body, **headers)

    def play_on(self, until: Callable[[], object]) -> None:
        """Whatever happens to the line, what was not answered is sent again."""
        while not until():
            with suppress(OSError, HTTPException):
                self.play(until)


def evening(doors: Sequence[int]) -> list[Wanderer]:
    """Four tables of a club, three phones at each that came by its link."""
    club = make_club(slug="soak")
    phones = [phone for _ in range(4) for phone in phones_at(make_table(club), 3, doors[0])]
    return [Wanderer(phone.port, phone.table, phone.dice, phone.cookies, doors=doors) for phone in phones]


@contextmanager
def two_machines(place: Path, workers_of_one: int = 1) -> Iterator[list[Machine]]:
    """Two installations of one database, each with a folder of its own; two processes serve on the second one."""
    with ExitStack() as stack:
        machines = []
        for number, workers in enumerate((workers_of_one, 2)):
            port, var = free_port(), place / f"var-{number}"
            more = {**told(), "DEMO": "0", "WORKERS": f"{workers}"}
            server = stack.enter_context(running(var, port, place / f"log-{number}", collected=True, **more))
            machines.append(Machine(server, port))
        yield machines


@pytest.fixture(scope="module")
def machines(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any
) -> Iterator[list[Machine]]:
    with django_db_blocker.unblock(), two_machines(tmp_path_factory.mktemp("machines")) as machines:
        yield machines


def until(true: Callable[[], bool], said: str) -> None:
    """Wait for what comes, however busy the machine is."""
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up, said
        time.sleep(0.05)


def played(phones: Sequence[Wanderer], kills: Sequence[Callable[[], object]], seconds: float) -> None:
    """All at once, one death after each part of the time; then whatever still waits. What was answered as saved is what is
    stored, each once."""
    over, before = Event(), 0

    def some_more_are_saved() -> bool:
        return sum(len(phone.saved) for phone in phones) > before

    with ThreadPoolExecutor(len(phones)) as pool:
        playing = [pool.submit(phone.play_on, over.is_set) for phone in phones]
        try:
            for die in kills:
                time.sleep(seconds)
                until(some_more_are_saved, "it was killed in the middle of an evening")
                before = sum(len(phone.saved) for phone in phones)
                die()
            time.sleep(seconds)
            until(some_more_are_saved, "the others went on")
        finally:
            over.set()
        for phone in playing:
            phone.result()
    for phone in phones:
        phone.play_on(lambda phone=phone: phone.waiting is None)
    saved = [key for phone in phones for key in phone.saved]
    print(f"\n{len(phones)} phones, {len(kills)} killed, {len(saved)} saved")
    assert sorted(saved) == sorted(Game.objects.values_list("key", flat=True))
    everything_fits(len(saved))


def lives(pid: int) -> bool:
    """One that has ended and that nobody has asked after does not."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


# --- An evening -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", short_and_long(1, 20))
def test_a_process_that_dies_is_followed_by_another(machines: list[Machine], times: int) -> None:
    (_one, two), dice = machines, random.Random(7)
    until(lambda: len(two.workers()) == 2, "two processes serve")
    first = two.workers()
    phones = evening([machine.port for machine in machines])
    played(phones, [lambda: os.kill(dice.choice(two.workers()), signal.SIGKILL)] * times, 2)
    until(lambda: len(now := two.workers()) == 2 and set(now) != set(first), "another one takes its place")
    assert " died" in Path(f"/proc/{two.server.pid}/fd/1").read_text(), "the log says so"
    assert ask(f"http://127.0.0.1:{two.port}/healthz")[0] == 200


@pytest.mark.parametrize("seconds", short_and_long(2, 60))
def test_a_machine_dies_and_the_other_goes_on(tmp_path: Path, seconds: float) -> None:
    """The supervisor of one is killed, that of the other stops at last. None of their processes is left behind: a connection
    that is held does not keep them."""
    with two_machines(tmp_path, workers_of_one=2) as (one, two), ExitStack() as lines:
        phones = evening([one.port, two.port])
        until(lambda: len(one.workers()) == 2, "two processes serve")
        orphans = one.workers()

        def die() -> None:
            held(phones[0], one.port, lines)
            one.server.kill()
            assert one.server.wait(PATIENCE) == -signal.SIGKILL
            for phone in phones:
                phone.doors = [two.port]

        played(phones, [die], seconds)
        until(lambda: not any(map(lives, orphans)), "none is left behind")
        workers = two.workers()
        held(phones[0], two.port, lines)
        two.server.send_signal(signal.SIGTERM)
        assert two.server.wait(PATIENCE) == 0
        until(lambda: not any(map(lives, workers)), "none is left behind")
    for log in tmp_path.glob("log-*"):
        assert "Traceback" not in log.read_text()
        assert TOO_LONG not in log.read_text(), "less than the ten seconds that what has begun is given"


# --- What one of them stores ----------------------------------------------------------------------------------------


def held(phone: Phone, port: int, stack: ExitStack) -> Any:
    """The connection of a quiet phone at this door, once it has heard that it is held."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    stack.callback(line.close)
    cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    line.request(
        "GET", reverse("live", args=[phone.table.evening.club.slug, phone.table.pk]), headers={"Cookie": cookies}
    )
    answer = line.getresponse()
    assert (answer.status, answer.read(len(BEAT))) == (200, BEAT)
    return answer


def test_a_quiet_phone_hears_of_what_another_process_stored(machines: list[Machine]) -> None:
    """Also after the connection was lost on which the processes hear of each other."""
    one, two = machines
    with ExitStack() as lines:
        quiet, busy = phones_at(make_table(make_club(slug="soak")), 2, one.port)
        busy.port, answer, last = two.port, held(quiet, one.port, lines), ""
        took = []
        for _ in range(3):
            last, seconds = hears(answer, busy, last)
            took.append(seconds)
        assert min(took) < 2, "where the machine does nothing else"
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query LIKE 'LISTEN%%'"
            )
        assert heard(answer) == b"data:\n\n", "something may have been missed"
        hears(answer, busy, last)


def hears(answer: Any, busy: Phone, last: str) -> tuple[str, float]:
    """Of a game behind this one; answers its key, and after how many seconds."""
    game = new_game(uuid4(), last, random.Random(11))
    assert busy.send(game).status == 201
    began = time.monotonic()
    assert re.fullmatch(rb"data:\d+\n\n", heard(answer))
    return str(game["key"]), time.monotonic() - began


# --- What all of them know ------------------------------------------------------------------------------------------


def test_who_is_logged_in_what_came_late_and_wrong_passwords_are_known_to_all(machines: list[Machine]) -> None:
    """What one machine was told counts at the other as well."""
    one, two = machines
    club = make_club(slug="soak")
    admin, table = make_user("vera", club, ["admin"]), make_table(club)
    # As a server hashes it.
    admin.password = Hasher().encode(PASSWORD, "salt")
    admin.save()
    (phone,) = phones_at(table, 1, one.port)
    close_evening(evening=table.evening, actor=Actor(admin))
    game = new_game(uuid4(), "", phone.dice)
    assert phone.send(game).status == 202, "it waits for whoever decides"

    token = {settings.CSRF_COOKIE_NAME: "a" * 32}
    desk = Phone(two.port, table, phone.dice, {**token})
    assert _log_in(desk, PASSWORD) == 302
    desk.port = one.port
    assert desk.ask("GET", reverse("table", args=[club.slug, table.pk])).status == 200, (
        "the same login at the other one"
    )
    desk.port = two.port
    enter = reverse("late_enter", args=[club.slug, table.pk, game["key"]])
    assert desk.ask("POST", enter, "confirm=1").status == 302
    assert str(Game.objects.get().key) == game["key"]

    thief = Phone(one.port, table, phone.dice, {**token})
    statuses = []
    for machine in (one, two, one, two, one, two):
        thief.port = machine.port
        statuses.append(_log_in(thief, "falsch"))
    assert statuses == [422, 422, 422, 422, 429, 429]


def _log_in(phone: Phone, password: str) -> int:
    return phone.ask("POST", reverse("login"), urlencode({"username": "vera", "password": password})).status
