"""What was supplemented counts wherever the months before are asked: for the arrows, and for what is closed first."""

from __future__ import annotations

import datetime

import pytest

from scoring.club.actions import Actor
from scoring.league.actions import EarlierMonthOpen
from scoring.league.queries.books import read_books
from scoring.league.queries.months import pending, undecided_in
from scoring.models import Club, Game, Season
from scoring.table.actions.games import Typed, correct_game
from tests.factories import add_game, make_club, make_table
from tests.months import close, make_season, shown, supplement

pytestmark = pytest.mark.django_db

MARCH, APRIL, MAY = "2026-03", "2026-04", "2026-05"


@pytest.fixture
def club() -> Club:
    return make_club()


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
    assert supplement(season, MARCH).month == APRIL
    return season


def test_the_arrows_refer_to_ranks_with_their_supplements(club: Club, season: Season) -> None:
    """Çelik and Özlem won in April, by less than the supplement."""
    play(club, 4, re=[2, 3])
    play(club, 5, re=[0, 1])
    ranks = {row["name"]: row["rank"] for row in shown(season, APRIL)["rows"]}
    assert ranks == {"Ärmel": 1, "Bodo": 1, "Çelik": 3, "Özlem": 3}
    assert {row["name"]: row["before"] for row in shown(season, MAY)["rows"]} == ranks


def test_a_month_with_a_supplement_alone_is_closed_before_the_next(club: Club, season: Season) -> None:
    play(club, 5, re=[0, 1])
    with pytest.raises(EarlierMonthOpen) as refused:
        close(season, MAY)
    assert refused.value.month == APRIL
    close(season, APRIL)
    close(season, MAY)


def test_a_closed_month_still_counts_its_supplements(club: Club, season: Season) -> None:
    """Nothing was changed since it was closed, so nothing differs from what was published."""
    play(club, 4, re=[2, 3])
    close(season, APRIL)
    books = read_books(season)
    assert [one.month for one in books.supplements] == [APRIL]
    assert pending(books, APRIL)[1] == []
    assert undecided_in(books) == []
