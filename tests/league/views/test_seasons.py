"""The form of a season and what its pages show of it."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Player, Season
from tests.factories import Cast, add_game, make_player, make_table
from tests.league.views.march import MARCH, page, seen_by, text
from tests.months import close, make_season
from tests.pages import flat

pytestmark = pytest.mark.django_db


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


def test_what_is_typed_is_what_the_season_is(cast: Cast) -> None:
    client = seen_by(cast.admin)
    done = client.post("/c/karo/league/new/", TYPED)
    season = Season.objects.get()
    assert (done.status_code, done["Location"]) == (302, page(season, ""))
    assert season.settings == {
        "counting": "places", "places": [10, 8, 6], "best": 3, "min_evenings": 2, "min_games": 0,
        "few_games": {"games": 60, "hundredths": 25}, "guests": False, "tie_breaks": ["wins", "best"],
        "rule_sets": ["ddv"], "season": "places", "season_places": [5, 3],
        "season_best": 9, "season_min_evenings": 12,
    }  # fmt: skip
    html = client.get(page(season, "edit/")).content.decode()
    assert 'value="10, 8, 6"' in html
    # The form as it is filled, sent back, changes nothing.
    said = dict(re.findall(r'<input type="(?:text|number|date|hidden)" name="(\w+)" value="([^"]*)"', html))
    client.post(page(season, "edit/"), {**TYPED, "version": said["version"]})
    assert not Change.objects.filter(verb="season.changed").exists()
    client.post(page(season, "edit/"), {**TYPED, "version": 1, "guests": "on", "few_games": "nothing"})
    season.refresh_from_db()
    assert (season.version, season.settings["guests"], season.settings["few_games"]) == (2, True, None)
    assert "Saison geändert Saison 2026 Der Monat:" in text(client.get("/c/karo/history/"))


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"name": ""}, "name"),
        ({"last_day": "2025-12-31"}, "last_day"),
        ({"last_day": "2030-01-01"}, None),
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
    ],
)
def test_what_cannot_be_is_said_at_its_field(cast: Cast, typed: dict[str, Any], field: str | None) -> None:
    answer = seen_by(cast.admin).post("/c/karo/league/new/", {**TYPED, **typed})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field or "__all__"]
    assert not Season.objects.exists()


def test_that_the_counting_stays_is_said_at_its_field(cast: Cast, season: Season) -> None:
    close(season, MARCH, cast.admin)
    typed = {**TYPED, "name": season.name, "counting": "average", "few_games": "nothing", "version": season.version}
    answer = seen_by(cast.admin).post(page(season, "edit/"), typed)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["counting"])
    assert "Bitte die Saison früher enden lassen" in text(answer)
    done = seen_by(cast.admin).post(page(season, "edit/"), {**typed, "counting": "points"})
    assert done.status_code == 302


def test_seasons_that_overlap_are_refused_in_the_form(cast: Cast, season: Season) -> None:
    answer = seen_by(cast.admin).post("/c/karo/league/new/", TYPED)
    assert answer.status_code == 422
    assert "In diesen Tagen gibt es schon eine Saison" in text(answer)


def test_somebody_elses_change_is_not_overwritten_unseen(cast: Cast) -> None:
    client = seen_by(cast.admin)
    client.post("/c/karo/league/new/", TYPED)
    season = Season.objects.get()
    client.post(page(season, "edit/"), {**TYPED, "version": 1, "best": "4"})
    stale = client.post(page(season, "edit/"), {**TYPED, "version": 1, "best": "5"})
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
    said = text(seen_by(cast.reader).get(page(season, "")))
    # 0.09 were deducted from the average of one game, 0.08 from that of two.
    assert "Platz ↑ Name Schnitt Spiele Apr 26 vorläufig Mär 26 vorläufig" in said
    assert "3 Ärmel −0,42 3 −1,08 0,91" in said
    assert "Es zählt der Schnitt über alle Spiele der Saison" in said
    assert "Was in einem Monat abgezogen wurde" in said
    assert "Teilen" in said and "Jeder Abend Drucken Excel CSV" in said
    month = text(seen_by(cast.reader).get(page(season, "2026-04/")))
    assert "Çelik Schnitt 0,92 1." in month, "on the podium as well"
    assert "Pl. Platz ↑ Name Schnitt 3.4." in month
    assert "Bei den Abenden stehen die Punkte, nicht der Schnitt." in month


def test_the_podium_of_a_season_stays_however_its_table_is_sorted(cast: Cast, season: Season) -> None:
    for sort in ("", "?sort=name", "?sort=-total"):
        podium = text(seen_by(cast.reader).get(page(season, sort))).partition("Es führen")[2].partition("Platz")[0]
        assert re.findall(r"(\d)\.", podium) == ["1", "1", "3"], sort


def test_another_season_leads_back_to_the_league(cast: Cast, season: Season) -> None:
    older = make_season(cast.club, name="Früher", first_day=datetime.date(2020, 1, 1), last_day=datetime.date(2020, 12, 31))
    back = '<a class="btn btn-outline-secondary no-print" href="/c/karo/league/"'
    client = seen_by(cast.reader)
    assert [back in flat(client.get(page(one, ""))) for one in (older, season)] == [True, False]


def test_who_has_no_rank_all_season_has_none_in_its_average(cast: Cast) -> None:
    season = make_season(cast.club, counting="average", min_games=20)
    said = text(seen_by(cast.reader).get(page(season, "")))
    assert "– Ärmel – 0 ○" in said and "○ dabei, ohne Platz" in said and "· nicht dabei" not in said
    assert "Es führ" not in said


def test_the_season_says_why_somebody_has_no_figure(cast: Cast) -> None:
    """And whoever has none all season stands below everybody, without a rank. Each reason once, with its people as in the table."""
    season = make_season(cast.club, min_evenings=2, season_min_evenings=2)
    for day in (datetime.date(2026, 3, 10), datetime.date(2026, 3, 12)):
        add_game(make_table(cast.club, held_on=day), re=[0, 1], eyes=100)
    people = [*cast.club.players.order_by("pk")[:3], make_player(cast.club, "Zoe")]
    add_game(make_table(cast.club, people, held_on=datetime.date(2026, 3, 13)), re=[0, 1])
    said = text(seen_by(cast.reader).get(page(season, "")))
    assert "– Zoe –" in said
    Player.objects.filter(name="Zoe").update(left_on=datetime.date(2026, 3, 20))
    assert "– Zoe ausgeschieden –" in text(seen_by(cast.reader).get(page(season, "")))
    assert "Ohne Platz in der Saison: weniger als 2 Abende · 1 Zoe" in said
    for month in (4, 5):
        add_game(make_table(cast.club, people, held_on=datetime.date(2026, month, 3)), re=[0, 1])
    answer = seen_by(cast.reader).get(page(season, ""))
    said = text(answer)
    (month,) = re.findall(r"Ohne Zahl in einem Monat: weniger als 2 Abende · 4 (.*?) So wird gezählt", said)
    there = re.findall(r"(\w+) · (?:März 2026, )?April 2026, Mai 2026", month)
    assert there == [name for name, _row in answer.context["table"].lines if name in there] and len(there) == 4
    assert "Zoe · März 2026, April 2026, Mai 2026" in month
    assert said.index("· nicht dabei ○ dabei, ohne Platz") < said.index("Mitglieder ohne Zahl"), "not folded away on paper"
