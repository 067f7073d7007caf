"""Set up and change the tariff of a club. A version in use never changes: an edit makes the next version. A version of an earlier
day never changes either, since its dues may still be booked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.models import Tariff
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Verb
from scoring.core.errors import ActionRefused

from .queries import get_current_tariff, is_in_use


@transaction.atomic
def change_tariff(*, club: Club, actor: Actor, content: Mapping[str, Any], seen: int) -> Tariff:
    """Set the tariff from the next evening on; `seen` is the shown version, or 0. The same content returns what stands. Raise
    ValidationError, or ActionRefused if nothing changes or it was changed meanwhile."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    newest = get_current_tariff(club)
    version = newest.version if newest else 0
    if newest and newest.content == content:
        if version == seen:
            raise ActionRefused(_("Der Tarif ist schon so."))
        return newest
    if version != seen:
        raise ActionRefused(_("Jemand hat den Tarif inzwischen geändert. Bitte neu ansehen."))
    if newest and timezone.localdate(newest.made_at) == timezone.localdate() and not is_in_use(newest):
        tariff, newest.content, newest.made_at = newest, dict(content), timezone.now()
    else:
        tariff = Tariff(club=club, version=version + 1, content=dict(content))
    tariff.full_clean(exclude=["club"])
    tariff.save()
    before, after = {"version": version} if version else None, {"version": tariff.version}
    record(club=club, actor=actor, verb=Verb.CASH_TARIFF, subject=tariff.pk, before=before, after=after)
    return tariff
