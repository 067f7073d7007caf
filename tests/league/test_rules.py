"""Counting months and seasons: results worked out by hand, rounding against exact fractions, and laws for random results."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.league.rules import (
    COUNTINGS,
    DEFAULT,
    ROOT,
    TIE_BREAKS,
    ContentRow,
    EveningResult,
    Results,
    Share,
    compute_place_points,
    count_month,
    count_season,
    parse_league_settings,
    to_hundredths,
    validate_league,
    weigh_average,
)
from scoring.rules.validation import Refused

A, B, C, D = 1, 2, 3, 4
NAMES = {A: "anna", B: "bodo", C: "celik", D: "dora"}
# Three evenings: points and games of each. Bodo missed the second, Dora came to the last alone.
EVENINGS = {
    A: {0: (12, 24), 1: (-4, 20), 2: (30, 24)},
    B: {0: (12, 24), 2: (-10, 24)},
    C: {0: (-24, 24), 1: (4, 20), 2: (-30, 24)},
    D: {2: (10, 24)},
}


def make_entries(evenings: dict[int, dict[int, tuple[int, int | None]]] = EVENINGS) -> list[Results]:
    return [
        {player: EveningResult(*own[at], None if own[at][1] is None else 3) for player, own in evenings.items() if at in own}
        for at in range(1 + max(at for own in evenings.values() for at in own))
    ]


def make_settings(**kw: Any) -> dict[str, Any]:
    return parse_league_settings({**DEFAULT, **kw})


def table(settings: dict[str, Any], entries: list[Results] | None = None, extra: Any = ()) -> list[tuple[Any, ...]]:
    """Return rank, player and result of each row."""
    rows = count_month(settings, make_entries() if entries is None else entries, NAMES, extra)
    return [(row["rank"], row["player"], row["result"]) for row in rows]


def get_row(player: int, settings: dict[str, Any], entries: list[Results] | None = None, extra: Any = ()) -> ContentRow:
    rows = count_month(settings, make_entries() if entries is None else entries, NAMES, extra)
    return next(row for row in rows if row["player"] == player)


def list_reasons(row: ContentRow) -> list[str | None]:
    """Return why each evening does not count, None for one without the player."""
    return [cell and cell["why"] for cell in row["cells"]]


# --- By hand ----------------------------------------------------------------------------------------------------------


def test_the_sum_of_points() -> None:
    # 12 - 4 + 30 = 38; 12 - 10 = 2; 10; -24 + 4 - 30 = -50
    assert table(make_settings()) == [(1, A, 3800), (2, D, 1000), (3, B, 200), (4, C, -5000)]


def test_the_best_two_evenings() -> None:
    # Anna 30 + 12, Çelik 4 - 24; players with two evenings or fewer keep all.
    assert table(make_settings(best=2)) == [(1, A, 4200), (2, D, 1000), (3, B, 200), (4, C, -2000)]
    assert list_reasons(get_row(A, make_settings(best=2))) == ["", "dropped", ""]
    assert list_reasons(get_row(C, make_settings(best=2))) == ["", "", "dropped"]


@pytest.mark.parametrize(
    ("games", "dropped"),
    [((20, 24, 24), [0, 2]), ((24, 20, 24), [1, 2]), ((20, 20, 24), [0, 1]), ((24, 24, 24), [1, 2])],
)
@pytest.mark.parametrize("counting", ["points", "places"])
def test_of_equal_evenings_the_one_with_most_games_counts_then_the_earlier(
    counting: str, games: tuple[int, ...], dropped: list[int]
) -> None:
    """Of three equal evenings one counts; a tie break by average divides by its games."""
    own = {evening: (12, played) for evening, played in enumerate(games)}
    row = get_row(A, make_settings(counting=counting, places=[10] if counting == "places" else [], best=1), make_entries({A: own}))
    assert [at for at, why in enumerate(list_reasons(row)) if why == "dropped"] == dropped


@pytest.mark.parametrize(("evenings", "dropped"), [([(3, 6), (10, 20)], [0]), ([(10, 20), (3, 6)], [1])])
def test_of_equal_averages_the_one_with_most_games_counts(evenings: list[tuple[int, int]], dropped: list[int]) -> None:
    row = get_row(A, make_settings(counting="average", best=1), make_entries({A: dict(enumerate(evenings))}))
    assert [at for at, why in enumerate(list_reasons(row)) if why] == dropped
    assert row["result"] == 50


def test_the_average_per_game() -> None:
    # Anna 38 / 68 = 0.5588; Dora 10 / 24 = 0.4166; Bodo 2 / 48 = 0.0416; Çelik -50 / 68 = -0.7352
    assert table(make_settings(counting="average")) == [(1, A, 56), (2, D, 42), (3, B, 4), (4, C, -74)]
    # The best evening by its average: 30/24, 10/24, 12/24, 4/20 = 0.20
    assert table(make_settings(counting="average", best=1)) == [(1, A, 125), (2, B, 50), (3, D, 42), (4, C, 20)]


def test_the_average_weighted() -> None:
    # sqrt(4·68/668) = 0.63810: 0.558823 · 0.63810 = 0.35658, -0.735294 · 0.63810 = -0.46919
    # sqrt(4·24/624) = 0.39223: 0.416666 · 0.39223 = 0.16343; sqrt(4·48/648) = 0.54433: 0.041666 · 0.54433 = 0.02268
    settings = make_settings(counting="average", few_games=ROOT)
    assert table(settings) == [(1, A, 36), (2, D, 16), (3, B, 2), (4, C, -47)]
    assert [(step["kind"], step["value"]) for step in get_row(A, settings)["steps"]] == [("unweighted", 56), ("root", 36)]


def test_place_points_per_evening() -> None:
    # First evening: Anna and Bodo share 1 and 2: (5 + 3) / 2 = 4, Çelik third: 2. Second: Çelik 5, Anna 3.
    # Third: Anna 5, Dora 3, Bodo 2, Çelik fourth: nothing.
    settings = make_settings(counting="places", places=[5, 3, 2])
    assert table(settings) == [(1, A, 1200), (2, C, 700), (3, B, 600), (4, D, 300)]
    # The best two: Anna 5 + 4
    assert table({**settings, "best": 2}) == [(1, A, 900), (2, C, 700), (3, B, 600), (4, D, 300)]
    assert [cell and cell["place"] for cell in get_row(A, settings)["cells"]] == [1, 2, 1]


def test_players_with_the_same_rank_share_its_points() -> None:
    assert compute_place_points([1, 2, 2, 4], [5, 3, 2, 1]) == [500, 250, 250, 100]
    assert compute_place_points([1, 1, 1], [5, 3, 2]) == [333, 333, 333]
    assert compute_place_points([1, 1, 1, 1], [5]) == [125] * 4
    assert compute_place_points([1, 2], []) == [0, 0]


def test_a_player_with_too_few_evenings_has_no_rank() -> None:
    rows = table(make_settings(min_evenings=2))
    assert rows == [(1, A, 3800), (2, B, 200), (3, C, -5000), (None, D, 1000)]
    assert get_row(D, make_settings(min_evenings=2))["why"] == "few_evenings"
    assert get_row(B, make_settings(min_games=49))["why"] == "few_games"
    assert get_row(A, make_settings(min_games=68))["rank"] == 1


def test_a_deduction_for_each_missing_game() -> None:
    # Below 50 games half a point each: Bodo two missing, Dora 26.
    few = {"games": 50, "hundredths": 50}
    assert table(make_settings(few_games=few)) == [(1, A, 3800), (2, B, 100), (3, D, -300), (4, C, -5000)]
    assert get_row(D, make_settings(few_games=few))["steps"][-1] == {"kind": "deduction", "games": 26, "value": -1300}
    # Games of evenings that were dropped were played as well.
    assert get_row(A, make_settings(few_games={"games": 68, "hundredths": 50}, best=1))["result"] == 3000
    # From an average as from a sum: 0.42 - 26 · 0.01
    average = make_settings(counting="average", few_games={"games": 50, "hundredths": 1})
    assert get_row(D, average)["result"] == 42 - 26


def test_tie_breaks_apply_in_their_order() -> None:
    # All have 6 points: Anna in 12 games on one evening, Bodo in 12 on two with the better single one, Çelik like Bodo.
    entries = make_entries({A: {0: (6, 12)}, B: {0: (9, 6), 1: (-3, 6)}, C: {0: (9, 6), 1: (-3, 6)}})
    assert [row[:2] for row in table(make_settings(tie_breaks=[]), entries)] == [(1, A), (1, B), (1, C)]
    assert [row[:2] for row in table(make_settings(tie_breaks=["average", "best"]), entries)] == [(1, B), (1, C), (3, A)]
    assert [row[:2] for row in table(make_settings(tie_breaks=["evenings"]), entries)] == [(1, B), (1, C), (3, A)]
    assert [row[:2] for row in table(make_settings(tie_breaks=["wins"]), entries)] == [(1, B), (1, C), (3, A)]


def test_equal_rows_are_sorted_by_name_and_id() -> None:
    entries = make_entries({A: {0: (1, 4)}, B: {0: (1, 4)}, C: {0: (1, 4)}})
    rows = count_month(make_settings(), entries, {A: "zoe", B: "anna", C: "anna"})
    assert [(row["rank"], row["player"]) for row in rows] == [(1, B), (1, C), (1, A)]


def test_results_without_games_count_where_they_can() -> None:
    """Points and ranks of such an evening are known, averages and numbers of games are not."""
    entries = make_entries({A: {0: (12, 24), 1: (20, None)}, B: {0: (6, 24), 1: (-20, None)}, C: {1: (3, None)}})
    assert table(make_settings(tie_breaks=["wins"]), entries) == [(1, A, 3200), (2, C, 300), (3, B, -1400)]
    average = count_month(make_settings(counting="average"), entries, NAMES)
    assert [(row["rank"], row["player"], row["result"], row["why"]) for row in average] == [
        (1, A, 50, ""),
        (2, B, 25, ""),
        (None, C, None, "no_games"),
    ]
    assert list_reasons(average[0]) == ["", "no_games"]
    assert average[0]["games"] is None
    # The known games are enough; fewer known games may or may not be too few.
    assert get_row(A, make_settings(min_games=24), entries)["rank"] == 1
    assert get_row(A, make_settings(min_games=25), entries)["why"] == "unknown_games"
    few = make_settings(few_games={"games": 30, "hundredths": 10})
    assert (get_row(A, few, entries)["rank"], get_row(A, few, entries)["result"]) == (None, None)
    assert get_row(A, make_settings(few_games={"games": 24, "hundredths": 10}), entries)["result"] == 3200


def test_supplements_are_separate_steps() -> None:
    rows = count_month(make_settings(), make_entries(), NAMES, [{A: -100, B: 250}, {9: 700}])
    anna, bodo, absent = (next(row for row in rows if row["player"] == who) for who in (A, B, 9))
    assert (anna["result"], anna["supplements"], anna["brought"]) == (3700, [-100, None], 3700)
    assert (bodo["result"], bodo["steps"][-1]) == (450, {"kind": "supplement", "supplement": 0, "value": 250})
    assert (absent["rank"], absent["result"], absent["why"], absent["brought"]) == (None, 700, "no_evening", 700)


def test_a_row_without_a_rank_brings_only_a_supplement() -> None:
    rows = count_month(make_settings(min_evenings=2), make_entries(), NAMES, [{D: 300}])
    assert next((row["rank"], row["result"], row["brought"]) for row in rows if row["player"] == D) == (None, 1300, 300)


def make_month(
    ranks: dict[int, int | None],
    brought: dict[int, int] | None = None,
    shares: dict[int, Share] | None = None,
    evenings: dict[int, int] | None = None,
) -> list[ContentRow]:
    """Return rows of a month with these figures by player: ranks, hundredths, points with games and deduction, evenings."""
    rows: list[ContentRow] = []
    for player, rank in ranks.items():
        points, games, deduction = (shares or {}).get(player, Share(0, 0, 0))
        rows.append(
            {
                "player": player,
                "rank": rank,
                "result": (brought or {}).get(player),
                "brought": (brought or {}).get(player, 0),
                "why": "",
                "evenings": (evenings or {}).get(player, 0),
                "games": games,
                "cells": [{"points": points, "games": games, "place": 1, "value": 0, "why": ""}],
                "supplements": [],
                "steps": [{"kind": "deduction", "games": 1, "value": deduction}] if deduction else [],
                "breaks": [],
            }
        )
    return rows


def test_a_season_is_the_sum_of_its_months() -> None:
    months = [make_month({A: 1, B: 2}, {A: 500, B: 100}), make_month({B: 1, A: 2, C: None}, {A: -100, B: 300})]
    rows = count_season(make_settings(), months, months, NAMES)
    assert [(row["rank"], row["player"], row["total"], row["months"]) for row in rows] == [
        (1, A, 400, [500, -100]),
        (1, B, 400, [100, 300]),
        (None, C, None, [None, None]),
    ]


def test_a_season_by_the_places_of_its_months() -> None:
    months = [make_month({A: 1, B: 1, C: 3}, {}), make_month({B: 1, A: None}, {})]
    rows = count_season(make_settings(counting="average", season="places", season_places=[10, 8, 6]), months, months, NAMES)
    assert [(row["rank"], row["player"], row["total"], row["months"]) for row in rows] == [
        (1, B, 1900, [900, 1000]),
        (2, A, 900, [900, None]),
        (3, C, 600, [600, None]),
    ]


def test_the_best_months_of_a_season_count() -> None:
    """Of two equal months the earlier counts; a player with too few evenings has a total but no rank."""
    months = [
        make_month({A: 1, B: 2}, {A: 500, B: 100}, evenings={A: 2, B: 2}),
        make_month({A: 1, B: 2}, {A: 500, B: -300}, evenings={A: 2, B: 1}),
        make_month({A: 2, B: None, C: 1}, {A: -100, C: 900}, evenings={A: 1, B: 1, C: 2}),
    ]

    def rows(**kw: Any) -> list[tuple[Any, ...]]:
        found = count_season(make_settings(**kw), months, months, NAMES)
        return [(row["rank"], row["player"], row["total"], sorted(row["dropped"]), row["few"]) for row in found]

    assert rows(season_best=1) == [(1, C, 900, [], False), (2, A, 500, [1, 2], False), (3, B, 100, [1], False)]
    assert rows(season_best=2)[0] == (1, A, 1000, [2], False)
    assert rows(season_min_evenings=4) == [
        (1, A, 900, [], False), (2, B, -200, [], False), (None, C, 900, [], True)
    ]  # fmt: skip


def test_the_average_of_a_season_is_of_its_best_months() -> None:
    months = [
        make_month({A: 1}, {A: 200}, {A: Share(20, 10, 0)}),
        make_month({A: 1}, {A: 100}, {A: Share(90, 90, 0)}),
        make_month({A: 1}, {A: -100}, {A: Share(-5, 5, 0)}),
    ]
    (row,) = count_season(make_settings(counting="average", season_best=2), months, months, NAMES)
    assert (row["total"], row["games"], row["dropped"]) == (110, 100, {2})


def count_average(shares: list[dict[int, Share]], **kw: Any) -> list[tuple[Any, ...]]:
    months = [make_month(dict.fromkeys(own, 1), dict.fromkeys(own, 999), own) for own in shares]
    rows = count_season(make_settings(counting="average", **kw), months, months, NAMES)
    return [(row["rank"], row["player"], row["total"], row["games"]) for row in rows]


SHARES = [
    {A: Share(10, 20, 0), B: Share(30, 100, 0), C: Share(-5, 50, 0)},
    {A: Share(2, 10, 0), B: Share(40, 100, -10)},
]


def test_a_season_by_average_is_one_average_over_its_games() -> None:
    """12/30 is not 0.50 + 0.20; B's second month took 0.10 from half of its games."""
    assert count_average(SHARES) == [(1, A, 40, 30), (2, B, 30, 200), (3, C, -10, 50)]


def test_a_season_weights_by_all_its_games() -> None:
    """sqrt(4 · 200/800) is 1, and 70/200 stays 0.35; sqrt(120/630) · 0.40 is 0.17."""
    assert count_average(SHARES, few_games=ROOT) == [(1, B, 35, 200), (2, A, 17, 30), (3, C, weigh_average(-5, 50), 50)]


def test_a_player_without_games_has_no_rank_in_an_average() -> None:
    months = [make_month({A: 1, B: None}, {A: -50}, {A: Share(-5, 10, 0)})]
    rows = count_season(make_settings(counting="average"), months, months, NAMES)
    assert [(row["rank"], row["player"], row["total"]) for row in rows] == [(1, A, -50), (None, B, None)]


def test_averages_that_are_printed_alike_share_a_rank() -> None:
    assert [row[0] for row in count_average([{A: Share(1, 3, 0), B: Share(33, 100, 0), C: Share(0, 9, 0)}])] == [1, 1, 3]


# --- Rounding ---------------------------------------------------------------------------------------------------------


def test_half_a_hundredth_is_rounded_away_from_zero() -> None:
    wanted = {(1, 8): 13, (-1, 8): -13, (1, 3): 33, (2, 3): 67, (1, 200): 1, (-1, 200): -1, (1, 201): 0, (0, 5): 0}
    assert {both: to_hundredths(*both) for both in wanted} == wanted


def test_the_weight_is_1_at_200_games() -> None:
    assert weigh_average(123, 200) == to_hundredths(123, 200) == 62
    # sqrt(4·600/1200) = sqrt(2): 1 point a game
    assert weigh_average(600, 600) == 141
    assert weigh_average(-600, 600) == -141


@given(st.integers(-20_000, 20_000), st.integers(1, 5_000))
def test_the_weighted_average_is_rounded_exactly(points: int, games: int) -> None:
    """Compare with sixty digits: the result is the nearest hundredth, a half away from zero."""
    with localcontext() as context:
        context.prec = 60
        exact = 100 * abs(Decimal(points)) / games * (Decimal(4 * games) / (games + 600)).sqrt()
        assert abs(abs(weigh_average(points, games)) - exact) <= Decimal("0.5") + Decimal(10) ** -40
    assert weigh_average(-points, games) == -weigh_average(points, games)


# --- Laws -------------------------------------------------------------------------------------------------------------

SETTINGS = st.builds(
    lambda counting, best, evenings, games, few, ties: make_settings(
        counting=counting,
        places=[9, 7, 5, 2] if counting == "places" else [],
        best=best,
        min_evenings=evenings,
        min_games=games,
        few_games=None if few == ROOT and counting != "average" else few,
        tie_breaks=ties,
    ),
    st.sampled_from(COUNTINGS),
    st.none() | st.integers(1, 4),
    st.integers(0, 2),
    st.integers(0, 30),
    st.sampled_from([None, ROOT, {"games": 40, "hundredths": 25}]),
    st.lists(st.sampled_from(TIE_BREAKS), unique=True, max_size=3),
)
RESULT = st.builds(EveningResult, st.integers(-60, 60), st.none() | st.integers(1, 30), st.none() | st.integers(0, 30))
EVENINGS_OF_CHANCE = st.lists(st.dictionaries(st.integers(1, 6), RESULT, max_size=6), max_size=5)


@given(SETTINGS, EVENINGS_OF_CHANCE, st.randoms())
def test_laws_of_a_month(settings: dict[str, Any], evenings: list[Results], dice: Any) -> None:
    """The order of the players changes nothing, ranks begin at 1 with gaps for ties, and steps add up to results."""
    rows = count_month(settings, evenings, NAMES)
    shuffled = [dict(dice.sample(sorted(results.items()), len(results))) for results in evenings]
    assert count_month(settings, shuffled, NAMES) == rows
    of_guests = [{**row, "cells": [None, *row["cells"]]} for row in rows]
    assert count_month(settings, [{}, *evenings], NAMES) == of_guests, "an evening of guests that do not count changes nothing"
    ranks = [row["rank"] for row in rows]
    given_ranks = [rank for rank in ranks if rank is not None]
    assert ranks[: len(given_ranks)] == given_ranks == sorted(given_ranks), "rows without a rank stand below"
    assert all(rank == 1 + sum(other < rank for other in given_ranks) for rank in given_ranks)
    for row in count_month(settings, evenings, NAMES, [{1: 50, 2: -70}]):
        assert row["rank"] is None or row["result"] is not None
        if row["result"] is not None:
            assert row["result"] == sum(step["value"] for step in row["steps"] if step["kind"] != "unweighted")


@given(EVENINGS_OF_CHANCE, st.integers(1, 3))
def test_no_other_choice_of_evenings_is_better(evenings: list[Results], best: int) -> None:
    """A better evening never makes a result worse either."""
    settings = make_settings(best=best)
    for row in count_month(settings, evenings, NAMES):
        points = sorted((cell["points"] for cell in row["cells"] if cell), reverse=True)
        assert row["result"] == 100 * sum(points[:best])
        first, player = evenings[0], row["player"]
        better = first | {player: first[player]._replace(points=first[player].points + 7)} if player in first else first
        assert get_row(player, settings, [better, *evenings[1:]])["result"] >= row["result"]


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("counting", ["luck", None]),
        ("places", [[3, 5], [True], [-1], "10", [0] * 61]),
        ("best", [0, 2.0]),
        ("min_evenings", [-1]),
        ("min_games", [None]),
        ("few_games", [{"games": 0, "hundredths": 1}, {"games": 10, "hundredths": 0}, {"games": 10}, "some", ROOT]),
        ("guests", [1]),
        ("tie_breaks", [["wins", "wins"], ["luck"], "wins"]),
        ("rule_sets", [[1], "ddv"]),
        ("season", ["luck"]),
        ("season_places", [[1, 2]]),
        ("luck", [1]),
    ],
)
def test_a_setting_is_refused_at_its_key(key: str, values: list[Any]) -> None:
    for value in values:
        faults = validate_league({**DEFAULT, key: value})
        assert list(faults) == [key], value
        assert str(faults[key]).endswith((".", "?"))


def test_settings_that_a_counting_needs_are_required() -> None:
    assert list(validate_league({**DEFAULT, "counting": "places"})) == ["places"]
    assert list(validate_league({**DEFAULT, "season": "places"})) == ["season_places"]
    assert validate_league({**DEFAULT, "counting": "average", "few_games": ROOT}) == {}
    assert validate_league(DEFAULT) == {}
    with pytest.raises(Refused) as refused:
        parse_league_settings({})
    assert set(refused.value.fields) == set(DEFAULT) - {"season_best", "season_min_evenings"}
