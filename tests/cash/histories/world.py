"""Decides what a step of a random history is: one real action, whole or refused. A refused one leaves the books as they were; how
often each has succeeded is counted. What is picked is picked among what is there by a number, and where nothing is there
the step is none."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Model
from hypothesis import strategies as st

from scoring.cash.ledger.queries import get_first_open_day
from scoring.core.errors import ActionRefused
from scoring.models import Account, Club, Entry, Evening, Leg, Period, Player, Table
from scoring.rules.validation import Refused
from tests.factories import Cast

T = TypeVar("T")
FIRST_DAY = datetime.date(2026, 1, 1)
# Which one of those that are there.
which = st.integers(0, 59)
amounts = st.one_of(st.integers(1, 2000), st.just(10**8))
# How often each step has succeeded in this run, and how often it was tried.
done: Counter[str] = Counter()
tried: Counter[str] = Counter()


class NothingThere(Exception):
    """There is nothing to do this to."""


# What a step may need, so that few are tried in vain: rows of the club that there must be.
_EVENING = "FROM scoring_evening WHERE club_id = %(club)s"
_OF_TABLE = (
    "FROM scoring_game JOIN scoring_round ON scoring_round.id = round_id JOIN scoring_table ON scoring_table.id = table_id"
)
_GAME = f"{_OF_TABLE} JOIN scoring_evening ON scoring_evening.id = evening_id WHERE NOT deleted AND club_id = %(club)s"
_ENTRY = "FROM scoring_entry AS one WHERE club_id = %(club)s"
_STANDS = "reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM scoring_entry AS other WHERE other.reverses_id = one.id)"
NEEDS = {
    "open evening": f"{_EVENING} AND closed_at IS NULL",
    "closed evening": f"{_EVENING} AND closed_at IS NOT NULL AND NOT dropped",
    "charged evening": f"{_EVENING} AND tariff_id IS NOT NULL AND NOT dropped",
    "unplayed evening": f"{_EVENING} AND NOT dropped AND NOT EXISTS (SELECT 1 {_OF_TABLE} WHERE evening_id = scoring_evening.id)",
    "booked evening": f"{_ENTRY} AND evening_id IS NOT NULL AND {_STANDS}",
    "game": _GAME,
    "fine": f"FROM scoring_fine JOIN ({'SELECT id ' + _EVENING}) AS those ON those.id = evening_id WHERE NOT struck",
    "entry": f"{_ENTRY} AND kind <> 'evening' AND {_STANDS}",
    "period": "FROM scoring_period WHERE club_id = %(club)s",
    "report": "FROM scoring_report WHERE club_id = %(club)s AND state = 'waiting'",
    "settlement": "FROM scoring_settlement WHERE club_id = %(club)s",
    "merged": "FROM scoring_player WHERE club_id = %(club)s AND merged_into_id IS NOT NULL",
    "import": "FROM scoring_import WHERE club_id = %(club)s AND imported_at IS NOT NULL AND undone_at IS NULL",
}


def step(needs: str = "", often: int = 1, **drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Any]:
    """A step that does one action with what is drawn, where there is what it `needs`; so many times as `often` as others."""

    def as_step(act: Callable[..., None]) -> Any:
        @wraps(act)
        def taken(world: World, **values: Any) -> None:
            tried[act.__name__] += 1
            try:
                with transaction.atomic():
                    act(world, **values)
            except (ActionRefused, ValidationError, Refused, NothingThere):
                assert books(world.club) == world.stood
            else:
                done[act.__name__] += 1
                world.stirred = True

        taken.needs, taken.often, taken.drawn = needs, often, st.fixed_dictionaries(drawn)
        return taken

    return as_step


Row = tuple[Any, ...]


class Books(NamedTuple):
    """Every row of the books of a club, in the order in which they were written; columns are those of the models."""

    accounts: list[Row]
    entries: list[Row]
    periods: list[Row]
    legs: list[Row]


def _selected(model: type[Model], of_club: str) -> str:
    table = model._meta.db_table
    columns = ", ".join(field.column for field in model._meta.concrete_fields)
    return f"SELECT {columns} FROM {table} WHERE {of_club} ORDER BY id"


_OF_CLUB = [_selected(model, "club_id = %s") for model in (Account, Entry, Period)]
_LEGS = _selected(Leg, "entry_id IN (SELECT id FROM scoring_entry WHERE club_id = %s)")


def books(club: Club) -> Books:
    """As plain SQL finds them: they are looked at after every step."""
    found = []
    with connection.cursor() as cursor:
        for statement in (*_OF_CLUB, _LEGS):
            cursor.execute(statement, [club.pk])
            found.append(cursor.fetchall())
    return Books(*found)


class World:
    """The club of one history. `stirred` says that something happened since the laws were last asked, `stood` are the books as
    they were then; `there` is what is there of what a step may need."""

    cast: Cast
    stirred = True
    stood: Books
    there: set[str]

    @property
    def club(self) -> Club:
        return self.cast.club

    @classmethod
    def steps(cls) -> dict[str, Any]:
        found = {name: getattr(cls, name) for name in dir(cls)}
        return {name: one for name, one in found.items() if hasattr(one, "needs")}

    def look(self) -> None:
        with connection.cursor() as cursor:
            exist = ", ".join(f"EXISTS (SELECT 1 {rows})" for rows in NEEDS.values())
            cursor.execute(f"SELECT {exist}", {"club": self.club.pk})
            self.there = {"", *(name for name, is_there in zip(NEEDS, cursor.fetchone(), strict=True) if is_there)}

    def pick(self, rows: Iterable[T], number: int) -> T:
        found = list(rows)
        if not found:
            raise NothingThere
        return found[number % len(found)]

    def people(self) -> list[Player]:
        return list(self.club.players.filter(merged_into=None, erased_on=None).order_by("pk"))

    def person(self, number: int) -> Player:
        return self.pick(self.people(), number)

    def evening(self, number: int, **which: Any) -> Evening:
        evenings = Evening.objects.filter(club=self.club, **which).select_related("club", "tariff").distinct()
        return self.pick(evenings.order_by("pk"), number)

    def table(self, number: int, **which: Any) -> Table:
        """One that has a page: what an old list says as sums alone has none."""
        tables = Table.objects.filter(evening__club=self.club, without_games=False, **which).distinct()
        return self.pick(tables.select_related("evening__club", "rule_set").order_by("pk"), number)

    def entry(self, number: int, **which: Any) -> Entry:
        return self.pick(Entry.objects.filter(club=self.club, **which).select_related("club").order_by("pk"), number)

    def day(self, number: int) -> datetime.date:
        """A day near the first that is open; now and then one that is closed."""
        return (get_first_open_day(self.club) or FIRST_DAY) + datetime.timedelta(days=number)
