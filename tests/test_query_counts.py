"""What every page asks of the database: exactly as many questions in a small club as in one that has more of everything,
people, logins, evenings, games, rule sets, seasons, months, files, history. An address that this table says nothing about
fails the test, so nobody adds a page without counting."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring.archive.actions import keep_archive
from scoring.archive.queries import build_archive
from scoring.cash.ledger.actions import add_heading
from scoring.club.actions import Actor, invite_member, record
from scoring.evenings.actions import add_table, close_evening
from scoring.models import Change, Club, Entry, Game, Membership, Player, RuleSet, Season, Table, Verb
from scoring.players.actions import merge_players
from scoring.table.actions.tables import renew_link
from tests import fake_clock
from tests.cash.kasse import make_kasse
from tests.database import asked, reads_a_whole_table
from tests.effort import in_soak
from tests.factories import (
    PEOPLE,
    add_game,
    make_club,
    make_import,
    make_join_link,
    make_next_version,
    make_player,
    make_rule_set,
    make_table,
    make_user,
    take_import,
)
from tests.imports.examples import take_kasse, waiting_kasse
from tests.months import close, make_season
from tests.test_access import PAGES, holes_of, kind_of

# By the name of an address, with a word behind it where it can be asked for something else: all questions, session and
# user among them, and the one for what the address names with the rights in it.
COUNTS = {
    # Without a club.
    "healthz": 2,
    "home": 3,
    "invitation": 3,
    "login": 2,
    "devices": 3,
    "login_delete": 2,
    "password_change": 2,
    "password_change_done": 2,
    "password_reset": 2,
    "mail_address": 2,
    "set_language": 0,
    "worker": 0,
    "manifest": 0,
    "offline": 0,
    "guide": 2,
    "robots": 0,
    "installation": 4,
    # Evenings and tables.
    "club": 22,
    "evenings": 10,
    "evenings asked": 10,
    # One of them asks who sits at a table already.
    "evening_new": 9,
    "evening": 4,
    "evening_close": 7,
    "evening_excel": 8,
    "table_new": 9,
    "result": 7,
    "evening_cash": 4,
    "evening_people": 5,
    "evening_drinks": 3,
    "evening_tariff": 4,
    "tariff": 4,
    "tariff_questions": 4,
    "tariff_edit": 4,
    "result_text": 7,
    "result_picture": 7,
    "paper": 7,
    "table": 8,
    "seats": 7,
    "table_cash": 3,
    "table_carry": 6,
    "table_link": 4,
    "table_rules": 4,
    "table_rules asked": 10,
    "state": 7,
    "live": 3,
    "game": 5,
    "game_delete": 8,
    "game_insert": 6,
    "game_insert_behind": 6,
    "game_up": 6,
    "game_down": 5,
    # Lists.
    "standings": 11,
    "standings asked": 12,
    "standings_excel": 11,
    "by_evening": 7,
    "by_evening asked": 7,
    "by_evening_excel": 7,
    "by_evening_csv": 7,
    "records": 9,
    "matrix": 13,
    "matrix asked": 13,
    "whatif": 8,
    "whatif asked": 15,
    # People and logins.
    "player_erase": 13,
    "player_data": 26,
    "players": 5,
    "player_new": 4,
    "player": 17,
    "player_edit": 4,
    "compare": 4,
    "compare asked": 10,
    "merge": 4,
    "merge asked": 18,
    "members": 5,
    "join_links": 4,
    "member_new": 3,
    "member": 5,
    # The league.
    "league": 7,
    "season": 7,
    "season_new": 4,
    "season_edit": 4,
    "month": 8,
    "month open": 7,
    "month_excel": 7,
    "month_picture": 6,
    "season_picture": 6,
    "month_close": 9,
    "month_version": 7,
    "version_excel": 7,
    "version_data": 6,
    # Rules.
    "rule_sets": 4,
    "rule_recipes": 3,
    "rule_set": 5,
    "rule_set asked": 5,
    "rule_set_new": 4,
    "rule_set_questions": 4,
    "rule_set_edit": 3,
    "rule_set_preview": 3,
    "rule_set_name": 3,
    # The Kasse.
    "cash": 28,
    "cash_left": 6,
    "cash_headings": 4,
    "cash_entries": 13,
    "cash_entries asked": 14,
    "cash_entries whole": 13,
    "cash_entries_excel": 10,
    "cash_entries_csv": 10,
    "cash_kinds": 3,
    "cash_entry_new": 9,
    "cash_entry": 8,
    "cash_entry_reverse": 7,
    "cash_statement": 13,
    "cash_statement_excel": 10,
    "cash_statement_csv": 10,
    "cash_report": 9,
    "cash_report_refuse": 3,
    "cash_count": 9,
    "cash_dues": 8,
    "cash_dues_month": 5,
    "cash_settle": 8,
    "cash_settlement": 8,
    "cash_old": 5,
    "kasse_template": 3,
    "cash_opening": 9,
    "cash_old_file": 11,
    "cash_old_file taken": 7,
    "cash_months": 12,
    "cash_months_close": 17,
    "cash_month": 18,
    "cash_month to close": 27,
    "cash_month_statement": 3,
    "cash_year": 21,
    "cash_month_excel": 15,
    "cash_month_csv": 15,
    "cash_year_excel": 21,
    "cash_year_csv": 21,
    # Everything else.
    "more": 4,
    "club_file": 12,
    "club_file asked": 10,
    "club_excel": 50,
    "club_csv": 50,
    "export_csv": 18,
    "archive": 50,
    "visibility": 6,
    "club_delete": 4,
    "archive_upload": 4,
    "archive_preview": 5,
    "archive_imported": 5,
    "imports": 6,
    "opening_standing": 7,
    "list_template": 4,
    "import": 12,
    "import taken": 14,
    "import_undo": 16,
    "evening_correction": 7,
    "history": 16,
    "history asked": 10,
    "history_retention": 3,
    "history_retention asked": 6,
    "privacy": 5,
}
# These ask for what all clubs of the installation have: how much that is, who nobody knows but a list.
OF_ALL_CLUBS = {"installation", "import_undo"}
LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
# What a link opens is looked at in test_links.py of tests/table/views, test_founding.py of tests/administration/views,
# test_views.py of tests/accounts/views.
OF_A_LINK = {
    "link_preview", "link_open", "link_speaker", "founding", "founding_link", "founding_open",
    "join_preview", "join_open", "join", "password_reset_confirm",
}  # fmt: skip


def test_every_address_is_counted() -> None:
    shown = {name for name, page in PAGES.items() if page.get is not None}
    assert {name.split(" ")[0] for name in COUNTS} == shown - OF_A_LINK


@pytest.mark.parametrize("size", [in_soak(1), 2, in_soak(4)])
def test_every_page_asks_the_same_however_much_there_is(db: None, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_clock.begin(monkeypatch, "2026-11-26")  # each year of a Kasse, from its first entry on, is asked for
    client, addresses = make_world(size)
    # PostgreSQL is asked how large it is; SQLite is a file.
    counts = COUNTS | ({"installation": 5} if connection.vendor == "postgresql" else {})
    found = {name: asked(client, address) for name, address in addresses.items()}
    assert {name: len(questions) for name, questions in found.items()} == counts
    whole = {name for name, questions in found.items() if any(reads_a_whole_table(*one) for one in questions)}
    assert whole == OF_ALL_CLUBS, "these have no index for what they ask, and take longer with every other club"


# --- A club with so much of everything --------------------------------------------------------------------------------


def make_world(size: int) -> tuple[Client, dict[str, str]]:
    """An admin of several clubs, and where every page of one of them is."""
    club = make_club(slug="karo")
    admin = make_user("anna", club, ["admin", "scorer", "treasurer"])
    User.objects.filter(pk=admin.pk).update(is_superuser=True)
    for _ in range(size):
        make_join_link(club, admin)
    table = many_evenings(club, admin, size, many_rules(club, size))
    season = many_months(club, admin, size)
    files = many_files(club, admin, size)
    many_people(club, admin, size)
    many_entries(club, admin, size, table)
    client = Client()
    client.force_login(admin)
    return client, addresses_of(club, table, season) | files | old_kasse(club, size) | {"invitation": invited(admin)}


def many_rules(club: Club, size: int) -> RuleSet:
    """Rule sets, and versions of one, of which this is the latest."""
    latest = make_rule_set(club, "ddv", "Turnier")
    for number in range(size):
        make_rule_set(club, "vln", f"Regeln {number}")
        latest = make_next_version(latest, won=number + 2)
    return latest


def many_evenings(club: Club, admin: User, size: int, rules: RuleSet) -> Table:
    """Evenings of two tables, points at one and cents at the other; the last two are open, and this is a table of the
    latest."""
    money = make_rule_set(club, "klassisch", "Geld")
    for number in range(size + 3):
        people, day = 4 + number % 2, datetime.date(2026, 1 + number, 6)
        table = make_table(club, people, held_on=day, rule_set=rules, actor=admin)
        others = [make_player(club, f"{name} {number}") for name in PEOPLE[:4]]
        other = add_table(evening=table.evening, actor=Actor(admin), rule_set=money, players=others)
        for _ in range(size):
            add_game(table, dealer=people - 1, actor=admin)
            add_game(table, dealer=people - 1, kind="damensolo", re=[0], actor=admin)
            add_game(table, form="penalty", points=[-2, 2] + [0] * (people - 2), reason="Bedient", actor=admin)
            add_game(other, dealer=3, actor=admin)
        renew_link(table=table, actor=Actor(admin))
        if number <= size:
            close_evening(evening=table.evening, actor=Actor(admin))
    return table


def many_months(club: Club, admin: User, size: int) -> Season:
    """Seasons, and this one with closed months."""
    for year in range(2020, 2020 + size):
        make_season(club, f"Saison {year}", datetime.date(year, 1, 1), datetime.date(year, 12, 31), actor=admin)
    season = make_season(club, actor=admin)
    for month in range(1, size + 2):
        close(season, f"2026-{month:02}", admin)
    return season


def many_files(club: Club, admin: User, size: int) -> dict[str, str]:
    """Old lists that were taken in, and one that waits: where the pages of the first and the last are. An archive waits as
    well, and the club says that it came from one."""
    names, everybody_else = [f"Alt {number}" for number in range(3 + size)], ["0"] * (1 + size)
    taken = []
    for month in range(1, size + 1):
        days = [f"{day:02}.{month:02}.19" for day in range(1, size + 2)]
        rows = [["Datum", *names], *([day, "4", "-4", *everybody_else] for day in days)]
        taken.append(take_import(make_import(club, rows, admin), admin))
    waiting = make_import(club, rows, admin)
    keep_archive(user=admin, text=build_archive(club).decode())
    known = {"evenings": size, "lines": size, "sha256": "0" * 64}
    record(club=club, actor=Actor(admin), verb=Verb.ARCHIVE_TAKEN, subject=club.pk, after=known)
    return {
        "import": reverse("import", args=["karo", waiting.pk]),
        "import taken": reverse("import", args=["karo", taken[0].pk]),
        "import_undo": reverse("import_undo", args=["karo", taken[0].pk]),
        "evening_correction": reverse("evening_correction", args=["karo", taken[0].tables.first().evening_id]),
    }


def many_people(club: Club, admin: User, size: int) -> None:
    """With logins, merged, invited; the admin belongs to other clubs as well."""
    for number in range(size):
        make_player(club, f"Mit Zugang {number}", user=make_user(f"login-{number}", club, ["scorer"]))
        double, once = make_player(club, f"Doppelt {number}"), make_player(club, f"Einmal {number}")
        merge_players(player=double, into=once, actor=Actor(admin))
        invite_member(club=club, actor=Actor(admin), login=make_user(f"eingeladen-{number}").username, roles=[])
        Membership.objects.create(club=make_club(f"Club {number}"), user=admin)


def many_entries(club: Club, admin: User, size: int, table: Table) -> None:
    """Books with a month closed, reports and counts; the admin is somebody of the club. One report has the key of a game."""
    Player.objects.filter(club=club, name="Ärmel").update(user=admin)
    make_kasse(club, admin, last_game(table).key, month="2026-01", size=size)
    for number in range(size):
        add_heading(club=club, actor=Actor(admin), side="income", name=f"Tombola {number}", taken={})
    # What stands on the first page of the history is of every kind, in a large club as well.
    Change.objects.filter(verb__startswith="cash.").update(at=LONG_AGO)


def old_kasse(club: Club, size: int) -> dict[str, str]:
    """One that was booked, and one that waits: where their pages are."""
    names = ["Ärmel", "Bodo", *(f"Mit Zugang {number}" for number in range(size))]
    found = {}
    for name, cents in (("cash_old_file taken", "1,50"), ("cash_old_file", "2")):
        days = [";".join([f"2026-02-{day:02}", *[cents] * len(names)]) for day in range(1, size + 3)]
        brought = waiting_kasse(club, text="\n".join([";".join(["Datum", *names]), *days]), digest=cents)
        found[name] = reverse("cash_old_file", args=["karo", brought.pk])
        if name.endswith("taken"):
            take_kasse(brought)
            Change.objects.filter(verb="import.taken", subject_id=brought.pk).update(at=LONG_AGO)
    return found


def last_game(table: Table) -> Game:
    return Game.objects.filter(round__table=table).order_by("position").reverse()[0]


def invited(admin: User) -> str:
    """Where the admin accepts the rights that another club offers."""
    club = make_club("Pik Dame", slug="pik")
    host = make_user("gisela", club, ["admin"])
    invitation = invite_member(club=club, actor=Actor(host), login=admin.username, roles=[])
    return reverse("invitation", args=["pik", invitation.pk])


def addresses_of(club: Club, table: Table, season: Season) -> dict[str, str]:
    """Where every page of the club is that shows something."""
    things = {
        "tables": table.pk,
        "evenings": table.evening_id,
        "rules": table.rule_set_id,
        "people": Player.objects.get(club=club, name="Bodo").pk,
        "rights": Membership.objects.get(user__username="login-0").pk,
        "seasons": season.pk,
        "entries": Entry.objects.get(club=club, kind="payment").pk,
    }
    known = {"slug": "karo", "key": last_game(table).key, "name": "games", "month": "2026-01", "version": 1}
    known |= {"kind": "payment", "year": 2026}
    found = {}
    for name, page in PAGES.items():
        holes = {hole: things.get(kind_of(name)) if hole == "pk" else known.get(hole) for hole in holes_of(name)}
        if page.get is not None and None not in holes.values() and name not in OF_A_LINK:
            found[name] = reverse(name, kwargs=holes)
    for page, query in {
        "evenings": f"person={Player.objects.get(club=club, name='Ärmel').pk}&year=2026",
        "standings": "more=1&min=2",
        "by_evening": "year=&size=4",
        "matrix": "against=1",
        "compare": f"other={Player.objects.get(club=club, name='Ärmel').pk}",
        "merge": f"into={Player.objects.get(club=club, name='Einmal 0').pk}",
        "whatif": f"rules={RuleSet.objects.get(club=club, name='Regeln 0').pk}",
        "rule_set": f"other={RuleSet.objects.get(club=club, name='Regeln 0').pk}",
        "table_rules": f"rule_set={RuleSet.objects.get(club=club, name='Regeln 0').pk}",
        "history": "text=eingetragen",
        "history_retention": "years=1",
        "cash_entries": "kind=payment&month=2026-01",
        "club_file": f"span=season-{season.pk}",
    }.items():
        found[f"{page} asked"] = f"{found[page]}?{query}"
    found["cash_entries whole"] = f"{found['cash_entries']}?whole=1"
    found["cash_month to close"] = reverse("cash_month", args=["karo", "2026-02"])
    found["month open"] = reverse("month", args=["karo", season.pk, f"{table.evening.held_on:%Y-%m}"])
    return found
