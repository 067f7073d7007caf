"""The demo club of a visitor: one tap makes it, for a day."""

from __future__ import annotations

import datetime
import json
import stat
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Count, Sum
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from scoring.accounts.actions import create_join_link, join
from scoring.administration import actions as tidying
from scoring.administration.actions import found_by_link, keep_history
from scoring.administration.queries import list_club_sizes, read_installation
from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.cash.queries import list_broken_laws
from scoring.cash.tariff.actions import change_tariff
from scoring.club.actions import (
    Actor,
    LoginUnknown,
    add_member,
    add_new_login,
    add_player,
    change_visibility,
    invite_member,
)
from scoring.club.models import OF_VISITOR, VISIBILITY_FIELDS
from scoring.core.errors import ActionRefused
from scoring.demo import shared, visitors
from scoring.demo.cast import WEEK, build_kreuz_dame, get_day, get_founding_day
from scoring.demo.evenings import play_evening, write_evenings
from scoring.demo.founding import found_club
from scoring.demo.generate import generate
from scoring.demo.kasse import GENERATED_TARIFF
from scoring.demo.shared import MAKE, SEED, make_shared_clubs, plan_seasons, renew_shared_clubs
from scoring.demo.views import DAILY_LIMIT
from scoring.demo.visitors import delete_demos
from scoring.league.queries.books import find_damaged_closings, get_month, read_books
from scoring.league.queries.months import compare_with_published, get_content
from scoring.models import (
    CashCount,
    Change,
    Club,
    Entry,
    Evening,
    Fine,
    Game,
    Leg,
    Membership,
    MonthClosing,
    Outcome,
    Period,
    Player,
    Report,
    Score,
    Season,
    Seat,
    Session,
    Supplement,
    Table,
    TableResult,
    Verb,
)
from scoring.play.verify import verify
from scoring.rules.constants import SOLO_KINDS
from scoring.table.actions.tables import renew_link
from tests import fake_clock
from tests.effort import in_soak
from tests.factories import PASSWORD, Cast, make_club, make_join_link, make_user
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


LAST = date(2026, 10, 29)


@pytest.fixture(autouse=True)
def installation(settings: Any, tmp_path: Path) -> Path:
    """Set a folder for the file of the logins, and a fast password hasher."""
    settings.VAR = tmp_path / "var"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return tmp_path / "var" / "demo_logins.json"


def demo(**options: Any) -> str:
    said = StringIO()
    call_command("demo", stdout=said, **options)
    return said.getvalue()


@pytest.mark.parametrize("day", ["2026-11-01", in_soak("2027-01-01"), in_soak("2028-02-29")])
def test_the_demo_club(day: str, installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check one club for all of it, because making it takes seconds: it is valid and has everything to look at."""
    fake_clock.begin(monkeypatch, day)
    assert str(installation) in demo()

    assert [finding for checked in verify() for finding in checked.findings] == []
    _the_logins_work(json.loads(installation.read_text(encoding="utf-8")))
    assert stat.S_IMODE(installation.stat().st_mode) == 0o600
    club = Club.objects.get(slug="kreuz-dame")
    _there_are_people_and_evenings(club)
    _there_is_every_kind_of_game(club)
    _things_were_put_right(club)
    _the_better_ones_lead(club)
    _the_league_is_closed_up_to_last_month(club)
    _the_kasse_is_kept(club)
    _strangers_see_both()

    kept = installation.read_text()
    with pytest.raises(CommandError, match="Die Datenbank ist nicht leer"):
        demo()
    assert demo(if_empty=True) == ""
    assert installation.read_text() == kept


def _the_logins_work(logins: list[dict[str, str]]) -> None:
    assert [set(login) for login in logins] == [{"login", "password", "role"}] * 5
    assert len({login["password"] for login in logins}) == 5
    for login in logins:
        request = RequestFactory().post("/")
        assert authenticate(request, username=login["login"], password=login["password"]) is not None
    roles = Membership.objects.filter(club__slug="kreuz-dame").order_by("pk")
    assert list(roles.values_list("admin", "scorer", "treasurer")) == [
        (True, True, False),
        (False, True, False),
        (False, False, True),
        (False, False, False),
    ]
    stranger = Membership.objects.get(user__username=logins[-1]["login"])
    assert stranger.club.slug != "kreuz-dame"


def _there_are_people_and_evenings(club: Club) -> None:
    players = Player.objects.filter(club=club)
    assert (players.count(), players.filter(guest=True).count(), players.exclude(left_on=None).count()) == (9, 1, 1)
    assert not players.filter(results=None).exists()
    gone = players.exclude(left_on=None).get()
    assert not gone.results.filter(table__evening__held_on__gt=gone.left_on).exists()

    evenings = Evening.objects.filter(club=club)
    assert 60 <= evenings.count() <= 75
    assert evenings.get(closed_at=None).held_on == timezone.localdate() == evenings.latest("held_on").held_on
    assert evenings.values("held_on").distinct().count() == evenings.count()
    tables = Table.objects.filter(evening__club=club).annotate(people=Count("rounds__seats"))
    assert {table.people for table in tables} == {4, 5}
    assert {table.rule_set.name for table in tables.select_related("rule_set")} == {"Hausregeln", "Turnier"}
    assert evenings.exclude(place="").count() > 30
    assert not Change.objects.filter(club=club, at__gt=timezone.now()).exists()
    for table in Table.objects.filter(evening__club=club).annotate(games=Count("rounds__games")):
        assert table.games >= (11 if table.evening.is_open else 20)


def _there_is_every_kind_of_game(club: Club) -> None:
    games = Game.objects.filter(round__table__evening__club=club, deleted=False)
    assert set(games.values_list("form", flat=True)) == {"played", "short", "penalty", "correction", "redeal"}
    assert {game.facts["reason"] for game in games if game.form in ("penalty", "correction")} >= {"nicht bedient"}
    facts = [game.facts for game in games if game.form == "played"]
    assert len({game["kind"] for game in facts} & set(SOLO_KINDS)) > 5
    assert {"duty", "band", "eyes", "re_said", "kontra_said", "re_specials", "starts_bock"} <= {
        field for game in facts for field in game
    }
    eyes = [game["eyes"] for game in facts if "eyes" in game]
    assert sum(90 <= count <= 150 for count in eyes) > len(eyes) / 2
    assert Outcome.objects.filter(game__in=games, bock=1).count() > 100
    assert Outcome.objects.filter(bock=1, bock_started__gt=0).exists(), "no chain runs into another"
    assert games.exclude(note="").exists()
    running = games.filter(round__table__evening__closed_at=None).latest("position")
    assert running.outcome.bock_started > 0, "the running table shows no open Bock"


def _things_were_put_right(club: Club) -> None:
    changes = Change.objects.filter(club=club)
    verbs = {verb: changes.filter(verb=verb).count() for verb in Verb.values}
    assert verbs[Verb.GAME_CORRECTED] > 20
    assert verbs[Verb.GAME_DELETED] > 5
    assert verbs[Verb.GAME_RESTORED] > 0
    assert verbs[Verb.EVENING_REOPENED] > 0
    assert changes.exclude(undoes=None).filter(verb=Verb.GAME_CORRECTED).exists()
    # Each line was entered on its evening, in the order of the sheet.
    for evening in Evening.objects.filter(club=club).exclude(closed_at=None):
        entered = Game.objects.filter(round__table__evening=evening).order_by("position")
        times = list(entered.values_list("entered_at", flat=True))
        assert times == sorted(times)
        assert {timezone.localdate(at) for at in times} == {evening.held_on}
        assert timezone.localdate(evening.closed_at) - evening.held_on in (timedelta(0), timedelta(days=1))


def _the_better_ones_lead(club: Club) -> None:
    sums = TableResult.objects.filter(table__evening__club=club, player__guest=False).values("player__name")
    rows = list(sums.annotate(points=Sum("points"), games=Sum("games")).order_by("-points"))
    assert "Jürgen" in [row["player__name"] for row in rows[:2]]
    assert rows[0]["points"] - rows[-1]["points"] > 300
    assert all(row["games"] > 200 for row in rows)
    assert Score.objects.filter(player__club=club, solo=True, won=False).exists()


def _the_league_is_closed_up_to_last_month(club: Club) -> None:
    """Two seasons, one month published twice and one with a supplement in the month that is open; and the sums of a
    closed month once more, straight from what each game brought."""
    season = Season.objects.filter(club=club).latest("first_day")
    books = read_books(season)
    played = sorted({get_month(row.held_on) for row in books.results})
    *_earlier, before, last, this = played
    assert this == get_month(timezone.localdate()) and len(played) == 10
    assert list(books.latest) == played[:-1]
    again = played[2]
    assert [(closing.month, closing.version) for closing in books.closings if closing.version > 1] == [(again, 2)]
    assert [(one.about, one.month) for one in books.supplements] == [(before, last)]
    assert {month for month in books.latest if compare_with_published(books, month)[1]} == set()
    assert find_damaged_closings() == []
    assert all(timezone.localdate(closing.closed_at).day <= 4 for closing in books.closings)

    year, month = map(int, again.split("-"))
    scores = Score.objects.filter(
        game__round__table__evening__club=club,
        game__round__table__evening__held_on__year=year,
        game__round__table__evening__held_on__month=month,
        game__deleted=False,
        player__guest=False,
    )
    evenings: dict[str, dict[Any, int]] = {}
    for name, evening, points in scores.values_list("player__name", "game__round__table__evening", "points"):
        own = evenings.setdefault(name, {})
        own[evening] = own.get(evening, 0) + points
    best_three = {name: 100 * sum(sorted(own.values(), reverse=True)[:3]) for name, own in evenings.items()}
    assert {row["name"]: row["result"] for row in get_content(books, again)["rows"]} == best_three


def _the_kasse_is_kept(club: Club) -> None:
    """Eight months: a tariff, fines, a guest, a corrected evening, a count, a payment that waits, and what may still be closed."""
    day = timezone.localdate()
    begins = get_day(day, 7)
    assert list(list_broken_laws(club)) == []
    charged = Evening.objects.filter(club=club, held_on__gte=begins).order_by("held_on")
    assert set(charged.values_list("tariff__version", flat=True)) == {1}
    assert not Evening.objects.filter(club=club, held_on__lt=begins, tariff__isnull=False).exists()
    periods = Period.objects.filter(club=club).annotate(signed=Count("countersignatures"))
    months = [get_month(get_day(day, ago)) for ago in range(7, 1, -1)]
    assert list(periods.order_by("month").values_list("month", "signed")) == [(month, 1) for month in months]
    fines = Fine.objects.order_by("evening__held_on").values_list("code", "evening__held_on")
    assert list(fines) == [("late", day - 28 * WEEK), ("misdeal", day - 7 * WEEK)]
    kinds = Counter(Entry.objects.filter(club=club).values_list("kind", flat=True))
    # What it costs tonight is not booked yet; a correction of a closed evening books it anew.
    assert kinds["evening"] == charged.count() - 1 + kinds["reversal"] and kinds["reversal"] >= 1
    assert (kinds["opening"], kinds["transfer"]) == (3, 1)
    assert kinds["payment"] > 20 and kinds["expense"] == 5 and kinds["outlay"] == kinds["income"] == 1
    guest = Leg.objects.filter(account__player__name="Sabine", kind="guest")
    assert guest.aggregate(sum=Sum("cents"))["sum"] == 2 * 200, "she was there twice"
    # Sums as a club has them: what is open is small, and there is money in the box.
    assert all(-1000 < cents < 4000 for cents in get_owed(club).values()) and 5000 < get_balances(club)["cash"] < 20000
    count = CashCount.objects.get()
    assert (count.entry, get_month(timezone.localdate(count.counted_at))) == (None, get_month(get_day(day, 1)))
    assert list(Report.objects.values_list("player__name", "state")) == [("Bernd", "waiting")]
    assert not Entry.objects.filter(date__gt=day).exists()


def _strangers_see_both() -> None:
    clubs = Club.objects.filter(shows_list=True, shows_months=True, shows_evenings=True, findable=False)
    assert set(clubs) == set(Club.objects.all())
    other = Club.objects.get(slug="herzdame")
    assert set(other.rule_sets.values_list("unit", flat=True)) == {"cents"}
    assert Evening.objects.filter(club=other).count() > 1


def test_it_is_the_same_each_time_but_with_another_seed() -> None:
    """The first evenings twice, with other rows before them the second time."""
    once = _first_evenings(8)
    make_club()
    assert _first_evenings(8) == once
    assert _first_evenings(2) != _first_evenings(2, SEED + 1)


def _first_evenings(number: int, seed: int = SEED) -> list[Any]:
    """Return all facts and derived rows, with names instead of ids."""
    with transaction.atomic():
        cast = build_kreuz_dame(LAST)
        staff, _logins = found_club(cast, Random(seed), on=get_founding_day(LAST))
        for plan in islice(plan_seasons(cast, Random(seed), LAST), number):
            if plan.typed:
                play_evening(staff, plan)
            else:
                write_evenings(staff, [plan])
        games = Game.objects.order_by("round__table__evening__held_on", "position")
        results = TableResult.objects.order_by("table__evening__held_on", "player__name")
        told = [
            *Evening.objects.order_by("held_on").values_list("held_on", "place", "closed_at"),
            *games.values_list("key", "form", "dealer", "facts", "note", "version", "deleted", "entered_at"),
            *results.values_list("player__name", "games", "points", "wins", "solos"),
            *Change.objects.order_by("pk").values_list("at", "verb"),
        ]
        transaction.set_rollback(True)
    return told


def test_it_touches_nothing_that_is_there_and_needs_a_place_for_the_logins(installation: Path) -> None:
    installation.parent.write_text("in the way")
    with pytest.raises(OSError, match=str(installation.parent)):
        demo()
    assert not Club.objects.exists()
    make_club()
    with pytest.raises(CommandError, match="damit er nichts Echtes berührt"):
        demo()
    assert demo(if_empty=True) == ""
    assert Club.objects.count() == 1


def test_on_the_next_day_it_is_made_anew(installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slug and logins stay, entries of visitors are dropped, and a club in use is left alone. The clubs have few evenings."""
    monkeypatch.setattr(shared, "FIRST", 3)
    make_club()
    made_before = Club.objects.get()
    fake_clock.begin(monkeypatch, "2026-11-28")
    make_shared_clubs()
    logins = dict(User.objects.values_list("username", "password"))
    guest = make_user("gast", Club.objects.get(slug="kreuz-dame"))
    old = {club.slug: club.pk for club in Club.objects.exclude(pk=made_before.pk)}
    assert renew_shared_clubs() == 0, "it is of today"
    fake_clock.begin(monkeypatch, "2026-11-29")
    club = Club.objects.get(slug="kreuz-dame")
    add_player(club=club, actor=Actor(guest), name="Zora")
    assert renew_shared_clubs() == 1, "the other one is not used"
    assert Player.objects.filter(name="Zora").exists()
    fake_clock.begin(monkeypatch, "2026-11-29", "14:00+00:00")
    assert renew_shared_clubs() == 1
    assert not Player.objects.filter(name="Zora").exists()
    now = {club.slug: club.pk for club in Club.with_hidden.exclude(pk=made_before.pk)}
    assert now.keys() == old.keys() and not set(now.values()) & set(old.values())
    assert {
        name: hashed for name, hashed in User.objects.values_list("username", "password") if name in logins
    } == logins
    assert Membership.objects.filter(club__slug="kreuz-dame", user=guest).exists()
    assert Evening.objects.get(club__slug="kreuz-dame", closed_at=None).held_on == date(2026, 11, 29)
    assert [finding for checked in verify() for finding in checked.findings] == []
    # One that is no demo any more, or never was one, stays.
    Membership.objects.filter(user__username="elif").delete()
    Club.objects.filter(slug="kreuz-dame").update(demo_until=None)
    fake_clock.begin(monkeypatch, "2026-12-01")
    assert renew_shared_clubs() == 0


def test_switched_off_it_goes(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    make_user("operator", make_club())
    # Both clubs go in the same way; the small one is made much faster.
    monkeypatch.delitem(MAKE, "kreuz-dame")
    make_shared_clubs()
    assert Club.objects.count() == 2
    settings.DEMO = False
    call_command("tidy", verbosity=0)
    assert Club.with_hidden.get().slug == "karo-eins"
    assert User.objects.get().username == "operator"


def test_what_was_interrupted_goes() -> None:
    club = make_club(slug="kreuz-dame-abcd", demo_until=timezone.now() + timedelta(hours=1))
    assert delete_demos() == 0
    Club.objects.filter(pk=club.pk).update(demo_until=timezone.now())
    assert delete_demos() == 1


# The second of them has a Kasse, the first none.
SEED, EVENINGS = 3, 10


def test_everything_in_them_follows_from_the_facts() -> None:
    made = list(generate(clubs=2, evenings=EVENINGS, seed=SEED))
    assert "Alles stimmt" in verified()
    for held_on, closed_at in Evening.objects.values_list("held_on", "closed_at"):
        assert closed_at is not None and timezone.localdate(closed_at) == held_on
    for club, games, logins in made:
        assert Evening.objects.filter(club=club).count() == EVENINGS
        assert games == Game.objects.filter(round__table__evening__club=club).count() > 30 * EVENINGS
        assert {login["login"] for login in logins} == set(club.memberships.values_list("user__username", flat=True))
        seated = Seat.objects.filter(round__table__evening__club=club).values_list("player", flat=True)
        assert set(seated) == set(TableResult.objects.filter(player__club=club).values_list("player", flat=True))
    assert [Entry.objects.filter(club=club).exists() for club, *_rest in made] == [False, True]
    charged = made[1][0]
    assert Evening.objects.filter(club=charged, entries__isnull=False).distinct().count() == EVENINGS
    assert Period.objects.filter(club=charged).exists()
    assert sum(get_balances(charged).values()) == 0


def test_the_same_seed_makes_the_same_and_more_stand_beside_them() -> None:
    played = []
    for _time in range(2):
        with transaction.atomic():
            list(generate(clubs=1, evenings=1, seed=2))
            played.append(_played())
            transaction.set_rollback(True)
    assert played[0] == played[1]
    for _time in range(2):
        call_command("generate", clubs=1, evenings=1, seed=2, verbosity=0)
    assert list(Club.objects.order_by("pk").values_list("slug", flat=True)) == ["club-1", "club-2"]
    assert played[0][0] == _played(Club.objects.get(slug="club-1"))[0]


def test_more_stand_beside_clubs_and_logins_that_people_named_alike() -> None:
    for slug in ("club-1", "club-3", "club-abc", "club-2026112620261126"):
        Club.objects.create(name=slug, slug=slug)
    User.objects.create(username="Kasse-5")
    for number in (6, 7):
        assert [club.slug for club, *_rest in generate(clubs=1, evenings=1, seed=2)] == [f"club-{number}"]


def _played(club: Club | None = None) -> tuple[Any, ...]:
    """Return games and people without ids."""
    of_club = {"club": club} if club else {}
    games = Game.objects.filter(**{f"round__table__evening__{key}": one for key, one in of_club.items()}).order_by(
        "key"
    )
    return list(games.values_list("key", "dealer", "facts")), list(Player.objects.filter(**of_club).values_list("name"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"clubs": 1001}, "Höchstens 1000 Clubs und 3900 Abende"),
        ({"evenings": 10**20}, "Höchstens 1000 Clubs und 3900 Abende"),
        ({"clubs": 0}, "Mindestens ein"),
        ({"evenings": 0}, "Mindestens ein"),
    ],
)
def test_too_many_or_no_clubs_or_evenings_are_refused(wrong: dict[str, int], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("generate", **wrong)
