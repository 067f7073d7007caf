"""The pages of invitations by link: making, showing and ending one, opening one, and joining by it in every way there is."""

from __future__ import annotations

import logging
import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import JoinLink, Membership, Player, Session
from tests.factories import PASSWORD, Cast, make_player
from tests.keys import make_join_link
from tests.pages import flat, unmarked
from tests.policy import assert_strict

LINKS, JOIN = "/c/karo/rights/links/", "/j/"
ENOUGH = "Vier ganz andere Wörter"


def text(response: HttpResponse) -> str:
    return unmarked(response.content.decode())


def opened(link: JoinLink, client: Client | None = None) -> Client:
    """A browser that opened this link."""
    client = client or Client()
    answer = client.get(reverse("join_open", args=[link.token]))
    assert answer.headers["Location"] == JOIN, "a clean address, without the secret"
    return client


def typed(**more: object) -> dict[str, object]:
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


def test_the_address_that_is_sent_shows_a_card_and_keeps_nothing(link: JoinLink) -> None:
    messenger = Client()
    html = text(messenger.get(f"/j/{link.token}/"))
    assert (messenger.cookies.keys(), Session.objects.count()) == ({}.keys(), 0)
    assert 'og:title" content="Einladung in den Club Karo Eins"' in html
    assert f'http-equiv="refresh" content="0; url=/j/{link.token}/open/"' in html
    opened(link, messenger)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"most_uses": "0"}, "größer oder gleich 1"),
        ({"most_uses": "51"}, "kleiner oder gleich 50"),
        ({"most_uses": "2", "admin": "on"}, "gilt nur für eine Person"),
        ({"ends_on": "2020-01-01"}, "Bitte einen Tag von heute an"),
        ({"ends_on": "2199-01-01"}, "Bitte einen Tag von heute an"),
        ({"ends_on": "morgen"}, "gültiges Datum"),
    ],
)
def test_a_link_that_cannot_be_says_why_and_keeps_what_was_typed(
    client: Client, cast: Cast, wrong: dict[str, str], says: str
) -> None:
    client.force_login(cast.admin)
    said = {"most_uses": "1", "ends_on": "2199-01-02", "treasurer": "on", **wrong}
    answer = client.post(LINKS, said)
    assert answer.status_code == 422
    assert says in text(answer)
    assert f'value="{said["ends_on"]}"' in text(answer)
    assert re.search(r'name="treasurer"[^>]*checked', text(answer))
    assert not JoinLink.objects.exists()


def test_somebody_chooses_a_login_says_who_they_are_and_is_in(cast: Cast, link: JoinLink) -> None:
    phone = opened(link)
    page = phone.get(JOIN)
    assert_strict(page)
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert link.token not in text(page)
    assert "Einladung in den Club Karo Eins" in text(page)
    assert not Membership.objects.filter(user__username="bodo").exists(), "looking is not joining"
    answer = phone.post(JOIN, typed(person=bodo(cast).pk), headers={"user-agent": "Firefox Android"})
    assert answer.headers["Location"] == "/c/karo/"
    assert "Willkommen im Club Karo Eins." in text(phone.get("/c/karo/"))
    assert phone.get("/c/karo/evenings/new/").status_code == 200, "as the link says"
    assert phone.get(LINKS).status_code == 403
    assert "Angemeldet als bodo. Am Tisch heißen Sie Bodo." in flat(phone.get("/c/karo/more/"))
    assert "Firefox auf Android" in text(phone.get("/devices/"))
    assert phone.get(JOIN).status_code == 404, "the link is done with here"
    again = Client()
    assert again.post("/login/", {"username": "bodo", "password": ENOUGH}).status_code == 302


def test_somebody_who_is_logged_in_only_says_who_they_are(cast: Cast, link: JoinLink) -> None:
    phone = Client()
    phone.force_login(cast.stranger)
    page = text(opened(link, phone).get(JOIN))
    assert "Angemeldet als fred" in page
    assert "new_password1" not in page
    assert phone.post(JOIN, {"person": bodo(cast).pk, "login": "anders"}).headers["Location"] == "/c/karo/"
    assert bodo(cast).user == cast.stranger
    assert not User.objects.filter(username="anders").exists()


def test_somebody_logs_in_and_comes_back_to_the_invitation(cast: Cast, link: JoinLink) -> None:
    phone = opened(link)
    (login,) = re.findall(r'href="(/login/\?next=[^"]*)"', text(phone.get(JOIN)))
    answer = phone.post(login, {"username": "fred", "password": PASSWORD, "next": JOIN})
    assert answer.headers["Location"] == JOIN
    assert phone.post(JOIN, {"person": "none"}).headers["Location"] == "/c/karo/"
    assert Membership.objects.get(club=cast.club, user=cast.stranger).scorer


def test_a_member_is_told_so_and_nothing_is_used_up(cast: Cast, link: JoinLink) -> None:
    phone = Client()
    phone.force_login(cast.reader)
    opened(link, phone)
    for answer in (phone.get(JOIN), phone.post(JOIN, {"person": "none"})):
        assert answer.headers["Location"] == "/c/karo/"
    assert "gehört schon zum Club" in text(phone.get("/c/karo/"))
    assert JoinLink.objects.get().uses == 0
    assert not cast.reader.memberships.get().scorer


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"login": "Ritа"}, "Diesen Anmeldenamen gibt es schon"),
        ({"login": "zwei wörter"}, "gültigen Benutzernamen"),
        ({"login": "x" * 41}, "40 Zeichen"),
        ({"person": ""}, "zwingend erforderlich"),
        ({"person": "999999999999999999999"}, "keine gültige Auswahl"),
        ({"new_password2": "anders"}, "Passwörter sind nicht identisch"),
        ({"new_password1": "Bodo-Karo-2026", "new_password2": "Bodo-Karo-2026"}, "Das versuchen andere zuerst"),
        ({"new_password1": "kurz", "new_password2": "kurz"}, "zu kurz"),
        ({"new_password1": "x" * 1001, "new_password2": "x" * 1001}, "1000 Zeichen"),
    ],
)
def test_what_is_wrong_is_said_and_the_rest_is_kept(
    cast: Cast, link: JoinLink, wrong: dict[str, object], says: str
) -> None:
    phone, logins = opened(link), User.objects.count()
    answer = phone.post(JOIN, typed(person=bodo(cast).pk) | wrong)
    assert answer.status_code == 422
    assert says in text(answer)
    assert f'value="{wrong.get("login", "bodo")}"' in text(answer)
    assert "person" in wrong or f'<option value="{bodo(cast).pk}" selected>' in text(answer)
    assert ENOUGH not in text(answer), "a password is typed again"
    assert (User.objects.count(), JoinLink.objects.get().uses) == (logins, 0)


def test_somebody_was_quicker_to_be_that_person(cast: Cast, link: JoinLink) -> None:
    phone = opened(link)
    Player.objects.filter(pk=bodo(cast).pk).update(user=cast.reader)
    answer = phone.post(JOIN, typed(person=bodo(cast).pk))
    assert answer.status_code == 422
    assert "keine gültige Auswahl" in text(answer)
    assert not User.objects.filter(username="bodo").exists()


def test_a_club_in_which_everybody_has_a_login_asks_nobody_who_they_are(cast: Cast, link: JoinLink) -> None:
    Player.objects.filter(club=cast.club).update(left_on="2026-01-01")
    phone = opened(link)
    assert 'name="person"' not in text(phone.get(JOIN))
    assert phone.post(JOIN, typed()).status_code == 302


def test_whoever_comes_too_late_reads_a_plain_sentence(cast: Cast, link: JoinLink) -> None:
    """Two have the form before them, one place is left."""
    JoinLink.objects.update(most_uses=1)
    first, second = opened(link), opened(link)
    assert first.post(JOIN, typed()).status_code == 302
    for answer in (second.post(JOIN, typed(login="bea")), second.get(JOIN), second.get(f"/j/{link.token}/")):
        assert answer.status_code == 410
        assert "abgelaufen, beendet oder schon benutzt" in text(answer)
        assert_strict(answer)
    assert not User.objects.filter(username="bea").exists()


def test_guessing_links_ends_and_locks_nobody_out_of_the_login(cast: Cast, link: JoinLink) -> None:
    client, secret = Client(), link.token
    for guess in ("x", "0-x", f"{link.pk}-x", f"{secret}x", "9" * 30 + "-x", secret.swapcase(), "\u0663-x"):
        assert client.get(f"/j/{guess}/").status_code == 404
    answers = [client.get(f"/j/{link.pk}-{n}/").status_code for n in range(24)]
    assert answers == [404] * 22 + [429] * 2
    refused, failures = client.get(f"/j/{secret}x/"), AccessAttempt.objects.count()
    assert refused.status_code == 429
    assert client.get(f"/j/{secret}/").status_code == 200, "a right one goes on"
    assert AccessAttempt.objects.count() == failures, "beyond the limit nothing is counted"
    assert "kamen zu viele falsche Links. Bitte in 15 Minuten" in text(refused)
    assert Client().post("/login/", {"username": "rita", "password": PASSWORD}).status_code == 302
    assert Client(REMOTE_ADDR="198.51.100.9").get(f"/j/{secret}/").status_code == 200
    assert secret not in str(AccessAttempt.objects.values())


def fetched(dest: str, mode: str) -> dict[str, str]:
    """What a browser says when a page of another site asks for an address of ours."""
    return {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode, "sec-fetch-dest": dest}


@pytest.mark.parametrize(("dest", "mode"), [("image", "no-cors"), ("iframe", "navigate"), ("empty", "cors")])
def test_what_a_page_of_another_site_loads_is_neither_looked_up_nor_counted(
    link: JoinLink, dest: str, mode: str
) -> None:
    client = Client(headers=fetched(dest, mode))
    assert {client.get(f"/j/{link.pk}-{n}/").status_code for n in range(35)} == {404}
    assert client.get(f"/j/{link.token}/").status_code == 404, "a right one tells nothing either"
    assert not AccessAttempt.objects.exists()
    for opened_by in (fetched("document", "navigate"), fetched("empty", "navigate")):
        assert Client(headers=opened_by).get(f"/j/{link.token}/").status_code == 200


def test_wrong_passwords_do_not_keep_anybody_from_joining(cast: Cast, link: JoinLink) -> None:
    client = Client()
    for number in range(30):
        client.post("/login/", {"username": f"jemand {number}", "password": "falsch"})
    assert client.post("/login/", {"username": "rita", "password": PASSWORD}).status_code == 429
    assert client.get(f"/j/{link.token}/").status_code == 200


def test_a_link_that_is_over_is_no_guess(cast: Cast, link: JoinLink) -> None:
    JoinLink.objects.update(uses=2)
    assert Client().get(f"/j/{link.token}/").status_code == 410
    assert not AccessAttempt.objects.exists()


def test_the_secret_stands_in_no_log_and_no_table(cast: Cast, link: JoinLink, caplog: pytest.LogCaptureFixture) -> None:
    secret = link.token.partition("-")[2]
    with caplog.at_level(logging.DEBUG, "django.request"):
        opened(link).post(JOIN, typed())
    assert len(secret) == 22
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            assert secret not in str(cursor.fetchall()), table


@pytest.mark.parametrize("many", [1, 30])
def test_a_link_asks_the_same_however_many_people_there_are(cast: Cast, link: JoinLink, many: int) -> None:
    for number in range(many):
        make_player(cast.club, f"Gast {number}")
    phone = opened(link)
    with CaptureQueriesContext(connection) as of_opening:
        phone.get(f"/j/{link.token}/open/")
    with CaptureQueriesContext(connection) as of_page:
        phone.get(JOIN)
    assert (len(of_opening), len(of_page)) == (6, 4)
