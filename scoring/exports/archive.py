"""The archive of a club as a file: everything but logins, one moment of it. What stands in it, and in which order, is decided
in `queries/archive.py`."""

from __future__ import annotations

from scoring.models import Club
from scoring.queries.archive import as_text, read_club
from scoring.queries.snapshot import snapshot

CONTENT_TYPE = "application/json"


def club_archive(club: Club) -> bytes:
    """The bytes of the file: the same club gives the same bytes."""
    with snapshot():
        return as_text(read_club(Club.objects.get(pk=club.pk))).encode()
