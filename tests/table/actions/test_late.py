"""What came too late: kept once, placed where it says, taken in or discarded, and both in the history."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening, discard_evening
from scoring.models import Change, Game, LateEntry, Player, Table, Verb
from scoring.play.queries import get_last_change, read_records, read_sheet
from scoring.play.replay import EveningIsClosed
from scoring.rules.validation import Refused
from scoring.table.actions.games import Typed, undo
from scoring.table.actions.late import (
    MOST,
    OF_A_LINK,
    discard_late_entries,
    discard_late_entry,
    enter_late_entry,
    keep_late_entry,
    list_waiting_entries,
    preview_late_entry,
)
from scoring.table.actions.seats import change_line_up
from tests.factories import Cast, add_game, make_rule_set, make_table
from tests.imports.uploads import verified

pytestmark = pytest.mark.django_db

RE = {"kind": "normal", "re": [0, 1]}


def late(table: Table, after: UUID | None, eyes: int = 150, key: UUID | None = None, **more: object) -> LateEntry:
    typed = Typed(form="played", facts={**RE, "eyes": eyes}, dealer=0)
    kept = keep_late_entry(table=table, actor=Actor(), key=key or uuid4(), after=after, typed=typed, **more)
    assert isinstance(kept, LateEntry)
    return kept


def enter(cast: Cast, entry: LateEntry) -> Game:
    return enter_late_entry(table=cast.table, actor=Actor(cast.admin, admin=True), key=entry.key).game


def eyes(table: Table) -> list[int]:
    return [row.game.facts["eyes"] for row in read_sheet(table).rows]


def test_a_late_entry_is_kept_once_and_changes_no_line(cast: Cast) -> None:
    person = Player.objects.get(club=cast.club, name="Bodo")
    before = get_last_change(cast.table)
    typed = Typed(form="played", facts={**RE, "re": [1, 0], "eyes": 150}, dealer=0, note=" doch noch ")
    key = uuid4()
    for _ in range(2):
        entry = keep_late_entry(table=cast.table, actor=Actor(spoken_as=person), key=key, after=cast.game.key, typed=typed)
    assert LateEntry.objects.count() == 1
    assert (entry.facts, entry.note, entry.spoken_as) == ({**RE, "eyes": 150}, "doch noch", person)
    assert eyes(cast.table) == [130]
    change = Change.objects.latest("id")
    assert (change.verb, change.spoken_as, change.subject_id) == (Verb.GAME_CAME_LATE, person, str(key))
    assert get_last_change(cast.table) == before, "the last change can still be undone"
    with pytest.raises(InvalidInput, match="anderes Spiel gespeichert"):
        keep_late_entry(table=cast.table, actor=Actor(), key=key, after=None, typed=Typed("played", {**RE, "eyes": 1}, 0))


def test_an_invalid_late_entry_is_refused_and_a_line_that_stands_is_answered(cast: Cast) -> None:
    with pytest.raises(Refused):
        late(cast.table, None, eyes=241)
    with pytest.raises(ActionRefused, match="nicht mehr so am Tisch"):
        late(cast.table, None, round_id=cast.other_game.round_id)
    typed = Typed(form="played", facts={**RE, "eyes": 130}, dealer=cast.game.dealer)
    assert keep_late_entry(table=cast.table, actor=Actor(), key=cast.game.key, after=None, typed=typed).game == cast.game
    assert not LateEntry.objects.exists()


def by(link: int) -> Actor:
    return Actor(spoken_as=Player.objects.first(), link=link)


def test_the_late_entries_of_a_link_are_limited_discarded_ones_included(cast: Cast) -> None:
    typed = Typed(form="played", facts={**RE, "eyes": 150}, dealer=0)
    told: dict[str, Any] = {"table": cast.table, "after": cast.game.key, "typed": typed}
    keys = [uuid4() for _ in range(OF_A_LINK)]
    for key in keys:
        keep_late_entry(**told, actor=by(1), key=key)
    with pytest.raises(ActionRefused, match="schon zu viel"):
        keep_late_entry(**told, actor=by(1), key=uuid4())
    for _ in range(MOST - OF_A_LINK):
        last = keep_late_entry(**told, actor=by(2), key=uuid4())
    with pytest.raises(ActionRefused, match="schon zu viel"):
        keep_late_entry(**told, actor=Actor(cast.scorer), key=uuid4())
    assert keep_late_entry(**told, actor=by(2), key=last.key) == last, "a retry"
    assert discard_late_entries(table=cast.table, actor=Actor(cast.scorer), keys=keys) == OF_A_LINK
    with pytest.raises(ActionRefused, match="schon zu viel"):
        keep_late_entry(**told, actor=by(1), key=uuid4())
    keep_late_entry(**told, actor=by(3), key=uuid4())
    keep_late_entry(**told, actor=Actor(cast.scorer), key=uuid4())


def test_only_the_named_late_entries_are_discarded(cast: Cast) -> None:
    shown = [late(cast.table, cast.game.key).key for _ in range(3)]
    since, elsewhere = late(cast.table, cast.game.key), late(cast.other_table, None)
    enter(cast, LateEntry.objects.get(key=shown[0]))
    keys = [*shown, elsewhere.key, uuid4()]
    assert discard_late_entries(table=cast.table, actor=Actor(cast.scorer), keys=keys) == 2
    assert {entry.key for entry in LateEntry.objects.filter(discarded=False)} == {since.key, elsewhere.key}
    told = Change.objects.filter(verb=Verb.GAME_NOT_TAKEN, actor=cast.scorer)
    assert {change.subject_id for change in told} == set(map(str, shown[1:]))
    assert discard_late_entries(table=cast.table, actor=Actor(cast.scorer), keys=keys) == 0
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin, admin=True))
    with pytest.raises(EveningIsClosed):
        discard_late_entries(table=cast.table, actor=Actor(cast.scorer), keys=[since.key])


def test_late_entries_are_entered_in_order_at_the_end(cast: Cast) -> None:
    first = late(cast.table, cast.game.key, 151)
    second = late(cast.table, first.key, 152)
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    found = list_waiting_entries(read_records(cast.table))
    assert [(one, one.is_last, one.refused) for one in found] == [(first, True, None), (second, True, None)]
    assert list(found[0].points.values()) == [2, 2, -2, -2]
    game = enter(cast, first)
    enter(cast, second)
    assert eyes(cast.table) == [130, 151, 152]
    assert not LateEntry.objects.exists()
    assert enter(cast, first) == game, "a second tap returns the same line"
    change = Change.objects.get(subject_id=str(first.key), verb=Verb.GAME_INSERTED)
    assert (change.actor, change.after["facts"]["eyes"]) == (cast.admin, 151)
    assert verified().startswith("Alles stimmt")


def test_a_late_entry_goes_between_other_lines(cast: Cast) -> None:
    table = make_table(cast.club, preset="anleitung")
    first = add_game(table, eyes=120, dealer=0).game
    add_game(table, eyes=130, dealer=1)
    entry = late(table, first.key, 140)
    beginning = late(table, None, 110)
    assert [one.is_last for one in list_waiting_entries(read_records(table))] == [False, False]
    assert [effect.game.key for effect in preview_late_entry(records=read_records(table), key=entry.key)] != []
    for one in (entry, beginning):
        enter_late_entry(table=table, actor=Actor(cast.scorer), key=one.key)
    assert eyes(table) == [110, 120, 140, 130]


def test_a_late_entry_counts_for_the_players_it_was_typed_for(cast: Cast) -> None:
    table, before = cast.table, read_records(cast.table)
    people = before.current
    change_line_up(table=table, actor=Actor(), players=[*people[1:], people[0]])
    add_game(table, eyes=160)
    entry = late(table, cast.game.key, 140, round_id=before.rounds[-1].pk)
    lost = late(table, uuid4(), 145, round_id=before.rounds[-1].pk)
    for one in (entry, lost):
        enter(cast, one)
    records = read_records(table)
    first_seats = [(game.facts["eyes"], records.line_up(game)[0]) for game in records.games]
    assert first_seats == [(130, people[0]), (140, people[0]), (145, people[0]), (160, people[1])]


def test_a_round_with_a_late_entry_is_not_deleted(cast: Cast) -> None:
    table = make_table(cast.club)
    people = read_records(table).current
    entry = late(table, None)
    change_line_up(table=table, actor=Actor(), players=[*people[1:], people[0]])
    enter_late_entry(table=table, actor=Actor(), key=entry.key)
    assert [read_records(table).line_up(game) for game in read_records(table).games] == [people]


def test_an_evening_with_a_late_entry_is_not_discarded(cast: Cast) -> None:
    table = make_table(cast.club)
    late(table, None)
    with pytest.raises(ActionRefused, match="wurde schon etwas eingetragen"):
        discard_evening(evening=table.evening, actor=Actor(cast.scorer))


def test_a_discarded_late_entry_stays_discarded(cast: Cast) -> None:
    entry = late(cast.table, cast.game.key)
    discard_late_entry(table=cast.table, actor=Actor(cast.scorer), key=entry.key)
    assert list_waiting_entries(read_records(cast.table)) == []
    change = Change.objects.latest("id")
    assert (change.verb, change.actor, change.before["facts"]["eyes"]) == (Verb.GAME_NOT_TAKEN, cast.scorer, 150)
    late(cast.table, cast.game.key, key=entry.key)
    assert list_waiting_entries(read_records(cast.table)) == [], "also after a retry"
    for decide in (discard_late_entry, enter_late_entry):
        with pytest.raises(ActionRefused, match="schon jemand entschieden"):
            decide(table=cast.table, actor=Actor(cast.scorer), key=entry.key)


def test_on_a_closed_evening_the_admin_decides(cast: Cast) -> None:
    entry = late(cast.table, cast.game.key)
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    for decide in (discard_late_entry, enter_late_entry):
        with pytest.raises(EveningIsClosed):
            decide(table=cast.table, actor=Actor(cast.scorer), key=entry.key)
    enter(cast, entry)
    assert eyes(cast.table) == [130, 150]
    undo(table=cast.table, actor=Actor(cast.admin, admin=True), change_id=get_last_change(cast.table).pk)
    assert eyes(cast.table) == [130]


def test_other_rules_can_refuse_a_late_entry(cast: Cast) -> None:
    typed = Typed(form="played", facts={"kind": "damensolo", "re": [0], "eyes": 150}, dealer=0)
    entry = keep_late_entry(table=cast.table, actor=Actor(), key=uuid4(), after=cast.game.key, typed=typed)
    kinds = [kind for kind in cast.table.rule_set.rules.kinds if kind != "damensolo"]
    Table.objects.filter(pk=cast.table.pk).update(rule_set=make_rule_set(cast.club, name="Ohne", kinds=kinds))
    table = Table.objects.get(pk=cast.table.pk)
    (waiting,) = list_waiting_entries(read_records(table))
    assert waiting.refused and "kind" in waiting.refused.fields
    with pytest.raises(Refused):
        enter_late_entry(table=table, actor=Actor(cast.admin, admin=True), key=entry.key)
    assert LateEntry.objects.filter(key=entry.key).exists()
