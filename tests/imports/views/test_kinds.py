"""Old lists in every kind in which clubs keep them: the same six evenings of five people, each file taken in as it is proposed,
with nothing said but what its kind leaves open."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from scoring.archive.queries import build_archive
from scoring.models import Evening, Import, TableResult
from tests.archive.actions.taking import taken
from tests.desk import Desk
from tests.factories import make_club, make_table, make_user
from tests.imports.lists import ROOT
from tests.pages import flat

pytestmark = pytest.mark.django_db

LISTS = ROOT / "fixtures/lists"
DAYS = [datetime.date(2023, 1, 13) + datetime.timedelta(days=14 * number) for number in range(6)]
# What each brought home, evening by evening; None for who was not there.
POINTS = {
    "Anton": (12, -8, 5, None, 9, -3),
    "Berta": (-4, 20, 1, -7, None, 6),
    "Cäsar": (-6, None, -9, 15, -14, 2),
    "Dora": (-2, -12, 3, -11, 6, -5),
    "Emil": (None, None, None, 3, -1, None),
}
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
    for name, (said, sentence) in KINDS.items():
        address = desk.bring((LISTS / name).read_bytes(), name)
        preview = desk.look(address, **said)
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
def test_how_everybody_stands_is_no_list_of_evenings(desk: Desk, name: str) -> None:
    response = desk.upload((LISTS / name).read_bytes())
    assert response.status_code == 422
    assert (
        "Das ist ein Anfangsstand, keine Liste von Abenden: Bitte „Anfangsstand eingeben“ wählen."
        in response.content.decode()
    )


def test_what_is_not_said_is_asked_and_nothing_is_offered_before(desk: Desk) -> None:
    for name, sentence in (
        ("numbered.csv", "Bitte den Tag des ersten angeben, und wie oft gespielt wurde."),
        ("no_year.csv", "Bitte das Jahr des ersten Abends angeben."),
    ):
        html = desk.look(desk.bring((LISTS / name).read_bytes())).content.decode()
        assert sentence in html and 'name="take"' not in html, name
        assert "01.01.1950" not in html


def test_where_points_and_totals_look_alike_it_is_asked(desk: Desk) -> None:
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


def test_what_is_left_out_is_said_with_what_it_would_have_brought(desk: Desk) -> None:
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
    """Whatever the language of the admin who took the list in: reasons, and where something stands."""
    said = {
        "de": "Spalte I („Gesamt“) gehört zu keinem Abend (Anton 15, Berta 16,",
        "en": "Column I (“Gesamt”) belongs to no evening (Anton 15, Berta 16,",
    }
    desk.client.defaults["HTTP_ACCEPT_LANGUAGE"] = taken_in
    file = desk.bring_and_take((LISTS / "names_down.csv").read_bytes())
    page = flat(desk.client.get(f"/c/karo/imports/{file.pk}/", headers={"accept-language": read}))
    assert said[read] in page
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
