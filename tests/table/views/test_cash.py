"""Test the Kasse at the table: fines, drinks and guests from a phone, rights, refusals, and the costs so far."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.cash.evening.actions import pin_tariff
from scoring.cash.evening.queries import read_facts
from scoring.cash.evening.texts import build_bills
from scoring.club.actions import Actor
from scoring.models import Attendance, Change, Evening, Fine, Player, Table, Verb
from scoring.players.actions import merge_players
from scoring.table.actions.seats import seat_guest
from scoring.table.actions.tables import renew_link
from tests.cash.tariffs import SMALL, TREASURER, give_tariff
from tests.client import visit
from tests.factories import Cast, add_game, make_player, make_table
from tests.html import flat
from tests.table.views.asking import KEY, OTHER_KEY, by_link, get_cash_url, send

KEYS = [str(UUID(int=number)) for number in range(1, 9)]
LOST = {"lost": {"steps": [[None, 20]], "counts": "lost_games"}, "rounds": {"steps": [[1, 50], [None, 100]]}}


@pytest.fixture
def table(cast: Cast) -> Table:
    """Return the table of the cast, with the small tariff."""
    fines: dict[str, Any] = {**SMALL["fines"], **LOST}
    pin_tariff(evening=cast.table.evening, actor=TREASURER, tariff=give_tariff(cast.club, fines=fines), seen=None)
    return Table.objects.get(pk=cast.table.pk)


def person(name: str, table: Table) -> Player:
    return Player.objects.get(name=name, club=table.evening.club)


def sent(table: Table, **changed: Any) -> dict[str, Any]:
    return {"key": KEY, "who": person("Bodo", table).pk, "code": "misdeal", **changed}


def stored() -> list[tuple[str, str, int, bool]]:
    rows = Fine.objects.order_by("entered_at").values_list("player__name", "code", "amount", "struck")
    return list(rows)


def shown(phone: Client, table: Table) -> list[str]:
    """Return the amounts on the page of the table."""
    page = flat(phone.get(reverse("table", args=["karo", table.pk])))
    part = re.search('<section id="cash".*?</section>', page)
    said = re.findall(r'<(?:strong|span) class="bill-sum[^"]*">(.*?)</', part[0])
    return [unescape(one).replace("\u00a0", " ") for one in said]


def test_a_fine_of_a_phone_counts_once_however_often_it_is_sent(cast: Cast, table: Table) -> None:
    phone = visit(cast.scorer)
    answers = [send(phone, get_cash_url(table), sent(table)) for _ in range(2)]
    assert [(answer.status_code, answer.json()["key"]) for answer in answers] == [(200, KEY)] * 2
    assert "Bodo: Vergeben" in answers[1].json()["cash"]
    assert stored() == [("Bodo", "misdeal", 1, False)]
    assert Change.objects.filter(verb=Verb.CASH_FINED).count() == 1
    late = sent(table, key=OTHER_KEY, who=" bodo ", code="late", amount=11)
    assert send(phone, get_cash_url(table), late).status_code == 200
    # Delete it twice, and send the fine again: it stays deleted.
    for body in ({"key": KEY, "struck": True}, {"key": KEY, "struck": True}, sent(table)):
        assert send(phone, get_cash_url(table), body).status_code == 200
    assert stored() == [("Bodo", "misdeal", 1, True), ("Bodo", "late", 11, False)]
    assert Change.objects.filter(verb=Verb.CASH_UNFINED).count() == 1


def test_a_merged_player_is_fined_as_on_the_list(cast: Cast, table: Table) -> None:
    bodo, kept = person("Bodo", table), make_player(cast.club, "Bodo B.")
    merge_players(player=bodo, into=kept, actor=TREASURER)
    for key, who in ((KEY, bodo.pk), (OTHER_KEY, kept.pk), (str(uuid4()), "Bodo B.")):
        assert send(visit(cast.scorer), get_cash_url(table), sent(table, key=key, who=who)).status_code == 200
    assert stored() == [("Bodo", "misdeal", 1, False)] * 3


NO_PERSON = "Bitte die Person angeben, mit ihrer Nummer oder ihrem Namen."
NOT_THERE = "Diese Person steht nicht in der Anwesenheit dieses Abends."
NO_SUCH = "Dieses Strafgeld gibt es im Tarif dieses Abends nicht."
NOT_HERE = "Dieses Strafgeld gibt es an diesem Abend nicht."
TOO_MUCH = "So viel geht bei diesem Strafgeld nicht. Bitte die Anzahl, die Minuten oder den Betrag prüfen."
USED = "Hier ist schon etwas anderes eingetragen. Bitte die Seite neu laden und noch einmal eingeben."
NO_CODE = "Bitte das Strafgeld mit seinem Kürzel aus dem Tarif angeben."
NO_AMOUNT = "Bitte als ganze Zahl angeben, wie oft, wie viele Minuten oder wie viele Cent."
NO_DRINK = "Bitte das Getränk so angeben, wie es im Tarif steht."
NO_WINE = "Dieses Getränk gibt es im Tarif dieses Abends nicht."
NO_COUNT = "Bitte als ganze Zahl angeben, wie viele mehr oder weniger."
NOT_BROUGHT = "Mitgebracht werden nur Gäste, und nur von Mitgliedern."
UNKNOWN = "Das Feld „%s“ gibt es nicht. Bitte weglassen."
ONLY_TRUE = "Gestrichen wird mit „true“. Bitte sonst weglassen."


def test_invalid_fines_are_refused(cast: Cast, table: Table) -> None:
    make_player(cast.other_club, "Fremd")
    for changed, errors in (
        ({"who": 10**17}, {"who": NOT_THERE}),
        ({"who": "Niemand"}, {"who": NOT_THERE}),
        ({"who": "Fremd"}, {"who": NOT_THERE}),
        ({"code": "theft"}, {"code": NO_SUCH}),
        ({"code": "lost"}, {"code": NO_SUCH}),
        ({"amount": 0}, {"amount": TOO_MUCH}),
        ({"amount": 10**17}, {"amount": TOO_MUCH}),
        ({"code": "late", "amount": 1441}, {"amount": TOO_MUCH}),
        ({"code": "other", "amount": 0}, {"amount": TOO_MUCH}),
        ({"who": None}, {"who": NO_PERSON}),
        ({"who": True}, {"who": NO_PERSON}),
        ({"who": "x" * 41}, {"who": NO_PERSON}),
        ({"who": "\u0000"}, {"who": NO_PERSON}),
        ({"code": "Zu spät"}, {"code": NO_CODE}),
        ({"code": 5, "amount": 1.5}, {"code": NO_CODE, "amount": NO_AMOUNT}),
        ({"amount": -1}, {"amount": NO_AMOUNT}),
        ({"key": "2"}, {"key": "Der Schlüssel muss eine UUID sein."}),
        ({"tip": 1}, {"tip": UNKNOWN % "tip"}),
        ({"struck": True}, {f: UNKNOWN % f for f in ("who", "code")}),
    ):
        response = send(visit(cast.scorer), get_cash_url(table), sent(table, **changed))
        assert (response.status_code, response.json()) == (422, {"errors": errors})
    assert stored() == []


def test_only_fines_of_this_evening_are_deleted(cast: Cast, table: Table) -> None:
    phone = visit(cast.scorer)
    for body, answer in (
        ({"key": KEY, "struck": True}, {"errors": {"key": NOT_HERE}}),
        ({"key": KEY, "struck": 1}, {"errors": {"struck": ONLY_TRUE}}),
    ):
        response = send(phone, get_cash_url(table), body)
        assert (response.status_code, response.json()) == (422, answer)
    send(phone, get_cash_url(table), sent(table))
    foreign = make_player(cast.other_club, "Fremd").pk
    assert send(phone, get_cash_url(table), sent(table, key=OTHER_KEY, who=foreign)).json() == {"errors": {"who": NOT_THERE}}
    # The key of another fine.
    assert send(phone, get_cash_url(table), sent(table, amount=2)).json() == {"errors": {"key": USED}}
    assert stored() == [("Bodo", "misdeal", 1, False)]
    # A fine of another evening, whose key is known.
    Fine.objects.create(key=OTHER_KEY, evening=cast.other_table.evening, player_id=foreign, code="misdeal", unit="count", amount=1)
    gone = send(phone, get_cash_url(table), {"key": OTHER_KEY, "struck": True})
    assert (gone.status_code, gone.json()) == (422, {"errors": {"key": NOT_HERE}})
    assert stored() == [("Bodo", "misdeal", 1, False), ("Fremd", "misdeal", 1, False)]


def test_an_evening_without_a_tariff_takes_no_fine(cast: Cast, table: Table) -> None:
    elsewhere = visit(cast.stranger)
    body = {"key": OTHER_KEY, "who": "Bodo", "code": "misdeal"}
    assert send(elsewhere, get_cash_url(cast.other_table), body).json() == {"error": "Dieser Abend hat keinen Tarif."}
    assert elsewhere.get(get_cash_url(cast.other_table)).status_code == 302


def test_the_link_of_a_table_enters_fines_and_sees_amounts_until_it_ends(cast: Cast, table: Table) -> None:
    phone = by_link(table, "Özlem")
    assert send(phone, get_cash_url(table), sent(table)).status_code == 200
    change = Change.objects.get(verb=Verb.CASH_FINED)
    assert (change.actor, change.spoken_as) == (None, person("Özlem", table))
    assert shown(phone, table) == shown(visit(cast.reader), table)
    for name, args in (("evening_cash", [table.evening_id]), ("cash", []), ("tariff", []), ("evening_fine", [table.evening_id])):
        assert phone.get(reverse(name, args=["karo", *args])).status_code in (302, 405), name
    assert send(phone, get_cash_url(cast.other_table), sent(table, key=OTHER_KEY)).status_code == 401
    renew_link(table=table, actor=Actor())
    assert phone.get(get_cash_url(table)).status_code == 302
    assert stored() == [("Bodo", "misdeal", 1, False)]


def test_the_page_shows_the_computed_costs(cast: Cast, table: Table) -> None:
    """Also after changes of another phone, which change the state."""
    phone = visit(cast.scorer)
    state = reverse("state", args=["karo", table.pk])
    tag = phone.get(state).headers["ETag"]
    assert phone.get(state, headers={"If-None-Match": tag}).status_code == 304
    for change in (
        lambda: add_game(table, re=[0, 2], eyes=200),
        lambda: send(visit(cast.admin), get_cash_url(table), sent(table, code="rounds", amount=3)),
        lambda: send(visit(cast.admin), get_cash_url(table), sent(table, key=OTHER_KEY, code="late", amount=6)),
    ):
        change()
        news = phone.get(state, headers={"If-None-Match": tag})
        assert news.status_code == 200
        assert tag != news.headers["ETag"]
        tag = news.headers["ETag"]
        evening = Evening.objects.get(pk=table.evening_id)
        assert evening.tariff
        costs = [bill.amount_text.replace("\u00a0", " ") for bill in build_bills(read_facts(evening), evening.tariff)]
        assert shown(phone, table)[:-1] == costs
    part = phone.get(get_cash_url(table), headers={"Accept": "application/json"}).json()["cash"]
    assert "Stand: nach Spiel 2" in part
    assert "6\u00a0Minuten" in unescape(part) or "6 Minuten" in part


def test_without_a_script_a_form_does_the_same(cast: Cast, table: Table) -> None:
    phone = visit(cast.scorer)
    assert "Strafgeld eintragen" in phone.get(get_cash_url(table)).content.decode()
    given = {"key": KEY, "player": person("Bodo", table).pk, "code": "late", "amount": ""}
    refused = phone.post(get_cash_url(table), given)
    assert refused.status_code == 422
    assert "Bitte eine ganze Zahl bis 1440 eingeben." in refused.content.decode()
    for _ in range(2):
        assert phone.post(get_cash_url(table), given | {"amount": "7"}).headers["Location"] == get_cash_url(table)
    assert stored() == [("Bodo", "late", 7, False)]
    assert "Strafgeld eintragen" not in visit(cast.reader).get(get_cash_url(table)).content.decode()


# --- Drinks, guests, the pot ------------------------------------------------------------------------------------------


@pytest.fixture
def bar(cast: Cast) -> Table:
    """Return a table with a list of drinks, where the member who brought a guest pays. Horst is a guest."""
    content = {"drinks": {"list": {"bier": 150}}, "guests": {"cents": 200, "payer": "bringer"}}
    pin_tariff(evening=cast.table.evening, actor=TREASURER, tariff=give_tariff(cast.club, **content), seen=None)
    seat_guest(table=cast.table, actor=Actor(cast.scorer), name="Horst")
    return Table.objects.get(pk=cast.table.pk)


def row(name: str, table: Table) -> tuple[dict[str, int], str]:
    """Return the drinks of a player, and who brought the player."""
    found = Attendance.objects.select_related("brought_by").get(evening=table.evening, player=person(name, table))
    return found.drinks, str(found.brought_by or "")


def test_drinks_count_once_however_often_they_are_sent(cast: Cast, bar: Table) -> None:
    phone, who = visit(cast.scorer), person("Bodo", bar).pk
    more, fewer, keys = {"who": who, "drink": "bier", "count": 1}, {"who": "Bodo", "drink": "bier", "count": -1}, iter(KEYS)
    first = {"key": next(keys), **more}
    sent_so_far = [(first, 1), (first, 1), ({"key": next(keys), **more}, 2), ({"key": next(keys), **fewer}, 1)]
    fewest = {"key": next(keys), "who": who, "drink": "bier", "count": -999}
    for body, count in [*sent_so_far, (first, 1), (fewest, 0), ({"key": next(keys), **more}, 1), (fewest, 1)]:
        assert send(phone, get_cash_url(bar), body).status_code == 200
        assert row("Bodo", bar) == ({"bier": count} if count else {}, "")
    assert Change.objects.filter(verb=Verb.CASH_EVENING).count() == 5
    assert f'"drunk": {{"{who}": {{"bier": 1}}}}' in phone.get(get_cash_url(bar)).content.decode()


def test_a_phone_says_who_brought_a_guest(cast: Cast, bar: Table) -> None:
    phone, horst = visit(cast.scorer), person("Horst", bar).pk
    for key, bringer in ((KEY, "Bodo"), (OTHER_KEY, "Çelik")):
        body = {"key": key, "who": horst, "brought_by": person(bringer, bar).pk}
        assert send(phone, get_cash_url(bar), body).status_code == 200
        assert row("Horst", bar) == ({}, bringer)
    # Retry the first one.
    assert send(phone, get_cash_url(bar), body | {"key": KEY, "brought_by": person("Bodo", bar).pk}).status_code == 200
    assert row("Horst", bar) == ({}, "Çelik")


def test_invalid_drinks_and_guests_are_refused(cast: Cast, bar: Table) -> None:
    """And all of them from a link."""
    for body, errors in (
        ({"who": "Bodo", "drink": "wein", "count": 1}, {"drink": NO_WINE}),
        ({"who": "Niemand", "drink": "bier", "count": 1}, {"who": NOT_THERE}),
        ({"who": "Bodo", "drink": 5, "count": 0}, {"drink": NO_DRINK, "count": NO_COUNT}),
        ({"who": "Bodo", "drink": "bier", "count": 1, "amount": 2}, {"amount": UNKNOWN % "amount"}),
        ({"who": "Bodo", "brought_by": "Çelik"}, {"brought_by": NOT_BROUGHT}),
        ({"who": "Horst", "brought_by": "Horst"}, {"brought_by": NOT_BROUGHT}),
        ({"who": "Horst", "brought_by": "Niemand"}, {"brought_by": NOT_THERE}),
        ({"who": "Horst", "brought_by": None}, {"brought_by": NO_PERSON}),
    ):
        response = send(visit(cast.scorer), get_cash_url(bar), {"key": KEY, **body})
        assert (response.status_code, response.json()) == (422, {"errors": errors})
    link = by_link(bar, "Özlem")
    for body in ({"who": "Bodo", "drink": "bier", "count": 1}, {"who": "Horst", "brought_by": "Bodo"}):
        assert send(link, get_cash_url(bar), {"key": KEY, **body}).status_code == 403
    assert '"drinks": [], "drunk": {}, "guests": {}' in link.get(get_cash_url(bar)).content.decode()
    assert (row("Bodo", bar), row("Horst", bar)) == (({}, ""), ({}, ""))


@pytest.mark.parametrize(
    ("empty", "said", "is_due"),
    [
        ("charge", "Im Topf: 0,06 €. Nachgelegt bisher: 0,08 €.", False),
        ("warn", "Der Topf ist leer, und Geld ist fällig: 0,02 € fehlen.", True),
    ],
)
def test_the_pot_says_what_is_in_it_and_refuses_no_game(cast: Cast, empty: str, said: str, is_due: bool) -> None:
    """Four players buy in for 2 ct each; two win 5 ct each."""
    give_tariff(cast.club, pot={"buy_in": 2, "empty": empty})
    table = make_table(cast.club, 4, preset="klassisch")
    phone = visit(cast.scorer)
    assert 'id="pot"' not in phone.get(get_cash_url(table)).content.decode()
    add_game(table)
    page = flat(phone.get(reverse("table", args=["karo", table.pk])))
    found = re.search('<p class="([^"]*)" id="pot">(.*?)</p>', page)
    assert (found[1], unescape(found[2]).replace("\u00a0", " ")) == ("fault" if is_due else "mb-0", said)
