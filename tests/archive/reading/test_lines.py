"""Rows are read from the lines of the file, and every line must have its place and format."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from scoring.archive.actions import ArchiveRefused
from scoring.archive.queries import format_archive
from scoring.archive.reading.archive import read_archive
from scoring.archive.reading.lines import split_parts

ARCHIVE = (Path(__file__).parents[3] / "fixtures/archive.json").read_bytes()
END = len(ARCHIVE.splitlines())


def test_rows_are_what_the_file_says_in_whatever_order_they_are_asked_for() -> None:
    document, told = split_parts(BytesIO(ARCHIVE)), json.loads(ARCHIVE)
    assert list(document) == list(told)
    players, games = document["players"], document["games"]
    assert len(games) == len(told["games"])
    assert [(players[index % len(players)], game) for index, game in enumerate(games)] == [
        (told["players"][index % len(players)], game) for index, game in enumerate(told["games"])
    ]
    assert format_archive(document).encode() == ARCHIVE


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"\n}\n", b"\n}", f"Zeile {END} "),
        (b"\n}\n", b"\n}\n\n", f"Zeile {END} "),
        (b"\n}\n", b",\n}\n", f"Zeile {END} "),
        (b'"players": [\n', b'"players": [\n\n', "Zeile "),
        (b'"players": [\n', b'"players":\n[\n', "Zeile 6 "),
        (b'"players": [\n', b'"players": [],\n"players": [\n', "Zeile 7 "),
        (b'},\n{"row": 2,', b'}\n{"row": 2,', "Zeile "),
        (b'},\n{"row": 2,', b'}, \n{"row": 2,', "Zeile "),
        (b'},\n{"row": 2,', b'}, {"row": 2,', "Die Datei ist kein JSON"),
        (b"}\n],\n", b"},\n],\n", "Zeile "),
        (b"}\n],\n", b"}\n]\n", "Zeile "),
        (b'"row": 2,', b'"row": 2.0,', "Die Datei ist kein JSON"),
        (b'"row": 2,', b'"row": 2, "row": 2,', "Zeile "),
    ],
)
def test_what_is_not_where_it_belongs_is_refused(old: bytes, new: bytes, said: str) -> None:
    assert old in ARCHIVE
    with pytest.raises(ArchiveRefused) as refused:
        read_archive(BytesIO(ARCHIVE.replace(old, new, 1)))
    assert refused.value.faults[0].startswith(said), refused.value.faults


def test_the_same_without_its_lines_is_refused_as_written_otherwise() -> None:
    with pytest.raises(ArchiveRefused) as refused:
        read_archive(BytesIO(json.dumps(json.loads(ARCHIVE)).encode()))
    assert refused.value.faults == ["Zeile 1 ist nicht so geschrieben, wie es ein Archiv ist."]


def test_one_that_is_packed_is_to_be_unpacked_first() -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("karo.json", ARCHIVE)
    with pytest.raises(ArchiveRefused) as refused:
        read_archive(packed)
    assert refused.value.faults == ["Das ist eine ZIP-Datei. Liegt ein Archiv darin, bitte zuerst auspacken."]
