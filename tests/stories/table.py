"""The table as a thumb meets it: the facts of a game become taps on the real page, every one of them counted, and what
the page shows is read back in the words of the sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from scoring.models import Table
from scoring.rules import labels
from scoring.rules.constants import PARTNER_KINDS
from tests.browser_page import log_in
from tests.chromium import PATIENCE

Facts = Mapping[str, Any]

PARTIES = {"re": "Re", "kontra": "Kontra"}
SITS_OUT = "–"
STATE = "**/state/"
# Answers as soon as the page has asked for what is new and found no net.
OUT_OF_REACH = """patience => new Promise((resolve, reject) => {
    document.addEventListener("reach", ({ detail }) => detail || resolve());
    setTimeout(() => reject(new Error("The page does not notice that there is no net.")), patience);
})"""
# Does a drawer lie over the form with this control?
IS_COVERED = """target => {
    const open = document.querySelector(".drawers > [open] > .drawer, .drawer.asks");
    return open && getComputedStyle(open).position === "absolute" && !target.closest(".entry-foot");
}"""
# How the sheet marks the level of a Bock game.
BOCK = {"": 0} | {f"×{2**level}": level for level in range(1, 9)}


def signed(points: int) -> str:
    """Points as the page writes them before a game is saved."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def number(text: str) -> int:
    """A whole number as the page writes it."""
    return int(text.strip().replace("−", "-").replace("+", ""))


@dataclass(frozen=True)
class Line:
    """A line of the sheet as it is read: what its first cell says, everybody's running total (None for who sits out), its
    value, and its Bock level."""

    label: str
    totals: list[int | None]
    value: int
    bock: int


class TablePage:
    """The table page (or the page that corrects a game: the same form) on one phone."""

    def __init__(self, page: Page, site: str, table: Table, *, is_surely_in_reach: bool = False) -> None:
        self.page = page
        self.site = site
        self.table = table
        self.slug = table.evening.club.slug
        self.taps = 0
        # Called with what is about to be tapped, for stories that look at more than the result.
        self.before_tap = lambda target: None
        # For stories about what comes of many games: whether a finger reaches what it taps is no question there, and half the work.
        self.is_surely_in_reach = is_surely_in_reach

    @property
    def loaded(self) -> Page:
        """The page once it is all there, its scripts as well: what is read off it does not wait by itself."""
        self.page.wait_for_load_state()
        return self.page

    @property
    def people(self) -> list[str]:
        """Who sits at the table now, in seating order."""
        line_up = self.table.rounds.order_by("position").last()
        return list(line_up.seats.order_by("place").values_list("player__name", flat=True))

    def open(self, query: str = "") -> TablePage:
        self.page.goto(self.site + reverse("table", args=[self.slug, self.table.pk]) + query)
        return self

    def open_game(self, label: int | str) -> TablePage:
        """Tap a line of the sheet."""
        name = re.compile(rf"^{re.escape(str(label))}\b")
        line = self.page.locator("#rows tr").filter(has=self.page.get_by_role("rowheader", name=name)).first
        line.locator("a").click()
        self.page.wait_for_url("**/games/*/")
        return self

    def correct_game(self, label: int | str) -> TablePage:
        """Tap a line of the sheet, and what corrects it."""
        self.open_game(label)
        self.tap(self.page.get_by_role("link", name="Berichtigen", exact=True))
        return self

    def hear_nothing(self) -> None:
        """From now on this phone is not told what others do."""
        self.page.route(STATE, lambda route: route.abort("internetdisconnected"))

    def expect_out_of_reach(self) -> None:
        """There is no net, and the page has found out."""
        self.page.evaluate(OUT_OF_REACH, PATIENCE)

    def tap(self, target: Locator) -> None:
        # A form that is tapped before its script runs is another one.
        self.page.wait_for_load_state()
        self.taps += 1
        if self.is_surely_in_reach:
            target.evaluate("one => one.click()")
            return
        # A tap beside an open drawer does no more than close it.
        if target.evaluate(IS_COVERED):
            self.page.keyboard.press("Escape")
        self.before_tap(target)
        target.tap()

    def tap_beside(self, name: str) -> None:
        """Tap an action that is no game; while digits are typed it stands in "Mehr"."""
        if self.page.locator(".drawer > .beside").count():
            self.unfold("Mehr")
        self.tap(self.page.locator(".beside").get_by_role("link", name=name))

    def group(self, name: str, inside: Locator | None = None) -> Locator:
        """The pills under this heading."""
        return (inside or self.page.locator("#entry")).get_by_role("group", name=name, exact=True)

    def pill(self, group: Locator, name: str) -> Locator:
        return group.locator("label.pill").filter(has_text=re.compile(rf"^\s*{re.escape(name)}\s*$")).locator("input")

    def unfold(self, title: str) -> Locator:
        """What hides behind this line of the form, opened unless it is open."""
        fold = self.page.locator("#entry details").filter(has=self.page.locator("summary", has_text=title))
        if fold.get_attribute("open") is None:
            self.tap(fold.locator("summary"))
            expect(fold).to_have_attribute("open", "")
        return fold

    def save(self) -> None:
        self.tap(self.page.locator("#save"))

    def save_surely(self) -> None:
        """Saved, with a second tap where the page asks whether something odd is so."""
        self.save()
        expect(self.message).to_contain_text(re.compile("Gespeichert|noch einmal tippen"))
        if "noch einmal tippen" in self.message.inner_text():
            self.save()
        self.expect_saved()

    def enter(self, facts: Facts) -> None:
        """Tap in everything about a game but the button that saves it."""
        self.dealt_by(facts.get("dealer"))
        if "winners" in facts:
            self._short(facts)
        else:
            self._played(facts)
        if facts.get("starts_bock"):
            self.starts_bock(facts["starts_bock"])

    def enter_and_save(self, facts: Facts) -> None:
        self.enter(facts)
        self.save()
        self.expect_saved()

    def _short(self, facts: Facts) -> None:
        if facts["solo"]:
            self.tap(self.page.get_by_role("checkbox", name="Solo", exact=True))
        self.mark("Wer hat gewonnen?", facts["winners"])
        self.keys("base", facts["base"])

    def _played(self, facts: Facts) -> None:
        self.kind(facts["kind"])
        self.mark(self.question(facts["kind"]), facts["re"])
        self.duty(facts.get("duty", False))
        if "eyes" in facts:
            self.keys("eyes", facts["eyes"])
        else:
            self.band(facts["band"])
        for party in PARTIES:
            self.say(party, facts.get(f"{party}_said", "none"))
        for party in PARTIES:
            for special, count in facts.get(f"{party}_specials", {}).items():
                self.chip(PARTIES[party], labels.SPECIALS[special], count)
        if "last_said" in facts:
            self.last_said(facts["last_said"])

    def dealt_by(self, seat: int | None) -> None:
        """Say who dealt where the page proposes somebody else."""
        if seat is None or self.dealer == self.people[seat]:
            return
        fold = self.unfold("Mehr")
        self.tap(fold.get_by_role("link", name=self.people[seat], exact=True))
        expect(self.page.locator('[data-head="dealer"]')).to_have_text(self.people[seat])

    def kind(self, kind: str) -> None:
        name = labels.KINDS[kind]
        if kind == "normal":
            return
        if kind in PARTNER_KINDS:
            self.tap(self.pill(self.group("Spielart"), name))
            return
        self.tap(self.page.locator("#solo-button"))
        # Tapped on its label: for the input Playwright would scroll the page below the panel.
        self.tap(self.pill(self.page.locator("#solos"), name).locator("xpath=.."))
        expect(self.page.locator("#solos")).to_be_hidden()

    def duty(self, duty: bool) -> None:
        """Whether the solo is a Pflichtsolo, where the page says something else; there is no question in any other game."""
        box = self.page.locator("#duty input")
        if box.is_visible() and box.is_checked() != duty:
            self.tap(box)

    def question(self, kind: str) -> str:
        """What is asked about the people in a game of this kind."""
        return "Wer ist Re?" if kind in PARTNER_KINDS else "Wer spielt?"

    def mark(self, question: str, seats: list[int]) -> None:
        """Mark these players and nobody else."""
        group = self.group(question)
        wanted = [self.people[seat] for seat in seats]
        for name in wanted:
            if not self.pill(group, name).is_checked():
                self.tap(self.pill(group, name))
        assert self.marked(question) == sorted(wanted, key=self.people.index)

    def marked(self, question: str) -> list[str]:
        labels_of = "inputs => inputs.map(input => input.labels[0].textContent.trim())"
        found: list[str] = self.group(question).locator("input:checked").evaluate_all(labels_of)
        return found

    def keys(self, field: str, value: int) -> None:
        """A number, on the page's own number pad."""
        for digit in str(value):
            self.key(field, digit)

    def by(self, result: str) -> None:
        """Show the bands or the digits ("eyes"), which share one place."""
        button = self.page.locator(f'[data-by="{result}"]:visible')
        if button.count():
            self.tap(button)

    def key(self, field: str, digit: str) -> None:
        """One key of the number pad; "back" takes the last digit away."""
        self.by(field)
        self.tap(self.page.locator(f'[data-keypad="{field}"] [data-digit="{digit}"]'))

    def side(self, party: str) -> None:
        """Whose eyes are typed. In a solo the sides have other names."""
        self.tap(self.page.locator("label.pill", has=self.page.locator(f'[name="side"][value="{party}"]')))

    def band(self, band: str) -> None:
        self.by("band")
        self.tap(self.pill(self.group("Augen als Bereich"), labels.BANDS[band]))

    def say(self, party: str, said: str) -> None:
        if said == "none":
            return
        fold = self.unfold("Ansagen")
        name = PARTIES[party] if said == "said" else labels.SAID[said]
        asked = self.page.locator(f'[name="{party}_said"]')
        self.tap(self.pill(fold.locator("fieldset", has=asked).last, name))

    def last_said(self, party: str) -> None:
        self.tap(self.pill(self.page.locator("#last-said"), PARTIES[party]))

    def chip(self, party: str, name: str, count: int) -> None:
        """A tap adds one."""
        chips = self.group(name, self.unfold("Sonderpunkte")).locator(f'[data-party="{party}"]')
        for _ in range(count):
            self.tap(chips.locator(".more"))

    def starts_bock(self, count: int) -> None:
        self.tap(self.group("Löst Bock aus", self.unfold("Mehr")).locator(f'input[value="{count}"]'))

    @property
    def dealer(self) -> str:
        return self.page.locator('[data-head="dealer"]').inner_text()

    @property
    def message(self) -> Locator:
        """The line above the button."""
        return self.page.locator("#live-steps")

    def expect_live_points(self, points: Mapping[str, int]) -> None:
        """The points of those who play, in seating order, before anything is saved."""
        written = [f"{name} {signed(count)}" for name, count in points.items()]
        expect(self.page.locator("#live li")).to_have_text(written)

    def expect_saved(self) -> None:
        expect(self.message).to_contain_text("Gespeichert")

    def totals(self) -> list[int]:
        """Everybody's total in the head of the sheet, in seating order."""
        return [number(text) for text in self.loaded.locator("#sheet [data-total]").all_inner_texts()]

    def lines(self) -> list[Line]:
        """The sheet, the newest line first."""
        rows = self.loaded.locator("#rows tr").evaluate_all(
            """rows => rows.map(row => [row.querySelector(".bock-sign > *")?.textContent ?? "", ...[...row.cells].map(cell => {
                const copy = cell.cloneNode(true);
                copy.querySelectorAll(".sign, .bock-sign, .visually-hidden").forEach(sign => sign.remove());
                return copy.textContent.trim();
            })])"""
        )
        return [
            Line(label, [None if cell == SITS_OUT else number(cell) for cell in cells], number(value), BOCK[sign])
            for sign, label, *cells, value in rows
        ]


def in_sight(target: Locator) -> None:
    """What is about to be tapped needs no scrolling."""
    box = target.bounding_box()
    assert box["y"] >= 0, f"{target} is above the screen"
    screen = target.page.viewport_size
    assert box["y"] + box["height"] <= screen["height"], f"{target} is below the screen"
    assert box["x"] >= 0, f"{target} is left of the screen"
    assert box["x"] + box["width"] <= screen["width"], f"{target} is right of the screen"


def sit_down(page: Page, site: str, user: User, table: Table) -> TablePage:
    """The table on this phone, in the hands of `user`."""
    log_in(page.context, site, user)
    return TablePage(page, site, table).open()
