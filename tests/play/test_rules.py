"""Test the figures of a person from lines made by hand, of one table or joined from several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.play.rules import Career, OwnLine, add_tallies, count_mates, join_careers, split_mate, summarize
from scoring.play.rules import build_career as career_in


def line(key: object, points: int = 1, party: str = "re", **change: Any) -> OwnLine:
    """Return a line: by default a won ordinary game, entered in full."""
    facts = {"kind": "normal", **change.pop("facts", {})}
    full = change.pop("full", True)
    given = {"played": True, "won": points > 0, "solo": False, "decided": True, "bock": 0, **change}
    return OwnLine(key=str(key), points=points, party=party, facts=facts if full else None, **given)


def short(key: int, points: int) -> OwnLine:
    return line(key, points, "", full=False)


def build_career(lines: Iterable[OwnLine]) -> Career:
    return added([list(lines)])


def added(tables: Iterable[Sequence[OwnLine]]) -> Career:
    return career_in(reduce(join_careers, map(summarize, tables), summarize([])), int)


def streaks(*won: bool | None) -> Career:
    """Return lines that are won, lost, or without a winner (None)."""
    return build_career(
        line(number, 0 if one is None else 1 if one else -1, decided=one is not None) for number, one in enumerate(won)
    )


def test_an_empty_career() -> None:
    career = build_career([line(0, -3, played=False, won=False, party="")])
    assert (career.all.games, career.by_hand, career.best, career.current) == (0, -3, None, None)
    assert (career.all.win_rate, career.all.average) == (None, None)


def test_games_by_party_and_kind() -> None:
    career = build_career(
        [
            line(0, 2),
            line(1, -1, "kontra"),
            line(2, 9, facts={"kind": "damensolo"}, solo=True, bock=1),
            line(3, -3, "kontra", facts={"kind": "damensolo"}),
            short(4, 5),
        ]
    )
    assert (career.all.games, career.all.wins, career.all.points) == (5, 3, 12)
    assert {party: (tally.games, tally.points) for party, tally in career.parties.items()} == {"re": (2, 11), "kontra": (2, -4)}
    assert {kind: (tally.games, tally.wins) for kind, tally in career.kinds.items()} == {
        "normal": (2, 1),
        "damensolo": (2, 1),
        "": (1, 1),
    }
    assert {kind: tally.points for kind, tally in career.solos.items()} == {"damensolo": 9}
    assert (career.bock.games, career.bock.points, career.short) == (1, 9, 1)
    assert (career.best_ref, career.worst_ref) == (2, 3)


def test_an_announcement_is_kept_by_the_party_that_made_it() -> None:
    said = {"re_said": "no60", "kontra_said": "said"}
    career = build_career(
        [
            line(0, 5, "re", facts=said),
            line(1, -5, "kontra", facts=said),
            line(2, -5, "re", facts=said),
            line(3, 1, facts={"re_said": "none"}),
            line(4, 0, "re", facts={"re_said": "no90", "kontra_said": "no90"}, decided=False),
            short(5, 3),
        ]
    )
    told = {level: tuple(tally) for level, tally in career.announced.items() if any(tally)}
    assert told == {"no60": (1, 1), "said": (0, 1), "no90": (0, 1)}


def test_special_points_of_the_party_and_of_the_game_count() -> None:
    entered = {"re_specials": {"fuchs": 2}, "kontra_specials": {"fuchs": 1, "gans": 1}, "game_specials": {"hirsch": 3}}
    career = build_career(
        [
            line(0, facts=entered),
            line(1, -1, "kontra", facts=entered),
            line(2, facts={"re_specials": {"fuchs": 1}}),
            line(3, 0, "", played=False, won=False, facts=entered),
            short(4, 5),
        ]
    )
    told = {special: tuple(tally) for special, tally in career.specials.items()}
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
    assert (found, career.current and career.current[:2]) == (lost, current)


def test_the_first_of_equal_series_counts() -> None:
    career = streaks(True, True, False, True, True)
    assert (career.won_longest.first, career.won_longest.last) == (0, 1)


def test_partners_and_opponents_also_in_the_short_form() -> None:
    games = [
        {1: line(0, 4), 2: line(0, 4), 3: line(0, -4, "kontra"), 4: line(0, -4, "kontra")},
        {1: line(1, -4), 2: line(1, 4, "kontra"), 3: line(1, 0, "", played=False, won=False)},
        {1: short(2, 3), 2: short(2, 3), 3: short(2, -3)},
    ]
    mates = count_mates(games)
    assert mates[1] == {2: [2, 2, 7, 1, 0, -4], 3: [0, 0, 0, 2, 2, 7], 4: [0, 0, 0, 1, 1, 4]}
    together, against = split_mate(add_tallies({"2": mates[1][2]}, {"2": mates[1][2]})["2"])
    assert (together.games, together.points, against.games, against.wins) == (4, 14, 2, 0)


LINES = st.lists(
    st.builds(
        lambda points, decided, played, bock, full, kind: line(
            0,
            points,
            "re" if full and played else "",
            played=played,
            won=played and decided and points > 0,
            decided=decided,
            bock=bock,
            full=full,
            facts={"kind": kind, "re_said": "no90" if points > 2 else "none", "game_specials": {"hirsch": 1}},
        ),
        points=st.integers(-3, 3),
        decided=st.booleans(),
        played=st.booleans(),
        bock=st.integers(0, 1),
        full=st.booleans(),
        kind=st.sampled_from(["normal", "hochzeit"]),
    ),
    max_size=12,
)


@given(LINES, st.lists(st.integers(0, 12), max_size=5))
def test_joined_figures_are_those_of_all_lines(lines: list[OwnLine], cuts: list[int]) -> None:
    lines = [one._replace(key=str(number)) for number, one in enumerate(lines)]
    edges = [0, *sorted(cuts), len(lines)]
    pieces = [lines[first:last] for first, last in pairwise(edges)]
    assert added(pieces) == build_career(lines) == added([one] for one in lines)
    assert reduce(join_careers, map(summarize, pieces)) == summarize(lines)
