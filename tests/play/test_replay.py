"""Test the replay: derived rows follow from the facts after any actions, and only differing rows are written."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.club.actions import Actor
from scoring.models import Game, Outcome, Score, Table, TableResult
from scoring.play.models import POSITION_STEP
from scoring.play.queries import read_records
from scoring.play.verify import check_table
from scoring.table.actions.games import Saved, Typed, add_game, correct_game, delete_game, is_undoable, undo
from tests import factories
from tests.database import made_once
from tests.effort import examples
from tests.factories import make_club, make_rule_set, make_table
from tests.rules.random_games import random_game, random_rules, random_short

pytestmark = pytest.mark.django_db

FRAME = ("table", "dealer", "rules", "bock")
INSERT = re.compile(r'INSERT INTO "scoring_(\w+)" \(([^)]*)\)')


@contextmanager
def written() -> Iterator[Counter[str]]:
    """Count the derived rows that are written meanwhile, by kind, and the deleting statements."""
    counts: Counter[str] = Counter()

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("DELETE"):
            counts["deleted"] += 1
        elif (insert := INSERT.match(sql)) and insert[1] in ("outcome", "score", "tableresult", "tablecareer"):
            columns = insert[2].count(",") + 1
            counts[insert[1]] += len(params[0]) if "UNNEST" in sql else len(params) // columns
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield counts


def correct(table: Table, line: int, facts: dict[str, Any], **typed: Any) -> Saved:
    game = read_records(table).games[line]
    typed = Typed("played", facts, **typed)
    return correct_game(table=table, actor=Actor(), key=game.key, version=game.version, typed=typed)


@pytest.fixture
def table() -> Table:
    return made_once(_table)


def _table() -> Table:
    """Return a table of six games of four people, with a Bock of four games from the second on."""
    club = make_club()
    table = make_table(club, rule_set=make_rule_set(club, "anleitung"))
    for number in range(6):
        factories.add_game(table, **({"eyes": 100, "re_said": "said"} if number == 1 else {"eyes": 130}))
    return table


NORMAL = {"kind": "normal", "re": [0, 1]}


def test_one_more_game_writes_its_own_rows_and_the_sums(table: Table) -> None:
    with written() as counts:
        factories.add_game(table, eyes=130)
    assert counts == {"outcome": 1, "score": 4, "tableresult": 4, "tablecareer": 4}


def test_other_eyes_of_the_same_worth_change_nothing_derived(table: Table) -> None:
    with written() as counts:
        correct(table, 2, {**NORMAL, "eyes": 150}, note="wurde nachgezählt")
    assert counts == {}


def test_one_line_of_another_worth_leaves_the_others_alone(table: Table) -> None:
    with written() as counts:
        correct(table, 2, {**NORMAL, "eyes": 160})
    assert counts == {"outcome": 1, "score": 4, "tableresult": 4, "tablecareer": 4}


def test_other_partners_change_only_the_rows_of_some_people(table: Table) -> None:
    """Re is 0 and 2 instead of 0 and 1: the worth stays, and so do the points of 0 and 3."""
    with written() as counts:
        correct(table, 2, {**NORMAL, "re": [0, 2], "eyes": 130})
    assert counts == {"score": 2, "tableresult": 2, "tablecareer": 4}


def test_removing_a_bock_changes_only_its_games(table: Table) -> None:
    with written() as counts:
        saved = correct(table, 1, {**NORMAL, "eyes": 130})
    assert counts == {"outcome": 5, "score": 20, "tableresult": 4, "tablecareer": 4}
    assert len(saved.effects) == 5


def test_the_rows_of_a_deleted_line_are_deleted_in_one_statement_each(table: Table) -> None:
    game = read_records(table).games[5]
    with written() as counts:
        delete_game(table=table, actor=Actor(), key=game.key, version=game.version)
    assert counts == {"deleted": 2, "tableresult": 4, "tablecareer": 4}


def test_sums_of_people_without_a_line_are_deleted() -> None:
    table = make_table(make_club())
    game = factories.add_game(table).game
    delete_game(table=table, actor=Actor(), key=game.key, version=game.version)
    assert not TableResult.objects.exists()


def test_gaps_between_positions_change_nothing(table: Table) -> None:
    before = list(TableResult.objects.order_by("player").values())
    for step, game in enumerate(Game.objects.order_by("-position")):
        Game.objects.filter(key=game.key).update(position=POSITION_STEP * 1000 - step * step * 7)
    with written() as counts:
        correct(table, 0, {**NORMAL, "eyes": 130}, note="nichts anderes")
    assert counts == {}
    assert list(TableResult.objects.order_by("player").values()) == before
    assert factories.add_game(table).game.position == POSITION_STEP * 1001


# --- The sums of an evening, and once more with lines in it that are no games ---------------------------------------


@pytest.mark.parametrize(
    ("between", "points_between"),
    [
        (None, (0, 0, 0, 0)),
        (Typed("redeal", {"seat": 1, "reason": "Fünf Könige"}), (0, 0, 0, 0)),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"}), (-3, 1, 1, 1)),
        (Typed("correction", {"points": [0, 5, 0, 0], "reason": "vergessen"}), (0, 5, 0, 0)),
    ],
    ids=["alone", "redeals", "penalties", "corrections"],
)
def test_the_sums_of_an_evening(between: Typed | None, points_between: tuple[int, ...]) -> None:
    """An evening of five games and its points; other lines are no games and only add their points."""
    club = make_club()
    table = make_table(club, rule_set=make_rule_set(club, "anleitung", soloist_share=3, solo_times=1))
    for dealer, facts in enumerate(
        (
            {"re": [0, 1], "eyes": 130}, {"re": [0, 2], "eyes": 100, "re_said": "said"},
            {"kind": "damensolo", "re": [3], "eyes": 160}, {"kind": "stille_hochzeit", "re": [0], "eyes": 70},
            {"re": [1, 3], "eyes": 120, "kontra_said": "said"},
        )
    ):
        if between is not None:
            factories.add_game(table, form=between.form, **between.facts)
        factories.add_game(table, dealer=dealer % 4, **facts)
    rows = {result.player_id: result for result in TableResult.objects.filter(table=table)}
    results = [rows[player.pk] for player in read_records(table).current]
    assert [one.games for one in results] == [5, 5, 5, 5]
    # Re wins 120:120 after a Kontra: games 1, 2 (Kontra), 3 (the soloist), 4 (Kontra) and 5.
    assert [one.wins for one in results] == [1, 4, 1, 4]
    assert [(one.solos, one.solos_won, one.solo_points) for one in results] == [(1, 0, -18), (0, 0, 0), (0, 0, 0), (1, 1, 12)]
    by_game = Outcome.objects.filter(game__form="played").order_by("game__position").values_list("value", "bock")
    assert list(by_game) == [(1, 0), (-8, 0), (4, 1), (-6, 1), (8, 1)]
    played = [1 - 8 - 4 - 18 - 8, 1 + 8 - 4 + 6 + 8, -1 - 8 - 4 + 6 - 8, -1 + 8 + 12 + 6 + 8]
    times = 0 if between is None else 5
    assert [one.points for one in results] == [own + times * more for own, more in zip(played, points_between, strict=True)]
    assert not Score.objects.exclude(game__form="played").filter(played=True).exists()
    assert not Outcome.objects.exclude(game__form="played").exclude(value=0, bock=0, bock_started=0).exists()


# --- Any sequence of actions ----------------------------------------------------------------------------------------


def line(rng: random.Random, rules: Any, people: int) -> Typed:
    """Return a valid line under these rules, mostly a game."""
    chance = rng.random()
    if chance < 0.06:
        return Typed("redeal", {"seat": rng.randrange(people)}, dealer=rng.randrange(people))
    if chance < 0.12:
        return Typed("penalty", {"points": [rng.randint(-3, 3) for _ in range(people)], "reason": "nicht bedient"})
    short = chance > 0.85
    facts = (random_short if short else random_game)(rng, rules, people)
    typed = {field: value for field, value in facts.items() if field not in FRAME}
    return Typed("short" if short else "played", typed, dealer=facts.get("dealer"))


class Phone:
    """A scorer who uses all actions on a sheet."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.people = self.rng.choice([4, 4, 5, 6])
        self.rules = random_rules(self.rng)
        base, own = (self.rules, {}) if isinstance(self.rules, str) else (self.rules["base"], dict(self.rules))
        own.pop("base", None)
        club = make_club()
        self.table = make_table(club, self.people, rule_set=make_rule_set(club, base, **own))

    def act(self, action: str) -> None:
        """Apply one action to a line, if there is one."""
        records = read_records(self.table)
        who: dict[str, Any] = {"table": self.table, "actor": Actor()}
        if action == "add":
            key, after = UUID(int=self.rng.getrandbits(128)), records.last.key if records.last else None
            add_game(**who, key=key, after=after, typed=self.line())
        elif action == "undo":
            change = self.table.changes.order_by("-id").first()
            if change is not None and is_undoable(change):
                undo(**who, change_id=change.pk)
        elif records.games:
            game = self.rng.choice(records.games)
            if action == "correct":
                correct_game(**who, key=game.key, version=game.version, typed=self.line())
            else:
                delete_game(**who, key=game.key, version=game.version)

    def line(self) -> Typed:
        """Set the dealer, so that the right people sit out."""
        typed = line(self.rng, self.rules, self.people)
        if typed.dealer is not None or typed.form == "penalty":
            return typed
        return Typed(typed.form, typed.facts, self.rng.randrange(self.people))


@settings(
    max_examples=examples(12),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(0, 2**32),
    actions=st.lists(st.sampled_from(["add", "add", "add", "add", "correct", "delete", "undo"]), min_size=5, max_size=16),
)
def test_after_any_actions_the_rows_are_those_of_a_new_sheet(seed: int, actions: list[str]) -> None:
    with transaction.atomic():
        phone = Phone(seed)
        for action in ["add", "add", *actions]:
            phone.act(action)
            assert check_table(phone.table).findings == []
        assert afresh(phone.table) == worth(phone.table)
        transaction.set_rollback(True)


def worth(table: Table) -> tuple[Any, ...]:
    """Return the worth of each line and the sums of each person."""
    games = read_records(table).games
    rows = {game.key: number for number, game in enumerate(games)}
    scores = sorted(
        (rows[key], *rest)
        for key, *rest in Score.objects.filter(game__round__table=table).values_list(
            "game", "player", "points", "party", "played", "won", "solo"
        )
    )
    outcomes = [(game.outcome.winner, game.outcome.value, game.outcome.bock, game.outcome.bock_started) for game in games]
    results = list(
        TableResult.objects.filter(table=table)
        .order_by("player")
        .values_list("player", "games", "points", "wins", "solos", "solos_won", "solo_points")
    )
    return outcomes, scores, results


def afresh(table: Table) -> tuple[Any, ...]:
    """Enter the same lines on a new sheet."""
    records = read_records(table)
    other = make_table(table.evening.club, records.current, rule_set=table.rule_set)
    for game in records.games:
        factories.add_game(other, form=game.form, dealer=game.dealer, **game.facts)
    return worth(other)
