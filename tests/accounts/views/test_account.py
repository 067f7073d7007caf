"""Log in and out, change the password; the language of the pages, and the error pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from scoring.models import LoginKey
from tests.factories import PASSWORD, Cast
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
