"""Old lists: taking in what was seen, the players of the columns, refusals, and the real list of a club."""

from __future__ import annotations

import datetime
import re
from io import BytesIO

import pytest
from django.db import transaction
from django.utils.html import strip_tags
from openpyxl import load_workbook

from scoring.club.actions import Actor, change_player
from scoring.core.names import are_alike
from scoring.models import Change, Evening, Game, Import, MonthClosing, Player, RuleSet, Table, TableResult, Verb
from scoring.players.actions import merge_players, unmerge_player
from scoring.rulesets.actions import change_rule_set, rename_rule_set
from scoring.standings.queries.standings import list_standings
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.html import flat
from tests.imports.examples import GAMES, LIST, POINTS, REAL, TOTALS, TRUTH
from tests.imports.uploads import Desk, everything, verified
from tests.months import close, make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


# --- Taking in --------------------------------------------------------------------------------------------------------


def test_the_confirmed_preview_is_taken_in_once_and_undone(desk: Desk) -> None:
    address = desk.bring(LIST)
    form = desk.look(address).context["form"]
    data = {**form.data, "seen": form.fingerprint, "take": "1"}
    assert "Bitte noch einmal ansehen" in desk.client.post(address, {**data, "column_1": "skip"}).content.decode()
    assert desk.client.post(f"{address}undo/").status_code == 302
    assert Import.objects.get().undone_at is None and not Evening.objects.exists()

    assert [desk.client.post(address, data).status_code for _tap in range(2)] == [302, 302]
    assert Evening.objects.count() == 6
    assert Change.objects.filter(verb=Verb.IMPORT_TAKEN).count() == 1
    html = desk.look(desk.bring(LIST)).content.decode()
    assert "Diese Datei wurde schon am" in html and "An diesen Tagen gibt es im Club schon einen Abend" in html

    desk.undo(Import.objects.get(imported_at__isnull=False))
    assert "Diese Datei wurde schon am" not in desk.look(desk.bring(LIST)).content.decode()
    history = " ".join(strip_tags(desk.client.get("/c/karo/history/").content.decode()).split())
    assert "Datei übernommen liste.csv" in history and "Übernahme zurückgenommen liste.csv" in history
    assert "Berta" not in str(list(Change.objects.values_list("before", "after")))


def test_the_content_of_a_file_is_stored_no_longer_than_needed(desk: Desk) -> None:
    first = desk.bring(LIST)
    second = desk.bring(GAMES)
    assert desk.client.get(first).status_code == 404, "another upload replaces the one before"
    desk.take(second)
    assert Import.objects.get().sheets is None
    third = desk.bring(GAMES)
    desk.client.post(f"{third}discard/")
    assert desk.client.get(third).status_code == 404
    desk.client.post(f"{second}discard/")
    assert Import.objects.count() == 1, "what was taken in is not thrown away"


# --- Taking back ------------------------------------------------------------------------------------------------------


def test_taking_back_leaves_what_was_there_before(desk: Desk) -> None:
    add_game(make_table(desk.club, [make_player(desk.club, name) for name in ("Zora", "Anton", "Yves", "Xaver")]))
    before = everything()
    for number, data in enumerate((LIST, GAMES), 1):
        file = desk.bring_and_take(data)
        assert everything() != before
        desk.undo(file)
        assert everything() == before
        file.refresh_from_db()
        assert file.undone_at
        desk.undo(file)
        assert Change.objects.filter(verb=Verb.IMPORT_UNDONE).count() == number, "it is taken back once"
    assert verified().startswith("Alles stimmt")


def test_new_players_who_play_on_stay(desk: Desk) -> None:
    file = desk.bring_and_take(LIST)
    players = list(Player.objects.filter(name__in=["Anton", "Berta", "Cäsar", "Dora"]))
    add_game(make_table(desk.club, players))
    Player.objects.filter(name="Emil").update(user=desk.user)
    desk.undo(file)
    assert set(Player.objects.values_list("name", flat=True)) == {"Anton", "Berta", "Cäsar", "Dora", "Emil"}
    assert Evening.objects.count() == 1


def test_a_list_with_later_changes_is_not_undone(desk: Desk) -> None:
    file = desk.bring_and_take(GAMES)
    game = Game.objects.filter(form="short").first()
    table = game.round.table
    desk.client.post(f"/c/karo/tables/{table.pk}/games/{game.key}/delete/", {"version": game.version})
    assert Change.objects.filter(verb=Verb.GAME_DELETED).exists()
    before = everything()
    page, undo = f"/c/karo/imports/{file.pk}/", f"/c/karo/imports/{file.pk}/undo/"
    html = desk.client.get(page).content.decode()
    assert "lassen sich nicht mehr zurücknehmen" in html
    assert undo not in html, "what would be refused is not offered"
    assert desk.client.get(undo)["Location"] == page
    desk.client.post(undo)
    assert everything() == before


def rename_player(desk: Desk) -> None:
    kept = Player.objects.get(name="Anton")
    values = {"guest": kept.guest, "joined_on": None, "left_on": None, "user": None}
    change_player(player=kept, actor=Actor(desk.user), name="Anton Huber", **values)


def merge_player(desk: Desk) -> None:
    merge_players(player=Player.objects.get(name="Anton"), into=make_player(desk.club, "Toni"), actor=Actor(desk.user))


def merge_player_into(desk: Desk) -> None:
    merge_players(player=make_player(desk.club, "Toni"), into=Player.objects.get(name="Anton"), actor=Actor(desk.user))


def hand_over_points(desk: Desk) -> None:
    merge_players(player=Player.objects.get(name="Zora"), into=make_player(desk.club, "Zorro"), actor=Actor(desk.user))


def rename_rules(desk: Desk) -> None:
    rename_rule_set(rule_set=RuleSet.objects.get(name="Übernommen"), actor=Actor(desk.user), name="Früher")


def change_rules(desk: Desk) -> None:
    rules = RuleSet.objects.get(name="Übernommen")
    change_rule_set(rule_set=rules, actor=Actor(desk.user), settings={**rules.settings, "won": 2})


def test_a_list_with_changed_people_or_rules_is_not_undone(desk: Desk) -> None:
    make_player(desk.club, "Zora")
    file = desk.bring_and_take(GAMES.replace("Dora", "Zora"), rule_set="new")
    for change in (rename_player, merge_player, merge_player_into, hand_over_points, rename_rules, change_rules):
        point = transaction.savepoint()
        change(desk)
        before = everything()
        html = desk.client.post(f"/c/karo/imports/{file.pk}/undo/", follow=True).content.decode()
        assert "wurden seit der Übernahme geändert oder zusammengeführt" in html, change
        assert everything() == before
        transaction.savepoint_rollback(point)


def test_an_undone_or_unrelated_merge_does_not_prevent_undoing(desk: Desk) -> None:
    before = everything()
    file = desk.bring_and_take(LIST)
    anton, toni = Player.objects.get(name="Anton"), make_player(desk.club, "Toni")
    merge_players(player=anton, into=toni, actor=Actor(desk.user))
    unmerge_player(player=anton, actor=Actor(desk.user))
    merge_players(player=make_player(desk.club, "Tono"), into=toni, actor=Actor(desk.user))
    desk.undo(file)
    Player.objects.filter(merged_into=toni).delete()
    toni.delete()
    assert everything() == before


def test_taking_back_asks_first_and_says_what_goes(desk: Desk) -> None:
    make_player(desk.club, "Emil")
    season = make_season(desk.club, "Saison 2023", datetime.date(2023, 1, 1), datetime.date(2023, 12, 31))
    make_season(desk.club, "Um Geld", datetime.date(2023, 1, 1), datetime.date(2023, 12, 31), unit="cents")
    file = desk.bring_and_take(LIST)
    for month in ("2023-01", "2023-02"):
        close(season, month)
    address = f"/c/karo/imports/{file.pk}/undo/"
    linked = "/result/" in desk.client.get(f"/c/karo/seasons/{season.pk}/2023-01/").content.decode()
    before = everything()
    assert f'href="{address}"' in desk.client.get(f"/c/karo/imports/{file.pk}/").content.decode()
    html = desk.client.get(address).content.decode()
    for values in ("6 Abende", "4 Personen", "2 abgeschlossene Monate", "Januar 2023 · Saison 2023", "Februar 2023"):
        assert values in html
    assert "Um Geld" not in html
    assert everything() == before
    html = desk.client.post(address, follow=True).content.decode()
    assert "Was von ihren Monaten veröffentlicht ist, bleibt, wie es ist" in html
    assert desk.client.get(address).status_code == 302
    assert MonthClosing.objects.count() == 2
    month = f"/c/karo/seasons/{season.pk}/2023-01/"
    assert linked and "/result/" not in desk.client.get(month).content.decode()
    html = desk.client.get(f"{month}close/").content.decode()
    assert "In diesem Monat hat jetzt niemand mehr gespielt. Ein leerer Monat wird nicht veröffentlicht." in html


# --- Columns ----------------------------------------------------------------------------------------------------------


def test_the_players_of_the_columns_are_proposed_chosen_and_validated(desk: Desk) -> None:
    caesar, zora = make_player(desk.club, "cäsar"), make_player(desk.club, "Zora")
    stranger = make_player(make_club("Pik Dame", slug="pik"), "Fremd")
    address = desk.bring(LIST)
    assert desk.look(address).context["form"].data["column_3"] == str(caesar.pk), "names are found in any spelling"
    before = everything()
    for values, sentence in (
        ({"column_1": zora.pk, "column_2": zora.pk}, "In zwei Spalten einer Person stehen Punkte: bitte in der Datei"),
        ({f"column_{number}": "skip" for number in range(1, 6)}, "Mindestens eine Spalte muss zu einer Person gehören."),
        ({"column_1": "999999"}, "Bitte eine gültige Auswahl treffen"),
        ({"column_1": stranger.pk}, "Bitte eine gültige Auswahl treffen"),
    ):
        response = desk.take(address, **values)
        assert response.status_code == 422 and sentence in response.content.decode()
    assert everything() == before
    assert desk.take(address, column_1=zora.pk, column_5="skip").status_code == 302
    results = TableResult.objects.values_list("table__evening__held_on", "player__name", "points")
    names = {"Anton": "Zora", "Cäsar": "cäsar", "Berta": "Berta", "Dora": "Dora"}
    assert set(results) == {(day, names[name], points) for day, name, points in TRUTH if name in names}
    assert Player.objects.filter(club=desk.club).count() == 4
    assert list_standings(desk.club)[0].name == "Berta"


SPELLINGS = "Datum;Anton;Bertha;Berta;Gast Kurt\n1.3.24;3;-2;;-1\n8.3.24;-4;;4;\n15.3.24;1;;1;-2\n22.3.24;99;;-99;\n"


def test_spellings_of_one_name_are_joined_a_guest_is_marked_and_a_row_left_out(desk: Desk) -> None:
    address = desk.bring(SPELLINGS)
    html = flat(desk.look(address))
    assert "ist eine Person mit „Berta“" in html
    html = flat(desk.look(address, rows_out="5"))
    assert 'id="leave-5" value="on" checked>' in html and 'id="leave-4" value="on">' in html
    assert desk.take(address, leave_5="on", guest_4="on").status_code == 302
    results = TableResult.objects.order_by("table__evening__held_on", "player__name")
    assert list(results.values_list("player__name", "points")) == [
        ("Anton", 3), ("Berta", -2), ("Gast Kurt", -1), ("Anton", -4), ("Berta", 4), ("Anton", 1),
        ("Berta", 1), ("Gast Kurt", -2),
    ]  # fmt: skip
    assert list(Player.objects.filter(guest=True).values_list("name", flat=True)) == ["Gast Kurt"]
    report = flat(desk.client.get(f"/c/karo/imports/{Import.objects.get().pk}/"))
    assert "Zeile 5 ist von Hand ausgelassen" in report


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Hans Meier", "Meier, Hans", True), ("H. Meier", "Hans Meier", True), ("Hans Meier", "Heinz Meier", False),
        ("H. Meier", "Hans Kunz", False), ("Hans M.", "Hans Meier", True), ("Meier, H.", "Hans Meier", True),
        ("Jan", "Jana", False), ("Oli", "Olli", True),
        ("Jürgen", "Juergen", True), ("Meier-Kunz, Eva-Maria", "Eva-Maria Meier-Kunz", True),
    ],
)  # fmt: skip
def test_which_names_may_be_one_person(one: str, other: str, alike: bool) -> None:
    assert are_alike(one, other) is are_alike(other, one) is alike


def test_a_later_spelling_is_proposed_as_the_name_before_it(desk: Desk) -> None:
    days = [("1.3.24", "Oli"), ("8.3.24", "Oli"), ("15.3.24", "Olli")]
    rows = "".join(f"{day};{name};−3;bei Jan\n{day};Jan;3;\n" for day, name in days)
    form = desk.look(desk.bring(f"Datum;Name;Punkte;Bemerkung\n{rows}")).context["form"]
    assert [form.data[f"column_{index}"] for index in (1, 2, 3, 4)] == ["new", "new", "with_1", "note"]


def test_errors_and_the_column_of_days_are_named_as_in_the_file(desk: Desk) -> None:
    rows = "05.03.2025;3;1;-3;2;0\n12.03.2025;3;1;-3;2;#VALUE!\n19.03.2025;-3;1;3;2;0\n"
    preview = desk.look(desk.bring(f"Runde\nSpieltag;Jan;;Olli;;Summe\n;Pkt;€;Pkt;€;\n{rows}"))
    form = preview.context["form"]
    assert "#WERT!" in flat(preview) and "#VALUE!" not in flat(preview)
    assert form.data["head"] == "2" and form.data["from_row"] == "3"
    assert ("0", "A: Spieltag") in form.fields["day_column"].choices


def test_the_year_of_the_nearest_title_is_preset_and_asked(desk: Desk) -> None:
    rows = "Do 9.1.;3;-3\nDo 16.1.;-4;4\nDo 23.1.;1;-1\n"
    form = desk.look(desk.bring(f"Herz-Dame 1974\nAbende 2025 (Punkte)\n\nTag;Anton;Berta\n{rows}")).context["form"]
    assert form.data["year"] == "2025" and "year" in [field.name for field in form.open_questions]


def test_a_name_that_could_be_two_people_is_proposed_as_neither(desk: Desk) -> None:
    known = make_player(desk.club, "Hans Meier")
    rows = "1.3.24;3;-2;;-1\n8.3.24;-4;;4;\n15.3.24;1;;1;-2\n"
    form = desk.look(desk.bring(f"Datum;Meier, Hans;Heinz Meier;H. Meier;Dora\n{rows}")).context["form"]
    assert [form.data[f"column_{index}"] for index in (1, 2, 3, 4)] == [str(known.pk), "with_3", "new", "new"]
    # What the page shows is taken in at once.
    ralf = make_player(desk.club, "Ralf")
    address = desk.bring("Datum;Anton;Gast (Ralf)\n1.3.24;3;-3\n")
    form = desk.look(address).context["form"]
    shown = {name: form.data[name] for name in form.shown_names if form.data.get(name)}
    assert form.data["column_2"] == str(ralf.pk)
    assert desk.client.post(address, {**shown, "seen": form.fingerprint, "take": "1"}).status_code == 302
    both = "Datum;Hans Meier;Heinz Meier;H. Meier;Dora\n1.3.24;3;-2;;-1\n8.3.24;;;4;-4\n"
    assert desk.look(desk.bring(both)).context["form"].data["column_3"] == "new"


def test_a_name_that_stands_twice_with_points_is_asked_about(desk: Desk) -> None:
    zora = make_player(desk.club, "Zora")
    address = desk.bring("Datum;Anton;Berta;Anton\n1.3.24;3;-3;4\n8.3.24;-4;4;1\n")
    html = flat(desk.look(address))
    assert "„Anton“ steht zweimal da, beide Male mit Punkten: Bitte in der Datei" in html and 'name="take"' not in html
    assert desk.take(address).status_code == 422 and not TableResult.objects.exists()
    assert 'name="take"' in flat(desk.look(address, column_3="skip"))
    assert desk.take(address, column_3=zora.pk).status_code == 302
    assert list(TableResult.objects.filter(player=zora).values_list("points", flat=True)) == [4, 1]


def test_proposed_joins_and_exclusions_can_be_changed(desk: Desk) -> None:
    address = desk.bring(SPELLINGS)
    form = desk.look(address, leave_5="on", column_2="new").context["form"]
    assert form.data["leave_5"] == "on" and len(form.people) == 4
    assert "„x“ ist keine Zeile." in desk.look(address, rows_out="x").content.decode()
    assert "In Zeile 77-80 steht nichts." in desk.look(address, rows_out="77 - 80").content.decode()
    for second in ("with_1", "skip"):
        html = desk.look(address, column_2=second, column_3="with_2").content.decode()
        assert "Diese Spalte ist selbst ausgelassen oder zu einer anderen gelegt." in html and 'name="take"' not in html


# --- Refusals ---------------------------------------------------------------------------------------------------------


def test_rows_that_cannot_be_read_are_named_and_nothing_is_taken_in(desk: Desk) -> None:
    rows = ["1;-1;0"] * 4 + ["1,5;-1;0", "?;1;1", "1.0000;-1;0", "1;zwei;0", "999999;-1;0"]
    days = ["31.02.24", "irgendwann", "1.2.2064"]
    lines = [f"{day}.3.24;{row}" for day, row in enumerate(rows, 1)] + [f"{day};1;-1;0" for day in days]
    address = desk.bring("\n".join(["Datum;A;B;C", ";1;-1;0", *lines]))
    before = everything()
    response = desk.take(address, kind="evenings")
    assert response.status_code == 422
    html = response.content.decode()
    for sentence in (
        "Zeile 2: Das Datum fehlt.",
        "Zeile 7: Spalte B: „1,5“ ist keine ganze Zahl; sind es Euro, bitte Regeln wählen",
        "Zeile 8: Spalte B: „?“ ist",
        "Zeile 9: Spalte B: „1.0000“ ist",
        "Zeile 10: Spalte C: „zwei“ ist keine ganze Zahl.",
        "Zeile 11: Spalte B: „999999“ ist zu groß.",
        "Zeile 12: Den Tag „31.02.24“ gibt es nicht.",
        "Zeile 13: „irgendwann“ ist kein Datum.",
        "Zeile 14: Der Tag liegt in der Zukunft.",
    ):
        assert sentence in html, sentence
    assert 'name="take"' not in html and "keine Zahlen" not in html
    assert everything() == before


def test_a_name_that_is_too_long_says_where_to_shorten_it(desk: Desk) -> None:
    html = desk.look(desk.bring(f"Datum;{'Ä' * 70};B\n1.2.24;1;-1\n")).content.decode()
    assert "Höchstens 40 Zeichen. Bitte in der Datei kürzen" in html


EUROS = "Datum;Anton;Berta\n05.03.21;2,50;-2,5\n06.03.21;-3 €;3\n"


def test_euros_are_asked_about_under_rules_in_cents_alone(desk: Desk) -> None:
    points, cents = make_rule_set(desk.club), make_rule_set(desk.club, "ddv", "Um Geld", unit="cents")
    address = desk.bring(EUROS)
    html = flat(desk.look(address, rule_set=str(points.pk)))
    assert "Zeile 2: Spalte B: „2,50“ ist keine ganze Zahl; Beträge in Euro gehen nur unter Regeln" in html
    assert "Wie sind die Beträge geschrieben?" not in html and 'name="take"' not in html
    assert 'href="#id_rule_set">Bitte Regeln wählen, die in Cent zählen.' in html
    html = desk.look(address).content.decode()
    assert f'<option value="{cents.pk}" selected>' in html, "they are proposed"
    assert '<option value="euros" selected>' in html and "Die Beträge sind in Euro geschrieben" in html
    assert "250 an 1 Abend" not in html and "−50 an 2 Abenden" in html
    assert desk.take(address).status_code == 302
    results = TableResult.objects.filter(table__rule_set=cents).order_by("pk")
    assert list(results.values_list("points", flat=True)) == [250, -250, -300, 300]
    whole = desk.look(desk.bring("Datum;A;B\n05.03.21;20;-20\n"), rule_set=str(cents.pk)).content.decode()
    assert '<option value="cents" selected>' in whole and "20 an 1 Abend" in whole


def test_a_club_without_rules_in_cents_gets_them_with_its_euros(desk: Desk) -> None:
    file = desk.bring_and_take(EUROS)
    rules = RuleSet.objects.get(name="Übernommen in Cent")
    assert rules.unit == "cents" and not rules.rules.has_bock
    assert set(TableResult.objects.filter(player__name="Anton").values_list("points", flat=True)) == {250, -300}
    desk.undo(file)
    assert not RuleSet.objects.filter(pk=rules.pk).exists()
    # Halves alone may be half points.
    html = flat(desk.look(desk.bring("Datum;Anton;Berta\n05.03.21;2,5;-2,5\n06.03.21;3;-3\n")))
    assert "sind es halbe Punkte, bitte in der Datei alle Punkte verdoppeln" in html and 'name="take"' not in html


@pytest.mark.soak
def test_a_list_that_takes_too_long_is_to_be_cut(desk: Desk) -> None:
    before = everything()
    address = desk.bring("Datum;A;B;C;D;E;F;G;H\n" + "1.2.24;1;-1;1;-1;1;-1;1;-1\n" * 16_000)
    response = desk.take(address, kind="evenings")
    assert response.status_code == 422
    assert "Das ist zu viel auf einmal" in response.content.decode()
    assert everything() == before


def test_the_name_of_a_file_is_shown_as_text(desk: Desk) -> None:
    assert "Bitte eine Datei wählen oder Zellen einfügen." in desk.client.post("/c/karo/imports/", {}).content.decode()
    for name, kept in (
        ("a\u202ecsv.exe", "acsv.exe"), ("../../etc/passwd.csv", "passwd.csv"), ("a\u3164.csv", "Datei"),
        ("x" * 300 + ".csv", "x" * 96 + ".csv"),
    ):
        desk.bring(GAMES, name)
        assert Import.objects.get().file_name == kept
    html = desk.client.get(desk.bring(GAMES, "<b>.csv")).content.decode()
    assert "<bdi>&lt;b&gt;.csv</bdi>" in html


# --- The real list of a club ------------------------------------------------------------------------------------------


# Rows of the file that do not sum to zero, and by how much.
ODD = {2: 18, 4: 22, 13: 10, 14: 24, 15: 9, 16: 12, 24: -23, 25: -22, 45: 15, 46: 40, 49: 29, 50: 19, 52: -2, 56: -20, 75: 9}


def test_the_real_list_gives_its_totals_names_its_odd_rows_and_is_on_all_pages(desk: Desk) -> None:
    address = desk.bring(REAL, "ewige_liste.csv")
    assert everything()["Evening"] == [], "the preview changes nothing"
    html = desk.look(address).content.decode()
    assert "90 Abende vom 20.03.2022 bis 03.11.2024" in html
    assert "15 Zeilen ergeben nicht null" in html
    file = desk.bring_and_take(REAL, "ewige_liste.csv")

    rows = {row.name: row for row in list_standings(desk.club)}
    assert {name: (row.points, row.figures["evenings"]) for name, row in rows.items()} == TOTALS
    assert all(row.figures["games"] == 0 and row.figures["average"] is None for row in rows.values())
    assert {row: total for row, _day, total in file.report["odd"]} == ODD
    report = desk.client.get(f"/c/karo/imports/{file.pk}/").content.decode()
    for row, total in ODD.items():
        values = f"{total:+d}".replace("-", "−")
        day, summed = r'<td class="text-nowrap">[\d.]+</td>', rf'<td class="num">{re.escape(values)}</td>'
        assert re.search(rf'<td class="num">{row}</td>\s*{day}\s*{summed}', report)

    assert Evening.objects.count() == 90
    assert Evening.objects.filter(held_on="2024-02-25").count() == 2
    assert not Evening.objects.filter(closed_at=None).exists()
    assert not Game.objects.exists()
    assert verified().startswith("Alles stimmt")

    # The pages of the evenings, months and people, and the workbooks.
    years = set(Evening.objects.values_list("held_on__year", flat=True))
    pages = [desk.client.get(f"/c/karo/evenings/?year={year}").content.decode() for year in years]
    assert sum(page.count("ohne Spiele übernommen") for page in pages) == 90
    assert not any("0 Spiele" in page for page in pages)
    liste = desk.client.get("/c/karo/list/").content.decode()
    assert "90 Abende ohne Einzelspiele" in liste
    book = load_workbook(BytesIO(desk.client.get("/c/karo/list/excel/").content))
    assert any("90 Abende ohne Einzelspiele" in str(cell.value) for row in book.active.iter_rows(max_row=5) for cell in row)

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
    desk.bring_and_take(LIST)
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
    """Points of the old list count, but their number of games is unknown."""
    table = make_table(desk.club, [make_player(desk.club, name) for name in ("Anton", "Berta", "Cäsar", "Dora")])
    add_game(table)
    before = {row.name: row for row in list_standings(desk.club)}
    desk.bring_and_take(LIST)
    after = {row.name: row for row in list_standings(desk.club)}
    for name, row in before.items():
        points = [points for points in POINTS[name] if points is not None]
        assert after[name].points == row.points + sum(points)
        assert after[name].figures["evenings"] == 1 + len(points)
        for rate in ("average", "win_rate", "games", "wins"):
            assert after[name].figures[rate] == row.figures[rate], rate
    assert before["Anton"].figures["average"] not in (0, None)

