"""Rows are read from the lines of the file, and every line must have its place and format."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from scoring.archive.actions import ArchiveRefused
from scoring.archive.queries import format_archive
from scoring.archive.reading.archive import MAX_UNPACKED, format_settings, parse_valid, read_archive, validate_upload
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


# Started by this, the program is the only child there is.
ALONE = (
    "import resource, subprocess, sys;"
    "subprocess.run([sys.executable, '-m', 'scoring.archive.reading', sys.argv[1]], stderr=-3);"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); print('', used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)"
)


def packed(*parts: tuple[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return buffer.getvalue()


def filled(kind: bytes, row: bytes) -> bytes:
    """Return the archive with as many rows of a kind as fit the size limit."""
    opening = b'"%s": [\n' % kind
    assert opening in ARCHIVE
    return ARCHIVE.replace(opening, opening + (row + b",\n") * ((MAX_UNPACKED - len(ARCHIVE)) // (len(row) + 2)))


Make = Callable[[], bytes]
AT_ONCE: dict[str, Make] = {
    "a bomb": lambda: packed(("a.json", b" " * 100_000_000)),
    "lists": lambda: b"[" + b"[]," * 3_300_000 + b"[]]",
}
SLOW: dict[str, Make] = {
    "depth": lambda: b"[" * 5_000_000 + b"]" * 5_000_000,
    "a number": lambda: b'{"format":' + b"9" * 9_000_000 + b"}",
    "objects": lambda: b"[" + b'{"a":1},' * 1_100_000 + b"{}]",
    "keys": lambda: b"{" + b",".join(b'"%d":0' % n for n in range(800_000)) + b"}",
    "wrong rows": lambda: filled(b"players", b"{}"),
    "rows that are none": lambda: filled(b"games", b"0"),
    "many parts": lambda: packed(*((f"{n}", b"") for n in range(60_000))),
}


@pytest.mark.parametrize(
    "make", [pytest.param(make, id=name) for name, make in AT_ONCE.items()]
    + [pytest.param(make, id=name, marks=pytest.mark.soak) for name, make in SLOW.items()],
)  # fmt: skip
def test_no_archive_costs_more_than_its_size_allows(make: Make) -> None:
    data = make()
    assert len(data) <= MAX_UNPACKED, "no larger one gets here"
    done = subprocess.run(
        [sys.executable, "-c", ALONE, format_settings()],
        input=data,
        capture_output=True,
        cwd=settings.BASE_DIR,
        check=True,
    )
    *answer, seconds, megabytes = done.stdout.split()
    assert not answer or answer[0] == b'{"faults":', "it was refused, or the process ended"
    assert float(seconds) < 5 + 3 * MAX_UNPACKED / 1_000_000
    # Its libraries come on top of what is its own.
    assert float(megabytes) < 120 + 15 * MAX_UNPACKED / 1_000_000


def test_what_is_judged_there_is_what_is_judged_here() -> None:
    assert validate_upload(packed(("club.json", ARCHIVE))).encode() == ARCHIVE
    assert format_archive(parse_valid(ARCHIVE.decode())) == format_archive(read_archive(BytesIO(ARCHIVE)))


def test_what_is_wrong_is_told_with_its_place_in_the_language_of_the_moment() -> None:
    with translation.override("en"), pytest.raises(ArchiveRefused) as refused:
        validate_upload(ARCHIVE.replace(b'"guest": false', b'"guest": 0', 1))
    assert refused.value.faults[0].startswith("players[")
    assert "does not belong" in refused.value.faults[0]


def test_a_process_that_fails_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.archive.reading.archive.MAX_SECONDS", 0)
    with pytest.raises(ArchiveRefused) as refused:
        validate_upload(b"")
    assert refused.value.faults[0].startswith("Das Archiv ist zu verschachtelt")
