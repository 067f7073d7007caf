"""Find what is new at a table since a phone last read it, and build what the history keeps of a line. The id of the table's last
change stands for everything that a phone knows; lines before the first changed one are unchanged."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import OuterRef, QuerySet

from scoring.club.models.history import Change, Verb
from scoring.play.models import Game, Table

from .records import Records

# Log entries about late entries: they change no line of the sheet.
_LATE: Final = (Verb.GAME_CAME_LATE, Verb.GAME_NOT_TAKEN)


def changes_of_sheet(table: Table | OuterRef) -> QuerySet[Change]:
    """Return the changes of a table, without those that are only about late entries."""
    return Change.objects.filter(table=table).exclude(verb__in=_LATE)


def last_change(table: Table) -> Change | None:
    """Return the last change of a table. A table is locked while it changes, so a later change has a higher id. One query."""
    return changes_of_sheet(table).order_by("-id").first()


def untouched_lines(records: Records, known: int | None) -> int:
    """Count the lines at the head of the sheet that are the same as after the change with the id `known`: a changed line affects
    only lines behind it. Return 0 if `known` is no change of this table."""
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
    """Return the round and position of a change's line before and after it; the head of the sheet if the change was not about a
    line or the round is gone."""
    sides = [side for side in (change.before, change.after) if side and change.verb.startswith("game.")]
    return [(rounds.get(side["round"], -1), side["position"]) for side in sides] or [(-1, 0)]


def game_values(game: Game) -> dict[str, Any]:
    """Return what the history keeps of a game: everything that was typed."""
    return {
        "form": game.form,
        "dealer": game.dealer,
        "facts": game.facts,
        "note": game.note,
        "round": game.round_id,
        "position": game.position,
        "version": game.version,
    }
