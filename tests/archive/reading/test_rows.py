"""Change one value of an archive at a time: it is refused with the place, or imported and shown; there is never an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scoring.archive.actions import ArchiveRefused, take_archive
from scoring.archive.queries import format_archive
from scoring.archive.reading.archive import read_archive
from scoring.league.queries.books import compute_hash
from scoring.league.queries.books import serialize_content as content_as_text
from scoring.models import Club, Evening, Import, MonthClosing, Player, Table
from tests.effort import LONG

ARCHIVE = (Path(__file__).parents[3] / "fixtures/archive_kasse.json").read_text()
WRONG = (
    None, True, -1, 2**31, 10**400, "", "x", "\u202e", "2026-02-30", "1" * 5000, [], [[]], ["x"], {}, {"x": {"y": []}},
)  # fmt: skip
# A club with a tariff, for the kinds that the other one has no row of.
CHARGED = (Path(__file__).parents[3] / "fixtures/archive_tariff.json").read_text()
KINDS = [kind for kind, rows in json.loads(ARCHIVE).items() if isinstance(rows, list)]

Way = tuple[str | int, ...]


def archive_with(kind: str) -> str:
    return ARCHIVE if json.loads(ARCHIVE)[kind] else CHARGED


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """Yield the path to each value in this one; of lists to the first two."""
    if way:
        yield way
    inside = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, one in inside:
        yield from ways(one, (*way, key))


def put(value: Any, way: Way, wrong: Any) -> None:
    for key in way[:-1]:
        value = value[key]
    value[way[-1]] = wrong


def with_row(kind: str, row: int, way: Way, wrong: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(archive_with(kind))
    put(document[kind][row], way, wrong)
    return document


def with_content(kind: str, row: int, way: Way, wrong: Any) -> dict[str, Any]:
    """Return a changed month with the correct hash of its text."""
    document: dict[str, Any] = json.loads(ARCHIVE)
    published = document[kind][row]
    content = json.loads(published["content"])
    put(content, way, wrong)
    published["content"] = content_as_text(content)
    if kind == "closings":
        published["content_sha256"] = compute_hash(published["content"])
    return document


def changed(kind: str) -> Iterator[tuple[Callable[..., dict[str, Any]], int, Way]]:
    """Yield each value of one row of each sort of this kind: the change and the path."""
    told = set()
    for number, row in enumerate(json.loads(archive_with(kind))[kind]):
        sort = (row.get("verb"), row.get("form"), row.get("imported_at") is None, row.get("version"))
        if sort in told:
            continue
        told.add(sort)
        yield from ((with_row, number, way) for way in ways(row))
        if kind in ("closings", "supplements"):
            yield from ((with_content, number, way) for way in ways(json.loads(row["content"])))


def read(document: dict[str, Any], kind: str) -> dict[str, Any] | None:
    try:
        return dict(read_archive(BytesIO(format_archive(document).encode())))
    except ArchiveRefused as refused:
        assert refused.faults[0].startswith((kind, "Zeile ")), refused.faults[0]
        return None


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_of_a_row_is_judged_where_it_stands(kind: str) -> None:
    places = list(changed(kind))
    some = places[:: max(1, len(places) // (25 if LONG else 8))]
    refusals = [
        read(change(kind, row, way, wrong), kind) is None
        for (change, row, way), wrong in zip(some, cycle(WRONG[:-1]), strict=False)
    ]
    assert sum(refusals) > len(refusals) // 3


@pytest.mark.parametrize(
    ("kind", "way", "wrong", "place"),
    [
        ("rule_sets", ("settings",), [], "rule_sets[1].settings"),
        ("rule_sets", ("settings",), 7, "rule_sets[1].settings"),
        ("rule_sets", ("settings", "bock"), "x", "rule_sets[1].settings"),
        ("seasons", ("settings",), [[]], "seasons[1].settings"),
        ("seasons", ("settings", "few_games"), {"games": 1}, "seasons[1].settings"),
        ("seasons", ("settings", "tie_breaks"), [[]], "seasons[1].settings"),
        ("games", ("facts",), "x", "games[1].facts"),
        ("games", ("dealer",), 2**15, "games[1].dealer"),
        ("changes", ("after",), [1], "changes[1]"),
        ("changes", ("after", "players"), [[1]], "changes[1]"),
        ("imports", ("report", "odd"), [[1, "x", 2]], "imports[1].report.odd[0]"),
        *(
            ("imports", ("report", "left_out"), [[1, said]], "imports[1].report.left_out[0]")
            for said in (["%(x)s", {}], ["%(x)999999999s", {"x": 1}], ["%s", {"x": 1}], ["", {}], ["%(x)s", {"x": []}])
        ),
        ("imports", ("report",), 1, "imports[1].report"),
        ("imports", ("report",), {}, "imports[1].report.evenings"),
        ("closings", ("file",), "AAAA", "closings[1].file_sha256"),
        ("closings", ("content_sha256",), "0" * 64, "closings[1].content_sha256"),
        ("closings", ("version",), 9, "closings[1].content.version"),
        ("closings", ("former",), True, "closings[1].former"),
        ("closings", ("former",), [{"content_sha256": "x", "at": "x"}], "closings[1].former"),
    ],
)
def test_what_is_none_is_refused_on_upload_with_its_place(kind: str, way: Way, wrong: Any, place: str) -> None:
    with pytest.raises(ArchiveRefused) as refused:
        read_archive(BytesIO(format_archive(with_row(kind, 0, way, wrong)).encode()))
    assert refused.value.faults[0].startswith(place), refused.value.faults


@pytest.mark.parametrize(
    ("way", "wrong", "place"),
    [
        (("rows",), {}, ".rows"),
        (("rows", 0, "name"), "a\u202eb", ".rows[0].name"),
        (("rows", 0, "result"), 10**20, ".rows[0].result"),
        (("rows", 0, "cells"), [], ".rows[0].cells"),
        (("rows", 0, "steps", 0, "kind"), "deduction", ".rows[0].steps[0].games"),
        (("rows", 1, "player"), 1, ".rows[1].player"),
        (("settings", "counting"), "x", ".settings"),
        (("month",), "2026-13", ".month"),
        (("month",), "2026-02", ".month"),
        (("days",), [], ".days"),
        (("closed_at",), "2026-04-01T20:00:00", ".closed_at"),
        (("closed_at",), "0001-01-01T00:00:00+00:00", ".closed_at"),
        (("unit",), "euros", ".unit"),
    ],
)
def test_a_month_that_was_made_up_is_refused_on_upload_with_its_place(way: Way, wrong: Any, place: str) -> None:
    with pytest.raises(ArchiveRefused) as refused:
        read_archive(BytesIO(format_archive(with_content("closings", 0, way, wrong)).encode()))
    assert refused.value.faults[0].startswith(f"closings[1].content{place}: "), refused.value.faults


# --- What was accepted is shown ---------------------------------------------------------------------------------------


def look_at(club: Club, client: Client) -> None:
    """Return the pages that show the imported data."""
    addresses = ["", "more/", "history/", "list/", "people/", "league/", "imports/", "rules/", "file/excel/", "archive/"]
    addresses += [f"evenings/{row.pk}/result/" for row in Evening.objects.filter(club=club)]
    addresses += [f"tables/{row.pk}/" for row in Table.objects.filter(evening__club=club, without_games=False)]
    addresses += [f"people/{row.pk}/" for row in Player.objects.filter(club=club)]
    addresses += [f"imports/{row.pk}/" for row in Import.objects.filter(club=club)]
    for row in MonthClosing.objects.filter(season__club=club):
        addresses += [f"seasons/{row.season_id}/", f"seasons/{row.season_id}/{row.month}/{row.version}/"]
    for address in dict.fromkeys(addresses):
        assert client.get(f"/c/{club.slug}/{address}").status_code in (200, 302), address


def taken_and_shown(document: dict[str, Any]) -> bool:
    try:
        club, _password = take_archive(document=document, admin="neu")
    except ArchiveRefused as refused:
        assert refused.faults
        return False
    client = Client()
    client.force_login(User.objects.get(username="neu"))
    look_at(club, client)
    return True


@pytest.mark.django_db
def test_what_was_accepted_is_shown() -> None:
    document = with_row("changes", 1, ("after", "note"), [[]])
    put(document["imports"][0], ("report", "odd"), [])
    put(document["imports"][0], ("made",), {})
    put(document["games"][0], ("note",), "1" * 200)
    valid = read(document, "")
    assert valid is not None
    assert taken_and_shown(valid)


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong)[:12])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_was_accepted_is_shown(kind: str, wrong: Any) -> None:
    for change, row, way in changed(kind):
        document = read(change(kind, row, way, wrong), kind)
        if document is not None and taken_and_shown(document):
            break
