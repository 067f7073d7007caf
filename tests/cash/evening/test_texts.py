"""Each amount of an evening is explained by steps that somebody can count again."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scoring.cash.evening.actions import enter_fine
from scoring.cash.evening.queries import read_facts
from scoring.cash.evening.texts import build_bills
from scoring.cash.texts import CHANGES
from scoring.evenings.actions import close_evening
from scoring.models import Change, Evening, Table, Verb
from tests.cash.tariffs import TREASURER, give_tariff
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db


def steps(table: Table) -> dict[tuple[str, str], str]:
    """How each amount came about, by whom it is of and what it is for."""
    evening = Evening.objects.select_related("club", "tariff").get(pk=table.evening_id)
    assert evening.tariff is not None
    found = build_bills(read_facts(evening), evening.tariff)
    told = {(str(bill.player), step["label"]): f"{step['how']}: {step['amount_text']}" for bill in found for step in bill.steps}
    return {key: said.replace("\u00a0", " ") for key, said in told.items()}


def test_fines_say_what_one_of_them_costs() -> None:
    club = make_club()
    stepped = {"steps": [[1, 50], [None, 100]]}
    fines = {
        "late": {"cents": 50, "minutes": 5, "cap": 500}, "misdeal": {"cents": 50}, "other": {"name": "Sonstiges", "open": True},
        "loud": {"name": "Laut", **stepped}, "lost": {"name": "Verloren", **stepped, "counts": "lost_games"},
    }  # fmt: skip
    give_tariff(club, fines=fines)
    table = make_table(club)
    add_game(table)
    ivo = table.evening.attendance.order_by("place").first().player
    for code, amount in (("late", 7), ("late", 3), ("misdeal", 2), ("other", 150), ("loud", 3)):
        told: dict[str, Any] = {"player": ivo, "code": code, "amount": amount}
        enter_fine(evening=table.evening, actor=TREASURER, key=uuid4(), **told)
    found = steps(table)
    late = "0,50 € je angefangene 5 Minuten, höchstens 5,00 €"
    assert found[str(ivo), "Zu spät"] == f"7 Minuten + 3 Minuten; {late}: zahlt 1,50 €"
    assert found[str(ivo), "Vergeben"] == "2 × 0,50 €: zahlt 1,00 €"
    assert found[str(ivo), "Sonstiges"] == "1,50 €: zahlt 1,50 €"
    loud = "die ersten 1 je 0,50 €; alle weiteren je 1,00 €"
    assert found[str(ivo), "Laut"] == f"3 ×; {loud}: zahlt 2,50 €"
    lost = [said for (_who, what), said in found.items() if what == "Verloren"]
    assert lost == [f"verlorene Spiele: 1; je verlorenem Spiel: {loud}: zahlt 0,50 €"] * 2
    fined = Change.objects.filter(verb=Verb.CASH_FINED).order_by("pk")
    written = [CHANGES[change.verb].values(change, change.after or {}, {"players": {}}) for change in fined]
    assert [list(one.values())[1] for one in written] == ["7 Minuten", "3 Minuten", "2", "1,50\u00a0€", "3"]


def test_the_pot_says_what_was_put_in_and_what_came_out() -> None:
    """Two got 5 each out of 400; 390 are left and shared."""
    club = make_club()
    give_tariff(club, pot={"buy_in": 100}, fee={"cents": 0})
    table = make_table(club, preset="klassisch")
    add_game(table)
    found = steps(table)
    put = {who: said for (who, what), said in found.items() if what == "Topf"}
    assert len(put) == 4 and all(said.startswith("eingelegt 1,00 €; ") for said in put.values())
    won = [said for said in put.values() if "durch Spiele bekommen" in said]
    assert len(won) == 2 and all("vom Rest bekommen" in said and ": bekommt " in said for said in won)


def test_winners_and_who_was_absent_are_told_from_what() -> None:
    club = make_club()
    make_player(club, "Gisela")
    absence = {"excused": {"average": ["points"], "plus": 300}}
    give_tariff(club, points={"scheme": "minus", "rate": 10, "winners": 1}, absence=absence, fee={"cents": 0})
    table = make_table(club)
    add_game(table)
    close_evening(evening=table.evening, actor=TREASURER)
    found = steps(table)
    shares = [said for said in found.values() if "Anteil" in said]
    assert shares == ["1 Punkte: Anteil an dem, was die anderen zahlen: bekommt 0,10 €"] * 2
    average = "Durchschnitt der Anwesenden (Punkte): 0,05 €; dazu 3,00 €"
    assert found["Gisela", "Gefehlt"] == f"{average}: zahlt 3,05 €"
