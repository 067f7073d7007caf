"""Bringing an old list along, from the upload to taking it back: the real list of a club with its quirks, sheets game by
game, what is refused (and then changes nothing at all), and that taking back leaves what was there before."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from django.utils import timezone, translation
from openpyxl import Workbook, load_workbook

from scoring.club.actions.people import change_player
from scoring.models import Change, Evening, Game, Import, MonthClosing, Player, RuleSet, Score, Table, TableResult, Verb
from scoring.players.actions import merge_players, part_player
from scoring.rulesets.actions.rule_sets import change_rule_set, rename_rule_set
from scoring.standings.queries.standings import standings
from scoring.workbook.excel.book import club_workbook
from scoring.workbook.queries import Span, read_club_file
from tests.desk import Desk, everything, verified
from tests.factories import (
    Cast,
    add_game,
    make_club,
    make_import,
    make_player,
    make_rule_set,
    make_table,
    make_user,
    take_import,
)
from tests.months import close, make_season

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
REAL = (ROOT / "fixtures/real/ewige_liste.csv").read_bytes()
TOTALS = {
    "Anton": (-15, 29),
    "Berta": (624, 72),
    "Cäsar": (-133, 67),
    "Dora": (-310, 79),
    "Emil": (0, 57),
    "Friedrich": (58, 75),
    "Gustav": (-84, 41),
}
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

GAMES = """Datum;Anton;Berta;Cäsar;Dora
01.03.24;3;3;-3;-3
;-2;2;-2;2
;9;-3;-3;-3
;-1;-1;3;-1
;5;1;-3;-3
08.03.24;1;1;-1;-1
;0;0;0;0
;4;-4;4;-4
;2;-2;-2;2
"""


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def column(desk: Desk, address: str, name: str) -> str:
    """The field of the column with this heading."""
    form = desk.look(address).context["form"]
    return next(f"column_{column.index}" for column in form.outline.columns if column.name == name)


# --- The real list ----------------------------------------------------------------------------------------------------


def test_the_real_list_gives_its_totals_and_names_its_odd_rows(desk: Desk) -> None:
    address = desk.bring(REAL, "ewige_liste.csv")
    assert everything()["Evening"] == [], "the preview changes nothing"
    html = desk.look(address).content.decode()
    assert "90 Abende vom 20.03.2022 bis 03.11.2024" in html
    assert "15 Zeilen ergeben nicht null" in html
    brought = desk.bring_and_take(REAL, "ewige_liste.csv")

    rows = {row.name: row for row in standings(desk.club)}
    assert {name: (row.points, row.figures["evenings"]) for name, row in rows.items()} == TOTALS
    assert all(row.figures["games"] == 0 and row.figures["average"] is None for row in rows.values())
    assert {row: total for row, _day, total in brought.report["odd"]} == ODD
    report = desk.client.get(f"/c/karo/imports/{brought.pk}/").content.decode()
    for row, total in ODD.items():
        said = f"{total:+d}".replace("-", "−")
        assert re.search(rf'<td class="num">{row}</td><td>[\d.]+</td><td class="num">{re.escape(said)}</td>', report)

    assert Evening.objects.count() == 90
    assert Evening.objects.filter(held_on="2024-02-25").count() == 2
    assert not Evening.objects.filter(closed_at=None).exists()
    assert not Game.objects.exists()
    assert verified().startswith("Alles stimmt")


def test_the_evenings_of_the_real_list_are_everywhere(desk: Desk) -> None:
    desk.bring_and_take(REAL)
    evenings = desk.client.get("/c/karo/evenings/").content.decode()
    assert evenings.count("ohne Spiele übernommen") == 30
    assert "0 Spiele" not in evenings
    liste = desk.client.get("/c/karo/list/").content.decode()
    assert "90 Abende ohne Einzelspiele" in liste
    book = load_workbook(BytesIO(desk.client.get("/c/karo/list/excel/").content))
    assert any(
        "90 Abende ohne Einzelspiele" in str(cell.value) for row in book.active.iter_rows(max_row=5) for cell in row
    )

    evening = Evening.objects.get(held_on="2022-03-20")
    assert desk.client.get(f"/c/karo/evenings/{evening.pk}/")["Location"].endswith("/result/")
    result = desk.client.get(f"/c/karo/evenings/{evening.pk}/result/").content.decode()
    assert "ohne Spiele übernommen" in result
    assert "Gewonnen:</span> <strong>Berta</strong>" in result
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
    assert len(book.sheetnames) > 90
    sheet = [[cell.value for cell in row] for row in book["20.03.2022"].iter_rows()]
    assert sheet[3][3:6] == ["Berta", "Emil", "Dora"]
    assert sheet[5][3:6] == [28, 2, -12]


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


# --- Whose columns ----------------------------------------------------------------------------------------------------


def test_names_are_found_however_they_are_written(desk: Desk) -> None:
    caesar = make_player(desk.club, "cäsar")
    address = desk.bring(REAL)
    form = desk.look(address).context["form"]
    assert {form.data[f"column_{c.index}"] for c in form.outline.columns if c.name == "Cäsar"} == {str(caesar.pk)}
    desk.take(address)
    assert Player.objects.filter(club=desk.club).count() == 7
    assert standings(desk.club)[0].name == "Berta"
    assert TableResult.objects.filter(player=caesar).count() == 67


def test_a_column_can_be_somebody_else_or_left_out(desk: Desk) -> None:
    zora = make_player(desk.club, "Zora")
    address = desk.bring(REAL)
    said = {column(desk, address, "Anton"): zora.pk, column(desk, address, "Gustav"): "skip"}
    assert desk.take(address, **said).status_code == 302
    assert set(Player.objects.values_list("name", flat=True)) == {"Zora", *TOTALS} - {"Anton", "Gustav"}
    assert TableResult.objects.filter(player=zora).count() == 29


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"Anton": "new", "Berta": "zora"}, None),
        ({"Anton": "zora", "Berta": "zora"}, "Diese Person steht schon bei einer anderen Spalte."),
        (dict.fromkeys(TOTALS, "skip"), "Mindestens eine Spalte muss zu einer Person gehören."),
        ({"Anton": "999999"}, "Bitte eine gültige Auswahl treffen"),
    ],
    ids=["as it should be", "somebody twice", "nobody", "a stranger"],
)
def test_who_is_who_is_judged(desk: Desk, said: dict[str, str], sentence: str | None) -> None:
    zora = make_player(desk.club, "Zora")
    address = desk.bring(REAL)
    fields = {column(desk, address, name): zora.pk if who == "zora" else who for name, who in said.items()}
    before = everything()
    response = desk.take(address, **fields)
    if sentence is None:
        assert response.status_code == 302
        return
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert everything() == before


def test_a_person_of_another_club_is_nobody_here(desk: Desk) -> None:
    stranger = make_player(make_club("Pik Dame", slug="pik"), "Fremd")
    address = desk.bring(REAL)
    response = desk.take(address, **{column(desk, address, "Anton"): stranger.pk})
    assert response.status_code == 422
    assert not TableResult.objects.exists()


# --- Taking in --------------------------------------------------------------------------------------------------------


def test_nothing_but_what_was_seen_is_taken_in(desk: Desk) -> None:
    address = desk.bring(REAL)
    form = desk.look(address).context["form"]
    other = {column(desk, address, "Anton"): "skip"}
    response = desk.client.post(address, {**form.data, **other, "seen": form.fingerprint, "take": "1"})
    assert "Bitte noch einmal ansehen" in response.content.decode()
    assert not Evening.objects.exists()


def test_a_double_tap_takes_in_once(desk: Desk) -> None:
    address = desk.bring(REAL)
    form = desk.look(address).context["form"]
    data = {**form.data, "seen": form.fingerprint, "take": "1"}
    assert [desk.client.post(address, data).status_code for _tap in range(2)] == [302, 302]
    assert Evening.objects.count() == 90
    assert Change.objects.filter(verb=Verb.IMPORT_TAKEN).count() == 1


def test_the_same_file_again_is_noticed(desk: Desk) -> None:
    brought = desk.bring_and_take(REAL)
    html = desk.look(desk.bring(REAL)).content.decode()
    assert "Diese Datei wurde schon am" in html
    assert "An diesen Tagen gibt es im Club schon einen Abend" in html
    desk.undo(brought)
    assert "Diese Datei wurde schon am" not in desk.look(desk.bring(REAL)).content.decode()


def test_what_was_read_is_kept_no_longer_than_needed(desk: Desk) -> None:
    first = desk.bring(REAL)
    second = desk.bring(GAMES)
    assert desk.client.get(first).status_code == 404, "another upload replaces the one before"
    Import.objects.update(uploaded_at=timezone.now() - datetime.timedelta(days=2))
    other = Desk(desk.club, make_user("berta", desk.club, ["admin"]))
    third = other.bring(GAMES)
    assert desk.client.get(second).status_code == 404, "a day later nothing is left"
    other.take(third)
    assert Import.objects.get().sheets is None
    fourth = desk.bring(GAMES)
    desk.client.post(f"{fourth}discard/")
    assert desk.client.get(fourth).status_code == 404
    assert Import.objects.count() == 1, "what was taken in is not thrown away"


def test_the_history_tells_it(desk: Desk) -> None:
    brought = desk.bring_and_take(REAL, "ewige_liste.csv")
    desk.undo(brought)
    html = desk.client.get("/c/karo/history/").content.decode()
    assert "Liste übernommen: <bdi>ewige_liste.csv</bdi>" in html
    assert "Übernahme zurückgenommen: <bdi>ewige_liste.csv</bdi>" in html
    assert "Berta" not in str(list(Change.objects.values_list("before", "after")))


# --- Taking back ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [REAL, GAMES], ids=["evenings", "games"])
def test_taking_back_leaves_what_was_there_before(desk: Desk, data: bytes | str) -> None:
    add_game(make_table(desk.club, [make_player(desk.club, name) for name in ("Zora", "Anton", "Yves", "Xaver")]))
    before = everything()
    brought = desk.bring_and_take(data)
    assert everything() != before
    desk.undo(brought)
    assert everything() == before
    brought.refresh_from_db()
    assert brought.undone_at
    assert verified().startswith("Alles stimmt")
    desk.undo(brought)
    assert Change.objects.filter(verb=Verb.IMPORT_UNDONE).count() == 1, "it is taken back once"


def test_who_plays_on_stays(desk: Desk) -> None:
    brought = desk.bring_and_take(REAL)
    players = list(Player.objects.filter(name__in=["Anton", "Berta", "Cäsar", "Dora"]))
    add_game(make_table(desk.club, players))
    Player.objects.filter(name="Emil").update(user=desk.user)
    desk.undo(brought)
    assert set(Player.objects.values_list("name", flat=True)) == {"Anton", "Berta", "Cäsar", "Dora", "Emil"}
    assert Evening.objects.count() == 1


def test_what_was_built_on_is_not_taken_back(desk: Desk) -> None:
    brought = desk.bring_and_take(GAMES)
    game = Game.objects.filter(form="short").first()
    table = game.round.table
    desk.client.post(f"/c/karo/tables/{table.pk}/games/{game.key}/delete/", {"version": game.version})
    assert Change.objects.filter(verb=Verb.GAME_DELETED).exists()
    before = everything()
    html = desk.client.post(f"/c/karo/imports/{brought.pk}/undo/", follow=True).content.decode()
    assert "lassen sich nicht mehr zurücknehmen" in html
    assert everything() == before


def renamed(desk: Desk, brought: Import) -> None:
    kept = Player.objects.get(name="Anton")
    said = {"guest": kept.guest, "joined_on": None, "left_on": None, "user": None}
    change_player(player=kept, actor=desk.user, name="Anton Huber", **said)


def merged(desk: Desk, brought: Import) -> None:
    merge_players(player=Player.objects.get(name="Anton"), into=make_player(desk.club, "Toni"), actor=desk.user)


def merged_into(desk: Desk, brought: Import) -> None:
    merge_players(player=make_player(desk.club, "Toni"), into=Player.objects.get(name="Anton"), actor=desk.user)


def handed_over(desk: Desk, brought: Import) -> None:
    merge_players(player=Player.objects.get(name="Zora"), into=make_player(desk.club, "Zorro"), actor=desk.user)


def renamed_rules(desk: Desk, brought: Import) -> None:
    rename_rule_set(rule_set=RuleSet.objects.get(name="Übernommen"), actor=desk.user, name="Früher")


def next_rules(desk: Desk, brought: Import) -> None:
    rules = RuleSet.objects.get(name="Übernommen")
    change_rule_set(rule_set=rules, actor=desk.user, settings={**rules.settings, "won": 2})


@pytest.mark.parametrize("change", [renamed, merged, merged_into, handed_over, renamed_rules, next_rules])
@pytest.mark.parametrize("data", [GAMES, "Datum;Anton;Zora\n1.3.24;3;-3\n"], ids=["games", "evenings"])
def test_what_was_changed_since_is_not_thrown_away(
    desk: Desk, change: Callable[[Desk, Import], None], data: str
) -> None:
    make_player(desk.club, "Zora")
    brought = desk.bring_and_take(data.replace("Dora", "Zora"), rule_set="new")
    change(desk, brought)
    before = everything()
    html = desk.client.post(f"/c/karo/imports/{brought.pk}/undo/", follow=True).content.decode()
    assert "wurden seit der Übernahme geändert oder zusammengeführt" in html
    assert everything() == before


def test_a_merge_that_was_taken_apart_or_is_of_others_is_in_nobodys_way(desk: Desk) -> None:
    before = everything()
    brought = desk.bring_and_take(REAL)
    anton, toni = Player.objects.get(name="Anton"), make_player(desk.club, "Toni")
    merge_players(player=anton, into=toni, actor=desk.user)
    part_player(player=anton, actor=desk.user)
    merge_players(player=make_player(desk.club, "Tono"), into=toni, actor=desk.user)
    desk.undo(brought)
    Player.objects.filter(merged_into=toni).delete()
    toni.delete()
    assert everything() == before


def test_taking_back_asks_first_and_says_what_goes(desk: Desk) -> None:
    make_player(desk.club, "Emil")
    season = make_season(desk.club, "Saison 2024", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31))
    make_season(desk.club, "Um Geld", datetime.date(2024, 1, 1), datetime.date(2024, 12, 31), unit="cents")
    brought = desk.bring_and_take(REAL)
    for month in ("2024-01", "2024-02"):
        close(season, month)
    address = f"/c/karo/imports/{brought.pk}/undo/"
    linked = "/result/" in desk.client.get(f"/c/karo/seasons/{season.pk}/2024-01/").content.decode()
    before = everything()
    assert f'href="{address}"' in desk.client.get(f"/c/karo/imports/{brought.pk}/").content.decode()
    html = desk.client.get(address).content.decode()
    for said in ("90 Abende", "6 Personen", "2 abgeschlossene Monate", "Januar 2024 · Saison 2024", "Februar 2024"):
        assert said in html
    assert "Um Geld" not in html
    assert everything() == before
    html = desk.client.post(address, follow=True).content.decode()
    assert "Was von ihren Monaten veröffentlicht ist, bleibt, wie es ist" in html
    assert desk.client.get(address).status_code == 302
    assert MonthClosing.objects.count() == 2
    month = f"/c/karo/seasons/{season.pk}/2024-01/"
    assert linked and "/result/" not in desk.client.get(month).content.decode()
    html = desk.client.get(f"{month}close/").content.decode()
    assert "In diesem Monat hat jetzt niemand mehr gespielt. Ein leerer Monat wird nicht veröffentlicht." in html


def test_an_evening_with_another_table_is_not_taken_back(desk: Desk) -> None:
    brought = desk.bring_and_take(REAL)
    evening = Evening.objects.first()
    Table.objects.create(evening=evening, number=2, rule_set=evening.tables.first().rule_set)
    desk.undo(brought)
    assert Evening.objects.count() == 90


def test_a_file_that_waits_cannot_be_taken_back(desk: Desk) -> None:
    address = desk.bring(REAL)
    assert desk.client.post(f"{address}undo/").status_code == 302
    assert Import.objects.get().undone_at is None


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


def test_who_sits_out_has_no_points(desk: Desk) -> None:
    """Five and seven at a table for four, blank or with a dash where somebody sits out."""
    five = "Datum;A;B;C;D;E\n1.3.24;-;2;2;-2;-2\n;3;;-1;-1;-1\n;1;1;0;-1;-1\n"
    brought = desk.bring_and_take(five)
    assert brought.report["by_hand"] == []
    assert [game.facts["out"] for game in Game.objects.order_by("position")] == [[0], [1], [2]]
    seven = "Datum;A;B;C;D;E;F;G\n1.4.24;;;;2;2;-2;-2\n;2;2;-2;-2;;;\n"
    assert desk.bring_and_take(seven).report["by_hand"] == []
    assert verified().startswith("Alles stimmt")


def test_a_line_up_that_fits_no_table_comes_with_its_sums(desk: Desk) -> None:
    brought = desk.bring_and_take("Datum;A;B;C\n1.3.24;2;-1;-1\n;-4;2;2\n;3;-6;3\n;0;0;0\n")
    assert brought.report["together"] == 1
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
    brought = there.bring_and_take(data, "abend.xlsx", day="2026-03-06")
    assert (brought.report["games"], brought.report["by_hand"]) == (6, [])
    results = TableResult.objects.filter(table__imported=brought)
    assert dict(results.values_list("player__name", "points")) == stored
    assert verified().startswith("Alles stimmt")


@pytest.mark.parametrize("language", ["de", "en"])
def test_our_own_workbook_is_no_list_and_says_what_comes_back(desk: Desk, language: str) -> None:
    add_game(make_table(desk.club))
    with translation.override(language):
        data = club_workbook(read_club_file(desk.club, Span(""))).as_bytes()
    response = desk.upload(data, "alles.xlsx")
    assert response.status_code == 422
    assert "Einen ganzen Club bringt sein Archiv mit" in response.content.decode()
    assert not Import.objects.exists()


def test_our_own_workbook_that_waits_since_a_former_version_can_be_thrown_away(desk: Desk) -> None:
    brought = make_import(desk.club, actor=desk.user)
    names = ["Deckblatt", "Punkte", "Spiele", "Personen", "Hausregeln", "06.03.2026"]
    brought.sheets = [{"name": name, "rows": [["Datum", "A", "B"], ["6.3.26", "1", "-1"]]} for name in names]
    brought.save()
    address = f"/c/karo/imports/{brought.pk}/"
    for response in (desk.client.get(address), desk.client.post(address, {"sheet": "2", "take": "1"})):
        assert "Einen ganzen Club bringt sein Archiv mit" in response.content.decode()
    assert response.status_code == 422
    assert not Evening.objects.exists()
    assert desk.client.post(f"{address}discard/").status_code == 302
    assert not Import.objects.exists()


def test_our_own_workbook_that_a_former_version_took_in_is_told_and_goes_again(desk: Desk) -> None:
    """It brought places, several tables of an evening, people with their days, and named its sheets."""
    before = everything()
    brought = take_import(make_import(desk.club, actor=desk.user), desk.user)
    table = Table.objects.filter(imported=brought).first()
    assert table
    second = Table.objects.create(
        evening=table.evening, number=2, rule_set=table.rule_set, imported=brought, without_games=True
    )
    result = TableResult.objects.filter(table=table).first()
    result.pk, result.table = None, second
    result.save(force_insert=True)
    Evening.objects.filter(pk=table.evening_id).update(place="Gasthaus")
    Player.objects.filter(pk__in=brought.made["players"]).update(guest=True, joined_on=datetime.date(2020, 1, 1))
    brought.report |= {
        "by_hand": ["06.03.2026: 12"],
        "left_out": [[3, "ist eine Summe", "Spiele"], [4, "ist leer", ""]],
    }
    brought.save()
    html = desk.client.get(f"/c/karo/imports/{brought.pk}/").content.decode()
    assert "<li>Spiele: Zeile 3 ist eine Summe</li>" in html
    assert "<li>Zeile 4 ist leer</li>" in html
    assert "06.03.2026: 12" in html
    desk.undo(brought)
    assert everything() == before


# --- Refused, and then nothing is changed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("Datum;A;B\n31.02.24;1;-1\n", "Zeile 2: Den Tag „31.02.24“ gibt es nicht."),
        ("Datum;A;B\n1.2.24;1;-1\nirgendwann;1;-1\n", "Zeile 3: „irgendwann“ ist kein Datum."),
        ("Datum;A;B\n1.2.24;1;-1\n;1;-1\n", "Zeile 3: Das Datum fehlt."),
        ("Datum;A;B\n1.2.24;1;-1\n2.2.24;1,5;-1,5\n3.2.24;1;-1\n", "Zeile 3: Spalte B: „1,5“ ist keine ganze Zahl."),
        ("Datum;A;B\n1.2.24;1;-1\n2.2.24;1;zwei\n3.2.24;1;-1\n", "Zeile 3: Spalte C: „zwei“ ist keine ganze Zahl."),
        ("Datum;A;B\n1.2.24;1;-1\n1.2.2064;1;-1\n", "Zeile 3: Der Tag liegt in der Zukunft."),
        ("Datum;A;B\n1.2.24;999999;-1\n2.2.24;1;-1\n3.2.24;1;-1\n", "Zeile 2: Spalte B: „999999“ ist zu groß."),
    ],
)
def test_a_row_that_cannot_be_read_is_named_and_nothing_is_taken_in(desk: Desk, data: str, sentence: str) -> None:
    before = everything()
    address = desk.bring(data)
    html = desk.look(address, kind="evenings").content.decode()
    assert sentence in html
    response = desk.take(address, kind="evenings")
    assert response.status_code == 422
    assert 'name="take"' not in response.content.decode()
    assert everything() == before


def test_a_column_with_bad_numbers_names_its_rows(desk: Desk) -> None:
    data = "Datum;A;B;C\n05.03.21;1;-1;0\n06.03.21;1,5;-1;0\n07.03.21;x;1;1\n08.03.21;1.000;-1000;0\n"
    html = desk.look(desk.bring(data)).content.decode()
    for sentence in ("Zeile 3: Spalte B: „1,5“ ist", "Zeile 4: Spalte B: „x“ ist", "Zeile 5: Spalte B: „1.000“ ist"):
        assert sentence in html
    assert "keine Zahlen" not in html


def test_formulas_without_values_are_named(desk: Desk) -> None:
    book = Workbook()
    for row in (["Datum", "A", "B"], ["1.2.24", 3, -3], ["2.2.24", "=B2+1", "=-B3"]):
        book.active.append(row)
    buffer = BytesIO()
    book.save(buffer)
    html = desk.look(desk.bring(buffer.getvalue(), "liste.xlsx")).content.decode()
    assert "Zeile 3: Spalte B: Da steht eine Formel ohne ihren Wert" in html


def test_a_name_that_is_too_long_says_where_to_shorten_it(desk: Desk) -> None:
    html = desk.look(desk.bring(f"Datum;{'Ä' * 70};B\n1.2.24;1;-1\n")).content.decode()
    assert "Höchstens 40 Zeichen. Bitte in der Datei kürzen" in html


EUROS = "Datum;Anton;Berta\n05.03.21;2,50;-2,5\n06.03.21;-3 €;3\n"


def test_a_list_in_euros_under_rules_in_cents(desk: Desk) -> None:
    cents = make_rule_set(desk.club, "ddv", "Um Geld", unit="cents")
    brought = desk.bring_and_take(EUROS, rule_set=str(cents.pk))
    results = TableResult.objects.filter(table__imported=brought).order_by("pk")
    assert list(results.values_list("player__name", "points")) == [
        ("Anton", 250), ("Berta", -250), ("Anton", -300), ("Berta", 300),
    ]  # fmt: skip


def test_euros_are_asked_about_under_rules_in_cents_alone(desk: Desk) -> None:
    cents = make_rule_set(desk.club, "ddv", "Um Geld", unit="cents")
    address = desk.bring(EUROS)
    html = desk.look(address).content.decode()
    assert "Zeile 2: Spalte B: „2,50“ ist keine ganze Zahl; Beträge in Euro gehen nur unter Regeln" in html
    assert "Wie sind die Beträge geschrieben?" not in html
    html = desk.look(address, rule_set=str(cents.pk)).content.decode()
    assert '<option value="euros" selected>' in html
    assert "250 an 1 Abend" not in html and "−50 an 2 Abenden" in html
    whole = desk.look(desk.bring("Datum;A;B\n05.03.21;20;-20\n"), rule_set=str(cents.pk)).content.decode()
    assert '<option value="cents" selected>' in whole and "20 an 1 Abend" in whole


def test_a_name_that_is_a_formula_or_a_tag_stays_a_name(desk: Desk) -> None:
    desk.bring_and_take("Datum;=1+1;<b>Bo</b>;@cmd;-Dora\n1.2.24;1;-1;2;-2\n")
    names = {"=1+1", "<b>Bo</b>", "@cmd", "-Dora"}
    assert set(Player.objects.values_list("name", flat=True)) == names
    assert "<b>Bo</b>" not in desk.client.get("/c/karo/list/").content.decode()
    book = load_workbook(BytesIO(desk.client.get("/c/karo/list/excel/").content))
    cells = {cell.value: cell.data_type for row in book.active.iter_rows() for cell in row}
    assert {cells[name] for name in names} == {"s"}


def test_a_big_file_never_arrives(desk: Desk) -> None:
    before = everything()
    for size in (2_000_001, 10_000_000):
        response = desk.upload(b"Datum;A;B\n" + b"1.2.24;1;-1\n" * (size // 12))
        assert response.status_code == 422
        assert "zu groß" in response.content.decode(), size
    assert everything() == before
    assert not Import.objects.exists()


def test_a_list_that_takes_too_long_is_to_be_cut(desk: Desk) -> None:
    before = everything()
    address = desk.bring("Datum;A;B;C;D;E;F;G;H\n" + "1.2.24;1;-1;1;-1;1;-1;1;-1\n" * 16_000)
    response = desk.take(address, kind="evenings")
    assert response.status_code == 422
    assert "Das ist zu viel auf einmal" in response.content.decode()
    assert everything() == before


def test_no_file_is_no_file(desk: Desk) -> None:
    assert "Bitte eine Datei wählen." in desk.client.post("/c/karo/imports/", {}).content.decode()
    assert desk.upload(b"").status_code == 422


def test_the_name_of_a_file_is_shown_as_text(desk: Desk) -> None:
    for name, kept in (
        ("a\u202ecsv.exe", "acsv.exe"),
        ("../../etc/passwd.csv", "passwd.csv"),
        ("a\u3164.csv", "Datei"),
        ("x" * 300 + ".csv", "x" * 96 + ".csv"),
    ):
        desk.bring(GAMES, name)
        assert Import.objects.get().file_name == kept
    html = desk.client.get(desk.bring(GAMES, "<b>.csv")).content.decode()
    assert "<bdi>&lt;b&gt;.csv</bdi>" in html


def test_only_admins_bring_lists_along(cast: Cast) -> None:
    for user, status in ((cast.scorer, 403), (cast.reader, 403), (cast.treasurer, 403), (cast.stranger, 404)):
        response = Desk(cast.club, user).upload(REAL)
        assert response.status_code == status
    assert not Import.objects.exists()
    address = Desk(cast.club, cast.admin).bring(REAL)
    assert Desk(cast.club, cast.scorer).client.post(f"{address}undo/").status_code == 403
    assert Desk(cast.club, cast.scorer).client.post(address, {"take": "1"}).status_code == 403
