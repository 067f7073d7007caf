"""Value games by other rules: the games of a list, or sample games for settings that are being edited. The points by the present
and by the other rules are always those of the same games.

Each table is folded from its first line, as in the replay. Entries that the other rules do not know are ignored. A game without
an entry that they need is left out, and listed with the reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from scoring.club.models import Club
from scoring.play.models import Game, Seat, Table
from scoring.play.queries import GAMES, read_records
from scoring.rules import labels
from scoring.rules.bock import Chain
from scoring.rules.parsing import GameFacts, ShortFacts, parse_line
from scoring.rules.ranking import rank_all
from scoring.rules.settings import DEFAULT, RuleSettings, get_preset
from scoring.rules.settings_schema import DEFAULTS
from scoring.rules.sheet import Line, LineResult, fold
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection, filter_scores, filter_tables
from scoring.standings.queries.standings import Standing, list_standings
from scoring.whatif.rules import NO_GAMES, OTHER_UNIT, SHORT_FORM, adapt, explain_missing

# Tables whose lines are in memory at once.
TABLES_AT_ONCE: Final = 400
# Settings that do not matter to the points of a short form: these are entered before Bock, and before they are shared out.
NOT_IN_BASE: Final = (
    "bock", "soloist_share", "counting", "sitter", "deal_stays", "seating", "duty_solo", "kinds", "text"
)  # fmt: skip
# The lines that are listed for one reason; further ones are only counted.
MAX_NAMED: Final = 100
MAX_SAMPLES: Final = 3
# Ordinary and expensive games; the first three that both rule sets accept are shown.
EXAMPLE_GAMES: Final[Sequence[dict[str, Any]]] = (
    {"kind": "normal", "re": [0, 1], "eyes": 156, "re_said": "said", "re_specials": {"fuchs": 1}},
    {"kind": "normal", "re": [1, 3], "eyes": 85, "kontra_said": "said", "kontra_specials": {"karlchen": 1}},
    {"kind": "damensolo", "re": [2], "eyes": 104},
    {"kind": "trumpfsolo", "re": [2], "eyes": 154},
    {"kind": "normal", "re": [0, 1], "eyes": 156},
    {"kind": "normal", "re": [1, 3], "eyes": 85},
    {"kind": "normal", "re": [0, 2], "eyes": 186},
)


def compute_what_if(club: Club, selection: Selection, rule_set: RuleSet) -> WhatIf:
    """Value the tables of a selection, which names its unit, by these rules. Three queries for each TABLES_AT_ONCE tables, one for
    the tables, and those of the list."""
    found, tables = WhatIf(rule_set, selection), list(filter_tables(club, selection))
    for start in range(0, len(tables), TABLES_AT_ONCE):
        found.add_tables(club, tables[start : start + TABLES_AT_ONCE])
    # Opening balances cannot be valued: their games are not known.
    found.add_list(list_standings(club, selection, openings=()))
    return found


# The lines that are left out for one reason (`why`): the number of all (`lines`), and the first MAX_NAMED (`named`) with their
# table, its evening and day, the number of the game (None for other lines) and its key (None for a whole table).
LeftOutLines = dict[str, Any]


class WhatIf:
    """The list under `rule_set`. `rows` are in the order of the ranks by these rules; each has the row of the `real` list, the
    number of valued `games`, and their rank and points by the present rules (`now`) and by the other ones (`then`). If the rules
    count in another unit than the list (`unit`), points cannot be compared."""

    def __init__(self, rule_set: RuleSet, selection: Selection) -> None:
        self.rule_set, self.selection = rule_set, selection
        self.unit = selection.unit or rule_set.unit
        self.same_unit = self.unit == rule_set.unit
        self.rows: list[dict[str, Any]] = []
        self.games = 0
        self._surplus: Counter[str] = Counter()
        self._unvalued: dict[tuple[str, ...], LeftOutLines] = {}
        # By player: the points by the other rules and the present ones, and the number of games.
        self._then: dict[int, int] = defaultdict(int)
        self._now: dict[int, int] = defaultdict(int)
        self._played: dict[int, int] = defaultdict(int)

    @property
    def people(self) -> list[Standing]:
        return [row["real"] for row in self.rows]

    @property
    def surplus(self) -> list[tuple[str, int]]:
        """The entries that these rules do not know, with the number of games."""
        return sorted(self._surplus.items(), key=lambda name: (-name[1], name[0]))

    @property
    def unvalued(self) -> list[LeftOutLines]:
        return list(self._unvalued.values())

    @property
    def left_out(self) -> int:
        return sum(left["lines"] for left in self.unvalued)

    def add_list(self, real: Sequence[Standing]) -> None:
        """Add the rows. They are those of the real list: players who have points only by the other rules are left out."""
        now, then = ([points[row.player_id] for row in real] for points in (self._now, self._then))
        for row, now_rank, now_points, then_rank, then_points in zip(real, rank_all(now), now, rank_all(then), then, strict=True):
            self.rows.append(
                {
                    "real": row,
                    "now": {"rank": now_rank, "points": now_points},
                    "then": {"rank": then_rank, "points": then_points},
                    "difference": then_points - now_points,
                    "games": self._played[row.player_id],
                }
            )
        self.rows.sort(key=lambda row: (row["then"]["rank"], row["real"].name_key, row["real"].player_id))

    def add_tables(self, club: Club, tables: Sequence[Table]) -> None:
        """Value some more tables. Three queries."""
        lines, line_ups = _read_lines(tables), _read_line_ups(tables)
        counted = set[UUID]()
        for table in tables:
            if table.without_games and self.selection.size is None:
                self._leave_out([NO_GAMES], table, None, None)
            counted.update(self._value_table(table, lines[table.pk], line_ups))
        scores = filter_scores(club, self.selection).filter(game__round__table__in=tables)
        for line, player, points in scores.values_list("game", "player", "points"):
            if line in counted:
                self._now[player] += points

    def _value_table(self, table: Table, lines: Sequence[Any], line_ups: Mapping[int, Sequence[int]]) -> Iterator[UUID]:
        """Value a table and yield the keys of the lines that count. Lines of a round with another number of players than the
        selection asks for only continue the Bock. A game that cannot be valued was dealt, so it uses up a Bock; it starts none."""
        chain, number = Chain(), 0
        base_holds = _has_same_base(table.rule_set, self.rule_set)
        for line in lines:
            dealt, line_up = line.form in GAMES, line_ups[line.round]
            number += dealt
            counts = self.selection.size in (None, len(line_up))
            why: Sequence[Sentence] = []
            facts, surplus = line.facts, frozenset[str]()
            if line.form == Game.Form.SHORT and not base_holds:
                why = [SHORT_FORM]
            elif line.form in (Game.Form.PENALTY, Game.Form.CORRECTION) and table.rule_set.unit != self.rule_set.unit:
                why = [OTHER_UNIT]
            elif dealt:
                own, other = (one.rules.at(len(line_up)) for one in (table.rule_set, self.rule_set))
                facts, surplus = adapt(line.facts, line.dealer, own, other)
            if not why:
                try:
                    (played,) = fold([Line(line.form, line_up, line.dealer, facts)], self.rule_set.rules, chain)
                except Refused as refused:
                    why = explain_missing(refused, facts, table.rule_set.rules)
                else:
                    chain = played.chain
                    if counts:
                        self._credit(line, played, line_up)
                        self._surplus.update(surplus)
                        yield line.key
            if why and dealt and self.rule_set.rules.at(len(line_up)).has_bock:
                chain = chain.use_one_up()
            if why and counts:
                self._leave_out(why, table, line.key, number if dealt else None)

    def _credit(self, line: Any, played: LineResult, line_up: Sequence[int]) -> None:
        dealt = line.form in GAMES
        out = played.facts.out if isinstance(played.facts, (GameFacts, ShortFacts)) else ()
        self.games += dealt
        for seat, (player, points) in enumerate(zip(line_up, played.outcome.points, strict=True)):
            self._then[player] += points
            self._played[player] += dealt and seat not in out

    def _leave_out(self, why: Sequence[Sentence], table: Table, key: UUID | None, number: int | None) -> None:
        left = self._unvalued.setdefault(tuple(map(str, why)), {"why": why, "named": [], "lines": 0})
        left["lines"] += 1
        if len(left["named"]) < MAX_NAMED:
            where = {"table": table.pk, "evening": table.evening_id, "held_on": table.evening.held_on}
            left["named"].append({**where, "key": key, "number": number})


def _has_same_base(old: RuleSet, new: RuleSet) -> bool:
    """Return whether both give the same points before Bock and sharing out, so that the points of the short form stay valid."""
    first, second = (
        {key: value for key, value in {**DEFAULTS, **one.settings}.items() if key not in NOT_IN_BASE} for one in (old, new)
    )
    return first == second


def _read_lines(tables: Sequence[Table]) -> dict[int, list[Any]]:
    """Return the lines that are not deleted, by table, in order, each with key, round, form, dealer and facts. One query."""
    games = Game.objects.filter(round__table__in=tables, deleted=False).order_by("round__position", "position", "entered_at")
    lines: dict[int, list[Any]] = defaultdict(list)
    for line in games.values_list("round__table", "key", "round", "form", "dealer", "facts", named=True):
        lines[line.round__table].append(line)
    return lines


def _read_line_ups(tables: Sequence[Table]) -> dict[int, list[int]]:
    """Return the players of each round by id, in the order of their places. One query."""
    seats = Seat.objects.filter(round__table__in=tables).order_by("round", "place")
    line_ups: dict[int, list[int]] = defaultdict(list)
    for line_up, player in seats.values_list("round", "player"):
        line_ups[line_up].append(player)
    return line_ups


@dataclass(frozen=True)
class Sample:
    """A game by both rule sets, at the size of its table. `kind` is its name by its own rules, "" in the short form."""

    number: int
    kind: str
    names: Sequence[str]
    rules: Sequence[RuleSettings]
    before: LineResult
    after: LineResult

    @property
    def differs(self) -> bool:
        return self.before.outcome.points != self.after.outcome.points

    @property
    def effect(self) -> tuple[int, int]:
        """The difference of the points, then the number of steps."""
        pairs = zip(self.before.outcome.points, self.after.outcome.points, strict=True)
        return sum(abs(after - before) for before, after in pairs), len(self.after.outcome.steps)


def build_samples(rule_set: RuleSet, after: Mapping[str, Any]) -> dict[str, Any]:
    """Value the last `table` of this rule set, or of the club, by the rule set and by other complete and valid settings. A club
    that has not played yet gets built-in games (None). Return it with the samples that are `shown`, the number of `games` and of
    the `changed` ones, the ignored entries with their numbers (`surplus`), and the numbers of the `refused` games with their
    faults."""
    both = RuleSettings.from_data(rule_set.settings), RuleSettings.from_data(after)
    table = _find_last_table(rule_set)
    if table is None:
        own = get_preset(DEFAULT)
        lines = [_adapt_line(Line("played", range(4), 3, facts), own, *both) for facts in EXAMPLE_GAMES]
        lines = [line for line in lines if not (line.surplus or line.faults)][:MAX_SAMPLES]
        names = [["A", "B", "C", "D"]] * len(lines)
        chains = [Chain(), Chain()]
    else:
        records = read_records(table)
        names = [[player.name for player in records.line_up(game)] for game in records.games]
        lines = [_adapt_line(line, table.rule_set.rules, *both) for line in records.lines()]
        chains = [records.start(rules) for rules in both]
    valid = [index for index, line in enumerate(lines) if not line.faults]
    results = [fold([lines[index].both[side] for index in valid], both[side], chains[side]) for side in (0, 1)]
    dealt = [int(line.both[0].form in GAMES) for line in lines]
    # The number of each game, 0 for other lines.
    numbers = [number * played for number, played in zip(accumulate(dealt), dealt, strict=True)]
    found = []
    for index, *sides in zip(valid, *results, strict=True):
        line = lines[index]
        rules = [one.at(len(line.both[0].people)) for one in both]
        if numbers[index]:
            found.append(Sample(numbers[index], line.kind, names[index], rules, *sides))
    surplus = Counter(name for index in valid for name in lines[index].surplus)
    return {
        "table": table,
        "shown": _choose_samples(found),
        "games": len(found),
        "changed": sum(sample.differs for sample in found),
        "surplus": sorted(surplus.items(), key=lambda name: (-name[1], name[0])),
        "refused": [(numbers[index], line.faults) for index, line in enumerate(lines) if line.faults and numbers[index]],
    }


def _find_last_table(rule_set: RuleSet) -> Table | None:
    """Return the last table with games of this rule set, else of its club."""
    games = Game.objects.filter(form__in=GAMES, deleted=False)
    tables = Table.objects.filter(evening__club=rule_set.club_id, rounds__games__in=games)
    tables = tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number")
    return tables.filter(rule_set__name=rule_set.name).first() or tables.first()


class _AdaptedLine(NamedTuple):
    """A line for both rule sets, with the entries that one of the two ignores, and the faults for one of the two."""

    both: tuple[Line, Line]
    kind: str
    surplus: frozenset[str]
    faults: list[Sentence]


def _adapt_line(line: Line, own: RuleSettings, *both: RuleSettings) -> _AdaptedLine:
    """Adapt a line, which was typed under the rules `own`, to both rule sets."""
    people, kind = len(line.people), ""
    own = own.at(people)
    lines, surplus, faults = [], frozenset[str](), list[Sentence]()
    if "kind" in line.facts:
        kind = labels.kind_name(line.facts["kind"], own.kind_names)
    for rules in both:
        adapted = line
        if line.form in GAMES:
            facts, ignored = adapt(line.facts, line.dealer, own, rules.at(people))
            adapted, surplus = line._replace(facts=facts), surplus | ignored
        lines.append(adapted)
        try:
            parse_line(adapted.form, adapted.facts, rules.at(people), line.dealer)
        except Refused as refused:
            faults = faults or explain_missing(refused, line.facts, own)
    return _AdaptedLine((lines[0], lines[1]), kind, surplus, faults)


def _choose_samples(found: list[Sample]) -> list[Sample]:
    """Return the samples with the greatest effect, in the order of the evening; different ones are preferred to similar ones."""
    best = sorted(found, key=attrgetter("effect"), reverse=True)
    firsts = {tuple(step.code for step in sample.after.outcome.steps): sample for sample in reversed(best)}
    samples = [sample for sample in best if sample in firsts.values()]
    samples += [sample for sample in best if sample not in samples]
    return sorted(samples[:MAX_SAMPLES], key=lambda sample: sample.number)
