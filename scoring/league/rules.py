"""Count the months and seasons of the league, in plain Python, as whole hundredths of a point without floats: rounded once, a half
away from zero. Ranks compare what is printed. Days are texts like 2026-03-31, players and evenings are ids."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, Final, NamedTuple, NotRequired, TypedDict, cast

from scoring.rules.ranking import Figure, rank_all, rate, round_half_up, sort_key
from scoring.rules.validation import Check, Refused, Sentence, _, find_faults, number, one_of, or_null


class Settings(TypedDict):
    """The way in which months and the season are counted. `few_games` is ROOT, None, or a dict: each game below `games` costs
    `hundredths` of a point."""

    counting: str
    places: list[int]
    best: int | None
    min_evenings: int
    min_games: int
    few_games: str | dict[str, int] | None
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

def _check_places(value: Any) -> Sentence | None:
    if not isinstance(value, list) or len(value) > MOST_PLACES:
        return Sentence(_("Bitte Punkte für höchstens %(most)s Plätze angeben."), {"most": MOST_PLACES})
    for points in value:
        if (fault := number(0, MOST_POINTS)(points)) is not None:
            return fault
    if value != sorted(value, reverse=True):
        return Sentence(_("Ein besserer Platz darf nicht weniger bringen als ein schlechterer."))
    return None


def _check_few_games(value: Any) -> Sentence | None:
    if value in (None, ROOT):
        return None
    if not isinstance(value, Mapping) or set(value) != {"games", "hundredths"}:
        return Sentence(_("Bitte angeben, ab wie vielen Spielen und wie viel je fehlendem Spiel abgezogen wird."))
    return number(1, MOST_GAMES)(value["games"]) or number(1, 100 * MOST_POINTS)(value["hundredths"])


def _check_tie_breaks(value: Any) -> Sentence | None:
    if not isinstance(value, list) or any(entry not in TIE_BREAKS for entry in value):
        return Sentence(_("Bitte bei Gleichstand nur das vergleichen, was angeboten wird."))
    if len(set(value)) < len(value):
        return Sentence(_("Bei Gleichstand ist zweimal dasselbe zu vergleichen. Bitte jedes nur einmal angeben."))
    return None


def _check_names(value: Any) -> Sentence | None:
    if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
        return None
    return Sentence(_("Bitte Regelwerke des Clubs angeben."))


# The default and the check of each setting.
_SETTINGS: Final[dict[str, tuple[Any, Check]]] = {
    "counting": ("points", one_of(*COUNTINGS)),
    "places": ([], _check_places),
    "best": (None, or_null(number(1, MOST_EVENINGS))),
    "min_evenings": (0, number(0, MOST_EVENINGS)),
    "min_games": (0, number(0, MOST_GAMES)),
    "few_games": (None, _check_few_games),
    "guests": (False, one_of(True, False)),
    "tie_breaks": (["average", "wins"], _check_tie_breaks),
    "rule_sets": ([], _check_names),
    "season": ("sum", one_of(*SEASONS)),
    "season_places": ([], _check_places),
    "season_best": (None, or_null(number(1, MOST_MONTHS))),
    "season_min_evenings": (0, number(0, MOST_EVENINGS_OF_SEASON)),
}
DEFAULT: Final = cast(Settings, {key: default for key, (default, _check) in _SETTINGS.items()})
# Keys that seasons of earlier versions lack; they have their defaults.
_LATER: Final = {"season_best", "season_min_evenings"}


def validate_league(data: object) -> dict[str, Sentence]:
    """Return the faults of settings by key."""
    if not isinstance(data, Mapping):
        return {"settings": Sentence(_("Das sind keine Einstellungen."))}
    checks = {key: check for key, (_default, check) in _SETTINGS.items()}
    if faults := find_faults(data, checks, needed=checks.keys() - _LATER):
        return faults
    missing = Sentence(_("Bitte angeben, was der erste Platz bringt, der zweite und so weiter."))
    if data["counting"] == "places" and not data["places"]:
        faults["places"] = missing
    if data["season"] == "places" and not data["season_places"]:
        faults["season_places"] = missing
    if data["few_games"] == ROOT and data["counting"] != "average":
        faults["few_games"] = Sentence(_("Gewichtet werden kann nur der Schnitt je Spiel."))
    return faults


def parse_league_settings(data: Any) -> Settings:
    """Return valid settings. Raise Refused by key."""
    if faults := validate_league(data):
        raise Refused(faults)
    settings: Settings = data
    return settings


# One step of a result: its `kind`, its `value` in hundredths, and the numbers behind it.
MonthStep = dict[str, Any]
# The differences of one player since a month was published: rank and result, and of each evening points and games, before and
# after. `difference` is in hundredths.
MonthDifference = dict[str, Any]


class ContentCell(TypedDict):
    """One evening of one player; `why` is the reason if it does not count."""

    points: int
    games: int | None
    place: int
    value: int | None
    why: str


class ContentRow(TypedDict):
    """One player of a month. `why` is the reason for a missing rank, `brought` has the hundredths for the season: without a rank
    only supplements. `cells` has one entry for each evening, `breaks` the compared tie breaks with their names. Counting does not
    know the name, whether it is a guest or new in the season, and the rank `before` of the previous month."""

    player: int
    name: NotRequired[str]
    guest: NotRequired[bool]
    rank: int | None
    before: NotRequired[int | None]
    new: NotRequired[bool]
    result: int | None
    brought: int
    why: str
    evenings: int
    games: int | None
    cells: list[ContentCell | None]
    supplements: list[int | None]
    steps: list[MonthStep]
    breaks: list[tuple[str, int | None]]


class Content(TypedDict):
    """A month as it is shown and published. `version` and the keys after it exist only in published months, `differences` and
    `changes` from the second version on."""

    format: int
    club: str
    season: str
    month: str
    days: list[str]
    unit: str
    settings: Settings
    evenings: list[dict[str, Any]]
    supplements: list[dict[str, Any]]
    before: str | None
    left_out: list[int]
    rows: list[ContentRow]
    version: NotRequired[int]
    differences: NotRequired[list[MonthDifference]]
    changes: NotRequired[list[int]]
    closed_at: NotRequired[str]
    closed_by: NotRequired[str]


class EveningResult(NamedTuple):
    """The result of one player on one evening; `games` and `wins` are None if the evening came without games."""

    points: int
    games: int | None
    wins: int | None


# The results of an evening by player.
Results = Mapping[int, EveningResult]


def count_month(
    settings: Settings, evenings: Sequence[Results], names: Mapping[int, str], supplements: Sequence[Mapping[int, int]] = ()
) -> list[ContentRow]:
    """Return the table of a month by result, tie breaks and name (a sort key), rows without a rank last. Each of `supplements` has
    the hundredths by player that another month adds; a player with only a supplement has a row too."""
    counted = [_count_evening(settings, results) for results in evenings]
    found = []
    for player in dict.fromkeys(player for part in (*counted, *supplements) for player in part):
        cells = _drop_beyond_best(settings, [cells.get(player) for cells in counted])
        row = _build_row(settings, player, cells, [extra.get(player) for extra in supplements])
        wins = [results[player].wins for results, cell in zip(evenings, cells, strict=True) if cell and not cell["why"]]
        found.append((row, [_compute_tie_break(name, row, wins) for name in settings["tie_breaks"]]))
    return _rank_rows(settings, found, names)


def _count_evening(settings: Settings, results: Results) -> dict[int, ContentCell]:
    ranks = rank_all([one.points for one in results.values()])
    worth: Sequence[int | None]
    match settings["counting"]:
        case "places":
            worth = compute_place_points(ranks, settings["places"])
        case "average":
            worth = [to_hundredths(one.points, one.games) if one.games else None for one in results.values()]
        case _:
            worth = [100 * one.points for one in results.values()]
    return {
        player: {
            "points": one.points,
            "games": one.games,
            "place": place,
            "value": value,
            "why": "no_games" if value is None else "",
        }
        for (player, one), place, value in zip(results.items(), ranks, worth, strict=True)
    }


def compute_place_points(ranks: Collection[int], places: Sequence[int]) -> list[int]:
    """Return the hundredths for competition ranks (1, 1, 3), by the whole points of the ranks from 1 on (`places`). Equal players
    share the points of the ranks that they take; ranks beyond `places` bring nothing."""
    taken = Counter(ranks)
    return [to_hundredths(sum(places[rank - 1 : rank - 1 + taken[rank]]), taken[rank]) for rank in ranks]


def _drop_beyond_best(settings: Settings, cells: list[ContentCell | None]) -> list[ContentCell | None]:
    """Return the cells with those beyond the best n dropped: by exact value, then most games, then earlier evening."""
    if settings["best"] is None:
        return cells

    def order(evening: int) -> tuple[Figure, int, int]:
        cell = counting[evening]
        value = Fraction(cell["points"], cell["games"] or 1) if settings["counting"] == "average" else (cell["value"] or 0)
        return -value, -(cell["games"] or 0), evening

    counting = {evening: cell for evening, cell in enumerate(cells) if cell and not cell["why"]}
    beyond = sorted(counting, key=order)[settings["best"] :]
    return [cell and {**cell, "why": "dropped"} if evening in beyond else cell for evening, cell in enumerate(cells)]


def _build_row(
    settings: Settings, player: int, cells: list[ContentCell | None], supplements: list[int | None]
) -> ContentRow:
    """Return the row of one player before ranking: `rank` is 0 if the ranking will set it, None if the player gets no rank."""
    played = [cell for cell in cells if cell]
    known = sum(cell["games"] or 0 for cell in played)
    complete = all(cell["games"] is not None for cell in played)
    counting = [cell for cell in played if not cell["why"]]
    steps, unsure = _list_steps(settings, counting, known, complete) if played else ([], "no_evening")
    steps += [
        {"kind": "supplement", "supplement": index, "value": points}
        for index, points in enumerate(supplements)
        if points is not None
    ]
    # An average that is weighted afterwards adds nothing.
    added = [step["value"] for step in steps if step["kind"] != "unweighted"]
    result = sum(added) if added and not unsure else None
    why = _find_missing(settings, len(played), known, complete) or unsure
    supplemented = sum(points or 0 for points in supplements)
    if not played:
        result = supplemented
    return {
        "player": player,
        "rank": None if why else 0,
        "result": result,
        "brought": supplemented if why or result is None else result,
        "why": why,
        "evenings": len(played),
        "games": known if complete else None,
        "cells": cells,
        "supplements": supplements,
        "steps": steps,
        "breaks": [],
    }


def _list_steps(settings: Settings, counting: list[ContentCell], known: int, complete: bool) -> tuple[list[MonthStep], str]:
    """Return the steps from the counting evenings to a result, and the reason if there is none."""
    few = settings["few_games"]
    if settings["counting"] == "average":
        points, games = sum(cell["points"] for cell in counting), sum(cell["games"] or 0 for cell in counting)
        if not games:
            return [], "no_games"
        kind = "unweighted" if few == ROOT else "average"
        steps: list[MonthStep] = [{"kind": kind, "points": points, "games": games, "value": to_hundredths(points, games)}]
        if few == ROOT:
            steps.append({"kind": ROOT, "games": games, "value": weigh_average(points, games)})
    else:
        steps = [{"kind": "sum", "evenings": len(counting), "value": sum(cell["value"] or 0 for cell in counting)}]
    if isinstance(few, dict) and known < few["games"]:
        if not complete:
            return steps, "unknown_games"
        missing = few["games"] - known
        steps.append({"kind": "deduction", "games": missing, "value": -missing * few["hundredths"]})
    return steps, ""


def _find_missing(settings: Settings, evenings: int, known: int, complete: bool) -> str:
    """Return the code of what a player lacks for a rank, or ""."""
    if not evenings:
        return "no_evening"
    if evenings < settings["min_evenings"]:
        return "few_evenings"
    if known < settings["min_games"]:
        return "few_games" if complete else "unknown_games"
    return ""


def _sum_if_known(figures: Sequence[int | None]) -> int | None:
    return None if None in figures else sum([one or 0 for one in figures])


def _compute_tie_break(name: str, row: ContentRow, wins: Sequence[int | None]) -> Figure:
    """Return a tie break, None if unknown. Points, average and `wins` are of the evenings that count, the others of all."""
    played = [cell for cell in row["cells"] if cell]
    counting = [cell for cell in played if not cell["why"]]
    match name:
        case "points":
            return sum(cell["points"] for cell in counting)
        case "average":
            divisor = _sum_if_known([cell["games"] for cell in counting])
            return None if divisor is None else rate(sum(cell["points"] for cell in counting), divisor)
        case "wins":
            return _sum_if_known(wins)
        case "best":
            return max((cell["points"] for cell in played), default=None)
        case "evenings":
            return len(played)
    return row["games"]


def _rank_rows(
    settings: Settings, found: Iterable[tuple[ContentRow, list[Figure]]], names: Mapping[int, str]
) -> list[ContentRow]:
    """Sort and rank rows by their results and exact tie breaks, which become rounded ones."""
    keys: dict[int, tuple[Any, ...]] = {}
    rows = []
    for row, figures in found:
        keys[row["player"]] = (sort_key(row["result"], True), *(sort_key(figure, True) for figure in figures))
        rows.append(row)
        row["breaks"] = list(map(_round_tie_break, settings["tie_breaks"], figures))
    rows.sort(key=lambda row: (row["rank"] is None, keys[row["player"]], names.get(row["player"], ""), row["player"]))
    for index, row in enumerate(rows):
        if row["rank"] is not None:
            shared = index and keys[rows[index - 1]["player"]] == keys[row["player"]]
            row["rank"] = rows[index - 1]["rank"] if shared else index + 1
    return rows


def _round_tie_break(name: str, figure: Figure) -> tuple[str, int | None]:
    """Return the name and the value of a tie break, an average in hundredths."""
    if figure is None:
        return name, None
    exact = Fraction(figure)
    return name, to_hundredths(exact.numerator, exact.denominator) if name == "average" else int(figure)


def to_hundredths(part: int, whole: int) -> int:
    """Return a quotient in hundredths, a half rounded away from zero."""
    rounded = (200 * abs(part) + whole) // (2 * whole)
    return rounded if part >= 0 else -rounded


def weigh_average(points: int, games: int) -> int:
    """Return points / games · sqrt(4n / (n + 600)) with n = games, in whole hundredths, a half rounded away from zero: the root of
    40000 · points² / (n · (n + 600)). The whole part of twice the root is exact; half of it, rounded up if odd, is the result."""
    twice = isqrt(4 * 40_000 * points * points // (games * (games + 600)))
    return (twice + 1) // 2 if points >= 0 else -((twice + 1) // 2)


class SeasonRow(TypedDict):
    """One player of a season: the `total` in hundredths and those of each of the `months` (None without any), the `games` of an
    average (else None), the indexes of the `dropped` months, and whether there are too `few` evenings for a rank. Counting does not
    know the name."""

    player: int
    name: NotRequired[str]
    rank: int | None
    total: int | None
    months: list[int | None]
    games: int | None
    dropped: frozenset[int]
    few: bool


class Share(NamedTuple):
    """What one month of one player adds to the average of a season. The deduction is in hundredths."""

    points: int
    games: int
    deduction: int


def is_averaged(settings: Settings) -> bool:
    return (settings["counting"], settings["season"]) == ("average", "sum")


def count_season(
    settings: Settings, months: Sequence[Sequence[ContentRow]], counted: Sequence[Sequence[ContentRow]], names: Mapping[int, str]
) -> list[SeasonRow]:
    """Return the table of a season: the sum of its months, one average over their games, or points for the ranks in them. `counted`
    are the rows of the months as supplemented last, for an average. `names` are sort keys."""
    averaged, min_evenings = is_averaged(settings), settings.get("season_min_evenings", 0)
    brought = [_list_brought(settings, month) for month in months]
    shares = [_list_shares(month) for month in counted] if averaged else []
    evenings = Counter[int]()
    for of_month in itertools.chain.from_iterable(months):
        evenings[of_month["player"]] += of_month["evenings"]
    rows: list[SeasonRow] = []
    for player in {*evenings, *itertools.chain.from_iterable(shares)}:
        line = [month.get(player) for month in brought]
        dropped = _find_dropped(line, settings.get("season_best"))
        own = [month[player] for at, month in enumerate(shares) if player in month and at not in dropped]
        counting = [points for at, points in enumerate(line) if points is not None and at not in dropped]
        rows.append(
            {
                "player": player,
                "rank": None,
                "total": _average_shares(settings, own) if averaged else sum(counting) if counting else None,
                "months": line,
                "games": sum(share.games for share in own) if averaged else None,
                "dropped": dropped,
                "few": evenings[player] < min_evenings,
            }
        )

    def order(row: SeasonRow) -> tuple[Any, ...]:
        unknown = row["total"] is None
        return unknown or row["few"], unknown, -(row["total"] or 0), names.get(row["player"], ""), row["player"]

    rows.sort(key=order)
    totals = [row["total"] for row in rows if row["total"] is not None and not row["few"]]
    for row, rank in zip(rows, rank_all(totals), strict=False):
        row["rank"] = rank
    return rows


def _list_brought(settings: Settings, rows: Sequence[ContentRow]) -> dict[int, int]:
    """Return the hundredths that a month brings for the season, by player: its result, or points for its rank."""
    if settings["season"] != "places":
        return {row["player"]: row["brought"] for row in rows if row["rank"] or row["brought"]}
    ranks = {row["player"]: row["rank"] for row in rows if row["rank"] is not None}
    return dict(zip(ranks, compute_place_points(ranks.values(), settings["season_places"]), strict=True))


def _list_shares(rows: Sequence[ContentRow]) -> dict[int, Share]:
    """Return the games of a month for the average of the season: of ranked players, on evenings that count."""
    found = {}
    for row in rows:
        cells = [cell for cell in row["cells"] if cell and not cell["why"] and cell["games"]]
        if row["rank"] is not None and cells:
            points, games = sum(cell["points"] for cell in cells), sum(cell["games"] or 0 for cell in cells)
            deduction = sum(step["value"] for step in row["steps"] if step["kind"] == "deduction")
            found[row["player"]] = Share(points, games, deduction)
    return found


def _find_dropped(line: Sequence[int | None], best: int | None) -> frozenset[int]:
    """Return the indexes of the months beyond the best n; of two equal months the earlier counts."""
    if best is None:
        return frozenset()
    known = [at for at, points in enumerate(line) if points is not None]
    return frozenset(sorted(known, key=lambda at: (-(line[at] or 0), at))[best:])


def _average_shares(settings: Settings, shares: Sequence[Share]) -> int | None:
    """Return the average over all games. The deduction of a month is weighted by the games of that month."""
    points, games = sum(share.points for share in shares), sum(share.games for share in shares)
    if not games:
        return None
    if settings["few_games"] == ROOT:
        return weigh_average(points, games)
    deducted = sum(share.deduction * share.games for share in shares)
    return int(round_half_up(Fraction(100 * points + deducted, games), 0))
