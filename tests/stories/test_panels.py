"""What opens over the form: it rises from the dock, the Back button closes it, and nothing of the head lies over it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.factories import Cast, make_rule_set, make_table
from tests.stories.table import TablePage, sit_down

# What opens each panel, and the panel.
PANELS = {
    "#solo-button": "#solos",
    "#said > summary": "#said > .drawer",
    "[data-specials] > summary": "[data-specials] > .drawer",
    "[data-more] > summary": "[data-more] > .drawer",
    '.beside [href="?form=penalty"]': "#penalties",
    '.beside [href$="#guest"]': "#seating",
    '.beside [href$="#leave"]': "#seating",
    ".facts-line > summary": ".head-more",
}
# Is the panel on top at each of its corners, and the link of the head below the scrim?
ON_TOP = """panel => {
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    return [[left + 24, top + 24], [right - 24, top + 24], [left + 24, bottom - 4], [right - 24, bottom - 4]]
        .filter(([x, y]) => !panel.contains(document.elementFromPoint(x, y)));
}"""
# How far the shadow of the dock reaches.
SCRIM = "dock => parseFloat(getComputedStyle(dock).boxShadow.split(/px ?/).at(-2))"
LAYER = "link => getComputedStyle(link.parentElement).zIndex"


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    # Where the Back button leads if no panel is open.
    page.goto(live_server.url)
    return sit_down(page, live_server.url, cast.scorer, cast.table)


def test_the_back_button_closes_an_open_panel_and_what_is_typed_stays(table: TablePage) -> None:
    page = table.page
    page.wait_for_load_state()
    home = page.evaluate("history.length")
    here = page.url
    for button, panel in PANELS.items():
        page.locator(button).tap()
        expect(page.locator(panel)).to_be_visible()
        page.go_back()
        expect(page.locator(panel)).to_be_hidden()
        assert page.url == here
    table.mark("Wer ist Re?", [0, 2])
    table.band("121-150")
    page.locator("#said > summary").tap()
    page.go_back()
    expect(page.locator("#said")).not_to_have_attribute("open", "")
    assert table.marked("Wer ist Re?") == [table.people[0], table.people[2]]
    # Closed by a tap: the guard stays for the next panel, and is no step of its own.
    page.locator("#said > summary").tap()
    page.locator("#said > summary").tap()
    table.save()
    table.expect_saved()
    assert page.evaluate("history.state") == {"guard": True}
    # However many panels were opened, one more step leaves the table.
    assert page.evaluate("history.length") == home + 1
    page.go_back()
    page.wait_for_url(lambda url: url != here)


@pytest.mark.soak
def test_every_panel_rises_from_the_dock_with_one_head_and_lies_on_top(table: TablePage) -> None:
    """Its name in bold at the left, and the sign that closes it at the right, where it stays however far the rest scrolls."""
    page = table.page
    places, heads, fonts = set(), set(), set()
    for button, panel in PANELS.items():
        page.locator(button).tap()
        shown = page.locator(panel)
        expect(shown).to_be_visible()
        assert shown.evaluate(ON_TOP) == [], panel
        if panel != ".head-more":
            box, dock = shown.bounding_box(), page.locator(".entry-foot").bounding_box()
            assert box and dock
            # Only announcements and special points change what the line of messages says: the others lie over it.
            is_over = panel not in ("#said > .drawer", "[data-specials] > .drawer")
            edge = page.locator(".drawers").bounding_box()["y"] - 4 if is_over else dock["y"]
            if "offered" in str(shown.get_attribute("class")):
                edge = 640
            assert round(box["y"] + box["height"]) == round(edge), panel
            places.add((box["x"], box["width"]))
            assert page.locator(".entry-foot").evaluate(SCRIM) == 640, panel
            name, title = shown.get_attribute("aria-label"), shown.locator(".drawer-head > h2")
            assert name
            if title.count():
                expect(title).to_have_text(name)
                fonts.add(title.evaluate("title => getComputedStyle(title).fontSize + getComputedStyle(title).fontWeight"))
            sign = shown.get_by_role("button", name="Schließen").bounding_box()
            assert sign
            heads.add((sign["x"], round(sign["y"] - box["y"]), sign["width"], sign["height"]))
            if panel == "#solos" or not is_over:
                # It ends between two rows of the form.
                for row in page.locator("#entry :is(.people, .kinds, .eyes-row, .bands > *)").all():
                    of = row.bounding_box()
                    assert of and not of["y"] + 1 < box["y"] < of["y"] + of["height"] - 1, panel
        if panel == "#solos":
            expect(page.get_by_role("group", name="Welches Solo?")).to_be_visible()
            assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
        assert page.get_by_role("link", name="Zettel").evaluate(LAYER) == "auto"
        page.go_back()
        expect(shown).to_be_hidden()
    assert (len(places), heads, fonts) == (1, {(312, 1, 48, 48)}, {"16px700"})


@pytest.mark.soak
def test_digits_take_the_place_of_rare_actions_and_name_their_range(table: TablePage) -> None:
    page = table.page
    guest, more = page.locator('.beside [href$="#guest"]'), page.locator("[data-more] > summary")
    page.locator("[data-by=eyes]").tap()
    expect(guest).to_be_hidden()
    more.tap()
    guest.tap()
    expect(page.locator("[data-more] > .drawer")).to_be_hidden()
    page.locator("#seating .close").tap()
    expect(more).to_be_focused()
    for digit in "131":
        page.locator(f"[data-digit='{digit}']").tap()
    expect(page.locator("[data-band]")).to_have_text("121\u2060–\u2060150")
    page.locator("[data-by=band]").tap()
    expect(guest).to_be_visible()
    expect(page.locator(".bands .filled")).to_have_text("121–150")
    leader = page.locator("#entry .tile", has=page.locator(".leads"))
    leader.tap()
    expect(leader.locator("input")).to_be_checked()
    expect(leader.locator(".role")).to_have_text("spielt aus")
    expect(leader.locator(".role")).to_be_visible()
    # A link to the sheet is no way back.
    for _ in range(2):
        page.locator("#said > summary").tap()
    page.get_by_role("link", name="Zettel").tap()
    expect(page.locator("#sheet")).to_be_in_viewport()
    assert page.url.endswith("#sheet")


@pytest.mark.soak
def test_a_panel_says_whose_it_is_and_has_a_sign_that_closes_it(table: TablePage) -> None:
    page = table.page
    table.enter({"kind": "normal", "re": [0, 2], "band": "121-150", "re_specials": {"fuchs": 2}})
    for panel in ("#said", "[data-specials]"):
        page.locator(f"{panel} > summary").tap() if panel == "#said" else table.unfold("Sonderpunkte")
        heads = page.locator(f"{panel} .heads > p")
        expect(heads).to_have_text(["+3Re", "−3Kontra"])
        assert [head.locator("[data-i]").count() for head in heads.all()] == [2, 2]
        page.locator(f"{panel} .close").tap()
        expect(page.locator(f"{panel} > .drawer")).to_be_hidden()
    page.locator("#solo-button").tap()
    # There is nothing to enter while a solo is chosen, and what was marked for another game says nothing.
    expect(page.locator("#entry")).to_have_class("entry")
    expect(table.message).to_have_text("Welches Solo?")
    rows = page.locator("#rows tr").count()
    table.save()
    expect(table.message).to_have_text("Welches Solo?")
    assert page.locator("#rows tr").count() == rows
    assert page.locator(".tile:has(:checked)").first.evaluate("tile => getComputedStyle(tile, '::after').content") == "none"
    expect(page.locator("#undo-button")).to_be_hidden()
    page.locator("#solos .close").tap()
    expect(page.locator("#solos")).to_be_hidden()
    assert table.marked("Wer ist Re?") == [table.people[0], table.people[2]]
    expect(table.message).to_contain_text("Re gewinnt 3")
    # One party alone would have faces: then none has.
    table.tap(table.pill(table.group("Wer ist Re?"), table.people[0]))
    page.locator("#said > summary").tap()
    expect(page.locator("#said .heads")).to_have_text("ReKontra")
    expect(page.locator("#said .heads [data-i]")).to_have_count(0)


def test_a_game_from_the_first_question_to_its_line(table: TablePage) -> None:
    """Whom to tap is asked on the tiles; the button is filled once there is something to enter; the points of the last game look
    unlike those of the next; and a phone that can vibrates once it is saved."""
    cue, colour = "tile => getComputedStyle(tile, '::after').content.split(' ')[0]", "one => getComputedStyle(one).backgroundColor"
    page, save, tiles = table.page, table.page.locator("#save"), table.page.locator(".tile:not(.out)")
    asked, kinds, soft = page.locator("#cue"), page.locator(".kinds").bounding_box(), save.evaluate(colour)
    page.evaluate("() => { window.buzzes = []; navigator.vibrate = (long) => buzzes.push(long); }")
    assert [tile.evaluate(cue) for tile in tiles.all()] == ['"Re?"'] * 4
    expect(asked).to_have_text("Antippen: wer Re ist")
    # It is directly above the tiles, and its line stays when there is nothing to ask.
    box, tile = asked.bounding_box(), tiles.first.bounding_box()
    assert box and tile and box["y"] + box["height"] == tile["y"]
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    table.mark("Wer ist Re?", [0])
    assert [tile.evaluate(cue) for tile in tiles.all()] == ['"Re"'] + ['"Re?"'] * 3
    expect(asked).to_have_text("Antippen: wer noch Re ist")
    table.mark("Wer ist Re?", [0, 1])
    assert [tile.evaluate(cue) for tile in tiles.all()] == ['"Re"', '"Re"', "none", "none"]
    expect(asked).to_have_text("")
    assert (page.locator(".kinds").bounding_box(), save.evaluate(colour)) == (kinds, soft)
    table.band("121-150")
    expect(page.locator("#entry")).to_have_class("entry whole")
    assert save.evaluate(colour) != soft
    assert page.evaluate("buzzes") == []
    table.save()
    table.expect_saved()
    assert page.evaluate("buzzes") == [30]
    figures, spoken = page.locator("#entry .tile > i"), page.locator("#entry .tile > .visually-hidden").filter(visible=True)
    expect(figures).to_have_text(["+1", "+1", "−1", "−1"])
    expect(figures).to_have_class(["last"] * 4)
    expect(spoken).to_have_text(["letztes Spiel:"] * 4)
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    table.enter({"kind": "normal", "re": [0, 1], "band": "121-150"})
    expect(figures).to_have_text(["+1", "+1", "−1", "−1"])
    expect(figures).to_have_class(["up", "up", "down", "down"])
    expect(spoken).to_have_count(0)
    # What stands beside the button of a line is as high.
    page.goto(page.locator("#rows a").first.evaluate("link => link.href"))
    assert page.locator(".to-table .btn").evaluate_all("all => all.map((one) => one.offsetHeight)") == [52, 52]


@pytest.mark.soak
def test_what_ends_an_evening_is_behind_mehr_and_the_link_of_the_table_is_shared_or_copied(table: TablePage) -> None:
    page = table.page
    page.add_init_script(
        "navigator.canShare = () => true; navigator.share = async (what) => { window.shared = what; };"
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });"
    )
    names = [
        "Nur Punkte eintragen dieses Spiel, ohne Augen", "Punkte berichtigen eigene Zeile, ohne Spiel",
        "Link für den Tisch", "Wer sitzt am Tisch", "Zwischenstand", "Abend abschließen …",
    ]  # fmt: skip
    expect(table.unfold("Mehr").locator(".rows .key")).to_have_text(names)
    expect(page.locator("[data-more] .drawer-head .help")).to_have_text("Hilfe")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    for name, heading in (("Zwischenstand", "Zwischenstand"), ("Abend abschließen …", "Abend abschließen")):
        table.tap(table.unfold("Mehr").get_by_role("link", name=name))
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        table.open()
    table.tap(table.unfold("Mehr").get_by_role("link", name="Link für den Tisch"))
    page.get_by_role("button", name="Link anlegen").tap()
    address = page.get_by_label("Oder diese Adresse weitergeben:").input_value()
    page.get_by_role("button", name="Teilen").tap()
    assert page.evaluate("shared") == {"title": "Link für den Tisch", "url": address}
    page.get_by_role("button", name="Kopieren").tap()
    expect(page.get_by_text("Kopiert.")).to_be_visible()
    assert page.evaluate("copied") == address


@pytest.mark.soak
def test_mehr_fits_without_scrolling_inside(page: Page, live_server: LiveServer, cast: Cast) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    rules = make_rule_set(cast.club, "ddv", "Hand", bock={"triggers": ["manual"], "length": 1})
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 8, rule_set=rules))
    for query in ("", "?form=short"):
        drawer = table.open(query).unfold("Mehr").locator(".drawer")
        expect(drawer.get_by_role("group", name="Löst Bock aus")).to_be_visible()
        # Asked only where a party has no eyes.
        expect(drawer.locator("#no-trick")).to_be_hidden()
        assert drawer.evaluate("drawer => drawer.scrollHeight - drawer.clientHeight") == 0
        assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
        drawer = table.unfold("Mehr").locator(".drawer")
        keys = [box for key in drawer.locator(".rows > .key").all() if (box := key.bounding_box())]
        assert {box["height"] for box in keys} == {48}
        # Two columns of one width, and no empty cell.
        assert len({round(box["width"]) for box in keys}) == 1
        assert {len([one for one in keys if one["y"] == box["y"]]) for box in keys} == {2}


@pytest.mark.soak
def test_eight_special_points_fit_without_scrolling_inside(page: Page, live_server: LiveServer, cast: Cast) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 5, preset="vln"))
    drawer = table.unfold("Sonderpunkte").locator(".drawer")
    expect(drawer.locator(".special")).to_have_count(8)
    assert drawer.evaluate("drawer => drawer.scrollHeight - drawer.clientHeight") == 0
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []


@pytest.mark.soak
def test_a_special_point_that_can_count_twice_is_a_stepper_and_its_limit_is_said(table: TablePage) -> None:
    """The same "− 1 +" in the same place of every chip; of what there can be only one, a second tap takes it away."""
    for name in ("Fuchs gefangen", "Doppelkopf", "Karlchen"):
        table.chip("Re", name, 1)
    chips = [table.group(name, table.unfold("Sonderpunkte")).locator(".chip").first for name in ("Fuchs gefangen", "Doppelkopf")]
    places = set()
    for chip in chips:
        box, less, more = (one.bounding_box() for one in (chip, chip.locator(".less"), chip.locator(".more")))
        assert box and less and more and min(less["width"], less["height"], more["width"], more["height"]) >= 48
        places.add((less["x"] - box["x"], less["width"], more["x"] - box["x"], more["width"]))
    assert len(places) == 1
    one = table.group("Karlchen", table.unfold("Sonderpunkte")).locator(".chip").first
    expect(one.locator(".less")).to_be_hidden()
    expect(one.get_by_role("button", name="Karlchen", pressed=True)).to_be_visible()
    assert misfits(table.page, THUMB_AT_THE_TABLE) + barriers(table.page) == []
    table.chip("Re", "Karlchen", 1)
    expect(one.get_by_role("button", name="Karlchen", pressed=False)).to_be_visible()
    table.tap(chips[0].locator(".less"))
    expect(chips[0].locator(".less")).to_be_hidden()
    expect(table.page.locator("[data-specials] > summary")).to_have_attribute("data-count", "1")
    table.chip("Re", "Karlchen", 1)
    table.chip("Re", "Fuchs gefangen", 3)
    expect(table.message).to_have_text("„Fuchs gefangen“: mehr als 2 gibt es nicht.")
    # What is tapped next is said instead.
    table.chip("Re", "Doppelkopf", 1)
    expect(table.message).not_to_contain_text("Fuchs")
    # The limit is that of both parties together.
    for name, most in (("Karlchen", 1), ("Fuchs gefangen", 2)):
        table.chip("Kontra", name, 1)
        expect(table.message).to_have_text(f"„{name}“: mehr als {most} gibt es nicht.")
    chosen = table.page.locator("[data-specials] .more[data-count]")
    assert [chip.get_attribute("data-count") for chip in chosen.all()] == ["2", "2"]


@pytest.mark.soak
def test_what_doubles_is_the_last_that_the_line_at_the_button_leaves_out(page: Page, live_server: LiveServer, cast: Cast) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    rules = make_rule_set(cast.club, "vln", "Hand", bock={"triggers": ["manual"], "length": 4})
    at_table = make_table(cast.club, rule_set=rules)
    table = sit_down(page, live_server.url, cast.scorer, at_table)
    table.enter_and_save({"kind": "normal", "re": [1, 2], "eyes": 130, "starts_bock": 1})
    specials = {"fuchs": 1, "doppelkopf": 2}
    table.enter({"kind": "normal", "re": [0, 1], "re_said": "no60", "re_specials": specials, "band": "181-210"})
    parts = table.message.locator(".parts > span")
    hidden = [part.inner_text() for part in parts.all() if not part.is_visible()]
    assert hidden and not [text for text in hidden if "×" in text]
    assert {"Re angesagt: ×2,", "Bock: ×2,"} <= {part.inner_text() for part in parts.all() if part.is_visible()}
