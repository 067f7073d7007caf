"""What a club shows to strangers."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from scoring.club.actions import Actor, record
from scoring.club.models import VISIBILITY_FIELDS, Club, Verb


@transaction.atomic
def change_shown(*, club: Club, actor: Actor, shown: Mapping[str, bool]) -> None:
    """What strangers see of a club from now on: its fields of `SHOWN`. Where nothing differs nothing is written."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    before = {name: getattr(club, name) for name in VISIBILITY_FIELDS}
    after = {name: shown[name] for name in VISIBILITY_FIELDS}
    if after == before:
        return
    Club.objects.filter(pk=club.pk).update(**after)
    record(club=club, actor=actor, verb=Verb.CLUB_SHOWN, subject=club.pk, before=before, after=after)
