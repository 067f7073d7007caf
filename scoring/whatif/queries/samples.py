"""How a club's last evening would have counted under settings that are being edited: which three of its games tell most,
valued by the rules as they are and as they would be. The last evening is that of this rule set, where it was played by
at all. A club that has not played yet gets three built-in games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.play.models import Game, Table
from scoring.play.queries.records import read_records
from scoring.rules.bock import Chain
from scoring.rules.facts import read_line
from scoring.rules.refused import Refused, Sentence
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import Line, Played, fold
from scoring.rulesets.models import RuleSet

SHOWN: Final = 3
# Ordinary and dear games, the first three of which that both rule sets take are shown.
EXAMPLES: Final[Sequence[dict[str, Any]]] = (
    {"kind": "normal", "re": [0, 1], "eyes": 156, "re_said": "said", "re_specials": {"fuchs": 1}},
    {"kind": "normal", "re": [1, 3], "eyes": 85, "kontra_said": "said", "kontra_specials": {"karlchen": 1}},
    {"kind": "damensolo", "re": [2], "eyes": 104},
    {"kind": "trumpfsolo", "re": [2], "eyes": 154},
    {"kind": "normal", "re": [0, 1], "eyes": 156},
    {"kind": "normal", "re": [1, 3], "eyes": 85},
    {"kind": "normal", "re": [0, 2], "eyes": 186},
)


# A rule set and what is open before the first game under it.
Beginning = tuple[RuleSettings, Chain]


@dataclass(frozen=True)
class Sample:
    """One game by both rule sets. `number` counts the games of the evening; `names` are the people by seat; `rules` both
    rule sets at its table."""

    number: int
    names: Sequence[str]
    rules: tuple[RuleSettings, RuleSettings]
    before: Played
    after: Played

    @property
    def differs(self) -> bool:
        return self.before.outcome.points != self.after.outcome.points


@dataclass(frozen=True)
class Samples:
    """The telling games in order; how many of all `games` count otherwise; and those that one of the two rule sets does
    not take, with why. `table` is None where the games are built in."""

    table: Table | None
    told: list[Sample]
    games: int
    changed: int
    refused: list[tuple[int, list[Sentence]]]


def samples(rule_set: RuleSet, after: Mapping[str, Any]) -> Samples:
    """The last evening by a rule set and by other settings, complete and valid."""
    old, new = RuleSettings.from_data(rule_set.settings), RuleSettings.from_data(after)
    table = _last_table(rule_set)
    if table is None:
        lines = [Line("played", 4, 3, facts) for facts in EXAMPLES]
        lines = [line for line in lines if not _faults(line, old, new)][:SHOWN]
        return _valued(None, lines, ["A", "B", "C", "D"], (old, Chain()), (new, Chain()))
    records = read_records(table)
    names = [[player.name for player in records.line_up(game)] for game in records.games]
    return _valued(table, records.lines(), names, (old, records.start(old)), (new, records.start(new)))


def _last_table(rule_set: RuleSet) -> Table | None:
    """The last table at which a game was played by any version of this rule set, else by any."""
    dealt = Game.objects.filter(form__in=[Game.Form.PLAYED, Game.Form.SHORT], deleted=False)
    tables = Table.objects.filter(evening__club=rule_set.club_id, rounds__games__in=dealt)
    tables = tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number")
    return tables.filter(rule_set__name=rule_set.name).first() or tables.first()


def _faults(line: Line, *rules: RuleSettings) -> list[Sentence]:
    """What any of these rules has against the line."""
    for one in rules:
        try:
            read_line(line.form, line.facts, one.at(line.table), line.dealer)
        except Refused as refused:
            return list(refused.fields.values())
    return []


def _valued(table: Table | None, lines: list[Line], names: Sequence[Any], old: Beginning, new: Beginning) -> Samples:
    faults = [_faults(line, old[0], new[0]) for line in lines]
    taken = [index for index in range(len(lines)) if not faults[index]]
    before, after = (fold([lines[index] for index in taken], rules, chain) for rules, chain in (old, new))
    numbers = _numbers(lines)
    found = [
        Sample(numbers[index], names[index] if table else names, _at(lines[index], old, new), was, becomes)
        for index, was, becomes in zip(taken, before, after, strict=True)
        if numbers[index]
    ]
    return Samples(
        table=table,
        told=_telling(found),
        games=len(found),
        changed=sum(sample.differs for sample in found),
        refused=[
            (numbers[index], [sentence.naming(names[index]) for sentence in fault])
            for index, fault in enumerate(faults)
            if fault and numbers[index]
        ],
    )


def _at(line: Line, old: Beginning, new: Beginning) -> tuple[RuleSettings, RuleSettings]:
    return old[0].at(line.table), new[0].at(line.table)


def _telling(found: list[Sample]) -> list[Sample]:
    """The games that tell most, in order; rather different ones than the same thing three times."""
    best = sorted(found, key=_tells, reverse=True)
    firsts = {tuple(step.code for step in sample.after.outcome.steps): sample for sample in reversed(best)}
    chosen = [sample for sample in best if sample in firsts.values()]
    chosen += [sample for sample in best if sample not in chosen]
    return sorted(chosen[:SHOWN], key=lambda sample: sample.number)


def _numbers(lines: list[Line]) -> list[int]:
    """The number of each game, 0 for every other line."""
    found, number = [], 0
    for line in lines:
        played = line.form in ("played", "short")
        number += played
        found.append(number if played else 0)
    return found


def _tells(sample: Sample) -> tuple[int, int]:
    """A game tells more, the more its points differ; and where they do not, the more there is to count."""
    pairs = zip(sample.before.outcome.points, sample.after.outcome.points, strict=True)
    return sum(abs(after - before) for before, after in pairs), len(sample.after.outcome.steps)
