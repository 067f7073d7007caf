"""Compute the lines of a table and the figures of a list from the facts alone, by the reference rules of the tests."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils import timezone

from scoring.models import Game, Seat, Table
from tests.rules import reference

SIZES = range(4, 9)


@dataclass
class Entry:
    """The result of one line for each player at its table, by id."""

    day: datetime.date
    evening: int
    table: Table
    size: int
    key: Any
    form: str
    facts: dict[str, Any]
    winner: str | None
    decided: bool
    bock: int
    points: dict[int, int]
    played: set[int]
    won: set[int]
    soloist: int | None
    parties: dict[int, str]

    @property
    def year(self) -> int:
        return self.day.year

    def together(self, one: int, other: int) -> bool:
        if self.parties:
            return self.parties[one] == self.parties[other]
        return (one in self.won) == (other in self.won)


def score_lines(table: Table, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Score the games of a table by the reference rules, in order."""
    settings = table.rule_set.settings
    known = {f"'own' {size}": {**settings, **settings["at"].get(str(size), {})} for size in SIZES}
    chain: list[int] = []
    return [reference.answer_line(line, chain, known) for line in lines]


def read_entries(table: Table) -> Iterator[Entry]:
    seats: dict[int, list[int]] = defaultdict(list)
    for seat in Seat.objects.filter(round__table=table).order_by("place"):
        seats[seat.round_id].append(seat.player_id)
    games = list(Game.objects.filter(round__table=table, deleted=False).order_by("round__position", "position"))
    dealt = [game for game in games if game.form in ("played", "short")]
    lines = [
        {**game.facts, "rules": "own", "table": len(seats[game.round_id])}
        | ({} if game.dealer is None else {"dealer": game.dealer})
        for game in dealt
    ]
    answered = dict(zip([game.key for game in dealt], zip(lines, score_lines(table, lines), strict=True), strict=True))
    for game in games:
        people = seats[game.round_id]
        if game.key not in answered:
            yield build_entry(table, game, people)
            continue
        line, answer = answered[game.key]
        assert "error" not in answer, (game.facts, answer)
        settings = {**table.rule_set.settings, **table.rule_set.settings["at"].get(str(len(people)), {})}
        playing = [seat for seat in range(len(people)) if seat not in reference.seats_out(line, settings)]
        full = game.form == "played"
        re = set(game.facts["re"]) if full else set()
        alone = next(iter(re)) if len(re) == 1 else None
        if game.facts.get("solo"):
            losers = [seat for seat in playing if seat not in answer["winners"]]
            alone = answer["winners"][0] if len(answer["winners"]) == 1 else losers[0]
        yield Entry(
            day=table.evening.held_on,
            evening=table.evening_id,
            table=table,
            size=len(people),
            key=game.key,
            form=game.form,
            facts=line,
            winner=answer["winner"],
            decided=not full or answer["winner"] is not None,
            bock=answer["bock"],
            points=dict(zip(people, answer["points"], strict=True)),
            played={people[seat] for seat in playing},
            won={people[seat] for seat in answer["winners"]},
            soloist=None if alone is None else people[alone],
            parties={people[seat]: "re" if seat in re else "kontra" for seat in playing} if full else {},
        )


def build_entry(table: Table, game: Game, people: list[int]) -> Entry:
    points = game.facts.get("points", [0] * len(people))
    return Entry(
        day=table.evening.held_on,
        evening=table.evening_id,
        table=table,
        size=len(people),
        key=game.key,
        form=game.form,
        facts={},
        winner=None,
        decided=False,
        bock=0,
        points=dict(zip(people, points, strict=True)),
        played=set(),
        won=set(),
        soloist=None,
        parties={},
    )


def rate(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def find_best(entries: list[Entry], evening: int) -> set[int]:
    """Return the players with the most points of an evening."""
    those = [entry for entry in entries if entry.evening == evening]
    sums = {player: sum(e.points.get(player, 0) for e in those) for player in set().union(*(e.played for e in those))}
    return {player for player, points in sums.items() if points == max(sums.values())}


def compute_figures(entries: list[Entry], player: int) -> dict[str, Any]:
    """Compute all figures of the list for one player from the lines."""
    played = [entry for entry in entries if player in entry.played]
    solos = [entry for entry in played if entry.soloist == player]
    points = sum(entry.points.get(player, 0) for entry in entries)
    wins = sum(player in entry.won for entry in played)
    sided = [entry.parties[player] for entry in played if entry.parties]
    evenings: Counter[tuple[datetime.date, int]] = Counter()
    for entry in entries:
        if player in entry.played or entry.points.get(player, 0):
            evenings[entry.day, entry.evening] += entry.points.get(player, 0)
    there = {entry.evening for entry in played}
    sums = {key: value for key, value in evenings.items() if key[1] in there}
    run = best_run = 0
    for entry in played:
        run = run + 1 if player in entry.won else 0
        best_run = max(best_run, run)
    month = timezone.localdate().replace(day=1)
    return {
        "evening_average": rate(points, len(there)),
        "evening_wins": sum(player in find_best(entries, evening) for evening in there),
        "evenings": len(there),
        "games": len(played),
        "points": points,
        "average": rate(points, len(played)),
        "wins": wins,
        "win_rate": rate(wins, len(played)),
        "solos": len(solos),
        "solos_won": sum(player in entry.won for entry in solos),
        "solo_points": sum(entry.points[player] for entry in solos),
        "re_rate": rate(sided.count("re"), len(sided)),
        "bock_points": sum(entry.points.get(player, 0) for entry in entries if entry.bock),
        "best_evening": max(sums.values(), default=None),
        "worst_evening": min(sums.values(), default=None),
        "streak": best_run,
        "this_month": sum(value for (day, _evening), value in sums.items() if day >= month),
        "last_evening": max((day.toordinal() for day, _evening in sums), default=None),
    }
