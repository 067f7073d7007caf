"""Settling directly: what is proposed and kept, what a line books, once, and what becomes of the others."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest
from django.utils import timezone

from scoring.cash.evening.actions import collect
from scoring.cash.ledger.actions import take_back
from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.cash.models import Kind
from scoring.cash.queries import list_broken_laws_of_club
from scoring.cash.settling.actions import make_settlement, tick_line
from scoring.cash.settling.queries import compute_transfers, get_amounts, hash_transfers, list_settlements
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening, reopen_evening
from scoring.models import Change, Club, Entry, Evening, Game, Player, Settlement, SettlementLine, Table
from scoring.players.actions import merge_players
from scoring.table.actions.games import Typed, correct_game
from tests import fake_clock
from tests.cash.books import legs_of
from tests.cash.kasse import typed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.effort import LONG
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()


@pytest.fixture(autouse=True)
def _is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the end, also where midnight comes before."""
    fake_clock.begin(monkeypatch, TODAY)


@pytest.fixture
def club(db: None) -> Club:
    club = make_club()
    for name in ("Anton", "Berta", "Clara", "Dora"):
        make_player(club, name)
    return club


def opened(club: Club, **cents: int) -> None:
    """Who owes what when the books begin, below 0 what they have to their credit."""
    for name, amount in cents.items():
        heading = "open" if amount > 0 else "credit"
        typed(club, Kind.OPENING, abs(amount), "2026-03-01", person=person(club, name), heading=heading)


def person(club: Club, name: str) -> Player:
    return club.players.get(name=name)


def settled(club: Club, *names: str, evening: Evening | None = None, **more: object) -> Settlement:
    """Among these people, or everybody, as it was seen."""
    amounts = get_amounts(club, evening)
    chosen = {player: cents for player, cents in amounts.items() if not names or player.name in names}
    told = {"key": uuid4(), "seen": hash_transfers(compute_transfers(chosen)), "players": list(chosen), **more}
    return make_settlement(club=club, actor=TREASURER, evening=evening, **told)


def tick(settlement: Settlement, place: int, box: str = "cash") -> Entry:
    return tick_line(settlement=settlement, actor=TREASURER, place=place, box=box)


def lines(settlement: Settlement) -> list[tuple[str, str, int]]:
    """Who pays whom."""
    rows = SettlementLine.objects.filter(settlement=settlement).order_by("place").select_related("payer", "receiver")
    return [(getattr(one.payer, "name", "-"), getattr(one.receiver, "name", "-"), one.cents) for one in rows]


def states(club: Club) -> list[list[str]]:
    """Of every settlement, the first one first, what became of each line."""
    return [[str(line.state) for line in lines] for lines in reversed(list_settlements(club).values())]


def played(club: Club) -> Table:
    """An evening that cost two people 1 € each, which two others get."""
    if not club.tariffs.exists():
        give_tariff(club, points={"scheme": "minus", "rate": 10, "winners": 1}, fee={"cents": 0}, absence={})
    table = make_table(club, list(club.players.order_by("name")), held_on=TODAY)
    add_game(table, form="penalty", points=[-10, -10, 10, 10], reason="So war es")
    close_evening(evening=table.evening, actor=Actor())
    return table


def corrected(table: Table) -> None:
    game = Game.objects.get(round__table=table)
    facts = {"points": [-20, -10, 20, 10], "reason": "So war es"}
    admin = Actor(admin=True, treasurer=True)
    correct_game(table=table, actor=admin, key=game.key, version=game.version, typed=Typed("penalty", facts))


# --- Balances ---------------------------------------------------------------------------------------------------------


def test_chosen_people_settle_and_the_rest_is_the_kasses(club: Club) -> None:
    opened(club, Anton=500, Berta=300, Clara=-700, Dora=-50)
    kept = settled(club, "Anton", "Berta", "Clara")
    assert lines(kept) == [("Anton", "Clara", 500), ("Berta", "Clara", 200), ("Berta", "-", 100)]
    assert (kept.evening, Entry.objects.exclude(kind=Kind.OPENING).count()) == (None, 0)
    told = Change.objects.get(verb="cash.settled")
    assert (told.subject_id, told.after) == (str(kept.pk), {"lines": 3})


def test_a_line_books_what_was_paid_and_once(club: Club) -> None:
    opened(club, Anton=500, Clara=-400, Dora=-200)
    kept = settled(club)
    assert lines(kept) == [("Anton", "Clara", 400), ("Anton", "Dora", 100), ("-", "Dora", 100)]
    first = tick(kept, 1)
    assert (first.kind, first.date, first.evening) == (Kind.SETTLE, TODAY, None)
    assert legs_of(first) == [("member:1", -400, "settle"), ("member:2", 400, "settle")]
    out = tick(kept, 3, "bank")
    assert legs_of(out) == [("bank", -100, "payout"), ("member:3", 100, "payout")]
    assert (tick(kept, 1), tick(kept, 3, "cash")) == (first, out)
    assert states(club) == [["paid", "open", "paid"]]
    tick(kept, 2)
    assert get_owed(club) == {}
    assert list(list_broken_laws_of_club(club)) == []


def test_a_line_of_another_club_is_never_ticked_off(club: Club) -> None:
    """Also where two clubs have the same keys, as of an archive that was taken in twice."""
    opened(club, Anton=500, Clara=-500)
    copy, key = make_club("Pik"), uuid4()
    for name in ("Anton", "Clara"):
        make_player(copy, name)
    opened(copy, Anton=700, Clara=-700)
    own, theirs = settled(club, key=key), settled(copy, key=key)
    before = get_balances(copy)
    entry = tick(own, 1)
    assert (entry.club, entry.key, get_balances(copy)) == (club, SettlementLine.objects.get(settlement=theirs).key, before)
    assert (states(club), states(copy)) == ([["paid"]], [["open"]])
    assert tick(theirs, 1).club == copy
    assert (
        get_owed(club),
        get_owed(copy),
        list(list_broken_laws_of_club(club)),
        list(list_broken_laws_of_club(copy)),
    ) == ({}, {}, [], [])


def test_everybody_who_settled_owes_nothing(db: None) -> None:
    rng = random.Random(7)
    for _time in range(40 if LONG else 4):
        club = make_club(slug=f"karo-{rng.getrandbits(40)}")
        for n in range(rng.randint(1, 9)):
            cents = rng.choice([-1000, -500, 500, 1000, rng.randint(-3000, 3000)])
            make_player(club, f"P{n}")
            opened(club, **({f"P{n}": cents} if cents else {}))
        others = [player.name for player in get_amounts(club, None)]
        chosen = sorted(rng.sample(others, rng.randint(1, len(others)))) if others else []
        if not chosen:
            continue
        before, kept = get_owed(club), settled(club, *chosen)
        for place in rng.sample(range(1, len(lines(kept)) + 1), len(lines(kept))):
            tick(kept, place)
        left_out = {pk: cents for pk, cents in before.items() if Player.objects.get(pk=pk).name not in chosen}
        assert get_owed(club) == left_out
        assert list(list_broken_laws_of_club(club)) == []


def test_a_new_settlement_takes_over_what_was_not_paid(club: Club) -> None:
    opened(club, Anton=500, Berta=300, Clara=-500, Dora=-300)
    first = settled(club)
    assert lines(first) == [("Anton", "Clara", 500), ("Berta", "Dora", 300)]
    tick(first, 1)
    second = settled(club, "Berta")
    assert lines(second) == [("Berta", "-", 300)]
    assert states(club) == [["paid", "lapsed"], ["open"]]
    with pytest.raises(ActionRefused, match="Diese Zeile gilt nicht mehr"):
        tick(first, 2)
    with pytest.raises(ActionRefused, match="Diese Zeile gilt nicht mehr"):
        tick(first, 9)


def test_a_line_that_was_taken_back_is_not_paid_again(club: Club) -> None:
    opened(club, Anton=500, Clara=-500)
    kept = settled(club)
    entry = tick(kept, 1)
    take_back(entry=entry, actor=TREASURER, key=uuid4(), reason="Kam nie an")
    assert (tick(kept, 1), states(club)) == (entry, [["reversed"]])
    tick(settled(club), 1)
    assert (get_owed(club), states(club)) == ({}, [["reversed"], ["paid"]])


def test_whoever_was_merged_pays_as_who_they_are_now(club: Club) -> None:
    opened(club, Anton=500, Berta=300, Clara=-500, Dora=-300)
    kept = settled(club)
    merge_players(player=person(club, "Clara"), into=person(club, "Berta"), actor=TREASURER)
    assert legs_of(tick(kept, 1)) == [("member:1", -500, "settle"), ("member:2", 500, "settle")]
    assert get_owed(club) == {person(club, "Berta").pk: 300, person(club, "Dora").pk: -300}
    tick(kept, 2)
    assert get_owed(club) == {}


def test_two_who_turn_out_to_be_one_pay_nothing(club: Club) -> None:
    opened(club, Anton=500, Clara=-500)
    kept = settled(club)
    merge_players(player=person(club, "Clara"), into=person(club, "Anton"), actor=TREASURER)
    assert states(club) == [["lapsed"]]
    with pytest.raises(ActionRefused, match="Diese Zeile gilt nicht mehr"):
        tick(kept, 1)


# --- An evening -------------------------------------------------------------------------------------------------------


def test_of_an_evening_what_is_left_is_settled_and_nothing_is_collected_again(club: Club) -> None:
    evening = played(club).evening
    opened(club, Anton=900)
    kept = settled(club, evening=evening)
    assert lines(kept) == [("Anton", "Clara", 100), ("Berta", "Dora", 100)]
    assert tick(kept, 1).evening == evening
    assert [player.name for player in get_amounts(club, evening)] == ["Berta", "Dora"]
    entries = collect(evening=evening, actor=TREASURER, players=list(club.players.all()), key=uuid4())
    assert sorted(entry.kind for entry in entries) == ["payment", "payout"]
    assert get_owed(club) == {person(club, "Anton").pk: 900}
    assert get_amounts(club, evening) == {}


def test_a_corrected_evening_leaves_its_settlement_as_it_is(club: Club) -> None:
    table = played(club)
    kept = settled(club, evening=table.evening)
    tick(kept, 1)
    corrected(table)
    assert (lines(kept)[1], states(club)) == (("Berta", "Dora", 100), [["paid", "open"]])
    tick(kept, 2)
    again = settled(club, evening=table.evening)
    assert lines(again) == [("Anton", "Clara", 100)]
    tick(again, 1)
    assert get_owed(club) == {}
    assert list(list_broken_laws_of_club(club)) == []


def test_what_two_evenings_left_is_not_the_same(club: Club) -> None:
    first, second = (played(club).evening for _time in range(2))
    for evening in (first, second):
        settled(club, evening=evening)
    assert states(club) == [["open"] * 2] * 2
    settled(club, "Anton", "Clara")
    assert states(club) == [["lapsed", "open"]] * 2 + [["open"]]


# --- Refusals ---------------------------------------------------------------------------------------------------------


def test_what_changed_meanwhile_is_looked_at_again(club: Club) -> None:
    opened(club, Anton=500, Clara=-400)
    seen = hash_transfers(compute_transfers(get_amounts(club, None)))
    opened(club, Anton=1)
    with pytest.raises(ActionRefused, match="Inzwischen ist etwas gebucht worden"):
        settled(club, seen=seen)
    with pytest.raises(InvalidInput, match="Hier ist nichts auszugleichen"):
        settled(club, players=[person(club, "Dora")])
    assert Settlement.objects.count() == 0


def test_the_same_key_is_the_same_settlement(club: Club) -> None:
    opened(club, Anton=500, Clara=-400)
    kept = settled(club)
    assert settled(club, key=kept.key, seen="anything") == kept
    assert SettlementLine.objects.count() == 2


def test_an_open_evening_is_not_settled(club: Club) -> None:
    evening = played(club).evening
    reopen_evening(evening=evening, actor=Actor(admin=True))
    with pytest.raises(ActionRefused, match="Der Abend läuft noch"):
        settled(club, evening=evening)


def test_nobody_of_another_club_settles_here(club: Club) -> None:
    """Neither an evening of another club nor somebody of it."""
    other = make_club("Pik Dame")
    give_tariff(other)
    table = make_table(other)
    add_game(table)
    close_evening(evening=table.evening, actor=TREASURER)
    evening = Evening.objects.get(pk=table.evening_id)
    with pytest.raises(InvalidInput, match="Hier ist nichts auszugleichen"):
        settled(club, evening=evening)
    opened(club, Anton=500, Berta=-500)
    with pytest.raises(InvalidInput, match="Hier ist nichts auszugleichen"):
        settled(club, players=[*club.players.all(), other.players.all()[0]])
    assert not Settlement.objects.exists()
