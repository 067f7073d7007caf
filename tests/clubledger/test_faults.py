"""A fault of the program is found again by its number, by what the database says of it, and by nothing that a user typed."""

from __future__ import annotations

import logging.config
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as ours
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path, reverse

from clubledger import logs
from clubledger.web import errors
from scoring.club.access import Role, get_club
from scoring.models import Club, LateEntry
from tests.factories import Cast
from tests.html import assert_strict


def breaking_a_constraint(request: HttpRequest, slug: str) -> HttpResponse:
    access = get_club(request, slug, Role.READER)
    table = access.club.evenings.first().tables.first()
    with transaction.atomic():
        LateEntry.objects.create(table=table, round=table.rounds.get(), form=request.POST["who"])
    raise AssertionError


def failing(request: HttpRequest) -> HttpResponse:
    typed = "Schmidt"
    raise PermissionError(13, typed)


urlpatterns = [
    path("fail/<slug:slug>/", breaking_a_constraint),
    path("fail/", failing),
    path("", include("clubledger.urls")),
]
handler500 = "clubledger.web.errors.answer_fault"
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def asking(settings: Any, tmp_path: Path) -> Client:
    settings.VAR = tmp_path
    return Client(raise_request_exception=False)


@pytest.mark.postgres
@pytest.mark.django_db
def test_number_method_club_and_constraint_stand_in_the_log(
    asking: Client, cast: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.config.dictConfig(ours.LOGGING)
    asking.force_login(cast.reader)
    page = asking.post("/fail/karo/?q=Schmidt", {"who": "Schmidt"})
    (number,) = re.findall(r"<strong>([0-9a-f]{8})</strong>", page.content.decode())
    assert_strict(page)
    said = capsys.readouterr().err
    first = said.splitlines()[0]
    club = Club.objects.get(slug="karo").pk
    assert f"500 Internal Server Error: fail/<slug:slug>/ fault={number} method=POST club={club} " in first
    assert "error=django.db.utils.IntegrityError" in first
    assert "constraint=late_entry_form_known" in first
    assert ("sqlstate=23514" in first) is (connection.vendor == "postgresql")
    assert "Schmidt" not in said


def test_json_has_the_number_and_no_database_is_needed(asking: Client, capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(ours.LOGGING)
    answer = asking.get("/fail/", headers={"accept": "application/json"})
    assert answer.status_code == 500
    number = answer.json()["fault"]
    assert answer.json()["error"] == f"Der Fehler liegt bei uns. Im Protokoll steht er unter der Nummer {number}."
    said = capsys.readouterr().err
    assert f"fault={number} method=GET error=PermissionError errno=13\n" in said
    assert "Schmidt" not in said


def test_faults_of_the_last_days_are_counted(asking: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    (Path(ours.VAR) / "faults").write_text("2020-01-01T00:00:00+00:00 00000000\n")
    for count in (1, 2, 3):
        asking.get("/fail/")
        assert errors.count_faults() == count
    monkeypatch.setattr(errors, "MOST_BYTES", 60)
    asking.get("/fail/")
    assert [len(file.read_text().splitlines()) for file in sorted(Path(ours.VAR).glob("faults*"))] == [1, 4]
    assert errors.count_faults() == 4


@pytest.mark.django_db
def test_the_page_of_the_installation_counts_them(asking: Client, cast: Cast) -> None:
    cast.admin.is_superuser = True
    cast.admin.save()
    asking.get("/fail/")
    asking.force_login(cast.admin)
    assert "Fehler in den letzten 7 Tagen</dt><dd>1</dd>" in asking.get(reverse("installation")).content.decode()


def test_some_an_hour_are_mailed(asking: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Now:
        def __init__(self, target: Callable[..., None], args: tuple[object, ...], daemon: bool) -> None:
            self.start = lambda: target(*args)

    monkeypatch.setattr(logs, "Thread", Now)
    settings.ERROR_MAIL = ["olaf@example.org"]
    mailing = logs.FaultMail()
    mailing.setFormatter(logs.LogLine("%(message)s"))
    mailing.addFilter(logs.EntryFilter())
    log = logging.getLogger("django.request")
    log.addHandler(mailing)
    try:
        for _ in range(mailing.MAX_PER_HOUR + 2):
            asking.get("/fail/")
        asking.get("/nowhere/")
    finally:
        log.removeHandler(mailing)
    assert len(mail.outbox) == mailing.MAX_PER_HOUR
    assert re.match(r"Club Ledger: 500 Internal Server Error: fail/ fault=[0-9a-f]{8} ", mail.outbox[0].subject)
    assert "Traceback (most recent call last):" in mail.outbox[0].body
    assert "Schmidt" not in mail.outbox[0].subject + mail.outbox[0].body


def test_an_integrity_error_of_another_kind_names_no_constraint() -> None:
    for said in ("UNIQUE constraint failed: Schmidt", "Schmidt", "FOREIGN KEY constraint failed"):
        assert logs._get_constraint_of_sqlite(IntegrityError(said)) is None
    both = "UNIQUE constraint failed: scoring_player.club_id, scoring_player.name"
    assert logs._get_constraint_of_sqlite(IntegrityError(both)) == "scoring_player.club_id,scoring_player.name"
