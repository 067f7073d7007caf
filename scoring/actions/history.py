"""Writing the history: every action ends with one row here, in the transaction of the change itself."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db.models import Model

from scoring.models import Change, Club, Player, Verb

# Who does something: a login, somebody at the table who came by its link, or the program itself.
Actor = User | Player | None


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
    where that was at a table."""
    login, spoken_as = told_apart(actor)
    return Change.objects.create(
        club=club,
        actor=login,
        spoken_as=spoken_as,
        verb=verb,
        subject_id=str(subject),
        before=before,
        after=after,
        table=table,
        undoes=undoes,
        click=click or uuid4(),
    )


def told_apart(actor: Actor) -> tuple[User | None, Player | None]:
    """The login and the person without one, one of them at most."""
    return (None, actor) if isinstance(actor, Player) else (actor, None)
