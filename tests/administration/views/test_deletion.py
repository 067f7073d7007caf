"""Delete a club: only after its present archive was downloaded and its name typed; no row of it stays."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.archive.reading.archive import read_archive
from scoring.club.actions import Actor, invite_member
from scoring.models import Club, LateEntry, Membership
from scoring.table.actions.games import Typed
from scoring.table.actions.late import keep_late_entry
from scoring.table.actions.tables import renew_link
from tests.factories import Cast, add_game, make_import, make_join_link
from tests.html import flat
from tests.months import add_supplement_to, close, make_season

pytestmark = pytest.mark.django_db

DELETE = "/c/karo/delete/"


@pytest.fixture
def admin(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.admin)
    return client


def take_along(client: Client) -> bytes:
    return client.get(reverse("archive", args=["karo"])).content


def delete(client: Client, name: str = "Karo Eins") -> int:
    return client.post(DELETE, {"name": name}).status_code


def test_the_page_says_what_goes_and_leads_to_the_archive(cast: Cast, admin: Client) -> None:
    html = " ".join(admin.get(DELETE).content.decode().split())
    assert "4 Personen" in html
    assert "1 Abend, 1 Spiel" in html
    assert "4 Zugänge gehören dann nicht mehr zu diesem Club. 4 davon gehören zu keinem anderen" in html
    assert f'href="{reverse("archive", args=["karo"])}"' in html
    assert f'href="{DELETE}"' in admin.get("/c/karo/more/").content.decode()


def test_a_club_goes_with_everything_in_it_and_could_come_back(cast: Cast, admin: Client) -> None:
    season = make_season(cast.club)
    close(season, "2026-03")
    add_game(cast.table)
    add_supplement_to(season, "2026-03")
    make_import(cast.club)
    typed = Typed(form="played", facts={"kind": "normal", "re": [0, 1], "eyes": 153}, dealer=0)
    keep_late_entry(
        table=cast.table, actor=Actor(spoken_as=cast.club.players.first()), key=LateEntry().key, after=None, typed=typed
    )
    invite_member(club=cast.club, actor=Actor(cast.admin), login=cast.stranger.username, roles=[])
    invited = make_join_link(cast.club, cast.admin).token
    token = renew_link(table=cast.table, actor=Actor(cast.scorer)).token
    assert "1 zu spät angekommenes Spiel" in admin.get(DELETE).content.decode()
    archive = take_along(admin)
    others = rows_of(cast.other_club)

    assert delete(admin) == 302

    assert not Club.objects.filter(slug="karo").exists()
    assert rows_of(cast.other_club) == others
    # The other club has no closed month, import or late entry.
    left = {model.__name__ for model in apps.get_app_config("scoring").get_models() if model.objects.exists()}
    assert left.isdisjoint({"Season", "MonthClosing", "Supplement", "Import", "LateEntry", "TableLink", "Invitation", "JoinLink"})
    assert read_archive(BytesIO(archive))["club"]["slug"] == "karo"
    assert Client().get(reverse("link_open", args=[token])).status_code == 404
    assert Client().get(reverse("join_open", args=[invited])).status_code == 404


def rows_of(club: Club) -> list[int]:
    return [club.players.count(), club.evenings.count(), club.memberships.count(), club.changes.count()]


def test_who_belonged_to_it_is_told_and_keeps_the_login(cast: Cast, admin: Client) -> None:
    reader = Client()
    reader.force_login(cast.reader)
    take_along(admin)
    answer = admin.post(DELETE, {"name": "karo"}, follow=True)
    assert "Der Club „Karo Eins“ ist gelöscht." in flat(answer)
    gone = reader.get("/c/karo/")
    assert gone.status_code == 404
    assert 'href="/"' in gone.content.decode()
    assert "Dieser Zugang gehört noch zu keinem Club." in reader.get("/").content.decode()
    assert User.objects.filter(pk=cast.reader.pk).exists()


def test_not_without_the_archive(cast: Cast, admin: Client) -> None:
    assert delete(admin) == 409
    admin.head(reverse("archive", args=["karo"]))
    assert delete(admin) == 409
    assert "Bitte zuerst das Archiv herunterladen." in admin.post(DELETE, {"name": "karo"}).content.decode()
    assert Club.objects.filter(slug="karo").exists()


def test_not_with_an_archive_of_an_earlier_state_or_of_another_session(cast: Cast, admin: Client) -> None:
    take_along(admin)
    add_game(cast.table)
    assert delete(admin) == 409
    take_along(Client())
    other = Client()
    other.force_login(cast.admin)
    take_along(other)
    assert delete(admin) == 409
    assert delete(other) == 302


def test_not_without_its_name_and_what_was_typed_stays(cast: Cast, admin: Client) -> None:
    take_along(admin)
    for name in ("", "Pik Dame", "Karo Zwei"):
        response = admin.post(DELETE, {"name": name})
        assert response.status_code == 422
        assert not name or f'value="{name}"' in response.content.decode()
    assert Club.objects.filter(slug="karo").exists()


def test_the_archive_of_another_club_is_not_enough(cast: Cast, admin: Client) -> None:
    client = Client()
    client.force_login(cast.stranger)
    client.get(reverse("archive", args=["pik"]))
    assert client.post(DELETE, {"name": "Karo Eins"}).status_code == 404
    Membership.objects.create(club=cast.other_club, user=cast.admin, admin=True)
    admin.get(reverse("archive", args=["pik"]))
    assert delete(admin) == 409
    assert admin.get(DELETE).context["taken"] is False
