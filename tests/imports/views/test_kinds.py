"""The kinds of old lists: by evenings, game by game, and files of clubs that we do not know."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Sum

from scoring.archive.queries import build_archive
from scoring.models import Evening, Game, Import, Player, RuleSet, Score, Table, TableResult
from tests.archive.actions.taking import taken
from tests.desk import Desk, everything, verified
from tests.factories import (
    add_game,
    make_club,
    make_import,
    make_player,
    make_rule_set,
    make_table,
    make_user,
    take_import,
)
from tests.imports.examples import DAYS, GAMES, POINTS, REAL, ROOT
from tests.pages import flat

pytestmark = pytest.mark.django_db

LISTS = ROOT / "fixtures/lists"
# Each file, what is said of it, and a sentence of its preview.
KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "points.csv": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "running_with_totals.csv": ({}, "In den Zellen stehen Spielstände"),
    "spielstaende.csv": ({}, "Derselbe Punktestand wie vorher heißt: an dem Abend nicht dabei."),
    "names_down.csv": ({}, "Für die Vorschau ist das Blatt gedreht."),
    "long.csv": ({}, "Für die Vorschau ist jeder Abend zusammengestellt."),
    "numbered.csv": ({"first": "2023-01-13", "rhythm": "fortnight"}, "vom 13.01.2023 bis 24.03.2023"),
    "numbered_across.csv": ({"first": "2023-01-13", "rhythm": "fortnight"}, "vom 13.01.2023 bis 24.03.2023"),
    "no_year.csv": ({"year": "2023"}, "vom 13.01.2023 bis 24.03.2023"),
    "two_headings.csv": ({}, "keine Punkte"),
    "month_first.csv": ({}, "In den Tagen steht der Monat vorn"),
    "months_as_headings.csv": ({}, "vom 13.01.2023 bis 24.03.2023"),
    "marked.csv": ({}, "keine Person"),
    "beside_points.csv": ({}, "keine Person · wird nicht übernommen (zusammen 21"),
    "repeated.csv": ({}, "Zeile 5 sagt noch einmal dasselbe wie Zeile 4 (Cäsar -6)"),
    "number_and_day.csv": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "days_of_months.xlsx": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "plus_and_minus.csv": ({}, "Plus und Minus stehen in eigenen Spalten"),
    "standing_beside.csv": ({}, "Tabelle ab Zeile 1, Spalte H gehört zu keinem Abend (Berta 16, Anton 15, Emil 2"),
    "evening_by_evening.csv": ({}, "Für die Vorschau ist jeder Abend zusammengestellt."),
    "sheets.xlsx": ({}, "1 Blatt wird ausgelassen"),
    "titles_above.ods": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "titles_above.xls": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
}


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def test_each_kind_of_list_comes_in_right(desk: Desk) -> None:
    truth = {
        (day, name, points)
        for name, row in POINTS.items()
        for day, points in zip(DAYS, row, strict=True)
        if points is not None
    }
    for name, (values, sentence) in KINDS.items():
        address = desk.bring((LISTS / name).read_bytes(), name)
        preview = desk.look(address, **values)
        assert sentence in flat(preview), name
        assert desk.take_seen(address, preview).status_code == 302, name
        results = TableResult.objects.values_list("table__evening__held_on", "player__name", "points")
        assert set(results) == truth and results.count() == len(truth), name
        assert Evening.objects.count() == len(DAYS), name
        desk.undo(Import.objects.get(undone_at=None))


def test_totals_of_games_that_go_on_from_evening_to_evening(desk: Desk) -> None:
    file = desk.bring_and_take((LISTS / "games_running.csv").read_bytes())
    assert (file.report["games"], file.report["by_hand"]) == (6, [])
    results = TableResult.objects.order_by("table__evening__held_on", "player__name")
    assert list(results.values_list("points", flat=True)) == [0, 4, -2, -2, 5, -5, 1, -1]


def test_the_weekday_of_weeks_is_asked(desk: Desk) -> None:
    address = desk.bring((LISTS / "weeks.csv").read_bytes())
    html = desk.look(address).content.decode()
    assert "Kalenderwochen da: Bitte den Wochentag angeben, an dem gespielt wurde." in html
    assert '<option value="4" selected>Freitag</option>' in html
    assert desk.take(address, weekday="1").status_code == 302
    assert sorted(Evening.objects.values_list("held_on", flat=True)) == [day - datetime.timedelta(days=3) for day in DAYS]
    assert set(TableResult.objects.filter(player__name="Emil").values_list("points", flat=True)) == {3, -1}
    html = desk.look(desk.bring((LISTS / "weeks.csv").read_bytes())).content.decode()
    assert '<option value="4" selected>Freitag</option>' in html, "what was imported proposes nothing"
    make_table(desk.club, held_on=datetime.date(2026, 3, 3))
    html = desk.look(desk.bring((LISTS / "weeks.csv").read_bytes())).content.decode()
    assert '<option value="1" selected>Dienstag</option>' in html, "the one on which the club meets"
    assert "weekday" not in desk.look(desk.bring((LISTS / "points.csv").read_bytes())).content.decode()


def test_places_are_no_points(desk: Desk) -> None:
    response = desk.upload((LISTS / "places.csv").read_bytes())
    assert response.status_code == 422
    assert "In den Zellen steht nur, wer da oder auf welchem Platz war, und keine Punkte" in response.content.decode()


@pytest.mark.parametrize("name", ["opening.csv", "anfangsstand.csv"])
def test_a_table_of_totals_is_no_list_of_evenings(desk: Desk, name: str) -> None:
    response = desk.upload((LISTS / name).read_bytes())
    assert response.status_code == 422
    assert (
        "Das ist ein Anfangsstand, keine Liste von Abenden: Bitte „Anfangsstand eingeben“ wählen."
        in response.content.decode()
    )


def test_missing_facts_are_asked_before_anything_is_offered(desk: Desk) -> None:
    for name, sentence in (
        ("numbered.csv", "Bitte den Tag des ersten angeben, und wie oft gespielt wurde."),
        ("no_year.csv", "Bitte das Jahr des ersten Abends angeben."),
    ):
        html = desk.look(desk.bring((LISTS / name).read_bytes())).content.decode()
        assert sentence in html and 'name="take"' not in html, name
        assert "01.01.1950" not in html


def test_the_user_is_asked_if_points_and_totals_look_alike(desk: Desk) -> None:
    rows = [(20, -20), (35, -35), (18, -18), (2, -2), (17, -17), (35, -35)]
    lines = [f"{day}.3.24;{first};{second}" for day, (first, second) in enumerate(rows, 1)]
    address = desk.bring("Datum;Anton;Berta\n" + "\n".join(lines))
    html = desk.look(address).content.decode()
    assert "Das lässt sich der Datei nicht sicher ansehen." in html and 'name="take"' not in html
    assert "Punkte dieses Abends: Anton kommt auf 127" in html
    assert "Punktestand nach dem Abend: Anton kommt auf 35" in html
    assert desk.take(address, cells="totals").status_code == 302
    assert list(TableResult.objects.filter(player__name="Anton").values_list("points", flat=True)) == [
        20,
        15,
        -17,
        -16,
        15,
        18,
    ]


def test_columns_left_out_show_what_they_would_bring(desk: Desk) -> None:
    html = flat(desk.look(desk.bring((LISTS / "names_down.csv").read_bytes())))
    assert "Spalte I („Gesamt“) gehört zu keinem Abend (Anton 15, Berta 16, Cäsar -12, Dora -21 …)" in html
    html = flat(desk.look(desk.bring((LISTS / "numbered.csv").read_bytes()), first="2023-01-13"))
    assert "Zeile 8 ist eine Summe (Anton 15, Berta 16, Cäsar -12, Dora -21 …)" in html
    html = flat(desk.look(desk.bring((LISTS / "beside_points.csv").read_bytes())))
    assert "keine Person · wird nicht übernommen (0,50, 0,50, 0,50, 0,50 …" in html
    html = flat(desk.look(desk.bring((LISTS / "two_headings.csv").read_bytes())))
    assert "keine Punkte · wird nicht übernommen (zusammen 1)" in html


@pytest.mark.parametrize(("taken_in", "read"), [("de", "en"), ("en", "de")])
def test_the_report_is_read_in_the_language_of_the_reader(desk: Desk, taken_in: str, read: str) -> None:
    """Reasons and places are independent of the language of the admin who took the list in."""
    values = {
        "de": "Spalte I („Gesamt“) gehört zu keinem Abend (Anton 15, Berta 16,",
        "en": "Column I (“Gesamt”) belongs to no evening (Anton 15, Berta 16,",
    }
    desk.client.defaults["HTTP_ACCEPT_LANGUAGE"] = taken_in
    file = desk.bring_and_take((LISTS / "names_down.csv").read_bytes())
    page = flat(desk.client.get(f"/c/karo/imports/{file.pk}/", headers={"accept-language": read}))
    assert values[read] in page
    came = taken(build_archive(desk.club).replace(b'"slug": "karo"', b'"slug": "pik"'))
    assert came.imports.get().report == file.report


def test_sheets_taken_one_by_one_are_no_repetition(desk: Desk) -> None:
    data = (LISTS / "sheets.xlsx").read_bytes()
    address = desk.bring(data)
    form = desk.look(address).context["form"]
    assert [field.value() for field in form.sheet_fields] == [True] * 3
    first = {name: value for name, value in form.data.items() if name not in ("sheet_1", "sheet_2")}
    form = desk.client.post(address, first).context["form"]
    assert desk.client.post(address, {**form.data, "seen": form.fingerprint, "take": "1"}).status_code == 302
    assert Evening.objects.count() == 2
    address = desk.bring(data)
    html = desk.look(address).content.decode()
    assert "Januar 2023 (schon übernommen)" in html and "Diese Datei wurde schon am" not in html
    assert desk.take(address).status_code == 302
    assert sorted(Evening.objects.values_list("held_on", flat=True)) == DAYS
    assert "Diese Datei wurde schon am" in desk.look(desk.bring(data)).content.decode()


def test_every_file_is_taken_in_here() -> None:
    assert {path.name for path in Path(LISTS).iterdir()} == {
        *KINDS,
        "weeks.csv",
        "places.csv",
        "games_running.csv",
        "opening.csv",
        "anfangsstand.csv",
    }


# --- Game by game -----------------------------------------------------------------------------------------------------


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


def test_a_player_who_sits_out_has_no_points(desk: Desk) -> None:
    """Five and seven people at a table for four, with a blank cell or a dash for those who sit out."""
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
    """By the shares of anleitung (without its Bock) a solo does not sum to zero; klassisch pays winners from the Kasse."""
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
    """The sheet has running totals, a dash for players who sit out, and rows of sums and checks."""
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
    """Its report has places, several tables of an evening, people with their days, and names of sheets."""
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


# --- Files of other clubs (fixtures/strangers) ------------------------------------------------------------------------


def file(name: str) -> bytes:
    return (ROOT / "fixtures/strangers" / name).read_bytes()


def totals() -> dict[str, int]:
    rows = TableResult.objects.values_list("player__name").annotate(Sum("points"))
    return dict(rows.order_by("player__name"))


def days() -> list[str]:
    return [f"{day:%d.%m.%Y}" for day in Evening.objects.order_by("held_on").values_list("held_on", flat=True)]


def test_a_time_with_a_zone_is_read_in_the_zone_of_the_club(desk: Desk) -> None:
    desk.bring_and_take(file("days_in_utc.csv"))
    assert days() == ["13.01.2023", "27.01.2023", "10.02.2023"]


def test_games_with_times_are_one_evening(desk: Desk) -> None:
    desk.bring_and_take(file("games_with_times_zero_sum.csv"))
    assert days() == ["07.05.2026"] and Game.objects.filter(form="short").count() == 5
    assert [*totals()] == ["Edda", "Falk", "Gesa", "Hinrich"]


def test_marks_of_direction_are_dropped(desk: Desk) -> None:
    desk.bring_and_take(file("pasted_from_a_messenger.csv"))
    assert totals() == {"Edda": 9, "Falk": 17, "Gesa": -15, "Jan": -11}


def test_a_hidden_sheet_is_named_and_joins_by_one_tap(desk: Desk) -> None:
    address = desk.bring(file("hidden_sheet_2022.xlsx"), "liste.xlsx")
    page = desk.look(address)
    assert "Das Blatt „2022“ ist in der Datei ausgeblendet und wird nicht übernommen. Gehört es dazu?" in flat(page)
    assert "Blatt „2022“: ist ausgeblendet" in flat(page)
    form = page.context["form"]
    assert len(form.reading.sittings) == 3
    tapped = desk.client.post(address, {**dict(form.hidden_values), "sheet_1": "on"})
    assert len(tapped.context["form"].reading.sittings) == 5 and "bleibt weg. Gehört" not in flat(tapped)
    assert desk.take_seen(address, tapped).status_code == 302
    assert days() == ["14.01.2022", "28.01.2022", "13.01.2023", "27.01.2023", "10.02.2023"]


def test_a_hidden_sheet_stays_away_where_nothing_is_tapped(desk: Desk) -> None:
    desk.bring_and_take(file("hidden_sheet_2022.xlsx"), "liste.xlsx")
    assert days() == ["13.01.2023", "27.01.2023", "10.02.2023"]


def test_a_column_of_checks_is_left_out(desk: Desk) -> None:
    desk.bring_and_take(file("euro_with_check_column.csv"))
    assert totals() == {"Anni": 65, "Bert": -25, "Cleo": -35, "Dora": -5}


def test_a_guest_in_brackets_is_proposed_as_the_guest(desk: Desk) -> None:
    desk.bring_and_take(file("guest_in_brackets_two_headings.csv"))
    assert totals() == {"Anni": 13, "Bert": -5, "Cleo": -7, "Ralf": -1}
    assert Player.objects.get(name="Ralf").guest


@pytest.mark.parametrize("known", [True, False])
def test_a_heading_may_be_a_name(desk: Desk, known: bool) -> None:
    if known:
        make_player(desk.club, "Max")
    desk.bring_and_take(file("list_with_max.csv"))
    assert totals() == {"Edda": 9, "Max": 17, "Gesa": -15, "Jan": -11}


@pytest.mark.parametrize("known", [True, False])
def test_a_name_below_name_is_a_person(desk: Desk, known: bool) -> None:
    if known:
        make_player(desk.club, "Max")
    desk.bring_and_take(file("long_list_with_max.csv"))
    assert totals() == {"Edda": 4, "Max": 16, "Gesa": -6, "Jan": -14}


def test_a_player_of_the_club_is_that_player_whatever_the_name_means(desk: Desk) -> None:
    names = ["Summer", "Ende", "Wein", "Bock", "Summe"]
    for name in names[:-1]:
        make_player(desk.club, name)
    rows = "13.01.2023;3;1;-2;5;0\n27.01.2023;1;;2;7;10\n10.02.2023;-1;1;;4;4\n"
    desk.bring_and_take(";".join(["Datum", *names]) + "\n" + rows)
    assert totals() == {"Summer": 3, "Ende": 2, "Wein": 0, "Bock": 16}
    assert Player.objects.count() == 4


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_every_name_of_our_own_sheet_is_a_person(desk: Desk, ending: str) -> None:
    people = [make_player(desk.club, name) for name in ("Max", "Ende", "Wein", "Kasse")]
    table = make_table(desk.club, people)
    add_game(table)
    address = f"/c/karo/list/evenings/{'csv' if ending == 'csv' else 'excel'}/"
    answer = desk.client.get(address)
    name = answer["Content-Disposition"].split('"')[1]
    other = make_club("Herz", slug="herz")
    there = Desk(other, make_user("emil", other, ["admin"]))
    there.bring_and_take(answer.content, name)
    assert set(Player.objects.filter(club=other).values_list("name", flat=True)) == {"Max", "Ende", "Wein", "Kasse"}


def test_other_apostrophes_and_hyphens_are_the_same_people(desk: Desk) -> None:
    for name in ("Sean O’Neill", "Özgür Ilhan", "Anna-Lena", "Jan"):
        make_player(desk.club, name)
    desk.bring_and_take(file("same_people_other_signs.csv"))
    assert totals() == {"Sean O’Neill": 9, "Özgür Ilhan": 17, "Anna-Lena": -15, "Jan": -11}
    assert Player.objects.count() == 4


def test_other_spellings_are_proposed_and_other_letters_are_other_people(desk: Desk) -> None:
    for name in ("Änne", "Müller", "Weiß", "Jan"):
        make_player(desk.club, name)
    rows = "13.01.2023;12;-4;-6;-2;0\n27.01.2023;-8;20;0;-12;0\n"
    desk.bring_and_take("Datum;Aenne;Mueller;Weiß;Weiss;Jan\n" + rows)
    assert totals() == {"Änne": 4, "Müller": 16, "Weiß": -6, "Weiss": -14, "Jan": 0}

