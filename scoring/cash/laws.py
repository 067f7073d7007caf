"""The laws of the books that no constraint can express, as triggers: a sealed entry never changes, only a whole entry can
be sealed, months close in order.

Both databases get their triggers from one list, `GUARDS`; terms in which they differ stand there in braces. One exception: the
books of a club that is `leaving` are deleted with it, and such a club never comes back. PostgreSQL needs some more triggers: it can
empty a table without a trigger per row, it can check an entry at the commit, and it has several writers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.apps import apps
from django.db import connection, transaction

from scoring.cash.models import Entry


@dataclass(frozen=True)
class Guard:
    """One trigger: its table and event; `broken` are conditions in SQL, each with the message for a row that meets it."""

    table: str
    event: str
    broken: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return f"books_{self.table}_{self.event.split()[0].lower()}"


def _build_difference(*columns: str) -> str:
    return " OR ".join(f"NEW.{column} {{differs}} OLD.{column}" for column in columns)


# The columns of an entry that are fixed as soon as it is written.
_FIXED_COLUMNS: Final = (
    "id", "club_id", "key", "kind", "date", "booked_at", "actor_id", "evening_id", "month", "tariff_id",
    "reverses_id"
)  # fmt: skip
_ALWAYS: Final = "1 = 1"
_NO_TARIFF_OF_ITS_CLUB: Final = (
    "NOT EXISTS (SELECT 1 FROM scoring_tariff WHERE id = NEW.tariff_id AND club_id = NEW.club_id)"
)
_CHARGED_BY_ITS_CLUB: Final = "An evening is charged by a tariff of its club."
_HAS_AN_ACCOUNT: Final = "EXISTS (SELECT 1 FROM scoring_account WHERE player_id IN (OLD.id, NEW.id))"
_HAS_AN_ENTRY: Final = "EXISTS (SELECT 1 FROM scoring_entry WHERE evening_id IN (OLD.id, NEW.id))"
_WHOSE_ACCOUNT: Final = "Whoever has an account stays in its club, and nobody takes their place."
_WHAT_IT_IS_ABOUT: Final = "An evening that an entry is about stays what it is, in its club."
# The new reason is the old one with `…` in the place of names.
_BUT_GAPS: Final = (
    "OLD.reason LIKE replace(replace(replace(replace(NEW.reason, '!', '!!'), '%', '!%'), '_', '!_'), '…', '%') ESCAPE '!'"
)

GUARDS: Final = (
    Guard(
        "account",
        "INSERT",
        (
            (
                "EXISTS (SELECT 1 FROM scoring_account WHERE id = NEW.id OR player_id = NEW.player_id"
                " OR club_id = NEW.club_id AND code = NEW.code)",
                "An account is there once, and nothing takes its place.",
            ),
            (
                "NEW.player_id IS NOT NULL AND NOT EXISTS"
                " (SELECT 1 FROM scoring_player WHERE id = NEW.player_id AND club_id = NEW.club_id)",
                "An account belongs to a person of its club.",
            ),
        ),
    ),
    Guard("account", "UPDATE", ((_ALWAYS, "An account never changes."),)),
    Guard("account", "DELETE", (("{club_stays}", "An account is never deleted."),)),
    Guard(
        "entry",
        "INSERT",
        (
            ("NEW.number IS NOT NULL", "An entry is written with its legs before it is sealed."),
            (
                "EXISTS (SELECT 1 FROM scoring_entry WHERE id = NEW.id OR reverses_id = NEW.reverses_id"
                " OR club_id = NEW.club_id AND key = NEW.key)",
                "A key books once, an entry is reversed once, and nothing takes the place of an entry.",
            ),
            ("NOT ({is_day})", "An entry has a day."),
            (
                "NEW.evening_id IS NOT NULL AND NOT EXISTS"
                " (SELECT 1 FROM scoring_evening WHERE id = NEW.evening_id AND club_id = NEW.club_id)",
                "An entry is about an evening of its club.",
            ),
            (
                "NEW.tariff_id IS NOT NULL AND NOT EXISTS"
                " (SELECT 1 FROM scoring_tariff WHERE id = NEW.tariff_id AND club_id = NEW.club_id)",
                "An entry is charged by a tariff of its club.",
            ),
        ),
    ),
    Guard(
        "entry",
        "UPDATE",
        (
            (
                _build_difference(*_FIXED_COLUMNS) + " OR OLD.number IS NOT NULL AND (" + _build_difference("number") + ")",
                "An entry never changes.",
            ),
            (
                "("
                + _build_difference("reason")
                + f") AND (NEW.reason NOT LIKE '%…%' OR length(NEW.reason) > length(OLD.reason) OR NOT ({_BUT_GAPS}))",
                "A reason only loses a name.",
            ),
            (
                "{sealing} AND (SELECT COUNT(*) FROM scoring_leg WHERE entry_id = NEW.id) < 2",
                "An entry has two legs at least.",
            ),
            (
                "{sealing} AND (SELECT SUM(cents) FROM scoring_leg WHERE entry_id = NEW.id) <> 0",
                "The legs of an entry sum to 0.",
            ),
            (
                "{sealing} AND NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM scoring_entry"
                " WHERE club_id = NEW.club_id AND year = OLD.year)",
                "Numbers have no gaps.",
            ),
            (
                "{sealing} AND EXISTS (SELECT 1 FROM scoring_period WHERE club_id = NEW.club_id AND month >= {month})",
                "Nothing is dated into a closed month.",
            ),
            (
                "{sealing} AND NEW.reverses_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring_entry AS was"
                " WHERE was.id = NEW.reverses_id AND was.club_id = NEW.club_id AND was.number IS NOT NULL"
                " AND was.reverses_id IS NULL AND was.date <= NEW.date)",
                "Reversed is a sealed entry of the same club, of no later day, that is no reversal itself.",
            ),
            (
                "{sealing} AND NEW.reverses_id IS NOT NULL AND EXISTS (SELECT 1 FROM scoring_leg"
                " WHERE entry_id IN (NEW.id, NEW.reverses_id) GROUP BY account_id, kind HAVING SUM(cents) <> 0)",
                "A reversal mirrors every leg of its entry.",
            ),
        ),
    ),
    Guard(
        "entry",
        "DELETE",
        (("OLD.number IS NOT NULL AND {club_stays}", "A sealed entry is never deleted."),),
    ),
    Guard(
        "leg",
        "INSERT",
        (
            (
                "NOT EXISTS (SELECT 1 FROM scoring_entry WHERE id = NEW.entry_id AND number IS NULL)",
                "A sealed entry gets no further leg.",
            ),
            (
                "EXISTS (SELECT 1 FROM scoring_leg WHERE id = NEW.id"
                " OR entry_id = NEW.entry_id AND account_id = NEW.account_id AND kind = NEW.kind)",
                "Nothing takes the place of a leg.",
            ),
            (
                "NOT EXISTS (SELECT 1 FROM scoring_entry JOIN scoring_account ON scoring_account.club_id = scoring_entry.club_id"
                " WHERE scoring_entry.id = NEW.entry_id AND scoring_account.id = NEW.account_id)",
                "Legs stay within their club.",
            ),
        ),
    ),
    Guard("leg", "UPDATE", ((_ALWAYS, "A leg never changes."),)),
    Guard(
        "leg",
        "DELETE",
        (
            (
                "EXISTS (SELECT 1 FROM scoring_entry WHERE id = OLD.entry_id AND number IS NOT NULL AND {its_club_stays})",
                "A leg of a sealed entry is never deleted.",
            ),
        ),
    ),
    Guard(
        "period",
        "INSERT",
        (
            (
                "EXISTS (SELECT 1 FROM scoring_period WHERE id = NEW.id OR club_id = NEW.club_id AND month = NEW.month)",
                "A month is closed once.",
            ),
            ("NOT ({is_month})", "What is closed is a month."),
            (
                "NEW.month <> (SELECT COALESCE({next_month}, NEW.month) FROM scoring_period WHERE club_id = NEW.club_id)",
                "Months close in order.",
            ),
            (
                "NOT EXISTS (SELECT 1 FROM scoring_period WHERE club_id = NEW.club_id) AND EXISTS (SELECT 1 FROM scoring_entry"
                " WHERE club_id = NEW.club_id AND date < {first_day})",
                "The first month that is closed is that of the first entry, or an earlier one.",
            ),
        ),
    ),
    Guard("period", "UPDATE", ((_ALWAYS, "A closed month never changes."),)),
    Guard("period", "DELETE", (("{club_stays}", "A closed month never opens again."),)),
    Guard(
        "tariff",
        "INSERT",
        (
            (
                "EXISTS (SELECT 1 FROM scoring_tariff WHERE id = NEW.id OR club_id = NEW.club_id AND version = NEW.version)",
                "Nothing takes the place of a tariff.",
            ),
        ),
    ),
    Guard(
        "tariff",
        "UPDATE",
        (
            (_build_difference("id", "club_id", "version"), "A tariff stays the version that it is."),
            (
                "EXISTS (SELECT 1 FROM scoring_evening WHERE tariff_id = OLD.id)"
                " OR EXISTS (SELECT 1 FROM scoring_entry WHERE tariff_id = OLD.id)",
                "A tariff in use never changes.",
            ),
        ),
    ),
    # Changes that could get round the exception, or the borders between clubs.
    Guard(
        "club",
        "INSERT",
        (
            (
                "EXISTS (SELECT 1 FROM scoring_account WHERE club_id = NEW.id OR club_id ="
                " (SELECT id FROM scoring_club WHERE slug = NEW.slug))",
                "Nothing takes the place of a club with books.",
            ),
        ),
    ),
    Guard(
        "club",
        "UPDATE OF id, slug, leaving",
        (
            (
                "OLD.leaving AND NOT NEW.leaving OR NEW.leaving AND NEW.slug NOT LIKE '~%'",
                "A club that leaves is hidden, and never comes back.",
            ),
            (
                "NEW.id <> OLD.id OR EXISTS (SELECT 1 FROM scoring_account WHERE club_id ="
                " (SELECT id FROM scoring_club WHERE slug = NEW.slug AND id <> OLD.id))",
                "Nothing takes the place of a club with books.",
            ),
        ),
    ),
    Guard(
        "club",
        "DELETE",
        (
            (
                "NOT OLD.leaving AND EXISTS (SELECT 1 FROM scoring_account WHERE club_id = OLD.id)",
                "The books of a club go only where all of it goes.",
            ),
        ),
    ),
    Guard(
        "player",
        "INSERT",
        (("EXISTS (SELECT 1 FROM scoring_account WHERE player_id = NEW.id)", _WHOSE_ACCOUNT),),
    ),
    Guard(
        "player",
        "UPDATE OF id, club_id",
        ((f"({_build_difference('id', 'club_id')}) AND {_HAS_AN_ACCOUNT}", _WHOSE_ACCOUNT),),
    ),
    Guard(
        "evening",
        "INSERT",
        (
            ("NEW.tariff_id IS NOT NULL AND " + _NO_TARIFF_OF_ITS_CLUB, _CHARGED_BY_ITS_CLUB),
            ("EXISTS (SELECT 1 FROM scoring_entry WHERE evening_id = NEW.id)", _WHAT_IT_IS_ABOUT),
        ),
    ),
    Guard(
        "evening",
        "UPDATE OF id, key, club_id, tariff_id",
        (
            ("NEW.tariff_id IS NOT NULL AND " + _NO_TARIFF_OF_ITS_CLUB, _CHARGED_BY_ITS_CLUB),
            (f"({_build_difference('id', 'key', 'club_id')}) AND {_HAS_AN_ENTRY}", _WHAT_IT_IS_ABOUT),
        ),
    ),
)


# PostgreSQL: a writer to the books of a club holds this advisory lock until the commit. SQLite has one writer anyway.
LOCK_CALL: Final = "pg_advisory_xact_lock(1701, {club}::integer)"
_LOCKING: Final = ("books_entry_insert", "books_entry_update", "books_period_insert")
_BOOKS: Final = ("account", "entry", "leg", "period")
# Terms that several laws share. A club that is gone was leaving.
_SHARED_TERMS: Final = {
    "sealing": "OLD.number IS NULL AND NEW.number IS NOT NULL",
    "club_stays": "EXISTS (SELECT 1 FROM scoring_club WHERE id = OLD.club_id AND NOT leaving)",
    "its_club_stays": "EXISTS (SELECT 1 FROM scoring_club WHERE id = scoring_entry.club_id AND NOT leaving)",
}
_SQLITE: Final = {
    **_SHARED_TERMS,
    "differs": "IS NOT",
    "month": "substr(NEW.date, 1, 7)",
    "is_day": "date(NEW.date) IS NEW.date",
    "is_month": "strftime('%Y-%m', NEW.month || '-01') IS NEW.month",
    "next_month": "strftime('%Y-%m', MAX(month) || '-01', '+1 month')",
    "first_day": "NEW.month || '-01'",
}
_POSTGRESQL: Final = {
    **_SHARED_TERMS,
    "differs": "IS DISTINCT FROM",
    "month": "to_char(NEW.date, 'YYYY-MM')",
    "is_day": "TRUE",
    "is_month": "NEW.month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'",
    "next_month": "to_char((MAX(month) || '-01')::date + interval '1 month', 'YYYY-MM')",
    "first_day": "(NEW.month || '-01')::date",
}


@dataclass(frozen=True)
class Trigger:
    """One trigger as its database stores it: `body` is the text that the catalogue of the database returns."""

    name: str
    body: str
    make: tuple[str, ...]
    drop: str


def build_triggers(vendor: str) -> list[Trigger]:
    """Build every trigger that guards the books on this kind of database."""
    if vendor == "sqlite":
        return [_build_for_sqlite(guard) for guard in GUARDS]
    return [
        *(_build_for_postgresql(guard) for guard in GUARDS),
        *(_build_truncate_trigger(table) for table in _BOOKS),
        _build_commit_trigger(),
    ]


def _build_for_sqlite(guard: Guard) -> Trigger:
    laws = "".join(f" SELECT RAISE(ABORT, '{message}') WHERE {broken.format(**_SQLITE)};" for broken, message in guard.broken)
    body = f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON scoring_{guard.table} BEGIN{laws} END"
    return Trigger(guard.name, body, (body,), f"DROP TRIGGER IF EXISTS {guard.name}")


def _build_for_postgresql(guard: Guard) -> Trigger:
    held = f" PERFORM {LOCK_CALL.format(club='NEW.club_id')};" if guard.name in _LOCKING else ""
    laws = "".join(_build_raise(broken.format(**_POSTGRESQL), message) for broken, message in guard.broken)
    answer = "OLD" if guard.event == "DELETE" else "NEW"
    when = f"BEFORE {guard.event} ON scoring_{guard.table} FOR EACH ROW"
    return _build_with_function(guard.name, f"BEGIN{held}{laws} RETURN {answer}; END", f"CREATE TRIGGER {guard.name} {when}")


def _build_truncate_trigger(table: str) -> Trigger:
    name = f"books_{table}_truncate"
    refused = _build_raise("TRUE", "The books are never emptied.")
    return _build_with_function(name, f"BEGIN{refused} END", f"CREATE TRIGGER {name} BEFORE TRUNCATE ON scoring_{table}")


def _build_commit_trigger() -> Trigger:
    name = "books_entry_sealed"
    unsealed = "EXISTS (SELECT 1 FROM scoring_entry WHERE id = NEW.id AND number IS NULL)"
    when = "AFTER INSERT ON scoring_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
    body = f"BEGIN{_build_raise(unsealed, 'An entry is sealed where it is written.')} RETURN NULL; END"
    return _build_with_function(name, body, f"CREATE CONSTRAINT TRIGGER {name} {when}")


def _build_raise(broken: str, message: str) -> str:
    fault = f"RAISE EXCEPTION USING MESSAGE = '{message}', ERRCODE = 'integrity_constraint_violation'"
    return f" IF {broken} THEN {fault}; END IF;"


def _build_with_function(name: str, body: str, made: str) -> Trigger:
    """Build a trigger of PostgreSQL: a function, and the event that calls it."""
    function = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
    return Trigger(
        name, body, (function, f"{made} EXECUTE FUNCTION {name}()"), f"DROP FUNCTION IF EXISTS {name}() CASCADE"
    )


@transaction.atomic
def create_triggers() -> None:
    """Create every trigger anew; none while a table is missing, so not before the last migration."""
    ours = {model._meta.db_table for model in apps.get_app_config("scoring").get_models()}
    with connection.cursor() as cursor:
        there = ours <= set(connection.introspection.table_names(cursor))
        for trigger in build_triggers(connection.vendor):
            for statement in (trigger.drop, *(trigger.make if there else ())):
                cursor.execute(statement)


@transaction.atomic
def drop_triggers() -> None:
    """Drop every trigger, while migrations change tables: SQLite creates a changed table anew, without its triggers."""
    with connection.cursor() as cursor:
        for trigger in build_triggers(connection.vendor):
            cursor.execute(trigger.drop)


_TRIGGER_QUERIES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE tgenabled = 'O'",
}


def list_missing_triggers() -> list[str]:
    """List the names of the triggers that are missing, in the order of the laws; none if there are no books yet."""
    with connection.cursor() as cursor:
        if Entry._meta.db_table not in connection.introspection.table_names(cursor):
            return []
        cursor.execute(_TRIGGER_QUERIES[connection.vendor])
        stored = dict(cursor.fetchall())
    return [trigger.name for trigger in build_triggers(connection.vendor) if stored.get(trigger.name) != trigger.body]
