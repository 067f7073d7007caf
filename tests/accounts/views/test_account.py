"""Log in and out, change the password; the language of the pages, and the error pages."""

from __future__ import annotations

import datetime
import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as OldStore
from django.contrib.sessions.models import Session as OldSession
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import include, path
from django.utils import timezone

from scoring.accounts.queries import parse_user_agent
from scoring.club.actions import Actor, invite_member, remove_member
from scoring.models import Game, LoginKey, Session
from tests.factories import PASSWORD, Cast, add_game, make_table
from tests.html import assert_strict, flat, text

LOGIN = "/login/"


def fail(kind: type[Exception]) -> object:
    def view(request: HttpRequest) -> HttpResponse:
        raise kind

    return view


# The site itself and pages that fail.
urlpatterns = [
    path("fail/400/", fail(BadRequest)), path("fail/403/", fail(PermissionDenied)),
    path("fail/500/", fail(RuntimeError)), path("", include("clubledger.urls")),
]  # fmt: skip


def log_in(client: Client, name: str = "rita", password: str = PASSWORD, **more: str) -> HttpResponse:
    response: HttpResponse = client.post(LOGIN, {"username": name, "password": password, **more})
    return response


def test_a_login_leads_to_the_requested_page(client: Client, cast: Cast) -> None:
    redirect = client.get("/c/karo/people/?q=%C3%B6z")
    assert redirect.status_code == 302
    page = client.get(redirect.headers["Location"])
    assert 'name="next" value="/c/karo/people/?q=%C3%B6z"' in text(page)
    assert log_in(client, next="/c/karo/people/?q=%C3%B6z").headers["Location"] == "/c/karo/people/?q=%C3%B6z"
    assert "Özlem" in text(client.get("/c/karo/people/?q=%C3%B6z"))


def test_a_login_never_leads_to_another_site(client: Client, cast: Cast) -> None:
    for target in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil.example"):
        assert log_in(client, next=target).headers["Location"] == "/"


def test_phones_help_to_fill_the_form(client: Client, db: None) -> None:
    page = text(client.get(LOGIN))
    assert 'autocomplete="username"' in page
    assert 'autocapitalize="none"' in page
    assert 'autocomplete="current-password"' in page


def test_a_wrong_password_is_refused_and_the_name_kept(client: Client, cast: Cast) -> None:
    response = log_in(client, password="falsch")
    assert "Name und Passwort passen nicht zusammen" in text(response)
    assert 'value="rita"' in text(response)
    assert "_auth_user_id" not in client.session
    # A screen reader reads the title first.
    assert "<title>Fehler: Anmelden · Club Ledger</title>" in text(response)
    assert re.search(r'role="alert">\s*<ul class="m-0">\s*<li>Name und Passwort', text(response))


def test_a_locked_and_an_unknown_login_look_the_same(client: Client, cast: Cast) -> None:
    User.objects.filter(username="rita").update(is_active=False)
    locked, unknown = log_in(client), log_in(client, name="niemand")
    assert (locked.status_code, unknown.status_code) == (422, 422)
    assert "passen nicht zusammen" in text(locked)
    assert "passen nicht zusammen" in text(unknown)


def test_five_wrong_passwords_lock_the_name_and_the_page_says_for_how_long(client: Client, cast: Cast) -> None:
    answers = [log_in(client, password=f"falsch {n}") for n in range(5)]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 422, 429]
    assert "Bitte in 15 Minuten noch einmal versuchen." in text(answers[-1])
    assert_strict(answers[-1])
    assert log_in(client).status_code == 429
    assert log_in(client, name="anna").status_code == 302


def test_wrong_passwords_of_all_spellings_of_a_name_are_counted_together(client: Client, cast: Cast) -> None:
    """Unknown names as well: otherwise the lock would tell whether a login exists."""
    assert log_in(Client(), name="RITA").status_code == 302
    for name in ("rita", "niemand"):
        spellings = (name, name.upper(), name.title(), name, name.replace("a", "а"))
        assert [log_in(client, typed, "falsch").status_code for typed in spellings] == [422, 422, 422, 422, 429]
        assert log_in(client, name.title()).status_code == 429


def test_two_logins_with_similar_names_are_counted_apart(client: Client, cast: Cast) -> None:
    """An older installation may have two. A right password of one must not delete the wrong ones counted for the other."""
    LoginKey.objects.filter(user=cast.admin).update(key=f"rita {cast.admin.pk}")
    User.objects.filter(pk=cast.admin.pk).update(username="Rita")
    for _ in range(4):
        assert log_in(client, "RITA", "falsch").status_code == 422
    assert log_in(client, "Rita").status_code == 302
    assert client.session["_auth_user_id"] == str(cast.admin.pk)
    assert log_in(Client(), "rita", "falsch").status_code == 429


def test_a_name_or_password_that_is_too_long_is_refused_and_not_counted(client: Client, cast: Cast) -> None:
    for typed in ({"name": "x" * 151}, {"name": "x" * 1_000_000}, {"password": "x" * 1001}):
        assert "Zeichen" in text(log_in(client, **typed))
    assert not AccessAttempt.objects.exists()
    client.force_login(cast.admin)
    response = client.post("/c/karo/rights/new/", {"login": "x" * 151, "existing": "on"})
    assert response.status_code == 422


def test_a_wrong_old_password_counts_as_a_wrong_login(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    new = {"new_password1": "Zwei schwarze Damen", "new_password2": "Zwei schwarze Damen"}
    answers = [client.post("/password/", {"old_password": f"falsch {n}", **new}) for n in range(5)]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 422, 429]
    assert client.post("/password/", {"old_password": PASSWORD, **new}).status_code == 429
    assert log_in(Client()).status_code == 429
    rows = str(AccessAttempt.objects.values())
    assert "falsch" not in rows
    assert "Damen" not in rows
    elsewhere = Client(REMOTE_ADDR="198.51.100.9")
    elsewhere.force_login(cast.reader)
    assert elsewhere.post("/password/", {"old_password": PASSWORD, **new}).status_code == 302


def test_logging_out_needs_a_post(client: Client, cast: Cast) -> None:
    log_in(client)
    assert client.get("/logout/").status_code == 405
    assert client.get("/c/karo/").status_code == 200
    assert client.post("/logout/").headers["Location"] == LOGIN
    assert client.get("/c/karo/").status_code == 302


def test_a_new_password_ends_the_other_sessions(client: Client, cast: Cast) -> None:
    log_in(client)
    elsewhere = Client()
    log_in(elsewhere)
    new = {"new_password1": "Zwei-schwarze-Damen", "new_password2": "Zwei-schwarze-Damen"}
    assert client.post("/password/", {"old_password": "falsch", **new}).status_code == 422
    done = client.post("/password/", {"old_password": PASSWORD, **new}, follow=True)
    assert "Ab jetzt gilt das neue Passwort" in text(done)
    assert client.get("/c/karo/").status_code == 200
    assert elsewhere.get("/c/karo/").status_code == 302
    assert log_in(Client(), password="Zwei-schwarze-Damen").status_code == 302


def test_a_weak_password_is_refused(client: Client, cast: Cast) -> None:
    log_in(client)
    for weak in ("kurz", "KaroEins12", "x" * 1001):
        client.post("/password/", {"old_password": PASSWORD, "new_password1": weak, "new_password2": weak})
    assert User.objects.get(pk=cast.reader.pk).password == cast.reader.password


def test_the_more_page_links_to_the_pages_of_the_role(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    assert "/c/karo/rights/" not in text(client.get("/c/karo/more/"))
    client.force_login(cast.admin)
    page = text(client.get("/c/karo/more/"))
    for target in ("people", "rights", "rules", "history"):
        assert f'href="/c/karo/{target}/"' in page


def test_admins_see_the_time_of_the_last_verified_backup(client: Client, cast: Cast, settings: object, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path
    client.force_login(cast.admin)
    assert "Noch keine geprüfte Sicherung." in text(client.get("/c/karo/more/"))
    for name in (
        "clubledger-20260301T043000Z.sqlite3", "clubledger-20260301T043000Z.sqlite3.sha256",
        "clubledger-20260302T043000Z.sqlite3", "clubledger-20260303T043000Z.sqlite3.sha256",
    ):
        (tmp_path / name).touch()
    assert "Letzte geprüfte Sicherung: 01.03.2026 05:30." in text(client.get("/c/karo/more/")), "no newer one is good"
    for name in ("clubledger-20990301T043000Z.sqlite3", "clubledger-20990301T043000Z.sqlite3.sha256"):
        (tmp_path / name).touch()
    page = text(client.get("/c/karo/more/"))
    assert "Letzte geprüfte Sicherung: 01.03.2026 05:30." in page
    assert "Eine geprüfte Sicherung liegt in der Zukunft (01.03.2099 05:30)" in page
    client.force_login(cast.reader)
    assert "Sicherung" not in text(client.get("/c/karo/more/"))


def test_the_language_is_that_of_the_browser_unless_one_is_chosen(client: Client, db: None) -> None:
    assert '<html lang="de">' in text(client.get(LOGIN))
    assert '<html lang="en">' in text(client.get(LOGIN, headers={"accept-language": "en-GB,en;q=0.9,de;q=0.5"}))
    assert '<html lang="de">' in text(client.get(LOGIN, headers={"accept-language": "fr,it"}))
    assert client.post("/language/", {"language": "en", "next": LOGIN}).headers["Location"] == LOGIN
    assert '<html lang="en">' in text(client.get(LOGIN, headers={"accept-language": "de"}))
    assert client.post("/language/", {"language": "de", "next": "//evil.example"}).headers["Location"] == "/"


def test_the_chosen_language_is_marked_by_more_than_colour(client: Client, db: None) -> None:
    page = flat(client.get(LOGIN))
    assert 'value="de" lang="de" aria-pressed="true"><span aria-hidden="true">✓' in page
    assert 'value="en" lang="en" aria-pressed="false">English' in page


@pytest.mark.urls(__name__)
def test_an_error_page_explains_the_error(client: Client, db: None) -> None:
    for status, says in ((400, "durcheinandergekommen"), (403, "fehlt das Recht"), (404, "Hier ist nichts")):
        response = client.get(f"/fail/{status}/")
        assert response.status_code == status and says in text(response)
        assert_strict(response)


@pytest.mark.urls(__name__)
def test_the_page_for_a_server_error_needs_no_database() -> None:
    """Without the database fixture every query would fail this test."""
    response = Client(raise_request_exception=False).get("/fail/500/")
    assert response.status_code == 500
    assert "Der Fehler liegt bei uns" in text(response)
    assert_strict(response)


def test_a_form_without_its_csrf_token_says_what_to_do(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/logout/")
    assert response.status_code == 403
    assert "die Seite neu laden" in text(response)
    assert_strict(response)


PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
DESK = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0"


def log_in_with(name: str, agent: str) -> Client:
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
    phone, desk = log_in_with("rita", PHONE), log_in_with("rita", DESK)
    log_in_with("anna", PHONE)
    today = f"{timezone.localdate():%d.%m.%Y}"
    assert list_items(phone) == [
        f"Firefox auf Android · dieses Gerät angemeldet seit {today} · zuletzt gesehen am {today}",
        f"Edge auf Windows angemeldet seit {today} · zuletzt gesehen am {today} Abmelden",
    ]
    assert "127.0.0.1" not in get_page(phone)
    assert desk.session.session_key not in get_page(phone), "the key would log in"


def test_one_session_is_ended_and_the_others_stay(cast: Cast) -> None:
    phone, desk, third = (log_in_with("rita", agent) for agent in (PHONE, DESK, PHONE))
    (name,) = re.findall(r'value="(\w{20})">', get_page(phone).split("Edge")[1].split("</li>")[0])
    assert phone.post("/devices/", {"device": name}).status_code == 302
    assert [is_logged_in(one) for one in (phone, desk, third)] == [True, False, True]
    assert "war schon abgemeldet" in phone.post("/devices/", {"device": name}, follow=True).content.decode()


def test_all_other_sessions_are_ended(cast: Cast) -> None:
    phone, desk, third = (log_in_with("rita", agent) for agent in (PHONE, DESK, PHONE))
    stranger = log_in_with("anna", PHONE)
    phone.post("/devices/", {"device": "others"})
    assert [is_logged_in(one) for one in (phone, desk, third, stranger)] == [True, False, False, True]


def test_the_session_of_another_login_cannot_be_ended(cast: Cast) -> None:
    phone, other = log_in_with("rita", PHONE), log_in_with("anna", DESK)
    log_in_with("anna", PHONE)
    (name,) = re.findall(r'value="(\w{20})">', get_page(other))
    phone.post("/devices/", {"device": name})
    assert len(list_items(other)) == 2


def test_a_new_password_keeps_the_device_and_its_day(cast: Cast) -> None:
    phone = log_in_with("rita", PHONE)
    new = "grüner kaktus tanzt nachts"
    phone.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert list_items(phone)[0].startswith("Firefox auf Android · dieses Gerät angemeldet seit")


def test_the_day_seen_is_written_once_a_day_and_alone(cast: Cast) -> None:
    phone = log_in_with("rita", PHONE)
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
    phone = log_in_with("rita", PHONE)
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
    phone, table = log_in_with("schorsch", PHONE), make_table(cast.club, held_on=datetime.date(2026, 4, 3))
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
    anna = log_in_with("anna", DESK)
    history = flat(anna.get("/c/karo/history/"))
    assert "ein gelöschter Zugang" in history
    assert "ohne Zugang" in history, "the games of the cast have no author"


def test_pages_work_after_an_invited_login_was_deleted(cast: Cast) -> None:
    cast.stranger.memberships.all().delete()
    invite_member(club=cast.club, actor=Actor(cast.admin), login="fred", roles=[])
    log_in_with("fred", PHONE).post("/login/delete/")
    anna = log_in_with("anna", DESK)
    assert anna.get("/c/karo/rights/").status_code == 200
    assert anna.get("/c/karo/history/").status_code == 200


def test_the_login_of_an_operator_cannot_be_deleted(cast: Cast) -> None:
    cast.stranger.memberships.all().delete()
    User.objects.filter(username="fred").update(is_superuser=True)
    assert log_in_with("fred", PHONE).post("/login/delete/").status_code == 409
