"""What a person's games add up to, from lines made by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from scoring.players.rules import (
    ENOUGH_TOGETHER,
    Career,
    Mate,
    OwnLine,
    Tally,
    add_pair,
    career_of,
    partners,
    running_means,
)


def line(ref: int, points: int = 1, party: str = "re", **change: Any) -> OwnLine:
    """A won ordinary game in full unless told otherwise."""
    facts = {"kind": "normal", **change.pop("facts", {})}
    given = {"full": True, "played": True, "won": points > 0, "solo": False, "decided": True, "bock": 0, **change}
    return OwnLine(ref=ref, points=points, party=party, facts=facts if given["full"] else {}, **given)


def short(ref: int, points: int) -> OwnLine:
    return line(ref, points, "", full=False)


def streaks(*won: bool | None) -> Career:
    """None: a game that nobody won."""
    return career_of(
        line(number, 0 if one is None else 1 if one else -1, decided=one is not None) for number, one in enumerate(won)
    )


def test_nothing_played_is_nothing() -> None:
    career = career_of([line(0, -3, played=False, won=False, party="")])
    assert (career.all.games, career.by_hand, career.best, career.current) == (0, -3, None, None)
    assert (career.all.win_rate, career.all.average) == (None, None)


def test_games_by_party_and_kind() -> None:
    career = career_of(
        [
            line(0, 2),
            line(1, -1, "kontra"),
            line(2, 9, facts={"kind": "damensolo"}, solo=True, bock=1),
            line(3, -3, "kontra", facts={"kind": "damensolo"}),
            short(4, 5),
        ]
    )
    assert (career.all.games, career.all.wins, career.all.points) == (5, 3, 12)
    assert {party: (tally.games, tally.points) for party, tally in career.parties.items()} == {
        "re": (2, 11),
        "kontra": (2, -4),
    }
    assert {kind: (tally.games, tally.wins) for kind, tally in career.kinds.items()} == {
        "normal": (2, 1),
        "damensolo": (2, 1),
        "": (1, 1),
    }
    assert {kind: tally.points for kind, tally in career.solos.items()} == {"damensolo": 9}
    assert (career.bock.games, career.bock.points, career.short) == (1, 9, 1)
    assert (career.best.ref, career.worst.ref) == (2, 3)


def test_an_announcement_is_kept_by_the_party_that_made_it() -> None:
    said = {"re_said": "no60", "kontra_said": "said"}
    career = career_of(
        [
            line(0, 5, "re", facts=said),
            line(1, -5, "kontra", facts=said),
            line(2, -5, "re", facts=said),
            line(3, 1, facts={"re_said": "none"}),
            line(4, 0, "re", facts={"re_said": "no90", "kontra_said": "no90"}, decided=False),
            short(5, 3),
        ]
    )
    told = {level: (one.kept, one.missed) for level, one in career.announced.items() if one.kept or one.missed}
    assert told == {"no60": (1, 1), "said": (0, 1), "no90": (0, 1)}


def test_special_points_are_those_of_the_own_party_and_of_the_game() -> None:
    entered = {"re_specials": {"fuchs": 2}, "kontra_specials": {"fuchs": 1, "gans": 1}, "game_specials": {"hirsch": 3}}
    career = career_of(
        [
            line(0, facts=entered),
            line(1, -1, "kontra", facts=entered),
            line(2, facts={"re_specials": {"fuchs": 1}}),
            line(3, 0, "", played=False, won=False, facts=entered),
            short(4, 5),
        ]
    )
    told = {special: (one.count, one.games) for special, one in career.specials.items()}
    assert told == {"fuchs": (4, 3), "gans": (1, 1), "hirsch": (6, 2)}


@pytest.mark.parametrize(
    ("won", "lost", "current"),
    [
        ((True, True, False, True), (2, 1), (True, 1)),
        ((True, None, True, True), (2, 0), (True, 2)),
        ((False, False, None), (0, 2), None),
        ((True, True, False, True, True), (2, 1), (True, 2)),
    ],
)
def test_series(won: Any, lost: tuple[int, int], current: Any) -> None:
    career = streaks(*won)
    found = tuple(streak.length if streak else 0 for streak in (career.won_longest, career.lost_longest))
    assert (found, career.current) == (lost, current)


def test_of_equal_series_the_first_is_told() -> None:
    career = streaks(True, True, False, True, True)
    assert (career.won_longest.first, career.won_longest.last) == (0, 1)


def test_partners_and_opponents_also_in_the_short_form() -> None:
    mate = Mate()
    add_pair(mate, line(0, 4), "re")
    add_pair(mate, line(1, -4), "kontra")
    add_pair(mate, short(2, 3), "won")
    add_pair(mate, short(3, -3), "won")
    assert (mate.together.games, mate.together.points, mate.against.games, mate.against.wins) == (2, 7, 2, 0)


def test_partners_need_enough_games_and_two_to_choose_from() -> None:
    def mate(games: int, points: int) -> Mate:
        return Mate(together=Tally(games, 0, points))

    few = {"Anna": mate(ENOUGH_TOGETHER, 5), "Bert": mate(ENOUGH_TOGETHER - 1, 99)}
    assert partners(few) is None
    enough = few | {"Cem": mate(40, 12), "Dora": mate(40, 12), "Emil": mate(100, -3)}
    assert partners(enough) == ("Cem", "Emil")
    assert partners({"Anna": mate(20, 4), "Bert": mate(40, 8)}) == ("Anna", "Bert")


def test_an_average_runs_from_the_first_game_on() -> None:
    assert running_means([(1, -3, 0), (2, 5, 4), (3, 0, 4), (4, 6, 0)]) == {
        2: Fraction(1, 2),
        3: Fraction(1, 4),
        4: 1,
    }
