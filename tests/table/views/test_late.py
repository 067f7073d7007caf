"""Test late entries as phones send them and as pages show them: the answer 202, who sees them, who decides, and the page of an
ended link."""

from __future__ import annotations

import datetime
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, LateEntry, Player, Table, TableLink
from scoring.play.queries import read_sheet
from scoring.table.access import LATE
from scoring.table.actions.late import OF_A_LINK
from scoring.table.actions.tables import renew_link
from tests.client import visit
from tests.factories import Cast, add_game, make_table
from tests.html import assert_strict, unmarked
from tests.table.views.asking import by_link

pytestmark = pytest.mark.django_db

CLOSED = "Der Abend ist abgeschlossen. Das Spiel liegt jetzt beim Verwalter."
RENEWED = "Der Link für den Tisch gilt nicht mehr. Das Spiel liegt jetzt beim Schreiber des Tisches."


def at(table: Table, name: str = "table", *more: object) -> str:
    return reverse(name, args=[table.evening.club.slug, table.pk, *more])


def game(cast: Cast, eyes: int = 153, **more: object) -> dict[str, Any]:
    return {"key": str(uuid4()), "after": str(cast.game.key), "kind": "normal", "re": [0, 1], "eyes": eyes, **more}


def send(phone: Client, table: Table, body: dict[str, Any], **headers: str) -> HttpResponse:
    return phone.post(at(table, "games"), json.dumps(body), content_type="application/json", headers=headers or None)


def close(cast: Cast) -> None:
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))


def text(phone: Client, table: Table) -> str:
    response = phone.get(at(table))
    assert_strict(response)
    return unmarked(response.content.decode())


def eyes(table: Table) -> list[int]:
    return [row.game.facts["eyes"] for row in read_sheet(table).rows]


def test_a_late_entry_of_a_scorer_is_kept_for_the_admin(cast: Cast) -> None:
    phone, body = visit(cast.scorer), game(cast)
    close(cast)
    for _ in range(2):
        response = send(phone, cast.table, body)
        assert (response.status_code, response.json()) == (202, {"key": body["key"], "late": CLOSED})
    assert (LateEntry.objects.get().entered_by, eyes(cast.table)) == (cast.scorer, [130])
    assert send(phone, cast.table, {**body, "eyes": 154}).status_code == 422, "the same key with other content"
    assert send(phone, cast.table, {**body, "key": str(uuid4()), "eyes": 241}).status_code == 422
    assert send(phone, cast.table, {**body, "key": ""}).status_code == 422


def test_after_closing_a_saved_line_is_answered_and_an_admin_enters_at_once(cast: Cast) -> None:
    scorer, guest = visit(cast.scorer), by_link(cast.table, "Bodo")
    bodies = {scorer: game(cast)}
    assert send(scorer, cast.table, bodies[scorer]).status_code == 201
    bodies[guest] = game(cast, after=bodies[scorer]["key"])
    assert send(guest, cast.table, bodies[guest]).status_code == 201
    close(cast)
    assert [send(phone, cast.table, body).status_code for phone, body in bodies.items()] == [200, 200]
    assert send(visit(cast.admin), cast.table, game(cast, after=bodies[guest]["key"])).status_code == 201
    assert not LateEntry.objects.exists()


def test_a_late_entry_of_a_renewed_or_closed_link_is_kept(cast: Cast) -> None:
    phone = by_link(cast.table, "Bodo")
    renew_link(table=cast.table, actor=Actor(cast.scorer))
    body = game(cast)
    assert send(phone, cast.table, body).json()["late"] == RENEWED
    page = text(phone, cast.table)
    assert "Bitte den neuen öffnen." in page
    assert "Bodo, über den Link für den Tisch" in page
    close(cast)
    assert send(phone, cast.table, body).json()["late"] == CLOSED
    page = text(phone, cast.table)
    assert "<h1" in page
    assert "Der Abend ist abgeschlossen" in page
    change = Change.objects.get(verb="game.came_late")
    assert (change.actor, change.spoken_as.name) == (None, "Bodo")


def test_the_page_of_an_ended_link_shows_only_own_entries(cast: Cast) -> None:
    bodo, celik = by_link(cast.table, "Bodo"), by_link(cast.table, "Çelik")
    close(cast)
    send(bodo, cast.table, game(cast, 161))
    send(celik, cast.table, game(cast, 162))
    response = bodo.get(at(cast.table))
    page = response.content.decode()
    assert response.status_code == 410
    assert "<bdi>161</bdi>" in page
    decide = at(cast.table, "late_enter", LateEntry.objects.first().key)
    for shut in ("<bdi>162</bdi>", "Çelik, über", 'id="sheet"', at(cast.table, "state"), decide):
        assert shut not in page
    for decide in ("late_enter", "late_discard"):
        assert bodo.post(at(cast.table, decide, LateEntry.objects.first().key)).status_code == 302, "redirected to the login"
    assert LateEntry.objects.filter(discarded=False).count() == 2


def test_other_clients_cannot_send_late_entries(cast: Cast) -> None:
    other = make_table(cast.club)
    guest = by_link(cast.table, "Bodo")
    close(cast)
    close_evening(evening=other.evening, actor=Actor(cast.admin))
    assert send(Client(), cast.table, game(cast)).status_code == 401
    assert send(visit(cast.stranger), cast.table, game(cast)).status_code == 404
    assert send(visit(cast.reader), cast.table, game(cast)).status_code == 403
    assert send(guest, other, game(cast)).status_code == 401, "the link was of one table"
    typed_by_celik = f"link-{Player.objects.get(club=cast.club, name='Çelik').pk}"
    assert send(guest, cast.table, game(cast), **{"typed-by": typed_by_celik}).status_code == 401
    form = {"form": "redeal", "key": str(uuid4()), "after": str(cast.game.key)}
    assert visit(cast.scorer).post(at(cast.table, "games"), form).status_code == 409, "a user with a page sees it"
    assert guest.post(at(cast.table, "games"), form).status_code == 302
    assert not LateEntry.objects.exists()


def test_a_link_that_ended_long_ago_is_none(cast: Cast) -> None:
    guest = by_link(cast.table, "Bodo")
    close(cast)
    for ago, status, page in ((LATE - datetime.timedelta(minutes=1), 202, 410), (LATE, 401, 302)):
        TableLink.objects.update(ended_at=timezone.now() - ago)
        assert send(guest, cast.table, game(cast)).status_code == status
        assert guest.get(at(cast.table)).status_code == page


def test_all_members_see_a_late_entry_and_one_role_decides(cast: Cast) -> None:
    guest = by_link(cast.table, "Bodo")
    renew_link(table=cast.table, actor=Actor(cast.scorer))
    body = game(cast)
    send(guest, cast.table, body)
    enter = at(cast.table, "late_enter", body["key"])

    def offered() -> list[bool]:
        pages = [text(visit(user), cast.table) for user in (cast.reader, cast.scorer, cast.admin)]
        assert all("Bodo, über den Link für den Tisch" in page for page in pages)
        assert all("Re: <bdi>Ärmel, Bodo</bdi>" in page for page in pages)
        return [enter in page for page in pages]

    assert offered() == [False, True, True]
    close(cast)
    assert offered() == [False, False, True]
    for page in (reverse("club", args=["karo"]), reverse("result", args=["karo", cast.table.evening_id])):
        assert "1 Spiel kam zu spät an" in visit(cast.reader).get(page).content.decode(), page


def test_entering_a_late_entry(cast: Cast) -> None:
    scorer, admin = visit(cast.scorer), visit(cast.admin)
    first, second = game(cast), game(cast, 154)
    close(cast)
    send(scorer, cast.table, first)
    send(scorer, cast.table, {**second, "after": first["key"]})
    refused = scorer.post(at(cast.table, "late_enter", first["key"]), follow=True).content.decode()
    assert "Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen." in refused
    for _ in range(2):
        done = admin.post(at(cast.table, "late_enter", first["key"]), follow=True).content.decode()
        assert "Gespeichert: Spiel 2." in done
    admin.post(at(cast.table, "late_enter", second["key"]))
    assert eyes(cast.table) == [130, 153, 154]
    assert "zu spät" not in text(admin, cast.table)
    assert send(scorer, cast.table, first).status_code == 200, "a retry of the phone"
    history = admin.get(reverse("history", args=["karo"])).content.decode()
    assert "Spiel zu spät angekommen" in history


def test_a_late_entry_between_other_lines_is_previewed(cast: Cast) -> None:
    scorer = visit(cast.scorer)
    body, following = game(cast), add_game(cast.table, eyes=140).game
    guest = by_link(cast.table, "Bodo")
    renew_link(table=cast.table, actor=Actor(cast.scorer))
    send(guest, cast.table, body)
    assert "Eintragen …" in text(scorer, cast.table)
    address = at(cast.table, "late_enter", body["key"])
    page = scorer.post(address)
    assert_strict(page)
    assert "Das ändert sich" in page.content.decode()
    assert eyes(cast.table) == [130, 140]
    assert scorer.post(address, {"confirm": "1"}).status_code == 302
    assert eyes(cast.table) == [130, 153, 140]
    assert Game.objects.get(key=following.key).version == 1


def test_discarding_a_late_entry(cast: Cast) -> None:
    scorer, body = visit(cast.scorer), game(cast)
    close(cast)
    send(scorer, cast.table, body)
    address = at(cast.table, "late_discard", body["key"])
    admin = visit(cast.admin)
    assert "Verworfen." in admin.post(address, follow=True).content.decode()
    assert "inzwischen schon jemand" in admin.post(address, follow=True).content.decode()
    assert send(scorer, cast.table, body).status_code == 202
    assert "zu spät" not in text(scorer, cast.table)
    assert "Zu spät angekommenes Spiel verworfen" in scorer.get(reverse("history", args=["karo"])).content.decode()


def test_a_renewed_link_can_send_only_so_many_and_all_are_discarded_at_once(cast: Cast) -> None:
    guest, scorer = by_link(cast.table, "Bodo"), visit(cast.scorer)
    sent = TableLink.objects.latest("pk")
    renew_link(table=cast.table, actor=Actor(cast.scorer))
    state = at(cast.table, "state")
    tag = scorer.get(state).headers["ETag"]
    assert send(guest, cast.table, game(cast)).status_code == 202
    news = scorer.get(state, headers={"If-None-Match": tag})
    assert (news.status_code, news.json()["late"], news.json()["lines"]) == (200, 1, []), "no line has changed"
    assert scorer.get(state, headers={"If-None-Match": news.headers["ETag"]}).status_code == 304
    first = LateEntry.objects.get()
    fields = {field.attname: getattr(first, field.attname) for field in LateEntry._meta.concrete_fields}
    LateEntry.objects.bulk_create(LateEntry(**fields | {"key": uuid4()}) for _ in range(OF_A_LINK - 2))
    answers = [send(guest, cast.table, game(cast)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 409]
    assert "wartet schon zu viel" in answers[-1].json()["error"]
    assert set(LateEntry.objects.values_list("by_link", flat=True)) == {sent.pk}
    page = scorer.get(at(cast.table))
    assert_strict(page)
    assert "Alle verwerfen" in page.content.decode()
    assert "Alle verwerfen" not in guest.get(at(cast.table)).content.decode()
    keys = re.findall(r'name="key" value="([0-9a-f-]{36})"', page.content.decode())
    address = at(cast.table, "late_discard_all")
    assert guest.post(address, {"key": keys}).status_code != 200
    done = scorer.post(address, {"key": [*keys, "x"]}, follow=True).content.decode()
    assert f"{OF_A_LINK} Spiele verworfen. Im Verlauf stehen sie weiterhin." in done
    assert "kamen zu spät an" not in done
    assert send(guest, cast.table, game(cast)).status_code == 409
    assert send(by_link(cast.table, "Bodo"), cast.table, game(cast)).status_code == 201
