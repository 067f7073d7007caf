"""What is refused, and then changes nothing at all."""

from __future__ import annotations

from io import BytesIO

import pytest
from openpyxl import Workbook, load_workbook

from scoring.models import Import, Player, RuleSet, TableResult
from tests.desk import Desk, everything
from tests.effort import some
from tests.factories import Cast, make_club, make_rule_set, make_user
from tests.imports.lists import GAMES, REAL
from tests.pages import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


@pytest.mark.parametrize(
    ("data", "sentence"),
    some(
        [
            ("Datum;A;B\n31.02.24;1;-1\n", "Zeile 2: Den Tag „31.02.24“ gibt es nicht."),
            ("Datum;A;B\n1.2.24;1;-1\nirgendwann;1;-1\n", "Zeile 3: „irgendwann“ ist kein Datum."),
            ("Datum;A;B\n1.2.24;1;-1\n;1;-1\n", "Zeile 3: Das Datum fehlt."),
            (
                "Datum;A;B\n1.2.24;1;-1\n2.2.24;1,5;-1,5\n3.2.24;1;-1\n",
                "Zeile 3: Spalte B: „1,5“ ist keine ganze Zahl; sind es Euro, bitte Regeln wählen",
            ),
            ("Datum;A;B\n1.2.24;1;-1\n2.2.24;1;zwei\n3.2.24;1;-1\n", "Zeile 3: Spalte C: „zwei“ ist keine ganze Zahl."),
            ("Datum;A;B\n1.2.24;1;-1\n1.2.2064;1;-1\n", "Zeile 3: Der Tag liegt in der Zukunft."),
            ("Datum;A;B\n1.2.24;999999;-1\n2.2.24;1;-1\n3.2.24;1;-1\n", "Zeile 2: Spalte B: „999999“ ist zu groß."),
        ],
        3,
    ),
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
    data = "Datum;A;B;C\n05.03.21;1;-1;0\n06.03.21;1,5;-1;0\n07.03.21;?;1;1\n08.03.21;1.0000;-1;0\n"
    html = desk.look(desk.bring(data)).content.decode()
    for sentence in ("Zeile 3: Spalte B: „1,5“ ist", "Zeile 4: Spalte B: „?“ ist", "Zeile 5: Spalte B: „1.0000“ ist"):
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
    file = desk.bring_and_take(EUROS, rule_set=str(cents.pk))
    results = TableResult.objects.filter(table__imported=file).order_by("pk")
    assert list(results.values_list("player__name", "points")) == [
        ("Anton", 250), ("Berta", -250), ("Anton", -300), ("Berta", 300),
    ]  # fmt: skip


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


@pytest.mark.soak
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
