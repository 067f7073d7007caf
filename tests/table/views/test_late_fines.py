"""Test fines that a phone sends after the evening was closed or its link ended: they are kept, shown to the treasurer, and
booked only when they are entered."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.cash.evening.actions import MOST, OF_A_LINK, pin_tariff
from scoring.cash.queries import list_broken_laws
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Club, Evening, Fine, Player, Table, TableLink, Verb
from scoring.table.access import LATE
from scoring.table.actions.tables import renew_link
from tests.cash.tariffs import TREASURER, booked, costs, give_tariff
from tests.client import visit
from tests.factories import Cast, make_table
from tests.html import assert_strict, flat
from tests.table.views.asking import by_link, get_cash_url, send

pytestmark = pytest.mark.django_db

CLOSED = "Der Abend ist abgeschlossen. Das Strafgeld liegt jetzt beim Kassenwart."
RENEWED = "Der Link für den Tisch gilt nicht mehr. Das Strafgeld liegt jetzt beim Schreiber."
WAITS = "1 Strafgeld wartet"


@pytest.fixture
def table(cast: Cast) -> Table:
    pin_tariff(evening=cast.table.evening, actor=TREASURER, tariff=give_tariff(cast.club), seen=None)
    return Table.objects.get(pk=cast.table.pk)


def of(table: Table, name: str = "evening_cash", *more: object) -> str:
    return reverse(name, args=["karo", table.evening_id, *more])


def person(name: str) -> Player:
    return Player.objects.get(name=name, club=Club.objects.get(slug="karo"))


def sent(**changed: Any) -> dict[str, Any]:
    return {"key": str(uuid4()), "who": person("Bodo").pk, "code": "misdeal", **changed}


def close(table: Table) -> None:
    close_evening(evening=Evening.objects.get(pk=table.evening_id), actor=Actor())


def stored() -> list[tuple[str, bool, bool]]:
    """Return each fine with its code, whether it waits, and whether it is deleted."""
    return list(Fine.objects.order_by("entered_at").values_list("code", "waits", "struck"))


def test_after_closing_a_fine_waits_and_costs_nothing(cast: Cast, table: Table) -> None:
    phone, late = visit(cast.scorer), sent()
    before = sent(code="late", amount=3)
    send(phone, get_cash_url(table), before)
    close(table)
    was = costs(table.evening)
    for _time in range(2):
        response = send(phone, get_cash_url(table), late)
        assert (response.status_code, response.json()) == (202, {"key": late["key"], "late": CLOSED})
    assert stored() == [("late", False, False), ("misdeal", True, False)]
    assert (costs(table.evening), booked(table.evening), list(list_broken_laws())) == (was, ["evening"], [])
    # Fines from before the closing are answered as before, invalid fines are refused as before.
    assert send(phone, get_cash_url(table), before).status_code == 200
    assert list(send(phone, get_cash_url(table), {**late, "amount": 2}).json()["errors"]) == ["key"]
    assert list(send(phone, get_cash_url(table), sent(code="theft")).json()["errors"]) == ["code"]
    # Only the treasurer deletes a fine that counts.
    assert send(phone, get_cash_url(table), {"key": before["key"], "struck": True}).status_code == 409
    assert len(stored()) == 2


def test_a_late_fine_is_entered_after_its_money_was_seen(cast: Cast, table: Table) -> None:
    close(table)
    body, was = sent(), costs(table.evening)
    send(visit(cast.scorer), get_cash_url(table), body)
    keeper, address = visit(cast.treasurer), of(table, "evening_fine_accept", body["key"])
    for user, may in ((cast.reader, False), (cast.scorer, False), (cast.treasurer, True), (cast.admin, True)):
        page = flat(visit(user).get(of(table)))
        assert (WAITS in page, address in page) == (True, may)
    assert "Strafgelder ansehen, die zu spät kamen" in flat(keeper.get(reverse("cash", args=["karo"])))
    assert visit(cast.scorer).post(address).status_code == 403
    asked = keeper.post(address)
    assert "ist: zahlt 1,50" in flat(asked).replace("\u00a0", " ") and costs(table.evening) == was
    assert keeper.post(address, {"money": asked.context["money"]}).status_code == 302
    assert costs(table.evening) == was | {"Bodo": was["Bodo"] + 50, "kasse": was["kasse"] - 50}
    assert booked(table.evening) == ["evening", "reversal", "evening"] and list(list_broken_laws()) == []
    assert WAITS not in flat(keeper.get(of(table)))
    assert "inzwischen schon jemand entschieden" in flat(keeper.post(address, follow=True))
    assert send(visit(cast.scorer), get_cash_url(table), body).status_code == 200, "a retry of the phone"
    verbs = Change.objects.filter(verb__startswith="cash.fine").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == [Verb.CASH_FINE_LATE, Verb.CASH_FINED]
    history = flat(keeper.get(reverse("history", args=["karo"])))
    assert "Strafgeld zu spät angekommen" in history


def test_a_late_fine_is_discarded_or_taken_back_by_its_phone(cast: Cast, table: Table) -> None:
    close(table)
    phone, bodies = visit(cast.scorer), [sent(), sent()]
    for body in bodies:
        send(phone, get_cash_url(table), body)
    assert "2 Strafgelder warten" in flat(visit(cast.treasurer).get(of(table)))
    visit(cast.treasurer).post(of(table, "evening_fine_strike", bodies[0]["key"]))
    for _time in range(2):
        assert send(phone, get_cash_url(table), {"key": bodies[1]["key"], "struck": True}).status_code == 200
    assert stored() == [("misdeal", False, True)] * 2
    assert Change.objects.filter(verb=Verb.CASH_FINE_NOT_TAKEN).count() == 2
    assert booked(table.evening) == ["evening"]


def test_all_that_the_page_showed_are_discarded_at_once(cast: Cast, table: Table) -> None:
    close(table)
    phone, keeper, address = visit(cast.scorer), visit(cast.treasurer), of(table, "evening_fines_discard")
    send(phone, get_cash_url(table), sent())
    assert "Alle verwerfen" not in flat(keeper.get(of(table))), "a single fine has a button of its own"
    send(phone, get_cash_url(table), sent(code="late", amount=4))
    keys = [str(key) for key in Fine.objects.values_list("key", flat=True)]
    for user, may in ((cast.reader, False), (cast.scorer, False), (cast.admin, True), (cast.treasurer, True)):
        page = visit(user).get(of(table))
        assert (address in flat(page)) == may
    assert_strict(page)
    assert all(f'name="key" value="{key}"' in flat(page) for key in keys)
    send(phone, get_cash_url(table), sent(amount=2))
    assert phone.post(address, {"key": keys}).status_code == 403
    elsewhere = of(make_table(cast.club), "evening_fines_discard")
    assert "0 Strafgelder verworfen" in flat(keeper.post(elsewhere, {"key": keys}, follow=True))
    assert visit(cast.stranger).post(address, {"key": keys}).status_code == 404
    done = flat(keeper.post(address, {"key": [*keys, "x"]}, follow=True))
    assert "2 Strafgelder verworfen. Im Verlauf stehen sie weiterhin." in done
    assert "1 Strafgeld wartet" in done
    assert Change.objects.filter(verb=Verb.CASH_FINE_NOT_TAKEN).count() == 2
    assert "0 Strafgelder verworfen" in flat(keeper.post(address, {"key": keys}, follow=True))
    assert booked(table.evening) == ["evening"]


def test_a_link_that_has_ended_hands_in_and_sees_nothing_else(cast: Cast, table: Table) -> None:
    other = by_link(table, "Çelik")
    phone, first, later = by_link(table, "Özlem"), sent(), sent(code="late", amount=4)
    assert send(phone, get_cash_url(table), first).status_code == 200
    renew_link(table=table, actor=Actor())
    assert send(phone, get_cash_url(table), later).json() == {"key": later["key"], "late": RENEWED}
    assert send(phone, get_cash_url(table), first).json() == {"key": first["key"]}, "the answer has no costs of others"
    assert phone.get(get_cash_url(table)).status_code == 302
    assert send(phone, get_cash_url(table), {"key": first["key"], "struck": True}).status_code == 409
    close(table)
    assert send(phone, get_cash_url(table), sent()).json()["late"] == CLOSED
    assert [struck for _code, _waits, struck in stored()] == [False] * 3
    change = Change.objects.filter(verb=Verb.CASH_FINE_LATE).earliest("pk")
    assert (change.actor, change.spoken_as) == (None, person("Özlem"))
    page = phone.get(reverse("table", args=["karo", table.pk]))
    assert page.status_code == 410 and "2 Strafgelder warten" in flat(page) and "Bodo: Zu spät" in flat(page)
    assert "Strafgelder warten" not in flat(other.get(reverse("table", args=["karo", table.pk])))
    TableLink.objects.update(ended_at=timezone.now() - LATE - datetime.timedelta(minutes=1))
    assert send(phone, get_cash_url(table), sent()).status_code == 401


def test_the_late_fines_of_an_evening_are_limited(cast: Cast, table: Table) -> None:
    close(table)
    bodo = person("Bodo")
    Fine.objects.bulk_create(
        Fine(key=UUID(int=n), evening=table.evening, player=bodo, code="misdeal", unit="count", amount=1, waits=True)
        for n in range(MOST)
    )
    assert send(visit(cast.scorer), get_cash_url(table), sent()).status_code == 409
    assert send(visit(cast.reader), get_cash_url(table), sent()).status_code == 403
    assert send(visit(cast.stranger), get_cash_url(table), sent()).status_code == 404
    assert Fine.objects.count() == MOST


def test_the_late_fines_of_a_link_are_limited(cast: Cast, table: Table) -> None:
    guest = by_link(table, "Özlem")
    renew_link(table=table, actor=Actor())
    assert send(guest, get_cash_url(table), sent()).status_code == 202
    first = Fine.objects.get()
    fields = {field.attname: getattr(first, field.attname) for field in Fine._meta.concrete_fields if field.attname != "id"}
    Fine.objects.bulk_create(Fine(**fields | {"key": uuid4()}) for _ in range(OF_A_LINK - 2))
    assert [send(guest, get_cash_url(table), sent()).status_code for _ in range(2)] == [202, 409]
    Fine.objects.update(waits=False, struck=True)
    assert send(guest, get_cash_url(table), sent()).status_code == 409
    other = by_link(table, "Özlem")
    close(table)
    assert send(other, get_cash_url(table), sent()).status_code == 202


def test_a_form_is_refused_after_closing(cast: Cast, table: Table) -> None:
    close(table)
    typed = {"key": str(uuid4()), "player": person("Bodo").pk, "code": "misdeal", "amount": ""}
    assert "Der Abend ist abgeschlossen" in flat(visit(cast.scorer).post(get_cash_url(table), typed))
    assert stored() == []
    assert send(visit(cast.admin), get_cash_url(table), sent()).status_code == 200
    assert (stored(), costs(table.evening)["Bodo"]) == ([("misdeal", False, False)], 150)
    assert list(list_broken_laws()) == []
    # An admin enters it on the page of the evening, which shows its costs first.
    assert "Strafgeld eintragen" not in flat(visit(cast.admin).get(get_cash_url(table)))
    assert of(table) + "#fines" in flat(visit(cast.admin).get(get_cash_url(table)))
