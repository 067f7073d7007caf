"""The real server while somebody guesses passwords: the game goes on. And it tidies up by itself."""

from __future__ import annotations

import datetime
import random
import time
from functools import partial
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.utils import timezone

from scoring.models import Game, Session
from tests.factories import PASSWORD, make_club, make_table, make_user
from tests.server import PATIENCE, free_port, running
from tests.soak.test_phones import Answer, Phone, at_once, new_game, phones_at, told

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 30
# Seconds that a line may take on a machine that is busy with other things as well; quiet it is a tenth of one.
SOON = 15


def log_in(phone: Phone, name: str, password: str) -> Answer:
    return phone.ask("POST", "/login/", urlencode({"username": name, "password": password}))


def test_thirty_wrong_logins_at_once_hold_up_nobody_at_the_table(tmp_path: Path) -> None:
    club = make_club(slug="soak")
    table, login = make_table(club), make_user("rita", club)
    login.password = make_password(PASSWORD, hasher=PBKDF2PasswordHasher())
    login.save()
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
