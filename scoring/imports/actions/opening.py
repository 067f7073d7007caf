"""What people had before the first evening that is kept here, taken in at once and taken back as one step. Nobody gets a
second one: it would count everything twice."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from scoring.club.actions.history import Actor, record
from scoring.club.actions.people import add_player
from scoring.club.models.history import Verb
from scoring.club.models.people import Club, Player
from scoring.imports.errors import ImportGone, ImportMeanwhile, OpeningThere
from scoring.imports.models import Import
from scoring.standings.models import OpeningStanding

from .lists import Newcomer


class Figures(NamedTuple):
    """What somebody had, None for what is not known."""

    points: int
    evenings: int | None = None
    games: int | None = None
    wins: int | None = None
    solos: int | None = None
    solos_won: int | None = None


# Seven parameters: what somebody confirmed on the page, each part judged by itself.
@transaction.atomic
def take_opening(
    *,
    brought: Import,
    actor: Actor,
    unit: str,
    until: datetime.date,
    people: Mapping[int, Player | Newcomer],
    figures: Mapping[int, Figures],
    report: Mapping[str, Any],
) -> Import:
    """What these people had up to this day, by row of the list. `brought` is a file that waits, or nothing that was stored
    yet where somebody typed it. The same file once more changes nothing. Raises ImportGone, ImportMeanwhile, OpeningThere,
    ValidationError."""
    club = Club.objects.select_for_update().get(pk=brought.club_id)
    if brought.pk:
        locked = Import.objects.select_for_update().filter(pk=brought.pk).first()
        if locked is None:
            raise ImportGone
        if locked.is_taken:
            return locked
        brought = locked
    known = {one.pk for one in people.values() if isinstance(one, Player)}
    if Player.objects.filter(pk__in=known, club=club, merged_into=None).count() < len(known):
        raise ImportMeanwhile
    if OpeningStanding.objects.filter(player__in=known, unit=unit).exists():
        raise OpeningThere
    players = {
        row: add_player(club=club, actor=actor, name=one.name) if isinstance(one, Newcomer) else one
        for row, one in people.items()
    }
    made = [players[row].pk for row, one in people.items() if isinstance(one, Newcomer)]
    brought.kind, brought.sheets, brought.imported_at, brought.imported_by = (
        Import.Kind.SUMS, None, timezone.now(), actor.login,
    )  # fmt: skip
    brought.made = {"players": made, "rule_sets": []}
    brought.report = {
        **report,
        "until": until.isoformat(),
        "people": len(players),
        "points": sum(figures[row].points for row in players),
    }
    brought.full_clean()
    brought.save()
    openings = [
        OpeningStanding(imported=brought, player=player, unit=unit, until=until, **figures[row]._asdict())
        for row, player in players.items()
    ]
    for opening in openings:
        opening.full_clean()
    OpeningStanding.objects.bulk_create(openings)
    record(club=club, actor=actor, verb=Verb.IMPORT_TAKEN, subject=brought.pk, after={"opened": len(openings)})
    return brought
