"""The real server while eight people log in at once, all of whom get in, and while passwords are guessed: the game goes on. And
it tidies up by itself."""

from __future__ import annotations

import datetime
import random
import time
from functools import cache, partial
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.contrib.auth.models import User
from django.utils import timezone

from scoring.models import Game, Session
from tests.factories import PASSWORD, make_club, make_table, make_user
from tests.server import PATIENCE, free_port, running
from tests.soak.test_phones import Answer, Phone, at_once, new_game, phones_at, told

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 30
# A club that sits down: so many right logins in the same moment all get in.
CLUB = 8
# Seconds that a line may take on a machine that is busy with other things as well; quiet it is a tenth of one.
SOON = 15


def log_in(phone: Phone, name: str, password: str) -> Answer:
    return phone.ask("POST", "/login/", urlencode({"username": name, "password": password}))


@cache
def hashed() -> str:
    """The password of the tests as the real server hashes it."""
    return make_password(PASSWORD, hasher=PBKDF2PasswordHasher())


def hashed_as_ever(login: User) -> None:
    login.password = hashed()
    login.save()


def test_eight_right_logins_at_once_all_get_in(tmp_path: Path) -> None:
    club = make_club(slug="soak")
    table = make_table(club)
    names = [f"mitglied-{number}" for number in range(CLUB)]
    for name in names:
        hashed_as_ever(make_user(name, club))
    port = free_port()
    with running(tmp_path / "var", port, tmp_path / "log", collected=True, **told()):
        phones = [Phone(port, table, random.Random(name)) for name in names]
        for phone in phones:
            phone.ask("GET", "/login/")
        logins = [partial(log_in, phone, name, PASSWORD) for phone, name in zip(phones, names, strict=True)]
        assert [answer.status for answer in at_once(logins)] == [302] * CLUB
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_thirty_wrong_logins_at_once_hold_up_nobody_at_the_table(tmp_path: Path) -> None:
    club = make_club(slug="soak")
    table, login = make_table(club), make_user("rita", club)
    hashed_as_ever(login)
    over = timezone.now() - datetime.timedelta(days=1)
    Session.objects.create(session_key="vorbei", session_data="", expire_date=over)
    port = free_port()
    with running(tmp_path / "var", port, tmp_path / "log", collected=True, **told()):
        (scorer,) = phones_at(table, 1, port)
        crowd = [Phone(port, table, random.Random(n)) for n in range(CROWD)]
        for phone in crowd:
            phone.ask("GET", "/login/")

        answers: list[Answer] = []
        flood = Thread(
            target=lambda: answers.extend(
                at_once([partial(log_in, phone, f"niemand-{n}", "falsch") for n, phone in enumerate(crowd)])
            )
        )
        flood.start()
        keys, took = [], []
        while flood.is_alive() or len(keys) < 5:
            game = new_game(uuid4(), keys[-1] if keys else "", random.Random(len(keys)))
            began = time.monotonic()
            assert scorer.send(game).status == 201
            took.append(time.monotonic() - began)
            keys.append(game["key"])
        flood.join()

        print(f"{len(keys)} lines, the slowest in {max(took):.2f} s")
        assert max(took) < SOON
        assert Game.objects.count() == len(keys)
        statuses = {answer.status for answer in answers}
        assert len(answers) == CROWD
        assert statuses == {422, 503}, "some were compared, the others hear when to come again"
        assert log_in(crowd[0], "rita", PASSWORD).status == 302

        give_up = time.monotonic() + PATIENCE
        while Session.objects.filter(session_key="vorbei").exists():
            assert time.monotonic() < give_up, "the server has not tidied up"
            time.sleep(0.1)
    assert "Traceback" not in (tmp_path / "log").read_text()
