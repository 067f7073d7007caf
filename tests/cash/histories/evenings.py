"""The steps at the table: evenings opened, played, corrected, closed, opened again, valued otherwise, taken back, and old lists."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any
from uuid import uuid4

from hypothesis import strategies as st

from scoring.evenings.actions import (
    add_table,
    close_evening,
    correct_evening,
    discard_evening,
    open_evening,
    reopen_evening,
)
from scoring.imports.actions import undo_import
from scoring.models import Change, Evening, Game, Import, LateEntry, RuleSet, Table
from scoring.play.queries import read_records
from scoring.table.actions.games import (
    Typed,
    correct_game,
    delete_game,
    insert_game,
    is_undoable,
    may_move,
    move_game,
    undo,
)
from scoring.table.actions.late import discard_late_entry, enter_late_entry, keep_late_entry
from scoring.table.actions.seats import change_line_up, seat_guest
from scoring.whatif.actions import move_to_rules, preview_move
from tests.cash.tariffs import TREASURER
from tests.factories import add_game, make_import, take_import

from .world import NothingThere, World, step, which

days = st.integers(-8, 40)
eyes = st.integers(60, 240)
pairs = st.sampled_from(list(combinations(range(4), 2)))
seatings = st.permutations(range(6)).map(lambda seats: seats[:4])


def game(re: Sequence[int], eyes: int) -> dict[str, Any]:
    return {"kind": "normal", "re": list(re), "eyes": eyes}


class Evenings(World):
    def rule_set(self, number: int) -> RuleSet:
        return self.pick(RuleSet.objects.filter(club=self.club).order_by("pk"), number)

    def line(self, number: int, **where: Any) -> tuple[Table, Game]:
        lines = Game.objects.filter(round__table__evening__club=self.club, deleted=False, **where)
        # By its place: its key is another one each time.
        in_order = lines.select_related("round").order_by("round__table", "round__position", "position")
        found = self.pick(in_order, number)
        return self.table(0, pk=found.round.table_id), found

    @step(seats=seatings, day=days, by=which)
    def opens(self, seats: list[int], day: int, by: int) -> None:
        players = [self.person(seat) for seat in seats]
        open_evening(
            club=self.club, actor=TREASURER, held_on=self.day(day), rule_set=self.rule_set(by), players=players
        )  # fmt: skip

    @step("open evening", number=which, seats=seatings, by=which)
    def adds_a_table(self, number: int, seats: list[int], by: int) -> None:
        evening = self.evening(number, closed_at=None)
        players = [self.person(seat) for seat in seats]
        add_table(evening=evening, actor=TREASURER, rule_set=self.rule_set(by), players=players)

    @step("open evening", often=3, number=which, re=pairs, eyes=eyes)
    def plays(self, number: int, re: tuple[int, int], eyes: int) -> None:
        add_game(self.table(number, evening__closed_at=None), **game(re, eyes))

    @step("game", often=2, number=which, re=pairs, eyes=eyes)
    def corrects(self, number: int, re: tuple[int, int], eyes: int) -> None:
        table, line = self.line(number)
        typed = Typed(form="played", facts=game(re, eyes), dealer=line.dealer)
        correct_game(table=table, actor=TREASURER, key=line.key, version=line.version, typed=typed)

    @step("game", number=which)
    def strikes_a_game(self, number: int) -> None:
        table, line = self.line(number)
        delete_game(table=table, actor=TREASURER, key=line.key, version=line.version)

    @step("game", often=3, number=which)
    def takes_a_change_back(self, number: int) -> None:
        changes = Change.objects.filter(club=self.club, table__isnull=False, undone_by=None).order_by("-pk")[:30]
        change = self.pick([one for one in changes if is_undoable(one)], number)
        undo(table=self.table(0, pk=change.table_id), actor=TREASURER, change_id=change.pk)

    @step("game", number=which, re=pairs, eyes=eyes, behind=st.booleans())
    def inserts(self, number: int, re: tuple[int, int], eyes: int, behind: bool) -> None:
        table, line = self.line(number)
        typed = Typed(form="played", facts=game(re, eyes), dealer=line.dealer)
        insert_game(table=table, actor=TREASURER, key=uuid4(), beside=line.key, behind=behind, typed=typed)

    @step("game", often=3, number=which, up=st.booleans())
    def moves_a_game(self, number: int, up: bool) -> None:
        table, line = self.line(number)
        up = up if may_move(read_records(table), line.key, up) else not up
        move_game(table=table, actor=TREASURER, key=line.key, version=line.version, up=up)

    @step(number=which, seats=seatings)
    def seats_others(self, number: int, seats: list[int]) -> None:
        change_line_up(table=self.table(number), actor=TREASURER, players=[self.person(seat) for seat in seats])

    @step(number=which, name=st.sampled_from(["Toni", "Uwe", "Vroni", "Willi"]))
    def seats_a_guest(self, number: int, name: str) -> None:
        seat_guest(table=self.table(number), actor=TREASURER, name=name)

    @step("closed evening", often=4, number=which, re=pairs, eyes=eyes, comes=st.booleans())
    def comes_late(self, number: int, re: tuple[int, int], eyes: int, comes: bool) -> None:
        table = self.table(number, evening__closed_at__isnull=False, rounds__isnull=False)
        last = read_records(table).last
        typed = Typed(form="played", facts=game(re, eyes))
        late = keep_late_entry(table=table, actor=TREASURER, key=uuid4(), after=last and last.key, typed=typed)
        assert isinstance(late, LateEntry)
        if comes:
            enter_late_entry(table=table, actor=TREASURER, key=late.key)
        else:
            discard_late_entry(table=table, actor=TREASURER, key=late.key)

    @step(number=which, by=which)
    def values_otherwise(self, number: int, by: int) -> None:
        table = self.table(number, rounds__isnull=False)
        others = RuleSet.objects.filter(club=self.club, unit=table.rule_set.unit).exclude(pk=table.rule_set_id)
        rule_set = self.pick(others.order_by("pk"), by)
        seen = preview_move(records=read_records(table), rule_set=rule_set)["seen"]
        move_to_rules(table=table, actor=TREASURER, rule_set=rule_set, seen=seen)

    @step("open evening", number=which)
    def closes(self, number: int) -> None:
        close_evening(evening=self.evening(number, closed_at=None), actor=TREASURER)

    @step("closed evening", often=3, number=which, day=days)
    def moves_an_evening(self, number: int, day: int) -> None:
        evening = self.evening(number)
        correct_evening(evening=evening, actor=TREASURER, held_on=self.day(day), place=evening.place)

    @step("closed evening", often=3, number=which)
    def opens_again(self, number: int) -> None:
        reopen_evening(evening=self.evening(number, closed_at__isnull=False), actor=TREASURER)

    @step("unplayed evening", often=8, number=which)
    def takes_an_evening_back(self, number: int) -> None:
        begun = Evening.objects.filter(club=self.club, tables__without_games=False).select_related("club").distinct()
        unplayed = begun.exclude(tables__rounds__games__isnull=False)
        discard_evening(evening=self.pick(unplayed.order_by("pk"), number), actor=TREASURER)

    @step(number=which)
    def brings_a_list(self, number: int) -> None:
        names = [person.name for person in self.people()[:3]]
        if Import.objects.filter(club=self.club).count() > 1:
            raise NothingThere
        take_import(make_import(self.club, [["Datum", *names], [f"{number % 28 + 1:02}.01.26", "12", "-4", "-8"]]))

    @step("import", often=4, number=which)
    def takes_a_list_back(self, number: int) -> None:
        brought = Import.objects.filter(club=self.club, imported_at__isnull=False, undone_at=None)
        undo_import(file=self.pick(brought.order_by("pk"), number), actor=TREASURER)
