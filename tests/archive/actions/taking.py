"""Import archives of every version that must still be read, and return refusals."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from scoring.archive.actions import ArchiveRefused, take_archive
from scoring.archive.queries import format_archive
from scoring.archive.reading.archive import read_archive
from scoring.models import Club, Game

FIXTURE = Path(settings.BASE_DIR) / "fixtures" / "archive.json"
# The same club as version 1 of this program wrote it.
FIRST = FIXTURE.with_name("archive_1.json")
SECOND = FIXTURE.with_name("archive_2.json")
# A club with books as version 3 wrote it.
THIRD = FIXTURE.with_name("archive_3.json")
# The same club with something of everything in its books, and as versions 4 and 5 wrote it.
KASSE = FIXTURE.with_name("archive_kasse.json")
FOURTH = FIXTURE.with_name("archive_4.json")
FIFTH = FIXTURE.with_name("archive_5.json")
# A club with an opening balance, tariffs, a guest, fines and an evening that was corrected and another that was taken back.
TARIFF = FIXTURE.with_name("archive_tariff.json")


def read(file: Path) -> dict[str, Any]:
    """Return the text of an archive file in the present version."""
    document: dict[str, Any] = json.loads(format_archive(read_archive(BytesIO(file.read_bytes()))))
    return document


def taken(data: bytes, admin: str = "neu") -> Club:
    return take_archive(document=read_archive(BytesIO(data)), admin=admin)[0]


def refused(data: bytes) -> list[str]:
    """Return the faults of an archive, and check that no row was written."""
    before = Club.objects.count(), Game.objects.count(), User.objects.count()
    with pytest.raises(ArchiveRefused) as found:
        taken(data)
    assert (Club.objects.count(), Game.objects.count(), User.objects.count()) == before
    return found.value.faults
