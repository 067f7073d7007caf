"""A club through a year of its Kasse, on a phone and at a desk: a tariff by five questions, an evening at the table with a guest
and a fine, a game corrected after its month was closed, another tariff, somebody who leaves, a count that is 1.50 off, twelve
closings and the yearly workbook. The calendar goes on with the story, and after every step the books balance. In `make test` an
evening is played in the months that have something to tell."""

from __future__ import annotations

import datetime
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import openpyxl
import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.cash.dues.actions import book_dues
from scoring.cash.dues.queries import get_due
from scoring.cash.evening.actions import collect, enter_fine
from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.cash.models import Kind
from scoring.cash.months.queries import build_report, build_year
from scoring.cash.queries import list_broken_laws
from scoring.cash.texts import format_euros
from scoring.core.formats import format_month
from scoring.evenings.actions import close_evening
from scoring.models import CashCount, Evening, Period, Player, Table
from tests import fake_clock
from tests.browser_page import another_page, log_in
from tests.cash.books import in_the_kasse, money_check
from tests.cash.kasse import closed, typed
from tests.cash.tariffs import TREASURER, booked, costs
from tests.effort import LONG
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.imports.uploads import verified
from tests.stories.table import TablePage
from tests.stories.test_cash_at_table import drawer, fine

pytestmark = pytest.mark.django_db
GUEST = "Tante Käthe"
# The changed tariff, somebody who leaves, the count, and the last, which is closed by hand.
TOLD = ("2025-06", "2025-08", "2025-09", "2025-12")


class Story:
    """One login at a desk and on a phone, and the calendar of both."""

    def __init__(self, desk: Page, phone: Page, site: str, patch: pytest.MonkeyPatch) -> None:
        self.desk, self.phone, self.site, self.patch = desk, phone, site, patch
        self.club = make_club("Karo Eins", slug="karo")
        self.people = [make_player(self.club, name) for name in PEOPLE[:5]]
        self.guest = make_player(self.club, GUEST, guest=True)
        self.user = make_user("thea", self.club, ["scorer", "treasurer", "admin"])
        self.rules = make_rule_set(self.club)

    def on(self, day: str) -> None:
        """It is noon of this day; a login would not last a year."""
        fake_clock.begin(self.patch, day)
        for page in (self.desk, self.phone):
            log_in(page.context, self.site, self.user)

    def go(self, page: Page, path: str) -> Page:
        page.goto(f"{self.site}/c/karo/{path}")
        return page

    def press(self, page: Page, name: str) -> None:
        with another_page(page):
            page.get_by_role("button", name=name).click()

    def balanced(self) -> None:
        """Every law holds, all accounts come to 0, and what is in the Kasse is what plain SQL says."""
        assert list(list_broken_laws()) == []
        assert sum(get_balances(self.club).values()) == 0
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT COALESCE(SUM(cents), 0) FROM scoring_leg JOIN scoring_entry ON scoring_entry.id = entry_id JOIN"
                " scoring_account ON scoring_account.id = account_id WHERE number IS NOT NULL AND code IN ('cash', 'bank')"
            )
            assert int(cursor.fetchone()[0]) == in_the_kasse(self.club)

    def dues(self, month: str) -> None:
        due = get_due(self.club, month)
        assert due is not None
        book_dues(club=self.club, actor=TREASURER, month=month, seen=due.seen)

    def evening(self, day: str, people: list[Player]) -> Table:
        """One of the evenings that are not told: a game, a guest, a fine, and everybody pays in cash."""
        table = make_table(
            self.club, [*people[:4], self.guest], held_on=datetime.date.fromisoformat(day), rule_set=self.rules
        )
        evening = table.evening
        add_game(table, dealer=4)
        fined = {"player": people[0], "code": "misdeal", "amount": 1}
        enter_fine(evening=evening, actor=TREASURER, key=uuid4(), **fined)
        close_evening(evening=evening, actor=TREASURER)
        collect(evening=evening, actor=TREASURER, players=[*self.people, self.guest], key=uuid4())
        return table

    def close(self, month: str) -> None:
        """A month is closed at the desk, with what is said to be in the Kasse."""
        there = in_the_kasse(self.club, datetime.date.fromisoformat(f"{month}-28"))
        self.go(self.desk, f"cash/months/{month}/")
        expect(self.desk.get_by_role("row", name=f"am Ende {format_euros(there)}")).to_be_visible()
        self.press(self.desk, f"{format_month(month)} abschließen")
        self.desk.get_by_text("Prüfsumme (SHA-256)").click()
        expect(self.desk.get_by_text(Period.objects.get(month=month).sha256)).to_be_visible()
        self.balanced()


def test_a_club_through_a_year(
    page: Page, new_context: CreateContextCallback, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = Story(new_context().new_page(), page, live_server.url, monkeypatch)
    story.desk.set_viewport_size({"width": 1280, "height": 800})
    club, desk, phone, people = story.club, story.desk, story.phone, story.people

    # January: a tariff by five questions, what is in the box, and the first dues.
    story.on("2025-01-04")
    story.go(desk, "cash/tariff/questions/")
    desk.get_by_label("Euro für einen Gast").fill("2")
    desk.get_by_label("Einen festen Betrag").check()
    desk.get_by_label("Euro, wenn jemand fehlt").fill("3")
    desk.get_by_label("Euro im Monat").fill("5")
    desk.get_by_label("Vergeben").check()
    story.press(desk, "Zeigen, was das kostet")
    story.press(desk, "Speichern")
    expect(desk.get_by_text("10 ct je Minuspunkt in die Kasse.")).to_be_visible()
    typed(club, Kind.OPENING, 10000, "2025-01-04", story.user, heading="cash")
    story.go(desk, "cash/dues/2025-01/")
    story.press(desk, "Buchen")
    assert get_owed(club) == {player.pk: 500 for player in people}
    story.balanced()

    # The first evening on the phone: a game, a fine, who brought the guest; closed and paid at the table.
    story.on("2025-01-10")
    table = make_table(club, [*people[:4], story.guest], held_on=timezone.localdate(), rule_set=story.rules)
    at_table = TablePage(phone, story.site, table).open()
    at_table.dealt_by(4)
    at_table.mark("Wer ist Re?", [0, 1])
    at_table.keys("eyes", 130)
    at_table.save_surely()
    fine(at_table, "Bodo", "Vergeben")
    # Before the evening is closed.
    expect(at_table.message).to_contain_text("Gespeichert: Bodo: Vergeben.")
    expect(drawer(at_table).page.locator("#unfine")).to_contain_text("Bodo: Vergeben")
    story.go(phone, f"evenings/{table.evening_id}/cash/people/")
    phone.get_by_label("Mitgebracht von").select_option(label="Ärmel")
    story.press(phone, "Speichern")
    story.go(phone, f"evenings/{table.evening_id}/close/")
    story.press(phone, "Abend abschließen")
    first = Evening.objects.get(pk=table.evening_id)
    assert costs(first) == {"Bodo": 50, "Çelik": 10, "Özlem": 10, "Željko": 300, GUEST: 200, "kasse": -570}
    story.go(phone, f"evenings/{first.pk}/cash/")
    phone.get_by_text("Bar kassieren").click()
    story.press(phone, "Alles bar kassiert")
    # Željko was not there, and is not ticked.
    assert in_the_kasse(club) == 10000 + 270
    story.balanced()

    # Its month is closed; three weeks after the evening the game turns out to be wrong, and the preview says what it costs.
    story.on("2025-02-01")
    story.close("2025-01")
    at_table.open().correct_game(1)
    for _digit in range(2):
        at_table.key("eyes", "back")
    at_table.keys("eyes", 60)
    at_table.save()
    expect(phone.locator("#effects")).to_contain_text("Çelik zahlt 0,20")
    at_table.save()
    expect(phone.get_by_text("Berichtigt.")).to_be_visible()
    story.go(desk, f"evenings/{first.pk}/cash/")
    expect(desk.get_by_text("Nachtrag für Januar 2025")).to_be_visible()
    expect(desk.locator(".changes div", has_text="Çelik")).to_contain_text("ist: zahlt 0,20")
    assert booked(first) == ["evening", *["payment"] * 4, "reversal", "evening"]
    story.balanced()

    months = [f"2025-{month:02}" for month in range(2, 13)]
    for month in months:
        story.on(f"{month}-20")
        if LONG or month in TOLD:
            story.dues(month)
        if month == "2025-06":
            change_the_tariff(story, first)
        if month == "2025-08":
            somebody_leaves(story)
        if LONG or month in TOLD:
            here = [player for player in people if player.name != "Željko"] if month > "2025-08" else people
            late = story.evening(f"{month}-20", here)
            told = 300 * (month <= "2025-08") + 400 * (month >= "2025-06")
            assert costs(late.evening)["kasse"] == -(50 + 20 + 200 + told)
        if month == "2025-09":
            the_box_is_counted(story)
        story.on(str(datetime.date.fromisoformat(f"{month}-28") + datetime.timedelta(days=5)))
        if month == "2025-12":
            story.close(month)
        else:
            closed(club, month, story.user)
            story.balanced()

    # The year as its auditors get it: the same figures on the page and in the workbook.
    report = build_report(club, build_year(2025, 1))
    assert (Period.objects.count(), money_check(report), report.check) == (12, 0, 0)
    assert report.end == in_the_kasse(club) and [str(entry) for entry in report.late] != []
    story.go(desk, "cash/years/2025/")
    expect(desk.get_by_role("row", name=f"In der Kasse am Ende {format_euros(report.end)}")).to_be_visible()
    expect(desk.get_by_role("row", name="Unterschied (muss 0 sein) 0,00")).to_be_visible()
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Excel").click()
    book = openpyxl.load_workbook(BytesIO(Path(download.value.path()).read_bytes()))
    money = {row[0]: row[1] for row in book["A Geld"].iter_rows(values_only=True) if len(row) > 1}
    assert round(100 * money["In der Kasse am Ende"]) == report.end
    assert round(100 * money["Fehlbetrag beim Zählen"]) == -150
    assert verified().startswith("Alles stimmt")


def change_the_tariff(story: Story, first: Evening) -> None:
    """Whoever is there pays 1 € from now on; an evening of before costs what it cost."""
    before = costs(first)
    story.go(story.desk, "cash/tariff/questions/")
    story.desk.get_by_label("Euro für jedes Mitglied").fill("1")
    story.press(story.desk, "Zeigen, was das kostet")
    story.press(story.desk, "Speichern")
    expect(story.desk.get_by_text("(Fassung 2)")).to_be_visible()
    assert costs(first) == before
    story.balanced()


def somebody_leaves(story: Story) -> None:
    """Željko pays what is open and goes."""
    leaver = story.people[4]
    open_cents = get_owed(story.club)[leaver.pk]
    typed(story.club, Kind.PAYMENT, open_cents, "2025-08-20", story.user, person=leaver, box="cash")
    story.go(story.desk, f"people/{leaver.pk}/edit/")
    story.desk.locator("[name=left_on]").fill("2025-08-31")
    story.press(story.desk, "Speichern")
    leaver.refresh_from_db()
    assert leaver.left_on == datetime.date(2025, 8, 31) and leaver.pk not in get_owed(story.club)
    story.balanced()


def the_box_is_counted(story: Story) -> None:
    """1.50 less than is booked, with its reason."""
    there = get_balances(story.club)["cash"]
    story.go(story.phone, "cash/count/")
    story.phone.get_by_label("Gezählt, in Euro").fill(format_euros(there - 150).removesuffix("\u00a0€"))
    story.phone.get_by_label("Wer hat gezählt?").select_option(label="Çelik")
    story.phone.get_by_label("Wer war Zeuge?").select_option(label="Bodo")
    story.phone.get_by_label("Grund, wenn es nicht stimmt").fill("Falsch herausgegeben")
    story.press(story.phone, "Zählung festhalten")
    expect(story.phone.get_by_text("1,50\u00a0€ zu wenig")).to_be_visible()
    assert CashCount.objects.count() == 1 and get_balances(story.club)["cash"] == there - 150
    story.balanced()
