"""Archives of older versions are upgraded to what the present version writes of the same club."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

from scoring.archive.queries import build_archive, format_archive
from scoring.archive.reading.archive import read_archive
from scoring.models import Report
from tests.archive.actions.taking import FIFTH, FIRST, FIXTURE, FOURTH, KASSE, SECOND, THIRD, read, taken

SETTLING = ("dues_statuses", "settlements", "settlement_lines")


def add_empty_breaks(document: dict[str, Any]) -> dict[str, Any]:
    """Add empty breaks to the players, which version 4 did not have."""
    return {"players": [row | {"rests_from": None, "rests_until": None} for row in document["players"]]}


def test_archives_of_the_first_and_second_version_are_still_read(db: None) -> None:
    """Version 1: public pages stay public, and no name is an initial."""
    first = FIRST.read_bytes()
    assert format_archive(read_archive(BytesIO(first))).encode() == FIXTURE.read_bytes()
    public = read_archive(BytesIO(first.replace(b'"public": false', b'"public": true')))["club"]
    assert [name for name, value in public.items() if value is True] == ["shows_list", "shows_months"]
    # Version 2 had no Kasse.
    second = SECOND.read_bytes()
    assert format_archive(read_archive(BytesIO(second))).encode() == FIXTURE.read_bytes()
    assert build_archive(taken(second)) == FIXTURE.read_bytes()


def test_an_archive_of_the_third_version_is_still_read(db: None) -> None:
    """Version 3 had no tariffs, reports and counts."""
    document, today = read(THIRD), json.loads(KASSE.read_bytes())
    beside = ("countersignatures", "reports", "counts", "headings", "book_years", *SETTLING)
    assert document == today | add_empty_breaks(today) | {kind: [] for kind in beside}
    assert Report.objects.filter(club=taken(THIRD.read_bytes())).count() == 0


def test_an_archive_of_the_fourth_version_is_still_read(db: None) -> None:
    """Version 4 had no breaks, levels of dues and settlements."""
    document, today = read(FOURTH), json.loads(KASSE.read_bytes())
    assert document == today | add_empty_breaks(today) | {kind: [] for kind in SETTLING}
    assert [kind for kind in SETTLING if not today[kind]] == []


def test_archives_of_the_fifth_to_seventh_version_are_still_read(db: None) -> None:
    """Version 5 had no opening standings, version 6 did not name the program, version 7 had no notes of evenings."""
    today = KASSE.read_bytes()
    seventh = re.sub(rb'("place": "[^"]*", )"note": "", ', rb"\1", today).replace(b'"version": 8,\n', b'"version": 7,\n')
    sixth = seventh.replace(b'"version": 7,\n"program": "",\n', b'"version": 6,\n')
    for older in (FIFTH.read_bytes(), sixth, seventh):
        assert format_archive(read_archive(BytesIO(older))).encode() == today
    assert build_archive(taken(sixth)) == today
