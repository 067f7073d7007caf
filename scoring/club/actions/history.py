"""Writing the history: every action ends with one row here, in the transaction of the change itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db.models import Model

from scoring.club.errors import NotInDemo
from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club, Player

# What is never done in the demo club of a visitor: it has no other logins, no Kasse, nothing from elsewhere, and no strangers.
NOT_IN_DEMO: Final = frozenset(
    {
        *(verb for verb in Verb if verb.startswith(("member.", "link.", "import.", "archive."))),
        *(verb for verb in Verb if verb.startswith("cash.") and verb not in (Verb.CASH_EVENING, Verb.CASH_PINNED)),
        Verb.CLUB_SHOWN,
        Verb.HISTORY_KEPT,
    }
)


@dataclass(frozen=True)
class Actor:
    """Who does something at a table, with the rights that access found: a `login`, or somebody without one who came by the link
    of the table (`link`, its id) and said who they are, or neither: the program itself. Only an `admin` changes what is closed,
    and what that costs depends on a `treasurer` as well."""

    login: User | None = None
    spoken_as: Player | None = None
    link: int | None = None
    admin: bool = False
    treasurer: bool = False


# Nine parameters: each is a column of the row, most have a default, and all are named where it is called.
def record(
    *,
    club: Club,
    actor: Actor,
    verb: Verb,
    subject: object,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    table: Model | None = None,
    undoes: Change | None = None,
    click: UUID | None = None,
) -> Change:
    """One row: what `subject` (an id) was before and after, as ids and values, never as names; `table`: where it was done,
    where that was at a table. Raises NotInDemo."""
    if club.of_visitor and verb in NOT_IN_DEMO:
        raise NotInDemo
    return Change.objects.create(
        club=club,
        actor=actor.login,
        spoken_as=actor.spoken_as,
        verb=verb,
        subject_id=str(subject),
        before=before,
        after=after,
        table_id=None if table is None else table.pk,
        undoes=undoes,
        click=click or uuid4(),
    )
