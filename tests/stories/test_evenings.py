"""Three whole evenings, tapped into a phone game by game: four people, five people, and one copied from paper in the short
form. Each game shows the points it will bring before it is saved, and their totals are found again on the sheet, in
the eternal list and in both Excel files."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring.models import Player
from scoring.play.verify import verify
from tests.factories import PEOPLE, make_club, make_player, make_rule_set, make_table, make_user
from tests.stories.table import TablePage, number, sit_down

FIXTURES = Path(__file__).parents[2] / "fixtures"
EVENINGS = [
    FIXTURES / "cases" / "evening_ddv.jsonl",
    FIXTURES / "cases" / "evening_anleitung.jsonl",
    FIXTURES / "real" / "evening.jsonl",
]


@pytest.mark.soak
@pytest.mark.parametrize("file", EVENINGS, ids=lambda file: f"{file.parent.name}_{file.stem}")
def test_an_evening_from_the_first_tap_to_the_eternal_list(page: Page, live_server: LiveServer, file: Path) -> None:
    cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    table = open_table(page, live_server.url, cases[0])
    for count, case in enumerate(cases, start=1):
        table.enter(case)
        expect_live_points(table, case)
        table.save_surely()
        expect_on_the_sheet(table, case, count)
    before, (club,) = table.lines(), {table.table.evening.club}
    page.reload()
    assert table.lines() == before, "the phone's own sheet differs from the server's"
    totals = dict(zip(table.people, cases[-1]["expect"]["totals"], strict=True))
    assert totals_in_the_list(table) == totals
    assert totals_in_the_list_as_excel(table) == totals
    assert totals_on_the_sheet_as_excel(table) == [totals, dict.fromkeys(totals, 0)]
    assert [finding for checked in verify(club) for finding in checked.findings] == []


def open_table(page: Page, site: str, first: dict[str, Any]) -> TablePage:
    """A club that plays by the rules of the evening, with the form of entry that the evening needs."""
    club = make_club()
    rules = {"base": first["rules"]} if isinstance(first["rules"], str) else first["rules"]
    table = make_table(
        club,
        [make_player(club, name) for name in PEOPLE[: first["table"]]],
        rule_set=make_rule_set(club, rules["base"], **{key: rules[key] for key in rules if key != "base"}),
    )
    phone = sit_down(page, site, make_user("schorsch", club, ["scorer"]), table)
    phone.is_surely_in_reach = True
    if "winners" in first:
        phone.unfold("Mehr")
        phone.tap(page.get_by_role("link", name="Nur Punkte eintragen"))
        page.wait_for_url("**form=short")
    return phone


def expect_live_points(table: TablePage, case: dict[str, Any]) -> None:
    """Before anything is saved, everybody who plays sees the points that the game will bring."""
    sitters = case.get("out", [])
    points = case["expect"]["points"]
    table.expect_live_points(
        {name: points[seat] for seat, name in enumerate(table.people) if seat not in sitters or points[seat]}
    )


def expect_on_the_sheet(table: TablePage, case: dict[str, Any], count: int) -> None:
    """The newest line has everybody's running total, and so has the head of the sheet."""
    newest, totals = table.lines()[0], case["expect"]["totals"]
    sitters = [seat for seat in case.get("out", []) if not case["expect"]["points"][seat]]
    assert newest.label == str(count)
    assert newest.totals == [None if seat in sitters else total for seat, total in enumerate(totals)], case
    assert table.totals() == totals
    if "value" in case["expect"]:
        winner = case["expect"]["winner"]
        assert newest.value == case["expect"]["value"] * (-1 if winner == "kontra" else 1)


def totals_in_the_list(table: TablePage) -> dict[str, int]:
    """What the eternal list says, taken from its page."""
    table.page.goto(f"{table.site}/c/{table.slug}/list/")
    heads = [head.strip() for head in table.page.locator("thead th").all_inner_texts()]
    rows = table.page.locator("tbody tr").evaluate_all("rows => rows.map(row => [...row.cells].map(c => c.innerText))")
    points = next(place for place, head in enumerate(heads) if head.startswith("Punkte"))
    return {row[1].strip(): number(row[points]) for row in rows}


def totals_in_the_list_as_excel(table: TablePage) -> dict[str, int]:
    (sheet,) = download(table, f"/c/{table.slug}/list/excel/")
    rows = list(sheet.iter_rows(values_only=True))
    heads = next(row for row in rows if "Name" in row)
    name, points = heads.index("Name"), heads.index("Punkte")
    everybody = set(Player.objects.values_list("name", flat=True))
    return {row[name]: row[points] for row in rows if row[name] in everybody}


def totals_on_the_sheet_as_excel(table: TablePage) -> list[dict[str, int]]:
    """The row with the totals, and what the formulas of the check row must come to."""
    paper, facts, _steps = download(table, f"/c/{table.slug}/evenings/{table.table.evening_id}/excel/")
    rows = list(paper.iter_rows(values_only=True))
    heads = next(row for row in rows if row[0] == "Nr.")
    totals = next(row for row in rows if row[1] == "Summe")
    return [
        {name: totals[heads.index(name)] for name in table.people},
        {name: column_sum(facts, name) - totals[heads.index(name)] for name in table.people},
    ]


def column_sum(sheet: Worksheet, head: str) -> int:
    heads, *rows = sheet.iter_rows(values_only=True)
    return sum(row[heads.index(head)] or 0 for row in rows)


def download(table: TablePage, path: str) -> list[Worksheet]:
    answer = table.page.request.get(table.site + path)
    assert answer.status == 200
    return load_workbook(BytesIO(answer.body())).worksheets
