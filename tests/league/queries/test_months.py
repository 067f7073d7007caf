"""Months and seasons as they are counted from results. One month is also computed from its games."""

from __future__ import annotations

import datetime
import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.league.queries.books import get_current_season, get_days, list_months, list_seasons, read_books
from scoring.league.queries.months import compare_with_published, find_earlier_open_month
from scoring.league.queries.news import get_league_today, get_news
from scoring.league.queries.seasons import list_filled_seasons, read_season_table
from scoring.league.rules import DEFAULT, ROOT
from scoring.league.texts import explain_missing_rank, format_figure, get_movement, list_counting_sentences, list_steps
from scoring.models import Club, Game, Import, Player, Season, Table, TableResult
from scoring.table.actions.games import Typed, correct_game
from scoring.table.actions.seats import seat_players
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table
from tests.months import add_supplement_to, close, make_season, read_month

pytestmark = pytest.mark.django_db

DAY = datetime.date


def evening(club: Club, day: DAY, re: list[int] | None = None, **kw: Any) -> Table:
    table = make_table(club, held_on=day, **kw)
    add_game(table, re=re or [0, 1])
    return table


def by_name(content: dict[str, Any], key: str) -> dict[str, Any]:
    return {row["name"]: row[key] for row in content["rows"]}


def season_of(first: DAY, last: DAY) -> Season:
    return Season(first_day=first, last_day=last, unit="points")


def test_months_are_cut_to_the_days_of_the_season() -> None:
    season = season_of(DAY(2025, 11, 15), DAY(2026, 2, 10))
    assert list_months(season) == ["2025-11", "2025-12", "2026-01", "2026-02"]
    assert get_days(season, "2025-11") == (DAY(2025, 11, 15), DAY(2025, 11, 30))
    assert get_days(season, "2026-02") == (DAY(2026, 2, 1), DAY(2026, 2, 10))
    assert get_days(season, "2026-03") is None


def test_a_month_has_only_results_of_its_days(club: Club) -> None:
    for day in (DAY(2026, 2, 28), DAY(2026, 3, 1), DAY(2026, 4, 1)):
        evening(club, day)
    # The dealer of five has neither games nor points, and so no row.
    add_game(make_table(club, 5, held_on=DAY(2026, 3, 31)), dealer=4)
    content = read_month(make_season(club), "2026-03")
    assert [one["held_on"] for one in content["evenings"]] == ["2026-03-01", "2026-03-31"]
    assert set(by_name(content, "result").values()) == {200, -200}


def test_guests_take_ranks_of_an_evening_only_if_they_count(club: Club) -> None:
    """Anna, a guest, wins alone. Without her the other three share the first rank."""
    people = [make_player(club, name, guest=name == "Anna") for name in ("Anna", "Bodo", "Cem", "Dora")]
    add_game(make_table(club, people, held_on=DAY(2026, 3, 6)), kind="damensolo", re=[0], eyes=180)
    places = {"counting": "places", "places": [5, 4, 3, 2]}
    season = make_season(club, guests=True, **places)
    assert by_name(read_month(season, "2026-03"), "result") == {"Anna": 500, "Bodo": 300, "Cem": 300, "Dora": 300}
    Season.objects.update(settings=season.settings | {"guests": False})
    content = read_month(Season.objects.get(pk=season.pk), "2026-03")
    assert by_name(content, "result") == {"Bodo": 400, "Cem": 400, "Dora": 400}
    assert content["left_out"] == [people[0].pk]
    # By sum, the others have the same result with and without her.
    results = {"Anna": 600, "Bodo": -200, "Cem": -200, "Dora": -200}
    for guests, left_out in ((True, set()), (False, {"Anna"})):
        Season.objects.update(settings=DEFAULT | {"guests": guests})
        content = read_month(Season.objects.get(pk=season.pk), "2026-03")
        assert by_name(content, "result") == {name: result for name, result in results.items() if name not in left_out}


def test_units_are_never_added_up_and_rule_sets_can_be_chosen(club: Club) -> None:
    evening(club, DAY(2026, 3, 1))
    evening(club, DAY(2026, 3, 2), rule_set=make_rule_set(club, "vln", "Haus"))
    evening(club, DAY(2026, 3, 3), preset="klassisch")
    assert len(read_month(make_season(club), "2026-03")["evenings"]) == 2
    assert len(read_month(make_season(club, "Cent", unit="cents"), "2026-03")["evenings"]) == 1
    alone = make_season(club, "Haus", DAY(2025, 1, 1), DAY(2025, 12, 31), rule_sets=["Haus"])
    evening(club, DAY(2025, 3, 1))
    evening(club, DAY(2025, 3, 2), rule_set=make_rule_set(club, "vln", "Haus"))
    assert [one["held_on"] for one in read_month(alone, "2025-03")["evenings"]] == ["2025-03-02"]


def test_the_tables_of_an_evening_are_added_up(club: Club) -> None:
    first = evening(club, DAY(2026, 3, 6))
    second = Table.objects.create(evening=first.evening, number=2, rule_set=first.rule_set)
    seat_players(table=second, players=list(club.players.order_by("pk")))
    add_game(second, re=[0, 1])
    content = read_month(make_season(club, counting="places", places=[4, 2]), "2026-03")
    assert len(content["evenings"]) == 1
    assert [row["cells"][0]["points"] for row in content["rows"]] == [2, 2, -2, -2]
    assert set(by_name(content, "result").values()) == {300, 0}


def test_arrows_compare_with_the_last_month_with_results(club: Club) -> None:
    evening(club, DAY(2026, 1, 9), re=[0, 1])
    evening(club, DAY(2026, 3, 6), re=[1, 2])
    newcomer = make_player(club, "Neu")
    players = [*club.players.exclude(pk=newcomer.pk).order_by("pk")]
    table = make_table(club, [newcomer, *players[1:]], held_on=DAY(2026, 3, 13))
    add_game(table, re=[0, 1])
    season = make_season(club, tie_breaks=[])
    assert read_month(season, "2026-01")["before"] is None
    content = read_month(season, "2026-03")
    assert content["before"] == "2026-01"
    # January: Ärmel and Bodo first, the others third. March: Bodo 2, Neu 1, Çelik 0, Ärmel -1, Özlem -2.
    assert by_name(content, "rank") == {"Bodo": 1, "Neu": 2, "Çelik": 3, "Ärmel": 4, "Özlem": 5}
    assert {row["name"]: get_movement(row)[0] for row in content["rows"]} == {
        "Bodo": "=", "Neu": "●", "Çelik": "=", "Ärmel": "▼3", "Özlem": "▼2",
    }  # fmt: skip
    close(season, "2026-01")
    TableResult.objects.filter(table__evening__held_on=DAY(2026, 1, 9)).update(points=0)
    assert read_month(season, "2026-03") == content, "the arrows refer to what was published"


def test_a_player_who_missed_a_month_is_not_new(club: Club) -> None:
    evening(club, DAY(2026, 1, 9))
    evening(club, DAY(2026, 2, 6), players=[make_player(club, name) for name in "ABCD"])
    evening(club, DAY(2026, 3, 6))
    row = read_month(make_season(club), "2026-03")["rows"][0]
    assert get_movement(row) == ("○", "im Vormonat ohne Platz")


def test_results_without_games(club: Club) -> None:
    table = evening(club, DAY(2026, 3, 6))
    brought = Import.objects.create(club=club, kind="evenings", file_name="alt.xlsx")
    old = make_table(club, held_on=DAY(2026, 3, 13))
    for result in TableResult.objects.filter(table=table):
        result.pk, result.table, result.games, result.wins, result.points = None, old, 0, 0, 10 * result.points
        result.save()
    Table.objects.filter(pk=old.pk).update(without_games=True, imported=brought)
    content = read_month(make_season(club), "2026-03")
    assert set(by_name(content, "result").values()) == {1100, -1100}
    assert {row["games"] for row in content["rows"]} == {None}
    average = read_month(make_season(club, "Schnitt", DAY(2025, 1, 1), DAY(2025, 2, 1), counting="average"), "2025-01")
    assert average["rows"] == []
    Season.objects.filter(name="Saison").update(settings={**DEFAULT, "counting": "average"})
    content = read_month(Season.objects.get(name="Saison"), "2026-03")
    assert set(by_name(content, "result").values()) == {100, -100}
    assert {row["cells"][1]["why"] for row in content["rows"]} == {"no_games"}


def test_the_current_season(club: Club) -> None:
    today, year = timezone.localdate(), datetime.timedelta(365)
    assert get_current_season(list_seasons(club)) is None
    later = make_season(club, "Später", today + year, today + year)
    assert get_current_season(list_seasons(club)) == later
    past = make_season(club, "Früher", today - year, today - datetime.timedelta(1))
    assert get_current_season(list_seasons(club)) == past
    cents = make_season(club, "Cent", today, today, "cents")
    assert get_current_season(list_seasons(club)) == cents
    now = make_season(club, "Jetzt", today, today)
    assert get_current_season(list_seasons(club)) == now
    assert get_league_today(club)["months"] == []
    evening(club, today)
    ((season, month),) = get_league_today(club)["months"]
    assert (season, month["month"]) == (now, f"{today:%Y-%m}")


def test_a_season_is_final_once_every_month_is_closed(club: Club) -> None:
    evening(club, DAY(2024, 1, 9))
    evening(club, DAY(2024, 3, 6), re=[0, 2])
    season = make_season(club, "Alt", DAY(2024, 1, 1), DAY(2024, 12, 31))
    table = read_season_table(read_books(season))
    assert (table.final, table.leaders) == (False, ["Ärmel"])
    for month in ("2024-01", "2024-03"):
        close(season, month)
    table = read_season_table(read_books(season))
    assert (table.final, [content["month"] for content in table.months]) == (True, ["2024-01", "2024-03"])
    assert [row["months"] for row in table.rows] == [[100, 100], [100, -100], [-100, 100], [-100, -100]]


def get_totals(season: Season) -> dict[str, tuple[int | None, int | None]]:
    """Return the rank and total of all players in a season."""
    table = read_season_table(read_books(Season.objects.get(pk=season.pk)))
    return {row["name"]: (row["rank"], row["total"]) for row in table.rows}


def test_a_season_by_average_is_over_all_games_closed_or_not(club: Club) -> None:
    """Ärmel: +1 in January; +1, −1, −1 in February: 0 in 4 games. The averages of the months would be 1.00 and −0.33."""
    evening(club, DAY(2026, 1, 9))
    for re in ([0, 1], [2, 3], [2, 3]):
        evening(club, DAY(2026, 2, 6), re=re)
    season = make_season(club, counting="average")
    expected = {"Ärmel": (1, 0), "Bodo": (1, 0), "Çelik": (1, 0), "Özlem": (1, 0)}
    assert get_totals(season) == expected
    close(season, "2026-01")
    assert get_totals(season) == expected
    assert read_month(season, "2026-02")["rows"][0]["result"] == 33


def test_a_correction_counts_for_an_average_once_it_is_decided(club: Club) -> None:
    first, _second = evening(club, DAY(2026, 1, 9)), evening(club, DAY(2026, 2, 6))
    season = make_season(club, counting="average")
    close(season, "2026-01")
    before = get_totals(season)
    assert before["Ärmel"] == (1, 100)
    add_game(first, re=[2, 3])
    add_game(first, re=[2, 3])
    assert get_totals(season) == before, "a closed month stays what it was"
    add_supplement_to(season, "2026-01")
    # +1 −1 −1 in January, +1 in February.
    assert get_totals(season)["Ärmel"] == (1, 0)
    close(season, "2026-02")
    assert get_totals(season)["Ärmel"] == (1, 0)
    add_game(first, re=[2, 3])
    add_supplement_to(season, "2026-01")
    assert get_totals(season)["Ärmel"] == (3, -20), "the last supplement tells the whole month"


def test_an_average_leaves_out_dropped_evenings_and_months_without_a_rank(club: Club) -> None:
    """Dropped evenings, and months without a rank."""
    for day, re in ((5, [0, 1]), (6, [2, 3]), (7, [2, 3])):
        evening(club, DAY(2026, 1, day), re=re)
    evening(club, DAY(2026, 2, 6), re=[2, 3])
    assert get_totals(make_season(club, counting="average", best=1, min_evenings=2)) == {
        "Ärmel": (1, 100), "Bodo": (1, 100), "Çelik": (1, 100), "Özlem": (1, 100),
    }  # fmt: skip


# --- Words ------------------------------------------------------------------------------------------------------------


def test_figures_are_formatted() -> None:
    wanted = {(1200, 0): "12", (1200, 2): "12,00", (-333, 0): "−3,33", (-5, 2): "−0,05", (None, 2): "–", (0, 0): "0"}
    assert {both: format_figure(*both) for both in wanted} == wanted


def test_every_setting_changes_the_sentences() -> None:
    settings = {
        **DEFAULT, "counting": "average", "best": 3, "min_evenings": 2, "min_games": 40, "few_games": ROOT,
        "guests": True, "rule_sets": ["Haus"],
    }  # fmt: skip
    said = " ".join(list_counting_sentences(settings, "points"))
    for part in ("der Schnitt", "besten 3 Abende", "an mindestens 2 Abenden", "mindestens 40 Spiele", "4n/(n + 600)",
                 "Gäste zählen mit", "Haus", "Schnitt je Spiel, Siege"):  # fmt: skip
        assert part in said
    few = list_counting_sentences({**DEFAULT, "few_games": {"games": 50, "hundredths": 25}}, "cents")
    assert "Mitglieder mit weniger als 50 Spielen verlieren je fehlendem Spiel 0,25 Cent." in few
    assert "die Summe der Cent" in few[0]


def test_the_steps_end_with_the_result(club: Club) -> None:
    evening(club, DAY(2026, 3, 6))
    season = make_season(club, counting="average", few_games=ROOT, min_games=5)
    row = read_month(season, "2026-03")["rows"][0]
    # sqrt(4/601) = 0.0815
    assert list_steps(read_month(season, "2026-03"), row) == [
        ("1 geteilt durch 1 Spiel", 100),
        ("gewichtet für 1 Spiel, mal 0,0815", 8),
        ("Ergebnis", 8),
    ]
    assert explain_missing_rank(row["why"], season.settings) == "weniger als 5 Spiele"


# --- A month counted a second time ------------------------------------------------------------------------------------


def test_a_month_is_what_its_games_add_up_to(club: Club) -> None:
    """Compute the same figures from the games, player by player, with fractions."""
    dice = random.Random(4)
    people = [make_player(club, name) for name in "ABCDEF"]
    for week in range(5):
        table = make_table(club, dice.sample(people, 5 if week % 2 else 4), held_on=DAY(2026, 3, 2 + 7 * week // 2))
        for _ in range(7):
            dealer = dice.randrange(4) if week % 2 else None
            seats = [seat for seat in range(4) if seat != dealer]
            add_game(table, dealer=dealer, re=dice.sample(seats, 2), eyes=dice.randint(20, 220))
    points: dict[str, dict[DAY, list[int]]] = defaultdict(lambda: defaultdict(list))
    for game in Game.objects.filter(deleted=False).select_related("round__table__evening"):
        for score in game.scores.select_related("player"):
            if score.played:
                points[score.player.name][game.round.table.evening.held_on].append(score.points)
    evenings = {name: [(sum(own), len(own)) for own in days.values()] for name, days in points.items()}

    best_two = {name: 100 * sum(sorted((p for p, _n in own), reverse=True)[:2]) for name, own in evenings.items()}
    assert by_name(read_month(make_season(club, best=2), "2026-03"), "result") == best_two
    averages = {
        name: Fraction(sum(p for p, _n in own), sum(n for _p, n in own)) * 100 for name, own in evenings.items()
    }
    Season.objects.update(settings={**DEFAULT, "counting": "average"})
    found = by_name(read_month(Season.objects.get(), "2026-03"), "result")
    assert all(abs(found[name] - averages[name]) <= Fraction(1, 2) for name in averages)
    assert list(found) == sorted(found, key=lambda name: (-found[name], -averages[name]))
    assert Player.objects.filter(name__in=found).count() == len(found)

MARCH, APRIL, MAY = "2026-03", "2026-04", "2026-05"


def play(club: Club, month: int, re: list[int]) -> Game:
    return add_game(make_table(club, held_on=datetime.date(2026, month, 6)), re=re).game


@pytest.fixture
def season(club: Club) -> Season:
    """March is closed, and was corrected since: a supplement, in April, of two points more for Ärmel and Bodo and two
    less for the others."""
    game = play(club, 3, re=[0, 1])
    season = make_season(club)
    close(season, MARCH)
    typed = Typed("played", {**game.facts, "eyes": 200}, game.dealer)
    correct_game(table=game.round.table, actor=Actor(admin=True), key=game.key, version=game.version, typed=typed)
    assert add_supplement_to(season, MARCH).month == APRIL
    return season


def test_arrows_compare_with_ranks_that_include_supplements(club: Club, season: Season) -> None:
    """Çelik and Özlem won in April, by less than the supplement."""
    play(club, 4, re=[2, 3])
    play(club, 5, re=[0, 1])
    ranks = {row["name"]: row["rank"] for row in read_month(season, APRIL)["rows"]}
    assert ranks == {"Ärmel": 1, "Bodo": 1, "Çelik": 3, "Özlem": 3}
    assert {row["name"]: row["before"] for row in read_month(season, MAY)["rows"]} == ranks


def test_a_month_with_only_a_supplement_has_to_be_closed_before_the_next(club: Club, season: Season) -> None:
    play(club, 5, re=[0, 1])
    with pytest.raises(ActionRefused, match="Ein früherer Monat"):
        close(season, MAY)
    assert find_earlier_open_month(read_books(season), MAY) == APRIL
    close(season, APRIL)
    close(season, MAY)


def test_a_closed_month_still_counts_its_supplements(club: Club, season: Season) -> None:
    """Nothing was changed since it was closed, so nothing differs from what was published."""
    play(club, 4, re=[2, 3])
    close(season, APRIL)
    books = read_books(season)
    assert [one.month for one in books.supplements] == [APRIL]
    assert compare_with_published(books, APRIL)[1] == []
    assert get_news(books).undecided == []


def test_filled_seasons_are_found_without_counting() -> None:
    club = make_club()
    ours, others = make_rule_set(club, name="Bei uns"), make_rule_set(club, name="Woanders")
    add_game(make_table(club, held_on=DAY(2021, 12, 31), rule_set=ours))
    # A player without games and points does not count.
    make_table(club, held_on=DAY(2022, 5, 1), rule_set=ours)
    add_game(make_table(club, held_on=DAY(2023, 5, 1), rule_set=ours))
    published = make_table(club, held_on=DAY(2024, 5, 1), rule_set=ours)
    add_game(published)
    seasons = [
        make_season(club, f"{year} {name}", DAY(year, 1, 1), DAY(year, 12, 31), unit, guests=guests, rule_sets=rules)
        for year in (2021, 2022, 2023, 2024)
        for name, unit, guests, rules in (
            ("unsere", "points", False, [ours.name]),
            ("andere", "points", False, [others.name]),
            ("Gäste", "cents", True, []),
        )
    ]
    mixed = make_season(club, "mit Gästen", DAY(2020, 1, 1), DAY(2020, 12, 31), guests=True)
    add_game(make_table(club, held_on=DAY(2020, 1, 1), rule_set=ours))
    close(seasons[9], "2024-05")
    # A published month stays without its games.
    TableResult.objects.filter(table=published).update(games=0, points=0, wins=0)
    Player.objects.filter(club=club).update(guest=True)

    asked = [mixed, *seasons]
    counted = [season for season in asked if read_season_table(read_books(season)).rows]
    assert list_filled_seasons(asked) == counted == [mixed, seasons[9]]
    Player.objects.filter(club=club).update(guest=False)
    counted = [season for season in asked if read_season_table(read_books(season)).rows]
    assert list_filled_seasons(asked) == counted == [mixed, seasons[0], seasons[6], seasons[9]]
