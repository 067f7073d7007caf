"""The eternal list: sums, ranks, order, filters and hidden players."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.models import Club, Player
from scoring.standings.metrics import METRICS, list_metrics
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import (
    Standing,
    count_evenings_without_games,
    list_standings,
    read_choices,
    read_list,
    sort_standings,
)
from scoring.table.actions.seats import seat_players
from tests import fake_clock
from tests.factories import add_game, make_club, make_old_evening, make_player, make_rule_set, make_table

pytestmark = pytest.mark.django_db

ALL = Selection(everyone=True)


def by_name(rows: list[Standing]) -> dict[str, Standing]:
    return {row.name: row for row in rows}


def row(name: str, **figures: int | Fraction | None) -> Standing:
    """Build a row for the tests of the order."""
    zeros = {metric.key: 0 for metric in METRICS}
    return Standing(len(name), name, name.lower(), False, False, 1, {**zeros, **figures})


def two_evenings(club: Club) -> None:
    """Four people on two evenings: an ordinary game, a solo won, a solo lost, a penalty; a third evening
    without a game."""
    first = make_table(club, 4, held_on=datetime.date(2025, 12, 30))
    add_game(first)
    add_game(first, kind="damensolo", re=[2], eyes=150)
    second = make_table(club, 4, held_on=datetime.date(2026, 1, 6))
    add_game(second, kind="bubensolo", re=[2], eyes=90)
    add_game(second, form="penalty", points=[-3, 1, 1, 1], reason="verworfen")
    make_table(club, 4, held_on=datetime.date(2026, 1, 13))


def test_the_figures_of_two_evenings() -> None:
    club = make_club()
    two_evenings(club)
    list_ = by_name(list_standings(club))
    celik = list_["Çelik"].figures
    assert (celik["evenings"], celik["games"], celik["solos"], celik["solos_won"]) == (2, 3, 2, 1)
    # ddv: Re 121 and 130 eyes 1 point; the solo won with 150 eyes 1 × 3; the one lost with 90 eyes 1 × −3; the penalty
    assert celik["points"] == -1 + 3 - 3 + 1
    assert celik["solo_points"] == 0
    assert celik["wins"] == 1
    assert celik["win_rate"] == Fraction(1, 3)
    assert celik["average"] == Fraction(celik["points"], 3)
    assert list_["Ärmel"].figures["wins"] == 2  # the ordinary game and the solo that was lost


def test_ties_share_a_place_and_stand_by_wins_and_name() -> None:
    club = make_club()
    add_game(make_table(club))
    rows = list_standings(club)
    assert [(row.rank, row.name) for row in rows] == [(1, "Ärmel"), (1, "Bodo"), (3, "Çelik"), (3, "Özlem")]


def test_who_played_nothing_has_no_rate() -> None:
    """Five at the table: who deals sits out; with a penalty alone there are points and no game."""
    club = make_club()
    table = make_table(club, 5)
    add_game(table, form="penalty", points=[-3, 1, 1, 1, 1], reason="verworfen")
    first = list_standings(club)[0].figures
    assert (first["games"], first["evenings"], first["average"], first["win_rate"]) == (0, 0, None, None)


@pytest.mark.parametrize("key", ["rank", "name", *(metric.key for metric in METRICS)])
def test_the_order_is_total_by_every_column_both_ways(key: str) -> None:
    rows = [
        row("Anna", points=5, wins=2, average=Fraction(1, 3)),
        row("Bert", points=5, wins=2, average=None),
        row("Cem", points=5, wins=3, average=Fraction(1, 2)),
        row("Dora", points=-5, average=Fraction(-1, 2)),
    ]
    for descending in (False, True):
        expected = sort_standings(rows, key, descending)
        assert sort_standings(rows[::-1], key, descending) == expected
        assert sort_standings(rows[2:] + rows[:2], key, descending) == expected


def test_no_rate_comes_last_both_ways() -> None:
    rows = [row("Anna", average=None), row("Bert", average=Fraction(-1, 2)), row("Cem", average=Fraction(1, 2))]
    assert [r.name for r in sort_standings(rows, "average", True)] == ["Cem", "Bert", "Anna"]
    assert [r.name for r in sort_standings(rows, "average", False)] == ["Bert", "Cem", "Anna"]


def test_guests_are_hidden_and_take_no_place_and_whoever_left_stays_in_every_list_of_their_time() -> None:
    club = make_club()
    add_game(make_table(club))
    Player.objects.filter(name="Ärmel").update(guest=True)
    Player.objects.filter(name="Özlem").update(left_on=datetime.date(2026, 4, 1))
    for selection in (None, Selection(year=2026)):
        listed_now = [(row.rank, row.name, row.left) for row in list_standings(club, selection)]
        assert listed_now == [(1, "Bodo", False), (2, "Çelik", False), (2, "Özlem", True)]
    assert [one[1:] for one in read_list(club)[1]] == [("Ärmel", True)]
    assert read_list(club, ALL)[1] == read_list(club, Selection(year=1999))[1] == []
    everyone = list_standings(club, ALL)
    assert [(row.rank, row.guest, row.left) for row in everyone] == [
        (1, True, False),
        (1, False, False),
        (3, False, False),
        (3, False, True),
    ]


def test_filters_by_year_and_rule_set() -> None:
    club = make_club()
    two_evenings(club)
    other = make_table(club, 4, rule_set=make_rule_set(club, "vln", "Haus"), held_on=datetime.date(2026, 2, 3))
    add_game(other)
    assert {row.figures["games"] for row in list_standings(club, Selection(year=2025))} == {2}
    assert {row.figures["games"] for row in list_standings(club, Selection(year=2026, rule_set="ddv"))} == {1}
    assert {row.figures["games"] for row in list_standings(club, Selection(rule_set="Haus"))} == {1}
    assert list_standings(club, Selection(year=2025, rule_set="Haus")) == []
    assert list_standings(club, Selection(year=1999)) == []
    offered = read_choices(club)
    assert (offered.units, list(offered.rule_sets), offered.years) == (["points"], ["Haus", "ddv"], [2026, 2025])


def test_points_and_cents_are_two_lists() -> None:
    """A club that counts in cents alone sees them at once."""
    club = make_club()
    add_game(make_table(club, preset="klassisch"))
    assert {row.figures["points"] for row in list_standings(club)} == {5, 0}
    add_game(make_table(club))
    points, cents = list_standings(club), list_standings(club, Selection(unit="cents"))
    assert {row.figures["points"] for row in points} == {1, -1}
    assert {row.figures["points"] for row in cents} == {5, 0}
    assert read_choices(club).units == ["points", "cents"]
    labels = [str(metric.label) for metric in list_metrics("cents")]
    assert (labels[0], labels[3]) == ("Cent", "Ø Cent/Spiel")


def test_a_club_without_games_has_an_empty_list() -> None:
    club = make_club()
    make_player(club, "Ärmel")
    assert list_standings(club) == []
    assert read_choices(club).units == []


def test_two_tables_of_one_evening_are_one_evening(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """An evening counts once for a player at two of its tables. Three queries, however many games there are."""
    club = make_club()
    table = make_table(club)
    add_game(table)
    second = make_table(club)
    second.evening, second.number = table.evening, 2
    second.save()
    add_game(second)
    with django_assert_num_queries(4):
        rows = list_standings(club)
    assert {(row.figures["evenings"], row.figures["games"]) for row in rows} == {(1, 2)}


# --- What is counted, and what is shown on demand ---------------------------------------------------------------------


def test_filters_by_days_and_by_people_at_the_table() -> None:
    club = make_club()
    two_evenings(club)
    add_game(make_table(club, 5, held_on=datetime.date(2026, 2, 6)), dealer=4, eyes=200)
    since, until = datetime.date(2026, 1, 6), datetime.date(2026, 2, 5)
    assert {row.figures["games"] for row in list_standings(club, Selection(since=since, until=until))} == {1}
    assert {row.figures["games"] for row in list_standings(club, Selection(year=2026, until=until))} == {1}
    assert {row.name: row.figures["games"] for row in list_standings(club, Selection(size=5))} == dict.fromkeys(
        ["Ärmel", "Bodo", "Çelik", "Özlem"], 1
    )
    four = {row.name: row.figures for row in list_standings(club, Selection(size=4))}
    assert four == {row.name: row.figures for row in list_standings(club, Selection(until=until))}


def test_one_table_with_four_and_then_five_people_is_counted_in_parts() -> None:
    club = make_club()
    table = make_table(club, 4)
    add_game(table)
    people = [seat.player for seat in table.rounds.get().seats.order_by("place")]
    seat_players(table=table, players=[*people, make_player(club, "Željko")])
    add_game(table, dealer=0, re=[1, 2], eyes=200)
    four, five = (by_name(list_standings(club, Selection(size=size))) for size in (4, 5))
    assert {name: row.figures["games"] for name, row in four.items()} == dict.fromkeys(four, 1)
    assert set(five) == {"Bodo", "Çelik", "Özlem", "Željko"}
    both = by_name(list_standings(club))
    for name in four:
        parts = [one[name].points for one in (four, five) if name in one]
        assert both[name].points == sum(parts)


def test_a_rate_needs_its_games() -> None:
    club = make_club()
    two_evenings(club)
    add_game(make_table(club, [*Player.objects.exclude(name="Bodo"), make_player(club, "Neu")]))
    rows = by_name(list_standings(club, Selection(min_games=3), more=True))
    assert rows["Neu"].figures["games"] == 1
    assert [rows["Neu"].figures[key] for key in ("average", "win_rate", "re_rate")] == [None] * 3
    assert rows["Neu"].figures["points"] is not None
    assert None not in [rows["Çelik"].figures[key] for key in ("average", "win_rate", "re_rate")]


def test_who_has_not_come_for_a_year_is_hidden_from_the_list_of_today_but_not_of_their_time() -> None:
    club = make_club()
    old = [make_player(club, name) for name in ("Alt", "Bert", "Cem", "Dora")]
    add_game(make_table(club, old, held_on=datetime.date(2024, 5, 3)))
    new = [*old[:3], make_player(club, "Neu")]
    add_game(make_table(club, new, held_on=datetime.date(2025, 5, 3)))
    assert set(by_name(list_standings(club))) == {"Alt", "Bert", "Cem", "Neu"}
    everyone = by_name(list_standings(club, ALL))
    assert {name: row.away for name, row in everyone.items() if row.away} == {"Dora": True}
    assert [one[1:] for one in read_list(club)[1]] == [("Dora", False)]
    assert "Dora" in by_name(list_standings(club, Selection(year=2024)))
    Player.objects.filter(name="Dora").update(left_on=datetime.date(2024, 12, 31))
    assert by_name(list_standings(club))["Dora"].left, "who left stays in the list of all time, however long ago"


@pytest.mark.parametrize("latest", ["2026-11-27", "2026-02-01"])
def test_whoever_has_not_come_for_a_year_is_away_counted_from_today(monkeypatch: pytest.MonkeyPatch, latest: str) -> None:
    """Neither an evening of tomorrow nor a long pause since the last one moves the day."""
    club, begin = make_club(), datetime.date(2025, 11, 26)
    names = [("Alt", begin), ("Neu", begin + datetime.timedelta(days=1))]
    fake_clock.begin(monkeypatch, "2026-11-26")
    others = [make_player(club, name) for name in "BCD"]
    for name, day in names:
        add_game(make_table(club, [make_player(club, name), *others], held_on=day))
    add_game(make_table(club, [make_player(club, "Heute"), *others], held_on=datetime.date.fromisoformat(latest)))
    assert [name for _player, name, _guest in read_list(club)[1]] == ["Alt"]


def test_an_evening_without_its_games_counts_in_points_and_in_no_rate() -> None:
    club = make_club()
    add_game(make_table(club))
    make_old_evening(club, {"Bodo": 40, "Özlem": -40}, datetime.date(2025, 12, 1))
    rows = by_name(list_standings(club, more=True))
    bodo = rows["Bodo"].figures
    assert (bodo["evenings"], bodo["games"], bodo["points"]) == (2, 1, 41)
    assert (bodo["average"], bodo["best_evening"]) == (1, 40)
    assert count_evenings_without_games(read_choices(club), Selection()) == 1
    assert count_evenings_without_games(read_choices(club), Selection(size=4)) == 0
    assert by_name(list_standings(club, Selection(size=4)))["Bodo"].points == 1


def test_the_list_says_who_climbed_since_its_last_evening(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    club = make_club()
    add_game(make_table(club, 4, held_on=datetime.date(2026, 1, 6)))  # Ärmel and Bodo 1, Çelik and Özlem −1
    rows, _hidden, last_day = read_list(club)
    assert (last_day, {row.before for row in rows}) == (None, {None})
    people = [Player.objects.get(name=name) for name in ("Çelik", "Bodo", "Özlem")]
    last = make_table(club, [*people, make_player(club, "Željko")], held_on=datetime.date(2026, 1, 13))
    add_game(last, kind="damensolo", re=[0], eyes=150)  # Çelik 3, the others −1
    with django_assert_num_queries(5):
        rows, _hidden, last_day = read_list(club, Selection(unit="points"))
    assert last_day == datetime.date(2026, 1, 13)
    assert [(row.rank, row.name, row.points, row.before) for row in rows] == [
        (1, "Çelik", 2, 3),
        (2, "Ärmel", 1, 1),
        (3, "Bodo", 0, 1),
        (4, "Željko", -1, None),
        (5, "Özlem", -2, 3),
    ]
    # Whom the list hides takes no place in it, then as now.
    Player.objects.filter(name="Ärmel").update(guest=True)
    assert [(row.name, row.before) for row in read_list(club)[0]][:2] == [("Çelik", 2), ("Bodo", 1)]


def test_an_evening_without_games_has_an_average_and_a_winner() -> None:
    club = make_club()
    make_old_evening(club, {"Bodo": 40, "Özlem": 40, "Çelik": -80}, datetime.date(2025, 12, 1))
    add_game(make_table(club, 4, held_on=datetime.date(2026, 1, 6)))  # Ärmel and Bodo 1 point each
    found = by_name(list_standings(club, Selection(min_games=1), more=True))
    assert {name: (row.figures["evening_average"], row.figures["evening_wins"]) for name, row in found.items()} == {
        "Bodo": (Fraction(41, 2), 2),
        "Özlem": (Fraction(39, 2), 1),
        "Ärmel": (1, 1),
        "Çelik": (Fraction(-81, 2), 0),
    }
    # Asked for more games than there are, a rate of games is missing, one of evenings is not.
    bodo = by_name(list_standings(club, Selection(min_games=2), more=True))["Bodo"].figures
    assert (bodo["average"], bodo["evening_average"]) == (None, Fraction(41, 2))


def test_who_only_paid_a_penalty_wins_no_evening_and_a_guest_does() -> None:
    club = make_club()
    table = make_table(club, 5)
    add_game(table, dealer=4)
    add_game(table, form="penalty", points=[-3, -3, -3, -3, 12], reason="verworfen")
    Player.objects.filter(name="Ärmel").update(guest=True)
    found = by_name(list_standings(club, ALL, more=True))
    assert {name for name, row in found.items() if row.figures["evening_wins"]} == {"Ärmel", "Bodo"}
    assert [row.figures["evening_wins"] for row in list_standings(club, Selection(size=5), more=True)] == [0, 1, 0, 0]


def test_the_seldom_figures() -> None:
    club = make_club()
    two_evenings(club)
    celik = by_name(list_standings(club, more=True))["Çelik"].figures
    # −1 + 3 on the first evening, −3 + 1 on the second; Kontra once, alone in Re twice
    assert (celik["best_evening"], celik["worst_evening"], celik["re_rate"]) == (2, -2, Fraction(2, 3))
    assert (celik["streak"], celik["bock_points"], celik["this_month"]) == (1, 0, 0)
    assert celik["last_evening"] == datetime.date(2026, 1, 6).toordinal()
    assert set(list_standings(club)[0].figures) == {metric.key for metric in METRICS}


def test_this_month_and_bock_points() -> None:
    club = make_club()
    table = make_table(club, rule_set=make_rule_set(club, "anleitung"), held_on=timezone.localdate())
    add_game(table, re_said="said", eyes=100)
    add_game(table, eyes=130)
    rows = by_name(list_standings(club, more=True))
    assert (rows["Ärmel"].figures["bock_points"], rows["Çelik"].figures["bock_points"]) == (2, -2)
    assert rows["Ärmel"].figures["this_month"] == rows["Ärmel"].points
