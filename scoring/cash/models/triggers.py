"""The laws of the books in the words of SQLite and of PostgreSQL: which triggers there must be, and the statements that make
and remove each. PostgreSQL needs some more: it can empty a table without asking row by row, it can judge an entry at the
commit, and it has more than one writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .laws import GUARDS, Guard

# Whoever writes to the books of a club holds this lock of PostgreSQL until they commit. SQLite has one writer anyway.
HOLD: Final = "pg_advisory_xact_lock(1701, {club}::integer)"
_HELD: Final = ("books_entry_insert", "books_entry_update", "books_period_insert")
_BOOKS: Final = ("account", "entry", "leg", "period")
# What the laws say more than once. A club that is gone was leaving.
_OFTEN: Final = {
    "sealing": "OLD.number IS NULL AND NEW.number IS NOT NULL",
    "club_stays": "EXISTS (SELECT 1 FROM scoring_club WHERE id = OLD.club_id AND NOT leaving)",
    "its_club_stays": "EXISTS (SELECT 1 FROM scoring_club WHERE id = scoring_entry.club_id AND NOT leaving)",
}
_SQLITE: Final = {
    **_OFTEN,
    "differs": "IS NOT",
    "month": "substr(NEW.date, 1, 7)",
    "is_day": "date(NEW.date) IS NEW.date",
    "is_month": "strftime('%Y-%m', NEW.month || '-01') IS NEW.month",
    "next_month": "strftime('%Y-%m', MAX(month) || '-01', '+1 month')",
    "first_day": "NEW.month || '-01'",
}
_POSTGRESQL: Final = {
    **_OFTEN,
    "differs": "IS DISTINCT FROM",
    "month": "to_char(NEW.date, 'YYYY-MM')",
    "is_day": "TRUE",
    "is_month": "NEW.month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'",
    "next_month": "to_char((MAX(month) || '-01')::date + interval '1 month', 'YYYY-MM')",
    "first_day": "(NEW.month || '-01')::date",
}


@dataclass(frozen=True)
class Trigger:
    """One trigger as its database keeps it: `body` is the text that it shows to whoever asks for it."""

    name: str
    body: str
    make: tuple[str, ...]
    drop: str


def triggers(vendor: str) -> list[Trigger]:
    """Every trigger that guards the books on this kind of database."""
    if vendor == "sqlite":
        return [_on_sqlite(guard) for guard in GUARDS]
    return [
        *(_on_postgresql(guard) for guard in GUARDS),
        *(_never_truncated(table) for table in _BOOKS),
        _sealed_at_commit(),
    ]


def _on_sqlite(guard: Guard) -> Trigger:
    laws = "".join(f" SELECT RAISE(ABORT, '{said}') WHERE {broken.format(**_SQLITE)};" for broken, said in guard.broken)
    body = f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON scoring_{guard.table} BEGIN{laws} END"
    return Trigger(guard.name, body, (body,), f"DROP TRIGGER IF EXISTS {guard.name}")


def _on_postgresql(guard: Guard) -> Trigger:
    held = f" PERFORM {HOLD.format(club='NEW.club_id')};" if guard.name in _HELD else ""
    laws = "".join(_unless(broken.format(**_POSTGRESQL), said) for broken, said in guard.broken)
    answer = "OLD" if guard.event == "DELETE" else "NEW"
    when = f"BEFORE {guard.event} ON scoring_{guard.table} FOR EACH ROW"
    return _with_function(guard.name, f"BEGIN{held}{laws} RETURN {answer}; END", f"CREATE TRIGGER {guard.name} {when}")


def _never_truncated(table: str) -> Trigger:
    name = f"books_{table}_truncate"
    refused = _unless("TRUE", "The books are never emptied.")
    return _with_function(name, f"BEGIN{refused} END", f"CREATE TRIGGER {name} BEFORE TRUNCATE ON scoring_{table}")


def _sealed_at_commit() -> Trigger:
    name = "books_entry_sealed"
    unsealed = "EXISTS (SELECT 1 FROM scoring_entry WHERE id = NEW.id AND number IS NULL)"
    when = "AFTER INSERT ON scoring_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
    body = f"BEGIN{_unless(unsealed, 'An entry is sealed where it is written.')} RETURN NULL; END"
    return _with_function(name, body, f"CREATE CONSTRAINT TRIGGER {name} {when}")


def _unless(broken: str, said: str) -> str:
    fault = f"RAISE EXCEPTION USING MESSAGE = '{said}', ERRCODE = 'integrity_constraint_violation'"
    return f" IF {broken} THEN {fault}; END IF;"


def _with_function(name: str, body: str, made: str) -> Trigger:
    """On PostgreSQL a trigger is a function and the event that calls it."""
    function = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
    return Trigger(
        name, body, (function, f"{made} EXECUTE FUNCTION {name}()"), f"DROP FUNCTION IF EXISTS {name}() CASCADE"
    )
