"""Shows what a change of an evening would do to its money: the change is made and booked as always, looked at, and rolled
back."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from scoring.cash.queries.facts import read_facts
from scoring.cash.queries.previews import Changed, compared
from scoring.cash.queries.standing import owed_by, standing_entry
from scoring.play.models import Evening


def tried(evening: Evening, change: Callable[[], object]) -> list[Changed]:
    """Whom a change of a closed evening costs more or less than is booked. Raises what the change raises."""
    with transaction.atomic():
        was = standing_entry(evening)
        change()
        now = Evening.objects.select_related("club", "tariff", "host").get(pk=evening.pk)
        facts = read_facts(now)
        found = compared(facts, was, owed_by(now, facts))
        transaction.set_rollback(True)
    return found
