"""Carries open Bock games on from an earlier evening, and books what closed evenings cost after that."""

from __future__ import annotations

from django.db import transaction

from scoring.cash.actions.evenings import post_evenings
from scoring.club.actions import Actor
from scoring.club.models import Verb
from scoring.play import actions
from scoring.play.models import Table
from scoring.play.replay import Effect


@transaction.atomic
def carry_on(*, table: Table, actor: Actor, earlier: Table | None, seen: str) -> list[Effect]:
    """Let a table carry on from another one, or from none, and bring the books of closed evenings in line. Raises what the action
    of `play/actions.py` raises."""
    found = actions.carry_on(table=table, actor=actor, earlier=earlier, seen=seen)
    changed = [effect.records.row.evening for effect in found]
    post_evenings(changed, actor=actor, cause=Verb.TABLE_CARRIES_ON.label)
    return found
