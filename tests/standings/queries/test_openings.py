"""Opening balances: the lists that count them, and the parts that rates take of them.

The figures are computed a second time, from the lines of the games and the typed balances.
"""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest

from scoring.models import Club, OpeningStanding, Table
from scoring.standings.queries.selection import Selection, list_openings, list_stray_openings
from scoring.standings.queries.standings import list_standings, read_choices, read_list
from scoring.standings.texts import describe_stray_opening, list_remarks
from tests.database import made_once
from tests.factories import OPENING_DAY, Figures, add_game, make_club, make_table, open_with
from tests.standings.queries.by_hand import compute_figures, read_entries

pytestmark = pytest.mark.django_db

OPENED = {
    "Ärmel": Figures(100, 20, 300, 120, 15, 6),
    "Bodo": Figures(-40, 12, 150),  # neither wins nor solos
    "Çelik": Figures(-10, None, None, 30),  # wins without games
    "Früher": Figures(-50, 8),  # never came again
}


@pytest.fixture
def club(db: None) -> Club:
    return made_once(_club)


def _club() -> Club:
    club = make_club(slug="karo")
    table = make_table(club, 4, held_on=datetime.date(2020, 1, 10))
    add_game(table)
    add_game(table, kind="damensolo", re=[2], eyes=150)
    add_game(make_table(club, 4, held_on=datetime.date(2020, 2, 14)), kind="bubensolo", re=[2], eyes=90)
    open_with(club, **OPENED)
    return club


def test_every_figure_with_an_opening_balance(club: Club) -> None:
    entries = [entry for table in Table.objects.order_by("pk") for entry in read_entries(table)]
    rows = {row.name: row for row in list_standings(club, Selection(everyone=True), more=True)}
    assert set(rows) == {"Ärmel", "Bodo", "Çelik", "Özlem", "Früher"}
    for name, row in rows.items():
        before = OPENED.get(name, Figures(0))
        played = compute_figures(entries, row.player_id)
        wanted = dict(played)
        for key, brought in before._asdict().items():
            wanted[key] += brought or 0
        if not played["evenings"]:
            # Nothing is known but what was opened.
            wanted |= {**before._asdict(), "solo_points": None}
        games = played["games"] + (before.games or 0)
        points = played["points"] + (before.points if before.games else 0)
        wanted["average"] = Fraction(points, games) if games else None
        both = before.games is not None and before.wins is not None
        games = played["games"] + (before.games if both else 0)
        wins = played["wins"] + (before.wins if both else 0)
        wanted["win_rate"] = Fraction(wins, games) if games else None
        evenings = played["evenings"] + (before.evenings or 0)
        points = played["points"] + (before.points if before.evenings else 0)
        wanted["evening_average"] = Fraction(points, evenings) if evenings else None
        assert {key: row.figures[key] for key in wanted} == wanted, name
        assert row.opening == (before.points if name in OPENED else None)
        assert row.rank == 1 + sum(other.points > row.points for other in rows.values())
    assert rows["Früher"].figures["average"] is None
    assert rows["Çelik"].figures["wins"] == 30 + 1


@pytest.mark.parametrize(
    "part",
    [
        Selection(everyone=True, year=2019),
        Selection(everyone=True, since=datetime.date(2000, 1, 1)),
        Selection(everyone=True, until=OPENING_DAY - datetime.timedelta(days=1)),
        Selection(everyone=True, rule_set="ddv"),
        Selection(everyone=True, size=4),
        Selection(everyone=True, unit="cents"),
    ],
    ids=["year", "since", "until before", "rules", "size", "unit"],
)
def test_a_partial_list_does_not_count_it(club: Club, part: Selection) -> None:
    assert not [row for row in list_standings(club, part) if row.opening is not None]
    assert list_remarks(read_choices(club, openings=list_openings(club)), part) == (
        [] if part.unit else ["Der Anfangsstand hat keine Tage und zählt in dieser Auswahl nicht."]
    )


def test_earlier_ranks_include_it(club: Club) -> None:
    """Before the evening of 14 February: Ärmel 100 and more, then Özlem by games alone, then the others as they were opened."""
    rows = read_list(club)[0]
    before = {name: opened.points for name, opened in OPENED.items()} | {"Özlem": 0}
    for entry in (entry for table in Table.objects.all() for entry in read_entries(table)):
        if entry.day < datetime.date(2020, 2, 14):
            for row in rows:
                before[row.name] += entry.points.get(row.player_id, 0)
    assert {row.name: row.before for row in rows} == {
        name: 1 + sum(other > points for other in before.values()) for name, points in before.items()
    }


def test_it_counts_up_to_its_day_and_says_so(club: Club) -> None:
    until = Selection(everyone=True, until=OPENING_DAY)
    assert {row.name: row.points for row in list_standings(club, until)} == {
        name: before.points for name, before in OPENED.items()
    }
    (mark,) = list_remarks(read_choices(club, openings=list_openings(club)), until)
    assert mark.startswith("Mit Anfangsstand vom 31.12.2019: Was 4 Personen bis dahin hatten, zählt mit")


def test_a_player_with_nothing_else_is_listed_for_a_year_and_then_hidden(club: Club) -> None:
    assert "Früher" in {row.name for row in list_standings(club)}
    add_game(make_table(club, 4, held_on=datetime.date(2021, 3, 1)))
    assert "Früher" in {name for _player, name, _guest in read_list(club)[1]}
    assert "Früher" in {row.name for row in list_standings(club, Selection(everyone=True))}


def test_a_rate_needs_games_that_it_can_take() -> None:
    club = make_club()
    open_with(club, Anna=Figures(5, 3, 90), Bert=Figures(-5, 3, 90, 40))
    rows = {row.name: row.figures for row in list_standings(club, Selection(min_games=90))}
    assert (rows["Anna"]["average"], rows["Anna"]["win_rate"]) == (Fraction(5, 90), None)
    assert (rows["Bert"]["average"], rows["Bert"]["win_rate"]) == (Fraction(-5, 90), Fraction(40, 90))
    assert not [row for row in list_standings(club, Selection(min_games=91)) if row.figures["average"] is not None]


def test_a_club_with_nothing_else_has_a_list() -> None:
    club = make_club()
    open_with(club, unit="cents", Anna=Figures(500), Bert=Figures(-500))
    assert [(row.rank, row.name, row.points) for row in list_standings(club)] == [(1, "Anna", 500), (2, "Bert", -500)]
    assert read_choices(club, openings=list_openings(club)).units == ["cents"]


def test_rows_not_written_by_the_actions_are_found(club: Club) -> None:
    assert list(list_stray_openings(club)) == []
    stranger = open_with(make_club("Pik"), Fremd=Figures(0)).openings.get().player
    OpeningStanding.objects.filter(player__name="Früher").update(player=stranger)
    said = [describe_stray_opening(row) for row in list_stray_openings()]
    assert said == ["pik, Anfangsstand von Fremd: Keine mitgebrachte Datei gehört zu ihm."]
