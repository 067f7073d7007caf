"""Add up the games of a person. A table's figures are computed once and stored as JSON (`CareerData`); a `Career` is built from
those of all tables in playing order and in one unit. Facts that a line does not have are counted as unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

from scoring.rules.ranking import rate

# The figures of a TableResult.
RESULT_FIELDS: Final = (
    *("games", "points", "wins", "solos", "solos_won", "solo_points", "re", "sided", "bock_points"),
    *("wins_first", "wins_longest", "wins_last"),
)
# The announcements from the lowest on; an Absage includes those before it.
LEVELS: Final = ("said", "no90", "no60", "no30", "schwarz")

# The figures of `summarize`, as stored in JSON. A tally is [games, wins, points]: `all`, `bock`, and those in `parties`, `kinds`
# and `solos`. `announced` has [kept, missed] by level, `specials` [count, games] by key. A series is [won, length, first key,
# last key]: `lead` has the first game, `tail` the last one (None if that game has no winner), `longest` are the longest won and
# the longest lost one. `best` and `worst` are [points, key].
CareerData = dict[str, Any]
# By the other person: games, wins and points on the same side, then against each other.
Mates = dict[int, list[int]]


class OwnLine(NamedTuple):
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

    @property
    def score(self) -> tuple[int, str, bool, bool, bool]:
        return self[2:7]


SCORE_FIELDS: Final = OwnLine._fields[2:7]


def get_side(party: str, won: bool) -> str:
    """Return the side of a player: the party, in the short form whether the player won."""
    return party or ("won" if won else "lost")


def summarize(lines: Sequence[OwnLine]) -> CareerData:
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


def _list_runs(played: Iterable[OwnLine]) -> list[list[Any]]:
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


def _count_line(told: CareerData, line: OwnLine) -> None:
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


def count_mates(games: Iterable[Mapping[int, OwnLine]]) -> dict[int, Mates]:
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


def get_sums(told: CareerData) -> dict[str, int]:
    games, wins, points = told["all"]
    solos = [sum(column) for column in zip([0, 0, 0], *told["solos"].values(), strict=True)]
    parties = {party: tally[0] for party, tally in told["parties"].items()}
    lead, longest, tail = (run[1] if run and run[0] else 0 for run in (told["lead"], told["longest"][0], told["tail"]))
    return {
        "games": games,
        "points": points + told["by_hand"],
        "wins": wins,
        "solos": solos[0],
        "solos_won": solos[1],
        "solo_points": solos[2],
        "re": parties.get("re", 0),
        "sided": sum(parties.values()),
        "bock_points": told["bock_points"],
        "wins_first": lead,
        "wins_longest": longest,
        "wins_last": tail,
    }


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


# The number of games, and the series.
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


def list_keys(told: CareerData) -> set[str]:
    """Return the keys of the lines that a career names."""
    runs = (told["tail"], *told["longest"])
    extremes = (told["best"], told["worst"])
    return {key for run in runs if run for key in run[2:]} | {extreme[1] for extreme in extremes if extreme}


@dataclass
class Tally:
    games: int = 0
    wins: int = 0
    points: int = 0

    def add(self, games: int, wins: int, points: int) -> None:
        self.games += games
        self.wins += wins
        self.points += points

    @property
    def win_rate(self) -> Fraction | None:
        return rate(self.wins, self.games)

    @property
    def average(self) -> Fraction | None:
        return rate(self.points, self.games)


class Streak(NamedTuple):
    won: bool
    length: int
    first: Any
    last: Any


@dataclass
class Career:
    """All figures about one person's games: `kinds` and `solos` by kind ("" for the short form). `announced` has [kept, missed] by
    level, the lowest first, of the games in which it was the highest announcement of the person's party; `specials` has [count,
    games] of the party's and the game's special points. `best` and `worst` are points, with the first game that brought them;
    `current` is the series that can go on."""

    all: Tally = field(default_factory=Tally)
    parties: dict[str, Tally] = field(default_factory=lambda: {"re": Tally(), "kontra": Tally()})
    kinds: dict[str, Tally] = field(default_factory=dict)
    solos: dict[str, Tally] = field(default_factory=dict)
    bock: Tally = field(default_factory=Tally)
    announced: dict[str, Sequence[int]] = field(default_factory=lambda: dict.fromkeys(LEVELS, (0, 0)))
    specials: dict[str, Sequence[int]] = field(default_factory=dict)
    by_hand: int = 0
    short: int = 0
    best: int | None = None
    best_ref: Any = None
    worst: int | None = None
    worst_ref: Any = None
    longest: dict[bool, Streak] = field(default_factory=dict)
    current: Streak | None = None

    @property
    def won_longest(self) -> Streak | None:
        return self.longest.get(True)

    @property
    def lost_longest(self) -> Streak | None:
        return self.longest.get(False)


def build_career(told: CareerData, ref: Callable[[str], Any]) -> Career:
    """Build a career from the joined figures of all tables. `ref` turns the key of a line into a reference to it."""
    best, worst = told["best"], told["worst"]
    return Career(
        all=Tally(*told["all"]),
        parties={"re": Tally(), "kontra": Tally()} | _build_tallies(told["parties"]),
        kinds=_build_tallies(told["kinds"]),
        solos=_build_tallies(told["solos"]),
        bock=Tally(*told["bock"]),
        announced={level: told["announced"].get(level, (0, 0)) for level in LEVELS},
        specials=told["specials"],
        by_hand=told["by_hand"],
        short=told["short"],
        best=best and best[0],
        best_ref=best and ref(best[1]),
        worst=worst and worst[0],
        worst_ref=worst and ref(worst[1]),
        longest={run[0]: _build_streak(run, ref) for run in told["longest"] if run},
        current=told["tail"] and _build_streak(told["tail"], ref),
    )


def _build_tallies(told: Mapping[str, Sequence[int]]) -> dict[str, Tally]:
    return {name: Tally(*tally) for name, tally in told.items()}


def _build_streak(run: Sequence[Any], ref: Callable[[str], Any]) -> Streak:
    return Streak(run[0], run[1], ref(run[2]), ref(run[3]))


def split_mate(sums: Sequence[int]) -> tuple[Tally, Tally]:
    """Return the games together and against each other, from the six figures of `count_mates`."""
    return Tally(*sums[:3]), Tally(*sums[3:])


# Player, unit and year.
Key = tuple[int, str, int]
EMPTY_CAREER: Final[CareerData] = summarize([])


_SUMS: Final = ("games", "wins", "solos", "solos_won", "solo_points", "re", "sided", "bock_points")
# One evening for one person, as stored in `YearCareer.by_evening`. `points_of_games` leaves out tables imported without games;
# `there`: with a game or at such a table; `won`: with the most points of all who were there.
EVENING_FIELDS: Final = ("evening", "day", "points", "games", "wins", "points_of_games", "there", "without_games", "won")
# The values of a row by the name of their field.
Values = Mapping[str, Any]


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
