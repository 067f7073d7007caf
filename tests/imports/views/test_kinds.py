"""The kinds of old lists: by evenings, game by game, and files of clubs that we do not know."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from scoring.archive.queries import build_archive
from scoring.models import Evening, Game, Import, Player, RuleSet, Score, Table, TableResult
from tests.archive.actions.taking import taken
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
from tests.html import flat
from tests.imports.examples import (
    CELLS,
    DAY_TEXTS,
    DAYS,
    GAMES,
    HEADS,
    LIST,
    NAMES,
    ROOT,
    ROWS,
    TRUTH,
    read_preview,
    sheets,
    sums,
    text,
)
from tests.imports.uploads import Desk, everything, verified

pytestmark = pytest.mark.django_db

LISTS = ROOT / "fixtures/lists"
BEFORE = ["02.12.2022", "09.12.2022", "16.12.2022"]
FEW = [["5", "-3", "2", "-4", "0"], ["12", "-10", "1", "-3", "0"], ["10", "-8", "5", "-7", "0"]]
# Each file, what the user says about it, and sentences of its preview.
KINDS: dict[str, tuple[dict[str, Any], *tuple[str, ...]]] = {
    "points.csv": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "running_with_totals.csv": ({}, "In den Zellen stehen Spielstände"),
    "spielstaende.csv": ({}, "Derselbe Punktestand wie vorher heißt: an dem Abend nicht dabei."),
    "names_down.csv": (
        {},
        "Für die Vorschau ist das Blatt gedreht.",
        "Spalte I („Gesamt“) gehört zu keinem Abend (Anton 15, Berta 16, Cäsar -12, Dora -21 …)",
    ),
    "long.csv": ({}, "Für die Vorschau ist jeder Abend zusammengestellt."),
    "numbered.csv": (
        {"first": "2023-01-13", "rhythm": "fortnight"},
        "vom 13.01.2023 bis 24.03.2023",
        "Zeile 8 ist eine Summe (Anton 15, Berta 16, Cäsar -12, Dora -21 …)",
    ),
    "numbered_across.csv": ({"first": "2023-01-13", "rhythm": "fortnight"}, "vom 13.01.2023 bis 24.03.2023"),
    "no_year.csv": ({"year": "2023"}, "vom 13.01.2023 bis 24.03.2023"),
    "two_headings.csv": ({}, "keine Punkte · wird nicht übernommen (zusammen 1)"),
    "month_first.csv": ({}, "In den Tagen steht der Monat vorn"),
    "months_as_headings.csv": ({}, "vom 13.01.2023 bis 24.03.2023"),
    "marked.csv": ({}, "keine Person"),
    "beside_points.csv": (
        {},
        "keine Person · wird nicht übernommen (zusammen 21",
        "keine Person · wird nicht übernommen (0,50, 0,50, 0,50, 0,50 …",
    ),
    "repeated.csv": ({}, "Zeile 5 sagt noch einmal dasselbe wie Zeile 4 (Cäsar -6)"),
    "number_and_day.csv": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "days_of_months.xlsx": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "plus_and_minus.csv": ({}, "Plus und Minus stehen in eigenen Spalten"),
    "standing_beside.csv": ({}, "keine Person · wird nicht übernommen"),
    "evening_by_evening.csv": ({}, "Für die Vorschau ist jeder Abend zusammengestellt."),
    "sheets.xlsx": ({}, "1 Blatt wird ausgelassen"),
    "titles_above.ods": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
    "titles_above.xls": ({}, "6 Abende vom 13.01.2023 bis 24.03.2023"),
}


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def test_each_kind_of_list_is_read_right(desk: Desk) -> None:
    for name, (values, *sentences) in KINDS.items():
        preview = desk.look(desk.bring((LISTS / name).read_bytes(), name), **values)
        html = flat(preview)
        assert [sentence for sentence in sentences if sentence not in html] == [], name
        assert 'name="take"' in html and read_preview(preview.context["form"]) == TRUTH, name


def test_the_place_of_each_evening_is_kept_unless_its_column_is_left_out(desk: Desk) -> None:
    content = (LISTS / "beside_points.csv").read_bytes()
    page = desk.look(desk.bring(content))
    data = page.context["form"].data
    assert data["column_9"] == "place" and "steht beim Abend" in flat(page)
    desk.undo(desk.bring_and_take(content, column_9="skip"))
    desk.bring_and_take(content)
    assert set(Evening.objects.values_list("place", flat=True)) == {"bei Anton"}
    games = GAMES.replace("Dora", "Dora;Ort", 1).replace("01.03.24;3;3;-3;-3", "01.03.24;3;3;-3;-3;" + "Löwe " * 20)
    desk.bring_and_take(games)
    assert [one.place for one in Evening.objects.filter(held_on__year=2024).order_by("held_on")] == [("Löwe " * 12).strip(), ""]


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


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("places.csv", "In den Zellen steht nur, wer da oder auf welchem Platz war, und keine Punkte"),
        ("opening.csv", "Das ist ein Anfangsstand, keine Liste von Abenden: Bitte „Anfangsstand eingeben“ wählen."),
        ("anfangsstand.csv", "Das ist ein Anfangsstand, keine Liste von Abenden: Bitte „Anfangsstand eingeben“ wählen."),
    ],
)
def test_a_file_that_is_no_list_of_points_is_refused(desk: Desk, name: str, sentence: str) -> None:
    response = desk.upload((LISTS / name).read_bytes())
    assert response.status_code == 422 and sentence in response.content.decode()


STANDS = [[day, *sums(ROWS[: nth + 1])] for nth, day in enumerate(DAY_TEXTS)]
BLANK = [[now and (was or now) for was, now in zip(stands, row, strict=True)] for stands, row in zip(STANDS, ROWS, strict=True)]
ZEROS = [[cell or "0" for cell in row] for row in ROWS]
MOSTLY_ODD = [[day, *(["3", "3", "", ""] if nth % 2 else ["", "2", "2", ""])] for nth, day in enumerate(DAY_TEXTS)]


def test_previews_say_what_they_assume_and_what_is_missing(desk: Desk) -> None:
    zero = "Niemand fehlt je, und 7-mal steht 0: Eine 0 gilt als dabei."
    for content, sentence, is_complete in (
        (text(NAMES, *CELLS), "Bitte in der Datei zu jedem Abend seinen Tag schreiben", False),
        ((LISTS / "numbered.csv").read_bytes(), "Bitte den Tag des ersten angeben, und wie oft gespielt wurde.", False),
        ((LISTS / "no_year.csv").read_bytes(), "Bitte das Jahr des ersten Abends angeben.", False),
        (text(HEADS, *BLANK), "heißt: nicht dabei. Derselbe Punktestand wie vorher heißt: dabei, mit 0.", True),
        (text(HEADS, *ZEROS), zero, True),
        (text(HEADS[:5], *MOSTLY_ODD), "Die meisten Zeilen ergeben nicht null: Stehen nur Pluspunkte in der Datei", True),
        (sheets(**{"Januar 2023": [HEADS, *ROWS[:2]], "2023": [HEADS, *ROWS]}), "Blatt „2023“: ist nicht angekreuzt", True),
    ):
        html = flat(desk.look(desk.bring(content)))
        assert sentence in html and ('name="take"' in html) is is_complete, sentence
        assert "01.01.1950" not in html
    preview = desk.look(desk.bring(text(HEADS, *ZEROS)), cells="no_zeros")
    assert zero not in flat(preview) and read_preview(preview.context["form"]) == TRUTH


def test_the_user_is_asked_whether_cells_are_points_or_totals(desk: Desk) -> None:
    asked = "Das lässt sich der Datei nicht sicher ansehen. Bitte wählen."
    alike = [(20, -20), (35, -35), (18, -18), (2, -2), (17, -17), (35, -35)]
    for rows, choice, points in (
        ([[str(cell) for cell in row] for row in alike], "totals", [20, 15, -17, -16, 15, 18]),
        ([row[1:] for row in STANDS[:3]], "points", [12, 4, 9]),
    ):
        lines = [[day, *row] for day, row in zip(DAY_TEXTS, rows, strict=False)]
        address = desk.bring(text(HEADS[: len(lines[0])], *lines))
        html = flat(desk.look(address))
        assert asked in html and 'name="take"' not in html
        assert f"Punkte dieses Abends: Anton kommt auf {sum(int(row[0]) for row in rows)}" in html
        assert f"Punktestand nach dem Abend: Anton kommt auf {rows[-1][0]}" in html
        found = sorted(read_preview(desk.look(address, cells=choice).context["form"]))
        assert [amount for _day, name, amount in found if name == "Anton"] == points
    address = desk.bring(text(HEADS, *([day, *row] for day, row in zip(BEFORE, FEW, strict=True)), *STANDS))
    html = flat(desk.look(address))
    assert asked in html and "Punktestand nach dem Abend: Anton kommt auf 15" in html
    assert "Punktestand nach dem Abend, jedes Jahr von vorn: Anton kommt auf 25" in html
    found = read_preview(desk.look(address, cells="by_year").context["form"])
    assert {entry for entry in found if entry[0].year == 2023} == TRUTH and len(found - TRUTH) == 12


def test_a_column_of_guests_is_proposed_as_a_guest(desk: Desk) -> None:
    address = desk.bring("Datum;Anton;Gäste\n1.3.24;1;-1\n")
    form = desk.look(address).context["form"]
    assert {person.name: person.guest for person in form.people.values()} == {"Anton": False, "Gäste": True}
    data = {name: value for name, value in form.data.items() if name != "guest_2"}
    assert not desk.client.post(address, data).context["form"].columns[1]["guest"].value()


def test_a_sheet_for_each_evening_holds_games_and_their_sum(desk: Desk) -> None:
    games = [["Spiel", *NAMES[:4]], [1, 3, 3, -3, -3], [2, -1, 1, -1, 1], ["Summe", 2, 4, -4, -2]]
    form = desk.look(desk.bring(sheets(**{f"{day:%d.%m.%y}": games for day in DAYS[:2]}))).context["form"]
    assert [(one.held_on, len(one.lines), [*one.points.values()]) for one in form.reading.sittings] == [
        (day, 2, [2, 4, -4, -2]) for day in DAYS[:2]
    ]


def test_the_report_is_read_in_the_language_of_the_reader(desk: Desk) -> None:
    """Reasons and places are independent of the language of the admin who took the list in."""
    desk.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    file = desk.bring_and_take((LISTS / "names_down.csv").read_bytes())
    for language, sentence in (
        ("de", "Spalte I („Gesamt“) gehört zu keinem Abend (Anton 15, Berta 16,"),
        ("en", "Column I (“Gesamt”) belongs to no evening (Anton 15, Berta 16,"),
    ):
        assert sentence in flat(desk.client.get(f"/c/karo/imports/{file.pk}/", headers={"accept-language": language}))
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
        *KINDS, "weeks.csv", "places.csv", "games_running.csv", "opening.csv", "anfangsstand.csv",
    }  # fmt: skip


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


def test_other_rules_explain_what_fits_them(desk: Desk) -> None:
    """By the shares of anleitung (without its Bock) a solo does not sum to zero; klassisch pays winners from the Kasse."""
    for preset, rows in (
        ("anleitung", ("12;-12;-12;-12", "4;4;-4;-4")),
        ("klassisch", ("10;10;0;0", "60;-20;-20;-20")),
        ("vln", ("8;-8;-8;-8", "1;1;-1;-1")),
    ):
        rules = make_rule_set(desk.club, preset, f"Unsere {preset}", bock=None)
        address = desk.bring("Datum;A;B;C;D\n" + "".join(f"1.3.24;{row}\n" for row in (*rows, *["1;2;3;-6"] * 3)))
        (sitting,) = desk.look(address, kind="games", rule_set=rules.pk).context["form"].reading.sittings
        assert [form for form, _facts in sitting.lines] == ["short"] * 2 + ["correction"] * 3, preset


def test_rules_with_bock_are_refused_for_games(desk: Desk) -> None:
    rules = make_rule_set(desk.club, "anleitung", "Mit Bock")
    address = desk.bring(GAMES)
    response = desk.take(address, rule_set=rules.pk)
    assert response.status_code == 422
    assert "Bitte ein Regelwerk ohne Bock wählen" in response.content.decode()
    assert not Evening.objects.exists()
    assert desk.take(desk.bring(LIST), rule_set=rules.pk).status_code == 302, "of evenings no game is doubled"


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
    second = Table.objects.create(evening=table.evening, number=2, rule_set=table.rule_set, imported=file, without_games=True)
    result = TableResult.objects.filter(table=table).first()
    result.pk, result.table = None, second
    result.save(force_insert=True)
    Evening.objects.filter(pk=table.evening_id).update(place="Gasthaus")
    Player.objects.filter(pk__in=file.made["players"]).update(guest=True, joined_on=datetime.date(2020, 1, 1))
    file.report |= {"by_hand": ["06.03.2026: 12"], "left_out": [[3, "ist eine Summe", "Spiele"], [4, "ist leer", ""]]}
    file.save()
    html = flat(desk.client.get(f"/c/karo/imports/{file.pk}/"))
    assert "<li>Spiele: Zeile 3 ist eine Summe</li>" in html
    assert "<li>Zeile 4 ist leer</li>" in html
    assert "06.03.2026: 12" in html
    desk.undo(file)
    assert everything() == before


# --- Files of other clubs (fixtures/strangers) ------------------------------------------------------------------------


STRANGERS = ROOT / "fixtures/strangers"
MEANINGS = "Datum;Summer;Ende;Wein;Bock;Summe\n13.01.2023;3;1;-2;5;0\n27.01.2023;1;;2;7;10\n10.02.2023;-1;1;;4;4\n"
SPELLED = "Datum;Aenne;Mueller;Weiß;Weiss;Jan\n13.01.2023;12;-4;-6;-2;0\n27.01.2023;-8;20;0;-12;0\n"


def test_files_of_other_clubs_are_read_right(desk: Desk) -> None:
    """Known players are these players in any spelling, whatever their names mean."""
    for content, known, totals in (
        ("pasted_from_a_messenger.csv", (), {"Edda": 9, "Falk": 17, "Gesa": -15, "Jan": -11}),
        ("euro_with_check_column.csv", (), {"Anni": 65, "Bert": -25, "Cleo": -35, "Dora": -5}),
        ("guest_in_brackets_two_headings.csv", (), {"Anni": 13, "Bert": -5, "Cleo": -7, "Ralf": -1}),
        ("list_with_max.csv", (), {"Edda": 9, "Max": 17, "Gesa": -15, "Jan": -11}),
        ("long_list_with_max.csv", (), {"Edda": 4, "Max": 16, "Gesa": -6, "Jan": -14}),
        ("list_with_max.csv", ("Max",), {"Edda": 9, "Max": 17, "Gesa": -15, "Jan": -11}),
        ("long_list_with_max.csv", (), {"Edda": 4, "Max": 16, "Gesa": -6, "Jan": -14}),
        (MEANINGS, ("Summer", "Ende", "Wein", "Bock"), {"Summer": 3, "Ende": 2, "Wein": 0, "Bock": 16}),
        (
            "same_people_other_signs.csv",
            ("Sean O’Neill", "Özgür Ilhan", "Anna-Lena"),
            {"Sean O’Neill": 9, "Özgür Ilhan": 17, "Anna-Lena": -15, "Jan": -11},
        ),
        (SPELLED, ("Änne", "Müller", "Weiß"), {"Änne": 4, "Müller": 16, "Weiß": -6, "Weiss": -14, "Jan": 0}),
    ):
        for name in known:
            make_player(desk.club, name)
        data = (STRANGERS / content).read_bytes() if content.endswith(".csv") else content
        form = desk.look(desk.bring(data)).context["form"]
        people = {person.name: person.pk is not None for person in form.people.values()}
        found = {name: sum(points for _day, who, points in read_preview(form) if who == name) for name in people}
        assert found == totals and {*known} <= {name for name, is_known in people.items() if is_known}, content
        assert [person.name for person in form.people.values() if person.guest] == ["Ralf"] * ("Ralf" in totals)


def test_times_are_read_in_the_zone_of_the_club_and_belong_to_one_evening(desk: Desk) -> None:
    form = desk.look(desk.bring((STRANGERS / "days_in_utc.csv").read_bytes())).context["form"]
    assert [f"{one.held_on:%d.%m.%Y}" for one in form.reading.sittings] == ["13.01.2023", "27.01.2023", "10.02.2023"]
    form = desk.look(desk.bring((STRANGERS / "games_with_times_zero_sum.csv").read_bytes())).context["form"]
    assert [(f"{one.held_on:%d.%m.%Y}", len(one.lines)) for one in form.reading.sittings] == [("07.05.2026", 5)]
    assert form.reading.games == 5
    assert [person.name for person in form.people.values()] == ["Edda", "Falk", "Gesa", "Hinrich"]


def test_a_hidden_sheet_is_named_and_joins_by_one_tap(desk: Desk) -> None:
    address = desk.bring((STRANGERS / "hidden_sheet_2022.xlsx").read_bytes(), "liste.xlsx")
    page = desk.look(address)
    assert "Das Blatt „2022“ ist in der Datei ausgeblendet und wird nicht übernommen. Gehört es dazu?" in flat(page)
    assert "Blatt „2022“: ist ausgeblendet" in flat(page)
    form = page.context["form"]
    assert len(form.reading.sittings) == 3
    tapped = desk.client.post(address, {**form.data, "sheet_1": "on"})
    assert len(tapped.context["form"].reading.sittings) == 5 and "bleibt weg. Gehört" not in flat(tapped)
    days = sorted({entry[0] for entry in read_preview(tapped.context["form"])})
    assert [f"{day:%d.%m.%Y}" for day in days] == ["14.01.2022", "28.01.2022", "13.01.2023", "27.01.2023", "10.02.2023"]
