"""The pages about rule sets in a browser: every state of them fits and is open to everybody, an edit shows at once what
it does, all of it works without a script, and the house rules print on one sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import RuleSet, Table
from scoring.rules.settings import PRESETS
from tests.browser.fit import THUMB, barriers, faults_of, misfits
from tests.browser_page import another_page, log_in
from tests.effort import LONG, in_soak
from tests.factories import add_game, make_club, make_next_version, make_rule_set, make_table, make_user


@dataclass(frozen=True)
class Site:
    url: str
    table: Table
    rules: RuleSet
    other: RuleSet

    def open(self, page: Page, address: str) -> None:
        page.goto(f"{self.url}/c/karo/{address}")


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return the_site(page.context, live_server)


def the_site(phone: BrowserContext, live_server: LiveServer) -> Site:
    """A club whose rules have three versions, and a table of five by the first of them."""
    club = make_club("Doppelkopffreunde Wolfratshausen-Geretsried e. V.", slug="karo")
    admin = make_user("anna", club, ["admin"])
    first = make_rule_set(club, "anleitung", "Vereinsregeln mit Bock, Stand 2026")
    table = make_table(club, 5, rule_set=first)
    add_game(table, re=[1, 2], eyes=100, re_said="said")
    add_game(table, re=[2, 3], eyes=160, kontra_specials={"fuchs": 1})
    add_game(table, kind="damensolo", re=[4], eyes=130)
    second = make_next_version(first, won=3, bock=None)
    third = make_next_version(second, won=2)
    log_in(phone, live_server.url, admin)
    return Site(live_server.url, table, third, make_rule_set(club, "klassisch", "Klassisch"))


def states(page: Page, site: Site) -> Iterator[str]:
    """Every state of the pages in turn."""
    edit = f"rules/{site.rules.pk}/edit/"
    site.open(page, f"rules/{site.rules.pk}/")
    yield "versions"
    site.open(page, edit)
    yield "edit"
    page.locator("#won").evaluate("fold => { fold.open = true; }")
    page.locator("[name=won]").fill("7")
    expect(page.locator("#samples")).to_contain_text("So hätte der letzte Abend gezählt")
    yield "preview"
    page.locator("#won").evaluate("fold => { fold.open = true; }")
    page.locator("[name=won]").fill("")
    with another_page(page):
        page.get_by_role("button", name="Regelwerk speichern").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "fault"
    site.open(page, f"rules/{site.other.pk}/edit/?people=6")
    yield "six"
    site.open(page, f"tables/{site.table.pk}/rules/?rule_set={site.rules.pk}")
    yield "move"
    site.open(page, f"tables/{site.table.pk}/rules/?rule_set={site.other.pk}")
    yield "refused"


@pytest.mark.soak
def test_every_state_fits_and_axe_finds_nothing(page: Page, site: Site) -> None:
    """At three widths, on a phone and in the dark; in `make test` on a phone, and axe where something is refused."""
    for name in states(page, site):
        assert ([*faults_of(page)] if LONG or name in ("fault", "refused") else misfits(page, THUMB)) == [], name


def test_an_edit_says_at_once_what_it_does(page: Page, site: Site) -> None:
    site.open(page, f"rules/{site.rules.pk}/edit/")
    page.locator("#won summary").click()
    page.locator("[name=won]").fill("9")
    expect(page.locator("#won summary")).to_have_text("Ein gewonnenes Spiel zählt 9 Punkte.")
    expect(page.locator("#samples")).to_contain_text("3 von 3 Spielen zählen anders als bisher.")
    said = page.get_by_role("link", name="3 von 3 Spielen zählen anders als bisher.")
    expect(said).to_be_in_viewport()
    said.click()
    expect(page.get_by_role("heading", name="So hätte der letzte Abend gezählt")).to_be_in_viewport()
    page.locator("[name=won]").fill("2")
    expect(page.locator("#samples")).to_contain_text("0 von 3 Spielen zählen anders als bisher.")
    assert RuleSet.objects.filter(name=site.rules.name).count() == 3


OWN: dict[str, Any] = {
    "kinds": ["normal", "hochzeit", "armut", "damensolo", "bubensolo", "nullo", "mau"],
    "specials": {
        "gans": {"name": "Gans", "points": [5, 10], "most": 2, "kinds": ["partner"]},
        "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
        "klabautermann": {"name": "Klabautermann", "points": 1, "of": "kontra"},
    },
    "per_kind": {
        "nullo": {"name": "Nullo", "like": "fleischlos", "decided": "hand", "won": 4, "in_bock": "keeps"},
        "mau": {"name": "Ramsch", "like": "ramsch", "won": 10, "limits": []},
        "solo": {"lost_times": 2},
    },
    "cowardice": {"levels": 2, "then": "loses"},
    "highest": 60,
    "bock": {"triggers": ["kind:armut", "special:hirsch", "lost_solo"], "overlap": "fill", "cap": 2, "drawn": "plain"},
    "text": "Schmeißen darf, wer fünf Neunen hat.\nWer zu spät kommt, gibt einen aus.",
}


@pytest.mark.parametrize("preset", [*map(in_soak, PRESETS), "own"])
def test_the_house_rules_print_on_one_sheet(page: Page, live_server: LiveServer, preset: str) -> None:
    club = make_club("Doppelkopffreunde Wolfratshausen-Geretsried e. V.", slug="karo")
    log_in(page.context, live_server.url, make_user("rita", club))
    own = OWN if preset == "own" else {}
    rules = make_rule_set(club, "anleitung" if own else preset, "Vereinsregeln mit allem, Stand 2026", **own)
    page.goto(f"{live_server.url}/c/karo/rules/{rules.pk}/")
    sheet = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    page.emulate_media(media="print")
    for sentence in page.locator(".house-rules li").all():
        expect(sentence).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Doppelkopffreunde")
    expect(page.get_by_role("navigation")).to_be_hidden()


def test_rows_are_typed_and_saved(page: Page, live_server: LiveServer) -> None:
    site = the_site(page.context, live_server)
    site.open(page, f"rules/{site.rules.pk}/edit/")
    page.locator("#specials > summary").click()
    own = page.get_by_role("group", name="Eigener Sonderpunkt")
    own.get_by_label("Name").fill("Gans im Glück")
    own.get_by_label("Punkte").fill("5, 10")
    expect(own).to_contain_text("„Gans im Glück“ gibt es höchstens 1-mal im Spiel: Die Zahlen dahinter zählen nie.")
    with another_page(page):
        page.get_by_role("button", name="Noch ein eigener Sonderpunkt").click()
    expect(own).to_have_count(2)
    expect(page.locator("#added")).to_be_focused()
    expect(own.nth(1).get_by_label("Name")).to_be_in_viewport()
    own.nth(1).get_by_label("Name").fill("Hirsch")
    own.nth(1).get_by_text("Mehr zu").click()
    own.nth(1).get_by_label("Zählt").select_option("Wert × 2")
    own.nth(1).get_by_label("Wer ihn bekommt").select_option("game")
    with another_page(page):
        page.get_by_role("button", name="Noch eine eigene Spielart").click()
    expect(page.locator("#added")).to_be_focused()
    expect(page.locator("[name=per_kind__1-name]")).to_be_in_viewport()
    page.get_by_text("Eine eigene Spielart dazunehmen").first.click()
    page.locator("[name=per_kind__0-name]").fill("Nullo")
    page.locator("[name=per_kind__0-like]").select_option("Fleischloses Solo")
    page.locator("[name=per_kind__0-won-set]").check()
    page.locator("[name=per_kind__0-won]").fill("4")
    said = "Nullo, gespielt wie Fleischloses Solo: Ein gewonnenes Spiel zählt 4 Punkte."
    expect(page.locator("#said-per_kind-0")).to_have_text(said)
    page.get_by_label("Für", exact=True).select_option("Solo")
    page.get_by_label("anders", exact=True).select_option("Von Kontra gewonnen zählt")
    with another_page(page):
        page.get_by_role("button", name="Festlegen").click()
    expect(page.locator("[name=per_kind__solo-lost_times]")).to_be_in_viewport()
    page.locator("[name=per_kind__solo-lost_times]").fill("2")
    with another_page(page):
        page.get_by_role("button", name="Regelwerk speichern").click()
    newest = RuleSet.objects.get(pk=site.rules.pk).settings
    assert newest["specials"] == {
        **site.rules.settings["specials"],
        "gans_im_glueck": {"name": "Gans im Glück", "points": [5, 10]},
        "hirsch": {"name": "Hirsch", "points": {"times": 2}, "of": "game"},
    }
    assert newest["per_kind"] == {"nullo": {"name": "Nullo", "like": "fleischlos", "won": 4}, "solo": {"lost_times": 2}}
    assert newest["kinds"] == [*site.rules.settings["kinds"], "nullo"]
    expect(page.locator(".house-rules")).to_contain_text("Gans im Glück 5 Punkte, weitere 10")
    site.open(page, f"rules/{site.rules.pk}/edit/")
    assert misfits(page, THUMB) + barriers(page) == []


def test_a_setting_is_found_by_any_of_its_names_and_what_means_nothing_is_not_shown(
    page: Page, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    site = the_site(page.context, live_server)
    site.open(page, f"rules/{site.rules.pk}/edit/")
    for wanted, found in (("Schweinchen", "specials"), ("deckel", "highest"), ("FEIGE", "cowardice")):
        page.get_by_label("Einstellung suchen").fill(wanted)
        expect(page.locator(".setting:visible")).to_have_count(1)
        expect(page.locator(f"#{found}")).to_be_visible()
    page.get_by_label("Einstellung suchen").fill("Quatsch")
    expect(page.get_by_text("So heißt keine Einstellung.")).to_be_visible()
    expect(page.locator(".setting:visible")).to_have_count(0)
    page.get_by_label("Einstellung suchen").fill("")
    expect(page.locator("#won")).to_be_visible()
    expect(page.locator("#nothing")).to_be_hidden()
    expect(page.locator("#bock__length")).to_be_hidden()
    # Who looks for it finds what it needs.
    page.get_by_label("Einstellung suchen").fill("Einwurf")
    expect(page.locator(".setting:visible")).to_have_count(1)
    page.locator("#bock > summary").click()
    page.get_by_label("Bock gibt es.", exact=True).check()
    expect(page.locator("#bock__triggers")).to_be_visible()
    page.get_by_label("Einstellung suchen").fill("")
    expect(page.locator("#bock__length")).to_be_visible()
    expect(page.locator("#bock__cap")).to_be_hidden()
    page.locator("#bock__overlap > summary").click()
    page.locator("[name=bock__overlap][value=fill]").check()
    expect(page.locator("#bock__cap")).to_be_visible()
    phone = new_context(java_script_enabled=False)
    phone.add_cookies(page.context.cookies())
    plain = phone.new_page()
    site.open(plain, f"rules/{site.rules.pk}/edit/")
    expect(plain.get_by_role("button", name="Vorschau")).to_be_visible()
    plain.get_by_label("Einstellung suchen").fill(wanted)
    with another_page(plain):
        plain.get_by_label("Einstellung suchen").press("Enter")
    expect(plain.locator("#found a").first).to_have_attribute("href", f"#{found}")
    expect(plain.locator(f"#{found}")).to_have_attribute("open", "")
