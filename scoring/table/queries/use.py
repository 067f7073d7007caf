"""Count how often a club entered each special point: the entry form shows the most used first."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache

from django.db.models import TextField
from django.db.models.functions import Cast

from scoring.play.models import Evening, Game

# The number of evenings that are counted.
LAST = 5


def use_before(evening: Evening) -> Counter[str]:
    """Count the games of the club's last evenings in which each special point was entered. This evening is left out, so that the
    order of the form does not change during it; imported evenings are left out too. One query."""
    last = Evening.objects.filter(club=evening.club_id, held_on__lte=evening.held_on).exclude(pk=evening.pk)
    last = last.exclude(tables__imported__isnull=False)
    games = Game.objects.filter(
        round__table__evening__in=last.order_by("-held_on", "-pk").values("pk")[:LAST],
        form=Game.Form.PLAYED,
        deleted=False,
    )
    return _used(tuple(games.values_list(Cast("facts", TextField()), flat=True)))


@lru_cache(maxsize=32)
def _used(games: tuple[str, ...]) -> Counter[str]:
    """Count the special points in these facts. Each page of a table needs them, and the games rarely change, so they are cached."""
    used: Counter[str] = Counter()
    for facts in map(json.loads, games):
        for field in ("re_specials", "kontra_specials", "game_specials"):
            used.update(facts.get(field, {}).keys())
    return used
