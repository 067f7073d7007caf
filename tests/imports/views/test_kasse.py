"""An old Kasse: the sums before it is booked, CSV and Excel, refusals, the same file twice, undoing, two phones at once, and the
real Kasse of a club."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from uuid import UUID, uuid5

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse
from openpyxl import load_workbook

from scoring.archive.queries import build_archive
from scoring.cash.ledger.actions import take_back
from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.imports.actions import book_kasse, undo_kasse
from scoring.imports.forms.kasse import KasseForm
from scoring.imports.reading.kasse import BALANCE, PERSON, find_kasse_sheet, outline_kasse, parse_money
from scoring.imports.reading.uploads import FileRefused, FileSheet
from scoring.imports.rules import KasseRow
from scoring.models import Change, Club, Entry, Import, Leg, Player
from tests.archive.actions.taking import taken
from tests.cash.books import in_the_kasse
from tests.cash.kasse import closed, typed
from tests.factories import make_club, make_player, make_table, make_user
from tests.html import flat
from tests.imports.examples import (
    ALL_CENTS,
    EVENINGS,
    EVENINGS_CENTS,
    MOVED,
    OPENED,
    PAID,
    ROOT,
    Till,
    take_kasse,
    waiting_kasse,
    workbook,
)
from tests.imports.uploads import Desk, everything, verified

pytestmark = pytest.mark.django_db


@pytest.fixture
def till(db: None) -> Till:
    club = make_club(slug="karo")
    make_player(club, "Bodo")
    return Till(club, make_user("thea", club, ["treasurer"]))


def paid_by(club: Club) -> dict[str, int]:
    legs = Leg.objects.filter(account__player__club=club, kind="points")
    return {name: sum(legs.filter(account__player__name=name).values_list("cents", flat=True)) for name in PAID}


def read_rows(till: Till, data: bytes | str) -> Sequence[KasseRow]:
    rows: Sequence[KasseRow] = till.look(till.bring(data)).context["form"].reading.rows
    return rows


def test_evenings_and_bookings_come_to_what_was_in_the_kasse(till: Till) -> None:
    assert read_rows(till, workbook(EVENINGS)) == read_rows(till, EVENINGS)
    address = till.bring(EVENINGS)
    html = till.look(address).content.decode()
    assert Entry.objects.count() == 0, "the preview books nothing"
    assert "5 Zeilen vom 22.10.2024 bis 18.06.2025" in html and "76,25\u00a0€" in html
    assert "zusammen 29,90\u00a0€ gezahlt" in html and "Zeile 6 ist ohne Beträge" in html
    till.bring_and_take(EVENINGS)
    assert in_the_kasse(till.club) == EVENINGS_CENTS
    assert (paid_by(till.club), get_owed(till.club)) == (PAID, {}), "all of it is paid"
    assert read_rows(till, workbook(MOVED)) == read_rows(till, MOVED)
    till.bring_and_take(MOVED)
    assert in_the_kasse(till.club) == ALL_CENTS == get_balances(till.club)["cash"]
    # Dated the last evening of their seasons.
    dates = Entry.objects.filter(kind__in=("income", "expense")).order_by("pk").values_list("date", flat=True)
    assert [str(day) for day in dates] == ["2024-12-03", "2024-12-03", "2025-06-18", "2025-06-18"]
    assert set(Entry.objects.values_list("kind", flat=True)) == {"imported", "payment", "income", "expense"}
    assert "Alles stimmt" in verified()
    told = list(Change.objects.filter(verb="import.taken").order_by("pk").values_list("after", flat=True))
    assert told == [{"entries": 10}, {"entries": 4}]
    assert "Buchungen" in till.client.get("/c/karo/history/").content.decode()


def test_an_old_kasse_of_1950_and_an_amount_beyond_all_others_are_asked_about(till: Till) -> None:
    address = till.bring("Datum;Art;Betrag\n06.03.2025;Einnahme;1000,00\n")
    assert "Bitte prüfen" not in flat(till.look(address)), "there is no evening yet"
    make_table(till.club)
    assert "Bitte prüfen" not in flat(till.look(address))
    page = flat(till.look(till.bring("Datum;Art;Betrag\n06.03.2025;Einnahme;5,00\n06.03.1950;Ausgabe;1000,01\n")))
    assert "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026). Bitte prüfen" in page
    assert "1.000,01\u00a0€ ist hier ungewöhnlich viel. Bitte prüfen, ob das stimmt." in page
    assert 'name="take"' in page


def test_balances_are_brought_and_a_day_is_asked_for_where_none_is_said(till: Till) -> None:
    shown = flat(till.look(till.bring(OPENED)))
    assert "schuldet 3,50\u00a0€" in shown and "Guthaben 12,00\u00a0€" in shown and "gezahlt" not in shown
    till.bring_and_take(OPENED)
    names = {player.name: player.pk for player in till.club.players.all()}
    assert get_balances(till.club) == {
        "cash": 20922, "bank": 125000, "equity:opening": -20922 - 125000 - 350 + 1200,
        "member:1": 350, "member:2": -1200,
    }  # fmt: skip
    assert get_owed(till.club) == {names["Ärmel"]: 350, names["Frieda"]: -1200}
    assert set(Entry.objects.values_list("kind", flat=True)) == {"opening"}

    address = till.bring("Konto;Betrag\nBank;5\n")
    asked = till.look(address)
    assert "Nicht jede Zeile sagt ihren Tag" in asked.content.decode() and 'name="take"' not in asked.content.decode()
    assert "Zeile 2: Der Tag liegt vor 1950." in flat(till.look(address, day="0025-03-02"))
    till.take(address, day="2025-03-02")
    assert get_balances(till.club)["bank"] == 125500
    # An unknown season.
    address = till.bring("Saison;Art;Betrag\nws1819;Einnahme;5\n")
    asked = till.look(address)
    assert "Letzter Abend von „ws1819“" in asked.content.decode() and 'name="take"' not in asked.content.decode()
    till.take(address, season_0="2019-02-01")
    assert str(Entry.objects.get(kind="income").date) == "2019-02-01"


PAID_HEAD = "Datum;Anton;Berta\n1.3.25;1;1\n1.4.25;1;1\n"
MOVED_HEAD, OPENED_HEAD = "Datum;Art;Betrag\n", "Konto;Betrag;Datum\n"
REFUSED = [
    (PAID_HEAD + "2.3.25;1,234;1", 4, "Spalte B: „1,234“ ist kein Betrag in Euro."),
    (PAID_HEAD + "2.3.25;1.234;1", 4, "Spalte B: „1.234“ ist kein Betrag in Euro."),
    (PAID_HEAD + "2.3.25;-1;1", 4, "„-1“ ist weniger als nichts."),
    (PAID_HEAD + "2.3.25;viel;1", 4, "Spalte B: „viel“ ist kein Betrag in Euro."),
    (PAID_HEAD + "2.3.25;999999;1", 4, "Spalte B: „999999“ ist zu groß."),
    (PAID_HEAD + ";1;1", 4, "Das Datum fehlt."),
    (PAID_HEAD + "31.2.25;1;1", 4, "Den Tag „31.2.25“ gibt es nicht."),
    (PAID_HEAD + "2.3.2999;1;1", 4, "Der Tag liegt in der Zukunft."),
    (PAID_HEAD + "31.1.25;1;1", 4, "Dieser Monat der Kasse ist abgeschlossen."),
    (MOVED_HEAD + "2.3.25;Einnahme;5\n2.3.25;Ausgabe;5\n2.3.25;Geschenk;5", 4, "„Geschenk“ ist weder Einnahme noch Ausgabe."),
    (MOVED_HEAD + "2.3.25;Ausgabe;5\n2.3.25;Ausgabe;-5", 3, "„-5“ ist weniger als nichts."),
    (MOVED_HEAD + ";Ausgabe;5", 2, "Das Datum fehlt."),
    (OPENED_HEAD + "bar;-5;2.3.25", 2, "„-5“ ist weniger als nichts."),
    (OPENED_HEAD + ";5;2.3.25", 2, "Das Konto fehlt."),
    (OPENED_HEAD + "Anton;5;2.3.25\nanton;6;2.3.25", 3, "„anton“ steht schon in Zeile 2."),
]


def test_a_row_that_cannot_be_read_is_named_and_nothing_is_offered(till: Till) -> None:
    typed(till.club, Kind.OPENING, 1, "2025-01-01", heading="cash")
    closed(till.club, "2025-01")
    for text, row, sentence in REFUSED:
        form = KasseForm(None, file=waiting_kasse(till.club, till.user, text))
        assert [(fault.row, fault.sentence) for fault in form.reading.faults] == [(row, sentence)], text
        assert not form.may_be_taken, text
    address = f"/c/karo/cash/old/{waiting_kasse(till.club, till.user, REFUSED[0][0]).pk}/"
    refused = till.client.post(address, {**till.look(address).context["form"].data, "take": "1"})
    assert refused.status_code == 422 and 'name="take"' not in refused.content.decode()
    assert "Zeile 4: Spalte B: „1,234“ ist kein Betrag in Euro." in refused.content.decode()
    assert Entry.objects.count() == 1


def test_the_same_file_again_books_nothing_also_where_part_of_it_is_booked(till: Till) -> None:
    digest = sha256(EVENINGS.encode()).hexdigest()
    till.bring_and_take(EVENINGS)
    keys = {uuid5(UUID(int=0), f"{digest}/{row}/{part}") for row in (2, 3, 4, 5, 7) for part in ("imported", "payment")}
    assert set(Entry.objects.values_list("key", flat=True)) == keys
    before = Entry.objects.count(), Import.objects.filter(imported_at__isnull=False).count()
    address = till.bring(EVENINGS)
    html = till.look(address).content.decode()
    assert "Diese Datei ist schon gebucht." in html and 'name="take"' not in html
    assert till.take(address).status_code == 422
    # A column that is left out the first time changes no row that is booked; a row of its own is still missing then.
    late = "Datum;Anton;Berta\n1.3.25;1;1\n2.3.25;0;4\n"
    left_out = till.bring(late)
    till.take(left_out, column_2="skip")
    assert Entry.objects.count() == before[0] + 2
    again = till.bring(late)
    assert "davon schon gebucht" in till.look(again).content.decode()
    till.take(again)
    assert Entry.objects.count() == before[0] + 4
    assert in_the_kasse(till.club) == EVENINGS_CENTS + 100 + 400
    assert till.look(till.bring(late)).context["form"].obstacle


def test_a_kasse_is_undone_in_one_step_and_can_be_imported_again(till: Till) -> None:
    file = till.bring_and_take(EVENINGS)
    till.undo(file)
    assert (get_balances(till.club), Entry.objects.count()) == ({}, 20)
    assert "Alles stimmt" in verified()
    months = {entry.date for entry in Entry.objects.filter(kind="reversal")}
    assert months == {entry.date for entry in Entry.objects.exclude(kind="reversal")}, "each on its own day"
    assert Change.objects.get(verb="import.undone").before == {"entries": 10}
    html = till.client.get(f"/c/karo/cash/old/{file.pk}/").content.decode()
    assert "Zurückgenommen am" in html and "Alles stornieren" not in html
    with pytest.raises(ActionRefused, match="nicht übernommen"):
        undo_kasse(file=file, actor=Actor())
    again = till.bring_and_take(EVENINGS)
    assert (in_the_kasse(till.club), paid_by(till.club)) == (EVENINGS_CENTS, PAID)
    assert till.look(till.bring(EVENINGS)).context["form"].obstacle, "and it is booked once, not twice"
    till.undo(again)
    assert get_balances(till.club) == {}


def test_a_kasse_with_later_entries_is_not_undone(till: Till) -> None:
    file = till.bring_and_take(EVENINGS)
    first = Entry.objects.order_by("pk")[1]
    for build in (
        lambda: closed(till.club, "2024-10"),
        lambda: take_back(entry=first, actor=Actor(), key=UUID(int=1), reason="Doppelt"),
    ):
        point = transaction.savepoint()
        build()
        before = Entry.objects.count()
        till.undo(file)
        with pytest.raises(ActionRefused, match="einzeln stornieren"):
            undo_kasse(file=file, actor=Actor())
        assert Entry.objects.count() == before
        assert "lässt sich das nicht mehr" in till.client.get(f"/c/karo/cash/old/{file.pk}/").content.decode()
        # An entry that was reversed by hand stays reversed.
        assert till.look(till.bring(EVENINGS)).context["form"].obstacle
        transaction.savepoint_rollback(point)


def test_of_two_phones_one_books(till: Till) -> None:
    """Both users have seen the preview; the second one finds the rows booked."""
    other = make_user("toni", till.club, ["treasurer"])
    file = [waiting_kasse(till.club, user) for user in (till.user, other)]
    form = till.look(f"/c/karo/cash/old/{file[1].pk}/").context["form"]
    told = {"kind": "paid", "sheet": 0, "rows": form.reading.rows, "report": form.reading.report()}
    take_kasse(file[0])
    players = {column.index: till.club.players.get(name=column.name) for column in form.candidates if not column.exclusion}
    with pytest.raises(ActionRefused, match="schon gebucht"), transaction.atomic():
        book_kasse(file=file[1], actor=Actor(other), people=players, **told)
    assert book_kasse(file=file[0], actor=Actor(), people=players, **told).is_taken, "a second tap"
    assert (in_the_kasse(till.club), Entry.objects.count()) == (EVENINGS_CENTS, 10)


def test_only_the_confirmed_preview_is_booked(till: Till) -> None:
    address = till.bring(EVENINGS)
    seen = till.look(address).context["form"]
    changed = till.client.post(address, {**seen.data, "seen": seen.fingerprint, "column_2": "skip", "take": "1"})
    assert changed.status_code == 422 and Entry.objects.count() == 0
    admin = Till(till.club, make_user("anna", till.club, ["admin"])).client
    assert admin.get(address.replace("cash/old", "imports")).status_code == 404, "nor is it one of the admin's lists"
    assert "kasse.csv" not in admin.get("/c/karo/imports/").content.decode()


def test_a_kasse_is_in_the_archive(till: Till) -> None:
    """In the new club it can be undone as well, and the last days of its seasons are known."""
    till.bring_and_take(EVENINGS)
    came = taken(build_archive(till.club).replace(b'"slug": "karo"', b'"slug": "pik"'))
    assert build_archive(came) == build_archive(till.club).replace(b'"slug": "karo"', b'"slug": "pik"')
    there = Till(came, make_user("toni", came, ["treasurer"]))
    assert there.look(there.bring(EVENINGS)).context["form"].obstacle
    there.bring_and_take(MOVED)
    assert in_the_kasse(came) == ALL_CENTS
    there.undo(came.imports.get(kind="paid"))
    assert (in_the_kasse(came), in_the_kasse(till.club)) == (ALL_CENTS - EVENINGS_CENTS, EVENINGS_CENTS)


# --- What is no list of payments --------------------------------------------------------------------------------------

STRANGE = (ROOT / "fixtures/strangers/kassenbuch_einnahmen_ausgaben_bestand.csv").read_text()
# Cash books: what comes in or goes out row by row, what was there before, and the purposes.
WHAT = ["Abend", "Karten"]
BOOKS = {
    "two columns": ("Datum;Text;Eingang;Ausgang\n01.01.2024;Abend;12,50;\n02.01.2024;Karten;;9,99\n", 0, WHAT),
    "a sign": ("Datum;Zweck;Betrag\n01.01.2024;Abend;12,50\n02.01.2024;Karten;-9,99\n", 0, WHAT),
    "a sign and a balance": (
        "Datum;Zweck;Betrag;Saldo\n01.01.2024;Abend;12,50;112,50\n02.01.2024;Karten;-9,99;102,51\n", 10000, WHAT,
    ),
    "debit and credit by their balance": (
        "Datum;Text;Soll;Haben;Saldo\n01.01.2024;Abend;12,50;;12,50\n02.01.2024;Karten;;9,99;2,51\n", 0, WHAT,
    ),
    "a bank, the newest first": (
        "Buchungstag;Valuta;IBAN;Verwendungszweck;Umsatz in EUR;Kontostand\n"
        "02.01.2024;02.01.2024;DE02120300000000202051;Karten;-9,99;102,51\n"
        "01.01.2024;01.01.2024;DE02120300000000202051;Abend;12,50;112,50\n",
        10000,
        WHAT[::-1],
    ),
    "receipts": (
        "Beleg;Datum;Zweck;Einnahme;Ausgabe\n1;01.01.2024;Abend;12,50;\n2;02.01.2024;Karten;;9,99\nSumme;;;12,50;9,99\n",
        0,
        ["Abend · Beleg 1", "Karten · Beleg 2"],
    ),
}  # fmt: skip
NO_KASSE = ["Anton;Berta\n1;2\n", "irgend;etwas\n", "Name;Ort\nAnton;Bonn\n"]


def split(text: str) -> list[list[str]]:
    return [line.split(";") for line in text.splitlines()]


def test_a_file_that_is_no_kasse_is_refused(till: Till) -> None:
    for text in NO_KASSE:
        with pytest.raises(FileRefused, match="Das ist keine Kasse"):
            find_kasse_sheet([FileSheet("", split(text))], ())
    page = till.upload(NO_KASSE[0])
    assert page.status_code == 422 and "Das ist keine Kasse" in flat(page)
    assert not Import.objects.exists() and Player.objects.count() == 1


@pytest.mark.parametrize("name", BOOKS)
def test_a_cash_book_is_read_with_its_purposes(name: str) -> None:
    text, before, purposes = BOOKS[name]
    reading = replace(outline_kasse(split(text)), box="bank").read()
    assert sorted(row.in_kasse for row in reading.rows) == [-999, 1250]
    assert [row.reason for row in reading.rows] == purposes
    assert (reading.opening, reading.faults, reading.doubts) == (before, [], [])
    assert {legs[0].account for row in reading.rows for legs in row.entries.values()} == {"bank"}


ASKED = {
    "no minus": (
        "Datum;Zweck;Betrag\n01.01.2024;Abend;12,50\n02.01.2024;Karten;9,99\n", "Kein Betrag hat ein Minus", {2: "out"}, -2249,
    ),
    "debit and credit": (
        "Datum;Text;Soll;Haben\n01.01.2024;Abend;12,50;\n02.01.2024;Karten;;9,99\n", "Ohne einen Bestand ist nicht sicher",
        {2: "in", 3: "out"}, 251,
    ),
    "a wrong balance": (
        STRANGE.replace("102,51", "1,51").replace("110,51", "2,51"), "Dieser Bestand passt nicht zu den Beträgen daneben",
        {4: "skip"}, 1051,
    ),
    "a number beside amounts": (
        "Datum;Zweck;Betrag;Steuer\n01.01.2024;Abend;12,50;7\n02.01.2024;Karten;-9,99;19\n", "oder die Zahlung einer Person",
        {3: "skip"}, 251,
    ),
}  # fmt: skip


def test_what_no_cell_shows_is_asked_about_at_its_column(till: Till) -> None:
    for text, question, answer, cents in ASKED.values():
        address = till.bring(text)
        page = till.look(address)
        assert question in flat(page) and 'name="take"' not in page.content.decode()
        answered = till.look(address, **{f"column_{index}": role for index, role in answer.items()})
        assert (answered.status_code, answered.context["form"].sums["in_kasse"]) == (200, cents)


def test_a_choice_counts_more_than_a_guess_and_is_taken_back(till: Till) -> None:
    make_player(till.club, "Saldo")
    address = till.bring("Datum;Zweck;Einnahme;Saldo;Notiz\n01.01.2024;Abend;12,50;12,50;a\n02.01.2024;Karten;8;20,50;b\n")
    form = till.look(address).context["form"]
    assert (form.sheet.roles[3], form.sums["in_kasse"]) == (PERSON, 2050 + 3300), "a player of the club is one"
    page = till.look(address, column_3="balance", column_1="skip", column_4="purpose")
    form = page.context["form"]
    assert [(row.reason, row.in_kasse) for row in form.reading.rows] == [("a", 1250), ("b", 800)]
    page = till.client.post(address, {**form.data, "shown": form.shown_choices, "column_2": "out"})
    assert page.status_code == 422 and "passt nicht" in flat(page) and 'name="take"' not in page.content.decode()
    left = till.look(address, column_3="balance", leave_3="on").context["form"]
    assert [row.in_kasse for row in left.reading.rows] == [1250] and "rows_out" in left.shown_names
    back = {"shown": page.context["form"].shown_choices, "earlier": page.context["earlier"], "undo": "1"}
    undone = till.client.post(address, {**json.loads(back["shown"]), **back}).context["form"]
    assert [row.in_kasse for row in undone.reading.rows] == [1250, 800]
    wrong = ("column_0", "skip"), ("column_1", "day"), ("column_2", "skip"), ("column_4", "side"), ("column_4", "account")
    for column, role in wrong:
        refused = till.look(address, column_3="balance", **{column: role})
        assert refused.status_code == 422 and 'name="take"' not in refused.content.decode(), (column, role)


AMOUNTS = {
    "1.234,56-": -123456, "12,50 EUR": 1250, "EUR 12,50": 1250, "−5": -500, "(5,00)": -500, "(5,00 €)": -500, "5,00 S": -500,
    "5,00 H": 500, "-5,00 S": -500, "+5,00": 500, "5": 500, "5.5": 550, "1,234.56": 123456, "1'234.50": 123450, "1 234,50": 123450,
    "5,-": 500, "1.234,-": 123400, "1.234": None, "1,234": None, "12 50": None, "12,345": None, "viel": None, "-5,00 H": None,
    "--5": None, "(-5)": None, "1.2.2024": None, "5,00,00": None, "": None,
}  # fmt: skip


def test_amounts_are_read_as_people_and_banks_write_them() -> None:
    assert {text: parse_money(text) for text in AMOUNTS} == AMOUNTS


BANK = """Girokonto;DE12120300001020304050
Kontostand vom 05.03.2024:;1.234,56 €

Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;IBAN;Betrag (€)
05.03.24;05.03.24;Gebucht;Anton;Club;Abend;Eingang;DE1;12,50
04.03.24;04.03.24;Gebucht;Club;Wirt;Karten;Ausgang;DE2;-9,99
"""
PAGES = """Kassenbuch 2024;;;;
Nr.;Datum;Text;Einnahmen;Ausgaben
;;Übertrag aus 2023;100,00;
1;05.01.;Abend;12,50;
2;19.01.;Karten;;9,99
;31.01.;Summe Januar;12,50;9,99
Nr.;Datum;Text;Einnahmen;Ausgaben
3;02.02.;Abend;8,00 €;-
4;02.02.;Summe aller Strafen;3;
;;Summe;23,50;9,99
"""


def test_titles_repeated_headings_sums_and_what_was_carried_over_are_no_bookings() -> None:
    bank = outline_kasse(split(BANK))
    assert (bank.head, bank.guess_box()) == (3, "bank")
    assert [(row.number, row.in_kasse) for row in bank.read().rows] == [(5, 1250), (6, -999)]
    reading = outline_kasse(split(PAGES)).read()
    assert [(row.number, row.in_kasse) for row in reading.rows] == [(4, 1250), (5, -999), (8, 800), (9, 300)]
    assert (reading.opening, str(reading.rows[0].date)) == (10000, "2024-01-05")
    assert [remark.row for remark in reading.left_out] == [3, 6, 7, 10] and [remark.row for remark in reading.doubts] == [9]


TABLES = {
    "people, expenses and a balance": (
        "Datum;Anton;Berta;Ausgaben;Bestand\n05.01.2024;5;3,50;;108,50\n19.01.2024;2;;20;90,50\n", [850, -1800], [500, 350, 200],
    ),
    "people beside their sum": (
        "Datum;Anton;Berta;Einnahmen;Ausgaben\n05.01.2024;5;3,50;8,50;\n19.01.2024;;;;5\n", [850, -500], [500, 350],
    ),
    "letters of a bank": (
        "Buchungstag;Text;Umsatz;Soll/Haben\n05.01.2024;Abend;8,50;H\n19.01.2024;Karten;2,00;S\n", [850, -200], [],
    ),
    "a minus before all expenses": (
        "Datum;Zweck;Eingang;Ausgang\n05.01.2024;Abend;8,50;\n19.01.2024;Karten;1,00;-2,00\n", [850, -100], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_amounts_decide_what_a_column_is(name: str) -> None:
    text, in_kasse, paid = TABLES[name]
    reading = outline_kasse(split(text)).read()
    assert [row.in_kasse for row in reading.rows] == in_kasse and not reading.faults and not reading.doubts
    legs = [leg for row in reading.rows for leg in row.entries.get("imported", ())]
    assert [leg.cents for leg in legs if isinstance(leg.account, int)] == paid


def test_a_cash_book_asks_about_what_was_there_before_and_names_a_wrong_balance(till: Till) -> None:
    address = till.bring(STRANGE)
    html = flat(till.look(address))
    assert "Vor der ersten Zeile waren 100,00\u00a0€ da. Gehört das dazu?" in html and 'name="take"' not in html
    assert till.take(address).status_code == 422 and not Entry.objects.exists()
    shown = flat(till.look(address, opening="book"))
    assert 'name="take"' in shown and "Karten" in shown and "Letzter Bestand in der Datei" in shown
    till.bring_and_take(STRANGE, opening="book")
    assert get_balances(till.club)["cash"] == 11051 and till.club.players.count() == 1
    assert list(Entry.objects.order_by("pk").values_list("kind", "reason")) == [
        ("opening", ""), ("income", "Abend"), ("expense", "Karten"), ("income", "Abend"),
    ]  # fmt: skip
    assert till.look(till.bring(STRANGE), opening="leave").context["form"].obstacle
    wrong = till.look(till.bring(STRANGE.replace("110,51", "111,51")), opening="leave")
    assert "Zeile 4: Der Bestand ist 111,51\u00a0€; mit dem davor wären es 110,51\u00a0€." in flat(wrong)
    admin = Desk(till.club, make_user("anna", till.club, ["admin"]))
    assert "Bitte unter „Kasse“ mit „Alte Kasse mitbringen“ lesen lassen." in flat(admin.upload(STRANGE))


@pytest.mark.parametrize("heading", ["Bestand", "Saldo", "Kassenstand", "Kassenbestand:", "Kontostand", "Topfinhalt"])
def test_a_running_balance_is_no_person(heading: str) -> None:
    rows = "01.01.2024;3;2;105\n08.01.2024;1;;106\n15.01.2024;;4;110\n22.01.2024;2,5;1;113,50\n"
    sheet = outline_kasse(split(f"Datum;Ärmel;Bodo;{heading}\n{rows}"))
    assert [sheet.columns[index].name for index in sheet.list_columns(PERSON)] == ["Ärmel", "Bodo"]
    reading = sheet.read()
    assert (sheet.list_columns(BALANCE), reading.opening, reading.closing) == ([3], 10000, 11350)
    assert len(reading.rows) == 4 and not reading.faults and not reading.doubts


def test_headings_and_accounts_that_are_names_of_players_are_these_players(till: Till) -> None:
    names = ["Max", "Summer", "Ende", "Wein", "Bock", "Bestand", "Saldo", "Haben", "Soll", "Stand"]
    players = [make_player(till.club, name) for name in names]
    cells = [[str(1 + (row + column) % 4) for column in range(10)] for row in range(3)]
    days = ["01.01.2024", "08.01.2024", "15.01.2024"]
    rows = [["Datum", "Ärmel", *names], *([day, "3", *row] for day, row in zip(days, cells, strict=True))]
    till.bring_and_take("\n".join(map(";".join, rows)))
    legs = Counter(Leg.objects.filter(kind="points", account__player__isnull=False).values_list("account__player__name", flat=True))
    assert legs == dict.fromkeys(["Ärmel", *names], 3)
    till.bring_and_take("Konto;Betrag;Datum\nbar;209,22;01.03.2025\nSaldo;3,5;01.03.2025\nStand;1;01.03.2025\nSumme;213,72;\n")
    assert get_owed(till.club) == {players[6].pk: 350, players[9].pk: 100}
    assert Player.objects.filter(club=till.club).count() == 12


def test_pasted_cells_are_read_and_stay_in_the_field_if_they_are_refused(till: Till) -> None:
    page = reverse("cash_old", args=["karo"])
    cells = "\tZweck\tBetrag\r\n05.01.2024\tAbend\t12,50\r\n19.01.2024\tKarten, neu\t-9,99\r\n"
    refused = till.client.post(page, {"cells": "Zweck\tBetrag"})
    assert refused.status_code == 422 and ">\nZweck\tBetrag</textarea>" in refused.content.decode()
    both = till.client.post(page, {"cells": cells, "file": SimpleUploadedFile("kasse.csv", b"x")})
    assert "Bitte nur eines" in flat(both) and "Karten, neu" in flat(both)
    assert "Bitte eine Datei wählen oder Zellen einfügen." in flat(till.client.post(page, {}))
    address = till.client.post(page, {"cells": cells})["Location"]
    preview = till.look(address)
    assert "Eingefügte Zellen" in flat(preview)
    assert [(row.in_kasse, row.reason) for row in preview.context["form"].reading.rows] == [(1250, "Abend"), (-999, "Karten, neu")]
    till.take(address)
    assert in_the_kasse(till.club) == 251


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_template_comes_in_without_a_choice(till: Till, language: str) -> None:
    data = till.client.get(reverse("kasse_template", args=["karo"]), headers={"accept-language": language}).content
    book, out = load_workbook(BytesIO(data)), BytesIO()
    head = next(row for row in range(1, 9) if book.active.cell(row, 3).value in ("Einnahme", "Income"))
    rows = (datetime.date(2024, 1, 5), "Abend", 12.5, None, 1), (datetime.date(2024, 1, 19), "", None, 9.99)
    for number, cells in enumerate(rows, 1):
        for column, cell in enumerate(cells, 1):
            book.active.cell(head + number, column).value = cell
    book.save(out)
    till.bring_and_take(out.getvalue())
    found = list(Entry.objects.order_by("pk").values_list("kind", "date", "reason"))
    assert found == [("income", datetime.date(2024, 1, 5), "Abend · Beleg 1"), ("expense", datetime.date(2024, 1, 19), "")]
    assert get_balances(till.club)["cash"] == 251


# --- The real Kasse of a club -----------------------------------------------------------------------------------------


REAL_PAID, REAL_MOVED = ((ROOT / f"fixtures/real/kasse_{name}.csv").read_bytes() for name in ("abende", "buchungen"))
# In cents, added up by hand.
OF_PEOPLE = {"Anton": 51190, "Berta": 48970, "Cäsar": 59620, "Dora": 50880, "Emil": 51370}
REAL_EVENINGS, INCOME, EXPENSE, THERE = 262030, 67441, 308549, 20922


def test_the_real_kasse_has_its_balance_and_the_payments_of_each_player() -> None:
    club = make_club(slug="karo")
    till = Till(club, make_user("thea", club, ["treasurer"]))
    nothing = everything()
    preview = till.look(till.bring(REAL_PAID, "kasse_abende.csv")).content.decode()
    assert everything() == nothing, "the preview books nothing"
    assert "93 Zeilen vom 22.10.2018 bis 26.04.2026" in preview and "2.620,30\u00a0€" in preview
    for euros in ("511,90", "489,70", "596,20", "508,80", "513,70"):
        assert f"zusammen {euros}\u00a0€ gezahlt" in preview

    till.bring_and_take(REAL_PAID, "kasse_abende.csv")
    assert in_the_kasse(club) == REAL_EVENINGS
    till.bring_and_take(REAL_MOVED, "kasse_buchungen.csv")
    assert in_the_kasse(club) == get_balances(club)["cash"] == THERE
    assert "209,22\u00a0€" in till.client.get("/c/karo/cash/").content.decode()

    paid: Counter[str] = Counter()
    for name, cents in Leg.objects.filter(kind="points").values_list("account__player__name", "cents"):
        paid[name] += cents
    del paid[None]
    assert (dict(paid), get_owed(club)) == (OF_PEOPLE, {}), "all of it is paid"
    entries = Counter(Entry.objects.values_list("kind", flat=True))
    assert entries == {"imported": 93, "payment": 93, "income": 62, "expense": 18}
    other = {code: -cents for code, cents in get_balances(club).items() if code.endswith(":other")}
    assert other == {"income:other": INCOME, "expense:other": -EXPENSE}
    assert "Alles stimmt" in verified()

    # Every year begins with what the one before left, and the file of the last one says what is there.
    years = range(2018, 2027)
    reports = [till.client.get(f"/c/karo/cash/years/{year}/").context["report"] for year in years]
    assert [one.start for one in reports] == [0, *(one.end for one in reports[:-1])]
    assert (reports[-1].end, sum(one.expense for one in reports)) == (THERE, EXPENSE)
    book = load_workbook(BytesIO(till.client.get("/c/karo/cash/years/2026/excel/").content))
    assert 209.22 in [cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]

    # The same file again books nothing.
    again = till.look(till.bring(REAL_PAID, "kasse_abende.csv"))
    assert 'name="take"' not in again.content.decode() and Entry.objects.count() == 93 * 2 + 62 + 18

