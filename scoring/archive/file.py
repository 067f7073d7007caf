"""The archive of a club as a file: everything but logins, one moment of it. What stands in it, and in which order, is decided
in `archive/queries.py`."""

from __future__ import annotations

from scoring.club.models.people import Club
from scoring.core.snapshot import snapshot

from .queries import as_text, read_club

CONTENT_TYPE = "application/json"


def club_archive(club: Club) -> bytes:
    """The bytes of the file: the same club gives the same bytes."""
    with snapshot():
        return as_text(read_club(Club.objects.get(pk=club.pk))).encode()
