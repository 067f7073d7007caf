"""Count the months and seasons of the league, in plain Python: settings, the content of a month as it is published, results.

Results are whole hundredths of a point, rounded once, a half away from zero; ranks compare what is printed. There are no
floats: the root of a weight is computed with whole numbers. Days are texts like 2026-03-31, players and evenings are ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt
from typing import Any, Final, NamedTuple, NotRequired, TypedDict

from scoring.rules.ranking import Figure, rank_all, rate, round_half_up, sort_key
from scoring.rules.validation import Check, Refused, Sentence, _, find_faults, number, one_of, or_null


class Deduction(TypedDict):
    """What whoever played fewer `games` loses for each that is missing."""

    games: int
    hundredths: int


class Settings(TypedDict):
    """How the months of a season are counted, and the season itself; `few_games` is ROOT, a deduction or nothing."""

    counting: str
    places: list[int]
    best: int | None
    min_evenings: int
    min_games: int
    few_games: str | Deduction | None
    guests: bool
    tie_breaks: list[str]
    rule_sets: list[str]
    season: str
    season_places: list[int]
    season_best: NotRequired[int | None]
    season_min_evenings: NotRequired[int]


COUNTINGS: Final = ("points", "average", "places")
SEASONS: Final = ("sum", "places")
TIE_BREAKS: Final = ("points", "average", "wins", "best", "evenings", "games")
ROOT: Final = "root"
MOST_POINTS: Final = 10_000
MOST_PLACES: Final = 60
MOST_EVENINGS: Final = 31
MOST_MONTHS: Final = 60
MOST_EVENINGS_OF_SEASON: Final = 366
MOST_GAMES: Final = 9_999

DEFAULT: Final[Settings] = {
    "counting": "points",
    "places": [],
    "best": None,
    "min_evenings": 0,
    "min_games": 0,
    "few_games": None,
    "guests": False,
    "tie_breaks": ["average", "wins"],
    "rule_sets": [],
    "season": "sum",
    "season_places": [],
    "season_best": None,
    "season_min_evenings": 0,
}
# What seasons of earlier versions do not say: it was as it is by default.
_LATER: Final = {"season_best", "season_min_evenings"}


def _places(value: Any) -> Sentence | None:
    """Points by place, the best first: none of them more than the one before."""
    if not isinstance(value, list) or len(value) > MOST_PLACES:
        return Sentence(_("Bitte Punkte für höchstens %(most)s Plätze angeben."), {"most": MOST_PLACES})
    for points in value:
        if (fault := number(0, MOST_POINTS)(points)) is not None:
            return fault
    if value != sorted(value, reverse=True):
        return Sentence(_("Ein besserer Platz darf nicht weniger bringen als ein schlechterer."))
    return None


def _few_games(value: Any) -> Sentence | None:
    if value in (None, ROOT):
        return None
    if not isinstance(value, Mapping) or set(value) != {"games", "hundredths"}:
        return Sentence(_("Bitte angeben, ab wie vielen Spielen und wie viel je fehlendem Spiel abgezogen wird."))
    return number(1, MOST_GAMES)(value["games"]) or number(1, 100 * MOST_POINTS)(value["hundredths"])


def _tie_breaks(value: Any) -> Sentence | None:
    if not isinstance(value, list) or any(entry not in TIE_BREAKS for entry in value):
        return Sentence(_("Bitte bei Gleichstand nur das vergleichen, was angeboten wird."))
    if len(set(value)) < len(value):
        return Sentence(_("Bei Gleichstand ist zweimal dasselbe zu vergleichen. Bitte jedes nur einmal angeben."))
    return None


def _names(value: Any) -> Sentence | None:
    if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
        return None
    return Sentence(_("Bitte Regelwerke des Clubs angeben."))


_CHECKS: Final[dict[str, Check]] = {
    "counting": one_of(*COUNTINGS),
    "places": _places,
    "best": or_null(number(1, MOST_EVENINGS)),
    "min_evenings": number(0, MOST_EVENINGS),
    "min_games": number(0, MOST_GAMES),
    "few_games": _few_games,
    "guests": one_of(True, False),
    "tie_breaks": _tie_breaks,
    "rule_sets": _names,
    "season": one_of(*SEASONS),
    "season_places": _places,
    "season_best": or_null(number(1, MOST_MONTHS)),
    "season_min_evenings": number(0, MOST_EVENINGS_OF_SEASON),
}


def judge_league(data: object) -> dict[str, Sentence]:
    """What is wrong with the settings of a season, by setting."""
    if not isinstance(data, Mapping):
        return {"settings": Sentence(_("Das sind keine Einstellungen."))}
    if faults := find_faults(data, _CHECKS, needed=_CHECKS.keys() - _LATER):
        return faults
    missing = Sentence(_("Bitte angeben, was der erste Platz bringt, der zweite und so weiter."))
    if data["counting"] == "places" and not data["places"]:
        faults["places"] = missing
    if data["season"] == "places" and not data["season_places"]:
        faults["season_places"] = missing
    if data["few_games"] == ROOT and data["counting"] != "average":
        faults["few_games"] = Sentence(_("Gewichtet werden kann nur der Schnitt je Spiel."))
    return faults


def league_settings(data: Any) -> Settings:
    """The settings, judged. Raises Refused by setting."""
    if faults := judge_league(data):
        raise Refused(faults)
    settings: Settings = data
    return settings


class MonthStep(TypedDict):
    """One line of a calculation: its `kind`, the `value` it leads to, and the numbers that went into it."""

    kind: str
    value: int
    points: NotRequired[int]
    games: NotRequired[int]
    evenings: NotRequired[int]
    supplement: NotRequired[int]


class EveningIn(TypedDict):
    id: int
    held_on: str
    place: str
    open: bool
    without_games: bool


class CellIn(TypedDict):
    """One evening of one person; `why` it does not count."""

    points: int
    games: int | None
    place: int
    value: int | None
    why: str


class RowIn(TypedDict):
    """One person. `before` is the rank of the month before, `cells` are in the order of the evenings, `breaks` what was
    compared at a tie."""

    player: int
    name: str
    guest: bool
    rank: int | None
    before: int | None
    new: bool
    result: int | None
    brought: int
    why: str
    evenings: int
    games: int | None
    cells: list[CellIn | None]
    supplements: list[int | None]
    steps: list[MonthStep]
    breaks: list[tuple[str, int | None]]


class SupplementIn(TypedDict):
    about: str
    reason: str
    changes: list[int]


class StandingIn(TypedDict):
    rank: int | None
    result: int | None


class EveningDifference(TypedDict):
    """Points and games of one evening, before and after."""

    held_on: str
    before: list[int | None] | None
    after: list[int | None] | None


class MonthDifference(TypedDict):
    """What is different for one person since a month was published."""

    player: int
    name: str
    before: StandingIn | None
    after: StandingIn | None
    difference: int
    evenings: list[EveningDifference]


class Content(TypedDict):
    """A month. `version` and what follows it stand in what is published alone, `differences` and `changes` from its second
    version on."""

    format: int
    club: str
    season: str
    month: str
    days: list[str]
    unit: str
    settings: Settings
    evenings: list[EveningIn]
    supplements: list[SupplementIn]
    before: str | None
    left_out: list[int]
    rows: list[RowIn]
    version: NotRequired[int]
    differences: NotRequired[list[MonthDifference]]
    changes: NotRequired[list[int]]
    closed_at: NotRequired[str]
    closed_by: NotRequired[str]


class Supplemented(TypedDict):
    """A supplement: who differs, and the month as it was counted for it."""

    differences: list[MonthDifference]
    counted: Content
    changes: list[int]


# --- A month ----------------------------------------------------------------------------------------------------------


class MonthEvening(NamedTuple):
    """What one evening brought one person, all tables together; `evening` counts those of the month in their order. Where
    results came without games, nobody knows how many there were or who won them: both are None."""

    player: int
    evening: int
    points: int
    games: int | None
    wins: int | None
    guest: bool = False


class MonthCell(NamedTuple):
    """One evening of one person. `value` is what it is worth in hundredths: its points, its average or its place points.
    `why` says why it does not count: dropped, or no games are known to divide by."""

    evening: int
    points: int
    games: int | None
    wins: int | None
    place: int
    value: int | None
    why: str = ""

    @property
    def counts(self) -> bool:
        return not self.why


class MonthRow(NamedTuple):
    """One person in the table of a month. Without a `rank`, `why` says what is missing for one. `cells` in the order of
    the evenings, `supplements` in the order they were given."""

    player: int
    rank: int | None
    result: int | None
    why: str
    cells: tuple[MonthCell, ...]
    supplements: tuple[int | None, ...]
    steps: tuple[MonthStep, ...]
    evenings: int
    games: int | None
    breaks: tuple[Figure, ...]

    @property
    def brought(self) -> int:
        """What the month brings for the season: without a rank nothing but what was supplemented."""
        if self.rank is not None and self.result is not None:
            return self.result
        return sum(points or 0 for points in self.supplements)


def count_month(
    settings: Settings,
    played: Iterable[MonthEvening],
    names: Mapping[int, str],
    supplements: Sequence[Mapping[int, int]] = (),
) -> list[MonthRow]:
    """The table of a month: who has a rank first, by result and tie-breaks, who shares all of them by name. `played` has
    one entry for each person and evening; `names` is what people sort by; each of `supplements` is what another month
    brings somebody in this one, in hundredths. Who played nothing has a row only where there is a supplement."""
    by_evening: dict[int, list[MonthEvening]] = defaultdict(list)
    for entry in played:
        if settings["guests"] or not entry.guest:
            by_evening[entry.evening].append(entry)
    cells: dict[int, list[MonthCell]] = {player: [] for extra in supplements for player in extra}
    for evening in sorted(by_evening):
        for entry, cell in _evening(settings, by_evening[evening]):
            cells.setdefault(entry.player, []).append(cell)
    rows = [
        _row(settings, player, _best_only(settings, own), [extra.get(player) for extra in supplements])
        for player, own in cells.items()
    ]
    return _ranked(rows, names)


def _evening(settings: Settings, there: list[MonthEvening]) -> Iterable[tuple[MonthEvening, MonthCell]]:
    """One evening: everybody's place, and what it is worth."""
    found = rank_all([entry.points for entry in there])
    worth: Sequence[int | None]
    match settings["counting"]:
        case "places":
            worth = place_points(found, settings["places"])
        case "average":
            worth = [hundredths(entry.points, entry.games) if entry.games else None for entry in there]
        case _:
            worth = [100 * entry.points for entry in there]
    for entry, place, value in zip(there, found, worth, strict=True):
        why = "" if value is not None else "no_games"
        yield entry, MonthCell(entry.evening, entry.points, entry.games, entry.wins, place, value, why)


def place_points(ranks: Collection[int], table: Sequence[int]) -> list[int]:
    """What each of these competition ranks (1, 1, 3) brings, in hundredths. Who shares a place shares what the places
    taken bring, in equal parts; beyond the table a place brings nothing."""
    taken: dict[int, int] = defaultdict(int)
    for rank in ranks:
        taken[rank] += 1
    return [hundredths(sum(table[rank - 1 : rank - 1 + taken[rank]]), taken[rank]) for rank in ranks]


def _best_only(settings: Settings, cells: list[MonthCell]) -> list[MonthCell]:
    """The same evenings, those beyond the best n dropped: the highest value first, then the most games, then the
    earlier evening. An average is compared exactly, not as it is rounded."""
    if settings["best"] is None:
        return cells
    counting = [cell for cell in cells if cell.counts]

    def order(cell: MonthCell) -> tuple[Figure, int, int]:
        value = Fraction(cell.points, cell.games or 1) if settings["counting"] == "average" else (cell.value or 0)
        return -value, -(cell.games or 0), cell.evening

    kept = {cell.evening for cell in sorted(counting, key=order)[: settings["best"]]}
    return [cell._replace(why="dropped") if cell.counts and cell.evening not in kept else cell for cell in cells]


def _row(settings: Settings, player: int, cells: list[MonthCell], supplements: list[int | None]) -> MonthRow:
    """One person before ranks are given: a row that may have one has 0."""
    known = sum(cell.games or 0 for cell in cells)
    complete = all(cell.games is not None for cell in cells)
    counting = [cell for cell in cells if not cell.why]
    steps, unsure = _steps(settings, counting, known, complete) if cells else ([], "no_evening")
    steps += [
        {"kind": "supplement", "supplement": index, "value": points}
        for index, points in enumerate(supplements)
        if points is not None
    ]
    result = sum(step["value"] for step in steps if step["kind"] in _ADDED) if steps and not unsure else None
    why = _missing(settings, len(cells), known, complete) or unsure
    if why and not cells:
        result = sum(points or 0 for points in supplements)
    return MonthRow(
        player=player,
        rank=None if why else 0,
        result=result,
        why=why,
        cells=tuple(cells),
        supplements=tuple(supplements),
        steps=tuple(steps),
        evenings=len(cells),
        games=known if complete else None,
        breaks=tuple([_figure(name, cells, counting, known if complete else None) for name in settings["tie_breaks"]]),
    )


# The lines of a calculation that make the result together; an average that is weighted afterwards is only on the way.
_ADDED: Final = ("sum", "average", "root", "deduction", "supplement")


def _steps(settings: Settings, counting: list[MonthCell], known: int, complete: bool) -> tuple[list[MonthStep], str]:
    """How the evenings that count lead to a result, and why there is none: no games to divide by, or nobody knows how many
    are missing."""
    few = settings["few_games"]
    if settings["counting"] == "average":
        points, games = _points(counting), sum([cell.games or 0 for cell in counting])
        if not games:
            return [], "no_games"
        average: MonthStep = {"kind": "average", "points": points, "games": games, "value": hundredths(points, games)}
        steps = [average]
        if few == ROOT:
            average["kind"] = "unweighted"
            steps.append({"kind": ROOT, "games": games, "value": root(points, games)})
    else:
        steps = [{"kind": "sum", "evenings": len(counting), "value": sum([cell.value or 0 for cell in counting])}]
    if few is not None and not isinstance(few, str) and known < few["games"]:
        if not complete:
            return steps, "unknown_games"
        missing = few["games"] - known
        steps.append({"kind": "deduction", "games": missing, "value": -missing * few["hundredths"]})
    return steps, ""


def _missing(settings: Settings, evenings: int, known: int, complete: bool) -> str:
    """What somebody is short of for a rank."""
    if not evenings:
        return "no_evening"
    if evenings < settings["min_evenings"]:
        return "few_evenings"
    if known < settings["min_games"]:
        return "few_games" if complete else "unknown_games"
    return ""


def _points(cells: list[MonthCell]) -> int:
    return sum([cell.points for cell in cells])


def _all_known(figures: Sequence[int | None]) -> int | None:
    """The sum of these figures, None where one of them is not known."""
    return None if None in figures else sum([one or 0 for one in figures])


def _figure(name: str, cells: list[MonthCell], counting: list[MonthCell], games: int | None) -> Figure:
    """What is compared at a tie, the higher the better; None where it cannot be known. Points, average and wins are
    those of the evenings that count, the others those of all."""
    match name:
        case "points":
            return _points(counting)
        case "average":
            divisor = _all_known([cell.games for cell in counting])
            return None if divisor is None else rate(_points(counting), divisor)
        case "wins":
            return _all_known([cell.wins for cell in counting])
        case "best":
            return max((cell.points for cell in cells), default=None)
        case "evenings":
            return len(cells)
    return games


def _ranked(rows: list[MonthRow], names: Mapping[int, str]) -> list[MonthRow]:
    keys: dict[int, tuple[Any, ...]] = {
        row.player: (sort_key(row.result, True), *(sort_key(figure, True) for figure in row.breaks)) for row in rows
    }
    rows = sorted(rows, key=lambda row: (row.rank is None, keys[row.player], names.get(row.player, ""), row.player))
    ranked: list[MonthRow] = []
    for index, row in enumerate(rows, start=1):
        if row.rank is None:
            ranked.append(row)
            continue
        shared = ranked and keys[ranked[-1].player] == keys[row.player]
        ranked.append(row._replace(rank=ranked[-1].rank if shared else index))
    return ranked


# --- Rounding ---------------------------------------------------------------------------------------------------------


def hundredths(part: int, whole: int) -> int:
    """A quotient in whole hundredths, a half away from zero."""
    rounded = (200 * abs(part) + whole) // (2 * whole)
    return rounded if part >= 0 else -rounded


def root(points: int, games: int) -> int:
    """The average points / games weighted by sqrt(4n / (n + 600)), n the games, in whole hundredths, a half away from
    zero. It is the root of 40000 points² / (n (n + 600)); the whole part of twice a root is found without rounding,
    and half of it, rounded up where it is odd, is the root rounded."""
    twice = isqrt(4 * 40_000 * points * points // (games * (games + 600)))
    return (twice + 1) // 2 if points >= 0 else -((twice + 1) // 2)


# --- A season ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Share:
    """A person's part of a season's average in one month: points and games of the evenings that count there, and the
    deduction for missing games, in hundredths."""

    points: int
    games: int
    deduction: int = 0


@dataclass(frozen=True)
class MonthOf:
    """What a month adds to the season, for each person: the rank (None: no rank), the result in hundredths where there is
    one, the share in an average where games are known, and the number of evenings."""

    ranks: Mapping[int, int | None]
    brought: Mapping[int, int]
    shares: Mapping[int, Share] = field(default_factory=dict)
    evenings: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SeasonRow:
    """One person over a season: what each month brought, None where it brought nothing; without any month there is neither
    total nor rank. `dropped` are the months that do not count because others were better. `few`: without a rank, because
    they came too seldom. `games` are the games of an average."""

    player: int
    rank: int | None
    total: int | None
    months: tuple[int | None, ...]
    games: int | None = None
    dropped: frozenset[int] = frozenset()
    few: bool = False


def is_averaged(settings: Settings) -> bool:
    """Is a season one average over all its games? Averages of months cannot be added up."""
    return settings["counting"] == "average" and settings["season"] == "sum"


def count_season(settings: Settings, months: Sequence[MonthOf], names: Mapping[int, str]) -> list[SeasonRow]:
    """The table of a season. Either what the months brought is added up, or their games make one average, or each rank of
    a month brings points."""
    by_place, averaged = settings["season"] == "places", is_averaged(settings)
    brought = [_placed(month, settings["season_places"]) if by_place else month.brought for month in months]
    rows = []
    for player in {player for month in months for player in (*month.ranks, *month.shares)}:
        line = tuple(month.get(player) for month in brought)
        dropped = _dropped(line, settings.get("season_best"))
        shares = [
            month.shares[player] for at, month in enumerate(months) if player in month.shares and at not in dropped
        ]
        counting = [points for at, points in enumerate(line) if at not in dropped]
        total = _average_of(settings, shares) if averaged else _sum_of(counting)
        games = sum(share.games for share in shares) if averaged else None
        few = sum(month.evenings.get(player, 0) for month in months) < settings.get("season_min_evenings", 0)
        rows.append(SeasonRow(player, None, total, line, games, dropped, few))
    rows.sort(
        key=lambda row: (
            row.total is None or row.few,
            row.total is None,
            -(row.total or 0),
            names.get(row.player, ""),
            row.player,
        )
    )
    totals = [row.total for row in rows if row.total is not None and not row.few]
    ranks = [*rank_all(totals), *[None] * (len(rows) - len(totals))]
    return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]


def _dropped(line: Sequence[int | None], best: int | None) -> frozenset[int]:
    """The months beyond the best n, by what they brought; of two equal ones the earlier counts."""
    if best is None:
        return frozenset()
    there = [at for at, points in enumerate(line) if points is not None]
    return frozenset(sorted(there, key=lambda at: (-(line[at] or 0), at))[best:])


def _sum_of(line: Iterable[int | None]) -> int | None:
    """What the months brought together; None where none of them did, which is less than any result."""
    brought = [points for points in line if points is not None]
    return sum(brought) if brought else None


def _average_of(settings: Settings, shares: Sequence[Share]) -> int | None:
    """All points through all games of a season; weighted by all of them where the season weights. A deduction counts for
    as much as was played in its month."""
    points, games = sum(share.points for share in shares), sum(share.games for share in shares)
    if not games:
        return None
    if settings["few_games"] == ROOT:
        return root(points, games)
    deducted = sum(share.deduction * share.games for share in shares)
    return int(round_half_up(Fraction(100 * points + deducted, games), 0))


def _placed(month: MonthOf, table: Sequence[int]) -> dict[int, int]:
    """What the ranks of a month bring."""
    ranked = {player: rank for player, rank in month.ranks.items() if rank is not None}
    return dict(zip(ranked, place_points(ranked.values(), table), strict=True))
