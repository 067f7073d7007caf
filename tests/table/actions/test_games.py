"""Test adding, correcting, deleting and undoing lines: what is stored, what is refused, retries, previews and query counts."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, Outcome, Table, Verb
from scoring.play.models import POSITION_STEP
from scoring.play.queries import get_last_change, read_records
from scoring.play.replay import Effect, EveningIsClosed
from scoring.play.verify import check_table
from scoring.rules.validation import Refused
from scoring.table.actions.games import (
    AnotherGameFirst,
    Saved,
    StaleVersion,
    Typed,
    add_game,
    add_games,
    preview_correction,
    preview_deletion,
    undo,
)
from scoring.table.actions.seats import change_line_up, undo_line_up
from tests import factories
from tests.database import made_once
from tests.effort import LONG
from tests.factories import make_club, make_rule_set, make_table, make_user
from tests.table.actions.lines import (
    LOST,
    NORMAL,
    add,
    append_line,
    build_typed,
    correct,
    delete,
    describe,
    drop_ids,
    dump_sheet,
    get_points,
    make_bock_rules,
    take_back,
)

pytestmark = pytest.mark.django_db


def test_adding_a_game_writes_all_derived_rows() -> None:
    club = make_club()
    writer = make_user("schorsch", club, ["scorer"])
    table, key = make_table(club), uuid4()
    saved = add_game(table=table, actor=Actor(writer), key=key, after=None, typed=build_typed(note=" zwei  Blanke "))
    game = Game.objects.get(key=key)
    assert (game.form, game.dealer, game.facts, game.note) == ("played", 0, NORMAL, "zwei Blanke")
    assert (game.entered_by, game.version, game.position, game.deleted) == (writer, 1, POSITION_STEP, False)
    outcome = game.outcome
    assert (outcome.winner, outcome.value, outcome.bock, outcome.bock_started) == ("re", 1, 0, 0)
    assert get_points(table) == [1, 1, -1, -1]
    assert [effect.game.key for effect in saved.effects] == [key]
    assert (saved.change.verb, saved.change.actor, saved.change.before) == (Verb.GAME_ADDED, writer, None)
    assert saved.change.after["facts"] == NORMAL


def lines_of_a_sheet() -> list[tuple[UUID, Typed]]:
    """Return lines of all forms, with a Bock, and with named and proposed dealers."""
    return [
        (uuid4(), typed)
        for typed in (
            build_typed(),
            build_typed(LOST, note=" zwei  Blanke "),
            Typed("redeal", {"seat": 1, "reason": "falsch gegeben"}),
            build_typed({"kind": "damensolo", "re": [2], "eyes": 130}),
            build_typed({**NORMAL, "re": [3, 1], "re_specials": {"fuchs": 0}}, dealer=2),
            Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"}),
            Typed("short", {"winners": [0, 3], "base": 4}),
        )
    ]


def entries(table: Table) -> list[Any]:
    """Return the log entries of the table, without what differs between two tables."""
    rows = table.changes.order_by("id").values_list("actor", "verb", "subject_id", "before", "after")
    return [(*row[:4], {**row[4], "round": None}) for row in rows if row[1] == Verb.GAME_ADDED]


def test_a_whole_sheet_gives_the_same_rows_as_its_single_lines() -> None:
    club = make_club()
    writer, rules, lines = make_user("schorsch", club, ["scorer"]), make_bock_rules(club), lines_of_a_sheet()
    table = make_table(club, rule_set=rules)
    with transaction.atomic():
        for key, typed in lines:
            last = read_records(table).last
            after = last.key if last else None
            add_game(table=table, actor=Actor(writer), key=key, after=after, typed=typed)
        one_by_one = drop_ids(dump_sheet(table)), entries(table)
        assert any(outcome["bock"] for outcome in one_by_one[0]["outcomes"])
        transaction.set_rollback(True)
    for some in (lines[:3], lines[3:]):
        records = add_games(table=table, actor=Actor(writer), lines=some)
    assert (drop_ids(dump_sheet(table)), entries(table)) == one_by_one
    assert [game.key for game in records.games] == [key for key, _typed in lines]
    assert check_table(table).findings == []


def test_a_sheet_with_one_invalid_line_is_refused_as_a_whole() -> None:
    table = make_table(make_club())
    standing = append_line(table, build_typed()).game
    before, good = dump_sheet(table), (uuid4(), build_typed())
    for lines, fault, sentence in (
        ([good, (uuid4(), build_typed({**NORMAL, "eyes": 241}))], Refused, None),
        ([good, (standing.key, build_typed())], InvalidInput, "Hier ist schon ein anderes Spiel gespeichert"),
        ([good, good], InvalidInput, "Hier ist schon ein anderes Spiel gespeichert"),
    ):
        with pytest.raises(fault, match=sentence):
            add_games(table=table, actor=Actor(), lines=lines)
        assert dump_sheet(table) == before
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        add_games(table=table, actor=Actor(), lines=[good])
    add_games(table=table, actor=Actor(admin=True), lines=[good])
    assert len(read_records(table).games) == 2


def test_the_proposed_dealer_is_taken_unless_another_is_named() -> None:
    table = make_table(make_club())
    dealers = [append_line(table, build_typed(dealer=dealer)).game.dealer for dealer in (None, None, 3, None)]
    assert dealers == [0, 1, 3, 0]


def test_a_correction_changes_this_line_and_every_one_that_follows_from_it() -> None:
    club = make_club()
    table = make_table(club, rule_set=make_bock_rules(club))
    first = append_line(table, build_typed()).game
    for _ in range(5):
        append_line(table, build_typed())
    saved = correct(table, first, build_typed(LOST))
    assert list(Outcome.objects.order_by("game__position").values_list("bock", flat=True)) == [0, 1, 1, 1, 1, 0]
    assert len(saved.effects) == 5
    assert (saved.game.version, saved.game.dealer) == (2, 0)
    assert (saved.change.verb, saved.change.before["facts"]) == (Verb.GAME_CORRECTED, NORMAL)


def test_a_correction_may_change_the_form_and_gets_the_dealer_of_its_place() -> None:
    table = make_table(make_club())
    append_line(table, build_typed())
    line = append_line(table, Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"})).game
    assert line.dealer is None
    for _ in range(2):
        append_line(table, build_typed())
    saved = correct(table, line, build_typed())
    assert (saved.game.form, saved.game.dealer) == ("played", 1)
    assert check_table(table).findings == []


def test_a_deleted_line_counts_no_more_keeps_its_place_and_stays_in_the_history() -> None:
    table = make_table(make_club())
    append_line(table, build_typed())
    before = dump_sheet(table)
    saved = delete(table, append_line(table, build_typed()).game)
    assert dump_sheet(table) == before
    assert Game.objects.get(key=saved.game.key).deleted
    assert (saved.change.verb, saved.change.after, saved.change.before["facts"]) == (Verb.GAME_DELETED, None, NORMAL)
    with pytest.raises(ActionRefused, match="inzwischen gestrichen"):
        correct(table, saved.game, build_typed())
    assert delete(table, saved.game).change is None
    assert Change.objects.filter(verb=Verb.GAME_DELETED).count() == 1
    assert append_line(table, build_typed()).game.position == 3 * POSITION_STEP


# --- Conflicts ----------------------------------------------------------------------------------------------------


def test_a_game_must_name_the_one_it_follows() -> None:
    table = make_table(make_club())
    first = append_line(table, build_typed()).game
    second = append_line(table, build_typed()).game
    for after, standing in ((None, first), (first.key, second), (uuid4(), first)):
        with pytest.raises(AnotherGameFirst) as refused:
            add(table, build_typed({**NORMAL, "eyes": 200}), after=after)
        assert refused.value.standing.key == standing.key
    assert len(read_records(table).games) == 2
    delete(table, second)
    with pytest.raises(AnotherGameFirst) as refused:
        add(table, build_typed(), after=second.key)
    assert refused.value.last.key == first.key
    assert add(table, build_typed(), after=first.key).change is not None


def test_a_stale_version_is_refused_with_the_one_that_stands() -> None:
    table = make_table(make_club())
    game = append_line(table, build_typed()).game
    correct(table, game, build_typed({**NORMAL, "eyes": 200}))
    before = dump_sheet(table)
    for action in (lambda line: delete(table, line), lambda line: correct(table, line, build_typed())):
        with pytest.raises(StaleVersion) as refused:
            action(Game(key=game.key, version=1))
        assert (refused.value.standing.version, refused.value.standing.facts["eyes"]) == (2, 200)
        with pytest.raises(ActionRefused, match="inzwischen gestrichen"):
            action(Game(key=uuid4(), version=1))
    assert dump_sheet(table) == before


def test_a_closed_evening_is_for_admins_only() -> None:
    table = make_table(make_club())
    saved = append_line(table, build_typed())
    game = saved.game
    close_evening(evening=table.evening, actor=Actor())
    before = dump_sheet(table)
    for refused in (
        lambda: append_line(table, build_typed()),
        lambda: correct(table, game, build_typed(LOST)),
        lambda: delete(table, game),
        lambda: take_back(table, saved),
    ):
        with pytest.raises(EveningIsClosed):
            refused()
    assert dump_sheet(table) == before
    correct(table, game, build_typed(LOST), as_admin=True)
    assert get_points(table) == [-4, -4, 4, 4]


@pytest.mark.django_db(transaction=True)
def test_no_game_slips_in_while_the_evening_is_closing() -> None:
    """The game waits for the lock of the closing transaction, and then finds the evening closed."""
    table = make_table(make_club())
    caught: list[Exception] = []

    def enter() -> None:
        try:
            add(table, build_typed())
        except EveningIsClosed as refused:
            caught.append(refused)
        finally:
            connection.close()

    phone = threading.Thread(target=enter)
    with transaction.atomic():
        close_evening(evening=table.evening, actor=Actor())
        phone.start()
        phone.join(timeout=0.5)
        assert phone.is_alive(), "the game did not wait"
    phone.join(timeout=60)
    assert len(caught) == 1
    assert not Game.objects.exists()


# --- Refusals of the rules ----------------------------------------------------------------------------------------


def test_a_refusal_of_the_rules_changes_nothing() -> None:
    table = make_table(make_club())
    game = append_line(table, build_typed()).game
    before = dump_sheet(table)
    for typed, fields in (
        (build_typed({"kind": "normal", "re": [0]}), {"re", "eyes"}),
        (build_typed({**NORMAL, "table": 4, "bock": 1}), {"table", "bock"}),
        (build_typed({**NORMAL, "dealer": 1}), {"dealer"}),
        (build_typed({**NORMAL, "rules": "vln"}), {"rules"}),
        (build_typed(dealer=4), {"dealer"}),
        (build_typed(dealer=-1), {"dealer"}),
        (build_typed(note="x" * 201), {"note"}),
        (build_typed(note="a\u202eb"), {"note"}),
        (build_typed({**NORMAL, "reason": "nur so"}), {"reason"}),
        (Typed("short", {"winners": [0, 1]}), {"base"}),
        (Typed("penalty", {"points": [1, 2, 3], "reason": "x"}), {"points"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1]}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": " "}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "x" * 201}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "a\x00b"}), {"reason"}),
        (Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "x"}, dealer=4), {"dealer"}),
        (Typed("redeal", {"seat": 4}), {"seat"}),
        (Typed("redeal", {}, dealer=7), {"dealer"}),
        (Typed("nonsense", {}), {"form"}),
    ):
        for attempt in (lambda typed: append_line(table, typed), lambda typed: correct(table, game, typed)):
            with pytest.raises(Refused) as refused:
                attempt(typed)
            assert set(refused.value.fields) == fields, typed
            assert all(str(sentence) for sentence in refused.value.fields.values())
    assert dump_sheet(table) == before
    assert Change.objects.filter(table=table).count() == 1


def test_a_retry_is_known_however_it_is_written() -> None:
    """Empty fields, another order of seats, the dealer named or proposed: one game has one stored form."""
    table = make_table(make_club())
    same = {"re": [1, 0], "kind": "normal", "eyes": 130, "kontra_said": "none", "duty": False, "re_specials": {"fuchs": 0}}
    first = append_line(table, build_typed(same, note="knapp"))
    assert first.game.facts == NORMAL
    before, changes = dump_sheet(table), Change.objects.count()
    for typed in (build_typed(same, dealer=0, note="knapp"), build_typed(note="knapp")):
        again = add(table, typed, first.game.key)
        assert (again.game.key, again.effects, again.change) == (first.game.key, [], None)
    assert (dump_sheet(table), Change.objects.count()) == (before, changes)


def test_a_retry_is_known_after_a_correction() -> None:
    """By its own content, and by that of the correction."""
    table = make_table(make_club(), players=5)
    facts, other = {**NORMAL, "re": [1, 2]}, {**NORMAL, "re": [0, 4]}
    first = append_line(table, build_typed(facts))
    corrected = correct(table, first.game, build_typed(other, dealer=1))
    for typed in (build_typed(facts), build_typed(facts, dealer=0), build_typed(other)):
        again = add(table, typed, first.game.key)
        assert (again.change, again.game.facts) == (None, corrected.game.facts)
    assert Change.objects.filter(table=table).count() == 2


def test_the_same_key_with_other_content_is_refused() -> None:
    table = make_table(make_club())
    first = append_line(table, build_typed())
    before = dump_sheet(table)
    for other in (
        build_typed({**NORMAL, "eyes": 131}),
        build_typed(dealer=2),
        build_typed(note="anders"),
        build_typed({**NORMAL, "re": [7]}),
        Typed("short", {"winners": [0, 1], "base": 1}),
        Typed("nonsense", {}),
    ):
        with pytest.raises(InvalidInput, match="anderes Spiel gespeichert"):
            add(table, other, first.game.key)
    assert dump_sheet(table) == before


# --- Undo ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def running() -> Table:
    return made_once(_running)


def _running() -> Table:
    """A table in the middle of a Bock chain, with one line struck out."""
    club = make_club()
    table = make_table(club, rule_set=make_bock_rules(club))
    for facts in (NORMAL, LOST, NORMAL):
        append_line(table, build_typed(facts))
    delete(table, append_line(table, build_typed()).game)
    append_line(table, build_typed({**NORMAL, "re": [1, 3], "eyes": 90}))
    return table


def test_undoing_an_entry_deletes_it(running: Table) -> None:
    before = dump_sheet(running)
    saved = append_line(running, build_typed(LOST))
    undone = take_back(running, saved)
    assert dump_sheet(running) == before
    assert (undone.change.verb, undone.change.undoes) == (Verb.GAME_DELETED, saved.change)


def test_undoing_a_correction_restores_the_line_and_what_followed_from_it(running: Table) -> None:
    before = dump_sheet(running)
    first = read_records(running).games[0]
    short = Typed("short", {"winners": [3], "base": 3, "solo": True}, dealer=2, note="nur aufgeschrieben")
    saved = correct(running, first, short)
    assert dump_sheet(running) != before
    undone = take_back(running, saved)
    assert dump_sheet(running) == before
    assert (undone.change.verb, undone.game.version) == (Verb.GAME_CORRECTED, first.version + 2)


def test_undoing_a_deletion_puts_the_line_back_in_its_place(running: Table) -> None:
    before = dump_sheet(running)
    saved = delete(running, read_records(running).games[1])
    assert list(Outcome.objects.values_list("bock", flat=True)) == [0, 0, 0]
    undone = take_back(running, saved)
    assert dump_sheet(running) == before
    assert (undone.change.verb, undone.change.before) == (Verb.GAME_RESTORED, None)


def test_only_the_last_change_can_be_undone_and_only_once(running: Table) -> None:
    first = append_line(running, build_typed())
    second = append_line(running, build_typed())
    elsewhere = append_line(make_table(make_club("Andere")), build_typed())

    def refused(*several: Saved) -> None:
        for nothing in several:
            with pytest.raises(ActionRefused, match="nicht mehr rückgängig"):
                take_back(running, nothing)

    refused(first, elsewhere)
    undone = take_back(running, second)
    refused(second, undone, first)
    with pytest.raises(ActionRefused, match="nicht mehr rückgängig"):
        undo(table=running, actor=Actor(), change_id=0)


def test_undoing_a_change_of_line_up_continues_the_old_round() -> None:
    """The round goes on as before; an undo cannot be undone, nor a change before a game."""
    club = make_club()
    table = make_table(club, 5)
    append_line(table, build_typed({**NORMAL, "re": [1, 2]}))
    before = read_records(table)
    change_line_up(table=table, actor=Actor(), players=before.current[1:])
    left = get_last_change(table)
    undo_line_up(table=table, actor=Actor(), change_id=left.pk)
    after, taken_back = read_records(table), get_last_change(table)
    assert (after.rounds, after.line_ups) == (before.rounds, before.line_ups)
    assert (taken_back.verb, taken_back.undoes) == (Verb.TABLE_SEATED, left)
    assert (taken_back.before, taken_back.after) == (left.after, left.before)
    for change in (left, taken_back):
        with pytest.raises(ActionRefused, match="nicht mehr rückgängig"):
            undo_line_up(table=table, actor=Actor(), change_id=change.pk)
    assert get_last_change(table) == taken_back
    change_line_up(table=table, actor=Actor(), players=before.current[1:])
    left = get_last_change(table)
    append_line(table, build_typed())
    for change in (left, get_last_change(table)):
        with pytest.raises(ActionRefused, match="nicht mehr rückgängig"):
            undo_line_up(table=table, actor=Actor(), change_id=change.pk)
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        undo_line_up(table=table, actor=Actor(), change_id=left.pk)
    assert len(read_records(table).current) == 4


# --- Previews -----------------------------------------------------------------------------------------------------


def told(effects: list[Effect]) -> list[tuple[Any, ...]]:
    return [(effect.game.key, *rest) for effect, rest in zip(effects, describe(effects), strict=True)]


@pytest.mark.parametrize(
    "typed",
    [
        build_typed(LOST),
        build_typed({**NORMAL, "eyes": 131}),
        build_typed({**NORMAL, "eyes": 200}),
        build_typed({**NORMAL, "re": [2, 3]}),
        Typed("redeal", {"reason": "Fünf Könige"}),
        Typed("short", {"winners": [0, 1], "base": 1}),
        Typed("penalty", {"points": [-3, 1, 1, 1], "reason": "nicht bedient"}),
    ],
)
@pytest.mark.parametrize("line", [0, 1, 3] if LONG else [1])
def test_the_preview_of_a_correction_is_right(running: Table, typed: Typed, line: int) -> None:
    records = read_records(running)
    game = records.games[line]
    before = dump_sheet(running)
    expected = preview_correction(records=records, key=game.key, typed=typed)
    assert dump_sheet(running) == before
    assert told(correct(running, game, typed).effects) == told(expected)


@pytest.mark.parametrize("line", [0, 1, 3])
def test_the_preview_of_a_deletion_is_right(running: Table, line: int) -> None:
    records = read_records(running)
    expected = preview_deletion(records=records, key=records.games[line].key)
    saved = delete(running, records.games[line])
    assert told(saved.effects) == told(expected)
    gone = next(effect for effect in expected if effect.game.key == saved.game.key)
    assert (gone.after, gone.points_after) == (None, {})


def test_a_preview_is_refused_like_the_correction_itself(running: Table) -> None:
    records = read_records(running)
    with pytest.raises(Refused):
        preview_correction(records=records, key=records.games[0].key, typed=build_typed({"kind": "normal"}))
    with pytest.raises(ActionRefused, match="inzwischen gestrichen"):
        preview_correction(records=records, key=records.deleted[0].key, typed=build_typed())
    with pytest.raises(ActionRefused, match="inzwischen gestrichen"):
        preview_deletion(records=records, key=records.deleted[0].key)


# SQLite needs a second statement for the scores of forty games, because the values of one statement are limited.
ALL_CHANGE = {"sqlite": 14, "postgresql": 13}


def evening(people: int, games: int) -> Table:
    """An evening that is all one Bock, started by its first game."""
    club = make_club()
    rules = make_rule_set(club, "anleitung", bock={"triggers": ["manual"], "per_game": "each"})
    table = make_table(club, players=people, rule_set=rules)
    for number in range(games):
        re = sorted([(number + 1) % people, (number + 3) % people])
        factories.add_game(table, re=re, eyes=130, **({} if number else {"starts_bock": 10}))
    return table


def test_saving_game_40_takes_11_queries_and_a_retry_5() -> None:
    table = evening(5, 39)
    last = read_records(table).last
    typed = build_typed({"kind": "normal", "re": [0, 1], "eyes": 100}, dealer=4)
    with CaptureQueriesContext(connection) as queries:
        saved = add(table, typed, after=last.key)
    assert len(queries) == 11
    with CaptureQueriesContext(connection) as queries:
        assert add(table, typed, saved.game.key).change is None
    assert len(queries) == 5


def test_correcting_game_1_of_40_takes_as_many_even_if_all_change() -> None:
    """And one more if another player dealt and so sat out: one score is deleted and another created."""
    table = evening(5, 40)
    first = read_records(table).games[0]
    for dealer, more in ((None, 0), (4, 1)):
        typed = build_typed({**{key: first.facts[key] for key in ("kind", "eyes")}, "re": [0, 1] if more else first.facts["re"]})
        with CaptureQueriesContext(connection) as queries:
            saved = correct(table, first, replace(typed, dealer=dealer))
        assert (len(saved.effects), len(queries)) == (40, ALL_CHANGE[connection.vendor] + more)
        take_back(table, saved)
        first = read_records(table).games[0]
