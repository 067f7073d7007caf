"""Our own sheet "Datum × Name" can be imported in an empty club: the same points, days and people. Our other tables are refused
with a hint."""

from __future__ import annotations

import datetime
from collections import Counter
from io import BytesIO

import pytest
from django.db.models import Sum
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from scoring.league.exports import build_month_file
from scoring.models import Club, Import, RuleSet, Score, TableResult
from tests.effort import in_soak
from tests.exports.full import full_club
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.imports.uploads import Desk, verified
from tests.months import read_month

pytestmark = pytest.mark.django_db

Evenings = Counter[tuple[datetime.date, frozenset[tuple[str, int]]]]


def a_club() -> Club:
    """Create a club with names that look like formulas, a penalty, two tables on one evening, and cents beside points."""
    club = full_club()
    club.slug = "karo"
    club.save()
    return club


def by_the_facts(club: Club) -> Evenings:
    """Return the day and the points by player of each evening in points, summed up from games or as imported."""
    found: dict[int, Counter[str]] = {}
    days = {}
    for score in Score.objects.filter(game__round__table__evening__club=club, game__round__table__rule_set__unit="points"):
        if score.played or score.points:
            evening = score.game.round.table.evening
            days[evening.pk] = evening.held_on
            own = found.setdefault(evening.pk, Counter())
            own[score.player.name] = own[score.player.name] + score.points
    sums = TableResult.objects.filter(table__evening__club=club, table__without_games=True)
    for result in sums.filter(table__rule_set__unit="points"):
        evening = result.table.evening
        days[evening.pk] = evening.held_on
        own = found.setdefault(evening.pk, Counter())
        own[result.player.name] = own[result.player.name] + result.points
    return Counter((days[pk], frozenset(own.items())) for pk, own in found.items())


def export(club: Club, which: str, language: str = "de") -> bytes:
    client = Client(headers={"accept-language": language})
    client.force_login(make_user(f"reader-{which}-{language}", club))
    address = {
        "csv": "list/evenings/csv/?year=&unit=points",
        "excel": "list/evenings/excel/?year=&unit=points",
        "workbook": "file/excel/",
        "of the workbook": "file/csv/evenings-points/",
    }[which]
    answer = client.get(f"/c/{club.slug}/{address}")
    assert answer.status_code == 200
    return b"".join(answer) if answer.streaming else answer.content


def a_desk() -> Desk:
    """Return the desk of the admin of another empty club."""
    number = Club.objects.count()
    club = make_club(f"Herz {number}", slug=f"herz-{number}")
    return Desk(club, make_user(f"anna-{number}", club, ["admin"]))


def test_our_sheet_can_be_imported_in_an_empty_club() -> None:
    club = a_club()
    expected = by_the_facts(club)
    assert sum(expected.values()) == 3
    for which, language in (("csv", "de"), ("excel", "de"), ("workbook", "de"), ("of the workbook", "de"), ("excel", "en")):
        desk, data = a_desk(), export(club, which, language)
        file = desk.bring_and_take(data, "blatt.xlsx" if which in ("excel", "workbook") else "blatt.csv")
        assert (by_the_facts(desk.club), file.report["evenings"]) == (expected, 3), (which, language)
    assert verified().startswith("Alles stimmt")


def test_every_name_in_it_is_a_person() -> None:
    """Names can be words that mean a total, a balance, a sign or another column elsewhere."""
    club = make_club("Karo", slug="karo")
    names = ["Start", "Stand", "Saldo", "Ende", "Anna", "Anna Summe", "Plus", "Minus", "Max", "Wein", "Kasse", "Bodo"]
    people = [make_player(club, name) for name in names]
    for day, players in ((6, people[:4]), (13, people[4:8]), (20, people[8:])):
        rule_set = RuleSet.objects.filter(club=club).first()
        add_game(make_table(club, players=players, rule_set=rule_set, held_on=datetime.date(2026, 3, day)))
    for which in ("csv", "excel", "workbook"):
        desk = a_desk()
        desk.bring_and_take(export(club, which), "datum-name-karo.csv" if which == "csv" else "blatt.xlsx")
        assert by_the_facts(desk.club) == by_the_facts(club), which


def test_saved_by_a_program_that_works_out_formulas_it_is_the_same() -> None:
    """The results of our formulas are then numbers, but still no evenings and no players."""
    club, desk = a_club(), a_desk()
    book = load_workbook(BytesIO(export(club, "excel")))
    for row in book.active.iter_rows():
        for cell in row:
            if cell.data_type == "f":
                cell.value = 0
    buffer = BytesIO()
    book.save(buffer)
    desk.bring_and_take(buffer.getvalue(), "blatt.xlsx")
    assert by_the_facts(desk.club) == by_the_facts(club)


@pytest.mark.parametrize("language", ["de", in_soak("en")])
def test_our_tables_that_are_no_lists_are_refused_with_a_hint(language: str) -> None:
    club, desk = a_club(), a_desk()
    client = Client(headers={"accept-language": language})
    client.force_login(make_user("leser", club))
    at = f"/c/{club.slug}"
    season = club.seasons.get()
    files = {
        "Ewige Liste": client.get(f"{at}/list/excel/?all=1").content,
        "Spiele": client.get(f"{at}/file/csv/games/").content,
        "Personen": client.get(f"{at}/file/csv/people/").content,
        "Hausregeln": client.get(f"{at}/file/csv/rules/").content,
        "Liga": client.get(f"{at}/file/csv/season-{season.pk}/").content,
    }
    for name, data in files.items():
        html = desk.upload(data, "unsere.xlsx" if name == "Ewige Liste" else "unsere.csv").content.decode()
        assert f"unsere eigene Tabelle „{name}“" in html, name
        assert "„Datum × Name“" in html
    with translation.override(language):
        month = build_month_file(read_month(season, "2026-03"), "")
    html = desk.upload(month, "monat.xlsx").content.decode()
    assert "unsere eigene Tabelle „Liga“" in html
    assert not Import.objects.filter(club=desk.club).exists()



@pytest.mark.parametrize("language", ["de", "en"])
def test_the_template_with_the_names_of_the_club_comes_in_without_a_choice(language: str) -> None:
    desk = a_desk()
    players = {make_player(desk.club, name).pk: name for name in ("Ende", "Max", "Bodo")}
    address = reverse("list_template", args=[desk.club.slug])
    book = load_workbook(BytesIO(desk.client.get(address, headers={"accept-language": language}).content))
    heads = {cell.value: cell for row in book.active.iter_rows() for cell in row if cell.value}
    for nth, day in enumerate((6, 13), 1):
        row = heads["Max"].row + nth
        book.active.cell(row, 1).value = datetime.date(2026, 3, day)
        for name, points in (("Ende", 5), ("Max", -2 * nth), ("Bodo", 2 * nth - 5)):
            book.active.cell(row, heads[name].column).value = points
    buffer = BytesIO()
    book.save(buffer)
    desk.bring_and_take(buffer.getvalue(), "vorlage.xlsx")
    totals = dict(TableResult.objects.values_list("player").annotate(Sum("points")))
    assert totals == dict(zip(players, (10, -6, -4), strict=True))
    rows = ["Datum", *players.values()], ["20.03.2026", "1", "1", "-2"], ["27.03.2026", "3", "", "-3"]
    pasted = "\n".join(map("\t".join, rows))
    address = desk.client.post(f"/c/{desk.club.slug}/imports/", {"cells": pasted})["Location"]
    assert desk.take(address).status_code == 302 and desk.club.evenings.count() == 4
