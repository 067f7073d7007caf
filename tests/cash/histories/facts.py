"""The steps of what an evening costs: tariffs, by which one it is charged, who was there, drinks and fines; and people, who come,
leave, are two or one, and lose their names."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

from hypothesis import strategies as st

from scoring.administration.actions import erase_player
from scoring.cash.evening.actions import (
    change_attendance,
    change_drinks,
    discard_fine,
    enter_fine,
    keep_fine,
    pin_tariff,
    serialize_attendance,
    strike_fine,
    take_in_fine,
)
from scoring.cash.tariff.actions import change_tariff
from scoring.cash.tariff.queries import get_current_tariff
from scoring.club.actions import add_player, change_player
from scoring.league.exports import build_month_file
from scoring.models import Attendance, Evening, Fine, Player, Tariff
from scoring.players.actions import merge_players, unmerge_player
from tests.cash.tariffs import TREASURER

from .world import World, step, which

FINES: dict[str, Any] = {
    "late": {"cents": 50, "minutes": 5, "cap": 500},
    "misdeal": {"steps": [[1, 50], [None, 100]]},
    "lost": {"steps": [[2, 10], [None, 25]], "counts": "lost_games"},
    "other": {"open": True},
}
PARTS: dict[str, list[Any]] = {
    "points": [
        {"scheme": "minus", "rate": 10, "winners": "1/2"},
        {"scheme": "each", "rate": "1/3", "scope": "game"},
        {"scheme": "rank", "amounts": [0, 100, 250], "guests": False},
        {"scheme": "better", "rate": 7, "round": {"to": 50, "how": "up"}, "cap": 300},
        {"scheme": "best", "rate": "5/7", "scope": "table"},
    ],
    "pot": [{"buy_in": 100}, {"buy_in": 20, "top_up": 10, "rest": "kasse"}],
    "fee": [{"cents": 100}, {"cents": 333, "absent": True}],
    "guests": [{"cents": 150, "payer": payer} for payer in ("guest", "bringer", "host", "club")],
    "host": [{"cents": 25}, {"cents": 500, "from": "club"}],
    "drinks": [{"flat": 100, "list": {"bier": 250}, "shared": True}, {"list": {"bier": 250, "wein": 410}}],
    "fines": [FINES, {"misdeal": {"cents": 50}}],
    "dues": [{"cents": 500}, {"cents": 250, "reduced": 100}],
    "absence": [{"excused": {"average": ["points", "fines"]}, "unexcused": {"plus": 300}}],
}
tariffs = st.fixed_dictionaries({}, optional={part: st.sampled_from(known) for part, known in PARTS.items()})


class Facts(World):
    def charged(self, number: int) -> Evening:
        return self.evening(number, tariff__isnull=False)

    def rows(self, evening: Evening) -> list[Attendance]:
        return list(Attendance.objects.filter(evening=evening).select_related("player").order_by("place"))

    @step(content=tariffs)
    def changes_the_tariff(self, content: dict[str, Any]) -> None:
        newest = get_current_tariff(self.club)
        change_tariff(club=self.club, actor=TREASURER, content=content, seen=newest.version if newest else 0)

    @step(often=2, number=which, by=which)
    def pins(self, number: int, by: int) -> None:
        evening = self.evening(number)
        tariffs = [None, *Tariff.objects.filter(club=self.club).order_by("pk")]
        pin_tariff(evening=evening, actor=TREASURER, tariff=self.pick(tariffs, by), seen=evening.tariff_id)

    @step("charged evening", often=4,
        number=which, who=which, by=which, host=which,
        said=st.sampled_from(["there", "guest", "brought", "excused", "unexcused", "free"]),
    )  # fmt: skip
    def was_there(self, number: int, who: int, by: int, host: int, said: str) -> None:
        evening = self.charged(number)
        rows, guest = self.rows(evening), said in ("guest", "brought")
        player = self.pick([*(row.player for row in rows), self.person(who)], who)
        bringer = self.pick(rows, by).player if said == "brought" else None
        attended = Attendance(guest=guest, absence="" if guest or said == "there" else said, brought_by=bringer)
        change_attendance(
            evening=evening, actor=TREASURER, people={player: attended},
            host=self.pick([None, *(row.player for row in rows)], host), seen=serialize_attendance(evening, rows),
        )  # fmt: skip

    @step("charged evening", often=2, number=which, who=which, paid=which, bill=st.one_of(st.none(), st.integers(1, 5000)))
    def drinks(self, number: int, who: int, paid: int, bill: int | None) -> None:
        evening = self.charged(number)
        people = [row.player for row in self.rows(evening)]
        drunk = {self.pick(people, who): {"bier": who % 4, "wein": paid % 2}}
        payer = self.pick([None, *people], paid)
        change_drinks(evening=evening, actor=TREASURER, drunk=drunk, bill=bill, paid_by=payer)

    @step("charged evening", often=3, number=which, who=which, code=which, amount=st.integers(1, 30))
    def fines(self, number: int, who: int, code: int, amount: int) -> None:
        evening = self.evening(number, tariff__isnull=False, tariff__content__has_key="fines")
        assert evening.tariff is not None
        player, name = self.pick(self.rows(evening), who).player, self.pick(sorted(evening.tariff.rules.fines), code)
        told = {"evening": evening, "actor": TREASURER, "key": uuid4(), "player": player, "code": name}
        assert enter_fine(**told, amount=amount) == enter_fine(**told, amount=amount)

    @step("charged evening", number=which, who=which, amount=st.integers(1, 30), later=st.booleans())
    def fines_too_late(self, number: int, who: int, amount: int, later: bool) -> None:
        evening = self.evening(number, tariff__isnull=False, tariff__content__has_key="fines")
        player = self.pick(self.rows(evening), who).player
        told = {"evening": evening, "actor": TREASURER, "key": uuid4(), "player": player, "code": "misdeal"}
        fine = keep_fine(**told, amount=amount)
        (discard_fine if later else take_in_fine)(fine=fine, actor=TREASURER)

    @step("fine", often=6, number=which)
    def strikes_a_fine(self, number: int) -> None:
        fines = Fine.objects.filter(evening__club=self.club, struck=False).select_related("evening__club")
        strike_fine(fine=self.pick(fines.order_by("entered_at", "pk"), number), actor=TREASURER)

    @step(name=st.sampled_from("ABCDEFGHIJKL"), guest=st.booleans())
    def joins(self, name: str, guest: bool) -> None:
        add_player(club=self.club, actor=TREASURER, name=f"Neu {name}", guest=guest)

    @step(who=which, guest=st.booleans(), left=st.booleans())
    def changes(self, who: int, guest: bool, left: bool) -> None:
        person = self.person(who)
        until = datetime.date(2026, 2, who % 28 + 1) if left else None
        change_player(player=person, actor=TREASURER, name=person.name, guest=guest, left_on=until)

    @step(who=which, into=which)
    def becomes_one(self, who: int, into: int) -> None:
        people = self.people()
        player = self.pick(people[4:], who)
        merge_players(player=player, into=self.pick([one for one in people if one != player], into), actor=TREASURER)

    @step("merged", often=8, who=which)
    def becomes_two(self, who: int) -> None:
        merged = Player.objects.filter(club=self.club, merged_into__isnull=False)
        unmerge_player(player=self.pick(merged.order_by("pk"), who), actor=TREASURER)

    @step(often=3, who=which)
    def is_forgotten(self, who: int) -> None:
        erase_player(player=self.pick(self.people()[6:], who), actor=TREASURER, texts=True, as_file=build_month_file)
