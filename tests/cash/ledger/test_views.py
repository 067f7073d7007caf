"""Booking through the pages: few fields, a sentence at the field that is wrong, nothing typed lost, a second tap that books
nothing; and the same figures on the page, in Excel, in CSV, in the statement and by plain SQL."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from scoring.cash.ledger.actions import take_back
from scoring.cash.ledger.queries import get_balances
from scoring.cash.ledger.views import PER_PAGE
from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.core.errors import InvalidInput
from scoring.models import CashCount, Entry, Player, Report
from tests.cash.books import in_the_kasse
from tests.cash.kasse import at, closed, typed
from tests.client import visit
from tests.factories import Cast, make_player, make_table
from tests.html import unmarked

pytestmark = pytest.mark.django_db

LONG_AGO = (
    "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026). "
    "Stimmt das, bitte noch einmal absenden; sonst hier ändern."
)
AMOUNT = "Bitte einen Betrag wie 3,50 eingeben."


def send(client: Client, kind: str, **told: Any) -> HttpResponse:
    sent = {"key": str(uuid4()), "date": "2026-03-06", "box": "cash", "cents": "3,50", **told}
    return client.post(at("cash_entry_new", kind), {name: value for name, value in sent.items() if value is not None})


def errors(response: HttpResponse) -> dict[str, list[str]]:
    assert response.status_code == 422
    return dict(response.context["form"].errors)


def test_a_payment_is_booked_and_leads_to_its_page(thea: Client, cast: Cast, bodo: Player) -> None:
    response = send(thea, "payment", person=bodo.pk, reason="Bar am Tisch")
    entry = Entry.objects.get()
    assert (response.status_code, response.headers["Location"]) == (302, at("cash_entry", entry.pk))
    assert (str(entry), entry.actor, entry.reason) == ("2026-001", cast.treasurer, "Bar am Tisch")
    assert get_balances(cast.club) == {"cash": 350, "member:1": -350}


def test_a_name_of_a_kind_is_refused_at_its_field(thea: Client, cast: Cast) -> None:
    # This letter is stored as two.
    for name in ("Miete", "\u0958" * 25, "x" * 41):
        assert list(errors(thea.post(at("cash_headings"), {"side": "expense", "name": name}))) == ["name"]
    assert thea.post(at("cash_headings"), {"side": "expense", "name": "Blumen"}).status_code == 302


def test_a_second_tap_books_nothing_and_another_content_is_refused(thea: Client, bodo: Player) -> None:
    key = str(uuid4())
    first, again = (send(thea, "payment", person=bodo.pk, key=key) for _ in range(2))
    assert first.headers["Location"] == again.headers["Location"]
    assert "Hier ist schon etwas gebucht. Bitte die Seite neu laden." in str(
        errors(send(thea, "payment", person=bodo.pk, key=key, cents="4"))
    )
    assert Entry.objects.count() == 1


def test_an_amount_is_read_as_people_write_it_or_refused_at_its_field(thea: Client, cast: Cast, bodo: Player) -> None:
    for amount, said in (
        ("", AMOUNT), ("0,00", AMOUNT), ("-3", AMOUNT), ("drei", AMOUNT),
        ("100000000,01", "Bitte höchstens 100000000 Euro eingeben."),
        ("1.234", "„1.234“ lässt sich auf zwei Arten lesen. Bitte 1234 oder einen Betrag wie 3,50 eingeben."),
    ):  # fmt: skip
        response = send(thea, "payment", person=bodo.pk, cents=amount, reason="Getippt")
        assert errors(response) == {"cents": [said]}
        assert 'value="Getippt"' in response.content.decode(), "nothing typed is lost"
    assert not Entry.objects.exists()
    assert send(thea, "payment", person=bodo.pk, cents="€ 1'234.56", sure="cents=123456").status_code == 302
    assert in_the_kasse(cast.club) == 123456


def asked_about(response: HttpResponse) -> dict[str, str]:
    """What the form asks about, and what it sends along when it is sent again."""
    said = errors(response)
    assert list(said) == ["cents"] and "ist hier ungewöhnlich viel" in said["cents"][0]
    form = response.context["form"]
    return {name: str(form[name].value()) for name in form.fields}


def test_an_amount_above_1000_euros_is_asked_about_once_in_a_young_kasse(thea: Client, cast: Cast, bodo: Player) -> None:
    assert send(thea, "payment", person=bodo.pk, cents="1000").status_code == 302
    typed_before = {"person": bodo.pk, "cents": "1000,01", "reason": "Erbschaft", "box": "bank", "date": "2026-03-07"}
    again = asked_about(send(thea, "payment", **typed_before))
    assert {name: again[name] for name in typed_before} == {name: str(value) for name, value in typed_before.items()}
    assert Entry.objects.count() == 1
    assert asked_about(send(thea, "payment", **again | {"cents": "2000"}))["sure"].endswith(" cents=200000"), "another amount"
    assert thea.post(at("cash_entry_new", "payment"), again).status_code == 302
    assert in_the_kasse(cast.club) == 200001


def test_an_amount_beyond_50_times_the_largest_of_the_last_year_is_asked_about(
    thea: Client, cast: Cast, bodo: Player
) -> None:
    long_ago, lately = (timezone.localdate() - datetime.timedelta(days) for days in (366, 300))
    typed(cast.club, Kind.PAYMENT, 90000, long_ago.isoformat(), person=bodo, box="cash")
    told = {"person": bodo.pk, "date": timezone.localdate().isoformat()}
    asked_about(send(thea, "payment", cents="1000,01", **told))
    typed(cast.club, Kind.PAYMENT, 400, lately.isoformat(), person=bodo, box="cash")
    mistake = typed(cast.club, Kind.PAYMENT, 80000, lately.isoformat(), person=bodo, box="cash")
    send(thea, "payment", cents="1", **told)
    take_back(entry=mistake, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert send(thea, "payment", cents="200", **told).status_code == 302, "50 times 4 euros"
    asked_about(send(thea, "expense", cents="10000,01", heading="expense:rent", **told))
    count = {"key": str(uuid4()), "cents": "12000", "booked": "1", "counter": bodo.pk, "witness": bodo.pk}
    asked_about(thea.post(at("cash_count"), count))
    booked = str(get_balances(cast.club)["cash"] // 100)
    assert "cents" not in errors(thea.post(at("cash_count"), count | {"cents": booked, "booked": f"{booked}00"}))


@pytest.mark.parametrize("kind", ["payment", "fine", "report"])
def test_a_day_more_than_a_year_before_the_first_evening_is_asked_about_once(
    thea: Client, cast: Cast, bodo: Player, kind: str
) -> None:
    make_table(cast.club)
    bodo.user = cast.treasurer
    bodo.save()
    address = at("cash_report") if kind == "report" else at("cash_entry_new", kind)
    sent = {"key": str(uuid4()), "date": "1950-03-06", "box": "cash", "cents": "5000", "person": bodo.pk}
    asked = thea.post(address, sent)
    assert errors(asked)["date"] == [LONG_AGO] and list(errors(asked)) == ["cents", "date"]
    form = asked.context["form"]
    again = {name: str(form[name].value()) for name in form.fields}
    assert errors(thea.post(address, again | {"date": "1951-03-06"})) == {"date": [LONG_AGO]}, "another day"
    assert thea.post(address, again).status_code == 302
    (stored,) = Report.objects.all() if kind == "report" else Entry.objects.all()
    assert (str(stored.date), get_balances(cast.club) == {}) == ("1950-03-06", kind == "report")
    assert thea.post(address, sent | {"key": str(uuid4()), "date": "2025-03-06", "cents": "3,50"}).status_code == 302


def test_a_day_lies_between_the_first_open_one_and_today(thea: Client, cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 100, "2026-01-02", person=bodo)
    closed(cast.club, "2026-01")
    tomorrow = timezone.localdate() + datetime.timedelta(days=1)
    for day in ("2026-01-31", tomorrow.isoformat(), ""):
        assert list(errors(send(thea, "payment", person=bodo.pk, date=day))) == ["date"]
    assert send(thea, "payment", person=bodo.pk, date="2026-02-01").status_code == 302


def test_a_year_that_was_not_finished_is_refused(thea: Client, bodo: Player) -> None:
    """The books cannot be closed month by month from the year 25 on, and nothing in them is ever taken out again."""
    (said,) = errors(send(thea, "payment", person=bodo.pk, date="0026-03-06"))["date"]
    assert said.startswith("Bitte einen Tag vom 01.01.1950 bis zum ")
    with pytest.raises(InvalidInput, match="Gebucht wird ab 1950"):
        typed(bodo.club, Kind.PAYMENT, 350, "1949-12-31", person=bodo, box="cash")


@pytest.mark.parametrize(
    ("kind", "told", "field"),
    [
        ("payment", {}, "person"),
        ("payment", {"person": "x"}, "person"),
        ("payment", {"box": "sock", "person": "bodo"}, "box"),
        ("expense", {"heading": "income:other"}, "heading"),
        ("expense", {"heading": "expense:shortage"}, "heading"),
        ("waive", {"person": "bodo"}, "reason"),
        ("handover", {"person": "bodo", "other": "bodo", "reason": "Wette"}, "other"),
        ("opening", {"heading": "open"}, "person"),
        ("fine", {"person": "bodo", "reason": "so"}, "reason"),
        ("payment", {"person": "bodo", "key": "x"}, "__all__"),
        ("payment", {"person": "bodo", "key": None}, "__all__"),
    ],
)
def test_what_is_wrong_is_named_at_its_field(
    thea: Client, bodo: Player, kind: str, told: dict[str, Any], field: str
) -> None:
    told = {name: bodo.pk if value == "bodo" else value for name, value in told.items()}
    assert list(errors(send(thea, kind, **told))) == [field]
    assert not Entry.objects.exists()


def test_a_kind_that_nobody_types_has_no_page(thea: Client) -> None:
    for kind in ("evening", "reversal", "count", "imported", "theft"):
        assert thea.get(at("cash_entry_new", kind)).status_code == 404


def test_taking_back_shows_what_it_mirrors_and_wants_a_reason(thea: Client, cast: Cast, bodo: Player) -> None:
    entry = typed(cast.club, Kind.PAYMENT, 350, "2026-03-06", person=bodo, box="cash")
    page = thea.get(at("cash_entry_reverse", entry.pk)).content.decode()
    assert "Bodo schuldet 3,50\u00a0€ mehr" in unmarked(page)
    assert "Bar: 3,50\u00a0€ heraus" in page
    key = str(uuid4())
    assert list(errors(thea.post(at("cash_entry_reverse", entry.pk), {"key": key, "reason": "x"}))) == ["reason"]
    for _time in range(2):
        response = thea.post(at("cash_entry_reverse", entry.pk), {"key": key, "reason": "Vertippt"})
        assert response.headers["Location"] == at("cash_entry", entry.reversed_by.pk)
    assert get_balances(cast.club) == {}
    again = thea.post(at("cash_entry_reverse", entry.pk), {"key": str(uuid4()), "reason": "Noch einmal"})
    assert errors(again) == {"__all__": ["Diese Buchung ist schon storniert."]}


def test_a_reason_is_no_formula_in_a_file_and_people_are_found_by_their_new_names(thea: Client, cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 300, "2026-03-01", person=bodo, reason="=1+1")
    assert ";'=1+1;" in thea.get(at("export_csv", "kasse-legs")).content.decode("utf-8-sig")
    cast.club.players.filter(pk=bodo.pk).update(name="Jürgen")
    page = thea.get(at("cash_entries") + "?text=juergen")
    assert [str(row.record.entry) for row in page.context["table"].paginated_rows] == ["2026-001"]
    assert page.content.count(b"btn-primary") == 1, "to show a part of the journal is no action of its own"


def test_from_a_statement_what_is_open_is_paid_and_a_credit_is_paid_out(thea: Client, cast: Cast, bodo: Player) -> None:
    def typed_in(kind: str) -> str | None:
        form = thea.get(at("cash_entry_new", kind) + f"?person={bodo.pk}").context["form"]
        return form["cents"].subwidgets[0].data["value"]

    typed(cast.club, Kind.FINE, 1250, "2026-03-01", person=bodo)
    assert (typed_in("payment"), typed_in("payout"), typed_in("waive")) == ("12,50", None, None)
    assert "Auszahlung buchen" not in thea.get(at("cash_statement", bodo.pk)).content.decode()
    typed(cast.club, Kind.PAYMENT, 2000, "2026-03-02", person=bodo, box="cash")
    assert (typed_in("payment"), typed_in("payout")) == (None, "7,50")
    assert "Auszahlung buchen" in thea.get(at("cash_statement", bodo.pk)).content.decode()


def test_the_whole_journal_is_one_page_to_be_printed(thea: Client, cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 5, "2025-12-31", person=bodo)
    for number in range(51):
        typed(cast.club, Kind.FINE, 10 + number, f"2026-01-{30 - number // 2:02}", person=bodo)
    paged = thea.get(at("cash_entries") + "?month=2026")
    assert len(paged.context["table"].paginated_rows) == PER_PAGE
    assert 'href="?month=2026&amp;whole=1"' in paged.content.decode() and "Alle 51 auf einer Seite" in paged.content.decode()
    whole = thea.get(at("cash_entries") + "?month=2026&whole=1")
    days = [(row.record.entry.date, row.record.entry.number) for row in whole.context["table"].paginated_rows]
    assert (len(days), days) == (51, sorted(days)) and '<strong>2026</strong>' in whole.content.decode()
    assert "Seite 1" not in whole.content.decode() and "auf einer Seite" not in whole.content.decode()
    assert len(thea.get(at("cash_entries") + "?whole=1").context["table"].paginated_rows) == 52


# --- Reports, counts, months, years -----------------------------------------------------------------------------------


def test_what_is_owed_is_proposed_and_reported(cast: Cast) -> None:
    rita = make_player(cast.club, "Rita", user=cast.reader)
    typed(cast.club, Kind.FINE, 1305, "2026-03-01", person=rita)
    client, key = visit(cast.reader), str(uuid4())
    assert 'value="13,05"' in client.get(at("cash_report")).content.decode()
    sent = {"key": key, "cents": "13,05", "box": "bank", "date": "2026-03-06", "note": ""}
    for _time in range(2):
        assert client.post(at("cash_report"), sent).headers["Location"] == at("cash_statement", rita.pk)
    assert Report.objects.get().cents == 1305
    assert list(errors(client.post(at("cash_report"), sent | {"cents": "13,06"}))) == ["__all__"]
    assert errors(client.post(at("cash_report"), sent | {"cents": "x", "date": ""})).keys() == {"cents", "date"}


def test_a_refusal_is_read_in_the_statement(thea: Client, cast: Cast) -> None:
    rita = make_player(cast.club, "Rita", user=cast.reader)
    report = Report.objects.create(
        club=cast.club, key=uuid4(), player=rita, cents=500, box="bank", date=datetime.date(2026, 3, 6)
    )
    assert list(errors(thea.post(at("cash_report_refuse", report.key), {"reason": ""}))) == ["reason"]
    assert thea.post(at("cash_report_refuse", report.key), {"reason": "Nichts angekommen"}).status_code == 302
    assert "Nichts angekommen" in visit(cast.reader).get(at("cash_statement", rita.pk)).content.decode()
    # Too late to confirm it: the page says so, and nothing is booked.
    assert "schon entschieden" in thea.post(at("cash_report_confirm", report.key), follow=True).content.decode()
    assert not Entry.objects.exists()


def test_a_count_is_compared_with_what_the_page_showed(thea: Client, cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.OPENING, 10000, "2026-01-01", heading="cash")
    other = cast.club.players.get(name="Çelik")
    sent = {"key": str(uuid4()), "booked": "10000", "cents": "98,50", "counter": bodo.pk, "witness": other.pk}
    for address in (at("cash_count"), at("cash_entry_new", "handover")):
        offered = thea.get(address).content.decode()
        assert "– wählen –" in offered and "---" not in offered
    assert list(errors(thea.post(at("cash_count"), sent))) == ["reason"]
    assert list(errors(thea.post(at("cash_count"), sent | {"witness": bodo.pk, "reason": "Fehlt"}))) == ["witness"]
    assert list(errors(thea.post(at("cash_count"), sent | {"booked": "x", "reason": "Fehlt"}))) == ["__all__"]
    typed(cast.club, Kind.INCOME, 50, "2026-01-01", heading="income:other", box="cash")
    changed = thea.post(at("cash_count"), sent | {"reason": "Fehlt"})
    assert (changed.status_code, 'value="10050"' in changed.content.decode()) == (409, True)
    done = thea.post(at("cash_count"), sent | {"reason": "Fehlt", "booked": "10050"}, follow=True)
    assert "2,00\u00a0€ zu wenig" in done.content.decode()
    assert (CashCount.objects.get().cents, get_balances(cast.club)["cash"]) == (9850, 9850)
    right = {"key": str(uuid4()), "booked": "9850", "cents": "98,50", "counter": bodo.pk, "witness": other.pk}
    assert "Es stimmt: 98,50\u00a0€." in thea.post(at("cash_count"), right, follow=True).content.decode()


def test_a_month_is_closed_as_it_was_seen(thea: Client, cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 300, "2026-01-06", person=bodo)
    seen = thea.get(at("cash_month", "2026-01")).context["seen"]
    typed(cast.club, Kind.FINE, 300, "2026-01-07", person=bodo)
    refused = thea.post(at("cash_month_close", "2026-01"), {"seen": seen})
    assert (refused.status_code, "Inzwischen hat sich etwas geändert" in refused.content.decode()) == (409, True)
    now = refused.context["seen"]
    assert thea.post(at("cash_month_close", "2026-01"), {"seen": now}).status_code == 302
    assert thea.get(at("cash_month", "2026-01")).context["period"].sha256 == now
    assert visit(cast.reader).post(at("cash_month_sign", "2026-01")).status_code == 302
    assert "gegengezeichnet von rita" in unmarked(thea.get(at("cash_month", "2026-01")).content.decode())
    assert "nur ein anderer Zugang" in thea.post(at("cash_month_sign", "2026-01"), follow=True).content.decode()


def test_a_month_of_broken_books_says_what_is_wrong(thea: Client, cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 300, "2026-01-06", person=bodo)
    told = {"until": "2026-01", "seen": thea.get(at("cash_month", "2026-01")).context["seen"]}
    Entry.objects.create(club=cast.club, key=uuid4(), kind="income", date=datetime.date(2026, 2, 6))
    for name, *args in (("cash_month_close", "2026-01"), ("cash_months_close",)):
        refused = thea.post(at(name, *args), told)
        assert (refused.status_code, "nie abgeschlossen, zählt nirgends" in refused.content.decode()) == (409, True)
    Entry.objects.filter(number=None).delete()


def test_several_months_are_closed_as_they_were_seen(thea: Client, cast: Cast, bodo: Player) -> None:
    assert "Jeder vergangene Monat ist abgeschlossen." in thea.get(at("cash_months_close")).content.decode()
    for day in ("2025-11-06", "2026-01-06"):
        typed(cast.club, Kind.FINE, 300, day, person=bodo)
    assert "Mehrere Monate abschließen" in thea.get(at("cash_months")).content.decode()
    page = thea.get(at("cash_months_close"), {"until": "2026-01"})
    assert page.context["selected"] == ["2025-11", "2025-12", "2026-01"]
    told = {"until": "2026-01", "seen": page.context["seen"]}
    typed(cast.club, Kind.FINE, 300, "2025-12-07", person=bodo)
    refused = thea.post(at("cash_months_close"), told)
    assert (refused.status_code, "Inzwischen hat sich etwas geändert" in refused.content.decode()) == (409, True)
    assert refused.context["until"] == "2026-01", "what was chosen is kept"
    done = thea.post(at("cash_months_close"), told | {"seen": refused.context["seen"]}, follow=True)
    assert "Alle Monate bis Januar 2026 sind abgeschlossen." in done.content.decode()
    assert [thea.get(at("cash_month", month)).context["period"] is None for month in ("2026-01", "2026-02")] == [False, True]
    assert thea.post(at("cash_months_close"), told).status_code == 409, "another phone"


def test_the_year_begins_when_the_treasurer_says(thea: Client, cast: Cast) -> None:
    typed(cast.club, Kind.OPENING, 10000, "2025-08-01", heading="cash")
    typed(cast.club, Kind.OPENING, 500, "2025-09-01", heading="cash")
    assert list(errors(thea.post(at("cash_months"), {"first_month": "13"}))) == ["first_month"]
    assert thea.post(at("cash_months"), {"first_month": "9"}).status_code == 302
    page = thea.get(at("cash_year", 2025))
    assert (page.context["report"].start, page.context["report"].end) == (10000, 10500)
    assert "Kassenbericht 2025/26" in page.content.decode()
