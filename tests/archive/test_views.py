"""The pages of archives: download, upload, preview, import, refusals, and undo as long as the club has not changed."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from scoring.archive import views
from scoring.archive.actions import keep_archive
from scoring.archive.queries import build_archive, format_archive
from scoring.archive.reading.archive import MAX_UNPACKED, read_archive, unpack
from scoring.club.actions import Actor, add_member
from scoring.models import Change, Club, Player, Table, Verb, WaitingArchive
from tests.effort import some
from tests.factories import Cast, add_game, make_import, make_user
from tests.html import text

pytestmark = pytest.mark.django_db

UPLOAD, WAITING = "/archives/", "/archives/waiting/"
ARCHIVE = (Path(__file__).parents[2] / "fixtures/archive.json").read_bytes()
SLUG = json.loads(ARCHIVE)["club"]["slug"]


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Validate uploads in this process, because starting another one takes a second (reading/test_lines.py starts it)."""
    monkeypatch.setattr(views, "validate_upload", lambda data: format_archive(read_archive(BytesIO(unpack(data)))))


@pytest.fixture
def admin(cast: Cast) -> Client:
    """Return an admin of another club, on a server without the club of the archive."""
    Club.objects.filter(slug=SLUG).update(slug="hier")
    client = Client()
    client.force_login(cast.admin)
    return client


def upload(client: Client, data: bytes, name: str = "archiv.json") -> HttpResponse:
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, data)})


def take(client: Client, data: bytes | None = None) -> HttpResponse:
    """Upload the archive, open the preview and import it."""
    if data:
        upload(client, data)
    return client.post(WAITING, {"seen": client.get(WAITING).context["waiting"].digest})


def packed(*parts: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    body = BytesIO()
    with zipfile.ZipFile(body, "w", how) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return body.getvalue()


def everything() -> dict[str, list[Any]]:
    """Return all rows of all tables but uploaded archives."""
    models = [model for model in apps.get_app_config("scoring").get_models() if model is not WaitingArchive]
    return {model.__name__: sorted(model.objects.values_list(), key=str) for model in models}


# --- Looking, and taking in -------------------------------------------------------------------------------------------


def test_the_preview_says_what_is_in_it_and_changes_nothing(admin: Client) -> None:
    before, said = everything(), json.loads(ARCHIVE)
    assert upload(admin, ARCHIVE)["Location"] == WAITING
    page = admin.get(WAITING)
    contents = page.context["contents"]

    assert (contents["name"], contents["slug"]) == (said["club"]["name"], SLUG)
    assert contents["people"] == len([row for row in said["players"] if row["merged_into"] is None])
    assert contents["lines"] == len([row for row in said["games"] if not row["deleted"]])
    days = sorted(row["held_on"] for row in said["evenings"])
    assert [day.isoformat() for day in contents["days"]] == [days[0], days[-1]]
    assert f"{len(days)} Abende vom" in text(page)
    assert ", ".join(contents["rule_sets"]) in text(page)
    assert ", ".join(contents["seasons"]) in text(page)
    assert f"{contents['closed_months']} abgeschlossene" in text(page)
    assert everything() == before


def test_it_becomes_a_club_of_its_own_run_by_who_took_it_in(admin: Client, cast: Cast) -> None:
    others = build_archive(cast.club), build_archive(cast.other_club)
    assert take(admin, ARCHIVE)["Location"] == f"/c/{SLUG}/archive/taken/"

    club = Club.objects.get(slug=SLUG)
    assert build_archive(club) == ARCHIVE
    assert (build_archive(cast.club), build_archive(cast.other_club)) == others
    assert list(club.memberships.values_list("user__username", "admin")) == [("anna", True)]
    assert Change.objects.get(club=club, verb=Verb.ARCHIVE_TAKEN).actor == cast.admin
    assert not WaitingArchive.objects.exists()
    assert f'href="/c/{SLUG}/archive/taken/"' in text(admin.get(f"/c/{SLUG}/imports/"))
    assert "/archive/taken/" not in text(admin.get("/c/hier/imports/"))


def test_one_may_be_packed_and_a_large_one_need_not_be(admin: Client) -> None:
    """The size limit is larger than that of other pages: a file below it arrives as a whole."""
    assert "manage.py archive import" in text(admin.get(UPLOAD))
    large = ARCHIVE + b"\n" * (MAX_UNPACKED - len(ARCHIVE))
    (fault,) = upload(admin, large).context["form"].errors["file"]
    assert "ist nicht so geschrieben" in fault
    upload(admin, packed(("karo.json", ARCHIVE), ("__MACOSX/._karo.json", b"x")), "karo.zip")
    assert WaitingArchive.objects.get().text.encode() == ARCHIVE


def test_nothing_is_uploaded_from_another_page(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.admin)
    assert upload(client, ARCHIVE).status_code == 403
    token = client.get(UPLOAD).cookies["csrftoken"].value
    assert upload(client, b"x").status_code == 403
    said = {"file": SimpleUploadedFile("archiv.json", b"x"), "csrfmiddlewaretoken": token}
    assert client.post(UPLOAD, said).status_code == 422
    assert not WaitingArchive.objects.exists()


def test_an_upload_is_private_and_can_be_discarded(admin: Client, cast: Cast) -> None:
    upload(admin, ARCHIVE)
    other = Client()
    other.force_login(cast.stranger)
    assert other.get(WAITING)["Location"] == UPLOAD
    other.post("/archives/discard/")
    assert 'href="/archives/waiting/"' in text(admin.get(UPLOAD))
    admin.post("/archives/discard/")
    assert not WaitingArchive.objects.exists()
    assert admin.get(WAITING)["Location"] == UPLOAD


# --- What is refused --------------------------------------------------------------------------------------------------


def spoiled(**club: Any) -> bytes:
    document = json.loads(ARCHIVE)
    document["club"].update(club)
    return format_archive(document).encode()


def test_what_is_no_archive_is_refused_with_its_reason(admin: Client) -> None:
    before, deep, made_up = everything(), json.loads(ARCHIVE), json.loads(ARCHIVE)
    nested: Any = []
    for _ in range(400):
        nested = [nested]
    deep["games"][0]["facts"] = {"kind": nested}
    closing = made_up["closings"][0]
    closing["content"] = closing["content"].replace("März", "Mai").replace("result", "Result")
    for data, said in (
        (b"Datum;Anton\n01.02.24;3", "kein JSON"),
        (b"[" * 5000, "kein JSON"),
        (ARCHIVE.replace(b'"place": 0', b'"platz": 0', 1), "seats[1]"),
        (b"PK\x03\x04 nothing of the kind", "beschädigt"),
        (packed(("a.json", ARCHIVE), ("b.json", ARCHIVE)), "nur das Archiv"),
        (packed(("a.json", ARCHIVE), how=zipfile.ZIP_LZMA), "nur das Archiv"),
        (packed(("bomb.json", b" " * (MAX_UNPACKED + 1))), "zu groß"),
        (b" " * (MAX_UNPACKED + 1), "zu groß"),
        (b" " * (MAX_UNPACKED + 700_000), "zu groß"),
        (format_archive(deep).encode(), "games[1].facts"),
        (format_archive(made_up).encode(), "closings[1].content.rows[0].result: "),
    ):
        answer = upload(admin, data)
        assert answer.status_code == 422
        assert said in " ".join(answer.context["form"].errors["file"]), said
    assert not WaitingArchive.objects.exists()
    assert everything() == before


def test_a_club_that_is_here_is_not_taken_in(admin: Client) -> None:
    Club.objects.filter(slug="hier").update(slug=SLUG)
    upload(admin, ARCHIVE)
    page = admin.get(WAITING)
    assert f"Unter /c/{SLUG}/ gibt es hier schon einen Club" in text(page)
    assert "Als eigenen Club einlesen" not in text(page)
    before = everything()
    answer = admin.post(WAITING, {"seen": page.context["waiting"].digest})
    assert answer.status_code == 422
    assert everything() == before


def test_a_copy_of_a_club_that_is_here_is_not_taken_in_under_another_address(admin: Client) -> None:
    """A line stands once on the whole server. A second tap on the import finds no archive."""
    upload(admin, ARCHIVE)
    seen = {"seen": admin.get(WAITING).context["waiting"].digest}
    assert admin.post(WAITING, seen).status_code == 302
    assert admin.post(WAITING, seen)["Location"] == UPLOAD
    upload(admin, spoiled(slug="kopie"))
    before = everything()
    answer = take(admin)
    assert answer.status_code == 422
    assert "steht doppelt da" in text(answer)
    assert everything() == before


def test_only_what_was_seen_is_taken_in(admin: Client, cast: Cast) -> None:
    upload(admin, ARCHIVE)
    seen = {"seen": admin.get(WAITING).context["waiting"].digest}
    upload(admin, spoiled(name="Ein anderer"))
    answer = admin.post(WAITING, seen)
    assert answer.status_code == 422
    assert "inzwischen ein anderes" in text(answer)
    assert not Club.objects.filter(slug=SLUG).exists()
    assert answer.context["contents"]["name"] == "Ein anderer"


def test_who_runs_no_club_here_brings_none_along(cast: Cast) -> None:
    for user in (cast.reader, cast.scorer, cast.treasurer, make_user("neu")):
        client = Client()
        client.force_login(user)
        keep_archive(user=user, text=ARCHIVE.decode())
        assert client.get(UPLOAD).status_code == 403
        assert client.post(WAITING, {"seen": WaitingArchive.objects.get(user=user).digest}).status_code == 403
    assert not Club.objects.filter(name=json.loads(ARCHIVE)["club"]["name"]).exclude(pk=cast.club.pk).exists()


# --- Taking back ------------------------------------------------------------------------------------------------------


def test_it_goes_again_as_one_step(admin: Client) -> None:
    before = everything()
    take(admin, ARCHIVE)
    assert "Das geht, solange" in text(admin.get(f"/c/{SLUG}/archive/taken/"))
    answer = admin.post(f"/c/{SLUG}/archive/undo/", follow=True)

    assert "ist nicht mehr hier" in text(answer)
    assert everything() == before
    assert take(admin, ARCHIVE).status_code == 302


def another_game(club: Club, user: User) -> None:
    add_game(Table.objects.filter(evening__club=club, without_games=False).last())


def another_admin(club: Club, user: User) -> None:
    add_member(club=club, actor=Actor(user), login=make_user("zweiter").username, roles=["admin"])


def a_file(club: Club, user: User) -> None:
    make_import(club)


def past_the_program(club: Club, user: User) -> None:
    Player.objects.filter(club=club, merged_into=None).update(guest=True)


@pytest.mark.parametrize("change", some([another_game, past_the_program, another_admin, a_file], 2))
def test_a_club_in_which_something_happened_stays(admin: Client, cast: Cast, change: Any) -> None:
    take(admin, ARCHIVE)
    club = Club.objects.get(slug=SLUG)
    change(club, cast.admin)
    before = everything()
    answer = admin.post(f"/c/{SLUG}/archive/undo/", follow=True)

    assert "lässt sich nicht mehr zurücknehmen" in text(answer)
    assert everything() == before


def test_a_club_that_was_founded_here_is_not_removed(admin: Client) -> None:
    before = everything()
    assert "lässt sich nicht mehr" in text(admin.post("/c/hier/archive/undo/", follow=True))
    assert everything() == before
    assert admin.get("/c/hier/archive/taken/").status_code == 404
