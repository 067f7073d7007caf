"""The laws of the books that no constraint can express, as triggers: a sealed entry never changes, only a whole entry can
be sealed, months close in order.

Both databases get their triggers from one list, `GUARDS`; names in braces stand there for SQL in which the two databases differ.
One exception: the books of a club that is `leaving` are deleted with it, and such a club never comes back. PostgreSQL needs some
more triggers: it can empty a table without a trigger per row, it can check an entry at the commit, and it has several writers."""

from __future__ import annotations

from enum import Enum, unique
from typing import Final

from django.apps import apps
from django.db import connection, transaction
from django.utils.translation import gettext_noop as _

from scoring.cash.models import Entry


@unique
class Law(Enum):
    """The laws of sound books, named by how they are broken, each with the sentence for it."""

    UNGUARDED = _("Die Bücher der Kasse sind nicht geschützt: %(name)s fehlt.")
    NEVER_SEALED = _("Buchung %(key)s: nie abgeschlossen, zählt nirgends")
    NOT_ZERO = _("Buchung %(number)s: ihre Zeilen ergeben nicht 0")
    LEG_BEYOND = _("Buchung %(number)s: eine Zeile über %(cents)s Cent")
    NUMBER_MISSING = _("%(year)s: die Nummern haben Lücken")
    NO_MIRROR = _("Buchung %(number)s: nimmt nicht genau eine andere zurück")
    ACCOUNT_ELSEWHERE = _("Buchung %(number)s: ein Konto eines anderen Clubs")
    ACCOUNT_OF_NOBODY = _("Konto %(code)s: gehört niemandem aus dem Club")
    TARIFF_ELSEWHERE = _("Abend vom %(date)s: ein Tarif eines anderen Clubs")
    PERSON_ELSEWHERE = _("Abend vom %(date)s: jemand aus einem anderen Club")
    EVENING_ELSEWHERE = _("Buchung %(number)s: ein Abend eines anderen Clubs")
    MONTH_OPEN_BEFORE = _("%(month)s: ein Monat davor ist nicht abgeschlossen")
    NOT_ITS_HASH = _("%(month)s: der Abschluss ist nicht, was seine Prüfsumme sagt")
    NOT_ITS_ENTRIES = _("%(month)s: der Abschluss ist nicht, was die Buchungen ergeben")
    NOT_ITS_COST = _("Abend vom %(date)s: gebucht ist nicht, was er kostet")
    BALANCES_NOT_ZERO = _("die Salden der Konten ergeben nicht 0")


def _build_difference(*columns: str) -> str:
    return " OR ".join(f"NEW.{column} {{differs}} OLD.{column}" for column in columns)


def _build_taken(table: str, *keys: str) -> str:
    """Return the condition that a row with the id of the new one, or with the same values of one of these keys, exists already."""
    same = (" AND ".join(f"{column} = NEW.{column}" for column in key.split()) for key in ("id", *keys))
    return f"EXISTS (SELECT 1 FROM scoring_{table} WHERE {' OR '.join(same)})"  # nosec B608


def _build_foreign(table: str) -> str:
    """Return the condition that the new row names a row of this table, but none of its club."""
    found = f"SELECT 1 FROM scoring_{table} WHERE id = NEW.{table}_id AND club_id = NEW.club_id"  # nosec B608
    return f"NEW.{table}_id IS NOT NULL AND NOT EXISTS ({found})"


# The columns of an entry that are fixed as soon as it is written.
_FIXED_COLUMNS: Final = (
    "id", "club_id", "key", "kind", "date", "booked_at", "actor_id", "evening_id", "month", "tariff_id",
    "reverses_id"
)  # fmt: skip
_ALWAYS: Final = "1 = 1"
_CHARGED_BY_ITS_CLUB: Final = "An evening is charged by a tariff of its club."
_HAS_AN_ACCOUNT: Final = "EXISTS (SELECT 1 FROM scoring_account WHERE player_id IN (OLD.id, NEW.id))"
_HAS_AN_ENTRY: Final = "EXISTS (SELECT 1 FROM scoring_entry WHERE evening_id IN (OLD.id, NEW.id))"
_WHOSE_ACCOUNT: Final = "Whoever has an account stays in its club, and nobody takes their place."
_WHAT_IT_IS_ABOUT: Final = "An evening that an entry is about stays what it is, in its club."
# The new reason is the old one with `…` in the place of names.
_BUT_GAPS: Final = (
    "OLD.reason LIKE replace(replace(replace(replace(NEW.reason, '!', '!!'), '%', '!%'), '_', '!_'), '…', '%') ESCAPE '!'"
)

# The triggers by table and event: each message, with the condition in SQL for a row that is refused with it.
GUARDS: Final[dict[tuple[str, str], dict[str, str]]] = {
    ("account", "INSERT"): {
        "An account is there once, and nothing takes its place.": _build_taken("account", "player_id", "club_id code"),
        "An account belongs to a person of its club.": _build_foreign("player"),
    },
    ("account", "UPDATE"): {"An account never changes.": _ALWAYS},
    ("account", "DELETE"): {"An account is never deleted.": "{club_stays}"},
    ("entry", "INSERT"): {
        "An entry is written with its legs before it is sealed.": "NEW.number IS NOT NULL",
        "A key books once, an entry is reversed once, and nothing takes the place of an entry.": (
            _build_taken("entry", "reverses_id", "club_id key")
        ),
        "An entry has a day.": "NOT ({is_day})",
        "An entry is about an evening of its club.": _build_foreign("evening"),
        "An entry is charged by a tariff of its club.": _build_foreign("tariff"),
    },
    ("entry", "UPDATE"): {
        "An entry never changes.": (
            _build_difference(*_FIXED_COLUMNS) + " OR OLD.number IS NOT NULL AND (" + _build_difference("number") + ")"
        ),
        "A reason only loses a name.": (
            f"({_build_difference('reason')}) AND (NEW.reason NOT LIKE '%…%'"
            f" OR length(NEW.reason) > length(OLD.reason) OR NOT ({_BUT_GAPS}))"
        ),
        "An entry has two legs at least.": "{sealing} AND (SELECT COUNT(*) FROM scoring_leg WHERE entry_id = NEW.id) < 2",
        "The legs of an entry sum to 0.": "{sealing} AND (SELECT SUM(cents) FROM scoring_leg WHERE entry_id = NEW.id) <> 0",
        "Numbers have no gaps.": (
            "{sealing} AND NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM scoring_entry"
            " WHERE club_id = NEW.club_id AND year = OLD.year)"
        ),
        "Nothing is dated into a closed month.": (
            "{sealing} AND EXISTS (SELECT 1 FROM scoring_period WHERE club_id = NEW.club_id AND month >= {month})"
        ),
        "Reversed is a sealed entry of the same club, of no later day, that is no reversal itself.": (
            "{sealing} AND NEW.reverses_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM scoring_entry AS was"
            " WHERE was.id = NEW.reverses_id AND was.club_id = NEW.club_id AND was.number IS NOT NULL"
            " AND was.reverses_id IS NULL AND was.date <= NEW.date)"
        ),
        "A reversal mirrors every leg of its entry.": (
            "{sealing} AND NEW.reverses_id IS NOT NULL AND EXISTS (SELECT 1 FROM scoring_leg"
            " WHERE entry_id IN (NEW.id, NEW.reverses_id) GROUP BY account_id, kind HAVING SUM(cents) <> 0)"
        ),
    },
    ("entry", "DELETE"): {"A sealed entry is never deleted.": "OLD.number IS NOT NULL AND {club_stays}"},
    ("leg", "INSERT"): {
        "A sealed entry gets no further leg.": (
            "NOT EXISTS (SELECT 1 FROM scoring_entry WHERE id = NEW.entry_id AND number IS NULL)"
        ),
        "Nothing takes the place of a leg.": _build_taken("leg", "entry_id account_id kind"),
        "Legs stay within their club.": (
            "NOT EXISTS (SELECT 1 FROM scoring_entry JOIN scoring_account ON scoring_account.club_id = scoring_entry.club_id"
            " WHERE scoring_entry.id = NEW.entry_id AND scoring_account.id = NEW.account_id)"
        ),
    },
    ("leg", "UPDATE"): {"A leg never changes.": _ALWAYS},
    ("leg", "DELETE"): {
        "A leg of a sealed entry is never deleted.": (
            "EXISTS (SELECT 1 FROM scoring_entry WHERE id = OLD.entry_id AND number IS NOT NULL AND {its_club_stays})"
        ),
    },
    ("period", "INSERT"): {
        "A month is closed once.": _build_taken("period", "club_id month"),
        "What is closed is a month.": "NOT ({is_month})",
        "Months close in order.": (
            "NEW.month <> (SELECT COALESCE({next_month}, NEW.month) FROM scoring_period WHERE club_id = NEW.club_id)"
        ),
        "The first month that is closed is that of the first entry, or an earlier one.": (
            "NOT EXISTS (SELECT 1 FROM scoring_period WHERE club_id = NEW.club_id) AND EXISTS (SELECT 1 FROM scoring_entry"
            " WHERE club_id = NEW.club_id AND date < {first_day})"
        ),
    },
    ("period", "UPDATE"): {"A closed month never changes.": _ALWAYS},
    ("period", "DELETE"): {"A closed month never opens again.": "{club_stays}"},
    ("tariff", "INSERT"): {
        "Nothing takes the place of a tariff.": _build_taken("tariff", "club_id version"),
    },
    ("tariff", "UPDATE"): {
        "A tariff stays the version that it is.": _build_difference("id", "club_id", "version"),
        "A tariff in use never changes.": (
            "EXISTS (SELECT 1 FROM scoring_evening WHERE tariff_id = OLD.id)"
            " OR EXISTS (SELECT 1 FROM scoring_entry WHERE tariff_id = OLD.id)"
        ),
    },
    # Changes that could get round the exception, or the borders between clubs.
    ("club", "INSERT"): {
        "Nothing takes the place of a club with books.": (
            "EXISTS (SELECT 1 FROM scoring_account WHERE club_id = NEW.id OR club_id ="
            " (SELECT id FROM scoring_club WHERE slug = NEW.slug))"
        ),
    },
    ("club", "UPDATE OF id, slug, leaving"): {
        "A club that leaves is hidden, and never comes back.": (
            "OLD.leaving AND NOT NEW.leaving OR NEW.leaving AND NEW.slug NOT LIKE '~%'"
        ),
        "Nothing takes the place of a club with books.": (
            "NEW.id <> OLD.id OR EXISTS (SELECT 1 FROM scoring_account WHERE club_id ="
            " (SELECT id FROM scoring_club WHERE slug = NEW.slug AND id <> OLD.id))"
        ),
    },
    ("club", "DELETE"): {
        "The books of a club go only where all of it goes.": (
            "NOT OLD.leaving AND EXISTS (SELECT 1 FROM scoring_account WHERE club_id = OLD.id)"
        ),
    },
    ("player", "INSERT"): {_WHOSE_ACCOUNT: "EXISTS (SELECT 1 FROM scoring_account WHERE player_id = NEW.id)"},
    ("player", "UPDATE OF id, club_id"): {
        _WHOSE_ACCOUNT: f"({_build_difference('id', 'club_id')}) AND {_HAS_AN_ACCOUNT}",
    },
    ("evening", "INSERT"): {
        _CHARGED_BY_ITS_CLUB: _build_foreign("tariff"),
        _WHAT_IT_IS_ABOUT: "EXISTS (SELECT 1 FROM scoring_entry WHERE evening_id = NEW.id)",
    },
    ("evening", "UPDATE OF id, key, club_id, tariff_id"): {
        _CHARGED_BY_ITS_CLUB: _build_foreign("tariff"),
        _WHAT_IT_IS_ABOUT: f"({_build_difference('id', 'key', 'club_id')}) AND {_HAS_AN_ENTRY}",
    },
}


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


# A trigger: its name, its body as the catalogue of the database returns it, and the statements that create it.
Trigger = tuple[str, str, tuple[str, ...]]
_DROP = {"sqlite": "DROP TRIGGER IF EXISTS {name}", "postgresql": "DROP FUNCTION IF EXISTS {name}() CASCADE"}


def build_triggers(vendor: str) -> list[Trigger]:
    build = _build_for_sqlite if vendor == "sqlite" else _build_for_postgresql
    triggers = [
        build(f"books_{table}_{event.split()[0].lower()}", f"{event} ON scoring_{table}", broken)
        for (table, event), broken in GUARDS.items()
    ]
    if vendor == "sqlite":
        return triggers
    return [*triggers, *map(_build_truncate_trigger, _BOOKS), _build_commit_trigger()]


def _build_for_sqlite(name: str, event: str, broken: dict[str, str]) -> Trigger:
    laws = "".join(f" SELECT RAISE(ABORT, '{message}') WHERE {row.format(**_SQLITE)};" for message, row in broken.items())
    body = f"CREATE TRIGGER {name} BEFORE {event} BEGIN{laws} END"
    return name, body, (body,)


def _build_for_postgresql(name: str, event: str, broken: dict[str, str]) -> Trigger:
    held = f" PERFORM {LOCK_CALL.format(club='NEW.club_id')};" if name in _LOCKING else ""
    laws = "".join(_build_raise(row.format(**_POSTGRESQL), message) for message, row in broken.items())
    answer = "OLD" if event.startswith("DELETE") else "NEW"
    return _build_with_function(name, f"BEGIN{held}{laws} RETURN {answer}; END", f"BEFORE {event} FOR EACH ROW")


def _build_truncate_trigger(table: str) -> Trigger:
    body = f"BEGIN{_build_raise('TRUE', 'The books are never emptied.')} END"
    return _build_with_function(f"books_{table}_truncate", body, f"BEFORE TRUNCATE ON scoring_{table}")


def _build_commit_trigger() -> Trigger:
    unsealed = "EXISTS (SELECT 1 FROM scoring_entry WHERE id = NEW.id AND number IS NULL)"
    body = f"BEGIN{_build_raise(unsealed, 'An entry is sealed where it is written.')} RETURN NULL; END"
    when = "AFTER INSERT ON scoring_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
    return _build_with_function("books_entry_sealed", body, when, "CONSTRAINT TRIGGER")


def _build_raise(broken: str, message: str) -> str:
    fault = f"RAISE EXCEPTION USING MESSAGE = '{message}', ERRCODE = 'integrity_constraint_violation'"
    return f" IF {broken} THEN {fault}; END IF;"


def _build_with_function(name: str, body: str, when: str, kind: str = "TRIGGER") -> Trigger:
    """Build a trigger of PostgreSQL: a function, and the event that calls it."""
    function = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
    trigger = f"CREATE {kind} {name} {when} EXECUTE FUNCTION {name}()"
    return name, body, (function, trigger)


@transaction.atomic
def create_triggers() -> None:
    """Create every trigger anew; none while a table is missing, so not before the last migration."""
    ours = {model._meta.db_table for model in apps.get_app_config("scoring").get_models()}
    with connection.cursor() as cursor:
        there = ours <= set(connection.introspection.table_names(cursor))
        for name, _body, make in build_triggers(connection.vendor):
            for statement in (_DROP[connection.vendor].format(name=name), *(make if there else ())):
                cursor.execute(statement)


@transaction.atomic
def drop_triggers() -> None:
    """Drop every trigger, while migrations change tables: SQLite creates a changed table anew, without its triggers."""
    with connection.cursor() as cursor:
        for name, _body, _make in build_triggers(connection.vendor):
            cursor.execute(_DROP[connection.vendor].format(name=name))


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
    return [name for name, body, _make in build_triggers(connection.vendor) if stored.get(name) != body]
