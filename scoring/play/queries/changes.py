"""What is new at a table since somebody last looked. The number of the table's last change stands for everything that a phone
knows; lines before the first changed one are as they were. And what the history keeps of a line."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import OuterRef, QuerySet

from scoring.club.models.history import Change, Verb
from scoring.core.ready import Hole, Ready
from scoring.play.models import Game, Table

from .records import Records

# What touches no line of the sheet: it came late, and may never stand there.
_BESIDE: Final = (Verb.GAME_CAME_LATE, Verb.GAME_NOT_TAKEN)


def changes_of_sheet(table: Table | OuterRef | Hole) -> QuerySet[Change]:
    """What was done at the table itself."""
    return Change.objects.filter(table=table).exclude(verb__in=_BESIDE)


def last_change(table: Table) -> Change | None:
    """The last change of the table; one query. The table is locked while it changes, so a later change has a higher
    number."""
    return _LAST_CHANGE.first(table=table.pk)


_LAST_CHANGE: Final = Ready(lambda: changes_of_sheet(Hole("table")).order_by("-id")[:1])


def untouched_lines(records: Records, known: int | None) -> int:
    """How many lines at the head of the sheet are still what they were after the change `known`: a line counts for those
    behind it only. None of them where `known` is no change of this table."""
    if known is None:
        return 0
    since = list(changes_of_sheet(records.table).filter(id__gte=known).order_by("id"))
    if known and (not since or since[0].pk != known):
        return 0
    rounds = {line_up.pk: index for index, line_up in enumerate(records.rounds)}
    touched = [place for change in since if change.pk != known for place in _places(rounds, change)]
    first = min(touched, default=(len(rounds), 0))
    return sum((rounds[game.round_id], game.position) < first for game in records.games)


def _places(rounds: dict[int, int], change: Change) -> list[tuple[int, int]]:
    """Where the line of a change was before and after it, as round and position. The head of the sheet if the change was
    not about a line, or if the round is gone."""
    sides = [side for side in (change.before, change.after) if side and change.verb.startswith("game.")]
    return [(rounds.get(side["round"], -1), side["position"]) for side in sides] or [(-1, 0)]


def game_values(game: Game) -> dict[str, Any]:
    """What the history keeps of a game: all that was typed."""
    return {
        "form": game.form,
        "dealer": game.dealer,
        "facts": game.facts,
        "note": game.note,
        "round": game.round_id,
        "position": game.position,
        "version": game.version,
    }
