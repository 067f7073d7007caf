"""The demo club of a visitor: one tap makes it, for a day."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.accounts.actions import create_join_link, join
from scoring.administration import actions as tidying
from scoring.administration.actions import found_by_link, keep_history
from scoring.administration.queries import list_club_sizes, read_installation
from scoring.cash.tariff.actions import change_tariff
from scoring.club.actions import Actor, LoginUnknown, add_member, add_new_login, change_visibility, invite_member
from scoring.club.models import OF_VISITOR, VISIBILITY_FIELDS
from scoring.core.errors import ActionRefused
from scoring.demo import visitors
from scoring.demo.cast import get_day
from scoring.demo.kasse import GENERATED_TARIFF
from scoring.demo.views import DAILY_LIMIT
from scoring.models import (
    Change,
    Club,
    Evening,
    Game,
    Membership,
    MonthClosing,
    Player,
    Season,
    Session,
    Supplement,
    Table,
)
from scoring.table.actions.tables import renew_link
from tests import fake_clock
from tests.effort import in_soak
from tests.factories import PASSWORD, Cast, make_join_link, make_user
from tests.imports.uploads import verified

pytestmark = pytest.mark.django_db
TAP = "/demo/"


def tapped(client: Client | None = None, address: str = "192.0.2.1") -> Table:
    """Return the table that a tap opens."""
    response = (client or Client()).post(TAP, REMOTE_ADDR=address)
    assert response.status_code == 302
    return Table.objects.select_related("evening__club").get(pk=response.headers["Location"].split("/")[-2])


def visitor_of(club: Club) -> User:
    return User.objects.get(memberships__club=club)


EVERY_DAY = [datetime.date(2028, 1, 1) + datetime.timedelta(days=number) for number in range(366)]


def test_on_every_day_there_are_evenings_in_the_two_months_before() -> None:
    for day in EVERY_DAY + [day.replace(year=2027) for day in EVERY_DAY if (day.month, day.day) != (2, 29)]:
        days = visitors.list_evening_days(day)
        assert days == sorted(set(days)) and days[-1] == day - datetime.timedelta(days=7)
        months_ago = [12 * (day.year - one.year) + day.month - one.month for one in days]
        assert set(months_ago) >= {1, 2} and max(months_ago) == 2, day


@pytest.mark.parametrize(
    "day",
    ["2027-01-01", "2026-12-31"]
    + [in_soak(str(day)) for day in ("2026-12-01", "2027-03-01", "2027-03-29", "2027-10-30", *EVERY_DAY)],
)
def test_one_tap_makes_a_club_with_an_evening_tonight(day: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last month is closed and has a supplement for the one before."""
    fake_clock.begin(monkeypatch, day)
    client = Client()
    table = tapped(client)
    club = table.evening.club
    assert Player.objects.filter(club=club).count() == 8
    evenings = Evening.objects.filter(club=club)
    closed = [one.closed_at is None for one in evenings.order_by("held_on")]
    assert closed[-1] and not any(closed[:-1])
    assert table.evening.held_on == timezone.localdate()
    assert 100 <= Game.objects.filter(round__table__evening__club=club, deleted=False).count() <= 110
    assert not Change.objects.filter(club=club, at__gt=timezone.now()).exists()
    assert "Alles stimmt" in verified()
    season = Season.objects.get(club=club)
    before, last = (f"{get_day(timezone.localdate(), ago):%Y-%m}" for ago in (2, 1))
    assert list(MonthClosing.objects.filter(season=season).order_by("pk").values_list("month", flat=True)) == [before, last]
    supplement = Supplement.objects.get(season=season)
    assert (supplement.about, supplement.month) == (before, last)
    page = client.get(reverse("month", args=[club.slug, season.pk, last]))
    assert page.status_code == 200 and "Nachtrag" in page.content.decode()
    page = client.get(reverse("table", args=[club.slug, table.pk]))
    said = page.content.decode()
    assert page.status_code == 200 and "wird morgen gelöscht" in said and "Dadurch zählt" not in said
    assert {
        client.get(reverse(name, args=[club.slug])).status_code for name in ("club", "standings", "league", "more")
    } == {200}


def test_the_club_of_a_visitor(settings: Any) -> None:
    """The visitor is its scorer without a password; a second tap opens the same table. Each page says that it is a demo, and leads
    to founding where visitors may found a club. What such a club may not have is refused on its pages and by the actions."""
    settings.CAN_MAIL = True
    client = Client()
    table = tapped(client)
    club, user = table.evening.club, visitor_of(table.evening.club)
    member = Membership.objects.get(club=club)
    assert (member.scorer, member.treasurer, member.admin) == (True, False, False)
    assert not user.has_usable_password()
    assert tapped(client) == table
    assert Club.objects.count() == 1
    for founding, leads in (("open", True), ("link", False)):
        settings.FOUNDING = founding
        page = client.get(f"/c/{club.slug}/").content.decode()
        assert "Demo, wird morgen gelöscht." in page
        assert (f'href="{reverse("founding")}"' in page) is leads
    of_club = "members member_new join_links visibility imports archive club_delete history_retention season_new tariff_edit"
    addresses = [reverse(name, args=[club.slug]) for name in (*of_club.split(), "cash_headings", "player_new")]
    addresses += [reverse("table_link", args=[club.slug, table.pk])]
    addresses += map(reverse, ("password_change", "mail_address", "login_delete"))
    for address in addresses:
        for response in (client.get(address), client.post(address)):
            if response.status_code != 405:
                assert response.status_code == 403, address
                assert "In der Demo geht das nicht" in response.content.decode(), address
    more = client.get(reverse("more", args=[club.slug])).content.decode()
    assert reverse("password_change") not in more and reverse("mail_address") not in more
    assert addresses[12] not in client.get(f"/c/{club.slug}/tables/{table.pk}/").content.decode()
    assert client.get(reverse("archive_upload")).status_code == 403

    make_user("anna")
    before = Change.objects.count(), User.objects.count(), Membership.objects.count()
    for what, act in REFUSED.items():
        with pytest.raises(ActionRefused, match="In der Demo geht das nicht") as refused:
            act(table, Actor(user, admin=True, treasurer=True))
        assert refused.value.status == 403, what
    assert (Change.objects.count(), User.objects.count(), Membership.objects.count()) == before
    assert not table.links.exists()
    settings.DEMO = False
    call_command("tidy", verbosity=0)
    assert not Club.with_hidden.exists() and User.objects.get().username == "anna"


def test_a_login_is_not_changed_for_that_of_a_visitor(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.reader)
    assert client.post(TAP).headers["Location"] == reverse("home")
    assert not Club.objects.filter(OF_VISITOR).exists()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the clubs of visitors with one evening before today, of which the limits know nothing."""
    monkeypatch.setattr(visitors, "list_evening_days", lambda today: [today - datetime.timedelta(days=7)])
    monkeypatch.setattr(visitors, "GAMES", 1)
    monkeypatch.setattr(visitors, "TONIGHT", 1)


@pytest.mark.usefixtures("quick")
def test_an_address_has_three_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    for _number in range(DAILY_LIMIT):
        tapped()
    response = Client().post(TAP, REMOTE_ADDR="192.0.2.1", follow=True)
    assert response.redirect_chain == [(reverse("home"), 302)]
    assert "Eine eigene Demo gibt es gerade nicht mehr. Bitte morgen wiederkommen." in response.content.decode()
    tapped(address="192.0.2.2")
    fake_clock.begin(monkeypatch, timezone.localdate() + datetime.timedelta(days=1))
    tapped()


@pytest.mark.usefixtures("quick")
def test_there_are_only_so_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shared club stays: it is open to strangers."""
    monkeypatch.setattr(visitors, "MAX_CLUBS", 1)
    shared = Club.objects.create(name="K", slug="kreuz-dame", shows_list=True, demo_until=timezone.now())
    tapped(address="192.0.2.1")
    for shown, chain, said in (
        (True, reverse("club", args=[shared.slug]), "Das hier ist die gemeinsame, zum Ansehen."),
        (False, reverse("home"), "Bitte morgen wiederkommen."),
    ):
        Club.objects.filter(pk=shared.pk).update(shows_list=shown)
        response = Client().post(TAP, REMOTE_ADDR="192.0.2.3", follow=True)
        assert response.redirect_chain == [(chain, 302)], "strangers see nothing of a club that is not public"
        assert said in response.content.decode()


def test_without_the_demo_there_is_no_such_address(settings: Any) -> None:
    settings.DEMO = False
    assert Client().post(TAP).status_code == 404
    assert not Club.objects.exists()


# What is refused in such a club, by what is called in it.
REFUSED: dict[str, Callable[[Table, Actor], object]] = {
    "a new login": lambda table, actor: add_new_login(club=table.evening.club, actor=actor, login="neu", roles=[]),
    "another login": lambda table, actor: add_member(club=table.evening.club, actor=actor, login="anna", roles=[]),
    "an invitation": lambda table, actor: invite_member(club=table.evening.club, actor=actor, login="anna", roles=[]),
    "a link to join": lambda table, actor: create_join_link(
        club=table.evening.club, actor=actor, most_uses=1, ends_on=timezone.localdate()
    ),
    "the link of a table": lambda table, actor: renew_link(table=table, actor=actor),
    "a tariff": lambda table, actor: change_tariff(club=table.evening.club, actor=actor, content=GENERATED_TARIFF, seen=0),
    "strangers": lambda table, actor: change_visibility(
        club=table.evening.club, actor=actor, visibility=dict.fromkeys(VISIBILITY_FIELDS, True)
    ),
    "how long the history is kept": lambda table, actor: keep_history(club=table.evening.club, actor=actor, years=1),
}


@pytest.mark.usefixtures("quick")
def test_the_login_of_a_visitor_joins_and_founds_nothing(cast: Cast) -> None:
    client = Client()
    visitor = visitor_of(tapped(client).evening.club)
    link = make_join_link(cast.club, cast.admin)
    with pytest.raises(ActionRefused, match="In der Demo geht das nicht") as joining:
        join(link=link, user=visitor, player_id=None)
    with pytest.raises(ActionRefused, match="In der Demo geht das nicht") as founding:
        found_by_link(link=1, founder=visitor, name="Neu", people=["Ich"], begin=lambda **_kw: None)
    assert (joining.value.status, founding.value.status) == (403, 403)
    with pytest.raises(LoginUnknown):
        invite_member(club=cast.club, actor=Actor(cast.admin), login=visitor.username, roles=[])
    # They join with a login of their own, as anyone who is not logged in.
    client.get(reverse("join_open", args=[link.token]))
    typed = {"login": "neu", "new_password1": PASSWORD, "new_password2": PASSWORD, "person": "none"}
    client.post(reverse("join"), typed)
    assert Membership.objects.filter(club=cast.club, user__username="neu").exists()


@pytest.mark.usefixtures("quick")
def test_after_a_day_the_club_and_its_login_are_gone(monkeypatch: pytest.MonkeyPatch, cast: Cast) -> None:
    monkeypatch.setattr(tidying, "PAUSE", 0)
    client = Client()
    old, young = tapped(client).evening.club, tapped(address="192.0.2.2").evening.club
    call_command("tidy", verbosity=0)
    assert Club.with_hidden.filter(pk__in=[old.pk, young.pk]).count() == 2
    Club.objects.filter(pk=old.pk).update(demo_until=timezone.now() - datetime.timedelta(seconds=1))
    call_command("tidy", verbosity=0)
    assert set(Club.with_hidden.all()) == {cast.club, cast.other_club, young}
    assert User.objects.filter(username__contains="~").get() == visitor_of(young)
    assert not Session.objects.filter(user=None).exists()
    assert client.get(reverse("club", args=[old.slug])).status_code == 302


@pytest.mark.usefixtures("quick")
def test_the_operator_counts_and_the_clock_without_visitors(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    before, newest = (list(list_club_sizes()), read_installation()["logins"]), tidying._newest_stored()
    fake_clock.begin(monkeypatch, timezone.localdate() + datetime.timedelta(days=30))
    tapped()
    assert (list(list_club_sizes()), read_installation()["logins"]) == before
    assert tidying._newest_stored() == newest
