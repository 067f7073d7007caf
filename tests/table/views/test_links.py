"""Test the link of a table: what it opens, what stays closed, when it ends, and which name the history has."""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.crypto import salted_hmac

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table, close_evening, open_evening, reopen_evening
from scoring.models import Change, Game, Player, Session, Table, TableLink, Verb
from scoring.play.replay import EveningIsClosed
from scoring.play.verify import check_table
from scoring.table.actions.seats import change_line_up
from scoring.table.actions.tables import renew_link
from tests.client import visit
from tests.factories import Cast, make_player, make_table
from tests.html import assert_strict, unmarked
from tests.table.views.asking import opened

pytestmark = pytest.mark.django_db

def at(table: Table, name: str = "table", *more: object) -> str:
    return reverse(name, args=[table.evening.club.slug, table.pk, *more])


def game(table: Table, **more: object) -> dict[str, object]:
    last = Game.objects.filter(round__table=table, deleted=False).order_by("position").last()
    return {"key": str(uuid4()), "after": str(last.key) if last else "", "kind": "normal", "re": [0, 1], "eyes": 130, **more}


def enter(phone: Client, table: Table, **more: object) -> int:
    return phone.post(at(table, "games"), game(table, **more), "application/json").status_code


@pytest.fixture
def link(cast: Cast) -> TableLink:
    return renew_link(table=cast.table, actor=Actor(cast.scorer))


def test_the_first_phone_shows_the_link_and_its_code(cast: Cast) -> None:
    phone = Client()
    phone.force_login(cast.scorer)
    address = at(cast.table, "table_link")
    assert address in phone.get(at(cast.table)).content.decode()
    assert "/t/" not in phone.get(address).content.decode(), "no link before the user creates one"
    assert phone.post(address).headers["Location"] == address
    response = phone.get(address)
    token = TableLink.objects.get().token
    assert_strict(response)
    assert f'value="http://testserver/t/{token}/"' in response.content.decode()
    assert 'src="data:image/svg+xml' in response.content.decode()
    assert "no-store" in response.headers["Cache-Control"]


def test_the_database_does_not_hold_the_secret_and_the_token_never_changes(link: TableLink) -> None:
    secret = link.token.partition("-")[2]
    assert len(secret) == 22
    raw = b64encode(link.nonce.bytes).decode()
    assert secret not in f"{link.nonce} {raw} {TableLink.objects.values()}"
    digest = salted_hmac("scoring.TableLink", link.nonce.hex, algorithm="sha256").digest()
    assert link.token == f"{link.pk}-{b64encode(digest[:16], b'-_').decode().rstrip('=')}"


def test_a_player_opens_the_link_and_enters_games(cast: Cast, link: TableLink) -> None:
    phone, table = Client(), link.table
    response = phone.get(reverse("link_open", args=[link.token]))
    assert response.headers["Location"] == reverse("link_speaker"), "an address without the secret"
    assert response.headers["Referrer-Policy"] == "same-origin"
    page = unmarked(phone.get(reverse("link_speaker")).content.decode())
    assert "Ich bin Ärmel" in page
    assert "Ich bin Özlem" in page
    assert phone.get(at(table)).status_code == 302, "only after the player was chosen"
    phone = opened(link, "Çelik")
    assert enter(phone, table) == 201
    change = Change.objects.latest("id")
    assert (change.actor, change.spoken_as.name) == (None, "Çelik")
    assert Game.objects.latest("entered_at").entered_by is None
    history = visit(cast.reader).get(reverse("history", args=["karo"])).content.decode()
    assert "Çelik, über den Link für den Tisch" in unmarked(history)
    page = phone.get(at(table)).content.decode()
    assert "?form=penalty" in page and at(table, "seats") not in page and "einfügen" not in page


def test_the_shared_address_shows_a_card_without_a_session(link: TableLink) -> None:
    """Messengers fetch it before a person opens it."""
    messenger = Client()
    card = messenger.get(f"/t/{link.token}/")
    html = card.content.decode()
    assert (card.status_code, messenger.cookies.keys(), Session.objects.count()) == (200, {}.keys(), 0)
    assert 'og:title" content="Am Tisch mitschreiben"' in html
    assert re.search(r'og:description" content="Abend am [^"]+, ohne Zugang"', html)
    (address,) = re.findall(r'http-equiv="refresh" content="0; url=([^"]+)"', html)
    assert f'href="{address}"' in html, "for browsers that do not redirect"
    assert messenger.get(address).headers["Location"] == reverse("link_speaker")


def test_a_link_corrects_deletes_and_undoes(cast: Cast, link: TableLink) -> None:
    phone, table, key = opened(link), link.table, cast.game.key
    body = {**game(table), "version": 1, "confirm": True, "eyes": 180}
    assert phone.post(at(table, "game", key), body, "application/json").status_code == 200
    stale = phone.post(at(table, "game", key), {**body, "eyes": 190}, "application/json")
    assert (stale.status_code, stale.json()["standing"]["version"]) == (409, 2)
    phone.post(at(table, "undo"), {"change": Change.objects.latest("id").pk})
    assert Game.objects.get(key=key).facts["eyes"] == 130
    phone.post(at(table, "game_delete", key), {"version": 3})
    assert Game.objects.get(key=key).deleted
    changes = Change.objects.filter(verb__startswith="game.", table=table).exclude(verb="game.added")
    assert set(changes.values_list("spoken_as__name", flat=True)) == {"Bodo"}


def test_a_link_opens_all_tables_of_the_evening(cast: Cast, link: TableLink) -> None:
    """A player of the second table finds it by the same link, and the history names this player."""
    people = [make_player(cast.club, name) for name in ("Gisela", "Hatice", "Ivo", "Jo")]
    evening = link.table.evening
    second = add_table(evening=evening, actor=Actor(), rule_set=link.table.rule_set, players=people)
    phone = Client()
    phone.get(reverse("link_open", args=[link.token]))
    page = unmarked(phone.get(reverse("link_speaker")).content.decode())
    assert page.index("Tisch 1") < page.index("Ich bin Bodo") < page.index("Tisch 2") < page.index("Ich bin Hatice")
    response = phone.post(reverse("link_speaker"), {"player": people[1].pk})
    assert response.headers["Location"] == at(second)
    assert enter(phone, second) == 201
    assert Change.objects.latest("id").spoken_as == people[1]
    assert enter(phone, link.table) == 201, "a link is for the whole evening"
    assert phone.get(reverse("link_open", args=[link.token])).headers["Location"] == at(second), "the player is remembered"
    renew_link(table=link.table, actor=Actor(cast.scorer))
    assert phone.get(at(second)).status_code == 410


def test_a_link_opens_no_other_page(cast: Cast, link: TableLink) -> None:
    """All other pages require a login, as for any visitor."""
    phone = opened(link)
    other = make_table(cast.club)
    of_club = ("club", "evenings", "evening_new", "players", "history", "more", "rule_sets", "standings")
    shut = [reverse(name, args=["karo"]) for name in of_club]
    shut += [at(cast.table, "table_link"), at(other), at(other, "state"), at(cast.other_table)]
    shut += [reverse(name, args=["karo", cast.table.evening_id]) for name in ("evening", "evening_excel")]
    for address in shut:
        response = phone.get(address)
        assert response.status_code == 302, address
        assert response.headers["Location"].startswith(reverse("login")), address
    closing = reverse("evening_close", args=["karo", cast.table.evening_id])
    for address in (at(cast.table, "table_link"), closing, at(other, "games")):
        assert phone.post(address).status_code == 302, address
    assert enter(phone, other) in (302, 401)
    assert not Game.objects.filter(round__table=other).exists()


@pytest.mark.parametrize("name", ["table", "game", "game_delete"])
def test_the_pages_of_a_link_have_no_other_links(cast: Cast, link: TableLink, name: str) -> None:
    phone = opened(link)
    response = phone.get(at(cast.table, name, *([] if name == "table" else [cast.game.key])))
    assert response.status_code == 200
    assert_strict(response)
    html = unmarked(response.content.decode())
    assert "Ich bin Bodo" in html
    for address in html.split('href="')[1:] + html.split('action="')[1:]:
        address = address.split('"')[0].split("#")[0]
        if address.startswith("/") and not address.startswith("/static/"):
            elsewhere = [reverse(other) for other in ("link_speaker", "manifest", "guide")]
            assert address in elsewhere or address.startswith(at(cast.table)), address
            assert address != at(cast.table, "table_link")


def test_a_renewed_link_ends_the_one_before(cast: Cast, link: TableLink) -> None:
    phone = opened(link)
    new = renew_link(table=cast.table, actor=Actor(cast.scorer))
    assert Client().get(reverse("link_open", args=[link.token])).status_code == 404
    assert phone.get(at(cast.table)).status_code == 410
    assert phone.get(at(cast.table, "state")).status_code == 302
    assert enter(phone, cast.table) == 202
    assert phone.get(reverse("link_speaker")).status_code == 404
    again = phone.get(reverse("link_open", args=[new.token]))
    assert again.headers["Location"] == at(cast.table), "the player is asked only once"
    assert enter(phone, cast.table) == 201


def test_a_script_is_told_that_the_link_ended(cast: Cast, link: TableLink) -> None:
    phone = opened(link)
    last = renew_link(table=cast.table, actor=Actor(cast.scorer))
    asked = at(cast.table, "state")
    response = phone.get(asked, headers={"Accept": "application/json"})
    assert response.status_code == 401
    assert "Der Link für den Tisch gilt nicht mehr" in response.json()["error"]
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    response = phone.get(asked, headers={"Accept": "application/json"})
    assert (response.status_code, response.json()["error"]) == (401, "Der Abend ist abgeschlossen.")
    assert enter(phone, cast.table) == 202
    with pytest.raises(EveningIsClosed):
        renew_link(table=cast.table, actor=Actor(cast.scorer))
    reopen_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    assert enter(phone, cast.table) == 202
    assert Client().get(reverse("link_open", args=[last.token])).status_code == 404, "it ended for good"
    assert list(Game.objects.filter(round__table=cast.table)) == [cast.game]


def test_another_evening_asks_for_the_player_again(cast: Cast, link: TableLink) -> None:
    phone = opened(link)
    known = list(Player.objects.filter(club=cast.club).exclude(name="Bodo"))
    people = [*known, Player.objects.create(club=cast.club, name="Neu")]
    other = open_evening(
        club=cast.club, actor=Actor(), held_on=cast.table.evening.held_on, rule_set=cast.table.rule_set, players=people[:4]
    )
    response = phone.get(reverse("link_open", args=[renew_link(table=other, actor=Actor()).token]))
    assert response.headers["Location"] == reverse("link_speaker")
    assert phone.get(at(cast.table)).status_code == 302, "one phone sits at one table"


def test_a_guess_is_not_found(link: TableLink) -> None:
    for token in ("x", "1-", "0-0", "99999999999999999999-a", "1-" + "A" * 22, "٣-a", f"{link.pk}-{'A' * 22}"):
        assert Client().get(reverse("link_open", args=[token])).status_code == 404


def test_a_reader_who_opens_it_enters_games(cast: Cast, link: TableLink) -> None:
    phone = Client()
    phone.force_login(cast.reader)
    assert enter(phone, cast.table) == 403
    phone.get(reverse("link_open", args=[link.token]))
    phone.post(reverse("link_speaker"), {"player": Player.objects.get(club=cast.club, name="Bodo").pk})
    assert enter(phone, cast.table) == 201
    phone.force_login(cast.scorer)
    assert enter(phone, cast.table) == 201
    change = Change.objects.latest("id")
    assert (change.actor, change.spoken_as) == (cast.scorer, None), "a scorer who opened it is still a scorer"
    change = Change.objects.get(spoken_as__name="Bodo")
    guest = Player.objects.create(club=cast.club, name="Gast")
    Change.objects.filter(pk=change.pk).update(spoken_as=guest)
    guest.delete()
    change.refresh_from_db()
    assert change.spoken_as is None


def test_the_log_never_holds_a_secret(link: TableLink, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even the secret of an ended link."""
    address = reverse("link_open", args=[link.token])
    logging.config.dictConfig(settings.LOGGING)
    TableLink.objects.update(ended_at=link.created_at)
    assert Client().get(address).status_code == 404
    assert capsys.readouterr().err == "", "a 404 is not logged"


# --- Rounds that were deleted ---------------------------------------------------------------------------------------


def test_a_phone_with_an_earlier_version_restores_a_deleted_round(cast: Cast, link: TableLink) -> None:
    """As an earlier version sent it: round and all fields of a form as text, and `people` from the second try on."""
    current = [seat.player for seat in cast.table.rounds.get().seats.order_by("place")]
    guest = make_player(cast.club, "Wirtin")
    change_line_up(table=cast.table, actor=Actor(cast.scorer), players=[*current[:3], guest])
    phone, gone = opened(link), cast.table.rounds.order_by("position").last()
    change_line_up(table=cast.table, actor=Actor(cast.scorer), players=current)
    sent = game(cast.table, round=str(gone.pk), dealer=1)
    assert phone.post(at(cast.table, "games"), sent, "application/json").status_code == 409
    sent["people"] = [player.pk for player in [*current[:3], guest]]
    answers = [phone.post(at(cast.table, "games"), sent, "application/json").status_code for _ in range(3)]
    assert answers == [201, 200, 200]
    assert Game.objects.filter(round__seats__player=guest).count() == 1
    seated = Change.objects.filter(table=cast.table, verb=Verb.TABLE_SEATED).order_by("-id")[0]
    assert (seated.before, seated.spoken_as) == (None, current[1])
    assert check_table(cast.table).findings == []
