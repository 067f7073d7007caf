"""Who is a good partner, and how a mean goes over time."""

from __future__ import annotations

from scoring.core.chart import thin_out
from scoring.league.rules import to_hundredths
from scoring.play.rules import Mate, Tally
from scoring.players.rules import ENOUGH_TOGETHER, partners, running_sums


def test_partners_need_enough_games_and_two_to_choose_from() -> None:
    def mate(games: int, points: int) -> Mate:
        return Mate(together=Tally(games, 0, points))

    few = {"Anna": mate(ENOUGH_TOGETHER, 5), "Bert": mate(ENOUGH_TOGETHER - 1, 99)}
    assert partners(few) is None
    enough = few | {"Cem": mate(40, 12), "Dora": mate(40, 12), "Emil": mate(100, -3)}
    assert partners(enough) == ("Cem", "Emil")
    assert partners({"Anna": mate(20, 4), "Bert": mate(40, 8)}) == ("Anna", "Bert")


def test_an_average_runs_from_the_first_game_on() -> None:
    brought: tuple[list[int], ...] = [1, 2, 3, 4, 4], [-3, 5, 0, 4, 2], [0, 4, 4, 0, 0]
    sums = running_sums(*brought)
    assert sums == {2: (2, 4), 3: (2, 8), 4: (8, 8)}
    assert {day: to_hundredths(*both) for day, both in sums.items()} == {2: 50, 3: 25, 4: 100}
    assert [to_hundredths(*sums[day]) for day in thin_out(list(sums), 2)] == [50, 100], "as a chart with two points shows them"
