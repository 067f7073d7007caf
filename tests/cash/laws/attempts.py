"""Attempts to change the books by SQL, past the program: each a name, one statement or several, and where it is only SQLite's or
only PostgreSQL's. In braces stand the ids of the scene: a sealed `entry` of two legs, one that was `reversed` by `reversal`, an
`open` entry that somebody wrote and has not sealed, and rows of the other club."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Model

from scoring.models import Evening, Player

_LEG: Final = "INSERT INTO scoring_leg (entry_id, account_id, cents, kind) VALUES"
_OF_PERIOD: Final = "club_id, month, statement, sha256, closed_at"
_OF_TARIFF: Final = "id, club_id, version, content, made_at"
_COLUMNS: Final = "club_id, key, kind, date, booked_at, month, reason"


def _new(kind: str = "income", day: str = "2026-03-06", **more: str) -> str:
    """An entry written past the program."""
    names, values = "".join(f", {name}" for name in more), "".join(f", {value}" for value in more.values())
    told = f"{{club}}, '{{key}}', '{kind}', '{day}', '2026-03-06', '', 'x'"
    return f"INSERT INTO scoring_entry ({_COLUMNS}{names}) VALUES ({told}{values})"


def _reversing(entry: str, day: str = "2026-03-06") -> tuple[str, ...]:
    """A reversal of 5 cents."""
    return _new("reversal", day, reverses_id=entry), _legs(_WRITTEN, -5, 5), _seal(_WRITTEN)


def _closing(club: str, month: str) -> str:
    """A month closed past the program, as February was."""
    like = "statement, sha256, closed_at FROM scoring_period WHERE id = {period}"
    return f"INSERT INTO scoring_period ({_OF_PERIOD}) SELECT {club}, '{month}', {like}"


def _seal(entry: str, number: str = "{next}") -> str:
    return f"UPDATE scoring_entry SET number = {number} WHERE id = {entry}"


def _legs(entry: str, *cents: int) -> str:
    """Legs on the box and on an income, in turn."""
    accounts = ("{cash}", "{income}")
    return f"{_LEG} " + ", ".join(
        f"({entry}, {account}, {one}, 'x')" for account, one in zip(accounts, cents, strict=False)
    )


# The entry that one of the statements before wrote.
_WRITTEN: Final = "(SELECT id FROM scoring_entry WHERE key = '{key}')"


class Attempt(NamedTuple):
    name: str
    statements: tuple[str, ...]
    only: str = ""


def _one(name: str, *statements: str) -> Attempt:
    return Attempt(name, statements)


def _copy(model: type[Model], row: str, **changed: str) -> str:
    """The row once more, with something else in it."""
    columns = [field.column for field in model._meta.concrete_fields]
    values = ", ".join(changed.get(column, column) for column in columns)
    table = model._meta.db_table
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} WHERE id = {row}"


def _in_their_place(model: type[Model], row: str, **changed: str) -> str:
    return _copy(model, row, **changed).replace("INSERT", "INSERT OR REPLACE", 1)


def _replacing(table: str, values: str) -> Attempt:
    return Attempt(f"INSERT OR REPLACE INTO {table}", (f"INSERT OR REPLACE INTO scoring_{table} {values}",), "sqlite")


def _copied(table: str, columns: str, changed: str, row: str) -> Attempt:
    """The row once more, with its id, and something else in it."""
    return _replacing(f"{table}", f"({columns}) SELECT {changed} FROM scoring_{table} WHERE id = {row}")


def _emptied(table: str, more: str = "") -> Attempt:
    return Attempt(f"TRUNCATE {table}{more}", (f"TRUNCATE scoring_{table}{more}",), "postgresql")


ATTEMPTS: Final = (
    # What was sealed stays as it is.
    _one("another day", "UPDATE scoring_entry SET date = '2026-03-07' WHERE id = {entry}"),
    _one("another day of a closed month", "UPDATE scoring_entry SET date = '2026-02-07' WHERE id = {closed}"),
    _one("another kind", "UPDATE scoring_entry SET kind = 'income' WHERE id = {entry}"),
    _one("another key", "UPDATE scoring_entry SET key = '{key}' WHERE id = {entry}"),
    _one("another number", "UPDATE scoring_entry SET number = 99 WHERE id = {entry}"),
    _one("numbers exchanged", "UPDATE scoring_entry SET number = 100 - number WHERE club_id = {club}"),
    _one("no number", "UPDATE scoring_entry SET number = NULL WHERE id = {entry}"),
    _one("somebody else's", "UPDATE scoring_entry SET actor_id = 77 WHERE id = {entry}"),
    _one("another month", "UPDATE scoring_entry SET month = '2026-03' WHERE id = {entry}"),
    _one("another moment", "UPDATE scoring_entry SET booked_at = '2020-01-01' WHERE id = {entry}"),
    _one("about an evening", "UPDATE scoring_entry SET evening_id = {evening} WHERE id = {entry}"),
    _one("another club", "UPDATE scoring_entry SET club_id = {other_club} WHERE id = {entry}"),
    _one("another id", "UPDATE scoring_entry SET id = 4711 WHERE id = {entry}"),
    _one("no reversal any more", "UPDATE scoring_entry SET kind = 'income', reverses_id = NULL WHERE id = {reversal}"),
    _one("another reason", "UPDATE scoring_entry SET reason = 'Anders' WHERE id = {reversal}"),
    _one("a reason of other words", "UPDATE scoring_entry SET reason = '… anders' WHERE id = {reversal}"),
    _one("a longer reason", "UPDATE scoring_entry SET reason = 'Vertippt … und mehr' WHERE id = {reversal}"),
    _one("more cents", "UPDATE scoring_leg SET cents = cents * 2 WHERE entry_id = {entry}"),
    _one("cents moved", "UPDATE scoring_leg SET account_id = {other_cash} WHERE account_id = {cash}"),
    _one("a leg of another entry", "UPDATE scoring_leg SET entry_id = {open} WHERE entry_id = {entry}"),
    _one("another kind of leg", "UPDATE scoring_leg SET kind = 'dues' WHERE entry_id = {entry}"),
    _one("another code", "UPDATE scoring_account SET code = 'income:lottery' WHERE id = {cash}"),
    _one("somebody else's account", "UPDATE scoring_account SET player_id = {bodo} WHERE id = {person}"),
    _one("an account of another club", "UPDATE scoring_account SET club_id = {other_club} WHERE id = {income}"),
    _one("another statement", "UPDATE scoring_period SET statement = '[]' WHERE club_id = {club}"),
    _one("another hash", "UPDATE scoring_period SET sha256 = replace(sha256, '0', '1') WHERE club_id = {club}"),
    _one("another month closed", "UPDATE scoring_period SET month = '2026-01' WHERE club_id = {club}"),
    _one("another tariff", "UPDATE scoring_entry SET tariff_id = {tariff} WHERE id = {entry}"),
    _one("another club's tariff", _new(tariff_id="{other_tariff}")),
    _one("an evening by another club's tariff", "UPDATE scoring_evening SET tariff_id = {other_tariff} WHERE id = {evening}"),
    _one("a tariff in use changed", "UPDATE scoring_tariff SET content = '{{}}' WHERE id = {tariff}"),
    _one("another version of a tariff", "UPDATE scoring_tariff SET version = 9 WHERE id = {other_tariff}"),
    _copied("tariff", _OF_TARIFF, _OF_TARIFF.replace("version", "9"), "{tariff}"),
    # Nothing is deleted, and nothing takes the place of anything.
    _one("an entry deleted", "DELETE FROM scoring_entry WHERE id = {entry}"),
    _one("its legs deleted", "DELETE FROM scoring_leg WHERE entry_id = {entry}"),
    _one("the last entry deleted", "DELETE FROM scoring_entry WHERE number = 4"),
    _one("all legs deleted", "DELETE FROM scoring_leg"),
    _one("an account deleted", "DELETE FROM scoring_account WHERE id = {unused}"),
    _one("a month opened", "DELETE FROM scoring_period WHERE club_id = {club}"),
    _one("the club deleted", "DELETE FROM scoring_club WHERE id = {club}"),
    _emptied("leg"),
    _emptied("entry", " CASCADE"),
    _emptied("account", " CASCADE"),
    _emptied("period", " CASCADE"),
    _emptied("club", " CASCADE"),
    _copied("entry", f"id, {_COLUMNS}", f"id, {_COLUMNS}", "{entry}"),
    _copied("entry", _COLUMNS, _COLUMNS, "{entry}"),
    _copied("leg", "id, entry_id, account_id, cents, kind", "id, {open}, account_id, cents, kind", "{leg}"),
    _copied("account", "id, club_id, code, player_id", "id, club_id, 'bank', player_id", "{cash}"),
    _copied("account", "club_id, code, player_id", "club_id, 'member:9', player_id", "{person}"),
    _copied("period", f"id, {_OF_PERIOD}", f"id, {_OF_PERIOD.replace('statement', repr('[]'))}", "{period}"),
    Attempt(
        "a club with the same slug",
        ("UPDATE OR REPLACE scoring_club SET slug = 'karo' WHERE id = {other_club}",),
        "sqlite",
    ),
    Attempt(
        "the same club anew",
        (
            "INSERT OR REPLACE INTO scoring_club (id, name, slug, shows_list, shows_months, shows_evenings, findable, leaving)"
            " SELECT id, name, '~x', FALSE, FALSE, FALSE, FALSE, TRUE FROM scoring_club WHERE id = {club}",
        ),
        "sqlite",
    ),
    _one(
        "ON CONFLICT of a key",
        f"INSERT INTO scoring_entry ({_COLUMNS}) SELECT {_COLUMNS} FROM scoring_entry WHERE id = {{entry}}"
        " ON CONFLICT (club_id, key) DO UPDATE SET kind = 'income'",
    ),
    _one(
        "ON CONFLICT of a leg",
        f"{_LEG} ({{entry}}, {{cash}}, 1, 'payment') ON CONFLICT (entry_id, account_id, kind) DO UPDATE SET cents = 1",
    ),
    # An entry is sealed only where it is whole.
    _one("a third leg", _legs("{entry}", 5)),
    _one("two more legs", _legs("{entry}", 5, -5)),
    _one("an account of another club on a leg", f"{_LEG} ({{open}}, {{other_cash}}, 5, 'x')"),
    _one("no cents", _legs("{open}", 0)),
    _one("more cents than there are", _legs("{open}", 10**10 + 1)),
    Attempt("half a cent", (f"{_LEG} ({{open}}, {{cash}}, 0.5, 'x')",), "sqlite"),
    Attempt("cents in words", (f"{_LEG} ({{open}}, {{cash}}, 'five', 'x')",), "sqlite"),
    _one("sealed without a leg", _seal("{open}")),
    _one("sealed with one leg", _legs("{open}", 5), _seal("{open}")),
    _one("sealed with 1 cent too many", _legs("{open}", 5, -4), _seal("{open}")),
    _one("sealed with a gap", _legs("{open}", 5, -5), _seal("{open}", "{next} + 1")),
    _one("sealed with a number twice", _legs("{open}", 5, -5), _seal("{open}", "1")),
    _one("written as sealed", _new(number="{next}")),
    _one("written into a closed month", _new(day="2026-02-28"), _legs(_WRITTEN, 5, -5), _seal(_WRITTEN)),
    _one("written before the first month", _new(day="2025-02-28"), _legs(_WRITTEN, 5, -5), _seal(_WRITTEN, "1")),
    Attempt("a day that is none", (_new(day="2026-3-28"),), "sqlite"),
    _one("changed before it is sealed", "UPDATE scoring_entry SET date = '2026-02-28' WHERE id = {open}"),
    _one("about an evening of another club", _new(evening_id="{other_evening}")),
    _one(
        "the same key",
        f"INSERT INTO scoring_entry ({_COLUMNS}) SELECT {_COLUMNS} FROM scoring_entry WHERE id = {{entry}}",
    ),
    # Once, and like a mirror.
    _one("reversed twice", _new("reversal", reverses_id="{reversed}")),
    _one("a reversal reversed", *_reversing("{reversal}")),
    _one("a mirror that is bent", *_reversing("{entry}")),
    _one("a mirror with a leg less", *_reversing("{three}")),
    _one("reversed before it was", *_reversing("{income_entry}", "2026-03-01")),
    _one("reversed for another club", *_reversing("{other_entry}")),
    _one("reversed before it is sealed", _legs("{open}", 5, -5), *_reversing("{open}")),
    # Months close in order.
    _one("the same month closed again", _closing("{club}", "2026-02")),
    _one("an earlier month closed", _closing("{club}", "2026-01")),
    _one("a month left out", _closing("{club}", "2026-04")),
    _one("a 13th month", _closing("{club}", "2026-13")),
    _one("a month like no other", _closing("{club}", "2026-3 ")),
    _one("a first month behind its entries", _closing("{other_club}", "2026-04")),
    # The one exception cannot be had for a moment.
    _one("a club that leaves in sight", "UPDATE scoring_club SET leaving = TRUE WHERE id = {club}"),
    _one(
        "a club that leaves and comes back",
        "UPDATE scoring_club SET leaving = TRUE, slug = '~x' WHERE id = {club}",
        "UPDATE scoring_club SET leaving = FALSE, slug = 'karo' WHERE id = {club}",
    ),
    _one("another id of the club", "UPDATE scoring_club SET id = 4711 WHERE id = {club}"),
    _one(
        "a person moved to another club",
        "UPDATE scoring_player SET club_id = {other_club}, name_key = 'x' WHERE id = {anton}",
    ),
    # Nor can what an account or an entry names become something else.
    Attempt(
        "somebody of another club in the place of a person",
        (_in_their_place(Player, "{anton}", club_id="{other_club}"),),
        "sqlite",
    ),
    Attempt(
        "an evening of another club in the place of one",
        (_in_their_place(Evening, "{evening}", club_id="{other_club}", tariff_id="NULL"),),
        "sqlite",
    ),
    Attempt(
        "a newcomer with the id of somebody who has an account",
        (
            _copy(Player, "{bodo}", id="4711", name="'Neu'", name_key="'neu'"),
            "UPDATE OR REPLACE scoring_player SET id = {anton} WHERE id = 4711",
        ),
        "sqlite",
    ),
    _one("another id of a person", "UPDATE scoring_player SET id = 4711 WHERE id = {anton}"),
    _one("another key of an evening", "UPDATE scoring_evening SET key = '{key}' WHERE id = {evening}"),
    _one("another id of an evening", "UPDATE scoring_evening SET id = 4711 WHERE id = {evening}"),
    _one("an evening moved to another club", "UPDATE scoring_evening SET club_id = {other_club} WHERE id = {evening}"),
)


def attempts_here() -> list[Attempt]:
    """Those that this database knows."""
    return [one for one in ATTEMPTS if one.only in ("", connection.vendor)]
