"""What a phone without a net says of the next game is what the server says once everything has arrived: also where people came,
went and changed places, and where whoever owes a Pflichtsolo is made to play it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from scoring.club.actions import Actor
from scoring.club.models import Club, Player
from scoring.models import Table
from scoring.play.queries import read_records, read_sheet
from scoring.rules.constants import FOR_SCRIPTS
from scoring.table.actions.seats import change_line_up
from scoring.table.views.data import next_data
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(shutil.which("node") is None, reason="no node here"),
]

EVENINGS = 6
AHEAD = settings.BASE_DIR / "assets" / "table" / "ahead.js"
FORESEE = f"""
import {{ lookAhead }} from "{AHEAD.as_uri()}";
import {{ readFileSync }} from "node:fs";
const evenings = JSON.parse(readFileSync(0, "utf8"));
const foreseen = evenings.map(({{ next, entries, rules }}) =>
    entries.map((_, index) => lookAhead([], next, entries.slice(0, index + 1), {{ rules, chain: [], texts: {{}} }}).upcoming));
console.log(JSON.stringify(foreseen));
"""
TOLD = ("number", "cycle", "dealer", "leader", "out", "owing", "soloist")


def test_a_phone_foresees_the_next_game() -> None:
    club, dice = make_club(), random.Random(11)
    people = [make_player(club, name) for name in PEOPLE[:8]]
    evenings, expected = [], []
    for number in range(EVENINGS):
        evening, told = play(club, people, dice, rounds=number % 3)
        evenings.append(evening)
        expected.append(told)
    done = subprocess.run(
        ["node", "--input-type=module", "-e", FORESEE], input=json.dumps(evenings), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    foreseen = [[{name: one[name] for name in TOLD} for one in evening] for evening in json.loads(done.stdout)]
    for seen, told in zip(foreseen, expected, strict=True):
        assert seen == told
    every = [one for evening in expected for one in evening]
    assert any(one["soloist"] is not None for one in every), "somebody is made to play a Pflichtsolo"
    assert {len(one["out"]) for one in every} >= {0, 1, 2}


def play(club: Club, people: list[Player], dice: random.Random, rounds: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """An evening as a phone would keep it without a net, and what the server says behind each of its entries."""
    rule_set = make_rule_set(club, name=f"{rounds} Runden", duty_solo={"rounds": max(rounds, 1)})
    table = make_table(club, people[: dice.choice([4, 5])], rule_set=rule_set)
    start, entries, told = next_data(read_sheet(table)), [], []
    here, after = start["round"], ""
    for _ in range(14):
        if dice.random() < 0.3:
            before = sitting(table)
            wanted = dice.sample(people, dice.choice([4, 4, 5, 6])) if dice.random() < 0.3 else moved(before, people, dice)
            if wanted == before:
                continue
            change_line_up(table=table, actor=Actor(), players=wanted)
            ids = [[player.pk for player in line_up] for line_up in (before, wanted)]
            entry = {"key": str(uuid4()), "round": here, "form": "seats", "before": ids[0], "seats": ids[1]}
            here = entry["key"]
        else:
            entry = {"round": here, "after": after, **game(table, dice)}
            after = entry["key"]
        entries.append({"dealer": None, "note": "", "facts": {}, **entry, "round": str(entry["round"])})
        now = next_data(read_sheet(table))
        told.append({name: now[name] for name in TOLD})
    rules = {**rule_set.settings, "codes": FOR_SCRIPTS}
    return {"next": start, "entries": entries, "rules": rules}, told


def sitting(table: Table) -> list[Player]:
    return read_records(table).current


def moved(before: list[Player], people: list[Player], dice: random.Random) -> list[Player]:
    """One comes, one goes, or two change places."""
    absent = [player for player in people if player not in before]
    match dice.randrange(3):
        case 0 if len(before) < 6:
            return [*before, dice.choice(absent)]
        case 1 if len(before) > 4:
            goes = dice.choice(before)
            return [player for player in before if player != goes]
    first, second = dice.sample(range(len(before)), 2)
    swapped = list(before)
    swapped[first], swapped[second] = before[second], before[first]
    return swapped


def game(table: Table, dice: random.Random) -> dict[str, Any]:
    """A line as the program proposes it, now and then a solo, a Pflichtsolo, a new deal or a penalty."""
    following = read_sheet(table).next
    seats = [player.pk for player in sitting(table)]
    playing = [seat for seat, _player in following.playing]
    proposal = following.proposal
    solo = {"kind": "damensolo", "eyes": 130}
    facts: dict[str, Any] = {"re": dice.sample(playing, 2)}
    if proposal.soloist is not None:
        facts = {**solo, "re": [proposal.soloist], "duty": True}
    elif dice.random() < 0.3:
        owing = [seat for seat in playing if seat in proposal.owing]
        facts = {**solo, "re": [dice.choice(owing)], "duty": True} if owing else {**solo, "re": playing[:1]}
    saved = add_game(table, dealer=proposal.dealer, **facts).game
    return {
        "key": str(saved.key), "form": saved.form, "dealer": saved.dealer, "facts": saved.facts, "seats": seats,
    }  # fmt: skip
