"""A season of two leagues, each with rules of its own: its months are closed, a game is corrected late, every page says so until
it is decided, and a second version follows."""

from __future__ import annotations

import datetime
import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.club.actions import Actor
from scoring.core.formats import format_month
from scoring.evenings.actions import close_evening
from scoring.models import Club, MonthClosing, Season, Table
from tests.factories import add_game, make_club, make_rule_set, make_table, make_user
from tests.stories.table import TablePage, number, sit_down

RULES = {"Turnierliga": "Turnier", "Stammtischliga": "Stammtisch"}
CORRECTED = re.compile("ist abgeschlossen, und seither hat sich")


def months_ago(count: int) -> datetime.date:
    """The fifth day of that month."""
    day = timezone.localdate().replace(day=5)
    for _month in range(count):
        day = (day.replace(day=1) - datetime.timedelta(days=1)).replace(day=5)
    return day


@pytest.fixture
def club(db: None, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Two months of evenings by either rules: the first two people win a game of 1 point in each, two of them on
    the tournament's second evening."""
    # No month ends while it is told: the clock of the site goes on, and it is the 15th.
    now, ahead = datetime.datetime.now, datetime.timedelta(days=15 - timezone.localdate().day)
    shifted = type("Shifted", (datetime.datetime,), {"now": staticmethod(lambda tz: now(tz) + ahead)})
    monkeypatch.setattr(timezone, "datetime", shifted)
    club = make_club()
    for name in RULES.values():
        make_rule_set(club, name=name)
        for ago in (2, 1):
            table = make_table(club, held_on=months_ago(ago), rule_set=club.rule_sets.get(name=name))
            for _game in range(2 if (name, ago) == ("Turnier", 1) else 1):
                add_game(table)
            close_evening(evening=table.evening, actor=Actor())
    return club


class League:
    """The pages of the league on an admin's phone."""

    def __init__(self, page: Page, site: str, club: Club) -> None:
        self.page, self.root = page, f"{site}/c/{club.slug}/"
        self.old, self.new, self.this = (f"{months_ago(ago):%Y-%m}" for ago in (2, 1, 0))

    def found(self, name: str) -> Season:
        """A new season for the tables of its rules alone."""
        self.page.goto(f"{self.root}league/new/")
        self.page.get_by_label("Name", exact=False).first.fill(name)
        self.page.get_by_label("Erster Tag").fill(f"{self.old}-01")
        self.page.get_by_label("Letzter Tag").fill(f"{timezone.localdate():%Y-%m-%d}")
        self.page.get_by_role("checkbox", name=RULES[name]).check()
        self.page.get_by_role("button", name="Saison anlegen").tap()
        expect(self.page.get_by_role("heading", level=1, name=name)).to_be_visible()
        return Season.objects.get(name=name)

    def next_step(self, season: Season) -> None:
        """What the page of a season proposes first is a month that is due: closed as it is shown."""
        self.page.goto(f"{self.root}seasons/{season.pk}/")
        self.page.get_by_role("link", name="Ansehen und abschließen").first.tap()
        self.page.get_by_role("button", name="Monat abschließen").tap()
        expect(self.page.get_by_text("ist abgeschlossen.", exact=False).first).to_be_visible()

    def points(self, season: Season, end: str) -> dict[str, int]:
        """What a page of a month says that everybody has."""
        self.page.goto(f"{self.root}seasons/{season.pk}/{end}/")
        rows = self.page.locator("table.month").first.locator("tbody tr").all()
        return {row.locator("th").inner_text(): number(row.locator("td").nth(1).inner_text()) for row in rows}

    def pages_that_tell(self, season: Season) -> set[str]:
        """On which of the pages where people look it stands that a published month differs: asked for, not drawn."""
        places = {
            "start": self.root,
            "season": f"{self.root}seasons/{season.pk}/",
            "the month": f"{self.root}seasons/{season.pk}/{self.old}/",
            "the next": f"{self.root}seasons/{season.pk}/{self.new}/",
            "its preview": f"{self.root}seasons/{season.pk}/{self.new}/close/",
            "the one after": f"{self.root}seasons/{season.pk}/{self.this}/",
            "the preview of that": f"{self.root}seasons/{season.pk}/{self.this}/close/",
        }
        telling = set()
        for name, address in places.items():
            if CORRECTED.search(self.page.request.get(address).text()):
                telling.add(name)
        return telling


def test_a_late_correction_in_one_of_two_leagues(page: Page, live_server: LiveServer, club: Club) -> None:
    anna = make_user("anna", club, ["admin", "scorer"])
    table = Table.objects.get(rule_set__name="Turnier", evening__held_on=months_ago(2))
    sheet = sit_down(page, live_server.url, anna, table)
    league = League(page, live_server.url, club)
    tournament, regulars = (league.found(name) for name in RULES)
    page.goto(league.root)
    for season in (tournament, regulars):
        expect(page.get_by_role("heading", name=season.name)).to_be_visible()
    expect(page.get_by_role("link", name="Abschließen")).to_have_count(2)

    for season in (tournament, regulars):
        league.next_step(season)
    first = MonthClosing.objects.get(season=tournament, month=league.old)
    before = league.points(tournament, league.old)
    assert before == league.points(regulars, league.old)
    assert league.pages_that_tell(tournament) == set()

    correct(sheet)
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    expect(page.get_by_text(CORRECTED)).to_be_visible()
    later = {"the next", "its preview", "the one after", "the preview of that"}
    everywhere = {"start", "season", "the month", *later}
    assert league.pages_that_tell(tournament) == everywhere
    assert league.pages_that_tell(regulars) == everywhere - {"the month"}, "its own stand, but months go by in all leagues"
    assert league.points(tournament, league.old) == before, "what is published stays"

    # Past it the next month is closed by a tick alone.
    page.goto(f"{league.root}seasons/{tournament.pk}/{league.new}/close/")
    page.get_by_role("button", name="Monat abschließen").tap()
    expect(page.get_by_text("Trotzdem abschließen")).to_be_visible()
    assert not MonthClosing.objects.filter(season=tournament, month=league.new).exists()

    page.get_by_role("link", name="Ansehen und entscheiden").first.tap()
    page.get_by_role("button", name="Als Fassung 2 abschließen").tap()
    expect(page.get_by_text(f"{format_month(league.old)} ist abgeschlossen.")).to_be_visible()
    assert league.pages_that_tell(tournament) == set()
    after = league.points(tournament, league.old)
    assert after == {name: -2 * points for name, points in before.items()}, "won, and against the old ones"
    assert league.points(tournament, f"{league.old}/1") == before
    assert MonthClosing.objects.get(pk=first.pk).content == first.content

    for season in (tournament, regulars):
        league.next_step(season)
    assert league.pages_that_tell(tournament) == set()
    page.goto(league.root)
    expect(page.get_by_role("link", name="Abschließen")).to_have_count(0)


def correct(sheet: TablePage) -> None:
    """The one game of this evening was won by the others."""
    sheet.open().correct_game(1)
    for _digit in range(3):
        sheet.key("eyes", "back")
    sheet.keys("eyes", 110)
    # What it changes is shown first.
    with sheet.page.expect_navigation():
        sheet.save()
    sheet.save()
