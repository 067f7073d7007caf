"""The eternal list on a narrow phone: the page never scrolls sideways, the name stays while the figures move, every
target is big enough for a thumb, and axe finds nothing."""

from __future__ import annotations

import datetime
import re

import pytest
from django.db.models import F
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Club, Game, Membership, Player, RuleSet, Score
from tests.browser_page import printed
from tests.effort import in_soak
from tests.factories import add_game, make_club, make_player, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def list_page(page: Page, live_server: LiveServer) -> Page:
    """The list of a club with long names, a guest and two units, as a scorer sees it."""
    club = make_club("Doppelkopffreunde Wolfratshausen", slug="karo")
    names = ("Friedrich-Wilhelm Oberwiesenmüller-Schmi", "Donaudampfschifffahrtsgesellschaftskapit", "Bo", "Özlem")
    people = [make_player(club, name) for name in names]
    for preset in ("ddv", "klassisch"):
        table = make_table(club, people, preset=preset, held_on=datetime.date(2026, 1, 9))
        add_game(table)
        add_game(table, kind="trumpfsolo", re=[2], eyes=200)
    Player.objects.filter(name="Bo").update(guest=True)
    client = Client()
    client.force_login(make_user("schorsch", club, ["scorer"]))
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page.goto(f"{live_server.url}/c/karo/list/?all=1&sort=-average")
    return page


def unfold(page: Page) -> None:
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")


# The words of a table that stand in more lines than they have parts to be divided at.
BROKEN = """[...document.querySelectorAll('main table :is(th, td)')].flatMap(cell => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), broken = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\u00ad\\u200b/-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (word.length < 16 && new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) broken.push(word);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize("width", [320, in_soak(360)])
def test_no_word_of_a_list_is_broken_and_the_name_stays_while_the_figures_move(list_page: Page, width: int) -> None:
    """Names that are as wide as the screen have to be broken; words and figures are whole."""
    list_page.set_viewport_size({"width": width, "height": 740})
    expect_name_to_stay(list_page, width)
    club = Club.objects.get()
    people = {player.name: player for player in club.players.all()}
    Player.objects.filter(pk=people["Özlem"].pk).update(left_on=datetime.date(2026, 4, 1))
    game = Game.objects.filter(round__table__rule_set__unit="points").first()
    Score.objects.filter(game=game).update(points=F("points") * 12_345)
    add_game(game.round.table, kind="fleischlos", re=[3], eyes=200, re_said="no90")
    add_game(game.round.table, kind="stille_hochzeit", re=[3], eyes=200)
    someone, other = people["Özlem"].pk, people["Bo"].pk
    faults = {}
    for path in (
        "list/?all=1&more=1",
        "list/records/",
        "list/matrix/?all=1",
        f"people/{someone}/",
        f"people/{someone}/beside/?other={other}",
        f"list/what-if/?rules={RuleSet.objects.get(club=club, name='klassisch').pk}&all=1",
    ):
        assert list_page.goto(list_page.url.split("/c/")[0] + f"/c/karo/{path}").status == 200
        unfold(list_page)
        faults[path] = list_page.evaluate(BROKEN)
    assert not any(faults.values()), faults


def expect_name_to_stay(list_page: Page, width: int) -> None:
    box, name = list_page.locator(".list-wrap"), list_page.locator("tbody th").first
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    box.evaluate("e => { e.scrollLeft = e.scrollWidth }")
    left = name.bounding_box()["x"] - box.bounding_box()["x"]
    assert 0 <= left <= 2
    last = list_page.locator("tbody tr").first.locator("td").last.bounding_box()
    assert last["x"] + last["width"] <= width
    assert name.bounding_box()["x"] + name.bounding_box()["width"] <= last["x"]


@pytest.mark.soak
@pytest.mark.parametrize(("address", "rows"), [("all=1", 30), ("all=1&more=1", 24)])
def test_the_printed_list_is_close_and_can_be_read(list_page: Page, live_server: LiveServer, address: str, rows: int) -> None:
    """So many people on one page, in letters of 8.5 pt and more, no heading broken within a word, nothing underlined."""
    list_page.goto(f"{live_server.url}/c/karo/list/?{address}")
    list_page.emulate_media(media="print")
    list_page.set_viewport_size({"width": 1030, "height": 700})
    found = list_page.evaluate("""() => {
      const list = document.querySelector('.list'), px = one => parseFloat(getComputedStyle(one).fontSize);
      // Of few people the letters are larger: these are as many as a club has.
      while (list.tBodies[0].rows.length < 24) list.tBodies[0].append(list.tBodies[0].rows[0].cloneNode(true));
      const broken = [];
      for (const link of list.querySelectorAll('thead a')) {
        const words = link.firstChild;
        for (const word of words.data.matchAll(/[^\\s-]+/g)) {
          const range = document.createRange();
          range.setStart(words, word.index);
          range.setEnd(words, word.index + word[0].length);
          if (range.getClientRects().length > 1) broken.push(word[0]);
        }
      }
      return {
        broken,
        row: Math.min(...[...list.tBodies[0].rows].map(row => row.offsetHeight)),
        above: list.tBodies[0].getBoundingClientRect().top - document.querySelector('h1').getBoundingClientRect().top,
        letters: Math.min(...[...list.querySelectorAll('tbody :is(td, th, a)')].map(px)),
        headings: Math.min(...[...list.querySelectorAll('thead a')].map(px)),
        lines: [...list.querySelectorAll('a')].filter(one => getComputedStyle(one).textDecorationLine !== 'none').length,
      };
    }""")
    page_height = (210 - 2 * 12) / 25.4 * 96
    assert (found["broken"], found["lines"]) == ([], 0)
    assert found["letters"] >= 8.5 / 72 * 96 - 0.1 and found["headings"] >= 8 / 72 * 96 - 0.1
    assert (page_height - found["above"]) // found["row"] >= rows


def test_the_list_prints_on_one_page_of_a4(list_page: Page, live_server: LiveServer) -> None:
    """What hangs on the wall of a clubhouse: everybody with all core figures, and nothing that can only be tapped."""
    for address in ("all=1", "all=1&more=1"):
        list_page.goto(f"{live_server.url}/c/karo/list/?{address}")
        (paper,) = printed(list_page)
        # A narrow column breaks its word where it must.
        said = re.sub(r"[\s-]", "", paper)
        for part in ("DoppelkopffreundeWolfratshausen", "EwigeListe", "Özlem", "Siegquote", "Solopunkte"):
            assert part in said, part
        for part in ("Anzeigen", "AlsExcelDatei", "MehrSpalten", "Start"):
            assert part not in said, part
        list_page.emulate_media(media="print")
        list_page.set_viewport_size({"width": 1030, "height": 700})
        assert list_page.evaluate("document.documentElement.scrollWidth") <= 1030, "A4 broadside, within its margins"
        assert "Pl." in paper, "also what the first column is"
        if address == "all=1":
            widest = list_page.locator("tbody th").first.evaluate("e => e.getBoundingClientRect().width")
            assert widest > 16 * 16, "a name has the room there is"
            names = list_page.locator("tbody th .cut")
            assert not any(names.evaluate_all("found => found.map(e => e.scrollWidth > e.clientWidth)")), "no name is cut"
        list_page.emulate_media(media="null")


@pytest.mark.soak
def test_every_list_has_one_button_to_print_it_and_none_on_paper(list_page: Page, live_server: LiveServer) -> None:
    """Nothing to tap, no heading at the foot of a page, and of few people letters of 12 pt."""
    someone = Player.objects.get(name="Özlem").pk
    Membership.objects.update(admin=True)
    for path in (
        "list/evenings/?unit=points&year=",
        "list/records/",
        "list/matrix/",
        f"people/{someone}/",
        "people/",
        "evenings/",
        "history/",
        "imports/",
    ):
        list_page.goto(f"{live_server.url}/c/karo/{path}")
        expect(list_page.get_by_role("button", name="Drucken")).to_have_count(1)
        headings = {" ".join(said.split()) for said in list_page.locator("h1, h2, h3").all_inner_texts()}
        papers = printed(list_page)
        assert all(map(str.strip, papers)), f"a page of {path} is blank"
        feet = {" ".join(paper.strip().splitlines()[-1].split()) for paper in papers}
        assert not headings & feet, path
        said = "".join(papers)
        for part in ("Drucken", "Als CSV", "Als Excel", "So geht’s", "Start"):
            assert part not in said, (path, part)
        named = {"evenings/": "Januar 2026", "history/": "Verlauf", "imports/": "Übernommen"}
        assert named.get(path, "Özlem") in said, path
    list_page.goto(f"{live_server.url}/c/karo/list/records/")
    # On paper the last record ends where the page does, and what is said of all of them has no room there.
    list_page.set_viewport_size({"width": 703, "height": 700})
    list_page.emulate_media(media="print")
    short, dot = list_page.locator(".records span:has(> a)", has_text="Bo").first.evaluate(
        "e => [e.querySelector('a').getBoundingClientRect().right, (() => { const r = document.createRange();"
        " r.selectNodeContents(e); return r.getBoundingClientRect().left; })()]"
    )
    assert short - dot < 30, "no gap behind a short name"
    list_page.locator("dl.records").evaluate("e => { e.style.marginTop = `${1010 - e.getBoundingClientRect().bottom}px` }")
    list_page.emulate_media(media="null")
    _first, second = printed(list_page)
    assert "Rekorde halten auch Gäste" in second and "Meiste Soli" in second, "not alone on a page"
    list_page.emulate_media(media="print")
    list_page.set_viewport_size({"width": 1030, "height": 700})
    for path in ("list/?all=1", "list/evenings/?unit=points&year="):
        list_page.goto(f"{live_server.url}/c/karo/{path}")
        letters = "e => parseFloat(getComputedStyle(e).fontSize)"
        assert list_page.locator("table.list tbody td.num").first.evaluate(letters) >= 12 / 72 * 96 - 0.1, path
