"""What `make test` asks of PostgreSQL as well: new tests of models, actions and queries come in by themselves, and whatever knows
that there are two databases says so."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from tests.conftest import is_like_another, is_of_a_database
from tests.effort import in_soak, some

TESTS = settings.BASE_DIR / "tests"
# What only SQLite has, what moves from it, what starts servers and installations for others, and what counts on each by itself.
NONE_OF_ITS = {
    *("clubledger/test_sqlite.py", "clubledger/test_settings.py", "clubledger/test_move.py"),
    *("conftest.py", "database.py", "server.py", "installation.py", "test_indexes.py"),
}
# What takes PostgreSQL minutes: asked of it in `make soak` alone.
LONG_ON_POSTGRESQL = {"clubledger/test_update.py", "test_query_counts.py"}


def of_a_database(path: str, *fixtures: str, **asked: Any) -> bool:
    mark = pytest.mark.django_db(**asked).mark
    return is_of_a_database(
        SimpleNamespace(path=TESTS / path, fixturenames=fixtures, get_closest_marker=lambda _: mark)
    )


@pytest.mark.parametrize(
    ("path", "is_asked"),
    [
        ("cash/ledger/test_posting.py", True),
        ("cash/dues/test_actions.py", True),
        ("accounts/test_actions.py", True),
        ("players/test_queries.py", True),
        ("table/views/test_new.py", False),
        ("accounts/views/test_join_links.py", False),
        ("rules/test_new.py", False),
    ],
)
def test_layers_that_store_and_ask_are_asked_on_both(path: str, is_asked: bool) -> None:
    assert of_a_database(path) == is_asked
    assert of_a_database(path, transaction=True)
    assert of_a_database(path, "transactional_db")


def test_of_like_cases_the_first_is_asked_on_both_and_of_the_tables_every_one() -> None:
    asked: set[str] = set()

    def is_asked(case: str, path: str = "cash/dues/test_actions.py", mark: object = None) -> bool:
        item = SimpleNamespace(path=TESTS / path, nodeid=f"{path}::{case}", get_closest_marker=lambda _: mark)
        return not is_like_another(item, asked)

    assert is_asked("test_a[long]", mark=pytest.mark.soak)
    assert [is_asked(f"test_a[{case}]") for case in "123"] == [True, False, False]
    assert [is_asked(case) for case in ("test_b", "test_b_too", "test_c[1]")] == [True, True, True]
    assert [is_asked(f"test_a[{case}]", "cash/laws/test_laws.py") for case in "123"] == [True, True, True]


def test_who_knows_that_there_are_two_databases_is_asked_on_both() -> None:
    silent = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if re.search(r"connection\.vendor", text := path.read_text(encoding="utf-8"))
        and not of_a_database(str(path))
        and "mark.postgres" not in text
        and "transaction=True" not in text
    ]
    assert set(silent) == NONE_OF_ITS | LONG_ON_POSTGRESQL


def test_of_a_long_list_some_are_in_every_run_and_the_others_in_soak() -> None:
    three, five = pytest.param(3, "c", id="three"), pytest.param(5, "e", id="five")
    assert some([(1, "a"), (2, "b"), three, (4, "d"), five, (6, "f")], 2) == [
        (1, "a"),
        in_soak(2, "b"),
        in_soak(3, "c", id="three"),
        (4, "d"),
        in_soak(5, "e", id="five"),
        in_soak(6, "f"),
    ]
    assert some("ab", 2) == ["a", "b"]
