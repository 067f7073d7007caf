"""Files that are no valid archive are refused completely, with the place of each fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scoring.archive.queries import build_archive, format_archive
from tests.archive.actions.taking import FIRST, FIXTURE, refused, taken

# --- A file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (b'"public": false', b'"public": 0', "club"),
        (b'"public": false', b'"shows_list": false', "club"),
        (b'"merged_into": null}', b'"merged_into": null, "by_initial": true}', "players[1]"),
        (b'"version": 1', b'"version": true', "Dieses Archiv"),
        (b'"version": 1', b'"version":  1', "Zeile 3"),
        (b'"version": 1', b'"version": 2', "club"),
    ],
)
def test_what_the_first_version_would_not_have_written_is_refused(db: None, old: bytes, new: bytes, place: str) -> None:
    faults = refused(FIRST.read_bytes().replace(old, new, 1))
    assert faults[0].startswith(place), faults


# --- What is no archive, or none any more -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"[]", b"{}", b'{"format": "another"}', b"[" * 100_000, b'{"format": 1.5}', b"9" * 5000],
)
def test_what_is_no_archive_is_refused(db: None, data: bytes) -> None:
    assert len(refused(data)) == 1


def test_a_field_that_stands_twice_is_refused(db: None) -> None:
    """As any other writing than the archive's own."""
    lines = FIXTURE.read_bytes().splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if b'"players": [' in line) + 1
    lines[number] = lines[number].replace(b"{", b'{"row": 1, ', 1)
    assert refused(b"".join(lines)) == [f"Zeile {number + 1} ist nicht so geschrieben, wie es ein Archiv ist."]


def spoil(change: Callable[[dict[str, Any]], Any]) -> bytes:
    document = json.loads(FIXTURE.read_bytes())
    change(document)
    return format_archive(document).encode()


def set_to(kind: str, number: int, **values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda document: document[kind][number - 1].update(values)


def of_verb(asked: str, **values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda document: next(row for row in document["changes"] if row["verb"] == asked).update(values)


def set_form(document: dict[str, Any]) -> None:
    document["club"]["slug"] = "nicht erlaubt"


KEY = json.loads(FIXTURE.read_bytes())["games"][0]["key"]
LINE = f"karo, Abend vom 06.03.2026, Tisch 1, Zeile 1 ({KEY}): "  # the place of a line that the replay refuses
SPOILED: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another version": (lambda d: d.update(version=9), ""),
    "a program that no program is called": (lambda d: d.update(program="\0"), "program"),
    "a number as program": (lambda d: d.update(program=7), "program"),
    "another slug": (set_form, "club.slug"),
    "no name": (lambda d: d["club"].update(name=""), "club.name"),
    "a number as name": (lambda d: d["club"].update(name=5), "club"),
    "derived rows": (lambda d: d.update(scores=[]), "Erwartet"),
    "a kind is missing": (lambda d: d.pop("seats"), "Erwartet"),
    "no list": (lambda d: d.update(seats={}), "seats"),
    "a row is no row": (lambda d: d["players"].insert(0, {}), "players[1]"),
    "a row twice": (lambda d: d["players"].append(d["players"][0]), "players["),
    "a field too many": (set_to("games", 1, points=7), "games[1]"),
    "a field is missing": (lambda d: d["games"][0].pop("note"), "games[1]"),
    "a true row": (set_to("players", 1, row=True), "players[1].row"),
    "text where a number belongs": (set_to("games", 2, position="2"), "games[2].position"),
    "true where a number belongs": (set_to("games", 2, version=True), "games[2].version"),
    "no day": (set_to("evenings", 1, held_on="2026-02-30"), "evenings[1].held_on"),
    "no moment": (set_to("evenings", 1, closed_at="gestern"), "evenings[1].closed_at"),
    "a moment without a zone": (set_to("changes", 1, at="2026-03-06T20:00:00.000000"), "changes[1].at"),
    "no key": (set_to("games", 1, key="abc"), "games[1].key"),
    "no base64": (set_to("closings", 1, file="?"), "closings[1].file"),
    "an invisible name": (set_to("players", 1, name="A\u200b"), "players[1].name"),
    "NUL in a text": (set_to("supplements", 1, content="\0"), "supplements[1].content"),
    "NUL in facts": (set_to("games", 1, facts={"kind": "\0"}), "games[1].facts"),
    "an untidy name": (set_to("players", 1, name=" A  b"), "players[1].name"),
    "two of one name": (lambda d: d["players"][1].update(name=d["players"][0]["name"].upper()), "players[2]"),
    "a seat without a person": (set_to("seats", 3, player=999), "seats[3].player"),
    "a seat of someone who is no more": (set_to("seats", 3, player=-1), "seats[3].player"),
    "a seat of none": (set_to("seats", 3, player=0), "seats[3].player"),
    "a person twice at a table": (lambda d: d["seats"][1].update(player=d["seats"][0]["player"]), "seats[2]"),
    "a free seat": (set_to("seats", 1, place=6), "rounds[1]"),
    "an empty round": (
        lambda d: d["rounds"].append({"row": len(d["rounds"]) + 1, "table": 1, "position": 9}),
        "tables[1]",
    ),
    "two tables of one number": (lambda d: d["tables"][1].update(evening=1), "tables[2]"),
    "other rules": (lambda d: d["rule_sets"][0]["settings"].update(unheard="of"), "rule_sets[1].settings"),
    "another unit": (set_to("rule_sets", 1, unit="cents"), "rule_sets[1].unit"),
    "unknown form": (set_to("games", 1, form="poker"), "games[1].form"),
    "no facts": (set_to("games", 1, facts={}), "games[1]"),
    "facts the rules refuse": (lambda d: d["games"][0]["facts"].update(eyes=999), LINE + "eyes: "),
    "more eyes than there are": (lambda d: d["games"][0]["facts"].update(eyes=241), LINE + "eyes: "),
    "a struck-out line that no rules ever let stand": (
        lambda d: next(game for game in d["games"] if game["deleted"])["facts"].update(eyes=999),
        "karo, Abend vom 06.03.2026, Tisch 1, gestrichene Zeile",
    ),
    "a level by hand": (lambda d: d["games"][0]["facts"].update(bock=99), LINE + "bock: "),
    "a dealer who is not there": (set_to("games", 1, dealer=7), LINE + "dealer: "),
    "two lines in one place": (lambda d: d["games"][1].update(position=d["games"][0]["position"]), "games[2]"),
    "a result of a table with games": (set_to("results", 1, table=1), "results[1].table"),
    "more wins than games": (set_to("results", 1, wins=3), "results[1]"),
    "points beyond all numbers": (set_to("results", 1, points=2**70), "results[1].points"),
    "two carry the same on": (lambda d: d["tables"].append({**d["tables"][-1], "row": 6, "number": 2}), "tables[6]"),
    "carries itself on": (lambda d: d["tables"][-1].update(carries_on=len(d["tables"])), "tables[5]"),
    "carries a later one on": (set_to("tables", 1, carries_on=3), "tables[1].carries_on"),
    "a season backwards": (set_to("seasons", 1, last_day="2020-01-01"), "seasons[1]"),
    "another content": (lambda d: d["closings"][0].update(content=d["closings"][0]["content"] + " "), "closings"),
    "another month": (set_to("closings", 3, month="2026-05"), "closings[3].content"),
    "other people": (lambda d: d["closings"][0]["ids"].update(players={}), "closings[1].ids.players"),
    "people who are none": (lambda d: d["closings"][0]["ids"]["players"].update(x=999), "closings[1]"),
    "no ids": (set_to("closings", 1, ids=None), "closings[1]"),
    "no content": (set_to("supplements", 1, content="{}"), "supplements[1].content"),
    "goes backward": (set_to("supplements", 1, about="2026-12"), "supplements[1]"),
    "a right": (of_verb("player.added", verb="member.changed"), "changes["),
    "a link to join by": (of_verb("player.added", verb="link.made"), "changes["),
    "an unknown verb": (of_verb("player.added", verb="player.praised"), "changes["),
    "the history of nothing": (of_verb("player.added", subject_id="niemand"), "changes["),
    "a login": (of_verb("player.changed", after={"guest": False, "user": 1}), "changes["),
    "a history that cannot be told": (of_verb("game.added", after={"form": "played"}), "changes["),
    "undoes what comes": (set_to("changes", 1, undoes=1, verb="game.restored"), "changes["),
    "a gap among the gone": (of_verb("evening.discarded", subject_id="-7"), ""),
    "made by an import": (lambda d: d["imports"][0]["made"].update(players=["x"]), "imports[1]"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_archive_is_refused_whole(db: None, name: str) -> None:
    change, place = SPOILED[name]

    faults = refused(spoil(change))
    assert any(fault.startswith(place) for fault in faults), faults


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version": 4,', '"version":  4,'),
        ("\n}\n", "\n}"),
        ("Ärmel", "\\u00c4rmel"),
        ('"shows_list": false', '"shows_list": true'),
    ],
)
def test_only_what_it_writes_itself_is_read(db: None, old: str, new: str) -> None:
    text = FIXTURE.read_text()
    assert old in text
    data = text.replace(old, new, 1).encode()
    if '"shows_list"' in old:
        assert build_archive(taken(data)) == data
    else:
        assert refused(data)


def test_every_fault_is_named_at_once(db: None) -> None:
    def change(document: dict[str, Any]) -> None:
        document["players"][0]["name"] = 5
        document["games"][3]["round"] = 0

    assert [fault.partition(":")[0] for fault in refused(spoil(change))] == ["players[1].name", "games[4].round"]
