"""The functions of play/rules.py with which migrations 0016 and 0019 fill their tables, as they were then: they never change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

CareerData = dict[str, Any]
Mates = dict[int, list[int]]
Key = tuple[int, str, int]
Values = Mapping[str, Any]

RESULT_FIELDS: Final = (
    *("games", "points", "wins", "solos", "solos_won", "solo_points", "re", "sided", "bock_points"),
    *("wins_first", "wins_longest", "wins_last"),
)


class StoredLine(NamedTuple):
    """One line for one person: the fields of its Score between those of the line. `facts` and `party` are known only for games
    entered in full. `decided`: a side has won."""

    key: str
    facts: Mapping[str, Any] | None
    points: int
    party: str
    played: bool
    won: bool
    solo: bool
    decided: bool
    bock: int


def get_side(party: str, won: bool) -> str:
    """Return the side of a player: the party, in the short form whether the player won."""
    return party or ("won" if won else "lost")


def summarize(lines: Sequence[StoredLine]) -> CareerData:
    """Summarize the lines of one table in playing order. `by_hand`: points of penalties, corrections and sitting out."""
    played = [line for line in lines if line.played]
    runs = _list_runs(played)
    best, worst = (find(played, key=attrgetter("points"), default=None) for find in (max, min))
    tallies: dict[str, dict[str, list[int]]] = {name: {} for name in ("parties", "kinds", "solos", "announced", "specials")}
    told: CareerData = {
        "all": [0, 0, 0],
        "bock": [0, 0, 0],
        **tallies,
        "by_hand": sum(line.points for line in lines if not line.played),
        "bock_points": sum(line.points for line in lines if line.bock),
        "short": sum(line.facts is None for line in played),
        "lead": runs[0] if played and played[0].decided else None,
        "tail": runs[-1] if played and played[-1].decided else None,
        "longest": [max((run for run in runs if run[0] == won), key=itemgetter(1), default=None) for won in (True, False)],
        "best": best and [best.points, best.key],
        "worst": worst and [worst.points, worst.key],
    }
    for line in played:
        _count_line(told, line)
    return told


def _list_runs(played: Iterable[StoredLine]) -> list[list[Any]]:
    """Return the series of games with the same result: won or not, length, first and last key. A game without a winner ends one."""
    runs: list[list[Any]] = []
    goes_on = False
    for line in played:
        if line.decided and goes_on and runs[-1][0] == line.won:
            runs[-1][1] += 1
            runs[-1][3] = line.key
        elif line.decided:
            runs.append([line.won, 1, line.key, line.key])
        goes_on = line.decided
    return runs


def _count_line(told: CareerData, line: StoredLine) -> None:
    kind = "" if line.facts is None else line.facts["kind"]
    tallies = [told["all"], told["kinds"].setdefault(kind, [0, 0, 0])]
    if line.party:
        tallies.append(told["parties"].setdefault(line.party, [0, 0, 0]))
    if line.solo:
        tallies.append(told["solos"].setdefault(kind, [0, 0, 0]))
    if line.bock:
        tallies.append(told["bock"])
    for tally in tallies:
        tally[0] += 1
        tally[1] += line.won
        tally[2] += line.points
    if line.facts is None:
        return
    if (level := line.facts.get(f"{line.party}_said", "none")) != "none":
        # A party's goal is what it announced, at least half: it has kept its word where it won.
        told["announced"].setdefault(level, [0, 0])[not line.won] += 1
    for whose in (f"{line.party}_specials", "game_specials"):
        for special, count in line.facts.get(whose, {}).items():
            entered = told["specials"].setdefault(special, [0, 0])
            entered[0] += count
            entered[1] += 1


def count_mates(games: Iterable[Mapping[int, StoredLine]]) -> dict[int, Mates]:
    """Count for each person of a table the games with and against each other person. `games` are lines by person, in any order."""
    mates_by_player: dict[int, Mates] = defaultdict(dict)
    for lines in games:
        sides = [(player, get_side(line.party, line.won), line) for player, line in lines.items() if line.played]
        for player, side, line in sides:
            mates = mates_by_player[player]
            for other, theirs, _line in sides:
                if other != player:
                    sums = mates.setdefault(other, [0] * 6)
                    first = 0 if side == theirs else 3
                    sums[first] += 1
                    sums[first + 1] += line.won
                    sums[first + 2] += line.points
    return mates_by_player


def join_careers(*stretches: CareerData) -> CareerData:
    """Join the figures of several stretches of games in playing order: the same as `summarize` of all their lines."""
    series: CareerData = reduce(_join_runs, ({name: one[name] for name in _RUN_NAMES} for one in stretches))
    return {
        "bock": _add(one["bock"] for one in stretches),
        **{name: sum(one[name] for one in stretches) for name in ("by_hand", "bock_points", "short")},
        **{name: add_tallies(*(one[name] for one in stretches)) for name in ("parties", "kinds", "solos", "announced", "specials")},
        "best": max(filter(None, (one["best"] for one in stretches)), key=itemgetter(0), default=None),
        "worst": min(filter(None, (one["worst"] for one in stretches)), key=itemgetter(0), default=None),
        **series,
    }


def _add(tallies: Iterable[Sequence[int]]) -> list[int]:
    return list(map(sum, zip(*tallies, strict=True)))


def add_tallies(*several: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """Add up figures by name; also those of `count_mates`, by the other person's id as text."""
    tallies_by_name: dict[str, list[list[int]]] = defaultdict(list)
    for one in several:
        for name, tally in one.items():
            tallies_by_name[name].append(tally)
    return {name: tallies[0] if len(tallies) == 1 else _add(tallies) for name, tallies in tallies_by_name.items()}

_RUN_NAMES: Final = ("all", "lead", "tail", "longest")


def _join_runs(first: CareerData, then: CareerData) -> CareerData:
    """Join the series of two stretches: one at the end of the first goes on at the beginning of the second."""
    if not first["all"][0] or not then["all"][0]:
        return first if first["all"][0] else then
    before, after = first["tail"], then["lead"]
    over = [before[0], before[1] + after[1], before[2], after[3]] if before and after and before[0] == after[0] else None
    longest = []
    for index, won in enumerate((True, False)):
        runs = (first["longest"][index], over if over and over[0] == won else None, then["longest"][index])
        longest.append(max(filter(None, runs), key=itemgetter(1), default=None))
    return {
        "all": _add((first["all"], then["all"])),
        "lead": over if over and first["lead"] and first["lead"][1] == first["all"][0] else first["lead"],
        "tail": over if over and after[1] == then["all"][0] else then["tail"],
        "longest": longest,
    }

EMPTY_CAREER: Final[CareerData] = summarize([])

_SUMS: Final = ("games", "wins", "solos", "solos_won", "solo_points", "re", "sided", "bock_points")

EVENING_FIELDS: Final = ("evening", "day", "points", "games", "wins", "points_of_games", "there", "without_games", "won")


def sum_years(results: Iterable[Values], careers: Iterable[Values] = ()) -> dict[Key, dict[str, Any]]:
    """Return the fields of each YearCareer. Results and careers are rows of tables with the `unit`, `evening` and `day` of the
    table, in playing order; the results are of all people, which decides who won an evening."""
    results_by_key: dict[Key, list[Values]] = defaultdict(list)
    careers_by_key: dict[Key, list[Values]] = defaultdict(list)
    for rows, by_key in ((results, results_by_key), (careers, careers_by_key)):
        for row in rows:
            by_key[row["player"], row["unit"], row["day"].year].append(row)
    evenings = {key: _sum_evenings(rows) for key, rows in results_by_key.items()}
    # The most points of each evening in each unit.
    highest: dict[tuple[str, int], int] = {}
    for (_player, unit, _year), sums in evenings.items():
        for one in sums:
            if one["there"]:
                highest[unit, one["evening"]] = max(highest.get((unit, one["evening"]), one["points"]), one["points"])
    for (_player, unit, _year), sums in evenings.items():
        for one in sums:
            one["won"] = one["there"] and one["points"] == highest[unit, one["evening"]]
    return {
        key: {
            **_sum_tables(rows),
            **_build_fields(evenings[key]),
            "told": join_careers(EMPTY_CAREER, *(one["told"] for one in careers_by_key[key])),
            "mates": add_tallies(*(one["mates"] for one in careers_by_key[key])),
        }
        for key, rows in results_by_key.items()
    }


def _sum_evenings(results: Iterable[Values]) -> list[dict[str, Any]]:
    """Return the sums of each evening, in order; who won it is not known yet."""
    evenings: dict[int, list[Values]] = defaultdict(list)
    for one in results:
        evenings[one["evening"]].append(one)
    return [
        {
            "evening": evening,
            "day": tables[0]["day"],
            **{name: sum(one[name] for one in tables) for name in ("points", "games", "wins")},
            "points_of_games": sum(one["points"] for one in tables if not one["without_games"]),
            "there": any(one["games"] or one["without_games"] for one in tables),
            "without_games": any(one["without_games"] for one in tables),
        }
        for evening, tables in evenings.items()
    ]


def _sum_tables(results: Iterable[Values]) -> dict[str, int]:
    """Add up the results of one person's tables. A series goes on from table to table."""
    sums, first, longest, last = dict.fromkeys(_SUMS, 0), 0, 0, 0
    for one in results:
        if one["games"]:
            if sums["wins"] == sums["games"]:
                first = sums["games"] + one["wins_first"]
            longest = max(longest, last + one["wins_first"], one["wins_longest"])
            last = last + one["games"] if one["wins"] == one["games"] else one["wins_last"]
        for name in _SUMS:
            sums[name] += one[name]
    return {**sums, "wins_first": first, "wins_longest": longest, "wins_last": last}


def _build_fields(evenings: Sequence[Values]) -> dict[str, Any]:
    there = [one for one in evenings if one["there"]]
    points = [one["points"] for one in there]
    return {
        "points": sum(one["points"] for one in evenings),
        "points_of_games": sum(one["points_of_games"] for one in evenings),
        "evenings": len(points),
        "evenings_won": sum(one["won"] for one in evenings),
        "best_evening": max(points, default=None),
        "worst_evening": min(points, default=None),
        "last_day": max(one["day"] for one in evenings),
        "last_evening": max((one["day"] for one in there), default=None),
        "by_evening": [[{**one, "day": one["day"].isoformat()}[name] for name in EVENING_FIELDS] for one in evenings],
    }
