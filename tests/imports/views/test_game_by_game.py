"""Sheets game by game, other rules, our own files, and what former versions took in."""

from __future__ import annotations

import datetime

import pytest

from scoring.models import Evening, Game, Import, Player, RuleSet, Score, Table, TableResult
from tests.desk import Desk, everything, verified
from tests.factories import add_game, make_club, make_import, make_rule_set, make_table, make_user, take_import
from tests.imports.lists import GAMES, REAL
from tests.pages import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def test_a_sheet_becomes_lines_whose_totals_are_the_files(desk: Desk) -> None:
    address = desk.bring(GAMES)
    html = desk.look(address).content.decode()
    assert "7 Spiele in der Kurzform" in html
    assert "2 Zeilen als Berichtigung von Hand, weil sie zu keinem Spiel dieser Regeln passen: 6, 8" in html
    desk.take(address)
    first, second = Evening.objects.order_by("held_on")
    totals = dict(TableResult.objects.filter(table__evening=first).values_list("player__name", "points"))
    assert totals == {"Anton": 14, "Berta": 2, "Cäsar": -8, "Dora": -8}
    totals = dict(TableResult.objects.filter(table__evening=second).values_list("player__name", "points"))
    assert totals == {"Anton": 7, "Berta": -5, "Cäsar": 1, "Dora": -3}
    forms = list(Game.objects.filter(round__table__evening=first).order_by("position").values_list("form", flat=True))
    assert forms == ["short", "short", "short", "short", "correction"]
    solo = Game.objects.filter(round__table__evening=first).order_by("position")[2]
    assert solo.facts == {"winners": [0], "base": 3, "solo": True}
    assert Score.objects.filter(game=solo, solo=True, won=True, points=9).count() == 1
    table = first.tables.get()
    assert not table.without_games
    assert desk.client.get(f"/c/karo/tables/{table.pk}/").status_code == 200
    assert verified().startswith("Alles stimmt")
    assert RuleSet.objects.get(club=desk.club).name == "Übernommen"


def test_a_sheet_of_running_totals_is_told_apart(desk: Desk) -> None:
    running = "Nr.;Anton;Berta;Cäsar;Dora\n1;3;3;-3;-3\n2;1;5;-5;-1\n3;10;2;-8;-4\n4;9;1;-5;-5\nSumme;9;1;-5;-5\n"
    address = desk.bring(running, "zettel.csv")
    response = desk.look(address)
    assert response.context["form"].data["cells"] == "totals"
    assert "In der Datei steht kein Tag" in response.content.decode()
    assert "diese Zeilen in der Datei berichtigen" not in response.content.decode()
    assert "1950" not in response.content.decode()
    assert "Übernehmen</button>" not in response.content.decode()
    assert desk.take(address, day="2024-03-01").status_code == 302
    totals = dict(TableResult.objects.values_list("player__name", "points"))
    assert totals == {"Anton": 9, "Berta": 1, "Cäsar": -5, "Dora": -5}
    assert list(Game.objects.order_by("position").values_list("form", flat=True)) == ["short"] * 4
    assert Evening.objects.get().held_on == datetime.date(2024, 3, 1)
    assert verified().startswith("Alles stimmt")


def test_who_sits_out_has_no_points(desk: Desk) -> None:
    """Five and seven at a table for four, blank or with a dash where somebody sits out."""
    five = "Datum;A;B;C;D;E\n1.3.24;-;2;2;-2;-2\n;3;;-1;-1;-1\n;1;1;0;-1;-1\n"
    file = desk.bring_and_take(five)
    assert file.report["by_hand"] == []
    assert [game.facts["out"] for game in Game.objects.order_by("position")] == [[0], [1], [2]]
    seven = "Datum;A;B;C;D;E;F;G\n1.4.24;;;;2;2;-2;-2\n;2;2;-2;-2;;;\n"
    assert desk.bring_and_take(seven).report["by_hand"] == []
    assert verified().startswith("Alles stimmt")


def test_a_line_up_that_fits_no_table_comes_with_its_sums(desk: Desk) -> None:
    file = desk.bring_and_take("Datum;A;B;C\n1.3.24;2;-1;-1\n;-4;2;2\n;3;-6;3\n;0;0;0\n")
    assert file.report["together"] == 1
    assert dict(TableResult.objects.values_list("player__name", "points")) == {"A": 1, "B": -5, "C": 4}
    assert Table.objects.get().without_games


@pytest.mark.parametrize("preset", ["anleitung", "klassisch", "vln"])
def test_other_rules_explain_what_fits_them(desk: Desk, preset: str) -> None:
    """Under anleitung's shares (without its Bock) a solo does not sum to zero; klassisch pays winners from the Kasse."""
    rules = make_rule_set(desk.club, preset, "Unsere", bock=None)
    rows = {
        "anleitung": ("12;-12;-12;-12", "4;4;-4;-4"),
        "klassisch": ("10;10;;", "60;-20;-20;-20"),
        "vln": ("8;-8;-8;-8", "1;1;-1;-1"),
    }[preset]
    rows = tuple(row.replace(";;", ";0;0") for row in rows)
    address = desk.bring("Datum;A;B;C;D\n" + "".join(f"1.3.24;{row}\n" for row in rows) + "1.3.24;1;2;3;-6\n" * 3)
    desk.take(address, kind="games", rule_set=rules.pk)
    assert list(Game.objects.order_by("position").values_list("form", flat=True)) == ["short"] * 2 + ["correction"] * 3
    assert verified().startswith("Alles stimmt")


def test_rules_with_bock_are_refused_for_games(desk: Desk) -> None:
    rules = make_rule_set(desk.club, "anleitung", "Mit Bock")
    address = desk.bring(GAMES)
    response = desk.take(address, rule_set=rules.pk)
    assert response.status_code == 422
    assert "Bitte ein Regelwerk ohne Bock wählen" in response.content.decode()
    assert not Evening.objects.exists()
    assert desk.take(desk.bring(REAL), rule_set=rules.pk).status_code == 302, "of evenings no game is doubled"


def test_our_own_evening_comes_back_from_its_excel_file(desk: Desk) -> None:
    """The sheet as on paper holds running totals, a dash for who sits out, sums and a check row below."""
    table = make_table(desk.club, 5)
    for dealer in range(5):
        re = [seat for seat in range(5) if seat != dealer][:2]
        add_game(table, dealer=dealer, re=re, eyes=130 + dealer * 20)
    add_game(table, dealer=0, kind="damensolo", re=[2], eyes=100)
    stored = dict(TableResult.objects.values_list("player__name", "points"))
    data = desk.client.get(f"/c/karo/evenings/{table.evening_id}/excel/").content
    other = make_club("Pik Dame", slug="pik")
    there = Desk(other, make_user("pia", other, ["admin"]))
    file = there.bring_and_take(data, "abend.xlsx", day="2026-03-06")
    assert (file.report["games"], file.report["by_hand"]) == (6, [])
    results = TableResult.objects.filter(table__imported=file)
    assert dict(results.values_list("player__name", "points")) == stored
    assert verified().startswith("Alles stimmt")


def test_our_own_workbook_that_waits_since_a_former_version_can_be_thrown_away(desk: Desk) -> None:
    file = make_import(desk.club, actor=desk.user)
    names = ["Deckblatt", "Punkte", "Spiele", "Personen", "Hausregeln", "06.03.2026"]
    file.sheets = [{"name": name, "rows": [["Datum", "A", "B"], ["6.3.26", "1", "-1"]]} for name in names]
    file.save()
    address = f"/c/karo/imports/{file.pk}/"
    for response in (desk.client.get(address), desk.client.post(address, {"sheet": "2", "take": "1"})):
        assert "Einen ganzen Club bringt sein Archiv mit" in response.content.decode()
    assert response.status_code == 422
    assert not Evening.objects.exists()
    assert desk.client.post(f"{address}discard/").status_code == 302
    assert not Import.objects.exists()


def test_our_own_workbook_that_a_former_version_took_in_is_told_and_goes_again(desk: Desk) -> None:
    """It brought places, several tables of an evening, people with their days, and named its sheets."""
    before = everything()
    file = take_import(make_import(desk.club, actor=desk.user), desk.user)
    table = Table.objects.filter(imported=file).first()
    assert table
    second = Table.objects.create(
        evening=table.evening, number=2, rule_set=table.rule_set, imported=file, without_games=True
    )
    result = TableResult.objects.filter(table=table).first()
    result.pk, result.table = None, second
    result.save(force_insert=True)
    Evening.objects.filter(pk=table.evening_id).update(place="Gasthaus")
    Player.objects.filter(pk__in=file.made["players"]).update(guest=True, joined_on=datetime.date(2020, 1, 1))
    file.report |= {
        "by_hand": ["06.03.2026: 12"],
        "left_out": [[3, "ist eine Summe", "Spiele"], [4, "ist leer", ""]],
    }
    file.save()
    html = flat(desk.client.get(f"/c/karo/imports/{file.pk}/"))
    assert "<li>Spiele: Zeile 3 ist eine Summe</li>" in html
    assert "<li>Zeile 4 ist leer</li>" in html
    assert "06.03.2026: 12" in html
    desk.undo(file)
    assert everything() == before
