"""The pages beside the table on the smallest phone that is promised, 360 x 640: what people come for is in sight, nothing of a
table is behind the edge, and each person has a face in the same colour everywhere."""

from __future__ import annotations

import datetime

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Player, Table
from tests.browser.fit import THUMB, misfits
from tests.browser_page import log_in
from tests.cash.tariffs import give_tariff
from tests.factories import Cast, add_game, make_club, make_player, make_table, make_user
from tests.stories.table import TablePage, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Annegret", "Bernd", "Konstantin", "Dörte", "Friederike", "Jürgen", "Käthe", "Paweł")
MENU = 56


@pytest.fixture(autouse=True)
def small(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})


@pytest.mark.soak
@pytest.mark.parametrize(("people", "rows"), [(4, [4]), (5, [5]), (6, [3, 3]), (7, [4, 3]), (8, [4, 4])])
def test_nobody_stands_alone_in_the_running_evening(page: Page, live_server: LiveServer, people: int, rows: list[int]) -> None:
    club = make_club(slug="karo")
    make_table(club, [make_player(club, name) for name in NAMES[:people]])
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    page.goto(f"{live_server.url}/c/karo/")
    tops = page.locator(".totals > li").evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().top))")
    assert [tops.count(top) for top in dict.fromkeys(tops)] == rows
    assert misfits(page, THUMB) == []


@pytest.mark.soak
def test_a_players_chart_is_in_sight_and_their_tables_are_whole(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    people = [make_player(club, name) for name in NAMES[:5]]
    for year in (2024, 2025, 2026):
        table = make_table(club, people, held_on=datetime.date(year, 3, 6))
        for dealer in range(5):
            add_game(table, dealer=dealer, kind="fleischlos", re=[(dealer + 1) % 5], eyes=104)
            add_game(table, dealer=dealer, re=[(dealer + 1) % 5, (dealer + 2) % 5], re_said="no90")
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    page.goto(f"{live_server.url}/c/karo/people/{people[0].pk}/")
    chart = page.locator("figure.curve").first.bounding_box()
    assert chart["y"] + chart["height"] <= 640 - MENU, "it ends above the menu"
    cut = page.locator(".list-wrap:visible").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.ariaLabel)"
    )
    assert cut == []
    assert page.locator(".list.rows").count() == 2
    assert misfits(page, THUMB) == []


def faces(page: Page, place: str) -> dict[str, str]:
    """The colour of each person by name, as the places say it."""
    found: dict[str, str] = page.locator(place).evaluate_all(
        """all => Object.fromEntries(all.map(one => {
            const face = one.querySelector("[data-i]");
            const name = one.querySelector(".cut, .bill-who, .who, .pill") ?? one;
            return [name.textContent.trim().split(/\\s+/)[0], face.className];
        }))"""
    )
    return found


@pytest.mark.soak
def test_the_kasse_at_the_table_has_faces(page: Page, live_server: LiveServer, cast: Cast) -> None:
    give_tariff(cast.club, drinks={"list": {"bier": 150}})
    charged = make_table(cast.club, 5)
    table = sit_down(page, live_server.url, cast.scorer, charged)
    colours = faces(page, ".tile")
    assert sorted(colours) == sorted(table.people)
    table.tap(page.locator('.beside [href$="/cash/"]'))
    expect(page.locator("#till fieldset").first).to_be_visible()
    assert faces(page, "#till fieldset .key:has([data-i])") == colours
    assert misfits(page, THUMB) == []
    page.goto(f"{table.site}/c/karo/tables/{charged.pk}/cash/")
    expect(page.locator(".bills").first).to_be_visible()
    assert faces(page, ".bills > li:has([data-i])") == colours
    assert misfits(page, THUMB) == []


@pytest.mark.soak
def test_a_guest_keeps_their_colour(page: Page, live_server: LiveServer, cast: Cast) -> None:
    """None as long as only the phone knows them; from then on the same at the table, on the sheet, after a reload and on the
    next evening."""
    table = sit_down(page, live_server.url, cast.scorer, cast.table)
    page.evaluate(WATCH_COLOURS)
    page.evaluate("() => { document.body.id = 'old'; }")
    table.tap(page.get_by_role("link", name="Gast kommt"))
    page.get_by_label("Neuer Name").fill("Wilma")
    page.get_by_role("button", name="Dazusetzen").tap()
    expect(page.locator(".tile", has_text="Wilma")).to_be_visible()
    expect(page.locator('.tile:has-text("Wilma") [data-i][class^="p"]')).to_be_visible()
    wilma = Player.objects.get(name="Wilma")
    own = f"p{wilma.pk % 12}"
    # Nothing is typed: the page comes anew by itself, with the new line-up.
    page.wait_for_function("() => document.body.id !== 'old'")
    page.reload()
    seen = page.evaluate("sessionStorage.colours").split(",")
    assert set(seen) <= {"", own}
    assert (faces(page, ".tile")["Wilma"], faces(page, "#sheet thead th:has([data-i])")["Wilma"]) == (own, own)
    again = make_table(cast.club, [*list(cast.club.players.exclude(pk=wilma.pk)[:4]), wilma])
    TablePage(page, table.site, Table.objects.get(pk=again.pk)).open()
    assert faces(page, ".tile")["Wilma"] == own


# Every colour that the last tile has had.
WATCH_COLOURS = """() => {
    sessionStorage.colours = "";
    const look = () => {
        const tile = [...document.querySelectorAll(".tile")].find(one => one.textContent.includes("Wilma"));
        if (tile) sessionStorage.colours += `,${tile.querySelector("[data-i]").className}`;
    };
    new MutationObserver(look).observe(document.querySelector(".tiles"), { subtree: true, childList: true, attributes: true });
}"""
