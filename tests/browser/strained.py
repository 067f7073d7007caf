"""A club with everything that strains a page: long names, umlauts, large negative totals, five people, Bock, lines that nobody
played; and where each page of it is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring.accounts.actions import build_reset_path
from scoring.administration.actions import make_founding_link
from scoring.archive.actions import keep_archive
from scoring.archive.queries import build_archive
from scoring.club.actions import Actor, invite_member, record
from scoring.evenings.actions import close_evening, open_evening
from scoring.models import Club, Game, JoinLink, Membership, Table, Verb
from scoring.table.actions.games import Typed
from scoring.table.actions.late import keep_late_entry
from scoring.table.actions.seats import seat_players
from scoring.table.actions.tables import renew_link
from tests.browser.charged import charged_evening
from tests.browser.strained_cash import CASH_PAGES, cash_pages
from tests.browser.strained_league import OF_A_SEASON, a_league, months_of
from tests.browser_page import log_in
from tests.database import made_once
from tests.factories import (
    OLD_LIST,
    add_game,
    make_club,
    make_import,
    make_join_link,
    make_player,
    make_rule_set,
    make_user,
    take_import,
)
from tests.test_access import holes_of

# One word that no line holds, and letters that run the other way.
UNUSUAL = ("Donaudampfschifffahrtsgesellschaftskapit", "محمّد")
NAMES = ("Friedrich-Wilhelm", "Özlem Yıldırım", "Bo", "Annegret Oberwiesenmüller", "Željko")


# Every address that answers GET with a page; what else it can look like stands behind the question mark.
PAGES = (
    "home", "club", "more", "club_file", "evenings", "evening_new", "evening", "evening_close", "evening_cash",
    "evening_cash of an evening without a tariff", "evening_people", "evening_drinks", "evening_tariff",
    "evening_tariff?tariff=none", "tariff", "tariff_questions", "tariff_edit", "table_new", "seats", "table", "result",
    "result of an empty evening", "paper", "table?form=penalty", "table?form=correction", "table?form=redeal",
    "table?form=short", "table?dealer=3", "table closed", "table empty", "table of eight", "table charged", "table_cash",
    "game", "game of a penalty", "game closed", "game_delete", "game_insert", "game_insert?form=penalty", "game_insert_behind",
    "game_up", "game_down", "standings", "standings?sort=-points&all=1", "standings?more=1&size=5", "by_evening", "players",
    "players?q=niemand", "player", "player of many games", "compare", "compare of two", "merge", "merge seen", "records",
    "matrix", "whatif", "whatif of all", "player_new", "player_edit", "player_erase", "privacy", "history_retention",
    "history_retention?years=2", "members", "join_links", "join", "member", "member_new", "invitation", "rule_sets", "rule_set",
    "rule_recipes", "rule_recipes?q=bock", "rule_set_new", "rule_set_questions", "rule_set_edit", "rule_set_name",
    "rule_set_edit?people=6", "table_rules", "table_carry", *CASH_PAGES, "league", "season", "season_new", "season_edit",
    "month", "month open", "month_close", "month_close after a correction", "month_version", "visibility", "standings?as=stranger",
    "club_delete", "installation", "founding", "history", "imports", "opening_standing", "import", "import taken", "import_undo",
    "evening_correction", "archive_upload", "archive_preview", "archive_imported", "result without games", "table_link",
    "table_link before", "link_speaker", "password_change", "password_change_done", "password_reset", "password_reset_confirm",
    "mail_address", "devices", "login_delete", "login", "offline", "guide", "no such page",
)  # fmt: skip


def name_of(page: str) -> str:
    return page.split("?")[0].split(" ")[0]


@dataclass(frozen=True)
class Site:
    """The club, its admin, and where each page of it is."""

    url: str
    admin: User
    table: Table
    addresses: dict[str, str]


def strained_site(page: Page, live_server: LiveServer) -> Site:
    admin, table, addresses = made_once(strained_club)
    log_in(page.context, live_server.url, admin)
    table_link, join_link = renew_link(table=table, actor=Actor(admin)), JoinLink.objects.get(club__slug="donau")
    for link in (f"found/{make_founding_link()}/open", f"t/{table_link.token}/open", f"j/{join_link.token}/open"):
        page.goto(f"{live_server.url}/{link}/")
    return Site(live_server.url, admin, table, addresses)


def strained_club() -> tuple[User, Table, dict[str, str]]:
    """The admin of the club, its long table, and the address of each page."""
    club = make_club("Doppelkopffreunde Wolfratshausen-Geretsried e. V.", slug="karo")
    admin = make_user("friedrich-wilhelm.oberwiesenmueller", club, ["admin", "scorer", "treasurer"])
    Membership.objects.create(club=make_club("Pik Dame"), user=admin)
    User.objects.filter(pk=admin.pk).update(is_superuser=True)
    table = long_evening(club, admin)
    closed, empty = closed_evening(club, admin), empty_tables(table)
    eight = table_of_eight(closed)
    addresses = pages_of(club, table, closed, empty, eight) | months_of(a_league(club, admin))
    # The books begin in January 2026; the evening of an earlier year is booked behind that.
    addresses |= cash_pages(club, admin)
    charged = charged_evening(club, admin)
    for name in ("evening_cash", "evening_people", "evening_drinks", "evening_tariff"):
        addresses[name] = reverse(name, args=["karo", charged.evening_id])
    addresses["table charged"] = reverse("table", args=["karo", charged.pk])
    addresses["table_cash"] = reverse("table_cash", args=["karo", charged.pk])
    addresses["evening_tariff?tariff=none"] = f"{addresses['evening_tariff']}?tariff=none"
    addresses["invitation"] = invited(admin)
    addresses["password_reset_confirm"] = build_reset_path(User.objects.get(username="gisela"))
    invite_member(club=club, actor=Actor(admin), login=make_user("oezlem.yildirim-sonnenschein").username, roles=["scorer"])
    make_join_link(club, admin, ["scorer", "treasurer"], most_uses=12)
    an_archive(club, admin)
    return admin, table, addresses


def invited(admin: User) -> str:
    """Where the admin accepts the rights that another club offers."""
    club = make_club("Sonntagsrunde Donaudampfschifffahrtsgesellschaft", slug="donau")
    host = make_user("gisela", club, ["admin"])
    make_join_link(club, host, ["scorer", "admin"])
    for name in (*NAMES, UNUSUAL[0]):
        make_player(club, name)
    invitation = invite_member(club=club, actor=Actor(host), login=admin.username, roles=["scorer", "admin"])
    return reverse("invitation", args=[club.slug, invitation.pk])


def an_archive(club: Club, admin: User) -> None:
    """One that waits and cannot be taken in here; the club itself came from one just now."""
    keep_archive(user=admin, text=build_archive(club).decode())
    known = {"evenings": 416, "lines": 20_800, "sha256": "0123456789abcdef" * 4}
    record(club=club, actor=Actor(admin), verb=Verb.ARCHIVE_TAKEN, subject=club.pk, after=known)


def long_evening(club: Club, admin: User) -> Table:
    """Thirty games of five people, Bock among them, a penalty, a correction by hand and a new deal."""
    people = [make_player(club, name) for name in NAMES]
    for name in UNUSUAL:
        make_player(club, name, guest=True)
    rules = make_rule_set(club, "anleitung", "Vereinsregeln mit Bock, Stand 2026")
    day, place = datetime.date(2026, 3, 6), "Gasthaus zum Goldenen Ochsen"
    table = open_evening(club=club, actor=Actor(admin), held_on=day, rule_set=rules, players=people, place=place)
    for number in range(29):
        dealer = number % 5
        re = [seat for seat in range(5) if seat != dealer][number % 3 :][:2]
        if number % 7 == 3:
            add_game(table, actor=admin, dealer=dealer, kind="damen_buben_solo", re=re[:1], band="151-180")
        else:
            add_game(table, actor=admin, dealer=dealer, re=re, eyes=100 + number, re_said="said" if number % 6 == 0 else "none")
    add_game(table, actor=admin, form="penalty", points=[-1024, 256, 256, 256, 256], reason="Falsch bedient")
    add_game(table, actor=admin, form="correction", points=[0, 0, 0, 0, -1], reason="Verzählt")
    add_game(table, actor=admin, form="redeal", reason="Fünf Könige")
    add_game(
        table,
        actor=admin,
        dealer=4,
        re=[0, 1],
        eyes=212,
        re_said="no60",
        re_specials={"fuchs": 2, "doppelkopf": 1, "karlchen_gefangen": 1},
        kontra_specials={"fuchs_am_ende": 1},
        note="Ein_sehr_langes_Wort" * 5,
    )
    return table


def closed_evening(club: Club, admin: User) -> Table:
    """An evening in cents that is over, one game of it as dear as a game can be."""
    rules = make_rule_set(club, "klassisch", "Vereinsmeisterschaftsbestimmungen")
    people = list(club.players.order_by("pk")[:4])
    table = open_evening(club=club, actor=Actor(admin), held_on=datetime.date(2026, 2, 27), rule_set=rules, players=people)
    for re in ([0, 1], [2, 3], [0, 3]):
        add_game(table, actor=admin, re=re, eyes=239, re_specials={"fuchs": 2})
    add_game(table, actor=admin, form="short", winners=[0, 1], base=100_000)
    close_evening(evening=table.evening, actor=Actor(admin))
    came_late(table, admin)
    return table


def came_late(table: Table, admin: User) -> None:
    """Two games that wait: one dear, with a long note, and one that goes between other lines."""
    dear = Typed(form="short", facts={"winners": [0, 1], "base": 100_000}, note="Ein_sehr_langes_Wort" * 5)
    keep_late_entry(table=table, actor=Actor(admin), key=uuid4(), after=None, typed=dear)
    facts = {"kind": "normal", "re": [0, 3], "eyes": 239, "re_specials": {"fuchs": 2}}
    played = Typed(form="played", facts=facts)
    keep_late_entry(
        table=table, actor=Actor(spoken_as=table.evening.club.players.first()), key=uuid4(), after=uuid4(), typed=played
    )


def empty_tables(table: Table) -> Table:
    """Another evening, of two tables, at which nobody has played yet."""
    club, day = table.evening.club, datetime.date(2026, 3, 13)
    people, rules = list(club.players.filter(guest=False).order_by("pk")), make_rule_set(club, "ddv", "Turnierregeln")
    first = open_evening(club=club, actor=Actor(), held_on=day, rule_set=rules, players=people[:4])
    second = Table.objects.create(evening=first.evening, number=2, rule_set=first.rule_set)
    seat_players(table=second, players=people[1:])
    return first


def table_of_eight(closed: Table) -> Table:
    """More columns than a phone has room for, where in a game of 64 cards all eight play."""
    club = closed.evening.club
    people = [*club.players.order_by("pk"), make_player(club, "Ärmel")]
    table = open_evening(club=club, actor=Actor(), held_on=datetime.date(2026, 3, 20), rule_set=closed.rule_set, players=people)
    add_game(table, re=[0, 2, 4, 6], eyes=150, re_specials={"fuchs": 2})
    add_game(table, form="correction", points=[-1280, 0, 0, 0, 0, 0, 0, 1280], reason="Verzählt")
    return table


def pages_of(club: Club, table: Table, closed: Table, empty: Table, eight: Table) -> dict[str, str]:
    """The address of each of PAGES."""
    games = Game.objects.filter(round__table=table).order_by("position")
    taken = take_import(make_import(club, [["Datum", *NAMES[:3], UNUSUAL[0]], ["6.3.20", "-128", "64", "63", "0"]]))
    last, penalty = games.last(), games.get(form="penalty")
    numbers = {
        "evening": empty.evening_id, "result": table.evening_id, "result of an empty evening": empty.evening_id,
        "paper": table.evening_id,
        **dict.fromkeys(("evening_cash", "evening_people", "evening_tariff", "evening_close"), empty.evening_id),
        "evening_drinks": empty.evening_id, "table_new": empty.evening_id, **dict.fromkeys(("seats", "table_cash"), table.pk),
        "table": table.pk, "table closed": closed.pk, "table empty": empty.pk, "table_link": table.pk,
        "table_link before": empty.pk, "table of eight": eight.pk, "game": (table.pk, last.key),
        "game of a penalty": (table.pk, penalty.key),
        "game closed": (closed.pk, Game.objects.filter(round__table=closed).first().key), "game_delete": (table.pk, last.key),
        "game_insert": (table.pk, last.key), "game_insert_behind": (table.pk, last.key), "game_up": (table.pk, last.key),
        "game_down": (table.pk, penalty.key), "player": club.players.get(name=UNUSUAL[0]).pk,
        "player of many games": club.players.get(name=NAMES[1]).pk, "member": Membership.objects.get(club=club).pk,
        "import": make_import(club, [*OLD_LIST, ["Summe", "6", "-4", "-3"], ["20.03.26", "zwölf"]]).pk,
        "import taken": taken.pk, "import_undo": taken.pk,
        **dict.fromkeys(("result without games", "evening_correction"), taken.tables.first().evening_id),
        "rule_set": table.rule_set_id, "rule_set_edit": table.rule_set_id, "rule_set_name": table.rule_set_id,
        "table_rules": table.pk, "table_carry": table.pk,
    }  # fmt: skip
    numbers["player_edit"] = numbers["player"]
    numbers["player_erase"] = numbers["compare"] = numbers["player of many games"]
    numbers["merge"] = club.players.get(name=NAMES[3]).pk
    numbers["invitation"] = 0  # it stands in another club, see `invited`
    addresses = {}
    for page in PAGES:
        name, query = name_of(page), page.partition("?")[2]
        if name in (*OF_A_SEASON, "password_reset_confirm") or name.startswith("cash"):
            continue
        if name == "no":
            addresses[page] = "/no-such-page"
            continue
        ids = numbers.get(page, numbers.get(name, ()))
        args: tuple[Any, ...] = ids if isinstance(ids, tuple) else (ids,)
        addresses[page] = reverse(name, args=("karo", *args) if "slug" in holes_of(name) else ()) + (f"?{query}" if query else "")
    addresses["whatif of all"] += f"?rules={table.rule_set_id}&all=1"
    addresses["compare of two"] += f"?other={club.players.get(name=NAMES[0]).pk}"
    addresses["merge seen"] += f"?into={club.players.get(name='Ärmel').pk}"
    return addresses
