"""The table page with everything that strains it: what stands in the way, long names and sheets, large letters, forced
colours."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.club.actions import Actor
from scoring.models import Game, Outcome, Table
from scoring.table.actions.seats import seat_guest
from tests.browser.fit import THUMB, THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser.strained import Site, strained_site
from tests.browser_page import another_page, log_in
from tests.effort import in_soak
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.stories.table import TablePage, sit_down


@pytest.fixture
def site(page: Page, live_server: LiveServer) -> Site:
    return strained_site(page, live_server)


@pytest.mark.soak
def test_what_stands_in_the_way_fits_too(page: Page, site: Site) -> None:
    """A refusal, a conflict, the effects of a correction, and the message after it, on the narrowest phone."""

    def look(state: str) -> None:
        assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == [], state

    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    table = TablePage(page, site.url, site.table).open()
    table.correct_game(12)
    table.say("re", "schwarz")
    table.save()
    expect(page.locator("#effects")).to_be_visible()
    look("effects")
    table.save()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    look("corrected")
    table.open()
    table.save()
    expect(page.locator("#fault-re")).to_be_visible()
    look("refused")
    table.open()
    # Typed before the phone can hear of the other game, which would take its place.
    table.enter({"kind": "normal", "re": [1, 3], "eyes": 200, "re_said": "schwarz"})
    add_game(site.table, actor=site.admin, dealer=0, re=[1, 3], kontra_said="no30", eyes=7)
    table.save()
    expect(page.get_by_role("alert")).to_be_visible()
    look("conflict")


def test_a_correction_says_at_once_what_everybody_would_get(page: Page, site: Site) -> None:
    table = TablePage(page, site.url, site.table).open().correct_game(4)
    tiles = page.locator(".tile:not(.out)")
    was = [text.removeprefix("statt ") for text in tiles.locator("small").all_text_contents()]
    assert was == tiles.locator("i").all_inner_texts() != []
    # It is a solo, and it is lost now.
    assert page.locator("[data-side]").all_inner_texts() == ["Solo", "Gegner"]
    # The button is soft until something is changed, and the range of the exact eyes is marked.
    form, within = page.locator("#entry"), page.locator(".bands > .filled")
    expect(form).not_to_have_class(re.compile("whole"))
    hint = page.get_by_text("Noch nichts geändert.")
    expect(hint).to_be_visible()
    expect(within).to_have_count(int(page.locator("#eyes").input_value() != ""))
    table.band("1-29")
    expect(form).to_have_class(re.compile("whole"))
    expect(hint).to_be_hidden()
    # What each side gets takes the line of a solo: its range stands on the pill.
    expect(page.locator("#live-steps > b")).to_have_text(re.compile(r"^Gegner gewinnen je \d+, Solo −\d+$"))
    expect(page.locator("#live-steps small")).to_have_count(0)
    expect(within).to_have_count(0)
    now = [int(text.replace("−", "-")) for text in tiles.locator("i").all_inner_texts()]
    assert [one > 0 for one in now] == [not text.startswith("+") for text in was]
    table.tap(table.pill(table.group("Spielart"), "Normal"))
    assert page.locator("[data-side]").all_inner_texts() == ["Re", "Kontra"]
    assert tiles.locator("i").all_inner_texts() == [""] * 4, "one Re player is missing"


def test_forced_colours_still_tell_what_is_marked(page: Page, site: Site) -> None:
    page.emulate_media(forced_colors="active")
    table = TablePage(page, site.url, site.table).open()
    table.mark("Wer ist Re?", [1, 3])
    looks = page.locator('[data-pick="re"] :enabled + span').evaluate_all(
        "pills => pills.map(pill => getComputedStyle(pill, '::before').content)"
    )
    assert looks == ['""', "none", '""', "none"]
    table.band("121-150")
    table.save()
    table.expect_saved()


CONTROLS = "#entry :is(label, button, summary)"
PLACES = f"""() => [...document.querySelectorAll("{CONTROLS}")].filter(one => one.checkVisibility()).map(one => {{
    const {{ x, y, width, height }} = one.getBoundingClientRect();
    return [x, y, width, height].join();
}})"""
# Is a part left out? None is cut in two.
IS_CUT = """() => {
    const line = document.getElementById("live-steps");
    if (line.scrollHeight > line.clientHeight) throw Error("cut in two");
    return [...line.querySelectorAll(".parts > span")].some((part) => !part.checkVisibility());
}"""


def test_an_explanation_without_room_ends_in_a_sign_and_opens_in_place(page: Page, live_server: LiveServer) -> None:
    """A missed Absage and who has won are told at the button; nothing moves for it, and it closes where the focus goes on."""
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    club = make_club(slug="karo")
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    table = TablePage(page, live_server.url, make_table(club, preset="anleitung")).open()
    table.enter({"kind": "normal", "re": [0, 1], "re_said": "no60", "kontra_said": "said", "band": "151-180"})
    page.keyboard.press("Escape")
    line = page.locator("#live-steps")
    expect(line).to_have_text(
        "Kontra gewinnt 48 Re 151–180 : 60–89 Kontra Punkte zusammen: +6, Re angesagt: ×2, Kontra angesagt: ×2, "
        "Ansage verloren: ×2, bringt 4 Bockspiele "
        "Gewonnen: +1, Keine 90 verfehlt: +1, Keine 60 verfehlt: +1, Re: keine 90 angesagt: +1, Re: keine 60 verfehlt: +1, "
        "Gegen die Alten: +1. Re hat keine 60 angesagt und verfehlt. Kontra je +48, Re je −48."
    )
    expect(line).to_have_css("-webkit-line-clamp", "3")
    expect(line).to_contain_class("longer")
    places = page.evaluate(PLACES)
    assert page.evaluate(IS_CUT) and misfits(page, THUMB_AT_THE_TABLE) == []
    for opens, closes in ((line.click, line.click), (lambda: line.press("Enter"), lambda: line.press("Tab"))):
        expect(line.locator(".more")).to_be_hidden()
        opens()
        expect(line).to_have_css("position", "absolute")
        expect(line.locator(".more")).to_be_visible()
        assert not page.evaluate(IS_CUT) and misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
        assert page.evaluate(PLACES) == places
        closes()
        expect(line).to_have_css("position", "relative")


# The drawer has come to rest; what lies folded in another one never does.
AT_REST = "() => Promise.all(document.querySelector('.drawer.offered').getAnimations().map(one => one.finished)).then(() => 0)"


@pytest.mark.soak
def test_fixed_parties_are_one_tap_and_a_solo_marks_one(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    table = make_table(club, 6, rule_set=make_rule_set(club, "klassisch"))
    at_table = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), table)
    expect(page.locator("[data-pick]")).to_be_hidden()
    at_table.tap(at_table.pill(at_table.group("Welche Seite ist Re?"), "Bodo, Özlem, Gisela"))
    at_table.band("121-150")
    expect(page.locator("#live li").filter(has_text="Bodo")).to_have_text("Bodo +5")
    at_table.save()
    at_table.expect_saved()
    assert Game.objects.get().facts["re"] == [1, 3, 5]
    expect(page.locator("#parties input:checked")).to_have_count(0)

    at_table.kind("trumpfsolo")
    expect(page.locator("#parties")).to_be_hidden()
    at_table.tap(at_table.pill(at_table.group("Wer spielt?"), "Çelik"))
    at_table.band("121-150")
    at_table.save()
    at_table.expect_saved()
    expect(page.locator("#rows tr")).to_have_count(2)
    assert Game.objects.latest("entered_at").facts["re"] == [2]


def test_two_swap_around_the_table_and_drawn_lots_are_in_sight(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    table = make_table(club, 5)
    add_game(table, form="penalty", points=[-12, 3, 3, 3, 3], reason="Falsch bedient")
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/c/karo/tables/{table.pk}/seats/")
    expect(page.locator(".swap label small")).to_have_text(["−12 · gibt", "3", "3", "3", "3"])
    # Two taps around the table, with a third where the first was a slip.
    ring, below = page.locator(".swap li"), page.locator("#guest")
    leaves, place = page.get_by_role("button", name="Geht vom Tisch"), below.bounding_box()
    expect(leaves).to_be_hidden()
    for name in ("Bodo", "Bodo", "Ärmel"):
        ring.filter(has_text=name).locator("label").click()
    assert misfits(page) == []
    expect(leaves).to_be_in_viewport(ratio=1)
    assert below.bounding_box() == place
    with another_page(page):
        page.get_by_role("button", name="Tauschen mit: Özlem").click()
    expect(page.locator("#live-steps")).to_have_text("Ab dem nächsten Spiel sitzen so: Özlem, Bodo, Çelik, Ärmel, Željko.")
    page.go_back()
    page.get_by_text("Sitze neu ordnen oder auslosen").click()
    page.get_by_role("button", name="Sitze auslosen").click()
    expect(page.get_by_text("Ausgelost. Jetzt noch speichern.")).to_be_in_viewport()
    expect(page.get_by_label("Sitz 1")).to_be_in_viewport()


@pytest.mark.soak
def test_that_somebody_sits_down_is_said_where_nothing_moves(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    club = make_club(slug="karo")
    at_table = sit_down(page, live_server.url, make_user("schorsch", club, ["scorer"]), make_table(club, 5))
    place = page.locator("#save").bounding_box()
    at_table.tap(page.get_by_role("link", name="Gast kommt"))
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    # A tap on what still moves would scroll the page.
    page.evaluate(AT_REST)
    page.get_by_label("Neuer Name").fill("Hermann-Josef aus der Nachbarrunde")
    with another_page(page):
        at_table.tap(page.get_by_role("button", name="Dazusetzen"))
    expect(at_table.message).to_contain_text("Hermann-Josef aus der Nachbarrunde.")
    assert page.locator("#save").bounding_box() == place
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    at_table.mark("Wer ist Re?", [1])
    expect(at_table.message).not_to_contain_text("Hermann-Josef")


# Every row of the open page beside the one that the server makes: a key and both as text, where they are not equal.
DIFFERENT_ROWS = """async () => {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The script knows each by its key.
    for (const row of fresh.querySelectorAll("#rows tr")) row.dataset.key = row.querySelector("a").href.split("/").at(-2);
    const rows = [...document.querySelectorAll("#rows tr")].map((row, place) => [row, fresh.querySelectorAll("#rows tr")[place]]);
    return rows.filter(([one, other]) => !one.isEqualNode(other)).map((pair) => pair.map((row) => row?.outerHTML));
}"""


def test_a_row_is_the_same_from_the_template_and_from_the_script(page: Page, live_server: LiveServer, db: None) -> None:
    club = make_club()
    table = make_table(club, 5, preset="anleitung")
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    add_game(table, dealer=0, re=[1, 2])
    add_game(table, dealer=1, re=[0, 2], eyes=100, re_said="said")
    add_game(table, dealer=2, kind="damensolo", re=[3], eyes=90)
    add_game(table, dealer=4, re=[0, 1], eyes=111)
    add_game(table, form="penalty", points=[-3, 1, 1, 1, 0], reason="falsch bedient")
    add_game(table, form="redeal", dealer=3, seat=1, reason="fünf Könige")
    add_game(table, form="short", dealer=3, winners=[0, 1], base=2)
    for dealer in (4, 0):
        add_game(table, dealer=dealer, re=[1, 2], eyes=130)
    rows = page.locator("#rows tr")
    expect(rows).to_have_count(9)
    assert page.evaluate(DIFFERENT_ROWS) == []
    assert page.locator("#rows tr.cycle-end").count() > 0, "a line below the last game of a cycle"
    expect(rows.first.get_by_text("sitzt aus")).to_have_count(1)
    for sign in (".bock-sign", ".won", ".unplayed", "[role=img]", ".visually-hidden"):
        assert page.locator(f"#rows {sign}").count() > 0, sign
    seat_guest(table=table, actor=Actor(), name="Gustav")
    expect(rows.first.get_by_text("nicht am Tisch")).to_have_count(1)
    assert page.evaluate(DIFFERENT_ROWS) == []


def test_every_sign_of_the_sheet_is_explained_one_tap_away(page: Page, live_server: LiveServer) -> None:
    club = make_club()
    table = make_table(club)
    add_game(table, kind="damensolo", re=[1], duty=False)
    add_game(table, form="redeal", dealer=1)
    log_in(page.context, live_server.url, make_user("rita", club))
    page.goto(live_server.url + reverse("table", args=[club.slug, table.pk]))
    signs = page.locator("#signs")
    expect(signs.locator("dl")).to_be_hidden()
    # The most frequent ones stand above the sheet, for the eye.
    expect(page.locator(".marks")).to_be_visible()
    expect(page.locator(".marks > span")).to_have_text(["grün gewonnen", "G gibt"])
    signs.get_by_text("Was die Zeichen bedeuten").click()
    explained = {text.strip() for text in signs.locator("dt").all_text_contents()}
    shown = page.locator("#rows .sign").evaluate_all("all => all.map(sign => sign.firstChild.textContent)")
    assert set(shown) >= {"Solo", "G"}
    assert set(shown) <= explained


# What of the sheet is cut off, stands upright, or scrolls inside the page.
CRAMPED = """() => {
    const sheet = document.querySelector("#sheet"), box = sheet.parentElement;
    const cut = [...sheet.querySelectorAll("td, .total")].filter((cell) => cell.scrollWidth > cell.clientWidth + 1);
    const upright = [...sheet.querySelectorAll(".who")].filter((name) => getComputedStyle(name).writingMode !== "horizontal-tb");
    const isBox = (one) => one.scrollWidth > one.clientWidth + 1 || getComputedStyle(one).overflowY !== "visible";
    const scrolls = [box, sheet].filter(isBox);
    const letters = (name) => parseFloat(getComputedStyle(name, name.dataset.brief ? "::after" : null).fontSize);
    const tiny = [...sheet.querySelectorAll(".who")].filter((name) => letters(name) < 12);
    return [...cut, ...upright, ...scrolls, ...tiny].map((one) => one.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize(("people", "points"), [in_soak(6, 150), in_soak(6, 1250), (8, 150)])
def test_six_fit_a_phone_and_eight_as_well(page: Page, live_server: LiveServer, db: None, people: int, points: int) -> None:
    club = make_club()
    table = make_table(club, people, preset="anleitung")
    add_game(table, form="penalty", points=[points, *[0] * (people - 2), -points], reason="falsch bedient")
    page.set_viewport_size({"width": 360, "height": 640})
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    expect(page.locator(".tile")).to_have_count(people)
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Zettel").tap()
    expect(page.locator("#sheet")).to_be_in_viewport()
    assert page.evaluate(CRAMPED) == []
    assert misfits(page, THUMB_AT_THE_TABLE) == []


LONG = [
    "Maximilian Freiherr von Wurzach", "Annegret Schmidt-Burgdorf", "Hans-Jürgen", "Karl-Theodor zu Sayn", "Bodo",
    "Friederike Müller",
]  # fmt: skip


def test_no_long_name_is_cut_without_a_sign(page: Page, live_server: LiveServer, db: None) -> None:
    """At the table, in its panels, on the sheet and in the figures of the result; whole names are there to be read."""
    club = make_club()
    table = make_table(club, [make_player(club, name) for name in LONG], preset="anleitung")
    add_game(table, re=[1, 2], eyes=151)
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    for panel in ('.beside [href="?form=penalty"]', '.beside [href$="#leave"]'):
        page.locator(panel).tap()
        assert misfits(page, THUMB_AT_THE_TABLE) == []
        page.keyboard.press("Escape")
    heads = page.locator("#sheet th[abbr]")
    assert [head.get_attribute("title") for head in heads.all()] == LONG
    briefs = heads.locator(".who").evaluate_all("all => all.map(name => name.dataset.brief ?? name.textContent)")
    assert briefs[4] == "Bodo"
    assert all(brief[-1] == "." and name.startswith(brief[:-1]) for brief, name in zip(briefs, LONG, strict=True) if name != "Bodo")
    seat_guest(table=table, actor=Actor(), name="Eberhard Graf von Sigmaringen")
    expect(heads).to_have_count(7)
    expect(heads.last).to_have_attribute("title", "Eberhard Graf von Sigmaringen")
    page.locator("[data-more] > summary").tap()
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    page.goto(live_server.url + reverse("result", args=[club.slug, table.evening_id]))
    page.get_by_text("Als Zahlen").tap()
    box = page.get_by_role("region", name="Als Zahlen")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert misfits(page) == []


def test_a_long_sheet_keeps_its_totals_in_sight_and_has_a_way_back(page: Page, live_server: LiveServer, db: None) -> None:
    club = make_club()
    table = make_table(club, 5, preset="anleitung")
    for dealer in range(25):
        add_game(table, dealer=dealer % 5, re=[(dealer + 1) % 5, (dealer + 2) % 5])
    page.set_viewport_size({"width": 360, "height": 640})
    sit_down(page, live_server.url, make_user("anna", club, ["scorer"]), table)
    back = page.get_by_role("link", name="Weiter am Tisch")
    expect(back).not_to_be_in_viewport()
    page.get_by_role("link", name="Zettel").tap()
    for _ in range(3):
        expect(back).to_be_in_viewport(ratio=1)
        page.mouse.wheel(0, 400)
    back.tap()
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    # As with any link, the Back button leads to the sheet again.
    page.go_back()
    expect(back).to_be_in_viewport(ratio=1)
    oldest = page.locator("#rows tr").last
    oldest.scroll_into_view_if_needed()
    for total in page.locator("#sheet [data-total]").all():
        expect(total).to_be_in_viewport()
    assert oldest.bounding_box()["y"] > page.locator("#sheet thead").bounding_box()["y"]


pytestmark = pytest.mark.django_db(transaction=True)


def test_the_next_evening_goes_on(page: Page, live_server: LiveServer) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 740})
    club = make_club(slug="karo")
    rules = make_rule_set(club, "anleitung", "Wir", bock={"carry": True})
    first = make_table(club, rule_set=rules)
    add_game(first, eyes=100, re_said="said")
    for _ in range(2):
        add_game(first)
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))

    page.goto(f"{live_server.url}/c/karo/evenings/new/")
    box = page.get_by_label("Böcke vom 06.03.2026 gehen weiter: noch 2")
    expect(box).to_be_checked()
    assert misfits(page, THUMB) + barriers(page) == []
    page.get_by_role("button", name="Mit diesen anfangen").click()

    expect(page.locator('[data-head="bock"]')).to_have_text("Bock: noch 2 aus dem Abend vom 06.03.2026, Spiel 1")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    second = Table.objects.latest("pk")
    table = TablePage(page, live_server.url, second)
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(page.locator("#live-steps")).to_contain_text("Bock: ×2")
    table.save()
    table.expect_saved()
    expect(page.locator('[data-head="bock"]')).to_have_text("Bock: noch 1 aus dem Abend vom 06.03.2026, Spiel 1")

    # A game that starts a Bock says so before it is saved.
    table.enter({"kind": "normal", "re": [0, 1], "re_said": "said", "band": "90-119"})
    expect(page.locator("#live-steps")).to_contain_text("bringt 4 Bockspiele")
    table.open()

    # Without a net the phone goes on by itself.
    page.context.set_offline(True)
    steps = page.locator("#live-steps")
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(steps).to_contain_text("Bock: ×2")
    table.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(steps).not_to_contain_text("Bock: ×2")
    table.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    page.context.set_offline(False)
    expect(page.locator("#rows tr")).to_have_count(3)
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    stored = Outcome.objects.filter(game__round__table=second).order_by("game__position")
    assert list(stored.values_list("bock", flat=True)) == [1, 1, 0]

    # A change of the earlier evening reaches the page by itself.
    table.open()
    expect(page.locator("#rows .bock-sign")).to_have_count(2)
    add_game(first)
    expect(page.locator("#rows .bock-sign")).to_have_count(1)
    page.goto(f"{live_server.url}/c/karo/tables/{second.pk}/carry/?earlier=")
    expect(page.get_by_role("button", name="Nicht mehr weiterspielen")).to_be_visible()
    assert misfits(page, THUMB) + barriers(page) == []
