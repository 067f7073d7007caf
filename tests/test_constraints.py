"""What the database itself refuses, written past forms and actions: every constraint of every table has its breach here,
and a new one without a breach fails the test."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import CheckConstraint, F, ProtectedError
from django.utils import timezone

from scoring.cash.laws import drop_triggers
from scoring.league.rules import DEFAULT
from scoring.models import (
    Account,
    Change,
    Club,
    Entry,
    Evening,
    FoundingLink,
    Game,
    Import,
    Invitation,
    JoinLink,
    LateEntry,
    Leg,
    LoginKey,
    Membership,
    MonthClosing,
    OpeningStanding,
    Outcome,
    Period,
    Player,
    Round,
    Score,
    Season,
    Seat,
    Supplement,
    Table,
    TableCareer,
    TableLink,
    TableResult,
    WaitingArchive,
    YearCareer,
)
from scoring.play.rules import RESULT_FIELDS
from tests.cash.laws.breaches import BREACHES as OF_THE_KASSE
from tests.factories import Cast, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

Breach = Callable[[Cast], Any]


def copy(row: Any, **changes: Any) -> None:
    """The same row once more, with these changes, past save() and clean()."""
    fields = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields if not f.primary_key}
    row._meta.default_manager.bulk_create([type(row)(**{**fields, **changes})])


def game(cast: Cast, **changes: Any) -> None:
    copy(Game.objects.get(pk=cast.game.pk), **{"position": 1, **changes})


def score(cast: Cast, **changes: Any) -> None:
    Score.objects.filter(game=cast.game).update(**changes)


def late(cast: Cast, **changes: Any) -> None:
    LateEntry.objects.create(table=cast.table, round=cast.game.round, **{"form": "redeal", **changes})


def person(cast: Cast, **changes: Any) -> None:
    copy(Player(club=cast.club, name="Neu", name_key="neu"), **changes)


def rules(cast: Cast, **changes: Any) -> None:
    copy(cast.table.rule_set, **{"version": 2, **changes})


def login_twice(cast: Cast) -> None:
    make_player(cast.club, "Rita", user=cast.reader)
    person(cast, user_id=cast.reader.pk)


DAY = datetime.date(2026, 1, 1)
HASH = "0" * 64


def season(cast: Cast, **changes: Any) -> Season:
    """A season past clean()."""
    told = {"name": "2026", "first_day": DAY, "last_day": DAY, "unit": "points", "settings": DEFAULT, **changes}
    return Season.objects.create(club=cast.club, **told)


def join_link(cast: Cast, **changes: Any) -> None:
    JoinLink.objects.create(club=cast.club, ends_on=DAY, **changes)


def opening(cast: Cast, **changes: Any) -> None:
    """Of somebody, past what takes it in."""
    brought = Import.objects.create(club=cast.club, kind="sums", file_name="x")
    told = {"unit": "points", "until": DAY, "points": 0, **changes}
    OpeningStanding.objects.create(imported=brought, player=Player.objects.filter(club=cast.club)[0], **told)


def closing(cast: Cast, *versions: int, **changes: Any) -> None:
    told = {"month": "2026-01", "content": "{}", "content_sha256": HASH, "file": b"x", "file_sha256": HASH, **changes}
    of = season(cast)
    for version in versions or (1,):
        MonthClosing.objects.create(season=of, **{"version": version, **told})


def supplement(cast: Cast, **changes: Any) -> None:
    told = {"about": "2026-01", "month": "2026-02", "content": "{}", "reason": "Verzählt", **changes}
    Supplement.objects.create(season=season(cast), **told)


def year(cast: Cast, **changes: Any) -> None:
    counts = dict.fromkeys(("evenings", "evenings_won", "points_of_games"), 0)
    sums = dict.fromkeys(RESULT_FIELDS, 0)
    told = {"unit": "points", "year": 2026, "last_day": DAY, "by_evening": [], "told": {}, "mates": {}, **changes}
    YearCareer.objects.create(club=cast.club, player=Player.objects.filter(club=cast.club)[0], **counts, **sums, **told)


def account(cast: Cast, **changes: Any) -> Account:
    return Account.objects.create(club=cast.club, **{"code": "cash", **changes})


def entry(cast: Cast, **changes: Any) -> Entry:
    """An entry past the program, which nobody seals."""
    return Entry.objects.create(club=cast.club, **{"key": uuid4(), "kind": "income", "date": DAY, **changes})


def leg(cast: Cast, **changes: Any) -> None:
    Leg.objects.create(**{"entry": entry(cast), "account": account(cast), "cents": 5, "kind": "income", **changes})


def reversals(cast: Cast, *kinds: str) -> None:
    was = entry(cast)
    for kind in kinds:
        entry(cast, kind=kind, reverses=was, reason="Vertippt")


def period(cast: Cast, **changes: Any) -> None:
    told = {"month": "2026-01", "statement": "{}", "sha256": HASH, **changes}
    Period.objects.create(club=cast.club, **told)


def past_the_laws(write: Callable[..., Any], cast: Cast, **changes: Any) -> None:
    drop_triggers()
    write(cast, **changes)


def half_a_cent(cast: Cast) -> None:
    """PostgreSQL rounds it, and has no other way to break this."""
    if connection.vendor == "postgresql":
        raise IntegrityError("leg_cents_whole")
    told = [entry(cast).pk, account(cast).pk]
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO scoring_leg (entry_id, account_id, cents, kind) VALUES (%s, %s, 0.5, 'x')", told)


def numbered(cast: Cast, number: int) -> None:
    """Two entries sealed alike, past every law."""
    drop_triggers()
    for _time in range(2):
        Entry.objects.filter(pk=entry(cast).pk).update(number=number)


BREACHES: dict[str, list[Breach]] = {
    "club_name_length": [lambda c: Club.objects.update(name="x" * 61)],
    "club_slug_length": [lambda c: Club.objects.filter(pk=c.club.pk).update(slug="x" * 41)],
    "club_named": [
        lambda c: Club.objects.update(name=""),
        lambda c: Club.objects.filter(pk=c.club.pk).update(slug=""),
    ],
    "login_key_length": [lambda c: LoginKey.objects.filter(user=c.admin).update(key="x" * 621)],
    "player_name_once": [lambda c: person(c, name="ÄRMEL", name_key="armel\tärmel")],
    "player_login_once": [login_twice],
    "player_name_length": [lambda c: person(c, name="x" * 41)],
    "player_named": [lambda c: person(c, name=""), lambda c: person(c, name_key="")],
    "player_left_after_joining": [lambda c: person(c, joined_on=DAY, left_on=DAY - datetime.timedelta(days=1))],
    "player_rests_from_a_day": [
        lambda c: person(c, rests_until=DAY),
        lambda c: person(c, rests_from=DAY, rests_until=DAY - datetime.timedelta(days=1)),
    ],
    "player_merged_into_another": [lambda c: Player.objects.filter(name="Bodo").update(merged_into=F("id"))],
    "club_keeps_history_from_1": [lambda c: Club.objects.update(keep_history_years=0)],
    "player_erased_has_no_login": [
        lambda c: person(c, erased_on=datetime.date(2026, 3, 1), user_id=c.reader.pk),
    ],
    "player_merged_has_no_login": [
        lambda c: person(c, merged_into_id=make_player(c.club, "Anders").pk, user_id=c.reader.pk)
    ],
    "invitation_open_once": [lambda c: [Invitation.objects.create(club=c.club, user=c.stranger) for _ in range(2)]],
    "membership_once": [lambda c: copy(Membership.objects.get(user=c.reader), admin=True)],
    "change_known_verb": [lambda c: copy(Change.objects.first(), verb="game.invented")],
    "rule_set_version_once": [lambda c: rules(c, version=1)],
    "rule_set_name_length": [lambda c: rules(c, name="x" * 61)],
    "rule_set_named": [lambda c: rules(c, name="")],
    "rule_set_version_from_1": [lambda c: rules(c, version=0)],
    "rule_set_unit_known": [lambda c: rules(c, unit="euros")],
    "evening_key_once": [lambda c: copy(Evening.objects.get(pk=c.table.evening_id))],
    "evening_place_length": [lambda c: Evening.objects.update(place="x" * 61)],
    "evening_note_length": [lambda c: Evening.objects.update(note="x" * 201)],
    "table_number_once": [lambda c: copy(c.table)],
    "table_without_games_imported": [lambda c: copy(c.table, number=2, without_games=True)],
    "import_kind_known": [lambda c: Import.objects.create(club=c.club, kind="telegram", file_name="x")],
    "opening_unit_known": [lambda c: opening(c, unit="marks")],
    "opening_points_in_bounds": [
        lambda c: opening(c, points=10**9 + 1),
        lambda c: opening(c, points=-(10**9) - 1),
    ],
    "opening_counts_fit": [
        lambda c: opening(c, games=3, wins=4),
        lambda c: opening(c, games=3, solos=4),
        lambda c: opening(c, solos=3, solos_won=4),
        lambda c: opening(c, wins=3, solos_won=4),
    ],
    "import_file_name_length": [lambda c: Import.objects.create(club=c.club, kind="games", file_name="x" * 101)],
    "import_digest_length": [lambda c: Import.objects.create(club=c.club, kind="games", digest="x" * 65)],
    "waiting_archive_digest_length": [
        lambda c: WaitingArchive.objects.create(user=c.admin, text="{}", digest="x" * 65)
    ],
    "waiting_archive_has_text": [lambda c: WaitingArchive.objects.create(user=c.admin)],
    "import_read_until_taken": [
        lambda c: Import.objects.create(club=c.club, kind="games", sheets=[], imported_at=timezone.now()),
        lambda c: Import.objects.create(club=c.club, kind="games", undone_at=timezone.now()),
    ],
    "founding_link_digest_length": [lambda c: FoundingLink.objects.create(digest="x" * 65)],
    "table_number_from_1": [lambda c: copy(c.table, number=0)],
    "table_planned_games_from_1": [lambda c: Table.objects.update(planned_games=0)],
    "table_carries_on_another": [lambda c: Table.objects.update(carries_on=F("id"))],
    "round_position_once": [lambda c: copy(Round.objects.first())],
    "seat_place_once": [lambda c: copy(Seat.objects.first(), player_id=make_player(c.club, "Neu").pk)],
    "seat_player_once": [lambda c: copy(Seat.objects.first(), place=7)],
    "seat_place_known": [lambda c: copy(Seat.objects.first(), player_id=make_player(c.club, "Neu").pk, place=8)],
    "table_link_stands_once": [lambda c: [TableLink.objects.create(table=c.table) for _ in range(2)]],
    "join_link_for_some": [lambda c: join_link(c, most_uses=0), lambda c: join_link(c, most_uses=51)],
    "join_link_used_at_most": [lambda c: join_link(c, most_uses=2, uses=3)],
    "join_link_one_admin": [lambda c: join_link(c, admin=True, most_uses=2)],
    "season_name_once": [lambda c: [season(c) for _ in range(2)]],
    "season_name_length": [lambda c: season(c, name="x" * 61)],
    "season_named": [lambda c: season(c, name="")],
    "season_ends_after_it_begins": [lambda c: season(c, last_day=DAY - datetime.timedelta(days=1))],
    "season_unit_known": [lambda c: season(c, unit="euros")],
    "season_version_from_1": [lambda c: season(c, version=0)],
    "month_closing_version_once": [lambda c: closing(c, 1, 1)],
    "month_closing_version_from_1": [lambda c: closing(c, 0)],
    "month_closing_month_length": [lambda c: closing(c, month="2026-1")],
    "month_closing_hashed": [
        lambda c: closing(c, content_sha256=HASH[1:]),
        lambda c: closing(c, file_sha256=HASH[1:]),
    ],
    "month_closing_has_content": [lambda c: closing(c, content="")],
    "supplement_goes_forward": [lambda c: supplement(c, about="2026-02")],
    "supplement_month_length": [lambda c: supplement(c, month="2026-3"), lambda c: supplement(c, about="2026")],
    "supplement_reason_length": [lambda c: supplement(c, reason="x" * 201)],
    "supplement_explained": [lambda c: supplement(c, reason=""), lambda c: supplement(c, content="")],
    "game_position_once": [lambda c: game(c, position=c.game.position)],
    "game_dealer_known": [lambda c: game(c, dealer=8)],
    "game_version_from_1": [lambda c: game(c, version=0)],
    "game_note_length": [lambda c: game(c, note="x" * 201)],
    "game_form_has_its_facts": [
        lambda c: game(c, form="invented"),
        lambda c: game(c, facts={"kind": "normal"}),
        lambda c: game(c, form="short", facts={"winners": [0, 1]}),
        lambda c: game(c, form="penalty", facts={"points": [0, 0, 0, 0]}),
        lambda c: game(c, form="correction", facts={}),
    ],
    "game_form_has_no_other_facts": [
        lambda c: game(c, facts={"kind": "normal", "re": [0, 1], "base": 1}),
        lambda c: game(c, form="short", facts={"winners": [0, 1], "base": 1, "eyes": 130}),
        lambda c: game(c, form="penalty", facts={"points": [1, -1, 0, 0], "reason": "x", "re": [0]}),
        lambda c: game(c, form="redeal", facts={"kind": "normal"}),
    ],
    "late_entry_dealer_known": [lambda c: late(c, dealer=8)],
    "late_entry_form_known": [lambda c: late(c, form="invented")],
    "late_entry_note_length": [lambda c: late(c, note="x" * 201)],
    "outcome_winner_known": [lambda c: Outcome.objects.update(winner="both")],
    "score_once": [lambda c: copy(Score.objects.filter(game=c.game).first())],
    "score_party_known": [lambda c: score(c, party="both")],
    "score_only_players_win": [
        lambda c: score(c, played=False, party="", won=True, solo=False),
        lambda c: score(c, played=False, party="", won=False, solo=True),
        lambda c: score(c, played=False, party="re", won=False, solo=False),
    ],
    "account_code_once": [lambda c: [account(c) for _ in range(2)]],
    "account_code_length": [lambda c: account(c, code="income:" + "x" * 34)],
    "account_of_a_kind": [
        lambda c: account(c, code="house"),
        lambda c: account(c, code="member:1"),
        lambda c: account(c, player=c.club.players.all()[0]),
    ],
    "entry_key_once": [lambda c: [entry(c, key=c.game.key) for _ in range(2)]],
    "entry_number_once": [lambda c: numbered(c, 1)],
    "entry_number_from_1": [lambda c: numbered(c, 0)],
    "entry_about_one_thing": [lambda c: entry(c, evening=c.table.evening, month="2026-01")],
    "entry_month_length": [lambda c: entry(c, month="2026-1")],
    "entry_reversal_reverses": [lambda c: reversals(c, "income"), lambda c: entry(c, kind="reversal", reason="x")],
    "entry_kind_known": [lambda c: entry(c, kind="theft")],
    "entry_explained": [lambda c: entry(c, kind="waive")],
    "entry_reason_length": [lambda c: entry(c, reason="x" * 201)],
    "leg_once": [lambda c: [leg(c, entry=one, account=two) for one, two in [(entry(c), account(c))] for _ in range(2)]],
    "leg_cents_in_bounds": [
        lambda c: leg(c, cents=0),
        lambda c: leg(c, cents=10**10 + 1),
        lambda c: leg(c, cents=-(10**10) - 1),
    ],
    "leg_cents_whole": [half_a_cent],
    "leg_kind_length": [lambda c: leg(c, kind="x" * 41)],
    "leg_has_kind": [lambda c: leg(c, kind="")],
    "period_month_once": [lambda c: [period(c) for _ in range(2)]],
    "period_month_length": [lambda c: past_the_laws(period, c, month="2026-1")],
    "period_hashed": [lambda c: period(c, sha256=HASH[1:])],
    "period_has_statement": [lambda c: period(c, statement="")],
    **OF_THE_KASSE,
    "table_career_once": [lambda c: copy(TableCareer.objects.filter(table=c.table).first())],
    "year_career_once": [lambda c: [year(c) for _ in range(2)]],
    "year_career_unit_known": [lambda c: year(c, unit="marks")],
    "table_result_once": [lambda c: copy(TableResult.objects.filter(table=c.table).first())],
    "table_result_counts_fit": [
        lambda c: TableResult.objects.update(wins=2),
        lambda c: TableResult.objects.update(solos=2, games=1),
        lambda c: TableResult.objects.update(solos_won=1),
    ],
}
CONSTRAINTS = {
    constraint.name: constraint
    for model in apps.get_app_config("scoring").get_models()
    for constraint in model._meta.constraints
}


def test_every_constraint_has_its_breach() -> None:
    assert set(BREACHES) == set(CONSTRAINTS)


@pytest.mark.parametrize(
    ("name", "breach"),
    [pytest.param(name, breach, id=f"{name}-{n}") for name, all_ in BREACHES.items() for n, breach in enumerate(all_)],
)
def test_the_database_refuses_the_breach(cast: Cast, name: str, breach: Breach) -> None:
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        breach(cast)
    # SQLite names the columns of a unique constraint, and PostgreSQL finds a text too long for its column first.
    if isinstance(CONSTRAINTS[name], CheckConstraint) and "too long" not in str(refused.value):
        assert name in str(refused.value)


@pytest.mark.parametrize(
    "field, model",
    [
        ("wins", TableResult),
        ("games", TableResult),
        ("bock", Outcome),
        ("position", Round),
    ],
)
def test_a_count_is_never_negative(cast: Cast, field: str, model: Any) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        model.objects.update(**{field: -1})


def test_rows_that_others_stand_on_cannot_be_deleted(cast: Cast) -> None:
    for row in (cast.club, cast.table.rule_set, cast.table.evening, cast.table, Player.objects.filter(seats__gt=0)[0]):
        with pytest.raises(ProtectedError):
            row.delete()
    with pytest.raises(ProtectedError):
        cast.game.delete()


def test_a_login_that_is_deleted_takes_nothing_along(cast: Cast) -> None:
    player = make_player(cast.club, "Rita", user=cast.reader)
    Change.objects.update(actor=cast.reader)
    Game.objects.update(entered_by=cast.reader)
    Evening.objects.update(closed_by=cast.reader)
    gone = cast.reader.pk
    cast.reader.delete()
    player.refresh_from_db()
    assert player.user is None
    assert not Change.objects.exclude(actor_id=gone).exists(), "the history says that it was a login that is gone"
    assert not Game.objects.exclude(entered_by=None).exists()
    assert not Evening.objects.exclude(closed_by=None).exists()


def test_the_migrations_lead_to_the_models() -> None:
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())
