"""How a club's last evening would have counted under settings that are being edited. It takes the three most telling games
and values them by the present rules and by the edited ones; entries that the rules do not know are left out, as in What if.
It is the last evening of this rule set, if there is one. A club that has not played yet gets three built-in games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scoring.play.models import Game, Table
from scoring.play.queries import GAMES, read_records
from scoring.rules import labels
from scoring.rules.bock import Chain
from scoring.rules.parsing import parse_line
from scoring.rules.settings import DEFAULT, RuleSettings, get_preset
from scoring.rules.sheet import Line, LineResult, fold
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.models import RuleSet
from scoring.whatif.rules import fit, lacking

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
    """One game by both rule sets. `number` counts the games of the evening; `kind` is what its own rules call it, blank in
    the short form; `names` are the people by seat; `rules` both rule sets at its table."""

    number: int
    kind: str
    names: Sequence[str]
    rules: tuple[RuleSettings, RuleSettings]
    before: LineResult
    after: LineResult

    @property
    def differs(self) -> bool:
        return self.before.outcome.points != self.after.outcome.points


@dataclass(frozen=True)
class Samples:
    """The telling games in order; how many of all `games` count otherwise; by name what one of the two rule sets does not
    know, `surplus`, in how many; and the games that one of them cannot value, with why. `table` is None where the games are
    built in."""

    table: Table | None
    told: list[Sample]
    games: int
    changed: int
    surplus: Sequence[tuple[str, int]]
    refused: list[tuple[int, list[Sentence]]]


def samples(rule_set: RuleSet, after: Mapping[str, Any]) -> Samples:
    """The last evening by a rule set and by other settings, complete and valid."""
    old, new = RuleSettings.from_data(rule_set.settings), RuleSettings.from_data(after)
    table = _last_table(rule_set)
    if table is None:
        own = get_preset(DEFAULT)
        lines = [_fitted(Line("played", 4, 3, facts), own, old, new) for facts in EXAMPLES]
        lines = [line for line in lines if not (line.surplus or line.faults)][:SHOWN]
        return _valued(None, lines, ["A", "B", "C", "D"], (old, Chain()), (new, Chain()))
    records = read_records(table)
    names = [[player.name for player in records.line_up(game)] for game in records.games]
    fitted = [_fitted(line, table.rule_set.rules, old, new) for line in records.lines()]
    return _valued(table, fitted, names, (old, records.start(old)), (new, records.start(new)))


def _last_table(rule_set: RuleSet) -> Table | None:
    """The last table at which a game was played by any version of this rule set, else by any."""
    dealt = Game.objects.filter(form__in=GAMES, deleted=False)
    tables = Table.objects.filter(evening__club=rule_set.club_id, rounds__games__in=dealt)
    tables = tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number")
    return tables.filter(rule_set__name=rule_set.name).first() or tables.first()


class _Fitted(NamedTuple):
    """A line as both rule sets take it: the kind of game in the words of its own rules, the entries that one of the two
    ignores, and what one of the two is missing."""

    both: tuple[Line, Line]
    kind: str
    surplus: frozenset[str]
    faults: list[Sentence]


def _fitted(line: Line, own: RuleSettings, *both: RuleSettings) -> _Fitted:
    """A line of its own rules for both rule sets."""
    own, kind = own.at(line.table), ""
    lines, surplus, faults = [], frozenset[str](), list[Sentence]()
    if "kind" in line.facts:
        kind = labels.kind_name(line.facts["kind"], own.kind_names)
    for rules in both:
        fitted = line
        if line.form in GAMES:
            facts, without = fit(line.facts, line.dealer, own, rules.at(line.table))
            fitted, surplus = line._replace(facts=facts), surplus | without
        lines.append(fitted)
        try:
            parse_line(fitted.form, fitted.facts, rules.at(line.table), line.dealer)
        except Refused as refused:
            faults = faults or lacking(refused, line.facts, own)
    return _Fitted((lines[0], lines[1]), kind, surplus, faults)


def _valued(table: Table | None, lines: list[_Fitted], names: Sequence[Any], old: Beginning, new: Beginning) -> Samples:
    taken = [index for index in range(len(lines)) if not lines[index].faults]
    before, after = (
        fold([lines[index].both[side] for index in taken], rules, chain) for side, (rules, chain) in enumerate((old, new))
    )
    numbers = _numbers([line.both[0] for line in lines])
    found = [
        Sample(
            numbers[index],
            lines[index].kind,
            names[index] if table else names,
            (old[0].at(lines[index].both[0].table), new[0].at(lines[index].both[0].table)),
            was,
            becomes,
        )
        for index, was, becomes in zip(taken, before, after, strict=True)
        if numbers[index]
    ]
    surplus = Counter(name for index in taken for name in lines[index].surplus)
    return Samples(
        table=table,
        told=_telling(found),
        games=len(found),
        changed=sum(sample.differs for sample in found),
        surplus=sorted(surplus.items(), key=lambda name: (-name[1], name[0])),
        refused=[(numbers[index], line.faults) for index, line in enumerate(lines) if line.faults and numbers[index]],
    )


def _telling(found: list[Sample]) -> list[Sample]:
    """The games that tell most, in order; rather different ones than the same thing three times."""
    best = sorted(found, key=_tells, reverse=True)
    firsts = {tuple(step.code for step in sample.after.outcome.steps): sample for sample in reversed(best)}
    chosen = [sample for sample in best if sample in firsts.values()]
    chosen += [sample for sample in best if sample not in chosen]
    return sorted(chosen[:SHOWN], key=lambda sample: sample.number)


def _numbers(lines: Sequence[Line]) -> list[int]:
    """The number of each game, 0 for every other line."""
    found, number = [], 0
    for line in lines:
        played = line.form in GAMES
        number += played
        found.append(number if played else 0)
    return found


def _tells(sample: Sample) -> tuple[int, int]:
    """A game tells more, the more its points differ; and where they do not, the more there is to count."""
    pairs = zip(sample.before.outcome.points, sample.after.outcome.points, strict=True)
    return sum(abs(after - before) for before, after in pairs), len(sample.after.outcome.steps)
