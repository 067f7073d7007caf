"""One whole evening in a pub: five people, solos of both kinds, a penalty, a second phone, a guest who comes late, an hour
without a net, somebody who leaves, a mistake of game 3 put right afterwards, and a solo still owed at the end. Then
everything that can say what the games were worth has to say the same: the phones, the database, and `manage.py score`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Change, Game, Player, Score, Table, TableResult
from scoring.play.queries import read_records
from scoring.play.verify import verify
from scoring.rules.score_lines import LineScorer
from tests.browser_page import another_page, log_in
from tests.factories import PEOPLE, make_club, make_player, make_rule_set, make_user
from tests.stories.table import TablePage, number

# The leaflet's rules with a Pflichtsolo for everybody in the first two rounds, which uses no Bock game up.
RULES = {"base": "anleitung", "duty_solo": {"rounds": 2}, "deal_stays": ["duty_solo"], "bock": {"duty_solo_uses": False}}
GUEST = "Onkel Herbert"


class Book:
    """The evening once more, in the words of `manage.py score`: each line with who sat at the table."""

    def __init__(self) -> None:
        self.lines: list[tuple[list[str], dict[str, Any]]] = []

    def game(self, people: list[str], dealer: str, facts: dict[str, Any]) -> dict[str, Any]:
        """Write a game down whose people go by their names; answers its facts with seats instead."""
        seated = {**facts, "dealer": people.index(dealer), "re": [people.index(name) for name in facts["re"]]}
        self.lines.append((people, {"rules": RULES, "table": len(people), **seated}))
        return seated

    def by_hand(self, people: list[str], points: list[int]) -> None:
        """A line that is no game: everybody's points, in seating order."""
        self.lines.append((people, {"points": points}))

    def scored(self) -> list[tuple[dict[str, int], int]]:
        """Everybody's points and the Bock level of each line, as the command says."""
        games = [json.dumps(line) for _people, line in self.lines if "rules" in line]
        answers, worth = map(json.loads, LineScorer().answers(games)), []
        for people, line in self.lines:
            found = next(answers) if "rules" in line else {**line, "bock": 0}
            worth.append((dict(zip(people, found["points"], strict=True)), found["bock"]))
        assert next(answers, None) is None
        return worth


class Evening:
    """The first phone at the table, and the book."""

    def __init__(self, phone: TablePage) -> None:
        self.phone = phone
        self.page = phone.page
        self.book = Book()

    def enter(self, *re: str, dealer: str | None = None, phone: TablePage | None = None, **facts: Any) -> TablePage:
        """Type a game in, who is Re by name; `dealer` where the table does other than the page proposes."""
        phone = phone or self.phone
        # Where a solo is proposed to whoever owes one, they may play something else.
        normal = phone.pill(phone.group("Spielart"), "Normal")
        if "kind" not in facts and not normal.is_checked():
            phone.tap(normal)
        phone.enter(self.book.game(phone.people, dealer or phone.dealer, {"kind": "normal", **facts, "re": list(re)}))
        return phone

    def play(self, *re: str, **facts: Any) -> None:
        self.enter(*re, **facts).save_surely()
        expect(self.waiting).to_be_hidden()

    def play_without_net(self, *re: str, **facts: Any) -> None:
        phone = self.enter(*re, **facts)
        phone.save()
        expect(self.page.locator("#rows tr")).to_have_count(len(self.book.lines))

    @property
    def waiting(self) -> Locator:
        return self.page.locator('[data-head="waiting"]')

    @property
    def soloist(self) -> Locator:
        """Who is made to play a Pflichtsolo."""
        return self.page.locator('[data-head="soloist"]')


@pytest.mark.soak
def test_a_whole_evening(
    page: Page, live_server: LiveServer, new_context: CreateContextCallback, page_complaints: list[str]
) -> None:
    evening = Evening(begin(page, live_server.url))
    the_first_round(evening)
    second = the_second_phone(evening, new_context().new_page())
    the_second_round(evening, second)
    a_guest_comes(evening, second)
    an_hour_without_net(evening, second)
    game_3_was_wrong(evening, second)
    somebody_leaves(evening)
    expect(second.page.locator("#rows tr")).to_have_count(len(evening.book.lines))
    seen, columns = evening.phone.lines(), names_of_columns(evening.phone)
    assert second.lines() == seen
    totals = dict(zip(columns, evening.phone.totals(), strict=True))

    scored = evening.book.scored()

    assert as_read(seen, columns) == list(running(scored, columns))
    assert stored(evening.phone.table) == scored
    assert stored_totals(evening.phone.table) == totals == as_totals(scored)
    close(evening, totals)
    expect(second.message).to_contain_text("Der Abend ist abgeschlossen.")
    assert all("status of 401" in said for said in page_complaints)
    page_complaints.clear()
    assert [finding for checked in verify(evening.phone.table.evening.club) for finding in checked.findings] == []


def begin(page: Page, site: str) -> TablePage:
    """Five people sit down, from the start page on."""
    club = make_club()
    for name in PEOPLE[:5]:
        make_player(club, name)
    make_rule_set(club, "anleitung", "Vereinsregeln", **{key: RULES[key] for key in RULES if key != "base"})
    log_in(page.context, site, make_user("schorsch", club, ["scorer"]))
    page.goto(site)
    page.get_by_role("link", name="Ersten Abend beginnen").tap()
    page.get_by_text("Ändern").tap()
    page.get_by_label("Ort").fill("Zum Anker")
    page.get_by_label("Geplante Spiele").fill("24")
    for name in PEOPLE[:5]:
        page.get_by_role("button", name=name, exact=True).tap()
    page.get_by_role("button", name="Abend beginnen").tap()
    page.wait_for_url("**/tables/*/")
    return TablePage(page, site, Table.objects.get())


def the_first_round(evening: Evening) -> None:
    never_played = evening.page.get_by_role("button", name="Leeren Abend entfernen")
    expect(never_played).to_be_visible()
    evening.play("Bodo", "Özlem", band="121-150")
    expect(never_played).to_be_hidden()
    evening.play("Ärmel", "Çelik", kind="hochzeit", eyes=98, kontra_specials={"fuchs": 1})
    evening.play("Ärmel", "Željko", eyes=100)
    evening.play("Bodo", kind="damensolo", eyes=135)
    assert evening.phone.dealer == "Željko"


def the_second_phone(evening: Evening, page: Page) -> TablePage:
    """Çelik reads the code and enters the next game."""
    evening.phone.unfold("Mehr")
    evening.page.get_by_role("link", name="Link für den Tisch").tap()
    evening.page.get_by_role("button", name="Link anlegen").tap()
    page.goto(evening.page.get_by_label("Oder diese Adresse weitergeben:").input_value())
    page.get_by_role("button", name="Ich bin Çelik").tap()
    page.wait_for_url("**/tables/*/")
    evening.page.get_by_role("link", name="Zurück zum Tisch").tap()
    second = TablePage(page, evening.phone.site, evening.phone.table)
    evening.play("Ärmel", "Çelik", phone=second, re_said="said", band="151-180", re_specials={"fuchs": 1})
    expect(evening.page.locator("#rows tr")).to_have_count(5)
    assert Change.objects.latest("id").spoken_as.name == "Çelik"
    return second


def the_second_round(evening: Evening, second: TablePage) -> None:
    """A Pflichtsolo after which the same seat deals again, a lost Absage that brings a Bock, a penalty."""
    owing = evening.page.locator('[data-head="owing"]')
    evening.play("Özlem", kind="damensolo", duty=True, eyes=130)
    expect(owing).to_have_text("Ärmel, Bodo, Çelik, Željko")
    assert evening.phone.dealer == "Ärmel"
    evening.play("Bodo", "Željko", kontra_said="no90", eyes=140)
    expect(evening.page.locator('[data-head="bock"]')).to_have_text("Bock: noch 5 aus Spiel 7")
    evening.phone.tap_beside("Strafpunkte")
    evening.page.get_by_role("group", name="Regelverstoß").get_by_role("button", name="Bodo").tap()
    expect(evening.phone.message).to_have_text("Gespeichert: Strafpunkte.")
    evening.book.by_hand(evening.phone.people, [1, -3, 1, 1, 1])
    evening.play("Çelik", "Özlem", eyes=123)
    expect(second.page.locator("#rows tr")).to_have_count(9)


def a_guest_comes(evening: Evening, second: TablePage) -> None:
    """Six at the table: two sit out, the next Bock is longer, and the guest owes a Pflichtsolo as well."""
    evening.phone.tap_beside("Gast kommt")
    evening.page.get_by_label("Neuer Name").fill(GUEST)
    with another_page(evening.page):
        evening.phone.tap(evening.page.get_by_role("button", name="Dazusetzen"))
    expect(evening.phone.message).to_contain_text(GUEST)
    expect(evening.page.locator('[data-head="out"]')).to_have_text(f"Çelik, {GUEST}")
    expect(second.page.locator('[data-head="out"]')).to_have_text(f"Çelik, {GUEST}")
    assert Player.objects.get(name=GUEST).guest
    evening.play("Özlem", "Ärmel", band="151-180")
    evening.play(GUEST, kind="bubensolo", eyes=90)
    evening.play("Çelik", kind="trumpfsolo", duty=True, eyes=150)
    evening.play(GUEST, "Özlem", re_said="said", eyes=100, kontra_specials={"karlchen": 1})


def an_hour_without_net(evening: Evening, second: TablePage) -> None:
    """Five games with their Bock, and who is made to play a solo, are the phone's own to say; then the server agrees."""
    expect(second.page.locator("#rows tr")).to_have_count(len(evening.book.lines))
    before = second.lines()
    evening.page.context.set_offline(True)
    evening.play_without_net("Bodo", "Željko", eyes=181)
    expect(evening.soloist).to_have_text("Bodo")
    evening.play_without_net("Bodo", kind="farbsolo_herz", duty=True, eyes=140)
    expect(evening.soloist).to_have_text("Željko")
    evening.play_without_net("Željko", kind="fleischlos", duty=True, re_said="said", eyes=88)
    expect(evening.soloist).to_have_text(GUEST)
    evening.play_without_net("Ärmel", "Çelik", band="30-59")
    evening.play_without_net("Bodo", "Özlem", eyes=121, re_specials={"doppelkopf": 1, "fuchs": 1})
    expect(evening.waiting).to_have_text("5 warten auf Versand")
    offline = evening.phone.lines()
    assert second.lines() == before
    assert Game.objects.count() == len(before)

    evening.page.context.set_offline(False)

    expect(evening.waiting).to_be_hidden()
    assert evening.phone.lines() == offline, "the server says what the phone had computed"
    expect(second.page.locator("#rows tr")).to_have_count(len(offline))
    assert second.lines() == offline


def game_3_was_wrong(evening: Evening, second: TablePage) -> None:
    """Re had been said and lost: five more Bock games. What that changes is shown before it is saved, then had."""
    before = {line.label: line for line in evening.phone.lines()}
    evening.phone.correct_game(3)
    evening.phone.say("re", "said")
    evening.phone.save()
    expect(evening.page.locator("#effects")).to_be_visible()
    shown = evening.phone.loaded.locator("#effects li").all_inner_texts()
    assert "Spiel 3: bisher 2, jetzt 8, bringt 5 Bockspiele" in shown
    assert second.lines() == list(before.values()), "saved before it was asked"
    evening.phone.save()
    expect(evening.page.get_by_text("Berichtigt.")).to_be_visible()
    facts = evening.book.lines[2][1]
    facts["re_said"] = "said"

    after = {line.label: line for line in evening.phone.lines()}
    announced = {text.split(":")[0] for text in shown if text.startswith("Spiel")}
    changed = {f"Spiel {label}" for label in after if worth(after[label]) != worth(before[label])}
    assert changed - announced == set()
    assert any("(Bock ×2)" in text for text in shown)
    expect(second.page.locator("#rows tr .bock-sign")).to_have_count(sum(line.bock > 0 for line in after.values()))
    assert second.lines() == list(after.values())


def worth(line: Any) -> tuple[int, int]:
    return line.value, line.bock


def somebody_leaves(evening: Evening) -> None:
    """Bodo goes home in the middle of a round; the guest does not want to play his Pflichtsolo, so others deal."""
    evening.play("Ärmel", dealer=GUEST, kind="asse_solo", duty=True, eyes=160)
    evening.phone.tap_beside("Jemand geht")
    with another_page(evening.page):
        evening.phone.tap(evening.page.get_by_role("group", name="Wer geht?").get_by_role("button", name="Bodo"))
    expect(evening.phone.message).to_contain_text(f"Ärmel, Çelik, Özlem, Željko, {GUEST}.")
    expect(evening.soloist).to_have_text(GUEST)
    evening.play("Çelik", "Özlem", dealer="Ärmel", eyes=119)
    evening.play("Željko", "Ärmel", dealer="Çelik", re_said="no60", eyes=190)
    evening.play("Ärmel", "Çelik", dealer="Özlem", kind="armut", band="90-119")
    evening.play("Özlem", dealer="Željko", kind="damen_buben_solo", eyes=122)
    evening.play("Ärmel", "Željko", dealer=GUEST, eyes=160, re_specials={"fuchs": 1})
    evening.play("Özlem", GUEST, dealer="Ärmel", band="120", kontra_said="said")


def close(evening: Evening, totals: dict[str, int]) -> None:
    """The warning is no lock; then the result has everybody's points."""
    page = evening.page
    page.get_by_role("link", name="Abend abschließen …").tap()
    expect(page.locator(".alert-warning:visible")).to_have_text(
        f"Tisch 1: Pflichtsolo noch zu spielen: {GUEST}. Abschließen geht trotzdem."
    )
    page.get_by_role("button", name="Abend abschließen").tap()
    expect(page.get_by_role("heading", name="Ergebnis")).to_be_visible()
    page.wait_for_load_state()
    rows = page.locator(".ranking tbody tr").evaluate_all("rows => rows.map(row => [...row.cells].map(c => c.innerText))")
    assert {name: number(points) for _place, name, points, *_rest in rows} == totals
    assert [number(row[2]) for row in rows] == sorted(totals.values(), reverse=True)


def names_of_columns(phone: TablePage) -> list[str]:
    people = phone.page.locator("#sheet [data-total]").evaluate_all("heads => heads.map(head => head.dataset.total)")
    return [Player.objects.get(pk=pk).name for pk in people]


def as_read(lines: Iterable[Any], columns: list[str]) -> list[tuple[dict[str, int], int]]:
    """Everybody's running total after each line of a sheet, and its Bock level; the oldest first."""
    totals, read = dict.fromkeys(columns, 0), []
    for line in reversed(list(lines)):
        totals |= {name: total for name, total in zip(columns, line.totals, strict=True) if total is not None}
        read.append((dict(totals), line.bock))
    return read


def running(scored: Iterable[tuple[dict[str, int], int]], columns: list[str]) -> Iterable[tuple[dict[str, int], int]]:
    totals = dict.fromkeys(columns, 0)
    for points, level in scored:
        for name, more in points.items():
            totals[name] += more
        yield dict(totals), level


def as_totals(scored: list[tuple[dict[str, int], int]]) -> dict[str, int]:
    *_before, (totals, _level) = running(scored, list({name: None for points, _level in scored for name in points}))
    return totals


def stored(table: Table) -> list[tuple[dict[str, int], int]]:
    """What the database keeps of each line: the points of everybody who sat there, and the Bock level."""
    records = read_records(table)
    found = []
    for game in records.games:
        points = dict.fromkeys((player.name for player in records.line_up(game)), 0)
        points |= dict(Score.objects.filter(game=game).values_list("player__name", "points"))
        found.append((points, game.outcome.bock))
    return found


def stored_totals(table: Table) -> dict[str, int]:
    return dict(TableResult.objects.filter(table=table).values_list("player__name", "points"))
