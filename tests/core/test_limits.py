"""What takes long has few places in all processes together: who finds none hears when to come again, and a line of a game is
saved meanwhile."""

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

from scoring.archive.actions.archive import keep_archive
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
def elsewhere(var: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has one of the places until it is killed."""
    environment = {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "clubledger.settings", "PYTHONPATH": "."}
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(
        command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@contextmanager
def all_places() -> Iterator[None]:
    """One after the other, as threads of this process take them."""
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


def test_the_third_is_sent_away_and_the_line_is_saved(cast: Cast, admin: Client, var: Path) -> None:
    """Places are counted across processes, and one that was killed has none."""
    page = reverse("club_excel", args=["karo"])
    with elsewhere(var) as other:
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


def test_a_place_is_free_again_whatever_happens(db: None) -> None:
    for _ in range(SLOW_JOBS + 1):
        with pytest.raises(ZeroDivisionError), limit_slow_work():
            raise ZeroDivisionError
    with all_places(), pytest.raises(Busy), limit_slow_work():
        raise AssertionError("there are no more")


@pytest.mark.parametrize(
    "name", ["club_excel", "club_csv", "archive", "standings_excel", "evening_excel", "table_csv", "whatif"]
)
def test_every_file_needs_a_place(cast: Cast, admin: Client, name: str) -> None:
    more = {"evening_excel": [cast.table.evening_id], "table_csv": ["games"]}
    page = reverse(name, args=["karo", *more.get(name, [])])
    if name == "whatif":
        page += f"?all=1&rules={cast.table.rule_set_id}"
    with all_places():
        assert admin.get(page).status_code == 503
        assert admin.get(page, headers={"Accept": "application/json"}).json()["error"].startswith("Gerade")
        stranger = Client()
        stranger.force_login(cast.stranger)
        assert stranger.get(page).status_code == 404, "who may not have it learns nothing else"
    assert admin.get(page).status_code == 200


def test_what_is_brought_along_needs_a_place_and_is_kept(cast: Cast, admin: Client) -> None:
    """A list and an archive: uploading, looking, taking in, and taking back. What waits still waits."""
    waiting, taken = make_import(cast.club, actor=cast.admin), take_import(make_import(cast.club))
    keep_archive(user=cast.admin, text=(settings.BASE_DIR / "fixtures" / "archive.json").read_text())
    upload = {"file": SimpleUploadedFile("liste.csv", b"Datum;Anna\n1.1.2020;3\n")}
    before = list(Import.objects.values_list())
    with all_places():
        for page, sent in (
            (reverse("imports", args=["karo"]), upload),
            (reverse("import", args=["karo", waiting.pk]), {"take": "1"}),
            (reverse("import_undo", args=["karo", taken.pk]), {}),
            (reverse("archive_upload"), upload),
            (reverse("archive_waiting"), {"seen": "x"}),
        ):
            assert admin.post(page, sent).status_code == 503, page
        assert admin.get(reverse("import", args=["karo", waiting.pk])).status_code == 503
        assert admin.get(reverse("archive_waiting")).status_code == 503
        assert admin.get(reverse("imports", args=["karo"])).status_code == 200
    assert list(Import.objects.values_list()) == before
    assert admin.get(reverse("archive_waiting")).status_code == 200
    assert admin.get(reverse("import", args=["karo", waiting.pk])).status_code == 200
