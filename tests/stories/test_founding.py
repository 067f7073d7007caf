"""A club from nothing to its first saved game, by the link that `make run` prints, without one where founding is open, or by a
command: one page with the people, the login and the choice of rules, one for the evening, and the table. `make story` records it
at the pace of a thumb."""

from __future__ import annotations

import re
import time
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.administration.actions import make_founding_link
from scoring.models import Club, Game, Player, RuleSet, Table
from scoring.play.queries import propose_next, read_records
from scoring.rules.constants import ANNOUNCED_TRIGGERS
from scoring.rules.settings import get_preset_data
from scoring.rules.sheet import Proposal
from scoring.rulesets.actions import found_club
from scoring.rulesets.rules import TRIGGERS
from tests.browser.fit import barriers, misfits
from tests.browser_page import another_page, log_in
from tests.server import PATIENCE, free_port, running, told
from tests.stories.table import TablePage

# Where each answer stands on the page, and how high it is.
PLACES = """() => [...document.querySelectorAll('.form-check:has(.worth)')].map((answer) => {
    const { top, height } = answer.getBoundingClientRect();
    return [Math.round(top + scrollY), Math.round(height)];
})"""
# Seconds: finding a control and tapping it, a letter on the phone's keyboard, reading a question.
TAP, LETTER, QUESTION = 1.5, 0.35, 5.0
NAMES = ["Zora", "Anton", "Berta", "Çelik"]
WORDS = "grüner kaktus tanzt nachts"
# One answer to each question that is not the proposed one.
ANSWERS = [
    "Ohne Neunen, mit Armut",
    "Jede Ansage verdoppelt → 6 Punkte",
    "Verdoppelt → Solist +4, jeder andere −4",
    "Karlchen gefangen",
    "Der Herzstich geht durch",
]


class Thumb:
    """Taps, letters and pages, counted. Where the story is recorded each takes as long as a person takes for it."""

    def __init__(self, page: Page, is_recorded: bool) -> None:
        self.page, self.pace = page, 1000 if is_recorded else 0
        self.taps, self.letters, self.pages, self.questions = 0, 0, 1, 0

    @property
    def seconds(self) -> float:
        return self.taps * TAP + self.letters * LETTER + self.questions * QUESTION

    def rest(self, seconds: float) -> None:
        self.page.wait_for_timeout(seconds * self.pace)

    def tap(self, target: Locator) -> None:
        self.rest(TAP)
        target.tap()
        self.taps += 1

    def answer(self, name: str) -> None:
        self.rest(QUESTION)
        self.questions += 1
        self.tap(self.page.get_by_label(re.compile(r"^\s*" + r"\s+".join(map(re.escape, name.split())))))

    def go(self, button: str) -> None:
        with another_page(self.page):
            self.tap(self.page.get_by_role("button", name=button))
        self.pages += 1

    def type(self, label: str, *lines: str) -> None:
        """Another line is another tap."""
        self.tap(self.page.get_by_label(label, exact=True))
        for number, line in enumerate(lines):
            if number:
                self.rest(TAP)
                self.page.keyboard.press("Enter")
                self.taps += 1
            self.page.keyboard.type(line, delay=LETTER * self.pace)
            self.letters += len(line)


@pytest.fixture
def link(page: Page, live_server: LiveServer, db: None) -> str:
    """What `make run` prints, on the phone of whoever got it."""
    page.set_viewport_size({"width": 360, "height": 640})
    return f"{live_server.url}/found/{make_founding_link()}/"


def test_by_a_link_from_nothing_to_the_first_saved_game(
    page: Page, live_server: LiveServer, link: str, request: pytest.FixtureRequest
) -> None:
    """With rules of their own: 25 taps beside the letters, and three minutes."""
    thumb = Thumb(page, is_recorded=request.config.getoption("--tracing") == "on")
    begin = time.monotonic()
    opened(page, link)
    assert page.url == f"{live_server.url}/found/"
    founding_typed(thumb)
    thumb.tap(page.get_by_text("Ändern", exact=True))
    thumb.answer("Regeln anpassen")
    for answer in ANSWERS:
        thumb.answer(answer)
    thumb.go("Gründen und zum ersten Abend")
    thumb.go("Mit diesen anfangen")

    table = TablePage(page, live_server.url, Table.objects.get())
    assert table.people == NAMES
    assert table.table.rule_set == RuleSet.objects.get(name="Unsere Regeln")
    table.before_tap = lambda _target: thumb.rest(TAP)
    table.enter_and_save({"kind": "normal", "re": [0, 2], "band": "121-150"})
    table.expect_saved()
    thumb.taps += table.taps
    took = time.monotonic() - begin
    print(f"{thumb.taps} taps, {thumb.letters} letters, {thumb.pages} pages, {thumb.seconds:.0f} s ({took:.0f} s here)")
    assert Game.objects.get().entered_by == User.objects.get(username="zora")
    assert thumb.taps <= 25
    assert thumb.pages == 3
    assert thumb.seconds < 180
    if thumb.pace:
        assert took < 180


def opened(page: Page, link: str) -> None:
    """Open a link, whose card goes on by itself."""
    page.goto(link)
    page.wait_for_url("**/found/")


def founding_typed(thumb: Thumb) -> None:
    """What has to be typed whatever the rules are."""
    thumb.type("Name des Clubs", "Karo Eins")
    thumb.type("Wer spielt mit? Je Zeile ein Name, zuerst der eigene.", *NAMES)
    thumb.type("Anmeldename", "zora")
    thumb.type("Passwort", WORDS)
    thumb.type("Passwort noch einmal", WORDS)


def test_founding_is_short_until_somebody_adjusts_the_rules(page: Page, link: str) -> None:
    """Two and a half screens, and ten taps beside the letters."""
    opened(page, link)
    assert page.evaluate("document.documentElement.scrollHeight") <= 2.5 * 640
    assert misfits(page) + barriers(page) == []
    thumb = Thumb(page, is_recorded=False)
    founding_typed(thumb)
    thumb.go("Gründen und zum ersten Abend")
    assert thumb.taps <= 10
    rule_set = RuleSet.objects.get(pk=page.url.rpartition("=")[2])
    assert (rule_set.name, rule_set.settings) == ("Hausrunde mit Bock", get_preset_data("hausrunde"))


@pytest.mark.soak
def test_the_questions_open_below_the_choice_of_rules(page: Page, link: str) -> None:
    opened(page, link)
    choice, question = page.get_by_role("group", name="Regeln"), page.get_by_role("group", name="Karten und Armut")
    expect(choice.get_by_role("radio", checked=True)).to_have_accessible_name(re.compile("^Hausrunde mit Bock"))
    expect(question).to_be_hidden()
    count = page.get_by_role("button", name="Die Beispiele neu rechnen")
    expect(count).to_be_hidden()
    expect(choice.get_by_role("radio")).to_have_count(1)
    page.get_by_text("Ändern", exact=True).tap()
    choice.get_by_role("radio", name="Regeln anpassen").tap()
    expect(question).to_be_visible()
    expect(count).to_be_hidden()
    choice.get_by_role("radio", name="Turnier (DDV)").tap()
    expect(question).to_be_hidden()


@pytest.mark.soak
def test_a_link_shows_its_faults_and_is_over_afterwards(page: Page, link: str, page_complaints: list[str]) -> None:
    opened(page, link)
    assert misfits(page) + barriers(page) == []
    page.get_by_label("Name des Clubs").fill("Karo Eins")
    tapped(page, "Gründen und zum ersten Abend")
    for said in ("Wer spielt mit?", "Anmeldename", "Passwort"):
        expect(page.get_by_role("alert")).to_contain_text(said)
    assert misfits(page) + barriers(page) == []
    page.get_by_label("Wer spielt mit?").fill("\n".join(NAMES))
    page.get_by_label("Anmeldename").fill("zora")
    for label in ("Passwort", "Passwort noch einmal"):
        page.get_by_label(label, exact=True).fill(WORDS)
    # Two taps found one club, and whichever is answered leads into it.
    page.get_by_role("button", name="Gründen und zum ersten Abend").dblclick()
    page.wait_for_url(re.compile("/c/karo-eins/"))
    assert (Club.objects.count(), Player.objects.count()) == (1, 4)
    page.goto(link)
    expect(page.get_by_role("heading")).to_have_text("Hier lässt sich nichts gründen")
    assert misfits(page) + barriers(page) == []
    assert all("status of 410" in complaint for complaint in page_complaints)
    page_complaints.clear()


@pytest.mark.soak
def test_where_mails_are_sent_a_link_is_followed_first(page: Page, transactional_db: None, tmp_path: Path) -> None:
    """The real server, which writes its mails into a folder."""
    port, folder = free_port(), tmp_path / "mails"
    site = f"http://localhost:{port}"
    more = {"FOUNDING": "open", "EMAIL_URL": f"filemail:///{folder}", "EMAIL_FROM": "club@mail.example", "SITE_URL": site}
    page.set_viewport_size({"width": 360, "height": 640})
    with running(tmp_path / "var", port, tmp_path / "log", collected=True, DEMO="0", **more, **told()):
        page.goto(f"{site}/found/")
        assert misfits(page) + barriers(page) == []
        page.get_by_label("E-Mail-Adresse").fill("zora@mail.example")
        tapped(page, "Link schicken")
        expect(page.get_by_text("Ein Link ist unterwegs an zora@mail.example.")).to_be_visible()
        opened(page, mailed_link(folder, site))
        assert page.url == f"{site}/found/"
        expect(page.get_by_text("geht an zora@mail.example")).to_be_visible()
        assert misfits(page) + barriers(page) == []
        found_and_play(page, site)
    assert User.objects.get().email == "zora@mail.example"


def mailed_link(folder: Path, site: str) -> str:
    give_up = time.monotonic() + PATIENCE
    while not (found := [mail for mail in folder.glob("*.log") if b"Subject" in mail.read_bytes()]):
        assert time.monotonic() < give_up
        time.sleep(0.1)
    mail = message_from_bytes(found[0].read_bytes(), policy=policy.default)
    (link,) = re.findall(rf"{site}/found/\S+", mail.get_content())
    return link


def found_and_play(page: Page, site: str) -> None:
    """Fill in the founding page that is open, and save the first game of the first evening."""
    for label, typed in (
        ("Name des Clubs", "Karo Eins"),
        ("Wer spielt mit? Je Zeile ein Name, zuerst der eigene.", "\n".join(NAMES)),
        ("Anmeldename", "zora"),
        ("Passwort", WORDS),
        ("Passwort noch einmal", WORDS),
    ):
        page.get_by_label(label, exact=True).fill(typed)
    tapped(page, "Gründen und zum ersten Abend")
    tapped(page, "Mit diesen anfangen")
    table = TablePage(page, site, Table.objects.get())
    table.enter_and_save({"kind": "normal", "re": [0, 2], "band": "121-150"})
    table.expect_saved()
    assert Club.objects.get().founded_openly_at
    assert Game.objects.get().entered_by == User.objects.get()


@pytest.fixture
def founder(page: Page, live_server: LiveServer) -> Page:
    """The start page of a club that was just founded, on the phone of its first admin."""
    found_club(name="Karo Eins", admin="vera")
    log_in(page.context, live_server.url, User.objects.get(username="vera"))
    page.goto(live_server.url)
    return page


def tapped(page: Page, button: str) -> None:
    with another_page(page):
        page.get_by_role("button", name=button).tap()


@pytest.mark.soak
def test_without_announcements_nothing_that_waits_for_one_can_be_chosen(founder: Page, live_server: LiveServer) -> None:
    founder.goto(f"{live_server.url}/c/karo-eins/rules/questions/")
    founder.get_by_text("Ändern", exact=True).tap()
    founder.get_by_role("radio", name="Regeln anpassen").check()
    why = founder.get_by_text("Ohne Ansagen gibt es auch keinen Bock nach Ansagen.")
    triggers = founder.get_by_role("group", name="Bock gibt es nach; ohne Auswahl gibt es keinen")
    offered = triggers.locator(".pill:visible input")
    assert offered.evaluate_all("all => all.map(one => one.value)") == list(TRIGGERS)
    expect(why).to_be_hidden()
    founder.get_by_role("radio", name="Keine Ansagen").check()
    left = [trigger for trigger in TRIGGERS if trigger not in ANNOUNCED_TRIGGERS]
    assert offered.evaluate_all("all => all.map(one => one.value)") == left
    expect(why).to_be_visible()
    expect(founder.get_by_text("Re gewinnt im Bock mit 155 Augen und hat einen Sonderpunkt:")).to_be_visible()
    expect(founder.locator("#question-length")).to_be_visible()
    # What is left of the answers starts no Bock: nobody asks how long it lasts.
    for trigger in triggers.locator(".pill:visible :checked").evaluate_all("all => all.map(one => one.value)"):
        triggers.locator(f'[value="{trigger}"]').uncheck()
    expect(founder.locator("#question-length")).to_be_hidden()
    expect(founder.locator("#question-overlap")).to_be_hidden()
    expect(founder.get_by_text("Re gewinnt mit 155 Augen und hat einen Sonderpunkt:")).to_be_visible()
    assert misfits(founder) + barriers(founder) == []


def test_the_examples_count_while_somebody_taps_and_nothing_moves(founder: Page) -> None:
    page = founder
    page.set_viewport_size({"width": 360, "height": 640})
    with another_page(page):
        page.get_by_role("link", name="Club einrichten").tap()
    page.get_by_text("Ändern", exact=True).tap()
    page.get_by_role("radio", name="Regeln anpassen").check()
    places = page.evaluate(PLACES)
    for answer in ("Jede Ansage verdoppelt", "Acht Spiele"):
        page.get_by_role("radio", name=answer).check()
    expect(page.get_by_role("button", name="Die Beispiele neu rechnen")).to_be_hidden()
    expect(page.get_by_role("radio", name="Vor dem Verdoppeln → 12 Punkte")).to_be_visible()
    expect(page.get_by_role("radio", name="Der zweite kommt hinten dran → 24-mal 2")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.evaluate(PLACES) == places


def test_a_stranger_has_a_table_of_a_demo_with_one_tap(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(live_server.url)
    with another_page(page):
        page.get_by_role("button", name="Demo ansehen").tap()
    page.wait_for_url("**/tables/*/")
    table = Table.objects.select_related("evening__club", "rule_set").get(pk=page.url.split("/")[-2])
    expect(page.locator("#live-steps")).to_have_text("Zum Ausprobieren: antippen, wer Re ist, dann das Ergebnis.")
    expect(page.locator("#head")).to_contain_text("Ihre Demo")
    assert misfits(page) == [] and barriers(page) == []
    before = Game.objects.filter(round__table=table).count()
    phone = TablePage(page, live_server.url, table)
    deal: Proposal = propose_next(read_records(table))
    seats = [seat for seat in range(len(phone.people)) if seat not in (deal.out or ())]
    phone.enter_and_save({"kind": "normal", "re": seats[:2], "eyes": 150})
    assert Game.objects.filter(round__table=table).count() == before + 1
    page.goto(f"{live_server.url}/c/{table.evening.club.slug}/")
    expect(page.get_by_text("Demo, wird morgen gelöscht.")).to_be_visible()
    assert misfits(page) == []
