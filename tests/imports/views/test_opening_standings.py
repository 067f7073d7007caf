"""Opening standings: typed on one page, refused at the field, taken in at once, and undone."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.imports.reading.opening_standings import looks_like_totals_list, read_totals
from scoring.imports.reading.uploads import FileSheet
from scoring.models import Change, Import, OpeningStanding, Player, Verb
from scoring.players.actions import merge_players, unmerge_player
from scoring.standings.queries.standings import list_standings
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user, openings
from tests.imports.uploads import Desk, everything, verified

pytestmark = pytest.mark.django_db

PAGE = reverse("opening_standing", args=["karo"])


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    make_player(club, "Ärmel")
    return Desk(club, make_user("anna", club, ["admin"]))


def build_values(*rows: dict[str, Any], until: str = "2019-12-31", **more: str) -> dict[str, str]:
    named = {f"{key}_{at}": str(value) for at, row in enumerate(rows) for key, value in row.items()}
    sent = {"until": until, "sure": f"until={until}", "unit": "points", "rows": str(len(rows) + 1)}
    return {**sent, **named, **more}


def errors(response: HttpResponse) -> dict[str, list[str]]:
    assert response.status_code == 422
    return {name: list(messages) for name, messages in response.context["form"].errors.items()}


def test_a_typed_standing_counts_at_once(desk: Desk) -> None:
    html = desk.client.get(PAGE).content.decode()
    assert 'value="Ärmel"' in html, "every player has a row"
    first = {"name": " ärmel ", "points": "40", "evenings": 3, "games": 90, "wins": 41, "solos": 5, "solos_won": 2}
    response = desk.client.post(PAGE, build_values(first, {"name": "Ganz Neu", "points": "-38"}, {"name": "Niemand"}))
    assert response.status_code == 302
    told = {name: (one.points, one.evenings, one.games, one.wins) for name, one in openings().items()}
    assert told == {"Ärmel": (40, 3, 90, 41), "Ganz Neu": (-38, None, None, None)}
    report = desk.client.get(response["Location"]).content.decode()
    assert "Anfangsstand von 2 Personen vom 31.12.2019" in report
    assert "Zusammen ergeben sie +2 und nicht 0" in report
    assert "1 neue Person" in report
    page = desk.client.get(reverse("standings", args=["karo"])).content.decode()
    assert len(re.findall(r"Anfangsstand\s*</small>", page)) == 2
    assert "Mit Anfangsstand vom 31.12.2019: Was 2 Personen bis dahin hatten" in page
    assert "Anfangsstand vom 31.12.2019" in desk.client.get(reverse("history", args=["karo"])).content.decode()
    assert "Alles stimmt" in verified()
    english = desk.client.get(response["Location"], headers={"accept-language": "en"}).content.decode()
    assert re.search("<h1><bdi>Opening score as of [^<]*2019</bdi>", english)


def test_nonsense_is_refused_at_its_field_and_nothing_typed_is_lost(desk: Desk) -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"name": "A", "points": "viel"}, "points_0", "Bitte eine ganze Zahl eingeben."),
        ({"name": "A", "points": 10**12}, "points_0", ""),
        ({"name": "A", "games": 3}, "points_0", "Ohne Punkte"),
        ({"points": 3}, "name_0", "Bitte einen Namen"),
        ({"name": "x" * 41, "points": 3}, "name_0", ""),
        ({"name": "A", "points": 3, "games": 10, "wins": 11}, "wins_0", "Mehr Siege als Spiele"),
        ({"name": "A", "points": 3, "games": 10, "solos": 11}, "solos_0", "Mehr Soli als Spiele"),
        ({"name": "A", "points": 3, "solos": 1, "solos_won": 2}, "solos_won_0", "Mehr gewonnene Soli als gespielte"),
        ({"name": "A", "points": 3, "wins": 1, "solos_won": 2}, "solos_won_0", "Mehr gewonnene Soli als Siege"),
        ({"name": "A", "points": 3, "evenings": 3, "games": 2}, "games_0", "Weniger Spiele als Abende"),
        ({"name": "A", "points": 3, "evenings": 0, "games": 2}, "evenings_0", "Spiele ohne einen Abend"),
        ({"name": "A", "points": 3, "evenings": -1}, "evenings_0", ""),
    ]
    for row, field, sentence in cases:
        response = desk.client.post(PAGE, build_values(row, {"name": "Bodo", "points": "77123"}))
        found = errors(response)
        assert list(found) == [field] and sentence in found[field][0]
        html = response.content.decode()
        assert all(f'value="{value}"' in html for value in (*row.values(), "Bodo", 77123))
    assert not OpeningStanding.objects.exists()


def test_the_day_the_people_and_a_page_without_points(desk: Desk) -> None:
    tomorrow = (timezone.localdate() + datetime.timedelta(days=1)).isoformat()
    row = {"name": "A", "points": "1"}
    assert "Dieser Tag liegt in der Zukunft." in errors(desk.client.post(PAGE, build_values(row, until=tomorrow)))["until"][0]
    assert "until" in errors(desk.client.post(PAGE, build_values(row, until="")))
    assert "weiter oben" in errors(desk.client.post(PAGE, build_values(row, {"name": "a", "points": "2"})))["name_1"][0]
    assert "mindestens eine Person" in errors(desk.client.post(PAGE, build_values({"name": "A"})))["__all__"][0]
    assert desk.client.post(PAGE, build_values(row)).status_code == 302
    assert "schon einen Anfangsstand" in errors(desk.client.post(PAGE, build_values(row)))["name_0"][0]
    more = desk.client.post(PAGE, build_values({"name": "B", "points": "x"}, more="1"))
    assert (more.status_code, len(more.context["form"].cards)) == (200, 6)
    assert 'value="x"' in more.content.decode(), "nothing is judged yet and nothing is lost"


def test_a_day_long_before_the_first_evening_is_asked_about_once(desk: Desk) -> None:
    make_table(desk.club)
    sent = build_values({"name": "Ärmel", "points": 3}, until="1950-03-06", sure="")
    asked = desk.client.post(PAGE, sent)
    assert errors(asked)["until"][0].startswith("Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend")
    (sure,) = re.findall('name="sure" value="([^"]+)"', asked.content.decode())
    assert desk.client.post(PAGE, sent | {"sure": sure}).status_code == 302


def test_a_club_that_counts_in_cents_as_well_says_which(desk: Desk) -> None:
    make_rule_set(desk.club, "klassisch")
    assert desk.client.post(PAGE, build_values({"name": "A", "points": "250"}, unit="cents")).status_code == 302
    assert openings()["A"].unit == "cents"


def test_undoing_a_standing_restores_the_state_before(desk: Desk) -> None:
    add_game(make_table(desk.club))
    before = everything()
    desk.client.post(PAGE, build_values({"name": "Bodo", "points": "5"}, {"name": "Neu", "points": "-5"}))
    file = Import.objects.get()
    page = desk.client.get(reverse("import_undo", args=["karo", file.pk])).content.decode()
    assert "der Anfangsstand von 2 Personen" in page
    assert "1 Person, die nur durch diese Datei dazukam" in page
    desk.undo(file)
    assert everything() == before
    assert Change.objects.get(verb=Verb.IMPORT_UNDONE).before == {"opened": 2}
    assert desk.client.post(PAGE, build_values({"name": "Bodo", "points": "5"})).status_code == 302, "and typed anew"


def test_two_who_are_one_have_both_and_can_be_taken_apart(desk: Desk) -> None:
    desk.client.post(PAGE, build_values({"name": "Hans", "points": "5"}, {"name": "Hansi", "points": "-2"}))
    hans, hansi = (Player.objects.get(name=name) for name in ("Hans", "Hansi"))
    merge_players(player=hansi, into=hans, actor=Actor(desk.user))
    assert [(row.name, row.points, row.opening) for row in list_standings(desk.club)] == [("Hans", 3, 3)]
    file = Import.objects.get()
    desk.undo(file)
    file.refresh_from_db()
    assert file.undone_at is None, "while they are one it is not taken back"
    unmerge_player(player=Player.objects.get(pk=hansi.pk), actor=Actor(desk.user))
    assert {name: one.points for name, one in openings().items()} == {"Hans": 5, "Hansi": -2}
    desk.undo(file)
    assert not OpeningStanding.objects.exists()
    assert not Player.objects.filter(name__startswith="Hans").exists()


def test_the_page_of_a_person_says_what_they_had_and_what_it_counts_in(desk: Desk) -> None:
    add_game(make_table(desk.club))
    desk.client.post(PAGE, build_values({"name": "Bodo", "points": "40", "games": "90"}, {"name": "Früher", "points": "-40"}))
    bodo, before = (Player.objects.get(name=name) for name in ("Bodo", "Früher"))
    html = " ".join(desk.client.get(reverse("player", args=["karo", bodo.pk])).content.decode().split())
    assert "<strong>Anfangsstand</strong> vom 31.12.2019: 40 Punkte, 90 Spiele." in html
    assert "Zusammen sind das 41, wie in der ewigen Liste." in html
    html = " ".join(desk.client.get(reverse("player", args=["karo", before.pk])).content.decode().split())
    assert "vom 31.12.2019: −40 Punkte." in html
    assert "Zusammen sind" not in html
    desk.club.shows_list = True
    desk.club.save()
    assert Client().get(reverse("player", args=["karo", before.pk])).status_code == 200, "on the list for strangers too"


FIXTURE = settings.BASE_DIR / "fixtures/lists/anfangsstand.csv"


def read(desk: Desk, body: bytes) -> HttpResponse:
    return desk.client.post(PAGE, {"file": SimpleUploadedFile("Liste 2019.csv", body), "read": "1"})


def get_values(response: HttpResponse) -> dict[str, str]:
    """Return the values of the fields of the page."""
    form = response.context["form"]
    return {name: str(form[name].value() or "") for name in form.fields} | {"rows": str(len(form.cards))}


def test_headings_may_be_short() -> None:
    heads = ["Spieler:", "Teiln.", "Sp.", "Pkt.", "gew. Soli"]
    people, _until, _left_out = read_totals([FileSheet("", [heads, ["Heinz", "40", "800", "1234", "12"]])])
    assert dict(people[0]) == {"name": "Heinz", "evenings": "40", "games": "800", "points": "1234", "solos_won": "12"}


def test_a_file_of_sums_is_seen_before_it_is_taken_in(desk: Desk) -> None:
    make_player(desk.club, "Ole")
    response = read(desk, FIXTURE.read_bytes())
    assert not OpeningStanding.objects.exists()
    html = response.content.decode()
    assert "Aus der Datei: 4 Personen" in html
    assert html.count('<p class="quiet">neue Person</p>') == 3
    platz, mean, total = response.context["read"].left_out
    assert platz == "Spalte A („Platz“): Wiebke 1, Ole 2, Tjark 3, Frauke 4"
    assert mean.startswith("Spalte G („Ø“)")
    assert total.startswith("Zeile 9: ")
    assert desk.client.post(PAGE, get_values(response)).status_code == 302
    assert {name: (str(one.until), one.points, one.evenings, one.games, one.wins) for name, one in openings().items()} == {
        "Wiebke": ("2019-12-18", 1204, 118, 2310, 1207),
        "Ole": ("2019-12-18", 311, 102, 1987, None),
        "Tjark": ("2019-12-18", -15, 40, None, None),
        "Frauke": ("2019-12-18", -1500, 97, 1902, 870),
    }
    assert Import.objects.get().file_name == "Liste 2019.csv"
    again = read(desk, FIXTURE.read_bytes())
    assert "schon einen Anfangsstand" in errors(desk.client.post(PAGE, get_values(again)))["name_0"][0]


def test_a_column_that_is_left_out_says_what_it_would_have_brought(desk: Desk) -> None:
    body = "Name;Punkte;Strafen;Notiz;\nA;5;1;nett;7\nB;2;–;;\nC;3;2;;\nD;1;3;;\nE;1;4;;\nF;1;5;;\nSumme;13;15;;7\n"
    assert list(read(desk, body.encode()).context["read"].left_out) == [
        "Spalte C („Strafen“): A 1, C 2, D 3, E 4 …", "Spalte D („Notiz“)", "Spalte E: A 7",
        "Zeile 8: Summe, 13, 15, 7 (eine Summe)",
    ]  # fmt: skip


def test_nonsense_in_a_file_is_refused_at_its_field(desk: Desk) -> None:
    body = "Name;Punkte;Spiele\nAnna;5;viele\nBert;zwölf;3\n;7;7\nCem;–;9\n".encode()
    response = read(desk, body)
    assert len(response.context["read"].left_out) == 2, "without a name, without points"
    found = errors(desk.client.post(PAGE, {**get_values(response), "until": "2019-12-31"}))
    assert set(found) == {"games_0", "points_1"}
    for body in (b"Datum;Anna;Bert\n1.2.24;3;-3", b"Name;Punkte\n", b"PK\x03\x04 nonsense"):
        response = read(desk, body)
        assert response.status_code == 422
        assert response.context["upload"].errors["file"]


def test_sums_among_the_lists_are_sent_there(desk: Desk) -> None:
    response = desk.upload(FIXTURE.read_bytes())
    assert response.status_code == 422
    assert "Anfangsstand eingeben" in response.context["form"].errors["file"][0]


@pytest.mark.parametrize(
    ("head", "is_sums"),
    [
        ("Name;Punkte", True), ("Platz;Spieler;Gesamt;Abende;Ø", True), ("Datum;Name;Punkte", False),
        ("Name;1.2.24;8.2.24;Summe", False), ("Name;1. Abend;2. Abend;Summe", False),
        ("Name;Januar;Februar;Punkte;Spiele", False),
    ],
)  # fmt: skip
def test_headings_that_look_like_totals(head: str, is_sums: bool) -> None:
    assert looks_like_totals_list([FileSheet("", [head.split(";"), ["1"] * 6])]) == is_sums

