"""The pages about what an evening costs, as people open them."""

from __future__ import annotations

from io import BytesIO
from uuid import uuid4

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring.cash.evening.actions import collect
from scoring.cash.evening.queries import build_lines, compute_unpaid, get_standing_entry, read_facts
from scoring.cash.ledger.queries import get_owed
from scoring.cash.models import Kind
from scoring.cash.queries import list_broken_laws
from scoring.cash.tariff.actions import change_tariff
from scoring.evenings.actions import close_evening, discard_evening
from scoring.models import Attendance, Club, Entry, Evening, Fine, Player
from scoring.play.queries import read_records
from tests.cash.kasse import typed
from tests.cash.tariffs import TREASURER, costs, give_tariff
from tests.factories import Cast, add_game, make_player, make_table
from tests.html import unmarked

pytestmark = pytest.mark.django_db


@pytest.fixture
def charged(cast: Cast) -> Cast:
    """The club has a tariff, and an evening that was begun after it, with one game."""
    give_tariff(cast.club)
    table = make_table(cast.club)
    add_game(table)
    return Cast(**{**cast.__dict__, "table": table})


def page(client: Client, cast: Cast, name: str = "", who: str = "treasurer") -> str:
    client.force_login(getattr(cast, who))
    response = client.get(f"/c/karo/evenings/{cast.table.evening_id}/cash/{name}")
    assert response.status_code == 200
    return unmarked(response.content.decode())


def test_what_it_would_cost_while_it_is_open(client: Client, charged: Cast) -> None:
    shown = page(client, charged, who="reader")
    assert "Der Abend läuft noch" in shown and "zahlt 1,10\u00a0€" in shown
    assert "1 Minuspunkt zu 10\u00a0ct: 0,10\u00a0€" in shown
    assert "Strafgeld eintragen" not in shown


def test_closed_it_is_what_is_booked(client: Client, charged: Cast) -> None:
    close_evening(evening=charged.table.evening, actor=TREASURER)
    shown = page(client, charged)
    assert "Nr. 2026-001" in shown and "Bar kassieren" in shown and "Was sich geändert hat" not in shown


def test_a_statement_says_what_of_an_evening_was_for_what(client: Client, charged: Cast) -> None:
    close_evening(evening=charged.table.evening, actor=TREASURER)
    client.force_login(charged.treasurer)
    loser = Player.objects.get(club=charged.club, name="Çelik")
    shown = client.get(f"/c/karo/cash/people/{loser.pk}/").content.decode()
    assert [step in shown for step in ("Abendbeitrag: 1,00\u00a0€,<", "Punkte: 0,10\u00a0€<")] == [True, True]
    shown = unmarked(client.get(f"/c/karo/cash/entries/{Entry.objects.get().pk}/").content.decode())
    for said in ("1,00\u00a0€ mehr (Abendbeitrag)", "0,10\u00a0€ mehr (Punkte)"):
        assert f"<li>Çelik schuldet {said}</li>" in shown
    journal = client.get("/c/karo/file/csv/kasse-legs/").content.decode("utf-8-sig").splitlines()
    assert [line.rpartition(";")[2] for line in journal if ";Çelik;" in line] == ["Abendbeitrag", "Punkte"]


def test_an_evening_without_a_tariff(client: Client, cast: Cast) -> None:
    assert "hat keinen Tarif" in page(client, cast)


def test_fines_and_who_was_there(client: Client, charged: Cast) -> None:
    page(client, charged, "people/")
    evening = charged.table.evening
    base = f"/c/karo/evenings/{evening.pk}/cash/"
    who = Player.objects.get(club=charged.club, name="Bodo")
    typed = {"key": str(uuid4()), "player": who.pk, "code": "late", "amount": "7"}
    assert client.post(base + "fines/", typed).status_code == 302
    for amount in ("7,5", "-5", "fünf", "1.234", ""):
        refused = client.post(base + "fines/", {**typed, "key": str(uuid4()), "amount": amount})
        errors = dict(refused.context["fine_form"].errors)
        assert (refused.status_code, errors) == (422, {"amount": ["Bitte eine ganze Zahl bis 1440 eingeben."]})
    fine = Fine.objects.get()
    assert (fine.unit, fine.amount) == ("minutes", 7)
    assert "zahlt 2,00\u00a0€" in page(client, charged)
    assert client.post(f"{base}fines/{fine.key}/").status_code == 302
    fine.refresh_from_db()
    assert fine.struck


def test_everybody_paid_in_cash(client: Client, charged: Cast) -> None:
    evening = charged.table.evening
    make_player(charged.club, "Gisela")
    close_evening(evening=evening, actor=TREASURER)
    client.force_login(charged.treasurer)
    # Nobody who was absent had money in their hand.
    ticked = client.get(f"/c/karo/evenings/{evening.pk}/cash/").context["collect"]["players"].value()
    rows = Attendance.objects.filter(evening=evening)
    assert len(ticked) == 4
    assert set(ticked) == {str(row.player_id) for row in rows.filter(absence="")}
    players = [row.player_id for row in rows]
    key = str(uuid4())
    for _tap in range(2):
        # While somebody else has still to pay, a second tap hears what the first one heard.
        told = {"key": key, "players": players[:1]}
        again = client.post(f"/c/karo/evenings/{evening.pk}/cash/collect/", told, follow=True)
        assert "Kassiert und gebucht." in again.content.decode() and again.status_code == 200
    for _tap in range(2):
        client.post(f"/c/karo/evenings/{evening.pk}/cash/collect/", {"key": str(uuid4()), "players": players[1:]})
    assert Entry.objects.filter(kind="payment").count() == 5
    assert "Bar kassieren" not in page(client, charged)
    paid = Entry.objects.filter(kind="payment").first()
    assert paid is not None
    reverse = f"/c/karo/cash/entries/{paid.pk}/reverse/"
    assert client.post(reverse, {"key": str(uuid4()), "reason": "Doch nicht"}).status_code == 302
    refused = client.get(reverse).content.decode()
    assert "Diese Buchung ist schon storniert." in refused and "folgt aus dem Abend" not in refused


def test_the_tariff_by_five_questions(client: Client, cast: Cast) -> None:
    client.force_login(cast.treasurer)
    address = "/c/karo/cash/tariff/questions/"
    typed = {
        "seen": 0, "points": "kasse", "points.rate": "2,5", "points.round.to": 10, "points.round.how": "nearest",
        "points.cap": "", "fee.cents": "1", "guests.cents": "2", "guests.payer": "guest", "absence": "fixed", "missed": "3,50",
        "dues.cents": "", "fines": ["late"],
    }  # fmt: skip
    assert client.get(address).status_code == 200
    shown = client.post(address, typed)
    assert "So sähe der Tarif aus" in shown.content.decode()
    assert client.post(address, {**typed, "shown": shown.context["shown"]}).status_code == 302
    tariff = cast.club.tariffs.get()
    assert tariff.content == {
        "points": {"scheme": "minus", "rate": "5/2", "round": {"to": 10}},
        "fee": {"cents": 100},
        "guests": {"cents": 200},
        "absence": {"excused": {"plus": 350}, "unexcused": {"plus": 350}},
        "fines": {"late": {"cents": 50, "minutes": 5, "cap": 500}},
    }
    assert "2,5 ct je Minuspunkt" in client.get("/c/karo/cash/tariff/").content.decode()


def test_every_part(client: Client, cast: Cast) -> None:
    """What the form shows of a tariff is saved as the same tariff."""
    content = {
        "points": {"scheme": "rank", "amounts": [200, 300, 450], "scope": "table", "guests": False, "cap": 900},
        "pot": {"buy_in": 0, "top_up": 50, "rest": "kasse"},
        "fee": {"cents": 100, "absent": True},
        "guests": {"payer": "club"},
        "host": {"cents": 200, "from": "club"},
        "drinks": {"flat": 100, "list": {"bier": 250}, "shared": True},
        "absence": {"excused": {"average": ["points", "fines"]}, "unexcused": {"plus": 5}, "round": {"to": 50}},
        "dues": {"cents": 500, "reduced": 200, "every": "quarter"},
        "joining": {"cents": 1000},
        "fines": {
            "late": {"cents": 50, "minutes": 5, "cap": 500},
            "lost": {"name": "Verloren", "steps": [[3, 50], [2, 100], [None, 200]], "counts": "lost_games"},
            "other": {"name": "Sonstiges", "open": True},
        },
        "leaving": {"payout": "nothing"},
    }
    change_tariff(club=cast.club, actor=TREASURER, content=content, seen=0)
    client.force_login(cast.treasurer)
    address = "/c/karo/cash/tariff/edit/"
    form = client.get(address).context["form"]
    typed = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    shown = client.post(address, typed)
    assert shown.status_code == 200, shown.context["form"].errors
    assert shown.context["form"].content == content


def test_one_that_was_dropped_says_so_and_is_nobody_elses(client: Client, cast: Cast) -> None:
    """Nothing of it is left but its books, and nobody opens it again."""
    give_tariff(cast.club)
    dropped = make_table(cast.club).evening
    close_evening(evening=dropped, actor=TREASURER)
    discard_evening(evening=dropped, actor=TREASURER)
    client.force_login(cast.admin)
    assert "zählt nicht mehr" in client.get("/c/karo/evenings/").content.decode()
    evening = f"/c/karo/evenings/{dropped.pk}/"
    assert client.get(evening).headers["Location"] == f"{evening}cash/"
    assert client.get(f"{evening}result/").status_code == 200
    client.post(f"{evening}reopen/")
    assert "An ihm ändert sich nichts mehr." in client.get(f"{evening}cash/").content.decode()
    dropped.refresh_from_db()
    assert (dropped.dropped, dropped.is_open) == (True, False)
    Club.objects.filter(pk=cast.club.pk).update(shows_evenings=True)
    client.logout()
    assert "zählt nicht mehr" not in client.get("/c/karo/evenings/").content.decode()
    assert client.get(f"{evening}result/").status_code == 302


def test_an_admin_changes_who_was_there_after_seeing_what_it_costs(client: Client, charged: Cast) -> None:
    evening = charged.table.evening
    late = make_player(charged.club, "Nachzügler")
    close_evening(evening=evening, actor=TREASURER)
    client.force_login(charged.scorer)
    assert client.get(at(evening, "people/")).status_code == 403
    for name in ("people/", "tariff/"):
        page(client, charged, name, who="admin")
    before = costs(evening)
    assert before["Nachzügler"] == 300
    form = client.get(at(evening, "people/")).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {f"as_{late.pk}": "free"}
    asked = client.post(at(evening, "people/"), sent)
    shown = " ".join(asked.content.decode().replace("\u00a0", " ").split())
    assert "war: zahlt 3,00 €, ist: nichts" in shown and costs(evening) == before
    assert client.post(at(evening, "people/"), sent | {"money": "0"}).status_code == 200
    seen = {"money": asked.context["money"]}
    assert client.post(at(evening, "people/"), sent | seen).status_code == 302
    assert "Nachzügler" not in costs(evening) and list(list_broken_laws()) == []
    # A fine the same way; another tariff after its own preview.
    fined = {"key": str(uuid4()), "player": str(late.pk), "code": "misdeal", "amount": ""}
    asked = client.post(at(evening, "fines/"), fined)
    assert (asked.status_code, Fine.objects.count()) == (200, 0) and "Eintragen" in asked.content.decode()
    assert client.post(at(evening, "fines/"), fined | {"money": asked.context["fined"]["money"]}).status_code == 302
    assert costs(evening)["Nachzügler"] == 50
    # Struck out the same way.
    fine = at(evening, f"fines/{Fine.objects.get().key}/")
    asked = client.post(fine)
    assert "Streichen" in asked.content.decode() and costs(evening)["Nachzügler"] == 50
    assert client.post(fine, {"money": asked.context["money"]}).status_code == 302
    assert "Nachzügler" not in costs(evening)
    pinned = {"tariff": "none", "seen": evening.tariff_id}
    money = client.get(at(evening, "tariff/") + "?tariff=none").context["money"]
    for not_seen in ({}, {"money": "0"}):
        assert client.post(at(evening, "tariff/"), pinned | not_seen).context["money"] == money
    assert client.post(at(evening, "tariff/"), pinned | {"money": money}).status_code == 302
    assert costs(evening) == {} and list(list_broken_laws()) == []
    # And back again: which odd cent is whose is what it was.
    back = {"tariff": evening.tariff_id, "seen": ""}
    money = client.get(at(evening, "tariff/") + f"?tariff={evening.tariff_id}").context["money"]
    assert client.post(at(evening, "tariff/"), back | {"money": money}).status_code == 302
    assert list(list_broken_laws()) == []


def test_what_cannot_be_said_of_somebody_stands_at_their_field(client: Client, charged: Cast) -> None:
    """And nothing that was chosen is lost."""
    evening = charged.table.evening
    bodo = Player.objects.get(club=charged.club, name="Bodo")
    greta, gast = make_player(charged.club, "Greta"), make_player(charged.club, "Gast", guest=True)
    client.force_login(charged.treasurer)
    for who, standing in ((greta, "member"), (gast, "guest")):
        form = client.get(at(evening, "people/")).context["form"]
        said = {name: form[name].value() or "" for name in form.fields}
        assert client.post(at(evening, "people/"), said | {"also": who.pk, "also_as": standing}).status_code == 302
    form = client.get(at(evening, "people/")).context["form"]
    said = {name: form[name].value() or "" for name in form.fields}
    for typed_in, field in (
        ({f"as_{bodo.pk}": "excused"}, f"as_{bodo.pk}"),
        ({f"by_{gast.pk}": bodo.pk, f"as_{bodo.pk}": "guest"}, f"by_{gast.pk}"),
        ({"host": greta.pk, f"as_{greta.pk}": "excused"}, "host"),
    ):
        answer = client.post(at(evening, "people/"), said | typed_in)
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
        assert all(f'value="{value}" selected' in answer.content.decode() for value in typed_in.values())
    fined = {"key": "", "player": bodo.pk, "code": "misdeal", "amount": ""}
    assert "Bitte die Seite neu laden" in client.post(at(evening, "fines/"), fined).content.decode()


def at(evening: Evening, name: str) -> str:
    return f"/c/karo/evenings/{evening.pk}/cash/{name}"


def test_what_was_paid_since_is_not_collected_again(charged: Cast) -> None:
    evening, club = charged.table.evening, charged.club
    celik, oezlem = (club.players.get(name=name) for name in ("Çelik", "Özlem"))
    typed(club, Kind.OPENING, 1000, "2026-03-01", person=oezlem, heading="open")
    close_evening(evening=evening, actor=TREASURER)
    for who in (celik, oezlem):
        typed(club, Kind.PAYMENT, 80, "2026-03-07", person=who, box="cash")
    facts = read_facts(evening)
    left = compute_unpaid(evening, facts, get_standing_entry(evening))
    # The one owed nothing else; the other has older debts, for which they may have paid.
    assert (left[celik.pk], left[oezlem.pk]) == (30, 110)
    collect(evening=evening, actor=TREASURER, players=[celik], key=uuid4())
    assert celik.pk not in get_owed(club)


def test_the_file_of_an_evening_says_what_it_costs(client: Client, charged: Cast) -> None:
    """The same figures as on the page and in the books, and each with how it came about."""
    client.force_login(charged.reader)
    evening = charged.table.evening
    close_evening(evening=evening, actor=TREASURER)
    answer = client.get(f"/c/karo/evenings/{evening.pk}/excel/")
    rows = list(load_workbook(BytesIO(answer.content))["Kosten"].iter_rows(min_row=4, values_only=True))
    found: dict[str, int] = {}
    for who, _what, _how, amount in rows[:-1]:
        found[str(who)] = found.get(str(who), 0) + round(100 * float(str(amount)))
    assert found.pop("Die Kasse") == costs(evening)["kasse"]
    assert found == {name: cents for name, cents in costs(evening).items() if name != "kasse"}
    assert ("Çelik", "Punkte", "1 Minuspunkt zu 10 ct: 0,10 €", 0.1) in rows


def test_nobody_pays_twice_whichever_way_and_whenever_they_paid(charged: Cast) -> None:
    """Before the evening was closed, by something paid for the club, by a debt that was waived or that another one took over."""
    evening, club = charged.table.evening, charged.club
    people = [club.players.get(name=name) for name in ("Ärmel", "Bodo", "Çelik", "Özlem")]
    before, spent, waived, handed = people
    day = evening.held_on.isoformat()
    typed(club, Kind.PAYMENT, 500, day, person=before, box="cash")
    close_evening(evening=evening, actor=TREASURER)
    cost = costs(evening)
    typed(club, Kind.OUTLAY, 2000, day, person=spent, heading="expense:prizes")
    typed(club, Kind.WAIVE, cost["Çelik"], day, person=waived, reason="Geburtstag")
    typed(club, Kind.HANDOVER, cost["Özlem"], day, person=handed, other=before, reason="Wette")
    facts = read_facts(evening)
    assert compute_unpaid(evening, facts, get_standing_entry(evening)) == {}
    assert collect(evening=evening, actor=TREASURER, players=people, key=uuid4()) == []


def test_everybody_at_a_table_in_cents_is_in_a_line_by_hand(cast: Cast) -> None:
    """Who gets nothing by a correction puts in for it all the same."""
    give_tariff(cast.club, pot={"buy_in": 0, "top_up": 100}, fee={"cents": 0})
    table = make_table(cast.club, preset="klassisch")
    add_game(table, form="correction", points=[40, 0, 0, 0], reason="Vergessen")
    evening = Evening.objects.get(pk=table.evening_id)
    (line,) = read_facts(evening).lines[table.pk]
    assert sorted(points for _who, points, *_rest in line) == [0, 0, 0, 40]
    assert sorted(map(len, build_lines(read_records(table)))) == [4]
    close_evening(evening=evening, actor=TREASURER)
    assert costs(evening) == {"Ärmel": -30, "Bodo": 10, "Çelik": 10, "Özlem": 10}
    assert list(list_broken_laws()) == []


def test_what_was_drunk_and_who_paid_the_bill(client: Client, cast: Cast) -> None:
    give_tariff(cast.club, drinks={"list": {"bier": 250}, "shared": True})
    evening = make_table(cast.club).evening
    rows = list(Attendance.objects.filter(evening=evening).order_by("place"))
    address = f"/c/karo/evenings/{evening.pk}/cash/drinks/"
    client.force_login(cast.scorer)
    assert client.get(address).status_code == 200
    typed = {f"bier.{rows[0].player_id}": "2", "bill": "8,00", "paid_by": rows[1].player_id}
    assert client.post(address, {**typed, "bill": "acht"}).status_code == 422
    for many in ("1000", "1.000"):
        assert client.post(address, {**typed, f"bier.{rows[0].player_id}": many}).status_code == 422
    asked = client.post(address, {**typed, "bill": "1.000,01"})
    assert asked.status_code == 422 and not Evening.objects.get(pk=evening.pk).bill_cents
    assert asked.context["form"].errors["bill"][0].startswith("1.000,01\u00a0€ ist hier ungewöhnlich viel.")
    assert 'name="sure" value="bill=100001"' in asked.content.decode()
    assert client.post(address, typed).status_code == 302
    rows[0].refresh_from_db()
    evening = Evening.objects.get(pk=evening.pk)
    assert (rows[0].drinks, evening.bill_cents, evening.bill_paid_by) == ({"bier": 2}, 800, rows[1].player)
    shown = client.get(f"/c/karo/evenings/{evening.pk}/cash/").content.decode()
    share = "Anteil an der Rechnung von 8,00\u00a0€: 2,00\u00a0€"
    assert f"2\u00a0× bier 2,50\u00a0€; {share}" in shown and f"{share}; Rechnung ausgelegt: 8,00\u00a0€" in shown


def test_a_tariff_without_drinks_asks_for_none(client: Client, cast: Cast) -> None:
    client.force_login(cast.scorer)
    assert client.get(f"/c/karo/evenings/{cast.table.evening_id}/cash/drinks/").status_code == 302
    give_tariff(cast.club)
    evening = make_table(cast.club).evening
    for ask in (client.get, client.post):
        answer = ask(f"/c/karo/evenings/{evening.pk}/cash/drinks/", follow=True)
        assert answer.redirect_chain == [(f"/c/karo/evenings/{evening.pk}/cash/", 302)]
        assert "Nach dem Tarif dieses Abends kosten Getränke nichts." in answer.content.decode()
