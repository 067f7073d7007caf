"""The list of devices, ending sessions, and deleting the own login."""

from __future__ import annotations

import datetime
import re
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as OldStore
from django.contrib.sessions.models import Session as OldSession
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.accounts.queries import parse_user_agent
from scoring.club.actions import Actor, invite_member, remove_member
from scoring.models import Game, Session
from tests.factories import PASSWORD, Cast, add_game, make_table
from tests.html import flat

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
DESK = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0"


def log_in(name: str, agent: str) -> Client:
    client = Client(headers={"user-agent": agent})
    assert client.post("/login/", {"username": name, "password": PASSWORD}).status_code == 302
    return client


def get_page(client: Client) -> str:
    return client.get("/devices/").content.decode()


def list_items(client: Client) -> list[str]:
    found = re.findall(r'<li class="panel">(.*?)</li>', get_page(client), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", item).split()) for item in found]


def is_logged_in(client: Client) -> bool:
    return bool(client.get("/c/karo/").status_code == 200)


def test_devices_are_listed_with_days_and_without_addresses(cast: Cast) -> None:
    phone, desk = log_in("rita", PHONE), log_in("rita", DESK)
    log_in("anna", PHONE)
    today = f"{timezone.localdate():%d.%m.%Y}"
    assert list_items(phone) == [
        f"Firefox auf Android · dieses Gerät angemeldet seit {today} · zuletzt gesehen am {today}",
        f"Edge auf Windows angemeldet seit {today} · zuletzt gesehen am {today} Abmelden",
    ]
    assert "127.0.0.1" not in get_page(phone)
    assert desk.session.session_key not in get_page(phone), "the key would log in"


def test_one_session_is_ended_and_the_others_stay(cast: Cast) -> None:
    phone, desk, third = (log_in("rita", agent) for agent in (PHONE, DESK, PHONE))
    (name,) = re.findall(r'value="(\w{20})">', get_page(phone).split("Edge")[1].split("</li>")[0])
    assert phone.post("/devices/", {"device": name}).status_code == 302
    assert [is_logged_in(one) for one in (phone, desk, third)] == [True, False, True]
    assert "war schon abgemeldet" in phone.post("/devices/", {"device": name}, follow=True).content.decode()


def test_all_other_sessions_are_ended(cast: Cast) -> None:
    phone, desk, third = (log_in("rita", agent) for agent in (PHONE, DESK, PHONE))
    stranger = log_in("anna", PHONE)
    phone.post("/devices/", {"device": "others"})
    assert [is_logged_in(one) for one in (phone, desk, third, stranger)] == [True, False, False, True]


def test_the_session_of_another_login_cannot_be_ended(cast: Cast) -> None:
    phone, other = log_in("rita", PHONE), log_in("anna", DESK)
    log_in("anna", PHONE)
    (name,) = re.findall(r'value="(\w{20})">', get_page(other))
    phone.post("/devices/", {"device": name})
    assert len(list_items(other)) == 2


def test_a_new_password_keeps_the_device_and_its_day(cast: Cast) -> None:
    phone = log_in("rita", PHONE)
    new = "grüner kaktus tanzt nachts"
    phone.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert list_items(phone)[0].startswith("Firefox auf Android · dieses Gerät angemeldet seit")


def test_the_day_seen_is_written_once_a_day_and_alone(cast: Cast) -> None:
    phone = log_in("rita", PHONE)
    Session.objects.update(seen_on=datetime.date(2026, 1, 1))
    with CaptureQueriesContext(connection) as first:
        phone.get("/c/karo/more/")
    with CaptureQueriesContext(connection) as second:
        phone.get("/c/karo/more/")
    updates = [query["sql"] for query in first if query["sql"].startswith("UPDATE")]
    assert len(updates) == 1
    assert "session_data" not in updates[0], "data saved by a parallel request is not lost"
    assert len(second) == len(first) - 1
    assert Session.objects.get().seen_on == timezone.localdate()


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        (PHONE, ["Firefox", "Android"]),
        (DESK, ["Edge", "Windows"]),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1", ["Safari", "iPhone"]),
        ("Mozilla/5.0 (Linux; Android 15; SM-S921B) SamsungBrowser/28.0 Chrome/130.0 Mobile", ["Samsung Internet", "Android"]),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36", ["Chrome", "Mac"]),
        ("curl/8", ["", ""]),
    ],
)
def test_user_agents_are_parsed(agent: str, names: list[str]) -> None:
    assert parse_user_agent(agent) == names


def test_the_migration_takes_over_sessions_so_that_logins_stay(cast: Cast) -> None:
    """Sessions of a login, of the link of a table, an expired one, and one of a deleted login."""
    phone = log_in("rita", PHONE)
    data_of_phone = dict(phone.session.items())
    keys = []
    for data in (
        {name: value for name, value in data_of_phone.items() if name[0] == "_"},
        {"link": 7},
        data_of_phone,
        {**data_of_phone, "_auth_user_id": "999"},
    ):
        old = OldStore()
        old.update(data)
        old.create()
        keys.append(old.session_key)
    OldSession.objects.filter(pk=keys[2]).update(expire_date=timezone.now() - datetime.timedelta(days=1))
    Session.objects.all().delete()

    migration = import_module("scoring.migrations.0003_logins")
    migration.take_over(apps, SimpleNamespace(connection=connection))
    assert dict(Session.objects.values_list("pk", "user")) == {keys[0]: cast.reader.pk, keys[1]: None, keys[3]: None}
    assert not OldSession.objects.exists()
    phone.cookies["sessionid"] = keys[0]
    assert is_logged_in(phone)
    assert list_items(phone) == [
        f"Ein Gerät, das nicht sagt, was es ist · dieses Gerät zuletzt gesehen am {timezone.localdate():%d.%m.%Y}"
    ]


# --- A login without a club -----------------------------------------------------------------------------------------


def test_a_user_deletes_a_login_without_a_club_after_a_question(cast: Cast) -> None:
    phone, table = log_in("schorsch", PHONE), make_table(cast.club, held_on=datetime.date(2026, 4, 3))
    add_game(table, actor=cast.scorer)
    assert phone.post("/login/delete/").status_code == 409, "it belongs to a club"
    remove_member(membership=cast.scorer.memberships.get(), actor=Actor(cast.admin))
    assert 'href="/login/delete/"' in phone.get("/").content.decode()
    assert "Der Zugang schorsch gilt dann nicht mehr" in phone.get("/login/delete/").content.decode()
    assert User.objects.filter(username="schorsch").exists(), "the question deletes nothing"
    assert phone.post("/login/delete/").headers["Location"] == "/login/"
    assert not User.objects.filter(username="schorsch").exists()
    assert not Session.objects.filter(user=None, session_data__contains="auth").exists()
    assert Game.objects.filter(round__table=table).count() == 1
    anna = log_in("anna", DESK)
    history = flat(anna.get("/c/karo/history/"))
    assert "ein gelöschter Zugang" in history
    assert "ohne Zugang" in history, "the games of the cast have no author"


def test_pages_work_after_an_invited_login_was_deleted(cast: Cast) -> None:
    cast.stranger.memberships.all().delete()
    invite_member(club=cast.club, actor=Actor(cast.admin), login="fred", roles=[])
    log_in("fred", PHONE).post("/login/delete/")
    anna = log_in("anna", DESK)
    assert anna.get("/c/karo/rights/").status_code == 200
    assert anna.get("/c/karo/history/").status_code == 200


def test_the_login_of_an_operator_cannot_be_deleted(cast: Cast) -> None:
    cast.stranger.memberships.all().delete()
    User.objects.filter(username="fred").update(is_superuser=True)
    assert log_in("fred", PHONE).post("/login/delete/").status_code == 409
