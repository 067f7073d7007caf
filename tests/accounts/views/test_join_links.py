"""The pages of links to join a club: make, show, end and open a link, and join with a new or an existing login."""

from __future__ import annotations

import logging
import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import JoinLink, Membership, Player, Session
from tests.factories import PASSWORD, Cast, make_join_link, make_player
from tests.html import assert_strict, flat, text

LINKS, JOIN = "/c/karo/rights/links/", "/j/"
ENOUGH = "Vier ganz andere Wörter"


def open_link(link: JoinLink, client: Client | None = None) -> Client:
    client = client or Client()
    answer = client.get(reverse("join_open", args=[link.token]))
    assert answer.headers["Location"] == JOIN, "a clean address, without the secret"
    return client


def build_input(**more: object) -> dict[str, object]:
    return {"login": "bodo", "new_password1": ENOUGH, "new_password2": ENOUGH, "person": "none", **more}


def bodo(cast: Cast) -> Player:
    return Player.objects.get(club=cast.club, name="Bodo")


@pytest.fixture
def link(cast: Cast) -> JoinLink:
    return make_join_link(cast.club, cast.admin, ["scorer"], most_uses=2)


def test_an_admin_makes_a_link_shows_it_and_ends_it(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    assert LINKS in text(client.get("/c/karo/rights/"))
    assert "/j/" not in text(client.get(LINKS))
    (day,) = re.findall(r'name="ends_on" value="([0-9-]{10})"', text(client.get(LINKS)))
    made = client.post(LINKS, {"most_uses": "3", "ends_on": day, "scorer": "on"}, follow=True)
    link = JoinLink.objects.get()
    assert f'value="http://testserver/j/{link.token}/"' in text(made)
    assert 'src="data:image/svg+xml' in text(made)
    assert "liest · schreibt" in flat(made)
    assert "0 von 3 beigetreten" in flat(made)
    assert "no-store" in made.headers["Cache-Control"]
    assert_strict(made)
    address = f"{LINKS}{link.pk}/end/"
    assert "Der Link gilt nicht mehr." in text(client.post(address, follow=True))
    assert "Diese Einladung gilt nicht mehr" in text(client.post(address, follow=True))
    assert "/j/" not in text(client.get(LINKS))
    assert Client().get(f"/j/{link.token}/").status_code == 410


def test_the_address_to_send_shows_a_card_and_stores_nothing(link: JoinLink) -> None:
    messenger = Client()
    html = text(messenger.get(f"/j/{link.token}/"))
    assert (messenger.cookies.keys(), Session.objects.count()) == ({}.keys(), 0)
    assert 'og:title" content="Einladung in einen Club"' in html, "of a private club no messenger learns the name"
    assert f'http-equiv="refresh" content="0; url=/j/{link.token}/open/"' in html
    open_link(link, messenger)


def test_an_invalid_link_is_refused_with_a_reason_and_the_input_kept(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    for wrong, says in (
        ({"most_uses": "0"}, "größer oder gleich 1"),
        ({"most_uses": "51"}, "kleiner oder gleich 50"),
        ({"most_uses": "2", "admin": "on"}, "gilt nur für eine Person"),
        ({"ends_on": "2020-01-01"}, "Bitte einen Tag von heute an"),
        ({"ends_on": "2199-01-01"}, "Bitte einen Tag von heute an"),
        ({"ends_on": "morgen"}, "gültiges Datum"),
    ):
        values = {"most_uses": "1", "ends_on": "2199-01-02", "treasurer": "on", **wrong}
        answer = client.post(LINKS, values)
        assert answer.status_code == 422 and says in text(answer)
        assert f'value="{values["ends_on"]}"' in text(answer)
        assert re.search(r'name="treasurer"[^>]*checked', text(answer))
    assert not JoinLink.objects.exists()


def test_a_user_without_a_login_joins_as_a_player_and_is_logged_in(cast: Cast, link: JoinLink) -> None:
    phone = open_link(link)
    page = phone.get(JOIN)
    assert_strict(page)
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert link.token not in text(page)
    assert "Einladung in den Club Karo Eins" in text(page)
    assert not Membership.objects.filter(user__username="bodo").exists(), "the page alone does not join"
    answer = phone.post(JOIN, build_input(person=bodo(cast).pk), headers={"user-agent": "Firefox Android"})
    assert answer.headers["Location"] == "/c/karo/"
    assert "Willkommen im Club Karo Eins." in text(phone.get("/c/karo/"))
    assert phone.get("/c/karo/evenings/new/").status_code == 200, "the role of the link"
    assert phone.get(LINKS).status_code == 403
    assert "Angemeldet als bodo. Am Tisch heißen Sie Bodo." in flat(phone.get("/c/karo/more/"))
    assert "Firefox auf Android" in text(phone.get("/devices/"))
    assert phone.get(JOIN).status_code == 404, "the session forgot the link"
    again = Client()
    assert again.post("/login/", {"username": "bodo", "password": ENOUGH}).status_code == 302


def test_a_user_who_is_logged_in_only_chooses_the_player(cast: Cast, link: JoinLink) -> None:
    phone = Client()
    phone.force_login(cast.stranger)
    page = text(open_link(link, phone).get(JOIN))
    assert "Angemeldet als fred" in page
    assert "new_password1" not in page
    assert phone.post(JOIN, {"person": bodo(cast).pk, "login": "anders"}).headers["Location"] == "/c/karo/"
    assert bodo(cast).user == cast.stranger
    assert not User.objects.filter(username="anders").exists()


def test_a_user_logs_in_and_returns_to_the_invitation(cast: Cast, link: JoinLink) -> None:
    phone = open_link(link)
    (login,) = re.findall(r'href="(/login/\?next=[^"]*)"', text(phone.get(JOIN)))
    answer = phone.post(login, {"username": "fred", "password": PASSWORD, "next": JOIN})
    assert answer.headers["Location"] == JOIN
    assert phone.post(JOIN, {"person": "none"}).headers["Location"] == "/c/karo/"
    assert Membership.objects.get(club=cast.club, user=cast.stranger).scorer


def test_a_member_gets_a_message_and_no_use_is_counted(cast: Cast, link: JoinLink) -> None:
    phone = Client()
    phone.force_login(cast.reader)
    open_link(link, phone)
    for answer in (phone.get(JOIN), phone.post(JOIN, {"person": "none"})):
        assert answer.headers["Location"] == "/c/karo/"
    assert "gehört schon zum Club" in text(phone.get("/c/karo/"))
    assert JoinLink.objects.get().uses == 0
    assert not cast.reader.memberships.get().scorer


def test_invalid_input_is_refused_with_a_reason_and_the_rest_kept(cast: Cast, link: JoinLink) -> None:
    phone, logins = open_link(link), User.objects.count()
    for wrong, says in (
        ({"login": "Ritа"}, "Diesen Anmeldenamen gibt es schon"),
        ({"login": "zwei wörter"}, "gültigen Benutzernamen"),
        ({"login": "x" * 41}, "40 Zeichen"),
        ({"person": ""}, "zwingend erforderlich"),
        ({"person": "999999999999999999999"}, "keine gültige Auswahl"),
        ({"new_password2": "anders"}, "Passwörter sind nicht identisch"),
        ({"new_password1": "Bodo-Karo-2026", "new_password2": "Bodo-Karo-2026"}, "Das versuchen andere zuerst"),
        ({"new_password1": "kurz", "new_password2": "kurz"}, "zu kurz"),
        ({"new_password1": "x" * 1001, "new_password2": "x" * 1001}, "1000 Zeichen"),
    ):
        answer = phone.post(JOIN, build_input(person=bodo(cast).pk) | wrong)
        assert answer.status_code == 422 and says in text(answer)
        assert f'value="{wrong.get("login", "bodo")}"' in text(answer)
        assert "person" in wrong or f'<option value="{bodo(cast).pk}" selected>' in text(answer)
        assert ENOUGH not in text(answer), "a password is typed again"
    assert (User.objects.count(), JoinLink.objects.get().uses) == (logins, 0)


def test_the_player_is_not_asked_for_if_none_is_without_a_login(cast: Cast, link: JoinLink) -> None:
    Player.objects.filter(club=cast.club).update(left_on="2026-01-01")
    phone = open_link(link)
    assert 'name="person"' not in text(phone.get(JOIN))
    assert phone.post(JOIN, build_input()).status_code == 302


def test_the_second_user_of_the_last_use_reads_that_the_link_is_used_up(cast: Cast, link: JoinLink) -> None:
    JoinLink.objects.update(most_uses=1)
    first, second = open_link(link), open_link(link)
    assert first.post(JOIN, build_input()).status_code == 302
    for answer in (second.post(JOIN, build_input(login="bea")), second.get(JOIN), second.get(f"/j/{link.token}/")):
        assert answer.status_code == 410
        assert "abgelaufen, beendet oder schon benutzt" in text(answer)
        assert_strict(answer)
    assert not User.objects.filter(username="bea").exists()


def test_guessed_links_are_limited_and_the_login_stays_open(cast: Cast, link: JoinLink) -> None:
    client, secret = Client(), link.token
    for guess in ("x", "0-x", f"{link.pk}-x", f"{secret}x", "9" * 30 + "-x", secret.swapcase(), "\u0663-x"):
        assert client.get(f"/j/{guess}/").status_code == 404
    answers = [client.get(f"/j/{link.pk}-{n}/").status_code for n in range(24)]
    assert answers == [404] * 22 + [429] * 2
    refusal, failures = client.get(f"/j/{secret}x/"), AccessAttempt.objects.count()
    assert refusal.status_code == 429
    assert client.get(f"/j/{secret}/").status_code == 200, "a valid link still works"
    assert AccessAttempt.objects.count() == failures, "beyond the limit nothing is counted"
    assert "kamen zu viele falsche Links. Bitte in 15 Minuten" in text(refusal)
    assert Client().post("/login/", {"username": "rita", "password": PASSWORD}).status_code == 302
    assert Client(REMOTE_ADDR="198.51.100.9").get(f"/j/{secret}/").status_code == 200
    assert secret not in str(AccessAttempt.objects.values())


def build_fetch_headers(dest: str, mode: str) -> dict[str, str]:
    """Return what a browser sends for a request from a page of another site."""
    return {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode, "sec-fetch-dest": dest}


def test_a_request_embedded_in_another_site_is_neither_looked_up_nor_counted(link: JoinLink) -> None:
    for dest, mode in (("image", "no-cors"), ("iframe", "navigate"), ("empty", "cors")):
        client = Client(headers=build_fetch_headers(dest, mode))
        assert client.get(f"/j/{link.pk}-x/").status_code == 404
        assert client.get(f"/j/{link.token}/").status_code == 404, "a valid link is not found either"
    assert not AccessAttempt.objects.exists()
    for dest in ("document", "empty"):
        assert Client(headers=build_fetch_headers(dest, "navigate")).get(f"/j/{link.token}/").status_code == 200


def test_wrong_passwords_do_not_block_joining(cast: Cast, link: JoinLink) -> None:
    client = Client()
    for number in range(30):
        client.post("/login/", {"username": f"jemand {number}", "password": "falsch"})
    assert client.post("/login/", {"username": "rita", "password": PASSWORD}).status_code == 429
    assert client.get(f"/j/{link.token}/").status_code == 200


def test_opening_a_closed_link_is_not_counted_as_a_guess(cast: Cast, link: JoinLink) -> None:
    JoinLink.objects.update(uses=2)
    assert Client().get(f"/j/{link.token}/").status_code == 410
    assert not AccessAttempt.objects.exists()


def test_the_secret_is_in_no_log_and_no_table(cast: Cast, link: JoinLink, caplog: pytest.LogCaptureFixture) -> None:
    secret = link.token.partition("-")[2]
    with caplog.at_level(logging.DEBUG, "django.request"):
        open_link(link).post(JOIN, build_input())
    assert len(secret) == 22
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            assert secret not in str(cursor.fetchall()), table


def test_the_number_of_queries_does_not_depend_on_the_players(cast: Cast, link: JoinLink) -> None:
    for time in range(2):
        phone = open_link(link)
        with CaptureQueriesContext(connection) as queries_of_link:
            phone.get(f"/j/{link.token}/open/")
        with CaptureQueriesContext(connection) as queries_of_page:
            phone.get(JOIN)
        assert (len(queries_of_link), len(queries_of_page)) == (6, 4)
        for number in range(30):
            make_player(cast.club, f"Gast {time}-{number}")
