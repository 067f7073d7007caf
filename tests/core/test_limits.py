"""The limit of slow work across processes: 503 with Retry-After if all slots are taken, and games can still be saved."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from scoring.archive.actions import keep_archive
from scoring.core.limits import SLOW_JOBS, Busy, limit_slow_work
from scoring.models import Game, Import
from tests.factories import Cast, make_import, take_import

pytestmark = pytest.mark.django_db

HOLD = """
import sys, time
import django
django.setup()
from scoring.core.limits import limit_slow_work
with limit_slow_work():
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def var(tmp_path: Path, settings: Any) -> Path:
    settings.VAR = tmp_path
    return tmp_path


@contextmanager
def slot_in_another_process(var: Path) -> Iterator[subprocess.Popen[str]]:
    """Hold a slot in another process, until it is killed."""
    environment = {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "clubledger.settings", "PYTHONPATH": "."}
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@contextmanager
def all_slots() -> Iterator[None]:
    """Take all slots one after the other, as threads of this process do."""
    with limit_slow_work(), limit_slow_work():
        assert SLOW_JOBS == 2
        yield


@pytest.fixture
def admin(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.admin)
    return client


def line(client: Client, cast: Cast) -> Any:
    typed = {"key": str(uuid4()), "after": str(cast.game.key), "kind": "normal", "re": [0, 1], "eyes": 130}
    return client.post(reverse("games", args=["karo", cast.table.pk]), typed, "application/json")


def test_the_third_export_gets_503_and_a_game_is_saved(cast: Cast, admin: Client, var: Path) -> None:
    """Slots are counted across processes, and a killed process frees its slot."""
    page = reverse("club_excel", args=["karo"])
    with slot_in_another_process(var) as other:
        assert admin.get(page).status_code == 200
        with limit_slow_work():
            response = admin.get(page)
            assert (response.status_code, response.headers["Retry-After"]) == (503, "10")
            assert "noch einmal" in response.content.decode()
            assert line(admin, cast).status_code == 201
            other.kill()
            other.wait()
            assert admin.get(page).status_code == 200
    assert Game.objects.filter(round__table=cast.table).count() == 2


def test_a_slot_is_released_after_an_exception(db: None) -> None:
    for _ in range(SLOW_JOBS + 1):
        with pytest.raises(ZeroDivisionError), limit_slow_work():
            raise ZeroDivisionError
    with all_slots(), pytest.raises(Busy), limit_slow_work():
        raise AssertionError("there are no more")


def test_every_export_needs_a_slot(cast: Cast, admin: Client) -> None:
    stranger = Client()
    stranger.force_login(cast.stranger)
    for name, more, query in (
        ("club_excel", [], ""), ("club_csv", [], ""), ("archive", [], ""), ("standings_excel", [], ""),
        ("evening_excel", [cast.table.evening_id], ""), ("export_csv", ["games"], ""),
        ("whatif", [], f"?all=1&rules={cast.table.rule_set_id}"),
    ):
        page = reverse(name, args=["karo", *more]) + query
        with all_slots():
            assert admin.get(page).status_code == 503
            assert admin.get(page, headers={"Accept": "application/json"}).json()["error"].startswith("Gerade")
            assert stranger.get(page).status_code == 404, "who may not have it learns nothing else"
        assert admin.get(page).status_code == 200


def test_imports_need_a_slot_and_stay_unchanged_without_one(cast: Cast, admin: Client) -> None:
    """A list and an archive: upload, preview, import and undo. What is uploaded stays."""
    waiting, taken = make_import(cast.club, actor=cast.admin), take_import(make_import(cast.club))
    keep_archive(user=cast.admin, text=(settings.BASE_DIR / "fixtures" / "archive.json").read_text())
    upload = {"file": SimpleUploadedFile("liste.csv", b"Datum;Anna\n1.1.2020;3\n")}
    before = list(Import.objects.values_list())
    with all_slots():
        for page, sent in (
            (reverse("imports", args=["karo"]), upload),
            (reverse("import", args=["karo", waiting.pk]), {"take": "1"}),
            (reverse("import_undo", args=["karo", taken.pk]), {}),
            (reverse("archive_upload"), upload),
            (reverse("archive_preview"), {"seen": "x"}),
        ):
            assert admin.post(page, sent).status_code == 503, page
        assert admin.get(reverse("import", args=["karo", waiting.pk])).status_code == 503
        assert admin.get(reverse("archive_preview")).status_code == 503
        assert admin.get(reverse("imports", args=["karo"])).status_code == 200
    assert list(Import.objects.values_list()) == before
    assert admin.get(reverse("archive_preview")).status_code == 200
    assert admin.get(reverse("import", args=["karo", waiting.pk])).status_code == 200
