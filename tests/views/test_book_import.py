"""Our own workbook brought into another club: what is the same there afterwards, what cannot be, that it goes again in one
step, and that a workbook somebody has changed is refused with the sheet and the row."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from io import BytesIO

import pytest
from django.utils import translation
from openpyxl import Workbook, load_workbook

from scoring.actions.merges import merge_players
from scoring.actions.seats import change_line_up
from scoring.demo.seasons import invent
from scoring.exports.club_file import club_workbook
from scoring.imports.book import read_book
from scoring.imports.files import read_file
from scoring.models import Club, Evening, Game, Import, Player, RuleSet, Table, TableResult
from scoring.queries.club_file import Span, read_club_file, spans_of
from scoring.queries.selection import UNITS, Selection
from scoring.queries.standings import standings
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

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 3, 6)


def workbook_of(club: Club, language: str = "de") -> bytes:
    with translation.override(language):
        return club_workbook(read_club_file(club, Span(""))).as_bytes()


def desk_of(club: Club) -> Desk:
    return Desk(club, make_user(f"admin-{club.slug}", club, ["admin"]))


@pytest.fixture
def there() -> Desk:
    """An empty second club."""
    return desk_of(make_club("Pik Dame", slug="pik"))


def small_club() -> Club:
    """Two evenings on one day, one of them at two tables for points and for cents, a place, a guest, every form of line,
    an evening of an old list."""
    club = make_club()
    people = [make_player(club, name) for name in ("Ärmel", "Bodo", "=Cem", "-Dora")]
    guest = make_player(club, "Gisela", guest=True, joined_on=datetime.date(2020, 1, 1))
    make_player(club, "Kam nie", left_on=datetime.date(2025, 1, 1))
    first = make_table(club, [*people, guest], held_on=DAY)
    Evening.objects.filter(pk=first.evening_id).update(place="Gasthaus · Zur Linde")
    add_game(first, dealer=4, note="lang")
    add_game(first, dealer=0, kind="damensolo", re=[2], eyes=180)
    add_game(first, form="penalty", points=[-3, 1, 1, 1, 0], reason="Fehlbedienung")
    add_game(first, form="redeal", seat=2, reason="vergeben")
    add_game(first, form="correction", points=[0, 0, 5, 0, -5], reason="verrechnet")
    second = make_table(club, people, held_on=DAY, preset="klassisch")
    gone = second.evening
    second.evening, second.number = first.evening, 2
    second.save()
    gone.delete()
    add_game(second, form="short", winners=[0, 1], base=30)
    other = make_table(club, people, held_on=DAY, preset="anleitung")
    for _game in range(6):
        add_game(other, eyes=100, re_said="said")
    add_game(other, kind="damensolo", re=[0], eyes=150)
    take_import(make_import(club, [["Datum", "Ärmel", "Bodo", "=Cem"], ["06.03.26", "12", "-4", "-9"]]))
    return club


def lists(club: Club, *figures: str) -> list[tuple[object, ...]]:
    """What the lists of all units say of everybody."""
    return [
        (unit, row.name, row.points, row.guest, *(row.figures[key] for key in figures))
        for unit in UNITS
        for row in standings(club, Selection(unit, everyone=True))
    ]


ALL = ("evenings", "games", "wins", "solos", "solos_won", "solo_points")


# --- There and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_lists_of_both_clubs_are_the_same(there: Desk, language: str) -> None:
    club = small_club()
    address = there.bring(workbook_of(club, language), "alles.xlsx")
    assert not Evening.objects.filter(club=there.club).exists(), "the preview changes nothing"
    html = there.look(address).content.decode()
    assert "3 Abende vom 06.03.2026 bis 06.03.2026" in html
    assert "06.03.2026 · Gasthaus · Zur Linde · 2 Tische · 3 Spiele</li>" in html
    assert "06.03.2026 · ohne Einzelspiele</li>" in html
    assert "1 Zeile ergibt nicht null" in html
    assert there.take(address).status_code == 302
    assert lists(there.club, *ALL) == lists(club, *ALL)
    assert lists(there.club), "there is something to compare"
    assert verified().startswith("Alles stimmt")


def test_older_files_say_in_another_column_what_came_without_games(there: Desk) -> None:
    """Where the dealer stands."""
    club = small_club()
    book = load_workbook(BytesIO(workbook_of(club)))
    moved = 0
    for sheet in book.worksheets:
        last = sheet.max_column
        for row in sheet.iter_rows(min_col=3, max_col=last):
            if sheet.title[0].isdigit() and row[-1].value == "ohne Spiele übernommen":
                row[0].value, row[-1].value = row[-1].value, None
                moved += 1
    changed = BytesIO()
    book.save(changed)
    there.take(there.bring(changed.getvalue(), "alles.xlsx"))
    assert (moved, lists(there.club, *ALL)) == (1, lists(club, *ALL))


def test_what_an_evening_is_comes_along(there: Desk) -> None:
    club = small_club()
    brought = there.bring_and_take(workbook_of(club), "alles.xlsx")
    first, second, sums = Evening.objects.filter(club=there.club).order_by("pk")
    assert {evening.held_on for evening in (first, second, sums)} == {DAY}
    assert [evening.place for evening in (first, second, sums)] == ["Gasthaus · Zur Linde", "", ""]
    assert first.closed_at
    assert [(table.number, table.rule_set.name) for table in first.tables.order_by("number")] == [
        (1, "ddv, übernommen"),
        (2, "klassisch, übernommen"),
    ]
    assert sums.tables.get().without_games
    lines = Game.objects.filter(round__table__evening=first, round__table__number=1).order_by("position")
    assert [(game.form, game.note, game.facts.get("reason")) for game in lines] == [
        ("short", "lang", None),
        ("short", "Damensolo", None),
        ("penalty", "", "Fehlbedienung"),
        ("correction", "", "verrechnet"),
    ]
    assert lines[0].dealer == 4
    assert [row[1] for row in brought.report["left_out"]] == ["ist ohne Punkte"], "the new deal"
    guest = Player.objects.get(club=there.club, name="Gisela")
    assert (guest.guest, guest.joined_on) == (True, datetime.date(2020, 1, 1))
    assert Player.objects.get(club=there.club, name="Kam nie").left_on == datetime.date(2025, 1, 1)
    results = TableResult.objects.filter(table__imported=brought)
    assert sum(result.points for result in results) == sum(
        result.points for result in TableResult.objects.filter(table__evening__club=club)
    )


def test_the_new_rules_are_the_nearest_without_bock(there: Desk) -> None:
    """By the card maker's leaflet a solo does not sum to zero; only its rules explain one."""
    there.bring_and_take(workbook_of(small_club()), "alles.xlsx")
    rules = RuleSet.objects.get(club=there.club, name="anleitung, übernommen")
    assert rules.settings["soloist_share"] == 1
    assert rules.settings["bock"] is None
    assert not Game.objects.filter(round__table__rule_set=rules).exclude(form="short").exists()


def test_the_demo_club_comes_back() -> None:
    invent()
    for club in list(Club.objects.all()):
        desk = desk_of(make_club(f"Zwei {club.slug}", slug=f"zwei-{club.slug}"))
        brought = desk.bring_and_take(workbook_of(club), "alles.xlsx")
        assert lists(desk.club, "evenings") == lists(club, "evenings")
        # What no result in the short form can say stands by hand and is named: a game that nobody won, a special point
        # that only one of two was paid.
        by_hand = len(brought.report["by_hand"])
        played = Game.objects.filter(round__table__evening__club=club, deleted=False, form__in=("played", "short"))
        assert brought.report["games"] + by_hand == played.count()
        assert by_hand <= (3 if club.slug == "kreuz-dame" else 12)
    assert verified().startswith("Alles stimmt")


def test_a_workbook_of_what_came_back_says_the_same(there: Desk) -> None:
    club = small_club()
    there.bring_and_take(workbook_of(club), "alles.xlsx")
    first, again = (read_book(read_file(workbook_of(one))) for one in (club, there.club))
    assert not again.faults
    assert [[paper.sums.values() for paper in evening] for evening in again.evenings] != []
    assert [[(p.day, p.place, p.number, list(p.sums.values())) for p in evening] for evening in again.evenings] == [
        [(p.day, p.place, p.number, list(p.sums.values())) for p in evening] for evening in first.evenings
    ]


# --- Who is who, and by which rules -----------------------------------------------------------------------------------


def test_people_and_rules_are_found_by_their_names(there: Desk) -> None:
    club = make_club()
    add_game(make_table(club, 4))
    zora = make_player(there.club, "Zora")
    armel = make_player(there.club, "ARMEL")
    bodo = make_player(there.club, "Bodo")
    merge_players(player=bodo, into=zora, actor=there.user)
    rules = make_rule_set(there.club, "ddv")
    there.bring_and_take(workbook_of(club), "alles.xlsx")
    table = Table.objects.get(evening__club=there.club)
    assert table.rule_set == rules
    names = set(table.results.values_list("player__name", flat=True))
    assert names == {"ARMEL", "Zora", "Çelik", "Özlem"}
    assert armel.results.exists()


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_later_version_is_found_whatever_language_wrote_it(there: Desk, language: str) -> None:
    club = make_club()
    add_game(make_table(club, 4))
    own = make_rule_set(there.club, "ddv")
    RuleSet.objects.update(version=2)
    with translation.override(language):
        data = workbook_of(club)
    there.bring_and_take(data, "alles.xlsx")
    assert Table.objects.get(evening__club=there.club).rule_set == own


def test_who_was_there_is_not_left_out(there: Desk) -> None:
    address = there.bring(workbook_of(small_club()), "alles.xlsx")
    for said in ("skip", ""):
        response = there.take(address, column_0=said)
        assert response.status_code == 422
    form = there.look(address).context["form"]
    never = next(column for column, _field, _sums in form.columns if column.name == "Kam nie")
    assert there.take(address, **{f"column_{never.index}": "skip"}).status_code == 302
    assert not Player.objects.filter(club=there.club, name="Kam nie").exists()


def test_rules_with_bock_are_refused(there: Desk) -> None:
    rules = make_rule_set(there.club, "anleitung")
    address = there.bring(workbook_of(small_club()), "alles.xlsx")
    form = there.look(address).context["form"]
    place = [entry.name for entry in form.book_rules].index("anleitung")
    assert form.data[f"rules_{place}"] == "new", "it has Bock, so it is not proposed"
    response = there.take(address, **{f"rules_{place}": rules.pk})
    assert "Bitte ein Regelwerk ohne Bock wählen" in response.content.decode()
    assert not Evening.objects.filter(club=there.club).exists()


def test_the_second_year_finds_the_rules_of_the_first(there: Desk) -> None:
    club = make_club()
    add_game(make_table(club, 4, "anleitung"))
    data = workbook_of(club)
    there.bring_and_take(data, "eins.xlsx")
    html = there.look(there.bring(data, "zwei.xlsx")).content.decode()
    assert "Diese Datei wurde schon am" in html
    there.bring_and_take(data, "zwei.xlsx")
    assert RuleSet.objects.filter(club=there.club).count() == 1


def test_who_comes_later_sits_at_the_same_table(there: Desk) -> None:
    """Two line-ups of four become one of five, of whom one sits out; more than eight people come with their sums."""
    club = make_club()
    table = make_table(club, 4)
    add_game(table)
    first = list(Player.objects.filter(club=club).order_by("pk"))
    for newcomer in range(5):
        first[3] = make_player(club, f"Neu {newcomer}")
        change_line_up(table=table, actor=None, as_admin=False, players=first)
        add_game(table)
        brought = there.bring_and_take(workbook_of(club), "alles.xlsx")
        assert brought.report["together"] == (newcomer == 4)
        figures = ("evenings", "games", "wins") if newcomer < 4 else ("evenings",)
        assert lists(there.club, *figures) == lists(club, *figures)
        there.undo(brought)


def test_year_by_year_comes_to_the_same(there: Desk) -> None:
    """A file that is too big can be had for each year alone."""
    club = small_club()
    add_game(make_table(club, list(Player.objects.filter(club=club)[:4]), held_on=datetime.date(2025, 5, 2)))
    for span in spans_of(club):
        if span.year:
            data = club_workbook(read_club_file(club, span)).as_bytes()
            there.bring_and_take(data, f"{span.year}.xlsx")
    assert Import.objects.filter(club=there.club).count() == 2
    assert lists(there.club, *ALL) == lists(club, *ALL)


def test_a_table_that_no_rules_explain_comes_with_its_sums(there: Desk) -> None:
    """One game, and the Kasse paid both sides for it: as a line by hand alone nobody would have been there."""
    club = make_club()
    add_game(make_table(club, 4, "klassisch"), kontra_specials={"fuchs": 1})
    brought = there.bring_and_take(workbook_of(club), "alles.xlsx")
    assert brought.report["together"] == 1
    assert lists(there.club, "evenings") == lists(club, "evenings")


# --- Taking back ------------------------------------------------------------------------------------------------------


def test_it_goes_again_in_one_step(there: Desk) -> None:
    data = workbook_of(small_club())
    add_game(make_table(there.club, [make_player(there.club, name) for name in ("Ärmel", "X", "Y", "Z")]))
    before = everything()
    brought = there.bring_and_take(data, "alles.xlsx")
    assert everything() != before
    there.undo(brought)
    assert everything() == before


# --- Changed ----------------------------------------------------------------------------------------------------------


def row_with(book: Workbook, sheet: str, column: int, value: object) -> int:
    """The first row of a sheet with this in a column."""
    return next(row[0].row for row in book[sheet].iter_rows() if row[column - 1].value == value)


def _text_in_evening(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "06.03.2026", 2, 2)
    book["06.03.2026"].cell(row, 5).value = "viel"
    return "06.03.2026", row


def _other_total(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "06.03.2026", 2, 1)
    book["06.03.2026"].cell(row, 5).value += 1
    return "06.03.2026", row


def _game_removed(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "06.03.2026", 2, 1)
    book["06.03.2026"].delete_rows(row)
    return "06.03.2026", row


def _penalty_removed(book: Workbook) -> tuple[str, int]:
    sheet = book["06.03.2026"]
    row = next(row[0].row for row in sheet.iter_rows() if str(row[-1].value).startswith("Strafe"))
    sheet.delete_rows(row)
    return "06.03.2026", row


def _other_sum(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "06.03.2026", 3, "Summe Punkte")
    book["06.03.2026"].cell(row, 4).value += 2
    return "06.03.2026", row


def _sum_removed(book: Workbook) -> tuple[str, int]:
    sheet = book["06.03.2026 (2)"]
    sheet.delete_rows(row_with(book, sheet.title, 3, "Summe Punkte"), 2)
    return sheet.title, sheet.max_row


def _stranger(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "06.03.2026", 3, "Geber")
    book["06.03.2026"].cell(row, 4).value = "Fremd"
    return "06.03.2026", row


def _text_in_games(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "Spiele", 9, "Bodo")
    book["Spiele"].cell(row, 14).value = "drei"
    return "Spiele", row


def _row_of_games_removed(book: Workbook) -> tuple[str, int]:
    book["Spiele"].delete_rows(row_with(book, "Spiele", 9, "Bodo"))
    return "06.03.2026", row_with(book, "06.03.2026", 2, 1)


def _loser_of_games_removed(book: Workbook) -> tuple[str, int]:
    """In the game for cents losers get nothing, and have a row all the same."""
    row = next(row[0].row for row in book["Spiele"].iter_rows() if row[4].value == "klassisch" and row[11].value == 0)
    book["Spiele"].delete_rows(row)
    return "06.03.2026", row_with(book, "06.03.2026", 1, 2)


def _other_table(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "06.03.2026", 1, 2)
    book["06.03.2026"].cell(row, 1).value = 1
    return "06.03.2026", row


def _day_of_games(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "Spiele", 9, "Bodo")
    book["Spiele"].cell(row, 1).value = "irgendwann"
    return "Spiele", row


def _evening_removed(book: Workbook) -> tuple[str, int]:
    """What stands on the next sheet of that day is then held against its games."""
    del book["06.03.2026 (2)"]
    return "06.03.2026 (3)", row_with(book, "06.03.2026 (3)", 3, "Summe Punkte")


def _person_removed(book: Workbook) -> tuple[str, int]:
    book["Personen"].delete_rows(row_with(book, "Personen", 1, "Gisela"))
    return "06.03.2026", row_with(book, "06.03.2026", 3, "Geber")


def _other_figure(book: Workbook) -> tuple[str, int]:
    row = row_with(book, "Personen", 1, "Bodo")
    book["Personen"].cell(row, 9).value += 1
    return "Personen", row


CHANGES: list[Callable[[Workbook], tuple[str, int]]] = [
    _text_in_evening,
    _other_total,
    _game_removed,
    _penalty_removed,
    _other_sum,
    _sum_removed,
    _stranger,
    _text_in_games,
    _row_of_games_removed,
    _loser_of_games_removed,
    _other_table,
    _day_of_games,
    _evening_removed,
    _person_removed,
    _other_figure,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_a_changed_workbook_says_where_and_changes_nothing(
    there: Desk, change: Callable[[Workbook], tuple[str, int]]
) -> None:
    book = load_workbook(BytesIO(workbook_of(small_club())))
    sheet, row = change(book)
    buffer = BytesIO()
    book.save(buffer)
    before = everything()
    address = there.bring(buffer.getvalue(), "alles.xlsx")
    html = there.look(address).content.decode()
    assert f"<li>Blatt „{sheet}“, Zeile {row}: " in html
    assert "Übernehmen</button>" not in html
    assert there.take(address).status_code == 422
    assert everything() == before


@pytest.mark.parametrize("sheet", ["Personen", "Spiele"])
def test_a_sheet_thrown_away_is_missed(there: Desk, sheet: str) -> None:
    book = load_workbook(BytesIO(workbook_of(small_club())))
    del book[sheet]
    buffer = BytesIO()
    book.save(buffer)
    response = there.upload(buffer.getvalue(), "alles.xlsx")
    assert f"fehlt das Blatt „{sheet}“" in response.content.decode()
    assert not Import.objects.filter(club=there.club).exists()


def test_what_does_not_matter_may_go(there: Desk) -> None:
    """A cover, a chart, a sheet of one's own: everything else in the file is made of the sheets that are read."""
    club = small_club()
    book = load_workbook(BytesIO(workbook_of(club)))
    del book["Deckblatt"]
    book.create_sheet("Notizen").append(["nur so"])
    buffer = BytesIO()
    book.save(buffer)
    there.bring_and_take(buffer.getvalue(), "alles.xlsx")
    assert lists(there.club, *ALL) == lists(club, *ALL)
