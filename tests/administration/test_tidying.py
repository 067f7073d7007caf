"""Rows that are no longer needed are deleted; waiting ones stay."""

from __future__ import annotations

import datetime
from functools import partial
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.text import slugify

from scoring.administration import actions as tidying
from scoring.administration.actions import delete_unused_club, found_openly, keep_history, tidy
from scoring.administration.queries import get_deletion_day, list_unused_clubs
from scoring.archive.actions import keep_archive
from scoring.club.actions import Actor, invite_member, remove_member
from scoring.evenings.actions import discard_evening
from scoring.models import (
    Change,
    Club,
    Import,
    Invitation,
    JoinLink,
    LateEntry,
    LoginWithoutClub,
    Membership,
    Session,
    WaitingArchive,
)
from scoring.rulesets.actions import begin_with_preset
from scoring.table.actions.games import Typed
from scoring.table.actions.late import discard_late_entry, keep_late_entry
from tests import fake_clock
from tests.cash.books import book, owes
from tests.factories import Cast, make_club, make_import, make_join_link, make_table, make_user, take_import
from tests.server import free_port


def days_ago(days: float) -> datetime.datetime:
    return timezone.now() - datetime.timedelta(days=days)


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "PAUSE", 0)
    tidying._warn_of_clock.cache_clear()


def test_rows_that_are_no_longer_needed_go(cast: Cast) -> None:
    """Sessions, failed logins, late entries that were discarded long ago, and links weeks after their day."""
    phone, other = Client(), Client()
    phone.force_login(cast.reader)
    other.force_login(cast.admin)
    Session.objects.filter(user=cast.admin).update(expire_date=days_ago(0.01))
    for name in ("rita", "anna"):
        Client().post("/login/", {"username": name, "password": "falsch"})
    AccessAttempt.objects.filter(pk=AccessAttempt.objects.first().pk).update(attempt_time=days_ago(1 / 24))
    keys = [uuid4() for _ in range(3)]
    facts = {"kind": "normal", "re": [0, 1], "eyes": 130}
    for key in keys:
        keep_late_entry(table=cast.table, actor=Actor(cast.scorer), key=key, after=None, typed=Typed("played", facts, 0))
    for key in keys[1:]:
        discard_late_entry(table=cast.table, actor=Actor(cast.scorer), key=key)
    LateEntry.objects.filter(key__in=keys[:2]).update(arrived_at=days_ago(400))
    links = [make_join_link(cast.club, cast.admin) for _ in range(3)]
    for link, days in zip(links, (55, 57), strict=False):
        JoinLink.objects.filter(pk=link.pk).update(ends_on=days_ago(days).date())
    clubs = (make_club("Herz"), make_club("Kreuz"))
    invitations = [invite_member(club=club, actor=Actor(), login="rita", roles=[]) for club in clubs]
    for invitation, days in zip(invitations, (6, 8), strict=True):
        Invitation.objects.filter(pk=invitation.pk).update(created_at=days_ago(days))
    tidy()
    assert [session.user for session in Session.objects.filter(user__isnull=False)] == [cast.reader]
    assert AccessAttempt.objects.count() == 1
    assert set(LateEntry.objects.values_list("key", flat=True)) == {keys[0], keys[2]}
    assert set(JoinLink.objects.all()) == {links[0], links[2]}
    assert Invitation.objects.get() == invitations[0]


def test_unused_uploads_are_deleted_after_a_day(cast: Cast) -> None:
    taken = take_import(make_import(cast.club, actor=cast.admin), cast.admin)
    waiting = make_import(cast.club, actor=cast.admin)
    forgotten = make_import(cast.club, actor=cast.stranger)
    keep_archive(user=cast.admin, text="{}")
    keep_archive(user=cast.stranger, text="{}")
    Import.objects.filter(pk__in=(taken.pk, forgotten.pk)).update(uploaded_at=days_ago(1.1))
    WaitingArchive.objects.filter(user=cast.stranger).update(uploaded_at=days_ago(1.1))
    tidy()
    assert set(Import.objects.all()) == {taken, waiting}
    assert [archive.user for archive in WaitingArchive.objects.all()] == [cast.admin]


def test_a_login_without_a_club_goes_after_the_days_that_are_set(cast: Cast, settings: Any) -> None:
    settings.LOGINS_WITHOUT_CLUB_DAYS = 30
    make_user("wirt")
    User.objects.filter(username="wirt").update(is_superuser=True)
    remove_member(membership=cast.reader.memberships.get(), actor=Actor(cast.admin))
    tidy()
    assert [without.user for without in LoginWithoutClub.objects.all()] == [cast.reader]
    LoginWithoutClub.objects.update(since=days_ago(29))
    tidy()
    assert User.objects.filter(username="rita").exists()
    LoginWithoutClub.objects.update(since=days_ago(31))
    tidy()
    assert not User.objects.filter(username="rita").exists()
    assert User.objects.filter(username="wirt").exists()


def test_a_login_that_found_a_club_again_begins_anew(cast: Cast) -> None:
    login = make_user("gast")
    tidy()
    LoginWithoutClub.objects.update(since=days_ago(1000))
    Membership.objects.create(club=cast.club, user=login)
    tidy()
    assert User.objects.filter(username="gast").exists()
    assert not LoginWithoutClub.objects.exists()


# --- Clubs that were founded without a link and stayed empty ----------------------------------------------------------


def found_empty(name: str = "Leer") -> Club:
    founder = User(username=f"founder-of-{slugify(name)}", password="x", email="zora@mail.example")
    people = ["Zora", "Anton", "Berta", "Çelik"]
    begin = partial(begin_with_preset, preset="ddv")
    return found_openly(founder=founder, name=name, people=people, begin=begin).club


def go_to(patch: pytest.MonkeyPatch, moment: datetime.datetime) -> None:
    """Set the time, and use the installation in another club."""
    fake_clock.begin(patch, moment.date(), f"{moment:%H:%M:%S}+00:00")
    make_user(f"seen-{uuid4()}")


@pytest.fixture
def empty(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Return an empty club that was founded 20 days ago and is to be deleted today."""
    now = timezone.now()
    go_to(monkeypatch, now - datetime.timedelta(days=20))
    club = found_empty()
    go_to(monkeypatch, now)
    Club.objects.filter(pk=club.pk).update(goes_on=now.date())
    return Club.objects.get(pk=club.pk)


def test_an_empty_club_goes_after_14_days_and_says_so_3_days_before(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.CAN_MAIL, settings.SITE_URL = True, "https://club.example"
    others = {*Club.objects.all(), make_club("Durch einen Link")}
    begin = timezone.now().replace(hour=12)
    go_to(monkeypatch, begin)
    club = found_empty()
    day = begin.date() + datetime.timedelta(days=14)
    assert get_deletion_day(club) == day
    went = []
    for days in range(15):
        go_to(monkeypatch, begin + datetime.timedelta(days=days))
        tidy(), tidy()
        went.append((len(mail.outbox), Club.objects.filter(pk=club.pk).exists()))
    assert went == [*[(0, True)] * 11, *[(1, True)] * 3, (1, False)]
    (sent,) = mail.outbox
    assert sent.to == ["zora@mail.example"]
    assert sent.subject == "Ein leerer Club wird gelöscht / An empty club will be deleted"
    german, english = sent.body.split("\n\n--\n\n")
    for text, said in ((german, "Guten Tag,"), (english, "Hello,")):
        assert text.startswith(said) and text.count("https://club.example/c/leer/") == 1
    assert f"{day.day}. " in sent.body and "https://club.example/c/leer/" in sent.body
    assert set(Club.objects.all()) == others
    assert [without.user.username for without in LoginWithoutClub.objects.filter(user__email__gt="")] == ["founder-of-leer"]


def test_it_stays_until_its_founder_could_be_told(empty: Club, settings: Any) -> None:
    settings.CAN_MAIL, settings.SITE_URL = True, "https://club.example"
    told, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    Club.objects.update(goes_on=None)
    tidy()
    assert Club.objects.get(pk=empty.pk).goes_on is None
    settings.EMAIL_BACKEND = told
    tidy()
    assert Club.objects.get(pk=empty.pk).goes_on == timezone.localdate() + datetime.timedelta(days=3)
    assert len(mail.outbox) == 1


def test_it_goes_no_sooner_where_the_server_was_off_when_its_day_came(empty: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    Club.objects.update(goes_on=None)
    tidy()
    assert get_deletion_day(Club.objects.get(pk=empty.pk)) == timezone.localdate() + datetime.timedelta(days=3)
    for days, stays in ((2, True), (1, False)):
        go_to(monkeypatch, timezone.now() + datetime.timedelta(days=days))
        tidy()
        assert Club.objects.filter(pk=empty.pk).exists() == stays


ENTERED = {
    "evening": make_table,
    "file": make_import,
    "booking": lambda club: book(club, owes(club.players.first(), 77)),
    "login": lambda club: make_user("bodo", club),
}


@pytest.mark.parametrize("what", ENTERED)
def test_whatever_is_entered_keeps_it(empty: Club, what: str) -> None:
    """Even an entry after the first query counts: it is queried again under the lock."""
    assert list(list_unused_clubs()) == [empty]
    ENTERED[what](empty)
    # Each by itself, without the history that it writes.
    Change.objects.filter(club=empty).update(at=days_ago(21))
    assert not delete_unused_club(club=empty)
    tidy()
    assert Club.objects.filter(pk=empty.pk).exists()
    assert get_deletion_day(empty) is None


def test_what_was_entered_and_taken_away_again_keeps_it(empty: Club) -> None:
    discard_evening(evening=make_table(empty).evening, actor=Actor())
    tidy()
    assert not empty.evenings.exists()
    assert Club.objects.filter(pk=empty.pk).exists()


def test_a_club_that_was_founded_by_a_link_never_goes(empty: Club) -> None:
    Club.objects.update(founded_openly_at=None)
    tidy()
    assert not delete_unused_club(club=empty)
    assert Club.objects.filter(pk=empty.pk).exists()


def test_an_empty_club_and_nothing_else_goes(empty: Club, cast: Cast) -> None:
    before = [model.objects.exclude(club=empty).count() for model in (Change, Membership)]
    assert delete_unused_club(club=empty)
    assert not Club.with_hidden.filter(pk=empty.pk).exists()
    assert [model.objects.count() for model in (Change, Membership)] == before


def waiting_for_tidying(cast: Cast) -> dict[str, int]:
    """Count the rows of each kind that a clock that is ten years ahead would find old."""
    logins = User.objects.count(), LoginWithoutClub.objects.count()
    kept = (Session, Import, WaitingArchive, LateEntry, Invitation, JoinLink, Change, Club)
    return {"User": logins[0], "LoginWithoutClub": logins[1], **{one.__name__: one.objects.count() for one in kept}}


@pytest.fixture
def old_things(cast: Cast, settings: Any) -> dict[str, int]:
    """Make a row of each kind that is deleted one day, all of them from now."""
    settings.LOGINS_WITHOUT_CLUB_DAYS = 30
    found_empty()
    keep_history(club=cast.club, actor=Actor(cast.admin), years=1)
    Client().force_login(cast.reader)
    make_import(cast.club, actor=cast.admin)
    keep_archive(user=cast.admin, text="{}")
    make_join_link(cast.club, cast.admin)
    invite_member(club=cast.club, actor=Actor(cast.admin), login="fred", roles=[])
    key = uuid4()
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 130}, 0)
    keep_late_entry(table=cast.table, actor=Actor(cast.scorer), key=key, after=None, typed=typed)
    discard_late_entry(table=cast.table, actor=Actor(cast.scorer), key=key)
    remove_member(membership=cast.scorer.memberships.get(), actor=Actor(cast.admin))
    LoginWithoutClub.objects.create(user=cast.scorer)
    return waiting_for_tidying(cast)


def test_with_a_clock_that_is_ahead_nothing_goes_that_cannot_be_brought_back(
    cast: Cast, old_things: dict[str, int], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Client().post("/login/", {"username": "rita", "password": "falsch"})
    real = timezone.localdate()
    fake_clock.begin(monkeypatch, real.replace(year=real.year + 10, day=1))
    assert (tidy(), tidy()) == (1, 0), "a failed login counts no more"
    assert waiting_for_tidying(cast) == old_things
    assert [line.getMessage() for line in caplog.records if line.name == tidying.__name__] == [
        "Tidying waits: it is more than two days later than the newest thing that is stored. Is the clock right?"
    ], "once, however often it is tried"

    Client().force_login(cast.admin)
    assert tidy() == 0, "a login is no proof of the clock"

    keep_history(club=cast.club, actor=Actor(cast.admin), years=2)
    tidy()
    left = waiting_for_tidying(cast)
    assert [kind for kind in old_things if left[kind] < old_things[kind]] == [
        "User", "LoginWithoutClub", "Import", "WaitingArchive", "LateEntry", "Invitation", "JoinLink", "Change"
    ]  # fmt: skip
    announced = list_unused_clubs().get()
    assert announced.goes_on == timezone.localdate() + datetime.timedelta(days=3), "the clock has three days to be put right"
    assert [session.user for session in Session.objects.all()] == [cast.admin]


@pytest.mark.parametrize(("hours", "gone"), [(47, 2), (49, 0)])
def test_two_quiet_days_are_no_wrong_clock(
    cast: Cast, old_things: dict[str, int], monkeypatch: pytest.MonkeyPatch, hours: int, gone: int
) -> None:
    """The upload and the archive of yesterday are deleted."""
    later = timezone.now() + datetime.timedelta(hours=hours)
    fake_clock.begin(monkeypatch, later.date(), f"{later:%H:%M:%S}+00:00")
    assert tidy() == gone


def test_it_deletes_in_batches(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "BATCH_SIZE", 10)
    Session.objects.bulk_create(Session(session_key=f"alt-{n}", session_data="", expire_date=days_ago(1)) for n in range(25))
    with CaptureQueriesContext(connection) as queries:
        assert tidy() == 25
    deleted = [query["sql"] for query in queries if query["sql"].startswith('DELETE FROM "scoring_session"')]
    assert len(deleted) == 3


def test_by_hand(cast: Cast) -> None:
    Client().force_login(cast.reader)
    Session.objects.update(expire_date=days_ago(1))
    said = StringIO()
    call_command("tidy", stdout=said)
    assert said.getvalue() == "Aufgeräumt: 1 Zeilen.\n"
