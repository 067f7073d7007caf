"""Decides how a test sees what a page asks of the database, and whether there is an index for it."""

from __future__ import annotations

import re
from typing import Any

from django.db import connection, transaction
from django.test import Client

Question = tuple[str, Any]
# A step that goes through all rows of a table or of one of its indexes, the tables of a subquery among them, which Django calls
# U0; what a subquery has answered is no table. As SQLite and as PostgreSQL say it.
_WHOLE = re.compile(r"SCAN (scoring_|auth_|[A-Z]\d)")
_SEQUENTIAL = re.compile(r"Seq Scan on (scoring_|auth_)")


def asked(client: Client, address: str) -> list[Question]:
    """What a page asks when it is opened again."""
    client.get(address)
    questions: list[Question] = []

    def keep(execute: Any, sql: str, params: Any, *how: Any) -> Any:
        questions.append((sql, params))
        return execute(sql, params, *how)

    with connection.execute_wrapper(keep):
        assert client.get(address).status_code in (200, 204, 302), address
    return questions


def reads_a_whole_table(sql: str, params: Any) -> bool:
    """By the plan of SQLite, which takes an index wherever there is one, also where a table has few rows. PostgreSQL is told to do
    that, and then takes one for the order as well, where it does not tell which rows: it overlooks what SQLite sees there."""
    if not sql.startswith("SELECT"):
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            return any(_WHOLE.match(step) for *_ids, step in cursor.fetchall())
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {sql}", params)
        found = any(_SEQUENTIAL.search(step) for (step,) in cursor.fetchall())
        cursor.execute("SET LOCAL enable_seqscan = on")
        return found
