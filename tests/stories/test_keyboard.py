"""The table by keyboard alone: whatever opens takes the focus, whatever closes gives it back, and nothing is tapped."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Club, Game
from scoring.rules import labels
from tests.browser_page import another_page
from tests.cash.tariffs import give_tariff
from tests.effort import LONG
from tests.factories import make_bock_table, make_player, make_table, make_user
from tests.stories.table import TablePage, sit_down

# Further than any control of the form is from any other.
FAR = 80
# What has the focus, in the words of a screen reader.
FOCUSED = """() => {
    const one = document.activeElement;
    return one.labels?.[0]?.textContent.trim() || one.ariaLabel || one.textContent.trim().replace(/\\s+/g, " ");
}"""

# Which way something lies from what has the focus.
WAY = """one => {
    const from = document.activeElement;
    return from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""

# Everything that live regions say from now on, one after the other.
LISTEN = """() => {
    window.heard = [];
    const regions = '[role="status"], [role="alert"], [aria-live]';
    new MutationObserver(changes => {
        const told = new Set();
        for (const { target, addedNodes } of changes) {
            const place = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
            const found = [place.closest(regions), ...[...addedNodes].flatMap(one => one.matches?.(regions) ? [one] : [])];
            for (const region of found) if (region) told.add(region);
        }
        for (const region of told) {
            const text = region.textContent.trim().replace(/\\s+/g, " ");
            if (text && !region.closest("[hidden]")) window.heard.push(text);
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


class Keys:
    """A keyboard at the table."""

    def __init__(self, table: TablePage) -> None:
        self.table, self.page = table, table.page

    @property
    def focused(self) -> str:
        name: str = self.page.evaluate(FOCUSED)
        return name

    def listen(self) -> None:
        self.page.evaluate(LISTEN)

    def expect_heard(self, *said: str) -> None:
        """So much was said since it was last asked for, and nothing else."""
        self.page.wait_for_function("count => window.heard.length >= count", arg=len(said))
        assert self.page.evaluate("window.heard.splice(0)") == list(said)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, target: Locator, key: str = "") -> None:
        """On with Tab until this has the focus, or back where it stands before."""
        key = key or target.evaluate(WAY)
        for _ in range(FAR):
            if target.evaluate("one => one === document.activeElement"):
                return
            self.press(key)
        raise AssertionError(f"{target} cannot be reached: {self.focused}")


@pytest.fixture
def table(page: Page, live_server: LiveServer, club: Club) -> TablePage:
    give_tariff(club)
    make_player(club, "Zoe")
    opened = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), make_bock_table(club))
    opened.page.wait_for_load_state()
    return opened


@pytest.fixture
def keys(table: TablePage) -> Keys:
    return Keys(table)


def opener(page: Page, name: str) -> Locator:
    return page.locator("#entry :is(summary, .beside > a, #solo-button)").filter(has_text=name)


PANELS = {
    "Solo": "Damensolo",
    "Ansagen": "nichts",
    "Sonderpunkte": "Fuchs gefangen",
    "Mehr": "Ärmel",
    "Strafpunkte": "Ärmel",
    "Kasse": "Zu spät0,50 € je 5 Min., bis 5 €",
    "Gast kommt": "Zoe",
    "Jemand geht": "Ärmel",
}


def test_a_panel_takes_the_focus_and_gives_it_back(keys: Keys, table: TablePage, page: Page) -> None:
    """The words of the head close before they hide what has the focus."""
    for name, first in PANELS.items():
        button = opener(page, name)
        keys.go_to(button)
        keys.press("Enter")
        expect(page.locator("#entry .drawer:visible")).to_have_count(1)
        page.wait_for_function("() => document.activeElement.closest('.drawer')")
        assert keys.focused == first
        keys.press("Escape")
        expect(page.locator("#entry .drawer:visible")).to_have_count(0)
        expect(button).to_be_focused()
    # Tab leaves a panel and closes it: what lies over the form would hide what has the focus.
    keys.go_to(opener(page, "Strafpunkte"))
    keys.press("Enter", "Shift+Tab")
    expect(page.locator("#penalties")).to_have_count(1)
    keys.go_to(opener(page, "Strafpunkte"), "Shift+Tab")
    expect(page.locator("#penalties")).to_have_count(0)
    facts, summary = page.locator(".facts-line"), page.locator(".facts-line > summary")
    for leave in ("Escape", "Tab"):
        keys.go_to(summary)
        keys.press("Enter")
        expect(facts).to_have_attribute("open", "")
        keys.press(leave)
        expect(facts).not_to_have_attribute("open", "")
    keys.go_to(summary)
    keys.press("Enter")
    keys.go_to(table.pill(table.group("Wer ist Re?"), "Bodo"))
    expect(facts).not_to_have_attribute("open", "")


def test_a_solo_is_chosen_with_keys_and_a_control_that_hides_hands_the_focus_on(keys: Keys, page: Page) -> None:
    chosen = page.locator('[name="kind"]:checked')
    keys.go_to(opener(page, "Solo"))
    keys.press("Enter", "ArrowUp", "ArrowDown")
    assert (keys.focused, chosen.input_value()) == ("Damensolo", "normal")
    keys.press("Space")
    expect(page.locator("#solos")).to_be_hidden()
    assert (keys.focused, chosen.input_value()) == ("Damensolo", "damensolo")
    # Enter takes one as well, and enters no game.
    keys.press("Enter", "ArrowDown", "Enter")
    assert (keys.focused, chosen.input_value()) == ("Bubensolo", "bubensolo")
    keys.press("Enter", "Enter")
    assert (keys.focused, chosen.input_value()) == ("Bubensolo", "bubensolo")
    expect(page.locator("#rows tr")).to_have_count(4)
    # From the chosen one arrows go back to the other kinds, as among radio buttons.
    keys.press("ArrowRight")
    assert (keys.focused, chosen.input_value()) == ("Normal", "normal")
    keys.go_to(page.locator('[data-by="eyes"]'))
    keys.press("Enter")
    expect(page.locator('[data-keypad="eyes"] [data-digit="1"]')).to_be_focused()
    keys.go_to(page.locator('[data-by="band"]'))
    keys.press("Enter")
    expect(page.locator('[data-by="eyes"]')).to_be_focused()
    keys.go_to(opener(page, "Sonderpunkte"))
    keys.press("Enter")
    page.wait_for_function("() => document.activeElement.closest('.drawer')")
    more, less = page.locator(".chip").first.locator("button").all()
    keys.go_to(more)
    keys.press("Enter", "Tab")
    expect(less).to_be_focused()
    keys.press("Enter")
    expect(more).to_be_focused()
    keys.press("Escape")
    # On the way through the eyes the ranges stay.
    keys.go_to(page.locator("#eyes"))
    keys.press("Tab", "Space")
    assert page.locator('[name="band"]:checked').input_value() == "0"
    page.locator("#eyes").click()
    expect(page.locator(".bands")).to_be_hidden()


def test_what_is_said_at_the_button_is_heard_once_typing_pauses(keys: Keys, table: TablePage, page: Page) -> None:
    keys.listen()
    keys.expect_heard("Es fehlt: wer Re ist, Augen")
    for name in ("Bodo", "Çelik"):
        keys.go_to(table.pill(table.group("Wer ist Re?"), name))
        keys.press("Space")
    keys.expect_heard("Es fehlt: Augen")
    keys.go_to(page.locator("#save"))
    # It is told as often as it is asked for.
    for _ in range(2):
        keys.press("Enter")
        keys.expect_heard("Es fehlt: Augen")
    keys.go_to(page.locator("#eyes"), "Shift+Tab")
    keys.press("1", "3", "1")
    keys.expect_heard(
        "Re gewinnt 1 · Re 131 : 109 Kontra · Gewonnen: +1 · Re hat mehr als 120 Augen. Re je +1, Kontra je −1. "
        "Fürs Aussetzen gibt es nichts. · Ärmel −1, Bodo +1, Çelik +1, Özlem −1",
    )
    keys.go_to(page.locator("#save"))
    keys.press("Enter")
    keys.expect_heard("Gespeichert: Spiel 5. · Re gewinnt 1. Jetzt gibt Ärmel.")
    keys.go_to(page.locator("#undo-button"), "Shift+Tab")
    keys.press("Enter")
    expect(page.locator("#spoken")).to_have_text("Zurückgenommen.")
    # Nothing else can be taken back.
    expect(page.locator("#live-steps")).to_be_focused()


def test_what_a_tap_takes_away_and_how_often_a_special_point_counts_is_heard(keys: Keys, table: TablePage, page: Page) -> None:
    for name in ("Bodo", "Çelik"):
        keys.go_to(table.pill(table.group("Wer ist Re?"), name))
        keys.press("Space")
    page.wait_for_function("() => document.getElementById('spoken').textContent.includes('fehlt: Augen')")
    keys.listen()
    keys.go_to(table.pill(table.group("Wer ist Re?"), "Özlem"))
    keys.press("Space")
    keys.expect_heard("Es fehlt: Augen · Nicht mehr markiert: Bodo.")
    assert table.marked("Wer ist Re?") == ["Çelik", "Özlem"]
    keys.go_to(opener(page, "Sonderpunkte"))
    keys.press("Enter")
    expect(page.locator(".chip .more").first).to_be_focused()
    keys.press("Enter")
    keys.expect_heard("Fuchs gefangen: 1 · Es fehlt: Augen")
    keys.press("Enter")
    keys.expect_heard("Fuchs gefangen: 2 · Es fehlt: Augen")
    # There is no third one, and that alone is said.
    keys.press("Enter")
    keys.expect_heard("„Fuchs gefangen“: mehr als 2 gibt es nicht.")
    keys.press("Tab", "Enter")
    keys.expect_heard("Fuchs gefangen: 1 · Es fehlt: Augen")
    assert page.locator("#live-steps").inner_text() == "Es fehlt: Augen"


def test_what_was_refused_says_so_at_its_field(keys: Keys, table: TablePage, page: Page) -> None:
    """As in the forms of Django: the control is invalid, and described by the sentence beside it."""
    invalid = page.locator('#entry [aria-invalid="true"]')
    keys.go_to(page.locator("#save"))
    keys.press("Enter")
    assert invalid.evaluate_all("all => all.map(one => one.name)") == [*["re"] * 5, "eyes"]
    expect(table.group("Wer ist Re?")).to_have_accessible_description("Es fehlt: wer Re ist, Augen")
    table.mark("Wer ist Re?", [1, 2])
    table.save()
    expect(page.get_by_role("textbox", name="Augen")).to_have_accessible_description("Es fehlt: Augen")
    assert invalid.evaluate_all("all => all.map(one => one.name)") == ["eyes"]
    table.keys("eyes", 241)
    table.save()
    said = "Bitte die Augen von Re als ganze Zahl von 0 bis 240 angeben."
    expect(page.get_by_role("textbox", name="Augen")).to_have_accessible_description(said)
    table.key("eyes", "back")
    table.save()
    table.expect_saved()
    expect(invalid).to_have_count(0)
    expect(table.group("Wer ist Re?")).to_have_accessible_description("")


# Both bands of what is seen of the control that has the focus.
BANDS = """() => {
    const one = document.activeElement;
    const tile = one.closest(".tile");
    const seen = tile ?? (one.matches(".pill > input") ? one.nextElementSibling : one);
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(seen);
    return [outlineStyle, outlineWidth, boxShadow.endsWith(" 0px 0px 0px 2px")].join(" ");
}"""


def test_whatever_has_the_focus_is_seen(keys: Keys, table: TablePage, page: Page) -> None:
    # The bands of Bootstrap's buttons come slowly.
    page.emulate_media(reduced_motion="reduce")
    table_id, evening = table.table.pk, table.table.evening_id
    more = ("", f"evenings/{evening}/result/", "cash/") if LONG else ()
    for address in (f"tables/{table_id}/", "evenings/new/", *more):
        page.goto(f"{table.site}/c/{table.slug}/{address}")
        page.wait_for_load_state()
        unseen, stops = [], 0
        for _ in range(FAR):
            keys.press("Tab")
            if page.evaluate("document.activeElement === document.body"):
                break
            stops += 1
            if page.evaluate(BANDS) != "solid 3px true":
                unseen.append((keys.focused, page.evaluate(BANDS)))
        assert (stops > 5, unseen) == (True, []), address


# Who is Re, the kind, the eyes, and what else is said of a game; and what comes of it. In `make test` one of each sort.
EVENING: list[tuple[dict[str, Any], str]] = [
    ({"kind": "normal", "re": [0, 1], "eyes": 131}, "Re gewinnt 1"),
    ({"kind": "armut", "re": [2, 3], "eyes": 100}, "Kontra gewinnt 2"),
    ({"kind": "damensolo", "re": [0], "eyes": 155}, "Solo gewinnt 4, Gegner je −4"),
    ({"kind": "normal", "re": [0, 2], "eyes": 160, "re_said": "no90", "re_specials": {"fuchs": 1}}, "Re gewinnt 8"),
    ({"kind": "hochzeit", "re": [0, 3], "eyes": 140}, "Re gewinnt 1"),
    ({"kind": "stille_hochzeit", "re": [1], "eyes": 130}, "Solo gewinnt 2, Gegner je −2"),
    ({"kind": "normal", "re": [1, 2], "eyes": 98}, "Kontra gewinnt 2"),
    ({"kind": "bubensolo", "re": [2], "eyes": 125}, "Solo gewinnt 2, Gegner je −2"),
    ({"kind": "fleischlos", "re": [3], "eyes": 150}, "Solo gewinnt 2, Gegner je −2"),
    ({"kind": "normal", "re": [1, 3], "eyes": 200}, "Re gewinnt 3"),
][: None if LONG else 4]


class Listener(Keys):
    """Somebody who sees nothing: what is used is found by its role and its name alone, and reached by keys."""

    def use(self, role: Any, name: str, *then: str) -> None:
        """On to what is called so, and press."""
        self.go_to(self.page.get_by_role(role, name=name, exact=True).first)
        self.press(*then)

    def among(self, name: str) -> None:
        """On by arrows to the radio button that is called so."""
        self.go_to(self.page.get_by_role("radio", name=name, exact=True), "ArrowRight")

    def enter(self, facts: dict[str, Any]) -> None:
        for seat in facts["re"]:
            self.use("checkbox", self.table.people[seat], "Space")
        if facts["kind"] in ("hochzeit", "armut"):
            self.use("radio", "Normal")
            self.among(labels.KINDS[facts["kind"]])
        elif facts["kind"] != "normal":
            self.use("button", "Solo", "Enter")
            self.among(labels.KINDS[facts["kind"]])
            self.press("Space")
        self.use("textbox", "Augen", *str(facts["eyes"]))
        if "re_said" in facts:
            self.go_to(self.page.locator("#said > summary"))
            self.press("Enter")
            re_said = self.page.get_by_role("group", name="Re hat gesagt", exact=True)
            self.go_to(re_said.get_by_role("radio", name=labels.SAID[facts["re_said"]], exact=True), "ArrowRight")
        if "re_specials" in facts:
            self.go_to(self.page.locator("[data-specials] > summary"))
            self.press("Enter")
            self.use("button", "Fuchs gefangen", "Enter")
            expect(self.page.locator("#spoken")).to_contain_text("Fuchs gefangen: 1")
            self.press("Escape")
        self.use("button", "Eintragen und weiter", "Enter")


def test_an_evening_by_keyboard_and_by_ear(page: Page, live_server: LiveServer, club: Club) -> None:
    """Games of each sort, one taken back, one corrected, a guest, and the evening closed; what is told is what is stored."""
    opened = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), make_table(club, 4, "anleitung"))
    page.wait_for_load_state()
    keys, heard, dealers = Listener(opened), [], []
    for number, (facts, _) in enumerate(EVENING, 1):
        keys.enter(facts)
        expect(page.locator("#spoken")).to_contain_text(f"Gespeichert: Spiel {number}.")
        heard.append(page.locator("#spoken").inner_text())
        dealers.append(opened.dealer)
    assert heard == [
        f"Gespeichert: Spiel {number}. · {what}. Jetzt gibt {dealer}."
        for number, ((_, what), dealer) in enumerate(zip(EVENING, dealers, strict=True), 1)
    ]
    games = Game.objects.filter(round__table=opened.table).order_by("position")
    assert [game.facts for game in games] == [facts for facts, _ in EVENING]

    keys.go_to(page.get_by_role("button", name="Rückgängig"))
    keys.press("Enter")
    expect(page.locator("#spoken")).to_have_text("Zurückgenommen.")
    expect(page.locator("#rows tr")).to_have_count(len(EVENING) - 1)

    keys.use("link", "1", "Enter")
    page.wait_for_url("**/games/*/")
    keys.use("link", "Berichtigen", "Enter")
    keys.use("textbox", "Augen", "Control+a", *"150")
    keys.use("button", "Zeigen, was sich ändert", "Enter")
    expect(page.locator("#effects")).to_be_visible()
    keys.use("button", "Berichtigung speichern", "Enter")
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    assert games.all().first().facts == {**EVENING[0][0], "eyes": 150}

    keys.use("link", "Gast kommt", "Enter")
    keys.use("textbox", "Neuer Name", *"Gerd")
    with another_page(page):
        keys.press("Enter")
    expect(page.get_by_role("checkbox", name="Gerd")).to_have_count(1)
    keys.go_to(page.locator("#entry summary", has_text="Mehr"))
    keys.press("Enter")
    keys.use("link", "Abend abschließen …", "Enter")
    page.wait_for_url("**/close/")
    keys.use("button", "Abend abschließen", "Enter")
    expect(page.get_by_role("heading", name="Ergebnis")).to_be_visible()


def test_the_tree_says_who_deals_and_what_was_won(table: TablePage, page: Page) -> None:
    """The name comes first, and nothing that is only drawn is part of it."""
    deals = table.group("Wer ist Re?").get_by_role("checkbox", name="Željko", exact=True)
    expect(deals).to_have_accessible_description("gibt Stand: −2")
    table.mark("Wer ist Re?", [1])
    expect(table.group("Wer ist Re?").get_by_role("checkbox", name="Bodo", exact=True)).to_be_checked()
    expect(table.group("Spielart")).to_match_aria_snapshot("""
        - group "Spielart":
          - radio "Normal" [checked]
          - radio "Hochzeit"
          - radio "Armut"
          - button "Solo"
    """)
    expect(page.locator("#rows tr").first).to_match_aria_snapshot("""
        - row "4 1 gewonnen 3 gewonnen 1 – sitzt aus gibt −2 1":
          - rowheader "4":
            - link "4"
          - cell "1 gewonnen"
          - cell "3 gewonnen"
          - cell "1"
          - cell "– sitzt aus gibt"
          - cell "−2"
          - cell "1"
    """)
