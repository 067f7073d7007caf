"""Pages about players and members: content, input, and a constant number of queries."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.club import forms
from scoring.club.actions import Actor, invite_member
from scoring.models import Membership, Player
from tests.client import ask, visit
from tests.factories import Cast, make_player, make_table, make_user
from tests.html import text

PEOPLE, RIGHTS = "/c/karo/people/", "/c/karo/rights/"


@pytest.fixture
def admin(client: Client, cast: Cast) -> Client:
    client.force_login(cast.admin)
    return client


def names(response: HttpResponse) -> list[str]:
    return re.findall(r"<span>\s*<bdi>(.*?)</bdi>", text(response))


def test_players_are_sorted_by_the_key_of_their_names(admin: Client, cast: Cast) -> None:
    for name in ("Zoë", "Đorđe", "adam", "Ümit"):
        make_player(cast.club, name)
    assert names(admin.get(PEOPLE)) == ["adam", "Ärmel", "Bodo", "Çelik", "Đorđe", "Özlem", "Ümit", "Zoë"]


def test_a_search_finds_a_name_in_any_spelling(admin: Client) -> None:
    for search, found in (("öz", ["Özlem"]), ("OZ", ["Özlem"]), ("arm", ["Ärmel"]), ("LIK", ["Çelik"]), ("%", []), ("_", [])):
        assert names(admin.get(PEOPLE, {"q": search})) == found


def test_an_invalid_search_shows_all_players(admin: Client) -> None:
    for search in ("\x00", "x" * 200, " "):
        response = admin.get(PEOPLE, {"q": search})
        assert (response.status_code, len(names(response))) == (200, 4)


def test_a_search_is_shown_as_text(admin: Client) -> None:
    page = text(admin.get(PEOPLE, {"q": "<b>x"}))
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page


def test_the_lists_of_players_and_members(admin: Client, cast: Cast) -> None:
    for n in range(60):
        make_player(cast.club, f"Gast {n}", guest=True)
    for n in range(20):
        make_user(f"gast{n}", cast.club, ["scorer"])
        invite_member(club=cast.club, actor=Actor(cast.admin), login=make_user(f"neu{n}").username, roles=[])
    assert [len(names(admin.get(PEOPLE, {"page": page}))) for page in (1, 2)] == [50, 14]
    page = text(admin.get(RIGHTS))
    assert (page.count("list-link"), page.count("/withdraw/")) == (24, 20)


def test_days_long_before_the_first_evening_are_asked_about_once(admin: Client, cast: Cast) -> None:
    make_table(cast.club)
    typed = {"name": "Jürgen", "joined_on": "1950-05-01", "left_on": "1951-05-01"}
    asked = admin.post(f"{PEOPLE}new/", typed)
    form = asked.context["form"]
    says = "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026). Stimmt das, bitte"
    assert sorted(form.errors) == ["joined_on", "left_on"] and form.errors["joined_on"][0].startswith(says)
    assert f'name="sure" value="{form["sure"].value()}"' in text(asked)
    assert admin.post(f"{PEOPLE}new/", typed | {"sure": form["sure"].value()}).status_code == 302
    player = Player.objects.get(name="Jürgen")
    assert (str(player.joined_on), str(player.left_on)) == ("1950-05-01", "1951-05-01")
    edit = f"{PEOPLE}{player.pk}/edit/"
    assert admin.post(edit, typed | {"name": "Jürgen II"}).status_code == 302, "what was not changed is no question"
    assert admin.post(edit, typed | {"joined_on": "1949-05-01"}).status_code == 422


def test_a_player_is_added_and_changed(admin: Client, cast: Cast) -> None:
    typed = {"name": "Jürgen", "guest": "on", "joined_on": "2026-05-01", "user": cast.reader.pk}
    response = admin.post(f"{PEOPLE}new/", typed, follow=True)
    assert "Jürgen ist aufgenommen." in text(response)
    player = Player.objects.get(name="Jürgen")
    edit = f"{PEOPLE}{player.pk}/edit/"
    page = text(admin.get(edit))
    assert 'value="Jürgen"' in page
    assert 'value="2026-05-01"' in page
    assert f'<option value="{cast.reader.pk}" selected>' in page
    admin.post(edit, {"name": "Jürgen", "rests_from": "2026-05-01", "rests_until": "2026-05-31"})
    assert "Pause ab 01.05.2026 bis zum 31.05.2026" in " ".join(text(admin.get(f"{PEOPLE}{player.pk}/")).split())
    admin.post(edit, {"name": "Jürgen", "left_on": "2026-06-01"})
    player.refresh_from_db()
    assert (player.guest, player.joined_on, str(player.left_on), player.user) == (False, None, "2026-06-01", None)
    assert "ausgeschieden am 01.06.2026" in text(admin.get(f"{PEOPLE}{player.pk}/"))


def test_invalid_input_is_shown_again_with_its_reason(admin: Client) -> None:
    before = Player.objects.count()
    for typed, says in (
        ({"name": ""}, "Dieses Feld ist zwingend erforderlich"),
        ({"name": "ÄRMEL"}, "Diesen Namen gibt es im Club schon"),
        ({"name": "Bo\u202edo"}, "Bitte nur sichtbare Zeichen verwenden"),
        ({"name": "\u200d"}, "Bitte einen Namen eingeben"),
        ({"name": "\ufdfa" * 40}, "Bitte einen kürzeren Namen eingeben"),
        ({"name": "Neu", "joined_on": "2026-05-02", "left_on": "2026-05-01"}, "erst nach dem Eintritt"),
        ({"name": "Neu", "joined_on": "gestern"}, "gültiges Datum"),
        ({"name": "Neu", "joined_on": "2999-01-01"}, "Dieser Tag liegt in der Zukunft"),
        ({"name": "Neu", "rests_until": "2026-05-01"}, "Das Ende der Pause"),
        ({"name": "Neu", "rests_from": "2026-05-02", "rests_until": "2026-05-01"}, "liegt vor ihrem Anfang."),
        ({"name": "Neu", "rests_from": "bald", "rests_until": "2026-05-01"}, "gültiges Datum"),
        ({"name": "Neu", "joined_on": "gestern", "left_on": "2026-03-01"}, "gültiges Datum"),
        ({"name": "Neu", "user": "999999"}, "keine gültige Auswahl"),
    ):
        response = admin.post(f"{PEOPLE}new/", {"joined_on": "2026-04-01", **typed})
        assert response.status_code == 422 and says in text(response)
        assert sum(map(len, response.context["form"].errors.values())) == 1, typed
        assert f'value="{typed.get("joined_on", "2026-04-01")}"' in text(response)
    assert Player.objects.count() == before


def test_the_login_of_another_player_cannot_be_chosen(admin: Client, cast: Cast) -> None:
    taken = make_player(cast.club, "Rita", user=cast.reader)
    for path in (f"{PEOPLE}new/", f"{PEOPLE}{Player.objects.get(name='Bodo', club=cast.club).pk}/edit/"):
        page = text(admin.get(path))
        assert ">schorsch<" in page
        assert ">rita<" not in page
        assert ">fred<" not in page
    assert ">rita<" in text(admin.get(f"{PEOPLE}{taken.pk}/edit/"))


def test_a_player_of_another_club_does_not_use_up_the_login(admin: Client, cast: Cast) -> None:
    Membership.objects.create(club=cast.other_club, user=cast.reader)
    make_player(cast.other_club, "Rita", user=cast.reader)
    assert ">rita<" in text(admin.get(f"{PEOPLE}new/"))


def test_readers_see_players_and_no_buttons(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    player = make_player(cast.club, "Rita", user=cast.reader)
    assert "· ich</strong>" in text(client.get(PEOPLE))
    assert "/new/" not in text(client.get(PEOPLE))
    assert "/edit/" not in text(client.get(f"{PEOPLE}{player.pk}/"))


def test_the_password_of_a_new_login_is_shown_once_and_works(admin: Client, cast: Cast) -> None:
    response = admin.post(f"{RIGHTS}new/", {"login": "jürgen", "scorer": "on"})
    assert response.status_code == 201
    assert "no-store" in response.headers["Cache-Control"]
    login, password = re.findall(r'<code class="fs-5">(.*?)</code>', text(response))
    assert password not in text(admin.get(RIGHTS)) + text(admin.get("/c/karo/history/"))
    theirs = Client()
    assert theirs.post("/login/", {"username": login, "password": password}).status_code == 302
    assert theirs.get("/c/karo/evenings/new/").status_code == 200
    assert theirs.get(RIGHTS).status_code == 403


def test_a_login_that_cannot_join_is_refused_with_a_reason(admin: Client) -> None:
    for typed, says in (
        ({"login": "RITA"}, "Diesen Anmeldenamen gibt es schon"),
        ({"login": "zwei wörter"}, "gültigen Benutzernamen"),
        ({"login": "\ufdfa"}, "gültigen Benutzernamen"),
        ({"login": "x" * 41}, "40 Zeichen"),
        ({"login": "ritа"}, "Diesen Anmeldenamen gibt es schon"),  # with a Cyrillic letter
        ({"login": "niemand", "existing": "on"}, "gibt es nicht"),
        ({"login": "rita", "existing": "on"}, "gehört schon zum Club"),
    ):
        response = admin.post(f"{RIGHTS}new/", typed)
        assert response.status_code == 422 and says in text(response)
    assert Membership.objects.count() == 5


def test_an_existing_login_is_invited_and_joins_by_accepting(admin: Client, cast: Cast) -> None:
    typed = {"login": "fred", "existing": "on", "treasurer": "on"}
    page = text(admin.post(f"{RIGHTS}new/", typed, follow=True))
    assert "Die Einladung steht bereit" in page
    address = re.findall(r'value="http://testserver(/c/karo/invitations/\d+/)"', page)[0]
    theirs = Client()
    theirs.force_login(cast.stranger)
    assert theirs.get(PEOPLE).status_code == 404, "not before they agreed"
    offer = text(theirs.get(address))
    assert "Einladung in den Club Karo Eins" in offer
    assert "führt die Kasse" in offer
    assert not Membership.objects.filter(user=cast.stranger, club=cast.club).exists(), "looking is not agreeing"
    assert "Willkommen im Club Karo Eins" in text(theirs.post(address, follow=True))
    member = Membership.objects.get(user=cast.stranger, club=cast.club)
    assert (member.treasurer, member.admin) == (True, False)
    assert theirs.post(address).status_code == 404
    assert address not in text(admin.get(RIGHTS))
    history = text(admin.get("/c/karo/history/"))
    assert history.index("Rechte geändert") < history.index("In den Club eingeladen")


def test_an_invitation_is_withdrawn(admin: Client, cast: Cast) -> None:
    page = text(admin.post(f"{RIGHTS}new/", {"login": "fred", "existing": "on"}, follow=True))
    address = re.findall(r"/c/karo/invitations/\d+/", page)[0]
    assert "zurückgenommen" in text(admin.post(f"{address}withdraw/", follow=True))
    assert "gilt nicht mehr" in text(admin.post(f"{address}withdraw/", follow=True))
    assert address not in text(admin.get(RIGHTS))
    theirs = Client()
    theirs.force_login(cast.stranger)
    assert theirs.get(address).status_code == 404
    assert "Einladung zurückgenommen" in text(admin.get("/c/karo/history/"))


def test_impossible_actions_are_not_offered(admin: Client, cast: Cast) -> None:
    """No new password for a login of another club, no removal of the last admin."""
    foreign = Membership.objects.create(club=cast.club, user=cast.stranger)
    reset, remove = "/password/", "/remove/"
    pages = {
        login: text(admin.get(f"{RIGHTS}{member.pk}/"))
        for login, member in {
            "fred": foreign,
            "rita": cast.reader.memberships.get(),
            "anna": cast.admin.memberships.get(),
        }.items()
    }
    assert {login: (reset in page, remove in page) for login, page in pages.items()} == {
        "fred": (False, True),
        "rita": (True, True),
        "anna": (True, False),
    }
    assert "gehört auch zu einem anderen Club" in pages["fred"]


def test_roles_are_given_and_taken(admin: Client, cast: Cast) -> None:
    member = cast.reader.memberships.get()
    page = f"{RIGHTS}{member.pk}/"
    assert admin.post(page, {"scorer": "on"}).headers["Location"] == RIGHTS
    member.refresh_from_db()
    assert (member.scorer, member.treasurer, member.admin) == (True, False, False)
    assert re.search(r'name="scorer"[^>]*checked', text(admin.get(page)))
    assert admin.post(f"{page}remove/").headers["Location"] == RIGHTS
    assert not Membership.objects.filter(pk=member.pk).exists()


def test_removing_the_last_admin_shows_the_refusal(admin: Client, cast: Cast) -> None:
    member = cast.admin.memberships.get()
    page = f"{RIGHTS}{member.pk}/"
    response = admin.post(page, {"scorer": "on"})
    assert response.status_code == 422
    assert "mindestens einen Verwalter" in text(response)
    assert "mindestens einen Verwalter" in text(admin.post(f"{page}remove/", follow=True))
    assert Membership.objects.get(pk=member.pk).admin


def test_a_former_admin_is_redirected_to_a_page_they_may_read(admin: Client, cast: Cast) -> None:
    make_user("bea", cast.club, ["admin"])
    page = f"{RIGHTS}{cast.admin.memberships.get().pk}/"
    assert admin.post(page, {"scorer": "on"}, follow=True).status_code == 200
    assert User.objects.get(pk=cast.admin.pk).memberships.get().scorer
    assert admin.get(RIGHTS).status_code == 403


def test_an_admin_who_leaves_is_redirected_home(admin: Client, cast: Cast) -> None:
    make_user("bea", cast.club, ["admin"])
    response = admin.post(f"{RIGHTS}{cast.admin.memberships.get().pk}/remove/", follow=True)
    assert response.status_code == 200
    assert "gehört nicht mehr zum Club" in text(response)


def test_a_removed_member_gets_404(cast: Cast) -> None:
    Membership.objects.filter(user=cast.scorer).delete()
    assert ask("GET", reverse("club", args=["karo"]), visit(cast.scorer)).status_code == 404


def test_a_locked_login_must_log_in(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    User.objects.filter(pk=cast.admin.pk).update(is_active=False)
    assert client.get(reverse("members", args=["karo"])).status_code == 302


def test_a_login_that_has_left_the_club_meanwhile_is_refused_in_the_form(
    admin: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    outsider = make_user("gone")
    monkeypatch.setattr(forms, "list_assignable_logins", lambda _player: User.objects.all())
    for address in (f"{PEOPLE}new/", reverse("player_edit", args=["karo", cast.club.players.first().pk])):
        response = admin.post(address, {"name": "Neu", "user": outsider.pk})
        assert response.status_code == 422
        assert "Dieser Zugang gehört nicht zum Club." in text(response)
