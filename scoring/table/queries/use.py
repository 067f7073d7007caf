"""How often a club has entered each special point: what is used most is asked first."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import Final

from django.db.models import DateField, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.core.ready import Hole, Ready
from scoring.play.models import Evening, Game

# So many evenings tell how a club plays now; more of them would only cost.
LAST = 5


def use_before(evening: Evening) -> Counter[str]:
    """In how many games of the club's last evenings each special point was entered, in one query. The evening itself is left
    out: nothing changes its place while it is played; and so are imported ones, which say nothing of it."""
    return _used(tuple(_PLAYED.ask(club=evening.club_id, day=evening.held_on, evening=evening.pk)))


def _played() -> QuerySet[Game, str]:
    """The facts of each game, as the text that the database has."""
    last = Evening.objects.filter(club=Hole("club"), held_on__lte=Hole("day", DateField())).exclude(pk=Hole("evening"))
    last = last.exclude(tables__imported__isnull=False)
    games = Game.objects.filter(
        round__table__evening__in=last.order_by("-held_on", "-pk").values("pk")[:LAST],
        form=Game.Form.PLAYED,
        deleted=False,
    )
    return games.values_list(Cast("facts", TextField()), flat=True)


_PLAYED: Final = Ready(_played)


@lru_cache(maxsize=32)
def _used(games: tuple[str, ...]) -> Counter[str]:
    """Counted once as long as the games are the same to the letter: every page of a table asks."""
    used: Counter[str] = Counter()
    for facts in map(json.loads, games):
        for field in ("re_specials", "kontra_specials", "game_specials"):
            used.update(facts.get(field, {}).keys())
    return used
