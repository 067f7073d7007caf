"""Backups while phones write as fast as they can: each one, put back elsewhere, is verified and holds every line that was
answered as saved before it began. One in every run, twenty with `make soak`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.factories import make_club, make_table
from tests.installation import installed
from tests.soak.test_phones import phones_at, port, short_and_long

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["port"]


@pytest.mark.parametrize("times", short_and_long(1, 20))
def test_backups_under_load(port: int, times: int, tmp_path: Path) -> None:
    club = make_club(slug="soak")
    phones = [phone for _ in range(2) for phone in phones_at(make_table(club), 2, port)]
    over = threading.Event()
    with (
        installed(tmp_path, f"clubledger_restored_{os.getpid()}") as elsewhere,
        ThreadPoolExecutor(len(phones)) as pool,
    ):
        playing = [pool.submit(phone.play, over.is_set) for phone in phones]
        try:
            for n in range(times):
                wait_for(lambda n=n: all(len(phone.saved) > n for phone in phones))
                saved = {key for phone in phones for key in phone.saved}
                call_command("backup", to=tmp_path / "backups", keep=times)
                file = sorted((tmp_path / "backups").iterdir())[-1]
                elsewhere.alone()
                elsewhere.done("restore", file, *(["--overwrite"] if n else []))
                assert "Alles stimmt: 2 Tische" in elsewhere.done("verify")
                there = {str(key).replace("-", "") for (key,) in elsewhere.ask("SELECT key FROM scoring_game")}
                assert {key.hex for key in saved} <= there
        finally:
            over.set()
    for done in playing:
        done.result()


def wait_for(true: Callable[[], bool]) -> None:
    """Until it is so; what is asked for happens by itself as long as anybody plays."""
    given_up = threading.Event()
    for _ in range(2400):
        if true():
            return
        given_up.wait(0.1)
    raise AssertionError("nobody plays any more")
