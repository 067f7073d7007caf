"""Own special points, own kinds of game and settings by kind are typed on a phone, with a script and without."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import RuleSet
from tests.browser.fit import THUMB, barriers, misfits
from tests.browser.test_rules import the_site
from tests.browser_page import another_page


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
