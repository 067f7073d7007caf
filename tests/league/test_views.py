"""The pages of seasons and months: tables, settings, closing, supplements, and what is shared."""

from __future__ import annotations

import datetime
import json
import re
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.league.queries.books import compute_hash
from scoring.models import Change, Evening, MonthClosing, Player, Season, Supplement, Table, TableResult
from tests.client import visit
from tests.factories import Cast, add_game, make_import, make_player, make_table, take_import
from tests.html import flat, unmarked
from tests.months import close, hash_preview, make_season

pytestmark = pytest.mark.django_db

MARCH = "2026-03"


def text(response: HttpResponse) -> str:
    """Return the text of a page without tags."""
    html = re.sub(r"<[^>]+>", " ", unmarked(response.content.decode()).partition("<main")[2])
    return " ".join(unescape(html).split())


def get_address(season: Season, end: str = f"{MARCH}/") -> str:
    return f"/c/karo/seasons/{season.pk}/{end}"


def add_late_game(cast: Cast) -> None:
    cast.table.evening.closed_at = None
    type(cast.table.evening).objects.update(closed_at=None)
    add_game(Table.objects.get(pk=cast.table.pk), eyes=200)


@pytest.fixture
def season(cast: Cast) -> Season:
    """One closed evening in March, of the cast's table."""
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    return make_season(cast.club)


TYPED: dict[str, Any] = {
    "name": "Saison 2026",
    "first_day": "2026-01-01",
    "last_day": "2026-12-31",
    "unit": "points",
    "counting": "places",
    "places": "10, 8; 6",
    "best": "3",
    "min_evenings": "2",
    "min_games": "",
    "few_games": "deduction",
    "deduction_games": "60",
    "deduction_points": "0.25",
    "tie_1": "wins",
    "tie_2": "",
    "tie_3": "best",
    "rule_sets": ["ddv"],
    "season": "places",
    "season_places": "5,3",
    "season_best": "9",
    "season_min_evenings": "12",
}


def test_the_form_saves_a_season(cast: Cast) -> None:
    client = visit(cast.admin)
    done = client.post("/c/karo/league/new/", TYPED)
    season = Season.objects.get()
    assert (done.status_code, done["Location"]) == (302, get_address(season, ""))
    assert season.settings == {
        "counting": "places", "places": [10, 8, 6], "best": 3, "min_evenings": 2, "min_games": 0,
        "few_games": {"games": 60, "hundredths": 25}, "guests": False, "tie_breaks": ["wins", "best"],
        "rule_sets": ["ddv"], "season": "places", "season_places": [5, 3],
        "season_best": 9, "season_min_evenings": 12,
    }  # fmt: skip
    html = client.get(get_address(season, "edit/")).content.decode()
    assert 'value="10, 8, 6"' in html
    # The form as it is filled, sent back, changes nothing.
    said = dict(re.findall(r'<input type="(?:text|number|date|hidden)" name="(\w+)" value="([^"]*)"', html))
    client.post(get_address(season, "edit/"), {**TYPED, "version": said["version"]})
    assert not Change.objects.filter(verb="season.changed").exists()
    client.post(get_address(season, "edit/"), {**TYPED, "version": 1, "guests": "on", "few_games": "nothing"})
    season.refresh_from_db()
    assert (season.version, season.settings["guests"], season.settings["few_games"]) == (2, True, None)
    assert "Saison geändert Saison 2026 Der Monat:" in text(client.get("/c/karo/history/"))


def test_a_fault_is_shown_at_its_field(cast: Cast) -> None:
    client = visit(cast.admin)
    for typed, field in (
        ({"name": ""}, "name"),
        ({"last_day": "2025-12-31"}, "last_day"),
        ({"last_day": "2030-01-01"}, "__all__"),
        ({"places": "10, zehn"}, "places"),
        ({"places": ""}, "places"),
        ({"places": "5, 8"}, "places"),
        ({"best": "0"}, "best"),
        ({"few_games": "root"}, "deduction_points"),
        ({"deduction_games": ""}, "deduction_games"),
        ({"deduction_points": "0.001"}, "deduction_points"),
        ({"tie_2": "wins"}, "tie_1"),
        ({"rule_sets": ["nicht da"]}, "rule_sets"),
        ({"season_places": ""}, "season_places"),
        ({"season_best": "0"}, "season_best"),
        ({"season_min_evenings": "367"}, "season_min_evenings"),
        ({"unit": "euros"}, "unit"),
    ):
        answer = client.post("/c/karo/league/new/", {**TYPED, **typed})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field]), typed
    assert not Season.objects.exists()


def test_refusals_of_the_action_are_shown_in_the_form(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    client, address = visit(cast.admin), get_address(season, "edit/")
    typed = {**TYPED, "name": season.name, "counting": "average", "few_games": "nothing", "version": season.version}
    answer = client.post(address, typed)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["counting"])
    assert "Bitte die Saison früher enden lassen" in text(answer)
    assert client.post(address, {**typed, "counting": "points"}).status_code == 302
    overlapping = client.post("/c/karo/league/new/", TYPED)
    assert overlapping.status_code == 422
    assert "In diesen Tagen gibt es schon eine Saison" in text(overlapping)


def test_a_change_of_another_admin_is_a_conflict(cast: Cast) -> None:
    client = visit(cast.admin)
    client.post("/c/karo/league/new/", TYPED)
    season = Season.objects.get()
    client.post(get_address(season, "edit/"), {**TYPED, "version": 1, "best": "4"})
    stale = client.post(get_address(season, "edit/"), {**TYPED, "version": 1, "best": "5"})
    assert stale.status_code == 409
    assert 'value="2"' in stale.content.decode()
    season.refresh_from_db()
    assert season.settings["best"] == 4


def test_a_season_by_average_shows_its_average_and_the_games(cast: Cast) -> None:
    """The cast played one game in March; Ärmel loses two in April: −1 in 3 games, beside 1.00 and −1.00."""
    april = make_table(cast.club, held_on=datetime.date(2026, 4, 3))
    for _ in range(2):
        add_game(april, re=[2, 3])
    season = make_season(cast.club, counting="average", few_games={"games": 10, "hundredths": 1})
    said = text(visit(cast.reader).get(get_address(season, "")))
    # 0.09 were deducted from the average of one game, 0.08 from that of two.
    assert "Platz ↑ Name Schnitt Spiele Apr 26 vorläufig Mär 26 vorläufig" in said
    assert "3 Ärmel −0,42 3 −1,08 0,91" in said
    assert "Es zählt der Schnitt über alle Spiele der Saison" in said
    assert "Was in einem Monat abgezogen wurde" in said
    assert "Teilen" in said and "Jeder Abend Drucken Excel CSV" in said
    month = text(visit(cast.reader).get(get_address(season, "2026-04/")))
    assert "Çelik Schnitt 0,92 1." in month, "on the podium as well"
    assert "Pl. Platz ↑ Name Schnitt 3.4." in month
    assert "Bei den Abenden stehen die Punkte, nicht der Schnitt." in month


def test_a_player_without_a_rank_in_any_month_has_none_in_the_average(cast: Cast) -> None:
    season = make_season(cast.club, counting="average", min_games=20)
    said = text(visit(cast.reader).get(get_address(season, "")))
    assert "– Ärmel – 0 ○" in said and "○ dabei, ohne Platz" in said and "· nicht dabei" not in said
    assert "Es führ" not in said


def test_the_season_gives_the_reasons_for_missing_figures(cast: Cast) -> None:
    """A player without any figure is below all others, without a rank. Each reason is given once, with players as in the table."""
    season = make_season(cast.club, min_evenings=2, season_min_evenings=2)
    for day in (datetime.date(2026, 3, 10), datetime.date(2026, 3, 12)):
        add_game(make_table(cast.club, held_on=day), re=[0, 1], eyes=100)
    people = [*cast.club.players.order_by("pk")[:3], make_player(cast.club, "Zoe")]
    add_game(make_table(cast.club, people, held_on=datetime.date(2026, 3, 13)), re=[0, 1])
    said = text(visit(cast.reader).get(get_address(season, "")))
    assert "– Zoe –" in said
    Player.objects.filter(name="Zoe").update(left_on=datetime.date(2026, 3, 20))
    assert "– Zoe ausgeschieden –" in text(visit(cast.reader).get(get_address(season, "")))
    assert "Ohne Platz in der Saison: weniger als 2 Abende · 1 Zoe" in said
    for month in (4, 5):
        add_game(make_table(cast.club, people, held_on=datetime.date(2026, month, 3)), re=[0, 1])
    answer = visit(cast.reader).get(get_address(season, ""))
    said = text(answer)
    (month,) = re.findall(r"Ohne Zahl in einem Monat: weniger als 2 Abende · 4 (.*?) So wird gezählt", said)
    there = re.findall(r"(\w+) · (?:März 2026, )?April 2026, Mai 2026", month)
    assert there == [row["name"] for row in answer.context["table"].rows if row["name"] in there] and len(there) == 4
    assert "Zoe · März 2026, April 2026, Mai 2026" in month
    assert said.index("· nicht dabei ○ dabei, ohne Platz") < said.index("Mitglieder ohne Zahl"), "not folded away on paper"


# --- Reading ----------------------------------------------------------------------------------------------------------


def test_a_month_shows_its_table_and_the_steps_of_results(cast: Cast, season: Season) -> None:
    reader = visit(cast.reader)
    said = text(reader.get(get_address(season)))
    assert f" · Karo Eins {season.name} Vorläufig " in said
    assert "Platz ↑ Name Ergebnis 6.3. Abende Spiele 1 Ärmel 1 1 1 1 1 Bodo 1" in said
    assert (
        "So kommt es zustande Ärmel · Platz 1 Ärmel 6. März 2026 Platz 1 · 1 Punkt · 1 Spiel 1 Summe aus 1 Abend 1"
        in said
    )
    assert "Es zählt die Summe der Punkte. Gäste zählen nicht mit" in said
    assert "Monat abschließen" not in said
    said = text(visit(cast.admin).get(get_address(season)))
    assert said.index("Ergebnis") < said.index("Monat abschließen") < said.index("So kommt es zustande"), "it is read first"
    for address in (get_address(season), get_address(season, "")):
        html = reader.get(address).content.decode()
        table = html[html.index("<tbody") : html.index("</tbody>")]
        assert len(re.findall(r'class="minus num">−1<', table)) == len(re.findall(r">\s*−", table)) == 4, address
    book = load_workbook(BytesIO(reader.get(get_address(season, f"{MARCH}/excel/")).content))
    assert book.sheetnames == ["März 2026", "Rechnung"]
    assert "vorläufig" in book.active["A2"].value
    said = text(reader.get("/c/karo/"))
    assert "März 2026 Ganzer Monat › Platz Name Ergebnis 1 Ärmel 1 1 Bodo 1" in said
    assert "Vorläufig · Saison" in said
    Player.objects.filter(name="Ärmel").update(name="<b>Bo</b>")
    assert "<b>Bo" not in reader.get(get_address(season)).content.decode()


def test_evenings_that_are_open_dropped_on_one_day_or_came_without_games_are_marked(cast: Cast) -> None:
    """A shared rank brings half a point, so whole numbers have decimals too, also in the steps."""
    season, client = make_season(cast.club, counting="places", places=[3, 2], best=1), visit(cast.reader)
    said = text(client.get(get_address(season)))
    assert "Platz 1 · 1 Punkt · 1 Spiel 2,50 Summe aus 1 Abend 2,50" in said
    assert "Platz 3 · −1 Punkt" in said and "Spiel 0,00 Summe aus 1 Abend 0,00" in said
    people = list(cast.club.players.all()[:4])
    add_game(make_table(cast.club, people, held_on=datetime.date(2026, 3, 6)), re=[0, 1], eyes=100)
    add_game(make_table(cast.club, people, held_on=datetime.date(2026, 3, 13)), eyes=200)
    said = text(client.get(get_address(season)))
    assert "13.3. läuft 6.3. (2) läuft 6.3. läuft Abende" in said
    assert "6. März 2026 (2) Platz 3" in said
    assert "gestrichen, weil andere Abende besser waren" in said
    take_import(make_import(cast.club))
    assert "? ohne Einzelspiele übernommen" in text(client.get(get_address(season)))


def test_the_legend_has_only_the_signs_of_the_table(cast: Cast, season: Season) -> None:
    client = visit(cast.reader)
    said = text(client.get(get_address(season)))
    for nothing in ("gegenüber", "● neu", "ohne Platz", "( )", "· nicht dabei", "? ohne"):
        assert nothing not in said
    add_game(make_table(cast.club, held_on=datetime.date(2026, 4, 3)), eyes=200)
    said = text(client.get(get_address(season, "2026-04/")))
    assert "= gegenüber Mär 26" in said
    assert "● neu" not in said
    people = list(Player.objects.filter(club=cast.club))[:3]
    add_game(make_table(cast.club, [*people, make_player(cast.club, "Zora")], held_on=datetime.date(2026, 5, 1)))
    said = text(client.get(get_address(season, "2026-05/")))
    assert "● neu" in said and "· nicht dabei" not in said
    add_game(make_table(cast.club, held_on=datetime.date(2026, 5, 8)))
    assert "· nicht dabei" in text(client.get(get_address(season, "2026-05/")))
    type(season).objects.filter(pk=season.pk).update(settings={**season.settings, "min_games": 2})
    add_game(make_table(cast.club, held_on=datetime.date(2026, 6, 5)))
    add_game(Table.objects.get(evening__held_on=datetime.date(2026, 6, 5)))
    html = client.get(get_address(season, "2026-06/")).content.decode()
    assert '<span class="moved" aria-hidden="true">○</span>' in html
    assert "<b>○</b> vorher ohne Platz" in html


def test_a_month_without_results(cast: Cast, season: Season) -> None:
    client = visit(cast.admin)
    for end in ("2026-05/", "2026-05/close/"):
        assert "In diesem Monat hat noch niemand gespielt." in text(client.get(get_address(season, end)))
    assert client.get(get_address(season, "2026-05/excel/")).status_code == 200
    for odd in ("2025-12/", "2027-01/", "2026-13/", "2026-3/", "0000-01/", f"{MARCH}/1/", f"{MARCH}/1/excel/"):
        assert client.get(get_address(season, odd)).status_code == 404, odd


def test_the_league_shows_the_current_season(cast: Cast) -> None:
    client = visit(cast.admin)
    assert "Noch hat der Club keine Saison." in text(client.get("/c/karo/league/"))
    season = make_season(cast.club, "Saison 2026")
    said = text(client.get("/c/karo/league/"))
    assert "Saison 2026" in said
    assert "Es führen gemeinsam Bodo und Ärmel." in said or "Es führen gemeinsam Ärmel und Bodo." in said
    assert f"/seasons/{season.pk}/2026-03/" in client.get("/c/karo/league/").content.decode()
    assert "Liga" in client.get("/c/karo/").content.decode()
    older = make_season(cast.club, name="Früher", first_day=datetime.date(2020, 1, 1), last_day=datetime.date(2020, 12, 31))
    back = '<a class="btn btn-outline-secondary no-print" href="/c/karo/league/"'
    assert [back in flat(client.get(get_address(one, ""))) for one in (older, season)] == [True, False]


def test_the_season_has_a_workbook(cast: Cast, season: Season) -> None:
    client = visit(cast.reader)
    html = client.get(get_address(season, "")).content.decode()
    assert f'href="/c/karo/file/excel/?span=season-{season.pk}"' in html
    address = f"/c/karo/file/csv/season-{season.pk}/?span=season-{season.pk}"
    assert f'href="{address}"' in html
    lines = client.get(address).content.decode("utf-8-sig").splitlines()
    assert lines[:2] == ["Platz;Name;Gesamt;März 2026", "1;Ärmel;1,00;1,00"]
    type(cast.club).objects.filter(pk=cast.club.pk).update(shows_months=True)
    strangers = Client().get(get_address(season, "")).content.decode()
    assert "/file/" not in strangers and "share-text" not in strangers


# --- Sorting ----------------------------------------------------------------------------------------------------------


def names_in(client: Client, address: str, heads: str = "") -> list[str]:
    """Return the players of the table in order."""
    html = client.get(address).content.decode()
    table = html[html.index('<table class="list month"') : html.index("</table>")]
    assert heads in table
    return re.findall(r'class="cut" translate="no">(\w+)', table)


def test_a_month_is_sorted_by_each_of_its_columns(cast: Cast, season: Season) -> None:
    """Rows without a figure are last in both directions, and equal rows are in order of rank."""
    client, ranked = visit(cast.reader), ["Ärmel", "Bodo", "Çelik", "Özlem"]
    zora = make_player(cast.club, "Zora")
    add_game(make_table(cast.club, [*cast.club.players.order_by("pk")[1:4], zora], held_on=datetime.date(2026, 3, 13)), eyes=200)
    first = names_in(client, get_address(season))
    for sort, order in {
        "": first,
        "rank": first,
        "unknown": first,
        "name": [*ranked, "Zora"],
        "-name": ["Zora", *reversed(ranked)],
        "-evening_0": sorted(first, key=lambda one: ("ÄBÇÖZ".index(one[0]) // 2, first.index(one))),
        "-evenings": [*(one for one in first if one not in ("Ärmel", "Zora")), *(one for one in first if one in ("Ärmel", "Zora"))],
    }.items():
        assert names_in(client, f"{get_address(season)}?sort={sort}") == order, sort
    assert names_in(client, f"{get_address(season)}?sort=-evening_1")[-1] == "Ärmel", "he was not there"
    assert names_in(client, f"{get_address(season)}?sort=evening_1")[-1] == "Ärmel"
    names_in(client, f"{get_address(season)}?sort=-games", 'aria-sort="descending"')
    html = client.get(f"{get_address(season)}?sort=-name").content.decode()
    podium = html[html.index("podium") : html.index("</ol>")]
    assert re.findall(r'class="cut" translate="no">(\w+)', podium) == first[:3], "the podium stays"
    assert names_in(client, f"{get_address(season, '')}?sort=-name") == ["Zora", *reversed(ranked)]
    assert set(names_in(client, f"{get_address(season, '')}?sort=-month_0")) == {*ranked, "Zora"}
    pages = [text(client.get(get_address(season, end))) for end in ("", "?sort=name")]
    podiums = [page.partition("Es führ")[2].partition("Platz")[0] for page in pages]
    assert podiums[0] == podiums[1] != "", "the podium of a season stays as well"
    assert names_in(visit(cast.admin), f"{get_address(season)}close/?sort=name") == [*ranked, "Zora"]


# --- Closing ----------------------------------------------------------------------------------------------------------


def test_a_month_is_closed_after_a_preview(cast: Cast, season: Season) -> None:
    client = visit(cast.admin)
    preview = client.get(get_address(season, f"{MARCH}/close/")).content.decode()
    (token,) = re.findall(r'name="seen" value="([0-9a-f]{64})"', preview)
    done = client.post(get_address(season, f"{MARCH}/close/"), {"seen": token, "confirmed": "on"})
    assert (done.status_code, done["Location"]) == (302, get_address(season))
    closing = MonthClosing.objects.get()
    said = text(visit(cast.reader).get(get_address(season)))
    assert re.search(r"Abgeschlossen am .* von anna ", said)
    assert closing.content_sha256 in said
    assert closing.file_sha256 in said
    assert "Vorläufig" not in said
    assert "Monat abgeschlossen März 2026, Saison Fassung: 1" in text(client.get("/c/karo/history/"))


def test_a_change_since_the_preview_shows_the_preview_again(cast: Cast, season: Season) -> None:
    client, token = visit(cast.admin), hash_preview(season, MARCH)
    add_late_game(cast)
    answer = client.post(get_address(season, f"{MARCH}/close/"), {"seen": token, "confirmed": "on"})
    assert answer.status_code == 409
    assert "Bitte noch einmal ansehen, was veröffentlicht würde." in text(answer)
    assert hash_preview(season, MARCH) in answer.content.decode(), "once more is enough"
    assert not MonthClosing.objects.exists()


def test_an_open_evening_is_named_and_confirmed(cast: Cast) -> None:
    season, client = make_season(cast.club), visit(cast.admin)
    assert "Der Abend vom 6. März 2026 läuft noch." in text(client.get(get_address(season, f"{MARCH}/close/")))
    refused = client.post(get_address(season, f"{MARCH}/close/"), {"seen": hash_preview(season, MARCH)})
    assert refused.status_code == 422
    assert "Bitte ankreuzen" in text(refused)
    for running in (True, False):
        month = client.get(get_address(season))
        assert ("Ein Abend läuft noch. Am besten erst danach abschließen." in text(month)) is running
        assert (b'class="btn wide btn-primary"' in month.content) is not running
        type(cast.table.evening).objects.update(closed_at=timezone.now())


def test_an_earlier_month_has_to_be_closed_first(cast: Cast, season: Season) -> None:
    add_game(make_table(cast.club, held_on=datetime.date(2026, 4, 3)))
    said = text(visit(cast.admin).get(get_address(season, "2026-04/close/")))
    assert "Erst März 2026 abschließen" in said
    sent = {"seen": hash_preview(season, "2026-04"), "confirmed": 1}
    answer = visit(cast.admin).post(get_address(season, "2026-04/close/"), sent)
    assert answer.status_code == 409


def test_files_of_a_closed_month_are_those_that_were_published(cast: Cast, season: Season) -> None:
    closing = close(season, MARCH, cast.admin)
    add_late_game(cast)
    client = visit(cast.reader)
    for end in (f"{MARCH}/excel/", f"{MARCH}/1/excel/"):
        answer = client.get(get_address(season, end))
        assert compute_hash(answer.content) == closing.file_sha256
    assert 'filename="liga-karo-eins-2026-03-1.xlsx"' in answer["Content-Disposition"]
    data = client.get(get_address(season, f"{MARCH}/1/data/"))
    assert (data["Content-Type"], compute_hash(data.content)) == ("application/json", closing.content_sha256)
    assert json.loads(data.content)["rows"][0]["name"] == "Ärmel"


# --- After the closing ------------------------------------------------------------------------------------------------


def test_the_preview_of_a_closed_month_shows_its_differences(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    assert "seither ist nichts anders" in text(visit(cast.admin).get(get_address(season, f"{MARCH}/close/")))
    add_late_game(cast)
    said = text(visit(cast.admin).get(get_address(season, f"{MARCH}/close/")))
    assert "Ärmel : vorher: Platz 1, 1 → jetzt: Platz 1, 4 06.03.2026: 1 → 4" in said
    assert "Was dazu geführt hat" in said
    assert "Spiel eingetragen · Tisch 1 am 06.03.2026" in said


def test_a_supplement_is_shown_in_the_open_month(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    add_late_game(cast)
    client, address = visit(cast.admin), get_address(season, f"{MARCH}/supplement/")
    empty = client.post(address, {"seen": hash_preview(season, MARCH), "reason": " "})
    assert (empty.status_code, Supplement.objects.count()) == (422, 0)
    stale = client.post(address, {"seen": "x", "reason": "Ein Spiel fehlte"})
    assert (stale.status_code, Supplement.objects.count()) == (409, 0)
    assert 'value="Ein Spiel fehlte"' in stale.content.decode(), "what was typed is kept"
    done = client.post(address, {"seen": hash_preview(season, MARCH), "reason": "Ein Spiel fehlte"})
    assert (done.status_code, done["Location"]) == (302, get_address(season, "2026-04/"))
    said = text(visit(cast.reader).get(get_address(season, "2026-04/")))
    assert "Nachtrag zu März 2026: Ein Spiel fehlte" in said
    assert "Nachtrag zu Mär 26 Abende Spiele" in said, "the head of its column"
    assert "– Ärmel 3 3 0 0" in said
    assert "Ohne Platz: in diesem Monat nicht dabei." in said
    assert "Was dazu geführt hat" in said
    told = text(client.get("/c/karo/history/"))
    assert "Nachtrag zu einem Monat März 2026, Saison Zählt im: April 2026 Grund: Ein Spiel fehlte" in told


def test_the_next_version_shows_its_differences(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    first = visit(cast.reader).get(get_address(season, f"{MARCH}/1/"))
    add_late_game(cast)
    client = visit(cast.admin)
    client.post(get_address(season, f"{MARCH}/close/"), {"seen": hash_preview(season, MARCH), "confirmed": "on"})
    said = text(visit(cast.reader).get(get_address(season)))
    assert "von anna Fassung 2 " in said
    assert "Was Fassung 2 anders sagt Ärmel : vorher: Platz 1, 1 → jetzt: Platz 1, 4" in said
    again = text(visit(cast.reader).get(get_address(season, f"{MARCH}/1/")))
    assert "Das ist nicht die letzte Fassung." in again
    table = re.compile(rb"<table.*?</table>", re.DOTALL)
    assert table.findall(visit(cast.reader).get(get_address(season, f"{MARCH}/1/")).content) == table.findall(first.content)
    assert "Monat abgeschlossen März 2026, Saison Fassung: 2" in text(client.get("/c/karo/history/"))


def test_differences_distinguish_0_from_missing(cast: Cast) -> None:
    add_game(cast.table, form="penalty", points=[-1, 0, 0, 1], reason="Fehlbedienung")
    season = make_season(cast.club)
    close(season, MARCH, cast.admin)
    add_game(cast.table, eyes=200)
    add_game(make_table(cast.club, list(cast.table.evening.club.players.all()[:4]), held_on=datetime.date(2026, 3, 13)))
    said = text(visit(cast.admin).get(get_address(season, f"{MARCH}/close/")))
    assert "Ärmel : vorher: Platz 2, 0 → jetzt: Platz 2, 4 06.03.2026: 0 → 3 13.03.2026: – → 1" in said
    assert "06.03.2026: −1 → −4 13.03.2026: – → −1" in said
    assert "· −4 Punkte ·" in said


# --- News where people look -------------------------------------------------------------------------------------------


def test_an_undecided_month_is_shown_on_all_its_pages(cast: Cast, season: Season) -> None:
    """Until it is decided, on the start page and the pages of the season and later months, and at once to the user who corrected.

    Admins see a link to decide.
    """
    close(season, MARCH, cast.admin)
    told, admin = (
        "März 2026 ist abgeschlossen, und seither hat sich an seinen Spielen etwas geändert.",
        visit(cast.admin),
    )
    pages = ["/c/karo/", *(get_address(season, end) for end in ("", "2026-03/", "2026-04/", "2026-05/close/"))]
    assert [told in text(admin.get(one)) for one in pages] == [False] * 5
    add_late_game(cast)
    assert told in text(admin.get("/c/karo/")), "also while the evening is open once more"
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    assert [told in text(admin.get(one)) for one in pages] == [True] * 5
    assert told not in text(admin.get(get_address(season, "2026-02/"))), "nothing about months to come"
    for one in pages[:4]:
        read = text(visit(cast.reader).get(one))
        assert told in read and "Das entscheidet ein Verwalter." in read and "Ansehen und entscheiden" not in read
    assert told not in text(admin.get(get_address(season, f"{MARCH}/1/"))), "a version is as it was published"
    at_table = text(visit(cast.reader).get(f"/c/karo/tables/{cast.table.pk}/"))
    assert told in at_table and "Das entscheidet ein Verwalter." in at_table
    close(season, MARCH, cast.admin)
    assert [told in text(admin.get(one)) for one in pages] == [False] * 5
    assert told not in text(visit(cast.reader).get(f"/c/karo/tables/{cast.table.pk}/"))


def test_closing_past_an_undecided_month_needs_a_confirmation(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    april = make_table(cast.club, held_on=datetime.date(2026, 4, 3))
    add_game(april, re=[0, 1])
    close_evening(evening=april.evening, actor=Actor(cast.scorer))
    add_late_game(cast)
    type(cast.table.evening).objects.update(closed_at=timezone.now())
    client, address = visit(cast.admin), get_address(season, "2026-04/close/")
    assert "Über die Änderungen in März 2026 ist noch nicht entschieden." in text(client.get(address))
    for one in ("", "2026-04/"):
        filled = client.get(get_address(season, one)).content.count(b'<a class="btn btn-primary"')
        assert filled == 1, "first to decide, then to close"
    refused = client.post(address, {"seen": hash_preview(season, "2026-04")})
    assert (refused.status_code, season.monthclosings.filter(month="2026-04").count()) == (422, 0)
    assert client.post(address, {"seen": hash_preview(season, "2026-04"), "confirmed": "on"}).status_code == 302


def test_a_month_that_is_over_is_shown_as_due(cast: Cast, season: Season) -> None:
    type(cast.table.evening).objects.update(closed_at=timezone.now())
    for one in ("/c/karo/", get_address(season, "")):
        said = text(visit(cast.admin).get(one))
        assert "März 2026 ist vorbei, aber noch nicht abgeschlossen." in said
        assert "Abschließen ›" in said or "Ansehen und abschließen" in said
        read = text(visit(cast.reader).get(one))
        assert "vorbei, aber noch nicht" in read and "Abschließen ›" not in read and "Ansehen und" not in read
    assert "Verwalter" not in text(visit(cast.reader).get("/c/karo/")), "one line is enough where nothing can be done"
    later = get_address(season, "2026-05/")
    assert "März 2026 ist vorbei, aber noch nicht abgeschlossen." in text(visit(cast.reader).get(later)), (
        "past it as well"
    )
    assert "vorbei, aber noch nicht" not in text(visit(cast.admin).get(get_address(season))), (
        "the month itself has its button"
    )
    beside = make_season(cast.club, "Cent", datetime.date(2026, 1, 1), datetime.date(2026, 12, 31), "cents")
    named = "März 2026 (Saison) ist vorbei, aber noch nicht abgeschlossen."
    for end in ("2026-05/", "2026-05/close/", ""):
        assert named in text(visit(cast.admin).get(get_address(beside, end))), "of another league it is named"
    close(season, MARCH, cast.admin)
    for one in ("/c/karo/", later, get_address(beside, "")):
        assert "vorbei, aber noch nicht" not in text(visit(cast.admin).get(one))


def test_the_page_of_a_season_lists_due_months_and_links_to_the_first(cast: Cast, season: Season) -> None:
    april = make_table(cast.club, held_on=datetime.date(2026, 4, 3))
    add_game(april, re=[0, 1])
    close_evening(evening=april.evening, actor=Actor(cast.scorer))
    admin = visit(cast.admin)
    for months in (["März 2026", "April 2026"], ["April 2026"], []):
        shown = admin.get(get_address(season, ""))
        due = r"(?:\w+ 2026(?= ist vorbei, aber noch nicht abgeschlossen\.)|(?<=Ebenso: )\w+ 2026)"
        assert re.findall(due, text(shown)) == months
        first = [{"März": MARCH, "April": "2026-04"}[months[0].split()[0]]] if months else []
        assert re.findall(r'/seasons/\d+/([\d-]+)/close/"', shown.content.decode()) == first
        if first:
            close(season, first[0], cast.admin)


@pytest.fixture
def spring(cast: Cast) -> Season:
    """March and April of the cast: two evenings, of which the guest of the second is in neither table with a rank."""
    people = [seat.player for seat in cast.table.rounds.get().seats.order_by("place")]
    guest = make_player(cast.club, "Gast <Gustav>", guest=True)
    add_game(make_table(cast.club, [*people[:3], guest], held_on=datetime.date(2026, 3, 13)), eyes=200)
    add_game(make_table(cast.club, people, held_on=datetime.date(2026, 4, 3)), kind="damensolo", re=[2], eyes=180)
    return make_season(cast.club)


def sum_points(season: Season, first: datetime.date, last: datetime.date) -> dict[str, int]:
    """Return the points of all players but guests on these days."""
    found: dict[str, int] = {}
    for result in TableResult.objects.filter(table__evening__held_on__range=(first, last), player__club=season.club):
        if not result.player.guest:
            found[result.player.name] = found.get(result.player.name, 0) + result.points
    return found


def read_share_text(html: str) -> str:
    found = re.search(r'<textarea[^>]*id="share-text"[^>]*>(.*?)</textarea>', html, re.S)
    assert found
    return unescape(found[1])


def parse_ranked(text: str) -> dict[str, int]:
    lines = re.findall(r"^[0-9]+\. (.*): (−?[0-9]+)$", text, re.M)
    return {name: int(points.replace("−", "-")) for name, points in lines}


def parse_picture(svg: str) -> dict[str, int]:
    """Return the results in the picture."""
    lines = re.findall(r">[0-9]+\.</text>.*?>([^<]+)</text>\s*<text[^>]*>(−?[0-9]+)</text>", svg, re.S)
    return {unescape(name): int(points.replace("−", "-")) for name, points in lines}


def test_a_month_has_a_text_and_a_picture_to_share(cast: Cast, spring: Season) -> None:
    client = visit(cast.reader)
    expected = sum_points(spring, datetime.date(2026, 3, 1), datetime.date(2026, 3, 31))
    at = f"/c/karo/seasons/{spring.pk}/2026-03/"
    text = read_share_text(client.get(at).content.decode())
    assert text.startswith(f"März 2026 · {spring.name}\n{cast.club.name}\nVorläufig · 2 Abende\n")
    assert parse_ranked(text) == expected
    picture = client.get(f"{at}picture/")
    assert picture["Content-Type"] == "image/svg+xml"
    assert parse_picture(picture.content.decode()) == expected
    Evening.objects.filter(closed_at=None).update(closed_at="2026-03-14T01:00Z")
    close(spring, "2026-03")
    assert "Abgeschlossen · 2 Abende" in read_share_text(client.get(at).content.decode())
    assert "Abgeschlossen" in client.get(f"{at}picture/").content.decode()


def test_a_season_has_a_text_and_a_picture_to_share(cast: Cast, spring: Season) -> None:
    client = visit(cast.reader)
    expected = sum_points(spring, spring.first_day, spring.last_day)
    at = f"/c/karo/seasons/{spring.pk}/"
    text = read_share_text(client.get(at).content.decode())
    assert text.startswith(f"{spring.name}\n{cast.club.name}\n")
    assert parse_ranked(text) == parse_picture(client.get(f"{at}picture/").content.decode()) == expected
