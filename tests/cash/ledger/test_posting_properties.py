"""Whatever is booked and taken back in whatever order: no law is broken, refused attempts leave nothing, and the balances are
those that a list of what was booked gives."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.cash.ledger.posting import NewLeg, post, reverse
from scoring.cash.ledger.queries import compute_hash, get_balances, get_next_month
from scoring.cash.models import Kind
from scoring.cash.months.queries import build_statements
from scoring.cash.queries import list_broken_laws_of_club
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.models import Club, Entry, Period
from tests.effort import examples
from tests.factories import make_club, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
ACCOUNTS = ("cash", "bank", "income:points", "expense:rent", "Anton", "Berta")
KEYS = [UUID(int=n) for n in range(8)]
days = st.dates(datetime.date(2025, 11, 1), datetime.date(2026, 2, 28))
amounts = st.integers(-300, 300)
lines = st.lists(st.tuples(st.sampled_from(ACCOUNTS), amounts, st.sampled_from(["points", "fines"])), max_size=5)
steps = st.one_of(
    st.tuples(st.just("post"), st.sampled_from(KEYS), days, lines, st.booleans()),
    st.tuples(st.just("reverse"), st.sampled_from(KEYS), days, st.integers(0, 9)),
    st.tuples(st.just("close")),
)


@pytest.fixture
def club(db: None) -> Iterator[Club]:
    club = make_club()
    make_player(club, "Anton")
    make_player(club, "Berta")
    yield club


class _Over(Exception):
    """The example is over, and nothing of it stays."""


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(steps, max_size=14))
def test_no_law_is_broken(club: Club, todo: list[tuple[object, ...]]) -> None:
    with pytest.raises(_Over), transaction.atomic():
        stands = Books(club)
        for step in todo:
            before = Entry.objects.count()
            try:
                with transaction.atomic():
                    stands.do(*step)
            except ActionRefused:
                assert Entry.objects.count() == before
        assert {code: cents for code, cents in stands.sums.items() if cents} == get_balances(club)
        assert Entry.objects.count() == len(stands.known)
        assert list(list_broken_laws_of_club(club)) == []
        raise _Over


class Books:
    """What was booked, written down once more as a plain list."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.people = {player.name: player for player in club.players.all()}
        self.sums: Counter[str] = Counter()
        self.known: dict[UUID, tuple[Entry, list[NewLeg]]] = {}

    def do(self, what: str, *how: object) -> None:
        getattr(self, what)(*how)

    def post(self, key: UUID, date: datetime.date, wanted: list[tuple[str, int, str]], balanced: bool) -> None:
        total = sum(cents for _account, cents, _kind in wanted)
        if balanced:
            wanted = [*wanted, ("cash", -total, "points")]
        told = [NewLeg(self.people.get(account, account), cents, kind) for account, cents, kind in wanted]
        entry = post(club=self.club, actor=Actor(), key=key, kind=Kind.INCOME, date=date, lines=told)
        assert balanced or total == 0
        self._noted(key, entry, told)

    def reverse(self, key: UUID, date: datetime.date, at: int) -> None:
        if self.known:
            was, told = list(self.known.values())[at % len(self.known)]
            entry = reverse(entry=was, actor=Actor(), key=key, date=date, reason="Vertippt")
            self._noted(key, entry, [line._replace(cents=-line.cents) for line in told])

    def close(self) -> None:
        """The next month, or that of the first entry."""
        last = Period.objects.filter(club=self.club).order_by("month").last()
        first = Entry.objects.filter(club=self.club).order_by("date").first()
        if last or first:
            month = get_next_month(last.month) if last else f"{first.date:%Y-%m}"
            text = next(build_statements(self.club, [month], before=last.sha256 if last else "", slug=self.club.slug))
            Period.objects.create(club=self.club, month=month, statement=text, sha256=compute_hash(text))

    def _noted(self, key: UUID, entry: Entry, told: list[NewLeg]) -> None:
        if key in self.known:
            assert self.known[key][0] == entry
            return
        self.known[key] = entry, told
        for line in told:
            code = line.account if isinstance(line.account, str) else line.account.account.code
            self.sums[code] += line.cents


def test_these_steps_reach_what_they_should(club: Club) -> None:
    """A key with other content, what does not add up, a day too early, a closed month: each is refused."""
    books = Books(club)
    books.post(KEYS[0], datetime.date(2026, 1, 5), [("Anton", 5, "points")], True)
    Period.objects.create(club=club, month="2025-12", statement="{}", sha256="0" * 64)
    for status, refusal, step in (
        (422, "Hier ist schon etwas gebucht", ("post", KEYS[0], datetime.date(2026, 1, 5), [("Anton", 6, "points")], True)),
        (422, "Das lässt sich so nicht", ("post", uuid4(), datetime.date(2026, 1, 5), [("Anton", 6, "points")], False)),
        (422, "Storniert wird eine Buchung frühestens an", ("reverse", uuid4(), datetime.date(2026, 1, 4), 0)),
        (409, "Dieser Monat der Kasse ist abgeschlossen", ("reverse", uuid4(), datetime.date(2025, 12, 31), 0)),
    ):
        with pytest.raises(ActionRefused, match=refusal) as refused:
            books.do(*step)
        assert refused.value.status == status
