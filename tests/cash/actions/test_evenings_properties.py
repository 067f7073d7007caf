"""Random evenings: whatever is done to one, the books say what it costs by the rules, and balance."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from scoring.cash.actions.facts import Attended, change_attendance, enter_fine, pin_tariff, state_of
from scoring.cash.queries.books import balances
from scoring.cash.queries.standing import standing_entry
from scoring.cash.queries.verify import faults_of
from scoring.cash.rules.stream import answer
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import close_evening, reopen_evening
from scoring.models import Attendance, Evening, Fine, Game, Leg, Score, Table
from scoring.table.actions.games import Typed, correct_game, delete_game
from tests.cash.tariffs import TREASURER, give_tariff
from tests.factories import add_game, make_club, make_player, make_table

POINTS = [
    {"scheme": "minus", "rate": 10, "winners": "1/2"},
    {"scheme": "each", "rate": "1/3", "scope": "game"},
    {"scheme": "rank", "amounts": [0, 100, 250]},
    {"scheme": "better", "rate": 7, "round": {"to": 50, "how": "up"}, "cap": 300},
]
STEPS = ("game", "correct", "delete", "close", "reopen", "fine", "people", "tariff")


class Evenings(TestCase):
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        points=st.sampled_from(POINTS),
        payer=st.sampled_from(["guest", "bringer", "host", "club"]),
        steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 7)), min_size=3, max_size=14),
    )
    def test_the_standing_entry_is_what_the_evening_costs(
        self, points: dict[str, Any], payer: str, steps: list[tuple[str, int]]
    ) -> None:
        club = make_club(slug=uuid4().hex[:12])
        make_player(club, "Greta")
        tariffs = [
            give_tariff(club, points=points, guests={"cents": 150, "payer": payer}, host={"cents": 25}),
        ]
        table = make_table(club)
        tariffs.append(give_tariff(club, points=POINTS[0], fee={"cents": 333, "absent": True}))
        for step, n in [*steps, ("close", 0)]:
            try:
                do(step, n, table, tariffs)
            except ActionRefused:
                continue
            evening = Evening.objects.get(pk=table.evening_id)
            if not evening.is_open:
                assert list(faults_of(club)) == []
                assert booked(evening) == asked_of_the_rules(evening)
        assert sum(balances(club).values()) == 0


def do(step: str, n: int, table: Table, tariffs: list[Any]) -> None:
    evening = Evening.objects.select_related("club").get(pk=table.evening_id)
    lines = list(Game.objects.filter(round__table=table, deleted=False))
    rows = list(Attendance.objects.filter(evening=evening).select_related("player").order_by("place"))
    match step:
        case "game":
            add_game(table, eyes=121 + 10 * n)
        case "correct" if lines:
            game = lines[n % len(lines)]
            typed = Typed(form="played", facts={"kind": "normal", "re": [0, 2], "eyes": 100 + n}, dealer=game.dealer)
            correct_game(table=table, actor=TREASURER, key=game.key, version=game.version, typed=typed)
        case "delete" if lines:
            game = lines[n % len(lines)]
            delete_game(table=table, actor=TREASURER, key=game.key, version=game.version)
        case "close":
            close_evening(evening=evening, actor=TREASURER)
        case "reopen":
            reopen_evening(evening=evening, actor=TREASURER)
        case "fine":
            who = rows[n % len(rows)].player
            enter_fine(evening=evening, actor=TREASURER, key=uuid4(), player=who, code="late", amount=n)
        case "people":
            row = rows[n % len(rows)]
            guest = n % 2 == 0
            said = Attended(guest, "", rows[0].player if guest and row != rows[0] else None)
            change_attendance(
                evening=evening, actor=TREASURER, people={row.player: said}, host=rows[1].player,
                seen=state_of(evening, rows),
            )  # fmt: skip
        case "tariff":
            pin_tariff(evening=evening, actor=TREASURER, tariff=tariffs[n % 2], seen=evening.tariff_id)


def booked(evening: Evening) -> list[tuple[str, str, int]]:
    legs = Leg.objects.filter(entry=standing_entry(evening)).select_related("account")
    return sorted(
        (leg.kind, f"member:{leg.account.player_id}" if leg.account.player_id else leg.account.code, leg.cents)
        for leg in legs
    )


def asked_of_the_rules(evening: Evening) -> list[tuple[str, str, int]]:
    """The evening written down as `manage.py charges` reads it, by hand, and what that answers."""
    people = [
        {"id": str(row.player_id), "guest": row.guest}
        | ({"absence": row.absence} if row.absence else {})
        | ({"brought_by": str(row.brought_by_id)} if row.brought_by_id else {})
        for row in Attendance.objects.filter(evening=evening).order_by("place")
    ]
    members = {person["id"] for person in people if not person["guest"] and "absence" not in person}
    lines: dict[Any, dict[str, int]] = {}
    for score in Score.objects.filter(game__round__table__evening=evening).order_by("game__position"):
        lines.setdefault(score.game_id, {})[str(score.player_id)] = score.points
    told = [{"seats": [*line], "points": [*line.values()]} for line in lines.values()]
    fines = [
        {"who": str(fine.player_id), "code": fine.code, fine.unit: fine.amount}
        for fine in Fine.objects.filter(evening=evening, struck=False)
    ]
    written = {
        "people": people,
        "tables": [{"unit": "points", "lines": told}],
        "fines": fines,
        "turn": evening.turn,
        **({"host": str(evening.host_id)} if str(evening.host_id) in members else {}),
    }
    assert evening.tariff is not None
    legs = answer({"tariff": evening.tariff.content, "evening": written})["legs"]
    return sorted((leg["kind"], leg["account"], leg["cents"]) for leg in legs)
