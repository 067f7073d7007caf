"""The real list of a club with its quirks: its totals, its odd rows, and where it shows everywhere."""

from __future__ import annotations

import datetime
import re
from io import BytesIO

import pytest
from openpyxl import load_workbook

from scoring.models import Evening, Game, Table
from scoring.standings.queries.standings import standings
from tests.desk import Desk, everything, verified
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.imports.lists import REAL, TOTALS
from tests.months import make_season
from tests.pages import flat

pytestmark = pytest.mark.django_db

# Rows of the file that do not sum to zero, and by how much.
ODD = {
    2: 18,
    4: 22,
    13: 10,
    14: 24,
    15: 9,
    16: 12,
    24: -23,
    25: -22,
    45: 15,
    46: 40,
    49: 29,
    50: 19,
    52: -2,
    56: -20,
    75: 9,
}


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def test_the_real_list_gives_its_totals_and_names_its_odd_rows(desk: Desk) -> None:
    address = desk.bring(REAL, "ewige_liste.csv")
    assert everything()["Evening"] == [], "the preview changes nothing"
    html = desk.look(address).content.decode()
    assert "90 Abende vom 20.03.2022 bis 03.11.2024" in html
    assert "15 Zeilen ergeben nicht null" in html
    file = desk.bring_and_take(REAL, "ewige_liste.csv")

    rows = {row.name: row for row in standings(desk.club)}
    assert {name: (row.points, row.figures["evenings"]) for name, row in rows.items()} == TOTALS
    assert all(row.figures["games"] == 0 and row.figures["average"] is None for row in rows.values())
    assert {row: total for row, _day, total in file.report["odd"]} == ODD
    report = desk.client.get(f"/c/karo/imports/{file.pk}/").content.decode()
    for row, total in ODD.items():
        said = f"{total:+d}".replace("-", "−")
        day, summed = r'<td class="text-nowrap">[\d.]+</td>', rf'<td class="num">{re.escape(said)}</td>'
        assert re.search(rf'<td class="num">{row}</td>\s*{day}\s*{summed}', report)

    assert Evening.objects.count() == 90
    assert Evening.objects.filter(held_on="2024-02-25").count() == 2
    assert not Evening.objects.filter(closed_at=None).exists()
    assert not Game.objects.exists()
    assert verified().startswith("Alles stimmt")


def test_the_evenings_of_the_real_list_are_everywhere(desk: Desk) -> None:
    desk.bring_and_take(REAL)
    years = set(Evening.objects.values_list("held_on__year", flat=True))
    pages = [desk.client.get(f"/c/karo/evenings/?year={year}").content.decode() for year in years]
    assert sum(page.count("ohne Spiele übernommen") for page in pages) == 90
    assert not any("0 Spiele" in page for page in pages)
    liste = desk.client.get("/c/karo/list/").content.decode()
    assert "90 Abende ohne Einzelspiele" in liste
    book = load_workbook(BytesIO(desk.client.get("/c/karo/list/excel/").content))
    assert any(
        "90 Abende ohne Einzelspiele" in str(cell.value) for row in book.active.iter_rows(max_row=5) for cell in row
    )

    evening = Evening.objects.get(held_on="2022-03-20")
    assert desk.client.get(f"/c/karo/evenings/{evening.pk}/")["Location"].endswith("/result/")
    result = flat(desk.client.get(f"/c/karo/evenings/{evening.pk}/result/"))
    assert "ohne Spiele übernommen" in result
    assert "Gewonnen:<strong>Berta</strong>" in result
    assert "Zettel zum Drucken" not in result
    text = desk.client.get(f"/c/karo/evenings/{evening.pk}/result/text/").content.decode()
    assert "1. Berta: +28" in text
    assert "Spiele ·" not in text
    assert desk.client.get(f"/c/karo/evenings/{evening.pk}/result/picture/").status_code == 200
    assert desk.client.get(f"/c/karo/evenings/{evening.pk}/paper/")["Location"].endswith("/result/")
    assert desk.client.get(f"/c/karo/evenings/{evening.pk}/close/").status_code == 200
    book = load_workbook(BytesIO(desk.client.get(f"/c/karo/evenings/{evening.pk}/excel/").content))
    values = [[cell.value for cell in row] for row in book["Ergebnis"].iter_rows()]
    assert ["Berta", 28] in values
    assert ["Dora", -12] in values
    assert ["Summe", 18] in values
    assert desk.client.get("/c/karo/").status_code == 200


def test_the_real_list_is_in_months_people_and_the_workbook(desk: Desk) -> None:
    desk.bring_and_take(REAL)
    season = make_season(desk.club, first_day=datetime.date(2022, 1, 1), last_day=datetime.date(2022, 12, 31))
    month = desk.client.get(f"/c/karo/seasons/{season.pk}/2022-04/").context["content"]
    assert {row["name"]: row["result"] for row in month["rows"]}["Berta"] == 100 * sum((-4, -2, 19))
    berta = desk.club.players.get(name="Berta")
    page = desk.client.get(f"/c/karo/people/{berta.pk}/").content.decode()
    assert "624" in page
    assert "zählen bei Punkten und Abenden, in Kurve und Liga, aber nirgends, wo es um einzelne Spiele geht" in page
    book = load_workbook(BytesIO(desk.client.get("/c/karo/file/excel/").content))
    # An evening without its games is no sheet of its own.
    assert len(book.sheetnames) == 15
    _name, _about, _back, heads, *rows = [[cell.value for cell in row] for row in book["Datum × Name"].iter_rows()]
    day = next(row for row in rows if row[0] == datetime.datetime(2022, 3, 20))
    assert {name: points for name, points in zip(heads[1:], day[1:], strict=True) if points is not None} == {
        "Berta": 28, "Emil": 2, "Dora": -12
    }


def test_a_table_without_games_has_no_sheet(desk: Desk) -> None:
    desk.bring_and_take(REAL)
    table = Table.objects.first()
    for page in ("", "seats/", "state/", "rules/", "link/"):
        assert desk.client.get(f"/c/karo/tables/{table.pk}/{page}").status_code == 404, page
    assert desk.client.post(f"/c/karo/tables/{table.pk}/games/", {}, "application/json").status_code == 404
    rules = desk.client.get(f"/c/karo/rules/{table.rule_set_id}/").content.decode()
    assert "/result/" in rules
    assert "/tables/" not in rules
    desk.client.post(f"/c/karo/evenings/{table.evening_id}/discard/")
    assert Table.objects.filter(pk=table.pk).exists(), "an evening that came from a list is not an empty one"


def test_rates_leave_out_what_has_no_games(desk: Desk) -> None:
    """Points from the old list count as points, but nobody knows by how many games to divide them."""
    table = make_table(desk.club, [make_player(desk.club, name) for name in ("Anton", "Berta", "Cäsar", "Dora")])
    add_game(table)
    before = {row.name: row for row in standings(desk.club)}
    desk.bring_and_take(REAL)
    after = {row.name: row for row in standings(desk.club)}
    for name, row in before.items():
        assert after[name].points == row.points + TOTALS[name][0]
        assert after[name].figures["evenings"] == 1 + TOTALS[name][1]
        for rate in ("average", "win_rate", "games", "wins"):
            assert after[name].figures[rate] == row.figures[rate], rate
    assert before["Anton"].figures["average"] not in (0, None)
