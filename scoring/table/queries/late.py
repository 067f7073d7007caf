"""What arrived too late and waits for somebody who decides: how much of it, asked along with what it belongs to, and what
it is."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet

from scoring.core.database import count_related
from scoring.play.models import Table
from scoring.table.models.late import LateEntry


def late_counted(**of: OuterRef) -> Any:
    """How many wait, for each row of a question: `of` says what of the row they belong to."""
    return count_related(LateEntry.objects.filter(discarded=False), **of)


def waiting_at(table: Table) -> QuerySet[LateEntry]:
    """What waits at a table, in the order in which it arrived."""
    waiting = LateEntry.objects.filter(table=table, discarded=False).select_related("entered_by", "spoken_as")
    return waiting.order_by("arrived_at", "key")
