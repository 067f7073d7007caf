"""Test that a phone without a network predicts the sheet and the next game as the server computes them once everything has
arrived."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.urls import reverse

from scoring.club.access import Access
from scoring.club.actions import Actor
from scoring.club.models import Club, Player
from scoring.models import Game, Table
from scoring.play.queries import read_records, read_sheet
from scoring.rules.settings_schema import FOR_SCRIPTS
from scoring.rules.validation import Refused
from scoring.table.actions.games import Typed, correct_game, delete_game, insert_game
from scoring.table.actions.seats import change_line_up
from scoring.table.views.data import build_next, build_row
from tests.bundle import bundle
from tests.effort import LONG
from tests.factories import PEOPLE, add_game, make_club, make_player, make_rule_set, make_table, make_user

pytestmark = [pytest.mark.django_db]

EVENINGS = 60 if LONG else 8
AHEAD = settings.BASE_DIR / "assets" / "table" / "state.ts"
PREDICT_NEXT = """
import { lookAhead } from "AHEAD";
import { readFileSync } from "node:fs";
const evenings = JSON.parse(readFileSync(0, "utf8"));
const predicted = evenings.map(({ next, entries, rules }) =>
    entries.map((_, index) => lookAhead([], next, entries.slice(0, index + 1), { rules, chain: [], texts: {} }).upcoming));
console.log(JSON.stringify(predicted));
"""
TOLD = ("number", "cycle", "dealer", "leader", "out", "owing", "soloist")


def predict(script: str, evenings: list[dict[str, Any]], folder: Path) -> Any:
    """Return what the phone predicts for these evenings."""
    [ahead] = bundle(folder, [AHEAD], "node")
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script.replace("AHEAD", ahead.as_uri())],
        input=json.dumps(evenings), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_phone_predicts_the_next_game(tmp_path: Path) -> None:
    club, dice = make_club(), random.Random(11)
    people = [make_player(club, name) for name in PEOPLE[:8]]
    evenings, expected = [], []
    for number in range(EVENINGS):
        evening, told = play(club, people, dice, rounds=number % 3)
        evenings.append(evening)
        expected.append(told)
        every = [one for told in expected for one in told]
        has_all = any(one["soloist"] is not None for one in every) and {len(one["out"]) for one in every} >= {0, 1, 2}
        if has_all and number > 1 and not LONG:
            break
    assert has_all, "a player is made to play a Pflichtsolo, and up to two sit out"
    predicted = [[{name: one[name] for name in TOLD} for one in evening] for evening in predict(PREDICT_NEXT, evenings, tmp_path)]
    for seen, told in zip(predicted, expected, strict=True):
        assert seen == told


def play(club: Club, people: list[Player], dice: random.Random, rounds: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return an evening as entries of a phone without a network, and the server's next game behind each entry."""
    rule_set = make_rule_set(club, name=f"{rounds} Runden", duty_solo={"rounds": max(rounds, 1)})
    table = make_table(club, people[: dice.choice([4, 5])], rule_set=rule_set)
    start, entries, told = build_next(read_sheet(table)), [], []
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
        now = build_next(read_sheet(table))
        told.append({name: now[name] for name in TOLD})
    rules = {**rule_set.settings, "codes": FOR_SCRIPTS}
    return {"next": start, "entries": entries, "rules": rules}, told


def sitting(table: Table) -> list[Player]:
    return read_records(table).current


def moved(before: list[Player], people: list[Player], dice: random.Random) -> list[Player]:
    """Return another line-up: one joins, one leaves, or two swap seats."""
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
    """Add a line with the proposed dealer, sometimes a solo or a Pflichtsolo; return it as an entry."""
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


SHEETS, BEFORE, EDITS = 80 if LONG else 10, 8, 6
PREDICT_SHEET = """
import { lookAhead } from "AHEAD";
import { readFileSync } from "node:fs";
const evenings = JSON.parse(readFileSync(0, "utf8"));
const texts = new Proxy({}, { get: (_, name) => name });
const predicted = evenings.map(({ lines, next, entries, rules, seats }) => entries.map((_, index) => {
    const { standing, upcoming } = lookAhead(lines, next, entries.slice(0, index + 1), { rules, chain: [], texts, seats });
    return { standing, upcoming };
}));
console.log(JSON.stringify(predicted));
"""
OF_LINE = (
    "key", "form", "number", "cycle", "ends_cycle", "table", "seats", "dealer", "turn", "out", "soloist", "facts", "note", "winner",
    "winners", "value", "points", "bock", "bock_started",
)  # fmt: skip
OF_NEXT = ("number", "cycle", "dealer", "leader", "out", "owing", "soloist", "bock", "after")


def told(line: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: line.get(name) for name in names}


def test_a_phone_predicts_the_sheet_after_changes(tmp_path: Path) -> None:
    club, dice = make_club(), random.Random(3)
    access = Access(club, make_user("schorsch", club, ["scorer"]), member=True, roles=["scorer"])
    people = [make_player(club, name) for name in PEOPLE[:8]]
    evenings, expected = [], []
    for number in range(SHEETS):
        evening, seen = play_and_edit(club, access, people, dice, number)
        evenings.append(evening)
        expected.append(seen)
        entries = [one for evening in evenings for one in evening["entries"]]
        mended = {one["form"] for one in entries if "version" in one}
        has_all = mended >= {"played", "penalty", "redeal", "deletion"} and any("beside" in one for one in entries)
        if has_all and number > 1 and not LONG:
            break
    assert has_all, "each form of line is corrected, one is deleted and one inserted"
    for evening, predicted, server in zip(evenings, predict(PREDICT_SHEET, evenings, tmp_path), expected, strict=True):
        for count, (seen, has) in enumerate(zip(predicted, server, strict=True), start=1):
            last = evening["entries"][count - 1]
            assert [told(line, OF_LINE) for line in seen["standing"]] == has["lines"], last
            assert told(seen["upcoming"], OF_NEXT) == has["next"], last


def play_and_edit(
    club: Club, access: Access, people: list[Player], dice: random.Random, number: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return an evening with lines on the sheet and what a phone does to them, and the server's sheet behind each step."""
    preset = "ddv" if number % 2 else "anleitung"
    rule_set = make_rule_set(club, preset, name=f"Abend {number}", duty_solo={"rounds": 1 + number % 3})
    table = make_table(club, people[: dice.choice([4, 5])], rule_set=rule_set)
    for _ in range(BEFORE):
        if dice.random() < 0.15:
            change_line_up(table=table, actor=Actor(), players=moved(sitting(table), people, dice))
        game(table, dice)
        if dice.random() < 0.2:
            add_game(table, form="penalty", points=[dice.randint(-9, 9) for _ in sitting(table)], reason="falsch bedient")
        if dice.random() < 0.1:
            add_game(table, form="redeal", dealer=read_sheet(table).next.proposal.dealer)
    sheet = read_sheet(table)
    start = {
        "lines": [build_row(sheet, row) for row in sheet.rows],
        "next": build_next(sheet),
        "seats": [player.pk for player in sitting(table)],
        "rules": {**rule_set.settings, "codes": FOR_SCRIPTS},
    }
    known = {row.game.key for row in sheet.rows}
    entries: list[dict[str, Any]] = []
    seen = []
    while len(entries) < EDITS:
        entry = step(table, known, dice, str(start["next"]["round"]))
        if entry is None:
            continue
        entries.append({"dealer": None, "note": "", "facts": {}, "round": "", "after": "", **entry})
        now = read_sheet(table)
        lines = [told(build_row(now, row), OF_LINE) for row in now.rows]
        seen.append({"lines": lines, "next": told(build_next(now), OF_NEXT)})
    return {**start, "entries": entries}, seen


def step(table: Table, known: set[Any], dice: random.Random, here: str) -> dict[str, Any] | None:
    """Do one step at the table; return it as an entry of a phone, or None if the rules refuse it."""
    records = read_records(table)
    known_lines = [line for line in records.games if line.key in known]
    if dice.random() < 0.25 or not known_lines:
        after = str(records.last.key) if records.last else ""
        return {"round": here, "after": after, **game(table, dice)}
    line = dice.choice(known_lines)
    people = records.line_up(line)
    seats = [player.pk for player in people]
    to = reverse("game", args=[table.evening.club.slug, table.pk, line.key])
    known.discard(line.key)
    match dice.randrange(3):
        case 0:
            delete_game(table=table, actor=Actor(), key=line.key, version=line.version)
            return {"key": str(line.key), "version": line.version, "to": f"{to}delete/", "form": "deletion", "seats": seats}
        case 1:
            # A line can be inserted before it, or it can be corrected again.
            known.add(line.key)
            facts = {"kind": "normal", "re": dice.sample(range(4), 2), "eyes": dice.randint(1, 239), "re_said": "said"}
            key, dealer = uuid4(), dice.randrange(len(seats))
            typed = Typed("played", facts, dealer=dealer)
            try:
                insert_game(table=table, actor=Actor(), key=key, beside=line.key, behind=False, typed=typed)
            except Refused:
                return None
            return {
                "key": str(key), "beside": str(line.key), "to": f"{to}insert/", "form": "played", "dealer": dealer, "seats": seats,
                "facts": Game.objects.get(key=key).facts,
            }  # fmt: skip
    facts = {**line.facts, "eyes": dice.randint(1, 239), "kontra_said": "said"} if "eyes" in line.facts else line.facts
    if "points" in facts:
        facts = {**facts, "points": [dice.randint(-9, 9) for _ in seats]}
    if line.form == Game.Form.REDEAL:
        facts = {"seat": dice.randrange(len(seats))}
    dealer = dice.randrange(len(seats)) if line.form == Game.Form.PLAYED and dice.random() < 0.3 else line.dealer
    typed = Typed(line.form, facts, dealer=dealer, note="berichtigt")
    try:
        correct_game(table=table, actor=Actor(), key=line.key, version=line.version, typed=typed)
    except Refused:
        known.add(line.key)
        return None
    stored = Game.objects.get(key=line.key)
    return {
        "key": str(line.key), "version": line.version, "to": to, "form": stored.form, "dealer": stored.dealer, "seats": seats,
        "facts": stored.facts, "note": stored.note,
    }  # fmt: skip
