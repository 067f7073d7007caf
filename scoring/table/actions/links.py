"""Making the link of a table. A new one ends the one before."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from scoring.club.actions import Actor, NotInDemo
from scoring.play.actions import EveningIsClosed
from scoring.play.models import Evening, Table
from scoring.table.models.links import TableLink


@transaction.atomic
def renew_link(*, table: Table, actor: Actor) -> TableLink:
    """A link of the table; whoever came by an earlier one is out. Raises EveningIsClosed, NotInDemo."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    # Read after the lock: whoever held it may have closed the evening.
    evening = Evening.objects.select_related("club").get(pk=locked.evening_id)
    if evening.club.is_visitor_club:
        raise NotInDemo
    if not evening.is_open:
        raise EveningIsClosed
    locked.links.filter(ended_at=None).update(ended_at=timezone.now())
    return TableLink.objects.create(table=locked, created_by=actor.login)
