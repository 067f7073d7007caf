"""What people had before the first evening that is kept here, taken in at once and taken back as one step. Nobody gets a
second one: it would count everything twice."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.core.dates import require_not_in_future
from scoring.imports.errors import OpeningThere
from scoring.imports.models import Import
from scoring.standings.models import OpeningStanding

from .lists import Newcomer, people_of


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
    club: Club,
    actor: Actor,
    file_name: str,
    unit: str,
    until: datetime.date,
    people: Mapping[int, Player | Newcomer],
    figures: Mapping[int, Figures],
) -> Import:
    """What these people had up to this day, by row of the list. Raises ImportMeanwhile, OpeningThere, ValidationError."""
    require_not_in_future("until", until)
    club = Club.objects.select_for_update().get(pk=club.pk)
    players, made = people_of(club, actor, people)
    if OpeningStanding.objects.filter(player__in=players.values(), unit=unit).exists():
        raise OpeningThere
    report = {
        "until": until.isoformat(),
        "people": len(players),
        "points": sum(figures[row].points for row in players),
    }
    brought = Import(
        club=club,
        kind=Import.Kind.SUMS,
        file_name=file_name,
        imported_at=timezone.now(),
        imported_by=actor.login,
        made=made,
        report=report,
    )
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
