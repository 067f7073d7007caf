"""Export a club and import it again: the bytes and lists are the same, without logins and other clubs."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.test import Client

from scoring.archive.actions import take_archive_back
from scoring.archive.queries import KINDS, build_archive, format_archive
from scoring.archive.reading.archive import read_archive
from scoring.cash.dues.actions import set_dues_status
from scoring.cash.evening.actions import enter_fine
from scoring.cash.ledger.actions import add_heading, confirm_report, refuse_report
from scoring.cash.ledger.posting import reverse
from scoring.cash.ledger.queries import compute_hash, get_balances, get_owed
from scoring.cash.models import Kind
from scoring.cash.months.actions import countersign, set_first_month
from scoring.cash.months.queries import build_statements
from scoring.cash.queries import list_broken_laws_of_club
from scoring.club.actions import Actor, change_player, invite_member
from scoring.club.queries import list_changes
from scoring.club.texts import describe_changes
from scoring.demo.shared import make_shared_clubs
from scoring.evenings.actions import close_evening, discard_evening
from scoring.league.queries.books import find_damaged_closings, list_months, read_books
from scoring.league.queries.months import compare_with_published, get_content
from scoring.models import Account, Change, Club, Entry, Game, Leg, Membership, Period, Report, Season, Verb
from scoring.play.queries import read_records
from scoring.play.verify import verify
from scoring.players.actions import merge_players
from scoring.rulesets.actions import change_rule_set, rename_rule_set
from scoring.standings.queries.standings import Selection, list_standings
from scoring.table.actions.games import Typed, correct_game, delete_game
from scoring.table.actions.late import discard_late_entry, enter_late_entry, keep_late_entry
from scoring.table.actions.seats import seat_guest
from scoring.table.actions.tables import carry_on, preview_carry
from tests.archive.actions.taking import (
    FIFTH,
    FIRST,
    FIXTURE,
    FOURTH,
    KASSE,
    SECOND,
    TARIFF,
    THIRD,
    read,
    refused,
    taken,
)
from tests.cash.books import book, owes, pays
from tests.cash.kasse import agreed, counted, reported
from tests.cash.tariffs import give_tariff
from tests.database import made_once
from tests.factories import (
    Cast,
    Figures,
    add_game,
    make_cast,
    make_club,
    make_import,
    make_join_link,
    make_player,
    make_rule_set,
    make_table,
    open_with,
    own_evening,
    take_import,
)
from tests.months import add_supplement_to, close, make_season


def emptied() -> None:
    """The database as after the migrations, but for its sequences: ids in it are others from now on."""
    with connection.cursor() as cursor:
        # Books go with their club, as in the program.
        cursor.execute("UPDATE scoring_club SET slug = '~' || id, leaving = TRUE")
    for model in apps.get_models():
        if model._meta.app_label in ("scoring", "auth"):
            QuerySet(model)._raw_delete(connection.alias)


def shown(club: Club) -> list[Any]:
    """Return the eternal list, the months and the history of a club without ids."""
    names = dict(club.players.values_list("pk", "name"))
    rows = list_standings(club, Selection(unit="points", everyone=True))
    lists = [(row.name, row.rank, row.guest, row.left, row.figures) for row in rows]
    months = []
    for season in Season.objects.filter(club=club).order_by("pk"):
        books = read_books(season)
        for month in list_months(season):
            content = get_content(books, month)
            people = [(names.get(row["player"]), row["name"], row["result"], row["rank"]) for row in content["rows"]]
            months.append((season.name, month, people, month in books.latest and len(compare_with_published(books, month)[1])))
    told = list_changes(club).exclude(verb=Verb.ARCHIVE_TAKEN).exclude(verb__regex=r"^(member|link)\.")
    history = [
        (one.about, one.place, [d for d in one.differences if d["label"] != "Zugang"], one.change.at, one.change.verb)
        for one in describe_changes(list(told))
    ]
    return [lists, months, history]


@pytest.fixture
def rich(db: None) -> Club:
    return made_once(make_rich)


def make_rich() -> Club:
    """Return the club of a cast with one of everything an archive can hold."""
    cast = make_cast()
    club, table = cast.club, cast.table
    add_game(table, eyes=151, note="Fuchs", actor=cast.scorer)
    gone = add_game(table)
    delete_game(table=table, actor=Actor(cast.scorer), key=gone.game.key, version=1)
    add_game(table, form="penalty", points=[-5, 0, 0, 0], reason="Falsch bedient")
    seat_guest(table=table, actor=Actor(cast.scorer), name="Gast")
    add_game(table, form="short", winners=[0, 2], base=3, dealer=4)
    close_evening(evening=table.evening, actor=Actor(cast.scorer), present=list(club.players.all()[:2]))
    discard_evening(evening=make_table(club).evening, actor=Actor(cast.admin))
    take_import(make_import(club, actor=cast.admin), actor=cast.admin)
    make_import(club, [["Datum", "Ärmel", "Bodo"], ["20.03.26", "7", "-7"]], actor=cast.admin)
    rules = make_rule_set(club, "anleitung", name="Haus", bock={"carry": True})
    charge(club)
    first = make_table(club, rule_set=rules, held_on=datetime.date(2026, 4, 3))
    add_game(first, eyes=100, re_said="said")
    later = make_table(club, rule_set=rules, held_on=datetime.date(2026, 4, 10))
    _effects, seen = preview_carry(records=read_records(later), earlier=first)
    carry_on(table=later, actor=Actor(cast.scorer), earlier=first, seen=seen)
    add_game(later)
    settings = {**rules.settings, "bock": {**rules.settings["bock"], "carry": False}}
    newer = change_rule_set(rule_set=rules, actor=Actor(cast.admin), settings=settings)
    unused = make_rule_set(club, "vln", "Nie gespielt")
    change_rule_set(rule_set=unused, actor=Actor(cast.admin), settings={**unused.settings, "won": 2})
    rename_rule_set(rule_set=newer, actor=Actor(cast.admin), name="Hausregeln")
    player = club.players.get(name="Bodo")
    left = datetime.date(2026, 5, 1)
    change_player(
        player=player, actor=Actor(cast.admin), name="Bodo B.", guest=False, joined_on=None, left_on=left, user=cast.reader
    )
    season = make_season(club, actor=cast.admin)
    close(season, "2026-03", actor=cast.admin)
    corrected(cast, 181)
    close(season, "2026-03", actor=cast.admin)
    close(season, "2026-04", actor=cast.admin)
    corrected(cast, 130)
    add_supplement_to(season, "2026-03", actor=cast.admin)
    corrected(cast, 152)
    keep_books(club)
    open_with(club, cast.admin, Ärmel=Figures(-3, 4, 80), Früher=Figures(3, 2, 40, 21, 3, 1))
    merge_players(player=club.players.get(name="Früher"), into=make_player(club, "Frühling"), actor=Actor(cast.admin))
    invite_member(club=club, actor=Actor(cast.admin), login=cast.stranger.username, roles=["admin"])
    make_join_link(club, cast.admin)
    return Club.objects.get(pk=club.pk)


def charge(club: Club) -> None:
    """A tariff, and an evening by it with a guest's fine."""
    give_tariff(club)
    table = make_table(club, held_on=datetime.date(2026, 4, 17))
    add_game(table)
    guest = seat_guest(table=table, actor=Actor(), name="Toni")
    enter_fine(evening=table.evening, actor=Actor(), key=uuid4(), player=guest, code="late", amount=7)
    close_evening(evening=table.evening, actor=Actor())


def keep_books(club: Club) -> None:
    """Fill the books: an evening, one that was reopened, a closed month."""
    person, evening = club.players.get(name="Ärmel"), club.evenings.order_by("held_on")[0]
    entry = book(club, owes(person, 130, "points"), evening=evening, kind=Kind.EVENING)
    reverse(entry=entry, actor=Actor(), key=uuid4(), date=evening.held_on, reason="Spiel 3 berichtigt")
    book(club, pays(person, 500), date=datetime.date(2025, 12, 31))
    text = next(build_statements(club, ["2025-12"], before="", slug=club.slug))
    period = Period.objects.create(club=club, month="2025-12", statement=text, sha256=compute_hash(text))
    countersign(period=period, actor=Actor(User.objects.get(username="rita")))
    counted(club, 450, "Fünfzig Cent fehlen")
    add_heading(club=club, actor=Actor(), side="income", name="Tombola", taken={})
    set_first_month(club=club, actor=Actor(), first_month=9)
    set_dues_status(player=person, actor=Actor(), month="2026-03", status="reduced")
    agreed(club)
    refuse_report(report=reported(person, note="Am Tresen"), actor=Actor(), reason="Dort lag nichts")
    confirm_report(report=reported(person), actor=Actor())


def corrected(cast: Cast, eyes: int) -> None:
    """The first game of the club was another one, after its evening was closed."""
    game = Game.objects.get(pk=cast.game.pk)
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": eyes})
    correct_game(table=cast.table, actor=Actor(cast.admin, admin=True), key=game.key, version=game.version, typed=typed)


def test_a_club_comes_back_as_it_was(rich: Club) -> None:
    """The archive has rows of every kind, and no logins but in published texts, which name the admin who closed the month."""
    data, before = build_archive(rich), shown(rich)
    document = json.loads(data)
    assert [kind.name for kind in KINDS if not document[kind.name]] == []
    assert [table["carries_on"] for table in document["tables"] if table["carries_on"]]
    assert [row["subject_id"] for row in document["changes"] if row["subject_id"] == "-1"] == ["-1", "-1"]
    assert {row["after"]["user"] for row in document["changes"] if row["verb"].startswith("player.")} == {None}
    document["closings"], document["supplements"] = [], []
    text = json.dumps(document)
    assert [user.username for user in User.objects.all() if f'"{user.username}"' in text] == []
    assert "member." not in text and "link." not in text
    emptied()
    club = taken(data)

    assert build_archive(club) == data
    assert shown(club) == before
    assert [checked.findings for checked in verify(club) if checked.findings] == []
    assert find_damaged_closings(club) == []
    assert list(list_broken_laws_of_club(club)) == []


def test_what_is_a_clubs_own_comes_back_with_its_names(db: None) -> None:
    data, before = build_archive(own_evening(make_club()).evening.club), shown(Club.objects.get())
    emptied()
    club = taken(data)

    assert build_archive(club) == data
    assert shown(club) == before
    assert "Kleine Armut" in str(before)


@pytest.mark.soak
def test_the_demo_club_comes_back_as_it_was(db: None) -> None:
    make_shared_clubs()
    club = Club.objects.get(slug="kreuz-dame")
    data, before = build_archive(club), shown(club)
    emptied()
    club = taken(data)

    assert build_archive(club) == data
    assert shown(club) == before


def test_it_comes_in_beside_another_club(rich: Club) -> None:
    data = build_archive(rich)
    pik = Club.objects.exclude(pk=rich.pk).get()
    other, names, game = build_archive(pik), b"Pik Dame", Game.objects.get(round__table__evening__club=pik)
    emptied()
    beside = taken(other, "fred")
    club = taken(data, "anna")

    assert (build_archive(club), build_archive(beside)) == (data, other)
    assert names not in data
    assert game.key.hex not in data.decode().replace("-", "")
    assert set(club.memberships.values_list("user__username", flat=True)) == {"anna"}


# --- A file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [FIXTURE, KASSE, TARIFF], ids=lambda file: file.stem)
def test_the_same_archive_on_every_database(db: None, file: Path) -> None:
    """Every database gives the same bytes."""
    data = file.read_bytes()
    club = taken(data)

    assert build_archive(club) == data
    assert [checked.findings for checked in verify(club) if checked.findings] == []


def test_the_command_writes_and_reads_it(rich: Club, tmp_path: Path) -> None:
    file, said = tmp_path / "karo.json", StringIO()
    call_command("archive", "export", "karo", str(file))
    call_command("archive", "export", "karo", stdout=said)
    assert said.getvalue().encode() == file.read_bytes() == build_archive(rich)
    with pytest.raises(CommandError, match=r"club\.slug"):
        call_command("archive", "import", str(file), "--admin", "neu")
    emptied()
    said = StringIO()
    call_command("archive", "import", str(file), "--admin", "neu", stdout=said)

    assert "/c/karo/" in said.getvalue()
    assert User.objects.get().check_password(said.getvalue().split()[-1])
    change = Change.objects.get(verb=Verb.ARCHIVE_TAKEN)
    assert change.after["sha256"] == sha256(file.read_bytes()).hexdigest()
    assert [entry.about for entry in describe_changes([change])] == [""]
    assert Membership.objects.get().admin


def test_it_says_which_program_wrote_it_and_goes_again_by_another(cast: Cast, tmp_path: Path, settings: Any) -> None:
    """The importing program writes its own name, and recognizes the file by its hash."""
    file = tmp_path / "karo.json"
    settings.PROGRAM = "0.2.0 (0123456789ab)"
    call_command("archive", "export", "karo", str(file))
    assert file.read_text().splitlines()[1:4] == [
        '"format": "club-ledger-archive",', '"version": 8,', '"program": "0.2.0 (0123456789ab)",'
    ]  # fmt: skip
    settings.PROGRAM = "0.3.0"
    emptied()
    club = taken(file.read_bytes())
    assert build_archive(club) == file.read_bytes().replace(b"0.2.0 (0123456789ab)", b"0.3.0")
    change = Change.objects.get(verb=Verb.ARCHIVE_TAKEN)
    assert change.after["sha256"] == sha256(file.read_bytes()).hexdigest()
    assert change.after["program"] == "0.2.0 (0123456789ab)"
    take_archive_back(club=club)
    assert not Club.objects.exists()


@pytest.mark.parametrize("words", [("export", "keiner"), ("import", "/nirgends", "--admin", "neu")])
def test_the_command_says_what_is_not_there(db: None, words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        call_command("archive", *words)


def test_an_admin_takes_it_home(rich: Club, client: Client) -> None:
    client.force_login(User.objects.get(username="anna"))
    response = client.get("/c/karo/archive/")
    assert response.content == build_archive(rich)
    assert "attachment" in response["Content-Disposition"]
    for page in ("more", "file"):
        assert "/c/karo/archive/" in client.get(f"/c/karo/{page}/").content.decode()
    client.force_login(User.objects.get(username="rita"))
    assert "/c/karo/archive/" not in client.get("/c/karo/file/").content.decode()


# --- What is no archive, or none any more -----------------------------------------------------------------------------


def test_a_line_of_another_club_is_not_taken_twice(rich: Club) -> None:
    """A key is one line on the whole installation."""
    data = build_archive(rich).replace(b'"slug": "karo"', b'"slug": "karo-zwei"')

    assert [fault.partition(":")[0] for fault in refused(data)] == ["games[1]"]


def test_the_document_names_every_field(db: None) -> None:
    text = (Path(settings.BASE_DIR) / "docs" / "archive.md").read_text()
    written = dict(re.findall(r"^### `(\w+)`\n.*?Fields: (.*?)\.$", text, re.MULTILINE | re.DOTALL))

    assert {kind.name: [*kind.fields] for kind in KINDS} == {
        name: re.findall(r"`(\w+)`", fields) for name, fields in written.items()
    }


def test_of_what_came_too_late_only_the_history_goes_along(cast: Cast) -> None:
    """One entry waits, one was discarded, one is a line by now."""
    before = json.loads(build_archive(cast.club))
    person = cast.club.players.get(name="Bodo")
    keys = [uuid4() for _ in range(3)]
    for key in keys:
        typed = Typed(form="played", facts={"kind": "normal", "re": [0, 1], "eyes": 153}, dealer=0)
        keep_late_entry(table=cast.table, actor=Actor(spoken_as=person), key=key, after=cast.game.key, typed=typed)
    discard_late_entry(table=cast.table, actor=Actor(cast.admin, admin=True), key=keys[1])
    enter_late_entry(table=cast.table, actor=Actor(cast.admin, admin=True), key=keys[2])
    data = build_archive(cast.club)
    after = json.loads(data)
    assert [kind for kind in before if before[kind] != after[kind]] == ["games", "changes"]
    assert [row["key"] for row in after["games"]] == [str(cast.game.key), str(keys[2])]
    told = done_at_tables(cast.club)
    assert sorted({done for done, _place in told}) == [
        "Spiel eingefügt",
        "Spiel eingetragen",
        "Spiel zu spät angekommen",
        "Zu spät angekommenes Spiel verworfen",
    ]
    emptied()
    club = taken(data)
    assert build_archive(club) == data
    assert done_at_tables(club) == told


def done_at_tables(club: Club) -> list[tuple[str, str]]:
    """Return the history of the tables."""
    return [(entry.done, entry.place) for entry in describe_changes(list_changes(club).filter(table__isnull=False))]


pytestmark = pytest.mark.django_db


def test_numbers_hashes_and_balances_are_what_they_were(db: None) -> None:
    """Other books are there already, so that all ids differ."""
    other = make_player(make_club("Pik"), "Anton")
    book(other.club, owes(other, 77))
    club = taken(KASSE.read_bytes())
    document = json.loads(KASSE.read_bytes())

    numbers = [str(entry) for entry in Entry.objects.filter(club=club).order_by("year", "number")]
    assert numbers == [f"2026-{number:03}" for number in range(1, 8)]
    assert [row["sha256"] for row in document["periods"]] == list(
        Period.objects.filter(club=club).order_by("month").values_list("sha256", flat=True)
    )
    assert get_balances(club) == {
        "cash": 12485, "equity:opening": -12345, "expense:waived": 500, "income:dues": -1000, "income:points": -140,
        "member:2": 500,
    }  # fmt: skip
    assert get_owed(club) == {club.players.get(name="Bodo B.").pk: 500}
    assert get_balances(other.club) == {"income:dues": -77, "member:1": 77}
    assert str(book(club, owes(club.players.all()[0], 5), date=Entry.objects.latest("date").date)) == "2026-008"


def test_an_archive_that_is_taken_back_takes_its_books_along(transactional_db: None) -> None:
    club = taken(KASSE.read_bytes())
    take_archive_back(club=club)
    assert [model.objects.count() for model in (Account, Entry, Leg, Period)] == [0, 0, 0, 0]
    assert not Club.with_hidden.exists()
    assert build_archive(taken(KASSE.read_bytes())) == KASSE.read_bytes()


def changed(rows: str, at: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document[rows][at - 1] |= values

    return change


def without_a_leg(document: dict[str, Any]) -> None:
    document["legs"].pop()


def shut(document: dict[str, Any]) -> None:
    document["periods"].pop(0)
    document["periods"][0]["row"] = 1


REFUSED = {
    "a leg with other cents": (changed("legs", 1, cents=12346), ["entries[1]"]),
    "a leg of half a cent": (changed("legs", 1, cents="1"), ["legs[1].cents"]),
    "no cents": (changed("legs", 1, cents=0), ["entries[1]"]),
    "a leg less": (without_a_leg, ["entries[7]"]),
    "no number": (changed("entries", 7, number=None), ["entries[7]"]),
    "a gap": (changed("entries", 7, number=8), ["entries[7]"]),
    "a kind that is none": (changed("entries", 7, kind="theft"), ["entries[7].kind"]),
    "a reason gone": (changed("entries", 7, reason=""), ["entries[7]"]),
    "itself reversed": (changed("entries", 3, reverses=3), ["entries[3]"]),
    "another one reversed": (changed("entries", 3, reverses=1), ["entries[3]"]),
    "one reversed that comes later": (changed("entries", 3, reverses=4), ["entries[3]"]),
    "a day of another year": (changed("entries", 5, date="2025-03-06"), ["entries[5]"]),
    "an account without a person": (changed("accounts", 3, player=None), ["accounts[3]"]),
    "an account of nothing": (changed("accounts", 1, code="money"), ["accounts[1].code"]),
    "a person with two accounts": (changed("accounts", 5, player=1), ["accounts[5]"]),
    "another hash": (changed("periods", 2, sha256="0" * 64), ["karo, 2026-04"]),
    "another day of an entry": (changed("entries", 5, date="2026-03-07"), ["karo, 2026-03"]),
    "a month left out": (shut, ["periods[1]"]),
    "an entry of the history that is none": (
        changed("changes", 30, after={"number": "2026-001"}),
        ["changes[30]: Das ist kein Verlauf."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_books_that_break_a_law_are_refused(fault: str) -> None:
    change, places = REFUSED[fault]
    document = json.loads(KASSE.read_bytes())
    change(document)
    said = refused(format_archive(document).encode())
    assert said == places or [one.partition(":")[0] for one in said] == places
    assert not Entry.objects.exists()


SETTLING = ("dues_statuses", "settlements", "settlement_lines")


def add_empty_breaks(document: dict[str, Any]) -> dict[str, Any]:
    """Add empty breaks to the players, which version 4 did not have."""
    return {"players": [row | {"rests_from": None, "rests_until": None} for row in document["players"]]}


def test_archives_of_the_first_and_second_version_are_still_read(db: None) -> None:
    """Version 1: public pages stay public, and no name is an initial."""
    first = FIRST.read_bytes()
    assert format_archive(read_archive(BytesIO(first))).encode() == FIXTURE.read_bytes()
    public = read_archive(BytesIO(first.replace(b'"public": false', b'"public": true')))["club"]
    assert [name for name, value in public.items() if value is True] == ["shows_list", "shows_months"]
    # Version 2 had no Kasse.
    second = SECOND.read_bytes()
    assert format_archive(read_archive(BytesIO(second))).encode() == FIXTURE.read_bytes()
    assert build_archive(taken(second)) == FIXTURE.read_bytes()


def test_an_archive_of_the_third_version_is_still_read(db: None) -> None:
    """Version 3 had no tariffs, reports and counts."""
    document, today = read(THIRD), json.loads(KASSE.read_bytes())
    beside = ("countersignatures", "reports", "counts", "headings", "book_years", *SETTLING)
    assert document == today | add_empty_breaks(today) | {kind: [] for kind in beside}
    assert Report.objects.filter(club=taken(THIRD.read_bytes())).count() == 0


def test_an_archive_of_the_fourth_version_is_still_read(db: None) -> None:
    """Version 4 had no breaks, levels of dues and settlements."""
    document, today = read(FOURTH), json.loads(KASSE.read_bytes())
    assert document == today | add_empty_breaks(today) | {kind: [] for kind in SETTLING}
    assert [kind for kind in SETTLING if not today[kind]] == []


def test_archives_of_the_fifth_to_seventh_version_are_still_read(db: None) -> None:
    """Version 5 had no opening standings, version 6 did not name the program, version 7 had no notes of evenings."""
    today = KASSE.read_bytes()
    seventh = re.sub(rb'("place": "[^"]*", )"note": "", ', rb"\1", today).replace(b'"version": 8,\n', b'"version": 7,\n')
    sixth = seventh.replace(b'"version": 7,\n"program": "",\n', b'"version": 6,\n')
    for older in (FIFTH.read_bytes(), sixth, seventh):
        assert format_archive(read_archive(BytesIO(older))).encode() == today
    assert build_archive(taken(sixth)) == today
