"""A sheet that people keep changing: whatever is inserted, moved, corrected, struck out and taken back while others sit down
and leave, what is stored is what a fresh replay says, and what was shown before is what happened. Short in every run,
10,000 edits with `make soak`; SEED repeats a run."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import transaction

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.models import Game, Player, Score, Seat, Table, TableResult
from scoring.play.queries import propose_at, propose_next, read_records
from scoring.play.replay import Effect
from scoring.play.verify import check_table
from scoring.rules.validation import Refused
from scoring.table.actions.games import (
    NowhereToMove,
    PeopleMissing,
    Saved,
    Typed,
    add_game,
    correct_game,
    delete_game,
    insert_game,
    move_game,
    preview_correction,
    preview_deletion,
    preview_insertion,
    preview_move,
    undo,
)
from scoring.table.actions.seats import change_line_up
from tests.factories import PEOPLE, make_club, make_player, make_rule_set, make_table
from tests.rules.random_games import Rules, random_game, random_short

pytestmark = pytest.mark.django_db

ALL_TRIGGERS: Final = ["lost_announcement", "lost_solo", "tie_120", "herzstich", "zero_game", "schwarz", "manual"]


def bock(overlap: str, **more: Any) -> dict[str, Any]:
    return {"base": "anleitung", "bock": {"triggers": ALL_TRIGGERS, "overlap": overlap, **more}}


RULES: Final[list[Rules]] = [
    "ddv",
    bock("append"),
    bock("stack", cap=8, per_game="each"),
    {"base": "vln"},
    bock("extend", length="deal", duty_solo_uses=False),
    "klassisch",
    bock("ignore", length=3),
    bock("stack", cap=1, effect={"add": 2}),
    {"base": "ddv", "duty_solo": {"rounds": 1}, "deal_stays": ["duty_solo", "lustsolo", "penalty", "redeal"]},
    bock("append", cap=2, per_game="each", length="deal", effect="game"),
    "ohne_neunen",
    {"base": "klassisch", "bock": {"triggers": ["lost_solo", "manual"], "overlap": "append"}},
]


@dataclass
class Line:
    """All of a stored line but its version and who entered it when."""

    round: int
    position: int
    form: str
    dealer: int | None
    facts: dict[str, Any]
    note: str
    deleted: bool


def lines_of(table: Table) -> dict[Any, Line]:
    rows = Game.objects.filter(round__table=table)
    names = ("round_id", "position", "form", "dealer", "facts", "note", "deleted")
    return {row.key: Line(*(getattr(row, name) for name in names)) for row in rows}


def worth_of(table: Table) -> dict[Any, tuple[Any, ...]]:
    """Every derived row as it is stored, straight from the database: by line what it was worth and what it brought whom,
    and by person the sums."""
    stored: dict[Any, tuple[Any, ...]] = {}
    scores: dict[Any, dict[int, tuple[Any, ...]]] = {}
    for game, player, *said in Score.objects.filter(game__round__table=table).values_list(
        "game", "player", "points", "party", "played", "won", "solo"
    ):
        scores.setdefault(game, {})[player] = tuple(said)
    for game in Game.objects.filter(round__table=table).select_related("outcome"):
        if hasattr(game, "outcome"):
            said = game.outcome
            outcome = (said.winner, said.value, said.bock, said.bock_started)
            stored[game.key] = (outcome, scores.pop(game.key, {}))
    assert not scores, "points of a line without a worth"
    for row in TableResult.objects.filter(table=table):
        stored[row.player_id] = (row.games, row.points, row.wins, row.solos, row.solos_won, row.solo_points)
    return stored


def told(changes: Iterable[Effect]) -> list[tuple[Any, ...]]:
    """What effects say, whatever the row they say it about: the line that is inserted has no key before."""

    def side(outcome: Any) -> tuple[Any, ...] | None:
        return outcome and (outcome.winner, outcome.value, outcome.bock, outcome.bock_started)

    return [(side(e.before), side(e.after), e.points_before, e.points_after) for e in changes]


def happened(before: dict[Any, Any], after: dict[Any, Any], keys: list[Any]) -> list[tuple[Any, ...]]:
    """The lines whose stored worth differs, told as effects are, in the order of `keys`."""

    def points(found: tuple[Any, ...] | None) -> dict[int, int]:
        return {} if found is None else {player: said[0] for player, said in found[1].items()}

    return [
        (before.get(key, (None,))[0], after.get(key, (None,))[0], points(before.get(key)), points(after.get(key)))
        for key in keys
        if before.get(key) != after.get(key)
    ]


@dataclass
class Evening:
    """One table that is edited at random."""

    dice: random.Random
    rules: Rules
    people: list[Player]
    table: Table
    done: Counter[str] = field(default_factory=Counter)
    # What is stored now: the lines and what they are worth.
    lines: dict[Any, Line] = field(default_factory=dict)
    worth: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    # The change that can be taken back, and the lines before it.
    last: Saved | None = None
    stood: dict[Any, Line] = field(default_factory=dict)

    @classmethod
    def begin(cls, dice: random.Random, rules: Rules) -> Evening:
        club = make_club()
        people = [make_player(club, name) for name in PEOPLE]
        settings = {} if isinstance(rules, str) else {key: value for key, value in rules.items() if key != "base"}
        rule_set = make_rule_set(club, rules if isinstance(rules, str) else rules["base"], "Hausregeln", **settings)
        return cls(dice, rules, people, make_table(club, dice.sample(people, dice.randint(4, 6)), rule_set=rule_set))

    # --- what is typed ---

    def typed(self, people: int, dealer: int) -> Typed:
        """A line of any form for so many people; mostly dealt by whoever's turn it is."""
        form = self.dice.choice(["played"] * 7 + ["short"] * 2 + ["penalty", "correction", "redeal"])
        dealer = dealer if self.dice.random() < 0.85 else self.dice.randrange(people)
        if form in ("penalty", "correction"):
            points = [self.dice.choice([-12, -3, 0, 0, 1, 4]) for _ in range(people)]
            dealt = dealer if form == "penalty" and self.dice.random() < 0.4 else None
            return Typed(form, {"points": points, "reason": "falsch bedient"}, dealt)
        if form == "redeal":
            return Typed(form, {"seat": self.dice.randrange(people)} if self.dice.random() < 0.5 else {}, dealer)
        make = random_short if form == "short" else random_game
        for _ in range(30):
            line = make(self.dice, self.rules, people)
            if line.get("dealer") in (None, dealer):
                break
        said = line.pop("dealer", None)
        facts = {name: value for name, value in line.items() if name not in ("rules", "table", "bock")}
        return Typed(form, facts, dealer if said is None else said, self.dice.choice(["", "", "knapp"]))

    # --- what is done ---

    def edit(self) -> None:
        what = self.dice.choice(
            ["add"] * 4 + ["insert"] * 4 + ["move"] * 7 + ["correct"] * 4 + ["delete"] * 2 + ["undo"] * 3 + ["sit"] * 2
        )
        standing = sum(not line.deleted for line in self.lines.values())
        if not standing and what not in ("undo", "sit"):
            what = "add"
        if standing > 40 and what in ("add", "insert"):
            what = "delete"
        getattr(self, what)()
        afresh = Table.objects.select_related("evening__club", "rule_set").get(pk=self.table.pk)
        assert check_table(afresh).findings == []

    def add(self) -> None:
        records = read_records(self.table)
        typed = self.typed(len(records.current), propose_next(records).dealer)
        after = records.last.key if records.last else None
        self.attempt("add", None, add_game, key=uuid4(), after=after, typed=typed)

    def insert(self) -> None:
        records = read_records(self.table)
        beside, behind = self.dice.choice(records.games), self.dice.random() < 0.5
        deal = propose_at(records, beside, behind)
        typed = self.typed(len(records.line_up(beside)), deal.dealer)
        place = {"beside": beside.key, "behind": behind, "typed": typed}
        self.attempt("insert", lambda: preview_insertion(records=records, **place), insert_game, key=uuid4(), **place)

    def move(self) -> None:
        """Mostly one at the edge of a line-up, to get across."""
        records = read_records(self.table)
        up = self.dice.random() < 0.5
        rounds = [game.round_id for game in (records.games if up else records.games[::-1])]
        edges = [index for index in range(1, len(rounds)) if rounds[index] != rounds[index - 1]]
        index = self.dice.choice(edges) if edges and self.dice.random() < 0.7 else self.dice.randrange(len(rounds))
        game = (records.games if up else records.games[::-1])[index]
        line, before = {"key": game.key, "up": up}, self.people_of(game.key)
        saved = self.attempt(
            "move", lambda: preview_move(records=records, **line), move_game, version=game.version, **line
        )
        assert self.people_of(game.key) == before, "whoever they sit with, the same people dealt and played"
        if saved is not None and saved.game.round_id != game.round_id:
            self.done["moved across"] += 1

    def people_of(self, key: Any) -> tuple[Any, ...]:
        """Who dealt, and who played on which side, won in the short form, or got points by hand."""
        line, scores = self.lines[key], self.worth[key][1]
        seats = dict(Seat.objects.filter(round=line.round).values_list("place", "player"))
        sides = {
            player: (party, solo, won if line.form == "short" else None)
            for player, (_points, party, played, won, solo) in scores.items()
            if played
        }
        by_hand = {} if sides else {player: said[0] for player, said in scores.items()}
        named = None if line.form != "redeal" else seats.get(line.facts.get("seat"))
        return seats.get(line.dealer), sides, by_hand, named

    def correct(self) -> None:
        records = read_records(self.table)
        game = self.dice.choice(records.games)
        typed = self.typed(len(records.line_up(game)), propose_at(records, game).dealer)
        line = {"key": game.key, "typed": typed}
        self.attempt(
            "correct", lambda: preview_correction(records=records, **line), correct_game, version=game.version, **line
        )

    def delete(self) -> None:
        records = read_records(self.table)
        game = self.dice.choice(records.games)
        self.attempt(
            "delete",
            lambda: preview_deletion(records=records, key=game.key),
            delete_game,
            key=game.key,
            version=game.version,
        )

    def undo(self) -> None:
        """All lines are exactly what they were, in their order; one that was entered is struck out."""
        if self.last is None or self.last.change is None:
            return
        stood, saved = self.stood, self.last
        self.attempt("undo", None, undo, change_id=saved.change.pk)
        now = dict(self.lines)
        if saved.change.before is None:
            assert now.pop(saved.game.key).deleted
        assert in_order(now) == in_order(stood)
        # A gap that was used up stays numbered anew.
        assert {key: replace(line, position=0) for key, line in now.items()} == {
            key: replace(line, position=0) for key, line in stood.items()
        }
        self.last = None

    def sit(self) -> None:
        """Somebody joins, leaves or takes the place of another, or they change seats."""
        now = list(read_records(self.table).current)
        away = [player for player in self.people if player not in now]
        what = self.dice.choice(["join", "join", "leave", "leave", "swap", "mix", "replace"])
        if what == "join" and len(now) < 6:
            now.insert(self.dice.randint(0, len(now)), self.dice.choice(away))
        elif what == "leave" and len(now) > 4:
            now.remove(self.dice.choice(now))
        elif what == "swap":
            one, other = self.dice.sample(range(len(now)), 2)
            now[one], now[other] = now[other], now[one]
        elif what == "mix":
            self.dice.shuffle(now)
        else:
            now[self.dice.randrange(len(now))] = self.dice.choice(away)
        change_line_up(table=self.table, actor=Actor(), players=now)
        assert worth_of(self.table) == self.worth
        self.done["sit"] += 1
        self.last = None

    def attempt(
        self, name: str, preview: Callable[[], list[Effect]] | None, act: Callable[..., Saved], **line: Any
    ) -> Saved | None:
        """Show it and do it. Refused, it is refused before as well, with the same words, and nothing changes; done, it
        does what was shown."""
        shown, why = self.shown(preview)
        try:
            saved = act(table=self.table, actor=Actor(), **line)
        except (ActionRefused, Refused) as refused:
            assert name == "move", f"{name}: {refused} {line}"
            assert isinstance(refused, (NowhereToMove, PeopleMissing, Refused)), refused
            assert (type(refused), str(refused)) == why
            assert (lines_of(self.table), worth_of(self.table)) == (self.lines, self.worth)
            self.done[f"{name} refused: {type(refused).__name__}"] += 1
            return None
        assert why is None, why
        self.last, self.stood, before = saved, self.lines, self.worth
        self.lines, self.worth = lines_of(self.table), worth_of(self.table)
        assert told(saved.effects) == happened(before, self.worth, in_order(self.lines))
        assert shown is None or shown == told(saved.effects)
        self.done[name] += 1
        return saved

    def shown(self, preview: Callable[[], list[Effect]] | None) -> tuple[list[Any] | None, Any]:
        if preview is None:
            return None, None
        try:
            return told(preview()), None
        except (ActionRefused, Refused) as refused:
            return None, (type(refused), str(refused))


def in_order(lines: dict[Any, Line]) -> list[Any]:
    """All lines in their places, struck-out ones as well."""
    return sorted(lines, key=lambda key: (lines[key].round, lines[key].position))


@pytest.mark.parametrize(
    "edits", [pytest.param(100, id="short"), pytest.param(10_000, id="long", marks=pytest.mark.soak)]
)
def test_whatever_is_edited_the_sheet_is_what_its_facts_say(edits: int) -> None:
    seed = int(os.environ.get("SEED", "2026"))
    print(f"SEED={seed}")
    dice, done = random.Random(seed), Counter[str]()
    each = max(edits // 200, 13)
    for number in range(-(-edits // each)):
        with transaction.atomic():
            evening = Evening.begin(dice, RULES[number % len(RULES)])
            for what in (*[evening.add] * 3, evening.sit, *[evening.add] * 2, *[evening.edit] * each):
                what()
            done.update(evening.done)
            transaction.set_rollback(True)
    print(dict(sorted(done.items())))
    assert done["moved across"] >= edits // 100
    assert done["undo"] >= edits // 50
